/** Drawing what may be very long, so that no step of it takes the page's thread for long. */
import { button, element } from "./dom.ts";

const FULL = 6_000; // characters in a part; the next one begins at the end of a line
const OVERFULL = 12_000; // without the end of a line, the next one begins anywhere

/**
 * A text that grows at its end, in parts: the browser lays out anew only the last of them, and none that is off the screen.
 * `node.textContent` is always exactly the text.
 */
export class LongText {
  readonly node: HTMLElement;
  #part: HTMLElement | undefined;
  #length = 0;

  constructor(node: HTMLElement) {
    this.node = node;
  }

  /** Throws it all away. */
  clear(): void {
    this.node.replaceChildren();
    this.#part = undefined;
    this.#length = 0;
  }

  /** Text, or a short stretch of it in an element of its own, at the end. */
  append(...pieces: (string | HTMLElement)[]): void {
    for (const piece of pieces) {
      if (typeof piece !== "string") this.#add(piece, piece.textContent.length);
      else {
        for (let at = 0; at < piece.length; ) {
          const end = this.#endOfPart(piece, at);
          this.#add(piece.slice(at, end), end - at);
          at = end;
        }
      }
    }
  }

  /** The pieces, as they stand in the document: text nodes and elements. */
  *pieces(): Generator<ChildNode, void> {
    for (const part of [...this.node.children]) yield* [...part.childNodes];
  }

  #add(piece: string | HTMLElement, length: number): void {
    this.#part ??= this.node.appendChild(element("div", "part"));
    this.#part.append(piece);
    this.#length += length;
    const ended = (typeof piece === "string" ? piece : piece.textContent).endsWith("\n");
    if (this.#length >= OVERFULL || (this.#length >= FULL && ended)) {
      this.#part = undefined;
      this.#length = 0;
    }
  }

  /** Where the part that is being filled has to end within `text`, from `at` on. */
  #endOfPart(text: string, at: number): number {
    const full = text.indexOf("\n", at + Math.max(0, FULL - this.#length));
    let most = at + Math.max(1, OVERFULL - this.#length);
    if (full >= 0 && full < most) return full + 1;
    const last = text.charCodeAt(most - 1);
    if (last >= 0xd800 && last <= 0xdbff) most += 1; // never within a character
    return Math.min(text.length, most);
  }
}

/** A list of which the first are drawn, and more when they are asked for. */
export class LongList {
  /** The list and its button. */
  readonly node: HTMLElement;
  readonly list: HTMLElement;
  readonly #most: number;
  readonly #more = button("", "quiet small more");
  #waiting: (() => Node)[] = [];
  #drawn = 0;
  #room: number;

  constructor(list: HTMLElement, most: number) {
    this.list = list;
    this.#most = this.#room = most;
    this.node = element("div", "long-list", list, this.#more);
    this.#more.addEventListener("click", () => {
      this.#room += this.#most;
      const next = this.#waiting.splice(0, this.#most);
      const nodes = next.map((make) => make());
      this.#drawn += nodes.length;
      list.append(...nodes);
      this.#tell();
      const first = nodes[0];
      const inside = first instanceof HTMLElement ? first.querySelector<HTMLElement>("summary, button") : null;
      if (this.#more.hidden) inside?.focus();
    });
    this.#tell();
  }

  /** Empties it. */
  clear(): void {
    this.list.replaceChildren();
    this.#waiting = [];
    this.#drawn = 0;
    this.#room = this.#most;
    this.#tell();
  }

  /** One more; what `make` makes is drawn now if there is room. */
  add(make: () => Node): void {
    if (this.#drawn < this.#room && this.#waiting.length === 0) {
      this.#drawn += 1;
      this.list.append(make());
      return;
    }
    this.#waiting.push(make);
    this.#tell();
  }

  #tell(): void {
    const left = this.#waiting.length;
    this.#more.hidden = left === 0;
    if (left > 0) this.#more.textContent = `Show ${Math.min(left, this.#most)} more of ${left}`;
  }
}

const NEAR = 240; // pixels from the end within which a reader is taken to follow what comes
const due = new Set<HTMLElement>();
const left = new WeakSet<Element>();

/**
 * Keeps the end of the pane around `inside` in view at the next frame, unless its reader went up to read. However often it
 * is asked, the browser lays out once.
 */
export function follow(inside: HTMLElement): void {
  const pane = inside.closest<HTMLElement>(".pane");
  if (!pane) return;
  if (!pane.dataset["follows"]) {
    pane.dataset["follows"] = "true";
    pane.addEventListener("scroll", () => {
      const away = pane.scrollHeight - pane.scrollTop - pane.clientHeight > NEAR;
      if (away) left.add(pane);
      else left.delete(pane);
    });
  }
  if (due.size === 0) {
    requestAnimationFrame(() => {
      for (const one of due) if (!left.has(one)) one.scrollTop = one.scrollHeight;
      due.clear();
    });
  }
  due.add(pane);
}
