// What a page would do that knows nothing better: the text, its lines, JSON.parse of each, and a loop to search them.

import { EVENTS, WORD } from "./log.mjs";

/** Reads, parses and searches the log. */
export async function inJavaScript(page, log) {
  await page.evaluate(() => {
    const input = Object.assign(document.createElement("input"), { type: "file", id: "baseline" });
    document.body.append(input);
  });
  await page.locator("#baseline").setInputFiles(log);
  const took = await page.evaluate(async (word) => {
    const [file] = document.querySelector("#baseline").files;
    const start = performance.now();
    const text = await file.text();
    const read = performance.now();
    const events = [];
    for (const line of text.split("\n")) if (line !== "") events.push(JSON.parse(line));
    const parsed = performance.now();
    const says = (value) =>
      typeof value === "string" ? value.includes(word) : typeof value === "object" && Object.values(value).some(says);
    const found = events.filter(says).length;
    return { read: read - start, parse: parsed - read, search: performance.now() - parsed, events: events.length, found };
  }, WORD);
  if (took.events !== EVENTS) throw new Error(`the log has ${took.events} events, not a million: ${log}`);
  return took;
}
