// Makes archives of what agents left behind, as people do before they send it to somebody.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";

/** Compresses a file; gives it as Playwright takes files. */
export async function gzipped(file) {
  const buffer = gzipSync(await readFile(file));
  return { name: `${path.basename(file)}.gz`, mimeType: "application/gzip", buffer };
}

/** Packs a directory; gives the archive as Playwright takes files. Every other file is stored as it is. */
export async function zipped(dir) {
  const names = (await readdir(dir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
  const [files, directory] = [[], []];
  let offset = 0;
  for (const [place, name] of names.entries()) {
    const content = await readFile(path.join(dir, name));
    const packed = place % 2 === 0 ? deflateRawSync(content) : content;
    const entry = header(name, content, packed, place % 2 === 0 ? 8 : 0);
    files.push(record(0x04034b50, entry), Buffer.from(name), packed);
    directory.push(record(0x02014b50, entry, offset), Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const buffer = Buffer.concat([...files, ...directory, end(names.length, size, offset)]);
  return { name: `${path.basename(dir)}.zip`, mimeType: "application/zip", buffer };
}

/** What both records of a file have in common: from its flags to the length of its name. */
function header(name, content, packed, method) {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt16LE(0x0800, 0); // names are UTF-8
  bytes.writeUInt16LE(method, 2);
  bytes.writeUInt16LE(0x21, 6); // the first day that can be told
  bytes.writeUInt32LE(checksum(content), 8);
  bytes.writeUInt32LE(packed.length, 12);
  bytes.writeUInt32LE(content.length, 16);
  bytes.writeUInt16LE(Buffer.byteLength(name), 20);
  return bytes;
}

/** A file's record: the one before its bytes, or with an offset the one in the directory. */
function record(signature, entry, offset) {
  const before = Buffer.alloc(offset === undefined ? 6 : 8);
  before.writeUInt32LE(signature, 0);
  before.writeUInt16LE(20, before.length - 2);
  const after = Buffer.alloc(offset === undefined ? 2 : 16);
  if (offset !== undefined) after.writeUInt32LE(offset, 12);
  return Buffer.concat([before, entry, after]);
}

function end(count, size, offset) {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt32LE(0x06054b50, 0);
  bytes.writeUInt16LE(count, 8);
  bytes.writeUInt16LE(count, 10);
  bytes.writeUInt32LE(size, 12);
  bytes.writeUInt32LE(offset, 16);
  return bytes;
}

function checksum(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
