// What the harness gives the page is what the page would be given by people.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { axe, fixture, PAGE, seen, strayRequests, visit } from "./harness.mjs";
import { dropDirectory, dropFiles, opfsDirectory, pick } from "./harness.mjs";

/** Has the page keep what is dropped on it in `window.dropped`, as `read` finds it. */
function keepDrops(page, read) {
  return page.evaluate((read) => {
    // Before the page's own listeners, which may keep it to themselves.
    const keep = (event) => (window.dropped = (0, eval)(`(${read})`)(event.dataTransfer));
    window.addEventListener("drop", keep, { capture: true });
  }, read.toString());
}

async function readHandle({ items }) {
  const walk = async (dir) => {
    const files = [];
    for await (const [name, one] of dir) files.push(...(one.kind === "file" ? [name] : await walk(one)));
    return files.sort();
  };
  const handle = await items[0].getAsFileSystemHandle();
  return { name: handle.name, real: handle instanceof FileSystemDirectoryHandle, files: await walk(handle) };
}

async function readEntry({ items }) {
  const walk = async (entry) => {
    if (entry.isFile) return [await new Promise((done, failed) => entry.file((file) => done(file.name), failed))];
    const [files, reader] = [[], entry.createReader()];
    for (;;) {
      const some = await new Promise((done, failed) => reader.readEntries(done, failed));
      if (some.length === 0) return files.sort();
      for (const one of some) files.push(...(await walk(one)));
    }
  };
  const entry = items[0].webkitGetAsEntry();
  return { name: entry.name, handles: "getAsFileSystemHandle" in items[0], files: await walk(entry) };
}

async function filesOf(name) {
  const entries = await readdir(fixture(name), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name).sort();
}

test("a dropped directory comes as a handle", async (t) => {
  const page = await visit(t, { bypassCSP: true });
  await keepDrops(page, readHandle);
  await dropDirectory(page, fixture("troubled-mailbox"));
  const files = await filesOf("troubled-mailbox");
  assert.deepEqual(await page.evaluate(() => window.dropped), { name: "troubled-mailbox", real: true, files });
});

test("a dropped directory comes as an entry where there are no handles", async (t) => {
  const page = await visit(t, { bypassCSP: true });
  await keepDrops(page, readEntry);
  await dropDirectory(page, fixture("mailbox-by-spec-scripts"), { handles: false });
  const wanted = { name: "mailbox-by-spec-scripts", handles: false, files: await filesOf("mailbox-by-spec-scripts") };
  assert.deepEqual(await page.evaluate(() => window.dropped), wanted);
});

test("dropped files are there with their bytes", async (t) => {
  const page = await visit(t, { bypassCSP: true });
  await keepDrops(page, ({ files }) => Array.from(files, ({ name, size }) => ({ name, size: size > 0 })));
  await dropFiles(page, [fixture("plain-log/gateway.jsonl"), fixture("plain-log/workers.ndjson")]);
  assert.deepEqual(await page.evaluate(() => window.dropped), [
    { name: "gateway.jsonl", size: true },
    { name: "workers.ndjson", size: true },
  ]);
});

test("picked files and directories come with their paths", async (t) => {
  const page = await visit(t);
  await page.evaluate(() => {
    for (const one of document.querySelectorAll("#pick-directory, #pick-files")) one.remove();
    const add = (of) => document.body.append(Object.assign(document.createElement("input"), { type: "file", ...of }));
    add({ id: "pick-directory", hidden: true, webkitdirectory: true });
    add({ id: "pick-files", hidden: true, multiple: true });
  });
  await pick(page, fixture("troubled-mailbox"));
  await pick(page, [fixture("plain-log/gateway.jsonl"), fixture("plain-log/workers.ndjson")]);
  const paths = (input) => Array.from(input.files, (file) => file.webkitRelativePath || file.name).sort();
  const picked = (id) => page.locator(id).evaluate(paths);
  const directory = await picked("#pick-directory");
  assert.ok(directory.includes("troubled-mailbox/.agent-messages/registry.json"), directory.join("\n"));
  assert.deepEqual(directory.map((path) => path.split("/").at(-1)).sort(), await filesOf("troubled-mailbox"));
  assert.deepEqual(await picked("#pick-files"), ["gateway.jsonl", "workers.ndjson"]);
});

test("a picked directory changes, also after the page was loaded anew", async (t) => {
  const page = await visit(t);
  const directory = await opfsDirectory(page, fixture("plain-log"));
  await page.reload();
  await directory.write("deep/new.jsonl", "one\n");
  await directory.append("deep/new.jsonl", "two\n");
  await directory.remove("README.txt");
  const found = await page.evaluate(async () => {
    const picked = await window.showDirectoryPicker();
    const file = await (await picked.getDirectoryHandle("deep")).getFileHandle("new.jsonl");
    const names = [];
    for await (const name of picked.keys()) names.push(name);
    return { text: await (await file.getFile()).text(), names: names.sort() };
  });
  assert.deepEqual(found, { text: "one\ntwo\n", names: ["deep", "gateway.jsonl", "planner.jsonl", "workers.ndjson"] });
});

test("problems and stray requests are seen, those of workers too", async (t) => {
  const page = await visit(t, { bypassCSP: true });
  const stray = "http://127.0.0.1:9/";
  const code = `fetch("${PAGE}session/").then(() => fetch("${stray}")).catch(() => postMessage(1))`;
  await page.evaluate(async (code) => {
    console.error("so it is");
    setTimeout(() => {
      throw new Error("uncaught one");
    });
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    await new Promise((done) => (worker.onmessage = done));
  }, code);
  assert.deepEqual(strayRequests(page), [stray]);
  assert.ok(seen(page).requests.includes(`${PAGE}session/`));
  assert.ok(seen(page).problems.includes("error: so it is"));
  assert.ok(seen(page).problems.some((text) => text.includes("uncaught one")));
});

test("what keeps people out is found in spite of the page's policy", async (t) => {
  const page = await visit(t);
  await page.evaluate(() => document.body.append(document.createElement("button")));
  const found = await axe(page);
  assert.ok(found.some((line) => line.startsWith("button-name")), found.join("\n"));
});
