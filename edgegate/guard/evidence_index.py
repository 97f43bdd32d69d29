"""What is really held this turn, read once and indexed: which words stand in it, where, and in which item.

Looking a word up costs the same for ten items of evidence and for ten thousand. A question of the user is kept apart:
it shows that something was asked, never that it was told.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache

from edgegate.guard.reading import Reading, read
from edgegate.language import lexicon
from edgegate.language.align import stem
from edgegate.language.text import sentences
from edgegate.language.values import read_now
from edgegate.records import Evidence, NearestEvidence

POSTINGS = 64  # items looked at for one word; a word that stands in more than these tells no item from another
PREFIX = 5  # letters that two words of one family share ("photograph", "photographer")
ASSISTANT = "assistant"


@dataclass(slots=True)
class Item:
    """One piece of evidence: its kind and number (as the host gave it), its text, and its reading."""

    kind: str
    number: int
    text: str
    reading: Reading
    asked: bool = False
    current: bool = False

    def nearest(self) -> NearestEvidence:
        """The item as an event names it."""
        return NearestEvidence(self.kind, self.number, self.text)


@cache
def _alike() -> dict[str, tuple[str, ...]]:
    """For each stem, the other stems that may stand for it."""
    alike: dict[str, dict[str, None]] = {}
    for group in lexicon.table("support")["same"]:
        stems = [stem(word) for word in group]
        for word in stems:
            alike.setdefault(word, {}).update(dict.fromkeys(other for other in stems if other != word))
    for word, members in lexicon.table("support")["kinds"].items():
        alike.setdefault(stem(word), {}).update(dict.fromkeys(stem(member) for member in members))
    return {word: tuple(others) for word, others in alike.items()}


def alike(word: str) -> tuple[str, ...]:
    """The stems that may stand for the stem `word` in evidence.

    >>> "mother" in alike(stem("parents"))
    True
    """
    return _alike().get(word, ())


class Index:
    """The evidence of one turn. `kinds` are the lists of `Evidence` to take in."""

    def __init__(self, evidence: Evidence, kinds: Iterable[str], now: date | None = None) -> None:
        self.items: list[Item] = []
        self.postings: dict[str, list[int]] = {}
        self.names: set[str] = set()
        self.numbers: set[str] = set()
        self.months: set[int] = set()
        self.weekdays: set[int] = set()
        self.members: dict[str, set[str]] = {}
        self.asked_words: set[str] = set()
        self.message_words: set[str] = set()
        self._prefixes: dict[str, str] = {}
        for kind in kinds:
            if kind == "history":
                self._add_history(evidence, now)
                continue
            for number, text in enumerate(getattr(evidence, kind)):
                self._add(kind, number, text, now)

    def _add_history(self, evidence: Evidence, now: date | None) -> None:
        last = len(evidence.history) - 1
        for number, turn in enumerate(evidence.history):
            turn_now = read_now(turn.at, "evidence.history") if turn.at else now
            by_user = turn.speaker != ASSISTANT
            for sentence in sentences(turn.text):
                asked = by_user and sentence.text.rstrip().endswith("?")
                self._add("history", number, sentence.text, turn_now, asked=asked, current=by_user and number == last)

    def _add(
        self, kind: str, number: int, text: str, now: date | None, *, asked: bool = False, current: bool = False
    ) -> None:
        reading = read(text, now, quotes=True)
        place = len(self.items)
        self.items.append(Item(kind, number, text, reading, asked, current))
        words = set(reading.content) | set(reading.names)
        if current:
            self.message_words |= words | set(reading.numbers)
        if asked:
            self.asked_words |= words | set(reading.numbers)
        for word in words:
            self.postings.setdefault(word, []).append(place)
            self._prefixes.setdefault(word[:PREFIX], word)
        self.names |= set(reading.names)
        self.numbers |= set(reading.numbers)
        self.months |= set(reading.months)
        self.weekdays |= set(reading.weekdays)
        for name, members in reading.members.items():
            self.members.setdefault(name, set()).update(members)

    def __len__(self) -> int:
        return len(self.items)

    def forms(self, word: str) -> list[str]:
        """The words of the evidence that hold the stem `word`: itself, one of its family, or one that means the same."""
        found = [word] if word in self.postings else []
        if len(word) >= PREFIX and word[:PREFIX] in self._prefixes:
            found.append(self._prefixes[word[:PREFIX]])
        found.extend(other for other in alike(word) if other in self.postings)
        return found

    def holds(self, word: str) -> bool:
        """Whether the evidence has the stem `word` or something that stands for it."""
        return bool(self.forms(word))

    def places(self, word: str) -> set[int]:
        """The items that hold `word`, the first `POSTINGS` of each form."""
        found: set[int] = set()
        for form in self.forms(word):
            found.update(self.postings.get(form, ())[:POSTINGS])
        return found
