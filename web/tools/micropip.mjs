// Installs edgegate's wheel in stock Pyodide, in every way that is told, and prints what each gave as JSON:
// node micropip.mjs FOLDER_OF_WHEELS WHEEL URL INDEX_URL LOCK
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";

import { loadPyodide } from "pyodide";

const [folder, wheel, url, index, lock] = process.argv.slice(2);
process.on("uncaughtException", (error) => {
  console.error(String(error?.message ?? error)); // its own words: Node would print the whole of Pyodide's source with them
  process.exit(1);
});
const say = (text) => process.stderr.write(`${text}\n`);

const USE = `
import edgegate, importlib.metadata, json
report = edgegate.check("I might move to Porto next year.", "The user is moving to Porto next year.")
json.dumps([importlib.metadata.version("edgegate"), report.verdict.value])
`;
const found = {};

const python = await loadPyodide({ stdout: say, stderr: say });
for (const name of await readdir(folder)) {
  if (/^(micropip|packaging)-/.test(name)) python.unpackArchive(new Uint8Array(await readFile(join(folder, name))), "wheel");
}
python.FS.writeFile(`/tmp/${basename(wheel)}`, new Uint8Array(await readFile(wheel)));
const ways = {
  file: [`emfs:/tmp/${basename(wheel)}`, null],
  url: [url, null],
  index: ["edgegate", index],
};
for (const [way, [what, from]] of Object.entries(ways)) {
  python.globals.set("what", what);
  python.globals.set("index", from ?? undefined);
  await python.runPythonAsync(`
import micropip
await micropip.install(what, **({"index_urls": [index]} if index else {}))
`);
  found[way] = JSON.parse(python.runPython(USE));
  python.runPython(`
import sys
micropip.uninstall("edgegate")
for name in [name for name in sys.modules if name.split(".")[0] == "edgegate"]:
    del sys.modules[name]
try:
    importlib.metadata.version("edgegate")
    raise AssertionError("it was not uninstalled, so the next way proves nothing")
except importlib.metadata.PackageNotFoundError:
    pass
`);
}
const locked = await loadPyodide({ lockFileURL: lock, stdout: say, stderr: say });
await locked.loadPackage("edgegate");
found.lock = JSON.parse(locked.runPython(USE));
console.log(JSON.stringify(found));
