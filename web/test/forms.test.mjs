// The stream forms: every envelope carries the decided text, and leaves everything else as it came.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";

import { DataError, loadEdgegate } from "edgegate";
import { guardMiddleware, guardTransform } from "edgegate/ai-sdk";
import * as anthropic from "edgegate/anthropic";
import * as openai from "edgegate/openai";

const lines = (await readFile(new URL("../../tests/data/cases/stream.jsonl", import.meta.url), "utf8")).trim().split("\n");
const CASES = lines.map((line) => JSON.parse(line)).filter(({ input }) => Array.isArray(input.chunks));

const KEPT = "Rain is likely in the north today. ";
const LIE = "Last time you told me about your boat in Ostend. ";
const TAIL = "Take a coat along";
const PIECES = [KEPT.slice(0, 9), KEPT.slice(9) + LIE.slice(0, 4), LIE.slice(4, 30), LIE.slice(30), TAIL];
const CLEAN = KEPT + TAIL;

let edgegate;
before(async () => {
  edgegate = await loadEdgegate();
});
after(() => edgegate.close());

function from(items, failure) {
  const waiting = [...items];
  return new ReadableStream(
    {
      pull(controller) {
        if (waiting.length > 0) controller.enqueue(waiting.shift());
        else if (failure) controller.error(failure);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

async function all(stream) {
  const items = [];
  for await (const item of stream) items.push(item);
  return items;
}

// What each form is made of: how text stands in it, how it is read back, and which guard takes it.
const chatChunk = (delta, more = {}) => ({
  id: "c1",
  object: "chat.completion.chunk",
  created: 7,
  model: "m",
  choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...more }],
});
const FORMS = {
  chat: {
    guard: openai.guardChatEvents,
    sse: openai.guardChatSse,
    wrap: (pieces) => [
      chatChunk({ role: "assistant", content: "" }),
      ...pieces.map((content) => chatChunk({ content })),
      chatChunk({}, { finish_reason: "stop" }),
      { id: "c1", object: "chat.completion.chunk", created: 7, model: "m", choices: [], usage: { total_tokens: 9 } },
    ],
    read: (events) => events.flatMap(({ choices }) => choices ?? []).map(({ delta }) => delta.content ?? "").join(""),
  },
  responses: {
    guard: openai.guardResponseEvents,
    sse: openai.guardResponseSse,
    wrap: (pieces) => {
      const at = { item_id: "i", output_index: 0, content_index: 0 };
      const part = (text) => ({ type: "output_text", text, annotations: [] });
      const item = (content) => ({ id: "i", type: "message", role: "assistant", content });
      const text = pieces.join("");
      return [
        { type: "response.created", response: { id: "r", output: [] } },
        { type: "response.output_item.added", output_index: 0, item: item([]) },
        { type: "response.content_part.added", ...at, part: part("") },
        ...pieces.map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
        { type: "response.output_text.done", ...at, text, logprobs: [] },
        { type: "response.content_part.done", ...at, part: part(text) },
        { type: "response.output_item.done", output_index: 0, item: item([part(text)]) },
        { type: "response.completed", response: { id: "r", output: [item([part(text)])], output_text: text } },
      ].map((event, sequence_number) => ({ ...event, sequence_number }));
    },
    read: (events) => events.filter(({ type }) => type.endsWith("text.delta")).map(({ delta }) => delta).join(""),
  },
  messages: {
    guard: anthropic.guardMessageEvents,
    sse: anthropic.guardMessageSse,
    wrap: (pieces) => [
      { type: "message_start", message: { id: "m", role: "assistant", content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "ping" },
      ...pieces.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
      { type: "message_stop" },
    ],
    read: (events) => events.map(({ delta }) => delta?.text ?? "").join(""),
  },
  "AI SDK": {
    guard: (started, options) => guardTransform(started, options)({ tools: {}, stopStream() {} }),
    wrap: (pieces) => [
      { type: "start" },
      { type: "start-step", request: {}, warnings: [] },
      { type: "text-start", id: "0" },
      ...pieces.map((text) => ({ type: "text-delta", id: "0", text })),
      { type: "text-end", id: "0" },
      { type: "finish-step", usage: {} },
      { type: "finish", totalUsage: {} },
    ],
    read: (events) => events.filter(({ type }) => type === "text-delta").map(({ text }) => text).join(""),
  },
};

for (const [name, form] of Object.entries(FORMS)) {
  describe(name, () => {
    const run = (pieces, options) => all(from(form.wrap(pieces)).pipeThrough(form.guard(edgegate, options)));

    test("the unsupported sentence is gone, and the events around it are as they came, in order", async () => {
      const events = await run(PIECES);
      assert.equal(form.read(events), CLEAN);
      const others = (list) => list.filter((event) => form.read([event]) === "" && !JSON.stringify(event).includes(TAIL));
      const without = (list) => list.map(({ sequence_number: _number, ...event }) => event);
      const empty = (event) => /delta/.test(event.type ?? "delta") && form.read([event]) === "";
      assert.deepEqual(
        without(others(events).filter((event) => !empty(event))),
        without(others(form.wrap(PIECES)).filter((event) => !empty(event))),
      );
      assert.ok(!JSON.stringify(events).includes("Ostend"));
    });

    test("every way of cutting gives the same text", async () => {
      const text = KEPT + LIE + TAIL;
      for (const width of [1, 2, 7, 200]) {
        const pieces = text.match(new RegExp(`.{1,${width}}`, "gs"));
        assert.equal(form.read(await run(pieces)), CLEAN, `width ${width}`);
      }
      assert.equal(form.read(await run([KEPT + LIE + KEPT + LIE + TAIL])), KEPT + CLEAN, "several sentences in one piece");
    });

    test("the public cases come out as the plain guard gives them", async () => {
      for (const { id, input } of CASES) {
        const reply = edgegate.openReply({ evidence: input.evidence });
        let plain = "";
        for (const chunk of input.chunks) plain += await reply.feed(chunk);
        plain += await reply.close();
        assert.equal(form.read(await run(input.chunks, { evidence: input.evidence })), plain, id);
      }
    });

    test("a source that breaks off: the held tail is decided, then its error comes", async () => {
      const broken = new Error("the line went dead");
      const cut = form.wrap(PIECES);
      const events = [];
      await assert.rejects(async () => {
        const source = from(cut.slice(0, cut.findLastIndex((event) => form.read([event]) !== "") + 1), broken);
        for await (const event of source.pipeThrough(form.guard(edgegate))) events.push(event);
      }, broken);
      assert.equal(form.read(events), CLEAN);
    });

    test("a source that just ends, without its last events, loses no text", async () => {
      const cut = form.wrap(PIECES);
      const source = from(cut.slice(0, cut.findLastIndex((event) => form.read([event]) !== "") + 1));
      assert.equal(form.read(await all(source.pipeThrough(form.guard(edgegate)))), CLEAN);
    });

    test("an abort throws the held text away, and nothing comes after it", async () => {
      const stop = new AbortController();
      const ends = [];
      const onEvent = (event, part) => event.kind === "reply_end" && ends.push([event.aborted, event.shown, part]);
      const pair = form.guard(edgegate, { signal: stop.signal, onEvent });
      const writer = pair.writable.getWriter();
      const events = [];
      const reading = (async () => {
        for await (const event of pair.readable) events.push(event);
      })();
      const given = form.wrap(PIECES);
      for (const event of given.slice(0, given.findLastIndex((one) => form.read([one]) !== "") + 1)) await writer.write(event);
      stop.abort();
      await assert.rejects(reading, { name: "AbortError" });
      assert.equal(form.read(events), KEPT.trimEnd());
      assert.deepEqual(ends.map(([aborted, shown]) => [aborted, shown]), [[true, KEPT.trimEnd()]]);
    });

    test("a slow reader holds the source back", async () => {
      let taken = 0;
      const many = form.wrap(Array.from({ length: 200 }, () => KEPT));
      const source = new ReadableStream(
        {
          pull(controller) {
            controller.enqueue(many[taken]);
            taken += 1;
            if (taken === many.length) controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      const reader = source.pipeThrough(form.guard(edgegate)).getReader();
      for (let read = 0; read < 4; read++) await reader.read();
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.ok(taken < 16, `${taken} events were taken for 4 that were read`);
      await reader.cancel();
    });

    test("wrong evidence is a typed error, and no text comes", async () => {
      const events = [];
      await assert.rejects(
        async () => {
          const guard = form.guard(edgegate, { evidence: { memorys: [] } });
          for await (const event of from(form.wrap(PIECES)).pipeThrough(guard)) events.push(event);
        },
        (error) => error instanceof DataError && error.where === "evidence.memorys",
      );
      assert.equal(form.read(events), "");
    });

    if (form.sse) {
      const write = (events, end = "\n") =>
        events.map((event) => `${event.type ? `event: ${event.type}${end}` : ""}data: ${JSON.stringify(event)}${end}${end}`).join("");
      const parse = (text) =>
        text
          .split("\n")
          .filter((line) => line.startsWith("data: {"))
          .map((line) => JSON.parse(line.slice(6)));
      const through = async (text, width, options) => {
        const bytes = new TextEncoder().encode(text);
        const pieces = [];
        for (let at = 0; at < bytes.length; at += width) pieces.push(bytes.subarray(at, at + width));
        const out = await all(from(pieces).pipeThrough(form.sse(edgegate, options)));
        return new TextDecoder().decode(Buffer.concat(out));
      };

      test("as bytes, cut anywhere, with every kind of line end, comments and [DONE]", async () => {
        const outs = new Set();
        for (const end of ["\n", "\r\n", "\r"]) {
          const given = `: keep-alive${end}${end}${write(form.wrap(["The café 🐢 opens at noon. ", ...PIECES]), end)}data: [DONE]${end}${end}`;
          for (const width of [1, 3, 4096]) {
            const text = await through(given, width);
            assert.equal(form.read(parse(text)), `The café 🐢 opens at noon. ${CLEAN}`);
            assert.ok(text.startsWith(": keep-alive\n\n"));
            assert.ok(text.endsWith("data: [DONE]\n\n"));
            outs.add(text);
          }
        }
        assert.equal(outs.size, 1);
      });

      test("every event that is named has its own name, also those that were added", async () => {
        const text = await through(write(form.wrap(PIECES)), 100);
        const named = [...text.matchAll(/event: (.*)\ndata: (.*)\n/g)];
        assert.equal(named.length, form.wrap(["x"])[0].type ? parse(text).length : 0);
        for (const [, name, data] of named) assert.equal(name, JSON.parse(data).type);
      });

      test("what is not JSON ends the stream with a clear error, after the decided text", async () => {
        const given = form.wrap(PIECES);
        const until = given.findLastIndex((event) => form.read([event]) !== "") + 1;
        const pair = form.sse(edgegate);
        let text = "";
        await assert.rejects(
          async () => {
            for await (const piece of from([`${write(given.slice(0, until))}data: {"broken\n\n`]).pipeThrough(pair)) text += new TextDecoder().decode(piece);
          },
          (error) => error instanceof DataError && /not JSON/.test(error.message) && /line \d+/.test(error.where),
        );
        assert.ok(!text.includes("broken") && !text.includes("Ostend"));
        assert.equal(form.read(parse(text)), KEPT.trim(), "what was decided in the same piece came before the error");
      });

      test("what is left comes before [DONE], also where no event ended the text", async () => {
        const given = form.wrap(PIECES);
        const until = given.findLastIndex((event) => form.read([event]) !== "") + 1;
        const text = await through(`${write(given.slice(0, until))}data: [DONE]\n\n`, 50);
        assert.equal(form.read(parse(text)), CLEAN);
        assert.ok(text.endsWith("data: [DONE]\n\n"));
      });

      test("a last event that broke off in the middle is not passed on, and no text is lost", async () => {
        const given = form.wrap(PIECES);
        const until = given.findLastIndex((event) => form.read([event]) !== "") + 1;
        const text = await through(`${write(given.slice(0, until))}data: {"type":"x","choices":[{"index":0,"delta":{"content":"Ost`, 50);
        assert.equal(form.read(parse(text)), CLEAN);
        assert.ok(!text.includes("Ost"));
      });
    }
  });
}

test("chat: choices don't mix, tool calls pass whole, probabilities that spell held text are gone", async () => {
  const at = (index, delta, more) => ({ ...chatChunk({}), choices: [{ index, delta, finish_reason: null, ...more }] });
  const call = { tool_calls: [{ index: 0, id: "t", function: { name: "f", arguments: '{"a":' } }] };
  const events = await all(
    from([
      at(0, { content: "Last time you " }, { logprobs: { content: [{ token: "Last" }] } }),
      at(1, { content: "It is fine " }),
      at(0, call),
      at(0, { content: "told me about your boat. Ok." }),
      at(1, { content: "today. Bye" }),
      at(0, {}, { finish_reason: "tool_calls" }),
      at(1, {}, { finish_reason: "stop" }),
    ]).pipeThrough(openai.guardChatEvents(edgegate)),
  );
  const text = (wanted) => FORMS.chat.read(events.filter(({ choices }) => choices[0].index === wanted));
  assert.equal(text(0), "Ok.");
  assert.equal(text(1), "It is fine today. Bye");
  assert.deepEqual(events.filter(({ choices }) => choices[0].delta.tool_calls).map(({ choices }) => choices[0].delta), [call]);
  assert.ok(!JSON.stringify(events).includes('"Last"'));
});

test("chat: an error event comes after the decided tail", async () => {
  const failed = { error: { message: "overloaded", type: "server_error" } };
  const events = await all(from([...PIECES.map((content) => chatChunk({ content })), failed]).pipeThrough(openai.guardChatEvents(edgegate)));
  assert.deepEqual(events.at(-1), failed);
  assert.equal(FORMS.chat.read(events.slice(0, -1)), CLEAN);
});

test("whole answers are guarded like streamed ones", async () => {
  const text = PIECES.join("");
  const completion = { id: "c", choices: [{ index: 0, message: { role: "assistant", content: text, tool_calls: [] } }], usage: { total_tokens: 3 } };
  const guarded = await openai.guardChatCompletion(edgegate, completion);
  assert.deepEqual(guarded, { ...completion, choices: [{ index: 0, message: { role: "assistant", content: CLEAN, tool_calls: [] } }] });
  const note = (from, to) => ({ type: "url_citation", start_index: text.indexOf(from), end_index: text.indexOf(to) + to.length });
  const content = [{ type: "output_text", text, annotations: [note("Take", "coat"), note("boat", "boat")] }];
  const response = await openai.guardResponse(edgegate, { output: [{ type: "reasoning" }, { type: "message", content }], output_text: text });
  assert.equal(response.output_text, CLEAN);
  const [kept, ...more] = response.output[1].content[0].annotations;
  assert.equal(CLEAN.slice(kept.start_index, kept.end_index), "Take a coat");
  assert.deepEqual([response.output[0], more], [{ type: "reasoning" }, []]);
  const tool = { type: "tool_use", id: "t", name: "f", input: {} };
  const message = await anthropic.guardMessage(edgegate, { content: [{ type: "text", text }, tool, { type: "text", text: LIE }] });
  assert.deepEqual(message, { content: [{ type: "text", text: CLEAN }, tool, { type: "text", text: "" }] });
});

test("responses: the repeated texts are the shown ones, and the numbers count on", async () => {
  const { wrap, guard } = FORMS.responses;
  const events = await all(from(wrap(PIECES)).pipeThrough(guard(edgegate)));
  assert.deepEqual(events.map(({ sequence_number }) => sequence_number), [...events.keys()]);
  assert.deepEqual(
    [
      events.find(({ type }) => type === "response.output_text.done").text,
      events.find(({ type }) => type === "response.content_part.done").part.text,
      events.find(({ type }) => type === "response.output_item.done").item.content[0].text,
      events.at(-1).response.output[0].content[0].text,
      events.at(-1).response.output_text,
    ],
    Array.from({ length: 5 }, () => CLEAN),
  );
});

test("messages: blocks don't mix, thinking and tools pass untouched, an error comes after the tail", async () => {
  const delta = (index, fields) => ({ type: "content_block_delta", index, delta: fields });
  const thinking = delta(0, { type: "thinking_delta", thinking: LIE });
  const tool = delta(2, { type: "input_json_delta", partial_json: '{"a":1' });
  const failed = { type: "error", error: { type: "overloaded_error", message: "busy" } };
  const events = await all(
    from([thinking, delta(1, { type: "text_delta", text: LIE.slice(0, 10) }), tool, delta(1, { type: "text_delta", text: LIE.slice(10) + TAIL }), failed]).pipeThrough(
      anthropic.guardMessageEvents(edgegate),
    ),
  );
  assert.deepEqual(events[0], thinking);
  assert.deepEqual(events[2], tool);
  assert.deepEqual(events.at(-1), failed);
  assert.equal(FORMS.messages.read(events), TAIL);
});

test("AI SDK: one guard for each id, flushed at its end; unknown parts pass; raw chunks don't", async () => {
  const text = (id, piece) => ({ type: "text-delta", id, text: piece });
  const known = { type: "tool-call", toolCallId: "t", toolName: "f", input: {} };
  const unknown = { type: "something-new", value: LIE };
  const events = await all(
    from([
      { type: "text-start", id: "a" },
      { type: "text-start", id: "b" },
      text("a", "Last time you "),
      text("b", "It will rain "),
      { type: "raw", rawValue: LIE },
      unknown,
      text("a", "told me about your boat. Fine"),
      known,
      text("b", "tomorrow."),
      { type: "text-end", id: "a" },
      { type: "text-end", id: "b" },
    ]).pipeThrough(FORMS["AI SDK"].guard(edgegate)),
  );
  assert.deepEqual(events, [
    { type: "text-start", id: "a" },
    { type: "text-start", id: "b" },
    unknown,
    known,
    text("a", "Fine"),
    { type: "text-end", id: "a" },
    text("b", "It will rain tomorrow."),
    { type: "text-end", id: "b" },
  ]);
});

test("AI SDK middleware: streamed and whole, with evidence looked up for each call", async () => {
  const asked = [];
  const middleware = guardMiddleware(edgegate, (params) => {
    asked.push(params.prompt);
    return { evidence: { memories: params.prompt === "known" ? ["The user has a boat in Ostend"] : [] } };
  });
  const stream = (prompt) =>
    middleware.wrapStream({
      params: { prompt },
      doStream: async () => ({
        request: { body: 1 },
        stream: from([{ type: "text-start", id: "0" }, ...PIECES.map((delta) => ({ type: "text-delta", id: "0", delta })), { type: "text-end", id: "0" }]),
      }),
    });
  const read = async (prompt) => {
    const { request, stream: parts } = await stream(prompt);
    assert.deepEqual(request, { body: 1 });
    return (await all(parts)).map(({ delta }) => delta ?? "").join("");
  };
  assert.equal(await read("unknown"), CLEAN);
  assert.equal(await read("known"), PIECES.join(""));
  const result = await middleware.wrapGenerate({
    params: { prompt: "whole" },
    doGenerate: async () => ({ content: [{ type: "text", text: PIECES.join("") }, { type: "source", id: "s" }], response: { id: "r", body: LIE }, usage: {} }),
  });
  assert.deepEqual(result, { content: [{ type: "text", text: CLEAN }, { type: "source", id: "s" }], response: { id: "r" }, usage: {} });
  assert.deepEqual(asked, ["unknown", "known", "whole"]);
});

test("an async iterable goes through a pair, and leaving it early stops its source", async () => {
  const chunks = FORMS.chat.wrap(PIECES);
  let left = false;
  async function* source() {
    try {
      yield* chunks;
    } finally {
      left = true;
    }
  }
  assert.equal(FORMS.chat.read(await all(openai.iterate(source(), openai.guardChatEvents(edgegate)))), CLEAN);
  left = false;
  for await (const _ of openai.iterate(source(), openai.guardChatEvents(edgegate))) break;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(left, true);
});

test("a fetch guards what its routes know and nothing else, and looks into the request wherever it stands", async () => {
  const seen = [];
  const body = { choices: [{ index: 0, message: { content: PIECES.join("") } }] };
  const answers = { json: () => Response.json(body), text: () => new Response(LIE), failed: () => Response.json(body, { status: 500 }) };
  const guarding = (kind) =>
    openai.guardFetch(edgegate, (request) => (seen.push(request.model), {}), async () => answers[kind]());
  const read = async (...request) => (await guarding("json")(...request)).json();
  const address = "http://localhost/v1/chat/completions";
  const post = { method: "POST", body: JSON.stringify({ model: "m" }) };
  for (const request of [[address, post], [new URL(address), post], [new Request(address, post)], [address]]) {
    assert.equal((await read(...request)).choices[0].message.content, CLEAN);
  }
  assert.deepEqual(seen, ["m", "m", "m", undefined]);
  assert.deepEqual(await read("http://localhost/v1/embeddings", post), body);
  assert.equal(await (await guarding("text")(address, post)).text(), LIE);
  assert.deepEqual(await (await guarding("failed")(address, post)).json(), body);
});

test("any operation of the core can be called by its name", async () => {
  assert.equal((await edgegate.call("version", {})).lexicon, edgegate.version.lexicon);
  await assert.rejects(edgegate.call("nonsense", {}), { code: "usage", where: "op" });
});

test("what was said in the request is evidence for the answer, in every dialect, unless a history is given", async () => {
  const told = "I keep a boat in Ostend.";
  const text = `${LIE}Ok.`;
  const ask = async (path, body, request, options = {}) => {
    const guard = path.endsWith("messages") ? anthropic.guardFetch : openai.guardFetch;
    const fetch = guard(edgegate, options, async () => Response.json(body));
    return JSON.stringify(await (await fetch(`http://localhost${path}`, { method: "POST", body: JSON.stringify(request) })).json());
  };
  const chat = ["/v1/chat/completions", { choices: [{ index: 0, message: { content: text } }] }];
  const whole = ["/v1/responses", { output: [{ type: "message", content: [{ type: "output_text", text }] }] }];
  const blocks = ["/v1/messages", { content: [{ type: "text", text }] }];
  const turn = (content) => [{ role: "system", content: "Be kind." }, { role: "user", content }, { role: "assistant", content: "Ah." }];
  assert.match(await ask(...chat, { messages: turn(told) }), /Ostend/);
  assert.match(await ask(...chat, { messages: turn([{ type: "text", text: told }]) }), /Ostend/);
  assert.match(await ask(...whole, { input: told }), /Ostend/);
  assert.match(await ask(...whole, { input: turn([{ type: "input_text", text: told }]) }), /Ostend/);
  assert.match(await ask(...blocks, { messages: turn(told) }), /Ostend/);
  for (const [path, body] of [chat, whole, blocks]) {
    assert.doesNotMatch(await ask(path, body, { messages: turn("Hello.") }), /Ostend/);
    assert.doesNotMatch(await ask(path, body, { messages: turn(told), input: told }, { evidence: { history: [] } }), /Ostend/);
  }
  const middleware = guardMiddleware(edgegate);
  const { content } = await middleware.wrapGenerate({
    params: { prompt: turn([{ type: "text", text: told }]) },
    doGenerate: async () => ({ content: [{ type: "text", text }] }),
  });
  assert.match(content[0].text, /Ostend/);
});
