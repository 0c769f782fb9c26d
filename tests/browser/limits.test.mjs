// Nothing that is opened exhausts the page: what exceeds a bound is left out with words, and a worker that fails is replaced.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { deflateRawSync, gzipSync } from "node:zlib";
import { eventually, goTo, messages, opened, openSample } from "./acts.mjs";
import { gzipOfZeros, zip } from "./archives.mjs";
import { dropDirectory, fixture, open, pick, seen, visit } from "./harness.mjs";

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

/** Runs in a worker: fails as a program does that traps, whose promise nobody keeps, or that has no memory left. */
const FAILURES = {
  "a trap": () => {
    // The shortest module there is that stops as soon as it starts.
    const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 8, 1, 0, 10, 5, 1, 3, 0, 0, 11];
    setTimeout(() => new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))));
  },
  "a trap while it waits": () => void Promise.reject(new WebAssembly.RuntimeError("unreachable")),
  "no memory": () => void Promise.resolve().then(() => new ArrayBuffer(2 ** 52)),
};

const isProgram = (worker) => worker.url().endsWith("/worker.js");

/** Makes the page's worker fail. */
async function fail(page, how = "a trap") {
  await (await program(page)).evaluate(FAILURES[how]);
}

/** Waits for the page's worker. */
function program(page) {
  return eventually(() => {
    const found = page.workers().find(isProgram);
    assert.ok(found);
    return found;
  });
}

/** Gives the workers that the page starts from now on, in a list that grows. */
async function startedFromNow(page) {
  await program(page);
  const started = [];
  page.on("worker", (worker) => isProgram(worker) && started.push(worker));
  return started;
}

const stopped = (page) => page.getByRole("alert").filter({ hasText: "The viewer stopped" });

for (const how of Object.keys(FAILURES)) {
  test(`a worker that fails is replaced: ${how}`, async (t) => {
    const page = await visit(t);
    await pick(page, fixture("plain-log"));
    await opened(page, "plain-log");
    await fail(page, how);
    await stopped(page).getByText("The viewer stopped with plain-log open, and has started again without it").waitFor();
    await stopped(page).getByText(/The browser says: .+ What it read is untouched\./).waitFor();
    assert.equal(await page.locator(".source-name").count(), 0, "nothing is shown that can no longer be used");
    await stopped(page).getByRole("button", { name: "Open plain-log again" }).click();
    await opened(page, "plain-log");
    await messages(page).filter({ hasText: "task 17 is slow" }).waitFor();
    await stopped(page).waitFor({ state: "detached" });
  });
}

test("after a failure something else can be opened, and failing again is no loop", async (t) => {
  const page = await visit(t);
  const started = await startedFromNow(page);
  for (let round = 0; round < 3; round += 1) {
    await openSample(page);
    await fail(page);
    await stopped(page).getByText("The viewer stopped with A sample session open").waitFor();
  }
  await pick(page, fixture("plain-log"));
  await opened(page, "plain-log");
  await stopped(page).waitFor({ state: "detached" });
  assert.equal(started.length, 3, "one for each that failed");
});

test("a worker that fails before anything is open is not started again and again", async (t) => {
  const page = await visit(t);
  const started = await startedFromNow(page);
  await fail(page);
  await stopped(page).getByText("The viewer stopped before anything was open").waitFor();
  assert.equal(started.length, 0);
  await openSample(page);
});

test("what failed is not opened by itself when the page is loaded anew", async (t) => {
  const page = await visit(t, { query: "?src=session/plain-log/planner.jsonl" });
  await opened(page, "planner.jsonl");
  await fail(page);
  await stopped(page).waitFor();
  for (let round = 0; round < 2; round += 1) {
    await page.reload();
    await page.locator("#loading").waitFor({ state: "detached" });
    await stopped(page).getByText("with session/plain-log/planner.jsonl open").waitFor();
    assert.equal(await page.locator(".source-name").count(), 0);
  }
  await stopped(page).getByRole("button", { name: "Open session/plain-log/planner.jsonl again" }).click();
  await opened(page, "planner.jsonl");
  await page.reload();
  await opened(page, "planner.jsonl");
});

/** Opens a log with a worker that hears nothing, until the page is loaded anew. */
async function openStalled(page) {
  await page.addInitScript(() => {
    if (sessionStorage.getItem("stalled")) return;
    sessionStorage.setItem("stalled", "once");
    Worker.prototype.postMessage = () => {};
  });
  await open(page, "?src=session/plain-log/planner.jsonl");
  await page.getByRole("progressbar", { name: "Reading" }).waitFor();
}

/** Ends the page as a browser does that has no memory left, reloads it, and gives a function that runs code in it. */
async function crashAndReload(page) {
  const crashed = page.waitForEvent("crash");
  const own = await page.context().newCDPSession(page);
  const { targetInfo } = await own.send("Target.getTargetInfo");
  own.send("Page.crash").catch(() => {});
  await crashed;
  // Playwright has given the page up by now.
  const root = await page.context().browser().newBrowserCDPSession();
  const { sessionId } = await root.send("Target.attachToTarget", { targetId: targetInfo.targetId, flatten: false });
  const answers = new Map();
  root.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { id, result, error } = JSON.parse(message);
    answers.get(id)?.(result ?? error);
  });
  const send = (method, params = {}) =>
    new Promise((done, failed) => {
      const id = answers.size + 1;
      answers.set(id, done);
      setTimeout(failed, 5_000, new Error(`${method} is not answered`)).unref();
      root.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method, params }) });
    });
  await send("Page.reload");
  return async (expression) => (await send("Runtime.evaluate", { expression, returnByValue: true })).result?.value;
}

test("what was being opened when the browser ended the page is not opened by itself", async (t) => {
  const page = await visit(t);
  await openStalled(page);
  const run = await crashAndReload(page);
  await eventually(async () => {
    assert.match(await run("document.body.innerText"), /The viewer stopped with session\/plain-log\/planner\.jsonl open/);
  });
  assert.equal(await run("document.querySelectorAll('.source-name').length"), 0);
  await run("document.querySelector('[role=alert] button').click()");
  await eventually(async () => assert.match(await run("document.body.innerText"), /task 17 is slow/));
});

test("a page that is left while it opens something is no failure", async (t) => {
  const page = await visit(t);
  await openStalled(page);
  await page.reload();
  await opened(page, "planner.jsonl");
});
