/** What is kept as a list: the same facts as in the constellation, each with where it came from and a way to forget it. */
import type { FoundMemory, PictureSign, StoredMemory } from "edgegate";

import { button, element } from "./dom.ts";
import { icon } from "./kept-shapes.ts";

const FIRST = 60; // drawn at once; the others when they are asked for

/** A memory in a card of its own; `forget` is called when a person said yes to the question whether to forget it. */
export function memoryCard(
  memory: StoredMemory,
  sign: { shape: string; label: string; group: string },
  forget: (memory: StoredMemory) => void,
  found?: FoundMemory,
): HTMLElement {
  const facts = element("dl", "facts");
  const line = (name: string, value: string): void => {
    facts.append(element("dt", "", name), element("dd", "", value));
  };
  if (memory.about) line("About", memory.about);
  if (memory.at) line("Kept", `${when(memory.at)}${memory.path ? `, ${PATHS[memory.path] ?? memory.path}` : ""}`);
  if (memory.seen) line("Came to mind", when(memory.seen));
  line("Verdict", memory.flags.length > 0 ? `${memory.verdict} (${memory.flags.join(", ")})` : memory.verdict);
  for (const { text, until } of memory.history) line("Before", until ? `${text} (until ${when(until)})` : text);
  const card = element("div", "kept-memory");
  const kind = element("p", "kept-kind", icon(sign.shape, sign.group), sign.label);
  for (const angle of found?.angles ?? []) kind.append(element("span", "tag", ANGLES[angle] ?? angle));
  card.append(kind, element("p", "kept-text", memory.text), facts, forgetButton(memory, forget));
  return card;
}

const PATHS: Record<string, string> = {
  message: "as you asked",
  noticed: "noticed in passing",
  typed: "typed by hand",
  tool: "saved by a model",
  chat: "a chat you asked to keep",
  import: "brought from elsewhere",
};

const ANGLES: Record<string, string> = {
  person: "by person",
  topic: "by topic",
  words: "by words",
  time: "by time",
  beside: "a neighbour",
};

function forgetButton(memory: StoredMemory, forget: (memory: StoredMemory) => void): HTMLElement {
  const ask = button("Forget", "quiet small");
  ask.setAttribute("aria-label", `Forget: ${memory.text}`);
  const yes = button("Forget it", "quiet small kept-yes");
  const no = button("Keep it", "quiet small");
  const question = element("div", "kept-ask", element("span", "", "Forget this for good?"), yes, no);
  question.setAttribute("role", "group");
  question.setAttribute("aria-label", `Forget “${memory.text}” for good?`);
  question.hidden = true;
  const open = (asking: boolean): void => {
    ask.hidden = asking;
    question.hidden = !asking;
    (asking ? no : ask).focus();
  };
  ask.addEventListener("click", () => open(true));
  no.addEventListener("click", () => open(false));
  question.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") open(false);
  });
  yes.addEventListener("click", () => {
    yes.disabled = true;
    forget(memory);
  });
  return element("div", "kept-forget", ask, question);
}

/** The list. `forget` deletes a memory. */
export class MemoryList {
  readonly node = element("div", "kept-listing");
  readonly #list = element("ul", "kept-list");
  readonly #more = button("", "quiet");
  readonly #forget: (memory: StoredMemory) => void;
  #waiting: (() => HTMLElement)[] = [];

  constructor(forget: (memory: StoredMemory) => void) {
    this.#forget = forget;
    this.#list.setAttribute("aria-label", "Memories");
    this.#more.addEventListener("click", () => {
      const first = this.#add(this.#waiting.length);
      first?.querySelector("button")?.focus();
    });
    this.node.append(this.#list, this.#more);
  }

  /** Shows memories in this order; `found` says what brought each to mind. */
  show(memories: readonly StoredMemory[], signs: readonly PictureSign[], groups: ReadonlyMap<string, string>, found: ReadonlyMap<string, FoundMemory>): void {
    this.#list.replaceChildren();
    this.#waiting = memories.map((memory) => () => {
      const sign = signs.find(({ kind }) => kind === memory.kind);
      const looks = { shape: sign?.shape ?? "circle", label: sign?.label ?? memory.kind, group: groups.get(memory.id) ?? "known" };
      return element("li", "", memoryCard(memory, looks, this.#forget, found.get(memory.id)));
    });
    this.#add(FIRST);
  }

  #add(count: number): Element | undefined {
    const made = this.#waiting.splice(0, count).map((make) => make());
    this.#list.append(...made);
    this.#more.hidden = this.#waiting.length === 0;
    this.#more.textContent = `Show the other ${this.#waiting.length}`;
    return made[0];
  }
}

function when(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return date.toLocaleString(undefined, at.length > 10 ? { dateStyle: "medium", timeStyle: "short" } : { dateStyle: "medium" });
}
