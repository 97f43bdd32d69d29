"""Clauses: the token ranges inside which a negation or an attribution holds."""

from __future__ import annotations

from edgegate.language.tokens import Tokens

_BREAKS = frozenset(";:,-()")


def clauses(tokens: Tokens) -> list[tuple[int, int]]:
    """The clauses of `tokens` as (first, last) token ranges, end exclusive, in order; together they cover all tokens.

    >>> from edgegate.language.tokens import tokenise
    >>> clauses(tokenise("He left; she stayed"))
    [(0, 3), (3, 5)]
    """
    ranges = []
    first = 0
    for index, word in enumerate(tokens.words):
        if word in _BREAKS and index > first:
            ranges.append((first, index + 1))
            first = index + 1
    if first < len(tokens):
        ranges.append((first, len(tokens)))
    return ranges
