/** Small helpers to draw with. Text becomes text nodes and nothing else: no markup is ever parsed. */

type Child = Node | string | null | undefined;

/** A new element with a class and children; strings become text nodes. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  for (const child of children) if (child !== null && child !== undefined) made.append(child);
  return made;
}

/** The element with this id, of this class. Throws when the page has none. */
export function find<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} called ${id}`);
  return found;
}

/** A stretch of a text that is to be marked, with a number if it has one. */
export interface Mark {
  start: number;
  end: number;
  number?: number;
  kind: string;
}

/** The text with its marks, as nodes. Marks may overlap: each piece then carries the kinds of all that cover it. */
export function marked(text: string, marks: readonly Mark[]): Node[] {
  const cuts = new Set([0, text.length]);
  for (const { start, end } of marks) cuts.add(start).add(end);
  const places = [...cuts].filter((place) => place >= 0 && place <= text.length).sort((a, b) => a - b);
  const nodes: Node[] = [];
  for (let at = 0; at + 1 < places.length; at++) {
    const [start, end] = [places[at]!, places[at + 1]!];
    const piece = text.slice(start, end);
    const covering = marks.filter((mark) => mark.start <= start && mark.end >= end && mark.start < mark.end);
    if (covering.length === 0) {
      nodes.push(document.createTextNode(piece));
      continue;
    }
    const mark = element("mark", "", piece);
    mark.dataset["kind"] = [...new Set(covering.map(({ kind }) => kind))].join(" ");
    // The number stands behind the last piece of its mark, drawn by the style sheet: the text itself stays as it was.
    const ending = covering.filter((other) => other.end === end).flatMap(({ number }) => number ?? []);
    if (ending.length > 0) mark.dataset["number"] = ending.join(",");
    nodes.push(mark);
  }
  return nodes;
}

/** How many of a thing, in words: `count(2, "sentence")` is "2 sentences". */
export function count(number: number, thing: string, things = `${thing}s`): string {
  return `${number} ${number === 1 ? thing : things}`;
}

/** A button that does nothing by itself. */
export function button(text: string, className: string): HTMLButtonElement {
  const made = element("button", className, text || null);
  made.type = "button";
  return made;
}

/** A labelled control; it gets the id. `hint` stands behind the label. */
export function field(id: string, label: string, control: HTMLElement, className = "", hint = ""): HTMLElement {
  control.id = id;
  const name = element("label", "", label, hint ? " " : null, hint ? element("span", "hint", hint) : null);
  name.htmlFor = id;
  return element("div", `field ${className}`.trim(), name, control);
}
