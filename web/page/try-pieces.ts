/** How a text is cut into pieces, and how fast they come. Where it is cut changes nothing of what the guard decides. */

/** A way to cut. */
export type Cut = "character" | "token" | "word" | "line" | "random" | "whole";

/** The ways to cut, in words. */
export const CUTS: Record<Cut, string> = {
  token: "As tokens",
  character: "By character",
  word: "By word",
  line: "By line",
  random: "At random",
  whole: "Whole",
};

const TOKEN = 4; // what a token of a model's holds on average, in characters
const LONGEST_RANDOM = 24;
/** A piece longer than this goes in by parts, so that the page can be stopped in between. */
export const MOST = 2048;

/** Chance from a seed: the same numbers for the same seed (mulberry32, Tommy Ettinger 2017, public domain). */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PATTERNS: Partial<Record<Cut, RegExp>> = { character: /./suy, word: /\s*\S+|\s+/uy, line: /[^\n]*\n|[^\n]+/uy };

/** The text in pieces, one after the other; nothing is cut before it is asked for. None is longer than MOST. */
export function* piecesOf(text: string, cut: Cut, seed = 1): Generator<string, void> {
  const next = chance(seed);
  let at = 0;
  while (at < text.length) {
    const end = Math.min(text.length, at + Math.max(1, sizeAt(text, at, cut, next)));
    while (at < end) {
      const part = text.slice(at, Math.min(end, at + MOST));
      at += part.length;
      yield part;
    }
  }
}

function sizeAt(text: string, at: number, cut: Cut, next: () => number): number {
  const pattern = PATTERNS[cut];
  if (pattern) {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0].length ?? 1;
  }
  if (cut === "random") return 1 + Math.floor(next() * LONGEST_RANDOM);
  if (cut === "whole") return text.length - at;
  // A token takes the space before it along, and a long word is several.
  const gap = /\s/.test(text[at]!) ? 1 : 0;
  let size = gap;
  while (size < gap + TOKEN && at + size < text.length && !/\s/.test(text[at + size]!)) size += 1;
  return size;
}

/**
 * The pieces as a stream, `perSecond` of them, or as fast as they are taken with 0. Pieces that are due at the same time
 * come joined, since they come faster than anything could be drawn. `onSent` is told of each, before it goes.
 */
export function pacedStream(
  pieces: Iterator<string, void>,
  { perSecond, signal, onSent }: { perSecond: number; signal: AbortSignal; onSent: (pieces: number, characters: number) => void },
): ReadableStream<string> {
  const began = performance.now();
  let sent = 0;
  let kept: string | undefined; // taken, and too long to be joined to the last one
  const take = (): string | undefined => {
    const piece = kept ?? (pieces.next().value || undefined);
    kept = undefined;
    return piece;
  };
  return new ReadableStream<string>(
    {
      async pull(controller) {
        let due = Infinity;
        if (perSecond > 0) {
          const wait = began + ((sent + 1) * 1000) / perSecond - performance.now();
          if (wait > 0) await pause(wait, signal);
          due = Math.max(1, Math.floor(((performance.now() - began) * perSecond) / 1000) - sent);
        }
        if (signal.aborted) return;
        let text = "";
        let count = 0;
        while (count < due) {
          const piece = take();
          if (piece === undefined) break;
          if (text !== "" && text.length + piece.length > MOST) {
            kept = piece;
            break;
          }
          text += piece;
          count += 1;
        }
        if (count === 0) {
          controller.close();
          return;
        }
        sent += count;
        onSent(count, text.length);
        controller.enqueue(text);
      },
    },
    { highWaterMark: 0 },
  );
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done, { once: true });
  });
}
