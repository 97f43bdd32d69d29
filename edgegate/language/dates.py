"""Dates and clock times in running text, absolute and relative, as every day they may mean.

A phrase can mean several days ("Friday" is the last one or the next one), so a `Date` holds all readings, and two dates
contradict only when no reading of one meets a reading of the other. `now` comes in as data; without it a relative
date is still found, only not placed.

Sources: Quirk et al. 1985, 8.51-8.81 (time adverbials); TIMEX3 (ISO-TimeML) for what counts as one expression;
ISO 8601 for numeric dates. The words stand in `data/en/values.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import cache

from edgegate.errors import DataError
from edgegate.language import lexicon
from edgegate.language.date_parts import time_units
from edgegate.language.date_periods import Periods
from edgegate.language.days import Date, date_words
from edgegate.language.numbers import Words, going_on, starters


def read_now(now: str | None, where: str = "now") -> date | None:
    """The day of `now`: an ISO date or date-time, or any absolute date in words ("3 pm on 23 August, 2023").

    None stays None. Anything else raises DataError.

    >>> read_now("2026-03-14T09:00:00+01:00")
    datetime.date(2026, 3, 14)
    """
    if now is None:
        return None
    if not isinstance(now, str):
        raise DataError(f"expected an ISO date or date-time, not {type(now).__name__}", where=where)
    try:
        return datetime.fromisoformat(now.strip()).date()
    except ValueError:
        pass
    from edgegate.language.text import tokenise  # a spoken date needs the tokeniser; an ISO one does not

    for found in dates(tokenise(now[:200]).words):
        if found.grain == "day" and len(found.spans) == 1:
            return date.fromordinal(found.spans[0][0])
    raise DataError("expected an ISO date or date-time such as 2026-03-14T09:00:00+01:00", where=where)


Rule = Callable[[Periods, int], "Date | None"]

_NUMBER = ("0", "number_words", "ordinal_words")
_RULES: tuple[tuple[Rule, tuple[str, ...]], ...] = (
    (Periods.numeric, ("0",)),
    (Periods.joined, ("0", "months")),
    (Periods.named, (*_NUMBER, "articles", "months", "weekdays")),
    (Periods.week_of, (*_NUMBER, "articles", "units")),
    (Periods.offset, (*_NUMBER, "articles", "ahead_openers")),
    (Periods.day_word, ("articles", "day_names", "day_words", "day_parts", "step_words", "units", "weekdays")),
    (Periods.weekday, ("weekdays", "weekday_plurals", "step_words")),
    (Periods.weekday_in_week, ("weekdays", "step_words")),
    (Periods.step, ("step_words",)),
    (Periods.so_far, ("period_sides",)),
    (Periods.working_days, ("step_words",)),
    (Periods.seasonal, ("seasons",)),
    (Periods.holiday, ("holidays", "easter_days", "weekday_holidays")),
    (Periods.weekend, ("articles", "all_words")),
    (Periods.nth_day, ("articles", "on_words")),
    (Periods.quarter, ("0", "quarters")),
    (Periods.numbered_week, ("articles", "calendar_words", "week_words")),
    (Periods.nth_part, ("0", "articles", "ordinal_words", "last_words", "step_words")),
    (Periods.part, ("articles", "period_parts")),
    (Periods.era, ("0", "articles", "ordinal_words", "short_year_marks")),
    (Periods.present, ("now_words", "date_words")),
    (Periods.year, ("0", "number_words", "short_year_marks")),
)
"""Each rule reads one form of date that begins at a token; with it, the tables of words it can begin with ("0" stands
for a figure, "units" for the units of time). The longest reading wins, and of equals the first rule's."""


_NEEDS: tuple[tuple[Rule, tuple[str, ...]], ...] = (
    (Periods.quarter, ("quarters",)),
    (Periods.week_of, ("units",)),
    (Periods.offset, ("units",)),
    (Periods.nth_part, ("of_words", "step_words")),
)
"""Rules that read nothing in a text without a word of these tables: they are asked for often, and seldom in vain."""

_AFTER_NUMBER = (
    *("date_marks", "of_words", "day_names", "months", "range_marks", "list_joints", "units", "step_words"),
    *("half_words", "century_words"),
)
_AFTER_ARTICLE = (
    *("months", "weekdays", "units", "of_words", "step_words", "day_names", "day_parts", "weekend_words"),
    *("calendar_words", "week_words", "last_words", "period_parts", "short_year_marks", "decade_names"),
)
_WHOLE_FIGURES = (4, 8)  # digits of what can be a date by itself: a year, or a day without marks


@cache
def _number_goes_on() -> frozenset[str]:
    """What must stand behind the first token of a number for a date to begin with it (a year in figures apart)."""
    return going_on().union(*(_words_of(name) for name in _AFTER_NUMBER))


@cache
def _article_goes_on() -> frozenset[str]:
    """What must stand behind an article for a date to begin with it, if it is no figure."""
    return going_on().union(*(_words_of(name) for name in _AFTER_ARTICLE))


@cache
def _numerals() -> frozenset[str]:
    """The words that begin a date only as a number does."""
    words = {*_words_of("number_words"), *_words_of("ordinal_words")}
    others = (name for _, names in _RULES for name in names if name not in (*_NUMBER, "articles"))
    return frozenset(words.difference(*(_words_of(name) for name in others)))


def _may_begin(words: Sequence[str], here: int) -> bool:
    """Whether a date may begin at a token, by what follows: most numbers and articles are ruled out here."""
    word = words[here]
    if word in date_words("articles"):
        after = words[here + 1] if here + 1 < len(words) else ""
        return after[:1].isdigit() or _stands_in(after, _article_goes_on())
    if word in _numerals() or (word.isdigit() and len(word) not in _WHOLE_FIGURES):
        if here + 1 >= len(words) or not _stands_in(words[here + 1], _number_goes_on()):
            return False
        if words[here + 1] not in _lists():
            return True
        after = words[here + 2] if here + 2 < len(words) else ""  # "18, 19 June", but "Ida, 19, sings"
        return after[:1].isdigit() or after in starters() or after in date_words("articles")
    return True


@cache
def _lists() -> frozenset[str]:
    """What joins the numbers of two days, and does nothing else behind a number."""
    return (date_words("list_joints") | date_words("range_marks")) - date_words("date_marks")


def _stands_in(word: str, listed: frozenset[str]) -> bool:
    """Whether a word is one of `listed`, or the genitive of one ("a year's rent")."""
    return word in listed or ("'" in word and word.removesuffix("'s").removesuffix("'") in listed)


@cache
def _needs() -> tuple[tuple[Rule, frozenset[str]], ...]:
    """For each rule of `_NEEDS`, the words one of which it needs, in the genitive as well ("two weeks' time")."""
    needs = ((rule, {word for name in names for word in _words_of(name)}) for rule, names in _NEEDS)
    return tuple(
        (rule, frozenset(f"{word}{end}" for word in words for end in ("", "'s", "'"))) for rule, words in needs
    )


@cache
def _rules() -> dict[str, tuple[Rule, ...]]:
    """The rules that may read a date at a word; under "0" those for a figure."""
    found: dict[str, list[Rule]] = {}
    for rule, names in _RULES:
        for word in dict.fromkeys(word for name in names for word in _words_of(name)):
            found.setdefault(word, []).append(rule)
    return {word: tuple(rules) for word, rules in found.items()}


def _words_of(name: str) -> Iterable[str]:
    if name == "0":
        return ("0",)
    if name == "units":
        return time_units()
    table = lexicon.table(name) if name in ("number_words", "ordinal_words") else lexicon.table("dates")[name]
    return [called.split()[0] for called in table]


def dates(words: Sequence[str], now: date | None = None) -> list[Date]:
    """Every date in the tokens `words`, in order, none overlapping; the longest reading at a token wins.

    >>> found = dates("he left the day before yesterday".split(), date(2026, 3, 1))
    >>> [(d.first, d.last, date.fromordinal(d.spans[0][0]).isoformat()) for d in found]
    [(2, 6, '2026-02-27')]
    """
    words, rules = Words.of(words), _rules()
    begins = [
        here
        for here, figure in enumerate(words.figures)
        if (figure or words[here] in rules) and _may_begin(words, here)
    ]
    if not begins:
        return []
    reader = Periods(words, now)
    found: list[Date] = []
    idle = [rule for rule, needed in _needs() if needed.isdisjoint(words)]
    upto = 0
    for here in begins:
        if here < upto:
            continue
        best: Date | None = None
        for rule in rules["0" if words.figures[here] else words[here]]:
            read = None if rule in idle else rule(reader, here)
            if read is not None and (best is None or read.last > best.last):
                best = read
        if best is not None:
            found.append(best)
            upto = best.last
    return _with_shared_years(reader, found) if len(found) > 1 else found


def _with_shared_years(reader: Periods, found: list[Date]) -> list[Date]:
    """ "from November to February 2017": the first end of a range has the year of the second, or the one before."""
    for place in range(len(found) - 2, -1, -1):
        one, other = found[place], found[place + 1]
        if (
            one.year is not None
            or one.month is None
            or other.year is None
            or other.month is None
            or one.weekday is not None
        ):
            continue
        between = [word for word in reader.words[one.last : other.first] if word not in date_words("articles")]
        if len(between) == 1 and between[0] in date_words("range_joints"):
            year = other.year - ((one.month, one.day or 1) > (other.month, other.day or 31))
            placed = reader.month_day(one.first, one.last, year, one.month, one.day)
            if one.grain == placed.grain:
                found[place] = replace(placed, year=year)
    return found
