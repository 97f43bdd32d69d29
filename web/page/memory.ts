/** The memory panel: a conversation and a memory in, the verdict out, with both quotes marked. */
import type { Change, Edgegate, Report, Severity, Turn, Verdict } from "edgegate";

import { count, element, find, type Mark, marked } from "./dom.ts";
import type { MemoryExample } from "./recordings.ts";

const VERDICTS: Record<Verdict, [title: string, meaning: string]> = {
  PASS: ["Pass", "The memory says what the conversation says. It may be stored."],
  PASS_WITH_FLAGS: ["Pass, with remarks", "It may be stored together with the remarks below."],
  REWRITE: ["Rewrite", "Something was lost on the way. It must be put back before this is stored."],
  REJECT: ["Reject", "The memory says something else than the conversation. It must not be stored."],
  UNCHECKABLE: ["Could not be checked", "That is not a pass: store it only if you say so, marked as unverified."],
};

const SEVERITIES: Record<Severity, string> = { advisory: "Remark", rewrite: "Rewrite", reject: "Reject" };

/** The panel. `ready` is called once edgegate has started. */
export class MemoryPanel {
  readonly #examples: readonly MemoryExample[];
  readonly #example = find("example", HTMLSelectElement);
  readonly #turns = find("turns", HTMLElement);
  readonly #memory = find("memory", HTMLTextAreaElement);
  readonly #now = find("now", HTMLInputElement);
  readonly #check = find("check", HTMLButtonElement);
  readonly #verdict = find("verdict", HTMLElement);
  #edgegate: Edgegate | undefined;

  constructor(examples: readonly MemoryExample[]) {
    this.#examples = examples;
    for (const { id, title } of examples) this.#example.append(new Option(title, id));
    this.#example.append(new Option("Your own", ""));
    this.#example.addEventListener("change", () => this.choose());
    find("add-turn", HTMLButtonElement).addEventListener("click", () => {
      this.#addTurn({ speaker: "user", text: "" }).focus();
      this.#edited();
    });
    const form = find("memory-form", HTMLFormElement);
    form.addEventListener("input", (event) => {
      if (event.target !== this.#example) this.#edited();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#run();
    });
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
    find("changes", HTMLElement).replaceChildren();
    find("unaligned", HTMLElement).replaceChildren();
    find("not-checked", HTMLElement).textContent = "";
    find("compare-card", HTMLElement).hidden = true;
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
      find("add-turn", HTMLButtonElement).focus();
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
    find("changes", HTMLElement).replaceChildren(...report.changes.map((change) => changeCard(change)));
    find("unaligned", HTMLElement).replaceChildren(
      ...report.unaligned.map(({ text }) => element("p", "remark", "Nothing in the conversation stands behind ", quote(text), ".")),
    );
    find("not-checked", HTMLElement).textContent =
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
    find("marked-source", HTMLElement).replaceChildren(
      ...source.map(({ speaker, text }, turn) =>
        element("div", "quoted", element("span", "who", speaker), element("p", "", ...marked(text, sourceMarks[turn]!))),
      ),
    );
    find("marked-memory", HTMLElement).replaceChildren(
      element("div", "quoted", element("p", "", ...marked(memory, memoryMarks))),
    );
    const card = find("compare-card", HTMLElement);
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
