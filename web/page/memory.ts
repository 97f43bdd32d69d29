/** The memory panel: a conversation and a memory in, the verdict out, with both quotes marked. */
import type { Change, Edgegate, Report, Severity, Turn, Verdict } from "edgegate";

import { button, count, element, field, type Mark, marked } from "./dom.ts";
import type { Panel, PanelContext } from "./panels.ts";
import type { MemoryExample } from "./recordings.ts";

const VERDICTS: Record<Verdict, [title: string, meaning: string]> = {
  PASS: ["Pass", "The memory says what the conversation says. It may be stored."],
  PASS_WITH_FLAGS: ["Pass, with remarks", "It may be stored together with the remarks below."],
  REWRITE: ["Rewrite", "Something was lost on the way. It must be put back before this is stored."],
  REJECT: ["Reject", "The memory says something else than the conversation. It must not be stored."],
  UNCHECKABLE: ["Could not be checked", "That is not a pass: store it only if you say so, marked as unverified."],
};

const SEVERITIES: Record<Severity, string> = { advisory: "Remark", rewrite: "Rewrite", reject: "Reject" };

export const panel: Panel = { id: "memory", label: "Memory gate", mount };

async function mount(root: HTMLElement, context: PanelContext): Promise<void> {
  const gate = new MemoryGate(root);
  gate.offer(await context.examples);
  gate.ready(await context.edgegate);
}

/** What the panel holds. `ready` is called once edgegate has started. */
class MemoryGate {
  #examples: readonly MemoryExample[] = [];
  readonly #example = element("select");
  readonly #turns = element("div");
  readonly #addTurnButton = button("Add a turn", "quiet");
  readonly #memory = element("textarea");
  readonly #now = element("input");
  readonly #check = element("button", "primary", "Check");
  readonly #verdict = element("div");
  readonly #changes = element("ol", "changes");
  readonly #unaligned = element("div");
  readonly #notChecked = element("p", "hint");
  readonly #compareCard = element("div", "card");
  readonly #markedSource = element("div");
  readonly #markedMemory = element("div");
  #edgegate: Edgegate | undefined;

  constructor(root: HTMLElement) {
    this.#draw(root);
    this.#example.addEventListener("change", () => this.choose());
    this.#addTurnButton.addEventListener("click", () => {
      this.#addTurn({ speaker: "user", text: "" }).focus();
      this.#edited();
    });
  }

  #draw(root: HTMLElement): void {
    this.#turns.id = "turns";
    this.#memory.rows = 2;
    this.#memory.spellcheck = false;
    this.#now.type = "text";
    this.#now.spellcheck = false;
    this.#now.placeholder = "2026-03-14T09:00:00+01:00";
    this.#check.id = "check";
    this.#check.type = "submit";
    this.#check.disabled = true;
    this.#verdict.id = "verdict";
    this.#verdict.setAttribute("role", "status");
    this.#changes.id = "changes";
    this.#unaligned.id = "unaligned";
    this.#notChecked.id = "not-checked";
    this.#compareCard.id = "compare-card";
    this.#markedSource.id = "marked-source";
    this.#markedMemory.id = "marked-memory";
    const form = element(
      "form",
      "card",
      element("h2", "", "A memory and where it came from"),
      field("example", "Example", this.#example),
      element("fieldset", "", element("legend", "", "Conversation"), this.#turns, this.#addTurnButton),
      field("memory", "Memory to be written", this.#memory),
      element(
        "div",
        "controls end",
        field("now", "Written at", this.#now, "grow", "(dates are read against it)"),
        this.#check,
      ),
    );
    form.autocomplete = "off";
    form.addEventListener("input", (event) => {
      if (event.target !== this.#example) this.#edited();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#run();
    });
    this.#compareCard.append(
      element("h2", "", "Side by side"),
      element(
        "div",
        "compare",
        element("div", "", element("h3", "", "Conversation"), this.#markedSource),
        element("div", "", element("h3", "", "Memory"), this.#markedMemory),
      ),
    );
    root.append(
      element("div", "main", form),
      element(
        "div",
        "side",
        element("div", "card", element("h2", "", "Verdict"), this.#verdict, this.#changes, this.#unaligned, this.#notChecked),
      ),
      element("div", "below", this.#compareCard),
    );
    this.#clear();
  }

  /** The examples to choose from; the first is put into the form. */
  offer(examples: readonly MemoryExample[]): void {
    this.#examples = examples;
    for (const { id, title } of examples) this.#example.append(new Option(title, id));
    this.#example.append(new Option("Your own", ""));
    this.choose();
  }

  ready(edgegate: Edgegate): void {
    this.#edgegate = edgegate;
    this.#check.disabled = false;
  }

  /** Puts the chosen example into the form. */
  choose(): void {
    const example = this.#examples.find(({ id }) => id === this.#example.value);
    this.#turns.replaceChildren();
    for (const turn of example?.source ?? [{ speaker: "user", text: "" }]) this.#addTurn(turn);
    this.#memory.value = example?.memory ?? "";
    this.#now.value = example?.now ?? "";
    this.#clear();
  }

  #edited(): void {
    this.#example.value = "";
    this.#clear();
  }

  #clear(): void {
    this.#verdict.replaceChildren(element("p", "empty", "Press Check: the verdict appears here, with both quotes."));
    delete this.#verdict.dataset["verdict"];
    this.#changes.replaceChildren();
    this.#unaligned.replaceChildren();
    this.#notChecked.textContent = "";
    this.#compareCard.hidden = true;
  }

  #addTurn(turn: Turn): HTMLTextAreaElement {
    const number = this.#turns.childElementCount + 1;
    const speaker = element("input", "speaker");
    speaker.value = turn.speaker;
    speaker.setAttribute("aria-label", `Speaker of turn ${number}`);
    speaker.spellcheck = false;
    const text = element("textarea");
    text.value = turn.text;
    text.rows = 2;
    text.spellcheck = false;
    text.setAttribute("aria-label", `Text of turn ${number}`);
    const remove = element("button", "remove", "×");
    remove.type = "button";
    remove.setAttribute("aria-label", `Remove turn ${number}`);
    const row = element("div", "turn-row", speaker, text, remove);
    remove.addEventListener("click", () => {
      row.remove();
      this.#edited();
      this.#addTurnButton.focus();
    });
    this.#turns.append(row);
    return text;
  }

  #source(): Turn[] {
    return Array.from(this.#turns.children, (row) => ({
      speaker: row.querySelector("input")?.value ?? "",
      text: row.querySelector("textarea")?.value ?? "",
    }));
  }

  async #run(): Promise<void> {
    if (!this.#edgegate) return;
    const [source, memory, now] = [this.#source(), this.#memory.value, this.#now.value.trim()];
    this.#check.disabled = true;
    try {
      this.#show(await this.#edgegate.check(source, memory, now ? { now } : {}), source, memory);
    } catch (error) {
      this.#clear();
      this.#verdict.replaceChildren(element("p", "error", error instanceof Error ? error.message : String(error)));
    } finally {
      this.#check.disabled = false;
    }
  }

  #show(report: Report, source: Turn[], memory: string): void {
    const verdict = report.verdict ?? "UNCHECKABLE";
    const [title, meaning] = VERDICTS[verdict];
    this.#verdict.dataset["verdict"] = verdict;
    this.#verdict.replaceChildren(
      element("p", "verdict", element("strong", "", title), element("code", "", verdict)),
      element("p", "", report.uncheckable === null ? meaning : `${meaning} The reason: ${report.uncheckable}.`),
    );
    this.#changes.replaceChildren(...report.changes.map((change) => changeCard(change)));
    this.#unaligned.replaceChildren(
      ...report.unaligned.map(({ text }) => element("p", "remark", "Nothing in the conversation stands behind ", quote(text), ".")),
    );
    this.#notChecked.textContent =
      report.not_checked.length > 0 ? `Not checked: ${report.not_checked.join(", ")}.` : "";
    this.#compare(report.changes, source, memory);
  }

  #compare(changes: readonly Change[], source: Turn[], memory: string): void {
    const sourceMarks: Mark[][] = source.map(() => []);
    const memoryMarks: Mark[] = [];
    changes.forEach(({ source_quote, candidate_quote, severity }, index) => {
      const mark = { number: index + 1, kind: severity };
      if (source_quote) {
        sourceMarks[source_quote.turn ?? 0]?.push({ ...mark, start: source_quote.utf16_start, end: source_quote.utf16_end });
      }
      if (candidate_quote) memoryMarks.push({ ...mark, start: candidate_quote.utf16_start, end: candidate_quote.utf16_end });
    });
    this.#markedSource.replaceChildren(
      ...source.map(({ speaker, text }, turn) =>
        element("div", "quoted", element("span", "who", speaker), element("p", "", ...marked(text, sourceMarks[turn]!))),
      ),
    );
    this.#markedMemory.replaceChildren(
      element("div", "quoted", element("p", "", ...marked(memory, memoryMarks))),
    );
    const card = this.#compareCard;
    card.hidden = false;
    card.setAttribute("aria-label", `${count(changes.length, "change")} marked in both texts`);
  }
}

function quote(text: string, words = ""): HTMLElement {
  const start = words ? text.indexOf(words) : -1;
  return element("q", "", ...marked(text, start < 0 ? [] : [{ start, end: start + words.length, kind: "cue" }]));
}

function changeCard(change: Change): HTMLElement {
  const { severity, check, type, detail, source_quote, candidate_quote, cue, cue_text, cite } = change;
  const card = element("li", "change");
  card.dataset["severity"] = severity;
  card.append(
    element("p", "kind", element("span", "tag", SEVERITIES[severity]), ` ${check}: ${type}`),
    element("p", "detail", detail),
  );
  const quotes = element("dl", "facts");
  const line = (name: string, ...value: (Node | string)[]): void => {
    quotes.append(element("dt", "", name), element("dd", "", ...value));
  };
  if (source_quote) line("Said", quote(source_quote.text, cue_text));
  if (candidate_quote) line("Memory", quote(candidate_quote.text, cue_text));
  if (cue) line("Cue", cue_text ? `“${cue_text}” ` : "", element("code", "", cue));
  if (cite) line("Rule", cite);
  card.append(quotes);
  return card;
}
