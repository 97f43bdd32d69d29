"""Promises of memory that no other test would miss: silence, what is counted, each turn's record, nothing left over."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgegate.memory.door import Door
from edgegate.memory.graph import draw
from edgegate.memory.recall import recall
from edgegate.memory.reconcile import Reading, reconcile
from edgegate.memory.writing import Scope
from edgegate.records import Verdict
from edgegate.stores import InMemoryStore, StoredMemory
from edgegate.stores.sqlite import SqliteStore

NOW = "2026-03-14T09:00:00+01:00"


@pytest.mark.parametrize(
    "message",
    [
        "remember that the gate code is 4820",
        "my login is otto99",
        "the wifi password is plum42, remember that",
        "remember my PIN is 4471",
    ],
)
def test_a_code_or_a_login_is_kept_without_comment(message: str) -> None:
    result = Door(InMemoryStore()).message(message, now=NOW)
    assert [item.outcome for item in result.items] == ["new"]
    assert result.visible == ()
    assert result.words == ""


def test_what_is_shown_counts_visible_creations_only() -> None:
    door = Door(InMemoryStore())
    told = "remember that my sister is called Ana, my exam is on 3 May 2026 and I like figs"
    result = door.message(told, now=NOW)
    kinds = {item.kind for item in result.items if item.outcome == "new"}
    assert {"person", "event"} <= kinds
    assert [item.kind for item in result.visible] == ["event"]
    again = door.message(told, now=NOW)
    assert {item.outcome for item in again.items} == {"known"}
    assert again.visible == ()


def test_a_reminder_is_always_shown() -> None:
    assert len(Door(InMemoryStore()).message("remind me at 8 to call Bo", now=NOW).visible) == 1


def test_an_event_told_in_passing_leaves_its_persons() -> None:
    store = InMemoryStore()
    Door(store).message("yesterday we visited my brother Tom, who is a vet in Bath", now=NOW)
    assert [memory.text for memory in store.load().memories] == ["The user's brother Tom is a vet in Bath"]


@pytest.mark.parametrize(
    ("message", "operation", "outcome"),
    [
        ("hello there", "none", "none"),
        ("what do you know about me?", "none", "none"),
        ("don't save this: I hate my boss", "none", "none"),
        ("I row on Mondays", "save", "new"),
        ("remind me at 8 to call Bo", "save", "new"),
        ("forget that I row", "forget", "none"),
    ],
)
def test_every_turn_has_its_record(message: str, operation: str, outcome: str) -> None:
    store = InMemoryStore()
    result = Door(store).message(message, now=NOW, in_prompt=3)
    kept = store.load(turns=5).turns
    assert kept == (result.turn,)
    assert (result.turn.operation, result.turn.outcome, result.turn.in_prompt, result.turn.at) == (
        operation,
        outcome,
        3,
        NOW,
    )


@pytest.mark.parametrize("scope", [Scope(on=False), Scope(saves=False)])
def test_a_turn_that_may_write_nothing_says_so_and_leaves_no_record(scope: Scope) -> None:
    store = InMemoryStore()
    result = Door(store, scope).message("remember that I row", now=NOW)
    assert (result.turn.outcome, result.turn.reason) == ("refused", scope.refusal)
    assert store.load(turns=5).turns == ()


def test_a_second_forget_says_that_there_was_nothing() -> None:
    door = Door(InMemoryStore())
    door.enter("The user rows", now=NOW)
    first, second = door.forget("forget that I row"), door.forget("forget that I row")
    assert first.words == "Deleted: “The user rows”."
    assert first.applied is not None
    assert len(first.applied.deleted) == 1
    assert "nothing was deleted" in second.words
    assert second.applied is None or second.applied.deleted == ()
    assert second.writes == ()


def holders(secret: str) -> list[Any]:
    """What in this process refers to a text with `secret`."""
    gc.collect()
    return [
        each
        for each in gc.get_objects()
        if any(type(one) is str and secret in one and one != secret for one in gc.get_referents(each))
    ]


def test_no_cache_keeps_what_was_forgotten() -> None:
    """The text is gone from the process, not from the store alone."""
    secret = "crimson" + str(gc.get_count()[0]) + "tapestry"
    store = InMemoryStore()
    door = Door(store)
    door.enter(f"The user's vault is behind the {secret} in the hall", now=NOW)
    door.bring([{"text": f"The user's vault stands by the {secret} of Ana"}, {"text": "The user rows"}], now=NOW)
    recall(store, "where is my vault?", now=NOW)
    draw(store.load().memories)
    assert holders(f"{secret} ")
    assert door.delete([memory.id for memory in store.load().memories], now=NOW).applied is not None
    assert holders(f"{secret} ") == []


NUMBERS = st.lists(
    st.sampled_from(["at 3:00 PM", "on November 7", "for 20 euros", "in room 4", "with Ana", "in Oslo"]), unique=True
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["Quiz", "The user has a lesson", "The user meets the notary"]), NUMBERS, NUMBERS)
def test_known_holds_every_value_and_an_update_loses_none(start: str, mine: list[str], theirs: list[str]) -> None:
    kept, fact = " ".join([start, *mine]), " ".join([start, *theirs])
    decision = reconcile(fact, [StoredMemory("1.0", kept, "fact", Verdict.PASS, at=NOW)], now=NOW)
    have, new = set(mine), set(theirs)
    if decision.outcome == "known":
        assert new <= have
    if decision.outcome == "update":
        assert have <= new, decision
    if mine == theirs:
        assert decision.outcome == "known"


def test_reading_keeps_no_state_between_facts() -> None:
    assert Reading("The user is 34").core == Reading("The user is 34").core


def test_the_bytes_of_a_batch_go_with_a_forget(tmp_path: Any) -> None:
    path = tmp_path / "m.db"
    with SqliteStore(path) as store:
        door = Door(store)
        door.bring([{"text": "The user hides the crimson ledger"}, {"text": "The user rows"}], now=NOW)
        assert door.forget("forget that I hide the crimson ledger").applied is not None
    assert all(b"crimson" not in each.read_bytes() for each in tmp_path.iterdir())
