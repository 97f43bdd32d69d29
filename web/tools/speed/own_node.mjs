// node own_node.mjs: the package as built, and the first verdict.
import { loadEdgegate } from "../../dist/edgegate/node.js";

const edgegate = await loadEdgegate();
console.log((await edgegate.check("Someone said Alice was promoted.", "Alice was promoted.")).verdict);
