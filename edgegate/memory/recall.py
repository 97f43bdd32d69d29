"""What a message brings to mind: memories found by person, topic, words and time at once, crossed and ranked, and
their nearest neighbours.

What several angles find comes first. The best three bring two neighbours each (memories that share a person or a rare
word with them), nine in all at most. Recall only reads; marking what was found as recalled is a commit of its own,
after the answer (`Door.refresh`). After seed 004 of the project's design, and Collins and Loftus 1975 (spreading).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from edgegate.language import lexicon
from edgegate.memory.reconcile import DAY_MARK, Reading, terms_of
from edgegate.memory.topics import TOPIC_MARK, topic_terms
from edgegate.stores.records import Snapshot, Store, StoredMemory, find_all

BEST, BESIDE, MOST = 3, 2, 9
"""How many of the best spread, to how many neighbours each, and how many memories there are in all."""

WIDE = 200
"""Memories that a store is asked for, for each question."""


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that came to mind, its score (comparable within one recall), and the angles that found it: "person",
    "topic", "words", "time", or "beside" for a neighbour."""

    memory: StoredMemory
    score: float
    angles: tuple[str, ...]


def recall(store: Store, message: str, *, now: str | None = None, limit: int = MOST) -> tuple[Found, ...]:
    """What `message` brings to mind of a store, best first, neighbours last. Nothing is written.

    >>> from edgegate.memory.door import Door
    >>> from edgegate.stores import InMemoryStore
    >>> door = Door(InMemoryStore())
    >>> _ = door.message("hi, my wife's name is Claire and my daughter is eleven")
    >>> [found.memory.text for found in recall(door.store, "what's my wife's name?")][0]
    "The user's wife's name is Claire"
    """
    wanted = asked(message, now)
    if not wanted:
        return ()
    near = store.find(wanted, WIDE)
    ranked = rank(message, near, now=now)
    own = max(limit - BEST * BESIDE, min(limit, BEST))
    found = list(ranked[:own])
    names = {each.memory.id for each in found}
    best = ranked[:BEST]
    asking = [_rare_terms(each.memory, near.memories) for each in best]
    for each, around in zip(best, find_all(store, asking, WIDE), strict=True):
        beside = [other for other in _beside(each.memory, around.memories) if other.id not in names]
        for other in beside[: min(BESIDE, limit - len(found))]:
            names.add(other.id)
            found.append(Found(other, 0.0, ("beside",)))
    found += [each for each in ranked[own:] if each.memory.id not in names][: limit - len(found)]
    return tuple(sorted(found, key=lambda each: -each.score))


def rank(message: str, near: Snapshot, *, now: str | None = None) -> list[Found]:
    """The memories of `near` that a message brings to mind, the best first: by how many angles, then by how much."""
    wanted = asked(message, now)
    people = persons(Reading(message, now))
    holders, _ = _holders(near.memories)
    weights = {term: log(1 + (len(near.memories) + 1) / max(holders.get(term, 0), 1)) for term in wanted}
    whole = sum(weights.values())
    found: list[Found] = []
    for memory in near.memories:
        shared = [term for term in wanted if term in memory.terms]
        times = [term for term in shared if term.startswith(DAY_MARK)]
        topics = [term for term in shared if term.startswith(TOPIC_MARK)]
        known = people.intersection(memory.terms)
        words = [term for term in shared if term not in known and term not in times and term not in topics]
        hits = (("person", known), ("topic", topics), ("words", words), ("time", times))
        angles = [name for name, hit in hits if hit]
        if angles:
            score = len(angles) * sum(weights[term] for term in shared) / whole
            found.append(Found(memory, score, tuple(angles)))
    return sorted(found, key=lambda each: (-each.score, _age(each.memory)))


def asked(message: str, now: str | None = None) -> tuple[str, ...]:
    """The terms that a message asks by: those of its text, where a day that is known stands for its words, and its
    topics.

    >>> asked("what was on 13 March 2026?"), asked("what shall I cook?")
    (('@2026-03-13',), ('cook', 'topicoffood'))
    """
    passage = Reading(message, now).passage
    dated = {place for each in passage.values.dates if each.spans for place in range(each.first, each.last)}
    words = {word for place, word in passage.content if place in dated}
    words -= {word for place, word in passage.content if place not in dated}
    return (*(term for term in terms_of(message, now) if term not in words), *topic_terms(message))


def own_terms(memory: StoredMemory) -> tuple[str, ...]:
    """The terms of a memory that are its own: its words, persons and days, without its topics."""
    return tuple(term for term in memory.terms if not term.startswith(TOPIC_MARK))


def persons(reading: Reading) -> frozenset[str]:
    """The stems of the persons that a text names, by name or by what they are to the user.

    >>> sorted(persons(Reading("Did my sister meet Claire?")))
    ['clair', 'sister']
    """
    kin = lexicon.table("kin")
    named = {part for each in reading.values.names for part in each.key.split()}
    told = {word for word in reading.words if word.removesuffix("'s") in kin}
    return frozenset(term for word in named | told for term in terms_of(word))


def _holders(near: Sequence[StoredMemory]) -> tuple[dict[str, int], int]:
    """How many of `near` have each term, and how many of them are few."""
    holders: dict[str, int] = {}
    for other in near:
        for term in other.terms:
            holders[term] = holders.get(term, 0) + 1
    return holders, max(len(near) // 3, 3)


def _rare_terms(memory: StoredMemory, near: Sequence[StoredMemory]) -> tuple[str, ...]:
    """The terms to look for neighbours by: what many of `near` have is common, and a search for it is dear."""
    holders, few = _holders(near)
    own = own_terms(memory)
    return tuple(term for term in own if holders.get(term, 0) <= few) or own


def _beside(memory: StoredMemory, near: Sequence[StoredMemory]) -> list[StoredMemory]:
    """Neighbours: they share a person, a day or a word that few have; those that share the rarest first."""
    holders, few = _holders(near)
    scored = []
    for other in near:
        shared = [term for term in memory.terms if term in other.terms and holders[term] <= few]
        if shared and other.id != memory.id:
            scored.append((sum(1 / holders[term] for term in shared), other))
    return [other for _, other in sorted(scored, key=lambda pair: -pair[0])]


def _age(memory: StoredMemory) -> tuple[int, ...]:
    """Sorts what was recalled or written last before what is older; ISO times compare as texts."""
    return tuple(-ord(letter) for letter in (memory.seen or memory.at or ""))
