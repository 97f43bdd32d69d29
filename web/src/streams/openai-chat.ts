/**
 * Chat completions: the choices of a streamed or whole completion, each behind a guard of its own.
 *
 * Every chunk that comes in goes out, in order, with the text that is decided by then. The rest of a choice's text goes out
 * as one more chunk before the one that finishes the choice. Token probabilities spell out held text, so they are taken out.
 * Tool calls, usage and what isn't known pass untouched; they do not end a text, which may go on after them.
 */
import { isObject, type Json, listOf, mapInTurn } from "./json.ts";
import type { Parts } from "./parts.ts";
import type { EventSteps } from "./sse.ts";

// The fields of a delta or message that are said to the user, by the name of their part.
const SPOKEN = ["content", "refusal"] as const;
type Spoken = (typeof SPOKEN)[number];

const partOf = (index: unknown, field: Spoken): string => `choice ${index ?? 0}${field === "content" ? "" : ` ${field}`}`;

/** The steps over the chunks of one streamed completion. */
export function chatSteps(parts: Parts): EventSteps {
  let envelope: Json = { object: "chat.completion.chunk" }; // of the last chunk: what one of our own carries
  const own = (index: unknown, delta: Json): Json => ({
    ...envelope,
    choices: [{ index, delta, finish_reason: null }],
  });

  /** What is left of every choice, as chunks of our own. */
  async function tails(): Promise<Json[]> {
    return (await parts.closeAll()).map(([part, text]) => {
      const [, index, field = "content"] = part.split(" ");
      return own(Number(index), { [field]: text });
    });
  }

  async function choice(given: Json, before: Json[]): Promise<Json> {
    const { index } = given;
    const changed: Json = { ...given };
    const ends = given["finish_reason"] !== null && given["finish_reason"] !== undefined;
    if (changed["logprobs"]) changed["logprobs"] = null;
    const delta: Json = isObject(given["delta"]) ? { ...given["delta"] } : {};
    for (const field of SPOKEN) {
      const part = partOf(index, field);
      let decided = "";
      const text = delta[field];
      if (typeof text === "string") decided = await parts.feed(part, text);
      else if (Array.isArray(text)) delta[field] = await contentParts(text, (piece) => parts.feed(part, piece));
      if (ends) {
        decided += await parts.close(part);
        if (decided !== "") before.push(own(index, { [field]: decided }));
        decided = "";
      }
      if (typeof text === "string") delta[field] = decided;
    }
    if (isObject(given["delta"])) changed["delta"] = delta;
    if (isObject(given["message"])) changed["message"] = await message(parts, index, given["message"]);
    return changed;
  }

  return {
    async take(chunk) {
      if (!Array.isArray(chunk["choices"])) return "error" in chunk ? [...(await tails()), chunk] : [chunk];
      const { choices: _choices, usage: _usage, obfuscation: _obfuscation, ...rest } = chunk;
      envelope = rest;
      if (chunk["choices"].length === 0) return [chunk];
      const before: Json[] = [];
      const choices = await mapInTurn(chunk["choices"] as unknown[], async (item) =>
        isObject(item) ? choice(item, before) : item,
      );
      return [...before, { ...chunk, choices }];
    },
    close: tails,
    abort: () => parts.abort(),
  };
}

/** A whole completion, guarded. */
export async function guardCompletion(parts: Parts, completion: Json): Promise<Json> {
  if (!Array.isArray(completion["choices"])) return completion;
  const choices = await mapInTurn(completion["choices"] as unknown[], async (item) => {
    if (!isObject(item) || !isObject(item["message"])) return item;
    const changed = { ...item, message: await message(parts, item["index"], item["message"]) };
    return item["logprobs"] ? { ...changed, logprobs: null } : changed;
  });
  return { ...completion, choices };
}

async function message(parts: Parts, index: unknown, given: Json): Promise<Json> {
  const changed: Json = { ...given };
  for (const field of SPOKEN) {
    const text = given[field];
    const part = partOf(index, field);
    if (typeof text === "string") changed[field] = await parts.final(part, text);
    else if (Array.isArray(text)) {
      // The pieces of one list are one text: what is left at the end goes to the last of them.
      const pieces = await contentParts(text, (piece) => parts.feed(part, piece));
      const rest = await parts.close(part);
      const last = pieces.findLast((piece) => isObject(piece) && typeof piece["text"] === "string");
      if (isObject(last)) last["text"] = `${last["text"]}${rest}`;
      changed[field] = pieces;
    }
  }
  return changed;
}

// Some services give the content as a list of typed pieces.
function contentParts(pieces: unknown[], change: (text: string) => Promise<string>): Promise<unknown[]> {
  return mapInTurn(listOf(pieces), async (piece) =>
    isObject(piece) && piece["type"] === "text" && typeof piece["text"] === "string"
      ? { ...piece, text: await change(piece["text"]) }
      : piece,
  );
}
