"""Serves web/dist on loopback, with the headers that keep the page to itself.

Only files named in the bundle's manifest are served, so no path can lead out of the folder. Every answer must be asked
for again (`no-cache`) and carries the hash as its ETag: nothing old is ever shown, nothing is sent twice.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
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


def read_endpoint(text: str) -> str:
    """The base URL of a model's service that `text` names, as the page is told it. ValueError says what to change.

    >>> read_endpoint("https://model.example/v1/")
    'https://model.example/v1'
    """
    wanted = "write it like http://localhost:11434/v1"
    if re.search(r"[\s;,'\"*<>\\]", text):
        raise ValueError(f"an address can't hold spaces, quotes, stars, commas or semicolons: {wanted}")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as problem:
        raise ValueError(f"{problem}: {wanted}") from None
    if parts.scheme not in ("http", "https"):
        raise ValueError(f"it must begin with http:// or https://: {wanted}")
    if parts.username is not None or parts.password is not None:
        raise ValueError("leave name and password out: keys are typed into the page, and stay in the visitor's browser")
    if parts.query or parts.fragment:
        raise ValueError(f"leave out everything from ? or # on: {wanted}")
    host = parts.hostname or ""
    if ":" in host:
        raise ValueError("a browser's policy can't name an IPv6 address: write a host name, or an IPv4 address")
    try:
        host = host.encode("idna").decode("ascii") if not host.isascii() else host
    except UnicodeError:
        host = ""
    if not re.fullmatch(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", host) or ".." in host:
        raise ValueError(f"it names no host that can be asked: {wanted}")
    return f"{parts.scheme}://{host}{'' if port is None else f':{port}'}{parts.path.rstrip('/')}"


def origin_of(endpoint: str) -> str:
    """The origin of an endpoint: scheme, host, port, and nothing of the path.

    >>> origin_of("http://localhost:11434/v1")
    'http://localhost:11434'
    """
    parts = urlsplit(endpoint)
    return f"{parts.scheme}://{parts.netloc}"


def policy(endpoint: str | None = None) -> str:
    """The Content-Security-Policy of the page. The origin of the endpoint is the one other place that may be asked."""
    places = ["'self'"] if endpoint is None else ["'self'", origin_of(endpoint)]
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self'",
            f"connect-src {' '.join(places)}",
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


POLICY = policy()
"""The policy of a page that was started without an endpoint."""

SETTINGS = "settings.json"
"""What the page asks its server: the endpoint it may use. It is made here, and stands in no bundle."""

HEADERS = {
    "Content-Security-Policy": POLICY,  # with the endpoint in it, where the server has one
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
        if path == SETTINGS:
            self._send(HTTPStatus.OK, TYPES[".json"], json.dumps({"endpoint": self.server.endpoint}).encode())
            return
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
        self._send(status, "text/plain; charset=utf-8", f"{status.value} {status.phrase}\n".encode())

    def _send(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, policy(self.server.endpoint) if value is POLICY else value)
        super().end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        """Says nothing: what a visitor looks at is nobody's business."""


class Server(ThreadingHTTPServer):
    """The server of one bundle. Port 0 takes a free one; `address` is where the page stands.

    `endpoint` is the base URL of the one model's service that the page may ask, as `read_endpoint` gives it.
    """

    daemon_threads = True

    def __init__(self, folder: Path, port: int = 0, endpoint: str | None = None) -> None:
        self.folder = folder
        self.endpoint = endpoint
        self._read = (0.0, {})  # type: tuple[float, dict[str, dict[str, Any]]]
        super().__init__((LOOPBACK, port), Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing of a visitor who left before everything was sent; anything else is told as usual."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

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
