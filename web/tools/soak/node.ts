// The soak in Node: node node.mjs FOLDER CHUNKS STEPS [leak]. Prints one line of JSON for each step. Node has to be started with
// --expose-gc: what is left after a collection is what counts.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

import { connect } from "../../src/client.ts";
import { startPython } from "../../src/python.ts";
import { readSnapshot } from "../../src/snapshot.ts";
import { Soak } from "./soak.ts";

const [folder, chunks, steps, leak] = process.argv.slice(2) as [string, string, string, string | undefined];
const read = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(`${folder}/${name}`));
const facts = JSON.parse(readFileSync(`${folder}/snapshot.json`, "utf8")) as { pyodide: string; buildId: string };
const { default: factory } = await import(pathToFileURL(`${folder}/pyodide/pyodide.asm.mjs`).href);
const wasm = await WebAssembly.compile(read("pyodide/pyodide.asm.wasm"));
const snapshot = readSnapshot(read("snapshot.bin"), facts.buildId);
const { python, module } = await startPython({ factory, wasm, version: facts.pyodide, snapshot });
const { call } = python.pyimport("edgegate.bridge");
const soak = new Soak(await connect({ call: async (request) => call(request), close() {} }), leak === "leak");
const { gc } = globalThis as unknown as { gc(): void };

for (let step = 0; step <= Number(steps); step += 1) {
  const tally = await soak.run((Number(chunks) * step) / Number(steps));
  python.runPython("import gc; gc.collect()");
  gc();
  const { heapUsed, rss } = process.memoryUsage();
  const objects = Number(python.runPython("len(gc.get_objects())"));
  const reached = module.HEAPU32[module._emscripten_get_sbrk_ptr() >>> 2];
  const open = Number(python.runPython("import edgegate.bridge; len(edgegate.bridge._guards)"));
  console.log(JSON.stringify({ ...tally, objects, reached, open, wasm: module.HEAPU8.length, js: heapUsed, rss }));
}
