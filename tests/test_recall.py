"""What a message brings to mind: person, topic, words and time crossed, neighbours, and nothing written by it."""

from __future__ import annotations

import pytest

from edgegate.memory.door import Door
from edgegate.memory.recall import BESIDE, BEST, MOST, recall
from edgegate.stores import InMemoryStore

NOW = "2026-03-14T09:00:00+01:00"
KEPT = [
    ("The user's wife's name is Claire", "person", None),
    ("Claire is allergic to walnuts", "person", "Claire"),
    ("The user's daughter is eleven", "person", None),
    ("The user's daughter plays the cello", "person", None),
    ("The user went to the seaside with Claire yesterday", "event", None),
    ("The gate code is 4820", "fact", None),
    ("The dentist appointment is on 20 March", "event", None),
    ("The user bakes rye bread", "fact", None),
    ("The user rows on the lake", "fact", None),
]


@pytest.fixture
def door() -> Door:
    made = Door(InMemoryStore())
    made.bring([{"text": text, "kind": kind, "about": about} for text, kind, about in KEPT], now=NOW)
    assert len(made.store.load().memories) == len(KEPT)
    return made


@pytest.mark.parametrize(
    ("message", "first", "angle"),
    [
        ("what's my wife's name, for the booking?", "The user's wife's name is Claire", "person"),
        ("what does my daughter play?", "The user's daughter plays the cello", "person"),
        ("what did Claire and I do yesterday?", "The user went to the seaside with Claire yesterday", "time"),
        ("what was on 13 March 2026?", "The user went to the seaside with Claire yesterday", "time"),
        ("what is on next Friday?", "The dentist appointment is on 20 March", "time"),
        ("I forgot the code for the gate", "The gate code is 4820", "words"),
        ("any ideas for baking bread?", "The user bakes rye bread", "words"),
        ("what should I keep in mind when I cook for Claire?", "Claire is allergic to walnuts", "topic"),
        ("is anything wrong with anybody's health?", "Claire is allergic to walnuts", "topic"),
        ("do we have a concert soon?", "The user's daughter plays the cello", "topic"),
    ],
)
def test_the_first_that_comes_to_mind(door: Door, message: str, first: str, angle: str) -> None:
    found = recall(door.store, message, now=NOW)
    assert found[0].memory.text == first
    assert angle in found[0].angles


def test_a_topic_is_found_where_no_word_is_shared_and_counts_less_than_words() -> None:
    door = Door(InMemoryStore())
    rows = ["The user is vegan", "The user hates the restaurant in Mill Street", "The user drives a van"]
    door.bring([{"text": text} for text in rows])
    found = recall(door.store, "which restaurant would be good for dinner?")
    assert [(each.memory.text, each.angles) for each in found] == [
        (rows[1], ("topic", "words")),
        (rows[0], ("topic",)),
    ]
    assert [each.memory.text for each in recall(door.store, "what should I cook?")] == [rows[0], rows[1]]


def test_a_topic_alone_makes_no_neighbours() -> None:
    door = Door(InMemoryStore())
    door.bring(
        [{"text": text} for text in ("Ida bakes rye bread", "Olaf hates olives and cheese", "The user is vegan")]
    )
    found = recall(door.store, "where does Ida live?")
    assert [(each.memory.text, each.angles) for each in found] == [("Ida bakes rye bread", ("person",))]


def test_neighbours_come_along_and_are_last(door: Door) -> None:
    found = recall(door.store, "what's my wife's name?", now=NOW)
    beside = [each.memory.text for each in found if each.angles == ("beside",)]
    assert "Claire is allergic to walnuts" in beside
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


def test_never_more_than_nine_and_two_beside_each() -> None:
    door = Door(InMemoryStore())
    door.bring(
        [{"text": f"The user met Claire at the {word} club"} for word in "tennis chess book wine film jazz".split()]
    )
    door.bring([{"text": f"Claire keeps {n} goats in barn {n}"} for n in range(3, 20)])
    found = recall(door.store, "tell me about Claire and chess", now=NOW)
    assert len(found) <= MOST
    assert len({each.memory.id for each in found}) == len(found)
    assert sum(each.angles == ("beside",) for each in found) <= BEST * BESIDE


def test_nothing_comes_to_mind_where_nothing_is_like_it(door: Door) -> None:
    assert recall(door.store, "zeppelins?") == ()
    assert recall(door.store, "") == ()
    assert recall(door.store, "🙂") == ()


def test_recall_writes_nothing_and_refreshing_is_its_own_commit(door: Door) -> None:
    before = door.store.load(99)
    found = recall(door.store, "what's my wife's name?", now=NOW)
    assert door.store.load(99) == before
    ids = [each.memory.id for each in found]
    result = door.refresh(ids, now=NOW)
    assert result.turn.operation == "recall"
    after = door.store.load()
    assert after.revision == before.revision + 1
    assert {memory.id for memory in after.memories if memory.seen == NOW} == set(ids)


def test_what_was_forgotten_never_comes_to_mind(door: Door) -> None:
    door.forget("forget the gate code")
    assert all("4820" not in each.memory.text for each in recall(door.store, "the gate code?", now=NOW))


def test_what_was_recalled_last_comes_first_among_equals() -> None:
    door = Door(InMemoryStore())
    door.bring([{"text": "The user met Ida at the pool"}, {"text": "The user met Olaf at the pool"}], now="2026-01-01")
    door.refresh([door.store.load().memories[1].id], now="2026-02-01")
    assert "Olaf" in recall(door.store, "who was at the pool?")[0].memory.text


def test_what_several_angles_find_comes_first() -> None:
    door = Door(InMemoryStore())
    rows = ["Ida plays chess", "Chess openings and chess endgames and chess clocks fascinate the user", "Ida sails"]
    door.bring([{"text": text} for text in rows])
    found = recall(door.store, "does Ida like chess?")
    assert found[0].memory.text == "Ida plays chess"
    assert found[0].angles == ("person", "words")
    shared = 0.5  # one of two equally rare terms, by one angle
    assert found[0].score > 2 * shared
