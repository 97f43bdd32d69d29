/**
 * How long calls of the core take in Node: `node calls.mjs EDGEGATE ROWS`. Every line of the file ROWS is a list of
 * requests, made one after the other; `"guard": 0` in a request stands for the guard that the row opened. Out come rows of
 * milliseconds, one for each request.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { boot } from "../../src/loader.ts";

const [folder, rows] = process.argv.slice(2) as [string, string];
const core = await boot({
  read: async ({ path }) => new Uint8Array(readFileSync(join(folder, path))),
  python: async () => (await import(pathToFileURL(join(folder, "pyodide/pyodide.asm.mjs")).href)).default,
});
for (const line of readFileSync(rows, "utf8").split("\n").filter(Boolean)) {
  let guard = 0;
  const times = (JSON.parse(line) as { op: string; guard?: number }[]).map((request) => {
    const text = JSON.stringify("guard" in request ? { ...request, guard } : request);
    const begun = performance.now();
    const reply = core.call(text);
    const took = performance.now() - begun;
    const { ok, result, error } = JSON.parse(reply);
    if (!ok) throw new Error(`${request.op}: ${JSON.stringify(error)}`);
    if (request.op === "guard.open") guard = result.guard;
    return Number(took.toFixed(4));
  });
  console.log(JSON.stringify(times));
}
