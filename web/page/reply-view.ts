/**
 * A reply on its way to the reader, as every panel draws it: the text as the guard releases it, what was taken out and what
 * stayed, each with its reason, and what is stored.
 *
 * ```ts
 * const view = new ReplyView({ panel: "try", who: "Model, through the guard", prefix: "try-" });
 * root.append(element("div", "main", view.reply), element("div", "side", view.taken));
 * await view.play(edgegate, stream, { evidence, enabled, signal }, context);   // a ReadableStream of text
 * ```
 *
 * A stream of another form calls `begin`, then `show` and `note` as text and events come, then `finish` or `fail`.
 *
 * Text is only ever added at the end, inside panes of a fixed height, so nothing on the page moves when a sentence is
 * released. A claim that stays is listed when its text is on the screen, not before.
 */
import type { ClaimKept, Edgegate, Event, EvidenceInput, ReplyEnd, ReplyOptions } from "edgegate";

import { button, count, element } from "./dom.ts";
import { follow, LongList, LongText } from "./long.ts";
import type { PanelContext } from "./panels.ts";
import { claimCard } from "./why.ts";

export interface ReplyViewOptions {
  /** The panel it stands in, for the measurements. */
  panel: string;
  /** Who speaks, above the text. */
  who: string;
  /** Goes before the ids of its parts ("reply", "outcome", "stored", "dropped"); none in the panel Chat. */
  prefix?: string;
  /** What is said before anything was played. */
  idle?: string;
  /** Told after each piece with the number of characters that are held; then the core is asked for it each time. */
  onHeld?: (characters: number) => void;
}

/** What a reply is judged by. Aborting the signal stops it: what is held is thrown away. */
export interface PlayOptions extends Omit<ReplyOptions, "onEvent" | "explain"> {
  evidence?: EvidenceInput;
  signal: AbortSignal;
}

/** How the outcome is coloured. */
export type Mood = "quiet" | "good" | "warn" | "bad";

type Filter = "all" | "dropped" | "kept";

export class ReplyView {
  /** All of it but the reasons: the pane with the text, the outcome, what is stored. */
  readonly reply: HTMLElement;
  /** A card with what was taken out and what stayed. */
  readonly taken: HTMLElement;
  /** The parts of `reply`, for a panel that places them itself. */
  readonly turn: HTMLElement;
  readonly outcome = element("p", "outcome");
  readonly fold: HTMLDetailsElement;
  /** The sentences that were dropped, in order. */
  readonly dropped: string[] = [];
  readonly #text = element("div", "said reply");
  readonly #stored = element("pre");
  readonly #grown = new LongText(this.#text);
  readonly #storedText = new LongText(this.#stored);
  readonly #cards = element("ol", "dropped");
  readonly #list = new LongList(this.#cards, MOST_CARDS);
  readonly #pane: HTMLElement;
  readonly #counts: Record<Filter, HTMLElement>;
  readonly #empty = element("p", "empty", "Each claim of the reply is listed here, whether it stayed or went, with its reason.");
  readonly #idle: string;
  readonly #panel: string;
  readonly #onHeld: ReplyViewOptions["onHeld"];
  #claims: ClaimKept[] = []; // kept, and not on the screen yet
  #numbers: Record<Filter, number> = { all: 0, dropped: 0, kept: 0 };

  constructor({ panel, who, prefix = "", idle = "Press Play: the reply appears as the guard releases it.", onHeld }: ReplyViewOptions) {
    this.#panel = panel;
    this.#idle = idle;
    this.#onHeld = onHeld;
    this.#text.id = `${prefix}reply`;
    this.#text.setAttribute("aria-live", "polite");
    this.#text.setAttribute("aria-busy", "false");
    this.outcome.id = `${prefix}outcome`;
    this.outcome.setAttribute("role", "status");
    this.#stored.id = `${prefix}stored`;
    this.#stored.tabIndex = 0;
    this.#stored.setAttribute("role", "region");
    this.#stored.setAttribute("aria-label", `Stored text: ${who}`);
    this.fold = element("details", "fold keeps-place", element("summary", "", "What is stored"), this.#stored);
    this.fold.id = `${prefix}stored-fold`;
    this.turn = element("div", "turn model", element("span", "who", who), this.#text);
    this.reply = element("div", "reply-view", pane(`Reply: ${who}`, this.turn), this.outcome, this.fold);

    this.#cards.id = `${prefix}dropped`;
    const filter = (kind: Filter, text: string): HTMLButtonElement => {
      const made = button("", "chip");
      made.append(text, " ", this.#counts[kind]);
      made.setAttribute("aria-pressed", String(kind === "all"));
      made.addEventListener("click", () => {
        this.#pane.dataset["filter"] = kind;
        for (const other of filters.children) other.setAttribute("aria-pressed", String(other === made));
      });
      return made;
    };
    this.#counts = { all: element("span", "count"), dropped: element("span", "count"), kept: element("span", "count") };
    const filters = element("div", "chips");
    filters.setAttribute("role", "group");
    filters.setAttribute("aria-label", "Which claims to list");
    filters.append(filter("all", "All"), filter("dropped", "Taken out"), filter("kept", "Kept"));
    this.#pane = pane("Claims and reasons", this.#empty, this.#list.node);
    this.#pane.dataset["filter"] = "all";
    this.taken = element("div", "card why", element("div", "card-head", element("h2", "", "Why"), filters), this.#pane);
    this.clear();
  }

  /** The text that is on the screen. */
  get shown(): string {
    return this.#text.textContent;
  }

  /** Puts everything back to the beginning. */
  clear(): void {
    this.#grown.clear();
    this.#list.clear();
    for (const extra of this.#pane.querySelectorAll(":scope > .extra")) extra.remove();
    this.dropped.length = 0;
    this.#claims = [];
    this.#numbers = { all: 0, dropped: 0, kept: 0 };
    this.#drawCounts();
    this.fold.hidden = true;
    this.fold.open = false;
    this.#storedText.clear();
    this.tell(this.#idle, "quiet");
  }

  /** Says how it stands. */
  tell(text: string, mood: Mood): void {
    this.outcome.textContent = text;
    this.outcome.dataset["kind"] = mood;
  }

  /** Marks sentences of the finished reply, where they stand in it, with a class. The text stays as it is. */
  mark(sentences: readonly string[], className: string): void {
    this.#text.normalize();
    for (const sentence of sentences) {
      for (const node of this.#grown.pieces()) {
        const at = node.nodeType === Node.TEXT_NODE ? (node as Text).data.indexOf(sentence) : -1;
        const whole = node instanceof HTMLElement && node.textContent === sentence;
        if (whole) node.classList.add(className);
        if (at < 0) continue;
        const found = (node as Text).splitText(at);
        found.splitText(sentence.length);
        const span = element("span", className);
        found.replaceWith(span);
        span.append(found);
        break;
      }
    }
  }

  /** Something more below the claims, until the next reply. */
  add(extra: HTMLElement): void {
    extra.classList.add("extra");
    this.#pane.append(extra);
  }

  /** A reply begins. */
  begin(): void {
    this.clear();
    this.#text.setAttribute("aria-busy", "true");
    this.tell("Streaming …", "quiet");
  }

  /** Decided text. */
  show(text: string): void {
    if (text === "") return;
    let rest = text;
    for (const claim of [...this.#claims]) {
      const at = rest.indexOf(claim.sentence);
      if (at < 0) continue;
      const end = at + claim.sentence.length;
      this.#grown.append(rest.slice(0, at), element("span", "kept-claim", rest.slice(at, end)));
      rest = rest.slice(end);
      this.#keep(claim);
    }
    this.#grown.append(rest);
    follow(this.#text);
  }

  /** An event of the guard. Text is shown by `show`, when it comes out of the stream. */
  note(event: Event): void {
    if (event.kind === "claim_kept") this.#claims.push(event);
    if (event.kind !== "text_dropped") return;
    this.#claims = this.#claims.filter(({ sentence }) => sentence !== event.sentence);
    this.dropped.push(event.sentence);
    this.#card("dropped", () => claimCard(event));
  }

  #keep(claim: ClaimKept): void {
    this.#claims.splice(this.#claims.indexOf(claim), 1);
    this.#card("kept", () => claimCard(claim));
  }

  #card(kind: "dropped" | "kept", make: () => HTMLElement): void {
    this.#numbers[kind] += 1;
    this.#numbers.all += 1;
    this.#list.add(make);
    this.#drawCounts();
    follow(this.#cards);
  }

  #drawCounts(): void {
    this.#empty.hidden = this.#numbers.all > 0;
    for (const kind of ["all", "dropped", "kept"] as const) this.#counts[kind].textContent = String(this.#numbers[kind]);
  }

  /** The reply ended. */
  finish(end: ReplyEnd): void {
    // What stays may be cleaned a little ("And you told me …"): then the words were not found, but they are on the screen.
    const shown = this.shown;
    for (const claim of [...this.#claims]) if (shown.includes(claim.sentence.slice(-ENDING))) this.#keep(claim);
    this.#text.setAttribute("aria-busy", "false");
    this.#storedText.clear();
    this.#storedText.append(end.shown);
    this.fold.hidden = false;
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

  /** Something more about how it went, behind what is said already. */
  remark(text: string): void {
    this.outcome.append(` ${text}`);
  }

  /** The guard or the page broke. */
  fail(error: unknown): void {
    this.#text.setAttribute("aria-busy", "false");
    this.tell(`The guard stopped, and nothing more is shown: ${wordsOf(error)}`, "bad");
  }

  /** The reply's stream broke off, after `finish`: what was decided stays. */
  brokeOff(reason: unknown): void {
    this.tell(`The stream broke off (${wordsOf(reason)}). What was decided by then is shown, and stored.`, "warn");
  }

  /**
   * Feeds `source` to a guard, piece by piece, to its end; how it ended, or undefined when the guard broke (the view says
   * so). A source that breaks off leaves exactly the decided text. Aborting the signal stops it.
   */
  async play(
    edgegate: Edgegate,
    source: ReadableStream<string>,
    { signal, ...options }: PlayOptions,
    { replies }: Pick<PanelContext, "replies">,
  ): Promise<ReplyEnd | undefined> {
    this.begin();
    replies.tell({ kind: "begin", panel: this.#panel });
    const guard = edgegate.openReply({ ...options, explain: true, onEvent: (event) => this.note(event) });
    const reader = source.getReader();
    const stop = (): void => void reader.cancel(signal.reason).catch(() => {});
    signal.addEventListener("abort", stop, { once: true });
    try {
      const began = performance.now();
      let first = true;
      let broken: { reason: unknown } | undefined;
      for (;;) {
        const piece = await reader.read().catch((reason: unknown) => {
          broken = { reason };
          return undefined;
        });
        if (!piece || piece.done || signal.aborted) break;
        const asked = performance.now();
        const text = await guard.feed(piece.value);
        const cost = performance.now() - asked;
        this.show(text); // decided, so it is shown, also when someone stopped it meanwhile
        if (first && (text !== "" || this.dropped.length > 0)) {
          first = false;
          replies.tell({ kind: "first", after: performance.now() - began });
        }
        if (this.#onHeld || replies.followed) {
          const held = await guard.held();
          this.#onHeld?.(held);
          replies.tell({ kind: "piece", cost, characters: piece.value.length, held });
        }
      }
      if (signal.aborted) await guard.abort();
      else this.show(await guard.close());
      const end = await guard.end;
      this.#onHeld?.(0);
      this.finish(end);
      if (broken && !signal.aborted) this.brokeOff(broken.reason);
      replies.tell({ kind: "end", shown: end.shown.length, dropped: end.dropped });
      return end;
    } catch (error) {
      this.fail(error);
      return undefined;
    } finally {
      signal.removeEventListener("abort", stop);
      reader.cancel().catch(() => {});
    }
  }
}

/** A part of the page that scrolls by itself, reachable by keyboard. */
export function pane(name: string, ...children: Node[]): HTMLElement {
  const made = element("div", "pane", ...children);
  made.tabIndex = 0;
  made.setAttribute("role", "region");
  made.setAttribute("aria-label", name);
  return made;
}

const MOST_CARDS = 200; // drawn before someone asks for more
const ENDING = 24; // characters by which the end of a cleaned sentence is known again
/** An error in words. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
