// Brings files and directories into the page: dropped, picked, or as a directory that can change.
//
// A script cannot make a drop that carries a directory, nor answer a picker. Both hand the page a directory handle, and
// the page's own private file system (OPFS) has real ones: what is given is copied there first.

import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";

/** How much is sent to the page at once, in bytes. */
const BATCH = 8 << 20;

/** Picks files with the page's inputs: one directory, or any number of files. */
export async function pick(page, paths) {
  const list = [paths].flat();
  const isDirectory = list.length === 1 && (await stat(list[0])).isDirectory();
  await page.locator(isDirectory ? "#pick-directory" : "#pick-files").setInputFiles(isDirectory ? list[0] : list);
}

/** Drops files on the page. */
export async function dropFiles(page, paths, { target = "body" } = {}) {
  const files = [];
  for (const file of [paths].flat()) {
    files.push({ name: path.basename(file), content: (await readFile(file)).toString("base64") });
  }
  await page.evaluate(
    ({ files, target }) => {
      const dataTransfer = new DataTransfer();
      for (const { name, content } of files) {
        const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], name));
      }
      for (const type of ["dragenter", "dragover", "drop"]) {
        const event = new DragEvent(type, { bubbles: true, cancelable: true, composed: true, dataTransfer });
        document.querySelector(target).dispatchEvent(event);
      }
    },
    { files, target },
  );
}

/**
 * Drops a directory on the page, and gives it as `opfsDirectory` does.
 *
 * With `handles: false` the drop is that of a browser which has only `webkitGetAsEntry`.
 */
export async function dropDirectory(page, dir, { target = "body", handles = true } = {}) {
  const directory = await copyIn(page, dir);
  await page.evaluate(dispatchDrop, { name: directory.name, target, handles });
  return directory;
}

/**
 * Copies a directory to where the page can be given it, and has the page's directory picker answer with it, now and
 * after the page was loaded anew. What comes back changes its files: `write`, `append`, `remove`.
 */
export async function opfsDirectory(page, dir) {
  const directory = await copyIn(page, dir);
  const stub = (name) => {
    window.showDirectoryPicker = async () => (await navigator.storage.getDirectory()).getDirectoryHandle(name);
  };
  await page.addInitScript(stub, directory.name);
  await page.evaluate(stub, directory.name);
  return directory;
}

/** Copies a directory into the page's private file system, under its own name. The page must be open. */
async function copyIn(page, dir) {
  const name = path.basename(dir);
  const directory = new Directory(page, name);
  await page.evaluate(async (name) => {
    const root = await navigator.storage.getDirectory();
    await root.removeEntry(name, { recursive: true }).catch(() => {});
    await root.getDirectoryHandle(name, { create: true });
  }, name);
  let batch = [];
  let size = 0;
  for (const file of await filesBelow(dir)) {
    const content = await readFile(path.join(dir, file));
    batch.push({ path: file, content: content.toString("base64") });
    size += content.length;
    if (size > BATCH) {
      await directory.put(batch);
      [batch, size] = [[], 0];
    }
  }
  await directory.put(batch);
  return directory;
}

/** Lists all files below a directory, sorted, with `/`. */
async function filesBelow(dir, below = "") {
  const files = [];
  for (const entry of await readdir(path.join(dir, below), { withFileTypes: true })) {
    const name = below ? `${below}/${entry.name}` : entry.name;
    if (entry.isDirectory()) files.push(...(await filesBelow(dir, name)));
    else if (entry.isFile()) files.push(name);
  }
  return files.sort();
}

/** A directory in the page's private file system. Paths are seen from it. */
class Directory {
  constructor(page, name) {
    this.page = page;
    this.name = name;
  }

  /** Writes a file, which is made with the directories above it when it is absent. */
  async write(path, text) {
    await this.put([{ path, content: Buffer.from(text).toString("base64") }]);
  }

  /** Adds to the end of a file. */
  async append(path, text) {
    await this.put([{ path, content: Buffer.from(text).toString("base64"), append: true }]);
  }

  /** Removes a file, or a directory with all that is in it. */
  async remove(path) {
    await this.page.evaluate(
      async ({ name, path }) => {
        const names = path.split("/");
        let dir = await (await navigator.storage.getDirectory()).getDirectoryHandle(name);
        for (const part of names.slice(0, -1)) dir = await dir.getDirectoryHandle(part);
        await dir.removeEntry(names.at(-1), { recursive: true });
      },
      { name: this.name, path },
    );
  }

  /** Writes several files: `path`, `content` in base64, and whether to `append`. */
  async put(files) {
    await this.page.evaluate(
      async ({ name, files }) => {
        const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(name);
        for (const { path, content, append } of files) {
          const names = path.split("/");
          let dir = root;
          for (const part of names.slice(0, -1)) dir = await dir.getDirectoryHandle(part, { create: true });
          const file = await dir.getFileHandle(names.at(-1), { create: true });
          const writable = await file.createWritable({ keepExistingData: Boolean(append) });
          if (append) await writable.seek((await file.getFile()).size);
          await writable.write(Uint8Array.from(atob(content), (char) => char.charCodeAt(0)));
          await writable.close();
        }
      },
      { name: this.name, files },
    );
  }
}

/** Runs in the page: drops a directory of the private file system as Chromium drops one of the disk. */
async function dispatchDrop({ name, target, handles }) {
  const handle = await (await navigator.storage.getDirectory()).getDirectoryHandle(name);

  // What `webkitGetAsEntry` gives, made of handles.
  const entry = (handle, above) => {
    const fullPath = `${above}/${handle.name}`;
    const plain = { name: handle.name, fullPath, isFile: handle.kind === "file", isDirectory: handle.kind !== "file" };
    const fail = (failed) => (error) => failed?.(error);
    if (plain.isFile) return { ...plain, file: (done, failed) => void handle.getFile().then(done, fail(failed)) };
    const createReader = () => {
      const rest = handle.values();
      const next = async () => {
        const some = [];
        // A browser gives at most 100 at once, and none when it has given all.
        for (let one; some.length < 100 && !(one = await rest.next()).done; ) some.push(entry(one.value, fullPath));
        return some;
      };
      return { readEntries: (done, failed) => void next().then(done, fail(failed)) };
    };
    return { ...plain, createReader };
  };

  const getAsFile = () => new File([], name);
  const item = { kind: "file", type: "", getAsFile, webkitGetAsEntry: () => entry(handle, "") };
  if (handles) item.getAsFileSystemHandle = async () => handle;
  const effects = { dropEffect: "none", effectAllowed: "all" };
  const dataTransfer = { items: [item], types: ["Files"], files: [getAsFile()], ...effects };
  for (const type of ["dragenter", "dragover", "drop"]) {
    const event = new DragEvent(type, { bubbles: true, cancelable: true, composed: true });
    Object.defineProperty(event, "dataTransfer", { value: dataTransfer });
    document.querySelector(target).dispatchEvent(event);
  }
}
