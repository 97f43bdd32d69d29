"""brittle: a computed figure is kept and what it was computed from is gone, so nobody can recompute it later.

Reads the aligned sentence and the ones before it, across turns: who works a figure out is often not who gave the
numbers. A figure counts as computed when the numbers before it make it (a sum, product, quotient, difference, a sum of
products, a share in percent), and the source says so ("so", "in all", "comes to") or three numbers went into it. A
figure that only the memory has (a percentage, a rate, "doubled") counts when two numbers of the source make it.

Source: Kwon 2026 on memories that keep a conclusion and drop its values, as cited by the paper (factwash, section 2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations

from edgegate.gate.checks.bounds import holding
from edgegate.gate.write import Pairing, Write, change
from edgegate.language import lexicon
from edgegate.language.passages import Passage
from edgegate.language.values import Number, Values
from edgegate.records import Change, Severity

_INPUTS = 5
_WINDOW = 6  # sentences before the result
_FAR = 6  # numbers before the result, across turns
_LEAST = 10  # a smaller whole number is too easily made by chance
_NEAR = Fraction(1, 100)  # a rounded result is still a result
_WHOLE = Fraction(1, 2)  # a figure rounded to a whole one
_DIGITS = 12  # of one hour-like number
_RATIO = Fraction(6, 10)  # "more than doubled" may be somewhat more than twice


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(lexicon.table("counting")[name])


@cache
def _ratios() -> dict[str, Fraction]:
    return {word: Fraction(text) for word, text in lexicon.table("counting")["ratios"].items()}


def brittle(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change where the memory sentence keeps a result and none of its inputs."""
    candidate = pairing.candidate
    found = _worked_out_there(write, pairing) or worked_out_here(write, candidate)
    if found is not None:
        source, result, used = found
        yield gone(source, pairing.candidate, result, used)


def _worked_out_there(write: Write, pairing: Pairing) -> tuple[Passage, str, Sequence[Fraction]] | None:
    """A result that the source has, with the numbers before it that make it, none of which the memory holds."""
    theirs = {number.value for number in pairing.candidate.values.numbers}
    held = {number.value for other in write.pairings for number in other.candidate.values.numbers}
    told = [link.source for link in pairing.links]
    told += [each for value in theirs for each in holding(write, value) if write.spoken_by_assistant(each)]
    for source in dict.fromkeys(told):
        says_so = any(word in _words("result_words") for word in source.words)
        mine = figures_of(source)
        for place, result in enumerate(mine):
            if result not in theirs:
                continue
            near = [*figures_of(write.before(source)), *mine[:place]][-_INPUTS:]
            used = computed(near, result, free=says_so)
            if (used is None or len(used) < (2 if says_so else 3)) and says_so and result >= _LEAST:
                far = [*_before(write, source), *mine[:place]][-_FAR:]
                used = computed(far, result, least=3)
            enough = used is not None and len(used) >= (2 if says_so else 3)
            if not enough and write.spoken_by_assistant(source):
                used = _reckoned(_before(write, source), result, source)
                enough = used is not None
            if used is not None and enough and not any(value in held for value in used):
                return source, f"{float(result):g}", used
    return None


def figures_of(passage: Passage | None) -> list[Fraction]:
    """The numbers of a sentence in order, those among them that look like a bare hour ("two adults at 18")."""
    return [] if passage is None else _figures(passage, passage.values)


def _counts(values: Values) -> list[Number]:
    return [number for number in values.numbers if not number.ordinal and not number.weak]


def _figures(passage: Passage, values: Values) -> list[Fraction]:
    found = [(number.first, number.value) for number in _counts(values)]
    for clock in values.clocks:
        bare = [at for at in range(clock.first, clock.last) if passage.words[at].isdecimal()]
        if len(bare) == 1 and clock.last - clock.first <= 2:
            found.append((bare[0], Fraction(passage.words[bare[0]][:_DIGITS])))
    for date in values.dates:
        said = passage.words[date.first : date.last]
        before = passage.words[date.first - 1] if date.first else ""
        if len(said) == 1 and said[0].isdecimal() and before not in _words("year_openers"):
            found.append((date.first, Fraction(said[0][:_DIGITS])))  # "total 1950" is no year
    return [value for _, value in sorted(found)]


def _before(write: Write, source: Passage) -> list[Fraction]:
    """The numbers of the sentences before, whoever said them."""
    near = write.passages[max(source.number - _WINDOW, 0) : source.number]
    return [value for passage in near for value in figures_of(passage)]


def worked_out_here(write: Write, candidate: Passage) -> tuple[Passage, str, Sequence[Fraction]] | None:
    """A percentage, rate or ratio that only the memory has and that two numbers of the source make."""
    held = {number.value for number in candidate.values.numbers}
    wanted = _shares(candidate) | _rates(candidate)
    ratios = {_ratios()[word] for word in candidate.words if word in _ratios()}
    if not wanted and not ratios:
        return None
    known = {number.value for _, values in write.figures() for number in values.numbers}
    if ratios and any(next(write.saying(word), None) is not None for word in _ratios()):
        ratios = set()
    if not ratios and not (wanted - known):
        return None
    figures_by_place = {passage.number: _figures(passage, values) for passage, values in write.figures()}
    for passage, values in write.figures():
        if not _counts(values):
            continue
        near = range(passage.number, passage.number + _WINDOW)
        numbers = [value for place in near for value in figures_by_place.get(place, ())][:_FAR]
        for one, other in permutations(numbers, 2):
            if not other or one == other or one in held or other in held:
                continue
            made = one / other
            figures = {made * 100, (made - 1) * 100, (1 - made) * 100, made, made * 1000}
            for figure in wanted - known:
                if any(
                    value > 0 and abs(value - figure) <= max(_NEAR * figure, _rounding(figure)) for value in figures
                ):
                    return passage, f"{float(figure):g}", (one, other)
            if any(ratio > 1 and ratio <= made < ratio + _RATIO for ratio in ratios) and one > 2:
                return passage, f"{float(made):.2g}", (one, other)
    return None


def _rounding(figure: Fraction) -> Fraction:
    """Half of the last whole place of a figure without decimals."""
    return Fraction(1, 2) if figure.denominator == 1 and figure >= _LEAST else Fraction(0)


def _shares(candidate: Passage) -> set[Fraction]:
    return {
        quantity.value
        for quantity in candidate.values.quantities
        if any(reading.dimension == "share" for reading in quantity.readings)
    }


def _rates(candidate: Passage) -> set[Fraction]:
    """Minutes and seconds for one of something: "5:42 per kilometre" is 5.7."""
    found = set()
    for clock in candidate.values.clocks:
        said = next((word for word in candidate.words[clock.first : clock.last] if ":" in word), "")
        minutes, _, seconds = said.partition(":")
        follows = any(word in _words("rate_words") for word in candidate.words[clock.last : clock.last + 1])
        if follows and minutes.isdecimal() and seconds.isdecimal():
            found.add(int(minutes[:_DIGITS]) + Fraction(int(seconds[:_DIGITS]), 60))
    return found


def computed(
    inputs: Sequence[Fraction], result: Fraction, *, free: bool = False, least: int = 2
) -> list[Fraction] | None:
    """The inputs that make `result`, or None: the last ones in order, or (`free`) a sum of products or a percentage.

    `least` is how many must go into it. One input makes nothing.
    """
    for size in range(least, len(inputs) + 1):
        used = list(inputs[-size:])
        if result in used:
            continue
        made = _results(used) | (_products(used) if free or least > 2 else set())
        if any(abs(value - result) <= _NEAR * abs(result) for value in made):
            return used
    if least > 2:
        for size in range(len(inputs) - 1, least - 1, -1):
            for begin in range(len(inputs) - size):
                used = list(inputs[begin : begin + size])
                if result not in used and any(abs(value - result) <= _NEAR * abs(result) for value in _results(used)):
                    return used
    return None


def _reckoned(inputs: Sequence[Fraction], result: Fraction, remark: Passage) -> list[Fraction] | None:
    """The numbers of the turns before that make a figure which the assistant works out and nobody else has said.

    "Total 1950, me 40 %" and "your part is 780"; "64, 51 and 38" and "so the average is 51". Two numbers count only
    where they make the figure to the last whole place.
    """
    near = list(inputs[-_FAR:])
    mean = sum(near, Fraction(0)) / len(near) if len(near) > 2 else None
    if mean is not None and any(word in _words("mean_words") for word in remark.words) and abs(mean - result) <= _WHOLE:
        return [value for value in near if value != result]
    if result in near or result < _LEAST:
        return None
    for one, other in permutations(near, 2):
        made = [one - other, one * other, one * other / 100, one * (1 + other / 100), one * (1 - other / 100)]
        if any(abs(value - result) < _WHOLE for value in made):
            return [one, other]
    for size in range(3, len(near) + 1):
        for begin in range(len(near) - size + 1):
            used = near[begin : begin + size]
            made = [value / scale for value in _results(used) | _products(used) for scale in (1, 100)]
            if any(abs(value - result) < _WHOLE for value in made):
                return used
    return None


def _products(values: Sequence[Fraction]) -> set[Fraction]:
    """Sums of products of neighbours ("two at 18 and three at 9"), and a share ("10 percent of 640")."""
    found: set[Fraction] = set()
    if len(values) == 2:
        found |= {values[0] * values[1] / 100}
    if len(values) == 3:
        found |= {values[0] * (1 + values[1] * values[2] / 100)}  # so much percent a month, for so many months
    pairs = [values[at] * values[at + 1] for at in range(0, len(values) - 1, 2)]
    rest = sum(values[len(pairs) * 2 :])
    if len(values) >= 3:
        found |= {sum(pairs, Fraction(0)) + rest, sum(pairs, Fraction(0)) - rest}
        found |= {values[0] + sum((values[at] * values[at + 1] for at in range(1, len(values) - 1, 2)), Fraction(0))}
    return found


def _results(values: Sequence[Fraction]) -> set[Fraction]:
    """Every value of the inputs joined left to right by + - * /."""
    found = {values[0]}
    for value in values[1:]:
        found = {each for one in found for each in _joined(one, value)}
    return found


def _joined(one: Fraction, other: Fraction) -> list[Fraction]:
    joined = [one + other, one - other, one * other]
    return [*joined, one / other] if other else joined


def gone(source: Passage, candidate: Passage, result: str, used: Sequence[Fraction]) -> Change:
    """The change for a figure without its inputs."""
    return change(
        "brittle",
        "inputs gone",
        Severity.REJECT,
        f"The memory keeps {result}; the {len(used)} numbers it was computed from are gone.",
        source=source,
        candidate=candidate,
        rule="brittle.inputs",
        cite="Kwon, arXiv 2608.03372, section 2",
    )
