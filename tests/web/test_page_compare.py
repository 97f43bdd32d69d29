"""The panel Compare: the same reply without the guard and with it, in step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from edgegate.guard.stream import Guard
from tests.web.page_visits import RECORDINGS, START, Visit, recordings, visit_of

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def visit(chromium: Any, site: str) -> Iterator[Visit]:
    """The panel, ready to play."""
    made = visit_of(chromium, f"{site}#compare", ready=True)
    made.page.wait_for_selector("#compare-play:enabled", timeout=START)
    made.page.evaluate(
        """() => {
          const list = document.getElementById("compare-pace");
          list.append(new Option("0.05", "0.05"));
          list.value = "0.05";
        }"""
    )
    yield made
    made.page.close()


def play(visit: Visit, recording: str) -> tuple[str, str]:
    page = visit.page
    page.select_option("#compare-recording", recording)
    page.wait_for_selector("#compare-play:enabled")
    page.evaluate("watch.seen.length = 0")
    page.click("#compare-play")
    page.wait_for_selector("#guarded-stored-fold:not([hidden])", state="attached", timeout=START)
    return page.text_content("#bare-reply"), page.text_content("#guarded-reply")


@pytest.mark.parametrize("recording", recordings(), ids=RECORDINGS)
def test_one_side_is_what_the_model_said_and_the_other_what_is_left(visit: Visit, recording: dict[str, Any]) -> None:
    visit.guard(True)
    bare, guarded = play(visit, recording["id"])
    whole = "".join(piece for _, piece in recording["chunks"])
    guard = Guard(recording["evidence"])
    events = guard.feed(whole) + guard.close()
    dropped = [event.sentence for event in events if event.kind == "text_dropped"]
    assert (bare, guarded) == (whole, guard.shown)
    page = visit.page
    assert page.text_content("#bare-stored") == whole
    assert page.text_content("#guarded-stored") == guard.shown
    assert page.locator("#bare-reply .taken-claim").all_text_contents() == dropped
    for both in visit.seen():
        left, right = both.split("\x01")
        assert whole.startswith(left)
        assert guard.shown.startswith(right)
        assert len(right) <= len(left), "the guarded side can't be ahead"


def test_the_state_of_the_kill_switch_is_always_on_the_screen(visit: Visit) -> None:
    page = visit.page
    visit.guard(False)
    assert page.inner_text("#enabled") == "Guard off"
    assert "kill switch is thrown" in page.inner_text("#compare-state")
    bare, guarded = play(visit, "night-shift")
    assert bare == guarded
    assert page.locator(".taken-claim").count() == 0
    for tab in page.locator("#tabs [role=tab]").all():
        tab.click()
        assert page.is_visible("#enabled")
        assert page.inner_text("#enabled") == "Guard off"
    page.click("#tab-compare")
    visit.guard(True)
    assert page.inner_text("#compare-state").startswith("Guard on")
    assert page.text_content("#guarded-reply") == "", "what was played under another state is gone"


def test_both_sides_stop_together(visit: Visit) -> None:
    page = visit.page
    visit.guard(True)
    page.select_option("#compare-recording", RECORDINGS[0])
    page.select_option("#compare-pace", "0.3")
    page.click("#compare-play")
    visit.until(lambda: len(page.text_content("#guarded-reply")) > 20)
    page.click("#compare-play")
    visit.until(lambda: page.inner_text("#compare-play") == "Play again")
    for side in ("bare", "guarded"):
        assert page.text_content(f"#{side}-reply") == page.text_content(f"#{side}-stored")
    assert page.text_content("#guarded-outcome").startswith("Stopped.")
    assert visit.complaints == []
