"""Plans of requests to forget: the right memory, a plain group, or a question; never the wrong memory."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgegate.measure_memory import ForgetRecord, evaluate_forget
from edgegate.memory import forget, plan_forget, report_forget
from edgegate.memory.stored import Memory, Term, fields, root

DATA = Path(__file__).parent / "data"
LAW = ["The user works part-time at a law firm", "The user wants to make law review", "The user studies contract law"]

PLANS: list[tuple[str, list[str], str, list[int]]] = [
    ("forget that I want to make law review", LAW, "delete", [1]),
    ("forget that I want to make law review", [LAW[0], LAW[2]], "none", []),
    ("don't forget that I work at a law firm", LAW, "none", []),
    ("do you ever forget things?", LAW, "none", []),
    ("forget that I have a dog", ["The user walks at a dog shelter", "The user has a cat"], "none", []),
    (
        "forget my dog",
        ["The user's dog Pip barks", "The user's dog Moss is deaf", "The user likes hot dogs"],
        "ask",
        [0, 1],
    ),
    ("forget that I smoke", ["The user smokes fish in the garden", "The user gave up smoking"], "none", []),
    ("forget that I eat meat", ["The user does not eat meat", "The user's wife eats meat"], "none", []),
    ("forget that I'm vegetarian", ["The user dislikes vegetarian sausages"], "none", []),
    ("forget my locker", ["locker at the pool is blue", "locker number is 88"], "ask", [0, 1]),
    ("forget my locker", ["The user's locker number is 88"], "ask", [0]),
    ("forget my locker number", ["locker at the pool is blue", "locker number is 88"], "delete", [1]),
    ("forget that my sister is here", ["sister Nadia is a doctor"], "none", []),
    ("forget my sister is here", ["sister Nadia is a doctor"], "none", []),
    ("forget that my sister will be here", ["sister Nadia is a doctor"], "none", []),
    ("forget that my sister's here", ["The user's sister Nadia is a doctor"], "none", []),
    ("forget that my dog is there", ["dog Rex is ill"], "none", []),
    ("forget that my sister is here", ["sister Nadia is here until May"], "delete", [0]),
    ("forget that my sister is a doctor", ["sister Nadia is a doctor"], "delete", [0]),
    ("forget about the law", ["wants to make law review", "works at a law firm"], "ask", [0, 1]),
    ("forget about law review", ["wants to make law review", "works at a law firm"], "delete", [0]),
    ("forget my bank", ["The user's bank is Nord", "The user banks on good weather"], "delete", [0]),
    ("forget about my car", ["The user works in health care", "The user drives a grey Volvo"], "delete", [1]),
    (
        "forget the meeting on Friday",
        ["The user has a meeting on Friday at 10", "The user has a meeting on Monday"],
        "delete",
        [0],
    ),
    (
        "forget the 4pm with Odette",
        ["The user meets Odette on Tuesday at 16:00", "The user meets Odette at 11:00"],
        "delete",
        [0],
    ),
    ("forget that I live in Lyon", ["The user lives in Lyon and teaches chemistry"], "ask", [0]),
    (
        "delete my salary",
        ["The user's salary is 3,100 a month", "Summary: lives in Graz, earns 3,100 a month"],
        "ask",
        [0, 1],
    ),
    (
        "wipe everything on badminton",
        ["The user plays badminton", "The user's badminton partner is Kim", "The user bought a net"],
        "delete",
        [0, 1],
    ),
    ("forget anything to do with tennis", ["The user plays tennis", "The user plays table tennis"], "ask", [0, 1]),
    ("forget everything you know about me", ["The user rows", "The user sings"], "delete", [0, 1]),
    ("forget that I row", ["The user rows", "The user rows"], "delete", [0, 1]),
    ("forget that I row", ["The user rows", "The user rows at dawn with Ana"], "ask", [0, 1]),
    ("I quit the gym, take that out", ["The user goes to the gym on Tuesdays", "The user quit smoking"], "delete", [0]),
    ("forget that I owe Ana money", ["Ana owes the user 60 euros", "The user owes Ana 15 euros"], "delete", [1]),
    ("please forget it", ["The user rows"], "ask", []),
]


@pytest.mark.parametrize(
    ("request_", "memories", "outcome", "targets"), PLANS, ids=[f"{each[0]} -> {each[2]} {each[3]}" for each in PLANS]
)
def test_plan(request_: str, memories: list[str], outcome: str, targets: list[int]) -> None:
    plan = plan_forget(memories, request_)
    assert (plan.outcome, list(plan.targets)) == (outcome, targets)
    assert plan.words
    if outcome == "ask":
        assert all(memories[place] in plan.words for place in targets)


def cases() -> list[Any]:
    lines = (DATA / "cases" / "forget.jsonl").read_text("utf-8").splitlines()
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


@pytest.mark.parametrize("case", cases())
def test_reported_cases(case: dict[str, Any]) -> None:
    given_ = case["input"]
    history = given_.get("history") or [{}]
    plan = plan_forget(given_["memories"], given_["request"], said=history[-1].get("text"))
    assert (plan.outcome, list(plan.targets)) == (case["expect"]["expect"], case["expect"]["targets"])


def records(name: str) -> list[ForgetRecord]:
    found = []
    for line in (DATA / "corpora" / f"{name}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        names = ("id", "memories", "request", "expect", "targets")
        found.append(ForgetRecord(**{name: row[name] for name in names}))
    return found


def test_the_rates_hold_and_nothing_wrong_is_deleted() -> None:
    score = evaluate_forget(records("forget_dev"))
    assert (score.right.value or 0) >= 0.88
    assert score.wrong_deletions.count == 0
    assert evaluate_forget(records("forget_check")).wrong_deletions.count == 0


def test_a_chooser_only_asks() -> None:
    kept = ["The user rows", "The user sings in a choir"]
    asked: list[str] = []

    def choose(request: str, memories: Any) -> list[int]:
        asked.append(request)
        return [1, 99]

    plan = plan_forget(kept, "forget my shoe size", chooser=choose)
    assert (plan.outcome, plan.targets, plan.reason) == ("ask", (1,), "chosen")
    assert plan_forget(kept, "forget that I row", chooser=choose).outcome == "delete"
    assert asked == ["forget my shoe size"]


def test_success_is_worded_only_by_what_the_store_did() -> None:
    kept = ["The user rows", "The user rows"]
    plan = plan_forget(kept, "forget that I row")
    assert report_forget(plan, kept, (0, 1)).startswith("Deleted 2 memories")
    assert report_forget(plan, kept, (1,)).startswith("Deleted 1 of 2")
    assert "Nothing was deleted" in report_forget(plan, kept, ())
    again = plan_forget([], "forget that I row")
    assert again.outcome == "none"
    assert "nothing was deleted" in report_forget(again, [], ())


def test_the_reason_holds_no_fact() -> None:
    for request_, memories, _, _ in PLANS:
        assert len(plan_forget(memories, request_).reason.split()) <= 2


TEXTS = st.lists(st.text(max_size=60), max_size=4)


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.text(max_size=80))
def test_no_text_raises(memories: list[str], rest: str) -> None:
    plan = plan_forget(memories, f"forget {rest}")
    assert all(0 <= place < len(memories) for place in plan.targets)
    assert plan.outcome in ("delete", "none", "ask")


@pytest.mark.parametrize("piece", ["dogs ", "the user's ", "Ana ", "5 ", "and has ", "- "])
def test_long_memories_are_read_in_bounded_time(piece: str) -> None:
    import time

    begin = time.perf_counter()
    plan_forget([piece * 20_000] * 5, f"forget my {piece * 2_000}")
    assert time.perf_counter() - begin < 5


def test_what_stands_inside_a_memory_is_asked_about_and_not_denied() -> None:
    kept = ["The user has a sister called Mia who lives in Graz", "The user has a sister called Zoe"]
    plan = plan_forget(kept, "forget that Mia lives in Graz")
    assert (plan.outcome, plan.targets) == ("ask", (0,))


def test_an_age_of_kin_is_theirs() -> None:
    kept = ["The user is thirty-eight", "The user's brother is thirty-eight", "The user's parcel is 38 cm long"]
    assert plan_forget(kept, "forget my brother's age").targets == (1,)
    assert plan_forget(kept, "forget my age").targets == (0,)


def spelled_by_reading_all(wanted: Any, read: Any) -> Any:
    """What `_spelled` has to come to, with the names of every memory read."""
    known = {word for memory in read for word in memory.words if word not in memory.names}
    known |= {word for each in fields() for word in each.asked}
    stems = {place for memory in read for place in memory.places}
    terms = []
    for term in wanted.terms:
        if term.named or term.optional or len(term.word) < 5 or term.stem in stems or term.word in known:
            terms.append(term)
            continue
        near = sorted(word for word in known if word[0] == term.word[0] and forget._one_off(term.word, word))
        terms.append(Term(near[0], root(near[0]), False, term.light) if len(near) == 1 else term)
    return replace(wanted, terms=tuple(terms))


MEMORIES = sorted({text for name in ("forget_dev", "forget_dev2") for each in records(name) for text in each.memories})
REQUESTS = [each.request for name in ("forget_dev", "forget_dev2") for each in records(name)]


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.sampled_from(MEMORIES), max_size=12),
    st.sampled_from(REQUESTS),
    st.integers(0, 60),
    st.sampled_from(["", "x", "e", "swap"]),
)
def test_a_typing_error_comes_to_what_reading_all_names_comes_to(
    memories: list[str], request_: str, at: int, error: str
) -> None:
    at = min(at, len(request_))
    if error == "swap":
        request_ = request_[:at] + request_[at : at + 2][::-1] + request_[at + 2 :]
    else:
        request_ = request_[:at] + error + request_[at + (not error) :]
    plan = plan_forget(memories, request_)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forget, "_spelled", spelled_by_reading_all)
        assert plan_forget(memories, request_) == plan


def test_names_are_read_of_few_memories_only() -> None:
    """Reading the names of every memory was most of what a request to forget cost."""
    read: list[str] = []
    names = Memory.names.func  # type: ignore[attr-defined]

    def counted(memory: Memory) -> Any:
        read.append(memory.text)
        return names(memory)

    memories = [f"The user collects {word} from shelf {number}" for number, word in enumerate(["maps", "jars"] * 200)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Memory, "names", property(counted))
        assert plan_forget(memories, "forget my rowing machine").outcome == "none"
        assert plan_forget([*memories, "The user rows on Monday"], "forget that I row on Mondey").outcome != "delete"
    assert len(read) <= 20
