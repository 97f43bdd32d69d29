/**
 * A reply on its way to the reader, as every panel draws it: the text as the guard releases it, what was taken out and why,
 * and what is stored.
 *
 * ```ts
 * const view = new ReplyView({ panel: "try", who: "Model, through the guard" });
 * root.append(view.reply, view.taken);                       // two pieces, to be placed where the panel likes
 * await view.play(edgegate, stream, { evidence, signal }, context);   // a ReadableStream of text
 * ```
 *
 * A stream of another form calls `begin`, then `show` and `note` as text and events come, then `finish` or `fail`.
 */
import type { Edgegate, Event, EvidenceInput, ReplyEnd, ReplyGuardOptions, TextDropped } from "edgegate";

import { count, element, marked } from "./dom.ts";
import { KINDS } from "./evidence.ts";
import type { PanelContext } from "./panels.ts";

const CLAIMS: Record<string, string> = {
  history: "Claims a shared past",
  memory: "Claims what memory did",
  consciousness: "Claims human feelings",
  pressure: "Puts pressure on the user",
  orphan: "Made sense only with a sentence that was taken out",
};

export interface ReplyViewOptions {
  /** The panel it stands in, for the measurements. */
  panel: string;
  /** Who speaks, above the text. */
  who: string;
  /** Goes before the ids of its parts ("reply", "outcome", "stored", "dropped"); none in the panel Chat. */
  prefix?: string;
  /** What is said before anything was played. */
  idle?: string;
}

/** How the outcome is coloured. */
export type Mood = "quiet" | "good" | "warn" | "bad";

export class ReplyView {
  /** The reply, the outcome and what is stored. */
  readonly reply: HTMLElement;
  /** What was taken out. */
  readonly taken: HTMLElement;
  readonly #text = element("div", "said");
  readonly #outcome = element("p", "outcome");
  readonly #stored = element("pre");
  readonly #fold: HTMLDetailsElement;
  readonly #dropped = element("ol", "dropped");
  readonly #count = element("span", "count");
  readonly #empty = element("p", "empty", "Sentences that nothing supports are listed here, each with its reason.");
  readonly #idle: string;
  readonly #panel: string;

  constructor({ panel, who, prefix = "", idle = "Press Play: the reply appears as the guard releases it." }: ReplyViewOptions) {
    this.#panel = panel;
    this.#idle = idle;
    this.#text.id = `${prefix}reply`;
    this.#text.setAttribute("aria-live", "polite");
    this.#text.setAttribute("aria-busy", "false");
    this.#outcome.id = `${prefix}outcome`;
    this.#outcome.setAttribute("role", "status");
    this.#stored.id = `${prefix}stored`;
    this.#stored.tabIndex = 0;
    this.#stored.setAttribute("role", "region");
    this.#stored.setAttribute("aria-label", "Stored text");
    this.#fold = element("details", "fold", element("summary", "", "What is stored"), this.#stored);
    this.#fold.id = `${prefix}stored-fold`;
    this.#dropped.id = `${prefix}dropped`;
    this.#count.id = `${prefix}dropped-count`;
    this.reply = element(
      "div",
      "reply-view",
      element("div", "turn model", element("span", "who", who), this.#text),
      this.#outcome,
      this.#fold,
    );
    this.taken = element("div", "card", element("h2", "", "Taken out ", this.#count), this.#dropped, this.#empty);
    this.clear();
  }

  /** The text that is on the screen. */
  get shown(): string {
    return this.#text.textContent;
  }

  /** Puts everything back to the beginning. */
  clear(): void {
    this.#text.replaceChildren();
    this.#dropped.replaceChildren();
    this.#count.hidden = true;
    this.#empty.hidden = false;
    this.#fold.hidden = true;
    this.#stored.textContent = "";
    this.tell(this.#idle, "quiet");
  }

  /** Says how it stands. */
  tell(text: string, mood: Mood): void {
    this.#outcome.textContent = text;
    this.#outcome.dataset["kind"] = mood;
  }

  /** A reply begins. */
  begin(): void {
    this.clear();
    this.#text.setAttribute("aria-busy", "true");
    this.tell("Streaming …", "quiet");
  }

  /** Decided text. */
  show(text: string): void {
    this.#text.append(text);
  }

  /** An event of the guard. */
  note(event: Event): void {
    if (event.kind !== "text_dropped") return;
    this.#empty.hidden = true;
    this.#dropped.append(droppedCard(event));
    this.#count.textContent = String(this.#dropped.childElementCount);
    this.#count.hidden = false;
  }

  /** The reply ended. */
  finish(end: ReplyEnd): void {
    this.#text.setAttribute("aria-busy", "false");
    this.#stored.textContent = end.shown;
    this.#fold.hidden = false;
    if (this.shown !== end.shown) this.tell("What is shown is not what is stored. This is a fault of the page.", "bad");
    else if (end.failed !== null) this.tell(`The guard failed and showed nothing more: ${end.failed}`, "bad");
    else if (!end.enabled) this.tell("The guard was off: everything the model said was shown.", "warn");
    else {
      const parts = [
        end.aborted ? "Stopped." : end.everything_dropped ? "Nothing was left to show." : "Done.",
        `${count(end.dropped, "sentence")} taken out;`,
        `shown and stored are the same ${count(Array.from(end.shown).length, "character")}.`,
      ];
      if (end.unchecked.length > 0) parts.push(`Shown without a check: ${end.unchecked.join(", ")}.`);
      this.tell(parts.join(" "), end.aborted ? "quiet" : "good");
    }
  }

  /** The guard or the page broke. */
  fail(error: unknown): void {
    this.#text.setAttribute("aria-busy", "false");
    this.tell(`The guard stopped, and nothing more is shown: ${error instanceof Error ? error.message : error}`, "bad");
  }

  /**
   * Streams `source` through a guard to its end; how it ended, or undefined when the guard broke (it says so itself). A
   * source that breaks off leaves the decided text, and is said; aborting `options.signal` stops it.
   */
  async play(
    edgegate: Edgegate,
    source: ReadableStream<string>,
    options: Omit<ReplyGuardOptions, "onEvent"> & { evidence?: EvidenceInput; signal: AbortSignal },
    context: Pick<PanelContext, "replies">,
  ): Promise<ReplyEnd | undefined> {
    this.begin();
    context.replies.tell({ kind: "begin", panel: this.#panel });
    try {
      const guard = edgegate.replyGuard({ ...options, onEvent: (event) => this.note(event) });
      let broken: unknown;
      try {
        for await (const text of source.pipeThrough(guard)) this.show(text);
      } catch (error) {
        broken = error;
      }
      const end = await guard.end;
      this.finish(end);
      if (broken !== undefined && !options.signal.aborted) this.brokeOff(broken);
      return end;
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** The reply's stream broke off: what was decided stays. */
  brokeOff(reason: unknown): void {
    const why = reason instanceof Error ? reason.message : String(reason);
    this.tell(`The stream broke off (${why}). What was decided by then is shown, and stored.`, "warn");
  }
}

function droppedCard(event: TextDropped): HTMLElement {
  const card = element("li", "drop");
  const start = event.cue_text ? event.sentence.indexOf(event.cue_text) : -1;
  const cue = start < 0 ? [] : [{ start, end: start + event.cue_text.length, kind: "cue" }];
  card.append(
    element("span", "claim", CLAIMS[event.family] ?? event.family),
    element("blockquote", "", ...marked(event.sentence, cue)),
    element("p", "reason", event.reason),
  );
  const facts = element("dl", "facts");
  const fact = (name: string, ...value: (Node | string)[]): void => {
    facts.append(element("dt", "", name), element("dd", "", ...value));
  };
  if (event.cue_text) fact("Cue", `“${event.cue_text}” `, element("code", "", event.cue));
  else fact("Cue", element("code", "", event.cue));
  const nearest = event.nearest_evidence;
  if (event.family === "history" || event.family === "memory") {
    fact("Nearest", nearest ? `${nearest.text} ` : "nothing close is held");
    if (nearest) facts.lastElementChild?.append(element("span", "tag", KINDS[nearest.kind as keyof EvidenceInput] ?? nearest.kind));
  }
  if (event.cite) fact("Rule", event.cite);
  card.append(facts);
  return card;
}
