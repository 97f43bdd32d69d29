/** Labelled sets from files: JSON Lines, read in steps so that the page stays awake. What a record means, the core says. */
import type { TextDropped, Report } from "edgegate";

/** A record of a set, as it stands in its line. */
export type LabelledRecord = Record<string, unknown>;

/** A line that was passed over, and why. */
export interface BrokenLine {
  line: number;
  why: string;
}

/** A sentence of a labelled reply, as the core judged it. */
export interface ScoredSentence {
  text: string;
  label: string;
  safety: string | null;
  second: string | null;
  kept: boolean;
  scored: boolean;
  errors: string[];
  reason: string | null;
}

/** Counts of one record or of many: the core makes them and adds them up, and nobody else. */
export type Score = Record<string, unknown>;

/** What the core says of one record (`score`). */
export type ScoredRecord = { id: string; errors: string[]; score: Score } & (
  | { job: "guard"; shown: string; dropped: TextDropped[]; failed: string | null; sentences: ScoredSentence[] }
  | { job: "gate"; report: Report }
);

/** A share with its counts and its bounds. */
export interface Rate {
  value: number | null;
  count: number;
  total: number;
  low: number;
  high: number;
}

/** The sum of a group. */
export interface Sum {
  score: Score;
  catch: Rate;
  preservation: Rate;
}

/** What the core says of sums (`score.sum`). */
export interface Sums {
  groups: Record<string, Sum>;
  whole: Sum & { rates: Record<string, unknown> };
}

/** At most this many records are read, and no longer lines than this. */
export const MOST_RECORDS = 50_000;
export const LONGEST_LINE = 1_000_000;

const SLICE = 8; // milliseconds of work before the page may do something else

/** Gives the page's thread away until everything that waits for it is done. */
export function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** The lines of a file, each with its number; undefined stands for one that is too long. */
async function* linesOf(file: Blob, signal: AbortSignal): AsyncGenerator<[line: number, text: string | undefined]> {
  const reader = file.stream().pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>).getReader();
  let line = 1;
  let begun = "";
  let tooLong = false;
  const add = (text: string): void => {
    if (tooLong) return;
    tooLong = begun.length + text.length > LONGEST_LINE;
    begun = tooLong ? "" : begun + text;
  };
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) break;
      let at = 0;
      for (let end = value.indexOf("\n"); end >= 0; end = value.indexOf("\n", at)) {
        add(value.slice(at, end));
        yield [line, tooLong ? undefined : begun];
        at = end + 1;
        line += 1;
        begun = "";
        tooLong = false;
      }
      add(value.slice(at));
    }
    if (begun !== "" || tooLong) yield [line, tooLong ? undefined : begun];
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * Reads a set: each record goes to `onRecord` with its line, each line that is none to `onBroken`. Ends early, without an
 * error, at MOST_RECORDS; says whether it did.
 */
export async function readSet(
  file: Blob,
  signal: AbortSignal,
  onRecord: (record: LabelledRecord, line: number) => void,
  onBroken: (broken: BrokenLine) => void,
): Promise<{ cut: boolean }> {
  let records = 0;
  let since = performance.now();
  for await (const [line, text] of linesOf(file, signal)) {
    if (performance.now() - since > SLICE) {
      await rest();
      signal.throwIfAborted();
      since = performance.now();
    }
    if (text === undefined) onBroken({ line, why: `longer than ${LONGEST_LINE} characters` });
    else if (text.trim() !== "") {
      if (records === MOST_RECORDS) return { cut: true };
      const record = parsed(text);
      if (typeof record === "string") onBroken({ line, why: record });
      else {
        records += 1;
        onRecord(record, line);
      }
    }
  }
  return { cut: false };
}

function parsed(text: string): LabelledRecord | string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as LabelledRecord;
    return "not an object";
  } catch (error) {
    return `not JSON: ${error instanceof Error ? error.message : String(error)}`.slice(0, 200);
  }
}
