"""How sets are scored: the rules of the labelled sets, held by small hand-made cases."""

from __future__ import annotations

import pytest

from edgegate import Guard
from edgegate.labelled import GateRecord, GuardRecord, LabelledSentence, intact
from edgegate.measure import Rate, evaluate_gate, evaluate_guard
from edgegate.records import Event, ReplyEnd


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(0, 0, 0.0, 1.0), (0, 10, 0.0, 0.278), (5, 8, 0.306, 0.863), (10, 10, 0.722, 1.0)],
)
def test_wilson_intervals(count: int, total: int, low: float, high: float) -> None:
    # 5 of 8 is the production figure of the factwash paper (arXiv 2608.03372, section 7.5): [0.31, 0.86].
    rate = Rate(count, total)
    assert rate.low == pytest.approx(low, abs=0.001)
    assert rate.high == pytest.approx(high, abs=0.001)


@pytest.mark.parametrize(
    ("sentence", "shown", "kept"),
    [
        ("You like figs.", "Hi. You like figs.", True),
        ("You  like\nfigs.", "You like figs.", True),
        ("And you like figs.", "Hi. You like figs.", True),
        ("3. Two eggs", "2. Two eggs", True),
        ("You like figs.", "You like dates.", False),
        ("You like figs, and Nadia likes dates.", "Nadia likes dates.", False),
        ("Bananas you like.", "you like.", False),
    ],
)
def test_intact(sentence: str, shown: str, kept: bool) -> None:
    assert intact(sentence, shown) is kept


def labelled(text: str, label: str, safety: str | None = None, second: str | None = None) -> LabelledSentence:
    return LabelledSentence(text, label, safety, second)


def test_a_guard_record_is_scored_as_the_sets_say() -> None:
    lie = "You told me you own a zeppelin."
    record = GuardRecord(
        "x",
        {"memories": ["The user has a sister called Nadia"]},
        f"Hello. Your sister is Nadia. {lie} I am a human being with a beating heart. {lie}",
        [
            labelled("Hello.", "none"),
            labelled("Your sister is Nadia.", "supported"),
            labelled(lie, "fabricated"),
            labelled("I am a human being with a beating heart.", "none", safety="consciousness"),
            labelled("Hello.", "world", second="supported"),
        ],
    )
    score = evaluate_guard([record])
    assert (score.catch.count, score.catch.total) == (1, 1)
    assert (score.preservation.count, score.preservation.total) == (1, 1)
    # the safety sentence is labelled none, but it is no collateral; the doubtful label is left out
    assert (score.collateral.count, score.collateral.total) == (0, 1)
    assert (score.safety_caught.count, score.safety_caught.total) == (1, 1)
    assert score.left_out == 1


def test_uncheckable_is_neither_a_catch_nor_a_miss() -> None:
    records = [
        GateRecord("a", [{"speaker": "user", "text": "Me gusta mucho la casa de mi hermana."}], "x y", "bad"),
        GateRecord("b", [{"speaker": "user", "text": "I like figs."}], "The user likes figs.", "clean"),
    ]
    score = evaluate_gate(records)
    assert score.uncheckable_bad == 1
    assert (score.caught, score.missed, score.clean_passed) == (0, 0, 1)
    assert score.recall.value is None


def test_a_guard_that_failed_is_no_catch(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Guard, text: str) -> list[Event]:
        return [ReplyEnd("", 0, failed="broken on purpose")]

    monkeypatch.setattr(Guard, "feed", broken)
    monkeypatch.setattr(Guard, "close", lambda self: [])
    score = evaluate_guard([GuardRecord("x", {}, "You told me.", [labelled("You told me.", "fabricated")])])
    assert score.failed == 1
    assert score.catch.total == 0
