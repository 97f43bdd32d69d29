"""truncated: a total or a count in the memory no longer fits its own parts, or a number lost its end.

Reads the memory's own numbers and the source's. "15 in all: 6, 4 and 3" where the source has a fourth part; "four
medications: A, B and C"; "GPT 5" where the source says "GPT 5.6".

Source: the paper's arithmetic checks (factwash, section 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from edgegate.gate.checks.bounds import READERS
from edgegate.gate.checks.lists import cut_list, cut_table, cut_weekdays
from edgegate.gate.write import Pairing, Write, change, words
from edgegate.language.passages import Passage
from edgegate.language.values import Number, Values
from edgegate.records import Change, Severity

_PARTS = 24  # more numbers than this in one sentence are a table, not a sum


def truncated(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for a lost part of a sum, a list shorter than its count, or a number cut at its decimal point."""
    yield from _sum(pairing)
    yield from _count(write, pairing)
    for read in (*READERS, cut_list, cut_weekdays, cut_table):
        for source, kept, gone in read(write, pairing):
            yield _lost(
                source, pairing.candidate, kept, f"“{gone}” is gone" if gone[0].isdigit() else f"{gone} is gone"
            )
            return


def _plain(passage: Passage) -> list[Number]:
    return _counts(passage.values)


def _counts(values: Values) -> list[Number]:
    return [number for number in values.numbers if not number.ordinal and not number.weak][:_PARTS]


def _has(values: Values, value: Fraction) -> bool:
    return any(mine.value == value for mine in _counts(values))


def _sum(pairing: Pairing) -> Iterator[Change]:
    """The source adds up to a total; the memory keeps the total and only some of the parts."""
    theirs = {number.value for number in _plain(pairing.candidate)}
    for link in pairing.links:
        parts = [number.value for number in _plain(link.source)]
        neighbours = parts + [number.value for number in _total_near(link.source, pairing)]
        for total in set(neighbours) & theirs:
            rest = [value for value in parts if value != total]
            if len(rest) < 3 or sum(rest) != total:
                continue
            kept = [value for value in rest if value in theirs]
            if 2 <= len(kept) < len(rest) and sum(kept) != total:
                yield _lost(link.source, pairing.candidate, total, "its parts no longer add up")


def _total_near(source: Passage, pairing: Pairing) -> list[Number]:
    """Numbers of the linked sentences: the total may stand in a sentence of its own ("15 in all")."""
    return [number for link in pairing.links if link.source is not source for number in _plain(link.source)]


def _count(write: Write, pairing: Pairing) -> Iterator[Change]:
    """The memory says how many and lists fewer."""
    candidate = pairing.candidate
    items = listed(candidate)
    if items is None:
        return
    start, number = items
    for count in _plain(candidate):
        if count.last > start or not 2 <= number < count.value <= _PARTS or _measured(candidate, count):
            continue
        said = next((each for each, values in write.figures() if _has(values, count.value)), None)
        if said is not None:
            yield _lost(said, candidate, count.value, f"only {number} of them are listed")
            return


def listed(passage: Passage) -> tuple[int, int] | None:
    """Where a list begins (after a colon) and how many items it has, or None without one."""
    tokens = passage.words
    start = next((at for at, word in enumerate(tokens) if word in words("list_openers")), None)
    if start is None:
        return None
    items, fresh, depth = 0, True, 0
    for at in range(start + 1, len(tokens)):
        word = tokens[at]
        depth += (word == "(") - (word == ")")
        if depth > 0 or word == ")":
            continue
        if word in words("list_enders"):
            break
        if word in words("list_joints"):
            fresh = True
        elif fresh and word[0].isalnum():
            if word in words("list_tails"):
                break
            items, fresh = items + 1, False
    return start, items


def _measured(candidate: Passage, count: Number) -> bool:
    """Whether a number belongs to a quantity with a unit: such a number counts no list."""
    return any(each.first <= count.first < each.last and each.readings for each in candidate.values.quantities)


def _lost(source: Passage, candidate: Passage, value: object, detail: str) -> Change:
    return change(
        "truncated",
        "lost part",
        Severity.REJECT,
        f"The memory keeps {value}, but {detail}.",
        source=source,
        candidate=candidate,
        rule="truncated.recount",
        cite="Kwon, arXiv 2608.03372, section 3",
    )
