/** The panel Speed: how long the start took, what a piece of a reply costs, what is held, and what all of it takes. */
import type { Edgegate, HostMeasures } from "edgegate";

import { button, element } from "./dom.ts";
import type { LoadStep, Panel, PanelContext, ReplyStep } from "./panels.ts";
import { wordsOf } from "./reply-view.ts";
import { bytes, duration, Timings, whole } from "./speed-figures.ts";
import { piecesOf } from "./try-pieces.ts";

const STAGES: Record<LoadStep["stage"], [name: string, meaning: string]> = {
  download: ["Loading", "Python and its memory come from the server, or from this browser's cache, while the browser compiles them."],
  check: ["Checking", "Every byte is held against the hash of this build. Nothing that differs is started."],
  start: ["Starting Python", "The kept memory is put back: a Python that has the rules imported already."],
  core: ["Asking the rules", "The core answers once, and says which version it is."],
  ready: ["Ready", ""],
};
// What the larger parts are. What is not named here stands there by its path alone.
const PARTS: Record<string, string> = {
  "edgegate/snapshot.bin": "Python's memory, with the rules and their tables in it",
  "edgegate/pyodide/pyodide.asm.wasm": "Python itself",
  "edgegate/pyodide/pyodide.asm.mjs": "What connects Python with the browser",
  "edgegate/stdlib.zip": "Python's library, for when its memory can't be used",
  "edgegate/core.json": "The rules, for when that memory can't be used",
  "edgegate/worker.js": "The worker they run in",
  "edgegate/index.js": "The package's door for pages",
  "page.js": "This page",
  "styles.css": "How it looks",
  recordings: "Recorded replies and other examples",
};
const MEASURED = "night-shift"; // the recorded reply that "Measure now" sends, again and again
const ROUNDS = 5;
const BORDER = 50;

export const panel: Panel = { id: "speed", label: "Speed", mount, shown: () => view?.refresh() };

let view: SpeedView | undefined;

async function mount(root: HTMLElement, context: PanelContext): Promise<void> {
  view = new SpeedView(root, context);
  view.ready(await context.edgegate);
}

/** A list of figures, each with a name, a value, and what it means. */
class Figures {
  readonly node = element("dl", "figures");
  readonly #values = new Map<string, HTMLElement>();

  constructor(id: string, figures: readonly [key: string, name: string, meaning: string][]) {
    for (const [key, name, meaning] of figures) {
      const value = element("dd", "", "–");
      value.id = `${id}-${key}`;
      this.#values.set(key, value);
      this.node.append(element("div", "", element("dt", "", name), value, element("dd", "hint", meaning)));
    }
  }

  set(key: string, text: string): void {
    const value = this.#values.get(key);
    if (value && value.textContent !== text) value.textContent = text;
  }
}

class SpeedView {
  readonly #context: PanelContext;
  readonly #stages = element("ol", "stages");
  readonly #started = element("p", "hint");
  readonly #live = new Figures("speed-live", [
    ["first", "To the first verdict", "From the first piece of the last reply until its first sentence was decided. Most of it is the model, taking its time."],
    ["p50", "A piece, median", "What a piece costs: to the worker, through the guard, and back."],
    ["p99", "A piece, 99th percentile", "The slow ones: those that end a sentence, which is then judged."],
    ["pieces", "Pieces so far", "In all panels, since this one was first opened. Play a reply, then come back."],
    ["held", "Held now", "Characters that are neither shown nor taken out yet."],
    ["most", "Most held", "The longest that any reply had to wait for the end of a sentence, in characters."],
  ]);
  readonly #measured = new Figures("speed-now", [
    ["verdict", "First verdict", "One memory checked, the first time in this measurement."],
    ["check", "A memory, median", "The same memory, checked again and again."],
    ["p50", "A piece, median", "A recorded reply in pieces of a token, as fast as they are taken."],
    ["p99", "A piece, 99th percentile", "The pieces that end a sentence."],
    ["border", "The way alone, median", "A call that does nothing: to the worker and back. It is part of each figure above."],
  ]);
  readonly #takes = new Figures("speed-takes", [
    ["heap", "Memory of Python", "With the rules, their tables and all that is held. It grows in steps and never shrinks."],
    ["page", "Memory of the page", "The scripts of this page, as far as the browser tells."],
  ]);
  readonly #parts = element("tbody");
  readonly #partsNote = element("p", "hint");
  readonly #measure = button("Measure now", "primary");
  readonly #told = element("p", "hint");
  readonly #costs = new Timings();
  #held = 0;
  #most = 0;
  #first: number | undefined;
  #steps: LoadStep[] = [];
  #edgegate: Edgegate | undefined;
  #running: AbortController | undefined;
  #frame = 0;

  constructor(root: HTMLElement, context: PanelContext) {
    this.#context = context;
    this.#stages.id = "speed-stages";
    this.#started.id = "speed-started";
    this.#parts.id = "speed-parts";
    this.#measure.id = "speed-measure";
    this.#measure.disabled = true;
    this.#told.id = "speed-told";
    this.#told.setAttribute("role", "status");
    this.#told.textContent = "Takes a few seconds. Close what else keeps this machine busy: it counts along.";
    const heads = ["Part", "Size", "Over the network"].map((name) => {
      const head = element("th", "", name);
      head.scope = "col";
      return head;
    });
    const table = element("table", "parts", element("caption", "unseen", "What was loaded"), element("thead", "", element("tr", "", ...heads)), this.#parts);
    root.classList.add("halves");
    root.append(
      element(
        "div",
        "half column",
        element("div", "card", element("h2", "", "The start"), this.#stages, this.#started),
        element("div", "card", element("h2", "", "Measured as replies go by"), this.#live.node),
      ),
      element(
        "div",
        "half column",
        element("div", "card", element("div", "card-head", element("h2", "", "Measured now"), this.#measure), this.#told, this.#measured.node),
        element("div", "card", element("h2", "", "What it takes"), this.#takes.node, table, this.#partsNote),
      ),
    );
    context.loading.follow((step) => {
      this.#steps.push(step);
      this.#drawStages();
    });
    context.replies.follow((step) => this.#note(step));
    this.#measure.addEventListener("click", () => {
      if (this.#running) this.#running.abort();
      else void this.#run();
    });
  }

  ready(edgegate: Edgegate): void {
    this.#edgegate = edgegate;
    this.#measure.disabled = false;
    this.refresh();
  }

  /** Asks again for what changes without telling. */
  refresh(): void {
    void this.#edgegate?.measure().then((measures) => this.#drawTakes(measures), () => {});
  }

  #drawStages(): void {
    const starts: { stage: LoadStep["stage"]; at: number }[] = [];
    for (const { stage, at } of this.#steps) if (starts.at(-1)?.stage !== stage) starts.push({ stage, at });
    const end = this.#steps.at(-1)!.at;
    const rows = [{ name: "Page", meaning: "The page itself: its text, styles and script.", from: 0, to: starts[0]!.at }];
    starts.forEach(({ stage, at }, index) => {
      if (stage === "ready") return;
      const [name, meaning] = STAGES[stage];
      rows.push({ name, meaning, from: at, to: starts[index + 1]?.at ?? end });
    });
    this.#stages.replaceChildren(
      ...rows.map(({ name, meaning, from, to }) => {
        const bar = element("span", "stage-bar", element("span"));
        bar.setAttribute("aria-hidden", "true");
        const inner = bar.firstElementChild as HTMLElement;
        inner.style.marginLeft = `${(100 * from) / end}%`;
        inner.style.width = `${Math.max(0.6, (100 * (to - from)) / end)}%`;
        return element("li", "", element("span", "stage-name", name), element("span", "stage-time", duration(to - from)), bar, element("span", "hint", meaning));
      }),
    );
    const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
    const seen = paint === undefined ? "" : `Something to see after ${duration(paint)}. `;
    const done = this.#steps.at(-1)?.stage === "ready";
    this.#started.textContent = done ? `${seen}Ready to judge ${duration(end)} after the page was opened.` : `${seen}Still starting …`;
  }

  #note(step: ReplyStep): void {
    if (step.kind === "piece") {
      this.#costs.add(step.cost);
      this.#held = step.held;
      this.#most = Math.max(this.#most, step.held);
    } else if (step.kind === "first") this.#first = step.after;
    else if (step.kind === "end") this.#held = 0;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#live.set("first", duration(this.#first));
      this.#live.set("p50", duration(this.#costs.at(0.5)));
      this.#live.set("p99", duration(this.#costs.at(0.99)));
      this.#live.set("pieces", whole(this.#costs.count));
      this.#live.set("held", whole(this.#held));
      this.#live.set("most", whole(this.#most));
    });
  }

  #drawTakes({ heapBytes, from, downloads }: HostMeasures): void {
    this.#takes.set("heap", heapBytes === null ? "not told here" : bytes(heapBytes));
    const memory = (performance as { memory?: { usedJSHeapSize: number } }).memory;
    this.#takes.set("page", memory ? bytes(memory.usedJSHeapSize) : "not told here");
    const here = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const parts = new Map<string, { size: number; network: number }>();
    const base = new URL(".", document.baseURI).href;
    const seen = new Set<string>();
    const add = (url: string, size: number, network: number): void => {
      if (!url.startsWith(base) || seen.has(url)) return;
      seen.add(url);
      const path = url.slice(base.length);
      const name = path.startsWith("recordings/") ? "recordings" : path;
      const before = parts.get(name) ?? { size: 0, network: 0 };
      parts.set(name, { size: before.size + size, network: before.network + network });
    };
    for (const { name, decodedBodySize, transferSize } of here) add(name, decodedBodySize, transferSize);
    for (const { url, bytes: size, transferred } of downloads) add(url, size, transferred);
    const rows = [...parts].filter(([, { size }]) => size > 0).sort(([, one], [, other]) => other.size - one.size);
    const sum = rows.reduce((total, [, { size, network }]) => ({ size: total.size + size, network: total.network + network }), { size: 0, network: 0 });
    const row = (name: string, size: number, network: number): HTMLElement => {
      const words = PARTS[name];
      const head = element("th", "", words ?? name, words ? element("code", "", name) : null);
      head.scope = "row";
      return element("tr", "", head, element("td", "", bytes(size)), element("td", "", network > 0 ? bytes(network) : "from this browser"));
    };
    this.#parts.replaceChildren(...rows.map(([name, { size, network }]) => row(name, size, network)), row("All of it", sum.size, sum.network));
    const words = { snapshot: "Python started from its kept memory.", library: "Python started from its library, which takes longer: the kept memory could not be used." };
    this.#partsNote.textContent = rows.length === 0 ? "This page holds everything in itself." : from === null ? "" : words[from];
  }

  async #run(): Promise<void> {
    if (!this.#edgegate) return;
    const mine = new AbortController();
    this.#running = mine;
    this.#measure.textContent = "Stop";
    try {
      await this.#measureAll(this.#edgegate, mine.signal);
      this.#told.textContent = "Measured. What else runs on this machine counts along: measure again to see how far it goes.";
    } catch (error) {
      this.#told.textContent = mine.signal.aborted ? "Stopped." : `Could not be measured: ${wordsOf(error)}`;
    }
    this.#measure.textContent = "Measure again";
    this.#running = undefined;
    this.refresh();
  }

  async #measureAll(edgegate: Edgegate, signal: AbortSignal): Promise<void> {
    const timed = async (work: () => Promise<unknown>, into: Timings): Promise<void> => {
      signal.throwIfAborted();
      const began = performance.now();
      await work();
      into.add(performance.now() - began);
    };
    const [border, checks, pieces] = [new Timings(), new Timings(), new Timings(20_000)];
    this.#told.textContent = "Measuring the way to the worker …";
    for (let time = 0; time < BORDER; time++) await timed(() => edgegate.call("version", {}), border);
    this.#measured.set("border", duration(border.at(0.5)));

    this.#told.textContent = "Measuring a memory …";
    const [example] = await this.#context.examples;
    if (example) {
      for (let time = 0; time < 2 * ROUNDS; time++) {
        await timed(() => edgegate.check(example.source, example.memory, { now: example.now }), checks);
        if (time === 0) this.#measured.set("verdict", duration(checks.at(0.5)));
      }
      this.#measured.set("check", duration(checks.at(0.5)));
    }
    const recording = await this.#context.recording(MEASURED);
    const text = recording.chunks.map(([, piece]) => piece).join("");
    for (let round = 1; round <= ROUNDS; round++) {
      this.#told.textContent = `Measuring pieces of a reply: round ${round} of ${ROUNDS} …`;
      const reply = edgegate.openReply({ evidence: recording.evidence });
      try {
        for (const piece of piecesOf(text, "token")) await timed(() => reply.feed(piece), pieces);
      } finally {
        await reply.abort();
      }
      this.#measured.set("p50", duration(pieces.at(0.5)));
      this.#measured.set("p99", duration(pieces.at(0.99)));
    }
  }
}
