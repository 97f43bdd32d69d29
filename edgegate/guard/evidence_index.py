"""What is really held this turn, read once and indexed: which words stand in it, where, and in which item.

Looking a word up costs the same for ten items of evidence and for ten thousand. A question of the user is kept apart:
it shows that something was asked, never that it was told.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache

from edgegate.errors import DataError
from edgegate.guard.reading import Reading, read
from edgegate.language import lexicon
from edgegate.language.align import stem
from edgegate.language.text import sentences
from edgegate.language.values import read_now
from edgegate.records import Evidence, NearestEvidence

POSTINGS = 64  # items looked at for one word; a word that stands in more than these tells no item from another
PREFIX = 5  # letters that two words of one family share ("photograph", "photographer")


@dataclass(slots=True)
class Item:
    """One piece of evidence: its kind and number (as the host gave it), its text, and its reading."""

    kind: str
    number: int
    text: str
    reading: Reading
    asked: bool = False

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


def collect(evidence: Evidence, kinds: Iterable[str], now: date | None = None) -> list[Item]:
    """The items of the lists `kinds` of `evidence`, each read once. A turn of the history gives one item a sentence."""
    items: list[Item] = []
    for kind in kinds:
        if kind == "history":
            items.extend(_turns(evidence, now))
        else:
            for number, text in enumerate(getattr(evidence, kind)):
                items.append(Item(kind, number, text, read(text, now, quotes=True)))
    return items


def _turns(evidence: Evidence, now: date | None) -> Iterable[Item]:
    for number, turn in enumerate(evidence.history):
        by_user = turn.speaker.lower() not in lexicon.table("assistant_speakers")
        for sentence in sentences(turn.text):
            asked = by_user and sentence.text.rstrip().endswith("?")
            yield Item("history", number, sentence.text, read(sentence.text, _day(turn.at, now), quotes=True), asked)


def _day(at: str | None, now: date | None) -> date | None:
    """The day of a turn; a time that cannot be read says nothing."""
    try:
        return read_now(at) or now
    except DataError:
        return now


class Index:
    """Items of evidence by the words in them.

    >>> from edgegate.records import Evidence
    >>> index = Index(collect(Evidence(memories=["Her mother lives in Ulm"]), ["memories"]))
    >>> index.holds(stem("parents")), index.holds("boat"), sorted(index.names)
    (True, False, ['ulm'])
    """

    def __init__(self, items: Iterable[Item]) -> None:
        self.items = list(items)
        self.postings: dict[str, list[int]] = {}
        self.names: set[str] = set()
        self.numbers: set[str] = set()
        self.months: set[int] = set()
        self.weekdays: set[int] = set()
        self.members: dict[str, set[str]] = {}
        self._prefixes: dict[str, str] = {}
        for place, item in enumerate(self.items):
            self._add(place, item.reading)

    def _add(self, place: int, reading: Reading) -> None:
        for word in reading.content.keys() | reading.names.keys():
            self.postings.setdefault(word, []).append(place)
            self._prefixes.setdefault(word[:PREFIX], word)
        self.names.update(reading.names)
        self.numbers.update(reading.numbers)
        self.months.update(reading.months)
        self.weekdays.update(reading.weekdays)
        for name, members in reading.members.items():
            self.members.setdefault(name, set()).update(members)

    def __len__(self) -> int:
        return len(self.items)

    def forms(self, word: str) -> list[str]:
        """The words of the evidence that hold the stem `word`: itself, one of its family, one that means the same."""
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
