/**
 * The module Web Worker: one core, one message in, one message out, in order.
 *
 * @module edgegate/worker
 */
import type { HostMeasures } from "./client.ts";
import { writeError, type ErrorData } from "./errors.ts";
import { browserRuntime } from "./fetching.ts";
import { boot, type Core, type Progress } from "./loader.ts";

/** What the page sends: first one `start`, then any number of `call` and `measure`. */
export type ToWorker = { kind: "start"; assets: string | null } | { kind: "call"; id: number; request: string } | { kind: "measure"; id: number };

/** What the worker answers. Each `call` gets one `reply` or one `broke` with its number, each `measure` one `measured`. */
export type FromWorker =
  | { kind: "progress"; progress: Progress }
  | { kind: "started" }
  | { kind: "refused"; error: ErrorData }
  | { kind: "reply"; id: number; reply: string }
  | { kind: "measured"; id: number; measures: HostMeasures }
  | { kind: "broke"; id: number; error: ErrorData };

// TypeScript's DOM library knows pages; this is the small part of a worker's own scope that is used here.
const scope = globalThis as unknown as {
  postMessage(message: FromWorker): void;
  addEventListener(kind: "message", listener: (event: MessageEvent<ToWorker>) => void): void;
};

let core: Core | undefined;

async function start(assets: string | null): Promise<void> {
  try {
    const base = assets ?? new URL("./", import.meta.url).href;
    core = await boot(browserRuntime(base), (progress) => scope.postMessage({ kind: "progress", progress }));
    scope.postMessage({ kind: "progress", progress: { stage: "ready", done: 1, total: 1 } });
    scope.postMessage({ kind: "started" });
  } catch (error) {
    scope.postMessage({ kind: "refused", error: writeError(error) });
  }
}

function measure(): HostMeasures {
  const files = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  const downloads = files.map(({ name, decodedBodySize, transferSize }) => ({ url: name, bytes: decodedBodySize, transferred: transferSize }));
  return { heapBytes: core?.heapBytes() ?? null, from: core?.from ?? null, downloads };
}

scope.addEventListener("message", ({ data }) => {
  if (data.kind === "start") {
    void start(data.assets);
    return;
  }
  if (data.kind === "measure") {
    scope.postMessage({ kind: "measured", id: data.id, measures: measure() });
    return;
  }
  try {
    if (!core) throw new Error("called before it started");
    scope.postMessage({ kind: "reply", id: data.id, reply: core.call(data.request) });
  } catch (error) {
    scope.postMessage({ kind: "broke", id: data.id, error: writeError(error) });
  }
});
