/** Lists that can be edited: one row a text, with buttons to add and to remove. */
import type { TurnInput } from "edgegate";

import { button, element } from "./dom.ts";

/** What a list of rows is called, for those who hear it: "Memories", one of them "memory 2". */
export interface RowNames {
  list: string;
  one: string;
}

interface Row {
  readonly node: HTMLElement;
  readonly speaker: HTMLInputElement | undefined;
  readonly text: HTMLTextAreaElement;
}

/** One list. With `speakers` each row has who said it. `onEdit` is told of every change that a person makes. */
export class Rows {
  readonly node: HTMLElement;
  readonly #list = element("div", "rows");
  readonly #names: RowNames;
  readonly #speakers: boolean;
  readonly #onEdit: () => void;
  readonly #add: HTMLButtonElement;
  #rows: Row[] = [];

  constructor(names: RowNames, options: { speakers?: boolean; onEdit?: () => void; add: string }) {
    this.#names = names;
    this.#speakers = options.speakers ?? false;
    this.#onEdit = options.onEdit ?? ((): void => {});
    this.#add = button(options.add, "quiet small");
    this.node = element("fieldset", "row-list", element("legend", "", names.list), this.#list, this.#add);
    this.#add.addEventListener("click", () => {
      this.#append("user", "").text.focus();
      this.#onEdit();
    });
    this.#list.addEventListener("input", () => this.#onEdit());
  }

  /** The texts, those that are not blank. */
  get texts(): string[] {
    return this.#rows.map(({ text }) => text.value).filter((text) => text.trim() !== "");
  }

  /** The turns, those that are not blank. */
  get turns(): { speaker: string; text: string }[] {
    return this.#rows
      .map(({ speaker, text }) => ({ speaker: speaker?.value ?? "", text: text.value }))
      .filter(({ text }) => text.trim() !== "");
  }

  /** Puts other rows in their place. */
  set(items: readonly (string | TurnInput)[]): void {
    this.#rows = [];
    this.#list.replaceChildren();
    for (const item of items) {
      if (typeof item === "string") this.#append("", item);
      else if ("speaker" in item) this.#append(item.speaker, item.text);
      else this.#append(item.role, item.content);
    }
    this.node.dataset["empty"] = String(items.length === 0);
  }

  /** One more turn, at the end. */
  push(turn: { speaker: string; text: string }): void {
    this.#append(turn.speaker, turn.text);
  }

  /** Takes the last row away. */
  pop(): void {
    this.#rows.pop()?.node.remove();
    this.#name();
  }

  #append(speaker: string, text: string): Row {
    const who = this.#speakers ? element("input", "speaker") : undefined;
    if (who) {
      who.value = speaker;
      who.spellcheck = false;
    }
    const area = element("textarea");
    area.value = text;
    area.rows = 1;
    area.spellcheck = false;
    const remove = button("×", "remove");
    const row: Row = { node: element("div", "row", who, area, remove), speaker: who, text: area };
    row.node.dataset["speakers"] = String(this.#speakers);
    remove.addEventListener("click", () => {
      const at = this.#rows.indexOf(row);
      this.#rows.splice(at, 1);
      row.node.remove();
      this.#name();
      (this.#rows[Math.min(at, this.#rows.length - 1)]?.text ?? this.#add).focus();
      this.#onEdit();
    });
    this.#rows.push(row);
    this.#list.append(row.node);
    this.#name();
    return row;
  }

  #name(): void {
    this.node.dataset["empty"] = String(this.#rows.length === 0);
    for (const [at, { node, speaker, text }] of this.#rows.entries()) {
      const one = `${this.#names.one} ${at + 1}`;
      speaker?.setAttribute("aria-label", `Speaker of ${one}`);
      text.setAttribute("aria-label", this.#speakers ? `Text of ${one}` : one);
      node.querySelector("button")?.setAttribute("aria-label", `Remove ${one}`);
    }
  }
}
