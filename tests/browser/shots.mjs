// Takes the pictures of the page that the documentation shows: `cargo xtask shots`.
//
// Each picture is taken on a desk and on a phone, light and dark: NAME.png, NAME-dark.png, NAME-phone.png and
// NAME-phone-dark.png. The clock stands still and nothing moves, so that the same page gives the same pictures.

import { details, goTo, openSample, search, select } from "./acts.mjs";
import { launch, newPage, open, shot } from "./harness.mjs";

const SCREENS = {
  "": { viewport: { width: 1440, height: 900 } },
  "-phone": { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};
const SCHEMES = { "": "light", "-dark": "dark" };

/** When it is in all pictures: an hour after the sample ends. */
const NOW = new Date("2026-03-12T13:40:00Z");

/** What each picture shows, and how one comes there. */
const SHOTS = {
  start: async () => {},
  conversation: async (page, phone) => {
    await openSample(page);
    await goTo(page, "Conversation");
    // On a phone the details would lie over the list.
    if (!phone) await select(page, "How long does a session last?");
  },
  timeline: async (page, phone) => {
    await openSample(page);
    if (!phone) await select(page, "How long does a session last?");
    await goTo(page, "Timeline");
  },
  "timeline-table": async (page) => {
    await openSample(page);
    await goTo(page, "Timeline");
    await page.getByRole("button", { name: "As a table" }).click();
    await page.locator("button.tl-lane").filter({ hasText: "dina" }).click();
    await page.locator(".tl-messages").waitFor();
  },
  agents: async (page) => {
    await openSample(page);
    await goTo(page, "Agents");
  },
  reports: async (page) => {
    await openSample(page);
    await goTo(page, "Reports");
  },
  shared: async (page) => {
    await openSample(page);
    await goTo(page, "Shared");
  },
  problems: async (page) => {
    await openSample(page);
    await goTo(page, "Problems");
  },
  details: async (page, phone) => {
    await openSample(page);
    await goTo(page, "Conversation");
    await select(page, "Build the login service");
    if (!phone) await details(page).getByText("Record as written").click();
  },
  search: async (page, phone) => {
    await openSample(page);
    await goTo(page, "Conversation");
    await search(page, "session OR is:unread");
    await page.locator("[data-found]").getByText("found").waitFor();
    if (phone) return;
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await details(page).getByRole("heading", { level: 2 }).waitFor();
  },
  keys: async (page) => {
    await openSample(page);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
  },
};

const browser = await launch();
try {
  for (const [name, act] of Object.entries(SHOTS)) {
    for (const [screen, viewport] of Object.entries(SCREENS)) {
      for (const [scheme, colorScheme] of Object.entries(SCHEMES)) {
        const look = { colorScheme, reducedMotion: "reduce", timezoneId: "UTC", locale: "en-GB" };
        const page = await newPage(browser, { ...viewport, ...look });
        await page.clock.setFixedTime(NOW);
        await open(page);
        await act(page, screen !== "");
        await still(page);
        await shot(page, `${name}${screen}${scheme}`);
        await page.context().close();
      }
    }
  }
} finally {
  await browser.close();
}

/** Waits until the page looks the same twice. */
async function still(page) {
  await page.mouse.move(0, 0);
  for (let before, now; ; before = now) {
    now = (await page.screenshot({ animations: "disabled" })).toString("base64");
    if (now === before) return;
    await page.waitForTimeout(100);
  }
}
