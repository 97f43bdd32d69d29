/**
 * Starts Python and the core in whatever runtime this is, and gives back one function: JSON in, JSON out.
 *
 * This is the only place that knows Pyodide. It takes the stock `pyodide.asm.mjs` factory, and hands it bytes that were
 * checked first, instead of letting Pyodide fetch for itself: so nothing that isn't in this build's list can be loaded,
 * every byte that comes in is counted for the progress display, and the same steps run in a page, a worker and Node.
 */
import { BUILD, type Asset, type AssetName } from "./build.ts";
import { IntegrityError, LoadError } from "./errors.ts";

/** How far the start is: bytes in the stage `download`, steps done in the later ones. */
export interface Progress {
  stage: "download" | "check" | "start" | "core" | "ready";
  done: number;
  total: number;
}

/** What a runtime provides: how to read an asset, and the factory exported by `pyodide.asm.mjs`. */
export interface Runtime {
  /** The bytes of an asset. Calls `onBytes` with the number of bytes that came in, as they come. */
  read(asset: Asset, onBytes: (count: number) => void, signal?: AbortSignal): Promise<Uint8Array>;
  python(): Promise<PythonFactory>;
}

/** A started core. */
export interface Core {
  call(request: string): string;
}

// The part of Pyodide's inside that the loader touches. It is pinned: another version is refused below.
type PythonFactory = (settings: Record<string, unknown>) => Promise<PythonModule>;
interface PythonModule {
  _Py_Version: number;
  HEAPU32: Uint32Array;
  ENV: Record<string, string>;
  FS: {
    mkdirTree(path: string): void;
    writeFile(path: string, data: Uint8Array | string, options?: { canOwn: boolean }): void;
    chdir(path: string): void;
  };
  locateFile(path: string): string;
}
interface PythonApi {
  config: Record<string, unknown>;
  runtimeEnv: Record<string, boolean>;
  version?: string;
  pyVersionTuple?: number[];
  sitePackages?: string;
  finalizeBootstrap?(): { pyimport(name: string): { call(request: string): string } };
  sys?: { path: { insert(at: number, entry: string): void } };
  _pyodide?: { set_excepthook(): void };
  initializeStreams?(stdin: undefined, stdout: (line: string) => void, stderr: (line: string) => void): void;
}

/** The files of the core, as the build packs them: paths below `site-packages`, each with its text. */
interface CoreArchive {
  format: number;
  version: string;
  files: Record<string, string>;
}

const ARCHIVE_FORMAT = 1;
const HOME = "/home/edgegate";

/** Starts the core. `onProgress` is told of every stage; `signal` stops the downloads. */
export async function boot(
  runtime: Runtime,
  onProgress: (progress: Progress) => void = () => {},
  signal?: AbortSignal,
): Promise<Core> {
  signal?.throwIfAborted();
  const factory = runtime.python();
  factory.catch(() => {}); // reported where it is awaited
  const [wasm, stdlib, archive] = await readAssets(runtime, onProgress, signal);
  onProgress({ stage: "check", done: 1, total: 1 });
  const core = readArchive(archive);
  signal?.throwIfAborted();
  onProgress({ stage: "start", done: 0, total: 3 });
  const module = await WebAssembly.compile(wasm);
  onProgress({ stage: "start", done: 1, total: 3 });
  const api = await startPython(await factory, module, stdlib, core);
  signal?.throwIfAborted();
  onProgress({ stage: "start", done: 2, total: 3 });
  const python = api.finalizeBootstrap!();
  api.sys!.path.insert(0, "");
  api._pyodide!.set_excepthook();
  api.initializeStreams!(undefined, silence, complain);
  onProgress({ stage: "start", done: 3, total: 3 });
  onProgress({ stage: "core", done: 0, total: 1 });
  const call = python.pyimport("edgegate.bridge").call;
  onProgress({ stage: "core", done: 1, total: 1 });
  return { call: (request) => call(request) };
}

async function readAssets(
  runtime: Runtime,
  onProgress: (progress: Progress) => void,
  signal?: AbortSignal,
): Promise<[Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>]> {
  const names: AssetName[] = ["wasm", "stdlib", "core"];
  const total = names.reduce((sum, name) => sum + BUILD.assets[name].bytes, 0);
  let done = 0;
  onProgress({ stage: "download", done, total });
  const read = async (name: AssetName): Promise<Uint8Array<ArrayBuffer>> => {
    const asset = BUILD.assets[name];
    const bytes = await runtime.read(
      asset,
      (count) => {
        done += count;
        onProgress({ stage: "download", done, total });
      },
      signal,
    );
    return verify(asset, bytes);
  };
  return Promise.all([read("wasm"), read("stdlib"), read("core")]);
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
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", own));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (found !== asset.sha256) {
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

async function startPython(
  factory: PythonFactory,
  wasm: WebAssembly.Module,
  stdlib: Uint8Array,
  core: CoreArchive,
): Promise<PythonApi> {
  const node = typeof process === "object" && Boolean(process.versions?.node);
  const api: PythonApi = {
    config: {
      jsglobals: globalThis,
      args: [],
      packages: [],
      env: { HOME, PYTHONINSPECT: "1", PYTHONHASHSEED: "0" },
      indexURL: "/",
      packageBaseUrl: "/",
      packageCacheDir: "/",
      cdnUrl: "/",
      enableRunUntilComplete: false,
      checkAPIVersion: true,
      fullStdLib: false,
    },
    runtimeEnv: {
      IN_NODE: node,
      IN_NODE_ESM: node,
      IN_NODE_COMMONJS: false,
      IN_BUN: false,
      IN_DENO: false,
      IN_SAFARI: false,
      IN_SHELL: false,
      IN_WORKERD: false,
      IN_BROWSER: !node,
      IN_BROWSER_MAIN_THREAD: false,
      IN_BROWSER_WEB_WORKER: !node,
    },
  };
  let exitCode: number | undefined;
  let fail: (reason: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const marker = Symbol("error marker");
  const settings = {
    API: api,
    arguments: [],
    noImageDecoding: true,
    noAudioDecoding: true,
    noWasmDecoding: false,
    print: silence,
    printErr: complain,
    onExit: (code: number) => {
      exitCode = code;
    },
    locateFile: (path: string) => path,
    preRun: [(module: PythonModule) => makeFiles(module, api, stdlib, core)],
    instantiateWasm(
      imports: { env: Record<string, unknown> } & WebAssembly.Imports,
      ready: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) {
      imports.env["Jsv_GetError_import"] = () => marker;
      imports.env["JsvError_Check"] = (value: unknown) => value === marker;
      WebAssembly.instantiate(wasm, imports).then((instance) => ready(instance, wasm), fail);
      return {};
    },
  };
  const module = await Promise.race([factory(settings), failed]);
  if (exitCode !== undefined) throw new LoadError(`Python ended while it started, with code ${exitCode}`, "pyodide");
  if (api.version !== BUILD.pyodide) {
    throw new IntegrityError(`expected Pyodide ${BUILD.pyodide}, got ${api.version}`, "pyodide/pyodide.asm.mjs");
  }
  module.locateFile = (path) => {
    throw new LoadError("Python asked for a file that this build doesn't hold", path);
  };
  return api;
}

function makeFiles(module: PythonModule, api: PythonApi, stdlib: Uint8Array, core: CoreArchive): void {
  const packed = module.HEAPU32[module._Py_Version >>> 2]!;
  const [major, minor, micro] = [packed >>> 24, (packed >>> 16) & 255, (packed >>> 8) & 255];
  api.pyVersionTuple = [major, minor, micro];
  const library = `/lib/python${major}.${minor}`;
  api.sitePackages = `${library}/site-packages`;
  module.FS.mkdirTree(api.sitePackages);
  module.FS.mkdirTree(`${library}/lib-dynload`);
  module.FS.writeFile(`/lib/python${major}${minor}.zip`, stdlib, { canOwn: true });
  for (const [path, text] of Object.entries(core.files)) {
    const place = `${api.sitePackages}/${path}`;
    module.FS.mkdirTree(place.slice(0, place.lastIndexOf("/")));
    module.FS.writeFile(place, text);
  }
  module.FS.mkdirTree(HOME);
  module.FS.chdir(HOME);
  Object.assign(module.ENV, api.config["env"]);
}

// The core prints nothing. What Python says about itself while it starts is of no use to a visitor; what it complains
// about is of use to whoever looks into the console.
function silence(): void {}

function complain(line: string): void {
  console.warn(`edgegate: ${line}`);
}
