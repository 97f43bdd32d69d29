"""Numbers, quantities, dates, clock times and names as comparable values."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgegate.errors import DataError
from edgegate.language import lexicon
from edgegate.language import values as values_module
from edgegate.language.text import tokenise
from edgegate.language.values import (
    Quantity,
    Values,
    may_hold_value,
    read_now,
    relate,
    relate_quantities,
    values,
)

NOW = "2026-05-04"  # a Monday


def read(text: str, now: str | None = NOW) -> Values:
    return values(tokenise(text), now)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two and a half miles", Fraction(5, 2)),
        ("2,500 steps", Fraction(2500)),
        ("a hundred and five stamps", Fraction(105)),
        ("nine grand", Fraction(9000)),
        ("18k", Fraction(18000)),
        ("1.2 million", Fraction(1200000)),
        ("twenty-one candles", Fraction(21)),
        ("half a million", Fraction(500000)),
        ("two dozen eggs", Fraction(24)),
        ("a couple of eggs", Fraction(2)),
        ("three quarters", Fraction(3, 4)),
        ("two hundred fifty", Fraction(250)),
        ("a million two hundred thousand", Fraction(1200000)),
        ("zero stars", Fraction(0)),
        ("the 4th floor", Fraction(4)),
        ("twenty-third place", Fraction(23)),
        ("3,5 points", Fraction(7, 2)),
    ],
)
def test_numbers_in_digits_and_words(text: str, value: Fraction) -> None:
    assert value in {number.value for number in read(text).numbers}


@pytest.mark.parametrize("text", ["9:30", "no numbers here", "1.2.3.4", "twenty past"])
def test_no_number_where_none_is(text: str) -> None:
    assert {number.value for number in read(text).numbers} <= {Fraction(20)}


EQUAL = [
    ("1 hour and 30 minutes", "90 minutes"),
    ("2 hours 15 minutes", "2.25 hours"),
    ("one hour and a half", "90 minutes"),
    ("an hour and a half", "90 min"),
    ("3h", "180 minutes"),
    ("4,200 grams", "4.2 kg"),
    ("1,500 metres", "1.5 km"),
    ("60 percent", "60%"),
    ("14 days", "two weeks"),
    ("a fortnight", "2 weeks"),
    ("600 francs", "600 CHF"),
    ("€1.2m", "1.2 million euros"),
    ("$40k", "40,000 dollars"),
    ("half an hour", "30 minutes"),
    ("75 micrograms", "0.075 mg"),
    ("22 miles", "35.4 km"),
    ("three quid", "£3"),
]
OTHER_UNIT = [
    ("22 miles", "22 km"),
    ("600 francs", "600 euros"),
    ("450 a fortnight", "450 a month"),
    ("75 micrograms", "75 milligrams"),
    ("12 an hour", "12 a day"),
    ("20 ECTS", "20 contact hours"),
    ("two percentage points", "two percent"),
]
OTHER_VALUE = [("5 kg", "6 kg"), ("€30", "€40"), ("three weeks", "three and a half weeks")]


def quantity(text: str) -> Quantity:
    found = read(text).quantities
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [(*pair, "same") for pair in EQUAL]
    + [(*pair, "unit") for pair in OTHER_UNIT]
    + [(*pair, "value") for pair in OTHER_VALUE]
    + [("5 kg", "20 minutes", "unknown")],
)
def test_quantities(one: str, other: str, relation: str) -> None:
    assert relate_quantities(quantity(one), quantity(other)) == relation
    assert relate_quantities(quantity(other), quantity(one)) == relation


def days(text: str, now: str | None = NOW) -> list[str]:
    found = read(text, now).dates
    assert len(found) == 1, found
    return ["..".join(dict.fromkeys(date.fromordinal(day).isoformat() for day in span)) for span in found[0].spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("today", ["2026-05-04"]),
        ("yesterday", ["2026-05-03"]),
        ("the day before yesterday", ["2026-05-02"]),
        ("the day after tomorrow", ["2026-05-06"]),
        ("a week from tomorrow", ["2026-05-12"]),
        ("tomorrow week", ["2026-05-12"]),
        ("Monday week", ["2026-05-18"]),
        ("on Saturday", ["2026-05-02", "2026-05-09"]),
        ("last Friday", ["2026-05-01"]),
        ("next Friday", ["2026-05-08", "2026-05-15"]),
        ("three weeks ago", ["2026-04-13"]),
        ("in two months", ["2026-07-04"]),
        ("a couple of days ago", ["2026-05-02"]),
        ("last week", ["2026-04-27..2026-05-03"]),
        ("next month", ["2026-06-01..2026-06-30"]),
        ("the week before last", ["2026-04-20..2026-04-26"]),
        ("the evening before last", ["2026-05-02"]),
        ("5 May 2026", ["2026-05-05"]),
        ("May 5th, 2026", ["2026-05-05"]),
        ("the 5th of May 2026", ["2026-05-05"]),
        ("Thursday 16 October 2025", ["2025-10-16"]),
        ("21-22 March 2026", ["2026-03-21..2026-03-22"]),
        ("October 2028", ["2028-10-01..2028-10-31"]),
        ("in 2019", ["2019-01-01..2019-12-31"]),
        ("2026-08-31", ["2026-08-31"]),
        ("31.08.2026", ["2026-08-31"]),
        ("3/4/2026", ["2026-03-04", "2026-04-03"]),
        ("last summer", ["2025-06-01..2025-08-31"]),
        ("29 February 2028", ["2028-02-29"]),
        # in figures
        ("05-Aug-2016", ["2016-08-05"]),
        ("2020/Sep/23", ["2020-09-23"]),
        ("Dec-2018", ["2018-12-01..2018-12-31"]),
        ("2015-3", ["2015-03-01..2015-03-31"]),
        ("20260701", ["2026-07-01"]),
        ("03/18/40", ["1940-03-18"]),
        ("5/12", ["2025-05-12", "2025-12-05", "2026-05-12", "2026-12-05"]),
        ("next Friday 5/12", ["2026-05-12", "2026-12-05"]),
        # by name
        ("April of 87", ["1987-04-01..1987-04-30"]),
        ("class of '98", ["1998-01-01..1998-12-31"]),
        ("October two thousand and five", ["2005-10-01..2005-10-31"]),
        ("born in nineteen eighty six", ["1986-01-01..1986-12-31"]),
        ("since 2019.", ["2019-01-01..2019-12-31"]),
        ("the 23rd day of September 2026", ["2026-09-23"]),
        ("April 9th through 17th, 2026", ["2026-04-09..2026-04-17"]),
        ("between the ninth and the seventeenth of April 2026", ["2026-04-09..2026-04-17"]),
        ("Sunday 31", ["2025-08-31", "2026-05-31"]),
        ("Friday the 13th", ["2026-03-13", "2026-11-13"]),
        ("for $12 December 27, 2025", ["2025-12-27"]),
        # holidays
        ("Easter 2018", ["2018-04-01"]),
        ("Good Friday 2018", ["2018-03-30"]),
        ("Black Friday 2010", ["2010-11-26"]),
        ("last Easter", ["2025-04-20", "2026-04-05"]),
        ("St. Patrick's Day 2027", ["2027-03-17"]),
        ("New Year's Eve 2025", ["2025-12-31"]),
        # counted
        ("Monday of last week", ["2026-04-27"]),
        ("Tuesday next week", ["2026-05-12"]),
        ("the next 4 business days", ["2026-05-05..2026-05-08"]),
        ("the 3 next weeks", ["2026-05-05..2026-05-25"]),
        ("in two weeks' time", ["2026-05-18"]),
        ("two days before yesterday", ["2026-05-01"]),
        ("this calendar year", ["2026-01-01..2026-12-31"]),
        # stretches
        ("Q1 2017", ["2017-01-01..2017-03-31"]),
        ("2019 H2", ["2019-07-01..2019-12-31"]),
        ("next quarter", ["2026-07-01..2026-09-30"]),
        ("the past two quarters", ["2025-10-01..2026-03-31"]),
        ("next year's first quarter", ["2027-01-01..2027-03-31"]),
        ("week 31", ["2026-07-27..2026-08-02"]),
        ("the week of 2 March 2026", ["2026-03-02..2026-03-08"]),
        ("2 weeks starting May 20th, 2026", ["2026-05-20..2026-06-02"]),
        ("the first week of 2015", ["2014-12-29..2015-01-04"]),
        ("the last four months of 2021", ["2021-09-01..2021-12-31"]),
        ("the first ten days of last year", ["2025-01-01..2025-01-10"]),
        ("the third month of 2021", ["2021-03-01..2021-03-31"]),
        ("the first half of May 2026", ["2026-05-01..2026-05-15"]),
        ("the fourth of the month", ["2026-05-04"]),
        ("the 15th day of next month", ["2026-06-15"]),
        ("mid-March 2026", ["2026-03-11..2026-03-20"]),
        ("the end of next month", ["2026-06-21..2026-06-30"]),
        ("early next week", ["2026-05-11..2026-05-13"]),
        ("mid 1989", ["1989-05-01..1989-08-31"]),
        ("earlier this year", ["2026-01-01..2026-05-03"]),
        ("the next decade", ["2030-01-01..2039-12-31"]),
        ("in the '90s", ["1990-01-01..1999-12-31"]),
        ("the nineties", ["1990-01-01..1999-12-31"]),
        ("the 21st century", ["2000-01-01..2099-12-31"]),
    ],
)
def test_dates(text: str, expected: list[str]) -> None:
    assert days(text) == expected


def test_a_fixed_holiday_has_its_day_without_now_and_a_movable_one_has_none() -> None:
    assert [(each.month, each.day, each.spans) for each in read("at Christmas", None).dates] == [(12, 25, ())]
    assert [(each.month, each.day, each.spans) for each in read("at Easter", None).dates] == [(None, None, ())]
    easter = read("at Easter 2019", None).dates[0]
    assert [date.fromordinal(day) for day in easter.spans[0]] == [date(2019, 4, 21)] * 2


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("from November to February 2017", "2016-11-01..2016-11-30", "2017-02-01..2017-02-28"),
        ("Nov 18-Dec 19, 2015", "2015-11-18", "2015-12-19"),
        ("from May to October 2020", "2020-05-01..2020-05-31", "2020-10-01..2020-10-31"),
        ("between now and 6 June 2026", "2026-05-04", "2026-06-06"),
        ("between August 2019 and now", "2019-08-01..2019-08-31", "2026-05-04"),
        ("18 and 19 June 2026", "2026-06-18", "2026-06-19"),
    ],
)
def test_both_ends_of_a_range(text: str, first: str, second: str) -> None:
    found = read(text).dates
    ends = [{date.fromordinal(day).isoformat() for day in each.spans[0]} for each in found]
    assert ends == [set(first.split("..")), set(second.split(".."))]


@pytest.mark.parametrize(
    "text",
    [
        "I may one day move",
        "week 3 of the course",
        "the end of the day",
        "in my twenties",
        "the first half",
        "the middle of nowhere",
        "the last time",
        "now and then",
        "it will last two weeks",
        "add 1/2 cup of flour",
        "two thousand and twenty cases",
        "a score of 2-1",
        "it costs 7p",
        "working on 3.5 projects",
    ],
)
def test_no_date_at_all_where_none_is(text: str) -> None:
    assert read(text).dates == ()


@pytest.mark.parametrize(
    "text",
    [
        "I may go",
        "we march on",
        "room 2019",
        "spring into action",
        "31 February 2026",
        "the second time",
        "in a million years",
    ],
)
def test_no_date_where_none_is(text: str) -> None:
    assert not [found for found in read(text).dates if found.spans]


@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [
        ("yesterday", "3 May 2026", "same"),
        ("yesterday", "4 May 2026", "apart"),
        ("on Friday", "1 May 2026", "same"),
        ("on Friday", "2 May 2026", "apart"),
        ("in May", "3 May 2026", "within"),
        ("three weeks ago", "14 April 2026", "within"),
        ("on Mondays", "on Tuesdays", "apart"),
        ("on Mondays", "every Monday", "same"),
        ("9 August", "8 September", "apart"),
        ("this semester", "5 May 2026", "unknown"),
    ],
)
def test_how_dates_relate(one: str, other: str, relation: str) -> None:
    assert relate(read(one).dates[0], read(other).dates[0]) == relation


def test_dates_without_now_are_found_but_not_placed() -> None:
    found = read("we left yesterday and come back on 5 May", None).dates
    assert [(each.relative, each.spans, each.month, each.day) for each in found] == [
        (True, (), None, None),
        (True, (), 5, 5),
    ]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("9:30", (570, 1290)),
        ("14:20", (860,)),
        ("4pm", (960,)),
        ("9 a.m. sharp", (540,)),
        ("half past six", (390, 1110)),
        ("quarter to five", (285, 1005)),
        ("at four", (240, 960)),
        ("at noon", (720,)),
        ("12 am", (0,)),
        ("20 min past eight in the evening", (1220,)),
        ("ten past six", (370, 1090)),
        ("five minutes to nine", (535, 1255)),
        ("8 in the morning", (480,)),
        ("quarter past three in the afternoon", (915,)),
        ("11ish", (660, 1380)),
        ("noonish", (720,)),
        ("mid night", (0,)),
        ("back at 7p", (1140,)),
        ("9:00a", (540,)),
    ],
)
def test_clock_times(text: str, minutes: tuple[int, ...]) -> None:
    assert [clock.minutes for clock in read(text).clocks] == [minutes]


@pytest.mark.parametrize(
    "text",
    ["at four people", "about 85 a head", "version 9.30", "five to ten people", "it costs 7p", "20 past winners"],
)
def test_no_clock_time_where_none_is(text: str) -> None:
    assert read(text).clocks == ()


def test_names() -> None:
    found = read("Yesterday we met Dr. Lena Hofer and Jonas's dad in New York. Delivery was late on Monday.").names
    assert [(name.key, name.sure) for name in found] == [
        ("lena hofer", True),
        ("jonas", True),
        ("new york", True),
        ("delivery", False),
    ]


@pytest.mark.parametrize(
    ("now", "day"),
    [
        ("2026-03-14", date(2026, 3, 14)),
        ("2026-03-14T09:00:00+01:00", date(2026, 3, 14)),
        ("2026-03-14T09:00:00Z", date(2026, 3, 14)),
        ("3:31 pm on 23 August, 2023", date(2023, 8, 23)),
    ],
)
def test_now(now: str, day: date) -> None:
    assert read_now(now) == day


@pytest.mark.parametrize("now", ["", "soon", "yesterday", "13/13/13", 5])
def test_a_now_that_is_no_date_is_a_data_error(now: object) -> None:
    with pytest.raises(DataError, match="ISO date"):
        read_now(now)  # type: ignore[arg-type]


WORDS = st.sampled_from(
    [
        *("a", "an", "and", "the", "of", "in", "on", "at", "to", "last", "next", "this", "week", "weeks", "day", "may"),
        *("march", "5", "31", "2026", "12:30", "3.5", "half", "two", "hundred", "million", "thousand", "twenty", "-"),
        *("first", "/", ".", ":", "$", "%", "km", "ago", "before", "after", "yesterday", "monday", "weekend", "past"),
        *("one", "couple", "Marta", "'s"),
    ]
)


@given(st.lists(WORDS, max_size=30))
def test_values_lie_inside_the_text_and_never_overlap_within_a_kind(words: list[str]) -> None:
    tokens = tokenise(" ".join(words))
    found = values(tokens, NOW)
    for kind in (found.numbers, found.quantities, found.dates, found.clocks, found.names):
        last = 0
        for value in kind:
            assert last <= value.first < value.last <= len(tokens)
            last = value.last


def _ruled_out() -> list[str]:
    """Every word of the tables of values, and every function word, that no value needs."""
    known = set(lexicon.table("function_words"))

    def add(table: object) -> None:
        if isinstance(table, str):
            known.update(table.split())
        elif isinstance(table, dict | list | tuple):
            for each in table:
                add(each)
                add(table[each] if isinstance(table, dict) else "")

    for name in ("dates", "units", "number_words", "number_scales", "ordinal_words", "fraction_words", "per_adverbs"):
        add(lexicon.table(name))
    return sorted(word for word in known if tokenise(word).words == [word] and not may_hold_value([word]))


def test_no_value_is_made_of_words_that_are_ruled_out(monkeypatch: pytest.MonkeyPatch) -> None:
    words = _ruled_out()
    texts = [
        f"{opener} {word} of the {word}" for opener in ("a", "an", "the", "this", "at", "in", "all") for word in words
    ]
    texts += [f"{word} {other}" for word in words for other in words[:: len(words) // 12]]
    monkeypatch.setattr(values_module, "may_hold_value", lambda words: True)
    for text in texts:
        found = read(text)
        assert (found.numbers, found.quantities, found.dates, found.clocks) == ((), (), (), ()), text


@given(st.text(max_size=200))
def test_values_never_raise_on_text(text: str) -> None:
    values(tokenise(text), NOW)
