/**
 * How long calls of the core take in Node: `node calls.mjs EDGEGATE ROWS`. Every line of the file ROWS is a list of
 * requests, made one after the other; `"guard": 0` in a request stands for the guard that the row opened last, and
 * `"readings": 0` for the readings. Out come rows of milliseconds of the processor (of all threads of this process: what else the machine does is left out), one for each
 * request.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { boot } from "../../src/loader.ts";

const [folder, rows] = process.argv.slice(2) as [string, string];
const spent = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const core = await boot({
  read: async ({ path }) => new Uint8Array(readFileSync(join(folder, path))),
  python: async () => (await import(pathToFileURL(join(folder, "pyodide/pyodide.asm.mjs")).href)).default,
});
for (const line of readFileSync(rows, "utf8").split("\n").filter(Boolean)) {
  const opened: Record<string, number> = {};
  const times = (JSON.parse(line) as Record<string, unknown>[]).map((request) => {
    const known = Object.entries(opened).filter(([name]) => name in request);
    const text = JSON.stringify({ ...request, ...Object.fromEntries(known) });
    const begun = spent();
    const reply = core.call(text);
    const took = spent() - begun;
    const { ok, result, error } = JSON.parse(reply);
    if (!ok) throw new Error(`${request.op}: ${JSON.stringify(error)}`);
    if (String(request.op).endsWith(".open")) Object.assign(opened, result);
    return Number(took.toFixed(4));
  });
  console.log(JSON.stringify(times));
}
