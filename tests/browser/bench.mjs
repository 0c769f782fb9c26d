// Measures the page beside what a few lines of JavaScript would do: `cargo xtask bench --page`.
//
// usage: bench.mjs [--json FILE]
// HUDDLE_LOG is a log of a million events. FILE gets the numbers as its field `page`, beside what it has already.

import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { launch, newPage, open } from "./harness.mjs";
import { inHuddle } from "./bench/huddle.mjs";
import { inJavaScript } from "./bench/plain.mjs";

/** How often each thing is measured; the median counts. */
const TIMES = 5;

const { values: options } = parseArgs({ options: { json: { type: "string" } } });
const log = process.env.HUDDLE_LOG;

const browser = await launch();
try {
  const rows = await measure();
  console.log(table(rows));
  if (options.json) await note(options.json, rows);
} finally {
  await browser.close();
}

/** Measures everything: `what`, and the milliseconds that `huddle` and `javascript` take, null where there is none. */
async function measure() {
  const [plain, huddle] = await inTurns([
    () => inPage((page) => inJavaScript(page, log)),
    () => inPage((page) => inHuddle(page, log)),
  ]);
  const start = await medians(() => inPage(interactive));
  return [
    { what: "the first rows are there", huddle: huddle.first, javascript: plain.read + plain.parse },
    { what: "all of it is read, listed and searchable", huddle: huddle.complete, javascript: plain.read + plain.parse },
    { what: "conversations, deliveries and problems are known", huddle: huddle.known, javascript: null },
    { what: "the page stands still for at most", huddle: huddle.block, javascript: plain.parse },
    { what: "the last row, by End", huddle: huddle.end, javascript: null },
    { what: "a word is searched for in everything", huddle: huddle.search, javascript: plain.search },
    { what: "a frame of scrolling, its work", huddle: huddle.scroll, javascript: null },
    { what: "a frame of scrolling, from one to the next", huddle: huddle.scrollFrame, javascript: null },
    { what: "a frame of zooming the timeline, its work", huddle: huddle.zoom, javascript: null },
    { what: "a frame of zooming, from one to the next", huddle: huddle.zoomFrame, javascript: null },
    { what: "the sample can be read after the page was asked for", huddle: start.took, javascript: null },
  ];
}

/** Does something in a page of its own. */
async function inPage(action) {
  const page = await newPage(browser);
  try {
    await open(page);
    // Nobody gives a page anything in its first second, in which it gets ready.
    await page.waitForTimeout(1_000);
    return await action(page);
  } finally {
    await page.context().close();
  }
}

/** Opens the sample from nothing: until its first message, pressed as soon as it is there, is the selected one. */
async function interactive(page) {
  await page.addInitScript(selectFirst);
  await open(page, "?src=sample/index.json");
  const took = await page.waitForFunction(() => window.selected);
  return { took: await took.jsonValue() };
}

/** Notes, in the page, when that is. A driver that looks from outside looks again only after half a second. */
function selectFirst() {
  let pressed = false;
  const look = (_, observer) => {
    const row = document.querySelector("[data-key]");
    if (row && !pressed) {
      pressed = true;
      row.click();
    }
    if (row && document.querySelector("[data-key][aria-current]")) {
      window.selected = performance.now();
      observer.disconnect();
    }
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}

/** Does several things by turns, so that all of them meet the same machine, and gives the medians of each. */
async function inTurns(actions) {
  const all = actions.map(() => []);
  for (let time = 0; time < TIMES; time += 1) {
    for (const [number, action] of actions.entries()) all[number].push(await action());
  }
  return all.map(middle);
}

async function medians(action) {
  return (await inTurns([action]))[0];
}

function middle(all) {
  const median = (key) => all.map((one) => one[key]).sort((a, b) => a - b)[Math.floor(all.length / 2)];
  return Object.fromEntries(Object.keys(all[0]).map((key) => [key, median(key)]));
}

/** Draws a table for people. */
function table(rows) {
  const shown = (time) => (time === null ? "–" : time < 1000 ? `${time.toFixed(time < 100 ? 1 : 0)} ms` : `${(time / 1000).toFixed(2)} s`);
  const ratio = ({ huddle, javascript }) => (huddle && javascript ? `${(javascript / huddle).toFixed(1)} ×` : "–");
  const head = ["| a log of a million events in the page | huddle | javascript | ratio |", "| --- | ---: | ---: | ---: |"];
  const lines = rows.map((row) => `| ${row.what} | ${shown(row.huddle)} | ${shown(row.javascript)} | ${ratio(row)} |`);
  return [...head, ...lines].join("\n");
}

/** Adds the numbers to a file. */
async function note(file, rows) {
  const others = existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : {};
  await writeFile(file, `${JSON.stringify({ ...others, page: rows }, null, 2)}\n`);
}
