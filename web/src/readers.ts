/**
 * Second readers and repairs: what the core asks a model or a person about a memory, asked with a deadline.
 *
 * The core gives the questions and judges the answers; here they are only carried. Whatever a reader does (fails, hangs,
 * answers with something else), the check goes on without it, and what nobody established is declared.
 */
import type { Call, CheckOptions, Source } from "./client.ts";
import type { ReaderQuestion, ReadersAsked, ReadersHeard, Repair } from "./protocol.ts";

/**
 * Answers a question as its `task` says: parsed JSON, or a text that holds it; null for no answer. Its signal is aborted when
 * the deadline is over.
 */
export type Reader = (question: ReaderQuestion, signal: AbortSignal) => Promise<unknown> | unknown;

/** A kind of second reader: `witness` may take a flag off, `added` looks for what the source does not say. */
export type ReaderKind = "witness" | "added";

/** What the first phase is asked with. */
export interface AskOptions extends CheckOptions {
  /** The readers that are asked. Both, where it is not given. */
  readers?: readonly ReaderKind[];
}

/** How a repair is asked for. */
export interface FixOptions extends CheckOptions {
  /** Asked where the source's own words do not mend it. Its text passes the same gate, once. */
  reader?: Reader;
  /** How long the reader may take, in milliseconds. After that it said nothing. */
  deadline?: number;
}

/** How second readers are asked. */
export interface OpinionOptions extends AskOptions {
  /** Answers every question. */
  reader: Reader;
  /** How long all of them may take together, in milliseconds. */
  deadline?: number;
}

const DEADLINE = 20_000;
const AT_ONCE = 4;
const LONGEST = 100_000;

/** The call of an operation on a memory and its source; its signal ends the waiting. */
type OnWrite = (op: string, source: Source, fields: Record<string, unknown>, signal: AbortSignal | undefined) => Promise<unknown>;

/** The calls that ask outside the core, over `call`. */
export function readersOver(call: Call, waiting: <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>) {
  const on: OnWrite = (op, source, fields, signal) => waiting(() => call(op, { source, ...fields }), signal);
  const askReaders = (source: Source, memory: string, options: AskOptions = {}): Promise<ReadersAsked> => {
    const { signal, ...fields } = options;
    return on("readers.ask", source, { memory, ...fields }, signal) as Promise<ReadersAsked>;
  };
  const hearReaders = (source: Source, memory: string, answers: Readonly<Record<number, unknown>>, options: AskOptions = {}) => {
    const { signal, ...fields } = options;
    return on("readers.hear", source, { memory, answers, ...fields }, signal) as Promise<ReadersHeard>;
  };
  return {
    askReaders,
    hearReaders,
    async secondOpinion(source: Source, memory: string, options: OpinionOptions): Promise<ReadersHeard> {
      const { reader, deadline = DEADLINE, ...asking } = options;
      const { questions } = await askReaders(source, memory, asking);
      return hearReaders(source, memory, await answersOf(reader, questions, deadline, asking.signal), asking);
    },
    async fix(source: Source, memory: string, options: FixOptions = {}): Promise<Repair> {
      const { reader, deadline = DEADLINE, signal, ...fields } = options;
      const repair = (await on("fix", source, { memory, ...fields }, signal)) as Repair;
      const { question } = repair;
      if (!question || !reader) return repair;
      const { [question.number]: answer } = await answersOf(reader, [question], deadline, signal);
      if (answer === undefined) return repair;
      return (await on("fix.accept", source, { question, answer, ...fields }, signal)) as Repair;
    },
  };
}

/** What a reader answered within `deadline`, by the numbers of the questions; a few of them are asked at once. */
async function answersOf(
  reader: Reader,
  questions: readonly ReaderQuestion[],
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<Record<number, unknown>> {
  const answers: Record<number, unknown> = {};
  const stop = new AbortController();
  const ended = new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve(), { once: true }));
  const abort = (): void => stop.abort(signal?.reason);
  const timer = setTimeout(() => stop.abort(new DOMException("the deadline is over", "TimeoutError")), deadline);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  const rest = [...questions];
  const work = async (): Promise<void> => {
    for (let question = rest.shift(); question && !stop.signal.aborted; question = rest.shift()) {
      try {
        const answer = readAnswer(question, await reader(question, stop.signal));
        if (answer !== undefined && !stop.signal.aborted) answers[question.number] = answer;
      } catch {
        // No answer: the core declares it.
      }
    }
  };
  try {
    await Promise.race([Promise.all(Array.from({ length: AT_ONCE }, work)), ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
  signal?.throwIfAborted();
  return { ...answers };
}

/** An answer as the core takes it: parsed JSON, from a text by itself or in one code fence; a rewrite may be a bare text. */
function readAnswer(question: ReaderQuestion, answer: unknown): unknown {
  if (answer === null || answer === undefined) return undefined;
  if (typeof answer !== "string") return typeof answer === "object" ? answer : undefined;
  if (answer.length > LONGEST) return undefined;
  const inner = /^```[^\n]*\n([^]*)```$/.exec(answer.trim())?.[1] ?? answer;
  try {
    const parsed: unknown = JSON.parse(inner);
    if ((typeof parsed === "object" && parsed !== null) || (typeof parsed === "string" && question.kind === "rewrite")) return parsed;
  } catch {
    // no JSON
  }
  return question.kind === "rewrite" ? answer : undefined;
}
