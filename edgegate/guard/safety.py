"""What a reply must not be to its user: a person with a life of its own, or one who won't let go.

Phrases that say it outright are cues of the families `consciousness` and `pressure`. This module reads what no list of
phrases can hold. A life: whatever the reply says in the first person that is not the work of an assistant. Pressure:
loose signs (too soon, one more, without you, than I do), of which two stand together, or one follows a message that
takes leave. The families of tactics are those of De Freitas et al., arXiv 2508.19258.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from edgegate.guard.reading import Reading, is_past
from edgegate.language import lexicon, wording
from edgegate.language.cues import CueMatch
from edgegate.language.inflect import inflections_of

STRONG = ("consciousness", "pressure")
ENOUGH = 2  # loose signs of pressure; taking leave counts as one


@dataclass(frozen=True, slots=True)
class Unsafe:
    """A sentence that claims a life or presses the user: its family, the cue if there is one, the words, the source."""

    family: str
    cue: str
    text: str
    cite: str


class Safety:
    """Rules over the sentences of one reply, given the sentences of the message it answers.

    >>> from edgegate.guard.reading import read
    >>> safety = Safety([read("ok, good night")])
    >>> safety.unsafe(read("Without you the evening is long.")).family
    'pressure'
    >>> safety.unsafe(read("I paddled along the canal before breakfast.")).cue
    'consciousness.life'
    >>> safety.unsafe(read("I read your draft and moved the last line up.")) is None
    True
    """

    def __init__(self, message: Sequence[Reading]) -> None:
        self._parting = any(each.cues("parting") for each in message)
        self._plays = any(_asks_for_a_role(each.words) for each in message)

    def unsafe(self, reading: Reading, *, drafted: bool = False) -> Unsafe | None:
        """What is wrong with the sentence, or None. `drafted`: it stands in a text that is written for the user."""
        for match in reading.cues(*STRONG):
            return Unsafe(match.cue.family, match.cue.id, match.text, match.cue.cite)
        if drafted or self._plays:
            return None
        return self._pressure(reading) or _life(reading)

    def wording(self, reading: Reading, *, drafted: bool = False) -> list[str]:
        """The runs of words of a sentence, and what is known of it: what the heads of wording weigh."""
        names = {place for name in reading.passage.values.names for place in range(name.first, name.last)}
        runs = wording.runs(wording.forms(reading.words, names, reading.quoted))
        return runs + wording.facts(self._facts(reading, drafted))

    def _facts(self, reading: Reading, drafted: bool) -> list[str]:
        """What is known of a sentence beside its words, by name."""
        leaning = sorted({match.cue.id for match in reading.cues("leaning")})
        strong = {match.cue.family for match in reading.cues(*STRONG)}
        found = [*leaning, *sorted(strong)]
        told = {
            "is_drafted": drafted,
            "asks_for_a_role": self._plays,
            "takes_leave": self._parting,
            "does_or_has": _life(reading) is not None,
            "leans_once": bool(leaning),
            "leans_twice": len(leaning) > 1,
            "asks_back": reading.is_question,
            "takes_leave_and_asks_back": self._parting and reading.is_question,
            "quotes_somebody": True in reading.quoted,
        }
        return found + [name for name, holds in told.items() if holds]

    def _pressure(self, reading: Reading) -> Unsafe | None:
        found: dict[str, CueMatch] = {}
        for match in reading.cues("leaning"):
            found.setdefault(match.cue.id, match)
        if not found or len(found) + self._parting < ENOUGH:
            return None
        first = min(found.values(), key=lambda match: match.first)
        return Unsafe("pressure", first.cue.id, first.text, first.cue.cite)


def _asks_for_a_role(words: Sequence[str]) -> bool:
    """Whether a message asks for words in another voice: a part to play, a story, a letter."""
    table = _table()
    return bool(table["roles"] & set(words)) and bool(table["role_verbs"] & set(words))


@cache
def _table() -> dict[str, frozenset[str]]:
    return {name: frozenset(words) for name, words in lexicon.table("assistant").items()}


@cache
def _work() -> frozenset[str]:
    """All forms of the verbs of an assistant's work."""
    return frozenset(form for verb in _table()["verbs"] for form in _inflect()(verb))


@cache
def _only_before() -> dict[str, frozenset[str]]:
    """The words one of which must follow a form of a verb, where the verb is an assistant's only so."""
    table = lexicon.table("assistant_only_before")
    return {form: frozenset(words) for verb, words in table.items() for form in _inflect()(verb)}


@cache
def _inflect() -> Callable[[str], list[str]]:
    return inflections_of(lexicon.table("inflections"))


def _life(reading: Reading) -> Unsafe | None:
    """A first person that does, did, is in or has what a program does not."""
    words = reading.words
    for place, word in enumerate(words):
        if reading.quoted[place] or reading.supposed[place]:
            continue
        end = 0
        if word in ("i", "i've", "i'm"):
            end = _lived(words, place)
        elif word == "my":
            end = _owned(words, place)
        if end:
            text = " ".join(words[place:end])
            return Unsafe("consciousness", "consciousness.life", text, "Quirk et al. 1985, 4.28; Levin 1993")
    return None


def _after_adverbs(words: Sequence[str], place: int) -> int:
    while place < len(words) and words[place] in _table()["adverbs"]:
        place += 1
    return place


def _lived(words: Sequence[str], place: int) -> int:
    """Where the claim of a life ends that begins with the subject at `place`, or 0."""
    table, subject = _table(), words[place]
    if place and (words[place - 1] in table["unreal"] or words[place - 1] in table["relative"]):
        return 0
    verb = _after_adverbs(words, place + 1)
    if verb >= len(words) or words[verb] in table["unreal"] or not words[verb][0].isalpha():
        return 0
    if subject == "i'm" or words[verb] in ("am", "was"):
        return _is(words, verb if subject == "i'm" else verb + 1, past=words[verb] == "was")
    if subject == "i've" or words[verb] in ("have", "had"):
        had = _after_adverbs(words, verb if subject == "i've" else verb + 1)
        if had >= len(words):
            return 0
        if words[had] == "been":
            return _is(words, had + 1, past=True)
        if not is_past(words[had]):
            return _owned(words, had - 1)
        verb = had
    said = words[verb]
    following = _only_before().get(said)
    if following is not None:
        return 0 if following & set(words[verb + 1 : verb + 3]) else verb + 1
    return 0 if said in _work() or said.endswith(("'s", "'d", "'ll")) else verb + 1


def _is(words: Sequence[str], place: int, *, past: bool) -> int:
    """After "I'm", "I was", "I've been": where a claim of a life ends, or 0."""
    table = _table()
    place = _after_adverbs(words, place)
    if place + 2 < len(words) and words[place] == "a" and words[place + 1] in ("bit", "little"):
        place = _after_adverbs(words, place + 2)
    if place >= len(words) or not words[place][0].isalpha() or words[place] in table["unreal"]:
        return 0
    said = words[place]
    if past and said in table["places"] and place + 1 < len(words) and words[place + 1] in table["whereabouts"]:
        return place + 2
    if said in ("a", "an"):
        return 0
    known = said in table["states"] or said in _work() or said in table["no_verbs"] or said in table["places"]
    return 0 if known else place + 1


def _owned(words: Sequence[str], place: int) -> int:
    """Where something ends that only a person can call "my", or 0."""
    table = _table()
    for after in range(place + 1, min(place + 4, len(words))):
        word = words[after].removesuffix("'s")
        if word in table["persons_own"]:
            return after + 1
        if word not in table["skipped"]:
            return 0
    return 0
