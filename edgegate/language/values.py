"""Comparable values in a text: numbers, quantities with units, dates, clock times and names.

Two texts hold the same value when the keys agree, however it is written: "4,200 grams" and "4.2 kg", "60 percent" and
"60%", "yesterday" and "15 March 2026". Sources and words: `data/en/values.toml`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache

from edgegate.language import lexicon
from edgegate.language.clocks import Clock, clocks
from edgegate.language.dates import dates, read_now
from edgegate.language.days import Date, function_words, relate
from edgegate.language.names import Name, names
from edgegate.language.numbers import Number, Words, number_at, numbers, spelt, split_digits
from edgegate.language.text import Tokens
from edgegate.language.value_words import may_hold_value, may_name

__all__ = [
    "Clock",
    "Date",
    "Name",
    "Number",
    "Quantity",
    "Reading",
    "Values",
    "is_unit",
    "may_hold_value",
    "may_name",
    "names",
    "read_now",
    "relate",
    "relate_quantities",
    "spelt",
    "values",
]


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of a unit: its dimension ("mass", "money_eur") and the value in that dimension's base unit."""

    dimension: str
    amount: Fraction


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with a unit, a currency, or a rate: token range (end exclusive) and every meaning.

    `value` is the number as written, `unit` the unit word as folded ("" where there is none), `readings` what the unit
    can mean ("pounds" are a mass or a currency), `per` the period or share of a rate ("month" in "60 a month"), `rest`
    the number behind the unit ("two" of "six foot two"), counted in `value` and `readings`.
    """

    first: int
    last: int
    value: Fraction
    unit: str
    readings: tuple[Reading, ...] = ()
    per: str = ""
    rest: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Values:
    """All values of a text, each kind in order. Numbers that belong to a date or a clock time are not in `numbers`;
    those of a quantity are."""

    numbers: tuple[Number, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    dates: tuple[Date, ...] = ()
    clocks: tuple[Clock, ...] = ()
    names: tuple[Name, ...] = ()


@cache
def _units() -> dict[str, tuple[tuple[str, Fraction], ...]]:
    """Every surface form of a unit, plurals included, to its dimensions and sizes."""
    units: dict[str, list[tuple[str, Fraction]]] = {}
    for dimension, sizes in lexicon.table("units").items():
        for name, size in sizes.items():
            forms = [name] if len(name) < 3 else [name, f"{name}s"]
            for form in forms:
                units.setdefault(form, []).append((dimension, Fraction(size)))
    return {form: tuple(found) for form, found in units.items()}


def is_unit(word: str) -> bool:
    """Whether a folded word is a unit of measure, a currency or a unit of time.

    >>> is_unit("miles"), is_unit("railing")
    (True, False)
    """
    return word in _units()


@cache
def _set(name: str) -> frozenset[str]:
    return frozenset(lexicon.table(name))


def _money_suffix(word: str) -> Fraction | None:
    text = lexicon.table("money_suffixes").get(word)
    return None if text is None else Fraction(text)


def _is_money(word: str) -> bool:
    return word in _money()


@cache
def _money() -> frozenset[str]:
    return frozenset(word for word, sizes in _units().items() if any(size[0].startswith("money") for size in sizes))


def _readings(unit: str, value: Fraction) -> tuple[Reading, ...]:
    return tuple(Reading(dimension, value * size) for dimension, size in _units().get(unit, ()))


def _rate(words: Sequence[str], at: int) -> tuple[str, int]:
    """The period or share of a rate that begins at token `at`, and the next token: "a month", "per head", "weekly"."""
    if at >= len(words):
        return "", at
    adverb = lexicon.table("per_adverbs").get(words[at])
    if adverb is not None:
        return str(adverb), at + 1
    if words[at] in _set("per_words") and at + 1 < len(words):
        following = words[at + 1]
        singular = following.removesuffix("s")
        if singular in lexicon.table("units")["time"] or singular in _set("per_things") or _is_measure(following):
            return singular, at + 2
    return "", at


def _is_measure(word: str) -> bool:
    """Whether a word is a unit of mass, length, area or volume."""
    return any(dimension in _set("measures") for dimension, _ in _units().get(word, ()))


def _joined(words: Sequence[str], at: int, taken: Sequence[bool]) -> Quantity | None:
    """A token that holds number and unit together: "3.4kg", "20mg", "5km"."""
    head, tail = split_digits(words[at])
    money = at > 0 and not taken[at - 1] and _is_money(words[at - 1])
    if not head or not tail or not (tail in _units() or (money and _money_suffix(tail) is not None)):
        return None
    number = number_at([head], 0)
    if number is None:
        return None
    per, last = _rate(words, at + 1)
    scale = _money_suffix(tail) if money else None
    if scale is not None:
        value = number.value * scale
        return Quantity(at - 1, last, value, words[at - 1], _readings(words[at - 1], value), per)
    return Quantity(at, last, number.value, tail, _readings(tail, number.value), per)


def _quantity(words: Sequence[str], number: Number, taken: Sequence[bool]) -> Quantity | None:
    """The quantity that `number` is part of: "600 Swiss francs", "€1.2m", "85 a head", "half an hour", "20 %".

    `taken` marks tokens that already belong to another value.
    """
    first, at, value = number.first, number.last, number.value
    before = words[first - 1] if first and not taken[first - 1] else ""
    unit = ""
    if _is_money(before) and not before.isalpha():
        unit, first = before, first - 1
        scale = _money_suffix(words[at]) if at < len(words) else None
        if scale is not None:
            value, at = value * scale, at + 1
    elif len(before) == 3 and _is_money(before):
        unit, first = before, first - 1
    if not unit and not number.ordinal:
        here = at
        while here < len(words) and here < at + 3 and words[here] in _fillers():
            here += 1
        if here + 1 < len(words) and words[here] in _set("degree_words") and words[here + 1] in _units():
            here += 1  # "40 degrees celsius"
        if here == at and value < 1 and here + 1 < len(words) and words[here] in _set("one_words"):
            here += 1  # "half an hour"
        if here + 1 < len(words) and _is_loose_time(words[here], words[here + 1]):
            here += 1  # "20 contact hours"
        pair = f"{words[here]}{words[here + 1]}" if here + 1 < len(words) else ""
        if pair and not words[here].isalpha() and pair in _units():
            unit, at = pair, here + 2  # "° c"
        elif here < len(words) and words[here] in _units() and words[here] not in _set("one_words"):
            unit, at = words[here], here + 1
            if words[here] == "percentage" and at < len(words) and words[at] in _units():
                unit, at = words[at], at + 1  # "two percentage points"
    rest, behind = _rest_after(words, unit, at)
    if rest is not None:
        share = rest / Fraction(lexicon.table("sub_units")[unit])
        readings = [Reading(dimension, (value + share) * size) for dimension, size in _units()[unit]]
        measures = tuple(each for each in readings if each.dimension in _set("measures"))
        return Quantity(first, behind, value + share, unit, measures, "", rest)
    if unit:
        share, at = _share_after(words, at)
        value += share
    per, last = _rate(words, at)
    if unit and not per and at < len(words) and words[at] in _set("of_words"):
        per = next(
            (found for found, _ in (_rate(words, at + 2), _rate(words, at + 3)) if found), ""
        )  # "g of sugar per l"
    if not unit and not per:
        return None
    return Quantity(first, last, value, unit, _readings(unit, value), per)


@cache
def _fillers() -> frozenset[str]:
    return _set("unit_fillers") | {"-"}


def _share_after(words: Sequence[str], at: int) -> tuple[Fraction, int]:
    """What "and a half" adds after a unit ("an hour and a half"), and the next token."""
    if at + 2 < len(words) and words[at] in _set("and_words") and words[at + 1] in _set("one_words"):
        share = lexicon.table("fraction_words").get(words[at + 2])
        if share is not None:
            return Fraction(share), at + 3
    return Fraction(0), at


def _rest_after(words: Sequence[str], unit: str, at: int) -> tuple[Fraction | None, int]:
    """The number of smaller units that stands alone behind a larger one ("six foot two"), and the next token."""
    most = lexicon.table("sub_units").get(unit)
    number = None if most is None else number_at(words, at)
    if number is None or number.ordinal or number.value.denominator != 1 or not 0 < number.value < Fraction(most):
        return None, at
    after = words[number.last] if number.last < len(words) else ""
    counts = after[:1].isalnum() and after not in function_words()
    return (None, at) if counts or after in _units() else (number.value, number.last)


def _merged(words: Sequence[str], found: list[Quantity]) -> list[Quantity]:
    """The quantities, lengths of time that stand together made one: "1 hour and 30 minutes", "2 days, 4 hours"."""
    kept: list[Quantity] = []
    for each in found:
        before = kept[-1] if kept else None
        measured = None if before is None else _joined_measure(words, before, each)
        if measured is not None:
            kept[-1] = measured
            continue
        mine, theirs = _time_size(each), None if before is None else _time_size(before)
        if before is not None and mine is not None and theirs is not None and mine < theirs and not before.per:
            between = words[before.last : each.first]
            if not between or (len(between) == 1 and between[0] in _set("and_words") | {","}):
                value = before.value + each.value * mine / theirs
                readings = _readings(before.unit, value)
                kept[-1] = Quantity(before.first, each.last, value, before.unit, readings, each.per)
                continue
        kept.append(each)
    return kept


def _joined_measure(words: Sequence[str], before: Quantity, each: Quantity) -> Quantity | None:
    """ "6 ft 2 in" and "14 lb 6 oz" as one length or mass, where the second is the smaller unit of the first."""
    if before.unit not in lexicon.table("sub_units") or before.last != each.first or before.per or each.rest:
        return None
    for one in before.readings:
        for other in each.readings:
            if one.dimension == other.dimension and one.dimension in _set("measures") and other.amount < one.amount:
                made = Reading(one.dimension, one.amount + other.amount)
                value = before.value + each.value / Fraction(lexicon.table("sub_units")[before.unit])
                return Quantity(before.first, each.last, value, before.unit, (made,), each.per, each.value)
    return None


def _time_size(quantity: Quantity) -> Fraction | None:
    """How long one of its unit is, of a quantity that can only be a length of time."""
    sizes = _units().get(quantity.unit, ())
    return sizes[0][1] if len(sizes) == 1 and sizes[0][0] == "time" else None


def _is_loose_time(word: str, unit: str) -> bool:
    """Whether a plural unit of time follows an ordinary word that says what kind of time it is."""
    named = unit.endswith("s") and unit[:-1] in lexicon.table("units")["time"] and len(unit) > 4
    return named and word.isalpha() and word not in _set("function_words") and word not in _units()


def _article_quantities(words: Sequence[str]) -> list[Quantity]:
    """ "a fortnight", "an hour": one unit of time after an article, where no number or rate claims it."""
    ones, time = _set("one_words"), lexicon.table("units")["time"]
    found: list[Quantity] = []
    if ones.isdisjoint(words):
        return found
    for at in range(len(words) - 1):
        if words[at] in ones and words[at + 1] in time:
            share, last = _share_after(words, at + 2)
            found.append(Quantity(at, last, 1 + share, words[at + 1], _readings(words[at + 1], 1 + share)))
    return found


def _overlaps(first: int, last: int, taken: list[bool]) -> bool:
    return any(taken[first:last])


def _take(first: int, last: int, taken: list[bool]) -> None:
    taken[first:last] = [True] * (last - first)


def values(tokens: Tokens, now: str | date | None = None, named: Sequence[Name] | None = None) -> Values:
    """The comparable values of `tokens`; `now` (an ISO date or date-time) places relative dates. `named` are the names
    in `tokens`, from whoever has them already.

    Never raises on text; a `now` that is no date raises DataError.

    >>> from edgegate.language.text import tokenise
    >>> found = values(tokenise("Bashir owes me 600 francs since Saturday"), "2026-05-04")
    >>> found.quantities[0].readings[0].dimension, found.names[0].key, [d.weekday for d in found.dates]
    ('money_chf', 'bashir', [5])
    """
    found_names = tuple(names(tokens) if named is None else named)
    if not may_hold_value(tokens.words):
        return Values(names=found_names)
    words = Words(tokens.words)
    day = now if isinstance(now, date) else read_now(now)
    taken = [False] * len(words)
    found_dates = dates(words, day)
    for found in found_dates:
        _take(found.first, found.last, taken)
    found_clocks = [clock for clock in clocks(words) if not _overlaps(clock.first, clock.last, taken)]
    for clock in found_clocks:
        _take(clock.first, clock.last, taken)
    counted = []
    quantities = []
    for at in [at for at, figure in enumerate(words.figures) if figure and not words[at].isdigit()]:
        if not taken[at]:
            joined = _joined(words, at, taken)
            if joined is not None:
                quantities.append(joined)
                counted.append(Number(at, at + 1, joined.value))
                _take(joined.first, joined.last, taken)
    for number in numbers(words):
        if _overlaps(number.first, number.last, taken):
            continue
        counted.append(number)
        quantity = _quantity(words, number, taken)
        if quantity is not None:
            quantities.append(quantity)
            counted += [each for each in [number_at(words, quantity.last - 1)] if each is not None and quantity.rest]
            _take(quantity.first, quantity.last, taken)
    quantities += [each for each in _article_quantities(words) if not _overlaps(each.first, each.last, taken)]
    if len(quantities) > 1:
        quantities = _merged(words, sorted(quantities, key=lambda quantity: quantity.first))
    if len(counted) > 1:
        counted.sort(key=lambda number: number.first)
    return Values(tuple(counted), tuple(quantities), tuple(found_dates), tuple(found_clocks), found_names)


def relate_quantities(one: Quantity, other: Quantity) -> str:
    """How two quantities stand: "same" (equal after conversion), "unit" (same number, other unit or rate),
    "value" (same dimension, other amount), or "unknown" (not comparable).

    >>> from edgegate.language.text import tokenise
    >>> a, b, c = (values(tokenise(t)).quantities[0] for t in ("22 miles", "22 km", "35.405568 km"))
    >>> relate_quantities(a, b), relate_quantities(a, c), relate_quantities(b, c)
    ('unit', 'same', 'value')
    """
    mine = {reading.dimension: reading.amount for reading in one.readings}
    theirs = {reading.dimension: reading.amount for reading in other.readings}
    shared = mine.keys() & theirs.keys()
    if one.per and other.per and one.per != other.per and one.value == other.value:
        return "unit"
    if any(_near(mine[dimension], theirs[dimension]) for dimension in shared):
        return "same"
    if one.value == other.value and one.readings and other.readings:
        return "unit"
    if shared:
        return "value"
    return "unknown"


def _near(one: Fraction, other: Fraction) -> bool:
    """Equal within the rounding of a unit conversion (half a percent)."""
    return abs(one - other) * 200 <= max(abs(one), abs(other))
