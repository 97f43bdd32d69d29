"""The fixer, the witness and the `added` detector: what they may do, and what no answer makes them do."""

from __future__ import annotations

from typing import Any

import pytest

from edgegate.errors import UsageError
from edgegate.gate.fixer import accept, repair
from edgegate.gate.report import check
from edgegate.gate.witness import ask, ask_added, ask_witness, hear, hear_added, hear_witness
from edgegate.records import Verdict

NOW = "2026-03-11T10:00:00+01:00"

REPAIRS = [
    ("Someone said Alice was promoted.", "Alice was promoted.", "Someone said Alice was promoted."),
    ("According to my cousin, the ferry takes two hours.", "The ferry takes two hours.",
     "According to the user's cousin, the ferry takes two hours."),
    ("The pump is broken, the mechanic told me.", "The pump is broken.", "Reportedly, the pump is broken."),
    ("I think the clinic is on Elm Road.", "The clinic is on Elm Road.",
     "The user thinks that the clinic is on Elm Road."),
    ("Maybe the key is under the blue pot.", "The key is under the blue pot.",
     "Possibly, the key is under the blue pot."),
    ("If the visa comes through we fly to Quito in May.", "User flies to Quito in May.",
     "User flies to Quito in May, if the visa comes through."),
    ("The rent is 940 until the end of August.", "The rent is 940.", "The rent is 940, until the end of August."),
    ("The exam is tomorrow.", "The exam is tomorrow.", "The exam is on 12 March 2026."),
    ("It rains.", "It rains.", "It rains."),
]  # fmt: skip


@pytest.mark.parametrize(("source", "memory", "text"), REPAIRS)
def test_repairs(source: str, memory: str, text: str) -> None:
    found = repair(source, memory, now=NOW)
    assert found.text == text
    assert found.question is None
    assert check(source, text, now=NOW).verdict is Verdict.PASS


NOT_REPAIRED = [
    ("It never rains here.", "It rains here."),  # rejected: nothing of it may be stored
    ("Blue.", "Zebras graze beside quiet rivers."),  # uncheckable: nothing turns it into a pass
]


@pytest.mark.parametrize(("source", "memory"), NOT_REPAIRED)
def test_what_is_rejected_or_uncheckable_is_not_repaired(source: str, memory: str) -> None:
    found = repair(source, memory, now=NOW)
    assert found.text is None
    assert found.question is None


def test_what_the_gate_cannot_repair_is_asked_once_and_gated_again() -> None:
    source = "I keep meaning to cancel the gym."
    found = repair(source, "User cancelled the gym.", now=NOW)
    assert found.text is None
    assert found.question is not None
    assert found.question.lost
    assert accept(source, found.question, "User intends to cancel the gym.", now=NOW).text is not None
    for answer in (None, "", "   ", "User has cancelled the gym.", "Zebras graze beside quiet rivers."):
        assert accept(source, found.question, answer, now=NOW).text is None


SOURCE = "I think Ida moved to Ulm. The porter says the lift is fixed."
MEMORY = "Ida moved to Ulm. The lift is fixed."


def flags(report: Any) -> set[str]:
    return {change.check for change in report.changes}


def test_the_witness_is_asked_about_flagged_sentences_only() -> None:
    report = check(SOURCE, f"{MEMORY} Ida moved.", now=NOW)
    assert [question.text for question in ask_witness(report, MEMORY)] == [
        "Ida moved to Ulm.",
        "The lift is fixed.",
    ]
    assert ask_witness(check("It rains.", "It rains."), "It rains.") == ()
    assert ask_witness(check("Blue.", "Zebras graze."), "Zebras graze.") == ()


def test_a_valid_answer_takes_its_flag_off_and_no_other() -> None:
    report = check(SOURCE, MEMORY, now=NOW)
    assert flags(report) == {"hedge", "attribution"}
    after = hear_witness(report, MEMORY, {0: {"hedged": True, "attributed": True, "markers": ["moved"]}})
    assert flags(after) == {"attribution"}
    assert after.verdict is Verdict.REWRITE
    cleared = hear_witness(after, MEMORY, {0: {"hedged": False, "attributed": True, "markers": ["The  LIFT"]}})
    assert cleared.verdict is Verdict.PASS


INVALID = [
    None,
    "yes",
    [],
    {},
    {"hedged": True, "attributed": True},
    {"hedged": True, "attributed": True, "markers": []},
    {"hedged": True, "attributed": True, "markers": ["perhaps"]},  # stands nowhere in the sentence
    {"hedged": True, "attributed": True, "markers": ["moved", "perhaps"]},
    {"hedged": True, "attributed": True, "markers": "moved"},
    {"hedged": True, "attributed": True, "markers": [7]},
    {"hedged": True, "attributed": True, "markers": [" "]},
    {"hedged": "true", "attributed": "true", "markers": ["moved"]},
    {"hedged": False, "attributed": False, "markers": ["moved"]},
]


@pytest.mark.parametrize("answer", INVALID)
def test_an_answer_that_does_not_hold_changes_nothing(answer: Any) -> None:
    report = check(SOURCE, MEMORY, now=NOW)
    assert hear_witness(report, MEMORY, {0: answer, 1: answer, 9: answer}) == report


def test_no_answer_touches_uncheckable_or_raises() -> None:
    memory = "Zebras graze beside quiet rivers."
    report = check("Blue.", memory)
    yes = {"hedged": True, "attributed": True, "markers": ["Zebras"]}
    assert hear_witness(report, memory, {0: yes}).verdict is Verdict.UNCHECKABLE
    told = hear_added("Blue.", memory, report, {0: {"answer": "supported", "quote": "Blue"}})
    assert told.report.verdict is Verdict.UNCHECKABLE
    told = hear_added("Blue.", memory, report, {0: {"answer": "unsupported", "quote": "Blue"}})
    assert told.report.verdict is Verdict.UNCHECKABLE


def test_added_needs_a_quote_for_both_answers() -> None:
    source = [{"speaker": "user", "text": "Ida moved to Ulm last week."}, {"speaker": "assistant", "text": "Nice."}]
    memory = "Ida moved to Ulm. She is a data analyst in Ulm."
    report = check(source, memory, now=NOW)
    asked = ask_added(source, memory, now=NOW)
    assert [question.text for question in asked] == ["Ida moved to Ulm.", "She is a data analyst in Ulm."]
    assert "user: Ida moved" in asked[0].source
    quote = "Ida moved to Ulm"
    found = hear_added(source, memory, report, {0: {"answer": "supported", "quote": quote},
                                                1: {"answer": "unsupported", "quote": quote}}, now=NOW)  # fmt: skip
    assert found.cannot_tell == ()
    assert [change.check for change in found.report.changes if change.check == "added"] == ["added"]
    assert found.report.verdict is Verdict.REWRITE
    assert "added" not in found.report.not_checked
    for answer in (None, {"answer": "unsupported"}, {"answer": "unsupported", "quote": "Ida flew"}, {"quote": quote},
                   {"answer": "cannot-tell", "quote": quote}, {"answer": 1, "quote": quote}):  # fmt: skip
        unsure = hear_added(source, memory, report, {0: answer, 1: answer}, now=NOW)
        assert unsure.cannot_tell == ("Ida moved to Ulm.", "She is a data analyst in Ulm.")
        assert unsure.report == report  # and "added" is still among what was not checked
    half = hear_added(source, memory, report, {0: {"answer": "supported", "quote": quote}}, now=NOW)
    assert half.cannot_tell == ("She is a data analyst in Ulm.",)
    assert half.void == (1,)
    assert "added" in half.report.not_checked


def test_a_rightly_resolved_date_is_no_addition() -> None:
    source, memory = "The exam is tomorrow.", "The exam is on 12 March 2026."
    report = check(source, memory, now=NOW)
    answer = {0: {"answer": "unsupported", "quote": "The exam is tomorrow"}}
    assert hear_added(source, memory, report, answer, now=NOW).report.verdict is Verdict.PASS


def test_both_readers_are_asked_and_heard_at_once() -> None:
    asked = ask(SOURCE, MEMORY, now=NOW)
    assert [(question.number, question.kind) for question in asked.questions] == [
        (0, "witness"), (1, "witness"), (2, "added"), (3, "added"),
    ]  # fmt: skip
    witness = {"hedged": True, "attributed": True, "markers": ["Ida"]}
    held = {"answer": "supported", "quote": "the lift is fixed"}
    added = {"answer": "unsupported", "quote": "Ida moved to Ulm"}
    heard = hear(SOURCE, MEMORY, {0: witness, 2: held, 3: added}, now=NOW)
    assert sorted(change.check for change in heard.report.changes) == ["added", "attribution"]
    assert heard.void == (1,)
    assert "added" not in heard.report.not_checked
    nobody = hear(SOURCE, MEMORY, {}, now=NOW)
    assert nobody.report == asked.report
    assert nobody.void == (0, 1, 2, 3)
    assert len(nobody.cannot_tell) == 2


def test_a_reader_may_be_left_out_and_an_unknown_one_is_refused() -> None:
    assert {each.kind for each in ask(SOURCE, MEMORY, ["added"], now=NOW).questions} == {"added"}
    only = hear(SOURCE, MEMORY, {0: {"answer": "supported", "quote": "Ida"}}, ["added"], now=NOW)
    assert only.void == (1,)
    assert hear(SOURCE, MEMORY, {}, ["witness"], now=NOW).cannot_tell == ()
    assert ask("Blue.", "Zebras graze beside quiet rivers.").questions == ()
    assert hear("Blue.", "Zebras graze.", {0: {"answer": "unsupported", "quote": "Blue"}}).report.changes == ()
    for call in (ask, hear):
        with pytest.raises(UsageError, match="readers"):
            call(SOURCE, MEMORY, *([{}] if call is hear else []), ["judge"])


def test_a_second_reader_keeps_to_the_mode_of_the_write() -> None:
    witness = {"hedged": True, "attributed": True, "markers": ["Ida"]}
    assert hear(SOURCE, "Ida moved to Ulm.", {0: witness}, now=NOW, mode="reply").report.verdict is Verdict.PASS
