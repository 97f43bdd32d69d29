"""The page in a real Chromium: its replies, its memory gate, and what it never does."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from build_scripts.serve import POLICY, Server
from edgegate.guard.stream import Guard
from tests.web.page_visits import RECORDINGS, START, Visit, recordings, visit_of

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def visit(chromium: Any, site: str) -> Iterator[Visit]:
    """The page, started."""
    made = visit_of(chromium, site, ready=True)
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
    assert visit.dropped() == dropped
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
    visit.choose(RECORDINGS[0], pace="0.3")
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


def test_a_stream_that_breaks_off_leaves_exactly_the_decided_text(visit: Visit) -> None:
    recording = next(item for item in recordings() if "breaks" in item)
    shown, stored = visit.play(recording["id"])
    assert shown == stored == recording["expected"]["shown"]
    assert recording["breaks"] in visit.page.text_content("#outcome")


@pytest.mark.parametrize("recording", recordings(), ids=RECORDINGS)
def test_every_claim_is_listed_with_its_reason(visit: Visit, recording: dict[str, Any]) -> None:
    visit.play(recording["id"], pace="0")
    guard = Guard(recording["evidence"], explain=True)
    events = [event for _, piece in recording["chunks"] for event in guard.feed(piece)] + guard.close()
    claims = [event for event in events if event.kind in ("text_dropped", "claim_kept")]
    cards = visit.page.locator("#dropped > li")
    assert sorted(visit.dropped() + visit.kept()) == sorted(event.sentence for event in claims)
    for event in claims:
        card = cards.filter(has=visit.page.locator("summary q", has_text=event.sentence)).first
        assert card.locator(".facts").is_hidden()
        card.locator("summary").focus()
        visit.page.keyboard.press("Enter")
        told = card.locator(".facts").inner_text()
        assert event.cue in told
        assert event.cite in told
        assert event.reason.lower() in card.inner_text().lower()
        if event.nearest_evidence:
            near = card.locator(".facts q")
            assert near.text_content() == event.nearest_evidence.text
            marked = near.locator("mark").all_text_contents()
            for shared in event.nearest_evidence.shared:
                assert shared.evidence.text in marked
                assert shared.claim.text in "|".join(card.locator("summary mark").all_text_contents())
    for sentence in visit.kept():
        assert sentence in visit.page.text_content("#reply")


def test_filters_show_one_kind_of_claim(visit: Visit) -> None:
    visit.play("night-shift", pace="0")
    page = visit.page
    for name, shown in (("Taken out", 2), ("Kept", 2), ("All", 4)):
        page.locator("#panel-chat .chip", has_text=name).click()
        assert page.locator("#dropped > li:visible").count() == shown


def test_labels_tell_what_was_right_and_wrong_misses_included(visit: Visit) -> None:
    recording = next(item for item in recordings() if item["id"] == "hard-cases")
    visit.play("hard-cases", pace="0")
    page = visit.page
    untrue = recording["expected"]["dropped"]
    dropped = visit.dropped()
    rows = page.locator("#panel-chat .outcomes li")
    texts = page.locator("#panel-chat .outcomes .sentence").all_text_contents()
    assert texts == [sentence["text"].strip() for sentence in recording["sentences"]]
    wrong = rows.and_(page.locator("[data-right=false]")).locator(".sentence").all_text_contents()
    assert wrong == [text for text in texts if (text in dropped) != (text in untrue)]
    assert wrong, "this recording is there to show what goes wrong"
    missed = [text for text in untrue if text not in dropped]
    assert page.locator("#reply .missed-claim").all_text_contents() == missed
    assert f"{len(missed)} missed" in page.text_content("#outcome")


def test_edited_evidence_is_what_the_next_reply_is_judged_by(visit: Visit) -> None:
    page = visit.page
    visit.play("night-shift", pace="0")
    before = visit.dropped()
    claim = "I remember when you cried about it on the phone with your mother."
    assert claim in before
    page.click("#evidence [data-kind=memories] button:has-text('Add')")
    page.keyboard.type("Marisol cried on the phone with her mother")
    visit.play_again()
    assert claim not in visit.dropped()
    assert claim in page.text_content("#reply")
    page.click("#evidence [data-kind=memories] [aria-label='Remove memory 2']")
    visit.play_again()
    assert any("coffee" in sentence for sentence in visit.dropped())
    page.click("button:has-text('Undo the edits')")
    visit.play_again()
    assert visit.dropped() == before


def test_play_waits_for_the_recording_that_was_chosen_last(visit: Visit) -> None:
    page = visit.page
    late: list[Any] = []
    page.route("**/recordings/piano.json", lambda route: late.append(route))
    for panel, recording, play in (("chat", "#recording", "#play"), ("compare", "#compare-recording", "#compare-play")):
        page.click(f"#tab-{panel}")
        page.select_option(recording, "night-shift")
        page.wait_for_selector(f"{play}:enabled")
        page.select_option(recording, "piano")
        visit.until(lambda: len(late) == 1)
        assert page.is_disabled(play), panel
        page.select_option(recording, "night-shift")
        page.wait_for_selector(f"{play}:enabled")
        with page.expect_response("**/recordings/piano.json"):
            late.pop().continue_()
        page.evaluate("new Promise((resolve) => requestAnimationFrame(() => resolve()))")
        page.click(play)
        visit.until(lambda play=play: page.inner_text(play) == "Stop")
        page.click(play)
    page.unroute("**/recordings/piano.json")
    about = next(item for item in recordings() if item["id"] == "night-shift")["about"]
    assert page.text_content("#about") == about
    told = next(item for item in recordings() if item["id"] == "night-shift")["chunks"]
    visit.until(lambda: page.inner_text("#compare-play") == "Play again")
    assert "".join(piece for _, piece in told).startswith(page.text_content("#bare-reply"))


def test_the_page_works_by_keyboard(visit: Visit) -> None:
    page = visit.page
    page.click("#tab-chat")
    page.focus("#tab-chat")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-compare"
    assert page.is_visible("#panel-compare")
    page.keyboard.press("Home")
    assert page.is_visible("#panel-chat")
    page.keyboard.press("ArrowLeft")  # around to the last one
    last = page.locator("#tabs button").last
    assert last.get_attribute("aria-selected") == "true"
    page.keyboard.press("ArrowRight")
    assert page.is_visible("#panel-chat")
    page.focus("#enabled")
    page.keyboard.press("Space")
    assert page.get_attribute("#enabled", "aria-checked") == "false"
    assert page.inner_text("#enabled") == "Guard off"
    page.keyboard.press("Space")
    assert page.inner_text("#enabled") == "Guard on"


def test_a_whole_visit_needs_no_mouse(visit: Visit) -> None:
    """From the tab to the opened reason with the Tab key alone, as people without a mouse go."""
    page = visit.page
    visit.choose("night-shift", pace="0")
    page.focus("#tab-chat")

    def tab_to(selector: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"{selector} can't be reached")

    tab_to("#play")
    page.keyboard.press("Enter")
    page.wait_for_selector("#stored-fold:not([hidden])", state="attached")
    tab_to("#stored-fold summary")
    tab_to("#dropped summary")
    page.keyboard.press("Enter")
    assert page.locator("#dropped .facts").first.is_visible()
    tab_to("#evidence textarea")


def test_nothing_leaves_the_page(visit: Visit) -> None:
    """Runs last of those that share the visit: all that was asked for in them came from the page's own server."""
    page = visit.page
    for tab in page.locator("#tabs [role=tab]").all():
        tab.click()
        page.wait_for_timeout(200)
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
    visit.until(lambda: len(page.evaluate("watch.violations")) == 2)  # the events come after the refusals


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
