"""The server of run.py: what it sends, and what it never sends."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from build_scripts.bundle import manifest_of
from build_scripts.serve import POLICY, TYPES, Server


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[http.client.HTTPConnection, Path]]:
    folder = tmp_path / "dist"
    (folder / "sub").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>x</title>", "utf-8")
    for ending in TYPES:
        (folder / "sub" / f"file{ending}").write_bytes(b"content")
    (folder / "note.md").write_text("a kind of file that is not served", "utf-8")
    (tmp_path / "secret.json").write_text("{}", "utf-8")
    (folder / "manifest.json").write_text(json.dumps(manifest_of(folder)), "utf-8")
    with Server(folder) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        host, port = server.server_address[:2]
        connection = http.client.HTTPConnection(str(host), port, timeout=10)
        yield connection, folder
        connection.close()
        server.shutdown()


def ask(
    connection: http.client.HTTPConnection, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def test_the_page_is_served_with_its_policy(served: tuple[http.client.HTTPConnection, Path]) -> None:
    status, headers, body = ask(served[0], "/")
    assert (status, body) == (200, b"<!doctype html><title>x</title>")
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-cache"
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert "python" not in headers["server"].lower()


@pytest.mark.parametrize(("ending", "kind"), TYPES.items())
def test_every_kind_of_file_has_its_type(
    served: tuple[http.client.HTTPConnection, Path], ending: str, kind: str
) -> None:
    status, headers, body = ask(served[0], f"/sub/file{ending}?x=1")
    assert (status, headers["content-type"], body) == (200, kind, b"content")


def test_what_a_browser_has_already_is_not_sent_again(served: tuple[http.client.HTTPConnection, Path]) -> None:
    connection, folder = served
    tag = ask(connection, "/index.html")[1]["etag"]
    status, headers, body = ask(connection, "/index.html", If_None_Match=tag)
    assert (status, headers["etag"], body) == (304, tag, b"")
    (folder / "index.html").write_text("new", "utf-8")
    (folder / "manifest.json").write_text(json.dumps(manifest_of(folder), indent=2), "utf-8")
    status, _, body = ask(connection, "/index.html", If_None_Match=tag)
    assert (status, body) == (200, b"new")


def test_head_gives_the_headers_alone(served: tuple[http.client.HTTPConnection, Path]) -> None:
    status, headers, body = ask(served[0], "/index.html", method="HEAD")
    assert (status, headers["content-length"], body) == (200, "31", b"")
    assert ask(served[0], "/nothing", method="HEAD")[0::2] == (404, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.json",
        "/sub/../../secret.json",
        "/%2e%2e/secret.json",
        "/..%2fsecret.json",
        "/sub/..%5c..%5csecret.json",
        "//secret.json",
        "/sub",
        "/sub/",
        "/note.md",
        "/index.html/",
        "/index.html%00.js",
        "/%ff%fe",
        "/nothing",
    ],
)
def test_nothing_else_is_served(served: tuple[http.client.HTTPConnection, Path], path: str) -> None:
    status, headers, _ = ask(served[0], path)
    assert status == 404
    assert headers["content-security-policy"] == POLICY


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_only_reading_is_allowed(served: tuple[http.client.HTTPConnection, Path], method: str) -> None:
    assert ask(served[0], "/index.html", method=method)[0] == 501
