// Makes the page one HTML file that needs nothing beside it: node webview.mjs DIST OUT.html (build_scripts/webview.py calls it).
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [dist, target] = process.argv.slice(2).map((path) => resolve(path));
const facts = JSON.parse(await readFile(join(dist, "edgegate", "build.json"), "utf8"));
const pyodide = join(here, "node_modules", "pyodide", "pyodide.asm.mjs");

const names = {
  edgegate: join(here, "src", "webview.ts"),
  "edgegate/indexeddb": join(here, "src", "store-indexeddb.ts"),
  "pyodide-factory": pyodide,
};
const inside = {
  name: "inside",
  setup(setup) {
    setup.onResolve({ filter: /^(edgegate|edgegate\/indexeddb|pyodide-factory)$/ }, ({ path }) => ({ path: names[path] }));
    setup.onResolve({ filter: /^(node:|ws$)/ }, ({ path }) => ({ path, external: true })); // never reached in a browser
  },
};
const { outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: ["page/page.ts"],
  bundle: true,
  write: false,
  format: "esm",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  logLevel: "error",
  define: { __EDGEGATE__: JSON.stringify(facts) },
  plugins: [inside],
});
const script = outputFiles[0].text.trim();
const style = (await readFile(join(dist, "styles.css"), "utf8")).trim();
for (const [what, text, mark] of [["script", script, /<!--|<\/script|\r/i], ["style", style, /<\/style|\r/i]]) {
  if (mark.test(text)) throw new Error(`the ${what} holds ${mark.exec(text)[0]}, which can't stand inside a page`);
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = [
  "default-src 'none'", // no connections at all: whatever runs here, nothing leaves this file
  `script-src ${hash(script)} 'wasm-unsafe-eval'`,
  `style-src ${hash(style)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types default",
].join("; ");

const blocks = [];
for (const { path } of Object.values(facts.assets)) {
  const packed = gzipSync(await readFile(join(dist, "edgegate", path)), { level: 9 }).toString("base64");
  blocks.push(`<script type="text/plain" id="asset:${path}">${packed}</script>`);
}
for (const name of (await readdir(join(dist, "recordings"))).sort()) {
  const text = JSON.stringify(JSON.parse(await readFile(join(dist, "recordings", name), "utf8"))).replaceAll("<", "\\u003c");
  blocks.push(`<script type="application/json" id="file:recordings/${name}">${text}</script>`);
}
for (const name of ["NOTICE.txt", "LICENSE.txt"]) {
  const text = await readFile(join(dist, "edgegate", name), "utf8"); // our own words: no markup stands in them
  blocks.push(`<script type="text/plain" id="${name}">${text}</script>`);
}

/** The page with every occurrence of `pattern` replaced; it must be there. */
function replaced(page, pattern, by) {
  if (!pattern.test(page)) throw new Error(`index.html has no ${pattern}`);
  pattern.lastIndex = 0;
  return page.replace(pattern, by);
}

let page = await readFile(join(dist, "index.html"), "utf8");
page = replaced(page, /(<meta charset="utf-8" ?\/?>)/i, (found) => `${found}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`);
page = replaced(page, / *<link rel="manifest"[^>]*>\n/, "");
page = replaced(page, /<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`);
page = replaced(page, / *<script type="module"[^>]*><\/script>\n/, "");
for (const [, name] of page.matchAll(/(?:src|href)="([\w-]+\.svg)"/g)) {
  const image = `data:image/svg+xml;base64,${(await readFile(join(dist, name))).toString("base64")}`;
  page = page.replaceAll(`"${name}"`, `"${image}"`);
}
page = replaced(page, /<\/body>/, () => `${blocks.join("\n")}\n<script type="module">${script}</script>\n  </body>`);
const left = /(?:src|href)="(?!data:|#)[^"]*"/.exec(page.replace(script, ""));
if (left) throw new Error(`index.html still needs a file beside it: ${left[0]}`);
await writeFile(target, page);
