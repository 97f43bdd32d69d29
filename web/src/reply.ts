/** One reply behind the guard, step by step: text in, decided text out. The streams are built from this. */
import type { Call, EvidenceInput } from "./client.ts";
import { DataError, UsageError } from "./errors.ts";
import type { Event, ReplyEnd } from "./protocol.ts";

/** What a reply is judged by, and how. */
export interface ReplyOptions {
  /** What is really held this turn. Without it, every claim of remembered history is dropped. */
  evidence?: EvidenceInput;
  /** The kill switch: `false` lets everything through, and `ReplyEnd.enabled` says so. */
  enabled?: boolean;
  /** Whether claims of remembered history are judged. On by default. */
  continuity?: boolean;
  /** Whether claims to consciousness and pressure on the user are judged. On by default. */
  safety?: boolean;
  /** How many characters may be held before they are judged as they stand. */
  cap?: number;
  /** The time of the turn, ISO, with its offset: relative dates are read against it. */
  now?: string;
  /** Also tell of claims that stay, and why (`claim_kept`). */
  explain?: boolean;
  /** What was read of the evidence of earlier replies, and keeps what is read of this one's. */
  readings?: Readings;
  /** Told of every event, in order: what was shown, what was dropped and why, how the reply ended. */
  onEvent?: (event: Event) => void;
}

/**
 * What was read of evidence, kept from reply to reply: most of what is held this turn was held the turn before, and reading it
 * is most of what a reply costs. It changes no outcome. It holds texts of the user, a bounded number of them, until it is
 * closed: make one for each conversation, and close it with the conversation.
 */
export interface Readings {
  /** Its number in the core, once it is open. */
  readonly number: Promise<number>;
  /** Lets everything go. Replies that are open go on; a later one can't be opened with it. */
  close(): void;
}

/** Readings over `call`. */
export function openReadings(call: Call): Readings {
  const number = call("readings.open", {}).then((result) => (result as { readings: number }).readings);
  number.catch(() => {}); // heard where a reply is opened with it
  return { number, close: () => void number.then((readings) => call("readings.free", { readings })).catch(() => {}) };
}

/** An open reply. Each call gives the text that is decided by then; together they are `ReplyEnd.shown`. */
export interface Reply {
  /** Takes the next piece, cut anywhere: text, or bytes of UTF-8. */
  feed(chunk: string | Uint8Array): Promise<string>;
  /** Ends the reply: what is held is decided like any sentence. */
  close(): Promise<string>;
  /** Ends the reply: what is held is thrown away, what was shown stays. */
  abort(): Promise<void>;
  /** How many characters are held: fed, and neither shown nor dropped yet. */
  held(): Promise<number>;
  /** How it ended. Fails when the core broke, or when the reply could not be opened. */
  readonly end: Promise<ReplyEnd>;
}

/** Opens a reply over `call`. Errors in the options come with the first call on it. */
export function openReply(call: Call, options: ReplyOptions = {}): Reply {
  const { onEvent, readings, ...opening } = options;
  const decode = decoder();
  let ended = false;
  let resolveEnd!: (end: ReplyEnd) => void;
  let rejectEnd!: (reason: unknown) => void;
  const end = new Promise<ReplyEnd>((resolve, reject) => {
    resolveEnd = resolve;
    rejectEnd = reject;
  });
  end.catch(() => {}); // whoever feeds it hears of the failure there

  const opened = readings
    ? readings.number.then((number) => call("guard.open", { ...opening, readings: number }))
    : call("guard.open", opening);
  const handle = opened.then((result) => (result as { guard: number }).guard);
  handle.catch(() => {}); // heard at the first call, or at the end

  async function run(op: string, fields: Record<string, unknown> = {}): Promise<string> {
    let text = "";
    for (const event of (await call(op, { guard: await handle, ...fields })) as Event[]) {
      if (event.kind === "text_shown") text += event.text;
      onEvent?.(event);
      if (event.kind === "reply_end") resolveEnd(event);
    }
    return text;
  }

  function free(): void {
    void handle.then((guard) => call("guard.free", { guard })).catch(() => {});
  }

  /** The last steps of the reply. Whatever fails in a step ends the reply too: nothing more is shown. */
  async function last(steps: () => Promise<string>): Promise<string> {
    ended = true;
    try {
      return await steps();
    } catch (error) {
      rejectEnd(error);
      throw error;
    } finally {
      free();
    }
  }

  return {
    end,
    async feed(chunk) {
      if (ended) throw new UsageError("this reply has ended", "feed");
      try {
        const text = decode.piece(chunk);
        return text === "" ? "" : await run("guard.feed", { text });
      } catch (error) {
        if (!ended) await last(() => Promise.reject(error)).catch(() => {});
        throw error;
      }
    },
    async close() {
      if (ended) return "";
      return last(async () => {
        const rest = decode.rest();
        const before = rest === "" ? "" : await run("guard.feed", { text: rest });
        return before + (await run("guard.close"));
      });
    },
    async held() {
      return ended ? 0 : ((await call("guard.held", { guard: await handle })) as number);
    },
    async abort() {
      if (!ended) await last(() => run("guard.abort"));
    },
  };
}

/** Turns pieces of text or of UTF-8 into text that never ends inside a character. */
function decoder(): { piece(chunk: string | Uint8Array): string; rest(): string } {
  const utf8 = new TextDecoder();
  let half = "";
  return {
    piece(chunk) {
      if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) {
        throw new DataError(`expected text or bytes, not ${typeof chunk}`, "replyGuard");
      }
      const text = half + (typeof chunk === "string" ? chunk : utf8.decode(chunk, { stream: true }));
      const last = text.charCodeAt(text.length - 1);
      half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : "";
      return half === "" ? text : text.slice(0, -1);
    },
    rest() {
      const text = half + utf8.decode();
      half = "";
      return text;
    },
  };
}
