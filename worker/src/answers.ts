/** Answers and errors in the form that OpenAI's clients read, and what a request must be before it is read. */

/** An error that becomes an answer: a status, and the fields of OpenAI's error object. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly param: string | null;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    { type = "invalid_request_error", param = null, headers = {} }: { type?: string; param?: string | null; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = code;
    this.param = param;
    this.headers = headers;
  }

  /** The error object, as it stands in an answer or in an event of a stream. */
  get body(): { error: { message: string; type: string; param: string | null; code: string } } {
    return { error: { message: this.message, type: this.type, param: this.param, code: this.code } };
  }
}

export const SERVER = { type: "server_error" };

const HEADERS = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", "x-content-type-options": "nosniff" };

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...HEADERS, ...headers } });
}

export function refuse(refusal: Refusal): Response {
  return json(refusal.body, refusal.status, refusal.headers);
}

/** Throws unless the request carries the key. The comparison takes the same time whatever is wrong with what it carries. */
export async function authorise(request: Request, key: string | null | undefined): Promise<void> {
  if (!key) throw new Refusal(503, "not_configured", "this worker has no API key set: set EDGEGATE_API_KEY", SERVER);
  const given = /^Bearer (.*)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  if (!(await sameText(given, key))) {
    throw new Refusal(401, "invalid_api_key", "the API key is missing or wrong", {
      type: "authentication_error",
      headers: { "www-authenticate": "Bearer" },
    });
  }
}

/** Whether two texts are the same. Their hashes are compared, every byte of them: no length, no place of a difference shows. */
export async function sameText(left: string, right: string): Promise<boolean> {
  const digest = async (text: string): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const [one, other] = await Promise.all([digest(left), digest(right)]);
  let difference = 0;
  for (const [at, byte] of one.entries()) difference |= byte ^ other[at]!;
  return difference === 0;
}

/** The JSON object in the body of a request that is at most `limit` bytes long. */
export async function readObject(request: Request, limit: number): Promise<Record<string, unknown>> {
  const tooLarge = new Refusal(413, "request_too_large", `the body is larger than ${limit} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw tooLarge;
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, "invalid_json", "the body is not JSON in UTF-8");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new Refusal(400, "invalid_json", "the body is not a JSON object");
  }
  return body as Record<string, unknown>;
}
