"""The panel Speed in a real Chromium: what it says is there, and is what was loaded. How fast it is, benchmarks say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.page_visits import START, Visit, visit_of

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def visit(chromium: Any, site: str) -> Iterator[Visit]:
    """The page, started, with the panel open."""
    made = visit_of(chromium, f"{site}#speed", ready=True)
    made.page.wait_for_selector("#speed-measure:enabled", timeout=START)
    yield made
    assert made.complaints == []
    assert all(url.startswith(site) for url in made.requests)
    made.page.close()


def test_every_stage_of_the_start_has_its_time(visit: Visit) -> None:
    names = visit.page.locator("#speed-stages .stage-name").all_text_contents()
    assert names == ["Page", "Loading", "Checking", "Starting Python", "Asking the rules"]
    times = visit.page.locator("#speed-stages .stage-time").all_text_contents()
    assert all(time.endswith((" s", " ms")) for time in times)
    assert "Ready to judge" in visit.page.text_content("#speed-started")


def test_what_was_loaded_is_listed_with_its_size(visit: Visit, dist: Path) -> None:
    visit.until(lambda: visit.page.locator("#speed-parts tr").count() > 8)
    rows = dict(
        visit.page.locator("#speed-parts tr").evaluate_all(
            """all => all.map(({ children: [part, size] }) =>
              [part.querySelector("code")?.textContent ?? part.textContent, size.textContent])"""
        )
    )
    for name in ("edgegate/snapshot.bin", "edgegate/pyodide/pyodide.asm.wasm", "edgegate/worker.js", "page.js"):
        size = (dist / name).stat().st_size
        assert rows[name] == (f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"), name
    assert visit.page.text_content("#speed-takes-heap").endswith(" MB")
    assert "edgegate/stdlib.zip" not in rows  # Python started from its snapshot


def test_measuring_fills_every_figure_and_can_be_stopped(visit: Visit) -> None:
    page = visit.page
    page.click("#speed-measure")
    visit.until(lambda: page.text_content("#speed-told").startswith("Measured."))
    for figure in ("verdict", "check", "p50", "p99", "border"):
        assert page.text_content(f"#speed-now-{figure}").endswith(("s", "ms")), figure
    page.click("#speed-measure")
    page.click("#speed-measure")
    visit.until(lambda: page.text_content("#speed-told") == "Stopped.")
    assert page.text_content("#speed-measure") == "Measure again"


def test_replies_of_other_panels_are_measured_as_they_go_by(visit: Visit) -> None:
    page = visit.page
    page.click("#tab-try")
    page.wait_for_selector("#try-run:enabled", timeout=START)
    visit.until(lambda: page.input_value("#try-text") != "")
    page.select_option("#try-pace", "200")
    page.click("#try-run")
    page.wait_for_selector("#try-stored-fold:not([hidden])", state="attached", timeout=START)
    page.click("#tab-speed")
    visit.until(lambda: page.text_content("#speed-live-most") not in ("–", "0"))
    for figure in ("first", "p50", "p99"):
        assert page.text_content(f"#speed-live-{figure}").endswith(("s", "ms")), figure
    assert int(page.text_content("#speed-live-pieces").replace(",", "")) > 0
    visit.until(lambda: page.text_content("#speed-live-held") == "0")  # at the next frame after the reply ended
