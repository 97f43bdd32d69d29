/** The shapes of the files in recordings/. */
import type { CheckOptions, Event, EvidenceInput, Turn, Verdict } from "edgegate";

/** What a sentence of a recorded reply really is. */
export type Label = "plain" | "supported" | "fabricated" | "safety";

/** One line of index.json. */
export interface RecordingEntry {
  id: string;
  title: string;
  about: string;
}

/** A recorded reply: what was held, what the model said and when, and what should be left of it. */
export interface Recording extends RecordingEntry {
  message: string;
  evidence: EvidenceInput;
  sentences: { text: string; label: Label }[];
  expected: { shown: string; dropped: string[] };
  /** Where the guard is known to be wrong. */
  known?: { missed: string[]; wrongly_dropped: string[] };
  /** The stream does not end: it breaks off, for this reason. */
  breaks?: string;
  /** Milliseconds before the piece, and the piece. */
  chunks: [number, string][];
}

/**
 * A memory someone wants to write, the conversation it came from, and what the gate should say: the verdict, and the
 * checks that ask for it (those that only advise are not counted).
 */
export interface MemoryExample {
  id: string;
  title: string;
  source: Turn[];
  memory: string;
  now: string;
  expected: { verdict: Verdict; checks: string[] };
}

/** A memory and what rewrites made of it, and where the gate should see a loss: the check, and the number of the rewrite. */
export interface ChainExample {
  id: string;
  title: string;
  versions: string[];
  now: string;
  expected: { losses: [check: string, hop: number | null][] };
}

/** The options that an example is checked with. */
export function optionsOf(example: MemoryExample): CheckOptions {
  return { now: example.now };
}

/** The stream of a recording. With `pace` 1 it takes the time the model took, with 0 none. */
export function streamOf(recording: Pick<Recording, "chunks" | "breaks">, pace: number, signal?: AbortSignal): ReadableStream<string> {
  const chunks = recording.chunks.values();
  return new ReadableStream<string>(
    {
      async pull(controller) {
        const next = chunks.next();
        if (next.done) {
          if (recording.breaks === undefined) controller.close();
          else controller.error(new Error(recording.breaks));
          return;
        }
        const [wait, text] = next.value;
        if (pace > 0) await pause(wait * pace, signal);
        if (signal?.aborted) controller.error(signal.reason);
        else controller.enqueue(text);
      },
    },
    { highWaterMark: 0 },
  );
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

/** The events of one kind. */
export function eventsOf<K extends Event["kind"]>(events: readonly Event[], kind: K): Extract<Event, { kind: K }>[] {
  return events.filter((event): event is Extract<Event, { kind: K }> => event.kind === kind);
}
