/**
 * What Pyodide expects of a runtime and workerd does otherwise.
 *
 * - Pyodide makes small wasm modules while it runs, and workerd makes none from bytes: the build has collected them, and
 *   they are looked up here by their bytes. A module that isn't among them is an error, and not a silent one.
 * - Pyodide listens for events in a way that workerd refuses; nothing in the core waits for one.
 * - workerd has some of Node's names; saying so as Electron's windows do keeps Pyodide from using them.
 */
// @ts-expect-error: made by the build.
import modules from "./modules.mjs";
import { LoadError } from "../../web/src/errors.ts";
import { hexadecimal } from "../../web/src/snapshot.ts";

const SMALL = 5000;
// Pyodide does without this one where it can't be made, and so does the snapshot.
const OPTIONAL = hexadecimal(new TextEncoder().encode("trampoline_call"));

/** Makes the runtime fit while `work` is done, and as it was after it. */
export async function fitting<T>(work: () => Promise<T>): Promise<T> {
  const scope = globalThis as unknown as {
    addEventListener: unknown;
    process?: { browser?: boolean; type?: string };
  };
  const RealModule = WebAssembly.Module;
  let missing = 0;
  WebAssembly.Module = new Proxy(RealModule, {
    construct(real, [bytes]: [BufferSource]) {
      const view = ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes);
      const code = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
      const key = code.length <= SMALL ? hexadecimal(code) : "";
      const known = (modules as Map<string, WebAssembly.Module>).get(key);
      if (!known && !key.includes(OPTIONAL)) missing += 1;
      return known ?? new real(bytes);
    },
  });
  const { addEventListener } = scope;
  scope.addEventListener = undefined;
  if (typeof scope.process === "object") Object.assign(scope.process, { browser: true, type: "renderer" });
  try {
    const result = await work();
    // Pyodide swallows the error, and what it would have called breaks much later.
    if (missing > 0) throw new LoadError(`${missing} wasm modules that Pyodide makes were not collected`, "modules.mjs");
    return result;
  } finally {
    scope.addEventListener = addEventListener;
  }
}
