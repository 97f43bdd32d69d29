/** The calls an application makes, over any host that carries JSON to the core and back. */
import { readError, type ErrorData, UsageError } from "./errors.ts";
import { type Chooser, type Memory, type MemoryOptions, openMemory, planForget, readMessage } from "./memory.ts";
import type { Drift, Evidence, ForgetPlan, ReadersAsked, ReadersHeard, ReadMessage, Repair, Report, Turn } from "./protocol.ts";
import { type AskOptions, type FixOptions, type OpinionOptions, readersOver } from "./readers.ts";
import { openReadings, openReply, type Readings, type Reply, type ReplyOptions } from "./reply.ts";
import { guardStream, type ReplyGuard, type ReplyGuardOptions } from "./stream.ts";

/** What a host can tell of what it takes. */
export interface HostMeasures {
  /** How much memory the core's Python takes, in bytes; null where the host can't tell. */
  readonly heapBytes: number | null;
  /** What Python was started from; null where the host can't tell. */
  readonly from: "snapshot" | "library" | null;
  /** What the host fetched: the address, its size, and how much of that came over the network, in bytes. */
  readonly downloads: readonly { readonly url: string; readonly bytes: number; readonly transferred: number }[];
}

/** A place where the core runs. */
export interface Host {
  /** The JSON reply to one JSON request. Requests are answered in the order they are made. */
  call(request: string): Promise<string>;
  /** What it takes. Not every host can tell. */
  measure?(): Promise<HostMeasures>;
  /** Ends the host. Calls that wait for an answer fail. */
  close(): void;
}

/** One call of an operation of the core: its name, its fields, its result. Throws the core's error, typed. */
export type Call = (op: string, fields: Record<string, unknown>) => Promise<unknown>;

/** A turn of a conversation; `role` and `content` are accepted for `speaker` and `text`. */
export type TurnInput = Turn | { role: string; content: string; at?: string | null };

/** A source: turns in order, or plain text. */
export type Source = string | readonly TurnInput[];

/** Evidence of a turn, where `history` may also be written with `role` and `content`. */
export type EvidenceInput = Omit<Evidence, "history"> & { history?: readonly TurnInput[] };

/** How a memory is to be read: the time it is written (ISO, with its offset), whom it is about, who the user is. */
export interface CheckOptions {
  now?: string;
  about?: string;
  user?: string;
  /** Earlier text that may be what the memory came from, but is not judged. */
  context?: Source;
  /** Aborting it ends the waiting for the answer with the signal's reason. */
  signal?: AbortSignal;
}

/** How a chain of rewrites is to be read: as in `check`, for each of its steps. */
export type DriftOptions = Omit<CheckOptions, "context">;

/** A started edgegate. */
export interface Edgegate {
  /** The version of the package and the hash of the lexicons in use. */
  readonly version: { readonly version: string; readonly lexicon: string };
  /** A transform for one reply: text (or its bytes) in, decided text out. */
  replyGuard(options?: ReplyGuardOptions): ReplyGuard;
  /** One reply, step by step, for streams of a form of their own. */
  openReply(options?: ReplyOptions): Reply;
  /** Keeps what is read of evidence from one reply of a conversation to the next. Give it to each, and close it at the end. */
  readings(): Readings;
  /** What is different between a memory and its source, and the verdict. */
  check(source: Source, memory: string, options?: CheckOptions): Promise<Report>;
  /** The same without a verdict. */
  inspect(source: Source, memory: string, options?: CheckOptions): Promise<Report>;
  /**
   * What a memory lost while it was rewritten, and in which step. `versions` are at least two, oldest first; the first may be
   * the conversation it came from.
   */
  drift(versions: readonly [Source, ...string[]], options?: DriftOptions): Promise<Drift>;
  /** A text that passes the gate the memory failed: from the source's own words, else from a reader. Nothing is kept. */
  fix(source: Source, memory: string, options?: FixOptions): Promise<Repair>;
  /** The report on a memory after second readers were asked. What nobody established is declared in it. */
  secondOpinion(source: Source, memory: string, options: OpinionOptions): Promise<ReadersHeard>;
  /** The first phase alone: the report so far, and the questions for second readers. */
  askReaders(source: Source, memory: string, options?: AskOptions): Promise<ReadersAsked>;
  /** The second phase: the report after the answers to those questions, each by its number. Give it the same options. */
  hearReaders(
    source: Source,
    memory: string,
    answers: Readonly<Record<number, unknown>>,
    options?: AskOptions,
  ): Promise<ReadersHeard>;
  /** Memory over a store of yours: every write goes through the core's one door. */
  memory(options: MemoryOptions): Memory;
  /** What a message asks of memory, and the facts in it. Nothing is kept. `said` is the assistant's last text. */
  readMessage(text: string, options?: { now?: string; said?: string }): Promise<ReadMessage>;
  /** What a request to forget would delete among some texts. Nothing is deleted. */
  planForget(
    memories: readonly string[],
    request: string,
    options?: { said?: string; chooser?: Chooser; deadline?: number },
  ): Promise<ForgetPlan>;
  /** Any operation of the core by its name, also those that have no method here. Throws the core's error, typed. */
  readonly call: Call;
  /** What edgegate takes here: memory and downloads. For display; nothing of it is kept or sent. */
  measure(): Promise<HostMeasures>;
  /** Ends edgegate and frees what it holds. */
  close(): void;
}

/** The operations of the core behind `host`, as one function. */
export function caller(host: Host): Call {
  return async (op, fields) => {
    const reply = JSON.parse(await host.call(JSON.stringify({ op, ...fields }))) as
      | { ok: true; result: unknown }
      | { ok: false; error: ErrorData };
    if (!reply.ok) throw readError(reply.error);
    return reply.result;
  };
}

/** Edgegate over `host`. */
export async function connect(host: Host): Promise<Edgegate> {
  const call = caller(host);
  let closed = false;
  const open: Call = (op, fields) => {
    if (closed) return Promise.reject(new UsageError("this edgegate was closed", op));
    return call(op, fields);
  };
  const gate = (op: string, source: Source, memory: string, options: CheckOptions = {}): Promise<Report> => {
    const { signal, ...fields } = options;
    return abortable(() => open(op, { source, memory, ...fields }) as Promise<Report>, signal);
  };
  const version = (await call("version", {})) as Edgegate["version"];
  return {
    version,
    replyGuard: (options) => guardStream(open, options),
    openReply: (options) => openReply(open, options),
    readings: () => openReadings(open),
    check: (source, memory, options) => gate("check", source, memory, options),
    inspect: (source, memory, options) => gate("inspect", source, memory, options),
    drift(versions, { signal, ...fields } = {}) {
      return abortable(() => open("drift", { versions, ...fields }) as Promise<Drift>, signal);
    },
    ...readersOver(open, abortable),
    memory: (options) => openMemory(open, options),
    readMessage: (text, options) => readMessage(open, text, options),
    planForget: (memories, request, options) => planForget(open, memories, request, options),
    call: open,
    measure: async () => (await host.measure?.()) ?? { heapBytes: null, from: null, downloads: [] },
    close() {
      closed = true;
      host.close();
    },
  };
}

/** What `work` gives, unless `signal` is aborted first. */
async function abortable<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work();
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
