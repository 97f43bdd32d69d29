/**
 * Responses: the text parts of every message in a streamed or whole response, each behind a guard of its own.
 *
 * Every event that comes in goes out, in order, with the text that is decided by then; what is left of a part goes out as one
 * more delta before the event that ends it. The finished texts that later events repeat are the shown ones. Sequence numbers
 * are counted anew where a delta was added. Token probabilities spell out held text, so they are taken out.
 */
import { isObject, type Json, listOf, mapInTurn } from "./json.ts";
import type { Parts } from "./parts.ts";
import type { EventSteps } from "./sse.ts";

/** The types of content that are said to the user: in which field, and how their events are named. */
const SPOKEN: Record<string, { field: string; events: string }> = {
  output_text: { field: "text", events: "response.output_text" },
  refusal: { field: "refusal", events: "response.refusal" },
};

const partOf = (output: unknown, content: unknown): string => `output ${output ?? 0} content ${content ?? 0}`;

/** The steps over the events of one streamed response. */
export function responseSteps(parts: Parts): EventSteps {
  const places = new Map<string, Json>(); // by part: what a delta of our own carries
  let added = 0;
  let last = -1; // the last sequence number that came in

  function numbered(event: Json): Json {
    if (typeof event["sequence_number"] !== "number") return event;
    last = event["sequence_number"];
    return added === 0 ? event : { ...event, sequence_number: last + added };
  }

  /** A delta of our own, which comes before the event with the number `next`. */
  function own(part: string, delta: string, next: number): Json {
    const event: Json = { ...places.get(part), delta };
    if (typeof event["sequence_number"] === "number") event["sequence_number"] = next + added;
    added += 1;
    return event;
  }

  async function tails(next: number): Promise<Json[]> {
    return (await parts.closeAll()).map(([part, text]) => own(part, text, next));
  }

  async function take(event: Json): Promise<Json[]> {
    const type = String(event["type"]);
    const next = typeof event["sequence_number"] === "number" ? event["sequence_number"] : last + 1;
    const part = partOf(event["output_index"], event["content_index"]);
    for (const { field, events } of Object.values(SPOKEN)) {
      if (type === `${events}.delta` && typeof event["delta"] === "string") {
        const { obfuscation: _obfuscation, ...rest } = event;
        const changed: Json = { ...rest, delta: await parts.feed(part, event["delta"]) };
        if (changed["logprobs"]) changed["logprobs"] = [];
        places.set(part, changed);
        return [changed];
      }
      if (type === `${events}.done` && typeof event[field] === "string") {
        const rest = await parts.close(part);
        const before = rest === "" || !places.has(part) ? [] : [own(part, rest, next)];
        const changed: Json = { ...event, [field]: await parts.final(part, event[field] as string) };
        if (changed["logprobs"]) changed["logprobs"] = [];
        return [...before, changed];
      }
    }
    if (type === "response.content_part.done" && isObject(event["part"])) {
      return [{ ...event, part: await guardContent(parts, part, event["part"]) }];
    }
    if (type === "response.output_item.done" && isObject(event["item"])) {
      return [{ ...event, item: await guardItem(parts, event["item"], event["output_index"]) }];
    }
    if (isObject(event["response"])) {
      const ends = type !== "response.created" && type !== "response.in_progress" && type !== "response.queued";
      const before = ends ? await tails(next) : [];
      return [...before, { ...event, response: await guardWhole(parts, event["response"]) }];
    }
    return type === "error" ? [...(await tails(next)), event] : [event];
  }

  return {
    async take(event) {
      const out = await take(event);
      const came = out.pop()!;
      return [...out, numbered(came)];
    },
    close: () => tails(last + 1),
    abort: () => parts.abort(),
  };
}

/** A whole response, guarded. */
export async function guardWhole(parts: Parts, response: Json): Promise<Json> {
  if (!Array.isArray(response["output"])) return response;
  const output = await mapInTurn(response["output"] as unknown[], async (item, at) =>
    isObject(item) ? guardItem(parts, item, at) : item,
  );
  const changed: Json = { ...response, output };
  if (typeof response["output_text"] === "string") {
    changed["output_text"] = output
      .flatMap((item) => (isObject(item) && item["type"] === "message" ? listOf(item["content"]) : []))
      .map((content) => (isObject(content) && content["type"] === "output_text" ? content["text"] : ""))
      .join("");
  }
  return changed;
}

async function guardItem(parts: Parts, item: Json, output: unknown): Promise<Json> {
  if (item["type"] !== "message" || !Array.isArray(item["content"])) return item;
  const content = await mapInTurn(item["content"] as unknown[], async (piece, at) =>
    isObject(piece) ? guardContent(parts, partOf(output, at), piece) : piece,
  );
  return { ...item, content };
}

async function guardContent(parts: Parts, part: string, content: Json): Promise<Json> {
  const spoken = SPOKEN[String(content["type"])];
  const given = spoken && content[spoken.field];
  if (!spoken || typeof given !== "string") return content;
  const shown = await parts.final(part, given);
  const changed: Json = { ...content, [spoken.field]: shown };
  if (changed["logprobs"]) changed["logprobs"] = [];
  if (Array.isArray(content["annotations"])) {
    changed["annotations"] = content["annotations"].flatMap((note: unknown) => movedNote(note, given, shown));
  }
  return changed;
}

// A note that points at text follows the text; where that was dropped, so is the note.
function movedNote(note: unknown, given: string, shown: string): unknown[] {
  if (given === shown || !isObject(note)) return [note];
  const { start_index: start, end_index: end } = note;
  if (typeof start !== "number" || typeof end !== "number") return [note];
  const found = shown.indexOf(given.slice(start, end));
  return found < 0 ? [] : [{ ...note, start_index: found, end_index: found + end - start }];
}
