"""The page in a real Chromium. Every change of it is watched, from before its own scripts run."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from build_scripts.serve import POLICY, Server
from edgegate.guard.stream import Guard

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "web" / "page"
SCREENSHOTS = ROOT / "build" / "screenshots"
RECORDINGS = [entry["id"] for entry in json.loads((PAGE / "recordings" / "index.json").read_text("utf-8"))]
MEMORIES = json.loads((PAGE / "recordings" / "memories.json").read_text("utf-8"))
START = 120_000  # milliseconds that Python may take to start on a loaded machine

# Runs before the page's scripts. Reads the text of the reply area at every change of the document and at every frame.
WATCH = """
(() => {
  const watch = { seen: [], frames: 0, violations: [], added: [] };
  const look = () => {
    const area = document.getElementById("reply");
    const text = area === null ? "" : area.textContent;
    if (watch.seen.at(-1) !== text) watch.seen.push(text);
  };
  new MutationObserver((changes) => {
    look();
    for (const change of changes)
      for (const node of change.addedNodes)
        if (node.nodeType === 1) watch.added.push(node.tagName.toLowerCase());
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  const frame = () => { watch.frames += 1; look(); requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    watch.violations.push(`${violatedDirective} ${blockedURI}`));
  globalThis.watch = watch;
})();
"""


@dataclass
class Visit:
    """One visit to the page, and what happened meanwhile."""

    page: Any
    address: str
    headers: dict[str, str] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def play(self, recording: str, *, guarded: bool = True, pace: str = "0.05") -> tuple[str, str]:
        """Streams a recording to its end; returns the shown and the stored text."""
        page = self.page
        page.select_option("#recording", recording)
        about = next(item for item in recordings() if item["id"] == recording)["about"]
        self.until(lambda: page.text_content("#about") == about)
        if (page.get_attribute("#enabled", "aria-checked") == "true") != guarded:
            page.click("#enabled")
        # A pace that the page doesn't offer: people would not see it.
        page.evaluate(
            """pace => {
              const list = document.getElementById("pace");
              list.append(new Option(pace, pace));
              list.value = pace;
            }""",
            pace,
        )
        page.evaluate("watch.seen.length = 0")
        page.click("#play")
        page.wait_for_selector("#stored-fold:not([hidden])", state="attached", timeout=START)
        return page.text_content("#reply"), page.text_content("#stored")

    def until(self, true: Callable[[], bool]) -> None:
        """Waits for something to become true. (Playwright's own way has the page evaluate strings: it refuses to.)"""
        for _ in range(600):
            if true():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("waited for half a minute in vain")

    def check(self) -> None:
        """Gates the memory in the form, and waits for the verdict."""
        self.page.click("#check")
        self.page.wait_for_selector("#compare-card:not([hidden])", timeout=30_000)

    def seen(self) -> list[str]:
        """Every text that the reply area has held since the last play began."""
        return list(self.page.evaluate("watch.seen"))


def recordings() -> list[dict[str, Any]]:
    return [json.loads((PAGE / "recordings" / f"{name}.json").read_text("utf-8")) for name in RECORDINGS]


def visit_of(chromium: Any, address: str, **options: Any) -> Visit:
    page = chromium.new_page(**options)
    visit = Visit(page, address)
    # The page without a network has tests of its own: here, nothing may come between the page and the server.
    page.add_init_script("delete Navigator.prototype.serviceWorker")
    page.add_init_script(WATCH)
    page.on("request", lambda request: visit.requests.append(request.url))
    page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    page.on(
        "console",
        lambda message: visit.complaints.append(message.text) if message.type in ("error", "warning") else None,
    )
    response = page.goto(address)
    visit.headers = response.all_headers()
    return visit


@pytest.fixture(scope="module")
def visit(chromium: Any, site: str) -> Iterator[Visit]:
    """The page, started."""
    made = visit_of(chromium, site)
    made.page.wait_for_selector("#status[data-state=ready]", timeout=START)
    yield made
    made.page.close()


@pytest.mark.parametrize("recording", recordings(), ids=RECORDINGS)
def test_nothing_that_is_dropped_is_ever_visible(visit: Visit, recording: dict[str, Any]) -> None:
    shown, stored = visit.play(recording["id"])
    seen = visit.seen()

    # The same pieces through the core, without a browser: what should be shown, and what should be dropped.
    guard = Guard(recording["evidence"])
    events = [event for _, piece in recording["chunks"] for event in guard.feed(piece)] + guard.close()
    dropped = [event.sentence for event in events if event.kind == "text_dropped"]

    assert shown == stored == guard.shown
    assert visit.page.locator("#dropped blockquote").all_text_contents() == dropped
    # At every change and in every frame the area held a beginning of the stored text, and so nothing else.
    assert len(seen) > 2
    for text in seen:
        assert stored.startswith(text)
    for sentence in dropped:
        assert sentence not in stored
        assert all(sentence not in text for text in seen)


def test_the_watch_would_see_a_dropped_sentence(visit: Visit) -> None:
    """The test of the test: with the kill switch thrown, the same watch sees what the guard would have dropped."""
    recording = recordings()[0]
    shown, stored = visit.play(recording["id"], guarded=False)
    whole = "".join(piece for _, piece in recording["chunks"])
    assert shown == stored == whole
    seen = visit.seen()
    for sentence in recording["expected"]["dropped"]:
        assert any(sentence in text for text in seen)
    assert "guard was off" in visit.page.text_content("#outcome")


def test_stopping_half_way_leaves_exactly_the_decided_text(visit: Visit) -> None:
    page = visit.page
    page.select_option("#recording", RECORDINGS[0])
    page.select_option("#pace", "0.3")
    if page.get_attribute("#enabled", "aria-checked") != "true":
        page.click("#enabled")
    page.click("#play")
    visit.until(lambda: len(page.text_content("#reply")) > 20)
    page.click("#play")
    page.wait_for_selector("#stored-fold:not([hidden])", state="attached")
    shown = page.text_content("#reply")
    assert shown == page.text_content("#stored")
    whole = next(item for item in recordings() if item["id"] == RECORDINGS[0])["expected"]["shown"]
    assert whole.startswith(shown)
    assert len(shown) < len(whole)
    assert page.text_content("#outcome").startswith("Stopped.")


@pytest.mark.parametrize("example", MEMORIES, ids=lambda example: str(example["id"]))
def test_a_memory_is_gated_with_both_quotes_marked(visit: Visit, example: dict[str, Any]) -> None:
    page = visit.page
    page.click("#tab-memory")
    page.select_option("#example", example["id"])
    visit.check()
    assert page.get_attribute("#verdict", "data-verdict") == example["expected"]["verdict"]
    assert page.text_content("#marked-memory") == example["memory"]
    turns = page.locator("#marked-source p").all_text_contents()
    assert turns == [turn["text"] for turn in example["source"]]
    for check in example["expected"]["checks"]:
        card = page.locator("#changes > li", has_text=f"{check}:").first
        said, memory = card.locator("q").all_text_contents()
        marked_source = "".join(page.locator("#marked-source mark").all_text_contents())
        marked_memory = "".join(page.locator("#marked-memory mark").all_text_contents())
        assert said in marked_source
        assert memory in marked_memory
    if not example["expected"]["checks"]:
        assert page.locator("#changes > li:not([data-severity=advisory])").count() == 0


HOSTILE = [
    "<script>globalThis.broken = true</script> I might move to Porto.",
    '<img src=x onerror="globalThis.broken = true"> I might move to Porto.',
    "</p></div><iframe srcdoc='<script>parent.broken = true</script>'></iframe> I might move to Porto.",
    "\u202eI might move to Porto.\u202c javascript:alert(1) \ufeff\u0000",
    "I might move to Porto. " + "x" * 200_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=["script", "image", "frame", "direction", "long"])
def test_hostile_text_stays_text(visit: Visit, text: str) -> None:
    page = visit.page
    page.click("#tab-memory")
    page.select_option("#example", "")
    # As a program pastes it: filling by keystrokes would take minutes for the long one.
    page.evaluate(
        """text => {
          document.querySelector("#turns textarea").value = text;
          document.getElementById("memory").value = `The user is moving to Porto. ${text}`;
        }""",
        text,
    )
    held = page.evaluate("document.querySelector('#turns textarea').value")  # a text area drops what it can't hold
    page.evaluate("watch.added.length = 0")
    visit.check()
    assert page.locator("#marked-source p").all_text_contents() == [held]
    assert not {"script", "img", "iframe"} & set(page.evaluate("watch.added"))
    assert page.evaluate("globalThis.broken === undefined")


def test_wrong_input_is_answered_in_words(visit: Visit) -> None:
    page = visit.page
    page.click("#tab-memory")
    page.select_option("#example", MEMORIES[0]["id"])
    page.fill("#now", "the day after")
    page.click("#check")
    page.wait_for_selector("#verdict .error")
    assert "now" in page.text_content("#verdict .error")


def test_the_page_works_by_keyboard(visit: Visit) -> None:
    page = visit.page
    page.focus("#tab-chat")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-memory"
    assert page.is_visible("#panel-memory")
    page.keyboard.press("ArrowRight")
    assert page.is_visible("#panel-chat")
    page.focus("#enabled")
    before = page.get_attribute("#enabled", "aria-checked")
    page.keyboard.press("Space")
    assert page.get_attribute("#enabled", "aria-checked") != before
    page.keyboard.press("Space")


LOOKS = [("light", "light", 1280, 900), ("dark", "dark", 1280, 900), ("phone", "light", 390, 844)]


@pytest.fixture
def dressed(visit: Visit, request: pytest.FixtureRequest) -> Iterator[tuple[str, Visit]]:
    """The started page in one of its looks, with a finished reply and a verdict in it."""
    name, scheme, width, height = request.param
    page = visit.page
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": height})
    page.click("#tab-memory")
    page.select_option("#example", MEMORIES[0]["id"])
    visit.check()
    page.click("#tab-chat")
    visit.play(RECORDINGS[0], pace="0")
    yield name, visit
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    page.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.parametrize("dressed", LOOKS, ids=[look[0] for look in LOOKS], indirect=True)
def test_every_look_is_accessible_and_fits(dressed: tuple[str, Visit]) -> None:
    """The accessibility rules of axe-core, and pictures of each panel for people to look at."""
    name, visit = dressed
    page = visit.page
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.evaluate((ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8") + "; undefined")
    page.select_option("#pace", "1")
    for panel in ("memory", "chat"):
        page.click(f"#tab-{panel}")
        page.mouse.move(0, 0)
        page.screenshot(path=SCREENSHOTS / f"{panel}-{name}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than the window"
        found = page.evaluate("axe.run().then(({ violations }) => violations)")
        assert [f"{one['id']}: {one['nodes'][0]['html']}" for one in found] == []


def test_nothing_leaves_the_page(visit: Visit) -> None:
    """Runs last of those that share the visit: all that was asked for in them came from the page's own server."""
    page = visit.page
    assert visit.headers["content-security-policy"] == POLICY
    for part in (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "connect-src 'self'",
        "worker-src 'self'",
    ):
        assert part in POLICY.split("; ")
    assert page.evaluate("watch.violations") == []
    assert page.evaluate("watch.frames") > 10
    assert visit.complaints == []
    assert len(visit.requests) > 5
    assert all(url.startswith(visit.address) for url in visit.requests)
    # The policy is in force, not only sent: what it forbids is refused.
    assert page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'answered', () => 'refused')") == "refused"
    refused = "() => { try { document.body.innerHTML = '<b>x</b>'; return 'drawn'; } catch { return 'refused'; } }"
    assert page.evaluate(refused) == "refused"
    assert len(page.evaluate("watch.violations")) == 2


def test_a_damaged_bundle_is_refused_in_words(chromium: Any, dist: Path, tmp_path: Path) -> None:
    broken = tmp_path / "dist"
    shutil.copytree(dist, broken)
    core = broken / "edgegate" / "pyodide" / "pyodide.asm.wasm"
    data = bytearray(core.read_bytes())
    data[len(data) // 2] ^= 1
    core.write_bytes(data)
    with Server(broken) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        visit = visit_of(chromium, server.address)
        visit.page.wait_for_selector("#status[data-state=failed]", timeout=START)
        told = visit.page.text_content("#status-text")
        assert "pyodide.asm.wasm" in told
        assert "hash" in told
        assert visit.page.is_disabled("#play")
        visit.page.close()
        server.shutdown()
