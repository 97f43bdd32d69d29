// Bundles the worker: node build.mjs WEB OUT, where WEB is the folder of the built package (web/dist/edgegate).
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [web, out] = process.argv.slice(2).map((path) => resolve(path));
const { build } = createRequire(join(here, "..", "web", "package.json"))("esbuild");

await mkdir(join(out, "modules"), { recursive: true });
for (const name of ["pyodide/pyodide.asm.mjs", "pyodide/pyodide.asm.wasm", "snapshot.bin", "NOTICE.txt"]) {
  await copyFile(join(web, name), join(out, name.split("/").at(-1)));
}

// The small modules that Pyodide would make at run time: one file each, and a table of them by their bytes.
const codes = JSON.parse(await readFile(join(web, "modules.json"), "utf8"));
for (const [at, code] of codes.entries()) await writeFile(join(out, "modules", `${at}.wasm`), Buffer.from(code, "hex"));
await writeFile(
  join(out, "modules.mjs"),
  `${codes.map((_, at) => `import m${at} from "./modules/${at}.wasm";`).join("\n")}\n` +
    `export default new Map([\n${codes.map((code, at) => `  ["${code}", m${at}],`).join("\n")}\n]);\n`,
);

const facts = await readFile(join(web, "build.json"), "utf8");
await build({
  absWorkingDir: here,
  entryPoints: { worker: "src/main.ts", memories: "src/memories.ts" },
  outdir: out,
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  platform: "neutral",
  external: ["./pyodide.asm.mjs", "./pyodide.asm.wasm", "./snapshot.bin", "./modules.mjs", "cloudflare:workers"],
  define: { __EDGEGATE__: facts },
});

// The configuration of workerd itself. A hosted deployment reads wrangler.jsonc instead; both name the same modules.
const embedded = [
  `(name = "worker.js", esModule = embed "worker.js")`,
  `(name = "pyodide.asm.mjs", esModule = embed "pyodide.asm.mjs")`,
  `(name = "pyodide.asm.wasm", wasm = embed "pyodide.asm.wasm")`,
  `(name = "snapshot.bin", data = embed "snapshot.bin")`,
  `(name = "modules.mjs", esModule = embed "modules.mjs")`,
  ...codes.map((_, at) => `(name = "modules/${at}.wasm", wasm = embed "modules/${at}.wasm")`),
];
const template = await readFile(join(here, "workerd.capnp"), "utf8");
await writeFile(join(out, "workerd.capnp"), template.replace("  # MODULES", embedded.map((line) => `    ${line},`).join("\n")));
