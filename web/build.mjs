// Bundles the package and the page: node build.mjs OUT, where OUT/edgegate/core.json stands already (build_scripts/bundle.py
// puts it there). Everything else comes from src/, page/ and the pinned pyodide package.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "dist"));
const own = join(out, "edgegate");

async function asset(path) {
  const bytes = await readFile(join(own, path));
  return { path, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

// Pyodide's own files, unedited.
const pyodide = join(here, "node_modules", "pyodide");
const { version: pyodideVersion } = JSON.parse(await readFile(join(pyodide, "package.json"), "utf8"));
await mkdir(join(own, "pyodide"), { recursive: true });
for (const name of ["pyodide.asm.mjs", "pyodide.asm.wasm"]) {
  await copyFile(join(pyodide, name), join(own, "pyodide", name));
}

await copyFile(join(here, "NOTICE.txt"), join(own, "NOTICE.txt"));
await copyFile(join(here, "..", "LICENSE"), join(own, "LICENSE.txt"));

const base = {
  absWorkingDir: here,
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

// What a start is made of: the snapshot and, for when it can't be used, the trimmed library. Facts about it go to `made`.
const made = await mkdtemp(join(tmpdir(), "edgegate-"));
try {
  await build({ ...base, entryPoints: ["tools/snapshot.ts"], outfile: join(made, "snapshot.mjs"), platform: "node" });
  const run = spawnSync(
    process.execPath,
    [join(made, "snapshot.mjs"), pyodide, join(own, "core.json"), made],
    { stdio: ["ignore", "inherit", "pipe"], encoding: "utf8", maxBuffer: 1 << 24 },
  );
  // An error of Pyodide's comes with the line it happened in, and that is a million letters long.
  const said = run.stderr.split("\n").map((line) => line.slice(0, 300)).join("\n");
  if (run.status !== 0) throw new Error(`the snapshot could not be made:\n${said}`);
  if (said.trim() !== "") console.error(said);
  for (const name of ["snapshot.bin", "stdlib.zip", "snapshot.json", "modules.json"]) {
    await copyFile(join(made, name), join(own, name));
  }
} finally {
  await rm(made, { recursive: true, force: true });
}
const snapshot = JSON.parse(await readFile(join(own, "snapshot.json"), "utf8"));

const { version } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
const facts = {
  version,
  pyodide: pyodideVersion,
  lexicon: snapshot.lexicon,
  snapshot: snapshot.buildId,
  assets: {
    wasm: await asset("pyodide/pyodide.asm.wasm"),
    snapshot: await asset("snapshot.bin"),
    stdlib: await asset("stdlib.zip"),
    core: await asset("core.json"),
  },
};

await writeFile(join(own, "build.json"), JSON.stringify(facts)); // for web/webview.mjs, which makes one file of all

const common = { ...base, define: { __EDGEGATE__: JSON.stringify(facts) } };

// The error classes stand in a file of their own, so that an error of one entry is an instance of what another exports.
const shareErrors = {
  name: "share-errors",
  setup(setup) {
    setup.onResolve({ filter: /\/errors\.ts$/ }, () => ({ path: "./errors.js", external: true }));
  },
};
const streams = { openai: "src/streams/openai.ts", anthropic: "src/streams/anthropic.ts", "ai-sdk": "src/streams/ai-sdk.ts" };

// The package: the same loader in index, node and worker, so that each is whole by itself.
await build({ ...common, entryPoints: { errors: "src/errors.ts", worker: "src/worker.ts" }, outdir: own, platform: "browser" });
const withErrors = { ...common, outdir: own, plugins: [shareErrors] };
const indexeddb = "src/store-indexeddb.ts";
await build({ ...withErrors, entryPoints: { index: "src/index.ts", indexeddb, ...streams }, platform: "browser" });
// Both service workers get their list of files when everything else stands: build_scripts/offline.py.
await build({ ...common, entryPoints: { "service-worker": "src/service-worker.ts" }, outdir: own, platform: "browser" });
await build({ ...common, entryPoints: { sw: "page/sw.ts" }, outdir: out, platform: "browser", format: "iife" });
await build({ ...withErrors, entryPoints: { node: "src/node.ts" }, platform: "node" });
await build({ ...withErrors, entryPoints: { inline: "src/inline.ts" }, platform: "browser", external: ["./pyodide/*"] });

// The page and the check use the package as built, not a second copy of it.
const usePackage = (path) => ({
  name: "use-package",
  setup(setup) {
    setup.onResolve({ filter: /^edgegate$/ }, () => ({ path, external: true }));
    setup.onResolve({ filter: /^edgegate\/indexeddb$/ }, () => ({ path: "./edgegate/indexeddb.js", external: true }));
  },
});
await build({
  ...common,
  entryPoints: { page: "page/page.ts", styles: "page/styles.css" },
  outdir: out,
  platform: "browser",
  plugins: [usePackage("./edgegate/index.js")],
});
await build({
  ...common,
  entryPoints: { check: "tools/check.ts" },
  outdir: out,
  platform: "node",
  plugins: [usePackage("./edgegate/node.js")],
});
await mkdir(join(out, "recordings"), { recursive: true });
for (const name of await readdir(join(here, "page", "recordings"))) {
  if (name.endsWith(".json")) await copyFile(join(here, "page", "recordings", name), join(out, "recordings", name));
}
for (const name of ["index.html", "icon.svg", "manifest.webmanifest"]) await copyFile(join(here, "page", name), join(out, name));
