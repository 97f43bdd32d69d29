"""The page as one file, opened from file:// in every browser that is there."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from build_scripts import setup, webview

START = 120_000
CHECK = """edgegate.then(async (started) => {
  const events = [];
  const reply = started.openReply({ onEvent: (event) => events.push(event.kind) });
  const pieces = ["Hi. Last week you told me about your boat. ", "Bye."];
  let shown = "";
  for (const piece of pieces) shown += await reply.feed(piece);
  shown += await reply.close();
  const { verdict } = await started.check("I might move to Porto.", "The user is moving to Porto.");
  const empty = { revision: 0, memories: [], turns: [] };
  const store = {
    load: async () => empty,
    find: async () => empty,
    apply: async ({ put }) => ({ revision: 1, put: put.map(({ id }) => id), deleted: [], erased: true }),
  };
  const { writes } = await started.memory({ store }).turn("remember that the gate code is 4820");
  const kept = await new Promise((resolve) => {
    const request = indexedDB.open("probe", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("kept");
    request.onerror = () => resolve(String(request.error));
    request.onsuccess = () => {
      const write = request.result.transaction("kept", "readwrite");
      write.objectStore("kept").put(1, "key");
      write.oncomplete = () => resolve("kept");
      write.onerror = () => resolve(String(write.error));
    };
  });
  const sent = await fetch("https://example.invalid/").then(() => "went", (error) => error.name);
  const { from } = await started.measure();
  const dropped = events.filter((kind) => kind === "text_dropped").length;
  return JSON.stringify({ shown, verdict, dropped, writes, kept, sent, from, secure: isSecureContext, origin });
})"""
WANTED = {
    "shown": "Hi. Bye.",
    "verdict": "REWRITE",
    "dropped": 1,
    "writes": ["stored: The gate code is 4820"],
    "kept": "kept",
    "sent": "TypeError",
    "from": "snapshot",
    "secure": True,
    "origin": "null",
}


@pytest.fixture(scope="module")
def page_file(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    # A folder of its own: nothing stands beside the file that it could load.
    return webview.make(dist, tmp_path_factory.mktemp("webview") / "edgegate.html")


def test_the_one_file_allows_itself_by_hash_and_nothing_else(page_file: Path) -> None:
    page = page_file.read_text("utf-8")
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert found
    policy = html.unescape(found.group(1))
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert not re.search(r"https?:|connect-src", policy)
    for pattern, directive in (
        (r'<script type="module">(.*?)</script>', "script-src"),
        (r"<style>(.*?)</style>", "style-src"),
    ):
        texts = re.findall(pattern, page, re.DOTALL)
        assert len(texts) == 1
        digest = base64.b64encode(hashlib.sha256(texts[0].encode()).digest()).decode()
        assert re.search(rf"{directive} 'sha256-{re.escape(digest)}'", policy)
    assert page.index("Content-Security-Policy") < page.index("<style>")


@pytest.mark.browser
@pytest.mark.slow
def test_it_works_from_a_file_in_chromium(page_file: Path, chromium: Any) -> None:
    context = chromium.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(page_file.as_uri())
    page.wait_for_selector("#status[data-state=ready]", timeout=START)
    page.select_option("#pace", "0.3")
    page.click("#play")
    page.wait_for_selector("#stored-fold:not([hidden])", state="attached", timeout=START)
    stored = page.text_content("#stored")
    assert len(stored) > 20
    assert stored == page.text_content("#reply")
    page.click("#tab-memory")
    page.click("#check")
    page.wait_for_selector("#compare-card:not([hidden])", timeout=START)
    assert [url for url in asked if not url.startswith("data:")] == [page_file.as_uri()]
    assert complaints == []
    assert json.loads(page.evaluate(CHECK)) == WANTED
    assert all("example.invalid" in complaint for complaint in complaints)
    context.close()


def drive(browser: str, page_file: Path) -> None:
    """Runs the check in another browser, by web/tools/drive.mjs."""
    script = setup.WEB / "tools" / "drive.mjs"
    command = ["node", str(script), browser, page_file.as_uri(), CHECK]
    result = subprocess.run(command, capture_output=True, text=True, timeout=180)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    assert json.loads(result.stdout.splitlines()[-1]) == WANTED


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("firefox-esr"), reason="no Firefox here: firefox-esr")
def test_it_works_from_a_file_in_firefox(page_file: Path) -> None:
    drive("firefox", page_file)


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("WebKitWebDriver"), reason="no WebKit here: webkit2gtk-driver and xvfb")
def test_it_works_from_a_file_in_webkit(page_file: Path) -> None:
    drive("webkit", page_file)
