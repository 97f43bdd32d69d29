/**
 * Memory over a store of the host's: every write goes through the one door of the core.
 *
 * The core says what it has to be told next (what the store holds, what it did with a commit, what a person's model answers),
 * and this asks it there and calls again with the answers. So nothing is decided here, and a result is worded only after the
 * store has answered. One operation runs at a time; another writer (a second tab) makes the core plan again.
 */
import type { Call, TurnInput } from "./client.ts";
import { StaleError } from "./errors.ts";
import type {
  ForgetPlan,
  FoundMemory,
  MemoryItem,
  MemoryPicture,
  MemoryQuestion,
  MemoryResult,
  MemoryScope,
  ReaderQuestion,
  ReadMessage,
  StoreSnapshot,
} from "./protocol.ts";
import type { LoadOptions, Store } from "./store.ts";

/** What a turn did, after the store answered; `visible` is what was made in it and a person is shown. */
export type MemoryOutcome = MemoryResult & { readonly visible: readonly MemoryItem[] };

/** What a scope lets a host do: offer the model its save tool, put memories into the prompt. */
export interface Allowed {
  readonly may_save: boolean;
  readonly may_read: boolean;
}

/** A text that keeps what the question names, or null. Its signal is aborted when the deadline is over. */
export type Rewriter = (question: ReaderQuestion, signal: AbortSignal) => Promise<string | null> | string | null;

/** The places of the memories that a request to forget may mean. They are asked about, never deleted. */
export type Chooser = (
  request: string,
  memories: readonly string[],
  signal: AbortSignal,
) => Promise<readonly number[]> | readonly number[];

/** How memory is used. */
export interface MemoryOptions {
  /** Where the memories are kept. */
  store: Store;
  /** What this chat may do: `on` (memory is switched on), `saves` (the chat may save), `reads` (it may read all the same). */
  scope?: MemoryScope;
  /** The user's name where the turns have one. */
  user?: string;
  /** Whether a memory that could not be checked is kept, with that verdict. */
  keepUnchecked?: boolean;
  /** Asked for a rewrite that keeps what a memory lost; its answer passes the same gate. */
  rewriter?: Rewriter;
  /** Asked when a request to forget names none of the memories, or several. */
  chooser?: Chooser;
  /** How long a rewriter or a chooser may take, in milliseconds. After that it said nothing. */
  deadline?: number;
  /** The time, ISO with its offset. Where it is not given: this device's. */
  now?: () => string;
}

/** What belongs to a user's message: earlier turns, the assistant's last text, how many memories went into the prompt. */
export interface MessageOptions {
  context?: readonly TurnInput[];
  said?: string | null;
  in_prompt?: number;
}

/** Whose and what kind of memory it is: fact, person, event, memo, task or reminder; `about` a person, else the user. */
export interface MemoryKind {
  kind?: string;
  about?: string | null;
}

/** A row of a batch: a row without a source is its own. */
export interface MemoryRow extends MemoryKind {
  text: string;
  source?: string | readonly TurnInput[];
}

/** Everything that is kept, as a file for the person whose it is. */
export interface MemoryExport extends StoreSnapshot {
  readonly format: "edgegate memories";
  readonly version: 1;
  readonly exported: string;
}

/** The operations of memory on one store. Each throws the core's error or the store's; then nothing is called done. */
export interface Memory {
  /** What this chat may do. May be changed at any time: what begins after that keeps to it. */
  scope: MemoryScope;
  /** What the scope lets a host do. */
  allowed(): Promise<Allowed>;
  /** The user's message: does what it asks to keep or forget, and keeps facts told in passing in silence. */
  turn(text: string, options?: MessageOptions): Promise<MemoryOutcome>;
  /** A memory typed by hand. It is its own source, and reconciled like any other. */
  remember(text: string, kind?: MemoryKind): Promise<MemoryOutcome>;
  /** A model's call of its save tool: a text the model wrote from the turns in `source`. */
  propose(text: string, source: string | readonly TurnInput[], options?: MemoryKind & Omit<MessageOptions, "said">): Promise<MemoryOutcome>;
  /** A batch from elsewhere, as one commit. */
  bring(rows: readonly MemoryRow[]): Promise<MemoryOutcome>;
  /** "Remember this chat": its newest turns as one memo, or `summary` judged by them. */
  keepChat(turns: readonly TurnInput[], options?: { summary?: string | null }): Promise<MemoryOutcome>;
  /** A request to forget in the user's words. `words` of the outcome go back to the model as they are. */
  forget(request: string, options?: { said?: string | null; in_prompt?: number }): Promise<MemoryOutcome>;
  /** Deletes memories that a person picked from a list. Never give it ids that came from a model. */
  delete(ids: readonly string[]): Promise<MemoryOutcome>;
  /** What a message brings to mind, best first; nothing in a chat that may not read. Nothing is written. */
  recall(message: string, options?: { limit?: number }): Promise<readonly FoundMemory[]>;
  /** Marks memories as recalled, after the answer. */
  refresh(ids: readonly string[], options?: { in_prompt?: number }): Promise<MemoryOutcome>;
  /** What is kept, for the person to see, and the latest turn records. */
  list(options?: LoadOptions): Promise<StoreSnapshot>;
  /** The constellation of the latest `most` memories (1,000 unless given), with its coordinates and its legend. */
  picture(options?: { most?: number }): Promise<MemoryPicture>;
  /** Everything that is kept. */
  export(): Promise<MemoryExport>;
}

/** What a message asks of memory, and the facts in it. Nothing is kept. */
export function readMessage(call: Call, text: string, options: { now?: string; said?: string } = {}): Promise<ReadMessage> {
  return converse<ReadMessage>(call, { operation: "read_message", arguments: { text, ...options } }, nothingAsked);
}

/** What a request to forget would delete among some texts. Nothing is deleted. */
export function planForget(
  call: Call,
  memories: readonly string[],
  request: string,
  options: { said?: string; chooser?: Chooser; deadline?: number } = {},
): Promise<ForgetPlan> {
  const { said, chooser, deadline = DEADLINE } = options;
  const answer = (question: MemoryQuestion): Promise<unknown> => {
    if (question.kind !== "choose" || !chooser) return nothingAsked(question);
    return within(deadline, [], (signal) => chooser(question.request, question.memories, signal));
  };
  const fields = { arguments: { memories, request, ...(said ? { said } : {}) }, settings: { chooses: chooser !== undefined } };
  return converse<ForgetPlan>(call, { operation: "plan_forget", ...fields }, answer);
}

const DEADLINE = 6000;
const ALL = 1e9;

/** Memory over `call`, the core that was started. */
export function openMemory(call: Call, options: MemoryOptions): Memory {
  const { store, rewriter, chooser, deadline = DEADLINE, now = localTime } = options;
  const settings = {
    user: options.user ?? null,
    keep_unchecked: options.keepUnchecked ?? false,
    chooses: chooser !== undefined,
    rewrites: rewriter !== undefined,
  };
  let scope: MemoryScope = { ...options.scope };
  let last: Promise<unknown> = Promise.resolve();

  async function answer(question: MemoryQuestion): Promise<unknown> {
    switch (question.kind) {
      case "load":
        return store.load({ turns: question.turns, ids: question.ids });
      case "find":
        return store.find(question.terms, question.limit);
      case "apply":
        try {
          return await store.apply(question.commit);
        } catch (error) {
          if (error instanceof StaleError || (error as { code?: unknown }).code === "stale") return { stale: (error as Error).message };
          throw error;
        }
      case "choose":
        return chooser ? within(deadline, [], (signal) => chooser(question.request, question.memories, signal)) : [];
      case "rewrite":
        return rewriter ? within(deadline, null, (signal) => rewriter(question.question, signal)) : null;
    }
  }

  /** One operation behind all that were begun before it, in the scope of the moment it was begun. */
  function run<Result>(operation: string, given: object): Promise<Result> {
    const fields = { operation, scope, settings, arguments: given };
    const done = last.then(() => converse<Result>(call, fields, answer));
    last = done.catch(() => {});
    return done;
  }
  const write = (operation: string, given: object): Promise<MemoryOutcome> => run(operation, { ...given, now: now() });

  return {
    get scope() {
      return scope;
    },
    set scope(chosen) {
      scope = { ...chosen };
    },
    allowed: () => run("allowed", {}),
    turn: (text, more) => write("message", { text, ...more }),
    remember: (text, more) => write("enter", { text, ...more }),
    propose: (text, source, more) => write("propose", { text, source, ...more }),
    bring: (rows) => write("bring", { rows }),
    keepChat: (turns, more) => write("keep_chat", { turns, ...more }),
    forget: (request, more) => write("forget", { request, ...more }),
    delete: (ids) => write("delete", { ids }),
    recall: (message, more) => run("recall", { message, now: now(), ...more }),
    refresh: (ids, more) => write("refresh", { ids, ...more }),
    list: (more) => store.load(more),
    picture: (more) => run("picture", { ...more }),
    async export() {
      return { format: "edgegate memories", version: 1, exported: now(), ...(await store.load({ turns: ALL })) };
    },
  };
}

type Step = { questions: readonly MemoryQuestion[] } | { result: unknown };

/** Answers what the core asks until it has a result. */
async function converse<Result>(
  call: Call,
  fields: Record<string, unknown>,
  answer: (question: MemoryQuestion) => Promise<unknown>,
): Promise<Result> {
  const answers: unknown[] = [];
  for (;;) {
    const step = (await call("memory", { ...fields, answers })) as Step;
    if ("result" in step) return step.result as Result;
    answers.push(...(await Promise.all(step.questions.map(answer))));
  }
}

function nothingAsked(question: MemoryQuestion): Promise<never> {
  return Promise.reject(new Error(`the core asked to ${question.kind} where there is nothing to ask`));
}

/** What `ask` gives in time; else, and when it fails, `silence`. */
async function within<Answer>(
  deadline: number,
  silence: Answer,
  ask: (signal: AbortSignal) => Promise<Answer> | Answer,
): Promise<Answer> {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => {
      stop.abort(new DOMException("the deadline is over", "TimeoutError"));
      resolve(silence);
    }, deadline);
  });
  try {
    return await Promise.race([Promise.resolve(ask(stop.signal)).catch(() => silence), late]);
  } catch {
    return silence;
  } finally {
    clearTimeout(timer);
  }
}

/** The time of this device, ISO with its offset. */
function localTime(): string {
  const here = new Date();
  const minutes = -here.getTimezoneOffset();
  const two = (number: number): string => String(Math.floor(Math.abs(number))).padStart(2, "0");
  const offset = `${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
  return new Date(here.getTime() + minutes * 60_000).toISOString().slice(0, 19) + offset;
}
