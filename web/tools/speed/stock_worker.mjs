// A module worker in a browser; beside it stand pyodide/ and wheels.json, the list of the wheels, ours first.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { stockVerdict } from "./stock.mjs";

const read = async (name) => new Uint8Array(await (await fetch(`./wheels/${name}`)).arrayBuffer());
const [name, ...others] = await (await fetch("./wheels.json")).json();
const [bytes, ...wheels] = await Promise.all([name, ...others].map(read));
postMessage(await stockVerdict(loadPyodide, { indexURL: new URL("./pyodide/", import.meta.url).href }, wheels, { name, bytes }));
