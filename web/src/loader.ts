/**
 * Starts Python and the core in whatever runtime this is, and gives back one function: JSON in, JSON out.
 *
 * A start restores the snapshot, in which the core is imported and warm. Every byte is checked before it is used, by
 * length and hash, and counted for the progress display; nothing that isn't in this build's list can be loaded. A
 * snapshot that can't be had, or isn't this build's, or doesn't come to life, is left aside as a whole: Python then
 * starts afresh from its library and imports the core, which takes longer and ends in the same place. The same steps
 * run in a page, a Web Worker, a Service Worker, Node and workerd.
 */
import { BUILD, type Asset, type AssetName } from "./build.ts";
import { EdgegateError, IntegrityError, LoadError } from "./errors.ts";
import { startPython, type PythonFactory, type PythonModule, type Pyodide } from "./python.ts";
import { hexadecimal, readSnapshot } from "./snapshot.ts";

/** How far the start is: bytes in the stage `download`, steps done in the later ones. */
export interface Progress {
  stage: "download" | "check" | "start" | "core" | "ready";
  done: number;
  total: number;
}

/** Told of the number of bytes that came in, as they come. */
export type OnBytes = (count: number) => void;

/** What a runtime provides: how to read an asset, and the factory exported by `pyodide.asm.mjs`. */
export interface Runtime {
  /** The bytes of an asset, unchecked. */
  read(asset: Asset, onBytes: OnBytes, signal?: AbortSignal): Promise<Uint8Array>;
  /** The compiled, checked Python, where the runtime knows a better way than to compile what it reads. */
  compile?(asset: Asset, onBytes: OnBytes, signal?: AbortSignal): Promise<WebAssembly.Module>;
  python(): Promise<PythonFactory>;
}

/** A started core. */
export interface Core {
  call(request: string): string;
  /** What it was started from. */
  readonly from: "snapshot" | "library";
  /** How much memory its Python takes now, in bytes. */
  heapBytes(): number;
}

/** For tests: the memory of the fresh instance, and the memory after the snapshot was written over it. */
export interface Watch {
  onMemory?: (memory: Uint8Array, restored: boolean) => void;
}

/** The files of the core, as the build packs them: paths below `site-packages`, each with its text. */
interface CoreArchive {
  format: number;
  version: string;
  files: Record<string, string>;
}

const ARCHIVE_FORMAT = 1;

/** Starts the core. `onProgress` is told of every stage; `signal` stops the downloads. */
export async function boot(
  runtime: Runtime,
  onProgress: (progress: Progress) => void = () => {},
  signal?: AbortSignal,
  watch: Watch = {},
): Promise<Core> {
  signal?.throwIfAborted();
  const factory = runtime.python();
  factory.catch(() => {}); // reported where it is awaited
  const download = counter(onProgress, signal);
  const wasm = download.compile(runtime);
  wasm.catch(() => {});
  let problem: unknown;
  try {
    const bytes = await download.read(runtime, "snapshot");
    return await fromSnapshot(bytes, await wasm, await factory, onProgress, signal, watch);
  } catch (error) {
    signal?.throwIfAborted();
    problem = error;
  }
  // What both ways need is not there: the library would fail for the same reason.
  await Promise.all([wasm, factory]);
  const why = problem instanceof Error ? problem.message : String(problem);
  console.warn(`edgegate: starting from the library, which takes longer, since the snapshot can't be used: ${why}`);
  const parts = await Promise.all([download.read(runtime, "stdlib"), download.read(runtime, "core")]).catch((error) => {
    signal?.throwIfAborted();
    // Neither way is open; the first reason is the one to mend.
    if (problem instanceof EdgegateError && !(error instanceof IntegrityError)) throw problem;
    throw error;
  });
  return fromLibrary(parts, await wasm, await factory, onProgress, signal);
}

async function fromSnapshot(
  bytes: Uint8Array,
  wasm: WebAssembly.Module,
  factory: PythonFactory,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal | undefined,
  watch: Watch,
): Promise<Core> {
  onProgress({ stage: "check", done: 1, total: 1 });
  const snapshot = readSnapshot(bytes, BUILD.snapshot, BUILD.assets.snapshot.path);
  signal?.throwIfAborted();
  onProgress({ stage: "start", done: 0, total: 1 });
  const started = await startPython({ factory, wasm, version: BUILD.pyodide, snapshot, ...watch });
  onProgress({ stage: "start", done: 1, total: 1 });
  return ready(started, "snapshot", onProgress);
}

async function fromLibrary(
  [stdlib, archive]: [Uint8Array, Uint8Array],
  wasm: WebAssembly.Module,
  factory: PythonFactory,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal | undefined,
): Promise<Core> {
  onProgress({ stage: "check", done: 1, total: 1 });
  const core = readArchive(archive).files;
  signal?.throwIfAborted();
  onProgress({ stage: "start", done: 0, total: 1 });
  const started = await startPython({ factory, wasm, version: BUILD.pyodide, stdlib, core });
  onProgress({ stage: "start", done: 1, total: 1 });
  return ready(started, "library", onProgress);
}

/** The core of a started Python, once it has answered as this build's core does. */
function ready(
  { python, module }: { python: Pyodide; module: PythonModule },
  from: Core["from"],
  onProgress: (progress: Progress) => void,
): Core {
  onProgress({ stage: "core", done: 0, total: 1 });
  const { call } = python.pyimport("edgegate.bridge");
  const answer = JSON.parse(call('{"op":"version"}')) as { result?: { version?: string; lexicon?: string } };
  if (answer.result?.version !== BUILD.version || answer.result?.lexicon !== BUILD.lexicon) {
    throw new IntegrityError("the core that came up is not the one of this build", from);
  }
  onProgress({ stage: "core", done: 1, total: 1 });
  return { call: (request) => call(request), from, heapBytes: () => module.HEAPU8.length };
}

/** Reads assets and tells of the bytes that came in, out of those that a start needs so far. */
function counter(onProgress: (progress: Progress) => void, signal?: AbortSignal) {
  let done = 0;
  let total = BUILD.assets.wasm.bytes + BUILD.assets.snapshot.bytes;
  const counted = new Set<AssetName>(["wasm", "snapshot"]);
  const count: OnBytes = (bytes) => {
    done = Math.min(done + bytes, total);
    onProgress({ stage: "download", done, total });
  };
  count(0);
  return {
    async read(runtime: Runtime, name: AssetName): Promise<Uint8Array<ArrayBuffer>> {
      const asset = BUILD.assets[name];
      if (!counted.has(name)) total += asset.bytes;
      counted.add(name);
      return verify(asset, await runtime.read(asset, count, signal));
    },
    async compile(runtime: Runtime): Promise<WebAssembly.Module> {
      if (runtime.compile) return runtime.compile(BUILD.assets.wasm, count, signal);
      return WebAssembly.compile(await this.read(runtime, "wasm"));
    },
  };
}

/** Gives the bytes back when they are exactly the ones this build was made with; else throws IntegrityError. */
export async function verify(asset: Asset, bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes.length !== asset.bytes) {
    throw new IntegrityError(`expected ${asset.bytes} bytes, got ${bytes.length}: cut short, or of another build`, asset.path);
  }
  if (!globalThis.crypto?.subtle) {
    throw new LoadError("this page can't check what it loads: serve it over https, or from localhost", asset.path);
  }
  const own = bytes as Uint8Array<ArrayBuffer>;
  if (hexadecimal(new Uint8Array(await crypto.subtle.digest("SHA-256", own))) !== asset.sha256) {
    throw new IntegrityError("its hash is not the one of this build: damaged, or of another build", asset.path);
  }
  return own;
}

function readArchive(bytes: Uint8Array): CoreArchive {
  const archive = JSON.parse(new TextDecoder().decode(bytes)) as CoreArchive;
  if (archive.format !== ARCHIVE_FORMAT || archive.version !== BUILD.version) {
    throw new IntegrityError(`expected the core ${BUILD.version}, got ${archive.version}`, BUILD.assets.core.path);
  }
  return archive;
}
