/**
 * The reply guard as a pair of web streams: text in, decided text out.
 *
 * A plain TransformStream throws away what it holds when its input breaks; the guard's rule is that a reply that breaks
 * off leaves exactly the decided text. So this is a pair of its own, with one queue between: what was decided is always
 * delivered, and only then the end, or the error.
 */
import type { Call, EvidenceInput } from "./client.ts";
import { DataError, UsageError } from "./errors.ts";
import type { Event, ReplyEnd } from "./protocol.ts";

/** What a reply is judged by, and how. */
export interface ReplyGuardOptions {
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
  /** Told of every event, in order: what was shown, what was dropped and why, how the reply ended. */
  onEvent?: (event: Event) => void;
  /** Aborting it ends the reply: what is held is thrown away, what was shown stays. */
  signal?: AbortSignal;
}

/** A reply on its way through the guard. Give it to `pipeThrough`. */
export interface ReplyGuard extends ReadableWritablePair<string, string | Uint8Array> {
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<string | Uint8Array>;
  /** How the reply ended; `end.shown` is what to store: the shown text, to the character. */
  readonly end: Promise<ReplyEnd>;
}

/** A guard stream over `call`. */
export function guardStream(call: Call, options: ReplyGuardOptions = {}): ReplyGuard {
  const { onEvent, signal, ...opening } = options;
  const decode = decoder();
  const queue: string[] = []; // decided text on its way to the reader
  let ending: { error?: unknown } | undefined; // set when no more text can come
  let stopped: Promise<void> | undefined; // the one end of this reply, whoever asked for it first
  let wakeReader = (): void => {};
  let wakeWriter = (): void => {};

  let resolveEnd!: (end: ReplyEnd) => void;
  let rejectEnd!: (reason: unknown) => void;
  const end = new Promise<ReplyEnd>((resolve, reject) => {
    resolveEnd = resolve;
    rejectEnd = reject;
  });
  end.catch(() => {}); // whoever reads the stream hears of the failure there

  const handle = call("guard.open", opening).then((result) => (result as { guard: number }).guard);
  handle.catch(() => {}); // heard at the first write, or at the end

  /** One operation on the open reply: its events are told, its text is queued. */
  async function run(op: string, fields: Record<string, unknown> = {}): Promise<void> {
    for (const event of (await call(op, { guard: await handle, ...fields })) as Event[]) {
      if (event.kind === "text_shown" && event.text !== "") queue.push(event.text);
      onEvent?.(event);
      if (event.kind === "reply_end") resolveEnd(event);
    }
    wakeReader();
  }

  /** Ends the reply once. With `reason`, the reader gets that error after the last decided text. */
  function finish(steps: () => Promise<void>, reason?: { error: unknown }): Promise<void> {
    stopped ??= (async () => {
      try {
        await steps();
        ending = reason ?? {};
      } catch (error) {
        ending = { error }; // the core broke: nothing more is shown
        rejectEnd(error);
        throw error;
      } finally {
        wakeReader();
        wakeWriter();
        void handle.then((guard) => call("guard.free", { guard })).catch(() => {});
      }
    })();
    return stopped;
  }

  const readable = new ReadableStream<string>(
    {
      async pull(controller) {
        for (;;) {
          const text = queue.shift();
          if (text !== undefined) {
            controller.enqueue(text);
            if (queue.length === 0) wakeWriter();
            return;
          }
          if (ending) {
            if ("error" in ending) controller.error(ending.error);
            else controller.close();
            return;
          }
          await new Promise<void>((resolve) => {
            wakeReader = resolve;
          });
        }
      },
      async cancel(reason) {
        await finish(() => run("guard.abort"));
        queue.length = 0;
        wakeWriter();
        breakInput(reason);
      },
    },
    { highWaterMark: 0 },
  );

  let breakInput = (_reason: unknown): void => {};
  const writable = new WritableStream<string | Uint8Array>({
    start(controller) {
      breakInput = (reason) => controller.error(reason);
    },
    async write(chunk) {
      if (stopped) throw new UsageError("this reply has ended", "replyGuard");
      try {
        const text = decode.piece(chunk);
        if (text !== "") await run("guard.feed", { text });
      } catch (error) {
        await finish(() => Promise.reject(error)).catch(() => {});
        throw error;
      }
      // The next piece is taken when the reader has what was decided.
      while (queue.length > 0 && !ending) {
        await new Promise<void>((resolve) => {
          wakeWriter = resolve;
        });
      }
    },
    close: () =>
      finish(async () => {
        const text = decode.rest();
        if (text !== "") await run("guard.feed", { text });
        await run("guard.close");
      }),
    abort(reason) {
      // What broke on the way to us is not what the caller asked for: the held tail is decided like any sentence. Only an
      // abort that someone asked for throws it away.
      const asked = reason instanceof DOMException && reason.name === "AbortError";
      return finish(() => run(asked ? "guard.abort" : "guard.close"), { error: reason });
    },
  });

  if (signal) {
    const stop = (): void => {
      void finish(() => run("guard.abort"), { error: signal.reason }).catch(() => {});
      breakInput(signal.reason);
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    const forget = (): void => signal.removeEventListener("abort", stop);
    end.then(forget, forget);
  }

  return { readable, writable, end };
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
