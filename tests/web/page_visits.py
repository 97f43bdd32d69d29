"""Visits to the page in a real Chromium, with every change of it watched from before its own scripts run."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "web" / "page"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
RECORDINGS = [entry["id"] for entry in json.loads((PAGE / "recordings" / "index.json").read_text("utf-8"))]
MEMORIES = json.loads((PAGE / "recordings" / "memories.json").read_text("utf-8"))
START = 120_000  # milliseconds that Python may take to start on a loaded machine

# Runs before the page's scripts. Reads the text of every reply at every change of the document and at every frame.
WATCH = """
(() => {
  const watch = { seen: [], frames: 0, violations: [], added: [] };
  const look = () => {
    const text = Array.from(document.querySelectorAll(".said.reply"), (area) => area.textContent).join("\\u0001");
    if (watch.seen.at(-1) !== text) watch.seen.push(text);
  };
  new MutationObserver((changes) => {
    look();
    for (const change of changes)
      for (const node of change.addedNodes)
        if (node.nodeType === 1)
          for (const one of [node, ...node.querySelectorAll("*")]) watch.added.push(one.tagName.toLowerCase());
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

    def choose(self, recording: str, *, guarded: bool = True, pace: str = "0.05") -> None:
        """Chooses a recording in the panel Chat, the state of the kill switch, and the pace."""
        page = self.page
        page.click("#tab-chat")
        page.check("#from-recording")
        page.select_option("#recording", recording)
        about = next(item for item in recordings() if item["id"] == recording)["about"]
        self.until(lambda: page.text_content("#about") == about)
        page.wait_for_selector("#play:enabled")  # what was chosen before may be about the same: it is loaded again
        self.guard(guarded)
        # A pace that the page doesn't offer: people would not see it.
        page.evaluate(
            """pace => {
              const list = document.getElementById("pace");
              list.append(new Option(pace, pace));
              list.value = pace;
            }""",
            pace,
        )

    def guard(self, on: bool) -> None:
        """Sets the kill switch of the page."""
        if (self.page.get_attribute("#enabled", "aria-checked") == "true") != on:
            self.page.click("#enabled")

    def play(self, recording: str, *, guarded: bool = True, pace: str = "0.05") -> tuple[str, str]:
        """Streams a recording to its end; returns the shown and the stored text."""
        self.choose(recording, guarded=guarded, pace=pace)
        self.play_again()
        return self.page.text_content("#reply"), self.page.text_content("#stored")

    def play_again(self) -> None:
        """Streams what is chosen to its end."""
        self.page.evaluate("watch.seen.length = 0")
        self.page.click("#play")
        self.page.wait_for_selector("#stored-fold:not([hidden])", state="attached", timeout=START)

    def dropped(self) -> list[str]:
        """The sentences that the panel Chat lists as taken out."""
        return list(self.page.locator("#dropped .drop:not(.kept) summary q").all_text_contents())

    def kept(self) -> list[str]:
        """The claims that the panel Chat lists as kept."""
        return list(self.page.locator("#dropped .drop.kept summary q").all_text_contents())

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
        """Every text that the replies on the page have held since the last play began."""
        return list(self.page.evaluate("watch.seen"))

    def faults(self) -> list[str]:
        """What axe-core finds on the page as it stands, nothing fading in: half faded, no text has its contrast."""
        self.page.emulate_media(reduced_motion="reduce")
        if self.page.evaluate("typeof axe") == "undefined":
            self.page.evaluate(AXE.read_text("utf-8") + "; undefined")
        found = self.page.evaluate("axe.run().then(({ violations }) => violations)")
        return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found]


def recordings() -> list[dict[str, Any]]:
    """Every recording, in the order of the page."""
    return [json.loads((PAGE / "recordings" / f"{name}.json").read_text("utf-8")) for name in RECORDINGS]


def visit_of(chromium: Any, address: str, *, ready: bool = False, **options: Any) -> Visit:
    """Opens the page; with `ready`, waits until it has started."""
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
    if ready:
        page.wait_for_selector("#status[data-state=ready]", timeout=START)
    return visit
