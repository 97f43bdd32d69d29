"""The part of `speed_hosts` that runs in Chromium: starting, peak memory, and what a piece of a reply takes."""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from build_scripts import setup
from build_scripts.speed_hosts import PIECE, TOOLS, by_turns, recordings, wheels


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves a folder as a well set up host does: every file is kept by the browser, and the clock is a fine one."""

    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self) -> None:
        kept = "no-cache" if self.path.endswith(".html") else "public, max-age=31536000, immutable"
        self.send_header("Cache-Control", kept)
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The address of a folder with the package, stock Pyodide, the wheels and the scripts that use them."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "edgegate").symlink_to(setup.DIST / "edgegate", target_is_directory=True)
        (folder / "pyodide").symlink_to(setup.WEB / "node_modules" / "pyodide", target_is_directory=True)
        (folder / "wheels").mkdir()
        for wheel in wheels():
            shutil.copy(wheel, folder / "wheels")
        (folder / "wheels.json").write_text(json.dumps([wheel.name for wheel in wheels()]), "utf-8")
        for name in ("stock.mjs", "stock_worker.mjs"):
            shutil.copy(TOOLS / name, folder)
        facts = (setup.DIST / "edgegate" / "build.json").read_text("utf-8")
        command = [
            "npx",
            "--no-install",
            "esbuild",
            str(TOOLS / "feed.ts"),
            "--bundle",
            "--format=esm",
            "--target=es2022",
        ]
        subprocess.run(
            [*command, f"--define:__EDGEGATE__={facts}", f"--outfile={folder / 'feed.mjs'}", "--log-level=error"],
            cwd=setup.WEB,
            check=True,
        )
        (folder / "empty.html").write_text("<!doctype html><title>empty</title>", "utf-8")
        (folder / "sw.js").write_text(SERVICE_WORKER, "utf-8")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=temporary))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            server.server_close()


OWN_PAGE = """async () => {
  const { loadEdgegate } = await import("./edgegate/index.js");
  const begun = performance.now();
  const edgegate = await loadEdgegate();
  const { verdict } = await edgegate.check("Someone said Alice was promoted.", "Alice was promoted.");
  return { verdict, took: performance.now() - begun };
}"""
SERVICE_WORKER = 'import { serveEdgegate } from "./edgegate/service-worker.js";\nserveEdgegate();\n'
KEEP_PAGE = """async () => {
  await navigator.serviceWorker.register("./sw.js", { type: "module" });
  await navigator.serviceWorker.ready;
}"""
CACHED_PAGE = OWN_PAGE.replace(
    "async () => {",
    "async () => {\n  if (!navigator.serviceWorker.controller) throw new Error('not from the Cache API');",
)
STOCK_PAGE = """() => new Promise((resolve, reject) => {
  const begun = performance.now();
  const worker = new Worker("./stock_worker.mjs", { type: "module" });
  worker.onmessage = ({ data }) => resolve({ verdict: data, took: performance.now() - begun });
  worker.onerror = (event) => reject(new Error(event.message));
})"""
FEED_PAGE = """(work) => new Promise((resolve, reject) => {
  const worker = new Worker("./feed.mjs", { type: "module" });
  worker.onmessage = ({ data }) => (data === "ready" ? worker.postMessage(work) : resolve(data));
  worker.onerror = (event) => reject(new Error(event.message));
})"""


@contextlib.contextmanager
def browser(playwright: Any) -> Iterator[Any]:
    """A Chromium with a new profile on disk, so that it keeps what it fetched and compiled."""
    with tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=setup.find_chromium(), args=["--no-sandbox", "--disable-gpu"], headless=True
        )
        try:
            yield context
        finally:
            context.close()


def visit(context: Any, address: str, script: str, argument: Any = None) -> Any:
    page = context.new_page()
    try:
        page.goto(f"{address}empty.html")
        return page.evaluate(script, argument)
    finally:
        page.close()


def chromium(rounds: int, playwright: Any, address: str) -> dict[str, float]:
    """From `new Worker()` to the first verdict: with an empty profile, and on the fourth visit with the same one."""

    def run(script: str, visits: int, *, first: str = "") -> float:
        with browser(playwright) as context:
            if first:
                visit(context, address, first)
            for _ in range(visits - 1):
                visit(context, address, script)
                time.sleep(0.5)  # the browser keeps what it compiled when it finds the time
            found = visit(context, address, script)
        assert found["verdict"] == "REWRITE"
        return float(found["took"]) / 1000

    return by_turns(
        rounds,
        own_cold=lambda: run(OWN_PAGE, 1),
        stock_cold=lambda: run(STOCK_PAGE, 1),
        own_cached=lambda: run(CACHED_PAGE, 3, first=KEEP_PAGE),
        own_warm=lambda: run(OWN_PAGE, 4),
        stock_warm=lambda: run(STOCK_PAGE, 4),
    )


def memory(playwright: Any, address: str) -> dict[str, float]:
    """The peak memory of the process that runs the page and its worker, in MiB, beside that of an empty page."""

    def peak(script: str) -> float:
        with browser(playwright) as context:
            before = renderers()
            page = context.new_page()
            page.goto(f"{address}empty.html")
            page.evaluate(script)
            found = max((size for process, size in renderers().items() if process not in before), default=0.0)
            page.close()
        return found

    return {"own_mib": peak(OWN_PAGE), "stock_mib": peak(STOCK_PAGE), "empty_mib": peak("() => 0")}


def renderers() -> dict[int, float]:
    """The peak memory (MiB) of each process of a browser that runs pages, by its number; empty without /proc."""
    found: dict[int, float] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if b"--type=renderer" in (folder / "cmdline").read_bytes():
                for line in (folder / "status").read_text().splitlines():
                    if line.startswith("VmHWM:"):
                        found[int(folder.name)] = round(int(line.split()[1]) / 1024, 1)
    return found


def feed(playwright: Any, address: str) -> dict[str, float]:
    """What a piece of 20 characters takes with 50 items of evidence, in milliseconds.

    `least` takes each piece with its least time of all rounds: what is left when the machine has other work.
    """
    text = " ".join("".join(piece for _, piece in recording["chunks"]) for recording in recordings())
    held = [item for recording in recordings() for item in recording["evidence"].get("memories", [])]
    evidence = {"memories": [f"{held[number % len(held)]} ({number})" for number in range(50)]}
    with browser(playwright) as context:
        work = {"evidence": evidence, "text": text, "size": PIECE, "rounds": 10}
        found = visit(context, address, FEED_PAGE, work)

    def at(times: list[float], share: float) -> float:
        return round(sorted(times)[min(len(times) - 1, int(len(times) * share))], 3)

    return {
        f"feed_{name}p{share}_ms": at(found[kind], share / 100)
        for kind, name in (
            ("quiet", ""),
            ("quiet_least", "least_"),
            ("deciding", "deciding_"),
            ("deciding_least", "deciding_least_"),
            ("border", "border_"),
        )
        for share in (50, 99)
    } | {"feed_pieces": len(found["quiet"]), "feed_deciding_pieces": len(found["deciding"])}
