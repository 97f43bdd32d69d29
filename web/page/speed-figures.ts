/** Figures of many timings, and how they are written. */

/** The last timings of something: how they are spread. */
export class Timings {
  readonly #kept: Float64Array;
  #next = 0;
  #count = 0;

  constructor(keep = 2000) {
    this.#kept = new Float64Array(keep);
  }

  get count(): number {
    return this.#count;
  }

  add(value: number): void {
    this.#kept[this.#next] = value;
    this.#next = (this.#next + 1) % this.#kept.length;
    this.#count += 1;
  }

  /** The value that a share of the timings kept do not exceed; undefined where there is none. */
  at(share: number): number | undefined {
    const some = this.#kept.slice(0, Math.min(this.#count, this.#kept.length)).sort();
    return some.length === 0 ? undefined : some[Math.min(some.length - 1, Math.floor(some.length * share))];
  }
}

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Milliseconds in words: "1.24 s", "86 ms", "0.41 ms"; a dash where there is none. */
export function duration(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return "–";
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return `${milliseconds >= 10 ? milliseconds.toFixed(0) : milliseconds.toFixed(2)} ms`;
}

/** Bytes in words: "9.6 MB", "17 kB". */
export function bytes(count: number): string {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} MB`;
  if (count >= 1e3) return `${number.format(count / 1e3)} kB`;
  return `${count} bytes`;
}

export function whole(count: number): string {
  return number.format(count);
}
