/** A set that is being scored: its records, what the core said of each, and the sums so far. */
import type { Edgegate } from "edgegate";

import { type BrokenLine, type LabelledRecord, readSet, rest, type Score, type ScoredRecord, type Sums } from "./lists-read.ts";
import { wordsOf } from "./reply-view.ts";

/** One record of the set. */
export interface Entry {
  readonly line: number;
  readonly record: LabelledRecord;
  readonly id: string;
  /** Who spoke, or the field the record is about: what the plot is by. */
  readonly group: string;
  /** What the core got wrong on it; undefined until it is scored. */
  errors: readonly string[] | undefined;
  /** The core could not read it: it stands among the broken lines. */
  broken: boolean;
}

const AT_ONCE = 4; // records under way to the core, so that it never waits for the page
const EVERY = 400; // milliseconds between two sums
const MOST_GROUPS = 60;
const OTHERS = "all others";
const WITHOUT = "not named";

const text = (value: unknown): string | undefined => (typeof value === "string" && value.trim() !== "" ? value : undefined);

/** What is told while a set is read and scored. */
export interface Watcher {
  /** More is known: records, errors, broken lines or sums. */
  changed(): void;
}

export class LabelledSet {
  readonly name: string;
  readonly entries: Entry[] = [];
  readonly broken: BrokenLine[] = [];
  sums: Sums | undefined;
  job: ScoredRecord["job"] | undefined;
  scored = 0;
  cut = false;
  state: "reading" | "scoring" | "stopped" | "done" = "reading";
  readonly #watcher: Watcher;
  readonly #groups = new Set<string>();
  readonly #running = new Map<string, Score>(); // a group may have any name at all, so no plain objects
  readonly #new = new Map<string, Score[]>();
  #next = 0;

  constructor(name: string, watcher: Watcher) {
    this.name = name;
    this.#watcher = watcher;
  }

  /** The groups, those with a name of their own. */
  get groups(): readonly string[] {
    return [...this.#groups];
  }

  /** Reads all of a file. */
  async read(file: Blob, signal: AbortSignal): Promise<void> {
    const { cut } = await readSet(
      file,
      signal,
      (record, line) => this.#take(record, line),
      (broken) => this.broken.push(broken),
    );
    this.cut = cut;
    this.state = "stopped";
    this.#watcher.changed();
  }

  #take(record: LabelledRecord, line: number): void {
    let group = text(record["persona"]) ?? text(record["domain"]) ?? WITHOUT;
    if (!this.#groups.has(group)) {
      if (this.#groups.size >= MOST_GROUPS) group = OTHERS;
      this.#groups.add(group);
    }
    this.entries.push({ line, record, id: text(record["id"]) ?? `line ${line}`, group, errors: undefined, broken: false });
  }

  /** Scores what is not scored yet, until the signal says stop. Can be called again, to go on. */
  async score(edgegate: Edgegate, signal: AbortSignal): Promise<void> {
    this.state = "scoring";
    let summed = performance.now();
    while (this.#next < this.entries.length && !signal.aborted) {
      const some = this.entries.slice(this.#next, this.#next + AT_ONCE);
      this.#next += some.length;
      await Promise.all(some.map((entry) => this.#scoreOne(edgegate, entry)));
      if (performance.now() - summed > EVERY) {
        await this.#sum(edgegate);
        summed = performance.now();
        await rest();
      }
    }
    await this.#sum(edgegate);
    this.state = this.#next < this.entries.length ? "stopped" : "done";
    this.#watcher.changed();
  }

  async #scoreOne(edgegate: Edgegate, entry: Entry): Promise<void> {
    try {
      const found = (await edgegate.call("score", { record: entry.record })) as ScoredRecord;
      this.job ??= found.job;
      if (found.job !== this.job) throw new Error("not a record of the same kind as those before it");
      entry.errors = found.errors;
      const scores = this.#new.get(entry.group);
      if (scores) scores.push(found.score);
      else this.#new.set(entry.group, [found.score]);
    } catch (error) {
      entry.broken = true;
      this.broken.push({ line: entry.line, why: wordsOf(error) });
    }
    this.scored += 1;
  }

  /** Puts what is new to the sums. The core adds; here nothing is counted. */
  async #sum(edgegate: Edgegate): Promise<void> {
    if (this.job === undefined) {
      this.#watcher.changed();
      return;
    }
    const names = new Set([...this.#running.keys(), ...this.#new.keys()]);
    const scoresOf = (name: string): Score[] => [this.#running.get(name) ?? [], this.#new.get(name) ?? []].flat();
    const groups = Object.fromEntries([...names].map((name) => [name, scoresOf(name)]));
    this.#new.clear();
    this.sums = (await edgegate.call("score.sum", { job: this.job, groups })) as Sums;
    for (const [name, { score }] of Object.entries(this.sums.groups)) this.#running.set(name, score);
    this.#watcher.changed();
  }
}
