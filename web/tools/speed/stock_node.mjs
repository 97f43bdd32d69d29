// node stock_node.mjs WHEEL OTHER_WHEEL...
import { readFileSync } from "node:fs";
import { basename } from "node:path";

import { loadPyodide } from "pyodide";

import { stockVerdict } from "./stock.mjs";

const read = (path) => new Uint8Array(readFileSync(path));
const [wheel, ...others] = process.argv.slice(2);
console.log(await stockVerdict(loadPyodide, {}, others.map(read), { name: basename(wheel), bytes: read(wheel) }));
