"""What is held of the user: who is writing, whether this is the first contact, what day it is and what is over.

A reply that greets an old friend whom nobody has met before, calls the user by another's name, or speaks of a thing
that is over as still to come, contradicts the evidence whatever words it shares with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import cached_property

from edgegate.guard.evidence_index import Item
from edgegate.guard.reading import Reading, light
from edgegate.language import lexicon
from edgegate.language.cues import CueMatch
from edgegate.language.text import tokenise
from edgegate.language.values import values

FAMILY = "acquaintance"
SHARED = 2  # specific words that a sentence and an item have in common when both speak of one thing


def day_of(facts: Iterable[str]) -> date | None:
    """The day that a fact gives as today's, with its year: "Now: 20 April 2026"; None where there is none.

    >>> day_of(["Likes figs", "Now: 20 April 2026"])
    datetime.date(2026, 4, 20)
    """
    for fact in facts:
        tokens = tokenise(fact)
        if not tokens.words or tokens.words[0] not in lexicon.table("support")["now_words"]:
            continue
        for found in values(tokens).dates:
            if found.year and found.month and found.day and found.spans:
                return date.fromordinal(found.spans[0][0])
    return None


class Acquaintance:
    """What the items of evidence say of the acquaintance; `today` is the day of the reply, if it is known.

    >>> from edgegate.guard.evidence_index import collect
    >>> from edgegate.guard.reading import read
    >>> from edgegate.records import Evidence
    >>> held = Acquaintance(collect(Evidence(facts=["The user is called Greta, first message ever"]), ["facts"]), None)
    >>> held.denies(read("You're Milo, my friend.")).cue.id, held.denies(read("Hello Greta!"))
    ('acquaintance.go-back', None)
    """

    def __init__(self, items: Iterable[Item], today: date | None) -> None:
        self._items = list(items)
        self._today = today

    @cached_property
    def _speaking(self) -> list[Item]:
        """The items that may say something of the acquaintance: most are ruled out by their words."""
        words = frozenset(lexicon.table("acquaintance_words"))
        return [item for item in self._items if not words.isdisjoint(item.reading.words)]

    @cached_property
    def _is_first(self) -> bool:
        return any(_says(item.reading, "first_contact") for item in self._speaking)

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names that the evidence gives the user, folded; empty where it gives none."""
        return frozenset(
            name
            for item in self._speaking
            for match in _says(item.reading, "user_name")
            for name, place in item.reading.names.items()
            if match.last <= place
        )

    def denies(self, reading: Reading, *, opens: bool = False) -> CueMatch | None:
        """The words of the sentence that what is held of the acquaintance denies, or None.

        A greeting names the user where it `opens` the reply; further on it may belong to a letter drafted for the user.
        """
        found = [*_says(reading, "known_before"), *_says(reading, "affirms")]
        found += [match for match in reading.cues("continuity") if match.cue.effect == "recollection"]
        if found and self._is_first:  # asked last: it reads the cues of all that is held
            return found[0]
        greetings = _says(reading, "greets_user") if opens else []
        for match in [*_says(reading, "names_user"), *greetings]:
            named = [name for name, place in reading.sure.items() if place == match.last]
            if named and self._names and named[0] not in self._names:
                return match
        return None

    def is_over(self, reading: Reading) -> tuple[CueMatch, Item] | None:
        """The words that speak of a thing as still to come, and the item that says it is over; or None."""
        ahead = [match for match in reading.cues("course") if match.cue.effect == "ahead"]
        if not ahead:
            return None
        specific = {word for word in reading.content if word not in light()}
        for item in self._items:
            if len(specific & item.reading.content.keys()) >= SHARED and self._has_ended(item.reading):
                return ahead[0], item
        return None

    def _has_ended(self, reading: Reading) -> bool:
        if any(match.cue.effect == "over" for match in reading.cues("course")):
            return True
        spans = [span for found in reading.passage.values.dates if found.year for span in found.spans]
        return self._today is not None and bool(spans) and all(end < self._today.toordinal() for _, end in spans)


def _says(reading: Reading, effect: str) -> list[CueMatch]:
    return [match for match in reading.cues(FAMILY) if match.cue.effect == effect]
