"""Days and stretches of days as numbers: what a date may mean, and whether two of them can be one.

Source: ISO 8601 for weeks that begin on Monday; TIMEX3 (ISO-TimeML) for grains.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any

from edgegate.language import lexicon

Span = tuple[int, int]

FAR = 4000  # units; "in a million years" is a figure of speech, not a date


@dataclass(frozen=True, slots=True)
class Date:
    """A date or stretch of days: token range (end exclusive), and what it may mean.

    `spans` are all readings as pairs of day numbers (`datetime.date.toordinal`, both inclusive); empty where `now` is
    needed and unknown. `year`, `month`, `day`, `weekday` (Monday is 0) are what the words themselves fix. `slack` is
    how many days off the words may be ("two weeks ago"). `relative` is true when the words need `now`. `recurring`
    marks "Mondays". `grain` is day, week, weekend, month, quarter, season, year, decade, century or term.
    """

    first: int
    last: int
    grain: str
    spans: tuple[Span, ...] = ()
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    slack: int = 0
    relative: bool = False
    recurring: bool = False


@cache
def date_table(name: str) -> dict[str, Any]:
    return dict(lexicon.table("dates")[name])


@cache
def date_words(name: str) -> frozenset[str]:
    return frozenset(lexicon.table("dates")[name])


@cache
def function_words() -> frozenset[str]:
    return frozenset(lexicon.table("function_words"))


def month_span(year: int, month: int) -> Span:
    start = date(year, month, 1)
    following = date(year + month // 12, month % 12 + 1, 1)
    return start.toordinal(), following.toordinal() - 1


def year_span(year: int) -> Span:
    return date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal()


def add_months(day: date, months: int) -> date | None:
    number = day.year * 12 + day.month - 1 + months
    year, month = divmod(number, 12)
    if not 1 <= year <= 9998:
        return None
    length = month_span(year, month + 1)
    return date(year, month + 1, min(day.day, length[1] - length[0] + 1))


def day_span(year: int, month: int, day: int) -> Span | None:
    try:
        number = date(year, month, day).toordinal()
    except ValueError:
        return None
    return number, number


def shift(day: date, grain: str, steps: int) -> date | None:
    if abs(steps) > FAR:
        return None
    sizes = date_table("grain_days")
    try:
        if grain in sizes:
            return day + timedelta(days=steps * int(sizes[grain]))
        return add_months(day, steps * int(date_table("grain_months")[grain]))
    except OverflowError:
        return None


def around(day: date, grain: str, steps: int) -> Span | None:
    """The week, weekend, month or year `steps` away from the one that holds `day`."""
    moved = shift(day, grain, steps)
    if moved is None:
        return None
    if grain == "day":
        return moved.toordinal(), moved.toordinal()
    if grain in date_table("grain_days"):
        monday = moved.toordinal() - moved.weekday()
        return (monday + 5, monday + 6) if grain == "weekend" else (monday, monday + 6)
    if grain == "month":
        return month_span(moved.year, moved.month)
    if grain == "quarter":
        begin = (moved.month - 1) // 3 * 3 + 1
        return month_span(moved.year, begin)[0], month_span(moved.year, begin + 2)[1]
    if grain == "decade":
        begin = moved.year // 10 * 10
        return year_span(begin)[0], year_span(begin + 9)[1]
    return year_span(moved.year)


def relate(one: Date, other: Date) -> str:
    """How two dates stand: "same", "within" (one holds the other), "apart", or "unknown".

    >>> from edgegate.language.dates import dates
    >>> a, b = dates(["friday"], date(2026, 3, 4))[0], dates("6 march 2026".split())[0]
    >>> relate(a, b), relate(a, dates("7 march 2026".split())[0])
    ('same', 'apart')
    """
    if one.recurring or other.recurring:
        if one.weekday is None or other.weekday is None:
            return "unknown"
        return "same" if one.weekday == other.weekday else "apart"
    if one.spans and other.spans:
        slack = one.slack + other.slack
        for start, end in one.spans:
            for begin, stop in other.spans:
                if (start, end) == (begin, stop):
                    return "same"
        for start, end in one.spans:
            for begin, stop in other.spans:
                if start <= stop + slack and begin <= end + slack:
                    return "within"
        return "apart"
    shared = [
        (mine, theirs)
        for mine, theirs in (
            (one.year, other.year),
            (one.month, other.month),
            (one.day, other.day),
            (_weekday(one), _weekday(other)),
        )
        if mine is not None and theirs is not None
    ]
    if not shared:
        return "unknown"
    return "same" if all(mine == theirs for mine, theirs in shared) else "apart"


def _weekday(found: Date) -> int | None:
    if found.weekday is not None:
        return found.weekday
    if len(found.spans) == 1 and found.spans[0][0] == found.spans[0][1]:
        return date.fromordinal(found.spans[0][0]).weekday()
    return None
