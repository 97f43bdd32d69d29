// The real `@anthropic-ai/sdk` client with `guardFetch`, against a service that streams.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import Anthropic from "@anthropic-ai/sdk";
import { loadEdgegate } from "edgegate";
import { guardFetch, guardMessageEvents, iterate } from "edgegate/anthropic";

import { CLEAN, startService } from "./service.mjs";

const request = { max_tokens: 99, messages: [{ role: "user", content: "Weather?" }] };

let edgegate;
let service;
const clientWith = (fetch) => new Anthropic({ apiKey: "x", baseURL: service.address, maxRetries: 0, ...(fetch && { fetch }) });

before(async () => {
  [edgegate, service] = await Promise.all([loadEdgegate(), startService()]);
});
after(() => {
  edgegate.close();
  service.close();
});

test("a streamed message, as it comes and as the client gathers it", async () => {
  const stream = clientWith(guardFetch(edgegate)).messages.stream({ model: "good", ...request });
  let text = "";
  stream.on("text", (piece) => (text += piece));
  const message = await stream.finalMessage();
  assert.deepEqual([text, message.content[0].text, message.stop_reason], [CLEAN, CLEAN, "end_turn"]);
});

test("a message with a tool call", async () => {
  const message = await clientWith(guardFetch(edgegate)).messages.stream({ model: "tools", ...request }).finalMessage();
  const [text, tool] = message.content;
  assert.deepEqual([text.text, tool.input, message.stop_reason], [CLEAN, { city: "Ostend" }, "tool_use"]);
});

test("a whole message", async () => {
  const message = await clientWith(guardFetch(edgegate)).messages.create({ model: "good", ...request });
  assert.equal(message.content[0].text, CLEAN);
});

test("the client's events through the pair, without a fetch of our own", async () => {
  let text = "";
  const stream = await clientWith().messages.create({ model: "good", stream: true, ...request });
  for await (const event of iterate(stream, guardMessageEvents(edgegate))) text += event.delta?.text ?? "";
  assert.equal(text, CLEAN);
});

for (const model of ["breaks", "fails"]) {
  test(`a service that ${model}: what is decided arrives, then an error`, async () => {
    let text = "";
    await assert.rejects(async () => {
      const stream = await clientWith(guardFetch(edgegate)).messages.create({ model, stream: true, ...request });
      for await (const event of stream) text += event.delta?.text ?? "";
    });
    assert.equal(text, CLEAN);
  });
}
