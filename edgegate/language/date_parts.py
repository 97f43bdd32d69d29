"""The parts of a date in running text, and where they place it on the calendar. `dates` reads whole dates with them.

Source: Quirk et al. 1985, 8.51-8.81 (time adverbials); the words stand in `data/en/values.toml`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cache

from edgegate.language.days import (
    Date,
    Span,
    add_months,
    around,
    date_table,
    date_words,
    day_span,
    function_words,
    month_span,
    shift,
)
from edgegate.language.numbers import number_at

YEARS = range(1900, 2101)
"""Four digits are a year only in here."""


@cache
def time_units() -> dict[str, str]:
    """Every surface form of a unit of time, to its grain."""
    units: dict[str, str] = {}
    for unit, grain in date_table("date_units").items():
        units[unit] = units[f"{unit}s"] = grain
    return units


class Parts:
    """Reads parts of dates from a list of words; `now` places relative ones."""

    coming = "coming"
    """The step word for the nearest day ahead."""

    def __init__(self, words: Sequence[str], now: date | None) -> None:
        self.words = words
        self.now = now

    def word(self, place: int) -> str:
        return self.words[place] if 0 <= place < len(self.words) else ""

    def day_number(self, at: int) -> tuple[int, int, bool] | None:
        """A day of a month at `at`: the day, the next token, and whether it is an ordinal ("5th")."""
        number = number_at(self.words, at)
        if number is None or number.value.denominator != 1 or not 1 <= number.value <= 31:
            return None
        return int(number.value), number.last, number.ordinal

    def year_at(self, at: int) -> int | None:
        word = self.word(at)
        return int(word) if len(word) == 4 and word.isascii() and word.isdigit() and int(word) in YEARS else None

    def spoken_year(self, at: int) -> tuple[int, int] | None:
        """A year in words at `at`, and the next token: "two thousand and five", "nineteen eighty six"."""
        first = number_at(self.words, at)
        if first is None or first.ordinal or self.word(at)[:1].isdigit() or first.value.denominator != 1:
            return None
        value = int(first.value)
        if value in YEARS:
            return value, first.last
        if value not in (18, 19, 20):
            return None
        rest = number_at(self.words, first.last)
        if rest is None or rest.ordinal or self.word(first.last)[:1].isdigit() or not 10 <= rest.value <= 99:
            return None
        year = int(value * 100 + rest.value)
        return (year, rest.last) if year in YEARS else None

    def whole_year(self, short: int) -> int:
        """The year that two figures mean: not more than ten years ahead."""
        ahead = 2050 if self.now is None else self.now.year + 10
        return 2000 + short if 2000 + short <= ahead else 1900 + short

    def month_at(self, at: int) -> int | None:
        """The month named at `at`; "may" and "march" only where a date is plain from their neighbours."""
        word = self.word(at)
        month = date_table("months").get(word)
        if month is None:
            return None
        if word in date_words("spoken_months"):
            before, after = self.word(at - 1), self.word(at + 1)
            if not (before in date_words("month_openers") or before[:1].isdigit() or after[:1].isdigit()):
                before_day = number_at(self.words, at - 1)
                if (before_day is None or not before_day.ordinal) and not self._is_dated(at):
                    return None
        return int(month)

    def _is_dated(self, at: int) -> bool:
        """Whether what follows "may" or "march" makes it a month: a day in words, or a range that ends in a month."""
        following = self.word(at + 2)
        if self.word(at + 1) in date_words("range_joints") and following in date_table("months"):
            return True
        if self.word(at + 1) in date_words("short_year_marks") and following.isdigit() and len(following) == 2:
            return True
        day = number_at(self.words, at + 1)
        if day is None or day.weak or day.value.denominator != 1 or not 1 <= day.value <= 31:
            return False
        after = self.word(day.last)
        return not after or after in date_words("year_ends") or after in function_words()

    def skip_year(self, at: int) -> tuple[int | None, int]:
        """A year at `at`, with an optional comma or "of" before it: the year and the next token."""
        ahead = 1 if self.word(at) in date_words("year_joints") else 0
        year = self.year_at(at + ahead)
        if year is not None:
            return year, at + ahead + 1
        short = self.word(at + 1)
        if self.word(at) in date_words("short_year_marks") and len(short) == 2 and short.isascii() and short.isdigit():
            return self.whole_year(int(short)), at + 2
        return self.spoken_year(at + ahead) or (None, at)

    def weekday_at(self, at: int) -> int | None:
        day = date_table("weekdays").get(self.word(at))
        return None if day is None else int(day)

    def month_day(self, first: int, last: int, year: int | None, month: int, day: int | None) -> Date:
        if year is not None:
            years: tuple[int, ...] = (year,)
        else:
            years = () if self.now is None else (self.now.year - 1, self.now.year, self.now.year + 1)
        spans = []
        for each in years:
            span = month_span(each, month) if day is None else day_span(each, month, day)
            if span is not None:
                spans.append(span)
        grain = "month" if day is None else "day"
        return Date(first, last, grain, tuple(spans), year, month, day, relative=year is None)

    def on_weekday(self, first: int, last: int, weekday: int, step: str) -> Date:
        spans: list[Span] = []
        if self.now is not None:
            today = self.now.toordinal()
            ahead = (weekday - self.now.weekday()) % 7
            coming = today + (ahead or 7)
            gone = today - (7 if ahead == 0 else 7 - ahead)
            monday = today - self.now.weekday()
            direction = date_table("step_words").get(step)
            if direction is None:
                days = [gone, coming] + ([today] if ahead == 0 else [])
            elif direction < 0:
                days = [gone, gone - 7 if gone >= monday else gone]
            elif direction > 0:
                days = [coming, monday + 7 + weekday]
            else:
                days = [monday + weekday, coming] + ([today] if ahead == 0 else [])
            spans = [(day, day) for day in sorted(set(days))]
        return Date(first, last, "day", tuple(spans), weekday=weekday, relative=True)

    def weekday_day(self, first: int, last: int, weekday: int, day: int) -> Date | None:
        """ "Sunday 31": the last day and the next one of this number that fall on the weekday."""
        if self.now is None:
            return Date(first, last, "day", day=day, weekday=weekday, relative=True)
        found: list[Span] = []
        for direction in (-1, 1):
            for months in range(30):
                moved = add_months(self.now.replace(day=1), direction * months)
                span = None if moved is None else day_span(moved.year, moved.month, day)
                if span is None or date.fromordinal(span[0]).weekday() != weekday:
                    continue
                if (span[0] - self.now.toordinal()) * direction >= 0:
                    found.append(span)
                    break
        return Date(first, last, "day", tuple(sorted(set(found))), day=day, weekday=weekday, relative=True)

    def moved(self, found: Date, first: int, last: int, days: int) -> Date:
        """`found`, as many days later, now under another token range."""
        spans = tuple((start + days, end + days) for start, end in found.spans)
        return replace(found, first=first, last=last, spans=spans, year=None, month=None, day=None, relative=True)

    def held_to(self, found: Date, weekday: int | None) -> Date:
        """`found`, keeping the readings that fall on `weekday` (all of them where none does)."""
        if weekday is None:
            return found
        kept = tuple(span for span in found.spans if date.fromordinal(span[0]).weekday() == weekday)
        return replace(found, weekday=weekday, spans=kept or found.spans)

    def stretched(self, found: Date, days: int) -> Date:
        """ "21-22 March": from the first day to the last."""
        if days <= 0:
            return found
        return replace(found, spans=tuple((start, end + days) for start, end in found.spans), day=None)

    def counts(self, at: int) -> bool:
        """Whether the number before `at` counts something ("May 5 people"): only a unit of time tells for sure."""
        return self.word(at) in time_units()

    def day_only(self, first: int, last: int, day: int) -> Date:
        spans = []
        if self.now is not None:
            for months in (-1, 0, 1, 2):
                moved = add_months(self.now.replace(day=1), months)
                span = None if moved is None else day_span(moved.year, moved.month, day)
                if span is not None:
                    spans.append(span)
        return Date(first, last, "day", tuple(spans), day=day, relative=True)

    def days_off(self, first: int, last: int, days: int) -> Date:
        spans: tuple[Span, ...] = ()
        if self.now is not None:
            number = self.now.toordinal() + days
            spans = ((number, number),)
        return Date(first, last, "day", spans, relative=True)

    def toward(self, spans: tuple[Span, ...], direction: int) -> tuple[Span, ...]:
        """The readings that lie in the direction of "last" or "next"."""
        if self.now is None or not spans:
            return spans
        today = self.now.toordinal()
        if direction < 0:
            return tuple(span for span in spans if span[0] <= today) or spans
        if direction > 0:
            return tuple(span for span in spans if span[1] >= today) or spans
        return spans

    def stretch(self, first: int, last: int, grain: str, steps: int) -> Date:
        if self.now is None:
            return Date(first, last, grain, relative=True)
        if grain == "quarter":  # whole ones, beside this one
            near_one, far_one = around(self.now, grain, 1 if steps > 0 else -1), around(self.now, grain, steps)
            if near_one is None or far_one is None:
                return Date(first, last, grain, relative=True)
            whole = (min(near_one[0], far_one[0]), max(near_one[1], far_one[1]))
            return Date(first, last, grain, (whole,), slack=1, relative=True)
        other = shift(self.now, grain, steps)
        today = self.now.toordinal()
        far = today if other is None else other.toordinal()
        near = today + (far > today) - (far < today)  # "the next three days" begin tomorrow
        spans = () if other is None else ((min(near, far), max(near, far)),)
        return Date(first, last, grain, spans, slack=1, relative=True)

    def season(self, at: int, direction: int | None = None) -> Date:
        months = date_table("seasons")[self.word(at)]
        year, last = self.skip_year(at + 1)
        years: list[int] = [] if self.now is None else [self.now.year - 1, self.now.year, self.now.year + 1]
        if year is not None:
            years = [year]
        spans = []
        for each in years:
            start = month_span(each, months[0])[0]
            end = month_span(each + (months[1] < months[0]), months[1])[1]
            spans.append((start, end))
        placed = tuple(spans) if direction is None else self.toward(tuple(spans), direction)
        return Date(at, last, "season", placed, year, slack=31, relative=year is None)

    def from_day(self, day: date | None, grain: str, steps: int) -> tuple[Span, ...]:
        moved = None if day is None else shift(day, grain, steps)
        return () if moved is None else ((moved.toordinal(), moved.toordinal()),)
