// What agents said is read as people read: who said what to whom, what became of it, and where it lies.

import assert from "node:assert/strict";
import { test } from "node:test";
import { details, eventually, goTo, isAt, message, messages, openRecords, select } from "./acts.mjs";
import { visitFixture, visitSample } from "./acts.mjs";
import { visit } from "./harness.mjs";

/** Gives what the message with a subject is said to be, in the words at its end. */
async function fate(page, subject) {
  const row = message(page, subject).first();
  await row.scrollIntoViewIfNeeded();
  return (await row.locator(".marks > *").allInnerTexts()).map((word) => word.trim());
}

/** Gives how far a message is moved in. */
async function edge(page, subject) {
  const row = message(page, subject).filter({ has: page.locator(".subject").getByText(subject, { exact: true }) });
  const box = await row.first().locator(".who").boundingBox();
  return Math.round(box.x);
}

test("threads have a head, and answers are moved in below what they answer", async (t) => {
  const page = await visitFixture(t, "mailbox-by-spec-scripts");
  const head = messages(page).filter({ has: page.getByRole("heading", { name: "Proposed IUserService interface" }) });
  await head.getByText("3 messages in 3 s").waitFor();
  await head.getByText("builder-2").waitFor();
  const ask = await edge(page, "Proposed IUserService interface");
  const answer = await edge(page, "Re: Proposed IUserService interface");
  const last = await edge(page, "Re: Re: Proposed IUserService interface");
  assert.ok(ask < answer && answer < last, `${ask} ${answer} ${last}`);
});

test("a message says from whom to whom, what kind it is, how urgent, and what became of it", async (t) => {
  const page = await visitFixture(t, "troubled-mailbox");
  const row = message(page, "Which port does the gateway use?").first();
  const text = (await row.innerText()).replaceAll("\n", " ");
  for (const word of ["09:10:00", "lead", "coder", "question", "high priority"]) assert.ok(text.includes(word), text);
  assert.match(await row.getAttribute("aria-label"), /^lead to coder, question, priority high: Which port.*overdue/);
});

test("delivery is shown on each message", async (t) => {
  const page = await visitFixture(t, "troubled-mailbox", { viewport: { width: 1280, height: 2400 } });
  const wanted = {
    "Good morning": ["seen"],
    "Which port does the gateway use?": ["crossed", "overdue", "seen"],
    "Smoke test passed": ["unread", "sent"],
    Retested: ["answered"],
    "Tokens live for an hour": ["acked"],
    "Who signs the notes?": ["overdue", "unread", "sent"],
    "Is the lab free?": ["unanswered", "dead"],
  };
  for (const [subject, words] of Object.entries(wanted)) assert.deepEqual(await fate(page, subject), words, subject);
});

test("the same messages are listed by time, without heads", async (t) => {
  const page = await visitFixture(t, "troubled-mailbox", { viewport: { width: 1280, height: 2400 } });
  const times = async () => (await messages(page).locator(".when time").allInnerTexts()).filter(Boolean);
  await eventually(async () => assert.equal((await times()).length, 20));
  assert.equal(await page.locator("[data-first]").count(), 10);
  await page.getByRole("button", { name: "By time" }).click();
  await page.locator("[data-first]").first().waitFor({ state: "detached" });
  await eventually(async () => assert.equal((await times()).length, 20));
  assert.deepEqual(await times(), (await times()).toSorted());
  await page.getByRole("button", { name: "Threads" }).click();
  await page.locator("[data-first]").first().waitFor();
});

test("a message says how long after the one above it was", async (t) => {
  const page = await visitFixture(t, "troubled-mailbox", { viewport: { width: 1600, height: 900 } });
  assert.match(await message(page, "The gateway moves to port 9443").first().locator(".when").innerText(), /\+2 min/);
});

test("a message opens in place, as structure and not as JSON", async (t) => {
  const page = await visitSample(t);
  const row = message(page, "Build the login service").first();
  assert.equal(await row.locator("dl").count(), 0);
  await row.getByRole("button", { name: "What it says" }).click();
  await row.getByRole("term").filter({ hasText: "where" }).waitFor();
  assert.ok((await row.getByRole("definition").allInnerTexts()).includes("services/login"));
  assert.ok(!(await row.innerText()).includes('{"'), await row.innerText());
  await row.getByRole("button", { name: "What it says" }).click();
  await row.getByRole("term").first().waitFor({ state: "detached" });
});

test("a message that is opened in place says what it says in what is open now", async (t) => {
  const page = await visit(t);
  const record = (answer) => ({ timestamp: "2025-01-01T08:00:00Z", from: "ann", to: "bob", type: "request", subject: "The same", payload: { answer } });
  for (const answer of ["forty-one", "forty-two"]) {
    await openRecords(page, "log.jsonl", [record(answer)]);
    await message(page, answer).waitFor();
    await message(page, answer).getByRole("button", { name: "What it says" }).click();
    await page.locator(".opened").getByText(answer, { exact: true }).waitFor();
    assert.equal(await page.locator(".opened").count(), 1);
  }
});

test("long texts and deep structures are folded, and unfold", async (t) => {
  const page = await visit(t);
  const lines = Array.from({ length: 90 }, (_, at) => `line number ${at + 1}`).join("\n");
  const deep = { a: { b: { c: { d: { e: { f: "the bottom of it" } } } } } };
  await openRecords(page, "long.jsonl", [
    { timestamp: "2025-01-01T00:00:00Z", from: "ann", to: "bob", type: "data", subject: "Long", content: { lines, deep } },
  ]);
  await select(page, "Long");
  const pane = details(page);
  assert.ok(!(await pane.locator(".said-whole").innerText()).includes("line number 90"));
  await pane.getByRole("button", { name: "Show all 90 lines" }).click();
  await pane.locator(".said-whole").getByText("line number 90").waitFor();
  assert.equal(await pane.locator(".said-whole").getByText("the bottom of it").count(), 0);
  await pane.locator(".said-whole details:not([open]) > summary").click();
  await pane.locator(".said-whole").getByText("the bottom of it").waitFor();
});

test("details have the message whole: its file and offset, its record, its thread, what it answers and what answered it", async (t) => {
  const page = await visitSample(t);
  await select(page, "How long does a session last?");
  const pane = details(page);
  await pane.getByText("2026-03-12 09:12:00").first().waitFor();
  await pane.getByText("The design does not say.").first().waitFor();
  await pane.getByText("Record as written").click();
  const record = pane.getByLabel("The record as it was written");
  const parsed = JSON.parse(await record.innerText());
  assert.equal(parsed.subject, "How long does a session last?");
  await pane.getByText(/at byte 0, \d+ bytes/).waitFor();
  await pane.getByRole("heading", { name: "Delivery" }).waitFor();
  await pane.getByRole("heading", { name: /^Conversation/ }).waitFor();
  const answered = pane.locator("section").filter({ has: page.getByRole("heading", { name: "Answered by" }) });
  await answered.getByRole("button", { name: /Re: How long/ }).click();
  await pane.getByRole("heading", { level: 2, name: "Re: How long does a session last?" }).waitFor();
  const answers = pane.locator("section").filter({ has: page.getByRole("heading", { name: "Answers" }) });
  await answers.getByRole("button", { name: /How long does a session last\?/ }).waitFor();
});

test("the file of a message opens at its place", async (t) => {
  const page = await visitFixture(t, "troubled-session");
  await select(page, "Debug endpoint is open");
  await details(page).getByRole("button", { name: /messages\.jsonl$/ }).click();
  const file = page.getByRole("dialog", { name: /messages\.jsonl$/ });
  await file.getByText("Debug endpoint is open").waitFor();
  await file.getByRole("button", { name: "Close" }).click();
  await file.waitFor({ state: "detached" });
});

test("agents: who sent and got how much, and what waits for them", async (t) => {
  const page = await visitFixture(t, "troubled-mailbox");
  await goTo(page, "Agents");
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "coder" }) }).first();
  const cells = (await row.getByRole("cell").allInnerTexts()).map((text) => text.trim());
  assert.match(cells[0], /active/);
  assert.deepEqual(cells.slice(1, 5), ["2", "1", "5", "8"]);
  await row.getByRole("button", { name: "1 overdue by coder" }).click();
  await isAt(page, "Conversation");
  await message(page, "Which port does the gateway use?").waitFor();
  assert.equal(await page.getByRole("combobox", { name: "Search" }).inputValue(), "to:coder is:overdue");
});

test("agents: who talks to whom, counted, and each count leads to the messages", async (t) => {
  const page = await visitFixture(t, "troubled-mailbox");
  await goTo(page, "Agents");
  await page.getByRole("heading", { name: "Who talks to whom" }).waitFor();
  await page.getByRole("button", { name: "5 messages from lead to coder" }).waitFor();
  await page.getByRole("button", { name: "2 messages from coder to tester" }).click();
  await isAt(page, "Conversation");
  await page.locator("[data-found]").getByText("2 found").waitFor();
  await message(page, "Retest after the fix").waitFor();
});

test("agents: who waits for whom is drawn, and told in words", async (t) => {
  const page = await visitSample(t);
  await goTo(page, "Agents");
  const words = page.locator("section").filter({ has: page.getByRole("heading", { name: "Who waits for whom" }) });
  const told = (await words.getByRole("listitem").allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
  assert.ok(told.includes("eli waits for cleo, dina"), told.join("\n"));
  const drawing = page.getByRole("region", { name: "Drawing of who waits for whom" });
  for (const name of ["ada", "ben", "cleo", "dina", "eli"]) await drawing.getByText(name, { exact: true }).waitFor();
  const left = async (name) => (await drawing.getByText(name, { exact: true }).boundingBox()).x;
  assert.ok((await left("ada")) < (await left("ben")) && (await left("ben")) < (await left("dina")), "from left to right");
});

test("reports: findings by severity with their location, and what to do", async (t) => {
  const page = await visitSample(t);
  await goTo(page, "Reports");
  const groups = (await page.locator("h3.group").allInnerTexts()).map((text) => text.replace(/\s+/g, " ").replace(/^\S\s?/, ""));
  assert.deepEqual(groups, ["1 high", "2 medium", "3 low"]);
  const card = page.getByRole("article").filter({ has: page.getByRole("heading", { name: "Anybody can lock anybody out" }) });
  await card.getByText("services/login/src/lockout.rs:41").waitFor();
  await card.getByText("Count by account and address").waitFor();
  await card.getByLabel("Example").getByText("attempts.count").waitFor();
  await page.getByRole("group", { name: "Severity" }).getByRole("button", { name: "low" }).click();
  await card.waitFor({ state: "detached" });
  assert.equal(await page.locator("article.finding").count(), 3);
  await page.getByRole("group", { name: "Agent" }).getByRole("button", { name: "ada" }).click();
  await eventually(async () => assert.equal(await page.locator("article.finding").count(), 1));
});

test("reports: next actions, summaries, and artifacts that open or are said to be missing", async (t) => {
  const page = await visitSample(t);
  await goTo(page, "Reports");
  await page.getByRole("listitem").filter({ hasText: "Limit concurrent hashing" }).getByText("ben").waitFor();
  await page.getByText("Login, logout and /me work and are tested").waitFor();
  await page.getByRole("listitem").filter({ hasText: "data/coverage.json" }).getByText("missing").waitFor();
  await page.getByRole("main").getByRole("button", { name: /login-benchmark\.json/ }).click();
  const file = page.getByRole("dialog", { name: /login-benchmark\.json$/ });
  await file.getByText(/"clients"|\{/).first().waitFor();
  await page.keyboard.press("Escape");
  await file.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Open the report of dina" }).click();
  await page.getByRole("dialog").getByText("Anybody can lock anybody out").waitFor();
});

test("shared: handoffs with what was decided, and what is in them", async (t) => {
  const page = await visitSample(t);
  await goTo(page, "Shared");
  const card = page.getByRole("article").filter({ has: page.getByRole("heading", { name: "Review the login service" }) });
  await card.getByText(/accepted$/).first().waitFor();
  assert.match((await card.innerText()).replace(/\s+/g, " "), /ben → dina.*accepted by dina/);
  await card.getByText("acceptance-checklist").click();
  await card.locator("details[open]").waitFor();
  await card.getByRole("button", { name: /threats\.md/ }).click();
  await page.getByRole("dialog", { name: /threats\.md$/ }).waitFor();
});

test("shared: a context has its versions, and what each added", async (t) => {
  const page = await visitSample(t);
  await goTo(page, "Shared");
  const card = page.getByRole("article").filter({ has: page.getByRole("heading", { name: "login-api" }) });
  const versions = card.getByRole("list", { name: "Versions" }).getByRole("button");
  assert.equal(await versions.count(), 4);
  await card.getByText("GET /me").waitFor();
  await versions.filter({ hasText: "ben" }).click();
  await card.getByText("Retry-After").waitFor();
  await card.getByText("GET /me").waitFor({ state: "detached" });
  await card.getByRole("button", { name: "All of it" }).click();
  await card.getByText("GET /me").waitFor();
});

test("shared: a handoff or a version that says little has no empty words", async (t) => {
  const page = await visitFixture(t, "mailbox-by-spec-scripts");
  await goTo(page, "Shared");
  const empty = await page.locator("main :is(h2, h3, h4, button)").evaluateAll((all) => all.filter((one) => one.innerText.trim() === "").length);
  assert.equal(empty, 0, "headings and buttons without a word");
});

test("problems say what is wrong, how bad it is, and what to do", async (t) => {
  const page = await visitFixture(t, "troubled-mailbox");
  const badge = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Problems" });
  assert.match((await badge.innerText()).replace(/\s+/g, " "), /Problems 4/);
  await goTo(page, "Problems");
  const main = page.getByRole("main");
  for (const severity of ["4 errors", "16 warnings", "5 notes"]) await main.getByRole("heading", { name: severity }).waitFor();
  await main.getByText("lead sent it to writer, and writer has no copy of it anywhere").waitFor();
  await main.getByText('send it again: huddle send writer "Write the release notes" --as lead').waitFor();
});

test("damage is told byte by byte", async (t) => {
  const page = await visitFixture(t, "damaged-log");
  await goTo(page, "Problems");
  const table = page.getByRole("table", { name: /bytes in all/ });
  await table.waitFor();
  const rows = {};
  for (const row of await table.getByRole("row").all()) {
    const [name, bytes] = [row.getByRole("rowheader"), row.getByRole("cell").first()];
    rows[(await name.innerText()).trim()] = Number((await bytes.innerText()).replace(/\D/g, ""));
  }
  assert.equal(Object.values(rows).reduce((sum, bytes) => sum + bytes, 0), 1505, JSON.stringify(rows));
  assert.ok(rows.Recovered > 0 && rows["Set aside"] > 0, JSON.stringify(rows));
  await page.getByRole("listitem").filter({ hasText: /^\d+ stood on one line with another$/ }).waitFor();
});

test("a problem leads to the message, and to the bytes", async (t) => {
  const page = await visitSample(t);
  await goTo(page, "Problems");
  const problem = page.getByRole("listitem").filter({ hasText: "70 bytes cannot be read" });
  await problem.getByRole("button", { name: /^Open the file here/ }).click();
  const file = page.getByRole("dialog", { name: /messages\.jsonl$/ });
  await file.locator("pre").filter({ hasText: /timestamp/ }).waitFor();
  await page.keyboard.press("Escape");
  const crossed = page.getByRole("listitem").filter({ hasText: "neither knows of the other" });
  await crossed.getByRole("button", { name: /^Go there/ }).click();
  await isAt(page, "Conversation");
  await details(page).getByRole("heading", { level: 2, name: /Please send errors as|Errors will be/ }).waitFor();
});

test("every problem leads to its place", async (t) => {
  const page = await visitFixture(t, "troubled-mailbox");
  await goTo(page, "Problems");
  const lost = await page.locator(".problems > li").evaluateAll((all) =>
    all
      .filter((one) => ![...one.querySelectorAll("button")].some((button) => /^(Go there|Open the file)/.test(button.textContent)))
      .map((one) => one.querySelector("code").textContent),
  );
  assert.deepEqual(lost, []);
});

test("where there is nothing, the page says what would be there", async (t) => {
  const page = await visitFixture(t, "plain-log");
  for (const [view, words] of [["Reports", "No reports."], ["Shared", "Nothing is shared."]]) {
    await goTo(page, view);
    await page.getByRole("main").getByText(words).waitFor();
  }
});
