/** For the tests: what memory holds once the snapshot is restored, in whatever runtime this is, as one hash. */
import { startPython, type PythonFactory } from "../src/python.ts";
import { hexadecimal, readSnapshot } from "../src/snapshot.ts";

/** What `snapshot.json` says. */
export interface Facts {
  buildId: string;
  pyodide: string;
}

/** The SHA-256 of the restored memory, and the answers of the core that lives in it to `requests`, one after the other. */
export async function restoredHeap(
  factory: PythonFactory,
  wasm: WebAssembly.Module,
  snapshot: Uint8Array,
  { buildId, pyodide }: Facts,
  requests: readonly string[],
): Promise<{ heap: string; answers: string[] }> {
  let memory: Uint8Array<ArrayBuffer> | undefined;
  const { python } = await startPython({
    factory,
    wasm,
    version: pyodide,
    snapshot: readSnapshot(snapshot, buildId),
    onMemory: (found, restored) => {
      if (restored) memory = found.slice() as Uint8Array<ArrayBuffer>;
    },
  });
  const heap = hexadecimal(new Uint8Array(await crypto.subtle.digest("SHA-256", memory!)));
  const core = python.pyimport("edgegate.bridge");
  return { heap, answers: requests.map((request) => core.call(request)) };
}

export { readSnapshot, writeSnapshot } from "../src/snapshot.ts";
