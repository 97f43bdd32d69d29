"""The panel Try in a real Chromium: any text, cut and paced in any way, and how much of it is held."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from edgegate.guard.stream import Guard
from tests.web.page_visits import PAGE, START, Visit, visit_of

pytestmark = pytest.mark.browser

TRIES = json.loads((PAGE / "recordings" / "tries.json").read_text("utf-8"))
CUTS = ["character", "token", "word", "line", "random", "whole"]
PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const box = document.getElementById("try-text");
  box.focus();
  box.select();
  const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
  if (box.dispatchEvent(event)) document.execCommand("insertText", false, text);
}"""


@pytest.fixture(scope="module")
def visit(chromium: Any, site: str) -> Iterator[Visit]:
    """The page, started, with the panel open."""
    made = visit_of(chromium, f"{site}#try", ready=True)
    made.until(lambda: made.page.locator("#try-example option").count() > len(TRIES))
    yield made
    assert made.complaints == []
    assert made.page.evaluate("watch.violations") == []
    assert all(url.startswith(site) for url in made.requests)
    made.page.close()


def choose(visit: Visit, example: dict[str, Any], cut: str = "token", pace: str = "0") -> None:
    visit.page.select_option("#try-example", f"try:{example['id']}")
    visit.until(lambda: visit.page.input_value("#try-text") == example["reply"].replace("\r\n", "\n"))
    visit.page.select_option("#try-cut", cut)
    visit.page.select_option("#try-pace", pace)


def run(visit: Visit) -> str:
    """Runs the text to its end, and returns what is shown; it is what is stored."""
    page = visit.page
    page.evaluate("watch.seen.length = 0")
    page.click("#try-run")
    page.wait_for_selector("#try-stored-fold:not([hidden])", state="attached", timeout=START)
    visit.until(lambda: page.text_content("#try-run") != "Stop")
    shown = page.text_content("#try-reply")
    assert shown == page.text_content("#try-stored")
    return str(shown)


@pytest.mark.parametrize("example", TRIES, ids=lambda example: str(example["id"]))
def test_the_examples_are_judged_as_the_core_judges_them(visit: Visit, example: dict[str, Any]) -> None:
    guard = Guard(example["evidence"])
    events = guard.feed(example["reply"]) + guard.close()
    dropped = [event.sentence for event in events if event.kind == "text_dropped"]
    choose(visit, example, pace="200")
    shown = run(visit)
    assert shown == guard.shown
    place = visit.page.evaluate(
        "Array.from(document.querySelectorAll('.said.reply')).findIndex(({ id }) => id === 'try-reply')"
    )
    seen = [text.split("\x01")[place] for text in visit.seen()]
    assert len(set(seen)) > 1 or shown == ""
    assert all(shown.startswith(text) for text in seen)
    for sentence in dropped:
        assert all(sentence not in text for text in visit.seen())
    number = visit.page.text_content("#try-meter-dropped").replace(",", "")
    assert int(number) == sum(len(sentence.encode("utf-16-le")) // 2 for sentence in dropped)
    assert visit.page.text_content("#try-meter-held") == "0"
    assert visit.page.text_content("#try-meter-waiting") == "0"


@pytest.mark.parametrize("cut", CUTS)
def test_where_it_is_cut_changes_nothing(visit: Visit, cut: str) -> None:
    example = next(one for one in TRIES if one["id"] == "list-and-code")
    choose(visit, example, cut)
    guard = Guard(example["evidence"])
    guard.feed(example["reply"])
    guard.close()
    assert run(visit) == guard.shown
    pieces = int(visit.page.text_content("#try-sent").split(" ")[0].replace(",", ""))
    assert (pieces == 1) is (cut == "whole")
    if cut == "character":
        assert pieces == len(example["reply"])


def test_chance_follows_its_seed(visit: Visit) -> None:
    example = next(one for one in TRIES if one["id"] == "where-it-ends")
    pieces = []
    for seed in ("7", "7", "8"):
        choose(visit, example, "random")
        visit.page.fill("#try-seed", seed)
        run(visit)
        pieces.append(visit.page.text_content("#try-sent").split(",")[0])
    assert pieces[0] == pieces[1]
    assert pieces[0] != pieces[2]
    visit.page.select_option("#try-cut", "token")
    assert visit.page.is_hidden("#try-seed")


def test_what_is_held_is_a_length_and_never_a_text(visit: Visit) -> None:
    """Half of a sentence went in: outside of the visitor's own box its words stand nowhere, its length does."""
    page = visit.page
    page.select_option("#try-example", "")
    page.fill("#try-text", "You once told me that " + "marmalade " * 40)
    page.select_option("#try-cut", "word")
    page.select_option("#try-pace", "8")  # seconds are left to look at it
    page.click("#try-run")
    visit.until(lambda: int(page.text_content("#try-meter-held").replace(",", "")) > 60)
    elsewhere = page.evaluate("document.getElementById('panel-try').textContent")
    assert "marmalade" not in elsewhere
    assert page.text_content("#try-reply") == ""
    page.click("#try-run")
    visit.until(lambda: page.text_content("#try-run") != "Stop")
    assert page.text_content("#try-outcome").startswith("Stopped.")
    assert page.text_content("#try-stored") == ""


def test_edited_evidence_supports_a_claim(visit: Visit) -> None:
    page = visit.page
    page.select_option("#try-example", "")
    page.fill("#try-text", "You told me that your sister Greta bakes bread.")
    page.select_option("#try-pace", "0")
    assert run(visit) == ""
    page.click("#try-evidence >> text=Add a memory")
    page.keyboard.type("The user's sister Greta bakes bread")
    assert run(visit) == "You told me that your sister Greta bakes bread."
    page.locator("#try-evidence [aria-label='Remove memory 1']").last.click()


def test_a_million_characters_are_kept_beside_the_box_and_can_be_stopped(visit: Visit) -> None:
    page = visit.page
    page.select_option("#try-example", "")
    text = "The rain goes on. You told me about your boat.\n" * 22_000
    page.evaluate(PASTE, text)
    assert page.is_visible("#try-long")
    assert page.text_content("#try-length") == f"{len(text):,} characters"
    assert len(page.input_value("#try-text")) < 1000
    page.select_option("#try-cut", "token")
    page.select_option("#try-pace", "0")
    page.click("#try-run")
    visit.until(lambda: len(page.text_content("#try-reply")) > 5000)
    page.click("#try-run")
    visit.until(lambda: page.text_content("#try-run") != "Stop")
    shown = page.text_content("#try-reply")
    assert shown == page.text_content("#try-stored")
    assert "boat" not in shown
    assert ("The rain goes on.\n" * 22_000).startswith(shown.rstrip() if not shown.endswith("\n") else shown)
    # However many sentences went, the list stays short, and says how many more there are.
    assert page.locator("#try-dropped > li").count() <= 200
    page.click("#try-long button")
    assert page.is_hidden("#try-long")
    assert page.input_value("#try-text") == ""


def test_it_works_by_keyboard(visit: Visit) -> None:
    page = visit.page
    choose(visit, TRIES[0])
    page.focus("#try-run")
    page.keyboard.press("Enter")
    page.wait_for_selector("#try-stored-fold:not([hidden])", state="attached", timeout=START)
    visit.until(lambda: page.text_content("#try-run") == "Run again")
    assert page.evaluate("document.activeElement.id") == "try-run"
