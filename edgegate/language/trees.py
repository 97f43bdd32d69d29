"""The small trees that patterns are read into: words, gaps, choices and sequences, and questions about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_GAP = 6


@dataclass(frozen=True, slots=True)
class Words:
    """One token: any of these words."""

    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Gap:
    """Between no and `longest` words, never punctuation."""

    longest: int


@dataclass(frozen=True, slots=True)
class Digit:
    """One token that begins with a digit."""


@dataclass(frozen=True, slots=True)
class Short:
    """A short form ("'s") that joins the word before it; once a pattern is read, none are left."""

    forms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Edge:
    """The start (or the end) of the sentence: takes no token."""

    end: bool


@dataclass(frozen=True, slots=True)
class Sequence_:
    """One part after another."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several; an empty sequence among them makes it optional."""

    options: tuple[Node, ...]


Node = Words | Gap | Digit | Short | Edge | Sequence_ | Choice
NOTHING = Sequence_(())


def choice(options: Sequence[Node]) -> Node:
    """One node for several options; options of one token each melt into a single `Words`.

    >>> choice([Words(frozenset({"a"})), Words(frozenset({"b"}))]) == Words(frozenset({"a", "b"}))
    True
    """
    words: set[str] = set()
    others: list[Node] = []
    for option in options:
        for part in option.options if isinstance(option, Choice) else (option,):
            if isinstance(part, Words):
                words |= part.words
            elif part not in others:
                others.append(part)
    if words:
        others.insert(0, Words(frozenset(words)))
    return others[0] if len(others) == 1 else Choice(tuple(others))


def sequence(parts: Sequence[Node]) -> Node:
    """One node for several parts in a row."""
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Sequence_) else (part,))
    return flat[0] if len(flat) == 1 else Sequence_(tuple(flat))


def by_short(node: Node) -> list[tuple[Short | None, Node]]:
    """`node` as options: the short form it begins with, or None, and what follows."""
    if isinstance(node, Short):
        return [(node, NOTHING)]
    if isinstance(node, Choice):
        return [variant for option in node.options for variant in by_short(option)]
    if not isinstance(node, Sequence_) or not node.parts:
        return [(None, node)]
    found: list[tuple[Short | None, Node]] = []
    for short, rest in by_short(node.parts[0]):
        if short is None and rest == NOTHING:
            found += by_short(Sequence_(node.parts[1:]))
        else:
            found.append((short, sequence([rest, *node.parts[1:]])))
    return found


def shortest(node: Node, edge: int = 0) -> int:
    """How many tokens `node` takes at least, an edge of the sentence counted as `edge`."""
    if isinstance(node, (Words, Digit, Short)):
        return 1
    if isinstance(node, Sequence_):
        return sum(shortest(part, edge) for part in node.parts)
    if isinstance(node, Choice):
        return min(shortest(option, edge) for option in node.options)
    return edge if isinstance(node, Edge) else 0


def outer(node: Node, side: int) -> list[Node]:
    """The leaves that may stand first (side 0) or last (side -1)."""
    if isinstance(node, Choice):
        return [leaf for option in node.options for leaf in outer(option, side)]
    if not isinstance(node, Sequence_):
        return [node]
    found: list[Node] = []
    for part in node.parts if side == 0 else reversed(node.parts):
        found.extend(outer(part, side))
        if isinstance(part, Gap) or shortest(part, edge=1) > 0:
            break
    return found


def inner_edge(node: Node, first: bool, last: bool) -> bool:
    if isinstance(node, Edge):
        return not (last if node.end else first)
    if isinstance(node, Choice):
        return any(inner_edge(option, first, last) for option in node.options)
    if isinstance(node, Sequence_):
        end = len(node.parts) - 1
        return any(
            inner_edge(part, first and number == 0, last and number == end) for number, part in enumerate(node.parts)
        )
    return False


def without_edges(node: Node) -> list[tuple[bool, Node, bool]]:
    """`node` as variants (only at the sentence start, what stands between, only at the sentence end).

    >>> without_edges(Sequence_((Edge(end=False), Words(frozenset({"so"})))))
    [(True, Words(words=frozenset({'so'})), False)]
    """
    if isinstance(node, Choice):
        return [variant for option in node.options for variant in without_edges(option)]
    parts = list(node.parts) if isinstance(node, Sequence_) else [node]
    for place in (0, -1):
        side = parts[place] if parts else None
        if isinstance(side, Choice) and holds(side, Edge):
            rest = parts[1:] if place == 0 else parts[:-1]
            joined = [[option, *rest] if place == 0 else [*rest, option] for option in side.options]
            return [variant for option in joined for variant in without_edges(sequence(option))]
    begins = bool(parts) and isinstance(parts[0], Edge)
    ends = bool(parts) and isinstance(parts[-1], Edge)
    return [(begins, sequence(parts[begins : len(parts) - ends]), ends)]


def holds(node: Node, kinds: type | tuple[type, ...]) -> bool:
    """Whether a leaf of one of `kinds` stands anywhere in `node`."""
    if isinstance(node, Sequence_):
        return any(holds(part, kinds) for part in node.parts)
    if isinstance(node, Choice):
        return any(holds(option, kinds) for option in node.options)
    return isinstance(node, kinds)


def heads(node: Node, depth: int) -> list[frozenset[str] | None]:
    """The words that may stand at each of the first `depth` tokens of `node`; None where a gap lets any word stand.

    A number stands as "#".

    >>> heads(Sequence_((Words(frozenset({"so"})), Gap(1), Words(frozenset({"far"})))), 3)
    [frozenset({'so'}), None, frozenset({'far'})]
    """
    words: list[set[str]] = [set() for _ in range(depth)]
    gaps: set[int] = set()

    def read(node: Node, places: set[int]) -> set[int]:
        """Notes what `node` takes when it begins at any of `places`; returns where it may end."""
        if isinstance(node, Sequence_):
            for part in node.parts:
                places = read(part, places)
            return places
        if isinstance(node, Choice):
            return {end for option in node.options for end in read(option, places)}
        places = {place for place in places if place < depth}
        if isinstance(node, Gap):
            gaps.update(place + more for place in places for more in range(node.longest))
            return {place + more for place in places for more in range(node.longest + 1)}
        if isinstance(node, Edge):
            return places
        for place in places:
            words[place] |= {"#"} if isinstance(node, Digit) else node.words if isinstance(node, Words) else node.forms
        return {place + 1 for place in places}

    read(node, {0})
    return [None if place in gaps else frozenset(found) for place, found in enumerate(words)]
