"""Facts that tell a change of state, and facts that only look like one: a table, as such and through the door."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from edgegate.language import lexicon
from edgegate.memory.changes import ends, state_terms, told
from edgegate.memory.door import Door
from edgegate.memory.reconcile import Reading, reconcile
from edgegate.records import Verdict
from edgegate.stores import InMemoryStore, StoredMemory
from edgegate.stores.sqlite import SqliteStore

BEFORE, NOW = "2026-03-14T09:00:00+01:00", "2026-03-20T09:00:00+01:00"
TABLE = Path(__file__).parent / "data" / "cases" / "changes.txt"
ROWS = [
    tuple(part.strip() for part in line.split("|"))
    for line in TABLE.read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
CASES = [(row[0], row[1], "new" if row[3:] else row[2]) for row in ROWS]
"""Kept, new fact, what the code makes of it."""


def outcome(kept: str, fact: str, **more: str) -> str:
    memory = StoredMemory("1.0", kept, "fact", Verdict.PASS, at=BEFORE)
    return reconcile(fact, [memory], now=NOW, **more).outcome  # type: ignore[arg-type]


@pytest.mark.parametrize(("kept", "fact", "wanted"), CASES)
def test_what_a_change_replaces(kept: str, fact: str, wanted: str) -> None:
    assert outcome(kept, fact) == wanted


def test_the_table_is_wide() -> None:
    updates = [row for row in ROWS if row[2] == "update"]
    assert len(ROWS) > 400
    assert len(updates) > 150
    assert sum(row[2] == "new" for row in ROWS) > 200
    assert sum(bool(row[3:]) for row in updates) / len(updates) <= 0.1


@pytest.mark.parametrize(("kept", "fact", "wanted"), [case for case in CASES if case[2] == "update"])
def test_the_door_finds_what_a_change_replaces(kept: str, fact: str, wanted: str) -> None:
    """Even where both share no word: the store is asked for the states that the change ends."""
    door = Door(InMemoryStore())
    door.enter("The user's boat is green", now=BEFORE)
    door.enter(kept, now=BEFORE)
    door.enter(fact, now=NOW)
    memories = {memory.text: memory for memory in door.store.load().memories}
    assert set(memories) == {"The user's boat is green", fact}
    assert [old.text for old in memories[fact].history] == [kept]


@pytest.mark.parametrize(("kept", "fact", "wanted"), [case for case in CASES if case[2] == "new"][::5])
def test_the_door_keeps_both(kept: str, fact: str, wanted: str) -> None:
    door = Door(InMemoryStore(), keep_unchecked=True)
    door.enter(kept, now=BEFORE)
    door.enter(fact, now=NOW)
    assert kept in {memory.text for memory in door.store.load().memories}


def test_a_change_is_found_in_a_file(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "m.db") as store:
        door = Door(store)
        door.enter("The user is married", now=BEFORE)
        assert door.enter("The user got divorced", now=NOW).items[0].outcome == "update"


@pytest.mark.parametrize(
    ("fact", "wanted"),
    [
        ("The user got divorced on 18 March 2026", "update"),
        ("The user got divorced last week", "update"),
        ("The user got divorced yesterday", "update"),
        ("The user got divorced in 2009", "new"),
        ("The user got divorced in May 2025", "new"),
        ("The user got divorced on 4 April 2026", "new"),
        ("The user got divorced at 10:30", "new"),
    ],
)
def test_a_change_counts_from_when_it_happened(fact: str, wanted: str) -> None:
    assert outcome("The user is married", fact) == wanted


def test_a_change_without_a_calendar_to_place_it_replaces_nothing() -> None:
    assert not ends(Reading("The user is married"), Reading("The user got divorced in May"))


@pytest.mark.parametrize("lead", ["The user ", "I ", "I've ", "My sister ", "The user's sister ", "Ana ", ""])
def test_the_subject_is_whoever_stands_before(lead: str) -> None:
    kept = {"The user ": "The user is single", "I ": "I'm single", "I've ": "I am single", "": "The user is single"}
    assert outcome(kept.get(lead, f"{lead}is single"), f"{lead}got engaged") == "update"
    assert outcome("Bo is single", f"{lead}got engaged") == "new"


def test_what_is_filed_under_somebody_is_theirs() -> None:
    memory = StoredMemory("1.0", "Is married", "person", Verdict.PASS, about="Ana", at=BEFORE)
    assert reconcile("Got divorced", [memory], kind="person", now=NOW, about="Ana").outcome == "update"
    assert reconcile("Got divorced", [memory], kind="person", now=NOW, about="Bo").outcome == "new"
    assert reconcile("The user got divorced", [memory], now=NOW).outcome == "new"


@pytest.mark.parametrize(("kept", "fact", "wanted"), [case for case in CASES if case[2] == "update"][::7])
@pytest.mark.parametrize("word", ["nearly", "almost", "never", "wants to say that he", "allegedly"])
def test_a_word_before_the_change_takes_it_back(kept: str, fact: str, wanted: str, word: str) -> None:
    """Whatever stands between subject and verb and is no plain adverb."""
    state = told(Reading(fact))
    if state is None or not fact.startswith("The user "):
        return
    assert not ends(Reading(kept, BEFORE), Reading(f"The user {word} {fact.removeprefix('The user ')}", NOW))


def test_a_task_or_a_memo_never_gives_way_to_a_change() -> None:
    memory = StoredMemory("1.0", "The user is married", "memo", Verdict.PASS, at=BEFORE)
    assert reconcile("The user got divorced", [memory], now=NOW).outcome == "new"


def test_a_change_never_undoes_what_came_in_with_it() -> None:
    memory = StoredMemory("1.0", "The user is married", "fact", Verdict.PASS, at=NOW)
    assert reconcile("The user got divorced", [memory], now=NOW, together={"1.0"}).outcome == "new"
    assert reconcile("The user got divorced", [replace(memory, at=BEFORE)], now=NOW).outcome == "update"


def test_every_effect_of_the_table_has_words() -> None:
    states = lexicon.table("states")
    effects = {cue.effect for cue in lexicon.cues() if cue.family == "state"} - {"block"}
    named = set(states["replaces"]) | {old for olds in states["replaces"].values() for old in olds}
    named |= {effect for name, rule in states["read"].items() for effect in rule}
    assert named <= effects
    assert effects <= named


def test_states_are_terms_of_letters() -> None:
    assert all(term.isalpha() for term in state_terms("The user is married"))
    assert state_terms("The user likes figs, " * 2000, asked=True)


def test_the_order_of_the_kept_facts_decides_nothing() -> None:
    kept = [
        StoredMemory(name, text, "fact", Verdict.PASS, at=BEFORE)
        for name, text in (("1.0", "The user is married to Ana"), ("2.0", "The user is married"))
    ]
    there = reconcile("The user got divorced", kept, now=NOW)
    assert there == reconcile("The user got divorced", kept[::-1], now=NOW)


def test_the_guide_states_the_figures_of_the_table() -> None:
    guide = (Path(__file__).parent.parent / "docs" / "memory.md").read_text("utf-8")
    updates = [row for row in ROWS if row[2] == "update"]
    seen = sum(not row[3:] for row in updates)
    assert f"table as it stands {seen} of {len(updates)} changes" in " ".join(guide.split())
