/**
 * The streams of Anthropic's Messages behind the reply guard.
 *
 * ```js
 * import Anthropic from "@anthropic-ai/sdk";
 * import { loadEdgegate } from "edgegate";
 * import { guardFetch } from "edgegate/anthropic";
 * const edgegate = await loadEdgegate();
 * const client = new Anthropic({ fetch: guardFetch(edgegate, { evidence: { memories } }) });
 * // messages, streamed or whole, now come guarded
 * ```
 *
 * One guard for each text block. Every event goes out, in order, with the text that is decided by then; what is left of a
 * block goes out as one more delta before the block stops. Thinking, tool use and what isn't known pass untouched.
 *
 * @module edgegate/anthropic
 */
import { pairOf } from "../pair.ts";
import { guardingFetch, partsAndSignal } from "./fetching.ts";
import { isObject, type Json, mapInTurn } from "./json.ts";
import { type Guarding, type OptionsFor, Parts, type StreamOptions } from "./parts.ts";
import { type EventSteps, overSse } from "./sse.ts";

export { iterate } from "./fetching.ts";
export type { Json } from "./json.ts";
export type { Guarding, OptionsFor, StreamOptions } from "./parts.ts";

const partOf = (index: unknown): string => `block ${index ?? 0}`;

function messageSteps(parts: Parts): EventSteps {
  const own = (index: unknown, text: string): Json => ({
    type: "content_block_delta",
    index,
    delta: { type: "text_delta", text },
  });

  async function tails(): Promise<Json[]> {
    return (await parts.closeAll()).map(([part, text]) => own(Number(part.split(" ")[1]), text));
  }

  return {
    async take(event) {
      const { type, index } = event;
      const part = partOf(index);
      if (type === "content_block_start" && isObject(event["content_block"])) {
        const block = event["content_block"];
        if (block["type"] !== "text" || typeof block["text"] !== "string") return [event];
        return [{ ...event, content_block: { ...block, text: await parts.feed(part, block["text"]) } }];
      }
      if (type === "content_block_delta" && isObject(event["delta"])) {
        const delta = event["delta"];
        if (delta["type"] !== "text_delta" || typeof delta["text"] !== "string") return [event];
        return [{ ...event, delta: { ...delta, text: await parts.feed(part, delta["text"]) } }];
      }
      if (type === "content_block_stop") {
        const rest = await parts.close(part);
        return rest === "" ? [event] : [own(index, rest), event];
      }
      if (type === "message_delta" || type === "message_stop" || type === "error") return [...(await tails()), event];
      if (isObject(event["message"])) return [{ ...event, message: await guardBlocks(parts, event["message"]) }];
      return [event];
    },
    close: tails,
    abort: () => parts.abort(),
  };
}

async function guardBlocks(parts: Parts, message: Json): Promise<Json> {
  if (!Array.isArray(message["content"])) return message;
  const content = await mapInTurn(message["content"] as unknown[], async (block, at) =>
    isObject(block) && block["type"] === "text" && typeof block["text"] === "string"
      ? { ...block, text: await parts.final(partOf(at), block["text"]) }
      : block,
  );
  return { ...message, content };
}

/**
 * A `fetch` for the client: every message that comes through it is guarded. The conversation in the request is
 * evidence too, unless the options name a history of their own.
 */
export function guardFetch(
  edgegate: Guarding,
  options: OptionsFor<Json> = {},
  fetch: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  return guardingFetch(edgegate, [{ path: /\/messages$/, steps: messageSteps, whole: guardBlocks }], options, fetch);
}

/** The body of a streamed message. */
export function guardMessageSse(
  edgegate: Guarding,
  options?: StreamOptions,
): ReadableWritablePair<Uint8Array, Uint8Array | string> {
  const [parts, signal] = partsAndSignal(edgegate, options);
  return pairOf(overSse(messageSteps(parts)), signal);
}

/** The events of a streamed message, as the client gives them. */
export function guardMessageEvents<Event extends object>(
  edgegate: Guarding,
  options?: StreamOptions,
): ReadableWritablePair<Event, Event> {
  const [parts, signal] = partsAndSignal(edgegate, options);
  return pairOf<Json, Json>(messageSteps(parts), signal) as unknown as ReadableWritablePair<Event, Event>;
}

/** A message that came whole. */
export async function guardMessage<Message extends object>(
  edgegate: Guarding,
  message: Message,
  options?: StreamOptions,
): Promise<Message> {
  return (await guardBlocks(new Parts(edgegate, options), message as Json)) as Message;
}
