// A directory is followed: what agents write appears, and moves nobody who reads something else.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, goTo, isAt, message, messages, opened, select } from "./acts.mjs";
import { fixture, opfsDirectory, visit } from "./harness.mjs";

const LOG = ".claude/agents/context/release-review/messages.jsonl";

/** Writes a line as an agent does. */
const line = (at, text) =>
  `${JSON.stringify({ timestamp: `2025-03-04T10:${at}Z`, from: "late-comer", type: "status", message: text })}\n`;

/** Opens a directory that can change. */
async function visitLive(t, name, options) {
  const page = await visit(t, options);
  const directory = await opfsDirectory(page, fixture(name));
  await page.getByRole("button", { name: "Open a directory" }).click();
  await opened(page, name);
  await page.getByRole("banner").getByText("live", { exact: true }).waitFor();
  return { page, directory };
}

test("whoever is at the end sees what is new at once", async (t) => {
  const { page, directory } = await visitLive(t, "troubled-session", { viewport: { width: 1280, height: 420 } });
  await page.getByRole("feed").focus();
  await page.keyboard.press("End");
  await eventually(async () => assert.ok(await messages(page).last().isVisible()));
  await directory.append(LOG, line("00:00", "here at last"));
  const row = message(page, "here at last");
  await row.waitFor();
  await eventually(async () => {
    const [box, list] = [await row.boundingBox(), await page.getByRole("feed").boundingBox()];
    assert.ok(box.y + box.height <= list.y + list.height + 1, "it is whole in sight");
  });
  assert.equal(await page.getByRole("button", { name: /new$/ }).count(), 0);
});

test("a directory that is gone is said not to be followed any more, and stays as it was", async (t) => {
  const { page } = await visitLive(t, "troubled-session");
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    for await (const name of root.keys()) await root.removeEntry(name, { recursive: true });
  });
  await page.getByRole("alert").filter({ hasText: "nothing new appears" }).waitFor({ timeout: 30_000 });
  await page.getByRole("banner").getByText("live", { exact: true }).waitFor({ state: "detached" });
  await message(page, "Planning the release review").waitFor();
});

test("j speaks the message that it selects to whoever hears the page", async (t) => {
  const { page } = await visitLive(t, "troubled-session");
  await page.keyboard.press("j");
  await eventually(async () => assert.ok(await page.evaluate(() => document.activeElement.closest("[data-key]"))));
});

test("whoever reads something else is told how much is new, and is not moved", async (t) => {
  const { page, directory } = await visitLive(t, "troubled-session", { viewport: { width: 1280, height: 420 } });
  await select(page, "Planning the release review");
  const place = () => message(page, "Planning the release review").boundingBox();
  const before = await place();
  await directory.append(LOG, line("00:00", "one more"));
  await page.getByRole("button", { name: "1 new" }).waitFor();
  await directory.append(LOG, line("00:01", "and another") + line("00:02", "and the last"));
  await page.getByRole("button", { name: "3 new" }).waitFor();
  assert.deepEqual(await place(), before);
  await page.getByRole("button", { name: "3 new" }).click();
  await message(page, "and the last").waitFor();
  await page.getByRole("button", { name: /new$/ }).waitFor({ state: "detached" });
});

test("what is new in an earlier conversation is gone to, and not taken for seen before", async (t) => {
  const { page, directory } = await visitLive(t, "troubled-mailbox", { viewport: { width: 1280, height: 380 } });
  const answer = (id, to, subject) => {
    const mail = { message_id: id, timestamp: "2025-11-29T11:00:00Z", from_agent: "coder", to_agent: "lead", message_type: "response", priority: "normal", subject, payload: {}, requires_response: false, in_reply_to: to };
    return directory.write(`.agent-messages/inbox/lead/${id}.json`, JSON.stringify(mail));
  };
  await page.getByRole("feed").focus();
  await page.keyboard.press("End");
  await eventually(async () => assert.ok(await messages(page).last().isVisible()));
  await answer("msg_20251129_110000_fresh1", "msg_20251129_091000_ask001", "It is port 8080");
  const fresh = page.getByRole("button", { name: "1 new" });
  await fresh.waitFor();
  assert.ok(!(await inSight(page, message(page, "It is port 8080"))));
  await fresh.click();
  await eventually(async () => assert.ok(await inSight(page, message(page, "It is port 8080"))));
  await fresh.waitFor({ state: "detached" });
});

/** Tells whether a row is whole in sight. */
async function inSight(page, row) {
  if ((await row.count()) === 0) return false;
  const [box, list] = [await row.first().boundingBox(), await page.getByRole("feed").boundingBox()];
  return box.y >= list.y - 1 && box.y + box.height <= list.y + list.height + 1;
}

test("counts, agents and problems keep up with what is written", async (t) => {
  const { page, directory } = await visitLive(t, "troubled-session");
  const side = page.getByRole("complementary", { name: "Source and filters" });
  await side.getByText("17 messages", { exact: true }).waitFor();
  await goTo(page, "Agents");
  await directory.append(LOG, `${line("00:00", "here at last")}this is not JSON\n`);
  await side.getByText("18 messages", { exact: true }).waitFor();
  await page.getByRole("main").getByRole("rowheader", { name: "late-comer" }).waitFor();
  await isAt(page, "Agents");
  await goTo(page, "Problems");
  await page.getByRole("main").getByText("damaged-line").waitFor();
});

test("a line that is being written is taken when it is whole", async (t) => {
  const { page, directory } = await visitLive(t, "troubled-session");
  const whole = line("00:00", "slowly written");
  await goTo(page, "Problems");
  await directory.append(LOG, whole.slice(0, 40));
  await page.getByRole("main").getByRole("row", { name: /^Being written 40 bytes/ }).waitFor();
  assert.equal(await page.getByRole("main").getByText("damaged-line").count(), 0, "it is not damage");
  await directory.append(LOG, whole.slice(40));
  await page.getByRole("main").getByRole("row", { name: /^Being written/ }).waitFor({ state: "detached" });
  await goTo(page, "Conversation");
  await page.keyboard.press("End");
  await message(page, "slowly written").waitFor();
});

test("a new file of a mailbox is a new message, and a mark that it was read is seen", async (t) => {
  const { page, directory } = await visitLive(t, "troubled-mailbox", { viewport: { width: 1280, height: 2600 } });
  const mail = {
    message_id: "msg_20251129_110000_fresh1",
    timestamp: "2025-11-29T11:00:00Z",
    from_agent: "coder",
    to_agent: "lead",
    message_type: "question",
    priority: "high",
    subject: "May I merge?",
    payload: { branch: "main" },
    requires_response: false,
  };
  const path = `.agent-messages/inbox/lead/${mail.message_id}.json`;
  await directory.write(path, JSON.stringify(mail));
  const row = message(page, "May I merge?");
  await row.getByText("unread", { exact: true }).waitFor();
  await directory.write(`${path}.read`, "2025-11-29T11:01:00Z\n");
  await row.getByText("unread", { exact: true }).waitFor({ state: "detached" });
  await row.getByText("seen", { exact: true }).waitFor();
});

test("what is opened in place and selected stays so while more arrives", async (t) => {
  const { page, directory } = await visitLive(t, "troubled-session");
  await select(page, "Debug endpoint is open");
  await message(page, "Debug endpoint is open").getByRole("button", { name: "What it says" }).click();
  await message(page, "Debug endpoint is open").locator(".opened").waitFor();
  await directory.append(LOG, line("00:00", "one more"));
  await page.getByText("18 messages", { exact: true }).first().waitFor();
  await message(page, "Debug endpoint is open").locator(".opened").waitFor();
  await page.locator('[data-key][aria-current="true"]').filter({ hasText: "Debug endpoint is open" }).waitFor();
});
