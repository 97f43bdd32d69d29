"""A day of replies in a row, a million pieces of them, and whether anything of it stays in memory.

    python3 build_scripts/soak.py [--chunks 1000000] [--only node|workerd|chromium] [--json]

Pieces of 2 characters go through the guard as fast as they are taken, every reply with new words; memories go through
the gate and the door; replies are aborted, readers go away, requests are refused. Counted after each twentieth: the
objects that Python holds after a collection, how far its allocator has reached, the size of its wasm memory, open
replies, and the JavaScript heap after a collection. What rises in the second half is growth. In Chromium, where each
piece crosses to a worker, a tenth of the pieces is fed, and the peak heap of the page and of the worker is told.

Exit code 1: something grew, a reply was left open, or one came out otherwise than the first of its kind.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import http.server
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from build_scripts import setup, speed_hosts  # noqa: E402

TOOLS = setup.WEB / "tools" / "soak"
HOSTS = ("node", "workerd", "chromium")
STEPS = 20
OBJECTS = 40
"""How many more objects Python may hold at the end than at the half: a table may be asked for late, for the first time.
One left behind by each memory kept would be twice as many, by each reply twenty times."""
REACHED_BYTES = 65_536
"""How much farther its allocator may reach: the largest reply of all may come late."""
JS_BYTES = 4_000_000
"""How much more the JavaScript heap may hold at the end than at the half: its engine's own code and tables move."""

Step = dict[str, Any]


def bundled(entry: str, out: Path, *options: str) -> Path:
    """One of the tools, bundled to `out`."""
    command = ["npx", "--no-install", "esbuild", str(TOOLS / entry), "--bundle", "--format=esm", "--target=es2022"]
    facts = (setup.DIST / "edgegate" / "build.json").read_text("utf-8")
    command += [
        f"--define:__EDGEGATE__={facts}",
        f"--outfile={out}",
        "--allow-overwrite",
        "--log-level=error",
        *options,
    ]
    subprocess.run(command, cwd=setup.WEB, check=True)
    return out


def node(chunks: int, *, steps: int = STEPS, leak: bool = False) -> list[Step]:
    """The steps in Node, in one thread. With `leak`, replies are never ended."""
    with tempfile.TemporaryDirectory() as temporary:
        script = bundled("node.ts", Path(temporary) / "node.mjs", "--platform=node")
        command = ["node", "--expose-gc", str(script), str(setup.DIST / "edgegate"), str(chunks), str(steps)]
        told = subprocess.run([*command, *(["leak"] if leak else [])], capture_output=True, text=True, cwd=setup.WEB)
    if told.returncode:
        raise setup.SetupError(f"the soak broke in Node: {told.stderr[-1000:]}")
    return [json.loads(line) for line in told.stdout.splitlines()]


def workerd(chunks: int, *, steps: int = STEPS) -> list[Step]:
    """The steps in workerd, with the memory of its process."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "dist"
        shutil.copytree(setup.WORKER / "dist", folder)
        outside = ["pyodide.asm.mjs", "pyodide.asm.wasm", "snapshot.bin", "modules.mjs"]
        bundled("workerd.ts", folder / "worker.js", *(f"--external:./{name}" for name in outside))
        found: list[Step] = []
        with speed_hosts.workerd(folder / "workerd.capnp", "") as (process, address):
            speed_hosts.first_byte(address, "/?chunks=0", None)
            for step in range(steps + 1):
                with urllib.request.urlopen(f"{address}/?chunks={chunks * step // steps}", timeout=3600) as answer:
                    found.append({**json.load(answer), "rss": int(speed_hosts.rss(process) * 2**20)})
            found[-1]["rss_peak"] = int(speed_hosts.rss(process, "VmHWM") * 2**20)
    return found


@contextlib.contextmanager
def isolated(folder: Path) -> Iterator[str]:
    """Serves a folder so that a page may measure its own memory: isolated from all other origins."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        extensions_map = {  # noqa: RUF012
            **http.server.SimpleHTTPRequestHandler.extensions_map,
            ".js": "text/javascript",
            ".mjs": "text/javascript",
            ".wasm": "application/wasm",
        }

        def end_headers(self) -> None:
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
            super().end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


MEASURE = """async () => {
  const { breakdown } = await performance.measureUserAgentSpecificMemory();
  const of = (scope) => breakdown.filter(({ attribution }) => attribution.some((each) => each.scope === scope));
  const sum = (scope) => of(scope).reduce((bytes, each) => bytes + each.bytes, 0);
  return { page: sum("Window"), worker: sum("DedicatedWorkerGlobalScope") };
}"""


def chromium(chunks: int, *, steps: int = STEPS) -> list[Step]:
    """The steps in a page of Chromium's, with what the page and its worker hold."""
    from playwright.sync_api import sync_playwright

    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", shutil.which("node") or "")
    flags = ["--no-sandbox", "--disable-gpu", "--enable-blink-features=ForceEagerMeasureMemory"]
    found: list[Step] = []
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = Path(temporary)
        shutil.copytree(setup.DIST / "edgegate", folder / "edgegate")
        bundled("page.ts", folder / "page.js")
        (folder / "index.html").write_text('<!doctype html><script type="module" src="page.js"></script>', "utf-8")
        browser = playwright.chromium.launch(executable_path=setup.find_chromium(), args=flags)
        with isolated(folder) as address:
            page = browser.new_page()
            page.goto(address)
            page.wait_for_function("document.title === 'ready'", timeout=120_000)
            for step in range(steps + 1):
                tally = page.evaluate(f"step({chunks * step // steps})")
                held = page.evaluate(MEASURE)
                found.append({**tally, **held, "js": held["page"] + held["worker"]})
        browser.close()
    return found


def growth(steps: list[Step]) -> list[str]:
    """What is wrong with the steps of one host; nothing where all is flat.

    >>> growth([{"wasm": 1, "objects": 100}, {"wasm": 1, "objects": 100}, {"wasm": 2, "objects": 100, "open": 1}])
    ['wasm: from 1 at the half to 2 at the end', 'open: 1']
    """
    half, end = steps[len(steps) // 2], steps[-1]
    limits = {
        "wasm": 0.0,
        "reached": float(REACHED_BYTES),
        "objects": OBJECTS,
        "js": float(JS_BYTES),
    }
    wrong = [
        f"{name}: from {half[name]} at the half to {end[name]} at the end"
        for name, limit in limits.items()
        if name in end and end[name] > half[name] + limit
    ]
    return wrong + [f"{name}: {end[name]}" for name in ("open", "wrong") if end.get(name)]


def figures(steps: list[Step], seconds: float) -> dict[str, Any]:
    """The figures of one host: what was done, what was held at the half, at the end and at most."""
    half, end = steps[len(steps) // 2], steps[-1]
    held = [
        name
        for name in ("objects", "reached", "open", "wasm", "js", "page", "worker", "rss", "rss_peak")
        if name in end
    ]
    done = {name: end[name] for name in ("chunks", "replies", "aborted", "refused", "writes", "dropped", "wrong")}
    most = {name: max(step[name] for step in steps if name in step) for name in held}
    at = {"half": {name: half[name] for name in held if name in half}, "end": {name: end[name] for name in held}}
    return {**done, "seconds": round(seconds), **at, "most": most, "grew": growth(steps)}


def main() -> int:
    """Returns the exit code: 1 when anything grew."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--chunks", type=int, default=1_000_000, help="how many pieces are fed (default a million)")
    parser.add_argument("--only", choices=HOSTS, action="append", help="only in this host")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    with contextlib.redirect_stdout(sys.stderr):
        setup.set_up(tests=True)
    if "chromium" in (options.only or HOSTS) and importlib.util.find_spec("playwright") is None:
        os.execv(setup.PYTHON, [str(setup.PYTHON), *sys.argv])  # the Python that has what drives a browser
    found: dict[str, Any] = {}
    for host in options.only or HOSTS:
        begun = time.monotonic()
        chunks = options.chunks // 10 if host == "chromium" else options.chunks
        steps = {"node": node, "workerd": workerd, "chromium": chromium}[host](chunks)
        found[host] = figures(steps, time.monotonic() - begun)
        if not options.json:
            print(f"\n{host}\n{speed_hosts.table(found[host])}")
    if options.json:
        print(json.dumps(found, indent=2))
    return 1 if any(each["grew"] for each in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
