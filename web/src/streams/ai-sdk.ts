/**
 * The Vercel AI SDK behind the reply guard: as a transform of `streamText`, or around a language model.
 *
 * ```js
 * import { streamText } from "ai";
 * import { loadEdgegate } from "edgegate";
 * import { guardTransform } from "edgegate/ai-sdk";
 * const edgegate = await loadEdgegate();
 * const result = streamText({ model, messages, experimental_transform: guardTransform(edgegate, { evidence }) });
 * // every stream, callback and stored message of `result` holds the guarded text
 * ```
 *
 * `wrapLanguageModel({ model, middleware: guardMiddleware(edgegate, options) })` does the same for every use of a model.
 * One guard for each text part, by its id; what is left of it comes before its end. Other parts pass untouched and in order,
 * save those that repeat the model's words unjudged: raw chunks, and the raw body of an answer.
 *
 * @module edgegate/ai-sdk
 */
import { pairOf } from "../pair.ts";
import { withHistory } from "./history.ts";
import type { Json } from "./json.ts";
import { type Guarding, type OptionsFor, Parts, type StreamOptions } from "./parts.ts";
import type { EventSteps } from "./sse.ts";

export type { Json } from "./json.ts";
export type { Guarding, OptionsFor, StreamOptions } from "./parts.ts";

/** The part types before which every open text is ended: no text of it can follow. */
const ENDS = new Set<unknown>(["finish-step", "finish", "error"]);

/** The steps over stream parts whose text stands in `field`. */
function partSteps(parts: Parts, field: "text" | "delta"): EventSteps {
  const own = (id: unknown, text: string): Json => ({ type: "text-delta", id, [field]: text });

  async function tails(): Promise<Json[]> {
    return (await parts.closeAll()).map(([part, text]) => own(part.slice("text ".length), text));
  }

  return {
    async take(part) {
      const name = `text ${part["id"]}`;
      switch (part["type"]) {
        case "text-delta": {
          if (typeof part[field] !== "string") return [part];
          const text = await parts.feed(name, part[field]);
          return text === "" && !part["providerMetadata"] ? [] : [{ ...part, [field]: text }];
        }
        case "text-end": {
          const text = await parts.close(name);
          return text === "" ? [part] : [own(part["id"], text), part];
        }
        case "raw":
          return [];
        case "abort": // someone asked for it
          await parts.abort();
          return [part];
        default:
          return ENDS.has(part["type"]) ? [...(await tails()), part] : [part];
      }
    },
    close: tails,
    abort: () => parts.abort(),
  };
}

/** A pair of streams that the SDK takes for a transform. */
function transformOf<Part>(steps: EventSteps, signal: AbortSignal | undefined): TransformStream<Part, Part> {
  return pairOf<Json, Json>(steps, signal) as unknown as TransformStream<Part, Part>;
}

// Below, `any` stands where the SDK's own types come in and go out unchanged: they are the SDK's to check.

/**
 * For `streamText({ experimental_transform })`. Every step of the run is judged by the same options. A transform is not told
 * what was asked: give the conversation as `evidence.history`.
 */
export function guardTransform(
  edgegate: Guarding,
  options: StreamOptions = {},
): (run: any) => TransformStream<any, any> {
  return () => transformOf(partSteps(new Parts(edgegate, options), "text"), options.signal);
}

/** What the middleware is told of one call of the model; the prompt is in `params`. */
export interface ModelCall<Params, Result, StreamResult> {
  /** Asks the model for a whole answer. */
  doGenerate: () => PromiseLike<Result>;
  /** Asks the model for a streamed answer. */
  doStream: () => PromiseLike<StreamResult>;
  params: Params;
}

/** Middleware for `wrapLanguageModel`, as the SDK's version 6 (`v3`) and 7 (`v4`) take it. */
export interface GuardMiddleware<Version extends string> {
  readonly specificationVersion: Version;
  /** Guards a whole answer. */
  wrapGenerate(call: any): Promise<any>;
  /** Guards a streamed answer. */
  wrapStream(call: any): Promise<any>;
}

/**
 * Middleware that guards every answer of a model. `options` may be made from the call's `params`, which hold the prompt. The
 * prompt's conversation is evidence too, unless the options name a history of their own.
 */
export function guardMiddleware<Version extends string = "v3">(
  edgegate: Guarding,
  options: OptionsFor<Json> = {},
  specificationVersion = "v3" as Version,
): GuardMiddleware<Version> {
  const optionsOf = async (params: Json): Promise<StreamOptions> => {
    const chosen = withHistory(typeof options === "function" ? await options(params) : options, params);
    const signal = params["abortSignal"] as AbortSignal | undefined;
    return signal && !chosen.signal ? { ...chosen, signal } : chosen;
  };
  return {
    specificationVersion,
    async wrapStream({ doStream, params }: ModelCall<Json, Json, { stream: ReadableStream<Json> }>) {
      const chosen = await optionsOf(params);
      const { stream, ...rest } = await doStream();
      const guard = transformOf<Json>(partSteps(new Parts(edgegate, chosen), "delta"), chosen.signal);
      return { ...rest, stream: stream.pipeThrough(guard) };
    },
    async wrapGenerate({ doGenerate, params }: ModelCall<Json, Json & { content: Json[]; response?: Json }, Json>) {
      const parts = new Parts(edgegate, await optionsOf(params));
      const { content, response, ...rest } = await doGenerate();
      const guarded: Json[] = [];
      for (const [at, part] of content.entries()) {
        if (part["type"] !== "text" || typeof part["text"] !== "string") guarded.push(part);
        else guarded.push({ ...part, text: await parts.final(`text ${at}`, part["text"]) });
      }
      const { body: _body, ...kept } = response ?? {};
      return { ...rest, content: guarded, ...(response && { response: kept }) };
    },
  };
}
