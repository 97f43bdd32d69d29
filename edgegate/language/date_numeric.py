"""Dates written in figures: 2026-08-31, 31/08/2026, 8/31/26, 05-Aug-2016, 20260831, 12/2015.

Source: ISO 8601 for the order year, month, day; where the order is open, both readings are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from edgegate.language.date_parts import YEARS, Parts
from edgegate.language.days import Date, Span, date_table, date_words, day_span, function_words, month_span
from edgegate.language.numbers import split_digits


def _is_number(text: str, most: int = 4) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= most


class Numeric(Parts):
    """Reads dates in figures."""

    def numeric(self, at: int) -> Date | None:
        """2026-08-31, 31/08/2026, 8/31/26, 31.08.2026, 31/8, 20260831."""
        word = self.word(at)
        if not word[:1].isdigit():
            return None
        if len(word) == 8 and _is_number(word, 8):
            return self._placed(at, at + 1, [(int(word[:4]), int(word[4:6]), int(word[6:]))])
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
        elif len(parts) != 3 and not (len(parts) == 2 and self.weekday_at(at - 1) is not None):
            return None
        if len(parts) == 3 and len(parts[2]) > 2 and not parts[2].isdigit():
            parts[2] = split_digits(parts[2])[0]  # 2026-03-14T09:00 keeps its time in the last token
        if not all(map(_is_number, parts)):
            return None
        values = [int(part) for part in parts]
        if len(values) == 2:
            return None if self._is_fraction(values, last) else self._short(at, last, values)
        if len(parts[0]) == 4:
            return self._placed(at, last, [(values[0], values[1], values[2])])
        year = values[2] if len(parts[2]) == 4 else self.whole_year(values[2])
        return self._placed(at, last, [(year, values[1], values[0]), (year, values[0], values[1])])

    def _is_fraction(self, values: Sequence[int], last: int) -> bool:
        """Whether "2/3" is a share of what follows: "2/3 cup", "3/4 of them"."""
        after = self.word(last)
        counted = after in date_words("of_words") or (after.isalpha() and after not in function_words())
        return values[0] < values[1] <= 8 and counted

    def _short(self, at: int, last: int, values: Sequence[int]) -> Date | None:
        """ "31/8": of each order the last one and the next one."""
        spans: set[Span] = set()
        today = None if self.now is None else self.now.toordinal()
        for month, day in {(values[1], values[0]), (values[0], values[1])}:
            years = [] if self.now is None else [self.now.year - 1, self.now.year, self.now.year + 1]
            found = [span for year in years if (span := day_span(year, month, day)) is not None]
            if today is not None:
                spans |= set([span for span in found if span[0] <= today][-1:])
                spans |= set([span for span in found if span[0] >= today][:1])
        return Date(at, last, "day", tuple(sorted(spans)), relative=True) if spans else None

    def _placed(self, at: int, last: int, choices: Sequence[tuple[int, int, int]]) -> Date | None:
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
        )

    def joined(self, at: int) -> Date | None:
        """05-Aug-2016, 2020/Sep/23, Nov/2, jun-15; Dec-2018; and months in figures: 2015-3, 12/2015."""
        mark = self.word(at + 1)
        if mark not in date_words("date_marks"):
            return None
        parts = [self.word(at), self.word(at + 2)]
        last = at + 3
        if self.word(at + 3) == mark and self.word(at + 4):
            parts.append(self.word(at + 4))
            last = at + 5
        months = [int(date_table("months")[part]) for part in parts if part in date_table("months")]
        figures = [part for part in parts if _is_number(part)]
        if len(months) + len(figures) != len(parts) or len(months) > 1:
            return None
        years = [int(part) for part in figures if len(part) == 4 and int(part) in YEARS]
        rest = [int(part) for part in figures if len(part) <= 2]
        if months and len(figures) == 2 and len(rest) == 2 and parts[-1] in figures:
            years, rest = [self.whole_year(rest[1])], rest[:1]  # 05-Aug-16
        if months and len(years) == 1 and len(rest) == 1 and len(parts) == 3:
            return self._placed(at, last, [(years[0], months[0], rest[0])])
        if months and not years and len(rest) == 1 and len(parts) == 2 and 1 <= rest[0] <= 31:
            return self.month_day(at, last, None, months[0], rest[0])
        if months and len(years) == 1 and len(parts) == 2:
            return self.month_day(at, last, years[0], months[0], None)  # "Dec-2018"
        if not months and len(parts) == 2 and len(years) == 1 and len(rest) == 1 and 1 <= rest[0] <= 12:
            return Date(at, last, "month", (month_span(years[0], rest[0]),), years[0], rest[0])
        return None
