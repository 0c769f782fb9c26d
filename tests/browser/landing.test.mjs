// A search leads to what it finds: the first hit comes into sight, keys go on from there, and the words are marked.

import assert from "node:assert/strict";
import { test } from "node:test";
import { details, eventually, found, goTo, messages, openRecords, search, select, visitSample } from "./acts.mjs";
import { visit } from "./harness.mjs";

const box = (page) => page.getByRole("combobox", { name: "Search" });
const rows = (page) => messages(page).and(page.locator("[data-key]"));
const selected = (page) => page.locator('[data-key][aria-current="true"]');

/** A log of which only two messages, far from each other, name a needle; one of them late in a long text. */
const RECORDS = Array.from({ length: 2_000 }, (_, at) => ({
  timestamp: new Date(Date.UTC(2025, 0, 1, 8) + at * 7_000).toISOString(),
  from: ["ann", "bob"][at % 2],
  to: "cleo",
  type: "status",
  subject: `step ${at}`,
  message: at === 900 || at === 1_500 ? `${"hay ".repeat(200)}Needle in it` : "hay",
}));

async function visitRecords(t) {
  const page = await visit(t);
  await openRecords(page, "hay.jsonl", RECORDS);
  return page;
}

/** Tells whether an element is whole within the list. */
const inSight = (locator) =>
  locator.evaluate((row) => {
    const [inner, outer] = [row.getBoundingClientRect(), row.closest(".scroller").getBoundingClientRect()];
    return inner.top >= outer.top && inner.bottom <= outer.bottom;
  });

test("a search brings its first hit into sight, with its words marked and its text cut around them", async (t) => {
  const page = await visitRecords(t);
  await search(page, "needle");
  await found(page, 2);
  const hit = rows(page).filter({ hasText: "step 900" });
  await eventually(async () => assert.ok(await inSight(hit)));
  assert.deepEqual(await hit.locator("mark").allInnerTexts(), ["Needle"]);
  assert.match(await hit.locator(".preview").innerText(), /^….*hay Needle in it$/);
});

test("Enter and Shift+Enter in the box go from hit to hit, and it is said which one it is", async (t) => {
  const page = await visitRecords(t);
  await search(page, "needle");
  await found(page, 2);
  const at = (text) => page.locator("[data-found]").getByText(text, { exact: true }).waitFor();
  for (const [key, which, subject] of [
    ["Enter", "1 of 2 found", "step 900"],
    ["Enter", "2 of 2 found", "step 1500"],
    ["Enter", "1 of 2 found", "step 900"],
    ["Shift+Enter", "2 of 2 found", "step 1500"],
  ]) {
    await box(page).press(key);
    await at(which);
    await eventually(async () => assert.ok(await inSight(selected(page).filter({ hasText: subject }))));
  }
  assert.ok(await box(page).evaluate((input) => input === document.activeElement));
  await details(page).locator("mark").filter({ hasText: "Needle" }).waitFor();
});

test("Tab takes the first completion, and the query goes on", async (t) => {
  const page = await visitSample(t);
  await page.keyboard.press("/");
  await page.keyboard.type("fr");
  await page.getByRole("option", { name: "from:" }).waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await box(page).inputValue(), "from:");
  await page.keyboard.type("din");
  await page.getByRole("option", { name: "dina" }).waitFor();
  await page.keyboard.press("Tab");
  assert.equal((await box(page).inputValue()).trim(), "from:dina");
  await found(page, 11);
});

test("Home and End select the first and the last message", async (t) => {
  const page = await visitRecords(t);
  await rows(page).first().click();
  await page.keyboard.press("End");
  await selected(page).filter({ hasText: "step 1999" }).waitFor();
  await page.keyboard.press("k");
  await selected(page).filter({ hasText: "step 1998" }).waitFor();
  await page.keyboard.press("Home");
  await selected(page).filter({ hasText: /step 0\b/ }).waitFor();
  await page.keyboard.press("j");
  await selected(page).filter({ hasText: /step 1\b/ }).waitFor();
});

test("the selected message stays in sight when the order changes, with its neighbors", async (t) => {
  const page = await visitSample(t);
  for (const key of ["e", "t", "t"]) {
    await page.keyboard.press(key);
    await eventually(async () => assert.ok(await inSight(selected(page)), key));
  }
});

test("tools of a search can be used only where they do something", async (t) => {
  const page = await visitSample(t);
  const tools = page.getByRole("region", { name: "What is found" });
  const only = tools.getByRole("button", { name: "Only hits" });
  assert.ok(await only.isDisabled());
  await search(page, "argon2id");
  await eventually(async () => assert.ok(await only.isEnabled()));
  await goTo(page, "Reports");
  for (const name of ["Only hits", "Next hit", "Previous hit"]) {
    assert.ok(await tools.getByRole("button", { name }).isDisabled(), name);
  }
});

test("a query that is still being typed is not wrong, and faults keep what the reader wrote", async (t) => {
  const page = await visitSample(t);
  await box(page).click();
  await page.keyboard.type("after:");
  await page.waitForTimeout(300);
  assert.equal(await page.locator("#misread").count(), 0);
  const fault = page.locator("#misread");
  await fault.filter({ hasText: "after: has no value" }).waitFor();
  await box(page).fill("after:yesterdy x");
  await fault.filter({ hasText: '"yesterdy" is no date' }).waitFor();
  assert.equal(await fault.locator("mark").innerText(), "yesterdy");
});

test("what is unread by somebody is found by their name and the state", async (t) => {
  const page = await visitSample(t);
  await search(page, "to:eli is:unread");
  await found(page, 6);
  await search(page, "from:ada to:ben");
  await found(page, 7);
  await search(page, "is:answered");
  await page.locator("[data-found]").filter({ hasText: /^\d+ found$/ }).waitFor();
  assert.ok((await page.locator("[data-key].hit .mark.answered").count()) > 0);
});

test("details say nothing twice, and offer nothing that does nothing", async (t) => {
  const page = await visit(t);
  await openRecords(page, "lone.jsonl", [
    { timestamp: "2025-01-01T08:00:00Z", from: "ann", to: "bob", type: "status", subject: "Only a subject", message: null },
    { timestamp: "2025-01-01T08:00:01Z", from: "ann", to: "bob", type: "status", message: "Said in a line" },
  ]);
  for (const subject of ["Only a subject", "Said in a line"]) {
    await select(page, subject);
    assert.equal(await details(page).locator(".said-whole").count(), 0, subject);
    assert.equal(await details(page).getByRole("button", { name: "Copy thread" }).count(), 0);
  }
  await details(page).getByRole("button", { name: "Show in timeline" }).click();
  await details(page).getByRole("button", { name: "Show in timeline" }).waitFor({ state: "detached" });
});

test("a file is saved under the name of what is open, with all messages or what is found", async (t) => {
  const page = await visitSample(t);
  const save = async (what) => {
    await page.locator("summary").filter({ hasText: "Save" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: what }).click();
    return (await download).suggestedFilename();
  };
  assert.equal(await save("Everything as Markdown"), "A-sample-session.md");
  await search(page, "from:dina");
  await found(page, 11);
  assert.equal(await save("What is found as JSONL"), "A-sample-session-found.jsonl");
});

test("paper shows the view, not what stands around it", async (t) => {
  const page = await visitSample(t);
  await rows(page).first().click();
  await page.emulateMedia({ media: "print" });
  assert.ok(await rows(page).first().isVisible());
  for (const around of [".top", ".views", ".side", ".details-pane"]) {
    assert.ok(await page.locator(around).isHidden(), around);
  }
});

test("details of nothing take no room on a small screen, and everything can be saved on a phone", async (t) => {
  const page = await visitSample(t, { viewport: { width: 1024, height: 768 } });
  assert.ok(await details(page).isHidden());
  await rows(page).first().click();
  await details(page).getByRole("heading", { level: 2 }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.locator("summary").filter({ hasText: "Save" }).waitFor();
});
