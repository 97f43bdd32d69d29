/**
 * Server-sent events, read and rebuilt: bytes in, bytes out, with the events of the envelope between.
 *
 * What isn't touched goes through as it came, comments and all. What can't be read as JSON ends the stream with an error:
 * it may hold text that nobody judged.
 */
import { DataError } from "../errors.ts";
import type { Steps } from "../pair.ts";
import { isObject, type Json } from "./json.ts";

/** What a form does with the events of its envelope. The last event that `take` gives is the one that came in. */
export type EventSteps = Steps<Json, Json>;

/** How long one event may be, in characters. */
const LONGEST = 32 * 1024 * 1024;

/** What some services send after the last event. */
const DONE = "[DONE]";

/** The steps over the bytes of an event stream, from the steps over its events. */
export function overSse(events: EventSteps): Steps<Uint8Array | string, Uint8Array> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder(); // takes a byte order mark away
  let rest = ""; // the line that isn't whole yet
  let afterReturn = false; // the last piece ended with a carriage return: a line feed that follows belongs to it
  let lines: string[] = []; // of the event that isn't whole yet
  let size = 0;
  let lineNumber = 0;
  let named = false; // whether this stream names its events
  let broken: { error: unknown } | undefined; // what can't be read, met behind events of the same piece

  const pack = (text: string): Uint8Array[] => (text === "" ? [] : [encoder.encode(text)]);
  const write = (event: Json): string => {
    const name = named && typeof event["type"] === "string" ? `event: ${event["type"]}\n` : "";
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  };
  const writeAll = (list: Json[]): string => list.map(write).join("");

  /** One whole event, as the lines it came in, without the empty one that ends it. */
  async function dispatch(raw: string[]): Promise<string> {
    const asItCame = `${raw.join("\n")}\n\n`;
    const data = raw.filter((line) => line === "data" || line.startsWith("data:"));
    if (data.length === 0) return asItCame;
    if (raw.some((line) => line.startsWith("event:"))) named = true;
    const text = data.map((line) => line.slice(5).replace(/^ /, "")).join("\n");
    if (text.trim() === "") return asItCame;
    if (text.trim() === DONE) return writeAll(await events.close()) + asItCame;
    let event: unknown;
    try {
      event = JSON.parse(text);
    } catch {
      throw new DataError("an event of the stream is not JSON", `line ${lineNumber}`);
    }
    if (!isObject(event)) return asItCame;
    const out = await events.take(event);
    const own = out.pop();
    if (own === undefined) return "";
    if (own === event) return writeAll(out) + asItCame;
    const kept = raw.filter((line) => line !== "data" && !line.startsWith("data:"));
    return `${writeAll(out)}${[...kept, `data: ${JSON.stringify(own)}`].join("\n")}\n\n`;
  }

  async function line(text: string): Promise<string> {
    lineNumber += 1;
    if (text !== "") {
      lines.push(text);
      size += text.length;
      if (size > LONGEST) throw new DataError(`an event of the stream is longer than ${LONGEST} characters`, `line ${lineNumber}`);
      return "";
    }
    const raw = lines;
    lines = [];
    size = 0;
    return raw.length === 0 ? "" : dispatch(raw);
  }

  async function read(piece: string): Promise<string> {
    let text = piece;
    if (afterReturn && text.startsWith("\n")) text = text.slice(1);
    if (piece !== "") afterReturn = text.endsWith("\r");
    const parts = text.split(/\r\n|\n|\r/);
    let out = "";
    for (const [at, part] of parts.entries()) {
      if (at === parts.length - 1) {
        rest += part;
        break;
      }
      const whole = rest + part;
      rest = "";
      try {
        out += await line(whole);
      } catch (error) {
        return outThen(out, error);
      }
    }
    if (rest.length <= LONGEST) return out;
    return outThen(out, new DataError(`a line of the stream is longer than ${LONGEST} characters`, `line ${lineNumber + 1}`));
  }

  /** What was decided before the fault, in the same piece, has counted as shown: it goes out first. */
  function outThen(out: string, error: unknown): string {
    if (out === "") throw error;
    broken = { error };
    return out;
  }

  return {
    async take(chunk) {
      if (broken) throw broken.error;
      return pack(await read(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })));
    },
    async close() {
      if (broken) {
        await events.abort();
        throw broken.error;
      }
      // A last event without its empty line may be one that broke off: clients differ in whether they read it. Here it is
      // read when it is whole JSON; a broken one is not passed on.
      let out = await read(decoder.decode());
      const raw = rest === "" ? lines : [...lines, rest];
      lines = [];
      rest = "";
      if (raw.length > 0) {
        try {
          out += await dispatch(raw);
        } catch (error) {
          if (!(error instanceof DataError)) throw error;
        }
      }
      return pack(out + writeAll(await events.close()));
    },
    abort: () => events.abort(),
  };
}
