/**
 * A day of replies in a row: small pieces through the guard, memories through the gate and the door, each text a new one, and
 * now and then something that goes wrong. Nothing of it may stay: what stays is counted, block by block.
 */
import type { Edgegate } from "../../src/client.ts";
import type { StoreSnapshot } from "../../src/protocol.ts";
import { InMemoryStore } from "../../src/store-in-memory.ts";

/** What was done. `wrong` counts replies that did not come out as the first of their kind. */
export interface Tally {
  chunks: number;
  replies: number;
  aborted: number;
  refused: number;
  writes: number;
  dropped: number;
  wrong: number;
}

/** How many characters a piece has: smaller than what a model sends, so that a day fits into an hour. */
export const PIECE = 2;
/** How many pieces of evidence a reply has, and now and then. */
const EVIDENCE = 5;
const MUCH_EVIDENCE = 50;
const CONTROL =
  "Hello! Last time you told me about your boat. How is Nadia? I can help with the garden today.\n\n- one\n- I remember your fear\n";

/** Numbers that are always the same ones. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The load over one edgegate. With `leak` its replies are never ended, which has to be noticed. */
export class Soak {
  readonly tally: Tally = { chunks: 0, replies: 0, aborted: 0, refused: 0, writes: 0, dropped: 0, wrong: 0 };
  readonly #edgegate: Edgegate;
  readonly #leak: boolean;
  readonly #chance = numbers(1);
  readonly #store = new InMemoryStore();
  #control: string | undefined;

  constructor(edgegate: Edgegate, leak = false) {
    this.#edgegate = edgegate;
    this.#leak = leak;
  }

  /** Goes on until `chunks` pieces were fed in all. */
  async run(chunks: number): Promise<Tally> {
    while (this.tally.chunks < chunks) await this.#turn();
    return this.tally;
  }

  /** A word that nothing has ever seen. */
  #word(): string {
    const letters = "abdefgiklmnoprstuvz";
    return Array.from({ length: 7 }, () => letters[Math.floor(this.#chance() * letters.length)]).join("");
  }

  async #turn(): Promise<void> {
    const number = this.tally.replies;
    this.tally.replies += 1;
    const [name, place] = [this.#word(), this.#word()];
    const Name = name[0]!.toUpperCase() + name.slice(1);
    if (number % 20 === 0) {
      const shown = await this.#reply(CONTROL, ["The user has a sister called Nadia"], "close");
      this.#control ??= shown;
      if (shown !== this.#control) this.tally.wrong += 1;
    }
    const text =
      `Good morning. Your sister ${Name} moved to ${place}, you told me. Last time you mentioned the ${this.#word()} in ${place}. ` +
      `The ${this.#word()} costs ${Math.floor(this.#chance() * 1000)} euros in the town of ${place}. I remember how you cried.\n\n` +
      `# ${Name}\n\n1. Take the ${name}.\n2. You said that ${Name} likes it.\n\n\`\`\`\n${name} = ${place}\n\`\`\`\n\n` +
      `It may rain on Thursday, so leave a little earlier; "${place}" is far. ` +
      `${`Go on past the ${this.#word()} and the second ${this.#word()}, then along the river until a bridge with ${this.#word()} lamps comes. `.repeat(Math.floor(this.#chance() * 20))}`;
    const much = number % 25 === 0 ? MUCH_EVIDENCE : EVIDENCE;
    const memories = Array.from({ length: much - 1 }, () => `The user likes the ${this.#word()} of ${this.#word()}`);
    const ends = this.#chance();
    await this.#reply(text, [...memories, `The user's sister ${Name} moved to ${place}`], ends < 0.1 ? "abort" : ends < 0.2 ? "cancel" : "close");
    if (number % 3 === 0) await this.#edgegate.check(`Someone said ${Name} was promoted.`, `${Name} was promoted in ${place}.`);
    if (number % 10 === 0) await this.#remember(Name, place);
    if (number % 50 === 0) await this.#edgegate.check("a", "b", { now: `not a time ${name}` }).catch(() => (this.tally.refused += 1));
  }

  /** One reply, in pieces; `ends` says how. */
  async #reply(text: string, memories: string[], ends: "close" | "abort" | "cancel"): Promise<string> {
    if (ends === "cancel") return this.#cancelled(text, memories);
    const reply = this.#edgegate.openReply({
      evidence: { memories },
      onEvent: (event) => (this.tally.dropped += event.kind === "text_dropped" ? 1 : 0),
    });
    const stop = ends === "abort" ? text.length / 2 : text.length;
    let shown = "";
    for (let at = 0; at < stop; at += PIECE) {
      shown += await reply.feed(text.slice(at, at + PIECE));
      this.tally.chunks += 1;
    }
    if (this.#leak) return shown;
    if (ends === "abort") {
      await reply.abort();
      this.tally.aborted += 1;
      return shown;
    }
    return shown + (await reply.close());
  }

  /** A reader that goes away in the middle of a stream. */
  async #cancelled(text: string, memories: string[]): Promise<string> {
    const guard = this.#edgegate.replyGuard({ evidence: { memories } });
    guard.end.catch(() => {});
    const writer = guard.writable.getWriter();
    const reader = guard.readable.getReader();
    const piece = `${text.slice(0, 200)} `;
    const written = writer.write(piece).catch(() => {});
    this.tally.chunks += 1;
    await reader.read();
    await reader.cancel();
    await written;
    await writer.abort().catch(() => {});
    this.tally.aborted += 1;
    return "";
  }

  /** A memory that comes and goes; the records of turns, which a store keeps, are taken out here by a new one. */
  async #remember(name: string, place: string): Promise<void> {
    const held: StoreSnapshot = await this.#store.load();
    const memory = this.#edgegate.memory({ store: new InMemoryStore(held), now: () => "2026-03-14T09:00:00+01:00" });
    await memory.turn(`remember that ${name} lives in ${place}`);
    const outcome = await memory.forget(`forget where ${name} lives`);
    this.tally.writes += outcome.applied?.deleted.length ?? 0;
    await memory.recall(`Where does ${name} live?`);
  }
}
