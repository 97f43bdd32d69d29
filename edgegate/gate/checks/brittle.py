"""brittle: a computed figure is kept and what it was computed from is gone, so nobody can recompute it later.

Reads the aligned sentence and its neighbours. A figure counts as computed when the numbers before it make it (a sum,
product, quotient or difference, taken in order), and the source says so ("so", "in all", "comes to") or three numbers
went into it.

Source: Kwon 2026 on memories that keep a conclusion and drop its values, as cited by the paper (factwash, section 2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from edgegate.gate.write import Pairing, Write, change, words
from edgegate.language.passages import Passage
from edgegate.records import Change, Severity

_INPUTS = 5
_NEAR = Fraction(1, 100)  # a rounded result is still a result


def brittle(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change where the memory sentence keeps a result and none of its inputs."""
    theirs = {number.value for number in pairing.candidate.values.numbers}
    held = {number.value for other in write.pairings for number in other.candidate.values.numbers}
    seen: set[int] = set()
    for link in pairing.links:
        if link.source.number in seen:
            continue
        seen.add(link.source.number)
        figures = _figures(write, link.source)
        says_so = any(word in words("result_words") for word in link.source.words)
        for place, result in enumerate(figures):
            inputs = figures[:place][-_INPUTS:]
            used = _computed(inputs, result)
            if result not in theirs or used is None or len(used) < (2 if says_so else 3):
                continue
            if not any(value in held for value in used):
                yield _gone(link.source, pairing.candidate, result, used)
                return


def _figures(write: Write, source: Passage) -> list[Fraction]:
    """The numbers of a sentence, with those of the sentence before it in front."""
    before = write.before(source)
    passages = [source] if before is None else [before, source]
    return [
        number.value
        for passage in passages
        for number in passage.values.numbers
        if not number.weak and not number.ordinal
    ]


def _computed(inputs: Sequence[Fraction], result: Fraction) -> list[Fraction] | None:
    """The last inputs that make `result` when combined in order, or None; one input makes nothing."""
    for size in range(2, len(inputs) + 1):
        used = list(inputs[-size:])
        if any(abs(value - result) <= _NEAR * abs(result) for value in _results(used)) and result not in used:
            return used
    return None


def _results(values: Sequence[Fraction]) -> set[Fraction]:
    """Every value of the inputs joined left to right by + - * /."""
    found = {values[0]}
    for value in values[1:]:
        found = {each for one in found for each in _joined(one, value)}
    return found


def _joined(one: Fraction, other: Fraction) -> list[Fraction]:
    joined = [one + other, one - other, one * other]
    return [*joined, one / other] if other else joined


def _gone(source: Passage, candidate: Passage, result: Fraction, used: Sequence[Fraction]) -> Change:
    return change(
        "brittle",
        "inputs gone",
        Severity.REJECT,
        f"The memory keeps {float(result):g}; the {len(used)} numbers it was computed from are gone.",
        source=source,
        candidate=candidate,
        rule="brittle.inputs",
        cite="Kwon, arXiv 2608.03372, section 2",
    )
