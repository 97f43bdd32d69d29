/**
 * How long a piece of a reply takes in the core, in a module worker: what is posted to it is `{ evidence, text, size }`, and
 * what comes back are milliseconds: of pieces that end no sentence, of those that do (of both the least of all rounds,
 * too), and of a call that does nothing.
 */
import { browserRuntime } from "../../src/fetching.ts";
import { boot } from "../../src/loader.ts";

const scope = globalThis as unknown as { onmessage: (event: MessageEvent) => void; postMessage(message: unknown): void };
const core = await boot(browserRuntime(new URL("./edgegate/", import.meta.url).href));
const ask = (op: string, fields: object): { events: { kind: string }[]; took: number } => {
  const request = JSON.stringify({ op, ...fields });
  const begun = performance.now();
  const reply = core.call(request);
  const took = performance.now() - begun;
  return { events: JSON.parse(reply).result, took };
};

scope.onmessage = ({ data: { evidence, text, size, rounds } }) => {
  const quiet: number[] = [];
  const deciding: number[] = [];
  const border: number[] = [];
  const least = new Map<number, number>();
  const ends = new Set<number>();
  for (let round = 0; round < rounds; round += 1) {
    const { guard } = ask("guard.open", { evidence }).events as unknown as { guard: number };
    for (let at = 0; at < text.length; at += size) {
      const { events, took } = ask("guard.feed", { guard, text: text.slice(at, at + size) });
      // A sentence may end without an event: a heading waits for its body. So what holds a mark counts as an end, too.
      if (events.length > 0 || /[.!?\n]/.test(text.slice(at, at + size))) ends.add(at);
      (ends.has(at) ? deciding : quiet).push(took);
      least.set(at, Math.min(took, least.get(at) ?? Infinity));
      border.push(ask("guard.free", { guard: 0 }).took);
    }
    ask("guard.close", { guard });
    ask("guard.free", { guard });
  }
  const leasts = (wanted: boolean): number[] => [...least].filter(([at]) => ends.has(at) === wanted).map(([, took]) => took);
  scope.postMessage({ quiet, deciding, border, quiet_least: leasts(false), deciding_least: leasts(true) });
};
scope.postMessage("ready");
