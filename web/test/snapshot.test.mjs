// The start: from the snapshot, from the library when the snapshot can't be used, and never from half of either.
import assert from "node:assert/strict";
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, mock, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { build } from "esbuild";

import { IntegrityError, loadEdgegate } from "edgegate";

const dist = fileURLToPath(new URL("../dist/edgegate/", import.meta.url));
const facts = JSON.parse(await readFile(join(dist, "snapshot.json"), "utf8"));
const good = new Uint8Array(await readFile(join(dist, "snapshot.bin")));
let folder;
let tools;
let warn;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgegate-"));
  await cp(dist, folder, { recursive: true });
  const heap = fileURLToPath(new URL("../tools/heap.ts", import.meta.url));
  const outfile = join(folder, "tools.mjs");
  await build({ entryPoints: [heap], bundle: true, format: "esm", platform: "node", outfile, logLevel: "warning" });
  tools = await import(pathToFileURL(outfile).href);
});
after(() => rm(folder, { recursive: true }));
beforeEach(() => {
  warn = mock.method(console, "warn", () => {});
});
afterEach(async () => {
  warn.mock.restore();
  for (const name of ["snapshot.bin", "core.json", "stdlib.zip", "pyodide/pyodide.asm.wasm"]) {
    await copyFile(join(dist, name), join(folder, name));
  }
});

const load = () => loadEdgegate({ assets: pathToFileURL(`${folder}/`) });
const warnings = () => warn.mock.calls.map((call) => String(call.arguments[0]));

async function damage(name, how) {
  const bytes = new Uint8Array(await readFile(join(folder, name)));
  await writeFile(join(folder, name), how(bytes));
}

const flip = (bytes) => {
  bytes[bytes.length >> 1] ^= 1;
  return bytes;
};
const cut = (bytes) => bytes.subarray(0, bytes.length >> 1);
const foreign = (bytes) => {
  bytes[24] ^= 255; // the build id
  return bytes;
};

for (const [name, how] of Object.entries({ damaged: flip, "cut short": cut, "of another build": foreign })) {
  test(`a snapshot that is ${name} is left aside, and the core starts from the library`, async () => {
    await damage("snapshot.bin", how);
    const edgegate = await load();
    assert.equal((await edgegate.check("Someone said Alice was promoted.", "Alice was promoted.")).verdict, "REWRITE");
    assert.equal(warnings().length, 1);
    assert.match(warnings()[0], /starting from the library.*snapshot\.bin/);
    edgegate.close();
  });
}

test("without a snapshot it starts from the library, and a whole snapshot needs no library", async () => {
  await rm(join(folder, "snapshot.bin"));
  (await load()).close();
  assert.equal(warnings().length, 1);
  await copyFile(join(dist, "snapshot.bin"), join(folder, "snapshot.bin"));
  await rm(join(folder, "core.json"));
  await rm(join(folder, "stdlib.zip"));
  (await load()).close();
  assert.equal(warnings().length, 1);
});

test("what both ways need is refused with its name, and so is a start with no way left", async () => {
  await damage("pyodide/pyodide.asm.wasm", flip);
  await assert.rejects(load(), (error) => error instanceof IntegrityError && error.where === "pyodide/pyodide.asm.wasm");
  await copyFile(join(dist, "pyodide/pyodide.asm.wasm"), join(folder, "pyodide/pyodide.asm.wasm"));
  await damage("snapshot.bin", flip);
  await damage("core.json", flip);
  await assert.rejects(load(), (error) => error instanceof IntegrityError && error.where === "core.json");
  await rm(join(folder, "core.json"));
  await assert.rejects(load(), (error) => error instanceof IntegrityError && error.where === "snapshot.bin");
});

test("a snapshot is read only when its magic, format, build, length and pages are right", () => {
  const read = (change) => {
    const bytes = good.slice();
    const changed = change(new DataView(bytes.buffer), bytes);
    return () => tools.readSnapshot(changed ?? bytes, facts.buildId);
  };
  assert.doesNotThrow(read(() => {}));
  assert.throws(read((view) => view.setUint32(0, 1, true)), /not a snapshot of edgegate/);
  assert.throws(read((view) => view.setUint32(4, 99, true)), /format 99/);
  assert.throws(read((_, bytes) => foreign(bytes)), /another build/);
  assert.throws(read((view) => view.setUint32(16, 7, true)), /cut short/);
  assert.throws(read((_, bytes) => bytes.subarray(0, -1)), /cut short/);
  assert.throws(read((_, bytes) => bytes.subarray(0, 20)), /too short/);
  assert.throws(read((view) => view.setUint32(8, 65536, true)), /out of place/);
});

test("a snapshot that was written is read back to the byte", () => {
  const base = new Uint8Array(8 * 1024).map((_, at) => at & 7);
  const heap = new Uint8Array(16 * 1024);
  heap.set(base);
  heap.fill(9, 3000, 3100);
  heap.fill(5, 12_000, 14_000);
  const id = "ab".repeat(32);
  const notes = new TextEncoder().encode('{"a":1}');
  const bytes = tools.writeSnapshot(heap, base, notes, id);
  assert.ok(bytes.length < 6 * 1024, `${bytes.length} bytes for four pages`);
  const snapshot = tools.readSnapshot(bytes, id);
  assert.deepEqual(snapshot.notes, { a: 1 });
  const fresh = new Uint8Array(16 * 1024);
  fresh.set(base);
  snapshot.apply(fresh);
  assert.deepEqual(fresh, heap);
});
