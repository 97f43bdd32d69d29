/** Values that panels follow. */

type Listener<T> = (value: T) => void;

/** What happens, one after the other. The last `keep` of it are told to those who come later. */
export class Feed<T> {
  readonly #listeners = new Set<Listener<T>>();
  readonly #past: T[] = [];
  readonly #keep: number;

  constructor(keep = 0) {
    this.#keep = keep;
  }

  /** Whether anybody listens. */
  get followed(): boolean {
    return this.#listeners.size > 0;
  }

  /** Tells everybody. */
  tell(value: T): void {
    this.#past.push(value);
    if (this.#past.length > this.#keep) this.#past.shift();
    for (const listener of this.#listeners) listener(value);
  }

  /** Calls `listener` with what is kept of the past, then with all that comes; returns how to stop that. */
  follow(listener: Listener<T>): () => void {
    for (const value of this.#past) listener(value);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** One value that may change. */
export class Value<T> {
  readonly #feed = new Feed<T>(1);
  #now: T;

  constructor(now: T) {
    this.#now = now;
    this.#feed.tell(now);
  }

  get now(): T {
    return this.#now;
  }

  /** Changes it, and tells everybody when it is another one. */
  set(now: T): void {
    if (now === this.#now) return;
    this.#now = now;
    this.#feed.tell(now);
  }

  /** Calls `listener` with the value as it is, and at each change; returns how to stop that. */
  follow(listener: Listener<T>): () => void {
    return this.#feed.follow(listener);
  }
}
