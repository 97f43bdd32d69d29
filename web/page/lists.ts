/** The panel Lists: a labelled set, opened from a file and browsed record by record, with its rates and a plot on top. */
import type { Edgegate } from "edgegate";

import { button, count, element, field } from "./dom.ts";
import { readJson } from "./files.ts";
import { Plot } from "./lists-plot.ts";
import { MOST_RECORDS, type LabelledRecord, type ScoredRecord } from "./lists-read.ts";
import { ratesTables } from "./lists-rates.ts";
import { ERRORS, recordView } from "./lists-record.ts";
import { type Entry, LabelledSet } from "./lists-set.ts";
import type { Panel, PanelContext } from "./panels.ts";
import { wordsOf } from "./reply-view.ts";

const PAGE = 40; // records in the list at once
const MOST_BROKEN = 200; // broken lines that are listed
const SAMPLES: [file: string, words: string][] = [
  ["sample-replies", "Twelve replies"],
  ["sample-memories", "Twelve memories"],
];
const ANY = "any error";
const RIGHT = "right";

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
  readonly #broken = element("details", "fold");
  readonly #results = element("div", "wide results");
  readonly #rates = element("div", "rate-tables");
  readonly #plot: Plot;
  readonly #kinds = element("div", "chips");
  readonly #group = element("select");
  readonly #search = element("input");
  readonly #list = element("ol", "records");
  readonly #where = element("span", "hint");
  readonly #before = button("Previous", "quiet small");
  readonly #after = button("Next", "quiet small");
  readonly #detail = element("div", "detail-body");
  #edgegate: Edgegate | undefined;
  #set: LabelledSet | undefined;
  #work: AbortController | undefined;
  #kind = "";
  #page = 0;
  #found: readonly Entry[] = [];
  #chosen: Entry | undefined;
  #drawn = "";
  #frame = 0;
  #typing = 0;

  constructor(root: HTMLElement, context: PanelContext) {
    this.#context = context;
    this.#plot = new Plot((group) => {
      this.#group.value = group;
      this.#filter();
    });
    this.#samples = SAMPLES.map(([file, words]) => {
      const made = button(words, "quiet");
      made.id = `lists-${file}`;
      made.disabled = true;
      made.addEventListener("click", () => void this.#openSample(file, words));
      return made;
    });
    this.#draw(root);
    this.#listen(root);
  }

  #draw(root: HTMLElement): void {
    Object.assign(this.#file, { type: "file", accept: ".jsonl,.ndjson,.json,.txt", disabled: true });
    Object.assign(this.#search, { type: "search", spellcheck: false });
    this.#stop.id = "lists-stop";
    this.#stop.hidden = true;
    this.#bar.id = "lists-progress";
    this.#bar.max = 1;
    this.#bar.value = 0;
    this.#bar.setAttribute("aria-label", "Scored");
    this.#bar.hidden = true;
    this.#told.id = "lists-told";
    this.#told.setAttribute("role", "status");
    this.#broken.id = "lists-broken";
    this.#broken.hidden = true;
    this.#results.hidden = true;
    this.#rates.id = "lists-rates";
    this.#kinds.id = "lists-kinds";
    this.#kinds.setAttribute("role", "group");
    this.#kinds.setAttribute("aria-label", "Which records to list");
    this.#list.id = "lists-records";
    this.#where.id = "lists-where";
    this.#before.id = "lists-before";
    this.#after.id = "lists-after";
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
        this.#broken,
      ),
      this.#results,
    );
    const nav = element("nav", "pages", this.#before, this.#where, this.#after);
    nav.setAttribute("aria-label", "Pages of the list");
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
      element(
        "div",
        "card list",
        element("h2", "", "Records"),
        this.#kinds,
        element("div", "controls", field("lists-group", "Persona", this.#group, "grow"), field("lists-search", "Search in the texts", this.#search, "grow")),
        this.#list,
        nav,
      ),
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
    this.#group.addEventListener("change", () => this.#filter());
    this.#search.addEventListener("input", () => {
      clearTimeout(this.#typing);
      this.#typing = window.setTimeout(() => this.#filter(), 150);
    });
    this.#before.addEventListener("click", () => this.#turn(-1));
    this.#after.addEventListener("click", () => this.#turn(1));
  }

  ready(edgegate: Edgegate): void {
    this.#edgegate = edgegate;
    this.#file.disabled = false;
    for (const sample of this.#samples) sample.disabled = false;
  }

  async #openSample(file: string, words: string): Promise<void> {
    const records = await readJson<LabelledRecord[]>(`recordings/${file}.json`);
    this.#file.value = "";
    await this.#open(new Blob([records.map((record) => JSON.stringify(record)).join("\n")]), words);
  }

  async #open(file: Blob, name: string): Promise<void> {
    this.#work?.abort(new DOMException("another set was opened", "AbortError"));
    const work = new AbortController();
    this.#work = work;
    const set = new LabelledSet(name, { changed: () => this.#later() });
    this.#set = set;
    this.#drawn = "";
    this.#kind = "";
    this.#chosen = undefined;
    this.#search.value = "";
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
    this.#offerGroups(set);
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

  #offerGroups(set: LabelledSet): void {
    this.#group.replaceChildren(new Option("All", ""), ...[...set.groups].sort().map((name) => new Option(name, name)));
    const domain = set.entries.some(({ record }) => "persona" in record) ? "Persona" : "Domain";
    const label = this.#group.parentElement?.querySelector("label");
    if (label) label.textContent = domain;
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
    this.#plot.draw(set.sums, this.#group.parentElement?.querySelector("label")?.textContent.toLowerCase() ?? "group");
    this.#drawBroken(set);
    this.#drawKinds(set);
    this.#filter(false);
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

  #drawKinds(set: LabelledSet): void {
    const kinds = new Map<string, number>([["", 0], [ANY, 0]]);
    let right = 0;
    for (const { errors, broken } of set.entries) {
      if (broken) continue;
      kinds.set("", kinds.get("")! + 1);
      if (!errors) continue;
      if (errors.length > 0) kinds.set(ANY, kinds.get(ANY)! + 1);
      else right += 1;
      for (const error of errors) kinds.set(error, (kinds.get(error) ?? 0) + 1);
    }
    kinds.set(RIGHT, right);
    if (!kinds.has(this.#kind)) kinds.set(this.#kind, 0);
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["kind"] : undefined;
    const chips = [...kinds].map(([kind, records]) => {
      const name = kind === "" ? "All" : kind === ANY ? "Any error" : kind === RIGHT ? "Right" : (ERRORS[kind] ?? kind);
      const chip = button("", "chip");
      chip.append(name, " ", element("span", "count", number.format(records)));
      chip.dataset["kind"] = kind;
      chip.setAttribute("aria-pressed", String(kind === this.#kind));
      chip.addEventListener("click", () => {
        this.#kind = kind;
        for (const other of chips) other.setAttribute("aria-pressed", String(other === chip));
        this.#filter();
      });
      return chip;
    });
    this.#kinds.replaceChildren(...chips);
    if (focused !== undefined) chips.find((chip) => chip.dataset["kind"] === focused)?.focus();
  }

  /** Finds what is to be listed. Drawn anew from the first page when a person changed what they look for. */
  #filter(anew = true): void {
    const words = this.#search.value.trim().toLowerCase();
    const group = this.#group.value;
    this.#found = (this.#set?.entries ?? []).filter(
      (entry) =>
        !entry.broken &&
        (this.#kind === "" || (entry.errors !== undefined && (this.#kind === RIGHT ? entry.errors.length === 0 : this.#kind === ANY ? entry.errors.length > 0 : entry.errors.includes(this.#kind)))) &&
        (group === "" || entry.group === group) &&
        (words === "" || textOf(entry.record).toLowerCase().includes(words) || entry.id.toLowerCase().includes(words)),
    );
    if (anew) this.#page = 0;
    this.#drawList();
  }

  #turn(by: number): void {
    this.#page += by;
    this.#drawList();
    this.#list.querySelector("button")?.focus();
  }

  #drawList(): void {
    const pages = Math.max(1, Math.ceil(this.#found.length / PAGE));
    this.#page = Math.min(Math.max(0, this.#page), pages - 1);
    const from = this.#page * PAGE;
    const some = this.#found.slice(from, from + PAGE);
    // While the set is scored this is asked for again and again, and mostly nothing of it has changed.
    const state = JSON.stringify([from, this.#chosen?.line, some.map(({ line, errors }) => [line, errors])]);
    if (state !== this.#drawn) {
      const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["line"] : undefined;
      this.#list.start = from + 1;
      this.#list.replaceChildren(...some.map((entry) => this.#row(entry)));
      if (focused !== undefined) this.#list.querySelector<HTMLElement>(`[data-line="${Number(focused)}"]`)?.focus();
      this.#drawn = state;
    }
    this.#where.textContent =
      this.#found.length === 0 ? "No record is like that." : `${number.format(from + 1)} to ${number.format(from + some.length)} of ${number.format(this.#found.length)}`;
    this.#before.disabled = this.#page === 0;
    this.#after.disabled = this.#page === pages - 1;
  }

  #row(entry: Entry): HTMLElement {
    const made = button("", "record");
    const { errors } = entry;
    const sign = element("span", "mark", errors === undefined ? "…" : errors.length === 0 ? "✓" : "✗");
    sign.setAttribute("aria-hidden", "true");
    const told = errors === undefined ? "not scored yet" : errors.length === 0 ? "right" : errors.map((error) => ERRORS[error] ?? error).join(", ");
    made.append(
      sign,
      element("span", "record-text", textOf(entry.record).slice(0, 160)),
      element("span", "hint", `${entry.id} · ${entry.group} · ${told}`.slice(0, 300)),
    );
    made.dataset["line"] = String(entry.line);
    made.dataset["right"] = String(errors === undefined || errors.length === 0);
    if (entry === this.#chosen) made.setAttribute("aria-current", "true");
    made.addEventListener("click", () => void this.#choose(entry));
    return element("li", "", made);
  }

  async #choose(entry: Entry): Promise<void> {
    if (!this.#edgegate) return;
    this.#chosen = entry;
    this.#drawList();
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

/** The text of a record that a person would know it by. */
function textOf(record: LabelledRecord): string {
  const text = record["reply"] ?? record["memory"];
  return typeof text === "string" ? text : "";
}

/** `made`, with those folds open that were open in `shown`. */
function keepOpen(shown: HTMLElement, made: HTMLElement[]): HTMLElement[] {
  const open = new Set(Array.from(shown.querySelectorAll("details[open] > summary"), (summary) => summary.textContent));
  for (const each of made) {
    if (each instanceof HTMLDetailsElement) each.open = open.has(each.firstElementChild?.textContent ?? "");
  }
  return made;
}
