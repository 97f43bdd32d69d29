"""Stretches of the calendar: quarters, numbered weeks, "the first week of May", "mid-March", decades, centuries.

Source: ISO 8601 for weeks (they begin on Monday, and the first one of a year or month holds its first Thursday);
Quirk et al. 1985, 8.51-8.81 (time adverbials). The words stand in `data/en/values.toml`.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from edgegate.language.date_parts import YEARS, time_units
from edgegate.language.date_relative import Relative
from edgegate.language.days import (
    Date,
    Span,
    add_months,
    around,
    date_table,
    date_words,
    day_span,
    month_span,
    year_span,
)
from edgegate.language.numbers import number_at

_PARTS = 3  # "early", "mid", "late": thirds of a year or month, half a week
_PART_SLACK = {"year": 31, "quarter": 15, "season": 15, "month": 5, "week": 1}


def first_monday(start: int) -> int:
    """The Monday of the week that holds the first Thursday from day `start` on."""
    return start + (3 - date.fromordinal(start).weekday()) % 7 - 3


def weeks(span: Span) -> list[Span]:
    """The weeks of a year or month: those whose Thursday lies in it.

    >>> first, last = weeks(year_span(2015))[0], weeks(year_span(2015))[-1]
    >>> date.fromordinal(first[0]).isoformat(), date.fromordinal(last[1]).isoformat()
    ('2014-12-29', '2016-01-03')
    """
    return [(monday, monday + 6) for monday in range(first_monday(span[0]), span[1] - 2, 7)]


def split(span: Span, grain: str) -> list[Span]:
    """The days, weeks, months, quarters or halves of a year or month, in order."""
    start, end = date.fromordinal(span[0]), date.fromordinal(span[1])
    if grain == "day":
        return [(day, day) for day in range(span[0], span[1] + 1)]
    if grain == "week":
        return weeks(span)
    if grain == "half" and end.toordinal() - span[0] < 40:
        middle = span[0] + 14
        return [(span[0], middle), (middle + 1, span[1])]
    step = {"month": 1, "quarter": 3, "half": 6}.get(grain)
    if step is None or start.day != 1:
        return []
    found = []
    here: date | None = start
    while here is not None and here <= end:
        following = add_months(here, step)
        if following is None:
            break
        found.append((here.toordinal(), following.toordinal() - 1))
        here = following
    return found


def part_of(span: Span, grain: str, part: int) -> Span:
    """The beginning (1), middle (2) or end (3) of a stretch: thirds of months for a year, of ten days for a month."""
    if grain in ("year", "quarter", "season"):
        months = split((date.fromordinal(span[0]).replace(day=1).toordinal(), span[1]), "month")
        size = max(1, len(months) // _PARTS)
        chosen = months[(part - 1) * size : part * size] or months
        return chosen[0][0], chosen[-1][1]
    if grain == "month":
        return (
            (span[0], span[0] + 9)
            if part == 1
            else (span[0] + 10, span[0] + 19)
            if part == 2
            else (span[0] + 20, span[1])
        )
    third = (span[1] - span[0] + 1) // _PARTS
    return span[0] + (part - 1) * third, span[1] if part == _PARTS else span[0] + part * third


class Periods(Relative):
    """Reads stretches of the calendar."""

    def period(self, at: int) -> Date | None:
        """What others are parts of: a year, month, season or quarter, "next month", "this year", "the week"."""
        here = at + (self.word(at) in date_words("articles"))
        year = self.year_at(here)
        if year is not None:
            return Date(at, here + 1, "year", (year_span(year),), year)
        if self.word(here) in date_words("year_words") and self.year_at(here + 1) is not None:
            found = self.period(here + 1)
            return None if found is None else replace(found, first=at)
        read = self.quarter(here) or self.step(here) or self.bare_month(here) or self.seasonal(here)
        if read is not None:
            return replace(read, first=at) if read.grain in _PART_SLACK else None
        grain = time_units().get(self.word(here))
        if here > at and grain in ("week", "month", "year", "quarter") and self.now is not None:
            span = around(self.now, grain, 0)
            return Date(at, here + 1, grain, () if span is None else (span,), relative=True)
        return None

    def bare_month(self, at: int) -> Date | None:
        month = date_table("months").get(self.word(at))
        if month is None or (self.day_number(at + 1) is not None and self.year_at(at + 1) is None):
            return None
        year, last = self.skip_year(at + 1)
        return self.month_day(at, last, year, int(month), None)

    def quarter(self, at: int) -> Date | None:
        """ "Q1 2017", "2019 H2", "2017-q1", "q3"."""
        here = at
        year = self.year_at(here)
        if year is not None:
            here += 1 + (self.word(here + 1) in date_words("weekday_joints"))
        named = date_table("quarters").get(self.word(here))
        if named is None:
            return None
        last = here + 1
        if year is None:
            year, last = self.skip_year(last)
        years = [year] if year is not None else [] if self.now is None else [self.now.year + n for n in (-1, 0, 1)]
        first, end = int(named[0]), int(named[1])
        spans = tuple((month_span(each, first)[0], month_span(each, end)[1]) for each in years)
        return Date(at, last, "quarter", spans, year, relative=year is None)

    def numbered_week(self, at: int) -> Date | None:
        """ "week 31", "calendar week 10 of 2019"."""
        here = at + (self.word(at) in date_words("articles"))
        here += self.word(here) in date_words("calendar_words")
        number = self.word(here + 1)
        if self.word(here) not in date_words("week_words") or not (number.isascii() and number.isdigit()):
            return None
        year, last = self.skip_year(here + 2)
        if not 1 <= int(number[:3]) <= 53 or (year is None and (self.now is None or self.counts(last))):
            return None
        if self.word(last) in date_words("of_words"):
            return None  # "week 3 of the course"
        found = weeks(year_span(year if year is not None else self.now.year if self.now else 0))
        if int(number) > len(found):
            return None
        return Date(at, last, "week", (found[int(number) - 1],), year, relative=year is None)

    def nth_part(self, at: int) -> Date | None:
        """ "the first week of 2021", "the last four months of next year", "the third month of 2021", "the 15th day of
        next month", "the first half of May"; and turned round: "next year's first quarter"."""
        here = at + (self.word(at) in date_words("articles"))
        chosen = self._ordinal(here)
        if chosen is None:
            return self._turned(at)
        which, count, after = chosen
        grain = self._part_grain(after)
        if count == 1 and self.word(after) in date_words("of_words"):
            whole = self.period(after + 1)  # "the fourth of the month"
            if whole is not None and whole.grain == "month" and whole.month is None:
                return self._picked(at, whole.last, whole, "day", which, 1)
        if grain is None or self.word(after + 1) not in date_words("of_words"):
            return None
        whole = self.period(after + 2)
        return None if whole is None else self._picked(at, whole.last, whole, grain, which, count)

    def _turned(self, at: int) -> Date | None:
        direction = date_table("step_words").get(self.word(at))
        owned = self.word(at + 1)
        if direction is None or not owned.endswith("'s"):
            return None
        grain = time_units().get(owned.removesuffix("'s"))
        chosen = self._ordinal(at + 2)
        part = None if chosen is None else self._part_grain(chosen[2])
        if grain is None or chosen is None or part is None or self.now is None:
            return None
        span = around(self.now, grain, int(direction))
        if span is None:
            return None
        whole = Date(at, at + 2, grain, (span,), relative=True)
        return self._picked(at, chosen[2] + 1, whole, part, chosen[0], chosen[1])

    def _ordinal(self, at: int) -> tuple[int, int, int] | None:
        """Which one (-1 is the last), how many of them, and the next token: "third", "last four", "first 2"."""
        if self.word(at) in date_words("last_words"):
            which, after = -1, at + 1
        else:
            number = number_at(self.words, at)
            if number is None or not number.ordinal or not 1 <= number.value <= 366:
                return None
            which, after = int(number.value), number.last
        if which in (1, -1):
            many = number_at(self.words, after)
            if many is not None and not many.ordinal and many.value.denominator == 1 and 1 <= many.value <= 366:
                return which, int(many.value), many.last
        return which, 1, after

    def _part_grain(self, at: int) -> str | None:
        word = self.word(at)
        return "half" if word in date_words("half_words") else time_units().get(word)

    def _picked(self, at: int, last: int, whole: Date, grain: str, which: int, count: int) -> Date | None:
        spans: list[Span] = []
        for span in whole.spans:
            parts = split(span, grain)
            chosen = parts[-count:] if which < 0 else parts[which - 1 : which - 1 + count]
            if len(chosen) == count:
                spans.append((chosen[0][0], chosen[-1][1]))
        if whole.spans and not spans:
            return None
        slack = 3 if grain == "week" else 0
        kind = "season" if grain == "half" else grain
        return Date(at, last, kind, tuple(spans), whole.year, whole.month, slack=slack, relative=whole.relative)

    def part(self, at: int) -> Date | None:
        """ "the end of next month", "mid-March", "late July", "early 2020", "the middle of the week"."""
        here = at + (self.word(at) in date_words("articles"))
        part = date_table("period_parts").get(self.word(here))
        if part is None:
            return None
        after = here + 1
        joined = self.word(after) in date_words("of_words") or self.word(after) in date_words("weekday_joints")
        if not joined and self.word(here) in date_words("parts_with_of"):
            return None
        whole = self.period(after + joined)
        if whole is None or whole.grain not in _PART_SLACK:
            return None
        spans = tuple(part_of(span, whole.grain, int(part)) for span in whole.spans)
        grain = {"year": "season", "quarter": "month", "season": "month", "month": "week"}.get(whole.grain, "day")
        slack = _PART_SLACK[whole.grain]
        return Date(at, whole.last, grain, spans, whole.year, whole.month, slack=slack, relative=whole.relative)

    def so_far(self, at: int) -> Date | None:
        """ "earlier this month", "later this week": up to yesterday, or from today on."""
        side = date_table("period_sides").get(self.word(at))
        found = None if side is None else self.step(at + 1)
        if side is None or found is None or self.now is None or date_table("step_words")[self.word(at + 1)] != 0:
            return None
        today = self.now.toordinal()
        spans = [
            (start, max(start, today - 1)) if int(side) < 0 else (min(today, end), end) for start, end in found.spans
        ]
        return replace(found, first=at, spans=tuple(spans))

    def week_of(self, at: int) -> Date | None:
        """ "the week of April 10th": the week that holds a day; "2 weeks starting May 20th": from that day on."""
        here = at + (self.word(at) in date_words("articles"))
        number = number_at(self.words, here)
        count, unit = (1, here) if number is None else (number.value, number.last)
        grain = time_units().get(self.word(unit))
        if grain is None or (number is not None and (number.value.denominator != 1 or number.value > 1000)):
            return None
        joint = self.word(unit + 1)
        begins = joint in date_words("starting_words")
        if not begins and (joint not in date_words("of_words") or number is not None):
            return None
        anchor = self.numeric(unit + 2) or self.named(unit + 2) or (self.weekday(unit + 2) if begins else None)
        if anchor is None or anchor.recurring or any(start != end for start, end in anchor.spans):
            return None
        spans: list[Span] = []
        for start, _ in anchor.spans:
            if not begins:
                held = around(date.fromordinal(start), grain, 0)
                spans += [] if held is None else [held]
                continue
            spans += [(start, end - 1) for end, _ in self.from_day(date.fromordinal(start), grain, int(count))]
        return Date(at, anchor.last, grain, tuple(spans), relative=anchor.relative)

    def weekday_in_week(self, at: int) -> Date | None:
        """ "Monday of last week", "previous week - Monday", "Tuesday next week"."""
        weekday = self.weekday_at(at)
        if weekday is not None:
            other = at + 1 + (self.word(at + 1) in date_words("of_words"))
            week = self._week_step(other)
            last = other + 2
        else:
            week = self._week_step(at)
            other = at + 2 + (self.word(at + 2) in date_words("week_joints"))
            weekday, last = self.weekday_at(other), other + 1
        if week is None or weekday is None:
            return None
        day = week[0] + weekday
        return Date(at, last, "day", ((day, day),), weekday=weekday, relative=True)

    def _week_step(self, at: int) -> Span | None:
        direction = date_table("step_words").get(self.word(at))
        if direction is None or self.now is None or self.word(at + 1) not in date_words("week_words"):
            return None
        return around(self.now, "week", int(direction))

    def era(self, at: int) -> Date | None:
        """ "the 1990s", "the '90s", "the nineties", "the 21st century"."""
        here = at + (self.word(at) in date_words("articles"))
        number = number_at(self.words, here)
        if number is not None and number.ordinal and self.word(number.last) in date_words("century_words"):
            first = (int(number.value) - 1) * 100 if 1 <= number.value <= 21 else None
            if first is None or first < 100:
                return None
            return Date(at, number.last + 1, "century", ((year_span(first)[0], year_span(first + 99)[1]),))
        short = self.word(here) in date_words("short_year_marks")
        word = self.word(here + short)
        begun = date_table("decade_names").get(word) if here > at else None
        digits = word.removesuffix("s").removesuffix("'")
        if begun is None and word.endswith("s") and digits.isascii() and digits.isdigit() and digits.endswith("0"):
            full = len(digits) == 4 and int(digits) in YEARS
            begun = int(digits) if full else int(digits) if len(digits) == 2 and (short or here > at) else None
        if begun is None:
            return None
        years = (
            [int(begun)] if int(begun) > 99 else [1900 + int(begun)] + ([2000 + int(begun)] if int(begun) < 30 else [])
        )
        spans = tuple((year_span(each)[0], year_span(each + 9)[1]) for each in years)
        return Date(at, here + short + 1, "decade", spans)

    def present(self, at: int) -> Date | None:
        """ "now" and "today" as one end of a range: "between May and now", "from now until Friday"."""
        word = self.word(at)
        if word in date_words("date_words") and self.word(at - 1) in date_words("until_words"):
            return self.days_off(at, at + 1, 0)
        if word not in date_words("now_words"):
            return None
        before, after = self.word(at - 1), self.word(at + 1)
        opens = before in date_words("between_words") and after in date_words("range_joints")
        closes = before in date_words("range_joints") and any(
            each in date_words("between_words") for each in self.words[max(0, at - 7) : at - 1]
        )
        return self.days_off(at, at + 1, 0) if opens or closes else None

    def working_days(self, at: int) -> Date | None:
        """ "the next 4 business days": from the next one on, weekends left out."""
        direction = date_table("step_words").get(self.word(at))
        number = number_at(self.words, at + 1)
        if not direction or number is None or number.value.denominator != 1 or not 1 <= number.value <= 400:
            return None
        if (
            self.word(number.last) not in date_words("working_words")
            or time_units().get(self.word(number.last + 1)) != "day"
        ):
            return None
        if self.now is None:
            return Date(at, number.last + 2, "day", relative=True)
        days: list[int] = []
        day = self.now.toordinal()
        while len(days) < int(number.value):
            day += int(direction)
            if date.fromordinal(day).weekday() < 5:
                days.append(day)
        return Date(at, number.last + 2, "day", ((min(days), max(days)),), slack=1, relative=True)

    def nth_day(self, at: int) -> Date | None:
        """ "the 24th", "on 29th": an ordinal in digits that no noun follows."""
        if self.word(at) not in date_words("on_words"):
            return self.the_day(at)
        day = self.day_number(at + 1) if self.word(at + 1)[:1].isdigit() else None
        if day is None or not day[2] or not self.ends(day[1]) or day_span(2000, 1, day[0]) is None:
            return None
        return self.day_only(at + 1, day[1], day[0])
