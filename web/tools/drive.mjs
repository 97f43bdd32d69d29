// Opens a page in Firefox or WebKitGTK and prints what an expression gives once the page is ready:
// node drive.mjs firefox|webkit URL EXPRESSION
// Firefox is spoken to in WebDriver BiDi, WebKit in WebDriver; both come from Debian's packages.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import WebSocket from "ws";

const [browser, url, expression] = process.argv.slice(2);
const READY = "document.getElementById('status')?.dataset.state ?? ''";
const LIMIT = 150_000;
const children = [];
const profile = await mkdtemp(join(tmpdir(), "edgegate-"));
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));

function start(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  children.push(child);
  return child;
}

/** The first match of `pattern` in what a process says. */
function said(child, pattern) {
  return new Promise((resolve, reject) => {
    let text = "";
    const hear = (piece) => {
      text += piece;
      const found = pattern.exec(text);
      if (found) resolve(found);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`it ended with ${code}: ${text.slice(-500)}`)));
  });
}

async function firefox() {
  const child = start("firefox-esr", ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"]);
  const [, address] = await said(child, /WebDriver BiDi listening on (ws:\S+)/);
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
  const waiting = new Map();
  socket.on("message", (data) => {
    const { id, type, result, error, message } = JSON.parse(data);
    const one = waiting.get(id);
    if (type === "error") one?.reject(new Error(`${error}: ${message}`));
    else one?.resolve(result);
  });
  let id = 0;
  const send = (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  await send("session.new", { capabilities: {} });
  const { contexts } = await send("browsingContext.getTree", {});
  const { context } = contexts[0];
  await send("browsingContext.navigate", { context, url, wait: "complete" });
  return async (code) => {
    const answer = await send("script.evaluate", { expression: code, target: { context }, awaitPromise: true });
    if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
    return answer.result.value;
  };
}

async function webkit() {
  const display = 90 + (process.pid % 900);
  const screen = start("Xvfb", [`:${display}`, "-screen", "0", "1200x900x24", "-nolisten", "tcp"]);
  screen.on("error", () => {});
  for (let round = 0; round < 100 && !existsSync(`/tmp/.X11-unix/X${display}`); round++) await sleep(50);
  const port = 20000 + (process.pid % 20000);
  const env = { ...process.env, DISPLAY: `:${display}`, HOME: profile, WEBKIT_DISABLE_COMPOSITING_MODE: "1", WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" };
  start("WebKitWebDriver", [`--port=${port}`], { env });
  const ask = async (method, path, body) => {
    const init = { method, ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }) };
    const answer = await (await fetch(`http://127.0.0.1:${port}${path}`, init)).json();
    if (answer.value?.error) throw new Error(`${answer.value.error}: ${answer.value.message}`);
    return answer.value;
  };
  for (let round = 0; round < 100; round++) {
    if (await ask("GET", "/status").catch(() => null)) break;
    await sleep(50);
  }
  const { sessionId } = await ask("POST", "/session", { capabilities: { alwaysMatch: {} } });
  await ask("POST", `/session/${sessionId}/timeouts`, { script: LIMIT, pageLoad: LIMIT });
  await ask("POST", `/session/${sessionId}/url`, { url });
  return (code) => ask("POST", `/session/${sessionId}/execute/sync`, { script: `return ${code}`, args: [] });
}

let status = 0;
try {
  const evaluate = await { firefox, webkit }[browser]();
  const end = Date.now() + LIMIT;
  for (;;) {
    const state = await evaluate(READY);
    if (state === "ready") break;
    if (state === "failed" || Date.now() > end) throw new Error(await evaluate("document.getElementById('status').textContent"));
    await sleep(100);
  }
  console.log(await evaluate(expression));
} catch (error) {
  console.error(error);
  status = 1;
} finally {
  for (const child of children.reverse()) child.kill();
  await sleep(300);
  await rm(profile, { recursive: true, force: true }).catch(() => {});
  process.exit(status);
}
