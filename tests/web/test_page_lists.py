"""The panel Lists in a real Chromium: sets are scored as `evaluate` scores them, and every record can be looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgegate.measure_hosted import add_up, score_record
from tests.web.page_visits import PAGE, ROOT, START, Visit, visit_of

pytestmark = pytest.mark.browser

REPLIES = json.loads((PAGE / "recordings" / "sample-replies.json").read_text("utf-8"))
WRITES = json.loads((PAGE / "recordings" / "sample-memories.json").read_text("utf-8"))
CORPORA = ROOT / "tests" / "data" / "corpora"


def plain(number: int, **more: Any) -> dict[str, Any]:
    sentences = [{"text": "It rains.", "label": "none"}]
    return {"id": f"r{number}", "evidence": {}, "reply": "It rains.", "sentences": sentences, **more}


@pytest.fixture(scope="module")
def visit(chromium: Any, site: str) -> Iterator[Visit]:
    """The page, started, with the panel open."""
    made = visit_of(chromium, f"{site}#lists", ready=True)
    made.page.wait_for_selector("#lists-file:enabled", timeout=START)
    yield made
    assert made.complaints == []
    assert made.page.evaluate("watch.violations") == []
    assert all(url.startswith(site) for url in made.requests)
    made.page.close()


def scored(visit: Visit) -> None:
    """Waits for the set that was asked for last: its name stands in what is told as soon as it is asked for."""
    visit.until(lambda: "scored, in" in visit.page.text_content("#lists-told"))


def open_set(visit: Visit, place: Path, records: list[dict[str, Any] | str]) -> None:
    lines = [one if isinstance(one, str) else json.dumps(one) for one in records]
    place.write_text("\n".join(lines), "utf-8")
    visit.page.set_input_files("#lists-file", place)


@pytest.mark.parametrize(
    ("file", "records", "corpus"),
    [("sample-replies", REPLIES, "natural_dev2"), ("sample-memories", WRITES, "gate_dev2")],
)
def test_a_sample_is_scored_as_evaluate_scores_it(
    visit: Visit, file: str, records: list[dict[str, Any]], corpus: str
) -> None:
    written = [json.loads(line) for line in (CORPORA / f"{corpus}.jsonl").read_text("utf-8").splitlines()]
    assert records == written[: len(records)], "the sample is the beginning of that set"
    page = visit.page
    page.click(f"#lists-{file}")
    scored(visit)
    found = [score_record(record) for record in records]
    rates = add_up(found[0]["job"], {"all": [one["score"] for one in found]})["whole"]["rates"]
    shown = page.locator("#lists-rates > table").first.locator("tbody tr .counts").all_text_contents()
    wanted = [value for value in rates.values() if isinstance(value, dict) and value.get("total")]
    assert sorted(shown) == sorted(f"{rate['count']} of {rate['total']}" for rate in wanted)
    marks = page.locator("#lists-records .record").evaluate_all("all => all.map(one => one.dataset.right)")
    assert marks == [str(not one["errors"]).lower() for one in found]
    wrong = sum(bool(one["errors"]) for one in found)
    page.click("#lists-kinds [data-kind='any error']")
    assert page.locator("#lists-records > li").count() == wrong
    page.click("#lists-kinds [data-kind='']")


def test_a_record_opens_with_what_was_right_and_wrong(visit: Visit) -> None:
    page = visit.page
    page.click("#lists-sample-replies")
    scored(visit)
    page.click("#lists-kinds [data-kind=catch]")
    page.locator("#lists-records button").first.click()
    record = next(one for one in REPLIES if "catch" in score_record(one)["errors"])
    found = score_record(record)
    visit.until(lambda: page.text_content("#lists-detail .record-id") == record["id"])
    rows = page.locator("#lists-detail .outcomes li")
    assert rows.locator(".sentence").all_text_contents() == [one["text"] for one in record["sentences"]]
    rights = rows.evaluate_all("all => all.map(one => one.dataset.right)")
    assert rights == [str(not one["errors"]).lower() for one in found["sentences"]]
    assert page.text_content("#lists-detail .shown-text") == found["shown"]
    assert page.locator("#lists-detail .drop").count() == len(found["dropped"])
    assert page.evaluate("document.activeElement.id") == "lists-detail"


def test_records_are_found_by_words_and_persona(visit: Visit) -> None:
    page = visit.page
    page.click("#lists-sample-replies")
    scored(visit)
    persona = REPLIES[3]["persona"]
    page.select_option("#lists-group", persona)
    assert page.locator("#lists-records > li").count() == 1
    page.select_option("#lists-group", "")
    page.fill("#lists-search", "  TRÄUMEREI ")
    visit.until(lambda: page.locator("#lists-records > li").count() == 1)
    page.fill("#lists-search", "no such word")
    visit.until(lambda: page.text_content("#lists-where") == "No record is like that.")
    page.fill("#lists-search", "")
    visit.until(lambda: page.locator("#lists-records > li").count() == len(REPLIES))


def test_the_plot_has_a_point_for_each_place_and_a_table_of_numbers(visit: Visit) -> None:
    page = visit.page
    page.click("#lists-sample-replies")
    scored(visit)
    groups: dict[str, list[Any]] = {}
    for record in REPLIES:
        groups.setdefault(record["persona"], []).append(score_record(record)["score"])
    sums = add_up("guard", groups)["groups"]
    drawn = [one for one in sums.values() if one["catch"]["total"] and one["preservation"]["total"]]
    counts = page.locator(".plot .spot").evaluate_all("all => all.map(one => Number(one.dataset.groups))")
    assert sum(counts) == len(drawn)
    page.click(".plot details summary")
    visit.until(lambda: page.locator(".plot tbody tr").count() == len(sums))  # filled a moment after it opens
    page.locator(".plot tbody button").first.click()
    assert page.input_value("#lists-group") == page.locator(".plot tbody button").first.text_content()


def test_broken_lines_are_named_by_their_number_and_passed_over(visit: Visit, tmp_path: Path) -> None:
    records: list[dict[str, Any] | str] = [
        plain(1),
        "{not json",
        "",
        "[1, 2]",
        plain(2, sentences=[{"text": "It rains."}]),
        '{"id": "x", "memory": "The user rows", "source": [], "label": "clean"}',
        "x" * 1_000_001,
        plain(3),
    ]
    open_set(visit, tmp_path / "mixed.jsonl", records)
    scored(visit)
    page = visit.page
    assert page.locator("#lists-records > li").count() == 2
    assert page.text_content("#lists-broken summary") == "5 lines passed over"
    told = page.locator("#lists-broken li").all_text_contents()
    assert [line.split(":")[0] for line in told] == [f"Line {number}" for number in (2, 4, 5, 6, 7)]
    for line, words in zip(told, ("not JSON", "not an object", "label", "same kind", "longer"), strict=True):
        assert words in line


@pytest.mark.parametrize("content", ["", "\n\n\n", "[]", "nothing here"])
def test_a_file_without_a_record_is_told_in_words(visit: Visit, tmp_path: Path, content: str) -> None:
    open_set(visit, tmp_path / "empty.jsonl", [content])
    visit.until(lambda: "holds no labelled record" in visit.page.text_content("#lists-told"))
    assert visit.page.is_hidden("#lists-records")


def test_ten_thousand_records_are_read_paged_stopped_and_gone_on_with(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    open_set(visit, tmp_path / "many.jsonl", [plain(number, persona=f"p{number % 500}") for number in range(10_000)])
    visit.until(lambda: page.text_content("#lists-where") == "1 to 40 of 10,000")
    assert page.locator("#lists-records > li").count() == 40
    page.click("#lists-after")
    assert page.text_content("#lists-where") == "41 to 80 of 10,000"
    assert page.locator("#lists-records .hint").first.text_content().startswith("r40 ")
    page.click("#lists-stop")
    visit.until(lambda: "stopped after" in page.text_content("#lists-told"))
    before = page.text_content("#lists-told")
    assert page.text_content("#lists-stop") == "Go on"
    assert page.locator("#lists-group option").count() == 62  # all of them would be no help: the rest is one group
    page.click("#lists-stop")
    visit.until(lambda: page.text_content("#lists-stop") == "Stop")
    visit.until(lambda: page.get_attribute("#lists-progress", "aria-valuetext") not in before)
    page.click("#lists-sample-replies")  # another set ends it
    scored(visit)
    assert page.text_content("#lists-where") == "1 to 12 of 12"


def test_the_kill_switch_does_not_reach_a_set_and_the_panel_says_so(visit: Visit) -> None:
    page = visit.page
    assert page.is_hidden("#lists-off")
    visit.guard(False)
    assert page.is_visible("#lists-off")
    page.click("#lists-sample-replies")
    scored(visit)
    assert page.locator("#lists-kinds [data-kind=catch] .count").text_content() == str(
        sum("catch" in score_record(record)["errors"] for record in REPLIES)
    )
    visit.guard(True)
    assert page.is_hidden("#lists-off")


def test_it_works_by_keyboard(visit: Visit) -> None:
    page = visit.page
    page.focus("#lists-sample-memories")
    page.keyboard.press("Enter")
    scored(visit)
    page.focus("#lists-kinds [data-kind=right]")
    page.keyboard.press("Space")
    assert page.get_attribute("#lists-kinds [data-kind=right]", "aria-pressed") == "true"
    page.locator("#lists-records button").first.focus()
    page.keyboard.press("Enter")
    visit.until(lambda: page.evaluate("document.activeElement.id") == "lists-detail")
    assert page.locator("#lists-detail .quoted").count() > 1
