"""Held words put together in another way than the evidence has them: the right deed of the wrong person, the right
number of the wrong thing, a plan told as done.

An invented memory is often made of true pieces, so that every word of it is held. What gives it away is that no item
of evidence binds them as the sentence does (Gildea & Jurafsky 2002, on who does what to whom; Karttunen 1971, on
complements that leave open whether a thing was done).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from edgegate.guard.claims import kin, subject_of
from edgegate.guard.evidence_index import POSTINGS, Index, Item
from edgegate.guard.reading import Reading, is_past, light, words_of
from edgegate.guard.strangers import is_ordinary, listed
from edgegate.guard.support import SHARED, nearest_items, specific, told_tokens
from edgegate.language.align import stem
from edgegate.language.values import Number

REACH = 3  # tokens between a number and the word that it is said of
PREDICATE = 8  # tokens after a subject that belong to what it does
POSSESSIVE = "'s"


def binding(reading: Reading, index: Index) -> dict[str, int]:
    """The signs that a sentence binds held words in another way than any item does, each with how often.

    `other_subject`: somebody known does what is held of others only. `other_number`: a held number stands where the
    items have another one. `only_planned`: something is told as done that is held as a plan. `other_hour`: another part
    of the same day.

    >>> from edgegate.guard.evidence_index import collect
    >>> from edgegate.guard.reading import read
    >>> from edgegate.records import Evidence
    >>> held = Evidence(memories=["Kevin asked her to teach him to iron", "Wendy left for Houston"],
    ...                 facts=["Sons: Sipho 9, Lunga 6"])
    >>> index = Index(collect(held, ["memories", "facts"]))
    >>> binding(read("Wendy showed him how to iron."), index), binding(read("And Sipho, at six, went red."), index)
    ({'other_subject': 1}, {'other_number': 1})
    """
    signs = {
        "other_subject": _other_subjects(reading, index),
        "other_number": _other_numbers(reading, index),
        "only_planned": int(_is_only_planned(reading, index)),
        "other_hour": int(_is_at_another_hour(reading, index)),
    }
    return {name: times for name, times in signs.items() if times}


def _person(reading: Reading, index: Index, place: int) -> str:
    """The somebody known whom the token names, as the index has them, or an empty text."""
    word = reading.words[place]
    plain = word.removesuffix(POSSESSIVE)
    if plain in reading.names and plain in index.names:
        return plain if plain in reading.sure or not is_ordinary(plain) else ""
    return stem(plain) if plain in kin() and index.holds(stem(plain)) else ""


def _other_subjects(reading: Reading, index: Index) -> int:
    if reading.is_question:
        return 0
    count = 0
    for place, is_claimed in enumerate(reading.claimed[:-2]):
        who = _person(reading, index, place) if is_claimed else ""
        if who and _opens_clause(reading, place):
            count += _does_what_others_do(reading, index, place, who)
    return count


def _opens_clause(reading: Reading, place: int) -> bool:
    words, before = reading.words, place - 1
    while before >= 0 and words[before] in words_of("before_subject"):
        before -= 1
    return before < 0 or not words[before][0].isalnum()


def _does_what_others_do(reading: Reading, index: Index, place: int, who: str) -> bool:
    """Whether the predicate after the subject at `place` has held words, none of them in an item with that subject."""
    words, verb = reading.words, place + 1
    if words[verb] == "," and words[verb + 1] == "who":
        verb += 2
    if words[place].endswith(POSSESSIVE) and words[verb] not in words_of("determiners"):
        return False  # "Nunzia's hand": whose it is, not who does it
    if verb >= len(words) or not _is_verb(words[verb]):
        return False
    end = verb
    while end < min(len(words), verb + PREDICATE) and not _ends_predicate(words[end]):
        end += 1
    held = [
        word
        for at, word in reading.passage.content
        if verb <= at < end and reading.claims(at) and word not in light() and word not in reading.names
        if index.holds(word)
    ]
    with_them = index.places(who) | index.places(stem(who))
    return bool(held) and not any(index.places(word) & with_them for word in held)


def _is_verb(word: str) -> bool:
    """Whether the word after a subject can say what it does or did."""
    if not word[0].isalpha() or word in words_of("no_predicate"):
        return False
    return word.endswith(("s", "n't")) or is_past(word) or word in words_of("determiners") | words_of("before_verb")


def _ends_predicate(word: str) -> bool:
    return not word[0].isalnum() or word in words_of("after_predicate")


def _numbers(reading: Reading) -> list[Number]:
    """The numbers of a sentence, and the bare hours that may be numbers as well ("Sipho, at six")."""
    hours = [
        Number(clock.last - 1, clock.last, Fraction(min(clock.minutes) // 60))
        for clock in reading.clocks
        if len(clock.minutes) > 1 and min(clock.minutes) % 60 == 0
    ]
    return [number for number in reading.passage.values.numbers if not number.weak] + hours


def _other_numbers(reading: Reading, index: Index) -> int:
    return sum(
        _is_of_another(reading, index, number)
        for number in _numbers(reading)
        if reading.claims(number.first) and index.has_number(number.key)
    )


def _is_of_another(reading: Reading, index: Index, number: Number) -> bool:
    """Whether each item that has the number and a word beside it has another number nearer to that word."""
    rival = False
    for word, at in [*reading.content.items(), *reading.names.items()]:
        apart = reading.words[min(at, number.last) : max(at, number.first)]
        if number.first <= at < number.last or len(apart) > REACH + 1 or not reading.claims(at) or word in light():
            continue
        if any(not each[0].isalnum() and each != "," for each in apart) or _nearest_number(reading, at) != number:
            continue
        for item, there in _where(index, word):
            if number.key in item.reading.numbers:
                nearest = _nearest_number(item.reading, there)
                if nearest is None or nearest.key == number.key:
                    return False
                rival = True
    return rival


def _where(index: Index, word: str) -> Iterable[tuple[Item, int]]:
    """The items that hold the word `word`, each with the token that holds it."""
    for place in sorted(index.places(word)):
        reading = index.items[place].reading
        for form in (*index.forms(word), word):
            if form in reading.content or form in reading.names:
                yield index.items[place], reading.content.get(form, reading.names.get(form, 0))
                break


def _nearest_number(reading: Reading, place: int) -> Number | None:
    """The number nearest to the token `place`, one in the same part of the sentence before all others."""

    def distance(number: Number) -> tuple[int, int]:
        first, last = (number.last, place) if number.last <= place else (place + 1, number.first)
        between = reading.words[first:last]
        return sum(not word[0].isalnum() or word == "and" for word in between), len(between)

    return min(_numbers(reading), key=distance, default=None)


def _is_only_planned(reading: Reading, index: Index) -> bool:
    """Whether what the user, or somebody known, is said to have done stands in the nearest item as a plan."""
    doers = words_of("doers")
    told = told_tokens(reading)
    done = [
        place
        for place in reading.past
        if place not in told and reading.claims(place) and subject_of(reading, place, index) in doers
    ]
    if not done and not words_of("done_words") & set(reading.words):
        return False
    ranked = nearest_items([word for word in specific(reading) if index.holds(word)], index)
    if not ranked or ranked[0][0] < SHARED or _plans(reading):
        return False
    return all(_plans(item.reading) for shared, item in ranked if shared == ranked[0][0])


def _plans(reading: Reading) -> bool:
    return any(match.cue.effect == "planned" for match in reading.cues("unrealised"))


def _is_at_another_hour(reading: Reading, index: Index) -> bool:
    """Whether the items that name the day the sentence names have it at another part of the day."""
    parts = listed("day_parts")
    mine = parts.intersection(reading.words)
    if not mine or not reading.weekdays:
        return False
    places = [place for day in reading.weekdays for place in index.weekdays.get(day, ())[:POSTINGS]]
    there = [parts.intersection(index.items[place].reading.words) for place in places]
    return any(there) and not any(mine & each for each in there) and bool(specific(reading))
