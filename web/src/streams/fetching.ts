/** A `fetch` that guards the answers of a model service, for the clients that take one. */
import { pairOf } from "../pair.ts";
import { withHistory } from "./history.ts";
import { isObject, type Json } from "./json.ts";
import { type Guarding, type OptionsFor, Parts, type StreamOptions } from "./parts.ts";
import { type EventSteps, overSse } from "./sse.ts";

/** How the answers under one path of a service are guarded. */
export interface Route {
  /** What the path of the request looks like. */
  path: RegExp;
  /** The steps over a streamed answer. */
  steps(parts: Parts): EventSteps;
  /** An answer that came whole, guarded. */
  whole(parts: Parts, answer: Json): Promise<Json>;
}

/** A `fetch` that guards the answers to requests whose path one of `routes` knows, and passes everything else. */
export function guardingFetch(
  edgegate: Guarding,
  routes: readonly Route[],
  options: OptionsFor<Json>,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  return async (input, init) => {
    // Read before it is sent: a body can be read once.
    const asked = init?.body ?? (input instanceof Request ? await input.clone().text() : "");
    const response = await fetch(input, init);
    const address = typeof input === "string" ? input : input instanceof URL ? input.href : input.url;
    const { pathname } = new URL(address, "http://localhost");
    const route = routes.find(({ path }) => path.test(pathname));
    const kind = response.headers.get("content-type") ?? "";
    const streamed = kind.includes("text/event-stream");
    if (!route || !response.ok || !response.body || !(streamed || kind.includes("json"))) return response;
    const request = requestOf(asked);
    const chosen = withHistory(typeof options === "function" ? await options(request) : options, request);
    const parts = new Parts(edgegate, chosen);
    if (streamed) {
      return answer(response, response.body.pipeThrough(pairOf(overSse(route.steps(parts)), chosen.signal)));
    }
    const body: unknown = await response.json();
    return answer(response, JSON.stringify(isObject(body) ? await route.whole(parts, body) : body));
  };
}

function requestOf(body: unknown): Json {
  if (typeof body !== "string") return {};
  try {
    const request: unknown = JSON.parse(body);
    return isObject(request) ? request : {};
  } catch {
    return {};
  }
}

function answer({ status, statusText, headers }: Response, body: BodyInit): Response {
  const kept = new Headers(headers);
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) kept.delete(name);
  return new Response(body, { status, statusText, headers: kept });
}

/** The items of `source`, each through the guarding pair: for clients whose stream is an async iterable. */
export async function* iterate<Input, Output>(
  source: AsyncIterable<Input>,
  { readable, writable }: ReadableWritablePair<Output, Input>,
): AsyncGenerator<Output, void, undefined> {
  const writer = writable.getWriter();
  const reader = readable.getReader();
  let left = false;
  const pump = (async () => {
    try {
      for await (const item of source) {
        await writer.write(item);
        if (left) return;
      }
      await writer.close();
    } catch (error) {
      if (!left) await writer.abort(error);
    }
  })();
  pump.catch(() => {}); // the reader hears of it
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    left = true;
    await reader.cancel().catch(() => {});
  }
}

/** The options that belong to a pair of streams. */
export function partsAndSignal(edgegate: Guarding, options: StreamOptions = {}): [Parts, AbortSignal | undefined] {
  return [new Parts(edgegate, options), options.signal];
}
