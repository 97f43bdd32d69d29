"""Small decision trees over counted features: how a reading's signs are weighed together.

A sign means one thing beside some signs and another beside others: an unknown number in advice is a dose, in a sentence
about the user's past an invention. A sum of points can't say so; trees can. They are learned from labelled replies by
`build_scripts/fit_guard.py`, kept in the lexicons as text, and add up whole numbers: every machine decides alike.

All trees are asked at once. Each leaf of all of them is one bit of one large number; what a feature counts rules out
the leaves behind every question that it answers with the higher side, so that whatever the other features count, one
look-up and one "or" serve all questions about it. In each tree the first leaf that nothing rules out is the answer.

Sources: Friedman 2001, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29; Lucchese
et al. 2015, "QuickScorer: a fast algorithm to rank documents with additive ensembles of regression trees", SIGIR.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from edgegate.errors import DataError
from edgegate.language import lexicon

DEEPEST = 12  # questions from the root of a tree to a leaf


@dataclass(frozen=True, slots=True)
class Trees:
    """Trees whose leaves are added up. In thousandths of a logit; a sentence is dropped from `limit` on.

    `leaves` are those of all trees, each tree's from the lower side to the higher, and `first` says where each tree's
    begin. `questions` has for each feature its name, the least count that a question names, all of them in order, and
    what is ruled out (a bit for each leaf) by a feature above none of them, above the first, above the first two, ...
    """

    bias: int
    limit: int
    leaves: tuple[int, ...]
    first: tuple[int, ...]
    questions: tuple[tuple[str, int, tuple[int, ...], tuple[int, ...]], ...]

    def score(self, features: Mapping[str, int]) -> int:
        """The sum over all trees; a feature that is not given counts as 0.

        >>> trees = read_trees({"bias": -50, "limit": 0, "trees": "held:1 unheld:0 -10 200 -300"})
        >>> trees.score({"held": 1, "unheld": 2}), trees.score({"held": 3})
        (150, -350)
        """
        gone = 1 << len(self.leaves)
        for name, least, most, ruled_out in self.questions:
            count = features.get(name, 0)
            if count > least:
                gone |= ruled_out[bisect_left(most, count)]
        signs = bin(gone)[:2:-1]  # one for each leaf, in order
        leaves, where = self.leaves, signs.index
        return self.bias + sum([leaves[where("0", first)] for first in self.first])


def read_trees(table: Mapping[str, Any]) -> Trees:
    """Trees from their table: `trees` has one a line, each node before what follows from it, the lower side first.

    A question is "feature:most", a leaf a whole number. Raises DataError, with the line, for what is no tree.
    """
    leaves: list[int] = []
    first: list[int] = []
    asked: dict[str, dict[int, int]] = {}
    for number, line in enumerate(table["trees"].splitlines(), 1):
        parts = iter(line.split())
        first.append(len(leaves))
        try:
            _read(parts, DEEPEST, leaves, asked)
            left = next(parts, None)
        except (StopIteration, ValueError) as fault:
            raise DataError(
                "expected a tree: questions like held:2, each with two sides", where=f"line {number}"
            ) from fault
        if left is not None:
            raise DataError(f"{left!r} stands behind a whole tree", where=f"line {number}")
    questions = (_added_up(name, ruled_out) for name, ruled_out in asked.items())
    return Trees(int(table["bias"]), int(table["limit"]), tuple(leaves), tuple(first), tuple(questions))


def _read(parts: Iterator[str], depth: int, leaves: list[int], asked: dict[str, dict[int, int]]) -> None:
    """Reads what follows from one node: puts its leaves behind `leaves`, and into `asked`, by feature and count, the
    bits of the leaves that a count above it rules out."""
    part = next(parts)
    feature, colon, most = part.rpartition(":")
    if not colon:
        leaves.append(int(part))
        return
    if not depth:
        raise ValueError("too deep")
    first = len(leaves)
    _read(parts, depth - 1, leaves, asked)
    lower = (1 << len(leaves)) - (1 << first)
    _read(parts, depth - 1, leaves, asked)
    ruled_out = asked.setdefault(feature, {})
    ruled_out[int(most)] = ruled_out.get(int(most), 0) | lower


def _added_up(name: str, ruled_out: Mapping[int, int]) -> tuple[str, int, tuple[int, ...], tuple[int, ...]]:
    """The questions about one feature, as `Trees` has them."""
    most = sorted(ruled_out)
    gone = [0]
    for count in most:
        gone.append(gone[-1] | ruled_out[count])
    return name, most[0], tuple(most), tuple(gone)


@cache
def trees(name: str) -> Trees:
    """The trees of that name. Raises UsageError if there are none."""
    return read_trees(lexicon.table(f"trees_{name}"))
