// Being there: a link leads to the same place, Back leads back, and every key does what it says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { details, eventually, found, goTo, isAt, messages, opened, openRecords, search, select } from "./acts.mjs";
import { VIEWS, visitFixture, visitSample } from "./acts.mjs";
import { dropDirectory, fixture, PAGE, visit } from "./harness.mjs";

const heading = (page, name) => details(page).getByRole("heading", { level: 2, name, exact: true });

/** Visits a link that somebody sent. */
function follow(t, link, options) {
  assert.ok(link.startsWith(PAGE), link);
  return visit(t, { query: link.slice(PAGE.length), ...options });
}

test("a link leads another reader to the same message, view, search and window", async (t) => {
  const one = await visitFixture(t, "troubled-mailbox", { reducedMotion: "reduce" });
  await search(one, "from:lead");
  await found(one, 9);
  await one.keyboard.press("Escape");
  await select(one, "The contract of the gateway");
  await goTo(one, "Timeline");
  await one.getByRole("button", { name: "Zoom in" }).click();
  await one.waitForURL(/zoom=/);
  const said = await eventually(async () => {
    const text = await one.locator(".tl-said").innerText();
    assert.doesNotMatch(text, /^20 messages/);
    return text;
  });
  const other = await follow(t, one.url(), { reducedMotion: "reduce" });
  await other.getByText(/This link leads into/).waitFor();
  await dropDirectory(other, fixture("troubled-mailbox"));
  await opened(other, "troubled-mailbox");
  await isAt(other, "Timeline");
  await heading(other, "The contract of the gateway").waitFor();
  await found(other, 9);
  assert.equal(await other.getByRole("combobox", { name: "Search" }).inputValue(), "from:lead");
  await eventually(async () => assert.equal(await other.locator(".tl-said").innerText(), said));
  assert.equal(await other.getByText("this copy differs").count(), 0);
});

test("a link says so when the content differs", async (t) => {
  const one = await visitFixture(t, "plain-log");
  await select(one, "task 17 is slow");
  await one.waitForURL(/sel=/);
  const other = await follow(t, one.url());
  await dropDirectory(other, fixture("team"));
  await opened(other, "team");
  await other.getByRole("status").filter({ hasText: "The link was made for other content: this copy differs" }).waitFor();
});

test("a link to a message that is not there says so", async (t) => {
  const page = await visit(t, { query: "#v=conversation&sel=id%3Anobody-said-this" });
  await dropDirectory(page, fixture("plain-log"));
  await opened(page, "plain-log");
  await details(page).getByText("This message is not in what is open.").waitFor();
  await select(page, "task 17 is slow");
});

test("Back to what was open before says so", async (t) => {
  const page = await visitSample(t);
  await select(page, "Build the sign-in page");
  const before = page.url();
  await dropDirectory(page, fixture("team"));
  await opened(page, "team");
  await page.waitForURL(/src=[0-9a-f]{32}/);
  await page.goBack();
  await page.getByRole("status").filter({ hasText: "This place is in what was open before" }).waitFor();
  assert.equal(page.url(), before);
  await details(page).getByText("This message is not in what is open.").waitFor();
});

test("a link that is copied with a button is the address", async (t) => {
  const page = await visitSample(t, { permissions: ["clipboard-read", "clipboard-write"] });
  await select(page, "Build the sign-in page");
  await details(page).getByRole("button", { name: "Copy link" }).click();
  await page.getByRole("status").filter({ hasText: "Copied the link." }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(link, page.url());
  const other = await follow(t, link);
  await opened(other, "A sample session");
  await heading(other, "Build the sign-in page").waitFor();
});

test("a link that is typed into the address of the open page is followed", async (t) => {
  const page = await visitSample(t);
  await page.evaluate(() => (location.hash = "#v=problems"));
  await isAt(page, "Problems");
  await page.evaluate(() => (location.hash = "#v=nonsense&zoom=9_1&sel=%zz"));
  await isAt(page, "Conversation");
});

test("the page stays where it was when it is loaded anew", async (t) => {
  const page = await visitSample(t);
  await select(page, "Build the sign-in page");
  await goTo(page, "Agents");
  await page.reload();
  await opened(page, "A sample session");
  await isAt(page, "Agents");
  await heading(page, "Build the sign-in page").waitFor();
});

test("Back and Forward go over views and selections", async (t) => {
  const page = await visitSample(t);
  await select(page, "Build the sign-in page");
  await select(page, "Build the login service");
  await goTo(page, "Reports");
  await goTo(page, "Problems");
  await page.goBack();
  await isAt(page, "Reports");
  await page.goBack();
  await isAt(page, "Conversation");
  await heading(page, "Build the login service").waitFor();
  await page.goBack();
  await heading(page, "Build the sign-in page").waitFor();
  await page.goForward();
  await heading(page, "Build the login service").waitFor();
  await page.goForward();
  await isAt(page, "Reports");
});

test("Back goes over searches", async (t) => {
  const page = await visitSample(t);
  await search(page, "from:ada");
  await found(page, 14);
  await search(page, "from:ben");
  await found(page, 27);
  await page.goBack();
  await found(page, 14);
  assert.equal(await page.getByRole("combobox", { name: "Search" }).inputValue(), "from:ada");
});

test("each view is left and found at the same place", async (t) => {
  const page = await visitSample(t, { viewport: { width: 1280, height: 500 } });
  const main = page.locator("main");
  const tops = {};
  for (const view of ["Reports", "Problems", "Shared"]) {
    await goTo(page, view);
    await page.mouse.move(640, 300);
    await page.mouse.wheel(0, view === "Problems" ? 240 : 420);
    tops[view] = await eventually(async () => {
      const top = await main.evaluate((one) => one.scrollTop);
      assert.ok(top > 100);
      return top;
    });
  }
  for (const [view, top] of Object.entries(tops)) {
    await goTo(page, view);
    await eventually(async () => assert.equal(await main.evaluate((one) => one.scrollTop), top, view));
  }
});

test("the conversation is left and found at the same message", async (t) => {
  const page = await visitSample(t, { viewport: { width: 1280, height: 500 } });
  const first = async () => {
    const edge = (await page.getByRole("feed").boundingBox()).y;
    return page.locator("[data-key]").evaluateAll((all, edge) => {
      const row = all.map((one) => [one.dataset.key, one.getBoundingClientRect()]).filter(([, box]) => box.top >= edge);
      return row.sort((a, b) => a[1].top - b[1].top)[0].map((it) => (typeof it === "string" ? it : Math.round(it.top)));
    }, edge);
  };
  await messages(page).first().waitFor();
  const top = await first();
  await page.getByRole("feed").hover();
  await page.mouse.wheel(0, 700);
  await eventually(async () => assert.notDeepEqual(await first(), top));
  let there = await first();
  // Wheels may turn on for a moment.
  await eventually(async () => {
    const now = await first();
    const same = JSON.stringify(now) === JSON.stringify(there);
    there = now;
    assert.ok(same);
  });
  await goTo(page, "Agents");
  await goTo(page, "Conversation");
  await eventually(async () => assert.deepEqual(await first(), there));
});

test("1 to 6 go to the views", async (t) => {
  const page = await visitSample(t);
  for (const [place, view] of VIEWS.entries()) {
    await page.keyboard.press(String(place + 1));
    await isAt(page, view);
    assert.ok((await page.title()).startsWith(view), await page.title());
  }
});

test("j and k go from message to message, J and K from conversation to conversation", async (t) => {
  const page = await visitSample(t);
  await messages(page).first().waitFor();
  for (const [key, subject] of [
    ["j", "Session started"],
    ["j", "Started"],
    ["k", "Session started"],
  ]) {
    await page.keyboard.press(key);
    await heading(page, subject).waitFor();
  }
  await select(page, "Build the login service");
  for (const [key, subject] of [
    ["J", "Build the sign-in page"],
    ["J", "Review the login service"],
    ["K", "Build the sign-in page"],
  ]) {
    await page.keyboard.press(key);
    await heading(page, subject).waitFor();
  }
  await page.keyboard.press("Escape");
  await details(page).getByText("Select a message to see all of it here.").waitFor();
});

test("Home and End go to the first and the last message, and what is there is right", async (t) => {
  const page = await visit(t);
  const records = Array.from({ length: 20_000 }, (_, at) => ({
    timestamp: new Date(Date.UTC(2025, 0, 1) + at * 1000).toISOString(),
    from: "ann",
    type: "status",
    message: `number ${at + 1} of all`,
  }));
  await openRecords(page, "many.jsonl", records);
  await page.getByRole("feed").focus();
  await page.keyboard.press("End");
  await page.getByText("number 20000 of all", { exact: true }).waitFor();
  const [last, list] = [await page.getByText("number 20000 of all", { exact: true }).boundingBox(), await page.getByRole("feed").boundingBox()];
  assert.ok(last.y + last.height <= list.y + list.height + 1, "the last message is whole in sight");
  await page.keyboard.press("Home");
  await page.getByText("number 1 of all", { exact: true }).waitFor();
  assert.ok((await messages(page).count()) < 400, "only what is near is drawn");
});

test("? shows the keys, / searches, Escape leaves", async (t) => {
  const page = await visitSample(t);
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  for (const word of ["Next message", "Next conversation", "Search", "All commands", "Timeline: zoom in and out"])
    await keys.getByText(word, { exact: true }).waitFor();
  await keys.getByRole("heading", { name: "Searching" }).waitFor();
  await page.keyboard.press("2");
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "detached" });
  await isAt(page, "Conversation");
  await page.keyboard.press("/");
  await page.keyboard.type("j1?");
  assert.equal(await page.getByRole("combobox", { name: "Search" }).inputValue(), "j1?");
  await isAt(page, "Conversation");
});

test("Ctrl+K finds every command by its name", async (t) => {
  const page = await visitSample(t);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Commands" });
  const all = await palette.getByRole("option").count();
  await page.keyboard.type("view prob");
  await eventually(async () => assert.ok((await palette.getByRole("option").count()) < all));
  await page.keyboard.press("Enter");
  await palette.waitFor({ state: "detached" });
  await isAt(page, "Problems");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("from dina");
  await page.keyboard.press("Enter");
  await found(page, 11);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("unicorns");
  await palette.getByText("No command of that name.").waitFor();
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
});

test("details of nothing take no room from views without messages", async (t) => {
  const page = await visitSample(t);
  await details(page).waitFor();
  await goTo(page, "Agents");
  await details(page).waitFor({ state: "hidden" });
  await page.keyboard.press("i");
  await page.getByRole("status").filter({ hasText: "Nothing is selected." }).waitFor();
  await page.keyboard.press("j");
  await heading(page, "Session started").waitFor();
  await page.keyboard.press("i");
  await details(page).waitFor({ state: "hidden" });
});

test("b and i hide the panes and show them again, and the page remembers", async (t) => {
  const page = await visitSample(t);
  const [side, pane] = [page.getByRole("complementary", { name: "Source and filters" }), details(page)];
  await page.keyboard.press("b");
  await side.waitFor({ state: "hidden" });
  await page.keyboard.press("i");
  await pane.waitFor({ state: "hidden" });
  await page.reload();
  await opened(page, "A sample session");
  assert.equal((await side.isVisible()) || (await pane.isVisible()), false);
  await page.getByRole("button", { name: "Details" }).click();
  await pane.waitFor();
});
