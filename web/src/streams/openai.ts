/**
 * The streams of OpenAI and of every service that speaks like it, behind the reply guard.
 *
 * ```js
 * import OpenAI from "openai";
 * import { loadEdgegate } from "edgegate";
 * import { guardFetch } from "edgegate/openai";
 * const edgegate = await loadEdgegate();
 * const client = new OpenAI({ fetch: guardFetch(edgegate, { evidence: { memories } }) });
 * // chat completions and responses, streamed or whole, now come guarded
 * ```
 *
 * Without the client, pipe the body of an answer through `guardChatSse` or `guardResponseSse`, or the parsed events through
 * `guardChatEvents` or `guardResponseEvents`.
 *
 * @module edgegate/openai
 */
import { pairOf } from "../pair.ts";
import { guardingFetch, partsAndSignal } from "./fetching.ts";
import type { Json } from "./json.ts";
import { chatSteps, guardCompletion } from "./openai-chat.ts";
import { guardWhole, responseSteps } from "./openai-responses.ts";
import { type Guarding, type OptionsFor, Parts, type StreamOptions } from "./parts.ts";
import { overSse } from "./sse.ts";

export { iterate } from "./fetching.ts";
export type { Json } from "./json.ts";
export type { Guarding, OptionsFor, StreamOptions } from "./parts.ts";

/** Bytes of an event stream in, bytes of the guarded one out. */
export type SsePair = ReadableWritablePair<Uint8Array, Uint8Array | string>;

/**
 * A `fetch` for the client: every chat completion and every response that comes through it is guarded. The conversation in the request is
 * evidence too, unless the options name a history of their own.
 */
export function guardFetch(
  edgegate: Guarding,
  options: OptionsFor<Json> = {},
  fetch: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  return guardingFetch(
    edgegate,
    [
      { path: /\/chat\/completions(\/[^/]+)?$/, steps: chatSteps, whole: guardCompletion },
      { path: /\/responses(\/[^/]+)?$/, steps: responseSteps, whole: guardWhole },
    ],
    options,
    fetch,
  );
}

/** The body of a streamed chat completion. */
export function guardChatSse(edgegate: Guarding, options?: StreamOptions): SsePair {
  const [parts, signal] = partsAndSignal(edgegate, options);
  return pairOf(overSse(chatSteps(parts)), signal);
}

/** The chunks of a streamed chat completion, as the client gives them. */
export function guardChatEvents<Chunk extends object>(
  edgegate: Guarding,
  options?: StreamOptions,
): ReadableWritablePair<Chunk, Chunk> {
  const [parts, signal] = partsAndSignal(edgegate, options);
  return pairOf<Json, Json>(chatSteps(parts), signal) as unknown as ReadableWritablePair<Chunk, Chunk>;
}

/** A chat completion that came whole. */
export async function guardChatCompletion<Completion extends object>(
  edgegate: Guarding,
  completion: Completion,
  options?: StreamOptions,
): Promise<Completion> {
  return (await guardCompletion(new Parts(edgegate, options), completion as Json)) as Completion;
}

/** The body of a streamed response. */
export function guardResponseSse(edgegate: Guarding, options?: StreamOptions): SsePair {
  const [parts, signal] = partsAndSignal(edgegate, options);
  return pairOf(overSse(responseSteps(parts)), signal);
}

/** The events of a streamed response, as the client gives them. */
export function guardResponseEvents<Event extends object>(
  edgegate: Guarding,
  options?: StreamOptions,
): ReadableWritablePair<Event, Event> {
  const [parts, signal] = partsAndSignal(edgegate, options);
  return pairOf<Json, Json>(responseSteps(parts), signal) as unknown as ReadableWritablePair<Event, Event>;
}

/** A response that came whole. */
export async function guardResponse<Response extends object>(
  edgegate: Guarding,
  response: Response,
  options?: StreamOptions,
): Promise<Response> {
  return (await guardWhole(new Parts(edgegate, options), response as Json)) as Response;
}
