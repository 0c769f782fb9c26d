// Every number that can be pressed tells the truth: pressing it finds exactly that many.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { dropDirectory, dropFiles, fixture, FIXTURES, visit } from "./harness.mjs";
import { eventually, goTo, openSample, VIEWS } from "./acts.mjs";

/** Lists the numbers of the view and of the side that can be pressed: what each is called, and how many it promises. */
function numbers(page) {
  return page.evaluate(() => {
    const promised = (button) => {
      const own = button.textContent.trim();
      const part = button.querySelector(".panels-count, .count, .many");
      const text = /^[\d,]+$/.test(own) ? own : part?.textContent.trim() ?? "";
      return /^[\d,]+$/.test(text) ? Number(text.replaceAll(",", "")) : undefined;
    };
    const name = (button) => button.getAttribute("aria-label") ?? button.textContent.trim().replace(/\s+/g, " ");
    // The number of a version counts nothing.
    const buttons = [...document.querySelectorAll("main button, aside.side button")];
    const listed = buttons.map((button, place) => {
      return { place, name: name(button), many: promised(button), isSide: button.closest("aside") !== null };
    });
    return listed.filter(({ many, place }) => many !== undefined && !buttons[place].matches(".version"));
  });
}

/** Presses a number, and gives how many things it finds: findings where they are filtered in place, otherwise messages. */
async function press(page, { place }) {
  const isPick = await page.evaluate((place) => {
    const button = document.querySelectorAll("main button, aside.side button")[place];
    button.click();
    return button.classList.contains("pick");
  }, place);
  if (isPick) {
    await page.locator('.pick[aria-pressed="true"]').waitFor();
    return page.locator("article.finding").count();
  }
  const found = page.locator("[data-found]").getByText(/^[\d,]+ (found|of [\d,]+)$/).first();
  await found.waitFor();
  return Number((await found.innerText()).replace(/.* of /, "").replaceAll(",", "").match(/\d+/)[0]);
}

/** Goes over every number of every view, and gives those that find something else than they say. */
async function mismatches(page) {
  const wrong = [];
  let seen = 0;
  const start = page.url();
  for (const view of VIEWS) {
    await goTo(page, view);
    const listed = await numbers(page);
    // The side is the same in every view.
    for (const number of listed.filter(({ isSide }) => !isSide || view === VIEWS[0])) {
      seen += 1;
      const many = await press(page, number).catch(() => "nothing");
      if (many !== number.many) wrong.push(`${view}: "${number.name}" says ${number.many} and finds ${many}`);
      await page.evaluate((start) => (location.hash = new URL(start).hash), start);
      await page.locator("[data-found]").getByText(/found|of/).waitFor({ state: "detached" }).catch(() => {});
      await goTo(page, view);
      await eventually(async () => assert.equal((await numbers(page)).length, listed.length));
      const pressed = page.locator('.pick[aria-pressed="true"]');
      if (await pressed.count()) await pressed.first().click();
    }
  }
  return { wrong, seen };
}

const openings = { "the sample": openSample };
for (const entry of await readdir(FIXTURES, { withFileTypes: true })) {
  if (entry.name.endsWith(".py") || entry.name.startsWith(".")) continue;
  openings[entry.name] = async (page) => {
    await (entry.isDirectory() ? dropDirectory(page, fixture(entry.name)) : dropFiles(page, [fixture(entry.name)]));
    await page.locator(".source-name").filter({ hasText: entry.name }).waitFor();
    await page.getByRole("region", { name: "Opening" }).waitFor({ state: "detached" });
  };
}

for (const [name, open] of Object.entries(openings)) {
  test(`every number of ${name} finds as many as it says`, async (t) => {
    const page = await visit(t, { viewport: { width: 1440, height: 1000 }, reducedMotion: "reduce" });
    await open(page);
    const { wrong, seen } = await mismatches(page);
    assert.deepEqual(wrong, [], `of ${seen} numbers`);
    assert.ok(seen > 0);
  });
}
