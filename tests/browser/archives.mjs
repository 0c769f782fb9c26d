// Makes archives of what agents left behind, as people do before they send it to somebody.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { constants, crc32, deflateRawSync, gzipSync } from "node:zlib";

/** Compresses a file; gives it as Playwright takes files. */
export async function gzipped(file) {
  const buffer = gzipSync(await readFile(file));
  return { name: `${path.basename(file)}.gz`, mimeType: "application/gzip", buffer };
}

/**
 * Makes a gzip file of so many bytes, all of them zero, without ever having them: about a thousandth of their number.
 *
 * Its checksum and its length are those that it should have.
 */
export function gzipOfZeros(length) {
  const zeros = Buffer.alloc(Math.min(length, 50_000_000));
  const block = deflateRawSync(zeros, { finishFlush: constants.Z_FULL_FLUSH });
  const blocks = [];
  let [left, sum] = [length, 0];
  for (; left >= zeros.length; left -= zeros.length) {
    blocks.push(block);
    sum = crc32(zeros, sum);
  }
  const rest = zeros.subarray(0, left);
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(rest, sum), 0);
  end.writeUInt32LE(length % 2 ** 32, 4);
  const start = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
  return Buffer.concat([start, ...blocks, deflateRawSync(rest), end]);
}

/** Packs a directory; gives the archive as Playwright takes files. Every other file is stored as it is. */
export async function zipped(dir) {
  const names = (await readdir(dir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
  const entries = [];
  for (const name of names) entries.push({ name, content: await readFile(path.join(dir, name)) });
  return { name: `${path.basename(dir)}.zip`, mimeType: "application/zip", buffer: zip(entries) };
}

/**
 * Packs files, each with its `name` and its `content`; empty ones and every other one are stored as they are. `packed` gives the compressed bytes
 * themselves, in which case the archive says of them whatever `content` says.
 */
export function zip(entries) {
  const [files, directory] = [[], []];
  let offset = 0;
  for (const [place, { name, content, packed: given }] of entries.entries()) {
    const deflated = given !== undefined || (content.length > 0 && place % 2 === 0);
    const packed = given ?? (deflated ? deflateRawSync(content) : content);
    const entry = header(name, content, packed, deflated ? 8 : 0);
    files.push(record(0x04034b50, entry), Buffer.from(name), packed);
    directory.push(record(0x02014b50, entry, offset), Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([...files, ...directory, end(entries.length, size, offset)]);
}

/** What both records of a file have in common: from its flags to the length of its name. */
function header(name, content, packed, method) {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt16LE(0x0800, 0); // names are UTF-8
  bytes.writeUInt16LE(method, 2);
  bytes.writeUInt16LE(0x21, 6); // the first day that can be told
  bytes.writeUInt32LE(crc32(content), 8);
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
