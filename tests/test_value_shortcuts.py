"""What is ruled out early changes nothing: dates, clock times and numbers are the same as if every rule were asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

import pytest

from edgegate.guard.evidence_index import Index, collect
from edgegate.guard.reading import read
from edgegate.language import clocks, dates, lexicon, numbers
from edgegate.language.names import names
from edgegate.language.text import tokenise
from edgegate.records import Evidence

NOW = date(2026, 3, 14)
NUMERALS = ("number_words", "ordinal_words", "fraction_words", "one_words", "number_scales", "group_words", "and_words")
OTHERS = """the user people likes 's year's week's friday's 3 5th 12 31 2019 1990s 20240101 2.5 9:30 14.20 4pm 7p 0 45
98 1,000 18k ) ( . , - / ' $ of in on at a an one to and ’ ½ noonish elevenish"""


def words_in(table: Any) -> Iterator[str]:
    """Every word that stands in a table, as key or as value."""
    if isinstance(table, str):
        yield from tokenise(table).words
    elif isinstance(table, dict):
        yield from words_in(list(table))
        yield from words_in(list(table.values()))
    elif isinstance(table, Iterable):
        for each in table:
            yield from words_in(each)


SECONDS = sorted({*words_in(lexicon.table("dates")), *words_in([lexicon.table(name) for name in NUMERALS])})
TAILS = ("of may", "ago", "the morning", ". m .")


@pytest.mark.parametrize("opening", ["a", "in 2019", "3rd", "in two", "half", "9", "9 and"])
def test_dates_clock_times_and_numbers_are_those_that_the_rules_alone_would_find(
    opening: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"{opening} {second} {tail}".split() for second in (*SECONDS, *OTHERS.split()) for tail in TAILS]
    found = [(dates.dates(words, NOW), clocks.clocks(words), numbers.number_at(words, 0)) for words in texts]
    monkeypatch.setattr(dates, "_may_begin", lambda words, here: True)
    monkeypatch.setattr(dates, "_needs", lambda: ())
    monkeypatch.setattr(clocks, "_may_begin", lambda words, here: True)
    monkeypatch.setattr(numbers, "_is_plain", lambda words, here: False)
    for words, early in zip(texts, found, strict=True):
        assert (dates.dates(words, NOW), clocks.clocks(words), numbers._phrase(words, 0)) == early, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a year's rent", []),
        ("a couple of days ago", [(0, 5)]),
        ("the ' 90s", [(0, 3)]),
        ("9 and the 10th of june", [(0, 1), (2, 6)]),
        ("ida , 19 , sings", []),
        ("5 and 6 may", [(0, 1), (2, 4)]),
        ("in a year's time", [(0, 4)]),
        ("the 2nd half of may", [(0, 5)]),
        ("three (", []),
        ("a bed", []),
    ],
)
def test_what_follows_tells_whether_a_date_begins(text: str, found: list[tuple[int, int]]) -> None:
    assert [(each.first, each.last) for each in dates.dates(text.split(), NOW)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Rosa sings", ["rosa"]),
        ("Rosa and the bakery", ["rosa"]),
        ("rosa sings", []),
        ("The bakery", []),
        ("Rosa's bakery", ["rosa"]),
        ("Élodie sings", ["élodie"]),
        ("ﬁgs from Ulm", ["ulm"]),
        ("“Rosa” sings", ["rosa"]),
        ("Rosa Meier sings", ["rosa meier"]),
        ("ROSA SINGS", []),
        ("", []),
    ],
)
def test_names_where_only_the_first_letter_is_a_capital_and_elsewhere(text: str, found: list[str]) -> None:
    assert [name.key for name in names(tokenise(text))] == found


@pytest.mark.parametrize("opening", ["a", "in 2019", "3rd", "in two", "half", "the", "Sunday's", "next"])
def test_what_no_word_can_name_is_not_read_and_would_not_be_found(opening: str) -> None:
    for second in (*SECONDS, *OTHERS.split()):
        for tail in TAILS:
            reading = read(f"{opening} {second} {tail}", NOW)
            assert (reading.numbers, reading.months, reading.weekdays) == reading._valued, reading.words
            assert reading.clocks == reading.passage.values.clocks, reading.words


def test_a_number_or_month_is_held_however_it_is_spelt_and_whatever_was_asked_before() -> None:
    held = [
        "Has a dozen hens",
        "Moved on 4 May 2019",
        "Came third",
        "In mar. they ski",
        "Half of it is sold",
        "Rows at 9:30",
    ]
    for key in [*map(str, range(40)), "1/2", "2019", "2020", "4th", ""]:
        index = Index(collect(Evidence(memories=held), ["memories"]))
        first = index.has_number(key)
        assert first == (key in index.numbers) == index.has_number(key), key
    for month in range(1, 13):
        index = Index(collect(Evidence(memories=held), ["memories"]))
        assert index.has_month(month) == (month in index.months), month
