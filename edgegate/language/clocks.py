"""Times of day in running text, with every reading: "at four" is four in the morning or in the afternoon.

Source: Quirk et al. 1985, 8.51-8.81; the words stand in `data/en/values.toml`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from edgegate.language.days import date_table, date_words, function_words
from edgegate.language.numbers import Words, going_on, number_at, starters


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day: token range (end exclusive) and every reading in minutes after midnight ("at four" has two)."""

    first: int
    last: int
    minutes: tuple[int, ...]


def _clock_digits(word: str) -> tuple[int, str] | None:
    """Minutes after midnight of "9:30", "14.20", "4pm", "9:30am", and what was left over ("pm")."""
    end = 0
    while end < len(word) and (word[end].isdigit() or word[end] in ":."):
        end += 1
    head, tail = word[:end].rstrip(":."), word[end:].replace(".", "")
    if not head or len(head) > 8 or not head.isascii():
        return None
    mark = ":" if ":" in head else "."
    parts = head.split(mark)
    if not all(part.isdigit() for part in parts) or len(parts) > 3 or (len(parts) > 1 and len(parts[1]) != 2):
        return None
    hours, minutes = int(parts[0]), int(parts[1]) if len(parts) > 1 else 0
    return (hours * 60 + minutes, tail) if hours <= 24 and minutes < 60 else None


def _halves(minutes: int, half: int | None) -> tuple[int, ...]:
    """Both readings of a time on a twelve-hour clock, or the one that "am" or "pm" names."""
    if minutes >= 13 * 60 or minutes < 60:
        return (minutes % 1440,)
    base = minutes % 720
    return (base, base + 720) if half is None else (base + half * 60,)


def clocks(words: Sequence[str]) -> list[Clock]:
    """Every time of day in the tokens `words`: "9:30", "at four", "4 pm", "half past six", "noon".

    >>> [(c.first, c.last, c.minutes) for c in clocks("come at four or half past six".split())]
    [(1, 3, (240, 960)), (4, 7, (390, 1110))]
    """
    found: list[Clock] = []
    words, begins, endings = Words.of(words), _beginnings(), _endings()
    here = 0
    for place, figure in enumerate(words.figures):
        word = words[place]
        if not (figure or word in begins or word.endswith(endings)) or place < here or not _may_begin(words, place):
            continue
        clock = _clock_at(words, place, bool(found) and found[-1].last == place)
        if clock is not None:
            found.append(clock)
            here = clock.last
    return found


def _may_begin(words: Sequence[str], at: int) -> bool:
    """Whether a time of day may begin at a token of `_beginnings`: most are ruled out here, by what follows them."""
    word = words[at]
    after = words[at + 1] if at + 1 < len(words) else ""
    if word in _numerals() or word.isdigit():
        return after in _number_goes_on()
    if word in _joints():
        return after[:1].isdigit() or after in starters()
    return True


@cache
def _beginnings() -> frozenset[str]:
    """The words that a time of day can begin with, figures and words with a loose ending apart."""
    return starters().union(_joints(), (name.split()[0] for name in date_table("clock_words")))


@cache
def _endings() -> tuple[str, ...]:
    return tuple(date_words("loose_endings"))


@cache
def _joints() -> frozenset[str]:
    """The words that open a time of day and are no part of it."""
    named = {name.split()[0] for name in date_table("clock_words")}
    return (date_words("clock_openers") | date_words("clock_joints")) - named - starters()


@cache
def _numerals() -> frozenset[str]:
    return starters() - {name.split()[0] for name in date_table("clock_words")}


@cache
def _number_goes_on() -> frozenset[str]:
    """What must stand behind the first token of a number for a time of day to begin with it."""
    halves = date_table("clock_halves")
    tables = ("minute_words", "clock_steps", "day_part_openers", "clock_marks")
    return going_on().union(halves, (half[0] for half in halves), *(date_words(name) for name in tables))


def _half_after(words: Sequence[str], at: int) -> tuple[int | None, int]:
    """What stands for "am" or "pm" at `at`, and the next token; "a.m." comes in pieces; so does "at night"."""
    if at + 2 < len(words) and (words[at] in date_words("day_part_openers")):
        here = at + 1 + (words[at + 1] in date_words("articles"))
        part = date_table("clock_day_parts").get(words[here]) if here < len(words) else None
        if part is not None:
            return int(part), here + 1
    halves = date_table("clock_halves")
    word = words[at] if at < len(words) else ""
    if word.replace(".", "") in halves:
        return int(halves[word.replace(".", "")]), at + 1
    if at + 2 < len(words) and words[at + 1] == "." and f"{word}{words[at + 2]}" in halves:
        last = at + 3 + (at + 3 < len(words) and words[at + 3] == ".")
        return int(halves[f"{word}{words[at + 2]}"]), last
    return None, at


def _clock_at(words: Sequence[str], at: int, after_clock: bool) -> Clock | None:
    word = words[at]
    about = _without_ending(word)
    for name, last in ((" ".join(words[at : at + 2]), min(at + 2, len(words))), (about, at + 1)):
        fixed = date_table("clock_words").get(name)
        if fixed is not None:
            return Clock(at, last, (int(fixed),))
    past = _minutes_past(words, at)
    if past is not None:
        return past
    share = date_table("clock_shares").get(word)
    if share is not None and at + 2 < len(words) and words[at + 1] in date_table("clock_steps"):
        hour = number_at(words, at + 2)
        if hour is not None and hour.value.denominator == 1 and 1 <= hour.value <= 12:
            minutes = int(hour.value) * 60 + int(share) * int(date_table("clock_steps")[words[at + 1]])
            half, last = _half_after(words, hour.last)
            return Clock(at, last, _halves(minutes, half))
    opened = word in date_words("clock_openers") or (after_clock and word in date_words("clock_joints"))
    start = at + 1 if opened and at + 1 < len(words) else at
    read = _clock_read(words, start, opened)
    return None if read is None else Clock(at, read[1], read[0])


def _without_ending(word: str) -> str:
    """ "11ish" and "noonish" without the ending that makes them loose."""
    if not word.endswith(_endings()):
        return word
    return next(word.removesuffix(end) for end in _endings() if word.endswith(end))


def _minutes_past(words: Sequence[str], at: int) -> Clock | None:
    """ "ten past six", "20 minutes to nine in the evening"; without "minutes", "to" may be a range."""
    minutes = number_at(words, at)
    if minutes is None or minutes.ordinal or minutes.value.denominator != 1 or not 1 <= minutes.value <= 59:
        return None
    named = minutes.last < len(words) and words[minutes.last] in date_words("minute_words")
    joint = minutes.last + named
    step = date_table("clock_steps").get(words[joint]) if joint < len(words) else None
    if step is None or not (named or words[joint] in date_words("past_words")):
        return None
    hour = number_at(words, joint + 1)
    if hour is None or hour.ordinal or hour.value.denominator != 1 or not 1 <= hour.value <= 12:
        return None
    half, last = _half_after(words, hour.last)
    if not named and half is None and not _ends_clock(words, last):
        return None
    return Clock(at, last, _halves(int(hour.value) * 60 + int(step) * int(minutes.value), half))


def _clock_read(words: Sequence[str], at: int, opened: bool) -> tuple[tuple[int, ...], int] | None:
    """A time that is written as digits or as an hour in words; a bare hour counts only after "at", "by", ..."""
    word = words[at]
    digits = _clock_digits(_without_ending(word)) if word[:1].isdigit() else None
    if digits is not None and word != _without_ending(word):
        return (_halves(digits[0], None), at + 1) if not digits[1] else None  # "11ish"
    if digits is not None:
        minutes, tail = digits
        short = date_table("short_halves").get(tail)
        if short is not None and (opened or ":" in word) and minutes < 13 * 60:
            return _halves(minutes, int(short)), at + 1  # "at 7p", "9:00a"
        half, last = _half_after(words, at + 1)
        if tail in date_table("clock_halves"):
            return _halves(minutes, int(date_table("clock_halves")[tail])), at + 1
        if tail:
            return None
        if half is not None and minutes < 13 * 60:
            return _halves(minutes, half), last
        if ":" in word:
            return _halves(minutes, None), at + 1
        if "." in word:
            return (_halves(minutes, None), at + 1) if opened and _ends_clock(words, at + 1) else None
        if "," in word:
            return None
        if at + 1 < len(words) and words[at + 1] in date_words("clock_marks"):
            return _halves(minutes, None), at + 2
        return (_halves(minutes, None), at + 1) if opened and _ends_clock(words, at + 1) else None
    number = number_at(words, at)
    if number is None or number.ordinal or number.value.denominator != 1 or not 1 <= number.value <= 12:
        return None
    half, last = _half_after(words, number.last)
    marked = last < len(words) and words[last] in date_words("clock_marks")
    if half is not None or marked or (opened and not number.weak and _ends_clock(words, last)):
        return _halves(int(number.value) * 60, half), last + marked
    return None


def _ends_clock(words: Sequence[str], at: int) -> bool:
    """Whether a bare hour may end before token `at`: nothing that it could count follows."""
    word = words[at] if at < len(words) else ""
    return not word or not word[0].isalnum() or word in function_words() or word in date_words("after_clock")
