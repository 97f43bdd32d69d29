/** The constellation: what is kept as a picture, one shape for each kind, to look at with eyes, mouse, finger or keyboard. */
import type { MemoryPicture, PictureNode } from "edgegate";

import { button, element } from "./dom.ts";
import { icon, shapeOf, svg } from "./kept-shapes.ts";

const LABELS = 12; // pixels: the size of a name beside its node
const ZOOMS = [1, 1.6, 2.6, 4.2];
const LEAST = 440; // units of the picture that the window shows at least

/** The picture and its legend. `onChoose` is told which node a person chose, or null. */
export class Sky {
  /** The picture, its zoom and its legend. */
  readonly node: HTMLElement;
  readonly #frame = element("div", "kept-frame");
  readonly #legend = element("ul", "kept-legend");
  readonly #note = element("p", "hint");
  readonly #zoom = { out: button("−", "quiet small"), in: button("+", "quiet small") };
  readonly #onChoose: (node: PictureNode | null) => void;
  #picture: MemoryPicture | undefined;
  #svg: SVGSVGElement | undefined;
  #groups = new Map<string, SVGGElement>();
  #names = new Map<string, SVGTextElement>();
  #threads = new Map<string, SVGLineElement[]>();
  #near = new Map<string, Set<string>>();
  #chosen: string | undefined;
  #level = 0;
  #width = LEAST;

  constructor(onChoose: (node: PictureNode | null) => void) {
    this.#onChoose = onChoose;
    this.#zoom.out.setAttribute("aria-label", "Smaller");
    this.#zoom.in.setAttribute("aria-label", "Larger");
    this.#zoom.out.addEventListener("click", () => this.#zoomTo(this.#level - 1));
    this.#zoom.in.addEventListener("click", () => this.#zoomTo(this.#level + 1));
    this.#legend.setAttribute("aria-label", "Legend");
    const zoom = element("div", "kept-zoom", this.#zoom.out, this.#zoom.in);
    this.node = element("div", "kept-sky", element("div", "kept-window", this.#frame, zoom), this.#legend, this.#note);
    new ResizeObserver(() => this.#fit()).observe(this.#frame);
    this.#zoomTo(0);
  }

  /** Draws a picture. What was chosen stays chosen, where it is still there. */
  draw(picture: MemoryPicture): void {
    this.#picture = picture;
    this.#groups = new Map();
    this.#names = new Map();
    this.#threads = new Map(picture.nodes.map(({ id }) => [id, []]));
    this.#near = new Map(picture.nodes.map(({ id }) => [id, new Set()]));
    const places = new Map(picture.nodes.map((node) => [node.id, node]));
    const threads = svg("g", { class: "kept-threads" });
    for (const { source, target, reason } of picture.edges) {
      const [from, to] = [places.get(source), places.get(target)];
      if (!from || !to) continue;
      const line = svg("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, "vector-effect": "non-scaling-stroke" });
      line.dataset["reason"] = reason;
      for (const [one, other] of [[source, target], [target, source]] as const) {
        this.#threads.get(one)!.push(line);
        this.#near.get(one)!.add(other);
      }
      threads.append(line);
    }
    const nodes = svg("g", { class: "kept-nodes" }, ...picture.nodes.map((node) => this.#draw(node, places)));
    const names = svg("g", { class: "kept-names", "aria-hidden": "true" }, ...this.#names.values());
    // A few memories are not blown up to fill the window.
    const [wide, high] = [Math.max(picture.width, LEAST), Math.max(picture.height, LEAST)];
    this.#width = wide;
    const box = `${(picture.width - wide) / 2} ${(picture.height - high) / 2} ${wide} ${high}`;
    this.#svg = svg("svg", { viewBox: box, role: "group", class: "kept-svg" }, threads, nodes, names);
    this.#svg.style.setProperty("--thread", String(Math.min(0.24, 0.02 + 120 / Math.max(picture.edges.length, 1))));
    const memories = picture.nodes.filter(({ kind }) => kind !== "topic").length;
    this.#svg.setAttribute(
      "aria-label",
      `Constellation of ${memories} memories. Arrow keys go from one to the next, Enter chooses. The list holds the same.`,
    );
    this.#svg.addEventListener("click", (event) => this.#clicked(event));
    this.#svg.addEventListener("keydown", (event) => this.#key(event));
    this.#svg.addEventListener("focusin", (event) => this.#look(idOf(event.target)));
    this.#svg.addEventListener("focusout", () => this.#look(this.#chosen));
    this.#svg.addEventListener("pointerover", (event) => this.#look(idOf(event.target) ?? this.#chosen));
    this.#svg.addEventListener("pointerleave", () => this.#look(this.#chosen));
    this.#frame.replaceChildren(this.#svg);
    this.#legend.replaceChildren(
      ...picture.legend.map(({ kind, shape, label, count }) => {
        const group = picture.nodes.find((node) => node.kind === kind)?.group ?? "";
        const line = element("li", "", icon(shape, group), `${label} `, element("span", "kept-count", String(count)));
        line.dataset["none"] = String(count === 0);
        return line;
      }),
    );
    this.#note.textContent =
      picture.left_out > 0 ? `The latest ${memories} are drawn; ${picture.left_out} older ones are in the list only.` : "";
    if (this.#chosen !== undefined && !places.has(this.#chosen)) this.choose(undefined);
    else this.choose(this.#chosen, false);
    this.#fit();
  }

  /** Puts the marks on what a search found; null takes them off. */
  mark(found: ReadonlySet<string> | null): void {
    this.#svg?.classList.toggle("searched", found !== null);
    for (const [id, group] of this.#groups) group.classList.toggle("found", found?.has(id) ?? false);
  }

  /** Chooses a node by its id. */
  choose(id: string | undefined, tell = true): void {
    this.#chosen = id;
    const first = this.#picture?.nodes[0]?.id;
    for (const [each, group] of this.#groups) {
      group.setAttribute("aria-pressed", String(each === id));
      group.setAttribute("tabindex", each === (id ?? first) ? "0" : "-1");
    }
    this.#look(id);
    if (tell) this.#onChoose(this.#picture?.nodes.find((node) => node.id === id) ?? null);
  }

  #draw(node: PictureNode, places: ReadonlyMap<string, PictureNode>): SVGGElement {
    const halo = svg("circle", { r: 2.1, class: "kept-halo" });
    const scaled = svg("g", { class: "kept-scaled" }, halo, shapeOf(node.shape));
    const made = svg("g", { transform: `translate(${node.x} ${node.y})`, class: "kept-node", role: "button", tabindex: -1 }, scaled);
    made.dataset["id"] = node.id;
    made.dataset["group"] = node.group;
    made.dataset["kind"] = node.kind;
    const names = [...this.#near.get(node.id)!].flatMap((id) => places.get(id)?.name || []);
    const what = node.kind === "topic" ? `Topic: ${node.name}` : `${node.kind}: ${node.text}`;
    const label = names.length > 0 && node.kind !== "topic" ? `${what}. With ${[...new Set(names)].join(", ")}` : what;
    made.setAttribute("aria-label", label);
    if (node.name) this.#names.set(node.id, svg("text", { class: "kept-name" }, document.createTextNode(node.name)));
    this.#groups.set(node.id, made);
    return made;
  }

  /** Sizes are in pixels, whatever the picture's scale; a name is left out where it would lie on another one. */
  #fit(): void {
    const [picture, drawn] = [this.#picture, this.#svg];
    const width = drawn?.clientWidth ?? 0;
    if (!picture || !drawn || width === 0) return;
    const unit = Math.max(this.#width / width, (drawn.viewBox.baseVal.height || 1) / (drawn.clientHeight || 1));
    const radius = Math.min(picture.space * 0.3, Math.max(picture.space * 0.16, 5.5 * unit), 9 * unit);
    drawn.style.setProperty("--radius", String(radius));
    drawn.style.setProperty("--name", `${LABELS * unit}px`);
    const taken: DOMRect[] = [];
    const hubs = picture.nodes.filter(({ id }) => this.#names.has(id));
    hubs.sort((one, other) => this.#near.get(other.id)!.size - this.#near.get(one.id)!.size);
    for (const node of hubs) {
      const text = this.#names.get(node.id)!;
      const { x: left, y: top, width: across } = drawn.viewBox.baseVal;
      const [wide, high] = [node.name.length * LABELS * unit * 0.66, LABELS * unit * 1.3];
      const x = Math.min(Math.max(node.x, left + wide / 2), left + across - wide / 2);
      const above = node.y - radius * 1.9;
      const y = above - high < top ? node.y + radius * 1.9 + high * 0.8 : above;
      text.setAttribute("x", String(x));
      text.setAttribute("y", String(y));
      const box = new DOMRect(x - wide / 2, y - high, wide, high);
      const free = taken.every((other) => box.right < other.left || other.right < box.left || box.bottom < other.top || other.bottom < box.top);
      text.classList.toggle("crowded", !free);
      if (free) taken.push(box);
    }
  }

  #zoomTo(level: number): void {
    this.#level = Math.min(Math.max(level, 0), ZOOMS.length - 1);
    this.#frame.style.setProperty("--zoom", String(ZOOMS[this.#level]));
    this.#zoom.out.disabled = this.#level === 0;
    this.#zoom.in.disabled = this.#level === ZOOMS.length - 1;
    this.#fit();
    if (this.#chosen !== undefined) this.#groups.get(this.#chosen)?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  /** Brings one node, its threads and its neighbours forward; the others step back only for one that was chosen. */
  #look(at: string | undefined): void {
    const drawn = this.#svg;
    if (!drawn) return;
    for (const each of drawn.querySelectorAll(".near")) each.classList.remove("near");
    drawn.classList.toggle("looking", at !== undefined && at === this.#chosen);
    if (at === undefined) return;
    for (const line of this.#threads.get(at) ?? []) line.classList.add("near");
    for (const each of [at, ...(this.#near.get(at) ?? [])]) {
      this.#groups.get(each)?.classList.add("near");
      this.#names.get(each)?.classList.add("near");
    }
  }

  #clicked({ target }: Event): void {
    const id = idOf(target);
    this.choose(id === this.#chosen ? undefined : id);
    if (id !== undefined) this.#groups.get(id)?.focus();
  }

  #key(event: KeyboardEvent): void {
    const id = idOf(event.target);
    if (id === undefined) return;
    const nodes = this.#picture!.nodes;
    const ways: Record<string, [x: number, y: number]> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const way = ways[event.key];
    let to: string | undefined;
    if (way) to = this.#towards(id, way);
    else if (event.key === "Home") to = nodes[0]?.id;
    else if (event.key === "End") to = nodes.at(-1)?.id;
    else if (event.key === "Enter" || event.key === " ") this.choose(id === this.#chosen ? undefined : id);
    else if (event.key === "Escape") this.choose(undefined);
    else return;
    event.preventDefault();
    const group = to === undefined ? undefined : this.#groups.get(to);
    if (!group) return;
    for (const each of this.#groups.values()) each.setAttribute("tabindex", each === group ? "0" : "-1");
    group.focus();
  }

  /** The nearest node in a direction: what lies aside counts double. */
  #towards(id: string, [right, down]: [x: number, y: number]): string | undefined {
    const nodes = this.#picture!.nodes;
    const from = nodes.find((node) => node.id === id)!;
    let [best, least]: [string | undefined, number] = [undefined, Infinity];
    for (const node of nodes) {
      const [x, y] = [node.x - from.x, node.y - from.y];
      const ahead = x * right + y * down;
      const cost = ahead + 2 * Math.abs(x * down + y * right);
      if (node.id !== id && ahead > 0.5 && cost < least) [best, least] = [node.id, cost];
    }
    return best;
  }
}

function idOf(target: EventTarget | null): string | undefined {
  const group = target instanceof Element ? target.closest<SVGGElement>(".kept-node") : null;
  return group?.dataset["id"];
}
