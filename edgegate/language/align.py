"""Pairs the sentences of one text with those of another: where did this memory, or this claim, come from?

Containment is the share of a candidate's content words, rare words weighing more, that a source sentence holds. One
candidate may come from several source sentences: they are taken greedily, the best first, each for the words that the
ones before it left over. Cost grows with the length of the source, because only sentences that share a stem are
looked at.

Source: containment with threshold 0.25 follows the paper's alignment (factwash, appendix C); inverse document
frequency follows Spärck Jones 1972.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from math import log

from edgegate.language import lexicon
from edgegate.language.passages import MEMORY, Clause, Passage, content, content_stem, parts, read, stem
from edgegate.language.values import may_hold_value

__all__ = [
    "MEMORY",
    "THRESHOLD",
    "Alignment",
    "Clause",
    "Index",
    "Link",
    "Passage",
    "align",
    "content",
    "content_stem",
    "is_general",
    "parts",
    "read",
    "stem",
]

THRESHOLD = 0.25
"""A candidate whose containment is lower is unaligned."""

_GENERAL = 0.35  # weight of a word of general vocabulary, as a share of its weight by rarity
_PAIRS = 4  # occurrences of one stem that are paired, on each side
_LINKS = 6  # source sentences that one candidate sentence may come from
_GAIN = 0.06  # a further source sentence must bring at least this share of the candidate's weight
_STRANGER = 0.7  # a sentence of somebody else than the person a memory is about
_KEPT = 400  # sentences that stay read: of a longer source, each is read again when it is compared
_OTHER_VOICE = 0.85  # a sentence of the assistant is the weaker source of a fact about the user


@dataclass(frozen=True, slots=True)
class Link:
    """One source sentence that a candidate came from.

    `pairs` are (source token, candidate token) of the shared content words; `weight` is the share of the candidate's
    weight that they bring.
    """

    source: Passage
    pairs: tuple[tuple[int, int], ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where a candidate sentence came from: `links` best first, `containment` of the best alone, `coverage` of all."""

    candidate: Clause
    links: tuple[Link, ...]
    containment: float
    coverage: float

    @property
    def aligned(self) -> bool:
        return self.coverage >= THRESHOLD


@cache
def _general_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in lexicon.table("general_words"))


def is_general(word: str) -> bool:
    """Whether a stem is of general vocabulary, so that sharing it says little.

    >>> is_general(stem("take")), is_general(stem("accordion"))
    (True, False)
    """
    return word in _general_stems()


class Index:
    """The source sentences by content stem, with rarity weights.

    `about` is the speaker whose sentences are the better sources (the person a memory is filed under); `ignored` are
    stems that count for nothing (the names of the speakers, say). `postings` are the places of the sentences by stem,
    `valued` those of the sentences that may hold a number, quantity, date or time of day.

    >>> index = Index(read("Petra moves to Gdansk. The canteen is closed."))
    >>> index.align(Clause.whole(read("Petra is moving to Gdansk.")[0])).links[0].source.text
    'Petra moves to Gdansk.'
    """

    def __init__(self, passages: Sequence[Passage], *, about: str | None = None, ignored: Collection[str] = ()) -> None:
        self.passages = list(passages)
        self.about = None if about is None else about.strip().lower()
        self.ignored = frozenset(ignored)
        self.postings: dict[str, list[int]] = {}
        self.valued: list[int] = []
        for place, passage in enumerate(self.passages):
            if may_hold_value(passage.words):
                self.valued.append(place)
            for word in passage.stems:
                self.postings.setdefault(word, []).append(place)
            self.release(passage)

    def release(self, passage: Passage) -> None:
        """Lets a sentence of a long source go that was only looked through."""
        if len(self.passages) > _KEPT:
            passage.forget()

    def weight(self, word: str) -> float:
        """The weight of a stem: the rarer in the source, the heavier; general vocabulary weighs little."""
        if word in self.ignored:
            return 0.0
        rarity = log(1 + (len(self.passages) + 1) / max(len(self.postings.get(word, ())), 1))
        return rarity * _GENERAL if word in _general_stems() else rarity

    def score(self, candidate: Clause) -> dict[int, float]:
        """The containment of `candidate` in every source sentence that shares a stem with it, by its place."""
        wanted = {word for _, word in candidate.content()}
        total = sum(self.weight(word) for word in wanted)
        scores: dict[int, float] = {}
        for word in wanted:
            share = self.weight(word) / total if total else 0.0
            for place in self.postings.get(word, ()):
                scores[place] = scores.get(place, 0.0) + share
        return scores

    def align(self, candidate: Clause, *, limit: int = _LINKS) -> Alignment:
        """Where `candidate` came from: source sentences, best first, each for the words still left over."""
        wanted: dict[str, list[int]] = {}
        for place, word in candidate.content():
            wanted.setdefault(word, []).append(place)
        wanted = self._without_values(candidate, wanted)
        weights = {word: self.weight(word) for word in wanted}
        total = sum(weights.values())
        links: list[Link] = []
        best = 0.0
        left = set(wanted)
        asking = False
        while left and total and len(links) < limit:
            gains: dict[int, float] = {}
            for word in left:
                for place in self.postings.get(word, ()):
                    if asking or not self.passages[place].is_question:
                        gains[place] = gains.get(place, 0.0) + weights[word]
            if not asking and (not gains or max(gains.values()) < _GAIN * total):
                asking = True  # questions come last: what is only asked is taken for what nothing else says
                continue
            if not gains:
                break
            place = max(gains, key=lambda each: (gains[each] * self.voice(each), -each))
            gain = gains[place] / total
            if links and gain < _GAIN:
                break
            source = self.passages[place]
            shared = [word for word in left if word in source.stems]
            pairs = sorted(
                (here, there)
                for word in shared
                for here in source.stems[word][:_PAIRS]
                for there in wanted[word][:_PAIRS]
            )
            links.append(Link(source, tuple(pairs), gain))
            best = max(best, gain)
            left.difference_update(shared)
        return Alignment(candidate, tuple(links), best, sum(link.weight for link in links))

    def _without_values(self, candidate: Clause, wanted: dict[str, list[int]]) -> dict[str, list[int]]:
        """The wanted stems without dates, times and amounts that the source has in other words.

        "Thursday at half four" becomes "12 March 2026 at 4:30 pm": the words say nothing about where it came from.
        """
        values = candidate.passage.values
        spans = [(each.first, each.last) for each in values.dates]
        spans += [(each.first, each.last) for each in values.clocks]
        spans += [(each.first, each.last) for each in values.quantities]
        if not spans:
            return wanted
        inside = {place for first, last in spans for place in range(first, last)}
        kept = {
            word: places
            for word, places in wanted.items()
            if word in self.postings or not all(place in inside for place in places)
        }
        return kept or wanted

    def voice(self, place: int) -> float:
        """How much a sentence counts as a source, by who speaks."""
        speaker = self.passages[place].speaker
        if self.about is not None and speaker not in (self.about, "user"):
            return _STRANGER
        return _OTHER_VOICE if speaker in lexicon.table("assistant_speakers") else 1.0


def align(source: Sequence[Passage], candidates: Sequence[Clause]) -> list[Alignment]:
    """The alignment of every candidate clause with the source sentences, in order.

    >>> found = align(read("I lent Bashir 600 francs."), parts(read("User lent Bashir 600 francs in Basel.")))
    >>> round(found[0].containment, 2), found[0].aligned
    (0.8, True)
    """
    index = Index(source)
    return [index.align(candidate) for candidate in candidates]
