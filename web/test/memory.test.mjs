// Memory from JavaScript: every operation through the core's one door, over a store of the host's.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";

import { InMemoryStore, loadEdgegate, StaleError, StoreError } from "edgegate";

import { runContract } from "./contract.mjs";

const { cases } = JSON.parse(await readFile(new URL("../../tests/data/host/store.json", import.meta.url), "utf8"));
const NOW = "2026-03-14T09:00:00+01:00";
const now = () => NOW;
const ROWING = [{ role: "user", content: "I row on the lake on Sundays" }];

let edgegate;
before(async () => {
  edgegate = await loadEdgegate();
});
after(() => edgegate.close());

const texts = async (store) => (await store.load()).memories.map(({ text }) => text);

test("the contract of every store", async () => {
  assert.deepEqual(await runContract(cases, async () => new InMemoryStore()), []);
});

test("the contract's driver sees a store that breaks it", async () => {
  class Forgetful extends InMemoryStore {
    async find() {
      return { revision: 0, memories: [], turns: [] };
    }
  }
  class Careless extends InMemoryStore {
    async apply(commit) {
      return super.apply({ ...commit, base: (await this.load()).revision });
    }
  }
  for (const Store of [Forgetful, Careless]) {
    assert.notDeepEqual(await runContract(cases, async () => new Store()), []);
  }
});

describe("every operation", () => {
  test("keeps, finds, forgets and reports", async () => {
    const store = new InMemoryStore();
    const memory = edgegate.memory({ store, now });
    const kept = await memory.turn("remember that the gate code is 4820", { in_prompt: 2 });
    assert.deepEqual(kept.writes, ["stored: The gate code is 4820"]);
    assert.equal(kept.intent, "remember");
    assert.deepEqual(kept.visible, []);
    const reminder = await memory.turn("remind me on Thursday to pay the rent");
    assert.deepEqual(reminder.visible.map(({ kind }) => kind), ["reminder"]);
    await memory.turn("hi, my wife's name is Claire and my daughter is eleven");
    await memory.remember("The user has a dog called Rex");
    const wrong = await memory.propose("The user rents for 900 dollars.", [{ role: "user", content: "I rent for 900 euros." }]);
    assert.deepEqual(wrong.items.map(({ outcome, verdict }) => [outcome, verdict]), [["discarded", "REJECT"]]);
    await memory.propose("The user rows on the lake on Sundays", ROWING);
    const batch = await memory.bring([{ text: "The user bakes" }, { text: "The user bakes." }, { text: "Ida skates on the lake", about: "Ida" }]);
    assert.deepEqual(batch.items.map(({ outcome }) => outcome), ["new", "known", "new"]);
    await memory.keepChat(ROWING);
    const found = await memory.recall("what's my wife's name?");
    assert.equal(found[0].memory.text, "The user's wife's name is Claire");
    await memory.refresh(found.map(({ memory: each }) => each.id));
    const { memories } = await memory.list();
    assert.equal(memories.find(({ text }) => text.includes("Claire")).seen, NOW);
    const forgotten = await memory.forget("forget that I have a dog");
    assert.equal(forgotten.words, "Deleted: “The user has a dog called Rex”.");
    const baking = memories.find(({ text }) => text.includes("bakes"));
    assert.deepEqual((await memory.delete([baking.id, "nothing"])).applied.deleted, [baking.id]);
    assert.deepEqual((await memory.delete([baking.id])).applied.deleted, []);
    const picture = await memory.picture();
    assert.equal(picture.nodes.filter(({ kind }) => kind !== "topic").length, (await memory.list()).memories.length);
    assert.equal((await memory.picture({ most: 2 })).left_out, picture.nodes.filter(({ kind }) => kind !== "topic").length - 2);
    const whole = await memory.export();
    assert.equal(whole.format, "edgegate memories");
    assert.equal(whole.exported, NOW);
    assert.deepEqual(whole.memories, (await store.load()).memories);
    assert.ok(whole.turns.length >= 9);
    const again = new InMemoryStore(whole);
    assert.deepEqual(await again.load(), await store.load());
  });

  test("two readings need no store", async () => {
    const read = await edgegate.readMessage("remember that the gate code is 4820");
    assert.deepEqual([read.intent, read.facts], ["remember", [["The gate code is 4820", "fact"]]]);
    const held = ["The user works at a law firm", "The user wants to make law review"];
    const plan = await edgegate.planForget(held, "forget that I want to make law review");
    assert.deepEqual([plan.outcome, plan.targets], ["delete", [1]]);
    const asked = await edgegate.planForget(held, "forget my degree", { chooser: () => [0] });
    assert.deepEqual([asked.outcome, asked.targets], ["ask", [0]]);
  });

  test("in a chat that may not save, and with memory off, nothing is asked and nothing is written", async () => {
    for (const scope of [{ saves: false }, { on: false }, { saves: false, reads: true }]) {
      const store = new InMemoryStore();
      await edgegate.memory({ store }).remember("The user has a dog called Rex");
      const before = await store.load({ turns: 99 });
      const touched = [];
      const watched = {
        load: (more) => (touched.push("load"), store.load(more)),
        find: (terms, limit) => (touched.push("find"), store.find(terms, limit)),
        apply: (commit) => (touched.push("apply"), store.apply(commit)),
      };
      const memory = edgegate.memory({ store: watched, scope });
      const results = [
        await memory.turn("remember that my locker number is 88"),
        await memory.remember("The user sails"),
        await memory.propose("The user rows", ROWING),
        await memory.bring([{ text: "The user bakes" }]),
        await memory.keepChat(ROWING),
        await memory.refresh(["1.0"]),
      ];
      assert.deepEqual(touched, []);
      assert.deepEqual(results.map(({ turn }) => turn.outcome), Array(6).fill("refused"));
      assert.deepEqual(await store.load({ turns: 99 }), before);
      assert.equal((await memory.allowed()).may_save, false);
      assert.equal((await memory.recall("the dog?")).length, scope.reads ? 1 : 0);
      assert.match((await memory.turn("forget that I have a dog")).words, /^Deleted/);
      assert.deepEqual(await texts(store), []);
    }
  });

  test("a scope holds from the moment it is set", async () => {
    const store = new InMemoryStore();
    const memory = edgegate.memory({ store });
    const first = memory.remember("The user sails");
    memory.scope = { saves: false };
    const second = memory.remember("The user rows");
    memory.scope = {};
    await Promise.all([first, second, memory.remember("The user bakes")]);
    assert.deepEqual(await texts(store), ["The user sails", "The user bakes"]);
  });
});

describe("a store that moves on or fails", () => {
  test("many writers at once lose nothing", async () => {
    const store = new InMemoryStore();
    const tabs = [edgegate.memory({ store }), edgegate.memory({ store })];
    await Promise.all(Array.from({ length: 12 }, (_, n) => tabs[n % 2].remember(`Person${n} lives in town ${n}`)));
    const { memories, revision } = await store.load();
    assert.equal(memories.length, 12);
    assert.equal(new Set(memories.map(({ id }) => id)).size, 12);
    assert.equal(revision, 12);
  });

  test("a stale commit is planned again on what is there now: the same fact stays one", async () => {
    const store = new InMemoryStore();
    let raced = false;
    const slow = {
      load: (more) => store.load(more),
      find: (terms, limit) => store.find(terms, limit),
      async apply(commit) {
        if (!raced) {
          raced = true;
          await edgegate.memory({ store }).remember("The user has a dog called Rex");
        }
        return store.apply(commit);
      },
    };
    const result = await edgegate.memory({ store: slow }).remember("The user has a dog called Rex");
    assert.deepEqual(result.items.map(({ outcome }) => outcome), ["known"]);
    assert.deepEqual(await texts(store), ["The user has a dog called Rex"]);
  });

  test("who is always too late is told so, and who fails is never called a success", async () => {
    const late = new InMemoryStore();
    late.apply = async () => {
      throw new StaleError("another was faster");
    };
    await assert.rejects(edgegate.memory({ store: late }).remember("The user sails"), { code: "stale" });
    const full = new InMemoryStore();
    full.apply = async () => {
      throw new StoreError("the disk is full");
    };
    const memory = edgegate.memory({ store: full });
    await assert.rejects(memory.remember("The user sails"), /the disk is full/);
    delete full.apply;
    assert.deepEqual((await memory.remember("The user sails")).writes, ["stored: The user sails"], "and it goes on after");
  });

  test("a store that answers nonsense is named", async () => {
    const odd = new InMemoryStore();
    odd.find = async () => ({ revision: "0" });
    await assert.rejects(edgegate.memory({ store: odd }).remember("The user sails"), { code: "data", where: "answers[0].revision" });
  });
});

describe("a chooser and a rewriter", () => {
  const gym = [{ role: "user", content: "I keep meaning to cancel the gym." }];

  test("a rewrite passes the same gate, or is held", async () => {
    for (const [answer, kept] of [
      [() => "User intends to cancel the gym.", ["User intends to cancel the gym."]],
      [() => "User has cancelled the gym.", []],
      [() => null, []],
      [() => Promise.reject(new Error("offline")), []],
      [() => { throw new Error("broken"); }, []],
    ]) {
      const store = new InMemoryStore();
      const asked = [];
      const rewriter = (question, signal) => (asked.push(question.text), assert.ok(!signal.aborted), answer());
      const result = await edgegate.memory({ store, rewriter }).propose("User cancelled the gym.", gym);
      assert.deepEqual(asked, ["User cancelled the gym."]);
      assert.deepEqual(await texts(store), kept);
      assert.equal(result.items[0].outcome, kept.length > 0 ? "new" : "held");
    }
  });

  test("one that never answers is not waited for", async () => {
    let signal;
    const chooser = (_request, _memories, given) => ((signal = given), new Promise(() => {}));
    const memory = edgegate.memory({ store: new InMemoryStore(), chooser, deadline: 20 });
    await memory.remember("The user is a second-year nursing student");
    const result = await memory.forget("forget about my degree");
    assert.equal(result.turn.outcome, "none");
    assert.equal(signal.aborted, true);
    assert.equal(signal.reason.name, "TimeoutError");
  });
});

test("the time is this device's where no other is given", async () => {
  const store = new InMemoryStore();
  await edgegate.memory({ store }).remember("The user sails");
  const { at } = (await store.load()).memories[0];
  assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
});
