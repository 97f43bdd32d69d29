"""The npm package as it would be published: packed, installed into an empty project, and built with people's tools."""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from build_scripts import api_docs, setup

CLIENTS = setup.CLIENTS
TIMEOUT = 120


def run(command: list[str | Path], folder: Path, **env: str) -> str:
    words = [str(word) for word in command]
    result = subprocess.run(
        words, cwd=folder, env={**os.environ, **env}, capture_output=True, text=True, timeout=TIMEOUT
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="session")
def tarball(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, packed by npm."""
    folder = tmp_path_factory.mktemp("packed")
    answer = run(["npm", "pack", "--json", "--ignore-scripts", "--pack-destination", folder], setup.WEB)
    packed = json.loads(answer)
    entry = packed[0] if isinstance(packed, list) else next(iter(packed.values()))
    return folder / str(entry["filename"])


@pytest.fixture(scope="session")
def installed(tarball: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty project into which npm installed the package, without any network."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "package.json").write_text('{"name": "empty", "private": true, "type": "module"}', "utf-8")
    run(["npm", "install", "--offline", "--no-audit", "--no-fund", tarball], folder)
    return folder


def test_the_package_holds_what_it_needs_and_nothing_else(tarball: Path) -> None:
    with tarfile.open(tarball) as archive:
        names = {name.removeprefix("package/") for name in archive.getnames()}
    files = json.loads((setup.DIST / "manifest.json").read_text("utf-8"))["files"]
    built = {f"dist/{name}" for name in files if name.startswith("edgegate/")}
    assert names == built | {"package.json", "README.md", "bin/assets.mjs"}
    assert {"dist/edgegate/LICENSE.txt", "dist/edgegate/NOTICE.txt"} <= names


def test_every_export_is_there_with_its_types(installed: Path) -> None:
    package = installed / "node_modules" / "edgegate"
    exports = json.loads((package / "package.json").read_text("utf-8"))["exports"]
    paths = [path for entry in exports.values() for path in (entry.values() if isinstance(entry, dict) else [entry])]
    assert len(paths) > 10
    for path in paths:
        assert (package / path).is_file(), path
    assert {name for name, entry in exports.items() if "types" in entry} == set(exports) - {"./package.json"}


def test_every_way_to_start_exports_the_same() -> None:
    """What is written for the page's own thread, a worker, Node or one file must not miss a name in another of them."""
    given = {}
    for entry in ("index", "node", "inline", "webview"):
        text = (setup.WEB / "src" / f"{entry}.ts").read_text("utf-8")
        given[entry] = set(re.findall(r"^export (?:\*|\{.*\}) from .*$", text, re.MULTILINE))
        assert re.search(r"^export (async )?function loadEdgegate\(", text, re.MULTILINE)
    assert given["node"] == given["inline"] == given["webview"] == given["index"]
    assert len(given["index"]) > 1


def test_the_guide_names_every_import() -> None:
    exports = json.loads((setup.WEB / "package.json").read_text("utf-8"))["exports"]
    guide = (setup.ROOT / "docs" / "javascript.md").read_text("utf-8")
    named = set(re.findall(r"^\| `(edgegate[^`]*)` \|", guide, re.MULTILINE))
    assert named == {"edgegate" + name.removeprefix(".") for name in exports} - {"edgegate/package.json"}


USE = """
import { loadEdgegate, UsageError } from "edgegate";
import { guardTransform } from "edgegate/ai-sdk";
import { guardFetch as guardMessages } from "edgegate/anthropic";
import { guardFetch } from "edgegate/openai";
const edgegate = await loadEdgegate();
const answer = (content) => async () => Response.json({ choices: [{ index: 0, message: { content } }] });
const fetch = guardFetch(edgegate, {}, answer("Hi. Last week you told me about your boat. Bye."));
const { choices } = await (await fetch("http://localhost/v1/chat/completions")).json();
console.log(choices[0].message.content, typeof guardTransform, typeof guardMessages);
console.log((await edgegate.check("I might move to Porto.", "The user is moving to Porto.")).verdict);
const stopped = edgegate.check("a", "b", { signal: AbortSignal.abort() });
console.log(await stopped.catch((error) => error.name));
const bad = edgegate.check("a", "b", { nonsense: 1 });
console.log(await bad.catch((error) => `${error.name} ${error.code} ${error.where}`));
const evidence = { memorys: [] };
const wrong = guardFetch(edgegate, { evidence }, answer("x"))("http://localhost/v1/chat/completions");
console.log(await wrong.catch((error) => `${error.name} ${error.where}`), UsageError.name);
"""


def test_an_empty_project_uses_it_in_node(installed: Path) -> None:
    (installed / "use.mjs").write_text(USE, "utf-8")
    assert run(["node", "use.mjs"], installed).splitlines() == [
        "Hi. Bye. function function",
        "REWRITE",
        "AbortError",
        "DataError data nonsense",
        "DataError evidence.memorys UsageError",
    ]


PAGE = """<!doctype html><html><head><meta charset="utf-8"><title>starting</title></head>
<body><script type="module" src="SCRIPT"></script></body></html>"""

MAIN = """
import { loadEdgegate } from "edgegate";
import { guardChatEvents } from "edgegate/openai";
try {
  const edgegate = await loadEdgegate(OPTIONS);
  const { verdict } = await edgegate.check("I might move to Porto.", "The user is moving to Porto.");
  const guard = edgegate.replyGuard();
  const text = new Response("Hi. Last week you told me about your boat. Bye.").body.pipeThrough(guard);
  let shown = "";
  const reader = text.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) shown += piece.value;
  document.title = `${verdict} ${shown} ${typeof guardChatEvents}`;
} catch (error) {
  document.title = `failed: ${error}`;
}
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012
        ".html": "text/html",
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        "": "application/octet-stream",
    }

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@pytest.fixture
def title_of(chromium: Any, tmp_path: Path) -> Iterator[Any]:
    """Serves a folder plainly, opens its page in Chromium and gives the title that it settles on."""
    servers: list[http.server.ThreadingHTTPServer] = []

    def look(folder: Path) -> str:
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=os.fspath(folder))
        )
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = chromium.new_page()
        try:
            page.goto(f"http://127.0.0.1:{server.server_address[1]}/")
            page.wait_for_function("document.title !== 'starting'", timeout=TIMEOUT * 1000)
            return str(page.title())
        finally:
            page.close()

    yield look
    for server in servers:
        server.shutdown()
        server.server_close()


WANTED = "REWRITE Hi. Bye. function"


def project_of(installed: Path, folder: Path, script: str, options: str) -> Path:
    """A project of its own with the installed package, a page and its script."""
    project = folder / "project"
    project.mkdir()
    (project / "package.json").write_text('{"private": true, "type": "module"}', "utf-8")
    (project / "node_modules").symlink_to(installed / "node_modules", target_is_directory=True)
    (project / "index.html").write_text(PAGE.replace("SCRIPT", script), "utf-8")
    (project / "main.js").write_text(MAIN.replace("OPTIONS", options), "utf-8")
    return project


def copy_assets(project: Path, target: str) -> None:
    run(["node", project / "node_modules" / ".bin" / "edgegate-assets", target], project)


@pytest.mark.browser
@pytest.mark.slow
def test_vite_builds_it(installed: Path, title_of: Any, tmp_path: Path) -> None:
    project = project_of(installed, tmp_path, "/main.js", '{ assets: "/edgegate/" }')
    copy_assets(project, "public/edgegate")
    vite = CLIENTS / "node_modules" / "vite" / "bin" / "vite.js"
    run(["node", vite, "build", "--logLevel", "warn"], project)
    assert title_of(project / "dist") == WANTED


@pytest.mark.browser
@pytest.mark.slow
def test_esbuild_builds_it(installed: Path, title_of: Any, tmp_path: Path) -> None:
    project = project_of(installed, tmp_path, "out.js", '{ assets: "/edgegate/" }')
    copy_assets(project, "edgegate")
    esbuild = setup.WEB / "node_modules" / ".bin" / "esbuild"
    run([esbuild, "main.js", "--bundle", "--format=esm", "--outfile=out.js", "--log-level=warning"], project)
    assert title_of(project) == WANTED


@pytest.mark.browser
@pytest.mark.slow
def test_no_bundler_is_needed(installed: Path, title_of: Any, tmp_path: Path) -> None:
    project = project_of(installed, tmp_path, "main.js", "")
    shutil.copytree(installed / "node_modules" / "edgegate" / "dist" / "edgegate", project / "edgegate")
    names = {"edgegate": "./edgegate/index.js", "edgegate/openai": "./edgegate/openai.js"}
    page = (project / "index.html").read_text("utf-8")
    table = f'<script type="importmap">{json.dumps({"imports": names})}</script>'
    (project / "index.html").write_text(page.replace("<body>", f"<body>{table}"), "utf-8")
    assert title_of(project) == WANTED


@pytest.mark.slow
def test_the_api_documentation_is_made_from_the_source_and_leaves_nothing_out(dist: Path, tmp_path: Path) -> None:
    page = api_docs.make(tmp_path / "api")
    assert "edgegate/openai" in page.read_text("utf-8")
    exports = json.loads((setup.WEB / "package.json").read_text("utf-8"))["exports"]
    modules = {path.stem for path in (page.parent / "modules").glob("*.html")}
    wanted = {"edgegate" if name == "." else "edgegate_" + name.removeprefix("./") for name in exports}
    assert modules == wanted - {"edgegate_package.json"}
