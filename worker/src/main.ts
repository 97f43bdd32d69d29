/**
 * The edge worker: an OpenAI-compatible proxy that filters what the model's server says, and the gate as a JSON interface.
 *
 * The module holds the started core and a count of what is running. Of a user it holds nothing: what a request brings
 * lives as long as the request.
 */
import { EdgegateError } from "../../web/src/errors.ts";
import { authorise, json, readObject, Refusal, refuse, SERVER } from "./answers.ts";
import { complete } from "./chat.ts";
import { overCore, startCore } from "./core.ts";
import { type Bindings, readSettings, type Settings } from "./settings.ts";

const edgegate = await overCore(await startCore());
let running = 0;

const GATE_FIELDS = new Set(["source", "memory", "now", "about", "user", "context"]);

async function gate(op: "check" | "inspect", request: Request, settings: Settings): Promise<Response> {
  const { source, memory, ...options } = await readObject(request, settings.maxBodyBytes);
  for (const name of Object.keys(options)) {
    if (!GATE_FIELDS.has(name)) throw new Refusal(400, "invalid_request", "unknown field", { param: name });
  }
  return json(await edgegate[op](source as string, memory as string, options));
}

/** A chat completion, unless too many are running. */
async function chat(request: Request, settings: Settings): Promise<Response> {
  if (running >= settings.maxStreams) {
    throw new Refusal(429, "too_many_requests", `${settings.maxStreams} answers are running already: try again`, {
      type: "rate_limit_error",
      headers: { "retry-after": "1" },
    });
  }
  running += 1;
  let counted = true;
  const done = (): void => {
    if (counted) running -= 1;
    counted = false;
  };
  try {
    return await complete(edgegate, settings, await readObject(request, settings.maxBodyBytes), done);
  } catch (error) {
    done();
    throw error;
  }
}

const ROUTES: Record<string, Record<string, (request: Request, settings: Settings) => Promise<Response>>> = {
  "/health": { GET: async () => json({ ok: true, ...edgegate.version, running }) },
  "/v1/chat/completions": { POST: chat },
  "/v1/check": { POST: (request, settings) => gate("check", request, settings) },
  "/v1/inspect": { POST: (request, settings) => gate("inspect", request, settings) },
  "/v1/memories": {
    POST: () => Promise.reject(new Refusal(501, "not_implemented", "stored memory is not part of this build", SERVER)),
    GET: () => Promise.reject(new Refusal(501, "not_implemented", "stored memory is not part of this build", SERVER)),
  },
};

async function route(request: Request, bindings: Bindings): Promise<Response> {
  const { pathname } = new URL(request.url);
  const methods = ROUTES[pathname];
  if (pathname !== "/health") await authorise(request, bindings["API_KEY"]);
  if (!methods) throw new Refusal(404, "not_found", `there is no ${pathname}`);
  const answer = methods[request.method];
  if (!answer) {
    const allow = Object.keys(methods).join(", ");
    throw new Refusal(405, "method_not_allowed", `${pathname} takes ${allow}`, { headers: { allow } });
  }
  return answer(request, readSettings(bindings));
}

export default {
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    try {
      return await route(request, bindings);
    } catch (error) {
      if (error instanceof Refusal) return refuse(error);
      if (error instanceof EdgegateError && (error.code === "data" || error.code === "usage")) {
        return refuse(new Refusal(400, "invalid_request", error.message, { param: error.where }));
      }
      console.error(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
      return refuse(new Refusal(500, "internal_error", "something broke in the worker", SERVER));
    }
  },
};
