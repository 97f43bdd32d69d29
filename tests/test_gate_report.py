"""inspect() and check(): shapes, sources, what can't be checked, and what no text may do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgegate.errors import DataError, UsageError
from edgegate.gate.checks import CHECKS
from edgegate.gate.report import NOT_CHECKED, check, inspect
from edgegate.gate.write import read_write
from edgegate.language import align, lexicon
from edgegate.records import Severity, Verdict, read_record, to_json

CASES = Path(__file__).parent / "data" / "cases" / "gate.jsonl"
CORPORA = Path(__file__).parent / "data" / "corpora"


def test_inspect_names_no_verdict_and_check_does() -> None:
    assert inspect("Maybe Ida left.", "Ida left.").verdict is None
    assert check("Maybe Ida left.", "Ida left.").verdict is Verdict.REWRITE
    assert check("Ida left.", "Ida left.").verdict is Verdict.PASS


def test_every_report_says_what_was_not_checked_and_by_which_lexicon() -> None:
    report = inspect("Ida left.", "Ida left.")
    assert report.not_checked == NOT_CHECKED
    assert report.lexicon == lexicon.hash()


def test_a_report_goes_to_json_and_back() -> None:
    from edgegate.records import Report

    report = check("Someone said Alice was promoted.", "Alice was promoted.")
    assert read_record(Report, json.loads(json.dumps(to_json(report)))) == report


def test_turns_take_role_and_content_too() -> None:
    turns = [{"role": "user", "content": "Maybe Ida left."}]
    assert check(turns, "Ida left.").changes[0].source_quote.turn == 0  # type: ignore[union-attr]


def test_a_plain_text_has_no_turn() -> None:
    assert check("Maybe Ida left.", "Ida left.").changes[0].source_quote.turn is None  # type: ignore[union-attr]


def test_each_turn_has_its_own_day() -> None:
    turns = [{"speaker": "user", "text": "We signed the lease yesterday.", "at": "2026-03-02"}]
    right = check(turns, "User signed the lease on 1 March 2026.", now="2026-03-11")
    wrong = check(turns, "User signed the lease on 10 March 2026.", now="2026-03-11")
    assert right.verdict is Verdict.PASS
    assert [change.type for change in wrong.changes] == ["wrong date"]


def test_context_may_align_and_is_not_judged() -> None:
    source = [{"speaker": "user", "text": "Yes, do that."}]
    report = check(source, "The key is under the blue pot.", context="Maybe the key is under the blue pot.")
    assert (report.verdict, report.changes) == (Verdict.PASS, ())
    assert check(source, "The key is under the blue pot.").verdict is Verdict.UNCHECKABLE


def test_who_the_user_is() -> None:
    turns = [{"speaker": "Pia", "text": "My brother repairs clocks in Graz."}]
    assert check(turns, "User repairs clocks in Graz.", user="Pia").verdict is Verdict.REJECT


def test_what_stands_nowhere_is_unaligned() -> None:
    report = check("Ida repairs clocks in Ulm.", "Ida repairs clocks. User collects typewriters and old radios.")
    assert [quote.text for quote in report.unaligned] == ["User collects typewriters and old radios."]
    assert [(change.check, change.severity) for change in report.changes] == [("alignment", Severity.ADVISORY)]
    assert report.verdict is Verdict.PASS_WITH_FLAGS


def test_a_clause_of_a_sentence_may_be_unaligned() -> None:
    report = check("Ida repairs clocks in Ulm.", "Ida repairs clocks in Ulm; she collects typewriters and old radios.")
    assert [quote.text for quote in report.unaligned] == ["she collects typewriters and old radios."]


@pytest.mark.parametrize(
    ("source", "memory", "reason"),
    [
        ("Ida repairs clocks.", "User collects typewriters.", "nothing in the source matches"),
        ("", "User collects typewriters.", "nothing in the source matches"),
        ([], "User collects typewriters.", "nothing in the source matches"),
        ("Ida repairs clocks.", "", "empty"),
        ("Ida repairs clocks.", "... !", "empty"),
        ("La boda es el 15 de marzo de 2027 en la catedral de Sevilla con toda la familia.",
         "La boda del usuario es el 15 de marzo en la catedral.", "language"),
    ],
)  # fmt: skip
def test_what_cannot_be_checked_is_never_passed(source: Any, memory: str, reason: str) -> None:
    report = check(source, memory)
    assert (report.verdict, report.uncheckable, report.changes) == (Verdict.UNCHECKABLE, reason, ())


@pytest.mark.parametrize(
    ("source", "memory", "english"),
    [
        ("Ida skates on Sundays.", "Ida skates.", True),
        ("I tell you: Tomas kneads dough at dawn and hums.", "Tomas hums.", True),
        ("Ida skates on Sundays. I heard that Tomas hums.", "Ida skates. Tomas hums.", True),
        ("Ida skates on Sundays.", "Ida patine.", False),  # not a word of the source
        ("Ida läuft gern Schlittschuh.", "Ida läuft.", False),  # no English source
        ("I heard it. Ida läuft gern Schlittschuh.", "Ida läuft.", False),  # English elsewhere only
        ("He said 'Locuiesc la Cluj' to me.", "Locuiesc la Cluj", False),  # a small word of another language
        ("Locuiesc la Cluj", "Locuiesc la Cluj", False),
    ],
)
def test_a_short_memory_made_of_an_english_sentence_is_english(source: str, memory: str, english: bool) -> None:
    assert (check(source, memory).uncheckable is None) == english


@pytest.mark.parametrize("source", [None, 5, {"speaker": "user", "text": "hi"}, b"hi", [5], [{"speaker": "user"}]])
def test_a_wrong_source_is_a_data_error(source: Any) -> None:
    with pytest.raises(DataError, match="source"):
        check(source, "Ida left.")


@pytest.mark.parametrize("memory", [None, 5, ["Ida left."]])
def test_a_wrong_memory_is_a_data_error(memory: Any) -> None:
    with pytest.raises(DataError, match="memory"):
        check("Ida left.", memory)


def test_wrong_options() -> None:
    with pytest.raises(DataError, match="now"):
        check("Ida left.", "Ida left.", now="soon")
    with pytest.raises(UsageError, match="about"):
        check("Ida left.", "Ida left.", about=5)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="mode"):
        check("Ida left.", "Ida left.", mode="letter")
    with pytest.raises(DataError, match="context"):
        check("Ida left.", "Ida left.", context=5)  # type: ignore[arg-type]


HOSTILE = [
    "word " * 20_000,
    "a" * 100_000,
    "." * 100_000,
    "not " * 25_000,
    "million " * 12_500,
    "twenty - " * 11_000,
    "in a week from " * 6_500,
    "if I, " * 16_000,
    "Aa Bb " * 16_000,
    "1" * 100_000,
    "\u200b" * 100_000,
    "\ud800 maybe \udfff" * 100,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:12]))
def test_hostile_text_does_not_raise(text: str) -> None:
    assert check(text, text[:2000], now="2026-03-11").verdict is not None
    assert check("Ida left.", text, now="2026-03-11").verdict is not None


def test_only_the_sentences_that_a_memory_came_from_are_read_closely() -> None:
    turns = [{"speaker": "user", "text": f"Room {number} has {number + 2000} chairs."} for number in range(500)]
    turns.append({"speaker": "user", "text": "Maybe Ida repairs clocks."})
    write = read_write(turns, "Ida repairs clocks.", now="2026-03-11")
    found = [change.check for run in CHECKS.values() for change in run(write, write.pairings[0])]
    assert found == ["hedge"]
    assert sum("cues" in vars(passage) for passage in write.passages) < 5
    assert sum("values" in vars(passage) for passage in write.passages) < 5


def test_a_source_that_is_let_go_of_gives_the_same_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [json.loads(line) for line in (CORPORA / "gate_dev3.jsonl").read_text("utf-8").splitlines()]
    writes = [(record["source"], record["memory"], record["date"]) for record in records]
    writes += [([*records[-1]["source"], *source], memory, now) for source, memory, now in writes]
    kept = [check(source, memory, now=now) for source, memory, now in writes]
    monkeypatch.setattr(align, "_KEPT", 0)
    assert [check(source, memory, now=now) for source, memory, now in writes] == kept


def test_a_long_source_keeps_what_was_worked_out_for_few_of_its_sentences() -> None:
    turns = [{"speaker": "user", "text": f"Room {number} has {number + 2000} chairs."} for number in range(500)]
    turns.append({"speaker": "user", "text": "I'd like to paint the shed some day."})
    memory = "The user painted the shed on 4 May 2019 at 9:15 for 20% of 90 euros."
    write = read_write(turns, memory, now="2026-03-11")
    for run in CHECKS.values():
        list(run(write, write.pairings[0]))
    assert sum("tokens" in vars(passage) for passage in write.passages) < 20


TEXT = st.text(max_size=120)
PIECE_WORDS = [
    *("maybe", "not", "if", "until", "May", "5", "said", "I", "my", "brother", "user", "?", ".", ",", ";", "600", "km"),
    *("yesterday", "2026", "unless", "because", "\ud800", "🙂", "no", "Ida", "left", "(", ")", ":", "while", "when"),
]
PIECES = st.lists(
    st.sampled_from(PIECE_WORDS),
    max_size=25,
).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(st.one_of(TEXT, PIECES), st.one_of(TEXT, PIECES), st.booleans())
def test_any_text_gives_a_report_whose_quotes_hold(source: str, memory: str, as_turns: bool) -> None:
    turns = [{"speaker": "user", "text": source}, {"speaker": "assistant", "text": memory}]
    report = check(turns if as_turns else source, memory, now="2026-03-11")
    assert report.verdict is not None
    assert (report.verdict is Verdict.UNCHECKABLE) == (report.uncheckable is not None)
    texts = [source, memory]
    for change in report.changes:
        if change.source_quote is not None:
            quote = change.source_quote
            assert texts[quote.turn or 0][quote.start : quote.end] == quote.text
        if change.candidate_quote is not None:
            quote = change.candidate_quote
            assert memory[quote.start : quote.end] == quote.text
    again = check(turns if as_turns else source, memory, now="2026-03-11")
    assert again == report


@settings(max_examples=40, deadline=None)
@given(PIECES)
def test_a_memory_that_is_its_source_is_never_flagged_for_stance(text: str) -> None:
    found = {change.check for change in inspect(text, text).changes if change.severity != "advisory"}
    assert not found & {"hedge", "attribution", "unit"}


def cases() -> list[Any]:
    found = []
    for line in CASES.read_text("utf-8").splitlines():
        case = json.loads(line)
        marks = [pytest.mark.xfail(reason=case["later"], strict=False)] if "later" in case else []
        found.append(pytest.param(case, id=case["id"], marks=marks))
    return found


@pytest.mark.parametrize("case", cases())
def test_reported_cases(case: dict[str, Any]) -> None:
    given_ = case["input"]
    verdict = check(given_["source"], given_["memory"], now=given_["date"]).verdict
    expected = {
        "bad": {Verdict.REWRITE, Verdict.REJECT},
        "clean": {Verdict.PASS, Verdict.PASS_WITH_FLAGS},
        "advisory": {Verdict.PASS_WITH_FLAGS},
        "uncheckable": {Verdict.UNCHECKABLE},
    }
    assert verdict in expected[case["expect"]["label"]]
