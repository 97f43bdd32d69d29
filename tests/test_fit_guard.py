"""What goes into the fit of the guard's trees, and how its limit is set. The fit itself needs scikit-learn, which only
those who fit install."""

from __future__ import annotations

from typing import Any

import pytest

from build_scripts.fit_guard import LABELS, Row, gather, limit_of, rates, replies
from edgegate.guard.trees import trees


def row(kind: str, label: str, text: str, writer: str = "9") -> Row:
    return Row(kind, writer, label, text, {}, [])


def set_of(kind: str) -> list[Row]:
    return [row(kind, label, f"{label} {number}") for label in LABELS for number in range(100)]


def scores_of(rows: list[Row], high: dict[str, int]) -> list[int]:
    """1,000 for so many of each label, 0 for the others."""
    return [1000 if int(each.text.split()[1]) < high[each.label] else 0 for each in rows]


@pytest.mark.parametrize(
    ("high", "right"),
    [
        ({"fabricated": 60, "supported": 8, "none": 2, "world": 2}, True),
        ({"fabricated": 60, "supported": 12, "none": 2, "world": 2}, False),
        ({"fabricated": 60, "supported": 8, "none": 4, "world": 4}, False),
    ],
)
def test_the_limit_is_the_lowest_that_keeps_and_spares_enough(high: dict[str, int], right: bool) -> None:
    made = set_of("natural") + set_of("guard")
    scores = scores_of(made, high)
    limit = limit_of(made, scores)
    assert (0 < limit <= 1000) is right
    own = [at for at, each in enumerate(made) if each.kind == "natural"]
    caught, kept, lost = rates([made[at] for at in own], [scores[at] for at in own], limit)
    assert (round(caught, 2), round(kept, 2), round(lost, 2)) == ((0.6, 0.92, 0.02) if right else (0, 1, 0))


def test_a_sentence_counts_once_however_often_its_notes_were_drawn() -> None:
    made = [row("natural", "fabricated", "a"), row("natural", "fabricated", "b"), row("natural", "fabricated", "b")]
    assert rates(made, [5, 5, 0], 5)[0] == pytest.approx(0.75)


def test_drawing_notes_anew_changes_what_is_held_and_the_labels_with_it() -> None:
    drawn: dict[str, list[dict[str, Any]]] = {}
    for record in replies("natural_dev4"):
        drawn.setdefault(record["id"], []).append(record)
    assert len({len(records) for records in drawn.values()}) == 1
    assert len({str(each["evidence"]) for each in next(iter(drawn.values()))}) > 1
    for each in (each for records in drawn.values() for each in records):
        held = {note["id"] for note in each["notes"] if note["text"] in each["evidence"].get(note["kind"], [])} | {
            "msg"
        }
        for sentence in each["sentences"]:
            needs = sentence.get("notes")
            if needs:
                whole = all(not held.isdisjoint(need.split("|")) for need in needs)
                assert (sentence["label"] == "supported") is whole


def test_the_trees_ask_for_nothing_that_is_never_counted() -> None:
    known = {name for each in gather() for name in each.features}
    assert {name for name, *_ in trees("history").questions} <= known
