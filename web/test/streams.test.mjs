// The reply guard as a web stream, over the built package and the real core.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { CoreError, DataError, EdgegateError, loadEdgegate, UsageError } from "edgegate";

const stages = [];
let edgegate;

before(async () => {
  edgegate = await loadEdgegate({ onProgress: ({ stage }) => stages.push(stage) });
});
after(() => edgegate.close());

const KEPT = "Rain is likely in the north today. ";
const LIE = "Last time you told me about your boat in Ostend. ";
const TAIL = "Take a coat along";

function from(...chunks) {
  return new ReadableStream({
    pull(controller) {
      if (chunks.length === 0) controller.close();
      else controller.enqueue(chunks.shift());
    },
  });
}

async function textOf(stream) {
  let text = "";
  for await (const piece of stream) text += piece;
  return text;
}

test("every stage of the start is told, in order, and ends ready", () => {
  assert.deepEqual([...new Set(stages)], ["download", "check", "start", "core", "ready"]);
});

test("what is read is what is stored, and the unsupported sentence is not in it", async () => {
  const events = [];
  const guard = edgegate.replyGuard({ onEvent: (event) => events.push(event) });
  const shown = await textOf(from(KEPT, LIE, TAIL).pipeThrough(guard));
  const end = await guard.end;
  assert.equal(shown, end.shown);
  assert.equal(shown, KEPT + TAIL);
  assert.equal(end.dropped, 1);
  assert.deepEqual(
    events.filter(({ kind }) => kind === "text_dropped").map(({ sentence }) => sentence),
    [LIE.trim()],
  );
});

test("evidence of this turn keeps what it supports", async () => {
  const guard = edgegate.replyGuard({ evidence: { memories: ["The user has a boat in Ostend"] } });
  assert.equal(await textOf(from(LIE, TAIL).pipeThrough(guard)), LIE + TAIL);
});

test("bytes are decoded, also when they are cut inside a character", async () => {
  const text = "The café 🐢 opens at noon. Ok.";
  const bytes = new TextEncoder().encode(text);
  const cuts = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  assert.equal(await textOf(from(...cuts).pipeThrough(edgegate.replyGuard())), text);
});

test("text cut inside a surrogate pair, and lone surrogates, come out as they went in", async () => {
  for (const text of ["A 🐢 naps.", "A lone \ud83d here. And \udc00 there.", "ends \ud83d"]) {
    assert.equal(await textOf(from(...text.split("")).pipeThrough(edgegate.replyGuard())), text);
  }
});

test("a source that breaks off leaves exactly the decided text, and then its own error", async () => {
  const broken = new Error("the line went dead");
  const chunks = [KEPT, LIE, TAIL];
  const source = new ReadableStream({
    pull(controller) {
      if (chunks.length > 0) controller.enqueue(chunks.shift());
      else controller.error(broken);
    },
  });
  const guard = edgegate.replyGuard();
  let shown = "";
  await assert.rejects(
    async () => {
      for await (const piece of source.pipeThrough(guard)) shown += piece;
    },
    (error) => error === broken,
  );
  const end = await guard.end;
  assert.equal(shown, KEPT + TAIL);
  assert.equal(end.shown, shown);
  assert.equal(end.aborted, false);
});

test("aborting throws the held text away and keeps what was shown", async () => {
  const stop = new AbortController();
  const guard = edgegate.replyGuard({ signal: stop.signal });
  const writer = guard.writable.getWriter();
  const reader = guard.readable.getReader();
  void writer.write(KEPT + "Second sentence here. " + TAIL).catch(() => {});
  const first = await reader.read();
  stop.abort();
  let shown = first.value;
  await assert.rejects(
    async () => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        shown += value;
      }
    },
    { name: "AbortError" },
  );
  const end = await guard.end;
  assert.equal(end.aborted, true);
  assert.equal(end.shown, shown);
  assert.ok(!shown.includes(TAIL));
  await assert.rejects(writer.write("more"));
});

test("a reader that goes away aborts the reply and stops the source", async () => {
  let cancelled;
  const source = new ReadableStream({
    pull(controller) {
      controller.enqueue(KEPT);
    },
    cancel(reason) {
      cancelled = reason;
    },
  });
  const guard = edgegate.replyGuard();
  const reader = source.pipeThrough(guard).getReader();
  await reader.read();
  await reader.cancel("seen enough");
  assert.equal((await guard.end).aborted, true);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(cancelled, "seen enough");
});

test("a slow reader holds the source back", async () => {
  let pulled = 0;
  const source = new ReadableStream(
    {
      pull(controller) {
        pulled += 1;
        if (pulled > 500) controller.close();
        else controller.enqueue(KEPT);
      },
    },
    { highWaterMark: 0 },
  );
  const reader = source.pipeThrough(edgegate.replyGuard()).getReader();
  for (let read = 0; read < 3; read++) await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.ok(pulled < 12, `${pulled} pieces were taken for 3 that were read`);
  await reader.cancel();
});

test("the kill switch lets everything through and says so", async () => {
  const guard = edgegate.replyGuard({ enabled: false });
  assert.equal(await textOf(from(KEPT, LIE, TAIL).pipeThrough(guard)), KEPT + LIE + TAIL);
  assert.equal((await guard.end).enabled, false);
});

test("an empty reply ends like any other", async () => {
  const guard = edgegate.replyGuard();
  assert.equal(await textOf(from().pipeThrough(guard)), "");
  assert.equal((await guard.end).shown, "");
});

test("wrong evidence and wrong chunks are typed errors, and nothing is shown", async () => {
  const wrong = edgegate.replyGuard({ evidence: { memorys: [] } });
  await assert.rejects(textOf(from(KEPT).pipeThrough(wrong)), (error) => {
    assert.ok(error instanceof DataError && error instanceof EdgegateError);
    assert.equal(error.where, "evidence.memorys");
    return true;
  });
  await assert.rejects(wrong.end, DataError);
  await assert.rejects(textOf(from(KEPT, 7).pipeThrough(edgegate.replyGuard())), DataError);
  await assert.rejects(edgegate.check([{ speaker: "user" }], "x"), { code: "data" });
  await assert.rejects(textOf(from(KEPT).pipeThrough(edgegate.replyGuard({ cap: 0 }))), UsageError);
});

test("a caller's listener that throws ends the reply: fails closed", async () => {
  const guard = edgegate.replyGuard({
    onEvent() {
      throw new RangeError("listener");
    },
  });
  await assert.rejects(textOf(from(KEPT, TAIL).pipeThrough(guard)), RangeError);
});

test("replies that ended are freed", async () => {
  // Many more than may be open at once.
  for (let round = 0; round < 4200; round++) await textOf(from().pipeThrough(edgegate.replyGuard({ enabled: false })));
});

test("a memory is gated", async () => {
  const report = await edgegate.check("I might move to Porto next year.", "The user is moving to Porto next year.");
  assert.equal(report.verdict, "REWRITE");
  const quote = report.changes[0].source_quote;
  assert.equal("I might move to Porto next year.".slice(quote.utf16_start, quote.utf16_end), quote.text);
  const inspected = await edgegate.inspect([{ role: "user", content: "I work nights." }], "The user works nights.");
  assert.equal(inspected.verdict, null);
});

test("a start can be aborted", async () => {
  await assert.rejects(loadEdgegate({ signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("after close, calls are refused", async () => {
  const other = await loadEdgegate();
  other.close();
  await assert.rejects(other.check("a", "b"), UsageError);
  assert.ok(new CoreError("x") instanceof EdgegateError);
});
