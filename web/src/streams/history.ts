/** The conversation that stands in a request, as evidence for the answer to it. */
import type { Turn } from "../protocol.ts";
import { isObject, type Json, listOf } from "./json.ts";
import type { StreamOptions } from "./parts.ts";

/** Where the turns stand: chat completions and messages, responses, the AI SDK. */
const PLACES = ["messages", "input", "prompt"] as const;

/** The turns of the user and of the assistant in a request, in order, each with its text. */
export function turnsOf(request: Json): Turn[] {
  const place = PLACES.find((name) => name in request);
  if (place === undefined) return [];
  const said = request[place];
  if (typeof said === "string") return [{ speaker: "user", text: said }];
  return listOf(said).flatMap((turn) => {
    if (!isObject(turn) || (turn["role"] !== "user" && turn["role"] !== "assistant")) return [];
    const text = textOf(turn["content"]);
    return text === "" ? [] : [{ speaker: turn["role"], text }];
  });
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const pieces = listOf(content).map((piece) => (isObject(piece) && typeof piece["text"] === "string" ? piece["text"] : ""));
  return pieces.filter((piece) => piece !== "").join("\n");
}

/** The options with the request's conversation as their history, where they name none themselves. */
export function withHistory(options: StreamOptions, request: Json): StreamOptions {
  if (options.evidence?.history) return options;
  const history = turnsOf(request);
  return history.length === 0 ? options : { ...options, evidence: { ...options.evidence, history } };
}
