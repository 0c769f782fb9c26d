// Nothing that is read leaves the browser: all is used, every request is written down, and none goes anywhere else.

import assert from "node:assert/strict";
import { test } from "node:test";
import { details, eventually, goTo, messages, opened, openSample, search, select, VIEWS } from "./acts.mjs";
import { dropDirectory, fixture, PAGE, pick, seen, strayRequests, visit } from "./harness.mjs";

/** Uses everything that the page has. */
async function useAll(page) {
  for (const view of VIEWS) {
    await goTo(page, view);
    await page.mouse.wheel(0, 300);
  }
  await goTo(page, "Conversation");
  await select(page, "How long does a session last?");
  await messages(page).locator(".fold").first().click();
  const pane = details(page);
  await pane.getByText("Record as written").click();
  for (const name of ["Copy message", "Copy thread", "Copy link"]) await pane.getByRole("button", { name }).click();
  await pane.locator(".lies button").click();
  await page.keyboard.press("Escape");
  await search(page, "from:ben");
  await page.keyboard.press("Escape");
  for (const key of ["n", "N", "e", "o", "t", "j", "J", "T", "T", "T"]) await page.keyboard.press(key);
  await page.locator("summary").filter({ hasText: "Save" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: /as JSONL/ }).click();
  await (await download).path();
  await goTo(page, "Timeline");
  for (const key of ["w", "d", "a", "s", "0"]) await page.keyboard.press(key);
  await page.getByRole("button", { name: "As a table" }).click();
  await goTo(page, "Reports");
  await page.getByRole("main").getByRole("button", { name: /login-benchmark\.json/ }).click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Escape");
}

test("no request leaves the page's own server while everything is used", async (t) => {
  const page = await visit(t, { permissions: ["clipboard-read", "clipboard-write"] });
  const violations = [];
  await page.exposeFunction("noteViolation", (text) => violations.push(text));
  await page.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", (event) => window.noteViolation(`${event.violatedDirective} ${event.blockedURI}`)),
  );
  await page.reload();
  await page.locator("#loading").waitFor({ state: "detached" });
  await openSample(page);
  await useAll(page);
  await page.waitForLoadState("networkidle");
  assert.ok(seen(page).requests.some((url) => url.endsWith("sample/index.json")), "the recorder sees the worker's requests");
  assert.deepEqual(strayRequests(page), []);
  assert.deepEqual(violations, []);
  assert.deepEqual(seen(page).problems, []);
});

test("once the page is there, reading one's own files asks the server for nothing", async (t) => {
  const page = await visit(t);
  await page.waitForLoadState("networkidle");
  const before = seen(page).requests.length;
  await pick(page, fixture("troubled-session"));
  await opened(page, "troubled-session");
  for (const view of VIEWS) await goTo(page, view);
  await dropDirectory(page, fixture("troubled-mailbox"));
  await opened(page, "troubled-mailbox");
  for (const view of VIEWS) await goTo(page, view);
  await page.waitForLoadState("networkidle");
  const outside = seen(page).requests.slice(before).filter((url) => !/^(blob|data):/.test(url));
  assert.deepEqual(outside, []);
});

test("the page works when its server is gone", async (t) => {
  const page = await visit(t);
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await pick(page, fixture("plain-log"));
  await opened(page, "plain-log");
  await search(page, "slow");
  await page.locator("[data-found]").getByText("1 found").waitFor();
});

test("the policy forbids everything but the page itself, and is in force", async (t) => {
  const page = await visit(t);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
  assert.equal(
    policy,
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'",
  );
  const refused = await page.evaluate(async () => {
    const image = new Promise((done) => {
      const one = new Image();
      one.onerror = () => done("refused");
      one.onload = () => done("loaded");
      one.src = "http://127.0.0.1:9/pixel.png";
    });
    const inline = document.createElement("script");
    inline.textContent = "window.__inline = true";
    document.body.append(inline);
    return [await image, await fetch("http://127.0.0.1:9/").catch(() => "refused"), window.__inline ?? "refused"];
  });
  assert.deepEqual(refused, ["refused", "refused", "refused"]);
});

test("the page needs no file from elsewhere", async (t) => {
  const page = await visit(t);
  await eventually(async () => {
    const names = await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => entry.name));
    assert.ok(names.some((name) => name.endsWith(".wasm")));
    assert.ok(names.every((name) => name.startsWith(PAGE) || name.startsWith("data:")), names.join("\n"));
  });
  assert.equal(await page.evaluate(() => [...document.fonts].length), 0, "system fonts only");
});

test("a fault of the page's own is said, and what was open is not opened again by itself", async (t) => {
  const trap = () => {
    // The shortest module there is that stops as soon as it starts.
    const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 8, 1, 0, 10, 5, 1, 3, 0, 0, 11];
    setTimeout(() => new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))));
  };
  const page = await visit(t);
  await openSample(page);
  await page.evaluate(trap);
  await page.getByRole("alert").filter({ hasText: "The viewer has stopped" }).waitFor();
  assert.match(await page.getByRole("alert").innerText(), /unreachable.*Reload the page/s);
  assert.equal(await page.getByRole("main").count(), 0, "nothing is shown that can no longer be used");
  await page.reload();
  await page.getByRole("alert").filter({ hasText: "The viewer stopped with sample/index.json open" }).waitFor();
  await page.getByRole("button", { name: "Open sample/index.json again" }).click();
  await opened(page, "A sample session");
});
