"""Pattern trees to one deterministic token automaton.

Every tree becomes a piece of one nondeterministic automaton whose edges carry sets of words. Words that stand in the
same sets behave alike, so they share a number (a symbol), and the subset construction runs over symbols; that keeps
both the work and the file small. Gaps become default edges, taken by any word that has no edge of its own. Of two
positions in the same gap only the one that may still go further is kept, since it reaches all that the other reaches.
Walks are anchored (they begin at one token), and no pattern repeats, so the automaton has no cycle and every walk ends.

A pattern with a gap that goes along with others multiplies with them: each of its places in the gap meets each of
theirs. So the patterns without a gap share one pair of entries, and those with one are dealt out to further pairs such
that those of a pair soon part. A walk tries all entries; what lies behind them is one automaton, states shared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from edgegate.language.tokens import is_digit, is_word
from edgegate.language.trees import Choice, Digit, Gap, Node, Sequence_, Words, heads, holds, without_edges

T = TypeVar("T")

SEEN_AHEAD = 4
"""How many tokens two patterns with gaps have to part within, to share their entries."""


class TooManyStates(Exception):
    """The automaton grew over its limit; `tree` is the number of the tree that takes part in most of it."""

    def __init__(self, tree: int, part: int, limit: int) -> None:
        super().__init__(f"more than {limit} states, {part} of them for tree {tree}")
        self.tree = tree
        self.part = part
        self.limit = limit


def build(trees: Sequence[tuple[Node, int]], kinds: Sequence[object], limit: int) -> dict[str, str]:
    """The automaton for `trees`, each with the number it accepts.

    `kinds[number]` says what accepted numbers compete: of equal kinds only the lowest number is kept in a state.
    The result is texts, three of them of one row a line, quick to load and to read in part. `symbols`: line n holds the
    words of symbol n. `sets`: line n holds the symbols of set n. `states`: line n describes state n, as five fields
    between slashes, empty ones left out at the end: edges (number of a set, target, number of a set, target…); the
    target for any other word; the target for any other token that begins with a digit, if it is another; what is
    accepted here; and what is accepted here only where the sentence ends. `entries` is the number of pairs of states
    that a walk begins in, the first ones: 0, 2, 4… anywhere, and besides 1, 3, 5… at the start of a sentence. `numbers`
    is empty where no state cares for other tokens that begin with a digit.
    Raises TooManyStates.
    """
    groups = _grouped([node for node, _ in trees])
    positions = _Positions(max(groups, default=0) + 1)
    for tree, (node, number) in enumerate(trees):
        positions.add(node, number, tree, groups[tree])
    return _determine(positions, kinds, limit)


def _grouped(nodes: Sequence[Node]) -> list[int]:
    """A group for each node: 0 without a gap, else the first other one in which no node begins alike.

    Two begin alike unless a token within the first few can't be the same.
    """
    found: list[int] = []
    groups: list[list[list[frozenset[str] | None]]] = []
    for node in nodes:
        if not holds(node, Gap):
            found.append(0)
            continue
        head = heads(node, SEEN_AHEAD)
        number = next(
            (at for at, group in enumerate(groups) if all(_part(head, other) for other in group)), len(groups)
        )
        if number == len(groups):
            groups.append([])
        groups[number].append(head)
        found.append(number + 1)
    return found


def _part(one: Sequence[frozenset[str] | None], other: Sequence[frozenset[str] | None]) -> bool:
    return any(a is not None and b is not None and a.isdisjoint(b) for a, b in zip(one, other, strict=True))


class _Positions:
    """The nondeterministic automaton, as parallel lists over positions."""

    def __init__(self, groups: int) -> None:
        self.words: list[tuple[frozenset[str], int] | None] = []
        self.any_word: list[int] = []
        self.any_digit: list[int] = []
        self.free: list[list[int]] = []
        self.accepts: list[int] = []
        self.at_end: list[bool] = []
        self.gap: list[tuple[int, int] | None] = []
        self.tree: list[int] = []
        self.entries: list[tuple[list[int], list[int]]] = [([], []) for _ in range(groups)]
        """By group: where a walk begins anywhere, and where it begins at the start of a sentence only."""
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

    def add(self, node: Node, number: int, tree: int, group: int) -> None:
        self.current = tree
        for begins, inner, ends in without_edges(node):
            accept = self.accepting.get((number, ends))
            if accept is None:
                accept = self.accepting[number, ends] = self.new()
                self.accepts[accept] = number
                self.at_end[accept] = ends
            self.entries[group][begins].append(self.chain(inner, accept))

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


class _Numbered(Generic[T]):
    """Things with a number each, from 0."""

    def __init__(self) -> None:
        self.numbers: dict[T, int] = {}
        self.things: list[T] = []

    def number(self, thing: T) -> int:
        found = self.numbers.get(thing)
        if found is None:
            found = self.numbers[thing] = len(self.things)
            self.things.append(thing)
        return found


_Row = tuple[tuple[tuple[int, int], ...], int, int, tuple[int, ...], tuple[int, ...]]
"""A deterministic state: (number of a set of symbols, target) for each target; the target for other words and for other
numbers, or -1; what is accepted, and what is accepted where the sentence ends."""


def _determine(positions: _Positions, kinds: Sequence[object], limit: int) -> dict[str, str]:
    symbol_of, symbols_in = positions.symbols()
    wordlike = {symbol for word, symbol in symbol_of.items() if is_word(word)}
    digits = {symbol for word, symbol in symbol_of.items() if is_digit(word)}
    subsets: list[tuple[int, ...]] = []
    state_of: dict[tuple[int, ...], int] = {}
    # A bundle is what an edge leads to before it is closed. Few are made again and again, so numbers stand for them.
    bundles: _Numbered[frozenset[int]] = _Numbered()
    bundles.number(frozenset())
    alone = [bundles.number(frozenset((at,))) for at in range(len(positions.tree))]
    state_of_bundle: dict[int, int] = {}
    unions: dict[tuple[int, int], int] = {}
    sets: _Numbered[tuple[int, ...]] = _Numbered()

    def union(one: int, other: int) -> int:
        found = unions[one, other] = bundles.number(bundles.things[one] | bundles.things[other])
        return found

    def state(bundle: int) -> int:
        if bundle not in state_of_bundle:
            subset = positions.close(bundles.things[bundle])
            if subset not in state_of:
                state_of[subset] = len(subsets)
                subsets.append(subset)
                if len(subsets) > limit:
                    share = Counter(tree for subset in subsets for tree in {positions.tree[at] for at in subset})
                    raise TooManyStates(*max(share.items(), key=lambda item: (item[1], -item[0])), limit)
            state_of_bundle[bundle] = state_of[subset]
        return state_of_bundle[bundle]

    def accepted(subset: tuple[int, ...], at_end: bool) -> tuple[int, ...]:
        first_of_kind: dict[object, int] = {}
        for cue in sorted({positions.accepts[at] for at in subset if positions.at_end[at] == at_end} - {-1}):
            first_of_kind.setdefault(kinds[cue], cue)
        return tuple(first_of_kind.values())

    # Nothing leads back to the entries, so that they can never turn up again as the target of an edge.
    for middle, begin in positions.entries:
        subsets += [positions.close(middle), positions.close(begin)]
    rows: list[_Row] = []
    while len(rows) < len(subsets):
        subset = subsets[len(rows)]
        bundle_of: dict[int, int] = {}  # by symbol
        several: dict[int, set[int]] = {}
        for at in subset:
            edge = positions.words[at]
            if edge:
                target = edge[1]
                for symbol in symbols_in[edge[0]]:
                    if symbol not in bundle_of:
                        bundle_of[symbol] = alone[target]
                    elif symbol in several:
                        several[symbol].add(target)
                    else:
                        several[symbol] = {target, *bundles.things[bundle_of[symbol]]}
        for symbol, targets in several.items():
            bundle_of[symbol] = bundles.number(frozenset(targets))
        over_gap = bundles.number(frozenset(positions.any_word[at] for at in subset) - {-1})
        over_digit = bundles.number(frozenset(positions.any_digit[at] for at in subset) - {-1})
        if bundles.things[over_digit]:
            bundle_of.update({symbol: union(bundle_of.get(symbol, over_digit), over_digit) for symbol in digits})
        if bundles.things[over_gap]:
            for symbol in bundle_of.keys() & wordlike:
                before = bundle_of[symbol]
                bundle_of[symbol] = unions.get((before, over_gap)) or union(before, over_gap)
        by_bundle: dict[int, list[int]] = defaultdict(list)
        for symbol, bundle in bundle_of.items():
            by_bundle[bundle].append(symbol)
        rows.append(
            (
                _edges([(tuple(sorted(symbols)), state(bundle)) for bundle, symbols in by_bundle.items()], sets),
                state(over_gap) if bundles.things[over_gap] else -1,
                state(union(over_gap, over_digit)) if bundles.things[over_digit] else -1,
                accepted(subset, False),
                accepted(subset, True),
            )
        )
    entries = len(positions.entries)
    return _written(symbol_of, sets.things, _minimal(rows, sets, 2 * entries), entries)


def _edges(found: list[tuple[tuple[int, ...], int]], sets: _Numbered[tuple[int, ...]]) -> tuple[tuple[int, int], ...]:
    """Edges in one order, those to the same target made one."""
    by_target: dict[int, tuple[int, ...]] = {}
    for symbols, target in found:
        by_target[target] = tuple(sorted(by_target[target] + symbols)) if target in by_target else symbols
    return tuple(sorted([(sets.number(symbols), target) for target, symbols in by_target.items()]))


def _minimal(rows: list[_Row], sets: _Numbered[tuple[int, ...]], entries: int) -> list[_Row]:
    """The same automaton with states that behave alike made one; the first `entries` states stay the first.

    There is no cycle, so that a state's targets can be settled before it is; then states are alike if they look alike.
    """
    seen = [False] * len(rows)
    order: list[int] = []
    todo = [*range(entries)]
    while todo:
        state = todo.pop()
        if state < 0:
            order.append(~state)
        elif not seen[state]:
            seen[state] = True
            edges, word, digit, _, _ = rows[state]
            todo.append(~state)
            todo += [target for target in (*(target for _, target in edges), word, digit) if target >= 0]
    new = {-1: -1}
    alike: dict[_Row, int] = {}
    made: list[_Row] = []
    # The entries come last, so that counting from the other end gives them the numbers they must have.
    for state in [*(state for state in order if state >= entries), *reversed(range(entries))]:
        edges, word, digit, accepts, end_accepts = rows[state]
        edges = tuple([(number, new[target]) for number, target in edges])
        if len({target for _, target in edges}) < len(edges):
            edges = _edges([(sets.things[number], target) for number, target in edges], sets)
        row = (edges, new[word], new[digit], accepts, end_accepts)
        if state < entries or row not in alike:
            alike[row] = len(made)
            made.append(row)
        new[state] = alike[row]
    turned = [*range(len(made) - 1, -1, -1), -1]  # the last one is for -1
    return [
        (
            tuple([(number, turned[target]) for number, target in edges]),
            turned[word],
            turned[digit],
            accepts,
            end_accepts,
        )
        for edges, word, digit, accepts, end_accepts in reversed(made)
    ]


def _written(symbol_of: dict[str, int], sets: list[tuple[int, ...]], rows: list[_Row], entries: int) -> dict[str, str]:
    """The texts that `build` describes."""
    words: list[list[str]] = [[] for _ in range(max(symbol_of.values(), default=-1) + 1)]
    for word, symbol in symbol_of.items():
        words[symbol].append(word)
    used: _Numbered[int] = _Numbered()
    states: list[str] = []
    for edges, other, digit, accepts, end_accepts in rows:
        flat = [part for number, target in edges for part in (used.number(number), target)]
        defaults = ["" if target < 0 else str(target) for target in (other, digit)]
        states.append("/".join([_line(flat), *defaults, _line(accepts), _line(end_accepts)]).rstrip("/"))
    return {
        "symbols": "\n".join(map(" ".join, words)),
        "sets": "\n".join(_line(sets[number]) for number in used.things),
        "states": "\n".join(states),
        "entries": str(entries),
        "numbers": "yes" if any(digit >= 0 for _, _, digit, _, _ in rows) else "",
    }


def _line(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
