// Everybody can use the page: nothing keeps out those who hear it, or see little of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { details, found, goTo, messages, search, select, VIEWS, visitFixture, visitSample } from "./acts.mjs";
import { axe, visit } from "./harness.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const LOOKS = [
  { name: "light", colorScheme: "light" },
  { name: "dark", colorScheme: "dark" },
  { name: "phone, light", colorScheme: "light", ...PHONE },
  { name: "phone, dark", colorScheme: "dark", ...PHONE },
];

/** Collects what keeps people out, in one state of the page after the other; a test tells all of it at its end. */
class Barriers {
  found = [];

  async look(page, where) {
    this.found.push(...(await axe(page)).map((barrier) => `${where}: ${barrier}`));
  }

  none() {
    assert.deepEqual(this.found, []);
  }
}

for (const { name, ...look } of LOOKS) {
  const options = { reducedMotion: "reduce", ...look };

  test(`nothing keeps anybody out of the first page, nor of a failure (${name})`, async (t) => {
    const barriers = new Barriers();
    await barriers.look(await visit(t, options), "first page");
    const failed = await visit(t, { ...options, query: "?src=session/none.jsonl" });
    await failed.getByRole("alert").filter({ hasText: "404" }).waitFor();
    await barriers.look(failed, "failure");
    barriers.none();
  });

  test(`nothing keeps anybody out of any view (${name})`, async (t) => {
    const page = await visitSample(t, options);
    const barriers = new Barriers();
    for (const view of VIEWS) {
      await goTo(page, view);
      await barriers.look(page, view);
    }
    await goTo(page, "Timeline");
    await page.getByRole("button", { name: "As a table" }).click();
    await page.locator("button.tl-lane").first().click();
    await page.locator(".tl-messages").waitFor();
    await barriers.look(page, "timeline as a table");
    barriers.none();
  });

  test(`nothing keeps anybody out of a message (${name})`, async (t) => {
    const page = await visitSample(t, options);
    const barriers = new Barriers();
    await messages(page).filter({ hasText: "Build the login service" }).locator(".fold").first().click();
    await page.locator(".opened dl").waitFor();
    await select(page, "Build the login service");
    await details(page).getByText("Record as written").click();
    await barriers.look(page, "opened in place, and details");
    barriers.none();
  });
}

for (const colorScheme of ["light", "dark"]) {
  test(`nothing keeps anybody out of a search (${colorScheme})`, async (t) => {
    const page = await visitSample(t, { colorScheme, reducedMotion: "reduce" });
    const barriers = new Barriers();
    await page.getByRole("combobox", { name: "Search" }).fill("fr");
    await page.getByRole("option").first().waitFor();
    await barriers.look(page, "choices");
    await search(page, "from:ben");
    await found(page, 27);
    await barriers.look(page, "found");
    await search(page, "(from:ben");
    await page.locator("#misread mark").waitFor();
    await barriers.look(page, "misread");
    await search(page, "unicorn");
    await found(page, 0);
    await page.keyboard.press("Escape");
    await page.keyboard.press("o");
    await page.getByText("No message is found by").waitFor();
    await barriers.look(page, "nothing found");
    barriers.none();
  });

  test(`nothing keeps anybody out of what lies over the page (${colorScheme})`, async (t) => {
    const page = await visitSample(t, { colorScheme, reducedMotion: "reduce" });
    const barriers = new Barriers();
    const close = async () => {
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    for (const [key, dialog] of [["?", "Keys"], ["Control+k", "Commands"]]) {
      await page.keyboard.press(key);
      await page.getByRole("dialog", { name: dialog }).waitFor();
      await barriers.look(page, dialog);
      await close();
    }
    await page.getByRole("button", { name: "Open something else" }).click();
    await page.getByRole("dialog").waitFor();
    await barriers.look(page, "open");
    await close();
    await goTo(page, "Reports");
    await page.getByRole("button", { name: "Open the report of dina" }).click();
    await page.getByRole("dialog").getByText("Anybody can lock anybody out").first().waitFor();
    await barriers.look(page, "file");
    barriers.none();
  });
}

test("nothing keeps anybody out of a pane on a phone", async (t) => {
  const page = await visitSample(t, { ...PHONE, reducedMotion: "reduce" });
  const barriers = new Barriers();
  await page.getByRole("banner").getByRole("button", { name: "Source and filters" }).tap();
  await page.getByRole("complementary", { name: "Source and filters" }).waitFor();
  await barriers.look(page, "source and filters");
  barriers.none();
});

for (const name of ["troubled-mailbox", "troubled-session", "mailbox-by-spec-scripts", "state-by-spec-example", "damaged-log"]) {
  test(`nothing keeps anybody out of any view of ${name}`, async (t) => {
    const page = await visitFixture(t, name, { reducedMotion: "reduce" });
    const barriers = new Barriers();
    for (const view of VIEWS) {
      await goTo(page, view);
      await barriers.look(page, view);
    }
    barriers.none();
  });
}

test("what happens is told to those who hear the page", async (t) => {
  const page = await visitSample(t);
  await search(page, "from:ada");
  await page.getByRole("status").getByText("14 found").waitFor();
  const rows = await messages(page).evaluateAll((all) => all.map((one) => [one.ariaPosInSet, one.ariaSetSize, one.ariaLabel]));
  const told = rows.every(([place, size, label]) => Number(place) > 0 && Number(size) > 60 && label.length > 5);
  assert.ok(told, JSON.stringify(rows.slice(0, 3)));
});
