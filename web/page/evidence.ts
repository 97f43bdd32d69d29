/** What is held in a turn: seven lists, each of which can be edited. */
import type { EvidenceInput } from "edgegate";

import { button, element } from "./dom.ts";
import { Rows } from "./rows.ts";

type Kind = keyof EvidenceInput;

/** The kinds of evidence, in words. */
export const KINDS: Record<Kind, string> = {
  memories: "Memories",
  journal: "Journal",
  history: "This conversation",
  threads: "Open threads",
  facts: "Known facts",
  writes: "What memory did this turn",
  actions: "What tools did this turn",
};

const ONE: Record<Kind, [one: string, add: string]> = {
  memories: ["memory", "Add a memory"],
  journal: ["journal line", "Add a journal line"],
  history: ["turn", "Add a turn"],
  threads: ["thread", "Add a thread"],
  facts: ["fact", "Add a fact"],
  writes: ["write", "Add what memory did"],
  actions: ["action", "Add what a tool did"],
};

/** The editor. `onEdit` is told when a person changed something. */
export class EvidenceEditor {
  /** A card with all of it. */
  readonly node: HTMLElement;
  readonly #lists = new Map<Kind, Rows>();
  readonly #reset = button("Undo the edits", "quiet small");
  readonly #note = element("p", "hint");
  readonly #onEdit: () => void;
  #given: EvidenceInput = {};

  constructor({ id, hint, onEdit = () => {} }: { id: string; hint: string; onEdit?: () => void }) {
    this.#onEdit = onEdit;
    const body = element("div", "evidence");
    body.id = id;
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const [one, add] = ONE[kind];
      const rows = new Rows(
        { list: KINDS[kind], one },
        { speakers: kind === "history", add, onEdit: () => this.#edited(true) },
      );
      rows.node.dataset["kind"] = kind;
      this.#lists.set(kind, rows);
      body.append(rows.node);
    }
    this.#reset.addEventListener("click", () => {
      this.set(this.#given);
      this.#onEdit();
    });
    this.node = element(
      "div",
      "card",
      element("div", "card-head", element("h2", "", "Held this turn"), this.#reset),
      element("p", "hint", hint),
      body,
      this.#note,
    );
    this.#note.setAttribute("role", "status");
    this.#edited(false);
  }

  /** Shows other evidence; edits are gone. */
  set(evidence: EvidenceInput): void {
    this.#given = evidence;
    for (const [kind, rows] of this.#lists) rows.set(evidence[kind] ?? []);
    this.#edited(false);
  }

  /** One more turn of the conversation. */
  push(turn: { speaker: string; text: string }): void {
    this.#lists.get("history")!.push(turn);
  }

  /** Takes the last turn of the conversation back. */
  pop(): void {
    this.#lists.get("history")!.pop();
  }

  /** What is held, as it stands there now. */
  get value(): EvidenceInput {
    const value: Record<string, unknown> = {};
    for (const [kind, rows] of this.#lists) {
      const items = kind === "history" ? rows.turns : rows.texts;
      if (items.length > 0) value[kind] = items;
    }
    return value as EvidenceInput;
  }

  #edited(by: boolean): void {
    this.#reset.hidden = !by;
    this.#note.textContent = by ? "Edited. The next reply is judged by what stands here." : "";
    if (by) this.#onEdit();
  }
}
