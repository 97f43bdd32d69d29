/**
 * Makes what a start is made of: `node snapshot.mjs PYODIDE CORE OUT`, run by build.mjs.
 *
 * Out come the trimmed, precompiled standard library (`stdlib.zip`), the snapshot (`snapshot.bin`), the small wasm
 * modules that Pyodide makes while it runs (`modules.json`, for runtimes that can't make any), and what was done
 * (`snapshot.json`). The same inputs give the same bytes: the clock and chance stand still, hashes are seeded, free
 * memory is zeroed, and the iPhone that this claims to be keeps Node's version out of it (there, Pyodide leaves a
 * trampoline away that only some versions have).
 */
import crypto, { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { startPython, type Pyodide, type PythonModule, type Start } from "../src/python.ts";
import { hexadecimal, PAGE, readSnapshot, writeSnapshot } from "../src/snapshot.ts";

const [pyodide, coreFile, out] = process.argv.slice(2) as [string, string, string];
const PYODIDE_MAGIC = 0x706e7300; // the head of Pyodide's own snapshots
const PYODIDE_NOTES = 48; // where their notes begin
const SMALL = 5000; // wasm modules up to this size are those that Pyodide makes itself

const sha256 = (...parts: (Uint8Array | string)[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};
const read = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(path));

/** Lets the clock stand still and chance give always the same, both as `seed` says. */
function freeze(seed: number): void {
  const fixed = (name: string, value: unknown): void => {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  };
  Date.now = () => 1_700_000_000_000 + seed * 987_654_321;
  Math.random = () => 0.5 / (seed + 1);
  const fill = <T extends NodeJS.ArrayBufferView>(view: T): T => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = (at * (2 * seed + 1) + 7 * (seed + 1)) & 255;
    return view;
  };
  (crypto as { randomFillSync: unknown }).randomFillSync = fill;
  process.argv = ["node", "/edgegate".repeat(seed + 1)]; // Python is told its own name
  fixed("performance", { now: () => seed * 123_456.789, timeOrigin: seed });
  fixed("navigator", { userAgent: `iPhone ${seed}`, platform: "", language: seed === 0 ? "en-US" : "xx-YY" });
}

// Every small module that is made from bytes, by its bytes.
const modules = new Set<string>();
const RealModule = WebAssembly.Module;
WebAssembly.Module = new Proxy(RealModule, {
  construct(real, [bytes]: [BufferSource]) {
    const view = ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes);
    if (view.byteLength <= SMALL) modules.add(hexadecimal(new Uint8Array(view.buffer, view.byteOffset, view.byteLength)));
    return new real(bytes);
  },
});

freeze(0);
const { default: factory } = await import(pathToFileURL(join(pyodide, "pyodide.asm.mjs")).href);
const wasmBytes = read(join(pyodide, "pyodide.asm.wasm"));
const wasm = await WebAssembly.compile(wasmBytes);
const { version } = JSON.parse(readFileSync(join(pyodide, "package.json"), "utf8")) as { version: string };
const core = JSON.parse(readFileSync(coreFile, "utf8")) as { files: Record<string, string>; imports: string[] };
const common: Start = { factory, wasm, version, core: core.files };

/** Makes one object of each word that stands in many places of the lexicons, before any of them is read. */
const SHARE = `
def share():
    from edgegate.language import lexicon, machine

    one = {}

    def shared(value):
        if type(value) is str:
            return one.setdefault(f"={value}", value)  # a copy is looked up: that computes a hash, which stays
        if type(value) is list:
            return [shared(entry) for entry in value]
        if type(value) is dict:
            return {shared(key): shared(entry) for key, entry in value.items()}
        return value

    compiled = lexicon._loaded()
    for part in ("cues", "tables"):
        compiled[part] = shared(compiled[part])
    symbols = machine.machine().symbols
    machine.machine().symbols = {one.get(f"={word}", word): symbol for word, symbol in symbols.items()}
share()
del share
`;

/** Imports all that the core can ever import, and does each kind of work once, so that its caches are filled. */
function warm(python: Pyodide): void {
  python.runPython(SHARE);
  for (const name of core.imports) python.runPython(`try:\n    import ${name}\nexcept ImportError:\n    pass`);
  python.runPython("import traceback, linecache, warnings");
  const bridge = python.pyimport("edgegate.bridge");
  const call = (op: string, fields: object): unknown => {
    const reply = JSON.parse(bridge.call(JSON.stringify({ op, ...fields })));
    if (!reply.ok) throw new Error(`warming up ${op}: ${JSON.stringify(reply.error)}`);
    return reply.result;
  };
  call("version", {});
  bridge.call('{"op": "none"}');
  bridge.call("not json");
  // A few words of each kind of work, so that its tables are read. Not more: every word that was once looked up unpacks a
  // piece of the automaton, and that is bytes for everyone who downloads this.
  call("check", { source: "It rains.", memory: "It rains." });
  const { guard } = call("guard.open", { evidence: { memories: ["It rains."] } }) as { guard: number };
  call("guard.feed", { guard, text: "It rains. " });
  call("guard.close", { guard });
  call("guard.free", { guard });
}

/**
 * Lets go of what the core read its tables from: each is kept by a cache that never forgets, in the form it is used. But
 * what is learned, and long lists of words in all their forms, are kept as their text, an eighth of the bytes: reading
 * that takes some hundredths of a second, once.
 */
const SQUEEZE = `
from edgegate.guard import safety, strangers
from edgegate.guard.trees import trees
from edgegate.language import cues, lexicon, wording
compiled = lexicon._loaded()
for name in compiled["tables"]:
    lexicon.table(name)
    compiled["tables"][name] = None
cues.machine()
compiled["automaton"] = compiled["cues"] = None
for module in (safety, strangers):
    for listed in vars(module).values():
        if hasattr(listed, "cache_clear") and listed.__module__ == module.__name__:
            listed.cache_clear()
for learned in (trees, wording.class_of, wording.head):
    learned.cache_clear()
del compiled, cues, learned, lexicon, listed, module, name, safety, strangers, trees, wording
`;

/** Empties what was only of use so far, and zeroes the free memory: what is left is what the core needs. */
function scrub(python: Pyodide, module: PythonModule): void {
  const end = (): number => module.HEAPU32[module._emscripten_get_sbrk_ptr() >>> 2]!;
  python.runPython(`
import gc, linecache, re, sys
linecache.clearcache()
re.purge()
# What nobody types has a buffer of 128 kB, made of memory that held the library's zip: a smaller one, and that is free.
sys.stdin.buffer.__init__(sys.stdin.buffer.raw, 512)
sys._clear_internal_caches()
gc.collect()
held = []

def take(size, count):
    # Blocks of Python's own allocator, of one size each: a taken block is an object full of zeros.
    empty = bytes.__basicsize__
    if size > empty:
        held.append([bytes(size - empty) for _ in range(count)])
    else:
        held.append([number + 0.5 for number in range(count)] if size > 8 else [object() for _ in range(count)])
`);
  // First the blocks that are free between those in use, size by size; then whatever is free as a whole.
  for (let size = 8; size <= 512; size += 8) {
    python.runPython(`take(${size}, ${Math.floor(1_000_000 / size)}); held.clear()`);
  }
  for (const before = end(); end() === before; ) python.runPython("take(512, 500)");
  // What is in the snapshot stays for good: frozen, it is never looked at again when Python looks for what to free.
  python.runPython("held.clear(); del held, take, linecache, re, sys; gc.collect(); gc.freeze()");
  untrack(python, module);
  python.runPython("del gc");
  const places: number[] = [];
  for (let size = 512 << 10; size >= 16; size = size > 1024 ? Math.floor(size * 0.8) : size - 8) {
    for (;;) {
      const before = end();
      const place = module._malloc(size);
      if (place === 0) break;
      places.push(place);
      if (end() !== before) break;
      module.HEAPU8.fill(0, place, place + size);
    }
  }
  for (const place of places.reverse()) module._free(place);
  module.HEAPU8.fill(0, end());
}

/**
 * Takes what is frozen out of the list in which Python keeps it. Nobody reads that list, but it stands in memory as two
 * addresses before each of some 27,000 objects, and they took a twentieth of the compressed snapshot in a trial. To be in
 * no list is nothing special (a tuple of texts is in none): the object goes when the last reference to it does, as before.
 *
 * How the list is laid out is CPython's `PyGC_Head`: before each object the next and the last, with marks in their lowest
 * bits. It ends where it began, in a head that is no object and stands in static memory, below all of them.
 */
function untrack(python: Pyodide, module: PythonModule): void {
  const count = Number(python.runPython("gc.get_freeze_count()"));
  const first = Number(python.runPython("id(gc.__dict__)")) - 8;
  const words = module.HEAPU32;
  const list = [first];
  for (let next = words[first >>> 2]! & ~3; next !== first; next = words[next >>> 2]! & ~3) {
    if (list.push(next) > count + 1) break;
  }
  const [head, ...objects] = list.sort((one, two) => one - two) as [number, ...number[]];
  if (objects.length !== count) throw new Error(`${count} objects are frozen, and the list of them is another: see to it`);
  for (const object of objects) words.fill(0, object >>> 2, (object >>> 2) + 2);
  words.fill(head, head >>> 2, (head >>> 2) + 2);
}

/**
 * Modules that bring in much of the standard library for what the core never does: an event loop, sockets, subprocesses,
 * packages from the network, the names of HTML's characters. What stands in for them holds the few names that are asked
 * for at the start.
 */
const STAND_INS: Record<string, string> = {
  "html/entities.py": "html5 = None  # which reading the names of characters would need, and escaping does not\n",
  // Names of it are looked up, and called only when Python awaits something of JavaScript.
  "asyncio/__init__.py": "def __getattr__(name):\n    return None\n",
  "pyodide/webloop.py":
    // Held as the original holds it: Pyodide can't keep a state that has holes where objects of JavaScript were.
    "from pyodide_js._api import scheduleCallback\n\n\ndef _initialize_event_loop():\n    pass\n",
  "pyodide/_package_loader.py":
    "from pathlib import Path\nfrom site import getsitepackages\nfrom pyodide_js import loadedPackages\n\n" +
    "SITE_PACKAGES = Path(getsitepackages()[0])\nDSO_DIR = SITE_PACKAGES\n",
};

/**
 * What is compiled here goes without what nobody reads and everybody would download: docstrings, the types that functions
 * are annotated with (those of classes stay, since records are read by them), and the lines that code stands at. A fault of
 * the core is looked for by starting from the library, which has the core's own text.
 */
const LEAN = `
def lean(text, path):
    import _imp, ast, importlib.util, marshal

    def without_lines(code):
        consts = [without_lines(const) if isinstance(const, type(code)) else const for const in code.co_consts]
        return code.replace(co_consts=tuple(consts), co_linetable=b"")

    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
    code = compile(tree, path, "exec", dont_inherit=True, optimize=2)
    head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little")
    return head + _imp.source_hash(_imp.pyc_magic_number_token, text) + marshal.dumps(without_lines(code))
`;

/** The files of the core with every module compiled. */
function compiled({ python, module }: { python: Pyodide; module: PythonModule }): Record<string, string | Uint8Array> {
  python.runPython(LEAN);
  const found: Record<string, string | Uint8Array> = {};
  for (const [path, text] of Object.entries(core.files)) {
    if (!path.endsWith(".py")) {
      found[path] = text;
      continue;
    }
    module.FS.writeFile("/module.py", text);
    python.runPython(`
with open("/module.py", "rb") as source, open("/module.pyc", "wb") as made:
    made.write(lean(source.read(), "${path}"))
`);
    found[`${path}c`] = module.FS.readFile("/module.pyc");
  }
  return found;
}

/** The standard library with only the modules that are loaded in `python`, each compiled. */
function trim({ python, module }: { python: Pyodide; module: PythonModule }): Uint8Array {
  module.FS.writeFile("/stand_ins.json", JSON.stringify(STAND_INS));
  python.runPython(`
${LEAN}
def trim():
    import json, sys, zipfile
    with open("/stand_ins.json") as file:
        stand_ins = json.load(file)
    library = "/lib/python%d%d.zip/" % sys.version_info[:2]
    files = [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
    wanted = {name.removeprefix(library).removesuffix("c") for name in files if name.startswith(library)}
    with zipfile.ZipFile(library[:-1]) as whole, zipfile.ZipFile("/stdlib.zip", "w") as trimmed:
        for name in sorted(wanted & set(whole.namelist())):
            text = stand_ins.get(name, "").encode() or whole.read(name)
            entry = zipfile.ZipInfo(name + "c", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            trimmed.writestr(entry, lean(text, library + name), compresslevel=9)
trim()
del trim
`);
  return module.FS.readFile("/stdlib.zip");
}

/** The standard library `zip` without the modules that are not among `modules`. */
function keep({ module, python }: { python: Pyodide; module: PythonModule }, zip: Uint8Array, modules: string[]): Uint8Array {
  module.FS.writeFile("/kept.json", JSON.stringify(modules));
  module.FS.writeFile("/before.zip", zip);
  python.runPython(`
def keep():
    import json, zipfile
    with open("/kept.json") as file:
        kept = {name.replace(".", "/") for name in json.load(file)}
    with zipfile.ZipFile("/before.zip") as before, zipfile.ZipFile("/after.zip", "w") as after:
        for entry in before.infolist():
            if entry.filename.removesuffix(".pyc").removesuffix("/__init__") in kept:
                after.writestr(entry, before.read(entry), compresslevel=9)
keep()
del keep
`);
  return module.FS.readFile("/after.zip");
}

const loadedIn = (python: Pyodide): string[] =>
  String(python.runPython("import sys; ' '.join(sorted(sys.modules))")).split(" ");

// The library first: what the whole one has loaded when the core is warm, then what is still loaded with the stand-ins.
const whole = await startPython({ ...common, stdlib: read(join(pyodide, "python_stdlib.zip")) });
warm(whole.python);
const larger = trim(whole);
const smaller = await startPython({ ...common, stdlib: larger });
warm(smaller.python);
const stdlib = keep(whole, larger, loadedIn(smaller.python));

// The snapshot: a Python that starts from the trimmed library, is warm, and then leaves the files behind.
freeze(0);
const { python, module } = await startPython({ ...common, stdlib, core: compiled(whole), making: true });
warm(python);
python.runPython(SQUEEZE);
python.runPython("import sys; sys.path_importer_cache.clear(); sys.path_hooks[:] = []");
scrub(python, module);
const own = python.makeMemorySnapshot();
const head = new Uint32Array(own.buffer, own.byteOffset, 3);
if (head[0] !== PYODIDE_MAGIC) throw new Error(`Pyodide's snapshots begin with ${head[0]!.toString(16)} now: see to it`);
const heap = own.slice(head[1]!);
const notes = own.slice(PYODIDE_NOTES, PYODIDE_NOTES + head[2]!);

const buildId = sha256(
  `edgegate snapshot, pyodide ${version}, pages of ${PAGE}\n`,
  ...[wasmBytes, read(join(pyodide, "pyodide.asm.mjs")), stdlib, read(coreFile)].map((bytes) => sha256(bytes)),
);

/** Restores a snapshot under another clock and chance; the memory before and after. */
async function restore(seed: number, bytes: Uint8Array): Promise<{ base: Uint8Array; restored: string; python: Pyodide }> {
  freeze(seed);
  let base = new Uint8Array();
  let restored = "";
  const again = await startPython({
    ...common,
    core: {},
    snapshot: readSnapshot(bytes, buildId),
    onMemory: (memory, after) => {
      if (after) restored = sha256(memory);
      else base = memory.slice();
    },
  });
  return { base, restored, python: again.python };
}

// A snapshot of everything shows what a fresh memory holds; what is equal to it under another seed need not be kept.
const nothing = new Uint8Array();
const { base } = await restore(1, writeSnapshot(heap, nothing, notes, buildId));
const snapshot = writeSnapshot(heap, base, notes, buildId);
const proof = await restore(2, snapshot);
if (proof.restored !== sha256(heap)) throw new Error("the restored memory is not the one that was kept");
const answer = JSON.parse(proof.python.pyimport("edgegate.bridge").call('{"op":"version"}'));
if (!answer.ok) throw new Error(`the restored core answers ${JSON.stringify(answer)}`);

const loaded = loadedIn(proof.python);
writeFileSync(join(out, "stdlib.zip"), stdlib);
writeFileSync(join(out, "snapshot.bin"), snapshot);
writeFileSync(join(out, "modules.json"), JSON.stringify([...modules].sort(), null, 1));
writeFileSync(
  join(out, "snapshot.json"),
  JSON.stringify({ buildId, pyodide: version, lexicon: answer.result.lexicon, heap: sha256(heap), heapBytes: heap.length, modules: loaded }, null, 1),
);
