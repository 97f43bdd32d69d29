"""The compiled automaton at work: from words to matches as plain numbers. `cues` makes records of them.

A walk through the automaton begins at each token that can start a pattern, and notes what it accepts on its way.
Walks are decided in order of their start, which settles leftmost-longest and blocking in one pass.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from edgegate.errors import UsageError
from edgegate.language import lexicon
from edgegate.language.lexicon import Cue
from edgegate.language.tokens import is_digit, is_word

Marks = tuple[tuple[int, bool, int], ...]
"""What a state accepts: (family number, whether it is a block, cue number), one for each family it concerns."""
Found = tuple[int, int, int]
"""A match: first token, last token (exclusive), cue number."""
DIGIT = -2
"""The symbol of a number that has none of its own."""
OTHER = -3
"""Stands for any other word where it matters that it is one."""
WIDEST = 7
"""Over how many tokens a walk is asked ahead whether it can get anywhere."""
_Edges = dict[int | None, int]
_State = tuple[_Edges, Marks, Marks, int]
"""Symbol to state; what is accepted; what is accepted where the sentence ends; the state after another word, or -1."""
_Walks = tuple[tuple[int, int], ...]
"""Walks to go on with: how many tokens each has taken, and the state it is in."""
_Ahead = tuple[AbstractSet[int | None], int]
"""The symbols of which one must come within how many tokens (0: no need)."""
_Rest = tuple[Marks, _Ahead, tuple[tuple[_Ahead, tuple[int, int]], ...]]
_Start = tuple[dict[int | None, _Walks], tuple[int, int] | None, _Rest | None]
"""How walks begin with some symbol: those that go on by the next symbol; the family and the cue of the one thing that
is accepted unless one goes on; and the rest: what is accepted whatever comes, what one of the other walks needs at
least, and these with what each needs."""


class _Lines:
    """The lines of a text, read one by one and seldom: in blocks, since so many small texts take twice the room."""

    __slots__ = ("_blocks", "_count")
    BLOCK = 32

    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        self._count = len(lines)
        self._blocks = ["\n".join(lines[at : at + self.BLOCK]) for at in range(0, len(lines), self.BLOCK)]

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> str:
        return self._blocks[number // self.BLOCK].split("\n")[number % self.BLOCK]


class Machine:
    """A loaded automaton and its cues."""

    def __init__(self, data: dict[str, str], cues: Sequence[Cue]) -> None:
        self.cues = cues
        self.families = sorted({family for cue in cues for family in (cue.blocks or (cue.family,))})
        self._number_of = {family: number for number, family in enumerate(self.families)}
        lines = data["symbols"].split("\n")
        self._numbers = [*range(len(lines))]  # one object for each number, wherever it stands
        self.symbols = {word: symbol for symbol in self._numbers for word in lines[symbol].split()}
        self._sets = _Lines(data["sets"])
        self._lines = _Lines(data["states"])
        self._states: list[_State | None] = [None] * len(self._lines)
        self._reads_numbers = bool(data["numbers"])
        entries = range(0, 2 * int(data["entries"]), 2)
        self._middle, _ = self._joined([*entries])
        self._begin, self._over = self._joined([entry + 1 for entry in entries])
        self._begun: dict[int | None, _Walks] = {}
        self._seconds: dict[int | None, dict[int | None, _Walks] | None] = {}
        self._starts: dict[int | None, _Start] = {}

    def _joined(self, entries: list[int]) -> tuple[dict[int | None, tuple[int, ...]], list[tuple[int, _Edges]]]:
        """The edges of several states as one table, each symbol with all its targets; and where other words lead from
        those that have an edge for them, with their own edges."""
        states = [self._unpacked(entry) for entry in entries]
        joined: dict[int | None, tuple[int, ...]] = {}
        alone = {target: (target,) for edges, _, _, _ in states for target in edges.values()}
        for edges, _, _, _ in states:
            for symbol, target in edges.items():
                joined[symbol] = (*joined[symbol], target) if symbol in joined else alone[target]
        return joined, [(other, edges) for edges, _, _, other in states if other >= 0]

    def state(self, number: int) -> _State:
        """A state, unpacked when first asked for; the edge DIGIT stands for all numbers that no pattern spells out."""
        found = self._states[number]
        if found is None:
            found = self._states[number] = self._unpacked(number)
        return found

    def _unpacked(self, number: int) -> _State:
        edges, word, digit, accepts, end_accepts = (self._lines[number].split("/") + [""] * 4)[:5]
        packed = iter(map(int, edges.split()))
        targets: _Edges = {
            self._numbers[int(symbol)]: target
            for number_of_set, target in zip(packed, packed, strict=True)
            for symbol in self._sets[number_of_set].split()
        }
        if digit:
            targets[DIGIT] = int(digit)
        return targets, self._marks(accepts), self._marks(end_accepts), int(word or -1)

    def _marks(self, accepts: str) -> Marks:
        marks: list[tuple[int, bool, int]] = []
        for number in map(int, accepts.split()):
            cue = self.cues[number]
            families = cue.blocks or (cue.family,)
            marks += [(self._number_of[family], bool(cue.blocks), number) for family in families]
        return tuple(marks)

    def codes(self, words: list[str]) -> list[int | None]:
        """The symbols of words: DIGIT for a number without one, None for other words without one, and None behind."""
        codes: list[int | None] = [*map(self.symbols.get, words), None]
        if self._reads_numbers:
            for place in [place for place, word in enumerate(words) if ":" > word >= "0"]:
                if codes[place] is None:
                    codes[place] = DIGIT
        return codes

    def _note(self, symbol: int | None) -> None:
        """Works out how walks begin with a symbol that one can begin with."""
        seconds: dict[int | None, list[tuple[int, int]]] = {}
        accepted: list[tuple[int, bool, int]] = []
        others: list[tuple[_Ahead, tuple[int, int]]] = []
        for number in self._middle[symbol]:
            edges, marks, end_marks, other = self.state(number)
            if other >= 0 or end_marks:
                others.append((self._ahead(number), (1, number)))
            else:
                accepted += marks
                for second, target in edges.items():
                    seconds.setdefault(second, []).append((2, target))
        by_second = {second: tuple(walks) for second, walks in seconds.items()}
        windows = [window for (_, window), _ in others]
        keys = frozenset().union(*(keys for (keys, _), _ in others)) if all(windows) else frozenset()
        alone = len(accepted) == 1 and not accepted[0][1] and not others
        self._starts[symbol] = (
            by_second,
            (accepted[0][0], accepted[0][2]) if alone else None,
            (tuple(accepted), (keys, max(windows, default=0)), tuple(others)) if accepted or others else None,
        )
        # Where every walk needs the very next token, most can be ruled out without being looked at.
        self._seconds[symbol] = None if accepted or others else by_second

    def _ahead(self, number: int) -> _Ahead:
        """What must come for a walk in this state to get anywhere.

        One that only runs over gaps gets nowhere: it must take an edge of one of the states the gaps lead to.
        """
        edges, marks, end_marks, other = self.state(number)
        keys = set(edges)
        for window in range(2, WIDEST + 1):
            if marks or end_marks:
                break
            further, marks, end_marks, other = self.state(other)
            keys.update(further)
            if other < 0 and not marks and not end_marks:
                return keys, window
        return frozenset(), 0

    def begun(self, word: str) -> _Walks:
        """The walks after `word` as the first word of a sentence (or as a sign before that)."""
        symbol = self.symbols.get(word, DIGIT if is_digit(word) else OTHER if is_word(word) else None)
        found = self._begun.get(symbol)
        if found is None:
            over = [other for other, edges in self._over if symbol not in edges] if is_word(word) else []
            states = (*self._middle.get(symbol, ()), *self._begin.get(symbol, ()), *over)
            found = self._begun[symbol] = tuple([(1, state) for state in states])
        return found

    def entered(self, word: str) -> _Walks:
        """The walks after `word` as a word behind the first."""
        symbol = self.symbols.get(word, DIGIT if is_digit(word) else None)
        return tuple([(1, state) for state in self._middle.get(symbol, ())])

    def step(self, number: int, word: str) -> int:
        """The state after `word`, or -1."""
        edges, _, _, other = self.state(number)
        target = edges.get(self.symbols.get(word, DIGIT if is_digit(word) else None))
        if target is None:
            return other if is_word(word) else -1
        return target

    def ends(self, number: int) -> bool:
        """Whether no token leads on from this state."""
        edges, _, _, other = self.state(number)
        return not edges and other < 0

    def wanted(self, families: Collection[str] | None) -> frozenset[int] | None:
        """The numbers of some families; raises UsageError for a name that no cue has."""
        if families is None:
            return None
        for family in families:
            if family not in self.families:
                raise UsageError(f"unknown family {family!r}; known are {', '.join(self.families)}", where="families")
        return frozenset(number for number, family in enumerate(self.families) if family in families)

    def find(self, words: list[str], wanted: frozenset[int] | None = None) -> list[Found]:
        """The matches in the words of one sentence, in order of their start (then of family)."""
        count = len(words)
        head = next((place for place, word in enumerate(words) if is_word(word)), count)
        tail = next((place for place in range(count, 0, -1) if is_word(words[place - 1])), 0)
        decider = Decider(len(self.families), wanted)
        codes = self.codes(words)
        padded = [*words, "."]  # so that a gap ends where the words do
        begin, seconds, starts = self._middle, self._seconds, self._starts
        states, unpack = self._states, self.state
        found, taken_to, blocked_to = decider.found, decider.taken_to, decider.blocked_to
        if len(starts) < len(begin):
            for code in begin if count > 1000 else begin.keys() & codes:
                if code not in starts:
                    self._note(code)
        # Every token of a long text passes the next lines, so what they can rule out never costs a walk.
        hits = [
            place
            for place, code in enumerate(codes)
            if code in begin and ((second := seconds[code]) is None or codes[place + 1] in second)
        ]
        opening = range(min(head + 1, count))
        for first in (*opening, *[place for place in hits if place > head]):
            accepted: list[tuple[int, Marks]] = []
            if first <= head:
                walks = self.begun(words[first])
            else:
                by_second, alone, rest = starts[codes[first]]
                place = first + 1
                walks = by_second.get(codes[place], ())
                if alone and not walks:
                    family, cue = alone
                    free = first >= taken_to[family] and place > blocked_to[family]
                    if free and (wanted is None or family in wanted):
                        taken_to[family] = place
                        found.append((first, place, cue))
                    continue
                if rest:
                    marks, (keys, window), others = rest
                    if marks:
                        accepted.append((place, marks))
                    if others and not (keys and keys.isdisjoint(codes[place : place + window])):
                        for (keys, window), walk in others:
                            if not window or not keys.isdisjoint(codes[place : place + window]):
                                walks = (*walks, walk)
            for taken, number in walks:
                place = first + taken
                while True:
                    edges, marks, end_marks, other = states[number] or unpack(number)
                    if marks:
                        accepted.append((place, marks))
                    if end_marks and place >= tail:
                        accepted.append((place, end_marks))
                    target = edges.get(codes[place])
                    if target is None:
                        word = padded[place]
                        # is_word(word), but this is the inner loop
                        if other < 0 or not (len(word) > 1 or word.isalnum()):
                            break
                        target = other
                    number = target
                    place += 1
            if accepted:
                last, marks = accepted[0]
                family, block, cue = marks[0]
                if block or len(accepted) > 1 or len(marks) > 1:
                    decider.decide(first, accepted)
                elif first >= taken_to[family] and last > blocked_to[family] and (wanted is None or family in wanted):
                    taken_to[family] = last
                    found.append((first, last, cue))
        return found

    def blocks(self, words: list[str], first: int, family: str) -> list[tuple[int, int]]:
        """The blocks of a family that begin at `first`, as (last token, cue number): to say what cancels a match."""
        tail = next((place for place in range(len(words), 0, -1) if is_word(words[place - 1])), 0)
        began = any(is_word(word) for word in words[:first])
        return [
            (last, number)
            for last, marks in self._walk(words, first, tail, (self.entered if began else self.begun)(words[first]))
            for kind, block, number in marks
            if block and self.families[kind] == family
        ]

    def _walk(self, words: list[str], first: int, tail: int, walks: _Walks) -> list[tuple[int, Marks]]:
        """What walks accept that took the token `first`."""
        accepted: list[tuple[int, Marks]] = []
        for _, number in walks:
            place = first + 1
            while number >= 0:
                _, marks, end_marks, _ = self.state(number)
                if marks:
                    accepted.append((place, marks))
                if end_marks and place >= tail:
                    accepted.append((place, end_marks))
                number = self.step(number, words[place]) if place < len(words) else -1
                place += 1
        return accepted


class Decider:
    """Takes finished walks in order of their start, and keeps the matches that stand, in `found`."""

    def __init__(self, families: int, wanted: frozenset[int] | None) -> None:
        self.wanted = wanted
        self.taken_to = [0] * families
        self.blocked_to = [0] * families
        self.found: list[Found] = []

    def decide(self, first: int, accepted: Sequence[tuple[int, Marks]]) -> None:
        """Decides the walk that began at `first`; `accepted` says where it accepted what."""
        longest: dict[int, Found] = {}
        for last, marks in accepted:
            for family, block, number in marks:
                if block:
                    if last > self.blocked_to[family]:
                        self.blocked_to[family] = last
                elif family not in longest or longest[family][1:] < (last, -number):
                    longest[family] = first, last, -number  # of equal length: the entry written first
        for family in sorted(longest):
            _, last, minus_number = longest[family]
            if first < self.taken_to[family] or last <= self.blocked_to[family]:
                continue
            if self.wanted is None or family in self.wanted:
                self.taken_to[family] = last
                self.found.append((first, last, -minus_number))


@cache
def machine() -> Machine:
    """The automaton of the lexicons in use."""
    return Machine(lexicon.automaton(), lexicon.cues())
