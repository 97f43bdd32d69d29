"""What is really held this turn, read once and indexed: which words stand in it, where, and in which item.

Looking a word up costs the same for ten items of evidence and for ten thousand. A question of the user is kept apart:
it shows that something was asked, never that it was told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property, partial

from edgegate.errors import DataError, UsageError
from edgegate.guard.reading import Reading, groups_of, read
from edgegate.language import lexicon
from edgegate.language.align import stem
from edgegate.language.text import sentences
from edgegate.language.values import Number, read_now, spelt
from edgegate.records import Evidence

POSTINGS = 64  # items looked at for one word; a word that stands in more than these tells no item from another
LONGEST_NUMBER = 16  # digits of a number that is compared digit by digit
DERIVED = 60  # numbers of the evidence that are added, subtracted and multiplied with one another
HALF_DAY = 12
SMALL = 100  # numbers below it are multiplied with one another
PREFIX = 5  # letters that two words of one family share ("photograph", "photographer")


@dataclass(slots=True)
class Item:
    """One piece of evidence: its kind and number (as the host gave it), its text, and its reading."""

    kind: str
    number: int
    text: str
    reading: Reading
    asked: bool = False


@cache
def _names_of(month: int) -> frozenset[str]:
    return frozenset(name for name, number in lexicon.table("dates")["months"].items() if int(number) == month)


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


class Readings:
    """Readings of pieces of evidence, kept from one reply to the next.

    Most of what is held this turn was held the turn before. Whoever keeps one of these for a conversation (or a user)
    and hands it to each `Guard` has every piece read once. It changes no outcome, and is never made behind the host's
    back, since it holds the users' texts: it lives and ends with its owner. It keeps at most `items` pieces of
    `characters` in all (a piece takes some 20 kB); the one that was not asked for longest goes first. Raises UsageError
    for a bound below 1.

    >>> readings = Readings(items=2)
    >>> first = readings.read("likes tea", None)
    >>> readings.read("likes tea", None) is first, len(readings)
    (True, 1)
    """

    def __init__(self, items: int = 300, characters: int = 30_000) -> None:
        for name, bound in (("items", items), ("characters", characters)):
            if isinstance(bound, bool) or not isinstance(bound, int) or bound < 1:
                raise UsageError(f"{name} must be at least 1, not {bound!r}", where=f"Readings.{name}")
        self._items = items
        self._characters = characters
        self._kept: dict[tuple[str, date | None], Reading] = {}  # the one asked for last stands last
        self._size = 0

    def __len__(self) -> int:
        return len(self._kept)

    def read(self, text: str, now: date | None) -> Reading:
        """The reading of a piece of evidence, `now` placing its relative dates."""
        key = (text, now)
        found = self._kept.pop(key, None)
        if found is None:
            found = read(text, now, quotes=True)
            if len(text) > self._characters:
                return found
            self._size += len(text)
        self._kept[key] = found
        while len(self._kept) > self._items or self._size > self._characters:
            oldest = next(iter(self._kept))
            del self._kept[oldest]
            self._size -= len(oldest[0])
        return found

    def clear(self) -> None:
        """Lets everything go."""
        self._kept.clear()
        self._size = 0


Read = Callable[[str, "date | None"], Reading]


def collect(
    evidence: Evidence, kinds: Iterable[str], now: date | None = None, readings: Readings | None = None
) -> list[Item]:
    """The items of the lists `kinds` of `evidence`, each read once (or taken from `readings`).

    A turn of the history gives one item a sentence.
    """
    reader: Read = partial(read, quotes=True) if readings is None else readings.read
    items: list[Item] = []
    for kind in kinds:
        if kind == "history":
            items.extend(_turns(evidence, now, reader))
        else:
            for number, text in enumerate(getattr(evidence, kind)):
                items.append(Item(kind, number, text, reader(text, now)))
    return items


def _turns(evidence: Evidence, now: date | None, reader: Read) -> Iterable[Item]:
    for number, turn in enumerate(evidence.history):
        by_user = turn.speaker.lower() not in lexicon.table("assistant_speakers")
        for sentence in sentences(turn.text):
            asked = by_user and sentence.text.rstrip().endswith("?")
            yield Item("history", number, sentence.text, reader(sentence.text, _day(turn.at, now)), asked)


def _day(at: str | None, now: date | None) -> date | None:
    """The day of a turn; a time that cannot be read says nothing."""
    try:
        return read_now(at) or now
    except DataError:
        return now


def number_shapes(key: str) -> list[str]:
    """What a number has in common with those that are easily mistaken for it: its digits, and its digits but one.

    >>> number_shapes("450")
    ['045', '?50', '4?0', '45?']
    """
    if not key.isdigit() or not 1 < len(key) < LONGEST_NUMBER:
        return []
    shapes = ["".join(sorted(key))]
    if len(key) > 2:
        shapes += [f"{key[:place]}?{key[place + 1 :]}" for place in range(len(key))]
    return shapes


def noun_after(reading: Reading, number: Number) -> str:
    """The stem of the word that a number counts, or an empty text.

    >>> reading = read("14 hit points")
    >>> noun_after(reading, reading.passage.values.numbers[0])
    'hit'
    """
    word = reading.stems.get(number.last, "")
    return word if word and word[0].isalpha() else ""


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
        self._prefixes: dict[str, str] = {}
        self._found: set[str] = set()  # numbers that were asked for and are held
        for place, item in enumerate(self.items):
            self._add(place, item.reading)

    def _add(self, place: int, reading: Reading) -> None:
        postings, prefixes = self.postings, self._prefixes
        words = {**reading.content, **reading.names} if reading.names else reading.content
        for word in words:  # in the order of the evidence
            places = postings.get(word)
            if places is not None:
                places.append(place)
                continue
            postings[word] = [place]
            if word[:PREFIX] not in prefixes:
                prefixes[word[:PREFIX]] = word
        self.names.update(reading.names)

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def groups(self) -> frozenset[str]:
        """The closed sets of which the evidence has a word."""
        said: set[str] = set().union(*(item.reading.content for item in self.items))
        return groups_of(said)

    @cached_property
    def numbers(self) -> dict[str, None]:
        """The numbers that are held, in the order of the evidence."""
        return {key: None for item in self.items for key in item.reading.numbers}

    @cached_property
    def months(self) -> frozenset[int]:
        """The months that are held."""
        return frozenset(month for item in self.items for month in item.reading.months)

    def has_number(self, key: str) -> bool:
        """Whether a number is held. Reading all numbers costs most of all, so items that spell it are asked first."""
        if "numbers" not in self.__dict__:
            if key not in self._found and any(key in item.reading.numbers for item in self._with(spelt(key))):
                self._found.add(key)
            if key in self._found:
                return True
        return key in self.numbers

    def has_month(self, month: int) -> bool:
        """Whether a month is held; items that name it are asked first."""
        if "months" not in self.__dict__ and any(month in item.reading.months for item in self._with(_names_of(month))):
            return True
        return month in self.months

    def _with(self, words: frozenset[str]) -> Iterator[Item]:
        return (item for item in self.items if not words.isdisjoint(item.reading.words))

    @cached_property
    def weekdays(self) -> dict[int, list[int]]:
        """The weekdays that are held, each with the items that name it."""
        found: dict[int, list[int]] = {}
        for place, item in enumerate(self.items):
            for day in item.reading.weekdays:
                found.setdefault(day, []).append(place)
        return found

    @cached_property
    def _summed(self) -> dict[int, None]:
        """The numbers that others are made of: the first `DERIVED` whole ones."""
        return {int(key): None for key in list(self.numbers)[:DERIVED] if key.isdigit() and len(key) < PREFIX * 2}

    @cached_property
    def _hours(self) -> frozenset[int]:
        """The hours of the times of day that are held, on both clocks."""
        clocks = (clock for item in self.items for clock in item.reading.clocks)
        hours = {minutes // 60 for clock in clocks for minutes in clock.minutes}
        return frozenset(hours | {hour % HALF_DAY for hour in hours})

    def derives(self, key: str) -> bool:
        """Whether held numbers give another one: as sum, difference, double, half, small product or hour of the clock.

        >>> from edgegate.records import Evidence
        >>> index = Index(collect(Evidence(memories=["110 degrees on 2 May", "115 today", "12 cots"]), ["memories"]))
        >>> [key for key in ("5", "55", "112", "24", "6", "113", "1") if index.derives(key)]
        ['5', '55', '112', '24', '6', '113', '1']
        """
        if not key.isdigit() or len(key) > LONGEST_NUMBER:
            return False
        number, held = int(key), self._summed
        if 2 * number in held:
            return True
        for one in held:
            if 2 * one == number or (HALF_DAY < one <= 2 * HALF_DAY and one - HALF_DAY == number):
                return True
            if number - one in held:
                return True
            if number and one + number in held:
                return True
            if 0 < one < SMALL and number % one == 0 and number // one != one:
                other = number // one
                if other < SMALL and other in held:
                    return True
        return number in self._hours

    @cached_property
    def days(self) -> frozenset[str]:
        """The days of months that are held, as numbers."""
        return frozenset(str(each.day) for item in self.items for each in item.reading.passage.values.dates if each.day)

    @cached_property
    def _counted(self) -> frozenset[str]:
        """The stems of what the evidence counts: "14 hit points", "two cots"."""
        return frozenset(
            noun_after(item.reading, number) for item in self.items for number in item.reading.passage.values.numbers
        )

    def counts(self, noun: str) -> bool:
        """Whether the evidence has a number of what the stem `noun` names."""
        return bool(noun) and noun in self._counted

    @cached_property
    def _shapes(self) -> frozenset[str]:
        return frozenset(shape for key in self.numbers for shape in number_shapes(key))

    def resembles(self, key: str, *, swapped: bool = False) -> bool:
        """Whether a number that is held nowhere has the digits of a held one, or (if not only `swapped`) all but one.

        >>> from edgegate.records import Evidence
        >>> index = Index(collect(Evidence(memories=["Invoice 2271, 14 items"]), ["memories"]))
        >>> index.resembles("2217"), index.resembles("2281"), index.resembles("41"), index.resembles("15")
        (True, True, True, False)
        >>> index.resembles("2281", swapped=True)
        False
        """
        shapes = number_shapes(key)[: 1 if swapped else None]
        return key not in self.numbers and any(shape in self._shapes for shape in shapes)

    def forms(self, word: str) -> list[str]:
        """The words of the evidence that hold the stem `word`: itself, one of its family, one that means the same."""
        found = [word] if word in self.postings else []
        if len(word) >= PREFIX and word[:PREFIX] in self._prefixes:
            found.append(self._prefixes[word[:PREFIX]])
        found.extend(other for other in alike(word) if other in self.postings)
        return found

    def holds(self, word: str) -> bool:
        """Whether the evidence has the stem `word` or something that stands for it."""
        if word in self.postings or (len(word) >= PREFIX and word[:PREFIX] in self._prefixes):
            return True
        return any(other in self.postings for other in alike(word))

    def places(self, word: str) -> set[int]:
        """The items that hold `word`, the first `POSTINGS` of each form."""
        found: set[int] = set()
        for form in self.forms(word):
            found.update(self.postings.get(form, ())[:POSTINGS])
        return found
