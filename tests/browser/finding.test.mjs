// Everything is searched, counted exactly, marked wherever it is shown, and can be taken along.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { details, eventually, found, goTo, message, messages, openRecords, search, select } from "./acts.mjs";
import { visitFixture, visitSample } from "./acts.mjs";
import { fixture, visit } from "./harness.mjs";

const box = (page) => page.getByRole("combobox", { name: "Search" });

/** A log that a test can count in itself: far more than is ever drawn. */
const RECORDS = Array.from({ length: 5_000 }, (_, at) => ({
  timestamp: new Date(Date.UTC(2025, 0, 1, 8) + at * 7_000).toISOString(),
  from: ["ann", "bob", "cleo", "dan e"][(at * 7) % 4],
  type: at % 250 === 249 ? "error" : ["status", "data", "finding"][at % 3],
  severity: ["high", "medium", "low", "none", "none"][at % 5],
  message: `step ${at} of the ${at % 11 === 0 ? "deploy" : "build"} ${at % 97 === 0 ? "Time-out" : "went well"}`,
}));

async function visitRecords(t, options) {
  const page = await visit(t, options);
  await openRecords(page, "counted.jsonl", RECORDS);
  return page;
}

test("a search counts exactly what there is, drawn or not", async (t) => {
  const page = await visitRecords(t);
  const cases = {
    deploy: ({ message }) => message.includes("deploy"),
    "from:ann": ({ from }) => from === "ann",
    'from:"dan e"': ({ from }) => from === "dan e",
    "type:error": ({ type }) => type === "error",
    "-from:ann deploy": ({ from, message }) => from !== "ann" && message.includes("deploy"),
    "(from:bob OR from:cleo) severity:high": ({ from, severity }) => ["bob", "cleo"].includes(from) && severity === "high",
    "/time-?out/i": ({ message }) => /time-?out/i.test(message),
    '"went well"': ({ message }) => message.includes("went well"),
    "after:2025-01-01T12:00 before:2025-01-01T13:00": ({ timestamp }) =>
      timestamp >= "2025-01-01T12:00:00.000Z" && timestamp < "2025-01-01T13:00:00.000Z",
    nowhere: () => false,
  };
  for (const [query, is] of Object.entries(cases)) {
    await search(page, query);
    await found(page, RECORDS.filter(is).length.toLocaleString("en"));
  }
});

test("counts of the fixture agree with its files", async (t) => {
  const page = await visitFixture(t, "plain-log");
  const files = ["gateway.jsonl", "planner.jsonl", "workers.ndjson"].map((name) => readFile(fixture(`plain-log/${name}`), "utf8"));
  const lines = (await Promise.all(files)).flatMap((text) => text.trim().split("\n"));
  for (const word of ["task", "GET", "slow"]) {
    await search(page, word);
    await found(page, lines.filter((line) => JSON.parse(line).msg?.includes(word) || JSON.parse(line).text?.includes(word) || JSON.parse(line).message?.includes(word)).length);
  }
});

test("a query is completed with the keyboard", async (t) => {
  const page = await visitRecords(t);
  await page.keyboard.press("/");
  assert.equal(await box(page).evaluate((one) => one === document.activeElement), true);
  await box(page).pressSequentially("fro");
  await page.getByRole("option", { name: "from:" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: "from:", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "bob" }).waitFor();
  await box(page).pressSequentially("b");
  await page.getByRole("option", { name: "cleo" }).waitFor({ state: "detached" });
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  assert.equal((await box(page).inputValue()).trim(), "from:bob");
  await found(page, "1,250");
  assert.equal(await box(page).getAttribute("aria-expanded"), "false");
});

test("a choice that is pointed at stays so when a later answer comes", async (t) => {
  const page = await visitRecords(t);
  await box(page).pressSequentially("f");
  await page.getByRole("option", { name: "from:" }).waitFor();
  // In one task: the worker cannot answer to the second letter before the arrow is pressed.
  await box(page).evaluate((one) => {
    one.value = "fr";
    one.dispatchEvent(new InputEvent("input", { bubbles: true }));
    one.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }));
  });
  await page.getByRole("option", { name: "file:" }).waitFor({ state: "detached" });
  await page.getByRole("option", { name: "from:", selected: true }).waitFor();
});

test("choices leave with Escape, and the query stays", async (t) => {
  const page = await visitRecords(t);
  await box(page).pressSequentially("ty");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("option").first().waitFor({ state: "detached" });
  assert.equal(await box(page).inputValue(), "ty");
});

test("a query that cannot be understood is shown with the place where", async (t) => {
  const page = await visitRecords(t);
  await search(page, "from:ann (deploy");
  await page.locator("#misread mark").waitFor();
  assert.equal(await box(page).getAttribute("aria-invalid"), "true");
  const told = await page.locator("#misread").innerText();
  assert.ok(told.length > "from:ann (deploy".length, told);
  assert.equal(await page.locator("#misread mark").evaluate((mark) => mark.previousSibling.textContent), "from:ann ");
  await search(page, "from:ann (deploy)");
  await page.locator("#misread").waitFor({ state: "detached" });
  assert.equal(await box(page).getAttribute("aria-invalid"), "false");
});

test("only hits are listed, if that is wanted: by time alone, in threads with what they belong to", async (t) => {
  const page = await visitFixture(t, "troubled-mailbox", { viewport: { width: 1280, height: 2400 } });
  await search(page, "gateway");
  await found(page, 5);
  await page.keyboard.press("Escape");
  await page.getByRole("region", { name: "What is found" }).getByRole("button", { name: "Only hits" }).click();
  await message(page, "Good morning").waitFor({ state: "detached" });
  const heads = await page.locator("[data-first]").evaluateAll((all) => all.map((head) => head.ariaLabel));
  assert.ok(heads.length > 0 && heads.every((said) => / found$/.test(said)), heads.join("\n"));
  await page.getByRole("button", { name: "By time" }).click();
  await eventually(async () => assert.equal(await page.locator("[data-key]").count(), 5));
  assert.equal(await page.locator("[data-key].hit").count(), 5);
  await page.keyboard.press("o");
  await eventually(async () => assert.equal(await page.locator("[data-key]").count(), 20));
});

test("when nothing is found the list says so, and leads back", async (t) => {
  const page = await visitFixture(t, "plain-log");
  await search(page, "unicorn");
  await found(page, 0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("o");
  await page.getByText("No message is found by").waitFor();
  await page.getByRole("button", { name: "Show all messages" }).click();
  await messages(page).first().waitFor();
});

test("next and previous go from hit to hit, and say when there is none", async (t) => {
  const page = await visitFixture(t, "plain-log");
  await search(page, "from:planner");
  await found(page, 4);
  await page.keyboard.press("Escape");
  const subjects = ["queue opened", "task 17 given to worker-1", "task 17 is slow", "task 17 timed out after 5 s"];
  const heading = (name) => details(page).getByRole("heading", { level: 2, name, exact: true }).waitFor();
  for (const subject of subjects) {
    await page.keyboard.press("n");
    await heading(subject);
  }
  await page.keyboard.press("n");
  await page.getByRole("status").filter({ hasText: "No further hit." }).waitFor();
  await page.keyboard.press("N");
  await heading(subjects[2]);
  await page.keyboard.press("[");
  await heading(subjects[1]);
  await page.keyboard.press("]");
  await heading(subjects[2]);
  // Where brackets take another key, some systems tell of it as Control and Alt.
  const written = { key: "[", ctrlKey: true, altKey: true, modifierAltGraph: true, bubbles: true };
  await page.evaluate((written) => document.body.dispatchEvent(new KeyboardEvent("keydown", written)), written);
  await heading(subjects[1]);
  await page.keyboard.press("]");
  await heading(subjects[2]);
  await page.getByRole("button", { name: "Next hit" }).click();
  await heading(subjects[3]);
  await page.getByRole("button", { name: "Previous hit" }).click();
  await heading(subjects[2]);
});

test("hits are marked in the list", async (t) => {
  const page = await visitFixture(t, "troubled-mailbox", { viewport: { width: 1280, height: 2400 } });
  await search(page, "from:tester");
  await found(page, 4);
  await eventually(async () => assert.equal(await page.locator("[data-key].hit").count(), 4));
  assert.match(await message(page, "Retested").first().getAttribute("aria-label"), /found$/);
  const [hit, other] = [message(page, "Retested").first(), message(page, "Good morning").first()];
  const look = (row) => row.evaluate((one) => JSON.stringify([getComputedStyle(one).backgroundColor, getComputedStyle(one).boxShadow, getComputedStyle(one).borderLeft]));
  assert.notEqual(await look(hit), await look(other), "a hit looks different");
});

test("hits are marked in the timeline", async (t) => {
  const page = await visitFixture(t, "plain-log");
  await goTo(page, "Timeline");
  const before = await page.locator("canvas.tl-canvas").screenshot();
  await search(page, "from:planner");
  await found(page, 4);
  await eventually(async () => assert.ok(!before.equals(await page.locator("canvas.tl-canvas").screenshot())));
  await page.getByRole("button", { name: "As a table" }).click();
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "planner" }) });
  const column = (await page.getByRole("columnheader").allInnerTexts()).indexOf("Found") - 1;
  await eventually(async () => assert.equal(await row.getByRole("cell").nth(column).innerText(), "4"));
  await row.getByRole("button", { name: "planner" }).click();
  await page.locator(".tl-messages").getByText("found", { exact: true }).first().waitFor();
});

test("hits are marked with agents, in reports, in what is shared, with problems and in details", async (t) => {
  const page = await visitSample(t);
  const mark = (within) => within.getByText("found", { exact: true });
  const main = page.getByRole("main");
  await select(page, "Build the login service");
  await goTo(page, "Agents");
  assert.equal(await main.getByRole("columnheader", { name: "Found" }).count(), 0);
  await search(page, "from:dina");
  await found(page, 11);
  await main.getByRole("button", { name: "11 found by dina" }).waitFor();
  await goTo(page, "Reports");
  const logged = main.locator(".found-row");
  await eventually(async () => assert.ok((await mark(logged).count()) > 0 && (await mark(logged).count()) < (await logged.count())));
  await goTo(page, "Problems");
  await mark(main.getByRole("listitem").filter({ hasText: "ada has not answered dina" })).waitFor();
  assert.equal(await mark(details(page)).count(), 0);
  await search(page, "type:handoff_request OR type:task_assignment");
  await mark(details(page)).first().waitFor();
  await goTo(page, "Shared");
  await mark(main.getByRole("article").filter({ hasText: "ben → dina" })).waitFor();
  assert.equal(await mark(main.locator("[data-context]")).count(), 0);
  await goTo(page, "Agents");
  const ofAda = main.getByRole("button", { name: /^\d+ found by ada$/ });
  const many = Number(await ofAda.innerText());
  await ofAda.click();
  await found(page, many);
});

test("e and E go from error to error", async (t) => {
  const page = await visitFixture(t, "troubled-session");
  const heading = (name) => details(page).getByRole("heading", { level: 2, name }).waitFor();
  await page.keyboard.press("e");
  await heading("The migration failed on table orders");
  await page.keyboard.press("e");
  await heading("The profiler crashed");
  await page.keyboard.press("e");
  await page.getByRole("status").filter({ hasText: "No further error." }).waitFor();
  await page.keyboard.press("E");
  await heading("The migration failed on table orders");
});

test("a click on an agent, a state or a kind searches for it, and another takes it back", async (t) => {
  const page = await visitFixture(t, "troubled-mailbox");
  const side = page.getByRole("complementary", { name: "Source and filters" });
  await side.getByRole("button", { name: /^unread/ }).click();
  await found(page, 10);
  await side.getByRole("button", { name: /^coder/ }).click();
  await eventually(async () => assert.match(await box(page).inputValue(), /is:unread.*from:coder|from:coder.*is:unread/));
  assert.equal(await side.getByRole("button", { name: /^coder/ }).getAttribute("aria-pressed"), "true");
  await side.getByRole("button", { name: /^coder/ }).click();
  await found(page, 10);
  await page.getByRole("button", { name: "Clear the search" }).click();
  await eventually(async () => assert.equal(await page.locator("[data-found]").innerText(), ""));
});

/** Saves, and gives the name and the text of the file. */
async function saved(page, name) {
  await page.locator("summary").filter({ hasText: "Save" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name }).click();
  const file = await download;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

test("what is found is saved as JSONL, record for record", async (t) => {
  const page = await visitRecords(t);
  await search(page, "from:bob deploy");
  const wanted = RECORDS.filter(({ from, message }) => from === "bob" && message.includes("deploy"));
  await found(page, wanted.length);
  const { name, text } = await saved(page, "What is found as JSONL");
  assert.match(name, /\.jsonl$/);
  assert.deepEqual(text.trimEnd().split("\n").map((line) => JSON.parse(line)), wanted);
  await page.getByRole("status").filter({ hasText: `Saved ${name}.` }).waitFor();
});

test("what is found is saved as Markdown, and without a search everything", async (t) => {
  const page = await visitFixture(t, "plain-log");
  const all = await saved(page, "Everything as JSONL");
  assert.equal(all.text.trimEnd().split("\n").length, 11);
  await search(page, "from:planner");
  await found(page, 4);
  const { name, text } = await saved(page, "What is found as Markdown");
  assert.match(name, /\.md$/);
  for (const word of ["queue opened", "task 17 is slow", "planner"]) assert.ok(text.includes(word), text);
  assert.ok(!text.includes("listening on port"), text);
});

test("a message is copied where the browser has no clipboard for pages, as over plain http", async (t) => {
  const page = await visitSample(t);
  await page.evaluate(() => Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined }));
  await select(page, "How long does a session last?");
  await page.keyboard.press("c");
  await page.getByRole("status").filter({ hasText: "Copied the message." }).waitFor();
  await box(page).focus();
  await page.keyboard.press("Control+V");
  await eventually(async () => assert.match(await box(page).inputValue(), /How long does a session last\?/));
});

test("words that are not understood are said to be so when the box is gone to", async (t) => {
  const page = await visitSample(t);
  await search(page, "(from:ann");
  await page.locator("#misread").waitFor();
  await page.reload();
  await page.locator("search[data-misread]").waitFor();
  assert.equal(await page.locator("#misread").count(), 0, "it is not over what is read");
  await box(page).focus();
  await page.locator("#misread strong").waitFor();
});

test("what is searched for in vain is named, and so is the next", async (t) => {
  const page = await visitSample(t);
  await search(page, "unicorn");
  await page.getByRole("button", { name: "Only hits" }).click();
  await page.getByText("No message is found by").filter({ hasText: "unicorn" }).waitFor();
  await search(page, "dragon");
  await page.getByText("No message is found by").filter({ hasText: "dragon" }).waitFor();
});

test("a message, its thread and a finding are copied as Markdown", async (t) => {
  const page = await visitSample(t, { permissions: ["clipboard-read", "clipboard-write"] });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await select(page, "How long does a session last?");
  await page.keyboard.press("c");
  await page.getByRole("status").filter({ hasText: "Copied the message." }).waitFor();
  const one = await copied();
  assert.match(one, /How long does a session last\?[\s\S]*The design does not say/);
  assert.match(one, /ben/);
  await details(page).getByRole("button", { name: "Copy thread" }).click();
  await page.getByRole("status").filter({ hasText: "Copied the conversation." }).waitFor();
  assert.match(await copied(), /How long does a session last\?[\s\S]*24 hours, renewed on use/);
  await goTo(page, "Reports");
  await page.getByRole("button", { name: "Copy Anybody can lock anybody out as Markdown" }).click();
  await page.getByRole("status").filter({ hasText: "Copied the finding." }).waitFor();
  assert.match(await copied(), /Anybody can lock anybody out[\s\S]*lockout\.rs:41/);
  await goTo(page, "Problems");
  await page.getByRole("button", { name: /^Copy .*70 bytes.* as Markdown/ }).click();
  await page.getByRole("status").filter({ hasText: "Copied the problem." }).waitFor();
  assert.match(await copied(), /messages\.jsonl/);
});
