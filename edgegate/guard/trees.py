"""Small decision trees over counted features: how a reading's signs are weighed together.

A sign means one thing beside some signs and another beside others: an unknown number in advice is a dose, in a sentence
about the user's past an invention. A sum of points can't say so; trees can. They are learned from labelled replies by
`build_scripts/fit_guard.py`, kept in the lexicons as text, and add up whole numbers: every machine decides alike.

Source: Friedman 2001, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from edgegate.errors import DataError
from edgegate.language import lexicon

DEEPEST = 12  # questions from the root of a tree to a leaf


@dataclass(frozen=True, slots=True)
class Question:
    """One node: whether the feature is at most `most`, and where to go on (a leaf is a whole number)."""

    feature: str
    most: int
    low: Question | int
    high: Question | int


@dataclass(frozen=True, slots=True)
class Trees:
    """Trees whose leaves are added up. In thousandths of a logit; a sentence is dropped from `limit` on."""

    bias: int
    limit: int
    roots: tuple[Question | int, ...]

    def score(self, features: Mapping[str, int]) -> int:
        """The sum over all trees; a feature that is not given counts as 0.

        >>> trees = read_trees({"bias": -50, "limit": 0, "trees": "held:1 unheld:0 -10 200 -300"})
        >>> trees.score({"held": 1, "unheld": 2}), trees.score({"held": 3})
        (150, -350)
        """
        total = self.bias
        for node in self.roots:
            while not isinstance(node, int):
                node = node.low if features.get(node.feature, 0) <= node.most else node.high
            total += node
        return total


def read_trees(table: Mapping[str, Any]) -> Trees:
    """Trees from their table: `trees` has one a line, each node before what follows from it, the lower side first.

    A question is "feature:most", a leaf a whole number. Raises DataError, with the line, for what is no tree.
    """
    roots = []
    for number, line in enumerate(table["trees"].splitlines(), 1):
        parts = iter(line.split())
        try:
            roots.append(_read(parts, DEEPEST))
            left = next(parts, None)
        except (StopIteration, ValueError) as fault:
            raise DataError(
                "expected a tree: questions like held:2, each with two sides", where=f"line {number}"
            ) from fault
        if left is not None:
            raise DataError(f"{left!r} stands behind a whole tree", where=f"line {number}")
    return Trees(int(table["bias"]), int(table["limit"]), tuple(roots))


def _read(parts: Iterator[str], depth: int) -> Question | int:
    part = next(parts)
    feature, colon, most = part.rpartition(":")
    if not colon:
        return int(part)
    if not depth:
        raise ValueError("too deep")
    return Question(feature, int(most), _read(parts, depth - 1), _read(parts, depth - 1))


@cache
def trees(name: str) -> Trees:
    """The trees of that name. Raises UsageError if there are none."""
    return read_trees(lexicon.table(f"trees_{name}"))
