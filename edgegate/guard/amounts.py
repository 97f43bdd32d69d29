"""Numbers and dates that the evidence does not have, weighed by what they can be.

An amount that the evidence adds up to is no invention ("five more than at the start of May"), and grams and minutes
belong to recipes. A number that differs from a held one by a digit, a day of the month that is held nowhere, and a
month in place of another one are what invented memories are made of.
"""

from __future__ import annotations

from string import ascii_lowercase

from edgegate.guard.claims import opens_with
from edgegate.guard.evidence_index import Index, noun_after
from edgegate.guard.reading import Reading, light
from edgegate.guard.strangers import listed, listed_stems
from edgegate.language.align import stem
from edgegate.language.values import Number

LARGE = 100
LAST_DAY = 31
HISTORY = range(1000, 1950)  # years that nobody who writes has lived through as a grown-up
YEARS = range(1000, 2101)  # four digits of this size are a year as often as an amount


def amounts(reading: Reading, index: Index) -> dict[str, int]:
    """The signs of numbers and dates in a sentence, each with how often it stands there.

    `near_number`: a held number with other digits. `label_number`: which page, plot or invoice, held nowhere.
    `large_number`: held nowhere, and counted in nothing that recipes count in. `new_day`: a day of a month that is
    held nowhere. `rival_month`, `rival_weekday`, `rival_number` (of the same thing): in place of another one.
    `worldly`: a year of history.
    """
    found: dict[str, int] = {}

    def count(name: str) -> None:
        found[name] = found.get(name, 0) + 1

    supposes = bool(reading.cues("suggestion")) or opens_with(reading, "generic_openers")
    measured = any(_is_counted(reading, number) for number in reading.passage.values.numbers)
    for number in reading.passage.values.numbers:
        if number.weak or not reading.claims(number.first) or not is_new(number.key, index):
            continue
        before = reading.words[number.first - 1] if number.first else ""
        if before in listed("dialling"):
            continue
        counted = _is_counted(reading, number)
        if _is_day(reading, number):
            if index.days and number.key not in index.days:
                count("new_day")
        elif index.resembles(number.key, swapped=measured or before in listed("roughly")):
            count("near_number")
        elif not counted and index.counts(noun_after(reading, number)):
            count("rival_number")
        elif before in listed("labels"):
            count("label_number")
        elif not (supposes or measured or _is_loose(reading, number, before)):
            count("large_number" if number.value >= LARGE else "new_count")
    for day in reading.passage.values.dates:
        if day.day and reading.claims(day.first) and not supposes and not index.has_number(str(day.day)):
            count("near_number" if index.resembles(str(day.day)) else "new_day")
    if any(key.isdigit() and int(key) in HISTORY and is_new(key, index) for key in reading.numbers):
        found["worldly"] = 1
    for word, digits in _joined_numbers(reading):
        if word not in index.names and index.resembles(digits):
            count("near_number")
    new_months = reading.months and not any(map(index.has_month, reading.months))
    if new_months and _is_told_with(reading, index, "months"):
        count("rival_month")
    if reading.weekdays and not reading.weekdays.keys() & index.weekdays and _is_told_with(reading, index, "weekdays"):
        count("rival_weekday")
    return found


def _joined_numbers(reading: Reading) -> list[tuple[str, str]]:
    """Tokens of letters and digits ("R540", "PR116") outside quotation marks, each with its digits."""
    joined = []
    for place, word in enumerate(reading.words):
        if word[-1].isdigit() and not word[0].isdigit():
            digits = word.lstrip(ascii_lowercase)
            if digits.isdigit() and reading.claims(place):
                joined.append((word, digits))
    return joined


def _is_day(reading: Reading, number: Number) -> bool:
    """Whether an ordinal is a day of a month: "on the twelfth", but not "on the third floor"."""
    words = reading.words
    if not number.ordinal or number.first < 2 or words[number.first - 1] != "the" or number.value > LAST_DAY:
        return False
    follows = number.last < len(words) and number.last in reading.stems
    return words[number.first - 2] in listed("day_words") and not follows


def is_new(key: str, index: Index) -> bool:
    """Whether a number is held nowhere, and no two held numbers give it (or it has the digits of a held one)."""
    return not index.has_number(key) and (not index.derives(key) or index.resembles(key))


def _is_counted(reading: Reading, number: Number) -> bool:
    """Whether a number counts something that recipes, exercises and lessons count in."""
    if number.last >= len(reading.words):
        return False
    unit = reading.words[number.last]
    return unit in listed("common_units") or stem(unit) in listed_stems("common_units")


def _is_loose(reading: Reading, number: Number, before: str) -> bool:
    """Whether a number is an estimate, a code of the world, or may be a year."""
    whole = number.value.denominator == 1 and reading.words[number.first].isdigit()
    return before in listed("roughly") or before in listed("codes") or (whole and number.value in YEARS)


def _is_told_with(reading: Reading, index: Index, kind: str) -> bool:
    """Whether an item of the evidence that shares a word with the sentence names months, or weekdays, of its own."""
    return any(
        getattr(index.items[at].reading, kind)
        for word, place in reading.content.items()
        if word not in light() and reading.claims(place)
        for at in index.places(word)
    )
