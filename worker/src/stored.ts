/** Whose memories a request is about, and the store of that user: an object elsewhere, asked as if it were here. */
import { readError, StoreError } from "../../web/src/errors.ts";
import { hexadecimal } from "../../web/src/snapshot.ts";
import type { Store } from "../../web/src/store.ts";
import { Refusal, SERVER } from "./answers.ts";
import type { Answer, Memories } from "./memories.ts";
import { type Bindings, type Settings, textOf } from "./settings.ts";

/** A namespace of objects, as the runtime binds it. */
interface Namespace {
  idFromName(name: string): unknown;
  get(id: unknown): Calls;
}

/** The object's methods, each answered from elsewhere. */
type Calls = { [name in "load" | "find" | "apply"]: (...given: Parameters<Memories[name]>) => Promise<Awaited<ReturnType<Memories[name]>>> };

const LONGEST_NAME = 256;

/**
 * The name of the user's object. Where the deployment has a header for it (set by whatever stands before the worker and
 * knows who the user is), every request must carry it; else all who have the API key share one memory.
 */
async function nameOf(request: Request, settings: Settings, key: string): Promise<string> {
  if (settings.userHeader === "") {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
    return `key ${hexadecimal(new Uint8Array(digest))}`;
  }
  const user = request.headers.get(settings.userHeader)?.trim() ?? "";
  if (user === "" || user.length > LONGEST_NAME) {
    throw new Refusal(400, "no_user", `the header ${settings.userHeader} must name the user, in at most ${LONGEST_NAME} characters`, {
      param: settings.userHeader,
    });
  }
  return `user ${user}`;
}

/** The store of the user that a request is about. Throws Refusal where there is none; its calls throw the store's errors. */
export async function storeOf(request: Request, settings: Settings, bindings: Bindings): Promise<Store> {
  const namespace = bindings["MEMORIES"] as Namespace | undefined;
  if (!namespace) throw new Refusal(503, "not_configured", "no store is bound: MEMORIES", SERVER);
  const object = namespace.get(namespace.idFromName(await nameOf(request, settings, textOf(bindings, "API_KEY"))));
  const ask = async <Result>(work: Promise<Answer<Result>>): Promise<Result> => {
    const answer = await inTime(work, settings.maxSeconds);
    if (!answer.ok) throw answer.error.code === "full" ? new StoreError(answer.error.message, null, "full") : readError(answer.error);
    return answer.result;
  };
  return {
    load: (options) => ask(object.load(options)),
    find: (terms, limit) => ask(object.find(terms, limit)),
    apply: (commit) => ask(object.apply(commit)),
  };
}

/** What `work` gives within `seconds`. What becomes of it later is not known: whoever asked has to look. */
async function inTime<Result>(work: Promise<Result>, seconds: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refusal(504, "store_timeout", `the store took longer than ${seconds} seconds`, SERVER)), seconds * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
