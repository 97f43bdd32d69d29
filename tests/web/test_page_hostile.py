"""Text that would like to be more than text, in every panel that draws any: it does nothing, and nothing hangs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.page_visits import START, Visit, visit_of

pytestmark = pytest.mark.browser

ZALGO = "Z" + "".join(chr(0x300 + number % 112) for number in range(2000)) + "algo"
HOSTILE = {
    "script": "<script>globalThis.broken = true</script> It rains.",
    "handler": '<img src="http://127.0.0.1:9/x" onerror="globalThis.broken = 1"><svg onload="globalThis.broken = 1">',
    "frame": "</p></div><iframe srcdoc='<script>parent.broken = true</script>'></iframe>",
    "link": '<a href="javascript:globalThis.broken = 1" style="position:fixed">press</a> javascript:alert(1)',
    "template": "${globalThis.broken = true} {{constructor.constructor('globalThis.broken = true')()}} <%= broken %>",
    "direction": "\u202eIt rains.\u202c \u2066\u2067\u2068 left open \u200f\u061c",
    "nul": "It\u0000 rains.\u0000\u0001\u0007\u001b[31m \ufeff\uffff",
    "lone surrogates": "It rains.\ud800 It snows.\udfff\ud83d",
    "zalgo": f"It rains on {ZALGO}.",
    "line": "x" * 1_000_000,
    "wide": "\U0001f469\u200d\U0001f469\u200d\U0001f467" * 5_000,
}
FORBIDDEN = {"script", "img", "iframe", "a", "svg", "style", "object", "embed", "link", "base", "meta"}


@pytest.fixture(scope="module")
def visit(chromium: Any, site: str) -> Iterator[Visit]:
    """The page, started; when all is done, nothing of it was asked for anywhere else and nothing was refused."""
    made = visit_of(chromium, site, ready=True)
    yield made
    page = made.page
    assert page.evaluate("globalThis.broken === undefined")
    assert page.evaluate("watch.violations") == []
    assert all(url.startswith(site) for url in made.requests)
    assert made.complaints == []
    page.close()


def added(visit: Visit) -> set[str]:
    """The elements that were added to the page since this was last asked, those of pictures of our own left out."""
    found = set(visit.page.evaluate("watch.added.splice(0)"))
    return found & (FORBIDDEN - {"svg"})


def set_value(visit: Visit, selector: str, text: str) -> None:
    """As a program pastes it: keystrokes would take minutes for the long ones."""
    visit.page.evaluate(
        """([selector, text]) => {
          const box = document.querySelector(selector);
          box.value = text;
          box.dispatchEvent(new Event("input", { bubbles: true }));
        }""",
        [selector, text],
    )


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_in_a_reply_that_streams_and_in_its_evidence(visit: Visit, text: str) -> None:
    page = visit.page
    page.click("#tab-try")
    page.select_option("#try-example", "")
    set_value(visit, "#try-text", text)
    page.select_option("#try-pace", "0")
    page.select_option("#try-cut", "random")
    while page.locator("#try-evidence .remove:visible").count():
        page.locator("#try-evidence .remove:visible").first.click()
    page.click("#try-evidence >> text=Add a memory")
    set_value(visit, "#try-evidence fieldset[data-kind=memories] textarea", text[:50_000])
    added(visit)
    page.evaluate("document.getElementById('try-stored-fold').hidden = true")
    page.click("#try-run")
    # The longest takes the core a while: what came by then is enough, and it can be stopped.
    page.wait_for_timeout(2500 if len(text) > 100_000 else 0)
    if len(text) > 100_000 and page.text_content("#try-run") == "Stop":
        page.click("#try-run")
    page.wait_for_selector("#try-stored-fold:not([hidden])", state="attached", timeout=START)
    visit.until(lambda: page.text_content("#try-run") != "Stop")
    same = "document.getElementById('try-reply').textContent === document.getElementById('try-stored').textContent"
    assert page.evaluate(same)
    assert "fault" not in page.text_content("#try-outcome")
    assert "guard stopped" not in page.text_content("#try-outcome")
    assert added(visit) == set()


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_in_a_chat_in_the_evidence_that_a_person_types(visit: Visit, text: str) -> None:
    page = visit.page
    page.click("#tab-chat")
    page.check("#from-recording")
    page.select_option("#recording", "night-shift")
    page.wait_for_selector("#play:enabled")  # its evidence is there
    box = "#panel-chat .evidence fieldset[data-kind=memories] textarea"
    assert page.locator(box).count() > 0
    set_value(visit, box, text)
    added(visit)
    page.select_option("#pace", "0.3")
    page.click("#play")
    page.wait_for_selector("#stored-fold:not([hidden])", state="attached", timeout=START)
    assert page.text_content("#reply") == page.text_content("#stored")
    assert added(visit) == set()
    page.select_option("#recording", "piano")  # and back again: the evidence is as it was


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_in_a_memory_and_its_source(visit: Visit, text: str) -> None:
    page = visit.page
    page.click("#tab-memory")
    page.select_option("#example", "")
    set_value(visit, "#turns textarea", f"I might move to Porto. {text}")
    set_value(visit, "#memory", f"The user is moving to Porto. {text[:2000]}")
    added(visit)
    page.evaluate("document.getElementById('compare-card').hidden = true")
    visit.page.click("#check")
    page.wait_for_selector("#compare-card:not([hidden]), #verdict .error", timeout=START)
    assert added(visit) == set()


def test_in_a_labelled_set(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    lines = []
    for name, text in HOSTILE.items():
        short = text[:300_000]
        sentences = [{"text": short, "label": "none"}, {"text": "You told me of a boat.", "label": text[:40]}]
        record = {"id": text[:60] or name, "persona": "__proto__", "evidence": {"memories": [short[:20_000]]}}
        lines.append(json.dumps({**record, "reply": f"{short} You told me of a boat.", "sentences": sentences}))
        lines.append(json.dumps({"id": short[:100], "reply": short[:100], "sentences": short[:100]}))  # of a wrong form
    lines.append("<script>globalThis.broken = true</script>")
    lines.append('{"__proto__": {"broken": true}, "constructor": 1}')
    place = tmp_path / "<img src=x onerror=alert(1)>.jsonl"
    place.write_text("\n".join(lines), "utf-8")
    page.click("#tab-lists")
    page.wait_for_selector("#lists-file:enabled", timeout=START)
    added(visit)
    page.set_input_files("#lists-file", place)
    visit.until(lambda: "scored, in" in page.text_content("#lists-told"))
    assert page.locator("#lists-records > li").count() == len(HOSTILE)
    assert page.text_content("#lists-broken summary").startswith(f"{len(HOSTILE) + 2} lines passed over")
    for number in range(len(HOSTILE)):
        page.locator("#lists-records button").nth(number).click()
        visit.until(lambda: page.locator("#lists-detail .outcomes li").count() == 2)
        page.evaluate("document.getElementById('lists-detail').replaceChildren()")
    assert added(visit) == set()
    assert page.evaluate("({}).broken === undefined")
