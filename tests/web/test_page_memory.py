"""The panel Memory gate: verdicts with both quotes, repairs, chains, and text that is not nice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from edgegate.gate.chain import drift
from edgegate.gate.fixer import repair
from edgegate.gate.report import check
from tests.web.page_visits import MEMORIES, PAGE, Visit, visit_of

pytestmark = pytest.mark.browser

CHAINS = json.loads((PAGE / "recordings" / "chains.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def started(chromium: Any, site: str) -> Iterator[Visit]:
    """The page, started."""
    made = visit_of(chromium, site, ready=True)
    yield made
    made.page.close()


@pytest.fixture
def visit(started: Visit) -> Visit:
    """The panel, with one memory to gate."""
    started.page.click("#tab-memory")
    started.page.check("#memory-one")
    return started


@pytest.mark.parametrize("example", MEMORIES, ids=lambda example: str(example["id"]))
def test_a_memory_is_gated_with_both_quotes_marked(visit: Visit, example: dict[str, Any]) -> None:
    page = visit.page
    page.select_option("#example", example["id"])
    visit.check()
    report = check(example["source"], example["memory"], now=example["now"])
    assert page.get_attribute("#verdict", "data-verdict") == report.verdict == example["expected"]["verdict"]
    assert page.text_content("#marked-memory") == example["memory"]
    turns = page.locator("#marked-source p").all_text_contents()
    assert turns == [turn["text"] for turn in example["source"]]
    assert page.locator("#changes > li").count() == len(report.changes)
    for number, change in enumerate(report.changes):
        card = page.locator("#changes > li").nth(number)
        assert card.locator(".facts").is_hidden()
        card.locator("summary").click()
        told = card.inner_text()
        for part in (change.detail, f"{change.check}: {change.type}", change.cue, change.cite):
            assert part.lower() in told.lower()
        quotes = card.locator(".facts q").all_text_contents()
        for quote, place in ((change.source_quote, "#marked-source"), (change.candidate_quote, "#marked-memory")):
            if quote:
                assert quote.text in quotes
                assert quote.text in "".join(page.locator(f"{place} mark").all_text_contents())
        if change.cue_text:
            said = page.locator("#compare-card mark[data-kind~=words]").all_text_contents()
            assert change.cue_text in "".join(said)
            assert change.cue_text in "".join(card.locator(".facts mark").all_text_contents())


@pytest.mark.parametrize("example", MEMORIES, ids=lambda example: str(example["id"]))
def test_the_gates_own_repair_is_offered_and_passes(visit: Visit, example: dict[str, Any]) -> None:
    page = visit.page
    page.select_option("#example", example["id"])
    visit.check()
    made = repair(example["source"], example["memory"], now=example["now"])
    if made.text is None or made.text == example["memory"]:
        page.wait_for_timeout(300)
        assert page.locator("#repair .repaired").count() == 0
        return
    page.wait_for_selector("#repair .repaired")
    assert page.text_content("#repair .repaired") == made.text
    assert page.locator("#repair ins").count() > 0
    page.click("#repair button")
    visit.until(lambda: page.get_attribute("#verdict", "data-verdict") == made.report.verdict)
    assert page.input_value("#memory") == made.text


def test_what_the_gate_cannot_repair_is_said(visit: Visit) -> None:
    page = visit.page
    page.select_option("#example", "")
    page.fill("#turns textarea", "I keep meaning to cancel the gym.")
    page.fill("#memory", "The user cancelled the gym.")
    visit.check()
    made = repair("I keep meaning to cancel the gym.", "The user cancelled the gym.")
    assert made.question is not None
    page.wait_for_selector("#repair li")
    assert page.locator("#repair li").all_text_contents() == list(made.question.lost)


@pytest.mark.parametrize("chain", CHAINS, ids=lambda chain: str(chain["id"]))
def test_a_chain_shows_where_each_thing_was_lost(visit: Visit, chain: dict[str, Any]) -> None:
    page = visit.page
    page.check("#memory-chain")
    page.select_option("#chain-example", chain["id"])
    page.click("#follow")
    page.wait_for_selector("#chain .version")
    found = drift(chain["versions"], now=chain["now"])
    assert [[loss.change.check, loss.hop] for loss in found.losses] == chain["expected"]["losses"]
    assert page.get_attribute("#chain-summary", "data-verdict") == found.whole.verdict
    assert page.locator("#chain .version p").all_text_contents() == chain["versions"]
    hops = page.locator("#chain .hop")
    assert hops.count() == len(chain["versions"]) - 1
    for number in range(hops.count()):
        cards = hops.nth(number).locator(".change")
        lost = [card.get_attribute("data-check") for card in cards.all()]
        assert lost == [check for check, hop in chain["expected"]["losses"] if hop == number]


def test_a_chain_of_one_version_is_answered_in_words(visit: Visit) -> None:
    page = visit.page
    page.check("#memory-chain")
    page.select_option("#chain-example", "")
    page.fill("#versions textarea >> nth=0", "Only one.")
    page.click("#follow")
    page.wait_for_selector("#chain-summary .error")
    assert "two versions" in page.text_content("#chain-summary .error")


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
    page.select_option("#example", MEMORIES[0]["id"])
    page.fill("#now", "the day after")
    page.click("#check")
    page.wait_for_selector("#verdict .error")
    assert "now" in page.text_content("#verdict .error")


def test_turns_are_added_and_removed_by_keyboard(visit: Visit) -> None:
    page = visit.page
    page.select_option("#example", "")
    page.focus("#turns textarea")
    page.keyboard.type("I might move to Porto.")
    page.focus("#turns > button")
    page.keyboard.press("Enter")
    page.keyboard.type("Or I stay here.")
    assert [area.input_value() for area in page.locator("#turns textarea").all()] == [
        "I might move to Porto.",
        "Or I stay here.",
    ]
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Remove turn 2"
    page.keyboard.press("Enter")
    assert page.locator("#turns textarea").count() == 1
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Text of turn 1"


def test_an_answer_that_comes_late_is_not_drawn_over_other_input(visit: Visit) -> None:
    page = visit.page
    page.select_option("#example", MEMORIES[0]["id"])
    page.evaluate(
        """() => {
          document.getElementById("check").click();
          const list = document.getElementById("example");
          list.selectedIndex = 1;
          list.dispatchEvent(new Event("change"));
        }"""
    )
    page.wait_for_timeout(1500)
    assert page.get_attribute("#verdict", "data-verdict") is None
    assert page.locator("#changes > li").count() == 0
