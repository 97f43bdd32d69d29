"""Dates and clock times in running text, absolute and relative, as every day they may mean.

A phrase can mean several days ("Friday" is the last one or the next one), so a `Date` holds all readings, and two dates
contradict only when no reading of one meets a reading of the other. `now` comes in as data; without it a relative
date is still found, only not placed.

Sources: Quirk et al. 1985, 8.51-8.81 (time adverbials); TIMEX3 (ISO-TimeML) for what counts as one expression;
ISO 8601 for numeric dates. The words stand in `data/en/values.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from functools import cache

from edgegate.errors import DataError
from edgegate.language import lexicon
from edgegate.language.date_parts import YEARS, Parts, time_units
from edgegate.language.days import (
    FAR,
    Date,
    Span,
    around,
    date_table,
    date_words,
    day_span,
    function_words,
    year_span,
)
from edgegate.language.numbers import number_at, split_digits


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


class _Reader(Parts):
    """Reads the date that begins at one token; each rule reads one form of date."""

    def numeric(self, at: int) -> Date | None:
        """2026-08-31, 31/08/2026, 8/31/26, 31.08.2026."""
        word = self.word(at)
        if not word[:1].isdigit():
            return None
        parts: list[str] = word.split(".")
        last = at + 1
        if len(parts) == 1:
            mark = self.word(at + 1)
            if mark not in date_words("date_marks"):
                return None
            parts = [word, self.word(at + 2)]
            last = at + 3
            if self.word(at + 3) == mark:
                parts.append(self.word(at + 4))
                last = at + 5
            if len(parts) == 2 and mark not in date_words("short_date_marks"):
                return None
        elif len(parts) != 3:
            return None
        if len(parts) == 3 and len(parts[2]) > 2 and not parts[2].isdigit():
            parts[2] = split_digits(parts[2])[0]  # 2026-03-14T09:00 keeps its time in the last token
        if not all(part.isascii() and part.isdigit() and len(part) <= 4 for part in parts):
            return None
        values = [int(part) for part in parts]
        if len(values) == 3 and len(parts[0]) == 4:
            choices = [(values[0], values[1], values[2])]
        elif len(values) == 3:
            year = values[2] if len(parts[2]) == 4 else 2000 + values[2]
            choices = [(year, values[1], values[0]), (year, values[0], values[1])]
        else:
            years = [] if self.now is None else [self.now.year - 1, self.now.year, self.now.year + 1]
            choices = [(year, month, day) for year in years for month, day in (values[::-1], values)]
        spans = {span for choice in choices if choice[0] in YEARS and (span := day_span(*choice)) is not None}
        if not spans:
            return None
        alone = date.fromordinal(next(iter(spans))[0]) if len(spans) == 1 else None
        return Date(
            at,
            last,
            "day",
            tuple(sorted(spans)),
            None if alone is None else alone.year,
            None if alone is None else alone.month,
            None if alone is None else alone.day,
            relative=len(values) == 2,
        )

    def named(self, at: int) -> Date | None:
        """5 May, the 5th of May 2026, May 5th, May 2026, early May, Thursday the 16th of October, Christmas 2025."""
        here = at
        weekday = self.weekday_at(here)
        if weekday is not None:
            here += 1
            if self.word(here) in date_words("year_joints"):
                here += 1
        if self.word(here) in date_words("articles"):
            here += 1
        found: Date | None = None
        day = self.day_number(here)
        if day is not None:
            joint = day[1] + (self.word(day[1]) in date_words("of_words"))
            month = self.month_at(joint)
            until = self.day_number(day[1] + 1) if self.word(day[1]) in date_words("range_marks") else None
            end_month = None if until is None else self.month_at(until[1])
            if month is not None:
                year, last = self.skip_year(joint + 1)
                found = self.month_day(at, last, year, month, day[0])
            elif until is not None and end_month is not None:
                year, last = self.skip_year(until[1] + 1)
                found = self.stretched(self.month_day(at, last, year, end_month, day[0]), until[0] - day[0])
            elif day[2] and weekday is not None:
                found = self.day_only(at, day[1], day[0])
            return None if found is None else self.held_to(found, weekday)
        month = self.month_at(here)
        if month is None:
            return None
        after = here + 1 + (self.word(here + 1) in date_words("articles"))
        day = self.day_number(after)
        if day is not None and self.year_at(after) is None and not self.counts(day[1]):
            year, last = self.skip_year(day[1])
            return self.held_to(self.month_day(at, last, year, month, day[0]), weekday)
        if weekday is not None:
            return None
        year, last = self.skip_year(here + 1)
        return self.month_day(at, last, year, month, None)

    def weekend(self, at: int) -> Date | None:
        """ "the weekend": the last one or the next one."""
        opened = self.word(at) in date_words("articles") or self.word(at) in date_words("all_words")
        if not opened or self.word(at + 1) not in date_words("weekend_words"):
            return None
        spans: list[Span] = []
        if self.now is not None:
            spans = [span for steps in (-1, 0, 1) if (span := around(self.now, "weekend", steps)) is not None]
        return Date(at, at + 2, "weekend", tuple(spans), slack=1, relative=True)

    def the_day(self, at: int) -> Date | None:
        """ "the 24th", "on the 8th": an ordinal in digits that no noun follows."""
        if self.word(at) not in date_words("articles") or not self.word(at + 1)[:1].isdigit():
            return None
        day = self.day_number(at + 1)
        after = "" if day is None else self.word(day[1])
        if day is None or not day[2] or (after.isalpha() and after not in function_words()):
            return None
        return self.day_only(at, day[1], day[0])

    def weekday(self, at: int) -> Date | None:
        """ "Friday", "next Friday", "Friday week", "a week on Friday"."""
        plural = date_table("weekday_plurals").get(self.word(at))
        if plural is not None:
            return Date(at, at + 1, "day", weekday=int(plural), recurring=True)
        step, here = "", at
        if self.word(here) in date_table("step_words"):
            step, here = self.word(here), here + 1
        weekday = self.weekday_at(here)
        if weekday is None:
            return None
        found = self.on_weekday(at, here + 1, weekday, step)
        extra = date_table("day_counts").get(self.word(here + 1))
        if extra is not None and not step:
            if self.now is None:
                return replace(found, last=here + 2)
            coming = self.on_weekday(at, here + 2, weekday, self.coming)
            return self.moved(replace(coming, spans=coming.spans[:1]), at, here + 2, int(extra))
        recurring = self.word(at - 1) in date_words("every_words")
        return replace(found, recurring=recurring) if recurring else found

    def day_word(self, at: int) -> Date | None:
        """ "tomorrow", "last night", "this morning", "the day after tomorrow", "tomorrow week"."""
        here = at + (self.word(at) in date_words("articles"))
        if self.word(here) in date_words("day_names"):
            direction = self.word(here + 1)
            base = date_table("day_words").get(self.word(here + 2))
            if (
                base is not None
                and base != 0
                and (direction in date_words("before_words") or direction in date_words("after_words"))
            ):
                return self.days_off(at, here + 3, int(base) + (1 if direction in date_words("after_words") else -1))
            return None
        far = self.beyond(at, here)
        if far is not None:
            return far
        offset = date_table("day_words").get(self.word(at))
        if offset is not None:
            extra = date_table("day_counts").get(self.word(at + 1))
            last = at + 1 if extra is None else at + 2
            if self.word(last) in date_words("day_parts"):
                last += 1
            return self.days_off(at, last, int(offset) + int(extra or 0))
        step = date_table("step_words").get(self.word(at))
        if step in (0, -1) and self.word(at + 1) in date_words("day_parts"):
            return self.days_off(at, at + 2, int(step))
        return None

    def beyond(self, at: int, here: int) -> Date | None:
        """ "the week before last", "the evening before last", "the weekend after next"."""
        steps = date_table("beyond_steps").get(f"{self.word(here + 1)} {self.word(here + 2)}")
        if steps is None:
            return None
        if self.word(here) in date_words("day_parts"):
            return self.days_off(at, here + 3, int(steps))
        weekday = self.weekday_at(here)
        if weekday is not None and int(steps) > 0:
            coming = self.on_weekday(here, here + 1, weekday, self.coming)
            return self.moved(replace(coming, spans=coming.spans[:1]), at, here + 3, 7 * (int(steps) - 1))
        grain = time_units().get(self.word(here))
        if grain is None:
            return None
        span = None if self.now is None else around(self.now, grain, int(steps))
        return Date(at, here + 3, grain, () if span is None else (span,), slack=1, relative=True)

    def step(self, at: int) -> Date | None:
        """ "last week", "next month", "this year", "the past two weeks", "next 3 days", "last spring", "this term"."""
        direction = date_table("step_words").get(self.word(at))
        if direction is None:
            return None
        here = at + 1
        number = number_at(self.words, here)
        if number is not None:
            grain = time_units().get(self.word(number.last))
            if grain is None or direction == 0 or number.value.denominator != 1:
                return None
            return self.stretch(at, number.last + 1, grain, int(direction) * min(int(number.value), FAR))
        word = self.word(here)
        month = date_table("months").get(word)
        if month is not None:
            found = self.month_day(at, here + 1, None, int(month), None)
            return replace(found, spans=self.toward(found.spans, int(direction)))
        season = date_table("seasons").get(word)
        if season is not None:
            return replace(self.season(here, int(direction)), first=at)
        grain = time_units().get(word)
        if grain is not None and word not in date_words("terms"):
            span = None if self.now is None else around(self.now, grain, int(direction))
            slack = 1 if grain in date_table("grain_days") else 0
            return Date(at, here + 1, grain, () if span is None else (span,), slack=slack, relative=True)
        if word in date_words("terms"):
            return Date(at, here + 1, "term", relative=True)
        return None

    def seasonal(self, at: int) -> Date | None:
        word = self.word(at)
        if word not in date_table("seasons"):
            return None
        plain = word in date_words("plain_seasons")
        if plain and not (self.word(at - 1) in date_words("month_openers") or self.year_at(at + 1) is not None):
            return None
        return self.season(at)

    def offset(self, at: int) -> Date | None:
        """ "three weeks ago", "in two months", "a week from tomorrow", "two weeks today", "a week on Friday"."""
        here = at + (self.word(at) in date_words("ahead_openers"))
        number = number_at(self.words, here)
        if number is not None:
            steps, unit = number.value, number.last
        elif self.word(here) in lexicon.table("one_words"):
            steps, unit = Fraction(1), here + 1
        else:
            return None
        unit += self.word(unit) in date_words("of_words")  # "a couple of days"
        grain = time_units().get(self.word(unit))
        if grain is None or steps.denominator != 1 or steps > FAR:
            return None
        count, after = int(steps), unit + 1
        slack = int(date_table("grain_slack").get(grain, 0))
        if here > at:
            span = self.from_day(self.now, grain, count)
            return Date(at, after, "day", span, slack=slack, relative=True)
        word = self.word(after)
        if word in date_words("sure_ago_words") or (
            word in date_words("ago_words") and not self.word(after + 1).isalpha()
        ):
            return Date(at, after + 1, "day", self.from_day(self.now, grain, -count), slack=slack, relative=True)
        counted = self.counted_from(at, after, grain, count)
        if counted is not None:
            return counted
        joint = after + (word in date_words("ahead_words") or word in date_words("on_words"))
        anchor = self.day_word(joint) or (self.weekday(joint) if joint > after else None)
        if anchor is None and joint > after and self.word(joint) in date_words("now_words"):
            anchor = self.days_off(joint, joint + 1, 0)
        if anchor is None or anchor.recurring:
            return None
        spans: list[Span] = []
        if anchor.weekday is not None:
            anchor = self.on_weekday(anchor.first, anchor.last, anchor.weekday, self.coming)
            anchor = replace(anchor, spans=anchor.spans[:1])  # "a week on Thursday" counts from the next one
        for start, _ in anchor.spans:
            spans += self.from_day(date.fromordinal(start), grain, count)
            if joint == after:  # "three weeks today" looks back as well as ahead
                spans += self.from_day(date.fromordinal(start), grain, -count)
        return Date(at, anchor.last, "day", tuple(spans), slack=slack if joint > after else 0, relative=True)

    def counted_from(self, at: int, after: int, grain: str, count: int) -> Date | None:
        """ "two weeks before Christmas", "3 days after January 12th": so many steps from a day that follows."""
        word = self.word(after)
        ahead = word in date_words("after_words")
        if not ahead and word not in date_words("before_words"):
            return None
        anchor = self.named(after + 1) or self.numeric(after + 1) or self.holiday(after + 1) or self.weekday(after + 1)
        if anchor is None or anchor.recurring or any(start != end for start, end in anchor.spans):
            return None
        spans: list[Span] = []
        for start, _ in anchor.spans:
            spans += self.from_day(date.fromordinal(start), grain, count if ahead else -count)
        return Date(at, anchor.last, "day", tuple(spans), slack=anchor.slack, relative=anchor.relative)

    def week_of(self, at: int) -> Date | None:
        """ "the week of April 10th": the week that holds a day."""
        here = at + (self.word(at) in date_words("articles"))
        grain = time_units().get(self.word(here))
        if grain is None or self.word(here + 1) not in date_words("of_words"):
            return None
        anchor = self.numeric(here + 2) or self.named(here + 2)
        if anchor is None or any(start != end for start, end in anchor.spans):
            return None
        found = [around(date.fromordinal(start), grain, 0) for start, _ in anchor.spans]
        spans = tuple(span for span in found if span is not None)
        return Date(at, anchor.last, grain, spans, relative=anchor.relative)

    def holiday(self, at: int) -> Date | None:
        pair = date_table("holiday_pairs").get(f"{self.word(at)} {self.word(at + 1)}")
        last = at + 2 if pair else at + 1
        found = pair or date_table("holidays").get(self.word(at))
        if found is None:
            return None
        year, last = self.skip_year(last)
        placed = self.month_day(at, last, year, int(found[0]), int(found[1]))
        return replace(placed, slack=7)

    def is_range(self, joint: str, other: int) -> bool:
        """Whether a joint such as "to" or a dash leads to another year at token `other`."""
        return joint in date_words("range_joints") and other >= 0 and self.year_at(other) is not None

    def year(self, at: int) -> Date | None:
        year = self.year_at(at)
        if year is None:
            return None
        before, after = self.word(at - 1), self.word(at + 1)
        plain = before in date_words("year_openers") or after in date_words("year_ends")
        ranged = self.is_range(after, at + 2) or self.is_range(before, at - 2)  # "2014-2018", "2014 to 2018"
        if ranged:
            return Date(at, at + 1, "year", (year_span(year),), year)
        if not plain or after in time_units() or after in date_words("date_marks"):
            return None
        return Date(at, at + 1, "year", (year_span(year),), year)


_RULES: tuple[Callable[[_Reader, int], Date | None], ...] = (
    _Reader.numeric,
    _Reader.named,
    _Reader.week_of,
    _Reader.offset,
    _Reader.day_word,
    _Reader.weekday,
    _Reader.step,
    _Reader.seasonal,
    _Reader.holiday,
    _Reader.weekend,
    _Reader.the_day,
    _Reader.year,
)


def dates(words: Sequence[str], now: date | None = None) -> list[Date]:
    """Every date in the tokens `words`, in order, none overlapping; the longest reading at a token wins.

    >>> found = dates("he left the day before yesterday".split(), date(2026, 3, 1))
    >>> [(d.first, d.last, date.fromordinal(d.spans[0][0]).isoformat()) for d in found]
    [(2, 6, '2026-02-27')]
    """
    reader = _Reader(words, now)
    found: list[Date] = []
    starts = _starts()
    here = 0
    while here < len(words):
        best: Date | None = None
        if words[here] in starts or words[here][:1].isdigit():
            for rule in _RULES:
                read = rule(reader, here)
                if read is not None and (best is None or read.last > best.last):
                    best = read
        if best is None:
            here += 1
        else:
            found.append(best)
            here = best.last
    return found


@cache
def _starts() -> frozenset[str]:
    names = ("months", "weekdays", "weekday_plurals", "day_words", "step_words", "seasons", "holidays")
    words = {word for name in names for word in date_table(name)}
    words |= {pair.split()[0] for pair in date_table("holiday_pairs")}
    words |= (
        date_words("articles")
        | date_words("all_words")
        | date_words("day_parts")
        | date_words("ahead_openers")
        | date_words("day_names")
    )
    words |= set(lexicon.table("number_words")) | set(lexicon.table("ordinal_words"))
    return frozenset(words)
