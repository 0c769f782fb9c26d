// How the page looks is the reader's: light or dark, with or without motion, on a phone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { details, eventually, goTo, messages, openSample, opened, VIEWS, visitSample, wayTo } from "./acts.mjs";
import { visit } from "./harness.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Gives how light the page's ground is: 0 is black, 255 is white. */
function ground(page) {
  return page.evaluate(() => {
    const colours = [document.body, document.documentElement].map((one) => getComputedStyle(one).backgroundColor);
    const shown = colours.find((colour) => !/, 0\)$|transparent/.test(colour));
    const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
    const context = canvas.getContext("2d");
    context.fillStyle = shown;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return (red + green + blue) / 3;
  });
}

const isDark = (page) => eventually(async () => assert.ok((await ground(page)) < 60, "dark"));
const isLight = (page) => eventually(async () => assert.ok((await ground(page)) > 200, "light"));

test("the page is as light or dark as the system", async (t) => {
  await isDark(await visitSample(t, { colorScheme: "dark" }));
  const page = await visitSample(t, { colorScheme: "light" });
  await isLight(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await isDark(page);
});

test("the reader may choose otherwise, and the page remembers", async (t) => {
  const page = await visitSample(t, { colorScheme: "light" });
  await page.getByRole("button", { name: "Theme" }).click();
  await page.getByRole("status").filter({ hasText: "Theme: light." }).waitFor();
  await isLight(page);
  await page.keyboard.press("T");
  await page.getByRole("status").filter({ hasText: "Theme: dark." }).waitFor();
  await isDark(page);
  await page.reload();
  await opened(page, "A sample session");
  await isDark(page);
  await page.keyboard.press("T");
  await page.getByRole("status").filter({ hasText: "Theme: as the system." }).waitFor();
  await isLight(page);
});

test("the timeline is drawn in the colours of the theme", async (t) => {
  const page = await visitSample(t, { colorScheme: "light", reducedMotion: "reduce" });
  await goTo(page, "Timeline");
  const light = await page.locator("canvas.tl-canvas").screenshot();
  await page.keyboard.press("T");
  await page.keyboard.press("T");
  await isDark(page);
  await eventually(async () => assert.ok(!light.equals(await page.locator("canvas.tl-canvas").screenshot())));
});

test("nothing moves where motion is not wanted", async (t) => {
  const page = await visitSample(t, { reducedMotion: "reduce" });
  for (const view of VIEWS) {
    await goTo(page, view);
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll("*")]
        .map((one) => [one.className, getComputedStyle(one)])
        .filter(([, style]) => [style.transitionDuration, style.animationDuration].some((all) => all.split(",").some((time) => parseFloat(time) > 0.01)))
        .map(([name]) => String(name)),
    );
    assert.deepEqual(moving, [], view);
    assert.equal(await page.evaluate(() => document.getAnimations().filter((one) => one.playState === "running").length), 0, view);
  }
});

test("forced colours keep everything readable", async (t) => {
  const page = await visitSample(t, { forcedColors: "active" });
  for (const view of VIEWS) {
    await goTo(page, view);
    assert.ok((await page.getByRole("main").innerText()).length > 100, view);
  }
  await goTo(page, "Conversation");
  await messages(page).first().click();
  const [selected, other] = [page.locator('[data-key][aria-current="true"]'), page.locator("[data-key]:not([aria-current])").first()];
  await selected.waitFor();
  const look = (row) =>
    row.evaluate((one) => {
      const { backgroundColor, outline, borderTop, borderLeft, boxShadow, color } = getComputedStyle(one);
      return JSON.stringify([backgroundColor, outline, borderTop, borderLeft, boxShadow, color]);
    });
  assert.notEqual(await look(selected), await look(other), "the selected message can be told from others");
});

/** Looks whether the page is as wide as the screen, and everything of its frame is on it. */
async function fits(page, where) {
  const { inner, scroll, body } = await page.evaluate(() => ({
    inner: window.innerWidth,
    scroll: document.documentElement.scrollWidth,
    body: document.body.scrollWidth,
  }));
  assert.ok(scroll <= inner && body <= inner, `${where}: ${scroll}, ${body} on ${inner}`);
}

test("on a phone the first page fits, and opens the sample", async (t) => {
  const page = await visit(t, PHONE);
  await fits(page, "first page");
  for (const name of ["Open a directory", "Open files", "See a sample"]) {
    const box = await page.getByRole("button", { name }).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.height >= 32, name);
  }
  await openSample(page);
  await messages(page).first().waitFor();
});

test("on a phone every view is reached and fits", async (t) => {
  const page = await visitSample(t, PHONE);
  for (const view of VIEWS) {
    await goTo(page, view);
    await fits(page, view);
    const box = await wayTo(page, view).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844, `the way to ${view} is on the screen`);
    assert.ok(box.height >= 32, `the way to ${view} can be touched`);
    const main = await page.getByRole("main").boundingBox();
    assert.ok(main.height > 400, `${view} has room: ${main.height}`);
  }
});

test("on a phone a message opens its details, and Back closes them", async (t) => {
  const page = await visitSample(t, PHONE);
  const pane = details(page);
  assert.equal(await pane.isVisible(), false);
  await messages(page).filter({ hasText: "Build the sign-in page" }).and(page.locator("[data-key]")).first().tap();
  await pane.getByRole("heading", { level: 2, name: "Build the sign-in page" }).waitFor();
  await fits(page, "details");
  await pane.getByRole("button", { name: "Back" }).tap();
  await pane.waitFor({ state: "hidden" });
  await messages(page).first().waitFor();
  await messages(page).filter({ hasText: "Build the login service" }).and(page.locator("[data-key]")).first().tap();
  await pane.waitFor();
  await page.goBack();
  await pane.getByRole("heading", { level: 2, name: "Build the login service" }).waitFor({ state: "hidden" });
});

test("on a phone the source and filters are a touch away", async (t) => {
  const page = await visitSample(t, PHONE);
  const side = page.getByRole("complementary", { name: "Source and filters" });
  await page.getByRole("banner").getByRole("button", { name: "Source and filters" }).tap();
  await side.getByRole("button", { name: /^dina/ }).tap();
  await side.getByRole("button", { name: "Back" }).tap();
  await side.waitFor({ state: "hidden" });
  await page.locator("[data-found]").getByText("11 found").waitFor();
  await fits(page, "search");
});
