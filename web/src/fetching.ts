/** How a browser reads assets: from where the package's own files are served, counting bytes as they come. */
import type { Asset } from "./build.ts";
import { LoadError } from "./errors.ts";
import { verify, type OnBytes, type Runtime } from "./loader.ts";
import type { PythonFactory } from "./python.ts";

/**
 * The runtime of a page, a Web Worker or a Service Worker whose assets stand below `base`, a URL that ends with a slash.
 * A Service Worker may not import later, so it hands over the `factory` that it imported when its script ran.
 */
export function browserRuntime(base: string, factory?: PythonFactory): Runtime {
  return {
    async read(asset, onBytes, signal) {
      return readBytes(await fetchAsset(base, asset, signal), asset, onBytes);
    },
    // A browser keeps what it compiled only of an answer that it compiles as it comes. The module is of no use to anyone
    // before its bytes were checked: only then is it handed on.
    async compile(asset, onBytes, signal) {
      const response = await fetchAsset(base, asset, signal);
      const copy = response.clone();
      const streamed = WebAssembly.compileStreaming(response).catch(() => undefined);
      const bytes = await verify(asset, await readBytes(copy, asset, onBytes));
      return (await streamed) ?? WebAssembly.compile(bytes);
    },
    async python() {
      if (factory) return factory;
      const url = new URL("pyodide/pyodide.asm.mjs", base).href;
      try {
        return (await import(/* @vite-ignore */ /* webpackIgnore: true */ url)).default;
      } catch (error) {
        throw new LoadError(`could not be loaded (${error instanceof Error ? error.message : error})`, url);
      }
    },
  };
}

async function fetchAsset(base: string, asset: Asset, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(new URL(asset.path, base), { credentials: "same-origin", ...(signal ? { signal } : {}) });
  } catch (error) {
    signal?.throwIfAborted();
    throw new LoadError(`could not be fetched (${error instanceof Error ? error.message : error})`, asset.path);
  }
  if (!response.ok || !response.body) throw new LoadError(`could not be fetched (status ${response.status})`, asset.path);
  return response;
}

async function readBytes(response: Response, asset: Asset, onBytes: OnBytes): Promise<Uint8Array> {
  const bytes = new Uint8Array(asset.bytes);
  let filled = 0;
  const reader = response.body!.getReader();
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
