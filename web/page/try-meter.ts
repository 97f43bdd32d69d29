/** Where the characters of a reply are: shown, taken out, held, not sent yet. Lengths only: what is held has no words here. */
import { element } from "./dom.ts";

const PARTS = { shown: "Shown", dropped: "Taken out", held: "Held now", waiting: "Not sent yet" } as const;
type Part = keyof typeof PARTS;

const WIDTH = 600;
const HEIGHT = 72;
const SVG = "http://www.w3.org/2000/svg";
const POINTS = WIDTH / 2;

const number = new Intl.NumberFormat("en");

/** The meter of one reply. */
export class Meter {
  readonly node: HTMLElement;
  readonly #bar = element("div", "flow");
  readonly #segments = {} as Record<Part, HTMLElement>;
  readonly #numbers = {} as Record<Part, HTMLElement>;
  readonly #curve = document.createElementNS(SVG, "path");
  readonly #graph = document.createElementNS(SVG, "svg");
  readonly #most = element("span", "hint");
  readonly #said: Record<Part, number> = { shown: 0, dropped: 0, held: 0, waiting: 0 };
  #total = 0;
  #fed = 0;
  #peak = 0;
  #line: number[] = [];
  #frame = 0;

  constructor(id: string) {
    const legend = element("dl", "flow-legend");
    for (const part of Object.keys(PARTS) as Part[]) {
      const segment = element("span");
      segment.dataset["part"] = part;
      this.#segments[part] = segment;
      this.#bar.append(segment);
      const name = element("dt", "", PARTS[part]);
      name.dataset["part"] = part;
      const value = element("dd", "", "0");
      value.id = `${id}-${part}`;
      this.#numbers[part] = value;
      legend.append(element("div", "", name, value));
    }
    this.#bar.setAttribute("aria-hidden", "true");
    this.#graph.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    this.#graph.setAttribute("preserveAspectRatio", "none");
    this.#graph.setAttribute("aria-hidden", "true");
    this.#graph.append(this.#curve);
    this.#most.id = `${id}-most`;
    this.node = element(
      "div",
      "meter",
      this.#bar,
      legend,
      element("div", "held-graph", this.#graph, element("p", "hint", "Characters held, along the reply. ", this.#most)),
    );
    this.begin(0);
  }

  /** A reply of so many characters begins. */
  begin(total: number): void {
    this.#total = total;
    this.#fed = this.#peak = 0;
    this.#line = [];
    Object.assign(this.#said, { shown: 0, dropped: 0, held: 0, waiting: total });
    this.#draw();
  }

  /** So many characters went in. */
  fed(characters: number): void {
    this.#fed += characters;
    this.#said.waiting = Math.max(0, this.#total - this.#fed);
    this.#later();
  }

  /** So many were shown. */
  shown(characters: number): void {
    this.#said.shown += characters;
    this.#later();
  }

  /** So many were taken out. */
  dropped(characters: number): void {
    this.#said.dropped += characters;
    this.#later();
  }

  /** So many are held. */
  held(characters: number): void {
    this.#said.held = characters;
    this.#peak = Math.max(this.#peak, characters);
    const at = Math.min(POINTS, Math.floor((POINTS * this.#fed) / Math.max(1, this.#total)));
    const before = this.#line.length > 0 ? this.#line.at(-1)! : 0;
    while (this.#line.length < at) this.#line.push(before);
    this.#line[at] = Math.max(this.#line[at] ?? 0, characters);
    this.#later();
  }

  /** Draws what is due. */
  flush(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#draw();
  }

  /** Draws at the next frame, however often it is asked. */
  #later(): void {
    this.#frame ||= requestAnimationFrame(() => this.flush());
  }

  #draw(): void {
    const all = Math.max(1, Object.values(this.#said).reduce((sum, part) => sum + part, 0));
    let before = 0;
    for (const part of Object.keys(PARTS) as Part[]) {
      const after = before + this.#said[part];
      this.#numbers[part].textContent = number.format(this.#said[part]);
      this.#segments[part].style.clipPath = `inset(0 ${100 - (100 * after) / all}% 0 ${(100 * before) / all}%)`;
      before = after;
    }
    this.#most.textContent = this.#peak > 0 ? `At most ${number.format(this.#peak)}.` : "";
    const top = Math.max(this.#peak, 1);
    const y = (held: number): string => (HEIGHT - 2 - (held / top) * (HEIGHT - 8)).toFixed(1);
    const points = this.#line.map((held, at) => `L${at * 2} ${y(held)}`);
    this.#curve.setAttribute(
      "d",
      points.length > 0 ? `M0 ${HEIGHT} ${points.join(" ")} L${(this.#line.length - 1) * 2} ${HEIGHT} Z` : `M0 ${HEIGHT}`,
    );
  }
}
