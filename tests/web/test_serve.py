"""The server of run.py: what it sends, and what it never sends."""

from __future__ import annotations

import http.client
import json
import socket
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from build_scripts import run
from build_scripts.bundle import manifest_of
from build_scripts.serve import POLICY, TYPES, Server, origin_of, policy, read_endpoint


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


def test_without_an_endpoint_the_page_may_ask_its_own_server_alone(
    served: tuple[http.client.HTTPConnection, Path],
) -> None:
    status, headers, body = ask(served[0], "/settings.json")
    assert (status, headers["content-type"], json.loads(body)) == (200, TYPES[".json"], {"endpoint": None})
    assert "connect-src 'self'" in headers["content-security-policy"].split("; ")


def test_an_endpoint_is_told_to_the_page_and_its_origin_alone_put_into_the_policy(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(manifest_of(tmp_path)), "utf-8")
    with Server(tmp_path, endpoint="https://model.example:8443/v1") as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        connection = http.client.HTTPConnection(*server.server_address[:2], timeout=10)
        status, headers, body = ask(connection, "/settings.json")
        assert (status, json.loads(body)) == (200, {"endpoint": "https://model.example:8443/v1"})
        directives = headers["content-security-policy"].split("; ")
        assert "connect-src 'self' https://model.example:8443" in directives
        assert [part for part in directives if not part.startswith("connect-src")] == [
            part for part in POLICY.split("; ") if not part.startswith("connect-src")
        ]
        assert ask(connection, "/nothing")[1]["content-security-policy"] == "; ".join(directives)
        connection.close()
        server.shutdown()


@pytest.mark.parametrize(
    ("text", "endpoint", "origin"),
    [
        ("http://localhost:11434/v1", "http://localhost:11434/v1", "http://localhost:11434"),
        ("http://localhost:11434/v1//", "http://localhost:11434/v1", "http://localhost:11434"),
        ("HTTPS://Model.Example/api/v1", "https://model.example/api/v1", "https://model.example"),
        ("https://model.example", "https://model.example", "https://model.example"),
        ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1", "http://127.0.0.1:8000"),
        ("https://m\u00fcller.example/v1", "https://xn--mller-kva.example/v1", "https://xn--mller-kva.example"),
    ],
)
def test_endpoints_are_read(text: str, endpoint: str, origin: str) -> None:
    assert read_endpoint(text) == endpoint
    assert origin_of(endpoint) == origin
    assert f"connect-src 'self' {origin}" in policy(endpoint).split("; ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "http://"),
        ("localhost:11434", "begin with"),
        ("ftp://model.example", "begin with"),
        ("javascript:alert(1)", "begin with"),
        ("http://", "no host"),
        ("http:///v1", "no host"),
        ("http://-.example", "no host"),
        ("http://a..b", "no host"),
        ("http://model.example:99999", "range"),
        ("http://model.example:x", "Port"),
        ("http://me:secret@model.example", "password"),
        ("http://model.example/v1?key=x", "from \\?"),
        ("http://model.example/v1#x", "from \\?"),
        ("http://[::1]:8000/v1", "IPv6"),
        ("http://*.example", "stars"),
        ("http://model.example; script-src *", "semicolons"),
        ("http://model.example,http://other.example", "commas"),
        ("http://model.example 'unsafe-eval'", "spaces"),
        ("http://model.example\n", "spaces"),
    ],
)
def test_what_is_no_endpoint_is_refused_with_words(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_endpoint(text)


def test_run_says_what_is_wrong_with_an_endpoint(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["run.py", "--endpoint", "localhost:11434"])
        with pytest.raises(SystemExit) as ended:
            run.main()
    assert ended.value.code == 2
    assert "it must begin with http://" in capsys.readouterr().err


def test_a_visitor_who_leaves_half_way_is_no_error(
    served: tuple[http.client.HTTPConnection, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    connection, folder = served
    (folder / "large.bin").write_bytes(bytes(50_000_000))
    (folder / "manifest.json").write_text(json.dumps(manifest_of(folder), indent=3), "utf-8")
    with socket.create_connection((connection.host, connection.port), timeout=10) as visitor:
        visitor.sendall(b"GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n")
        assert visitor.recv(100).startswith(b"HTTP/1.1 200")
        # Leaves so that the server is told at once.
        visitor.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert ask(connection, "/")[0] == 200
    deadline = time.monotonic() + 5
    while (
        any("process_request_thread" in thread.name for thread in threading.enumerate()) and time.monotonic() < deadline
    ):
        connection.close()
        time.sleep(0.05)
    assert capsys.readouterr().err == ""
