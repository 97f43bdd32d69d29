// The soak in a page: the package in a worker of its own, driven from here through `soak`.
import { loadEdgegate } from "../../src/index.ts";
import { Soak } from "./soak.ts";

const edgegate = await loadEdgegate({ assets: "./edgegate/" });
const soak = new Soak(edgegate);

/** Goes on until `chunks` pieces were fed in all: what was done, and how large the worker's Python is. */
async function step(chunks: number): Promise<unknown> {
  const tally = await soak.run(chunks);
  return { ...tally, wasm: (await edgegate.measure()).heapBytes };
}

Object.assign(globalThis, { step });
document.title = "ready";
