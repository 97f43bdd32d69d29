"""Numbers and dates that the evidence does not have, weighed by what they can be.

An amount that the evidence adds up to is no invention ("five more than at the start of May"), and grams and minutes
belong to recipes. A number that differs from a held one by a digit, a day of the month that is held nowhere, and a
month in place of another one are what invented memories are made of.
"""

from __future__ import annotations

from edgegate.guard.evidence_index import Index
from edgegate.guard.reading import Reading, light
from edgegate.guard.strangers import listed, listed_stems
from edgegate.language.align import stem
from edgegate.language.values import Number

LARGE = 100
YEARS = range(1000, 2101)  # four digits of this size are a year as often as an amount


def amounts(reading: Reading, index: Index) -> dict[str, int]:
    """The signs of numbers and dates in a sentence, each with how often it stands there.

    `near_number`: a held number with other digits. `label_number`: which page, plot or invoice, held nowhere.
    `large_number`: held nowhere, and counted in nothing that recipes count in. `new_day`: a day of a month that is
    held nowhere. `rival_month`: a month in place of another one.
    """
    found: dict[str, int] = {}

    def count(name: str) -> None:
        found[name] = found.get(name, 0) + 1

    supposes = bool(reading.cues("suggestion"))
    for number in reading.passage.values.numbers:
        if number.weak or not reading.claims(number.first) or not is_new(number.key, index):
            continue
        before = reading.words[number.first - 1] if number.first else ""
        if before in listed("dialling"):
            continue
        counted = _is_counted(reading, number)
        if index.resembles(number.key, swapped=counted):
            count("near_number")
        elif before in listed("labels"):
            count("label_number")
        elif number.value >= LARGE and not (supposes or counted or _is_loose(reading, number, before)):
            count("large_number")
    for day in reading.passage.values.dates:
        if day.day and reading.claims(day.first) and str(day.day) not in index.numbers and not supposes:
            count("near_number" if index.resembles(str(day.day)) else "new_day")
    if _has_rival_month(reading, index):
        count("rival_month")
    return found


def is_new(key: str, index: Index) -> bool:
    """Whether a number is held nowhere, and no two held numbers give it (or it has the digits of a held one)."""
    return key not in index.numbers and (key not in index.derived or index.resembles(key))


def _is_counted(reading: Reading, number: Number) -> bool:
    """Whether a number counts something that recipes, exercises and lessons count in."""
    if number.last >= len(reading.words):
        return False
    unit = reading.words[number.last]
    return unit in listed("common_units") or stem(unit) in listed_stems("common_units")


def _is_loose(reading: Reading, number: Number, before: str) -> bool:
    """Whether a number is an estimate, or may be a year."""
    whole = number.value.denominator == 1 and reading.words[number.first].isdigit()
    return before in listed("roughly") or (whole and number.value in YEARS)


def _has_rival_month(reading: Reading, index: Index) -> bool:
    """Whether the sentence names months that are held nowhere, where an item of what it speaks of names others."""
    if not reading.months or reading.months.keys() & index.months:
        return False
    return any(
        index.items[at].reading.months
        for word, place in reading.content.items()
        if word not in light() and reading.claims(place)
        for at in index.places(word)
    )
