// The same in Huddle's page, as a person would do it.

import { readFile } from "node:fs/promises";
import { EVENTS, WORD } from "./log.mjs";

/** Opens the log, goes to its end, searches it, scrolls and zooms. */
export async function inHuddle(page, log) {
  await page.evaluate(watch, EVENTS.toLocaleString("en"));
  // What the driver brings into the page to wait with is brought before, not while the page is measured.
  await page.waitForFunction(() => window.bench);
  await page.locator("#pick-files").setInputFiles(log);
  await page.waitForFunction(() => window.bench.known, null, { timeout: 60_000 });
  const { first, complete, known, block } = await page.evaluate(() => window.bench);
  await page.getByRole("button", { name: "By time" }).click();
  const end = await toTheEnd(page, await lastOf(log));
  const { scroll, scrollFrame } = await frames(page, "scroll", wheel(page, "[data-key]", 400));
  const search = await searched(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("2");
  await page.locator("canvas").first().waitFor();
  const { zoom, zoomFrame } = await frames(page, "zoom", wheel(page, "canvas", -120));
  return { first, complete, known, block, end, scroll, scrollFrame, search, zoom, zoomFrame };
}

/** Notes, in the page, when the first rows and all of them are there and all that follows is known, and how long nothing else could happen meanwhile. */
function watch(all) {
  window.bench = {};
  const note = { given: 0, last: 0, block: 0 };
  document.querySelector("#pick-files").addEventListener(
    "change",
    () => Object.assign(note, { given: performance.now(), last: performance.now() }),
    { capture: true },
  );
  const look = () => {
    const now = performance.now();
    if (note.given && !window.bench.first && document.querySelector("[data-key]")) window.bench.first = now - note.given;
    if (!note.given || !document.body.textContent.includes(all)) return;
    window.bench.complete ??= now - note.given;
    if (document.querySelector("progress")) return;
    Object.assign(window.bench, { known: now - note.given, block: note.block });
    observer.disconnect();
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  // A timer comes late when something else has the page.
  const turn = () => {
    const now = performance.now();
    if (note.given) note.block = Math.max(note.block, now - note.last - PAUSE);
    note.last = now;
    if (!window.bench.known) setTimeout(turn, PAUSE);
  };
  const PAUSE = 5;
  turn();
}

/** Gives what the last event of the log says. */
async function lastOf(log) {
  const text = (await readFile(log)).subarray(-2_000).toString();
  return JSON.parse(text.trim().split("\n").at(-1)).message;
}

/** Presses End, and waits for the last event to be seen. */
async function toTheEnd(page, last) {
  const list = page.locator("[data-key]").first();
  await list.click();
  const start = performance.now();
  await page.keyboard.press("End");
  await page.getByText(last).last().waitFor();
  return performance.now() - start;
}

/** Types a word, and waits for the count. */
async function searched(page) {
  await page.keyboard.press("/");
  await page.keyboard.insertText(WORD);
  const start = await page.evaluate(() => performance.now());
  await page.keyboard.press("Enter");
  const done = await page.waitForFunction(() => /[\d,]+ found/.test(document.body.textContent) && performance.now());
  return (await done.jsonValue()) - start;
}

/** Turns the wheel over something for a while. */
function wheel(page, over, by) {
  return async () => {
    const box = await page.locator(over).first().boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height / 2, 100));
    for (let turn = 0; turn < 60; turn += 1) await page.mouse.wheel(0, turn % 30 < 15 ? by : -by);
  };
}

/** Measures frames while something is done: how long each works, and how long it is from one to the next. */
async function frames(page, name, action) {
  await page.evaluate(() => {
    window.frames_ = { work: [], between: [], on: true };
    const channel = new MessageChannel();
    let begun = 0;
    let last = 0;
    // What is asked for in a frame comes back when the frame is drawn.
    channel.port1.onmessage = () => window.frames_.work.push(performance.now() - begun);
    const frame = (now) => {
      begun = performance.now();
      if (last) window.frames_.between.push(now - last);
      last = now;
      channel.port2.postMessage(null);
      if (window.frames_.on) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await action();
  const { work, between } = await page.evaluate(() => Object.assign(window.frames_, { on: false }));
  const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
  return { [name]: median(work), [`${name}Frame`]: median(between) };
}
