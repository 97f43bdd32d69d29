"""New, known or update: a table of pairs, and what must hold for all of them."""

from __future__ import annotations

import pytest

from edgegate.memory.reconcile import Reading, reconcile, relation, terms_of
from edgegate.records import Verdict
from edgegate.stores import StoredMemory

NOW = "2026-03-14T09:00:00+01:00"

CASES = [
    # kept, new fact, outcome
    ("Quiz on November 7", "Quiz at 3:00 PM on November 7", "update"),
    ("Quiz at 3:00 PM on November 7", "Quiz on November 7", "known"),
    ("Quiz at 3:00 PM on November 7", "Quiz at 3pm on 7 November", "known"),
    ("Quiz on November 7", "Quiz on November 14", "new"),
    ("Quiz at 3:00 PM on November 7", "Quiz at 4:00 PM on November 7", "new"),
    ("The user loves jazz", "The user loves jazz", "known"),
    ("The user loves hiking", "The user loves to hike", "known"),
    ("The user loves jazz", "The user hates jazz", "update"),
    ("The user hates jazz", "The user loves jazz", "update"),
    ("The user eats meat", "The user does not eat meat", "update"),
    ("The user doesn't drink coffee", "The user drinks coffee", "update"),
    ("The user loves jazz", "The user hates waiting", "new"),
    ("The user's sister loves jazz", "The user's brother hates jazz", "new"),
    ("The user loves jazz", "The user's sister hates jazz", "new"),
    ("Nadia loves jazz", "Petra hates jazz", "new"),
    ("The user's sister lives in Oslo", "The user's brother lives in Oslo", "new"),
    ("The user's mum's birthday is 3 May", "The user's dad's birthday is 5 May", "new"),
    ("The user's birthday is 3 May", "The user's birthday is 5 May", "update"),
    ("The dentist appointment is on 3 May", "The dentist appointment is on 10 May", "new"),
    ("The user lives in Berlin", "The user lives in Oslo", "update"),
    ("The user lives in Berlin", "The user's sister lives in Oslo", "new"),
    ("The gate code is 4820", "The gate code is 5512", "update"),
    ("The gate code is 4820", "The gate code is 4820", "known"),
    ("The gate code is 4820", "The alarm code is 4820", "new"),
    ("The gate code is 4820", "The locker code is 5512", "new"),
    ("The user's favourite colour is green", "The user's favourite colour is teal", "update"),
    ("The user's favourite tea is Assam", "The user's favourite colour is teal", "new"),
    ("The user's nickname is Bee", "The user goes by Bee", "known"),
    ("The user is called Bee", "The user's nickname is Bee", "known"),
    ("The user has a son called Max", "The user has a son called Tim", "new"),
    ("The user has two cats", "The user has three cats", "update"),
    ("The user weighs 80 kg", "The user weighs 78 kg", "update"),
    ("The user ran 5 km on Sunday", "The user ran 10 km on Saturday", "new"),
    ("The user runs", "The user runs a bakery", "new"),
    ("The user might move to Oslo", "The user is moving to Oslo", "update"),
    ("The user is moving to Oslo", "The user might move to Oslo", "update"),
    ("The user used to row", "The user rows", "new"),
    ("The user is allergic to peanuts", "The user is allergic to peanuts and shellfish", "update"),
    ("The user works at a law firm", "The user wants to make law review", "new"),
    ("The user takes 20 mg of the tablets", "The user takes 40 mg of the tablets", "update"),
    ("The user is a nurse", "The user is a runner", "new"),
    ("The user's dog is called Rex", "The user's dog is afraid of thunder", "new"),
    ("The train leaves at 9:30", "The train leaves at 10:15", "new"),
]


def stored(text: str, name: str = "1.0", **more: str) -> StoredMemory:
    return StoredMemory(name, text, "fact", Verdict.PASS, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("kept", "fact", "outcome"), CASES, ids=lambda each: each if len(each) > 6 else "")
def test_reconcile(kept: str, fact: str, outcome: str) -> None:
    decision = reconcile(fact, [stored(kept, at=NOW)], now=NOW)
    assert decision.outcome == outcome, decision
    assert (decision.id is None) == (outcome == "new")


@pytest.mark.parametrize("text", sorted({text for kept, fact, _ in CASES for text in (kept, fact)}))
def test_the_same_fact_twice_is_known(text: str) -> None:
    assert reconcile(text, [stored(text)]).outcome == "known"
    assert reconcile(text + ".", [stored(text)]).outcome == "known"


@pytest.mark.parametrize(("kept", "fact", "outcome"), CASES, ids=lambda each: each if len(each) > 6 else "")
def test_facts_that_came_in_together_never_replace_one_another(kept: str, fact: str, outcome: str) -> None:
    decision = reconcile(fact, [stored(kept, at=NOW)], now=NOW, together={"1.0"})
    assert decision.outcome == ("known" if outcome == "known" else "new")


def test_a_relative_day_is_the_day_it_was_said_for() -> None:
    kept = [stored("The dentist is tomorrow", at="2026-03-14")]
    assert reconcile("The dentist is tomorrow", kept, now="2026-03-14").outcome == "known"
    assert reconcile("The dentist is tomorrow", kept, now="2026-03-20").outcome == "new"
    assert reconcile("The dentist is on 15 March", kept, now="2026-03-14").outcome == "known"


def test_the_reason_names_the_day() -> None:
    assert reconcile("Quiz on November 14", [stored("Quiz on November 7")]).reason == "nothing like it"
    assert relation(Reading("Quiz on November 7"), Reading("Quiz on November 14")) == ("new", "another date")


def test_a_memory_filed_under_somebody_is_theirs() -> None:
    kept = [stored("Loves jazz", about="Nadia")]
    assert reconcile("Hates jazz", kept, about="Petra").outcome == "new"
    assert reconcile("Hates jazz", kept, about="Nadia").outcome == "update"
    assert reconcile("Loves jazz", kept).outcome == "new"


def test_the_nearest_is_updated() -> None:
    kept = [stored("The user hates jazz at breakfast", "1.0"), stored("The user hates jazz", "1.1")]
    assert reconcile("The user loves jazz", kept).id == "1.1"


def test_no_text_raises() -> None:
    for text in ("", " ", "🙂", "7", "not", "é" * 3000, "a, " * 900):
        reconcile(text, [stored("The user rows"), stored(text or "x")])
        terms_of(text)
        assert Reading(text).size >= 0


def test_neither_a_memo_nor_a_task_takes_the_place_of_a_fact() -> None:
    """A chat's memo took the place of a fact that shared its words."""
    kept = [StoredMemory("1.0", "The user loves jazz", "fact", Verdict.PASS)]
    assert reconcile("The user hates jazz", kept).outcome == "update"
    assert reconcile("The user hates jazz", kept, kind="memo").outcome == "new"
    assert reconcile("The user hates jazz", kept, kind="task").outcome == "new"
    assert reconcile("The user hates jazz", kept, kind="person").outcome == "update"
