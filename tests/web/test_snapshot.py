"""The snapshot: made the same every time, the same memory in every runtime, and all in it that the core can import."""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from build_scripts import bundle, setup
from tests.web import border

MADE = ("snapshot.bin", "stdlib.zip", "snapshot.json", "modules.json")


@pytest.fixture(scope="module")
def facts(dist: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((dist / "edgegate" / "snapshot.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def folder(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, with the test's own tool beside it."""
    place = tmp_path_factory.mktemp("snapshot")
    shutil.copytree(dist / "edgegate", place / "edgegate")
    shutil.copy(dist / "edgegate" / "pyodide" / "pyodide.asm.mjs", place / "pyodide.asm.mjs")
    command = ["npx", "--no-install", "esbuild", "tools/heap.ts", "--bundle", "--format=esm", "--target=es2022"]
    subprocess.run([*command, f"--outfile={place / 'heap.mjs'}", "--log-level=warning"], cwd=setup.WEB, check=True)
    return place


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The address of that folder, without a policy of its own."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        extensions_map = {  # noqa: RUF012
            **http.server.SimpleHTTPRequestHandler.extensions_map,
            ".mjs": "text/javascript",
            ".js": "text/javascript",
            ".wasm": "application/wasm",
        }

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


IN_BROWSER = """
import factory from "./pyodide.asm.mjs";
import { restoredHeap } from "./heap.mjs";
const wasm = WebAssembly.compileStreaming(fetch("./edgegate/pyodide/pyodide.asm.wasm"));
const bytes = async (name) => new Uint8Array(await (await fetch(`./edgegate/${name}`)).arrayBuffer());
const facts = await (await fetch("./edgegate/snapshot.json")).json();
const found = await restoredHeap(factory, await wasm, await bytes("snapshot.bin"), facts, FOR_EACH);
"""

SERVICE_WORKER = """
import { loadEdgegate } from "./edgegate/inline.js";
self.addEventListener("message", (event) => event.waitUntil((async () => {
  try {
    const edgegate = await loadEdgegate();
    event.source.postMessage((await edgegate.check("Someone said Alice was promoted.", "Alice was promoted.")).verdict);
  } catch (error) {
    event.source.postMessage(String(error));
  }
})()));
"""


def test_two_builds_give_the_same_bytes(dist: Path, tmp_path: Path) -> None:
    """From the wheel to the last file of the page: what anyone builds from these sources is what is published."""
    command = [str(setup.PYTHON), "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=setup.ROOT, check=True, capture_output=True)
    first, wheel = setup.find_wheel(), next(tmp_path.glob("*.whl"))
    assert first
    assert wheel.read_bytes() == first.read_bytes()
    bundle.make(wheel, tmp_path / "dist")
    files = [json.loads((folder / "manifest.json").read_text("utf-8"))["files"] for folder in (dist, tmp_path / "dist")]
    assert files[0] == files[1]
    assert {f"edgegate/{name}" for name in MADE} <= set(files[0])


def test_the_restored_memory_is_the_same_in_node(folder: Path, facts: dict[str, Any]) -> None:
    code = f"""
import {{ readFileSync }} from "node:fs";
import factory from "./pyodide.asm.mjs";
import {{ restoredHeap }} from "./heap.mjs";
const read = (name) => new Uint8Array(readFileSync("edgegate/" + name));
const wasm = await WebAssembly.compile(read("pyodide/pyodide.asm.wasm"));
const facts = JSON.parse(readFileSync("edgegate/snapshot.json"));
const found = await restoredHeap(factory, wasm, read("snapshot.bin"), facts, {json.dumps(border.REQUESTS)});
console.log(JSON.stringify(found));
"""
    (folder / "node.mjs").write_text(code, "utf-8")
    told = subprocess.run(["node", "node.mjs"], cwd=folder, capture_output=True, text=True, check=True).stdout
    check(json.loads(told), facts)


@pytest.mark.browser
@pytest.mark.parametrize("place", ["page", "worker"])
def test_the_restored_memory_is_the_same_in_chromium(
    chromium: Any, folder: Path, address: str, facts: dict[str, Any], place: str
) -> None:
    code = IN_BROWSER.replace("FOR_EACH", json.dumps(border.REQUESTS))
    (folder / "worker.mjs").write_text(code + "postMessage(found);\n", "utf-8")
    (folder / "page.mjs").write_text(code + "export default found;\n", "utf-8")
    (folder / "empty.html").write_text("<!doctype html><title>empty</title>", "utf-8")
    scripts = {
        "page": "import('./page.mjs').then((page) => page.default)",
        "worker": """new Promise((resolve, reject) => {
            const worker = new Worker('./worker.mjs', { type: 'module' });
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = (event) => reject(new Error(event.message));
        })""",
    }
    page = chromium.new_page()
    try:
        page.goto(f"{address}empty.html")
        check(page.evaluate(scripts[place]), facts)
    finally:
        page.close()


@pytest.mark.browser
def test_a_service_worker_starts_it(chromium: Any, folder: Path, address: str) -> None:
    (folder / "service.mjs").write_text(SERVICE_WORKER, "utf-8")
    (folder / "empty.html").write_text("<!doctype html><title>empty</title>", "utf-8")
    page = chromium.new_page()
    try:
        page.goto(f"{address}empty.html")
        verdict = page.evaluate(
            """async () => {
              const registration = await navigator.serviceWorker.register('./service.mjs', { type: 'module' });
              const worker = registration.installing ?? registration.waiting ?? registration.active;
              const answer = new Promise((resolve) => {
                navigator.serviceWorker.onmessage = ({ data }) => resolve(data);
              });
              navigator.serviceWorker.startMessages();
              await navigator.serviceWorker.ready;
              worker.postMessage('check');
              return answer;
            }"""
        )
        assert verdict == "REWRITE"
    finally:
        page.close()


def check(found: dict[str, Any], facts: dict[str, Any]) -> None:
    assert found["heap"] == facts["heap"]
    assert json.loads(found["answers"][0])["result"]["lexicon"] == facts["lexicon"]
    border.same_as_here(found["answers"])


def test_all_that_the_core_may_import_is_in_memory(dist: Path, facts: dict[str, Any]) -> None:
    """After the start there is nowhere to import from: what is imported late must be there already."""
    imports = json.loads((dist / "edgegate" / "core.json").read_text("utf-8"))["imports"]
    loaded = set(facts["modules"])
    # A name that is imported from a module is no module itself: then what stands before its last dot is one.
    missing = [name for name in imports if name not in loaded and name.rpartition(".")[0] not in loaded]
    assert missing == []


def test_the_snapshot_stays_within_its_budget(dist: Path) -> None:
    """At a quick quality of brotli, which gives about 15 % more than the best; `speed.py hosts` has the whole visit."""
    code = """
const { brotliCompressSync, constants } = require("node:zlib");
const data = require("node:fs").readFileSync(process.argv[1]);
const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 };
console.log(brotliCompressSync(data, { params }).length);
"""
    command = ["node", "-e", code, str(dist / "edgegate" / "snapshot.bin")]
    size = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    # A rail just above what it takes, so that nothing grows unseen. `speed.py hosts --only bytes` counts a whole visit
    # at the best quality, and fails where it takes more than 5.8 MB.
    assert size < 3_000_000, "the snapshot has grown: see what new words or modules it holds, or raise the rail"
