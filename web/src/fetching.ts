/** How a browser reads assets: from where the package's own files are served, counting bytes as they come. */
import type { Asset } from "./build.ts";
import { LoadError } from "./errors.ts";
import type { Runtime } from "./loader.ts";

/** The runtime of a page or a Web Worker whose assets stand below `base`, a URL that ends with a slash. */
export function browserRuntime(base: string): Runtime {
  return {
    read: (asset, onBytes, signal) => fetchBytes(new URL(asset.path, base), asset, onBytes, signal),
    async python() {
      const url = new URL("pyodide/pyodide.asm.mjs", base).href;
      try {
        return (await import(/* @vite-ignore */ /* webpackIgnore: true */ url)).default;
      } catch (error) {
        throw new LoadError(`could not be loaded (${error instanceof Error ? error.message : error})`, url);
      }
    },
  };
}

async function fetchBytes(
  url: URL,
  asset: Asset,
  onBytes: (count: number) => void,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: "same-origin", ...(signal ? { signal } : {}) });
  } catch (error) {
    signal?.throwIfAborted();
    throw new LoadError(`could not be fetched (${error instanceof Error ? error.message : error})`, asset.path);
  }
  if (!response.ok || !response.body) throw new LoadError(`could not be fetched (status ${response.status})`, asset.path);
  const bytes = new Uint8Array(asset.bytes);
  let filled = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (filled + value.length > bytes.length) {
      await reader.cancel();
      return new Uint8Array(filled + value.length); // longer than it should be: the check of its length refuses it
    }
    bytes.set(value, filled);
    filled += value.length;
    onBytes(value.length);
  }
  return bytes.subarray(0, filled);
}
