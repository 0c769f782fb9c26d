// The component in Node: jco makes JavaScript of it, and the shim gives it one directory.

import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { transpile } from '@bytecodealliance/jco-transpile';
import { filesystem } from '@bytecodealliance/preview2-shim';
import { WASIShim } from '@bytecodealliance/preview2-shim/instantiation';

// The shim refuses to make a file whose directory is to be changed by that, which is every new file: libc says so with a
// flag that POSIX knows nothing of, and that nothing here depends on.
const { openAt } = filesystem.types.Descriptor.prototype;
filesystem.types.Descriptor.prototype.openAt = function open(pathFlags, path, openFlags, flags) {
  return openAt.call(this, pathFlags, path, openFlags, { ...flags, mutateDirectory: false });
};

/** Transpiles a component into a directory, and gives what makes instances of it. */
export async function load(wasm, directory) {
  const { files } = await transpile(wasm, { name: 'huddle', instantiation: 'sync' });
  for (const [name, bytes] of Object.entries(files)) {
    // Types are for those who write TypeScript.
    if (!name.endsWith('.d.ts')) await writeFile(join(directory, basename(name)), bytes);
  }
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  const { instantiate } = await import(pathToFileURL(join(directory, 'huddle.js')));
  const modules = new Map();
  for (const name of Object.keys(files).filter((name) => name.endsWith('.wasm'))) {
    modules.set(basename(name), new WebAssembly.Module(await readFile(join(directory, basename(name)))));
  }
  /** Makes an instance that reaches these directories, named as it is to see them, and nothing else. */
  return function open(preopens, env = {}) {
    const shim = new WASIShim({ sandbox: { preopens, env, args: ['huddle'], enableNetwork: false } });
    return instantiate((name) => modules.get(name), shim.getImportObject());
  };
}
