"""Dates counted from now or from another date: "last week", "next 3 days", "two months ago", "a week before Christmas".

Source: Quirk et al. 1985, 8.51-8.81 (time adverbials); the words stand in `data/en/values.toml`.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction

from edgegate.language import lexicon
from edgegate.language.date_named import Named
from edgegate.language.date_parts import time_units
from edgegate.language.days import FAR, Date, Span, around, date_table, date_words
from edgegate.language.numbers import number_at


class Relative(Named):
    """Reads dates that need another day to be placed."""

    def step(self, at: int) -> Date | None:
        """ "last week", "next month", "this year", "the past two weeks", "next 3 days", "last spring", "this term"."""
        direction = date_table("step_words").get(self.word(at))
        if direction is None or (
            self.word(at) in date_words("last_words") and self.word(at - 1) in date_words("modals")
        ):
            return None  # "it will last two weeks"
        here = at + 1
        number = number_at(self.words, here)
        if number is not None and number.value.denominator != 1 and number.last > here + 1:
            number = number_at(self.words[here : number.last - 1], 0)  # "two quarters" are no half here
            number = None if number is None else replace(number, last=here + number.last)
        if number is not None and self.word(here) not in date_words("quarter_words"):
            grain = time_units().get(self.word(number.last))
            if grain is None or direction == 0 or number.value.denominator != 1:
                return None
            return self.stretch(at, number.last + 1, grain, int(direction) * min(int(number.value), FAR))
        here += self.word(here) in date_words("calendar_words")
        word = self.word(here)
        held = self.holiday(here)
        if held is not None and held.year is None:
            return replace(held, first=at, spans=self.toward(held.spans, int(direction)))
        short = self.numeric(here)
        if short is not None and short.relative:
            return replace(short, first=at)  # "this 5/12"
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
        direction = date_table("step_words").get(self.word(unit))
        several = self.word(unit + 1).endswith("s") and self.word(unit + 1) in time_units()
        if here == at and direction and steps.denominator == 1 and several:
            return self.stretch(at, unit + 2, time_units()[self.word(unit + 1)], int(direction) * min(int(steps), FAR))
        grain = time_units().get(self.word(unit).removesuffix("'s").removesuffix("'"))
        if grain is None or steps.denominator != 1 or steps > FAR:
            return None
        count, after = int(steps), unit + 1
        slack = int(date_table("grain_slack").get(grain, 0))
        if here > at:
            span = self.from_day(self.now, grain, count)
            after += self.word(after) in date_words("time_words")  # "in two weeks' time"
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
        begun = after + 1
        anchor = self.named(begun) or self.numeric(begun) or self.holiday(begun) or self.weekday(begun)
        anchor = anchor or self.day_word(begun)
        if anchor is None or anchor.recurring or any(start != end for start, end in anchor.spans):
            return None
        spans: list[Span] = []
        for start, _ in anchor.spans:
            spans += self.from_day(date.fromordinal(start), grain, count if ahead else -count)
        return Date(at, anchor.last, "day", tuple(spans), slack=anchor.slack, relative=anchor.relative)
