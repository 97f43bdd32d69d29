/** The reply guard as a pair of web streams: text in, decided text out. */
import type { Call } from "./client.ts";
import { pairOf } from "./pair.ts";
import type { ReplyEnd } from "./protocol.ts";
import { openReply, type ReplyOptions } from "./reply.ts";

/** What a reply is judged by, how, and what ends it. */
export interface ReplyGuardOptions extends ReplyOptions {
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
export function guardStream(call: Call, { signal, ...options }: ReplyGuardOptions = {}): ReplyGuard {
  const reply = openReply(call, options);
  const some = (text: string): string[] => (text === "" ? [] : [text]);
  const pair = pairOf<string | Uint8Array, string>(
    {
      take: async (chunk) => some(await reply.feed(chunk)),
      close: async () => some(await reply.close()),
      abort: () => reply.abort(),
    },
    signal,
  );
  return { readable: pair.readable, writable: pair.writable, end: reply.end };
}
