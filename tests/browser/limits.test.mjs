// Nothing that is opened exhausts the page: what exceeds a bound is left out with words.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { deflateRawSync, gzipSync } from "node:zlib";
import { goTo, messages, opened } from "./acts.mjs";
import { gzipOfZeros, zip } from "./archives.mjs";
import { dropDirectory, pick, seen, visit } from "./harness.mjs";

const GOOD = '{"ts":"2026-01-09T10:00:00Z","from":"ann","msg":"this one is read"}\n';

/** Writes files to a directory of their own, which goes with the test. */
async function folder(t, files) {
  const dir = await mkdtemp(path.join(tmpdir(), "huddle-"));
  t.after(() => rm(dir, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(dir, name), content);
  return dir;
}

/** Gives the bar that says what was left out of what is open. */
const leftOut = (page) => page.locator(".news .failed");

/** Waits for something that takes a while. */
const patiently = { timeout: 60_000 };

/** A log of so many bytes at least, in few and long lines. */
function longLog(bytes) {
  const line = (at) => `{"ts":"2026-01-09T10:00:${String(at % 60).padStart(2, "0")}Z","msg":"line ${at}","data":"${"x".repeat(1e6)}"}\n`;
  return Array.from({ length: Math.ceil(bytes / 1e6) }, (_, at) => line(at)).join("");
}

/** Gives the most memory that any process of the browser had so far, in bytes. */
async function peakMemory(page) {
  const debug = await page.context().browser().newBrowserCDPSession();
  const { processInfo } = await debug.send("SystemInfo.getProcessInfo");
  await debug.detach();
  const peaks = [];
  for (const { id } of processInfo) {
    const status = await readFile(`/proc/${id}/status`, "utf8").catch(() => "");
    peaks.push(1024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }
  return Math.max(...peaks);
}

test("a small archive of 5 GB is unpacked up to the limit and no further", async (t) => {
  const bomb = gzipOfZeros(5_000_000_000);
  assert.ok(bomb.length > 4_500_000 && bomb.length < 5_500_000, `${bomb.length} bytes`);
  const dir = await folder(t, { "bomb.jsonl.gz": bomb, "good.jsonl": GOOD });
  const page = await visit(t);
  const before = await peakMemory(page);
  await dropDirectory(page, dir);
  await page.locator(".source-name").filter({ hasText: path.basename(dir) }).waitFor(patiently);
  await messages(page).filter({ hasText: "this one is read" }).waitFor();
  await leftOut(page).getByText(/the archive .*bomb\.jsonl\.gz unpacks to more than 256\.0 MB; it was left out/i).waitFor();
  await leftOut(page).getByRole("button", { name: "Unpack up to 1.0 GB anyway" }).waitFor();
  const peak = await peakMemory(page);
  t.diagnostic(`the largest process had ${Math.round(before / 1e6)} MB before, ${Math.round(peak / 1e6)} MB at most`);
  assert.ok(peak < before + 900e6, `${peak} bytes, ${before} before`);
  await goTo(page, "Problems");
  const problem = page.getByRole("main").getByText(/the archive .*bomb\.jsonl\.gz unpacks to more than 256\.0 MB; it was left out/i);
  await problem.waitFor();
  await page.getByRole("main").getByText(/raise the limit with its button/).waitFor();
  await leftOut(page).getByRole("button", { name: "Dismiss" }).click();
  await leftOut(page).waitFor({ state: "detached" });
  assert.deepEqual(seen(page).problems, []);
});

test("the reader can raise the limit for this opening", async (t) => {
  const dir = await folder(t, { "long.jsonl.gz": gzipSync(longLog(260e6), { level: 1 }), "good.jsonl": GOOD });
  const page = await visit(t);
  await dropDirectory(page, dir);
  await page.locator(".source-name").filter({ hasText: path.basename(dir) }).waitFor(patiently);
  const raise = leftOut(page).getByRole("button", { name: "Unpack up to 1.0 GB anyway" });
  await page.getByText("1 message", { exact: true }).first().waitFor();
  await raise.click();
  await page.getByText("261 messages", { exact: true }).first().waitFor(patiently);
  await leftOut(page).waitFor({ state: "detached" });
});

test("an archive over the limit that is opened alone says so, and can be opened anyway", async (t) => {
  const dir = await folder(t, { "long.jsonl.gz": gzipSync(longLog(260e6), { level: 1 }) });
  const page = await visit(t);
  await pick(page, path.join(dir, "long.jsonl.gz"));
  const alert = page.getByRole("alert").filter({ hasText: "the archive long.jsonl.gz unpacks to more than 256.0 MB; it was left out" });
  await alert.waitFor(patiently);
  await page.getByRole("button", { name: "Open a directory" }).waitFor();
  await alert.getByRole("button", { name: "Unpack up to 1.0 GB anyway" }).click();
  await page.getByText("260 messages", { exact: true }).first().waitFor(patiently);
});

test("of a zip, files that are complete stay, and the sizes that it declares are not believed", async (t) => {
  const bomb = deflateRawSync(Buffer.alloc(300_000_000));
  const entries = [
    { name: "first.jsonl", content: Buffer.from(GOOD) },
    { name: "stored.jsonl", content: Buffer.from(GOOD.replace("this one", "this one, too,")) },
    { name: "bomb.jsonl", content: Buffer.from("ten bytes!"), packed: bomb },
    { name: "after.jsonl", content: Buffer.from(GOOD) },
  ];
  const page = await visit(t);
  await page.locator("#pick-files").setInputFiles({ name: "some.zip", mimeType: "application/zip", buffer: zip(entries) });
  await page.locator(".source-name").filter({ hasText: "some.zip" }).waitFor(patiently);
  await page.getByText("2 messages", { exact: true }).first().waitFor();
  await messages(page).filter({ hasText: "this one, too, is read" }).waitFor();
  await leftOut(page).getByText(/the archive some\.zip unpacks to more than 256\.0 MB; a part of it was left out/).waitFor();
});

test("archives hold as many files as the limit says", async (t) => {
  const buffer = zip(Array.from({ length: 50_001 }, (_, at) => ({ name: `${at}.jsonl`, content: Buffer.from(at === 7 ? GOOD : "") })));
  const page = await visit(t);
  await page.locator("#pick-files").setInputFiles({ name: "many.zip", mimeType: "application/zip", buffer });
  await page.locator(".source-name").filter({ hasText: "many.zip" }).waitFor(patiently);
  await leftOut(page).getByText(/many\.zip and those before it hold more than 50,000 files; a part of it was left out/).waitFor(patiently);
  await leftOut(page).getByRole("button", { name: "Unpack up to 200,000 files anyway" }).waitFor();
  await messages(page).filter({ hasText: "this one is read" }).waitFor();
});

test("an archive in an archive is not unpacked", async (t) => {
  const inner = zip([{ name: "inner.jsonl", content: Buffer.from(GOOD) }]);
  const entries = [
    { name: "inner.zip", content: inner },
    { name: "inner.jsonl.gz", content: gzipSync(GOOD) },
    { name: "good.jsonl", content: Buffer.from(GOOD) },
  ];
  const page = await visit(t);
  await page.locator("#pick-files").setInputFiles({ name: "outer.zip", mimeType: "application/zip", buffer: zip(entries) });
  await opened(page, "outer.zip");
  await page.getByText("1 message", { exact: true }).first().waitFor();
  await page.getByText("2 files ignored").waitFor();
});

test("a line that is too long costs that line", async (t) => {
  const dir = await folder(t, { "long.jsonl": `${GOOD}{"msg":"${"x".repeat(70_000_000)}"}\n${GOOD.replace("is read", "comes after")}` });
  const page = await visit(t);
  await pick(page, path.join(dir, "long.jsonl"));
  await opened(page, "long.jsonl");
  await page.getByText("2 messages", { exact: true }).first().waitFor(patiently);
  await messages(page).filter({ hasText: "this one comes after" }).waitFor();
  await goTo(page, "Problems");
  await page.getByText(/the line is longer than 64 MiB/).first().waitFor();
});

test("a server's list of files has bounds", async (t) => {
  const page = await visit(t);
  let body = "";
  await page.context().route("**/sample/**", (route) => route.fulfill({ contentType: "application/json", body }));
  const files = Array.from({ length: 200_001 }, (_, at) => ({ path: `${at}.txt`, size: 1 }));
  body = JSON.stringify({ name: "very many", files: [{ path: "good.jsonl", text: GOOD }, ...files] });
  await page.getByRole("button", { name: "See a sample" }).click();
  await page.locator(".source-name").filter({ hasText: "very many" }).waitFor(patiently);
  await leftOut(page).getByText("there are more than 200,000 files; the others were left out").waitFor();
  await messages(page).filter({ hasText: "this one is read" }).waitFor();
  body = `{"files":[]${" ".repeat(64_000_000)}}`;
  await page.getByRole("button", { name: "Open something else" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "See a sample" }).click();
  await page.getByRole("alert").getByText(/is no listing of files: it has more than 64\.0 MB/).waitFor(patiently);
  await page.context().unrouteAll({ behavior: "ignoreErrors" });
});
