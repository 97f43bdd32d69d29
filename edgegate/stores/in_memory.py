"""A store that lives as long as the process: for tests, for short chats, and as the model for other stores."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from edgegate.stores.records import (
    MOST_FOUND,
    Applied,
    Commit,
    Snapshot,
    StoredMemory,
    TurnRecord,
    refuse_unkeepable,
)


class InMemoryStore:
    """Memories in a dictionary, with an index of their terms; begins with what `held` holds, or empty.

    >>> store = InMemoryStore()
    >>> store.load().revision
    0
    """

    def __init__(self, held: Snapshot | None = None) -> None:
        self._revision = held.revision if held else 0
        self._memories: dict[str, StoredMemory] = {}
        self._postings: dict[str, dict[str, None]] = {}
        self._turns: list[TurnRecord] = list(held.turns) if held else []
        for memory in held.memories if held else ():
            self._list(memory)

    def load(self, turns: int = 0, ids: Sequence[str] | None = None) -> Snapshot:
        """Everything kept (or what is kept of `ids`), in the order it came, and the latest `turns` turn records."""
        latest = self._turns[-turns:] if turns > 0 else []
        wanted = self._memories.keys() if ids is None else set(ids)
        kept = tuple(memory for name, memory in self._memories.items() if name in wanted)
        return Snapshot(self._revision, kept, tuple(latest))

    def find(self, terms: Sequence[str], limit: int = MOST_FOUND) -> Snapshot:
        """The memories that have any of `terms`, those with more and rarer ones first, at most `limit`."""
        scores: dict[str, float] = {}
        for term in dict.fromkeys(terms):
            holders = self._postings.get(term, {})
            weight = log(1 + len(self._memories) / len(holders)) if holders else 0.0
            for name in holders:
                scores[name] = scores.get(name, 0.0) + weight
        best = sorted(scores, key=lambda name: -scores[name])[: max(limit, 0)]
        return Snapshot(self._revision, tuple(self._memories[name] for name in best))

    def apply(self, commit: Commit) -> Applied:
        """Keep a commit whole, or raise StoreError (StaleError for an old base) and keep nothing of it."""
        refuse_unkeepable(commit, self._revision)
        deleted = tuple(name for name in dict.fromkeys(commit.delete) if name in self._memories)
        for name in deleted:
            self._unlist(self._memories.pop(name))
        for memory in commit.put:
            if memory.id in self._memories:
                self._unlist(self._memories[memory.id])
            self._list(memory)
        if commit.turn is not None:
            self._turns.append(commit.turn)
        self._revision += 1
        return Applied(self._revision, tuple(memory.id for memory in commit.put), deleted)

    def _list(self, memory: StoredMemory) -> None:
        self._memories[memory.id] = memory
        for term in memory.terms:
            self._postings.setdefault(term, {})[memory.id] = None

    def _unlist(self, memory: StoredMemory) -> None:
        for term in memory.terms:
            holders = self._postings.get(term, {})
            holders.pop(memory.id, None)
            if not holders:
                self._postings.pop(term, None)
