// The contract of every store (tests/data/host/store.json), on any store of JavaScript's. It stands alone: browsers are handed
// its text. Returns what went wrong, one line for each expectation that was not met.
export async function runContract(cases, makeStore) {
  const complete = (memory) => ({
    flags: [],
    path: "",
    about: null,
    at: null,
    seen: null,
    terms: [],
    lexicon: "",
    ...memory,
    history: (memory.history ?? []).map((earlier) => ({ until: null, ...earlier })),
  });
  const completeTurn = (turn) => ({ reason: "", verdicts: [], ids: [], in_prompt: 0, at: null, ...turn });
  const ordered = (value) =>
    JSON.stringify(value, (_key, part) =>
      part && typeof part === "object" && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
    );
  const wrong = [];
  for (const { name, steps } of cases) {
    const store = await makeStore(name);
    for (const [number, step] of steps.entries()) {
      const place = `${name}, step ${number}`;
      const hold = (what, is, expected) => {
        if (ordered(is) !== ordered(expected)) wrong.push(`${place}: ${what} is ${ordered(is)}, not ${ordered(expected)}`);
      };
      if (step.apply) {
        const commit = {
          base: step.apply.base,
          put: (step.apply.put ?? []).map(complete),
          delete: step.apply.delete ?? [],
          turn: step.apply.turn ? completeTurn(step.apply.turn) : null,
        };
        const outcome = await store.apply(commit).then(
          (applied) => ({ applied }),
          (error) => ({ error: error.code ?? String(error) }),
        );
        hold("error", outcome.error, step.error);
        for (const [key, expected] of Object.entries(step.expect ?? {})) hold(key, outcome.applied?.[key], expected);
        continue;
      }
      const found = step.load ? await store.load(step.load) : await store.find(step.find, step.limit ?? 10);
      const ids = found.memories.map(({ id }) => id);
      const { revision, ids: inOrder, set, count, memories, turns } = step.expect;
      if (revision !== undefined) hold("revision", found.revision, revision);
      if (inOrder) hold("ids", ids, inOrder);
      if (set) hold("set", [...ids].sort(), [...set].sort());
      if (count !== undefined) hold("count", ids.length, count);
      if (memories) hold("memories", found.memories, memories.map(complete));
      if (turns) hold("turns", found.turns, turns.map(completeTurn));
    }
    await store.close?.();
  }
  return wrong;
}
