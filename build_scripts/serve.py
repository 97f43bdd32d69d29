"""Serves web/dist on loopback, with the headers that keep the page to itself.

Only files named in the bundle's manifest are served, so no path can lead out of the folder. Every answer must be asked
for again (`no-cache`) and carries the hash as its ETag: nothing old is ever shown, nothing is sent twice.
"""

from __future__ import annotations

import json
import shutil
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

LOOPBACK = "127.0.0.1"

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
    ".bin": "application/octet-stream",
}

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        # The browser itself refuses to read text as markup; page.ts holds the one exception, the worker's address.
        "require-trusted-types-for 'script'",
        "trusted-types default",
    ]
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for the files of one bundle."""

    server: Server
    server_version = "edgegate"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    timeout = 30  # a connection that says nothing is not kept for ever

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def _answer(self, body: bool) -> None:
        path = unquote(urlsplit(self.path).path, errors="replace").removeprefix("/") or "index.html"
        facts = self.server.files().get(path)
        kind = TYPES.get(PurePosixPath(path).suffix)
        if facts is None or kind is None:
            self._refuse(HTTPStatus.NOT_FOUND)
            return
        tag = f'"{facts["sha256"]}"'
        if tag in self.headers.get("If-None-Match", ""):
            self.send_response(HTTPStatus.NOT_MODIFIED)
            self.send_header("ETag", tag)
            self.end_headers()
            return
        try:
            file = (self.server.folder / path).open("rb")
        except OSError:  # the bundle is being put in its place at this moment
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        with file:
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(facts["bytes"]))
            self.send_header("ETag", tag)
            self.end_headers()
            if body:
                shutil.copyfileobj(file, self.wfile)

    def _refuse(self, status: HTTPStatus) -> None:
        text = f"{status.value} {status.phrase}\n".encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        """Says nothing: what a visitor looks at is nobody's business."""


class Server(ThreadingHTTPServer):
    """The server of one bundle. Port 0 takes a free one; `address` is where the page stands."""

    daemon_threads = True

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder = folder
        self._read = (0.0, {})  # type: tuple[float, dict[str, dict[str, Any]]]
        super().__init__((LOOPBACK, port), Handler)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{LOOPBACK}:{self.server_address[1]}/"

    def files(self) -> dict[str, dict[str, Any]]:
        """The files of the manifest, read again when the bundle was made anew."""
        manifest = self.folder / "manifest.json"
        try:
            changed = manifest.stat().st_mtime
            if changed != self._read[0]:
                self._read = (changed, json.loads(manifest.read_text("utf-8"))["files"])
        except OSError:
            pass  # the bundle is being put in its place at this moment: the last one still holds
        return self._read[1]
