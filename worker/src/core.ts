/** The core in workerd: one loader, the files that the build put beside this one. */
// @ts-expect-error: Pyodide's own file has no types; the build leaves this import as it stands.
import factory from "./pyodide.asm.mjs";
// @ts-expect-error: compiled by the runtime.
import wasm from "./pyodide.asm.wasm";
// @ts-expect-error: bytes.
import snapshot from "./snapshot.bin";

import { connect, type Edgegate } from "../../web/src/client.ts";
import { LoadError } from "../../web/src/errors.ts";
import { boot, type Core, type Watch } from "../../web/src/loader.ts";
import { fitting } from "./environment.ts";

/** Starts the core. Throws LoadError or IntegrityError; there is no library here to fall back to. */
export function startCore(watch?: Watch): Promise<Core> {
  return fitting(() =>
    boot(
      {
        async read(asset) {
          if (asset.path !== "snapshot.bin") throw new LoadError("is not part of the worker", asset.path);
          return new Uint8Array(snapshot as ArrayBuffer);
        },
        compile: async () => wasm as WebAssembly.Module,
        python: async () => factory,
      },
      undefined,
      undefined,
      watch,
    ),
  );
}

/** Edgegate over a started core. */
export function overCore(core: Core): Promise<Edgegate> {
  return connect({ call: async (request) => core.call(request), close() {} });
}
