"""The page without a network, and two builds of it that never mix."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error as PlaywrightError

from build_scripts import offline, setup
from build_scripts.bundle import manifest_of
from build_scripts.serve import Server

pytestmark = pytest.mark.browser

START = 120_000
RECORDING = json.loads((setup.WEB / "page" / "recordings" / "night-shift.json").read_text("utf-8"))


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    with Server(folder) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@contextmanager
def browsing(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context()
    context.set_default_timeout(START)
    yield context
    context.close()


def until(page: Any, true: str) -> None:
    """Waits until an expression of the page is true. (Playwright's own way evaluates strings: the page refuses to.)"""
    for _ in range(START // 50):
        with suppress(PlaywrightError):  # the page may be on its way to another version of itself
            if page.evaluate(true):
                return
        page.wait_for_timeout(50)
    raise AssertionError(f"waited in vain for {true}")


def ready(page: Any) -> None:
    page.wait_for_selector("#status[data-state=ready]")


def kept(page: Any) -> None:
    """Waits until the whole page is kept and served by its service worker."""
    until(page, "document.getElementById('offline').textContent.startsWith('It works')")


def controlled(page: Any) -> bool:
    return bool(page.evaluate("navigator.serviceWorker.controller !== null"))


def other_build(dist: Path, folder: Path, name: str) -> Path:
    """A whole other build: another page and another script, each telling which build it is of."""
    shutil.copytree(dist, folder)
    page = folder / "index.html"
    page.write_text(page.read_text("utf-8").replace("<title>edgegate", f"<title>edgegate {name}"), "utf-8")
    for script in ("page.js", "edgegate/worker.js", "edgegate/index.js"):
        path = folder / script
        path.write_text(f"{path.read_text('utf-8')}\n// {name}\n", "utf-8")
    with (folder / "page.js").open("a", encoding="utf-8") as script_file:
        script_file.write(f"document.documentElement.dataset.build = '{name}';\n")
    worker = folder / "sw.js"
    text = worker.read_text("utf-8")
    old = json.dumps(offline.files_of(dist), separators=(",", ":"))
    assert text.count(old) == 1
    new = json.dumps(offline.files_of(folder), separators=(",", ":"))
    worker.write_text(text.replace(old, new), "utf-8")
    declare(folder)
    return folder


def declare(folder: Path) -> None:
    (folder / "manifest.json").write_text(json.dumps(manifest_of(folder)), "utf-8")


def test_every_file_that_a_browser_loads_is_kept_by_its_hash(dist: Path) -> None:
    files = json.loads((dist / "manifest.json").read_text("utf-8"))["files"]
    for worker, below in (("sw.js", ""), ("edgegate/service-worker.js", "edgegate/")):
        listed = offline.files_of(dist, below)
        assert all(files[below + name]["sha256"] == facts["sha256"] for name, facts in listed.items())
        text = (dist / worker).read_text("utf-8")
        assert offline.MARK not in text
        assert json.dumps(listed, separators=(",", ":")) in text
        assert all((dist / below / name).is_file() for name in listed)
    left_out = r"edgegate/(types/|(build|modules|snapshot)\.json|node\.js|service-worker\.js)|check\.js|sw\.js"
    assert all(re.match(left_out, name) for name in files if name not in offline.files_of(dist))


def test_the_page_can_be_installed(dist: Path) -> None:
    manifest = json.loads((dist / "manifest.webmanifest").read_text("utf-8"))
    assert manifest["display"] == "standalone"
    assert manifest["name"]
    assert (dist / manifest["icons"][0]["src"]).is_file()
    assert 'rel="manifest" href="manifest.webmanifest"' in (dist / "index.html").read_text("utf-8")


@pytest.mark.slow
def test_it_works_when_the_network_and_the_server_are_gone(dist: Path, chromium: Any) -> None:
    with browsing(chromium) as context:
        page = context.new_page()
        with serving(dist) as server:
            page.goto(server.address)
            ready(page)
            kept(page)
            browser = context.new_cdp_session(page)
            errors = browser.send("Page.getInstallabilityErrors")["installabilityErrors"]
            # A window without a profile of its own can't install anything; but for that, the browser is content.
            assert {error["errorId"] for error in errors} <= {"in-incognito"}, errors
            assert browser.send("Page.getAppManifest")["errors"] == []
        context.set_offline(True)
        page.reload()
        ready(page)
        assert controlled(page)
        page.select_option("#recording", "night-shift")
        page.select_option("#pace", "0.3")
        page.click("#play")
        page.wait_for_selector("#stored-fold:not([hidden])", state="attached")
        stored = page.text_content("#stored")
        assert stored == page.text_content("#reply")
        assert len(stored) > 20
        assert not any(sentence in stored for sentence in RECORDING["expected"]["dropped"])
        page.click("#tab-memory")
        page.click("#check")
        page.wait_for_selector("#compare-card:not([hidden])", state="attached")
        page.click("#tab-kept")
        page.wait_for_selector("#kept-send:enabled")
        page.fill("#kept-message", "remember that the gate code is 4820")
        page.press("#kept-message", "Enter")
        until(page, "document.getElementById('kept-count').textContent === '1 memory'")
        page.reload()
        ready(page)
        until(page, "document.getElementById('kept-count').textContent === '1 memory'")
        page.check("#kept-view-list")
        assert page.text_content(".kept-list .kept-text") == "The gate code is 4820"


def build_of(page: Any) -> tuple[str, str]:
    """Which build the page and its script say they are of."""
    return page.title().removeprefix("edgegate").strip(), page.evaluate("document.documentElement.dataset.build ?? ''")


def reloaded(page: Any) -> tuple[str, str]:
    page.reload()
    until(page, "document.documentElement.dataset.build !== undefined")
    return build_of(page)


@pytest.mark.slow
def test_an_update_never_mixes_versions(dist: Path, chromium: Any, tmp_path: Path) -> None:
    first = other_build(dist, tmp_path / "first", "A")
    second = other_build(dist, tmp_path / "second", "B")
    half = tmp_path / "half"
    shutil.copytree(second, half)
    (half / "page.js").write_bytes((first / "page.js").read_bytes())  # a deployment that is not through yet
    declare(half)
    registration = "navigator.serviceWorker.getRegistration().then((found) => "
    with browsing(chromium) as context, serving(first) as server:
        page = context.new_page()
        page.goto(server.address)
        ready(page)
        kept(page)
        assert reloaded(page) == ("A", "A")
        assert controlled(page)

        server.folder = half
        page.evaluate(registration + "found.update().catch(() => {}))")
        until(page, registration + "!found.installing && !found.waiting)")
        assert reloaded(page) == ("A", "A"), "a build whose files don't fit together never takes over"

        server.folder = second
        page.evaluate(registration + "found.update().then(() => {}))")
        until(page, registration + "found.waiting !== null)")
        assert reloaded(page) == ("A", "A"), "the new build waits while a page of the old one is open"

        other = context.new_page()
        other.goto(server.address)
        page.evaluate(registration + "found.waiting.postMessage('edgegate: take over'))")
        page.wait_for_timeout(300)
        assert (reloaded(page), reloaded(other)) == (("A", "A"), ("A", "A")), "not while two pages are open"
        other.close()

        ready(page)
        page.wait_for_selector("#offline button")
        page.click("#offline button")
        until(page, "document.title.endsWith('B')")
        server.folder = tmp_path  # from here on the server has nothing
        (tmp_path / "manifest.json").write_text('{"files": {}}', "utf-8")
        assert reloaded(page) == ("B", "B")
        assert len(page.evaluate("caches.keys()")) == 1
        ready(page)


def test_an_application_keeps_the_package_with_its_own_service_worker(
    dist: Path, chromium: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "app"
    shutil.copytree(dist / "edgegate", folder / "edgegate")
    (folder / "index.html").write_text(
        '<!doctype html><title>starting</title><script type="module" src="app.js"></script>', "utf-8"
    )
    (folder / "app-sw.js").write_text(
        'import { serveEdgegate } from "./edgegate/service-worker.js";\nserveEdgegate();\n', "utf-8"
    )
    (folder / "app.js").write_text(
        """
import { loadEdgegate } from "./edgegate/index.js";
await navigator.serviceWorker.register("app-sw.js", { type: "module" });
await navigator.serviceWorker.ready;
globalThis.verdict = async () => {
  const edgegate = await loadEdgegate();
  return (await edgegate.check("I might move to Porto.", "The user is moving to Porto.")).verdict;
};
document.title = "kept";
""",
        "utf-8",
    )
    declare(folder)
    with browsing(chromium) as context:
        page = context.new_page()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("build_scripts.serve.HEADERS", {"Cache-Control": "no-cache"})
            with serving(folder) as server:
                page.goto(server.address)
                until(page, "document.title === 'kept'")
                page.reload()
                until(page, "document.title === 'kept'")
                server.folder = tmp_path  # from here on the server has nothing
                (tmp_path / "manifest.json").write_text('{"files": {}}', "utf-8")
                assert page.evaluate("verdict()") == "REWRITE"
