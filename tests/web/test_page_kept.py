"""The panel Memories: what is told is kept on this device, shown where it should be, found, forgotten, taken away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgegate.records import to_json
from edgegate.stores import StoredMemory
from tests.test_graph import many
from tests.web.page_visits import Visit, visit_of

pytestmark = pytest.mark.browser

FAMILY = "hi, listen, my wife's name is Claire, my daughter is eleven and my son eighteen"
REMINDER = "remind me on Friday to call the bank"

# Puts memories straight into the page's store, in place of what is there.
FILL = """async (memories) => {
  const { IndexedDbStore } = await import(new URL("edgegate/indexeddb.js", location.href).href);
  const store = new IndexedDbStore("edgegate memories");
  const { revision, memories: held } = await store.load();
  await store.apply({ base: revision, put: memories, delete: held.map(({ id }) => id), turn: null });
}"""


@pytest.fixture(scope="module")
def opened(chromium: Any, site: str) -> Iterator[Visit]:
    context = chromium.new_context(reduced_motion="reduce")
    yield visit_of(context, site, ready=True)
    context.close()


@pytest.fixture
def visit(opened: Visit) -> Visit:
    """The panel, with nothing kept and every switch as it comes."""
    page = opened.page
    page.evaluate("localStorage.clear()")
    page.evaluate(
        """() => new Promise((resolve, reject) => {
          const request = indexedDB.deleteDatabase("edgegate memories");
          request.onsuccess = () => resolve();
          request.onerror = () => reject(request.error);
        })"""
    )
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(opened.address + "#kept")
    page.reload()
    page.wait_for_selector("#status[data-state=ready]")
    opened.until(lambda: page.is_enabled("#kept-send"))
    opened.complaints.clear()
    return opened


def tell(visit: Visit, text: str) -> str:
    """Says something to memory; returns what the panel says to it."""
    page = visit.page
    page.evaluate("document.getElementById('kept-outcome').replaceChildren()")
    page.fill("#kept-message", text)
    page.press("#kept-message", "Enter")
    visit.until(lambda: page.text_content("#kept-outcome") != "")
    return str(page.inner_text("#kept-outcome"))


def fill(visit: Visit, memories: list[StoredMemory]) -> None:
    visit.page.evaluate(FILL, to_json(memories))
    visit.page.reload()
    visit.until(lambda: visit.page.locator(".kept-node").count() >= len(memories))


def kept(visit: Visit) -> list[str]:
    """The texts in the list, newest first."""
    visit.page.check("#kept-view-list")
    return list(visit.page.locator(".kept-list .kept-text").all_text_contents())


def counted(visit: Visit, count: str) -> None:
    visit.until(lambda: visit.page.text_content("#kept-count") == count)


def test_what_is_known_is_kept_in_silence_and_what_is_to_do_is_shown(visit: Visit) -> None:
    said = tell(visit, FAMILY)
    assert "Claire" not in said
    assert "3" not in said
    counted(visit, "3 memories")
    assert tell(visit, "remember that the gate code is 4820") == said, "a code is kept without comment"
    counted(visit, "4 memories")
    assert "call the bank" in tell(visit, REMINDER)
    counted(visit, "5 memories")
    assert kept(visit)[0] == "Remind the user on Friday to call the bank"
    assert len(kept(visit)) == 5
    tell(visit, FAMILY)
    assert len(kept(visit)) == 5
    assert visit.complaints == []


def test_it_survives_a_reload_and_another_tab_sees_it(visit: Visit) -> None:
    tell(visit, FAMILY)
    counted(visit, "3 memories")
    before = kept(visit)
    visit.page.reload()
    counted(visit, "3 memories")
    assert kept(visit) == before
    other = visit.page.context.new_page()
    other.goto(visit.address + "#kept")
    other.wait_for_selector(".kept-node", timeout=120_000)
    assert other.text_content("#kept-count") == "3 memories"
    tell(visit, "remember that the gate code is 4820")
    visit.until(lambda: other.text_content("#kept-count") == "4 memories")
    other.close()


def test_a_memory_is_forgotten_after_a_question_and_then_nowhere(visit: Visit) -> None:
    page = visit.page
    tell(visit, "remember that the gate code is 4820")
    tell(visit, REMINDER)
    counted(visit, "2 memories")
    kept(visit)
    card = page.locator(".kept-list li", has_text="4820")
    card.get_by_role("button", name="Forget: The gate code is 4820").click()
    assert card.get_by_role("button", name="Keep it").evaluate("(node) => node === document.activeElement")
    page.keyboard.press("Escape")
    assert card.get_by_role("button", name="Forget it").count() == 0
    card.get_by_role("button", name="Forget: The gate code is 4820").click()
    card.get_by_role("button", name="Forget it", exact=True).click()
    counted(visit, "1 memory")
    assert page.inner_text("#kept-outcome") == "Deleted: “The gate code is 4820”."
    assert kept(visit) == ["Remind the user on Friday to call the bank"]
    page.fill("#kept-search", "gate code")
    counted(visit, "Nothing comes to mind.")
    assert "4820" not in page.locator(".kept-svg").evaluate("(node) => node.outerHTML")


def test_forgetting_in_words_deletes_exactly_one_or_asks(visit: Visit) -> None:
    tell(visit, "remember that I work part-time at a law firm")
    tell(visit, "remember that I want to make law review")
    counted(visit, "2 memories")
    assert tell(visit, "forget that I want to make law review").startswith("Deleted: “")
    counted(visit, "1 memory")
    assert "law firm" in kept(visit)[0]
    tell(visit, "remember that my dentist appointment is on Friday")
    tell(visit, "remember that my vet appointment is on Monday")
    counted(visit, "3 memories")
    assert "Which of these should go?" in tell(visit, "forget my appointment")
    assert len(kept(visit)) == 3
    visit.page.locator(".kept-candidates button").last.click()
    counted(visit, "2 memories")
    assert not any("vet" in text for text in kept(visit))


@pytest.mark.parametrize("switch", ["kept-on", "kept-saves"])
def test_nothing_is_kept_where_nothing_may_be_and_forgetting_works(visit: Visit, switch: str) -> None:
    page = visit.page
    tell(visit, "remember that the gate code is 4820")
    counted(visit, "1 memory")
    page.click(f"#{switch}")
    assert page.get_attribute(f"#{switch}", "aria-checked") == "false"
    assert "nothing was kept" in tell(visit, FAMILY)
    assert "nothing was kept" in tell(visit, REMINDER)
    assert kept(visit) == ["The gate code is 4820"]
    assert tell(visit, "forget the gate code").startswith("Deleted")
    counted(visit, "")
    assert kept(visit) == []
    if switch == "kept-on":
        page.reload()
        visit.until(lambda: page.is_enabled("#kept-send"))
        assert page.get_attribute("#kept-on", "aria-checked") == "false", "memory off survives a reload"
        assert page.is_disabled("#kept-saves")
    page.click(f"#{switch}")
    tell(visit, FAMILY)
    counted(visit, "3 memories")


def test_search_finds_by_person_topic_and_letters(visit: Visit) -> None:
    page = visit.page
    for text in ("my wife's name is Claire", "remember that Claire is allergic to walnuts", "remember that I row"):
        tell(visit, text)
    counted(visit, "3 memories")
    page.fill("#kept-search", "what can I cook?")
    counted(visit, "2 memories found")
    assert page.locator(".kept-node.found").count() == 2
    assert kept(visit) == ["Claire is allergic to walnuts", "The user's wife's name is Claire"]
    assert page.locator(".kept-list .tag").all_text_contents() == ["by topic", "a neighbour"]
    page.fill("#kept-search", "aire")
    counted(visit, "2 memories found")
    page.fill("#kept-search", "")
    counted(visit, "3 memories")
    assert page.locator(".kept-node.found").count() == 0


def test_everything_is_exported_and_everything_forgotten(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    tell(visit, FAMILY)
    tell(visit, "my daughter is twelve now")
    visit.until(lambda: any("12" in text or "twelve" in text for text in kept(visit)))
    counted(visit, "3 memories")
    with page.expect_download() as download:
        page.click("#kept-export")
    download.value.save_as(tmp_path / "memories.json")
    assert download.value.suggested_filename.startswith("edgegate-memories-")
    whole = json.loads((tmp_path / "memories.json").read_text("utf-8"))
    assert whole["format"] == "edgegate memories"
    assert {memory["text"] for memory in whole["memories"]} == set(kept(visit))
    assert any(memory["history"] for memory in whole["memories"])
    assert len(whole["turns"]) == 2
    page.click("#kept-clear")
    page.get_by_role("button", name="Keep it").last.click()
    counted(visit, "3 memories")
    page.click("#kept-clear")
    page.locator(".kept-ask", has_text="Forget everything, for good?").get_by_role(
        "button", name="Forget everything"
    ).click()
    visit.until(lambda: page.text_content("#kept-count") == "")
    assert kept(visit) == []


def test_the_constellation_has_a_shape_for_each_kind_and_goes_by_keyboard(visit: Visit) -> None:
    page = visit.page
    fill(visit, many(60))
    shapes = set(
        page.eval_on_selector_all(".kept-node .kept-shape", "nodes => nodes.map(({ dataset }) => dataset.shape)")
    )
    assert shapes == {"circle", "ringed circle", "diamond", "hexagon", "star"}
    legend = page.locator(".kept-legend li").all_inner_texts()
    assert len(legend) == 7
    assert page.locator(".kept-node[tabindex='0']").count() == 1
    first = page.locator(".kept-node[tabindex='0']")
    first.focus()
    seen = set()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "End", "Home"):
        page.keyboard.press(key)
        focused = page.evaluate("document.activeElement.dataset.id")
        assert page.locator(".kept-node[tabindex='0']").get_attribute("data-id") == focused
        seen.add(focused)
    assert len(seen) > 3
    page.keyboard.press("Enter")
    chosen = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    assert page.inner_text(".kept-detail .kept-text") in chosen
    page.keyboard.press("Escape")
    assert page.locator(".kept-node[aria-pressed='true']").count() == 0
    page.locator(".kept-node[data-kind=topic]").first.click(force=True)
    assert page.locator(".kept-detail .kept-shared li").count() >= 3
    assert sorted(kept(visit)) == sorted(memory.text for memory in many(60))


def test_a_thousand_memories_are_drawn_and_stay_usable(visit: Visit) -> None:
    page = visit.page
    fill(visit, many(1000))
    assert page.locator(".kept-node:not([data-kind=topic])").count() == 1000
    page.get_by_role("button", name="Larger").click()
    wide = page.locator(".kept-svg").evaluate("(node) => node.clientWidth / node.parentElement.clientWidth")
    assert wide > 1.5
    page.get_by_role("button", name="Smaller").click()
    page.locator(".kept-node").nth(500).click(force=True)
    assert page.locator(".kept-detail .kept-text").count() == 1
    page.check("#kept-view-list")
    assert page.locator(".kept-list li").count() == 60
    page.get_by_role("button", name="Show the other 940").click()
    assert page.locator(".kept-list li").count() == 1000


def test_text_from_memory_is_never_markup(visit: Visit) -> None:
    page = visit.page
    text = "<img src=x onerror=alert(1)> & <b>bold</b>"
    fill(visit, [StoredMemory("1.0", text, "fact", many(1)[0].verdict, terms=("img",))])
    assert kept(visit) == [text]
    assert page.locator("#panel-kept img, #panel-kept b").count() == 0


def test_a_store_of_a_newer_version_is_left_alone_and_the_visit_goes_on(chromium: Any, site: str) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(site + "/edgegate/NOTICE.txt")
    page.evaluate(
        """async () => new Promise((resolve) => {
          const request = indexedDB.open("edgegate memories", 9);
          request.onupgradeneeded = () => request.result.createObjectStore("future").put("x", 1);
          request.onsuccess = () => { request.result.close(); resolve(); };
        })"""
    )
    page.goto(site + "#kept")
    page.wait_for_selector("#kept-send:enabled", timeout=120_000)
    assert "for this visit only" in page.inner_text("#panel-kept")
    assert "newer" in page.inner_text("#panel-kept")
    page.fill("#kept-message", "remember that I row")
    page.press("#kept-message", "Enter")
    page.wait_for_selector(".kept-node")
    version = page.evaluate(
        """async () => new Promise((resolve) => {
          const request = indexedDB.open("edgegate memories");
          request.onsuccess = () => resolve([request.result.version, [...request.result.objectStoreNames]]);
        })"""
    )
    assert version == [9, ["future"]]
    context.close()
