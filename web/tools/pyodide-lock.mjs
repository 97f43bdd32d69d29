// Runs the Python package pyodide-lock in Pyodide: node pyodide-lock.mjs WHEEL FOLDER_OF_WHEELS LOCK [--stock]
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

import { loadPyodide } from "pyodide";

const LOCK = `
from pathlib import Path
from pyodide_lock import PyodideLockSpec
from pyodide_lock.utils import add_wheels_to_spec

spec = PyodideLockSpec.from_json(Path("/lock/stock.json"))
if not stock:
    spec.packages.clear()
spec = add_wheels_to_spec(spec, [Path(wheel)])
spec.check_wheel_filenames()
spec.to_json(Path("/lock/out.json"), indent=1)
`;

async function main(wheel, folder, target, stock) {
  const python = await loadPyodide();
  for (const name of await readdir(folder)) {
    if (!/\.whl$/.test(name) || name.startsWith("micropip-")) continue;
    python.unpackArchive(new Uint8Array(await readFile(join(folder, name))), "wheel");
  }
  const place = `/lock/${basename(wheel)}`;
  python.FS.mkdirTree("/lock");
  python.FS.writeFile(place, new Uint8Array(await readFile(wheel)));
  const own = fileURLToPath(new URL("pyodide-lock.json", import.meta.resolve("pyodide/package.json")));
  python.FS.writeFile("/lock/stock.json", new Uint8Array(await readFile(own)));
  python.globals.set("wheel", place);
  python.globals.set("stock", stock);
  python.runPython(LOCK);
  await writeFile(target, `${python.FS.readFile("/lock/out.json", { encoding: "utf8" })}\n`);
}

const [wheel, folder, target, stock] = process.argv.slice(2);
main(wheel, folder, target, stock === "--stock").catch((error) => {
  console.error(String(error?.message ?? error)); // its own words: Node would print the whole of Pyodide's source with them
  process.exit(1);
});
