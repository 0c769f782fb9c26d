// The agents view: readable with long names and many agents, sorted as the reader wants.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, goTo, openRecords, visitFixture, visitSample } from "./acts.mjs";
import { visit } from "./harness.mjs";

const LONG = `agent-with-a-very-long-name-${"that-goes-on-".repeat(5)}98`;

/** Opens a log in which everybody wrote once. */
async function visitAgents(t, names, options) {
  const page = await visit(t, options);
  await openRecords(page, "agents.jsonl", names.map((from, minute) => ({
    timestamp: `2025-01-01T00:${String(minute).padStart(2, "0")}:00Z`, from, to: names[0], type: "request", message: "here",
  })));
  await goTo(page, "Agents");
  return page;
}

const names = (page) => page.locator("table.agents tbody tr").evaluateAll((rows) => rows.map((row) => row.dataset.agent));

for (const size of [{ width: 1024, height: 768 }, { width: 1440, height: 900 }]) {
  test(`one long name leaves room for all columns at ${size.width} pixels`, async (t) => {
    const page = await visitAgents(t, [LONG, "ann", "bob"], { viewport: size });
    const table = page.locator(".scroll").first();
    const { inner, outer } = await table.evaluate((scroll) => ({ inner: scroll.scrollWidth, outer: scroll.clientWidth }));
    assert.ok(inner <= outer + 1, `the table is ${inner} of ${outer} pixels wide`);
    const first = await page.locator("table.agents tbody th button").first().boundingBox();
    assert.ok(first.width < 260, `${first.width}`);
    await page.locator(`.agents .long-name[title="${LONG}"]`).getByText(LONG.slice(-7), { exact: true }).waitFor();
  });
}

test("forty agents are readable on a small screen", async (t) => {
  const many = Array.from({ length: 40 }, (_, number) => `documentation-agent-${number}`);
  const page = await visitAgents(t, many, { viewport: { width: 1024, height: 768 } });
  assert.equal((await names(page)).length, 40);
  const wide = await page.evaluate(() => document.querySelector("main").scrollWidth - document.querySelector("main").clientWidth);
  assert.equal(wide, 0, "the page itself does not scroll sideways");
  const cell = await page.locator("table.matrix tbody td").first().boundingBox();
  assert.ok(cell.width >= 30, `${cell.width}`);
});

test("agents are in natural order, and each column sorts them", async (t) => {
  const page = await visitAgents(t, ["w-16", "w-26", "w-6"]);
  assert.deepEqual(await names(page), ["w-6", "w-16", "w-26"]);
  const head = (name) => page.getByRole("columnheader", { name });
  await head("Got").getByRole("button").click();
  await eventually(async () => assert.deepEqual(await names(page), ["w-16", "w-6", "w-26"]));
  assert.equal(await head("Got").getAttribute("aria-sort"), "descending");
  await head("Agent").getByRole("button").click();
  await head("Agent").getByRole("button").click();
  await eventually(async () => assert.deepEqual(await names(page), ["w-26", "w-16", "w-6"]));
  const matrix = await page.locator("table.matrix tbody th").allInnerTexts();
  assert.deepEqual(matrix, ["w-6", "w-16", "w-26"]);
});

test("side, table and graph know the same agents", async (t) => {
  const page = await visitFixture(t, "session-by-spec-example");
  await goTo(page, "Agents");
  const listed = await names(page);
  const boxes = await page.locator("svg.graph .node title").evaluateAll((all) => all.map((one) => one.textContent.split(":")[0]));
  for (const name of boxes) assert.ok(listed.includes(name), `${name} has a row`);
  const side = page.getByRole("complementary", { name: "Source and filters" });
  for (const name of listed) await side.getByText(name, { exact: true }).first().waitFor();
});

test("the longest silence is called so", async (t) => {
  const page = await visitSample(t);
  await goTo(page, "Agents");
  await page.getByText(/^longest silence \d/).first().waitFor();
});

test("next actions stand in lines of their own, with who says it at the end", async (t) => {
  const page = await visitFixture(t, "session-by-spec-example");
  await goTo(page, "Reports");
  const rows = page.locator(".actions li");
  const places = await rows.evaluateAll((all) => all.map((row) => {
    const [what, who] = [row.querySelector(".what"), row.querySelector("button")].map((one) => one.getBoundingClientRect());
    return { what: what.left, right: row.getBoundingClientRect().right - who.right, apart: who.left - what.right };
  }));
  assert.ok(places.length > 1);
  for (const { what, apart } of places) {
    assert.ok(Math.abs(what - places[0].what) < 1, "the texts begin at one line");
    assert.ok(apart >= 0, "the name is beside the text");
  }
});
