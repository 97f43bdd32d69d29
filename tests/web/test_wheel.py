"""The wheel in stock Pyodide: installed by micropip from a file, a URL and an index page, and loaded by a lock."""

from __future__ import annotations

import hashlib
import http.server
import json
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import edgegate
from build_scripts import pyodide_lock, setup


@pytest.fixture(scope="module")
def locked(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lock, with the wheel beside it."""
    wheel = setup.find_wheel()
    assert wheel
    return pyodide_lock.make(wheel, tmp_path_factory.mktemp("pyodide"))


@pytest.fixture(scope="module")
def index(locked: Path) -> Iterator[str]:
    """A server on loopback with the wheel and a simple index page, as package indexes have them."""
    wheel = next(locked.parent.glob("*.whl"))
    link = f'<a href="/{wheel.name}#sha256={hashlib.sha256(wheel.read_bytes()).hexdigest()}">{wheel.name}</a>'
    page = f"<!doctype html><html><body>{link}</body></html>".encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = {f"/{wheel.name}": ("application/octet-stream", wheel.read_bytes())}
            found["/simple/edgegate/"] = ("text/html", page)
            kind, body = found.get(self.path, ("", b""))
            self.send_response(200 if kind else 404)
            self.send_header("Content-Type", kind or "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_the_lock_holds_the_wheel_by_its_hash_and_nothing_from_elsewhere(locked: Path) -> None:
    lock = json.loads(locked.read_text("utf-8"))
    wheel = next(locked.parent.glob("*.whl"))
    entry = lock["packages"]["edgegate"]
    assert list(lock["packages"]) == ["edgegate"]
    assert entry["sha256"] == hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert (entry["file_name"], entry["version"]) == (wheel.name, edgegate.__version__)
    assert (entry["imports"], entry["depends"]) == (["edgegate"], [])
    assert "://" not in locked.read_text("utf-8")


@pytest.mark.slow
def test_micropip_and_the_lock_install_it_in_stock_pyodide(locked: Path, index: str) -> None:
    wheel = next(locked.parent.glob("*.whl"))
    script = setup.WEB / "tools" / "micropip.mjs"
    page = index + "/simple/{package_name}/"
    command = ["node", script, setup.PYODIDE_PACKAGES, wheel, f"{index}/{wheel.name}", page, locked]
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=180)
    assert result.returncode == 0, result.stdout + result.stderr
    works = [edgegate.__version__, "REWRITE"]
    found = json.loads(result.stdout)
    assert found == {"file": works, "url": works, "index": works, "lock": works}
