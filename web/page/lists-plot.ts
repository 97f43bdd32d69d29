/** Catch against preservation, one point for each group, drawn as SVG. */
import { element } from "./dom.ts";
import type { Sum, Sums } from "./lists-read.ts";
import { percent, rateWords } from "./lists-rates.ts";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 460;
const HEIGHT = 330;
const LEFT = 52;
const BOTTOM = 42;
const TOP = 16;
const RIGHT = 20;
const STEPS = 5;

function shape(tag: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text) made.textContent = text;
  return made;
}

interface Point {
  x: number;
  y: number;
  weight: number;
  names: string[];
}

/** The plot. `onChoose` is told when somebody points a group out. */
export class Plot {
  readonly node: HTMLElement;
  readonly #svg = document.createElementNS(SVG, "svg");
  readonly #note = element("p", "hint plot-note");
  readonly #numbers = element("details", "fold", element("summary", "", "The plot in numbers"));
  readonly #onChoose: (group: string) => void;

  constructor(onChoose: (group: string) => void) {
    this.#onChoose = onChoose;
    this.#svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    this.#svg.setAttribute("role", "img");
    this.node = element("div", "plot", this.#svg, this.#note, this.#numbers);
  }

  draw(sums: Sums | undefined, by: string): void {
    const groups = Object.entries(sums?.groups ?? {});
    const both = groups.filter(([, { catch: caught, preservation }]) => caught.value !== null && preservation.value !== null);
    const values = [...both.map(([, sum]) => sum), ...(sums ? [sums.whole] : [])].flatMap((sum) => [sum.catch.value, sum.preservation.value]);
    const least = Math.min(1, ...values.filter((value): value is number => value !== null));
    const from = Math.min(0.8, Math.floor(least * 10) / 10);
    const x = (value: number): number => LEFT + ((value - from) / (1 - from)) * (WIDTH - LEFT - RIGHT);
    const y = (value: number): number => HEIGHT - BOTTOM - ((value - from) / (1 - from)) * (HEIGHT - BOTTOM - TOP);
    const parts: SVGElement[] = [];
    for (let step = 0; step <= STEPS; step++) {
      const value = from + ((1 - from) * step) / STEPS;
      const label = `${Math.round(value * 100)}`;
      parts.push(
        shape("line", { x1: x(value), x2: x(value), y1: TOP, y2: HEIGHT - BOTTOM, class: "grid" }),
        shape("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "grid" }),
        shape("text", { x: x(value), y: HEIGHT - BOTTOM + 16, class: "tick", "text-anchor": "middle" }, label),
        shape("text", { x: LEFT - 8, y: y(value) + 4, class: "tick", "text-anchor": "end" }, label),
      );
    }
    parts.push(
      shape("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 8, class: "axis", "text-anchor": "middle" }, "Preservation, %"),
      shape("text", { x: 14, y: (TOP + HEIGHT - BOTTOM) / 2, class: "axis", "text-anchor": "middle", transform: `rotate(-90 14 ${(TOP + HEIGHT - BOTTOM) / 2})` }, "Catch, %"),
    );
    const points = pointsOf(both, x, y);
    for (const point of points) parts.push(this.#draw(point));
    if (sums && sums.whole.catch.value !== null && sums.whole.preservation.value !== null) {
      const { catch: caught, preservation } = sums.whole;
      const [right, up] = [x(preservation.value!), y(caught.value!)];
      parts.push(
        shape("line", { x1: x(Math.max(from, preservation.low)), x2: x(preservation.high), y1: up, y2: up, class: "spread" }),
        shape("line", { x1: right, x2: right, y1: y(Math.max(from, caught.low)), y2: y(caught.high), class: "spread" }),
        shape("path", { d: `M${right} ${up - 8} L${right + 8} ${up} L${right} ${up + 8} L${right - 8} ${up} Z`, class: "whole" }),
      );
    }
    this.#svg.replaceChildren(...parts);
    const left = groups.length - both.length;
    const missing = left > 0 ? ` ${left} of ${groups.length} have nothing to count on one side, and no point.` : "";
    const whole = sums ? `Whole set: catch ${percent(sums.whole.catch.value)}, preservation ${percent(sums.whole.preservation.value)}. ` : "";
    this.#svg.setAttribute("aria-label", `${whole}One circle for each ${by}; the numbers are in the table below.`);
    this.#note.textContent = sums
      ? `A circle is a ${by}, or several in the same place; its size says how many labelled texts. The diamond is the whole set, with its 95 % intervals.${missing}`
      : "";
    this.#tabulate(groups, by);
  }

  #draw(point: Point): SVGElement {
    const radius = Math.min(18, 3.5 + Math.sqrt(point.weight) * 1.5);
    const made = shape("g", { class: "spot", "data-groups": point.names.length });
    const several = point.names.length > 4 ? ` and ${point.names.length - 3} more` : "";
    const names = point.names.slice(0, several ? 3 : 4).join("; ") + several;
    made.append(shape("circle", { cx: point.x, cy: point.y, r: radius }), shape("title", {}, names));
    if (point.names.length > 1) made.append(shape("text", { x: point.x, y: point.y + 4, "text-anchor": "middle" }, String(point.names.length)));
    if (point.names.length === 1) made.addEventListener("click", () => this.#onChoose(point.names[0]!));
    return made;
  }

  #tabulate(groups: [string, Sum][], by: string): void {
    if (!this.#numbers.open && this.#numbers.childElementCount > 1) this.#numbers.lastElementChild!.remove();
    this.#numbers.hidden = groups.length === 0;
    const fill = (): void => {
      if (!this.#numbers.open) return;
      const heads = [by, "Catch", "Preservation"].map((name) => {
        const head = element("th", "", name);
        head.scope = "col";
        return head;
      });
      const rows = groups.map(([name, sum]) => {
        const choose = element("button", "link", name);
        choose.type = "button";
        choose.addEventListener("click", () => this.#onChoose(name));
        const head = element("th", "", choose);
        head.scope = "row";
        return element("tr", "", head, element("td", "", rateWords(sum.catch)), element("td", "", rateWords(sum.preservation)));
      });
      const table = element("table", "rates by-group", element("thead", "", element("tr", "", ...heads)), element("tbody", "", ...rows));
      this.#numbers.replaceChildren(this.#numbers.firstElementChild!, table);
    };
    this.#numbers.ontoggle = fill;
    fill();
  }
}

/** The groups as points; those in the same place are one. */
function pointsOf(groups: readonly [string, Sum][], x: (value: number) => number, y: (value: number) => number): Point[] {
  const points = new Map<string, Point>();
  for (const [name, { catch: caught, preservation }] of groups) {
    const [right, up] = [x(preservation.value!), y(caught.value!)];
    const place = `${Math.round(right / 6)} ${Math.round(up / 6)}`;
    const point = points.get(place) ?? { x: right, y: up, weight: 0, names: [] };
    point.weight += caught.total + preservation.total;
    point.names.push(name);
    points.set(place, point);
  }
  return [...points.values()].sort((one, other) => other.weight - one.weight);
}
