"""Replies that a search for faults has found to reach most of the guard: none may have an outcome that must not be."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from build_scripts import fuzz_guard
from build_scripts.fuzz_guard import Case, faults, fewest, in_order, kept, lines, material, mutate, reached
from edgegate.records import TextShown

CASE = Case("Nadia is here. You told me so. Sit down.", explain=True)


@pytest.mark.parametrize("case", kept(), ids=lambda case: f"{len(case.text)} characters, cap {case.cap}")
def test_a_kept_reply_has_no_fault(case: Case) -> None:
    assert list(faults(case, random.Random(1))) == []


def test_the_search_makes_replies() -> None:
    chance = random.Random(1)
    text = mutate([], material()[:50], chance)
    assert text
    assert list(faults(Case(text), chance)) == []


def shouting(guard: Any, events: list[Any], chunks: list[str]) -> list[Any]:
    return [TextShown(event.text.upper()) if isinstance(event, TextShown) else event for event in events]


def twice(guard: Any, events: list[Any], chunks: list[str]) -> list[Any]:
    return [each for event in events for each in (event, event)]


def forgetting(guard: Any, events: list[Any], chunks: list[str]) -> list[Any]:
    return events[1:]


def by_letters(guard: Any, events: list[Any], chunks: list[str]) -> list[Any]:
    return events[:-2] + events[-1:] if len(chunks) > 20 else events


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (shouting, "what was shown is not what is stored"),
        (twice, "a reply ends once"),
        (forgetting, "what was shown is not what is stored"),
        (by_letters, "cut: letters"),
    ],
)
def test_the_search_sees_a_fault_that_is_there(
    wrong: Callable[..., list[Any]], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = fuzz_guard.run

    def run(chunks: list[str], case: Case) -> Any:
        guard, events, most = whole(chunks, case)
        return guard, wrong(guard, events, chunks), most

    assert list(faults(CASE, random.Random(1))) == []
    monkeypatch.setattr(fuzz_guard, "run", run)
    assert any(fault in found for found in faults(CASE, random.Random(1)))


def test_a_text_with_something_new_or_twice_is_not_in_order() -> None:
    assert in_order("Sit down", "Sit quietly down")
    assert not in_order("Sit sit", "Sit down")
    assert not in_order("down Sit", "Sit down")


def test_what_is_kept_reaches_the_lines_of_all() -> None:
    cases = [Case("Hello."), Case("Hello. Hello."), Case("```\ncode\n```"), Case("You told me about your boat.")]
    reach = {case: reached(case) for case in cases}
    chosen = fewest(reach)
    together = set().union(*(reach[case] for case in chosen))
    assert lines(together) == lines(set().union(*reach.values()))
    assert Case("You told me about your boat.") in chosen


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_guard, "MOST_KEPT", 1)
    reach = {case: reached(case) for case in (Case("Hello."), Case("```\ncode\n```"))}
    assert len(fewest(reach)) == 1
    monkeypatch.setattr(fuzz_guard, "MOST_CHARACTERS", 8)
    assert fewest(reach) == [Case("Hello.")]
