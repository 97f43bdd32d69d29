/**
 * The panel Memory gate: a conversation and a memory in; the verdict, each change with both quotes, and the gate's own repair
 * out. A second part follows a memory through its rewrites.
 */
import type { Edgegate, Repair, Report, Turn } from "edgegate";

import { Chain } from "./chain.ts";
import { changeCard, putBack, sideBySide, VERDICTS, verdictTag } from "./changes.ts";
import { button, count, element, field } from "./dom.ts";
import { readJson } from "./files.ts";
import type { Panel, PanelContext } from "./panels.ts";
import type { ChainExample, MemoryExample } from "./recordings.ts";
import { wordsOf } from "./reply-view.ts";
import { Rows } from "./rows.ts";

export const panel: Panel = { id: "memory", label: "Memory gate", mount };

async function mount(root: HTMLElement, context: PanelContext): Promise<void> {
  const gate = new Gate();
  const chain = new Chain();
  const parts = {
    one: [element("div", "main", gate.form), element("div", "side", gate.result), element("div", "below", gate.texts)],
    chain: [element("div", "main", chain.form), element("div", "side", chain.result)],
  };
  const choice = (name: keyof typeof parts, text: string): HTMLElement => {
    const input = element("input");
    input.type = "radio";
    input.name = "memory-part";
    input.id = `memory-${name}`;
    input.checked = name === "one";
    input.addEventListener("change", () => {
      for (const [other, nodes] of Object.entries(parts)) for (const node of nodes) node.hidden = other !== name;
    });
    return element("label", "choice", input, text);
  };
  const choices = element("div", "choices wide", choice("one", "One memory"), choice("chain", "A chain of rewrites"));
  choices.setAttribute("role", "radiogroup");
  choices.setAttribute("aria-label", "What to gate");
  for (const node of parts.chain) node.hidden = true;
  root.append(choices, ...parts.one, ...parts.chain);
  const [examples, chains] = await Promise.all([context.examples, readJson<ChainExample[]>("recordings/chains.json")]);
  gate.offer(examples);
  chain.offer(chains);
  const edgegate = await context.edgegate;
  gate.ready(edgegate);
  chain.ready(edgegate);
}

/** One memory: the form, the verdict, both texts. */
class Gate {
  readonly form: HTMLFormElement;
  readonly result: HTMLElement;
  readonly texts = element("div", "card");
  readonly #example = element("select");
  readonly #turns: Rows;
  readonly #memory = element("textarea");
  readonly #now = element("input");
  readonly #check = element("button", "primary", "Check");
  readonly #verdict = element("div");
  readonly #changes = element("ol", "changes");
  readonly #repair = element("div", "repair");
  readonly #unaligned = element("div");
  readonly #notChecked = element("p", "hint");
  readonly #source = element("div");
  readonly #marked = element("div");
  #examples: readonly MemoryExample[] = [];
  #edgegate: Edgegate | undefined;
  #run = 0; // which check is the last one: what an earlier one still brings is not drawn

  constructor() {
    this.#turns = new Rows(
      { list: "Conversation", one: "turn" },
      { speakers: true, add: "Add a turn", onEdit: () => this.#edited() },
    );
    this.#turns.node.id = "turns";
    this.#memory.rows = 2;
    this.#memory.spellcheck = false;
    this.#now.spellcheck = false;
    this.#now.placeholder = "2026-03-14T09:00:00+01:00";
    this.#check.id = "check";
    this.#check.type = "submit";
    this.#check.disabled = true;
    this.#verdict.id = "verdict";
    this.#verdict.setAttribute("role", "status");
    this.#changes.id = "changes";
    this.#repair.id = "repair";
    this.#unaligned.id = "unaligned";
    this.#notChecked.id = "not-checked";
    this.texts.id = "compare-card";
    this.#source.id = "marked-source";
    this.#marked.id = "marked-memory";
    this.form = element(
      "form",
      "card",
      element("h2", "", "A memory and where it came from"),
      field("example", "Example", this.#example),
      this.#turns.node,
      field("memory", "Memory to be written", this.#memory),
      element("div", "controls end", field("now", "Written at", this.#now, "grow", "(dates are read against it)"), this.#check),
    );
    this.form.autocomplete = "off";
    this.#memory.addEventListener("input", () => this.#edited());
    this.#now.addEventListener("input", () => this.#edited());
    this.#example.addEventListener("change", () => this.#choose());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#judge();
    });
    this.result = element(
      "div",
      "card",
      element("h2", "", "Verdict"),
      this.#verdict,
      this.#changes,
      this.#repair,
      this.#unaligned,
      this.#notChecked,
    );
    this.texts.append(
      element("h2", "", "Side by side"),
      element(
        "div",
        "compare",
        element("div", "", element("h3", "", "Conversation"), this.#source),
        element("div", "", element("h3", "", "Memory"), this.#marked),
      ),
    );
    this.#clear();
  }

  /** The examples to choose from; the first is put into the form. */
  offer(examples: readonly MemoryExample[]): void {
    this.#examples = examples;
    for (const { id, title } of examples) this.#example.append(new Option(title, id));
    this.#example.append(new Option("Your own", ""));
    this.#choose();
  }

  ready(edgegate: Edgegate): void {
    this.#edgegate = edgegate;
    this.#check.disabled = false;
  }

  #choose(): void {
    const example = this.#examples.find(({ id }) => id === this.#example.value);
    this.#turns.set(example?.source ?? [{ speaker: "user", text: "" }]);
    this.#memory.value = example?.memory ?? "";
    this.#now.value = example?.now ?? "";
    this.#clear();
  }

  #edited(): void {
    this.#example.value = "";
    this.#clear();
  }

  #clear(): void {
    this.#run += 1;
    this.#verdict.replaceChildren(element("p", "empty", "Press Check: the verdict appears here, with both quotes."));
    delete this.#verdict.dataset["verdict"];
    for (const part of [this.#changes, this.#repair, this.#unaligned, this.#notChecked]) part.replaceChildren();
    this.texts.hidden = true;
  }

  async #judge(): Promise<void> {
    if (!this.#edgegate) return;
    const [source, memory, now] = [this.#turns.turns, this.#memory.value, this.#now.value.trim()];
    const options = now ? { now } : {};
    this.#run += 1;
    const run = this.#run;
    this.#check.disabled = true;
    try {
      const report = await this.#edgegate.check(source, memory, options);
      if (run !== this.#run) return;
      this.#show(report, source, memory);
      if (report.changes.length === 0) return;
      const repair = (await this.#edgegate.call("fix", { source, memory, ...options })) as Repair;
      if (run === this.#run) this.#showRepair(repair, memory);
    } catch (error) {
      if (run !== this.#run) return;
      this.#clear();
      this.#verdict.replaceChildren(element("p", "error", wordsOf(error)));
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
    this.#repair.replaceChildren();
    this.#unaligned.replaceChildren(
      ...report.unaligned.map(({ text }) =>
        element("p", "remark", "Nothing in the conversation stands behind ", element("q", "", text), "."),
      ),
    );
    this.#notChecked.textContent =
      report.not_checked.length > 0 ? `Not checked, since nothing looks for it yet: ${report.not_checked.join(", ")}.` : "";
    const [said, written] = sideBySide(report, source, memory);
    this.#source.replaceChildren(...said);
    this.#marked.replaceChildren(...written);
    this.texts.hidden = false;
    this.texts.setAttribute("role", "region");
    this.texts.setAttribute("aria-label", `Side by side, ${count(report.changes.length, "change")} marked in both texts`);
  }

  /** What the gate itself makes of the memory, if that passes. */
  #showRepair({ text, report, question }: Repair, memory: string): void {
    if (text !== null && text !== memory) {
      const use = button("Use it", "quiet small");
      use.addEventListener("click", () => {
        this.#memory.value = text;
        this.#example.value = "";
        void this.#judge();
        this.#memory.focus();
      });
      this.#repair.replaceChildren(
        element("div", "card-head", element("h3", "", "The gate's own repair"), verdictTag(report.verdict)),
        element("p", "repaired", ...putBack(memory, text)),
        use,
      );
    } else if (question !== null) {
      this.#repair.replaceChildren(
        element("h3", "", "The gate can't repair this by itself"),
        element("p", "hint", "A rewriter is asked to put back:"),
        element("ul", "lost", ...question.lost.map((lost) => element("li", "", lost))),
      );
    }
  }
}
