"""Each panel in each look: the rules of axe-core, and pictures in build/screenshots for people to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.page_visits import ROOT, START, Visit, visit_of

pytestmark = pytest.mark.browser

SCREENSHOTS = ROOT / "build" / "screenshots"
LOOKS = {
    "light": ("light", 1280, 900),
    "dark": ("dark", 1280, 900),
    "phone": ("light", 360, 780),
    "phone-dark": ("dark", 360, 780),
}


@pytest.fixture(scope="module")
def visit(chromium: Any, site: str) -> Iterator[Visit]:
    """The page, started."""
    made = visit_of(chromium, site, ready=True, reduced_motion="reduce")
    yield made
    made.page.close()


def play_a_reply(visit: Visit) -> None:
    visit.play("hard-cases", pace="0")
    visit.page.select_option("#pace", "1")
    visit.page.locator("#dropped summary").nth(1).click()


def gate_a_memory(visit: Visit) -> None:
    visit.page.select_option("#example", index=0)
    visit.check()
    for summary in visit.page.locator("#changes summary").all():
        summary.click()


def compare_a_reply(visit: Visit) -> None:
    page = visit.page
    visit.until(lambda: page.is_enabled("#compare-play"))
    page.select_option("#compare-recording", "allotment")
    page.evaluate("() => { document.getElementById('compare-pace').append(new Option('0', '0')); }")
    page.select_option("#compare-pace", "0")
    page.click("#compare-play")
    page.wait_for_selector("#guarded-stored-fold:not([hidden])", state="attached")
    page.select_option("#compare-pace", "1")


def try_a_reply(visit: Visit) -> None:
    page = visit.page
    page.wait_for_selector("#try-run:enabled", timeout=START)
    page.select_option("#try-example", "try:three-claims")
    page.select_option("#try-pace", "200")
    page.click("#try-run")
    page.wait_for_selector("#try-stored-fold:not([hidden])", state="attached", timeout=START)
    page.locator("#try-dropped summary").nth(1).click()


def browse_a_list(visit: Visit) -> None:
    page = visit.page
    page.wait_for_selector("#lists-sample-replies:enabled", timeout=START)
    page.click("#lists-sample-replies")
    visit.until(lambda: "scored, in" in page.text_content("#lists-told"))
    page.locator("#lists-records button").nth(1).click()
    page.wait_for_selector("#lists-detail .outcomes")
    if not page.locator(".plot details[open]").count():
        page.click(".plot details summary")


def measure(visit: Visit) -> None:
    visit.page.wait_for_selector("#speed-measure:enabled", timeout=START)
    visit.page.click("#speed-measure")
    visit.until(lambda: visit.page.text_content("#speed-told").startswith("Measured."))


def keep_memories(visit: Visit) -> None:
    page = visit.page
    visit.until(lambda: page.is_enabled("#kept-send"))
    for told in (
        "my wife's name is Claire, my daughter is eleven and my son eighteen",
        "remind me on Friday to call Claire",
    ):
        page.fill("#kept-message", told)
        page.press("#kept-message", "Enter")
        visit.until(lambda: page.is_enabled("#kept-send"))
    visit.until(lambda: page.locator(".kept-node").count() > 3)
    page.locator(".kept-node[data-kind=person]").first.click(force=True)


FILL: dict[str, Callable[[Visit], None]] = {
    "chat": play_a_reply,
    "compare": compare_a_reply,
    "memory": gate_a_memory,
    "kept": keep_memories,
    "try": try_a_reply,
    "lists": browse_a_list,
    "speed": measure,
}
"""What is done in a panel before it is looked at; one without an entry is looked at as it opens."""


@pytest.mark.parametrize("look", LOOKS)
def test_every_panel_is_accessible_and_fits(visit: Visit, look: str) -> None:
    page = visit.page
    scheme, width, height = LOOKS[look]
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": height})
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    found = {}
    for tab in page.locator("#tabs [role=tab]").all():
        name = str(tab.get_attribute("id")).removeprefix("tab-")
        tab.click()
        FILL.get(name, lambda visit: None)(visit)
        page.wait_for_timeout(100)
        page.mouse.move(0, 0)
        page.screenshot(path=SCREENSHOTS / f"{name}-{look}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than the window"
        found[name] = visit.faults()
        parts = [str(part.get_attribute("id")) for part in page.locator(f"#panel-{name} .choices input").all()]
        for part in [*parts[1:], *parts[:1]]:  # the panel's other parts, and back to the first
            page.check(f"#{part}")
            page.wait_for_timeout(100)
            found[part] = visit.faults()
            if part != parts[0]:
                page.screenshot(path=SCREENSHOTS / f"{name}-{part}-{look}.png", full_page=True)
    assert found == {name: [] for name in found}
    assert visit.complaints == []


def test_the_pictures_in_the_readme_can_be_made_again(visit: Visit) -> None:
    """Three pictures as docs/ has them: copy them from build/screenshots when the page looks different."""
    page = visit.page
    page.set_viewport_size({"width": 1180, "height": 1070})
    for name, scheme, panel in (
        ("page", "light", "chat"),
        ("page-memory", "dark", "memory"),
        ("page-compare", "light", "compare"),
    ):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.click(f"#tab-{panel}")
        if panel == "chat":
            visit.play("night-shift", pace="0")
            page.select_option("#pace", "1")
            page.locator("#dropped summary").first.click()
        else:
            FILL[panel](visit)
        page.mouse.move(0, 0)
        page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
        page.wait_for_timeout(100)
        picture = SCREENSHOTS / f"{name}.png"
        page.screenshot(path=picture)
        assert picture.stat().st_size < 200_000
