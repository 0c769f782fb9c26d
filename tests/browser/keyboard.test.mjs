// Everything is done with the keyboard alone, and one always sees where the keyboard is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { details, eventually, found, goTo, isAt, messages, VIEWS, visitSample } from "./acts.mjs";
import { visit } from "./harness.mjs";

/** Presses Tab until the focus is where it should be; everything on the way can be seen to have it. */
async function tabTo(page, name, { back = false, most = 80 } = {}) {
  const passed = [];
  for (let times = 0; times < most; times += 1) {
    await page.keyboard.press(back ? "Shift+Tab" : "Tab");
    const at = await focused(page);
    passed.push(at.name);
    if (at.tag !== "BODY") assert.ok(at.visible, `the focus can be seen on: ${at.tag} ${at.name} ${at.why}`);
    if (typeof name === "string" ? at.name === name : name.test(at.name)) return;
  }
  assert.fail(`${name} is not reached: ${passed.join(" | ")}`);
}

/** Gives what has the focus, what it is called, and whether one sees that it has it. */
function focused(page) {
  return page.evaluate(() => {
    const one = document.activeElement;
    const style = getComputedStyle(one);
    const labelled = one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent ?? one.innerText ?? "";
    const box = one.getBoundingClientRect();
    // What is pointed at may show it on what is around it.
    const around = [one, one.parentElement, one.parentElement?.parentElement].filter(Boolean).map((it) => getComputedStyle(it));
    const ring = around.some((it) => (it.outlineStyle !== "none" && parseFloat(it.outlineWidth) >= 1) || it.boxShadow !== "none");
    const there = box.width > 0 && box.height > 0 && style.visibility === "visible";
    return {
      tag: one.tagName,
      name: labelled.replace(/\s+/g, " ").trim(),
      visible: ring && there,
      why: `${style.outline} ${Math.round(box.width)}×${Math.round(box.height)}`,
    };
  });
}

/** Looks whether the keyboard is anywhere at all. */
async function hasFocus(page, where) {
  const at = await focused(page);
  assert.notEqual(at.tag, "BODY", `${where}: the keyboard is nowhere`);
}

test("everything is reached and used with the keyboard alone", async (t) => {
  const page = await visit(t);
  // The sample, from the empty page.
  await tabTo(page, "See a sample");
  await page.keyboard.press("Enter");
  await page.locator(".source-name").filter({ hasText: "A sample session" }).waitFor();
  await messages(page).first().waitFor();
  // Every view.
  for (const view of [...VIEWS.slice(1), VIEWS[0]]) {
    await tabTo(page, new RegExp(`^${view}`));
    await page.keyboard.press("Enter");
    await isAt(page, view);
    await hasFocus(page, view);
  }
  // A message, and what it says.
  await tabTo(page, "Messages");
  await page.keyboard.press("ArrowDown");
  await details(page).getByRole("heading", { level: 2, name: "Session started" }).waitFor();
  for (const subject of ["Started", "Writing down what we build", "The design is written down"]) {
    await page.keyboard.press("ArrowDown");
    await details(page).getByRole("heading", { level: 2, name: subject, exact: true }).waitFor();
  }
  await page.keyboard.press("ArrowDown");
  await details(page).getByRole("heading", { level: 2, name: "Build the login service" }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator('[data-key][aria-current="true"] .opened').getByText("services/login").waitFor();
  await hasFocus(page, "opened");
  await page.keyboard.press("ArrowLeft");
  await page.locator(".opened").waitFor({ state: "detached" });
  // Its details.
  await tabTo(page, "Copy message");
  await tabTo(page, /^Record as written/);
  await page.keyboard.press("Enter");
  await page.getByLabel("The record as it was written").waitFor();
  // A search.
  await page.keyboard.press("/");
  await page.keyboard.type("from:dina");
  await page.keyboard.press("Enter");
  await found(page, 11);
  await hasFocus(page, "search");
  await tabTo(page, "Next hit");
  await page.keyboard.press("Enter");
  await eventually(async () => assert.match(await details(page).innerText(), /dina/));
  // The list of keys, and back.
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await hasFocus(page, "keys");
  assert.ok(await page.evaluate(() => document.activeElement.closest("dialog")), "the keyboard is in the dialog");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
  await eventually(async () => assert.equal((await focused(page)).name, "Next hit", "the keyboard is back where it was"));
});

test("the focus is seen on everything that Tab reaches, in every view, and nothing holds it", async (t) => {
  const page = await visitSample(t, { reducedMotion: "reduce" });
  for (const view of VIEWS) {
    await goTo(page, view);
    await page.evaluate(() => document.activeElement.blur());
    const seen = new Set();
    for (let times = 0; times < 260; times += 1) {
      await page.keyboard.press("Tab");
      const at = await focused(page);
      if (at.tag === "BODY") break;
      assert.ok(at.visible, `${view}: the focus cannot be seen on ${at.tag} ${at.name}: ${at.why}`);
      seen.add(`${at.tag} ${at.name}`);
      assert.notEqual(at.name, "", `${view}: ${at.tag} has no name`);
    }
    assert.ok(seen.size > 20, `${view}: ${[...seen].join(" | ")}`);
  }
});

test("the way past the frame leads to the view", async (t) => {
  const page = await visitSample(t);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Tab");
  assert.equal((await focused(page)).name, "Skip to the view");
  assert.ok((await focused(page)).visible);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
});

test("on a phone the keyboard follows into a pane, and comes back", async (t) => {
  const page = await visitSample(t, { viewport: { width: 390, height: 844 } });
  await tabTo(page, "Source and filters");
  await page.keyboard.press("Enter");
  await eventually(async () => assert.equal((await focused(page)).name, "Back"));
  await page.keyboard.press("Escape");
  await eventually(async () => assert.equal((await focused(page)).name, "Source and filters"));
});

test("keys that are pressed quickly are all taken", async (t) => {
  const page = await visitSample(t);
  await messages(page).first().waitFor();
  await page.keyboard.type("jjjjj");
  await details(page).getByRole("heading", { level: 2, name: "Build the login service", exact: true }).waitFor();
  await page.keyboard.type("kkk");
  await details(page).getByRole("heading", { level: 2, name: "Started", exact: true }).waitFor();
});
