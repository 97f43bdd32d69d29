/** The panel Try: a reply of the visitor's own, cut and paced as they like, and what the guard holds of it meanwhile. */
import type { Edgegate, Event, EvidenceInput } from "edgegate";

import { button, element, field } from "./dom.ts";
import { EvidenceEditor } from "./evidence.ts";
import { readJson } from "./files.ts";
import type { Panel, PanelContext } from "./panels.ts";
import type { Recording, RecordingEntry } from "./recordings.ts";
import { ReplyView } from "./reply-view.ts";
import { guardSwitch } from "./switch.ts";
import { Meter } from "./try-meter.ts";
import { type Cut, CUTS, pacedStream, piecesOf } from "./try-pieces.ts";

/** A text to try, as it stands in recordings/tries.json. */
export interface TryExample {
  id: string;
  title: string;
  about: string;
  reply: string;
  evidence: EvidenceInput;
  cut?: Cut;
}

const PACES: [perSecond: number, words: string][] = [
  [8, "8 a second"],
  [40, "40 a second"],
  [200, "200 a second"],
  [0, "At once"],
];

/** A text longer than this is kept beside the box: a box of that size makes the browser slow. */
const LONG = 100_000;
const BEGINNING = 600;

export const panel: Panel = { id: "try", label: "Try", mount };

async function mount(root: HTMLElement, context: PanelContext): Promise<void> {
  const bench = new Bench(root, context);
  const [tries, recordings] = await Promise.all([readJson<TryExample[]>("recordings/tries.json"), context.recordings]);
  bench.offer(tries, recordings);
  bench.ready(await context.edgegate);
}

/** A view that also tells the meter what was shown and taken out. */
class MeteredView extends ReplyView {
  readonly #meter: Meter;

  constructor(meter: Meter) {
    super({
      panel: "try",
      who: "What the reader sees",
      prefix: "try-",
      idle: "Press Run: the text goes through the guard as if a model were writing it.",
      onHeld: (characters) => meter.held(characters),
    });
    this.#meter = meter;
  }

  override show(text: string): void {
    super.show(text);
    this.#meter.shown(text.length);
  }

  override note(event: Event): void {
    super.note(event);
    if (event.kind === "text_dropped") this.#meter.dropped(event.sentence.length);
  }
}

class Bench {
  readonly #context: PanelContext;
  readonly #example = element("select");
  readonly #about = element("p", "about");
  readonly #text = element("textarea");
  readonly #long = element("div", "long");
  readonly #longWords = element("span");
  readonly #length = element("p", "hint");
  readonly #cut = element("select");
  readonly #pace = element("select");
  readonly #seed = element("input");
  readonly #seedField: HTMLElement;
  readonly #run = button("Run", "primary");
  readonly #sent = element("p", "hint");
  readonly #meter = new Meter("try-meter");
  readonly #view: ReplyView;
  readonly #evidence: EvidenceEditor;
  #kept: string | undefined; // a text too long for the box
  #tries: readonly TryExample[] = [];
  #edgegate: Edgegate | undefined;
  #running: AbortController | undefined;

  constructor(root: HTMLElement, context: PanelContext) {
    this.#context = context;
    this.#view = new MeteredView(this.#meter);
    this.#evidence = new EvidenceEditor({
      id: "try-evidence",
      hint: "What a claim of the reply can rest on. Leave it empty to see what goes when nothing is held.",
    });
    this.#seedField = field("try-seed", "Seed", this.#seed, "seed");
    this.#draw(root);
    this.#listen();
    this.#measureText();
  }

  #draw(root: HTMLElement): void {
    this.#about.id = "try-about";
    this.#text.rows = 9;
    this.#text.spellcheck = false;
    this.#length.id = "try-length";
    this.#long.id = "try-long";
    this.#long.hidden = true;
    const drop = button("Remove", "quiet small");
    drop.addEventListener("click", () => this.#keep(undefined));
    this.#long.append(this.#longWords, drop);
    for (const [cut, words] of Object.entries(CUTS)) this.#cut.append(new Option(words, cut));
    for (const [perSecond, words] of PACES) this.#pace.append(new Option(words, String(perSecond)));
    this.#pace.value = "40";
    Object.assign(this.#seed, { type: "number", min: "1", max: "999999", value: "1" });
    this.#seedField.hidden = true;
    this.#run.id = "try-run";
    this.#run.disabled = true;
    this.#sent.id = "try-sent";
    root.append(
      element(
        "div",
        "main",
        element(
          "div",
          "card",
          element("h2", "", "A reply of your own"),
          field("try-example", "Example", this.#example),
          this.#about,
          field("try-text", "The reply, as a model might write it", this.#text),
          this.#long,
          this.#length,
          element(
            "div",
            "controls",
            field("try-cut", "Cut into pieces", this.#cut, "grow"),
            this.#seedField,
            field("try-pace", "Pieces sent", this.#pace, "grow"),
          ),
          element("div", "controls", guardSwitch("try-enabled", this.#context), this.#run),
        ),
      ),
      element(
        "div",
        "side",
        element(
          "div",
          "card",
          element("h2", "", "Held and released"),
          this.#meter.node,
          this.#sent,
          this.#view.reply,
        ),
        this.#view.taken,
      ),
      element("div", "below", this.#evidence.node),
    );
  }

  #listen(): void {
    this.#example.addEventListener("change", () => void this.#choose());
    this.#text.addEventListener("input", () => this.#edited());
    this.#text.addEventListener("paste", (event) => this.#paste(event));
    this.#cut.addEventListener("change", () => {
      this.#seedField.hidden = this.#cut.value !== "random";
    });
    this.#run.addEventListener("click", () => {
      if (this.#running) this.#stop("stopped by the visitor");
      else void this.#stream();
    });
  }

  /** Offers texts of this panel's own, and the recorded replies as texts. */
  offer(tries: readonly TryExample[], recordings: readonly RecordingEntry[]): void {
    this.#tries = tries;
    const group = (label: string, entries: readonly { id: string; title: string }[], prefix: string): HTMLElement => {
      const made = element("optgroup");
      made.label = label;
      for (const { id, title } of entries) made.append(new Option(title, prefix + id));
      return made;
    };
    this.#example.append(group("To try", tries, "try:"), group("Recorded replies", recordings, "recording:"), new Option("Your own", ""));
    void this.#choose();
  }

  ready(edgegate: Edgegate): void {
    this.#edgegate = edgegate;
    this.#run.disabled = false;
  }

  async #choose(): Promise<void> {
    this.#stop("another text was chosen");
    const chosen = this.#example.value;
    const [kind, id] = [chosen.split(":", 1)[0], chosen.slice(chosen.indexOf(":") + 1)];
    if (kind === "") return;
    let found = this.#tries.find((example) => kind === "try" && example.id === id);
    if (!found) {
      const recording: Recording = await this.#context.recording(id);
      if (this.#example.value !== chosen) return; // another one was chosen meanwhile
      found = { ...recording, reply: recording.chunks.map(([, text]) => text).join("") };
    }
    this.#about.textContent = found.about;
    this.#keep(undefined);
    this.#text.value = found.reply;
    this.#evidence.set(found.evidence);
    this.#cut.value = found.cut ?? "token";
    this.#cut.dispatchEvent(new window.Event("change"));
    this.#view.clear();
    this.#sent.textContent = "";
    this.#measureText();
  }

  #edited(): void {
    this.#example.value = "";
    this.#about.textContent = "";
    this.#measureText();
  }

  /** A long text is not put into the box. */
  #paste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.length + this.#text.value.length <= LONG) return;
    event.preventDefault();
    const { selectionStart, selectionEnd, value } = this.#text;
    this.#keep(value.slice(0, selectionStart) + text + value.slice(selectionEnd));
    this.#edited();
  }

  #keep(text: string | undefined): void {
    this.#kept = text;
    this.#long.hidden = text === undefined;
    this.#text.readOnly = text !== undefined;
    if (text !== undefined) this.#text.value = `${text.slice(0, BEGINNING)} …`;
    else this.#text.value = "";
    this.#longWords.textContent = "A long text: the box shows its beginning, and all of it will run. ";
    this.#measureText();
  }

  get #reply(): string {
    return this.#kept ?? this.#text.value;
  }

  #measureText(): void {
    const length = this.#reply.length;
    this.#length.textContent = `${new Intl.NumberFormat("en").format(length)} character${length === 1 ? "" : "s"}`;
    if (!this.#running) this.#meter.begin(length);
  }

  #stop(why: string): void {
    this.#running?.abort(new DOMException(why, "AbortError"));
  }

  async #stream(): Promise<void> {
    if (!this.#edgegate) return;
    const mine = new AbortController();
    this.#running = mine;
    this.#run.textContent = "Stop";
    const text = this.#reply;
    let pieces = 0;
    let steps = 0;
    this.#meter.begin(text.length);
    const source = pacedStream(piecesOf(text, this.#cut.value as Cut, Number(this.#seed.value) || 1), {
      perSecond: Number(this.#pace.value),
      signal: mine.signal,
      onSent: (count, characters) => {
        pieces += count;
        steps += 1;
        this.#meter.fed(characters);
        this.#sent.textContent = sentWords(pieces, steps);
      },
    });
    const options = { evidence: this.#evidence.value, enabled: this.#context.guarding.now, signal: mine.signal };
    await this.#view.play(this.#edgegate, source, options, this.#context);
    this.#meter.held(0);
    this.#meter.flush();
    this.#run.textContent = "Run again";
    if (this.#running === mine) this.#running = undefined;
  }
}

function sentWords(pieces: number, steps: number): string {
  const number = new Intl.NumberFormat("en");
  const sent = `${number.format(pieces)} piece${pieces === 1 ? "" : "s"} sent`;
  // Where a text is cut changes nothing, so pieces that come at once may travel together.
  return steps < pieces ? `${sent}, in ${number.format(steps)} steps: what comes at once travels together.` : `${sent}.`;
}
