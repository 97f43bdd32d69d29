/** The page: starts edgegate, shows how far it is, and draws the panels (panels.ts) behind their tabs. */
import { loadEdgegate, type Progress } from "edgegate";

import { button, element, find } from "./dom.ts";
import { Feed, Value } from "./feed.ts";
import { readJson, readSettings } from "./files.ts";
import { setUpOffline } from "./offline.ts";
import { type LoadStep, type PanelContext, PANELS, type ReplyStep } from "./panels.ts";
import type { MemoryExample, Recording, RecordingEntry } from "./recordings.ts";
import { guardSwitch } from "./switch.ts";

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

/** The tabs and their panels, each drawn when it is first chosen. */
function setUpTabs(context: PanelContext): void {
  const list = find("tabs", HTMLElement);
  const main = find("panels", HTMLElement);
  const tabs = PANELS.map((panel) => {
    const tab = button(panel.label, "");
    tab.id = `tab-${panel.id}`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", `panel-${panel.id}`);
    const root = element("section", "panel");
    root.id = `panel-${panel.id}`;
    root.setAttribute("role", "tabpanel");
    root.setAttribute("aria-labelledby", tab.id);
    root.tabIndex = -1;
    root.hidden = true;
    return { panel, tab, root, mounted: false };
  });
  list.append(...tabs.map(({ tab }) => tab));
  main.append(...tabs.map(({ root }) => root));
  let current: (typeof tabs)[number] | undefined;

  async function draw(entry: (typeof tabs)[number]): Promise<void> {
    try {
      await entry.panel.mount(entry.root, context);
    } catch (error) {
      if (status.dataset["state"] === "failed") return; // the head of the page says it
      const told = element("p", "error wide", `This panel could not be drawn: ${error instanceof Error ? error.message : error}`);
      entry.root.prepend(told);
    }
  }

  function select(chosen: (typeof tabs)[number], focus = false): void {
    if (current !== chosen) {
      current?.panel.hidden?.();
      current = chosen;
      for (const { tab, root } of tabs) {
        const on = tab === chosen.tab;
        tab.setAttribute("aria-selected", String(on));
        tab.tabIndex = on ? 0 : -1;
        root.hidden = !on;
      }
      if (!chosen.mounted) {
        chosen.mounted = true;
        void draw(chosen);
      }
      chosen.panel.shown?.();
      history.replaceState(null, "", `#${chosen.panel.id}`);
    }
    if (focus) chosen.tab.focus();
    chosen.tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  tabs.forEach((entry, index) => {
    entry.tab.addEventListener("click", () => select(entry));
    entry.tab.addEventListener("keydown", (event) => {
      const steps: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 };
      const to = steps[event.key];
      if (to === undefined) return;
      event.preventDefault();
      select(tabs.at(to % tabs.length)!, true);
    });
  });
  const named = (): (typeof tabs)[number] | undefined => tabs.find(({ panel }) => `#${panel.id}` === location.hash);
  addEventListener("hashchange", () => {
    const entry = named();
    if (entry) select(entry);
  });
  select(named() ?? tabs[0]!);
}

async function main(): Promise<void> {
  const loading = new Feed<LoadStep>(64);
  let stage = "";
  const starting = loadEdgegate({
    onProgress(progress) {
      showProgress(progress);
      if (progress.stage === stage && progress.done < progress.total) return;
      stage = progress.stage;
      loading.tell({ ...progress, at: performance.now() });
    },
  });
  const quiet = <T>(promise: Promise<T>): Promise<T> => {
    promise.catch(() => {}); // told where it is awaited
    return promise;
  };
  const context: PanelContext = {
    edgegate: quiet(starting),
    guarding: new Value(true),
    loading,
    replies: new Feed<ReplyStep>(),
    settings: readSettings,
    recordings: quiet(readJson<RecordingEntry[]>("recordings/index.json")),
    recording: (id) => readJson<Recording>(`recordings/${id}.json`),
    examples: quiet(readJson<MemoryExample[]>("recordings/memories.json")),
    say(text) {
      find("said", HTMLElement).textContent = text;
    },
  };
  find("kill-switch", HTMLElement).append(guardSwitch("enabled", context));
  setUpTabs(context);
  const edgegate = await starting;
  status.dataset["state"] = "ready";
  find("version", HTMLElement).textContent =
    `edgegate ${edgegate.version.version}, lexicon ${edgegate.version.lexicon.slice(0, 8)}.`;
  await setUpOffline().catch((error) => console.warn("edgegate: this page will not work without a network", error));
}

main().catch(showFailure);
