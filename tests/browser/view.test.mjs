// `huddle view`: the native command serves the page that it embeds, and the files that the page shows.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { goTo, message, messages, opened, search } from "./acts.mjs";
import { fixture, required, seen, strayRequests, visit } from "./harness.mjs";

/** What is in files that may not be served. */
const CANARY = "TOKEN=canary";

/** Runs the command to its end. */
function run(...args) {
  return new Promise((done) =>
    execFile(required("HUDDLE_COMMAND"), args, { timeout: 60_000 }, (error, out, err) => done({ code: error ? error.code : 0, out, err })),
  );
}

/** Starts `huddle view`, which ends with the test. */
async function view(t, ...args) {
  const child = spawn(required("HUDDLE_COMMAND"), ["view", "--no-open", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill());
  const address = await new Promise((done, failed) => {
    let text = "";
    child.on("exit", (code) => failed(new Error(`huddle view ended with ${code}: ${text}`)));
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+\/\?src=session\/(?=[\s"])/.exec(text);
      if (found) done(new URL(found[0]));
    });
  });
  return { child, at: `${address.origin}/`, query: address.search, port: Number(address.port) };
}

/** Opens what a `huddle view` shows. */
function look(t, { at, query }) {
  return visit(t, { at, query });
}

/** Creates a directory that ends with the test. */
async function directory(t, files = {}) {
  const dir = await mkdtemp(path.join(tmpdir(), "huddle-"));
  t.after(() => rm(dir, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(dir, name)), { recursive: true });
    await writeFile(path.join(dir, name), text);
  }
  return dir;
}

/** Sends text as it is, and returns what comes back until the connection is closed. */
function exchange(port, text) {
  return new Promise((done, failed) => {
    let response = "";
    const socket = net.connect(port, "127.0.0.1", () => socket.write(text));
    socket.setTimeout(60_000, () => socket.destroy(new Error("no answer")));
    socket.on("data", (chunk) => (response += chunk));
    socket.on("close", () => done(response));
    socket.on("error", failed);
  });
}

/** Requests a target as it is written, which no client library would. */
function request(port, target, headers = `Host: 127.0.0.1:${port}\r\n`) {
  return exchange(port, `GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
}

test("the command shows a fixture in the page that it embeds", async (t) => {
  const server = await view(t, fixture("troubled-session"));
  const page = await look(t, server);
  await opened(page, "troubled-session");
  await page.getByRole("banner").getByText("live", { exact: true }).waitFor();
  await messages(page).first().waitFor();
  await goTo(page, "Timeline");
  await goTo(page, "Problems");
  assert.deepEqual(seen(page).problems, []);
  assert.deepEqual(strayRequests(page, server.at), []);
});

test("the command sends a policy with every response, for workers too", async (t) => {
  const { at } = await view(t, fixture("plain-log"));
  const policy = async (target) => (await fetch(at + target)).headers.get("content-security-policy");
  for (const target of ["", "worker.js", "reader.js", "huddle_web_bg.wasm"]) {
    assert.match(await policy(target), /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';.* connect-src 'self';.* frame-ancestors 'none'$/);
  }
  for (const target of ["session/", "session/planner.jsonl", "absent"]) {
    assert.equal(await policy(target), "default-src 'none'; frame-ancestors 'none'; sandbox");
  }
});

test("the command shows several paths together", async (t) => {
  const log = await directory(t, { "run.log": `${JSON.stringify({ timestamp: "2025-03-04T10:00:00Z", from: "ann", message: "any name will do" })}\n` });
  const page = await look(t, await view(t, fixture("troubled-session"), fixture("plain-log"), path.join(log, "run.log")));
  await opened(page, "troubled-session, plain-log, run.log");
  for (const text of ["Planning the release review", "task 17 is slow", "any name will do"]) {
    await search(page, `"${text}"`);
    await message(page, text).first().waitFor();
  }
});

test("the command follows a live bus", async (t) => {
  const dir = await directory(t);
  const huddle = async (...args) => assert.equal((await run("--root", dir, ...args)).code, 0, args.join(" "));
  await huddle("init");
  await huddle("register", "ann", "--role", "lead");
  await huddle("register", "bob", "--role", "coder");
  await huddle("send", "bob", "Are you there?", "--as", "ann");
  const page = await look(t, await view(t, dir));
  await message(page, "Are you there?").first().waitFor();
  await huddle("send", "ann", "Here at last", "--as", "bob");
  await message(page, "Here at last").first().waitFor();
  assert.deepEqual(seen(page).problems, []);
});

test("the command shows a log of a million events", async (t) => {
  const page = await look(t, await view(t, required("HUDDLE_LOG")));
  await messages(page).first().waitFor();
  await page.getByText("1,000,000 messages", { exact: true }).first().waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: "By time" }).click();
  await page.keyboard.press("End");
  assert.deepEqual(seen(page).problems, []);
});

test("the command serves nothing but the page and the files that it lists", async (t) => {
  const outside = await directory(t, { secret: CANARY });
  const dir = await directory(t, {
    ".agent-messages/log.jsonl": "0123456789",
    ".agent-messages/.git/config": CANARY,
    ".env": CANARY,
    ".git/config": CANARY,
    "src/main.rs": CANARY,
  });
  const links = { "out.json": path.join(outside, "secret"), up: outside, "env.json": "../.env", git: "../.git", round: "." };
  for (const [name, to] of Object.entries(links)) await symlink(to, path.join(dir, ".agent-messages", name));
  const { port, child } = await view(t, dir);
  const name = path.basename(outside);
  const below = "/session/.agent-messages";
  const listing = await request(port, "/session/");
  assert.ok(listing.includes('"path":".agent-messages/log.jsonl"') && !/secret|env|config|main|out\.json/.test(listing), listing);
  for (const target of [
    `/../${name}/secret`,
    `/session/../../${name}/secret`,
    `/session/%2e%2e/%2e%2e/${name}/secret`,
    `${below}/..%2f..%2f..%2f${name}%2fsecret`,
    `${below}/%2e%2e%5c.env`,
    "/session/%252e%252e/.env",
    `/session/${outside}/secret`,
    `/session/%2f${outside.slice(1)}/secret`,
    `//${outside}/secret`,
    "/session/.env",
    "/session/%2eenv",
    "/session/.git/config",
    "/session/src/main.rs",
    `${below}/../.env`,
    `${below}/.git/config`,
    `${below}/out.json`,
    `${below}/up/secret`,
    `${below}/env.json`,
    `${below}/git/config`,
    `${below}/round/log.jsonl`,
    `${below}/log.jsonl%00.json`,
    "/session/.agent-messages",
    "/etc/passwd",
  ]) {
    const response = await request(port, target);
    assert.match(response, /^HTTP\/1\.1 404 /, target);
    assert.ok(!response.includes(CANARY), target);
  }
  for (const hosts of ["Host: evil.example\r\n", `Host: evil.example:${port}\r\n`, `Host: 127.0.0.1\r\nHost: evil.example\r\n`, "Host: localhost.evil.example\r\n", ""]) {
    assert.match(await request(port, "/session/", hosts), /^HTTP\/1\.1 403 /, hosts);
  }
  assert.match(await request(port, "http://evil.example/session/"), /^HTTP\/1\.1 403 /);
  assert.match(await exchange(port, `DELETE ${below}/log.jsonl HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 405 /);
  for (const [range, wanted] of [
    ["bytes=0-18446744073709551615", /^HTTP\/1\.1 206 [^]*content-range: bytes 0-9\/10\r\n[^]*\r\n0123456789$/],
    ["bytes=-18446744073709551615", /^HTTP\/1\.1 206 [^]*content-range: bytes 0-9\/10\r\n[^]*\r\n0123456789$/],
    ["bytes=18446744073709551615-", /^HTTP\/1\.1 416 [^]*content-range: bytes \*\/10\r\n/],
    [`bytes=${"0-9,".repeat(1_000)}0-9`, /^HTTP\/1\.1 200 [^]*\r\n0123456789$/],
  ]) {
    assert.match(await request(port, `${below}/log.jsonl`, `Host: localhost\r\nRange: ${range}\r\n`), wanted, range);
  }
  assert.equal(child.exitCode, null);
});

test("the command outlives 200 slow clients", { timeout: 120_000 }, async (t) => {
  const dir = await directory(t, { "large.jsonl": `${JSON.stringify({ from: "ann", message: "x".repeat(900) })}\n`.repeat(30_000) });
  const server = await view(t, dir);
  const texts = ["", "GET / HTTP/1.1\r\nHost: local", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n", "GET /session/large.jsonl HTTP/1.1\r\nHost: localhost\r\n\r\n"];
  const clients = Array.from({ length: 200 }, (_, number) => {
    const socket = net.connect(server.port, "127.0.0.1", () => socket.write(texts[number % texts.length])).pause();
    socket.on("error", () => {});
    return socket;
  });
  t.after(() => clients.forEach((socket) => socket.destroy()));
  await Promise.all(clients.map((socket) => new Promise((done) => (socket.connecting ? socket.once("connect", done) : done()))));
  assert.match(await request(server.port, "/session/"), /^HTTP\/1\.1 200 /);
  const page = await look(t, server);
  await page.getByText("30,000 messages", { exact: true }).first().waitFor({ timeout: 60_000 });
  assert.equal(server.child.exitCode, null);
});

test("the command says what keeps it from showing something", async (t) => {
  const outside = await directory(t, { secret: CANARY });
  const dir = await directory(t, { "log.jsonl": "" });
  await symlink(outside, path.join(dir, "link"));
  const { port } = await view(t, dir);
  const check = async (args, code, text) => {
    const ran = await run("view", "--no-open", ...args);
    assert.equal(ran.code, code, `${args}: ${ran.err}`);
    assert.match(ran.err, text);
  };
  await check([dir, "--port", String(port)], 1, /cannot listen on 127\.0\.0\.1:\d+: .*\nhint: choose another port/);
  await check([path.join(dir, "absent")], 3, /absent/);
  await check([dir, "--port", "65536"], 2, /65536/);
  await check(["--root", dir, path.join(dir, "link")], 1, /links are followed only within the project/);
  await check(["--bus", "mongodb://127.0.0.1:1/x"], 2, /the viewer shows files, not a bus in MongoDB/);
});

test("the command answers with one document for programs", async (t) => {
  const { at } = await view(t, "--json", fixture("plain-log"));
  assert.equal((await fetch(`${at}session/planner.jsonl`)).status, 200);
});
