/**
 * edgegate in this very thread, without a worker of its own: for Service Workers, and for workers that do more than this.
 *
 * Everything it will ever import is imported when the script runs, as a Service Worker demands; Python starts with the
 * first `loadEdgegate`, and keeps this thread busy while it judges.
 *
 * @module edgegate/inline
 */
// @ts-expect-error: Pyodide's own file has no types; the build leaves this import as it stands.
import factory from "./pyodide/pyodide.asm.mjs";

import { connect, type Edgegate } from "./client.ts";
import { browserRuntime } from "./fetching.ts";
import { boot, type Progress } from "./loader.ts";

export * from "./errors.ts";
export type * from "./client.ts";
export type * from "./protocol.ts";
export type { AskOptions, FixOptions, OpinionOptions, Reader, ReaderKind } from "./readers.ts";
export type * from "./memory.ts";
export type { Progress } from "./loader.ts";
export type { LoadOptions as StoreLoadOptions, Store } from "./store.ts";
export { InMemoryStore } from "./store-in-memory.ts";

/** How edgegate is started: as in the package's main entry. */
export interface InlineOptions {
  /** Told how far the start is. */
  onProgress?: (progress: Progress) => void;
  /** Aborting it ends the start. */
  signal?: AbortSignal;
  /** Where the package's files are served, if not beside this module: a URL that ends with a slash. */
  assets?: string | URL;
}

/** A started edgegate. Throws LoadError when something is missing, IntegrityError when something isn't this build's. */
export async function loadEdgegate({ onProgress, signal, assets }: InlineOptions = {}): Promise<Edgegate> {
  const base = new URL(assets ?? "./", import.meta.url).href;
  const core = await boot(browserRuntime(base, factory), onProgress, signal);
  onProgress?.({ stage: "ready", done: 1, total: 1 });
  return connect({
    call: async (request) => core.call(request),
    measure: async () => ({ heapBytes: core.heapBytes(), from: core.from, downloads: [] }),
    close() {},
  });
}
