// The soak in workerd: asked for `?chunks=N`, it goes on until N pieces were fed in all, and answers with what is held then.
// @ts-expect-error: Pyodide's own file has no types; the build leaves this import as it stands.
import factory from "./pyodide.asm.mjs";
// @ts-expect-error: compiled by the runtime.
import wasm from "./pyodide.asm.wasm";
// @ts-expect-error: bytes.
import snapshot from "./snapshot.bin";

import { fitting } from "../../../worker/src/environment.ts";
import { BUILD } from "../../src/build.ts";
import { connect } from "../../src/client.ts";
import { startPython } from "../../src/python.ts";
import { readSnapshot } from "../../src/snapshot.ts";
import { Soak } from "./soak.ts";

const start = { factory, wasm, version: BUILD.pyodide, snapshot: readSnapshot(new Uint8Array(snapshot as ArrayBuffer), BUILD.snapshot) };
const { python, module } = await fitting(() => startPython(start));
const { call } = python.pyimport("edgegate.bridge");
const soak = new Soak(await connect({ call: async (request) => call(request), close() {} }));

export default {
  async fetch(request: Request): Promise<Response> {
    const tally = await soak.run(Number(new URL(request.url).searchParams.get("chunks")));
    python.runPython("import gc; gc.collect()");
    const objects = Number(python.runPython("len(gc.get_objects())"));
    const reached = module.HEAPU32[module._emscripten_get_sbrk_ptr() >>> 2];
    const open = Number(python.runPython("import edgegate.bridge; len(edgegate.bridge._guards)"));
    return Response.json({ ...tally, objects, reached, open, wasm: module.HEAPU8.length });
  },
};
