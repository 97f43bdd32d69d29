/**
 * edgegate for browsers: the core runs in a module Web Worker, everything is served from where this file stands.
 *
 * ```js
 * import { loadEdgegate } from "edgegate";
 * const edgegate = await loadEdgegate({ onProgress });
 * reply.body.pipeThrough(edgegate.replyGuard({ evidence })).pipeTo(screen);
 * const report = await edgegate.check(source, memory);
 * ```
 *
 * @module edgegate
 */
import { connect, type Edgegate, type Host, type HostMeasures } from "./client.ts";
import { CoreError, LoadError, readError } from "./errors.ts";
import type { Progress } from "./loader.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

export * from "./errors.ts";
export type * from "./client.ts";
export type * from "./protocol.ts";
export type { AskOptions, FixOptions, OpinionOptions, Reader, ReaderKind } from "./readers.ts";
export type { Progress } from "./loader.ts";
export type * from "./memory.ts";
export type { Readings, Reply, ReplyOptions } from "./reply.ts";
export type { LoadOptions as StoreLoadOptions, Store } from "./store.ts";
export { InMemoryStore } from "./store-in-memory.ts";
export type { ReplyGuard, ReplyGuardOptions } from "./stream.ts";

/** How edgegate is started. */
export interface LoadOptions {
  /** Told how far the start is, also when everything comes from the cache. */
  onProgress?: (progress: Progress) => void;
  /** Aborting it ends the start, and what was loaded is thrown away. */
  signal?: AbortSignal;
  /** Where the package's files are served, if not beside this module: a URL that ends with a slash. */
  assets?: string | URL;
}

/** A started edgegate. Throws LoadError when something is missing, IntegrityError when something isn't this build's. */
export async function loadEdgegate(options: LoadOptions = {}): Promise<Edgegate> {
  options.signal?.throwIfAborted();
  const worker = options.assets
    ? new Worker(new URL("worker.js", new URL(options.assets, document.baseURI)), { type: "module" })
    : new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const host = await startWorker(worker, options);
  try {
    return await connect(host);
  } catch (error) {
    host.close();
    throw error;
  }
}

function startWorker(worker: Worker, { onProgress, signal, assets }: LoadOptions): Promise<Host> {
  const waiting = new Map<number, { resolve(answer: string | HostMeasures): void; reject(error: unknown): void }>();
  let calls = 0;
  let broken: Error | undefined;
  const send = (message: ToWorker): void => worker.postMessage(message);

  function end(error: Error): void {
    broken ??= error;
    worker.terminate();
    for (const { reject } of waiting.values()) reject(broken);
    waiting.clear();
  }

  function ask(message: (id: number) => ToWorker): Promise<string | HostMeasures> {
    if (broken) return Promise.reject(broken);
    return new Promise((resolve, reject) => {
      calls += 1;
      waiting.set(calls, { resolve, reject });
      send(message(calls));
    });
  }

  const host: Host = {
    call: (request) => ask((id) => ({ kind: "call", id, request })) as Promise<string>,
    measure: () => ask((id) => ({ kind: "measure", id })) as Promise<HostMeasures>,
    close: () => end(new CoreError("this edgegate was closed")),
  };

  return new Promise((resolve, reject) => {
    const refuse = (error: unknown): void => {
      signal?.removeEventListener("abort", stop);
      end(error instanceof Error ? error : new LoadError(String(error)));
      reject(error);
    };
    const stop = (): void => refuse(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });

    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      switch (data.kind) {
        case "progress":
          onProgress?.(data.progress);
          break;
        case "started":
          signal?.removeEventListener("abort", stop);
          resolve(host);
          break;
        case "refused":
          refuse(readError(data.error));
          break;
        case "reply":
          waiting.get(data.id)?.resolve(data.reply);
          waiting.delete(data.id);
          break;
        case "measured":
          waiting.get(data.id)?.resolve(data.measures);
          waiting.delete(data.id);
          break;
        case "broke":
          waiting.get(data.id)?.reject(readError(data.error));
          waiting.delete(data.id);
          break;
      }
    });
    // A worker that can't be fetched or parsed says only this.
    worker.addEventListener("error", (event) => {
      refuse(new LoadError(event.message || "the worker could not be loaded", "worker.js"));
    });
    send({ kind: "start", assets: assets ? new URL(assets, document.baseURI).href : null });
  });
}
