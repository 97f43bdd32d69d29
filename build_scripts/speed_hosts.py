"""Starting in Chromium, Node and workerd beside stock Pyodide, what a visit downloads, and the time one piece takes.

    python3 build_scripts/speed.py hosts [--json]            all of it
    python3 build_scripts/speed_hosts.py load [--json]       many streams at once through the edge worker

Stock is `loadPyodide` and `micropip.install` of the same wheel, up to the same first verdict, in the same run, the two
by turns. In workerd, where micropip can't be had, stock is the whole standard library and the core's own files; there
ours ends with the first filtered byte of a chat completion, stock with its first verdict. Every figure is a median.
Exit code 1: a first visit downloads more than its budget.
Warm is the fourth visit: from the Cache API, filled by the package's service worker (`chromium_warm_ratio`), or from
what the browser keeps by itself (`chromium_kept_ratio`).
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from build_scripts import setup  # noqa: E402

TOOLS = setup.WEB / "tools" / "speed"
KEY = "speed"
BUDGET = 5_800_000
"""What a first visit may transfer, in brotli bytes."""
FIRST_VISIT = (
    "pyodide/pyodide.asm.wasm",
    "pyodide/pyodide.asm.mjs",
    "snapshot.bin",
    "worker.js",
    "index.js",
    "errors.js",
)
FALLBACK = ("stdlib.zip", "core.json")
PIECE = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this part."""
    parser.add_argument("--rounds", type=int, default=5, help="how often each start is measured (default 5)")
    parser.add_argument(
        "--only", choices=("node", "workerd", "chromium", "bytes", "feed"), action="append", help="measure only this"
    )


def seconds_of(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def by_turns(rounds: int, **actions: Callable[[], float]) -> dict[str, float]:
    """The median milliseconds of each action, measured by turns."""
    found: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            found[name].append(action() * 1000)
    return {name: round(statistics.median(times), 1) for name, times in found.items()}


def wheels() -> list[Path]:
    """Our wheel, and those that micropip needs."""
    own = setup.find_wheel()
    assert own
    return [own, *(next(setup.PYODIDE_PACKAGES.glob(f"{name}-*.whl")) for name in ("micropip", "packaging"))]


def node(rounds: int) -> dict[str, float]:
    """From the start of the process to the first verdict."""

    def run(script: str, *more: Path) -> float:
        command = ["node", str(TOOLS / script), *map(str, more)]
        return seconds_of(lambda: subprocess.run(command, check=True, capture_output=True, cwd=setup.WEB))

    return by_turns(rounds, own=lambda: run("own_node.mjs"), stock=lambda: run("stock_node.mjs", *wheels()))


# workerd


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


STOCK_WORKER = """
import factory from "./pyodide.asm.mjs";
import wasm from "./pyodide.asm.wasm";
import stdlib from "./stdlib.zip";
import core from "./core.json";
import { startPython } from "WEB/src/python.ts";
import { fitting } from "WORKER/src/environment.ts";
const { files } = JSON.parse(new TextDecoder().decode(core));
let call;
export default {
  async fetch() {
    const start = { factory, wasm, version: "VERSION", stdlib: new Uint8Array(stdlib), core: files };
    call ??= (await fitting(() => startPython(start))).python.pyimport("edgegate.bridge").call;
    const source = "Someone said Alice was promoted.";
    return new Response(call(JSON.stringify({ op: "check", source, memory: "Alice was promoted." })));
  },
};
"""


def stock_worker(folder: Path) -> Path:
    """A worker that starts Python as it comes; returns its configuration."""
    shutil.copytree(setup.WORKER / "dist", folder)
    pyodide = setup.WEB / "node_modules" / "pyodide"
    shutil.copy(pyodide / "python_stdlib.zip", folder / "stdlib.zip")
    shutil.copy(setup.DIST / "edgegate" / "core.json", folder / "core.json")
    version = json.loads((pyodide / "package.json").read_text("utf-8"))["version"]
    source = (
        STOCK_WORKER.replace("WEB", str(setup.WEB)).replace("WORKER", str(setup.WORKER)).replace("VERSION", version)
    )
    (folder / "stock.js").write_text(source, "utf-8")
    outside = ["pyodide.asm.mjs", "pyodide.asm.wasm", "stdlib.zip", "core.json", "modules.mjs"]
    command = ["npx", "--no-install", "esbuild", str(folder / "stock.js"), "--bundle", "--format=esm"]
    command += [f"--external:./{name}" for name in outside]
    subprocess.run(
        [*command, f"--outfile={folder / 'worker.js'}", "--allow-overwrite", "--log-level=error"],
        cwd=setup.WEB,
        check=True,
    )
    config = folder / "workerd.capnp"
    data = (
        '    (name = "stdlib.zip", data = embed "stdlib.zip"),\n    (name = "core.json", data = embed "core.json"),\n'
    )
    text = config.read_text("utf-8")
    config.write_text(text.replace('    (name = "modules.mjs"', data + '    (name = "modules.mjs"'), "utf-8")
    return config


def compiled(config: Path) -> Path:
    """The configuration in workerd's own binary form, which is what one would deploy."""
    binary = config.with_suffix(".bin")
    with binary.open("wb") as file:
        subprocess.run([setup.find_workerd(), "compile", "--config-only", str(config)], stdout=file, check=True)
    return binary


@contextlib.contextmanager
def upstream() -> Iterator[str]:
    """A model's server that says the last message back; gives its address."""
    script = setup.WORKER / "tools" / "upstream.mjs"
    with subprocess.Popen(["node", str(script)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        finally:
            process.terminate()


@contextlib.contextmanager
def workerd(config: Path, upstream: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A running workerd, and its address. It may not listen yet."""
    port = free_port()
    own = {"EDGEGATE_API_KEY": KEY, "EDGEGATE_UPSTREAM_URL": upstream, "EDGEGATE_MAX_STREAMS": "4000"}
    binary = ["--binary"] if config.suffix == ".bin" else []
    with (
        tempfile.TemporaryDirectory() as disk,
        subprocess.Popen(
            [str(setup.find_workerd()), "serve", *binary, str(config), f"-shttp=127.0.0.1:{port}", f"-ddisk={disk}"],
            env={**os.environ, **own},
        ) as process,
    ):
        try:
            yield process, f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def first_byte(address: str, path: str, body: dict[str, Any] | None) -> None:
    """Asks until it is answered, and until a byte of the guarded text came."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address + path, data=data, headers={"authorization": f"Bearer {KEY}"})
    for _ in range(4000):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                while line := answer.readline():
                    if not line.startswith(b"data:") or b'"content":"H' in line:
                        return
        except OSError:
            time.sleep(0.005)
    raise RuntimeError("workerd did not answer")


def rss(process: subprocess.Popen[bytes], field: str = "VmRSS") -> float:
    """The memory of a process, in MiB."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return round(int(line.split()[1]) / 1024, 1)
    return 0.0


HELLO = {"model": "0", "stream": True, "messages": [{"role": "user", "content": "Hello there. It rains in the north."}]}


def edge(rounds: int) -> dict[str, float]:
    """From the start of workerd to the first filtered byte; and its memory then."""
    memory: dict[str, list[float]] = {"own": [], "stock": []}
    with tempfile.TemporaryDirectory() as temporary, upstream() as model:
        configs = {
            "own": compiled(setup.WORKER / "dist" / "workerd.capnp"),
            "stock": compiled(stock_worker(Path(temporary) / "stock")),
        }

        def run(name: str) -> float:
            begun = time.perf_counter()
            with workerd(configs[name], model) as (process, address):
                body = HELLO if name == "own" else None
                first_byte(address, "/v1/chat/completions", body)
                took = time.perf_counter() - begun
                memory[name].append(rss(process))
            return took

        found = by_turns(rounds, own=lambda: run("own"), stock=lambda: run("stock"))
    return found | {f"{name}_mib": statistics.median(values) for name, values in memory.items()}


def recordings() -> list[dict[str, Any]]:
    folder = setup.WEB / "page" / "recordings"
    found = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
    return [recording for recording in found if isinstance(recording, dict) and "chunks" in recording]


BROTLI = """
const { brotliCompressSync, constants } = require("node:zlib");
const { readFileSync } = require("node:fs");
const size = (path) => {
  const data = readFileSync(path);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
  };
  return brotliCompressSync(data, { params }).length;
};
console.log(JSON.stringify(process.argv.slice(1).map(size)));
"""


def brotli(names: tuple[str, ...]) -> dict[str, int]:
    """The size of files of the package in brotli, by name."""
    places = [str(setup.DIST / "edgegate" / name) for name in names]
    told = subprocess.run(["node", "-e", BROTLI, *places], check=True, capture_output=True, text=True).stdout
    return dict(zip(names, json.loads(told), strict=True))


def run(options: argparse.Namespace) -> dict[str, Any]:
    """All figures; ratios are ours to stock's in the same run."""
    chosen = set(options.only or ("node", "workerd", "chromium", "bytes", "feed"))
    with contextlib.redirect_stdout(sys.stderr):
        setup.set_up(tests=True)
    if chosen & {"chromium", "feed"} and importlib.util.find_spec("playwright") is None:
        os.execv(setup.PYTHON, [str(setup.PYTHON), *sys.argv])  # the Python that has what drives a browser
    figures: dict[str, Any] = {"rounds": options.rounds}
    raw: dict[str, Any] = {}
    if "bytes" in chosen:
        first, fallback = brotli(FIRST_VISIT), brotli(FALLBACK)
        figures |= {"brotli_bytes": sum(first.values()), "brotli_budget": BUDGET}
        raw |= {"brotli_parts": first, "brotli_fallback_parts": fallback}
    if "node" in chosen:
        raw["node_ms"] = node(options.rounds)
        figures["node_ratio"] = round(raw["node_ms"]["own"] / raw["node_ms"]["stock"], 3)
    if "workerd" in chosen:
        raw["workerd_ms"] = edge(options.rounds)
        figures["workerd_ratio"] = round(raw["workerd_ms"]["own"] / raw["workerd_ms"]["stock"], 3)
    if chosen & {"chromium", "feed"}:
        from playwright.sync_api import sync_playwright

        from build_scripts.speed_chromium import chromium, feed, memory, served

        os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", shutil.which("node") or "")
        with sync_playwright() as playwright, served() as address:
            if "chromium" in chosen:
                times = raw["chromium_ms"] = chromium(options.rounds, playwright, address)
                figures["chromium_cold_ratio"] = round(times["own_cold"] / times["stock_cold"], 3)
                figures["chromium_warm_ratio"] = round(times["own_cached"] / times["stock_warm"], 3)
                figures["chromium_kept_ratio"] = round(times["own_warm"] / times["stock_warm"], 3)
                raw["chromium_memory"] = memory(playwright, address)
            if "feed" in chosen:
                raw["feed"] = feed(playwright, address)
                figures["feed_p99_ms"] = raw["feed"]["feed_p99_ms"]
    return figures | raw


def fault(figures: dict[str, Any]) -> str:
    """What is wrong with the figures: a first visit over its budget; else nothing.

    >>> fault({"brotli_bytes": 12, "brotli_budget": 10, "brotli_parts": {"snapshot.bin": 11, "index.js": 1}})
    'a first visit takes 12 bytes and may take 10: snapshot.bin 11, index.js 1'
    >>> fault({"brotli_bytes": 10, "brotli_budget": 10, "brotli_parts": {"snapshot.bin": 10}})
    ''
    """
    if figures.get("brotli_bytes", 0) <= figures.get("brotli_budget", 0):
        return ""
    parts = ", ".join(f"{name} {size}" for name, size in figures["brotli_parts"].items())
    return f"a first visit takes {figures['brotli_bytes']} bytes and may take {figures['brotli_budget']}: {parts}"


def table(figures: dict[str, Any]) -> str:
    """The figures for people."""
    return "\n".join(f"{name:22} {value}" for name, value in figures.items())


if __name__ == "__main__":
    from build_scripts.load_edge import main

    sys.exit(main(sys.argv[1:]))
