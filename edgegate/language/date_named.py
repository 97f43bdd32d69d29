"""Dates by name: months and days, weekdays, "tomorrow", the weekend, seasons, holidays, years.

Source: Quirk et al. 1985, 8.51-8.81 (time adverbials); the words stand in `data/en/values.toml`.
"""

from __future__ import annotations

from dataclasses import replace

from edgegate.language.date_numeric import Numeric
from edgegate.language.date_parts import time_units
from edgegate.language.days import Date, Span, around, date_table, date_words, function_words, year_span
from edgegate.language.holidays import LONGEST_NAME, holiday_day


class Named(Numeric):
    """Reads dates by name."""

    def named(self, at: int) -> Date | None:
        """5 May, the 5th of May 2026, May 5th, May 2026, early May, Thursday the 16th of October, 18 and 19 June."""
        here = at
        weekday = self.weekday_at(here)
        if weekday is not None:
            here += 1
            marked = self.word(here) in date_words("weekday_joints") and self.month_at(here + 1) is not None
            if self.word(here) in date_words("year_joints") or marked:
                here += 1
        if self.word(here) in date_words("articles"):
            here += 1
        if self.word(here - 1) in date_words("money_marks"):
            return None
        day = self.day_number(here)
        if day is not None:
            found = self.day_first(at, day, weekday)
            return None if found is None else self.held_to(found, weekday)
        month = self.month_at(here)
        if month is None:
            return None
        after = here + 1 + (self.word(here + 1) in date_words("articles"))
        day = self.day_number(after)
        if day is None and self.word(here + 1) in date_words("weekday_joints"):
            joined = self.joined(here)  # "Friday-Jun-15"
            if joined is not None:
                return self.held_to(replace(joined, first=at), weekday)
        if day is not None and self.year_at(after) is None and not self.counts(day[1]):
            return self.held_to(self.day_last(at, month, day), weekday)
        if weekday is not None:
            return None
        year, last = self.skip_year(here + 1)
        return self.month_day(at, last, year, month, None)

    def day_first(self, at: int, day: tuple[int, int, bool], weekday: int | None) -> Date | None:
        """What begins with the day: "5 May", "the 21st to the 22nd of March", "18 and 19 June", "Sunday 31"."""
        joint = self.skip_of(day[1])
        month = self.month_at(joint)
        if month is not None:
            year, last = self.skip_year(joint + 1)
            return self.month_day(at, last, year, month, day[0])
        mark = self.word(day[1])
        ranged = mark in date_words("range_marks")
        ranged = ranged or (mark in date_words("list_joints") and self.word(at - 1) in date_words("between_words"))
        if ranged or mark in date_words("list_joints"):
            other = day[1] + 1 + (self.word(day[1] + 1) in date_words("articles"))
            until = self.day_number(other)
            end = -1 if until is None else self.skip_of(until[1])
            month = self.month_at(end)
            if until is not None and month is not None:
                year, last = self.skip_year(end + 1)
                if ranged:
                    return self.stretched(self.month_day(at, last, year, month, day[0]), until[0] - day[0])
                return self.month_day(at, day[1], year, month, day[0])
        if weekday is not None and (day[2] or self.ends(day[1])):
            return self.weekday_day(at, day[1], weekday, day[0])
        return None

    def day_last(self, at: int, month: int, day: tuple[int, int, bool]) -> Date:
        """What begins with the month: "May 5th, 2026", "april 9th through 17th"."""
        until = self.day_number(day[1] + 1) if self.word(day[1]) in date_words("range_marks") else None
        if until is not None and until[0] > day[0] and (until[2] or self.ends(until[1])):
            year, last = self.skip_year(until[1])
            return self.stretched(self.month_day(at, last, year, month, day[0]), until[0] - day[0])
        year, last = self.skip_year(day[1])
        return self.month_day(at, last, year, month, day[0])

    def skip_of(self, at: int) -> int:
        """The token after "of" or "day of", where that stands at `at`."""
        here = at + (self.word(at) in date_words("day_names") and self.word(at + 1) in date_words("of_words"))
        return here + (self.word(here) in date_words("of_words"))

    def ends(self, at: int) -> bool:
        """Whether a bare number may end before token `at`: nothing follows that it could count."""
        word = self.word(at)
        return not word.isalnum() or (word in function_words() and word not in date_table("clock_halves"))

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
        short = self.numeric(here + 1)
        if short is not None:
            direction = int(date_table("step_words").get(step, 0))
            short = replace(short, spans=self.toward(short.spans, direction))
            return replace(self.held_to(short, weekday), first=at)  # "next friday 5/12"
        dated = self.named(here) if step else None
        if dated is not None:
            return replace(dated, first=at)  # "this friday (jun-15)"
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

    def seasonal(self, at: int) -> Date | None:
        word = self.word(at)
        if word not in date_table("seasons"):
            return None
        plain = word in date_words("plain_seasons")
        if plain and not (self.word(at - 1) in date_words("month_openers") or self.year_at(at + 1) is not None):
            return None
        return self.season(at)

    def holiday(self, at: int) -> Date | None:
        """ "Christmas 2025", "Good Friday", "Thanksgiving": fixed and movable, with a few days around."""
        for length in range(LONGEST_NAME, 0, -1):
            name = " ".join(self.words[at : at + length])
            if at + length > len(self.words) or not holiday_day(name, 2000):
                continue
            year, last = self.skip_year(at + length)
            years = [year] if year is not None else [] if self.now is None else [self.now.year + n for n in (-1, 0, 1)]
            days = [found for each in years if (found := holiday_day(name, each)) is not None]
            spans = tuple((found.toordinal(), found.toordinal()) for found in days)
            known = (holiday_day(name, each) for each in (2000, 2001))  # the same day each year, or one that moves
            fixed = {(found.month, found.day) for found in known if found is not None}
            month, day = next(iter(fixed)) if len(fixed) == 1 else (None, None)
            return Date(at, last, "day", spans, year, month, day, slack=7, relative=year is None)
        return None

    def is_range(self, joint: str, other: int) -> bool:
        """Whether a joint such as "to" or a dash leads to another year at token `other`."""
        return joint in date_words("range_joints") and other >= 0 and self.year_at(other) is not None

    def year(self, at: int) -> Date | None:
        """ "in 2019", "2014 to 2018", "class of '98", "in two thousand and twenty"."""
        year = self.year_at(at)
        before, after = self.word(at - 1), self.word(at + 1)
        if self.word(at) in date_words("short_year_marks") and len(after) == 2 and after.isascii() and after.isdigit():
            whole = self.whole_year(int(after))
            known = before in date_words("year_openers") and self.ends(at + 2) and self.word(at) not in function_words()
            return Date(at, at + 2, "year", (year_span(whole),), whole) if known else None
        if year is None:
            spoken = self.spoken_year(at)
            if spoken is None or before not in date_words("year_openers") or not self.ends(spoken[1]):
                return None
            return Date(at, spoken[1], "year", (year_span(spoken[0]),), spoken[0])
        plain = before in date_words("year_openers") or after in date_words("year_ends")
        ranged = self.is_range(after, at + 2) or self.is_range(before, at - 2)  # "2014-2018", "2014 to 2018"
        if ranged:
            return Date(at, at + 1, "year", (year_span(year),), year)
        dated = after in date_words("date_marks") and self.word(at + 2)[:1].isdigit()
        if not plain or after in time_units() or dated:
            return None
        return Date(at, at + 1, "year", (year_span(year),), year)
