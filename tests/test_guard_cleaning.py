"""Dropping leaves clean text: golden replies, to the character."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from edgegate.guard.cleaning import introduces, without_connective
from edgegate.guard.marks import Marks
from edgegate.guard.stream import Guard
from edgegate.language.text import sentences
from edgegate.records import Evidence, TextDropped

GOLDEN = Path(__file__).parent / "data" / "golden" / "guard_cleaning.jsonl"
ROWS = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_golden(row: dict[str, Any]) -> None:
    guard = Guard(Evidence())
    guard.feed(row["reply"])
    end = guard.close()[-1]
    assert guard.shown == row["shown"]
    assert end.failed is None  # type: ignore[union-attr]


def test_a_reply_without_a_drop_comes_out_to_the_character() -> None:
    text = "  # Plan \r\n\r\nHere:\n\n1. One.  Two.\n1. Three\n\n\n> Quote.\n\n**Bold.** (So.) \n\n```\n\n x\n```\n\n\n"
    guard = Guard(Evidence())
    guard.feed(text)
    guard.close()
    assert guard.shown == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("And how is she?", "How is she?"),
        ("But, then, go.", "Then, go."),
        ("and so we go", "we go"),
        ("So much depends on it.", "So much depends on it."),
        ("Android works.", "Android works."),
        ("And", "And"),
        ("That's why it hurts.", None),
        ("So that's why it hurts.", None),
        ("That is new.", "That is new."),
    ],
)
def test_connectives(before: str, after: str | None) -> None:
    assert without_connective(before) == after


@pytest.mark.parametrize(("text", "expected"), [("Here:", True), ("**Here:**", True), ("At 9:30.", False)])
def test_lead_ins(text: str, expected: bool) -> None:
    first = sentences(f"{text}\n- a")[0]
    assert introduces(first) is (expected and first.kind == "prose")


def test_a_mark_is_never_left_alone() -> None:
    marks = Marks()
    assert marks.keep("**Sit") == "**Sit"
    assert marks.drop("down.** And") == "**"
    marks = Marks()
    assert marks.drop("“You told me so.") == ""
    assert marks.keep("Go on.") == "“Go on."
    assert marks.keep("Sit.”") == "Sit.”"


def test_orphans_are_named_as_such() -> None:
    guard = Guard(Evidence())
    events = guard.feed("# Past\n\nYou told me you own a boat.\n\n# Next\n\nSleep.") + guard.close()
    drops = [event for event in events if isinstance(event, TextDropped)]
    assert [(drop.family, drop.sentence) for drop in drops] == [
        ("history", "You told me you own a boat."),
        ("orphan", "# Past"),
    ]


@pytest.mark.parametrize(
    ("dropped", "kept", "shown"),
    [
        ("“You told me so.", "Go on.” Good.", "“Go on.” Good."),
        ("„You told me so.", "Go on.“ Good.", "„Go on.“ Good."),
        ("«You told me so.", "Go on.» Good.", "«Go on.» Good."),
        ("__You told me so.", "Go on.__ Good.", "__Go on.__ Good."),
        ("**You told me so.", "Go __on__.** Good.", "**Go __on__.** Good."),
        ("“You told me so.", "» Go on.” Good.", "“» Go on.” Good."),
        ("“You told me so.”", "Go on.", "Go on."),
        ("*You* told me so.", "Go on.", "Go on."),
    ],
)
def test_a_mark_that_a_dropped_sentence_opened_opens_again(dropped: str, kept: str, shown: str) -> None:
    marks = Marks()
    assert marks.drop(dropped) == ""
    assert marks.keep(kept) == shown
