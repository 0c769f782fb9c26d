// Whatever agents left behind opens in every way there is, and the page says what it took and what it did not.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { eventually, goTo, messages, opened, search } from "./acts.mjs";
import { gzipped, zipped } from "./archives.mjs";
import { dropDirectory, dropFiles, fixture, FIXTURES, opfsDirectory, pick, seen, strayRequests, visit } from "./harness.mjs";

/** What is to be seen of each fixture: how much, somebody, something, what was recognised and what was ignored. */
const SHOWN = {
  "damaged-log": { count: "12 messages", agent: "ann", text: "line 2 is whole", read: ["session log"], ignored: [] },
  documents: { count: "4 messages", agent: "writer-002", text: "No access to the wiki", read: ["documents"], ignored: [] },
  "mailbox-by-spec-scripts": {
    count: "11 messages",
    agent: "builder-1",
    text: "builder-2",
    read: ["mailbox message", "delivery notes", "directory of agents", "handoff", "shared context", "artifact"],
    ignored: ["routing.json", "api-contracts.md.lock"],
  },
  "plain-log": {
    count: "11 messages",
    agent: "planner",
    text: "task 17 timed out after 5 s",
    read: ["plain log"],
    ignored: ["README.txt"],
  },
  "session-by-spec-example": {
    count: "4 messages",
    agent: "security-analyzer",
    text: "finding",
    read: ["coordination", "report", "session log", "artifact"],
    ignored: [],
  },
  "state-by-spec-example": {
    count: "1 message",
    agent: "task-lister",
    text: "handoff",
    read: ["decisions log", "shared state"],
    ignored: ["orchestrator-settings.json"],
  },
  team: { count: "6 messages", agent: "team-lead", text: "tester", read: ["Claude teams inbox"], ignored: ["config.json"] },
  transcript: { count: "12 messages", agent: "assistant", text: "assistant", read: ["Claude Code transcript"], ignored: [] },
  "troubled-mailbox": {
    count: "20 messages",
    agent: "coder",
    text: "lead",
    read: ["mailbox message", "delivery notes", "directory of agents"],
    ignored: ["TODO.md", "routing.json"],
  },
  "troubled-session": {
    count: "17 messages",
    agent: "stumbler",
    text: "optimist",
    read: ["coordination", "report", "session log"],
    ignored: ["scratch.txt"],
  },
};

/** Looks whether a fixture is to be seen as it should. */
async function check(page, name) {
  const { count, agent, text, read, ignored } = SHOWN[name];
  await opened(page, name);
  const side = page.getByRole("complementary", { name: "Source and filters" });
  const source = side.getByRole("region", { name: "Source" });
  await source.getByText(count, { exact: true }).waitFor();
  await side.getByRole("button", { name: new RegExp(`^${agent}\\s*\\d`) }).first().waitFor();
  await messages(page).filter({ hasText: text }).first().waitFor();
  for (const summary of await source.locator("summary").all()) await summary.click();
  const told = await source.innerText();
  for (const what of [...read, ...ignored]) assert.ok(told.includes(what), `${what} is in:\n${told}`);
  assert.equal(/\d files? ignored/.test(told), ignored.length > 0, told);
  assert.deepEqual(seen(page).problems, []);
}

test("every fixture is looked at", async () => {
  const entries = await readdir(FIXTURES, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  assert.deepEqual(folders.sort(), Object.keys(SHOWN).sort());
});

for (const name of Object.keys(SHOWN)) {
  test(`${name} opens when it is dropped`, async (t) => {
    const page = await visit(t);
    await dropDirectory(page, fixture(name));
    await check(page, name);
    await page.getByRole("complementary", { name: "Source and filters" }).getByText("live: new messages appear").waitFor();
  });

  test(`${name} opens when it is dropped where there are no handles`, async (t) => {
    const page = await visit(t);
    await dropDirectory(page, fixture(name), { handles: false });
    await check(page, name);
  });

  test(`${name} opens when it is picked`, async (t) => {
    const page = await visit(t);
    await pick(page, fixture(name));
    await check(page, name);
  });
}

test("a directory that the browser's own dialog gives is followed", async (t) => {
  const page = await visit(t);
  await opfsDirectory(page, fixture("plain-log"));
  await page.getByRole("button", { name: "Open a directory" }).click();
  await check(page, "plain-log");
  await page.getByRole("banner").getByText("live", { exact: true }).waitFor();
});

test("a single log opens when it is picked", async (t) => {
  const page = await visit(t);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open files" }).click();
  await (await chooser).setFiles(fixture("plain-log/planner.jsonl"));
  await opened(page, "planner.jsonl");
  await messages(page).filter({ hasText: "task 17 is slow" }).waitFor();
  assert.equal(await messages(page).count(), 4);
});

test("several files open when they are dropped", async (t) => {
  const page = await visit(t);
  await dropFiles(page, [fixture("plain-log/planner.jsonl"), fixture("plain-log/workers.ndjson")]);
  await opened(page, /.*/);
  await messages(page).filter({ hasText: "task 18 wrote out/18.csv" }).waitFor();
  assert.equal(await messages(page).count(), 8);
});

test("something held over the page is asked for", async (t) => {
  const page = await visit(t);
  const drag = (type) =>
    page.evaluate((type) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["{}"], "a.jsonl"));
      document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    }, type);
  await drag("dragenter");
  await page.getByText("Drop it to open it").waitFor();
  await drag("dragleave");
  await page.getByText("Drop it to open it").waitFor({ state: "detached" });
});

test("a compressed log opens", async (t) => {
  const page = await visit(t);
  await page.locator("#pick-files").setInputFiles(await gzipped(fixture("plain-log/planner.jsonl")));
  await opened(page, "planner.jsonl");
  await messages(page).filter({ hasText: "task 17 is slow" }).waitFor();
});

for (const name of ["troubled-mailbox", "troubled-session"]) {
  test(`${name} opens from an archive`, async (t) => {
    const page = await visit(t);
    await page.locator("#pick-files").setInputFiles(await zipped(fixture(name)));
    await check(page, name);
  });
}

test("an archive that is cut short is refused with words", async (t) => {
  const page = await visit(t);
  const whole = await zipped(fixture("plain-log"));
  await page.locator("#pick-files").setInputFiles({ ...whole, buffer: whole.buffer.subarray(0, -40) });
  const alert = page.getByRole("alert").filter({ hasText: "plain-log.zip cannot be unpacked" });
  await alert.waitFor();
  await alert.getByRole("button", { name: "Dismiss" }).click();
  await alert.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Open a directory" }).waitFor();
});

test("the address can name a log of the same server", async (t) => {
  const page = await visit(t, { query: "?src=session/plain-log/planner.jsonl" });
  await opened(page, "planner.jsonl");
  await messages(page).filter({ hasText: "task 17 is slow" }).waitFor();
});

test("the address can name a directory that the server lists", async (t) => {
  const page = await visit(t, { query: "?src=session/" });
  await opened(page, "fixtures");
  const source = page.getByRole("region", { name: "Source" });
  await source.getByText("kinds of file recognised").click();
  await source.getByText("Claude teams inbox").waitFor();
  await page.getByRole("banner").getByText("live", { exact: true }).waitFor();
});

test("the address can name a file that the server does not have, and the page says so", async (t) => {
  const page = await visit(t, { query: "?src=session/none.jsonl" });
  await page.getByRole("alert").filter({ hasText: "session/none.jsonl cannot be read: the server says 404" }).waitFor();
  await page.getByRole("button", { name: "See a sample" }).waitFor();
});

for (const address of ["https://example.org/log.jsonl", "//example.org/log.jsonl", "data:text/plain,{}"]) {
  test(`the address of another server is refused with words: ${address}`, async (t) => {
    const page = await visit(t, { query: `?src=${encodeURIComponent(address)}` });
    const alert = page.getByRole("alert").filter({ hasText: `The page cannot read ${address}` });
    await alert.getByText("It reads from its own address only").waitFor();
    assert.deepEqual(strayRequests(page), []);
  });
}

test("one click opens the sample, which teaches with something in every view", async (t) => {
  const page = await visit(t);
  await page.getByRole("heading", { level: 1, name: "See who said what to whom" }).waitFor();
  await page.getByRole("heading", { name: "What it understands" }).waitFor();
  await page.getByRole("button", { name: "See a sample" }).click();
  await opened(page, "A sample session");
  await messages(page).first().waitFor();
  assert.ok((await page.title()).includes("A sample session"));
  await page.reload();
  await opened(page, "A sample session");
});

test("while something is read it says how far it is", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "huddle-"));
  t.after(() => rm(folder, { recursive: true }));
  const line = (at) => `{"ts":${1739265601 + at},"logger":"agent-${at % 7}","msg":"step ${at} ${"of very many ".repeat(10)}"}\n`;
  await writeFile(path.join(folder, "long.jsonl"), Array.from({ length: 200_000 }, (_, at) => line(at)).join(""));
  const page = await visit(t);
  await page.evaluate(() => {
    window.told = new Set();
    const look = () => window.told.add(document.querySelector("[aria-label=Opening]")?.textContent);
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  await pick(page, path.join(folder, "long.jsonl"));
  await opened(page, "long.jsonl");
  await page.getByText("200,000 messages", { exact: true }).first().waitFor();
  const told = await page.evaluate(() => [...window.told].filter(Boolean));
  assert.ok(told.some((text) => /[\d.]+ MB of [\d.]+ MB, [\d,]+ records/.test(text)), told.join("\n"));
});

test("opening can be given up", async (t) => {
  const page = await visit(t);
  await page.context().route("**/sample/**", () => {});
  await page.getByRole("button", { name: "See a sample" }).click();
  await page.getByRole("progressbar", { name: "Reading" }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("status").filter({ hasText: "Reading was stopped" }).waitFor();
  await page.context().unrouteAll({ behavior: "ignoreErrors" });
  await page.getByRole("button", { name: "See a sample" }).click();
  await opened(page, "A sample session");
});

test("what is open stays when something else is given up", async (t) => {
  const page = await visit(t);
  await pick(page, fixture("plain-log"));
  await opened(page, "plain-log");
  await page.context().route("**/sample/**", () => {});
  await page.getByRole("button", { name: "Open something else" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "See a sample" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("progressbar", { name: "Reading" }).waitFor({ state: "detached" });
  await messages(page).filter({ hasText: "task 17 is slow" }).waitFor();
  await page.locator(".source-name").getByText("plain-log", { exact: true }).waitFor();
});

test("an empty directory is said to be empty, in whatever way it comes", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "huddle-"));
  t.after(() => rm(folder, { recursive: true }));
  for (const handles of [true, false]) {
    const page = await visit(t);
    await dropDirectory(page, folder, { handles });
    await eventually(async () => {
      const told = await page.locator("[role=alert], [role=status]").allInnerTexts();
      assert.match(told.join("\n"), /[Tt]here (are no files in it|was nothing in it to open)/, `handles: ${handles}`);
    });
    await page.getByRole("button", { name: "Open a directory" }).waitFor();
  }
});

test("a file that cannot be read is named", async (t) => {
  const page = await visit(t);
  // As when it is deleted between picking and reading.
  const folder = await mkdtemp(path.join(tmpdir(), "huddle-"));
  const file = path.join(folder, "gone.jsonl");
  await writeFile(file, `{"msg":"${"x".repeat(1000)}"}\n`);
  await page.evaluate(() => {
    document.querySelector("#pick-files").addEventListener("change", (event) => {
      event.stopImmediatePropagation();
      window.goOn = () => document.querySelector("#pick-files").dispatchEvent(new Event("change", { bubbles: true }));
    }, { capture: true, once: true });
  });
  await pick(page, file);
  await rm(folder, { recursive: true });
  await page.evaluate(() => window.goOn());
  const alert = page.getByRole("alert").filter({ hasText: "gone.jsonl cannot be read" });
  await alert.waitFor();
  await page.getByRole("button", { name: "Open a directory" }).waitFor();
});

test("what can be read of a file is shown, and that there is more is said", async (t) => {
  const page = await visit(t);
  // As when a disk is taken out in the middle: two megabytes are there, and what comes after them is gone.
  const folder = await mkdtemp(path.join(tmpdir(), "huddle-"));
  const line = `{"ts":"2026-01-09T10:00:00Z","msg":"one step ${"of many ".repeat(100)}"}\n`;
  await writeFile(path.join(folder, "rest.jsonl"), line.repeat(4_000));
  await page.evaluate((begun) => {
    const input = document.querySelector("#pick-files");
    input.addEventListener("change", (event) => {
      event.stopImmediatePropagation();
      const torn = new DataTransfer();
      torn.items.add(new File([begun, input.files[0]], "torn.jsonl"));
      window.goOn = () => {
        input.files = torn.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
      };
    }, { capture: true, once: true });
  }, line.repeat(2_500));
  await pick(page, path.join(folder, "rest.jsonl"));
  await rm(folder, { recursive: true });
  await page.evaluate(() => window.goOn());
  await opened(page, "torn.jsonl");
  await page.getByText(/^1,2\d\d messages$/).first().waitFor();
  await search(page, "step");
  await page.getByText(/1,2\d\d found/).first().waitFor();
  await goTo(page, "Problems");
  await page.getByText("only the first 1048576 bytes could be read").waitFor();
});

test("a directory without anything that agents write says what it ignored", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "huddle-"));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, "holiday.png"), "not a picture");
  const page = await visit(t);
  await dropDirectory(page, folder);
  await page.getByText("1 file ignored").click();
  await page.getByRole("region", { name: "Source" }).getByText("holiday.png").waitFor();
});

/** How an archive can be broken: nothing in it can be found, or something that comes after other files cannot be unpacked. */
const BROKEN = {
  "is cut short": (bytes) => bytes.subarray(0, -40),
  "is damaged in the middle": (bytes) => {
    const start = bytes.indexOf("planner.jsonl") + "planner.jsonl".length;
    return Buffer.from(bytes).fill(0xff, start, start + 8);
  },
};

for (const [how, breaking] of Object.entries(BROKEN)) {
  test(`a directory opens without an archive in it that ${how}`, async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), "huddle-"));
    t.after(() => rm(folder, { recursive: true }));
    const { buffer } = await zipped(fixture("plain-log"));
    await writeFile(path.join(folder, "old.zip"), breaking(buffer));
    await writeFile(path.join(folder, "new.jsonl"), '{"ts":"2026-01-09T10:00:00Z","msg":"the archive does not matter"}\n');
    const page = await visit(t);
    await dropDirectory(page, folder);
    await opened(page, path.basename(folder));
    await messages(page).filter({ hasText: "the archive does not matter" }).waitFor();
    assert.equal(await messages(page).count(), 1);
    await page.getByText("1 file ignored").click();
    await page.getByRole("region", { name: "Source" }).getByText("old.zip").waitFor();
  });
}

test("an archive in a directory is read, and is not said to be ignored", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "huddle-"));
  t.after(() => rm(folder, { recursive: true }));
  const { name, buffer } = await gzipped(fixture("plain-log/planner.jsonl"));
  await writeFile(path.join(folder, name), buffer);
  const page = await visit(t);
  await dropDirectory(page, folder);
  await opened(page, path.basename(folder));
  await messages(page).filter({ hasText: "task 17 is slow" }).waitFor();
  const source = page.getByRole("region", { name: "Source" });
  await source.getByText("1 kind of file recognised").waitFor();
  assert.doesNotMatch(await source.innerText(), /ignored/);
});

test("an archive that a report names is there", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "huddle-"));
  t.after(() => rm(folder, { recursive: true }));
  const session = path.join(folder, ".claude/agents/context/packing");
  const [began, ended] = ["2026-01-09T10:00:00Z", "2026-01-09T10:05:00Z"];
  const packer = { status: "completed", started_at: began, completed_at: ended, report_path: "reports/packer.json", dependencies: [] };
  const coordination = { session_id: "packing", started_at: began, project_type: "service", agents: { packer } };
  const report = { agent_name: "packer", timestamp: ended, status: "completed", summary: "All is packed.", findings: [] };
  const data_artifacts = ["data/bundle.zip", "data/none.zip"];
  for (const below of ["reports", "data"]) await mkdir(path.join(session, below), { recursive: true });
  await writeFile(path.join(session, "coordination.json"), JSON.stringify(coordination));
  await writeFile(path.join(session, "messages.jsonl"), `{"timestamp":"${ended}","from":"packer","type":"completed","message":"Packed"}\n`);
  await writeFile(path.join(session, "reports/packer.json"), JSON.stringify({ ...report, data_artifacts }));
  await writeFile(path.join(session, "data/bundle.zip"), (await zipped(fixture("plain-log"))).buffer);
  const page = await visit(t);
  await dropDirectory(page, folder);
  await opened(page, path.basename(folder));
  await goTo(page, "Reports");
  await page.getByRole("listitem").filter({ hasText: "data/none.zip" }).getByText("missing").waitFor();
  await page.getByRole("main").getByRole("button", { name: /bundle\.zip/ }).waitFor();
  await goTo(page, "Problems");
  await page.getByText('"data/none.zip" is named here and not in the session').first().waitFor();
  assert.equal(await page.getByText('"data/bundle.zip" is named here').count(), 0);
});
