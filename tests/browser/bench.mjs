// Measures the page beside what a few lines of JavaScript would do: `cargo xtask bench --page`.
//
// usage: bench.mjs [--json FILE]
// HUDDLE_LOG is a log of a million events. FILE gets the numbers as its field `page`, beside what it has already.

import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { launch, newPage, open } from "./harness.mjs";

/** How often each thing is measured; the median counts. */
const TIMES = 3;

const { values: options } = parseArgs({ options: { json: { type: "string" } } });
const log = process.env.HUDDLE_LOG;

const browser = await launch();
try {
  const rows = await measure(browser);
  console.log(table(rows));
  if (options.json) await note(options.json, rows);
} finally {
  await browser.close();
}

/** Measures everything: `what`, and the milliseconds that `huddle` and `javascript` take, null where there is none. */
async function measure(browser) {
  const plain = await medians(() => inJavaScript(browser));
  return [
    { what: "read the file", huddle: null, javascript: plain.read },
    { what: "read it and parse every line", huddle: null, javascript: plain.read + plain.parse },
  ];
}

/** Reads and parses the log as a page would that knows nothing better. */
async function inJavaScript(browser) {
  const page = await newPage(browser);
  await open(page);
  await page.evaluate(() => {
    const input = Object.assign(document.createElement("input"), { type: "file", id: "baseline" });
    document.body.append(input);
  });
  await page.locator("#baseline").setInputFiles(log);
  const took = await page.evaluate(async () => {
    const [file] = document.querySelector("#baseline").files;
    const start = performance.now();
    const text = await file.text();
    const read = performance.now();
    let events = 0;
    for (const line of text.split("\n")) {
      if (line !== "" && JSON.parse(line) !== null) events += 1;
    }
    return { read: read - start, parse: performance.now() - read, events, bytes: file.size };
  });
  await page.context().close();
  if (took.events !== 1_000_000) throw new Error(`the log has ${took.events} events, not a million: ${log}`);
  return took;
}

/** Does something several times and gives the median of each number. */
async function medians(action) {
  const all = [];
  for (let time = 0; time < TIMES; time += 1) all.push(await action());
  const median = (key) => all.map((one) => one[key]).sort((a, b) => a - b)[Math.floor(TIMES / 2)];
  return Object.fromEntries(Object.keys(all[0]).map((key) => [key, median(key)]));
}

/** Draws a table for people. */
function table(rows) {
  const shown = (time) => (time === null ? "–" : `${(time / 1000).toFixed(2)} s`);
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
