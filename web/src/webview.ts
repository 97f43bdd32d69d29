/**
 * edgegate inside one HTML file, for webviews and `file://`: no server, no network, no file beside it.
 *
 * What a loader fetches elsewhere stands in the page, packed, in data blocks (web/webview.mjs puts them there). Python runs in
 * the page's own thread: a page from `file://` may not start a worker everywhere. `globalThis.edgegate` is the promise of the
 * started edgegate, for an application that holds the webview.
 */
// @ts-expect-error: Pyodide's inner module has no types; loader.ts says what is used of it
import createPython from "pyodide-factory";

import type { Asset } from "./build.ts";
import { connect, type Edgegate } from "./client.ts";
import { LoadError } from "./errors.ts";
import type { LoadOptions } from "./index.ts";
import { boot } from "./loader.ts";

export * from "./errors.ts";
export { InMemoryStore } from "./store-in-memory.ts";

async function unpack(asset: Asset, onBytes: (count: number) => void): Promise<Uint8Array> {
  const block = document.getElementById(`asset:${asset.path}`);
  if (!block) throw new LoadError("this page doesn't hold it", asset.path);
  const packed = Uint8Array.from(atob(block.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  block.remove(); // it is large, and needed once
  onBytes(bytes.length);
  return bytes;
}

/** A started edgegate, from what the page holds. `assets` has no meaning here. */
export function loadEdgegate({ onProgress, signal }: LoadOptions = {}): Promise<Edgegate> {
  const started = (async () => {
    const core = await boot({ read: unpack, python: async () => createPython }, onProgress, signal);
    onProgress?.({ stage: "ready", done: 1, total: 1 });
    return connect({
    call: async (request) => core.call(request),
    measure: async () => ({ heapBytes: core.heapBytes(), from: core.from, downloads: [] }),
    close() {},
  });
  })();
  (globalThis as { edgegate?: Promise<Edgegate> }).edgegate = started;
  return started;
}
