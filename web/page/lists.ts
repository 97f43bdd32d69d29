/** The panel Lists: a labelled set, opened from a file and browsed record by record, with its rates and a plot on top. */
import type { Edgegate } from "edgegate";

import { button, count, element, field } from "./dom.ts";
import { readJson } from "./files.ts";
import { RecordList } from "./lists-browse.ts";
import { Plot } from "./lists-plot.ts";
import { MOST_RECORDS, type LabelledRecord, type ScoredRecord } from "./lists-read.ts";
import { ratesTables } from "./lists-rates.ts";
import { recordView } from "./lists-record.ts";
import { type Entry, LabelledSet } from "./lists-set.ts";
import type { Panel, PanelContext } from "./panels.ts";
import { wordsOf } from "./reply-view.ts";

const MOST_BROKEN = 200; // broken lines that are listed
const SAMPLES: [file: string, words: string][] = [
  ["sample-replies", "Twelve replies"],
  ["sample-memories", "Twelve memories"],
];

const number = new Intl.NumberFormat("en");

export const panel: Panel = { id: "lists", label: "Lists", mount };

async function mount(root: HTMLElement, context: PanelContext): Promise<void> {
  const browser = new Browser(root, context);
  browser.ready(await context.edgegate);
}

class Browser {
  readonly #context: PanelContext;
  readonly #file = element("input");
  readonly #samples: HTMLButtonElement[];
  readonly #stop = button("Stop", "quiet");
  readonly #bar = element("progress");
  readonly #told = element("p", "hint");
  readonly #off = element("p", "hint", "The guard of the page is off. A set is scored with the guard on all the same.");
  readonly #broken = element("details", "fold");
  readonly #results = element("div", "wide results");
  readonly #rates = element("div", "rate-tables");
  readonly #plot: Plot;
  readonly #list: RecordList;
  readonly #detail = element("div", "detail-body");
  #edgegate: Edgegate | undefined;
  #set: LabelledSet | undefined;
  #work: AbortController | undefined;
  #chosen: Entry | undefined;
  #frame = 0;

  constructor(root: HTMLElement, context: PanelContext) {
    this.#context = context;
    this.#list = new RecordList((entry) => void this.#choose(entry));
    this.#plot = new Plot((group) => this.#list.choose(group));
    this.#samples = SAMPLES.map(([file, words]) => {
      const made = button(words, "quiet");
      made.id = `lists-${file}`;
      made.disabled = true;
      made.addEventListener("click", () => void this.#openSample(file, words));
      return made;
    });
    this.#draw(root);
    this.#listen(root);
    context.guarding.follow((on) => {
      this.#off.hidden = on;
    });
  }

  #draw(root: HTMLElement): void {
    Object.assign(this.#file, { type: "file", accept: ".jsonl,.ndjson,.json,.txt", disabled: true });
    this.#stop.id = "lists-stop";
    this.#stop.hidden = true;
    this.#bar.id = "lists-progress";
    this.#bar.max = 1;
    this.#bar.value = 0;
    this.#bar.setAttribute("aria-label", "Scored");
    this.#bar.hidden = true;
    this.#told.id = "lists-told";
    this.#told.setAttribute("role", "status");
    this.#off.id = "lists-off";
    this.#broken.id = "lists-broken";
    this.#broken.hidden = true;
    this.#results.hidden = true;
    this.#rates.id = "lists-rates";
    this.#detail.id = "lists-detail";
    this.#detail.tabIndex = -1;
    this.#told.textContent =
      "JSON Lines: labelled replies (evidence, reply, sentences) or labelled memories (source, memory, label). The file stays in this tab.";

    root.append(
      element(
        "div",
        "card wide",
        element("h2", "", "A labelled set, record by record"),
        element("div", "controls", field("lists-file", "Open a file", this.#file, "grow"), ...this.#samples, this.#stop),
        this.#bar,
        this.#told,
        this.#off,
        this.#broken,
      ),
      this.#results,
    );
    const detail = element("section", "card detail", element("h2", "", "The record"), this.#detail);
    detail.tabIndex = 0; // it scrolls by itself
    detail.setAttribute("aria-label", "The record");
    this.#results.append(
      element(
        "div",
        "card overview",
        element("div", "", element("h2", "", "Rates"), this.#rates),
        element("div", "", element("h2", "", "Catch against preservation"), this.#plot.node),
      ),
      this.#list.node,
      detail,
    );
  }

  #listen(root: HTMLElement): void {
    this.#file.addEventListener("change", () => {
      const [file] = this.#file.files ?? [];
      if (file) void this.#open(file, file.name);
    });
    root.addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
    root.addEventListener("drop", (event) => {
      const [file] = event.dataTransfer?.files ?? [];
      if (!file) return;
      event.preventDefault();
      if (this.#edgegate) void this.#open(file, file.name);
    });
    this.#stop.addEventListener("click", () => {
      if (this.#work) this.#work.abort(new DOMException("stopped by the visitor", "AbortError"));
      else if (this.#set) void this.#score(this.#set);
    });
  }

  ready(edgegate: Edgegate): void {
    this.#edgegate = edgegate;
    this.#file.disabled = false;
    for (const sample of this.#samples) sample.disabled = false;
  }

  async #openSample(file: string, words: string): Promise<void> {
    this.#told.textContent = `Reading ${words} …`; // at once: what stands there is of the set before
    this.#file.value = "";
    try {
      const records = await readJson<LabelledRecord[]>(`recordings/${file}.json`);
      await this.#open(new Blob([records.map((record) => JSON.stringify(record)).join("\n")]), words);
    } catch (error) {
      this.#told.textContent = `${words} could not be read: ${wordsOf(error)}`;
    }
  }

  async #open(file: Blob, name: string): Promise<void> {
    this.#work?.abort(new DOMException("another set was opened", "AbortError"));
    const work = new AbortController();
    this.#work = work;
    const set = new LabelledSet(name, { changed: () => this.#later() });
    this.#set = set;
    this.#list.open(set);
    this.#chosen = undefined;
    this.#detail.replaceChildren(element("p", "empty", "Choose a record of the list: it opens here."));
    this.#told.textContent = `Reading ${name} …`;
    this.#stop.textContent = "Stop";
    this.#stop.hidden = false;
    this.#bar.hidden = false;
    this.#bar.removeAttribute("value");
    try {
      await set.read(file, work.signal);
    } catch (error) {
      if (this.#set === set) this.#ended(work, work.signal.aborted ? "Stopped while reading." : `${name} could not be read: ${wordsOf(error)}`);
      return;
    }
    if (this.#set !== set) return;
    this.#results.hidden = set.entries.length === 0;
    if (set.entries.length === 0) this.#ended(work, `${name} holds no labelled record.`);
    else await this.#score(set, work);
  }

  async #score(set: LabelledSet, work = new AbortController()): Promise<void> {
    if (!this.#edgegate) return;
    this.#work = work;
    this.#stop.textContent = "Stop";
    const began = performance.now();
    try {
      await set.score(this.#edgegate, work.signal);
    } catch (error) {
      if (this.#set === set) this.#ended(work, `Scoring stopped: ${wordsOf(error)}`);
      return;
    }
    if (this.#set !== set) return;
    const seconds = (performance.now() - began) / 1000;
    const rest = set.cut ? ` Only the first ${number.format(MOST_RECORDS)} records were read.` : "";
    if (set.state === "done") this.#ended(work, `${set.name}: ${count(set.scored, "record")} scored, in ${seconds.toFixed(1)} s.${rest}`);
    else this.#ended(work, `${set.name}: stopped after ${number.format(set.scored)} of ${number.format(set.entries.length)} records.${rest}`, true);
  }

  #ended(work: AbortController, words: string, goOn = false): void {
    if (this.#work === work) this.#work = undefined;
    this.#told.textContent = words;
    this.#bar.hidden = true;
    this.#stop.hidden = !goOn;
    this.#stop.textContent = "Go on";
    this.#redraw();
  }

  /** Draws at the next frame, however often it is asked. */
  #later(): void {
    this.#frame ||= requestAnimationFrame(() => this.#redraw());
  }

  #redraw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const set = this.#set;
    if (!set) return;
    if (set.state === "scoring") {
      this.#bar.value = set.entries.length > 0 ? set.scored / set.entries.length : 0;
      this.#bar.setAttribute("aria-valuetext", `${set.scored} of ${set.entries.length}`);
      if (!this.#told.textContent.startsWith("Scoring")) this.#told.textContent = `Scoring ${set.name}: ${count(set.entries.length, "record")} …`;
    }
    if (set.sums) this.#rates.replaceChildren(...keepOpen(this.#rates, ratesTables(set.sums.whole.rates)));
    else this.#rates.replaceChildren();
    this.#plot.draw(set.sums, this.#list.by.toLowerCase());
    this.#drawBroken(set);
    this.#list.redraw();
  }

  #drawBroken(set: LabelledSet): void {
    this.#broken.hidden = set.broken.length === 0;
    if (set.broken.length === 0) return;
    const lines = [...set.broken].sort((one, other) => one.line - other.line);
    const rows = lines.slice(0, MOST_BROKEN).map(({ line, why }) => element("li", "", `Line ${line}: ${why}`));
    const more = lines.length > MOST_BROKEN ? element("li", "", `and ${number.format(lines.length - MOST_BROKEN)} more`) : null;
    this.#broken.replaceChildren(
      element("summary", "", `${number.format(lines.length)} line${lines.length === 1 ? "" : "s"} passed over`),
      element("ul", "broken-lines", ...rows, more),
    );
  }

  async #choose(entry: Entry): Promise<void> {
    if (!this.#edgegate) return;
    this.#chosen = entry;
    let nodes: Node[];
    try {
      nodes = recordView(entry, (await this.#edgegate.call("score", { record: entry.record })) as ScoredRecord);
    } catch (error) {
      nodes = [element("p", "error", `Line ${entry.line}: ${wordsOf(error)}`)];
    }
    if (this.#chosen !== entry) return;
    this.#detail.replaceChildren(element("h3", "record-id", entry.id), ...nodes);
    this.#context.say(`${entry.id} is open.`);
    this.#detail.focus({ preventScroll: true });
    this.#detail.scrollIntoView({ block: "nearest" });
  }
}

/** `made`, with those folds open that were open in `shown`. */
function keepOpen(shown: HTMLElement, made: HTMLElement[]): HTMLElement[] {
  const open = new Set(Array.from(shown.querySelectorAll("details[open] > summary"), (summary) => summary.textContent));
  for (const each of made) {
    if (each instanceof HTMLDetailsElement) each.open = open.has(each.firstElementChild?.textContent ?? "");
  }
  return made;
}
