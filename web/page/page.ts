/** The page: starts edgegate, shows how far it is, and connects the two panels. */
import { loadEdgegate, type Progress } from "edgegate";

import { element, find } from "./dom.ts";
import { readJson } from "./files.ts";
import { MemoryPanel } from "./memory.ts";
import { setUpOffline } from "./offline.ts";
import type { MemoryExample, Recording, RecordingEntry } from "./recordings.ts";
import { ReplyPanel } from "./reply.ts";

const STAGES: Record<Progress["stage"], string> = {
  download: "Loading Python",
  check: "Checking what was loaded",
  start: "Starting Python",
  core: "Starting the rules",
  ready: "Ready",
};

// How much of the bar each stage fills, roughly by the time it takes.
const SHARE: Record<Progress["stage"], [from: number, to: number]> = {
  download: [0, 40],
  check: [40, 42],
  start: [42, 88],
  core: [88, 98],
  ready: [98, 100],
};

const status = find("status", HTMLElement);
const statusText = find("status-text", HTMLElement);
const bar = find("progress", HTMLProgressElement);

// The server has the browser refuse every text that would be read as markup or script. This lets through two things: the
// addresses of the worker and of the service worker, on this page's own origin.
const SCRIPTS = ["edgegate/worker.js", "sw.js"];
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}
(globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("default", {
  createScriptURL(url) {
    const here = (path: string): string => new URL(path, location.href).href;
    if (SCRIPTS.some((path) => here(url) === here(path))) return url;
    throw new TypeError(`not a script of this page: ${url}`);
  },
});

function showProgress({ stage, done, total }: Progress): void {
  const [from, to] = SHARE[stage];
  bar.value = from + (to - from) * (total > 0 ? done / total : 1);
  if (statusText.textContent !== STAGES[stage]) statusText.textContent = STAGES[stage];
}

function showFailure(error: unknown): void {
  status.dataset["state"] = "failed";
  const again = element("button", "quiet", "Try again");
  again.type = "button";
  again.addEventListener("click", () => location.reload());
  statusText.replaceChildren(`Could not start: ${error instanceof Error ? error.message : error} `, again);
}

function setUpTabs(): void {
  const tabs = Array.from(document.querySelectorAll<HTMLButtonElement>("[role=tab]"));
  const select = (chosen: HTMLButtonElement, focus = false): void => {
    for (const tab of tabs) {
      const on = tab === chosen;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      find(tab.getAttribute("aria-controls") ?? "", HTMLElement).hidden = !on;
    }
    if (focus) chosen.focus();
    history.replaceState(null, "", `#${chosen.id.replace("tab-", "")}`);
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
      if (step !== 0) select(tabs[(index + step + tabs.length) % tabs.length]!, true);
    });
  });
  const named = tabs.find((tab) => `#${tab.id.replace("tab-", "")}` === location.hash);
  if (named) select(named);
}

async function main(): Promise<void> {
  setUpTabs();
  const starting = loadEdgegate({ onProgress: showProgress });
  starting.catch(() => {}); // reported below
  const [entries, examples] = await Promise.all([
    readJson<RecordingEntry[]>("recordings/index.json"),
    readJson<MemoryExample[]>("recordings/memories.json"),
  ]);
  const replies = new ReplyPanel(entries, (id) => readJson<Recording>(`recordings/${id}.json`));
  const memories = new MemoryPanel(examples);
  memories.choose();
  await replies.choose();
  const edgegate = await starting;
  replies.ready(edgegate);
  memories.ready(edgegate);
  status.dataset["state"] = "ready";
  find("version", HTMLElement).textContent =
    `edgegate ${edgegate.version.version}, lexicon ${edgegate.version.lexicon.slice(0, 8)}.`;
  await setUpOffline().catch((error) => console.warn("edgegate: this page will not work without a network", error));
}

main().catch(showFailure);
