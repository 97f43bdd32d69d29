/**
 * Chat completions: the request goes to the model's server without our key in it, and what comes back is guarded.
 *
 * Only the fields that are known are passed on: text that a server sends in a field of its own would be text that nobody
 * judged. Token probabilities spell out what was dropped, and reasoning is not said to the user: both are left out.
 */
import type { Edgegate, EvidenceInput } from "../../web/src/client.ts";
import { EdgegateError } from "../../web/src/errors.ts";
import { pairOf } from "../../web/src/pair.ts";
import type { Event, FoundMemory, MemoryScope, ReplyEnd } from "../../web/src/protocol.ts";
import type { Store } from "../../web/src/store.ts";
import { isObject, type Json, listOf } from "../../web/src/streams/json.ts";
import { chatSteps, guardCompletion } from "../../web/src/streams/openai-chat.ts";
import { Parts } from "../../web/src/streams/parts.ts";
import { type EventSteps, overSse } from "../../web/src/streams/sse.ts";
import { Refusal, SERVER, json } from "./answers.ts";
import { memoryFor } from "./remember.ts";
import type { Settings } from "./settings.ts";

/** The key of the request under which evidence comes. It is taken out before the request goes on. */
export const OWN_KEY = "edgegate";

const ENVELOPE = new Set(["id", "object", "created", "model", "usage", "system_fingerprint", "service_tier"]);
const SPOKEN = new Set(["role", "content", "refusal", "tool_calls", "function_call"]);
const CHOICE = new Set(["index", "finish_reason"]);

const only = (given: Json, names: ReadonlySet<string>): Json =>
  Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)));

/** What is known of a completion, or of a piece of one. */
function known(given: Json): Json {
  if (!Array.isArray(given["choices"])) return only(given, ENVELOPE);
  const choices = listOf(given["choices"]).filter(isObject).map((choice) => {
    const kept: Json = { ...only(choice, CHOICE), logprobs: null };
    for (const field of ["delta", "message"]) if (isObject(choice[field])) kept[field] = spoken(choice[field]);
    return kept;
  });
  return { ...only(given, ENVELOPE), choices };
}

function spoken(given: Json): Json {
  const kept = only(given, SPOKEN);
  // Of a content in pieces, only the texts are known to be guarded.
  for (const field of ["content", "refusal"]) {
    if (Array.isArray(kept[field])) {
      kept[field] = kept[field].filter((piece) => isObject(piece) && piece["type"] === "text").map((piece) => ({ type: "text", text: String(piece["text"] ?? "") }));
    } else if (kept[field] !== null && kept[field] !== undefined && typeof kept[field] !== "string") {
      delete kept[field];
    }
  }
  return kept;
}

/** What the request says for us. */
interface Own {
  evidence?: EvidenceInput;
  now?: string;
  /** Stored memories that the user's last message brings to mind are evidence too. */
  memory?: true | null | { limit?: number; scope?: MemoryScope };
}

/** What a completion needs around it. `done` is called once, when nothing of it is left. */
export interface Around {
  edgegate: Edgegate;
  settings: Settings;
  done(): void;
  store(): Promise<Store>;
  later(work: Promise<unknown>): void;
}

const OWN = ["evidence", "now", "memory"];
const OF_MEMORY = ["limit", "scope"];

/** What the request says for us, and the request as it goes on. */
function takeOwn(body: Json): { own: Own; rest: Json } {
  const { [OWN_KEY]: own, ...rest } = body;
  const known = (given: unknown, names: readonly string[], param: string): void => {
    if (!isObject(given)) throw new Refusal(400, "invalid_evidence", `expected an object with ${names.join(", ")}`, { param });
    for (const name of Object.keys(given)) {
      if (!names.includes(name)) {
        throw new Refusal(400, "invalid_evidence", `unknown field; known are ${names.join(", ")}`, { param: `${param}.${name}` });
      }
    }
  };
  if (own === undefined) return { own: {}, rest };
  known(own, OWN, OWN_KEY);
  const { memory } = own as Json;
  if (memory !== undefined && memory !== null && memory !== true) known(memory, OF_MEMORY, `${OWN_KEY}.memory`);
  return { own: own as Own, rest };
}

/** What of the user's memories the last message brings to mind, and what is done with it when the answer is out. */
async function recalled({ edgegate, store, later }: Around, own: Own, body: Json): Promise<{ found: readonly FoundMemory[]; after(): void }> {
  if (!own.memory) return { found: [], after() {} };
  const { limit, scope } = own.memory === true ? {} : own.memory;
  const memory = memoryFor(edgegate, await store(), { ...(scope ? { scope } : {}), ...(own.now !== undefined ? { now: own.now } : {}) });
  const message = lastAsked(body);
  const found = message === "" ? [] : await memory.recall(message, limit !== undefined ? { limit } : {});
  const after = (): void => {
    if (found.length === 0) return;
    // In a chat that may not save, the core writes nothing here either.
    later(memory.refresh(found.map((each) => each.memory.id)).catch((error) => console.error(`what was recalled is not marked: ${error}`)));
  };
  return { found, after };
}

/** The text of the last message of the user's. */
function lastAsked(body: Json): string {
  const said = listOf(body["messages"]).filter(isObject).filter((message) => message["role"] === "user").at(-1)?.["content"];
  if (typeof said === "string") return said;
  return listOf(said).filter(isObject).filter((piece) => piece["type"] === "text").map((piece) => String(piece["text"] ?? "")).join("\n");
}

/** Answers a chat completion. */
export async function complete(around: Around, body: Json): Promise<Response> {
  const { edgegate, settings } = around;
  const { own, rest } = takeOwn(body);
  const { memory: _, ...judging } = own;
  const control = new AbortController();
  const timer = setTimeout(
    () => control.abort(new DOMException(`the answer took longer than ${settings.maxSeconds} seconds`, "TimeoutError")),
    settings.maxSeconds * 1000,
  );
  let after = (): void => {};
  let finished = false;
  const finish = (): void => {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    after();
    around.done();
  };
  try {
    // Evidence of a wrong shape is told before anyone is asked for anything.
    const trial = edgegate.openReply(judging);
    await trial.abort();
    const memories = await recalled(around, own, rest);
    const texts = memories.found.map(({ memory }) => memory.text);
    if (texts.length > 0) judging.evidence = { ...judging.evidence, memories: [...(judging.evidence?.memories ?? []), ...texts] };
    const upstream = await ask(settings, rest, control.signal);
    after = memories.after;
    const kind = upstream.headers.get("content-type") ?? "";
    if (kind.includes("text/event-stream") && upstream.body) return streamed(edgegate, judging, upstream.body, control, finish);
    return await whole(edgegate, judging, upstream, finish, memories.found);
  } catch (error) {
    after = () => {}; // there was no answer
    finish();
    throw error instanceof EdgegateError && (error.code === "data" || error.code === "usage")
      ? new Refusal(400, "invalid_evidence", error.message, { param: paramOf(error.where) })
      : error;
  }
}

/** The place in the request that an error of the core is about. */
function paramOf(where: string | null): string {
  const [first] = (where ?? "").split(".");
  if (first === "scope" || first === "arguments") return `${OWN_KEY}.memory.${(where ?? "").replace(/^arguments\./, "")}`;
  return `${OWN_KEY}.${where ?? ""}`;
}

async function ask(settings: Settings, body: Json, signal: AbortSignal): Promise<Response> {
  if (!settings.upstream) throw new Refusal(503, "not_configured", "no model's server is set: set EDGEGATE_UPSTREAM_URL", SERVER);
  let answer: Response;
  try {
    answer = await fetch(`${settings.upstream}/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(settings.upstreamKey ? { authorization: `Bearer ${settings.upstreamKey}` } : {}),
      },
      body: JSON.stringify(body),
      signal,
      redirect: "manual",
    });
  } catch (error) {
    if (signal.aborted) throw new Refusal(504, "upstream_timeout", String(signal.reason.message), SERVER);
    throw new Refusal(502, "upstream_unreachable", "the model's server can't be reached", SERVER);
  }
  if (answer.ok) return answer;
  await answer.body?.cancel();
  // What the client did wrong is told with its own status; our own key and the server's troubles are not the client's.
  const passed = answer.status >= 400 && answer.status < 500 && answer.status !== 401 && answer.status !== 403;
  throw new Refusal(passed ? answer.status : 502, "upstream_error", `the model's server answered with status ${answer.status}`, {
    type: passed ? "invalid_request_error" : "server_error",
  });
}

/** What the guard did, as counts and reasons: the dropped sentences themselves are not told to the client. */
function summary(events: { event: Event; part: string }[]): Json {
  const dropped = events.flatMap(({ event, part }) =>
    event.kind === "text_dropped" ? [{ part, family: event.family, cue: event.cue, reason: event.reason }] : [],
  );
  const ends = events.flatMap(({ event, part }) => (event.kind === "reply_end" ? [{ part, end: event as ReplyEnd }] : []));
  return {
    dropped,
    replies: ends.map(({ part, end }) => ({
      part,
      dropped: end.dropped,
      unchecked: end.unchecked,
      everything_dropped: end.everything_dropped,
      failed: end.failed !== null,
    })),
  };
}

async function whole(
  edgegate: Edgegate,
  own: Own,
  upstream: Response,
  finish: () => void,
  found: readonly FoundMemory[],
): Promise<Response> {
  let body: unknown;
  try {
    body = await upstream.json();
  } catch {
    body = undefined;
  }
  if (!isObject(body) || !Array.isArray(body["choices"])) {
    throw new Refusal(502, "upstream_malformed", "the model's server sent no chat completion", SERVER);
  }
  const events: { event: Event; part: string }[] = [];
  const parts = new Parts(edgegate, { ...own, onEvent: (event, part) => events.push({ event, part }) });
  const completion = await guardCompletion(parts, known(body));
  finish();
  return json({ ...completion, [OWN_KEY]: { ...summary(events), recalled: found.map(({ memory }) => memory.id) } });
}

function streamed(
  edgegate: Edgegate,
  own: Own,
  upstream: ReadableStream<Uint8Array>,
  control: AbortController,
  finish: () => void,
): Response {
  const inner = chatSteps(new Parts(edgegate, own));
  const steps: EventSteps = {
    ...inner,
    async take(chunk) {
      if ("error" in chunk) throw new Refusal(502, "upstream_error", "the model's server reported an error", SERVER);
      return inner.take(known(chunk));
    },
  };
  const reader = upstream.pipeThrough(pairOf(overSse(steps))).getReader();
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          finish();
          controller.close();
        } else {
          controller.enqueue(encoder.encode(plain(decoder.decode(value))));
        }
      } catch (error) {
        finish();
        // What was decided is out already; the client is told why no more comes.
        const refusal =
          error instanceof Refusal
            ? error
            : control.signal.aborted
              ? new Refusal(504, "upstream_timeout", String(control.signal.reason.message), SERVER)
              : error instanceof EdgegateError && error.code === "data"
                ? new Refusal(502, "upstream_malformed", "the model's server sent a broken stream", SERVER)
                : error instanceof EdgegateError
                  ? new Refusal(500, "guard_failed", "the guard failed; nothing more is shown", SERVER)
                  : new Refusal(502, "upstream_broken", "the model's server broke off", SERVER);
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(refusal.body)}\n\n`));
        controller.close();
        control.abort(new DOMException("ended", "AbortError"));
      }
    },
    async cancel(reason) {
      finish();
      control.abort(new DOMException("the client went away", "AbortError"));
      await reader.cancel(reason).catch(() => {});
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

/** Whole events without what no client of this interface reads: a comment's words, names, and data that is no object. */
function plain(events: string): string {
  return events
    .split("\n")
    .filter((line) => line === "" || line.startsWith(":") || /^data: ?(\{|\[DONE\]$)/.test(line))
    .map((line) => (line.startsWith(":") ? ":" : line))
    .join("\n");
}
