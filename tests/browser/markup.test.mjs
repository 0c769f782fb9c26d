// Data is text: whatever agents write, nothing of it is ever taken for markup or run.

import assert from "node:assert/strict";
import { test } from "node:test";
import { details, goTo, message, opened, search, VIEWS } from "./acts.mjs";
import { seen, strayRequests, visit } from "./harness.mjs";

const EVIL = '<script>window.__hit="script"</script><img src=x onerror="window.__hit=1"><b id=bold>bold</b>';
const LINK = "javascript:window.__hit='link'";
const TEXT = `${EVIL} <a href="${LINK}">[click](${LINK})</a> \u202egnp.exe {{7*7}} \${7*7}`;

/** A project in which everything that can have a text has this one: names, subjects, bodies, keys, paths, problems. */
function project() {
  const at = (minute) => `2025-05-06T08:${String(minute).padStart(2, "0")}:00Z`;
  const session = ".claude/agents/context/evil";
  const mail = (id, more) => ({
    message_id: id,
    timestamp: at(3),
    from_agent: EVIL,
    to_agent: "bob",
    message_type: EVIL,
    priority: EVIL,
    subject: TEXT,
    payload: { [EVIL]: TEXT, nested: [{ [LINK]: TEXT }] },
    ...more,
  });
  const log = [
    { timestamp: at(1), from: EVIL, type: "finding", severity: "high", title: TEXT, message: TEXT, [EVIL]: TEXT },
    { timestamp: at(2), from: "bob", type: EVIL, message: TEXT },
    { timestamp: at(4), from: "bob", type: "data", message: TEXT, file: `data/${EVIL}.json` },
    { timestamp: at(5), from: EVIL, to: EVIL, type: "error", message: TEXT },
  ];
  const report = {
    agent: EVIL,
    status: EVIL,
    timestamp: at(6),
    summary: TEXT,
    findings: [{ type: "issue", severity: "high", title: TEXT, description: TEXT, location: LINK, recommendation: TEXT, example: TEXT }],
    metrics: { [EVIL]: TEXT },
    next_actions: [TEXT],
    data_artifacts: [`data/${EVIL}.json`],
  };
  const coordination = {
    session_id: EVIL,
    started: at(0),
    agents: { [EVIL]: { status: EVIL, progress: TEXT, dependencies: ["bob", LINK] }, bob: { status: "waiting", dependencies: [EVIL] } },
  };
  const registry = { agents: { bob: { agent_id: "bob", role: TEXT, status: EVIL } } };
  const handoff = { handoff_id: "h1", from_agent: EVIL, to_agent: "bob", task: TEXT, status: EVIL, timestamp: at(7), notes: TEXT };
  const json = (value) => JSON.stringify(value, null, 1);
  return {
    ".agent-messages/inbox/bob/msg_1.json": json(mail("msg_1")),
    ".agent-messages/inbox/bob/msg_2.json": json(mail("msg_2", { in_reply_to: "msg_1", thread_id: EVIL })),
    ".agent-messages/inbox/bob/torn.json": `{"message_id": "${EVIL}`,
    ".agent-messages/registry.json": json(registry),
    ".agent-messages/handoffs/h1/metadata.json": json(handoff),
    ".agent-messages/handoffs/h1/HANDOFF.md": `# ${TEXT}\n\n${TEXT}\n`,
    ".agent-messages/shared-context/page.md": `# ${TEXT}\n\n${TEXT}\n`,
    ".claude/state/shared-context.json": json({ version: 1, sharedContext: { objective: TEXT, [EVIL]: TEXT } }),
    [`${session}/messages.jsonl`]: `${log.map((one) => JSON.stringify(one)).join("\n")}\n${TEXT}\n`,
    [`${session}/coordination.json`]: json(coordination),
    [`${session}/reports/evil.json`]: json(report),
  };
}

/** Drops the project, by entries: their files may have any text in them. */
async function openProject(page) {
  await page.evaluate((files) => {
    const entry = (path, text) => ({
      isFile: true,
      isDirectory: false,
      fullPath: `/evil/${path}`,
      file: (done) => done(new File([text], path.split("/").at(-1))),
    });
    const entries = Object.entries(files).map(([path, text]) => entry(path, text));
    const item = (one) => ({ kind: "file", type: "", getAsFile: () => null, webkitGetAsEntry: () => one });
    const dataTransfer = { items: entries.map(item), types: ["Files"], files: [], dropEffect: "none" };
    const event = new DragEvent("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: dataTransfer });
    document.body.dispatchEvent(event);
  }, project());
  await opened(page, "evil");
}

/** Looks whether anything was taken for markup. */
async function nothingRan(page, where) {
  const found = await page.evaluate(() => ({
    hit: window.__hit,
    elements: document.querySelectorAll("#bold, img, iframe, object, embed, body script, [onerror]").length,
    links: [...document.querySelectorAll("a[href]")].filter((link) => !/^https?:/.test(link.protocol)).length,
  }));
  assert.deepEqual(found, { hit: undefined, elements: 0, links: 0 }, where);
}

test("a project full of markup shows as text in every view, and nothing of it runs", async (t) => {
  const page = await visit(t, { viewport: { width: 1440, height: 1200 } });
  await openProject(page);
  for (const view of VIEWS) {
    await goTo(page, view);
    const text = await page.locator("body").innerText();
    assert.ok(text.includes("<script>window.__hit"), `${view} shows it as text:\n${text.slice(0, 2000)}`);
    await nothingRan(page, view);
  }
  assert.deepEqual(seen(page).problems, [], "the policy had nothing to forbid");
  assert.deepEqual(strayRequests(page), []);
});

test("markup in a message is text in its body, its details, its record and its file", async (t) => {
  const page = await visit(t, { viewport: { width: 1440, height: 1200 } });
  await openProject(page);
  const row = message(page, "<script>").first();
  await row.getByRole("button", { name: "What it says" }).click();
  await row.locator(".opened").getByText("onerror").first().waitFor();
  await row.locator(".subject").click();
  const pane = details(page);
  await pane.getByRole("heading", { level: 2 }).filter({ hasText: "<script>" }).waitFor();
  await pane.getByText("Record as written").click();
  await pane.getByLabel("The record as it was written").getByText("onerror").waitFor();
  await nothingRan(page, "details");
  await pane.locator(".lies button").click();
  await page.getByRole("dialog").getByText("onerror").first().waitFor();
  await nothingRan(page, "file");
  await page.keyboard.press("Escape");
  assert.deepEqual(seen(page).problems, []);
});

test("markup in the timeline's table, in a query, in choices and in the palette is text", async (t) => {
  const page = await visit(t);
  await openProject(page);
  await goTo(page, "Timeline");
  await page.getByRole("button", { name: "As a table" }).click();
  await page.getByRole("region", { name: "Timeline as a table" }).getByText("<script>").first().waitFor();
  await page.locator("button.tl-lane").first().click();
  await page.locator(".tl-messages").waitFor();
  await nothingRan(page, "table");
  await page.getByRole("combobox", { name: "Search" }).fill("from:");
  await page.getByRole("listbox").getByText("<script>").first().waitFor();
  await nothingRan(page, "choices");
  await search(page, `${EVIL} )`);
  await nothingRan(page, "query");
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Commands" }).getByText("<script>").first().waitFor();
  await nothingRan(page, "palette");
  assert.deepEqual(seen(page).problems, []);
});

test("a link that carries markup is text", async (t) => {
  const evil = encodeURIComponent(EVIL);
  const page = await visit(t, { query: `?src=${encodeURIComponent(`https://${EVIL}`)}#v=${evil}&q=${evil}&sel=${evil}&src=${evil}` });
  await page.getByRole("alert").filter({ hasText: "<script>" }).waitFor();
  await nothingRan(page, "address");
  assert.deepEqual(strayRequests(page), []);
});
