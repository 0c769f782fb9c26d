// The timeline: a lane an agent on one clock, that can be moved and magnified, and the same as a table.

import assert from "node:assert/strict";
import { test } from "node:test";
import { details, eventually, goTo, openRecords, select, visitFixture, visitSample } from "./acts.mjs";
import { visit } from "./harness.mjs";

/** Opens the sample's timeline, at rest from the beginning. */
async function visitTimeline(t, options) {
  const page = await visitSample(t, { reducedMotion: "reduce", ...options });
  await goTo(page, "Timeline");
  return page;
}

const said = (page) => page.locator(".tl-said").innerText();
const canvas = (page) => page.locator("canvas.tl-canvas");

/** Does something, and gives what is said of the window after it has changed. */
async function changed(page, act) {
  const before = await said(page);
  await act();
  return eventually(async () => {
    const now = await said(page);
    assert.notEqual(now, before);
    return now;
  });
}

/** Reads the window from what is said of it: its beginning and its end, in seconds of the day. */
function times(text) {
  const found = [...text.matchAll(/(\d\d):(\d\d):(\d\d(?:\.\d+)?)/g)];
  return found.map(([, hours, minutes, seconds]) => Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

function width(text) {
  const [start, end] = times(text);
  return end - start;
}

test("there is a lane for each agent, with how much it said", async (t) => {
  const page = await visitTimeline(t);
  const lanes = page.getByRole("list", { name: /^Lanes/ }).getByRole("listitem");
  const names = (await lanes.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
  assert.deepEqual(names.filter((name) => /^[a-z]/.test(name)), ["ada 14", "ben 27", "cleo 12", "dina 11", "eli 0"]);
  assert.match(await said(page), /^64 messages · 2026-03-12 09:00:40 – 12:34:00$/);
  await page.getByRole("img", { name: /^Timeline of 5 agents and 64 messages/ }).waitFor();
});

test("every shape is explained", async (t) => {
  const page = await visitTimeline(t);
  const legend = await page.getByRole("list", { name: "Shapes" }).innerText();
  for (const word of ["message", "status", "finding", "error", "data", "completed", "high severity", "idle"])
    assert.ok(legend.includes(word), legend);
});

for (const [name, zoomIn, zoomOut] of [
  ["buttons", (page) => page.getByRole("button", { name: "Zoom in" }).click(), (page) => page.getByRole("button", { name: "Zoom out" }).click()],
  ["w and s", (page) => page.keyboard.press("w"), (page) => page.keyboard.press("s")],
  ["+ and -", (page) => page.keyboard.press("+"), (page) => page.keyboard.press("-")],
  ["the wheel", (page) => wheel(page, 0, -300), (page) => wheel(page, 0, 300)],
]) {
  test(`${name} zoom in and out`, async (t) => {
    const page = await visitTimeline(t);
    const all = width(await said(page));
    const near = width(await changed(page, () => zoomIn(page)));
    assert.ok(near < all, `${near} < ${all}`);
    assert.ok(width(await changed(page, () => zoomOut(page))) > near);
  });
}

async function wheel(page, across, down) {
  const box = await canvas(page).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(across, down);
}

async function drag(page, target, from, to) {
  const box = await target.boundingBox();
  const at = (part) => [box.x + box.width * part, box.y + box.height / 2];
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at((from + to) / 2), { steps: 3 });
  await page.mouse.move(...at(to), { steps: 3 });
  await page.mouse.up();
}

for (const [name, later, earlier] of [
  ["buttons", (page) => page.getByRole("button", { name: "Later" }).click(), (page) => page.getByRole("button", { name: "Earlier" }).click()],
  ["d and a", (page) => page.keyboard.press("d"), (page) => page.keyboard.press("a")],
  ["a drag", (page) => drag(page, canvas(page), 0.7, 0.4), (page) => drag(page, canvas(page), 0.4, 0.7)],
  ["the wheel turned sideways", (page) => wheel(page, 200, 0), (page) => wheel(page, -200, 0)],
]) {
  test(`${name} move later and earlier`, async (t) => {
    const page = await visitTimeline(t);
    for (let times = 0; times < 3; times += 1) await changed(page, () => page.getByRole("button", { name: "Zoom in" }).click());
    const [start] = times(await said(page));
    const [then] = times(await changed(page, () => later(page)));
    assert.ok(then > start, `${then} > ${start}`);
    const [back] = times(await changed(page, () => earlier(page)));
    assert.ok(back < then, `${back} < ${then}`);
  });
}

test("all is shown again by a button and by 0", async (t) => {
  const page = await visitTimeline(t);
  const all = await said(page);
  assert.equal(await page.getByRole("button", { name: "Show all" }).isDisabled(), true);
  await changed(page, () => page.getByRole("button", { name: "Zoom in" }).click());
  assert.equal(await changed(page, () => page.getByRole("button", { name: "Show all" }).click()), all);
  await changed(page, () => page.keyboard.press("w"));
  assert.equal(await changed(page, () => page.keyboard.press("0")), all);
});

test("whoever leaves right after a change finds it again", async (t) => {
  const page = await visitTimeline(t);
  await page.evaluate(() => {
    const press = (key) => document.querySelector("main").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    document.querySelector('[aria-label="Zoom in"]').click();
    press("3");
  });
  await page.locator('[data-view="agents"]').waitFor();
  await goTo(page, "Timeline");
  await eventually(async () => assert.match(await said(page), /^(?!64)\d+ messages/));
});

test("the minimap moves the window", async (t) => {
  const page = await visitTimeline(t);
  for (let times = 0; times < 3; times += 1) await changed(page, () => page.getByRole("button", { name: "Zoom in" }).click());
  const map = page.locator("canvas.tl-map");
  const box = await map.boundingBox();
  const [start] = times(await changed(page, () => map.click({ position: { x: 6, y: box.height / 2 } })));
  const [then] = times(await changed(page, () => map.click({ position: { x: box.width - 6, y: box.height / 2 } })));
  assert.ok(then > start, `${then} > ${start}`);
});

test("idle time is folded, with a break that says how much", async (t) => {
  const page = await visit(t, { reducedMotion: "reduce" });
  const at = (seconds) => new Date(Date.UTC(2025, 0, 1) + seconds * 1000).toISOString();
  const early = Array.from({ length: 30 }, (_, step) => ({ timestamp: at(step * 10), from: "ann", type: "status", message: `early ${step}` }));
  const late = Array.from({ length: 30 }, (_, step) => ({ timestamp: at(90_000 + step * 10), from: "bob", type: "status", message: `late ${step}` }));
  await openRecords(page, "gap.jsonl", [...early, ...late]);
  await goTo(page, "Timeline");
  await page.getByText("idle, folded").waitFor();
  assert.match(await said(page), /2025-01-01 00:00:00.* – 2025-01-02 01:04:50/);
  // The fold lies in the middle, between two times of equal length: pointing there says what it is.
  const box = await canvas(page).boundingBox();
  await eventually(async () => {
    for (let part = 0.44; part < 0.56; part += 0.01) {
      await page.mouse.move(box.x + box.width * part, box.y + box.height / 2);
      if (/Idle for \d/.test(await page.locator(".tl-stage").innerText())) return;
    }
    assert.fail("nowhere in the middle is the fold told");
  });
});

test("pointing at a mark tells what it is, and a click selects it", async (t) => {
  const page = await visit(t, { reducedMotion: "reduce" });
  await openRecords(page, "one.jsonl", [
    { timestamp: "2025-01-01T00:00:00Z", from: "ann", to: "bob", type: "status", subject: "The first of all", message: "a" },
    { timestamp: "2025-01-01T00:10:00Z", from: "bob", to: "ann", type: "error", subject: "Broken in the middle", message: "b" },
    { timestamp: "2025-01-01T00:20:00Z", from: "ann", to: "bob", type: "status", subject: "The last of all", message: "c" },
  ]);
  await goTo(page, "Timeline");
  const lane = page.getByRole("list", { name: /^Lanes/ }).getByRole("listitem").filter({ hasText: "bob" });
  const [row, box] = [await lane.boundingBox(), await canvas(page).boundingBox()];
  const [x, y] = [box.x + box.width / 2, row.y + row.height / 2];
  await page.mouse.move(x, y);
  await page.locator(".tl-stage").getByText("Broken in the middle").waitFor();
  await page.mouse.click(x, y);
  await details(page).getByRole("heading", { level: 2, name: "Broken in the middle" }).waitFor();
  await goTo(page, "Conversation");
  await page.locator('[data-key][aria-current="true"]').filter({ hasText: "Broken in the middle" }).waitFor();
});

test("a message that is selected elsewhere is shown on the timeline", async (t) => {
  const page = await visitSample(t, { reducedMotion: "reduce" });
  await select(page, "How long does a session last?");
  await details(page).getByRole("button", { name: "Show in timeline" }).click();
  const [start, end] = times(await eventually(async () => {
    assert.match(await said(page), /message/);
    return said(page);
  }));
  const at = 9 * 3600 + 12 * 60;
  assert.ok(start <= at && at <= end, `${start} ${at} ${end}`);
});

test("the table has the same lanes and messages, and selects", async (t) => {
  const page = await visitTimeline(t);
  await page.getByRole("button", { name: "As a table" }).click();
  const twin = page.getByRole("region", { name: "Timeline as a table" });
  const rows = twin.getByRole("table").first().getByRole("row");
  const heads = await rows.first().getByRole("columnheader").allInnerTexts();
  const cells = async (name) => {
    const row = rows.filter({ has: page.getByRole("rowheader", { name }) });
    const values = [name, ...(await row.getByRole("cell").allInnerTexts())];
    return Object.fromEntries(heads.map((head, place) => [head, values[place]]));
  };
  const dina = await cells("dina");
  assert.equal(dina.Messages, "11");
  assert.equal(dina.Worst, "high");
  assert.equal((await cells("eli")).Messages, "0");
  await twin.getByRole("button", { name: "dina" }).click();
  await twin.getByText("11 messages of dina in this window").waitFor();
  const pick = twin.locator(".tl-messages").getByRole("button", { name: "Anybody can lock anybody out" }).first();
  await pick.click();
  await details(page).getByRole("heading", { level: 2, name: /Anybody can lock anybody out/ }).waitFor();
  assert.equal(await pick.getAttribute("aria-pressed"), "true");
  await page.getByRole("button", { name: "As a table" }).click();
  await canvas(page).waitFor();
});

test("the keyboard stays where it is in the table when the window changes", async (t) => {
  const page = await visitTimeline(t);
  await page.getByRole("button", { name: "As a table" }).click();
  const twin = page.getByRole("region", { name: "Timeline as a table" });
  const focused = () => page.evaluate(() => {
    const one = document.activeElement;
    return one === document.body ? "nothing" : one.textContent;
  });
  await twin.focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "ben");
  for (const key of ["w", "d"]) {
    await changed(page, () => page.keyboard.press(key));
    await eventually(async () => assert.equal(await focused(), "ben", key));
  }
  await page.keyboard.press("Enter");
  const pick = twin.locator(".tl-messages").getByRole("button").first();
  await pick.focus();
  const subject = await focused();
  await page.keyboard.press("0");
  await twin.getByText("27 messages of ben in this window").waitFor();
  await eventually(async () => assert.equal(await focused(), subject));
});

test("messages without a time are said to be left out, and nothing else is said where there is no time at all", async (t) => {
  const page = await visitFixture(t, "transcript");
  await goTo(page, "Timeline");
  await page.getByText("2 messages have no time and are not shown here.").waitFor();
  const empty = await visit(t);
  await openRecords(empty, "timeless.jsonl", [{ from: "ann", type: "status", message: "whenever" }]);
  await empty.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Timeline" }).click();
  await empty.getByText("No message says when it was sent, so there is nothing to draw here.").waitFor();
});
