// A model service on this machine that speaks three dialects, slowly, and breaks in the ways services do.
import { createServer } from "node:http";
import { once } from "node:events";

export const KEPT = "Rain is likely in the north today. ";
export const LIE = "Last time you told me about your boat in Ostend. ";
export const TAIL = "Take a coat along";
export const CLEAN = KEPT + TAIL;
export const PIECES = [KEPT.slice(0, 9), KEPT.slice(9) + LIE.slice(0, 4), LIE.slice(4, 30), LIE.slice(30), TAIL];
const TEXT = PIECES.join("");

const named = (event) => [event.type, event];
const plain = (event) => [null, event];

function chat() {
  const chunk = (delta, finish_reason = null, index = 0) =>
    plain({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index, delta, logprobs: null, finish_reason }] });
  const call = (more) => ({ tool_calls: [{ index: 0, ...more }] });
  return {
    pieces: [chunk({ role: "assistant", content: "" }), ...PIECES.map((content) => chunk({ content }))],
    tools: [
      chunk(call({ id: "t", type: "function", function: { name: "weather", arguments: "" } })),
      chunk(call({ function: { arguments: '{"city":"Ostend"}' } })),
      chunk({}, "tool_calls"),
    ],
    end: [
      chunk({}, "stop"),
      plain({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }),
    ],
    failure: plain({ error: { message: "overloaded", type: "server_error", code: null } }),
    done: "data: [DONE]\n\n",
    whole: {
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: TEXT, refusal: null }, logprobs: null, finish_reason: "stop" }],
    },
  };
}

function responses() {
  const at = { item_id: "i", output_index: 0, content_index: 0 };
  const part = (text) => ({ type: "output_text", text, annotations: [] });
  const item = (status, content) => ({ id: "i", type: "message", role: "assistant", status, content });
  const response = (status, output) => ({ id: "r", object: "response", created_at: 1, model: "m", status, output, tools: [], error: null });
  let number = 0;
  const event = (type, fields) => named({ type, sequence_number: number++, ...fields });
  return {
    pieces: [
      event("response.created", { response: response("in_progress", []) }),
      event("response.output_item.added", { output_index: 0, item: item("in_progress", []) }),
      event("response.content_part.added", { ...at, part: part("") }),
      ...PIECES.map((delta) => event("response.output_text.delta", { ...at, delta, logprobs: [] })),
    ],
    end: [
      event("response.output_text.done", { ...at, text: TEXT, logprobs: [] }),
      event("response.content_part.done", { ...at, part: part(TEXT) }),
      event("response.output_item.done", { output_index: 0, item: item("completed", [part(TEXT)]) }),
      event("response.completed", { response: response("completed", [item("completed", [part(TEXT)])]) }),
    ],
    failure: event("error", { code: "server_error", message: "overloaded", param: null }),
    done: "",
    whole: response("completed", [item("completed", [part(TEXT)])]),
  };
}

function messages() {
  const message = (content) => ({ id: "m", type: "message", role: "assistant", model: "m", content, stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } });
  const delta = (index, fields) => named({ type: "content_block_delta", index, delta: fields });
  return {
    pieces: [
      named({ type: "message_start", message: message([]) }),
      named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      named({ type: "ping" }),
      ...PIECES.map((text) => delta(0, { type: "text_delta", text })),
    ],
    tools: [
      named({ type: "content_block_stop", index: 0 }),
      named({ type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "t", name: "weather", input: {} } }),
      delta(1, { type: "input_json_delta", partial_json: '{"city":' }),
      delta(1, { type: "input_json_delta", partial_json: '"Ostend"}' }),
      named({ type: "content_block_stop", index: 1 }),
      named({ type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 9 } }),
      named({ type: "message_stop" }),
    ],
    end: [
      named({ type: "content_block_stop", index: 0 }),
      named({ type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 9 } }),
      named({ type: "message_stop" }),
    ],
    failure: named({ type: "error", error: { type: "overloaded_error", message: "overloaded" } }),
    done: "",
    whole: { ...message([{ type: "text", text: TEXT }]), stop_reason: "end_turn" },
  };
}

const DIALECTS = { "/v1/chat/completions": chat, "/v1/responses": responses, "/v1/messages": messages };

/** The service, started: `address`, `requests` (their bodies), `gone` (how many clients went away early), and `close`. */
export async function startService() {
  const requests = [];
  let gone = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const asked = JSON.parse(body || "{}");
    requests.push(asked);
    const { pieces, tools, end, failure, done, whole } = DIALECTS[request.url.split("?")[0]]();
    if (!asked.stream) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(whole));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    const write = async (text) => {
      if (!response.write(text)) await once(response, "drain").catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 2));
    };
    const send = async (events) => {
      for (const [name, event] of events) {
        const text = `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
        const half = text.length >> 1; // no chunk is an event
        await write(text.slice(0, half));
        await write(text.slice(half));
      }
    };
    response.on("close", () => {
      if (!response.writableFinished) gone += 1;
    });
    await write(": hello\n\n");
    await send(pieces);
    switch (asked.model) {
      case "breaks":
        response.destroy();
        return;
      case "fails":
        await send([failure]);
        break;
      case "malformed":
        await write('data: {"choices":[{"delta":{"content":"Ostend"\n\n');
        break;
      case "endless":
        while (!response.destroyed) await send(pieces.slice(-PIECES.length));
        return;
      case "tools":
        await send(tools);
        await write(done);
        break;
      default:
        await send(end);
        await write(done);
    }
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    requests,
    gone: () => gone,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
