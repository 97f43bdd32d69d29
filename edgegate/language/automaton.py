"""Pattern trees to one deterministic token automaton.

Every tree becomes a piece of one nondeterministic automaton whose edges carry sets of words. Words that stand in the
same sets behave alike, so they share a number (a symbol), and the subset construction runs over symbols; that keeps
both the work and the file small. Gaps become default edges, taken by any word that has no edge of its own. Of two
positions in the same gap only the one that may still go further is kept, since it reaches all that the other reaches.
Walks are anchored (they begin at one token), and no pattern repeats, so the automaton has no cycle and every walk ends.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from edgegate.language.trees import Choice, Digit, Gap, Node, Sequence_, Words, without_edges

MIDDLE, BEGIN = 0, 1
"""The two states a walk may begin in: anywhere, and at the start of a sentence."""


class TooManyStates(Exception):
    """The automaton grew over its limit; `tree` is the number of the tree that takes part in most of it."""

    def __init__(self, tree: int, part: int, limit: int) -> None:
        super().__init__(f"more than {limit} states, {part} of them for tree {tree}")
        self.tree = tree
        self.part = part
        self.limit = limit


def is_word(token: str) -> bool:
    """Whether a gap may run over this token: it holds a letter or a digit.

    >>> is_word("o'clock"), is_word("3.5"), is_word(",")
    (True, True, False)
    """
    return len(token) > 1 or token.isalnum()


def is_digit(token: str) -> bool:
    """Whether "#" takes this token: it begins with one of the ten digits.

    >>> is_digit("9:30"), is_digit("x9")
    (True, False)
    """
    return "0" <= token[0] <= "9"


def build(trees: Sequence[tuple[Node, int]], kinds: Sequence[object], limit: int) -> dict[str, str]:
    """The automaton for `trees`, each with the number it accepts.

    `kinds[number]` says what accepted numbers compete: of equal kinds only the lowest number is kept in a state.
    The result is three texts of one row a line, quick to load and to read in part. `symbols`: line n holds the words of
    symbol n. `sets`: line n holds the symbols of set n. `states`: line n describes state n, as five fields between
    slashes, empty ones left out at the end: edges (number of a set, target, number of a set, target…); the target for
    any other word; the target for any other token that begins with a digit; what is accepted here; and what is
    accepted here only where the sentence ends.
    Raises TooManyStates.
    """
    positions = _Positions()
    for tree, (node, number) in enumerate(trees):
        positions.add(node, number, tree)
    return _determine(positions, kinds, limit)


class _Positions:
    """The nondeterministic automaton, as parallel lists over positions."""

    def __init__(self) -> None:
        self.words: list[tuple[frozenset[str], int] | None] = []
        self.any_word: list[int] = []
        self.any_digit: list[int] = []
        self.free: list[list[int]] = []
        self.accepts: list[int] = []
        self.at_end: list[bool] = []
        self.gap: list[tuple[int, int] | None] = []
        self.tree: list[int] = []
        self.entries: tuple[list[int], list[int]] = ([], [])
        self.accepting: dict[tuple[int, bool], int] = {}
        self.chained: dict[tuple[Node, int], int] = {}
        self.gaps = 0
        self.current = 0

    def new(self) -> int:
        self.words.append(None)
        self.any_word.append(-1)
        self.any_digit.append(-1)
        self.free.append([])
        self.accepts.append(-1)
        self.at_end.append(False)
        self.gap.append(None)
        self.tree.append(self.current)
        return len(self.tree) - 1

    def add(self, node: Node, number: int, tree: int) -> None:
        self.current = tree
        for begins, inner, ends in without_edges(node):
            accept = self.accepting.get((number, ends))
            if accept is None:
                accept = self.accepting[number, ends] = self.new()
                self.accepts[accept] = number
                self.at_end[accept] = ends
            self.entries[BEGIN if begins else MIDDLE].append(self.chain(inner, accept))

    def chain(self, node: Node, then: int) -> int:
        """The position from which `node` leads to `then`; patterns of a cue that end alike share their ends."""
        if isinstance(node, Sequence_):
            for part in reversed(node.parts):
                then = self.chain(part, then)
            return then
        key = (node, then)
        if key not in self.chained:
            self.chained[key] = self.link(node, then)
        return self.chained[key]

    def link(self, node: Node, then: int) -> int:
        entries = [self.chain(option, then) for option in node.options] if isinstance(node, Choice) else [then]
        at = self.new()
        if isinstance(node, Words):
            self.words[at] = (node.words, then)
        elif isinstance(node, Digit):
            self.any_digit[at] = then
        else:
            self.free[at] = entries
        if isinstance(node, Gap):
            self.gaps += 1
            for left in range(1, node.longest + 1):
                further = self.new()
                self.any_word[further] = at
                self.free[further] = entries
                self.gap[further] = (self.gaps, left)
                at = further
        return at

    def close(self, positions: Iterable[int]) -> tuple[int, ...]:
        """All positions reachable for free that lead on, without those in a gap which another can outrun."""
        found = set(positions)
        todo = list(found)
        furthest: dict[int, int] = {}
        while todo:
            at = todo.pop()
            place = self.gap[at]
            if place and place[1] > furthest.get(place[0], 0):
                furthest[place[0]] = place[1]
            for target in self.free[at]:
                if target not in found:
                    found.add(target)
                    todo.append(target)
        kept = []
        for at in sorted(found):
            place = self.gap[at]
            if place:
                if place[1] == furthest[place[0]]:
                    kept.append(at)
            elif self.words[at] or self.any_digit[at] >= 0 or self.accepts[at] >= 0:
                kept.append(at)
        return tuple(kept)

    def symbols(self) -> tuple[dict[str, int], dict[frozenset[str], list[int]]]:
        """Word to symbol, and word set to its symbols: words in the same sets share one."""
        sets: dict[frozenset[str], int] = {}
        for edge in self.words:
            if edge and edge[0] not in sets:
                sets[edge[0]] = len(sets)
        memberships: dict[str, list[int]] = defaultdict(list)
        for words, number in sets.items():
            for word in words:
                memberships[word].append(number)
        numbers: dict[tuple[Any, ...], int] = {}
        symbol_of: dict[str, int] = {}
        for word in sorted(memberships):
            kind = (tuple(memberships[word]), is_word(word), is_digit(word))
            symbol_of[word] = numbers.setdefault(kind, len(numbers))
        return symbol_of, {words: sorted({symbol_of[word] for word in words}) for words in sets}


def _determine(positions: _Positions, kinds: Sequence[object], limit: int) -> dict[str, str]:
    symbol_of, symbols_in = positions.symbols()
    wordlike = {symbol for word, symbol in symbol_of.items() if is_word(word)}
    digits = {symbol for word, symbol in symbol_of.items() if is_digit(word)}
    numbers: dict[tuple[int, ...], int] = {}
    subsets: list[tuple[int, ...]] = []
    known: dict[frozenset[int], int] = {}

    def number(targets: Iterable[int]) -> int:
        key = frozenset(targets)
        if key not in known:
            subset = positions.close(key)
            if subset not in numbers:
                numbers[subset] = len(subsets)
                subsets.append(subset)
                if len(subsets) > limit:
                    share = Counter(tree for subset in subsets for tree in {positions.tree[at] for at in subset})
                    raise TooManyStates(*max(share.items(), key=lambda item: (item[1], -item[0])), limit)
            known[key] = numbers[subset]
        return known[key]

    # Nothing leads back to the entries, so these two can never turn up again as the target of an edge.
    middle, begin = positions.entries
    subsets += [positions.close(middle), positions.close([*middle, *begin])]
    made: dict[str, list[Any]] = {key: [] for key in ("edges", "word", "digit", "accepts", "end_accepts")}
    done = 0
    while done < len(subsets):
        subset = subsets[done]
        done += 1
        targets: dict[int, set[int]] = defaultdict(set)
        over_gap: set[int] = set()
        over_digit: set[int] = set()
        for at in subset:
            edge = positions.words[at]
            if edge:
                for symbol in symbols_in[edge[0]]:
                    targets[symbol].add(edge[1])
            if positions.any_word[at] >= 0:
                over_gap.add(positions.any_word[at])
            if positions.any_digit[at] >= 0:
                over_digit.add(positions.any_digit[at])
        if over_digit:
            for symbol in digits:
                targets[symbol] |= over_digit
        if over_gap:
            for symbol in targets.keys() & wordlike:
                targets[symbol] |= over_gap
        made["edges"].append([part for symbol in sorted(targets) for part in (symbol, number(targets[symbol]))])
        made["word"].append(number(over_gap) if over_gap else -1)
        made["digit"].append(number(over_gap | over_digit) if over_gap or over_digit else -1)
        for key, at_end in (("accepts", False), ("end_accepts", True)):
            found = {positions.accepts[at] for at in subset if positions.at_end[at] == at_end} - {-1}
            first_of_kind: dict[object, int] = {}
            for accepted in sorted(found):
                first_of_kind.setdefault(kinds[accepted], accepted)
            made[key].append(list(first_of_kind.values()))
    return _written(symbol_of, _minimal(made))


def _minimal(made: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """The same automaton by state, with states that behave alike made one.

    There is no cycle, so that a state's targets can be settled before it is; then states are alike if they look alike.
    """
    count = len(made["edges"])
    seen = [False] * count
    order: list[int] = []
    todo = [BEGIN, MIDDLE]
    while todo:
        state = todo.pop()
        if state < 0:
            order.append(~state)
        elif not seen[state]:
            seen[state] = True
            todo.append(~state)
            todo += [t for t in (*made["edges"][state][1::2], made["word"][state], made["digit"][state]) if t >= 0]
    new: dict[int, int] = {-1: -1}
    alike: dict[tuple[Any, ...], int] = {}
    rows: list[dict[str, Any]] = []
    # The entries come last, so that counting from the other end gives them the numbers they must have.
    for state in [*(state for state in order if state > BEGIN), BEGIN, MIDDLE]:
        edges = made["edges"][state]
        row = {
            "edges": [part for symbol, to in zip(edges[::2], edges[1::2], strict=True) for part in (symbol, new[to])],
            "word": new[made["word"][state]],
            "digit": new[made["digit"][state]],
            "accepts": made["accepts"][state],
            "end_accepts": made["end_accepts"][state],
        }
        look = tuple(tuple(value) if isinstance(value, list) else value for value in row.values())
        if state <= BEGIN or look not in alike:
            alike[look] = len(rows)
            rows.append(row)
        new[state] = alike[look]
    last = len(rows) - 1
    for row in rows:
        row["edges"] = [last - part if place % 2 else part for place, part in enumerate(row["edges"])]
        row["word"], row["digit"] = (last - to if to >= 0 else -1 for to in (row["word"], row["digit"]))
    return rows[::-1]


def _written(symbol_of: dict[str, int], rows: list[dict[str, Any]]) -> dict[str, str]:
    """The three texts that `build` describes; edges that lead to one target share a set, each set is written once."""
    words: list[list[str]] = [[] for _ in range(max(symbol_of.values(), default=-1) + 1)]
    for word, symbol in symbol_of.items():
        words[symbol].append(word)
    sets: dict[str, int] = {}
    states: list[str] = []
    for row in rows:
        by_target: dict[int, list[int]] = defaultdict(list)
        for symbol, target in zip(row["edges"][::2], row["edges"][1::2], strict=True):
            by_target[target].append(symbol)
        edges = [
            number
            for target, symbols in by_target.items()
            for number in (sets.setdefault(_line(symbols), len(sets)), target)
        ]
        defaults = ["" if row[key] < 0 else str(row[key]) for key in ("word", "digit")]
        fields = [_line(edges), *defaults, _line(row["accepts"]), _line(row["end_accepts"])]
        states.append("/".join(fields).rstrip("/"))
    return {"symbols": "\n".join(map(" ".join, words)), "sets": "\n".join(sets), "states": "\n".join(states)}


def _line(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))
