/**
 * The edge worker: an OpenAI-compatible proxy that filters what the model's server says, the gate as a JSON interface, and
 * the memories of each user.
 *
 * The module holds the started core and a count of what is running. Of a user it holds nothing: what a request brings
 * lives as long as the request, and what is kept is kept in the user's own object.
 */
import { EdgegateError } from "../../web/src/errors.ts";
import type { Store } from "../../web/src/store.ts";
import { authorise, json, readObject, Refusal, refuse, SERVER } from "./answers.ts";
import { complete } from "./chat.ts";
import { overCore, startCore } from "./core.ts";
import { forget, look, remember, remove, takeAlong } from "./remember.ts";
import { type Bindings, readSettings, type Settings, textOf } from "./settings.ts";
import { storeOf } from "./stored.ts";

const edgegate = await overCore(await startCore());
let running = 0;

const GATE_FIELDS = new Set(["source", "memory", "now", "about", "user", "context"]);

async function gate(op: "check" | "inspect", asked: Asked): Promise<Response> {
  const { source, memory, ...options } = await bodyOf(asked);
  for (const name of Object.keys(options)) {
    if (!GATE_FIELDS.has(name)) throw new Refusal(400, "invalid_request", "unknown field", { param: name });
  }
  return json(await edgegate[op](source as string, memory as string, options));
}

/** One request, and what it comes with. */
interface Asked {
  request: Request;
  url: URL;
  settings: Settings;
  bindings: Bindings;
  /** Says that nothing of it is left. */
  done(): void;
  /** Keeps the request's world alive until `work` is done, after the answer is out. */
  later(work: Promise<unknown>): void;
}

type Route = (asked: Asked) => Promise<Response>;

const bodyOf = ({ request, settings }: Asked): Promise<Record<string, unknown>> => readObject(request, settings.maxBodyBytes);
const stored = ({ request, settings, bindings }: Asked): Promise<Store> => storeOf(request, settings, bindings);

const chat: Route = async (asked) => {
  const { settings, done, later } = asked;
  return complete({ edgegate, settings, done, later, store: () => stored(asked) }, await bodyOf(asked));
};

/** A route that is done when it has answered. */
const brief = (answer: Route): Route => async (asked) => {
  try {
    return await answer(asked);
  } finally {
    asked.done();
  }
};

/** Counts a request as running, until it is done; refuses it when too many are. */
function admit(settings: Settings): () => void {
  if (running >= settings.maxStreams) {
    throw new Refusal(429, "too_many_requests", `${settings.maxStreams} answers are running already: try again`, {
      type: "rate_limit_error",
      headers: { "retry-after": "1" },
    });
  }
  running += 1;
  let counted = true;
  return () => {
    if (counted) running -= 1;
    counted = false;
  };
}

const ROUTES: Record<string, Record<string, Route>> = {
  "/health": { GET: async () => json({ ok: true, ...edgegate.version, running }) },
  "/v1/chat/completions": { POST: chat },
  "/v1/check": { POST: brief((asked) => gate("check", asked)) },
  "/v1/inspect": { POST: brief((asked) => gate("inspect", asked)) },
  "/v1/memories": {
    GET: brief(async (asked) => look(edgegate, await stored(asked), asked.url.searchParams)),
    POST: brief(async (asked) => remember(edgegate, await stored(asked), await bodyOf(asked))),
    DELETE: brief(async (asked) => remove(edgegate, await stored(asked), await bodyOf(asked))),
  },
  "/v1/memories/forget": { POST: brief(async (asked) => forget(edgegate, await stored(asked), await bodyOf(asked))) },
  "/v1/memories/export": { GET: brief(async (asked) => takeAlong(edgegate, await stored(asked))) },
};

async function route(request: Request, bindings: Bindings, later: Asked["later"]): Promise<Response> {
  const url = new URL(request.url);
  const { pathname } = url;
  const open = pathname === "/health";
  if (!open) await authorise(request, textOf(bindings, "API_KEY"));
  const methods = Object.hasOwn(ROUTES, pathname) ? ROUTES[pathname] : undefined;
  if (!methods) throw new Refusal(404, "not_found", `there is no ${pathname}`);
  const answer = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
  if (!answer) {
    const allow = Object.keys(methods).join(", ");
    throw new Refusal(405, "method_not_allowed", `${pathname} takes ${allow}`, { headers: { allow } });
  }
  const settings = readSettings(bindings);
  const done = open ? () => {} : admit(settings);
  try {
    return await answer({ request, url, settings, bindings, later, done });
  } catch (error) {
    done();
    throw error;
  }
}

/** The refusal that an error becomes; undefined where it is not known. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (!(error instanceof EdgegateError)) return undefined;
  switch (error.code) {
    case "data":
    case "usage":
      return new Refusal(400, "invalid_request", error.message, { param: error.where?.replace(/^arguments\./, "") ?? null });
    case "full":
      return new Refusal(409, "memory_full", error.message);
    case "stale":
      return new Refusal(409, "conflict", "others wrote to these memories at the same time: try again", { headers: { "retry-after": "1" } });
    case "store":
      console.error(error.message);
      return new Refusal(503, "store_failed", "the store of the memories failed: nothing was kept", SERVER);
  }
  return undefined;
}

export default {
  async fetch(request: Request, bindings: Bindings, context: { waitUntil(work: Promise<unknown>): void }): Promise<Response> {
    try {
      return await route(request, bindings, (work) => context.waitUntil(work));
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal) return refuse(refusal);
      console.error(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
      return refuse(new Refusal(500, "internal_error", "something broke in the worker", SERVER));
    }
  },
};
