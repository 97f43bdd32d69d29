/** The reply panel: streams a recorded reply through the guard, and lists what was taken out and why. */
import type { Edgegate, Event, EvidenceInput, ReplyEnd, TextDropped, TurnInput } from "edgegate";

import { count, element, find, marked } from "./dom.ts";
import { type Recording, type RecordingEntry, streamOf } from "./recordings.ts";

const KINDS: Record<keyof EvidenceInput, string> = {
  memories: "Memories",
  journal: "Journal",
  history: "This conversation",
  threads: "Open threads",
  facts: "Known facts",
  writes: "What memory did",
  actions: "What tools did",
};

const CLAIMS: Record<string, string> = {
  history: "Claims a shared past",
  memory: "Claims what memory did",
  consciousness: "Claims human feelings",
  pressure: "Puts pressure on the user",
  orphan: "Made sense only with a sentence that was taken out",
};

/** The panel. `load` reads one recording; `ready` is called once edgegate has started. */
export class ReplyPanel {
  readonly #recording = find("recording", HTMLSelectElement);
  readonly #pace = find("pace", HTMLSelectElement);
  readonly #enabled = find("enabled", HTMLButtonElement);
  readonly #play = find("play", HTMLButtonElement);
  readonly #reply = find("reply", HTMLElement);
  readonly #outcome = find("outcome", HTMLElement);
  readonly #dropped = find("dropped", HTMLElement);
  readonly #load: (id: string) => Promise<Recording>;
  #edgegate: Edgegate | undefined;
  #running: AbortController | undefined;
  #current: Recording | undefined;

  constructor(entries: readonly RecordingEntry[], load: (id: string) => Promise<Recording>) {
    this.#load = load;
    for (const { id, title } of entries) this.#recording.append(new Option(title, id));
    this.#recording.addEventListener("change", () => void this.choose());
    this.#enabled.addEventListener("click", () => {
      const on = this.#enabled.getAttribute("aria-checked") !== "true";
      this.#enabled.setAttribute("aria-checked", String(on));
      this.#clear();
    });
    this.#play.addEventListener("click", () => {
      if (this.#running) this.#running.abort(new DOMException("stopped by the visitor", "AbortError"));
      else void this.#stream();
    });
  }

  ready(edgegate: Edgegate): void {
    this.#edgegate = edgegate;
    this.#play.disabled = this.#current === undefined;
  }

  /** Shows the chosen recording: what the user said, what is held. */
  async choose(): Promise<void> {
    this.#running?.abort(new DOMException("another reply was chosen", "AbortError"));
    const id = this.#recording.value;
    const recording = await this.#load(id);
    if (this.#recording.value !== id) return; // another one was chosen meanwhile
    this.#current = recording;
    find("about", HTMLElement).textContent = recording.about;
    find("message", HTMLElement).textContent = recording.message;
    this.#clear();
    find("evidence", HTMLElement).replaceChildren(...evidenceLists(recording.evidence));
    this.#play.disabled = this.#edgegate === undefined;
  }

  #clear(): void {
    this.#reply.replaceChildren();
    this.#dropped.replaceChildren();
    find("dropped-count", HTMLElement).hidden = true;
    find("dropped-empty", HTMLElement).hidden = false;
    find("stored-fold", HTMLDetailsElement).hidden = true;
    find("stored", HTMLElement).textContent = "";
    this.#tell("Press Play: the reply appears as the guard releases it.", "quiet");
  }

  #tell(text: string, kind: "quiet" | "good" | "warn" | "bad"): void {
    this.#outcome.textContent = text;
    this.#outcome.dataset["kind"] = kind;
  }

  async #stream(): Promise<void> {
    const [edgegate, recording] = [this.#edgegate, this.#current];
    if (!edgegate || !recording) return;
    this.#clear();
    const running = new AbortController();
    this.#running = running;
    this.#play.textContent = "Stop";
    this.#reply.setAttribute("aria-busy", "true");
    this.#tell("Streaming …", "quiet");
    try {
      const guard = edgegate.replyGuard({
        evidence: recording.evidence,
        enabled: this.#enabled.getAttribute("aria-checked") === "true",
        onEvent: (event) => this.#note(event),
        signal: running.signal,
      });
      const source = streamOf(recording, Number(this.#pace.value), running.signal);
      const shown = source.pipeThrough(guard);
      try {
        for await (const text of shown) this.#reply.append(text);
      } catch (error) {
        if (!running.signal.aborted) throw error;
      }
      this.#finish(await guard.end);
    } catch (error) {
      this.#tell(`The guard stopped, and nothing more is shown: ${error instanceof Error ? error.message : error}`, "bad");
    } finally {
      this.#reply.setAttribute("aria-busy", "false");
      this.#play.textContent = "Play again";
      if (this.#running === running) this.#running = undefined;
    }
  }

  #note(event: Event): void {
    if (event.kind !== "text_dropped") return;
    find("dropped-empty", HTMLElement).hidden = true;
    this.#dropped.append(droppedCard(event));
    const counter = find("dropped-count", HTMLElement);
    counter.textContent = String(this.#dropped.childElementCount);
    counter.hidden = false;
  }

  #finish(end: ReplyEnd): void {
    const fold = find("stored-fold", HTMLDetailsElement);
    find("stored", HTMLElement).textContent = end.shown;
    fold.hidden = false;
    const same = this.#reply.textContent === end.shown;
    if (!same) this.#tell("What is shown is not what is stored. This is a fault of the page.", "bad");
    else if (end.failed !== null) this.#tell(`The guard failed and showed nothing more: ${end.failed}`, "bad");
    else if (!end.enabled) this.#tell("The guard was off: everything the model said was shown.", "warn");
    else {
      const parts = [
        end.aborted ? "Stopped." : end.everything_dropped ? "Nothing was left to show." : "Done.",
        `${count(end.dropped, "sentence")} taken out;`,
        `shown and stored are the same ${count(Array.from(end.shown).length, "character")}.`,
      ];
      if (end.unchecked.length > 0) parts.push(`Shown without a check: ${end.unchecked.join(", ")}.`);
      this.#tell(parts.join(" "), end.aborted ? "quiet" : "good");
    }
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

function evidenceLists(evidence: EvidenceInput): HTMLElement[] {
  const lists: HTMLElement[] = [];
  for (const kind of Object.keys(KINDS) as (keyof EvidenceInput)[]) {
    const items = evidence[kind] ?? [];
    if (items.length === 0) continue;
    const list = element("ul", "held");
    for (const item of items) list.append(element("li", "", typeof item === "string" ? item : said(item)));
    lists.push(element("h3", "", KINDS[kind]), list);
  }
  return lists;
}

function said(turn: TurnInput): string {
  return "speaker" in turn ? `${turn.speaker}: ${turn.text}` : `${turn.role}: ${turn.content}`;
}
