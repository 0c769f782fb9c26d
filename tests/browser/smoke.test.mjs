// The page starts, complains about nothing, and talks to nobody but its own server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, seen, strayRequests, visit } from "./harness.mjs";

test("the page starts without a complaint", async (t) => {
  const page = await visit(t);
  assert.equal(await page.title(), "Huddle");
  await page.waitForLoadState("networkidle");
  assert.deepEqual(seen(page).problems, []);
});

test("no request leaves the page's own server", async (t) => {
  const page = await visit(t);
  await page.waitForLoadState("networkidle");
  assert.ok(seen(page).requests.some((url) => url.endsWith(".wasm")), "the recorder sees requests");
  assert.deepEqual(strayRequests(page), []);
});

test("everybody can use the first screen", async (t) => {
  const page = await visit(t);
  assert.deepEqual(await axe(page), []);
});
