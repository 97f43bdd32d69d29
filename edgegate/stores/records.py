"""The records that a store keeps and answers with, and the Store protocol: `load`, `find`, `apply(commit)`.

A store knows nothing of language: what it can be searched by (`terms`) comes with every memory. Only `memory.door`
makes a Commit; a store applies it whole or not at all, and only on the revision it was planned on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from edgegate import policy
from edgegate.errors import StoreError
from edgegate.records import Verdict

MOST_FOUND = 64
"""Memories that `find` returns where the caller names no number."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a memory said before it was updated, the verdict it had then, and when it was replaced (ISO, or None)."""

    text: str
    verdict: Verdict
    until: str | None = None


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory as it is kept.

    `kind` is fact, person, event, memo, task or reminder; `verdict` what the write gate decided, `flags` the checks
    that left a flag; `path` how it came in ("message", "tool", "noticed", "import", "typed", "chat"); `about` the
    person it is filed under (None: the user); `at` when it was written, `seen` when it was last recalled (ISO, as the
    host gave it); `terms` the stems it can be found by; `lexicon` the hash of the lexicons it was judged with;
    `history` what it said before, oldest first.
    """

    id: str
    text: str
    kind: str
    verdict: Verdict
    flags: tuple[str, ...] = ()
    path: str = ""
    about: str | None = None
    at: str | None = None
    seen: str | None = None
    terms: tuple[str, ...] = ()
    lexicon: str = ""
    history: tuple[Earlier, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """What memory did in one turn, without the text of any fact.

    `operation` is save, forget, recall or none; `outcome` and `reason` are short keys, `verdicts` and `ids` those of
    the memories concerned, `in_prompt` how many memories went into the prompt.
    """

    operation: str
    outcome: str
    reason: str = ""
    verdicts: tuple[Verdict, ...] = ()
    ids: tuple[str, ...] = ()
    in_prompt: int = 0
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Commit:
    """One write, planned on revision `base`: memories to put (new, or replacing the one with their id), ids to delete,
    and the record of the turn. Made by `memory.door` alone."""

    base: int
    put: tuple[StoredMemory, ...] = ()
    delete: tuple[str, ...] = ()
    turn: TurnRecord | None = None


@dataclass(frozen=True, slots=True)
class Applied:
    """A store's answer to a commit, after it is kept for good: the new revision, the ids put, the ids that were really
    there and deleted. `erased` is False where deleted text may still stand in the store's file for a while."""

    revision: int
    put: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    erased: bool = True


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Memories of a store at one revision, and its latest turn records where they were asked for, oldest first."""

    revision: int
    memories: tuple[StoredMemory, ...] = ()
    turns: tuple[TurnRecord, ...] = ()


class StaleError(StoreError):
    """The store has moved on since the commit was planned: load or find again, plan again, apply again."""

    code = "stale"


class Store(Protocol):
    """What every store can do. Hosts in other languages implement the same three."""

    def load(self, turns: int = 0, ids: Sequence[str] | None = None) -> Snapshot:
        """Everything kept (or what is kept of `ids`), in the order it came, and the latest `turns` turn records."""

    def find(self, terms: Sequence[str], limit: int = MOST_FOUND) -> Snapshot:
        """The memories that have any of `terms`, those with more and rarer ones first, at most `limit`."""

    def apply(self, commit: Commit) -> Applied:
        """Keep a commit whole, or raise StoreError and keep nothing of it. StaleError: the base revision is old."""


class Unanswered(Exception):
    """A store that answers in another call was asked something that it has not answered yet (`memory.hosted`)."""

    def __init__(self, *questions: object) -> None:
        super().__init__("not answered yet")
        self.questions = questions


def find_all(store: Store, questions: Iterable[Sequence[str]], limit: int = MOST_FOUND) -> list[Snapshot]:
    """What `store` finds for each list of terms. A store that answers in another call is asked all of them at once."""
    found: list[Snapshot] = []
    waiting: list[object] = []
    for terms in questions:
        try:
            found.append(store.find(terms, limit))
        except Unanswered as unanswered:
            waiting += unanswered.questions
    if waiting:
        raise Unanswered(*waiting)
    return found


def may_be_kept(verdict: Verdict) -> bool:
    """Whether a memory with this verdict may stand in a store at all: what the posture never stores may not.

    >>> may_be_kept(Verdict.PASS_WITH_FLAGS), may_be_kept(Verdict.REJECT)
    (True, False)
    """
    return verdict not in policy.FLAGGED


def refuse_unkeepable(commit: Commit, revision: int) -> None:
    """Raise StoreError where a commit may not be applied to a store at `revision`: stale, or a row without a verdict
    that may be kept."""
    if commit.base != revision:
        raise StaleError(
            f"this commit was planned on revision {commit.base} and the store is at {revision}: plan it again",
            where="commit.base",
        )
    for place, memory in enumerate(commit.put):
        where = f"commit.put[{place}]"
        if not isinstance(memory.verdict, Verdict) or not may_be_kept(memory.verdict):
            raise StoreError(f"a memory with the verdict {memory.verdict!r} is never kept", where=where)
        if not memory.id or not memory.text:
            raise StoreError("a memory needs an id and a text", where=where)
