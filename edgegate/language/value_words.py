"""Which words a text needs to hold a value of some kind: most texts are ruled out by them, before any rule is asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal

from edgegate.language import lexicon
from edgegate.language.days import date_words, function_words
from edgegate.language.numbers import counting_words, starters

Kind = Literal["numbers", "months", "weekdays", "clocks"]


def may_hold_value(words: Sequence[str]) -> bool:
    """Whether these tokens can hold a number, a quantity, a date or a time of day; most sentences are ruled out here.

    >>> may_hold_value("she left me the dog".split()), may_hold_value("she left a week ago".split())
    (False, True)
    """
    if not _value_words().isdisjoint(words) or _holds_figure(words):
        return True
    return _ends_loosely(words)


def may_name(words: Sequence[str], kind: Kind) -> bool:
    """Whether these tokens can hold a number (the day and year of a date included) or a time of day, or name a month
    or a weekday.

    >>> may_name("she left a week ago".split(), "numbers"), may_name("she left two days ago".split(), "numbers")
    (False, True)
    """
    if not _naming_words(kind).isdisjoint(words) or (kind != "weekdays" and _holds_figure(words)):
        return True
    return kind == "clocks" and _ends_loosely(words)


def _holds_figure(words: Sequence[str]) -> bool:
    return True in [word[0].isdigit() for word in words]


def _ends_loosely(words: Sequence[str]) -> bool:
    endings = tuple(date_words("loose_endings"))
    return True in [word.endswith(endings) for word in words]


@cache
def _value_words() -> frozenset[str]:
    """The words of which a text without figures needs one to hold a number, a quantity, a date or a time of day.

    Function words are left out that begin a date or time only beside one of the others ("a week ago", "on the 5th").
    """
    named = {word for table in lexicon.table("dates").values() for entry in table for word in str(entry).split()}
    time = lexicon.table("units")["time"]
    words = named.union(starters(), lexicon.table("number_scales"), lexicon.table("group_words"), time)
    words |= {f"{unit}s" for unit in time if len(unit) > 2}
    alone = lexicon.table("value_words_alone")
    return frozenset(word for word in words if word[0].isalnum() and (word in alone or word not in function_words()))


@cache
def _naming_words(kind: Kind) -> frozenset[str]:
    """The words of which a text needs one to name what `kind` says, figures apart."""
    if kind == "weekdays":
        named = date_words("weekdays") | date_words("weekday_plurals")
        return named.union(f"{word}'s" for word in named)
    if kind == "clocks":
        named = date_words("clock_words") | date_words("clock_shares")
        return counting_words().union(name.split()[0] for name in named)
    holidays = (name for table in ("holidays", "easter_days", "weekday_holidays") for name in date_words(table))
    words = frozenset(word for name in holidays for word in name.split())
    return words | (date_words("months") if kind == "months" else counting_words())
