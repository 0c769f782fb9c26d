// What readers do, in a word each, and how a test waits for what they would see.

import { setTimeout as rest } from "node:timers/promises";
import { dropDirectory, fixture, visit } from "./harness.mjs";

/** The views, in the order of their keys. */
export const VIEWS = ["Conversation", "Timeline", "Agents", "Reports", "Shared", "Problems"];

/** Tries until what is checked holds; otherwise tells what was wrong the last time. */
export async function eventually(check, patience = 10_000) {
  for (const end = Date.now() + patience; ; await rest(40)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** Waits until something is open and all of it was read. */
export async function opened(page, name) {
  await page.locator(".source-name").filter({ hasText: name }).waitFor();
  await page.getByRole("region", { name: "Opening" }).waitFor({ state: "detached" });
}

/** Opens the page with a fixture in it. */
export async function visitFixture(t, name, options) {
  const page = await visit(t, options);
  await dropDirectory(page, fixture(name));
  await opened(page, name);
  return page;
}

/** Opens the page with the sample in it, by a click. */
export async function visitSample(t, options) {
  const page = await visit(t, options);
  await openSample(page);
  return page;
}

/** Opens the sample. */
export async function openSample(page) {
  await page.getByRole("button", { name: "See a sample" }).click();
  await opened(page, "A sample session");
}

/** Opens a log whose records are given. */
export async function openRecords(page, name, records) {
  const buffer = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  await page.locator("#pick-files").setInputFiles({ name, mimeType: "application/x-ndjson", buffer });
  await opened(page, name);
}

/** Gives the link to a view. */
export function wayTo(page, view) {
  return page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view });
}

/** Goes to a view by a click, and waits until it is drawn. */
export async function goTo(page, view) {
  await wayTo(page, view).click();
  await isAt(page, view);
}

/** Waits until a view is drawn. */
export async function isAt(page, view) {
  await page.locator(`nav.views a[aria-current="page"]`).filter({ hasText: view }).waitFor();
  await page.getByText("Looking…", { exact: true }).waitFor({ state: "detached" });
  if (view === "Conversation") await page.locator("[data-key], .nothing").first().waitFor();
  else if (view === "Timeline") await page.locator(".tl-said").filter({ hasText: /message/ }).waitFor();
  else await page.locator(`[data-view="${view.toLowerCase()}"] > *`).first().waitFor();
}

/** Gives the messages and heads of conversations that are in the list, as those who hear them are told. */
export function messages(page) {
  return page.getByRole("feed", { name: "Messages" }).getByRole("article");
}

/** Gives a message of the list by what is said of it. */
export function message(page, said) {
  return messages(page).and(page.locator("[data-key]")).filter({ hasText: said });
}

/** Gives the pane with the selected message. */
export function details(page) {
  return page.getByRole("complementary", { name: "Details" });
}

/** Selects a message of the list, and waits until all of it is shown. */
export async function select(page, subject) {
  await message(page, subject).first().click();
  await details(page).getByRole("heading", { level: 2, name: subject }).waitFor();
}

/** Searches, and gives what the page says of it. */
export async function search(page, query) {
  await page.getByRole("combobox", { name: "Search" }).fill(query);
  await page.getByRole("combobox", { name: "Search" }).press("Enter");
}

/** Waits until exactly so many messages are found. */
export async function found(page, count) {
  await page.locator("[data-found]").getByText(`${count} found`, { exact: true }).waitFor();
}
