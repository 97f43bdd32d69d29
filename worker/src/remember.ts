/** `/v1/memories`: what is kept of a user, through the one door; asking, forgetting, taking it along. */
import type { Edgegate, TurnInput } from "../../web/src/client.ts";
import type { Memory, MemoryOutcome, MemoryRow } from "../../web/src/memory.ts";
import type { MemoryScope } from "../../web/src/protocol.ts";
import type { Store } from "../../web/src/store.ts";
import { isObject, type Json } from "../../web/src/streams/json.ts";
import { json, Refusal } from "./answers.ts";

/** What every request about memory may say of itself. */
interface Circumstances {
  /** What this chat may do: `on`, `saves`, `reads`. */
  scope?: MemoryScope;
  /** The time, ISO with its offset; the worker's clock where it is not given. */
  now?: string;
  /** The user's name where the turns have one. */
  user?: string;
  keep_unchecked?: boolean;
}

const CIRCUMSTANCES = ["scope", "now", "user", "keep_unchecked"];
// One of these says what is to be kept; beside each, what belongs to it.
const WAYS: Record<string, readonly string[]> = {
  message: ["context", "said", "in_prompt"],
  memory: ["source", "kind", "about", "context", "in_prompt"],
  rows: [],
  turns: ["summary"],
};

/** How many rows one request may bring. */
const MOST_ROWS = 20;

/** The memory of one request: the user's store, in the scope that the request names. */
export function memoryFor(edgegate: Edgegate, store: Store, given: Circumstances): Memory {
  const { scope, now, user, keep_unchecked: keepUnchecked } = given;
  if (now !== undefined && typeof now !== "string") throw wrong("now", "expected a text");
  return edgegate.memory({
    store,
    now: () => now ?? new Date().toISOString(),
    ...(scope ? { scope } : {}),
    ...(user !== undefined ? { user } : {}),
    ...(keepUnchecked !== undefined ? { keepUnchecked } : {}),
  });
}

/** POST: keeps what passes the gate, and says of each fact what became of it. */
export async function remember(edgegate: Edgegate, store: Store, body: Json): Promise<Response> {
  const ways = Object.keys(WAYS).filter((name) => body[name] !== undefined);
  const [way] = ways;
  if (way === undefined || ways.length > 1) {
    throw new Refusal(400, "invalid_request", `expected one of ${Object.keys(WAYS).join(", ")}`, { param: ways[1] ?? null });
  }
  const [given, own] = split(body, way, WAYS[way]!);
  return json(outcome(await kept(memoryFor(edgegate, store, given), way, body[way], own)));
}

function kept(memory: Memory, way: string, what: unknown, own: Json): Promise<MemoryOutcome> {
  // What has a wrong shape is named by the core.
  switch (way) {
    case "message":
      return memory.turn(what as string, own);
    case "memory": {
      const { source, ...rest } = own;
      if (source !== undefined) return memory.propose(what as string, source as string | TurnInput[], rest);
      for (const name of ["context", "in_prompt"]) if (name in rest) throw wrong(name, "is of use only beside a source");
      return memory.remember(what as string, rest);
    }
    case "rows":
      // Each is judged beside all the others, and nothing else runs meanwhile.
      if (Array.isArray(what) && what.length > MOST_ROWS) throw wrong("rows", `at most ${MOST_ROWS} rows at once`);
      return memory.bring(what as MemoryRow[]);
    default:
      return memory.keepChat(what as TurnInput[], own);
  }
}

/** GET: everything kept, or with `q` what a message brings to mind. */
export async function look(edgegate: Edgegate, store: Store, query: URLSearchParams): Promise<Response> {
  const [given, own] = split(Object.fromEntries(query), "q", ["limit", "turns"]);
  const number = (name: string, most: number): number | undefined => {
    if (own[name] === undefined) return undefined;
    const value = Number(own[name]);
    if (!Number.isInteger(value) || value < 1 || value > most) throw wrong(name, `expected a number from 1 to ${most}`);
    return value;
  };
  const limit = number("limit", 64);
  const turns = number("turns", 1000);
  const asked = query.get("q");
  if (asked !== null) {
    const found = await memoryFor(edgegate, store, given).recall(asked, limit ? { limit } : {});
    return json({ object: "list", data: found });
  }
  if (limit !== undefined) throw wrong("limit", "is of use only beside q");
  const held = await store.load(turns ? { turns } : {});
  return json({ object: "list", revision: held.revision, data: held.memories, turns: held.turns });
}

/** DELETE: what a person picked from a list, or all of it. */
export async function remove(edgegate: Edgegate, store: Store, body: Json): Promise<Response> {
  const [given, own] = split(body, "ids", ["all"]);
  if ((own["all"] === true) === (body["ids"] !== undefined)) throw wrong("ids", "expected either a list of ids, or all: true");
  const ids = own["all"] === true ? (await store.load()).memories.map(({ id }) => id) : (body["ids"] as string[]);
  return json(outcome(await memoryFor(edgegate, store, given).delete(ids)));
}

/** POST to `/forget`: a request in the user's words. With `plan`, only what it would delete, or ask about. */
export async function forget(edgegate: Edgegate, store: Store, body: Json): Promise<Response> {
  const [given, own] = split(body, "request", ["said", "in_prompt", "plan"]);
  const { plan, ...rest } = own;
  const request = body["request"] as string;
  if (typeof request !== "string") throw wrong("request", "expected a text");
  if (plan !== undefined && typeof plan !== "boolean") throw wrong("plan", "expected true or false");
  if (plan) {
    const { memories } = await store.load();
    const { said } = rest as { said?: string };
    const { outcome: what, reason, targets } = await edgegate.planForget(memories.map(({ text }) => text), request, said ? { said } : {});
    return json({ object: "memory.plan", outcome: what, reason, candidates: targets.map((place) => candidate(memories[place]!)) });
  }
  const done = await memoryFor(edgegate, store, given).forget(request, rest);
  const candidates = done.turn.outcome === "ask" ? (await store.load({ ids: done.turn.ids })).memories.map(candidate) : [];
  return json({ ...outcome(done), candidates });
}

/** GET of `/export`: everything, as a file for the person whose it is. */
export async function takeAlong(edgegate: Edgegate, store: Store): Promise<Response> {
  const all = await memoryFor(edgegate, store, {}).export();
  return json(all, 200, { "content-disposition": 'attachment; filename="memories.json"' });
}

const candidate = ({ id, text }: { id: string; text: string }): Json => ({ id, text });
const outcome = (done: MemoryOutcome): Json => ({ object: "memory.outcome", ...done });
const wrong = (param: string, message: string): Refusal => new Refusal(400, "invalid_request", message, { param });

/** The circumstances in a request, and what else it says; an unknown field is refused by its name. */
function split(body: Json, main: string, names: readonly string[]): [Circumstances, Json] {
  const given: Json = {};
  const own: Json = {};
  for (const [name, value] of Object.entries(body)) {
    if (CIRCUMSTANCES.includes(name)) given[name] = value;
    else if (names.includes(name)) own[name] = value;
    else if (name !== main) throw wrong(name, "unknown field");
  }
  if (given["scope"] !== undefined && !isObject(given["scope"])) throw wrong("scope", "expected an object with on, saves and reads");
  return [given as Circumstances, own];
}
