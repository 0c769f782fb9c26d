// Starts a browser and gives the page what people would give it.
//
// `cargo xtask browser` serves the page and sets HUDDLE_PAGE (its address, a slash at its end), HUDDLE_FIXTURES (the
// folder tests/fixtures) and HUDDLE_CHROMIUM (the browser).

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { after } from "node:test";
import { chromium } from "playwright-core";

export { dropDirectory, dropFiles, opfsDirectory, pick } from "./files.mjs";

/** The address of the page, a slash at its end. */
export const PAGE = required("HUDDLE_PAGE");

/** The folder with what agents left behind, in every format. */
export const FIXTURES = required("HUDDLE_FIXTURES");

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Returns a variable that `cargo xtask browser` sets. */
export function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this with \`cargo xtask browser\``);
  return value;
}

/** Gives the path of a fixture. */
export function fixture(name) {
  return path.join(FIXTURES, name);
}

/** Starts a browser with a profile of its own. Whoever starts it closes it. */
export function launch() {
  const executablePath = process.env.HUDDLE_CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: FLAGS });
}

/** The browser that all tests of a file use; it ends with them. */
let shared;

// Pictures and measurements are no tests, and close what they started themselves.
if (process.env.NODE_TEST_CONTEXT) after(async () => (await shared)?.close());

/**
 * Opens the page for a test, as a new visitor; all is closed when the test ends.
 *
 * `options.query` comes after the address, such as `?src=session/`, and `options.at` is the address of another server;
 * all others are those of Playwright's `newContext`.
 */
export async function visit(t, { query = "", at = PAGE, ...options } = {}) {
  const page = await newPage(await (shared ??= launch()), options);
  t.after(() => page.context().close());
  await open(page, query, at);
  return page;
}

/** Makes an empty page whose requests and problems are written down from its first moment; see `seen`. */
export async function newPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  // Whatever is not there by now will not come; waiting longer only makes a failure slow.
  page.setDefaultTimeout(10_000);
  logs.set(page, record(context));
  return page;
}

/** Loads the page and waits until the viewer has started. */
export async function open(page, query = "", at = PAGE) {
  await page.goto(at + query);
  await page.locator("#loading").waitFor({ state: "detached" });
}

const logs = new WeakMap();

/** Gives what was written down, of workers too: `requests` (addresses) and `problems` (errors and warnings). */
export function seen(page) {
  return logs.get(page);
}

/** Writes down every request and every problem of a page and its workers. */
function record(context) {
  const log = { requests: [], problems: [] };
  context.on("request", (request) => log.requests.push(request.url()));
  context.on("requestfailed", (request) => {
    const why = request.failure()?.errorText;
    // A page that no longer wants an answer may say so.
    if (why !== "net::ERR_ABORTED") log.problems.push(`failed: ${request.url()}: ${why}`);
  });
  context.on("weberror", (error) => log.problems.push(`uncaught: ${error.error().stack ?? error.error()}`));
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) log.problems.push(`${message.type()}: ${message.text()}`);
  });
  return log;
}

/** Gives the requests that went to anybody but the page's own server. */
export function strayRequests(page, at = PAGE) {
  const inside = (url) => url.startsWith(at) || url.startsWith("data:") || url.startsWith(`blob:${at}`);
  return seen(page).requests.filter((url) => !inside(url));
}

let axeSource;

/**
 * Looks for what keeps people out, and gives each violation as a line of text.
 *
 * The page's policy stays in force: the source goes in through the debugger, which no policy binds.
 */
export async function axe(page, options = {}) {
  axeSource ??= await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const debug = await page.context().newCDPSession(page);
  await debug.send("Runtime.evaluate", { expression: axeSource });
  await debug.detach();
  const { violations } = await page.evaluate((options) => window.axe.run(document, options), options);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help}: ${target.join(" ")}: ${html}`),
  );
}

/** Takes a picture of the page as docs/shots/NAME.png. */
export async function shot(page, name) {
  const folder = process.env.HUDDLE_SHOTS ?? path.join(import.meta.dirname, "../../docs/shots");
  await page.screenshot({ path: path.join(folder, `${name}.png`), animations: "disabled" });
}
