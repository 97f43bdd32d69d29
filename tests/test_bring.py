"""A batch is what its rows are one by one: the same memories, histories, verdicts and outcomes, in one commit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgegate.memory.door import Door
from edgegate.memory.writing import Result
from edgegate.records import Verdict
from edgegate.stores import InMemoryStore, Snapshot
from edgegate.stores.records import Store
from edgegate.stores.sqlite import SqliteStore

NOW = "2026-03-14T09:00:00+01:00"
OWNERS = ["The user", "The user's sister", "Ana", "The user's wife"]
TELLS = [
    *("is married", "got divorced", "is single", "got engaged", "has a dog", "has a dog called Rex", "is 34", "is 35"),
    *("likes jazz", "hates jazz", "can't stand jazz", "likes jazz and tea", "lives in Oslo", "moved to Bergen"),
    *("has a quiz on November 7", "has a quiz at 3:00 PM on November 7", "works at Lidl", "quit their job", "rows"),
    *("does not eat meat", "eats meat", "sold the car", "owns a car", "owns a car and a boat", "paid 20 euros"),
]
TEXTS = [f"{owner} {tells}" for owner in OWNERS for tells in TELLS]
TEXTS += [
    "The user's dog died",
    "Rex died",
    "The gate code is 4820",
    "The gate code is 5512",
    "",
    "   ",
    "Grüezi mitenand",
]
SOURCES = [None, None, None, "I might do that.", "The user is married, I think. She likes jazz, and they own a car."]
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.sampled_from(TEXTS),
            "kind": st.sampled_from(["fact", "fact", "person", "memo", "event", ""]),
            "about": st.sampled_from([None, None, "Ana"]),
            "source": st.sampled_from(SOURCES),
        }
    ),
    max_size=12,
)


def kept(store: Store) -> list[tuple[Any, ...]]:
    return sorted(
        (each.text, each.kind, each.about or "", each.verdict.value, [old.text for old in each.history], each.terms)
        for each in store.load().memories
    )


def told(results: list[Result]) -> list[tuple[Any, ...]]:
    return [(item.outcome, item.text, item.verdict, item.reason) for result in results for item in result.items]


def one_by_one(store: Store, rows: list[dict[str, Any]]) -> list[Result]:
    return [Door(store).bring([row], now=NOW) for row in rows]


@settings(max_examples=60, deadline=None)
@given(ROWS, ROWS)
def test_a_batch_is_its_rows_one_by_one(held: list[dict[str, Any]], rows: list[dict[str, Any]]) -> None:
    one, other = InMemoryStore(), InMemoryStore()
    for store in (one, other):
        one_by_one(store, held)
    before = one.load().revision
    results = [Door(one).bring(rows, now=NOW)]
    assert told(results) == told(one_by_one(other, rows))
    assert kept(one) == kept(other)
    assert one.load().revision == before + 1


@settings(max_examples=15, deadline=None)
@given(ROWS)
def test_it_does_not_matter_where(rows: list[dict[str, Any]]) -> None:
    one = InMemoryStore()
    with SqliteStore(":memory:") as other:
        assert told([Door(one).bring(rows, now=NOW)]) == told([Door(other).bring(rows, now=NOW)])
        assert kept(one) == kept(other)


@settings(max_examples=30, deadline=None)
@given(st.permutations(TEXTS[:40]))
def test_the_order_in_which_a_store_answers_changes_nothing(texts: list[str]) -> None:
    class Shuffled(InMemoryStore):
        def find(self, terms: Any, limit: int = 64) -> Snapshot:
            found = super().find(terms, limit)
            return Snapshot(found.revision, tuple(reversed(found.memories)))

    one, other = InMemoryStore(), Shuffled()
    rows = [{"text": text} for text in texts[:12]]
    assert told([Door(one).bring(rows, now=NOW)]) == told([Door(other).bring(rows, now=NOW)])
    assert kept(one) == kept(other)


def test_a_row_is_not_known_by_what_a_row_before_it_replaced() -> None:
    store = InMemoryStore()
    Door(store).enter("The user lives in Leeds", now=NOW)
    result = Door(store).bring([{"text": "The user moved to Porto"}, {"text": "The user lives in Leeds"}], now=NOW)
    assert [item.outcome for item in result.items] == ["update", "new"]


def test_every_row_has_its_verdict_and_its_own_id() -> None:
    rows = [{"text": f"The user's locker number {number} is {number * 7}"} for number in range(40)]
    rows += [{"text": "Alice was promoted", "source": "Someone said Alice was promoted."}, {"text": ""}]
    store = InMemoryStore()
    result = Door(store).bring(rows, now=NOW)
    assert len(result.items) == len(rows)
    assert all(isinstance(item.verdict, Verdict) for item in result.items)
    memories = store.load().memories
    assert len({memory.id for memory in memories}) == len(memories) >= 40
    assert result.applied is not None
    assert set(result.applied.put) == {memory.id for memory in memories}
    again = Door(store).bring([{"text": "The user rows"}], now=NOW)
    assert not {item.id for item in again.items} & {memory.id for memory in memories}


def test_a_batch_looks_at_a_bounded_number_of_memories_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rows share a word, the rows of a batch are not compared each with each."""
    from edgegate.memory import reconcile as module

    seen: list[int] = []
    relation = module.relation

    def counted(*arguments: Any, **more: Any) -> Any:
        seen.append(1)
        return relation(*arguments, **more)

    monkeypatch.setattr(module, "relation", counted)
    nouns = [
        f"{one}{other}" for one in "bcdfgklmnp" for other in ("ottles", "arnets", "illow", "unter", "easel", "omet")
    ]
    rows = [{"text": f"The user likes {noun} {other}"} for noun in nouns for other in ("more", "green", "round", "old")]
    Door(InMemoryStore()).bring(rows, now=NOW)
    assert len(rows) == 240
    assert len(seen) <= 64 * len(rows)
    seen.clear()
    Door(InMemoryStore()).bring([{"text": f"Nobody{noun} sings in town{noun}"} for noun in nouns], now=NOW)
    assert len(seen) <= 64 * len(nouns)


@pytest.mark.parametrize("rows", [[], [{}], [{"text": None}], [{"text": "The user rows", "source": []}]])
def test_rows_with_nothing_in_them(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "m.db") as store:
        result = Door(store).bring(rows, now=NOW)
        assert len(result.items) == len(rows)
