/**
 * A model behind any OpenAI-compatible service: where it is, how it is asked, and what is said when it does not answer.
 *
 * The operator of the page names the one service that it may ask (`run.py --endpoint`); the browser refuses every other. The
 * key goes nowhere but there. What is typed is kept in this browser's own storage, and nowhere else.
 */
import type { Edgegate, Event, EvidenceInput, Reply, ReplyEnd, ReplyOptions } from "edgegate";

import { guardFetch } from "../src/streams/openai.ts";
import { button, element, field } from "./dom.ts";
import type { PanelContext, Settings } from "./panels.ts";

const STORE = "edgegate: endpoint";
const MOST = 2000; // characters of an error that the service sent

/** A message as the service wants it. */
export interface Message {
  role: "system" | "user" | "assistant";
  content: string;
}

/** Where the model is. */
export interface Endpoint {
  base: string;
  model: string;
  key: string;
}

/** What went wrong, in words for a person. */
export class EndpointError extends Error {
  override name = "EndpointError";
}

/** The form for the service, and what is kept of it. */
export class EndpointForm {
  readonly node: HTMLElement;
  readonly #base = element("input");
  readonly #model = element("input");
  readonly #key = element("input");
  readonly #note = element("p", "hint");
  readonly #context: Pick<PanelContext, "settings">;
  #allowed: string | null = null;

  constructor(context: Pick<PanelContext, "settings">) {
    this.#context = context;
    this.#base.type = "url";
    this.#base.placeholder = "http://localhost:11434/v1";
    this.#model.placeholder = "the model's name";
    this.#key.type = "password";
    this.#key.placeholder = "none";
    for (const input of [this.#base, this.#model, this.#key]) {
      input.spellcheck = false;
      input.autocomplete = "off";
      input.addEventListener("input", () => this.#keep());
    }
    this.#note.id = "endpoint-note";
    const clear = button("Clear", "quiet");
    clear.id = "endpoint-clear";
    clear.addEventListener("click", () => this.clear());
    this.node = element(
      "div",
      "endpoint",
      element(
        "div",
        "controls",
        field("endpoint-base", "Base URL", this.#base, "grow"),
        field("endpoint-model", "Model", this.#model, "grow"),
        field("endpoint-key", "Key", this.#key, "grow", "(kept in this browser only)"),
        clear,
      ),
      this.#note,
    );
  }

  /** Fills the form with what is kept, and says what is allowed. */
  async fill(): Promise<void> {
    const settings: Settings = await this.#context.settings().catch(() => ({ endpoint: null }));
    const kept = stored(); // now, with what was typed meanwhile
    this.#allowed = settings.endpoint;
    this.#base.value = kept.base ?? settings.endpoint ?? "";
    this.#model.value = kept.model ?? "";
    this.#key.value = kept.key ?? "";
    this.#note.textContent =
      settings.endpoint === null
        ? "This page may not ask any model yet. Whoever starts it names the one service it may ask: run.py --endpoint URL."
        : `This page may ask ${new URL(settings.endpoint).origin} and nothing else; the browser refuses every other address.`;
  }

  /** Forgets everything that was typed here. */
  clear(): void {
    try {
      localStorage.removeItem(STORE);
    } catch {
      // there was no storage to keep it in
    }
    this.#base.value = this.#allowed ?? "";
    this.#model.value = "";
    this.#key.value = "";
    this.#base.focus();
  }

  #keep(): void {
    try {
      localStorage.setItem(STORE, JSON.stringify({ base: this.#base.value, model: this.#model.value, key: this.#key.value }));
    } catch {
      this.#note.textContent = "This browser keeps nothing for this page: what you type is gone with the tab.";
    }
  }

  /** What stands there, checked. Throws EndpointError saying what to change. */
  get value(): Endpoint {
    const base = this.#base.value.trim().replace(/\/+$/, "");
    const model = this.#model.value.trim();
    let url: URL;
    try {
      url = new URL(base);
    } catch {
      throw new EndpointError(`The base URL is not an address${base ? `: ${base}` : ""}. It looks like http://localhost:11434/v1.`);
    }
    if (this.#allowed === null) {
      throw new EndpointError(`This page was started without a model's service, so the browser refuses ${url.origin}. Start it with run.py --endpoint ${base}.`);
    }
    if (url.origin !== new URL(this.#allowed).origin) {
      throw new EndpointError(`This page may only ask ${new URL(this.#allowed).origin}. For ${url.origin}, start it with run.py --endpoint ${base}.`);
    }
    if (model === "") throw new EndpointError("Name the model: the service needs to know which one to ask.");
    return { base, model, key: this.#key.value.trim() };
  }
}

function stored(): Partial<Endpoint> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Partial<Endpoint>) : {};
  } catch {
    return {};
  }
}

export interface AskOptions {
  evidence: EvidenceInput;
  enabled: boolean;
  signal: AbortSignal;
  /** Told of every event of the guard. */
  onEvent(event: Event): void;
  /** Told of decided text as it comes. */
  onText(text: string): void;
}

/** How a question ended: the ends of the reply's parts (none where no reply came), and what went wrong. */
export interface Answered {
  ends: readonly ReplyEnd[];
  problem?: unknown;
}

/**
 * Asks the model, and gives its reply piece by piece, through the guard. Never throws: a service that refuses or does not
 * answer is a `problem`, in words (EndpointError); so is a stream that breaks off, after what was decided was given.
 */
export async function ask(edgegate: Edgegate, endpoint: Endpoint, messages: readonly Message[], options: AskOptions): Promise<Answered> {
  const opened: Reply[] = [];
  const guarding = {
    openReply(how?: ReplyOptions): Reply {
      const reply = edgegate.openReply(how);
      opened.push(reply);
      return reply;
    },
  };
  const problem: { problem?: unknown } = {};
  try {
    await stream(guarding, endpoint, messages, options);
  } catch (error) {
    problem.problem = error;
  }
  const ends = await Promise.all(opened.map(({ end }) => end.catch(() => null)));
  return { ends: ends.filter((end) => end !== null), ...problem };
}

async function stream(
  edgegate: Pick<Edgegate, "openReply">,
  { base, model, key }: Endpoint,
  messages: readonly Message[],
  { evidence, enabled, signal, onEvent, onText }: AskOptions,
): Promise<void> {
  let refused = false;
  const watch = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
    refused ||= effectiveDirective === "connect-src" && base.startsWith(new URL(blockedURI, base).origin);
  };
  document.addEventListener("securitypolicyviolation", watch);
  let response: Response;
  try {
    const guarded = guardFetch(edgegate, { evidence, enabled, explain: true, signal, onEvent }, readAhead);
    response = await guarded(`${base}/chat/completions`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, messages, stream: true }),
      signal,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
  } catch (error) {
    if (signal.aborted) throw error;
    if (refused) {
      throw new EndpointError(`The browser refused to ask ${new URL(base).origin}: this page was loaded under another rule. Load it again.`);
    }
    throw new EndpointError(
      `${new URL(base).origin} did not answer. Either nothing runs there, or it does not allow this page to ask (its CORS setting must name ${location.origin}).`,
    );
  } finally {
    document.removeEventListener("securitypolicyviolation", watch);
  }
  if (!response.ok) throw new EndpointError(await refusalOf(response, model));
  const kind = response.headers.get("content-type") ?? "";
  if (kind.includes("json")) {
    onText(textOf(await response.json(), "message"));
    return;
  }
  if (!response.body || !kind.includes("event-stream")) {
    throw new EndpointError(`The service answered with ${kind || "something without a type"}, not with a stream of a reply. Is the base URL right?`);
  }
  for await (const event of eventsOf(response.body)) {
    if ("error" in event) throw new EndpointError(`The service broke off: ${messageOf(event) ?? "it gave no reason"}`);
    const text = textOf(event, "delta");
    if (text !== "") onText(text);
  }
}

/**
 * A fetch whose body is read as fast as it comes. A body that breaks throws away what was not read by then; so nothing that
 * arrived is lost while the guard is still at what came before.
 */
async function readAhead(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  const reader = response.body?.getReader();
  if (!reader) return response;
  const arrived: Uint8Array<ArrayBuffer>[] = [];
  let ended: { error?: unknown } | undefined;
  let wake = (): void => {};
  void (async () => {
    try {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        arrived.push(piece.value);
        wake();
      }
      ended = {};
    } catch (error) {
      ended = { error };
    }
    wake();
  })();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        while (arrived.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve));
        const piece = arrived.shift();
        if (piece) controller.enqueue(piece);
        else if (ended && "error" in ended) controller.error(ended.error);
        else controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** The text in the first choice of a completion, or of a piece of one. */
function textOf(answer: unknown, where: "message" | "delta"): string {
  const choices = isObject(answer) && Array.isArray(answer["choices"]) ? (answer["choices"] as unknown[]) : [];
  const said = isObject(choices[0]) ? choices[0][where] : undefined;
  if (!isObject(said)) return "";
  return [said["content"], said["refusal"]].filter((text) => typeof text === "string").join("");
}

/** The JSON of every event in the body of an event stream that the guard has rebuilt. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Json> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      if (!line.startsWith("data:") || line.slice(5).trim() === "[DONE]") continue;
      const event: unknown = JSON.parse(line.slice(5));
      if (isObject(event)) yield event;
    }
  }
}

function messageOf(answer: unknown): string | undefined {
  if (!isObject(answer)) return undefined;
  const error = answer["error"];
  const said = isObject(error) ? error["message"] : (error ?? answer["message"] ?? answer["detail"]);
  return typeof said === "string" ? said.slice(0, MOST) : undefined;
}

async function refusalOf(response: Response, model: string): Promise<string> {
  const { status } = response;
  const body = (await response.text().catch(() => "")).slice(0, MOST);
  let said: string | undefined;
  try {
    said = messageOf(JSON.parse(body));
  } catch {
    said = undefined; // a page of markup says nothing to a person here
  }
  const words =
    status === 401 || status === 403
      ? "The service did not accept the key."
      : status === 404
        ? `The service knows no model “${model}”, or the base URL is not where it answers.`
        : status === 429
          ? "The service has had enough for now: too many requests, or nothing left on the account."
          : status >= 500
            ? "The service is in trouble. Try again later."
            : "The service refused the request.";
  return `${words} (status ${status}${said ? `: ${said}` : ""})`;
}
