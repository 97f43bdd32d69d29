/** A memory that was rewritten again and again: what each rewrite did, and where something was lost for good. */
import type { Drift, Edgegate, Loss } from "edgegate";

import { count, element, field, type Mark, marked } from "./dom.ts";
import { changeCard, marksOf, VERDICTS, verdictTag } from "./changes.ts";
import type { ChainExample } from "./recordings.ts";
import { wordsOf } from "./reply-view.ts";
import { Rows } from "./rows.ts";

/** The form for the versions, and what became of them. */
export class Chain {
  readonly form: HTMLFormElement;
  readonly result: HTMLElement;
  readonly #example = element("select");
  readonly #versions: Rows;
  readonly #now = element("input");
  readonly #check = element("button", "primary", "Follow it");
  readonly #summary = element("div", "chain-summary");
  readonly #steps = element("ol", "chain");
  #examples: readonly ChainExample[] = [];
  #edgegate: Edgegate | undefined;

  constructor() {
    this.#versions = new Rows(
      { list: "Versions, the oldest first", one: "version" },
      { add: "Add a version", onEdit: () => this.#edited() },
    );
    this.#versions.node.id = "versions";
    this.#now.spellcheck = false;
    this.#now.placeholder = "2026-03-14T09:00:00+01:00";
    this.#check.id = "follow";
    this.#check.type = "submit";
    this.#check.disabled = true;
    this.#summary.id = "chain-summary";
    this.#summary.setAttribute("role", "status");
    this.#steps.id = "chain";
    this.form = element(
      "form",
      "card",
      element("h2", "", "A memory and its rewrites"),
      field("chain-example", "Example", this.#example),
      this.#versions.node,
      element("div", "controls end", field("chain-now", "Written at", this.#now, "grow", "(dates are read against it)"), this.#check),
    );
    this.form.autocomplete = "off";
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#run();
    });
    this.#example.addEventListener("change", () => this.#choose());
    this.result = element("div", "card", element("h2", "", "What became of it"), this.#summary, this.#steps);
    this.#clear();
  }

  offer(examples: readonly ChainExample[]): void {
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
    this.#versions.set(example?.versions ?? ["", ""]);
    this.#now.value = example?.now ?? "";
    this.#clear();
  }

  #edited(): void {
    this.#example.value = "";
    this.#clear();
  }

  #clear(): void {
    this.#summary.replaceChildren(element("p", "empty", "Press Follow it: each rewrite is judged, and the last version against the first."));
    delete this.#summary.dataset["verdict"];
    this.#steps.replaceChildren();
  }

  async #run(): Promise<void> {
    if (!this.#edgegate) return;
    const [versions, now] = [this.#versions.texts, this.#now.value.trim()];
    this.#check.disabled = true;
    try {
      this.#show((await this.#edgegate.call("drift", { versions, ...(now && { now }) })) as Drift);
    } catch (error) {
      this.#clear();
      this.#summary.replaceChildren(element("p", "error", wordsOf(error)));
    } finally {
      this.#check.disabled = false;
    }
  }

  #show({ versions, hops, whole, losses, uncheckable }: Drift): void {
    const verdict = whole.verdict ?? "UNCHECKABLE";
    const lost = losses.length === 0 ? "Nothing was lost between the first version and the last." : `${count(losses.length, "loss", "losses")} between the first version and the last.`;
    this.#summary.dataset["verdict"] = verdict;
    this.#summary.replaceChildren(
      element("p", "verdict", element("strong", "", VERDICTS[verdict][0]), element("code", "", verdict)),
      element("p", "", lost),
      ...(uncheckable.length > 0
        ? [element("p", "", `${count(uncheckable.length, "rewrite")} could not be checked: what was lost there may hide.`)]
        : []),
    );
    const marks = marksOf(losses.map(({ change }) => change), 1);
    const place = (at: number): Mark[] => (at === 0 ? marks.source[0]! : at === versions.length - 1 ? marks.memory : []);
    this.#steps.replaceChildren();
    versions.forEach((text, at) => {
      if (at > 0) this.#steps.append(hopRow(at, hops[at - 1]!.verdict, losses.filter(({ hop }) => hop === at - 1)));
      const version = element("li", "version", element("span", "who", at === 0 ? "First version" : `Version ${at + 1}`));
      version.append(element("p", "", ...marked(text, place(at))));
      this.#steps.append(version);
    });
    const hidden = losses.filter(({ hop }) => hop === null);
    if (hidden.length > 0) {
      const row = hopRow(null, whole.verdict, hidden);
      this.#steps.append(row);
    }
  }
}

function hopRow(number: number | null, verdict: Drift["whole"]["verdict"], losses: readonly Loss[]): HTMLElement {
  const title = number === null ? "Somewhere on the way" : `Rewrite ${number}`;
  const row = element("li", "hop", element("p", "hop-head", element("span", "", title), " ", verdictTag(verdict)));
  row.dataset["lost"] = String(losses.length > 0);
  if (losses.length > 0) row.append(element("ol", "changes", ...losses.map(({ change }) => changeCard(change))));
  return row;
}
