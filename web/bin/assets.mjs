#!/usr/bin/env node
// Copies what edgegate loads at run time into a folder that is served: npx edgegate-assets public/edgegate
// Then start it with loadEdgegate({ assets: "/edgegate/" }).
import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const target = process.argv[2];
if (!target || target.startsWith("-")) {
  console.error("usage: edgegate-assets FOLDER");
  process.exit(2);
}
const source = fileURLToPath(new URL("../dist/edgegate/", import.meta.url));
// What an earlier version left there goes, so that two versions never mix; nothing else in the folder is touched.
const names = (await readdir(source)).filter((name) => name !== "types" && name !== "node.js");
await mkdir(target, { recursive: true });
for (const name of names) {
  await rm(join(target, name), { recursive: true, force: true });
  await cp(join(source, name), join(target, name), { recursive: true });
}
console.log(`edgegate-assets: ${names.length} entries in ${target}`);
