/**
 * Starts Pyodide in whatever runtime this is: from its library, or from a snapshot of a Python that ran already.
 *
 * This is the only place that knows Pyodide's inside. It takes the stock `pyodide.asm.mjs` factory and a compiled
 * `pyodide.asm.wasm`, and gives Python nothing but the files it is handed. It is pinned: the caller names the version,
 * and another one is refused.
 */
import { IntegrityError, LoadError } from "./errors.ts";
import type { Snapshot } from "./snapshot.ts";

/** What `pyodide.asm.mjs` exports. */
export type PythonFactory = (settings: Record<string, unknown>) => Promise<PythonModule>;

/** The part of a Python object that is used here. */
export interface PythonObject {
  call(request: string): string;
}

/** The part of Pyodide's public interface that is used here. */
export interface Pyodide {
  pyimport(name: string): PythonObject;
  runPython(code: string): unknown;
  makeMemorySnapshot(): Uint8Array;
}

/** The part of the Emscripten module that is used here. */
export interface PythonModule {
  _Py_Version: number;
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  ENV: Record<string, string>;
  FS: {
    mkdirTree(path: string): void;
    writeFile(path: string, data: Uint8Array | string, options?: { canOwn: boolean }): void;
    readFile(path: string): Uint8Array;
    chdir(path: string): void;
  };
  locateFile(path: string): string;
  _emscripten_get_sbrk_ptr(): number;
  _malloc(bytes: number): number;
  _free(place: number): void;
}

interface PythonApi {
  config: Record<string, unknown>;
  runtimeEnv: Record<string, boolean>;
  version?: string;
  pyVersionTuple?: number[];
  sitePackages?: string;
  finalizeBootstrap?(notes: unknown, deserializer: undefined): Pyodide;
  sys?: { path: { insert(at: number, entry: string): void } };
  _pyodide?: { set_excepthook(): void };
  initializeStreams?(stdin: undefined, stdout: (line: string) => void, stderr: (line: string) => void): void;
}

/** What Python starts from. With a `snapshot` there is no library and no core: both are in it. */
export interface Start {
  factory: PythonFactory;
  wasm: WebAssembly.Module;
  /** The version of Pyodide that this must be. */
  version: string;
  /** The zip of the standard library. */
  stdlib?: Uint8Array;
  /** Files below `site-packages`, by path: texts, or modules that were compiled. */
  core?: Record<string, string | Uint8Array>;
  snapshot?: Snapshot;
  /** Set by the build when it makes a snapshot. */
  making?: boolean;
  /** Handed the memory of the fresh instance, and then the memory after the snapshot was written over it. */
  onMemory?: (memory: Uint8Array, restored: boolean) => void;
}

const HOME = "/home/edgegate";
const WASM_PAGE = 65536;
const COMPACT = { PYTHONOPTIMIZE: "2", PYTHONNODEBUGRANGES: "1" };

/** Starts Python. Throws LoadError or IntegrityError, or what Python itself throws; then nothing of it is of use. */
export async function startPython(start: Start): Promise<{ python: Pyodide; module: PythonModule }> {
  const { snapshot } = start;
  const api: PythonApi = {
    config: {
      jsglobals: globalThis,
      args: [],
      packages: [],
      // No docstrings, and no columns for tracebacks: what nobody reads need not be downloaded.
      env: { HOME, PYTHONINSPECT: "1", PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1", ...COMPACT },
      indexURL: "/",
      packageBaseUrl: "/",
      packageCacheDir: "/",
      cdnUrl: "/",
      enableRunUntilComplete: false,
      checkAPIVersion: true,
      fullStdLib: false,
      BUILD_ID: "0".repeat(64),
      _makeSnapshot: start.making ?? false,
    },
    runtimeEnv: runtimeEnvironment(),
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
    noInitialRun: snapshot !== undefined,
    noImageDecoding: true,
    noAudioDecoding: true,
    noWasmDecoding: false,
    print: silence,
    printErr: complain,
    onExit: (code: number) => {
      exitCode = code;
    },
    locateFile: (path: string) => path,
    preRun: [(module: PythonModule) => makeFiles(module, api, start)],
    instantiateWasm(
      imports: { env: Record<string, unknown> } & WebAssembly.Imports,
      ready: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) {
      imports.env["Jsv_GetError_import"] = () => marker;
      imports.env["JsvError_Check"] = (value: unknown) => value === marker;
      WebAssembly.instantiate(start.wasm, imports)
        .then((instance) => {
          const memory = instance.exports["memory"] as WebAssembly.Memory;
          const missing = (snapshot?.heapBytes ?? 0) - memory.buffer.byteLength;
          if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE));
          ready(instance, start.wasm);
        })
        .catch(fail);
      return {};
    },
  };
  const module = await Promise.race([start.factory(settings), failed]);
  if (exitCode !== undefined) throw new LoadError(`Python ended while it started, with code ${exitCode}`, "pyodide");
  if (api.version !== start.version) {
    throw new IntegrityError(`expected Pyodide ${start.version}, got ${api.version}`, "pyodide/pyodide.asm.mjs");
  }
  module.locateFile = (path) => {
    throw new LoadError("Python asked for a file that this build doesn't hold", path);
  };
  start.onMemory?.(module.HEAPU8, false);
  if (snapshot) {
    snapshot.apply(module.HEAPU8);
    start.onMemory?.(module.HEAPU8, true);
  }
  const python = api.finalizeBootstrap!(snapshot?.notes, undefined);
  if (!snapshot) api.sys!.path.insert(0, "");
  api._pyodide!.set_excepthook();
  api.initializeStreams!(undefined, silence, complain);
  return { python, module };
}

function runtimeEnvironment(): Record<string, boolean> {
  // A host that is no Node but has some of its names says so as Electron's windows do: this is how Pyodide tells, too.
  const { process: host } = globalThis as unknown as {
    process?: { versions?: { node?: string }; type?: string; browser?: boolean };
  };
  const node = Boolean(host?.versions?.node) && host?.type !== "renderer" && !host?.browser;
  return {
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
    IN_BROWSER_WEB_WORKER: false,
  };
}

function makeFiles(module: PythonModule, api: PythonApi, { stdlib, core }: Start): void {
  const packed = module.HEAPU32[module._Py_Version >>> 2]!;
  const [major, minor, micro] = [packed >>> 24, (packed >>> 16) & 255, (packed >>> 8) & 255];
  api.pyVersionTuple = [major, minor, micro];
  const library = `/lib/python${major}.${minor}`;
  api.sitePackages = `${library}/site-packages`;
  module.FS.mkdirTree(api.sitePackages);
  module.FS.mkdirTree(`${library}/lib-dynload`);
  if (stdlib) module.FS.writeFile(`/lib/python${major}${minor}.zip`, stdlib, { canOwn: true });
  for (const [path, content] of Object.entries(core ?? {})) {
    const place = `${api.sitePackages}/${path}`;
    module.FS.mkdirTree(place.slice(0, place.lastIndexOf("/")));
    module.FS.writeFile(place, content);
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
