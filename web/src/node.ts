/** edgegate for Node: the same core from the same files, in this thread. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { connect, type Edgegate } from "./client.ts";
import { LoadError } from "./errors.ts";
import type { LoadOptions } from "./index.ts";
import { boot, type Runtime } from "./loader.ts";

export * from "./errors.ts";
export type * from "./client.ts";
export type * from "./protocol.ts";
export type { AskOptions, FixOptions, OpinionOptions, Reader, ReaderKind } from "./readers.ts";
export type { LoadOptions } from "./index.ts";
export type { Progress } from "./loader.ts";
export type * from "./memory.ts";
export type { Readings, Reply, ReplyOptions } from "./reply.ts";
export type { LoadOptions as StoreLoadOptions, Store } from "./store.ts";
export { InMemoryStore } from "./store-in-memory.ts";
export type { ReplyGuard, ReplyGuardOptions } from "./stream.ts";

/** The runtime of Node whose assets stand below `base`, a file URL that ends with a slash. */
function nodeRuntime(base: URL): Runtime {
  return {
    async read(asset, onBytes, signal) {
      try {
        const bytes = await readFile(new URL(asset.path, base), signal ? { signal } : {});
        onBytes(bytes.length);
        return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      } catch (error) {
        signal?.throwIfAborted();
        throw new LoadError(`could not be read (${error instanceof Error ? error.message : error})`, asset.path);
      }
    },
    async python() {
      const url = new URL("pyodide/pyodide.asm.mjs", base);
      try {
        return (await import(url.href)).default;
      } catch (error) {
        throw new LoadError(`could not be loaded (${error instanceof Error ? error.message : error})`, fileURLToPath(url));
      }
    },
  };
}

/** A started edgegate. Throws LoadError when something is missing, IntegrityError when something isn't this build's. */
export async function loadEdgegate(options: LoadOptions = {}): Promise<Edgegate> {
  const base = new URL(options.assets ?? "./", import.meta.url);
  const core = await boot(nodeRuntime(base), options.onProgress, options.signal);
  options.onProgress?.({ stage: "ready", done: 1, total: 1 });
  return connect({
    call: async (request) => core.call(request),
    measure: async () => ({ heapBytes: core.heapBytes(), from: core.from, downloads: [] }),
    close() {},
  });
}
