// Chains of rewrites, repairs, and second readers that may fail, hang or lie: from JavaScript, with a deadline.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { DataError, loadEdgegate, UsageError } from "edgegate";

let edgegate;
before(async () => {
  edgegate = await loadEdgegate();
});
after(() => edgegate.close());

test("a chain of rewrites says what was lost and where", async () => {
  const said = "Someone said Alice was promoted.";
  const drift = await edgegate.drift([said, "Someone said that Alice was promoted.", "Alice was promoted.", "Alice was promoted this year."]);
  assert.deepEqual(drift.losses.map(({ change, hop }) => [change.check, hop]), [["attribution", 1]]);
  assert.equal(drift.hops.length, 3);
  const turns = await edgegate.drift([[{ role: "user", content: said }], "Alice was promoted."], { now: "2026-03-14" });
  assert.equal(turns.whole.verdict, "REWRITE");
  await assert.rejects(edgegate.drift([said]), DataError);
  await assert.rejects(edgegate.drift([said, 5]), (error) => error.where === "versions[1]");
  await assert.rejects(edgegate.drift([said, said], { signal: AbortSignal.abort() }), { name: "AbortError" });
});

describe("a repair", () => {
  const SOURCE = "I keep meaning to cancel the gym.";
  const MEMORY = "User cancelled the gym.";

  test("comes from the source's own words where they do", async () => {
    const { text, question } = await edgegate.fix("Someone said Alice was promoted.", "Alice was promoted.");
    assert.deepEqual([text, question], ["Someone said Alice was promoted.", null]);
  });

  test("else the reader is asked once, and its text passes the same gate or is none", async () => {
    const asked = [];
    const answering = (answer) => ({ reader: (question) => (asked.push(question), answer) });
    assert.equal((await edgegate.fix(SOURCE, MEMORY)).text, null);
    for (const [answer, text] of [
      ["User intends to cancel the gym.", "User intends to cancel the gym."],
      [{ memory: "User intends to cancel the gym." }, "User intends to cancel the gym."],
      ['```json\n{"memory": "User intends to cancel the gym."}\n```', "User intends to cancel the gym."],
      ["User has cancelled the gym.", null],
      [null, null],
      [undefined, null],
      [42, null],
      ["x".repeat(200_000), null],
    ]) {
      assert.equal((await edgegate.fix(SOURCE, MEMORY, answering(answer))).text, text, String(answer).slice(0, 60));
    }
    assert.equal(asked.length, 8);
    assert.equal(asked[0].kind, "rewrite");
    assert.ok(asked[0].task && asked[0].lost.length > 0);
  });

  test("a reader that fails or hangs leaves the question open", async () => {
    const failing = await edgegate.fix(SOURCE, MEMORY, { reader: () => Promise.reject(new Error("no")) });
    assert.deepEqual([failing.text, failing.question?.kind], [null, "rewrite"]);
    let told;
    const reader = (_, signal) => new Promise(() => signal.addEventListener("abort", () => (told = signal.reason.name)));
    const hanging = await edgegate.fix(SOURCE, MEMORY, { reader, deadline: 20 });
    assert.deepEqual([hanging.text, told], [null, "TimeoutError"]);
  });
});

describe("second readers", () => {
  const SOURCE = "Ida left, so they say.";
  const MEMORY = "Ida left.";
  const ATTRIBUTED = { hedged: false, attributed: true, markers: ["left"] };
  const SUPPORTED = { answer: "supported", quote: "Ida left" };
  const honest = ({ kind }) => (kind === "witness" ? ATTRIBUTED : SUPPORTED);

  test("in two phases", async () => {
    const { report, questions } = await edgegate.askReaders(SOURCE, MEMORY);
    assert.equal(report.verdict, "REWRITE");
    assert.deepEqual(questions.map(({ number, kind }) => [number, kind]), [[0, "witness"], [1, "added"]]);
    const heard = await edgegate.hearReaders(SOURCE, MEMORY, { 0: ATTRIBUTED, 1: SUPPORTED });
    assert.deepEqual([heard.report.verdict, heard.void, heard.cannot_tell], ["PASS", [], []]);
    const one = await edgegate.askReaders(SOURCE, MEMORY, { readers: ["added"] });
    assert.deepEqual(one.questions.map(({ kind }) => kind), ["added"]);
    await assert.rejects(edgegate.askReaders(SOURCE, MEMORY, { readers: ["oracle"] }), UsageError);
    await assert.rejects(edgegate.hearReaders(SOURCE, MEMORY, { x: 1 }), (error) => error.where === "answers.x");
  });

  test("as one call", async () => {
    const heard = await edgegate.secondOpinion(SOURCE, MEMORY, { reader: honest });
    assert.deepEqual([heard.report.verdict, heard.void], ["PASS", []]);
    const text = await edgegate.secondOpinion(SOURCE, MEMORY, { reader: (question) => JSON.stringify(honest(question)) });
    assert.equal(text.report.verdict, "PASS");
    const alone = await edgegate.secondOpinion(SOURCE, MEMORY, { reader: honest, readers: ["witness"] });
    assert.deepEqual([alone.report.verdict, alone.report.not_checked.includes("added")], ["PASS", true]);
  });

  test("whatever they do, the check goes on, and what they did not say is declared", async () => {
    const plain = await edgegate.check(SOURCE, MEMORY);
    const readers = {
      fails: () => {
        throw new Error("no");
      },
      refuses: () => Promise.reject(new Error("no")),
      hangs: () => new Promise(() => {}),
      babbles: () => "Sure! Here is the answer.",
      lies: ({ kind }) => (kind === "witness" ? { ...ATTRIBUTED, markers: ["so they say"] } : { answer: "supported", quote: "no such words" }),
      floods: () => `"${"x".repeat(200_000)}"`,
    };
    for (const [name, reader] of Object.entries(readers)) {
      const heard = await edgegate.secondOpinion(SOURCE, MEMORY, { reader, deadline: 30 });
      assert.equal(heard.report.verdict, plain.verdict, name);
      assert.deepEqual([heard.void, heard.cannot_tell], [[0, 1], [MEMORY]], name);
    }
  });

  test("the caller may go away, and a slow reader's answers after the deadline go nowhere", async () => {
    const control = new AbortController();
    const reader = () => new Promise(() => control.abort());
    await assert.rejects(edgegate.secondOpinion(SOURCE, MEMORY, { reader, signal: control.signal }), { name: "AbortError" });
    let release;
    const slow = () => new Promise((resolve) => (release = () => resolve(ATTRIBUTED)));
    const heard = await edgegate.secondOpinion(SOURCE, MEMORY, { reader: slow, readers: ["witness"], deadline: 20 });
    release();
    assert.deepEqual(heard.void, [0]);
  });

  test("a few are asked at once, and every question once", async () => {
    const memory = Array.from({ length: 12 }, (_, at) => `Ida left town number ${at}.`).join(" ");
    let now = 0;
    let most = 0;
    const seen = [];
    const reader = async ({ number }) => {
      seen.push(number);
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setTimeout(resolve, 1));
      now -= 1;
      return { answer: "cannot-tell" };
    };
    await edgegate.secondOpinion(memory, memory, { reader });
    assert.deepEqual(seen.toSorted((one, other) => one - other), Array.from({ length: 12 }, (_, at) => at));
    assert.equal(most, 4);
  });
});
