// The real `ai` package with `guardTransform` and `guardMiddleware`. EDGEGATE_AI names another major of it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { loadEdgegate } from "edgegate";
import { guardMiddleware, guardTransform } from "edgegate/ai-sdk";
import { z } from "zod";

import { CLEAN, LIE, PIECES, TAIL } from "./service.mjs";

const name = process.env.EDGEGATE_AI ?? "ai";
const ai = await import(name);
const mocks = await import(`${name}/test`);
const [MockModel, version] = mocks.MockLanguageModelV4 ? [mocks.MockLanguageModelV4, "v4"] : [mocks.MockLanguageModelV3, "v3"];
const { generateText, simulateReadableStream, streamText, tool, wrapLanguageModel } = { ...mocks, ...ai };

let edgegate;
before(async () => {
  edgegate = await loadEdgegate();
});
after(() => edgegate.close());

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 9, text: 9, reasoning: undefined },
};
const finish = (unified = "stop") => ({ type: "finish", finishReason: { unified, raw: unified }, usage });
const text = (id, pieces) => [
  { type: "text-start", id },
  ...pieces.map((delta) => ({ type: "text-delta", id, delta })),
  { type: "text-end", id },
];
const start = { type: "stream-start", warnings: [] };

function modelOf(...steps) {
  let step = 0;
  return new MockModel({
    doStream: async () => ({ stream: simulateReadableStream({ chunks: steps[step++], initialDelayInMs: null, chunkDelayInMs: null }) }),
    doGenerate: async () => ({ content: [{ type: "text", text: PIECES.join("") }], finishReason: { unified: "stop", raw: "stop" }, usage, warnings: [], response: { body: LIE } }),
  });
}

const GUARDED = {
  transform: (model, options) => ({ model, experimental_transform: guardTransform(edgegate, options) }),
  middleware: (model, options) => ({ model: wrapLanguageModel({ model, middleware: guardMiddleware(edgegate, options, version) }) }),
};

for (const [way, guarded] of Object.entries(GUARDED)) {
  test(`${way}: screen, callbacks and stored messages see one text`, async () => {
    const seen = { chunks: "", finish: undefined, step: undefined };
    const result = streamText({
      ...guarded(modelOf([start, ...text("0", PIECES), finish()])),
      prompt: "Weather?",
      onChunk: ({ chunk }) => {
        if (chunk.type === "text-delta") seen.chunks += chunk.text;
      },
      onStepFinish: (step) => {
        seen.step = step.text;
      },
      onFinish: ({ text: whole }) => {
        seen.finish = whole;
      },
    });
    let shown = "";
    for await (const piece of result.textStream) shown += piece;
    const { messages } = await result.response;
    assert.deepEqual(
      [shown, await result.text, seen.chunks, seen.step, seen.finish, messages[0].content[0].text],
      Array.from({ length: 6 }, () => CLEAN),
    );
  });

  test(`${way}: the stream for the user's screen holds the same`, async () => {
    const result = streamText({ ...guarded(modelOf([start, ...text("0", PIECES), finish()])), prompt: "Weather?" });
    let shown = "";
    for await (const part of result.toUIMessageStream()) if (part.type === "text-delta") shown += part.delta;
    assert.equal(shown, CLEAN);
  });

  test(`${way}: parts that interleave don't mix, and their order is kept`, async () => {
    const part = (id, delta) => ({ type: "text-delta", id, delta });
    const chunks = [
      start,
      { type: "text-start", id: "a" },
      { type: "text-start", id: "b" },
      part("a", LIE.slice(0, 20)),
      part("b", "Clouds come "),
      part("a", `${LIE.slice(20)}${TAIL}`),
      part("b", "at noon"),
      { type: "text-end", id: "b" },
      { type: "source", sourceType: "url", id: "s", url: "https://example.org/" },
      { type: "text-end", id: "a" },
      finish(),
    ];
    const result = streamText({ ...guarded(modelOf(chunks)), prompt: "Weather?" });
    assert.deepEqual(
      (await result.content).map((item) => item.text ?? item.type),
      [TAIL, "Clouds come at noon", "source"],
    );
  });

  test(`${way}: a tool call between two steps, each with its own text`, async () => {
    const call = { type: "tool-call", toolCallId: "t", toolName: "weather", input: '{"city":"Ostend"}' };
    const model = modelOf([start, ...text("0", ["Let me look. ", LIE]), call, finish("tool-calls")], [start, ...text("0", PIECES), finish()]);
    const result = streamText({
      ...guarded(model),
      prompt: "Weather?",
      tools: { weather: tool({ inputSchema: z.object({ city: z.string() }), execute: async () => "rain" }) },
      stopWhen: (ai.stepCountIs ?? ai.isStepCount)(3),
    });
    await result.consumeStream();
    const steps = await result.steps;
    assert.deepEqual(steps.map((step) => step.text.trim()), ["Let me look.", CLEAN]);
    assert.equal(steps[0].toolResults[0].output, "rain");
  });

  test(`${way}: an error of the model comes after the decided tail`, async () => {
    const seen = [];
    const chunks = [start, ...text("0", PIECES).slice(0, -1), { type: "error", error: new Error("overloaded") }];
    const result = streamText({ ...guarded(modelOf(chunks)), prompt: "Weather?", onError: () => {} });
    for await (const part of result.fullStream) {
      if (part.type === "text-delta") seen.push(part.text);
      if (part.type === "error") seen.push("ERROR");
    }
    assert.deepEqual([seen.slice(0, -1).join(""), seen.at(-1)], [CLEAN, "ERROR"]);
  });

  test(`${way}: an abort leaves what was shown`, async () => {
    const stop = new AbortController();
    const ends = [];
    const model = new MockModel({
      doStream: async ({ abortSignal }) => ({
        stream: new ReadableStream({
          start(controller) {
            abortSignal?.addEventListener("abort", () => controller.error(abortSignal.reason));
            for (const chunk of [start, ...text("0", PIECES).slice(0, -1)]) controller.enqueue(chunk);
          },
        }),
      }),
    });
    const result = streamText({
      ...guarded(model, { onEvent: (event) => event.kind === "reply_end" && ends.push(event) }),
      prompt: "Weather?",
      abortSignal: stop.signal,
      onError: () => {},
    });
    let shown = "";
    for await (const part of result.fullStream) {
      if (part.type !== "text-delta") continue;
      shown += part.text;
      setTimeout(() => stop.abort(), 20);
    }
    assert.ok(CLEAN.startsWith(shown) && !shown.includes(TAIL), shown);
    for (let round = 0; round < 50 && ends.length === 0; round++) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual(ends.map(({ aborted, shown: kept }) => [aborted, kept]), [[true, shown]]);
  });
}

test("middleware: a whole answer", async () => {
  const result = await generateText({ ...GUARDED.middleware(modelOf()), prompt: "Weather?" });
  assert.equal(result.text, CLEAN);
  assert.ok(!JSON.stringify(result.steps).includes("Ostend"));
});
