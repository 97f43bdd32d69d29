// The real `openai` client with `guardFetch`, against a service that streams. EDGEGATE_OPENAI names another major of it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { loadEdgegate } from "edgegate";
import { guardFetch } from "edgegate/openai";

import { CLEAN, LIE, PIECES, startService } from "./service.mjs";

const { default: OpenAI } = await import(process.env.EDGEGATE_OPENAI ?? "openai");
const messages = [{ role: "user", content: "Weather?" }];

let edgegate;
let service;
const clientWith = (options) =>
  new OpenAI({ apiKey: "x", baseURL: `${service.address}/v1`, maxRetries: 0, fetch: guardFetch(edgegate, options) });

before(async () => {
  [edgegate, service] = await Promise.all([loadEdgegate(), startService()]);
});
after(() => {
  edgegate.close();
  service.close();
});

async function read(stream) {
  let text = "";
  const chunks = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
    text += chunk.choices?.[0]?.delta?.content ?? (chunk.type === "response.output_text.delta" ? chunk.delta : "");
  }
  return { text, chunks };
}

test("chat completions, streamed", async () => {
  const stream = await clientWith({}).chat.completions.create({ model: "good", messages, stream: true });
  const { text, chunks } = await read(stream);
  assert.equal(text, CLEAN);
  assert.equal(chunks.at(-1).usage.total_tokens, 3);
  assert.equal(chunks.at(-2).choices[0].finish_reason, "stop");
});

test("chat completions, gathered by the client's own helper", async () => {
  const told = [];
  const run = clientWith({ onEvent: ({ kind }, part) => told.push(`${part}: ${kind}`) }).chat.completions.stream({ model: "good", messages });
  const completion = await run.finalChatCompletion();
  assert.equal(completion.choices[0].message.content, CLEAN);
  assert.equal(told.filter((line) => line === "choice 0: text_dropped").length, 1);
  assert.equal(told.at(-1), "choice 0: reply_end");
});

test("chat completions with a tool call", async () => {
  const completion = await clientWith({}).chat.completions.stream({ model: "tools", messages }).finalChatCompletion();
  const [{ message, finish_reason }] = completion.choices;
  assert.equal(message.content, CLEAN);
  assert.equal(finish_reason, "tool_calls");
  assert.deepEqual(message.tool_calls[0].function.arguments, '{"city":"Ostend"}');
});

test("whole answers", async () => {
  const client = clientWith({});
  assert.equal((await client.chat.completions.create({ model: "good", messages })).choices[0].message.content, CLEAN);
  assert.equal((await client.responses.create({ model: "good", input: "Weather?" })).output_text, CLEAN);
});

test("responses, streamed and gathered", async () => {
  const client = clientWith({});
  assert.equal((await read(await client.responses.create({ model: "good", input: "Weather?", stream: true }))).text, CLEAN);
  const response = await client.responses.stream({ model: "good", input: "Weather?" }).finalResponse();
  assert.equal(response.output_text, CLEAN);
});

test("evidence is looked up for each request", async () => {
  const client = clientWith((request) => ({ evidence: { memories: request.user === "sailor" ? ["The user has a boat in Ostend"] : [] } }));
  const ask = async (user) => (await read(await client.chat.completions.create({ model: "good", messages, stream: true, user }))).text;
  assert.equal(await ask("sailor"), PIECES.join(""));
  assert.equal(await ask("stranger"), CLEAN);
});

for (const model of ["breaks", "malformed", "fails"]) {
  test(`a service that ${model}: what is decided arrives, then an error`, async () => {
    let text = "";
    await assert.rejects(async () => {
      for await (const chunk of await clientWith({}).chat.completions.create({ model, messages, stream: true })) {
        text += chunk.choices[0]?.delta.content ?? "";
      }
    });
    assert.ok(CLEAN.startsWith(text.trimEnd()) && text.length > 20, text);
    if (model !== "malformed") assert.equal(text, CLEAN);
  });
}

test("leaving an endless stream aborts it at the service too", async () => {
  const before = service.gone();
  let text = "";
  for await (const chunk of await clientWith({}).chat.completions.create({ model: "endless", messages, stream: true })) {
    text += chunk.choices[0]?.delta.content ?? "";
    if (text.length > 300) break;
  }
  assert.ok(!text.includes("Ostend"));
  for (let round = 0; round < 100 && service.gone() === before; round++) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(service.gone(), before + 1);
});

test("the client's abort stops it, and the held text is gone", async () => {
  const stop = new AbortController();
  const ends = [];
  const client = clientWith({ onEvent: (event) => event.kind === "reply_end" && ends.push(event) });
  let text = "";
  try {
    for await (const chunk of await client.chat.completions.create({ model: "endless", messages, stream: true }, { signal: stop.signal })) {
      text += chunk.choices[0]?.delta.content ?? "";
      if (text.length > 100) stop.abort();
    }
  } catch (error) {
    assert.match(error.name, /Abort/);
  }
  for (let round = 0; round < 100 && ends.length === 0; round++) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(ends[0].aborted, true);
  assert.ok(ends[0].shown.startsWith(text) && !text.includes(LIE.slice(0, 14)));
});
