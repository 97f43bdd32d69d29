"""The compiled automaton at work: from words to matches as plain numbers. `cues` makes records of them.

A walk through the automaton begins at each token that can start a pattern, and notes what it accepts on its way.
Walks are decided in order of their start, which settles leftmost-longest and blocking in one pass.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, cached_property
from typing import Any

from edgegate.errors import UsageError
from edgegate.language import lexicon
from edgegate.language.automaton import BEGIN, MIDDLE, is_digit, is_word
from edgegate.language.lexicon import Cue
from edgegate.language.patterns import LONGEST_GAP

Accepts = tuple[tuple[int, bool, int], ...]
"""What a state accepts: (family number, whether it is a block, cue number), one for each family it concerns."""
Found = tuple[int, int, int]
"""A match: first token, last token (exclusive), cue number."""
DIGIT = -2
"""The symbol of a number that has none of its own."""
_Edges = dict[int | None, int]
_Start = tuple[int, _Edges, AbstractSet[int | None] | None, int, tuple[int, int] | None]
"""The state, its edges, which symbols must come within how many tokens (None: no need), and, where the state accepts
one thing and only an edge leads on, what it accepts: (family number, cue number)."""


class Machine:
    """A loaded automaton and its cues."""

    def __init__(self, data: dict[str, Any], cues: Sequence[Cue]) -> None:
        self.cues = cues
        self.families = sorted({family for cue in cues for family in (cue.blocks or (cue.family,))})
        number_of = {family: number for number, family in enumerate(self.families)}
        marks: list[Accepts] = [
            tuple((number_of[family], True, number) for family in cue.blocks)
            or ((number_of[cue.family], False, number),)
            for number, cue in enumerate(cues)
        ]
        self.symbols: dict[str, int] = data["symbols"]
        self.word: list[int] = data["word"]
        self.digit: list[int] = data["digit"]
        self.accepts: list[Accepts]
        self.end_accepts: list[Accepts]
        self.accepts, self.end_accepts = (
            [tuple(mark for number in numbers for mark in marks[number]) for numbers in data[key]]
            for key in ("accepts", "end_accepts")
        )
        self._sets: list[list[int]] = data["sets"]
        self._packed: list[list[int]] = data["edges"]
        self._unpacked: list[_Edges | None] = [None] * len(self._packed)

    def edges(self, state: int) -> _Edges:
        """Symbol to state, unpacked when first asked for; DIGIT stands for all numbers that no pattern spells out."""
        found = self._unpacked[state]
        if found is None:
            packed = iter(self._packed[state])
            found = {
                symbol: target for number, target in zip(packed, packed, strict=True) for symbol in self._sets[number]
            }
            if self.digit[state] >= 0:
                found[DIGIT] = self.digit[state]
            self._unpacked[state] = found
        return found

    def codes(self, words: list[str]) -> list[int | None]:
        """The symbols of words: DIGIT for a number without one, None for other words without one, and None behind."""
        codes: list[int | None] = [*map(self.symbols.get, words), None]
        for place in [place for place, word in enumerate(words) if ":" > word >= "0"]:
            if codes[place] is None:
                codes[place] = DIGIT
        return codes

    @cached_property
    def starts(self) -> dict[int | None, _Start]:
        """What a walk that begins with a symbol is like, for every symbol one can begin with."""
        return {symbol: self._start(state) for symbol, state in self.edges(MIDDLE).items()}

    def _start(self, state: int) -> _Start:
        edges = self.edges(state)
        marks = self.accepts[state]
        if not marks and not self.end_accepts[state]:
            return state, edges, *self._keys(state), None
        alone = len(marks) == 1 and not marks[0][1] and not self.end_accepts[state] and self.word[state] < 0
        return state, edges, None, 0, (marks[0][0], marks[0][2]) if alone else None

    def _keys(self, state: int) -> tuple[AbstractSet[int | None] | None, int]:
        """The symbols of which one must come soon, and how soon, for a walk that is here to get anywhere.

        A walk that only runs over gaps gets nowhere: it must take an edge of one of the states the gaps lead to.
        """
        keys: set[int | None] = set(self.edges(state))
        for window in range(1, LONGEST_GAP + 2):
            if self.word[state] < 0:
                return (keys), window
            state = self.word[state]
            keys.update(self.edges(state))
        return None, 0

    def step(self, state: int, word: str) -> int:
        """The state after `word`, or -1."""
        code = self.symbols.get(word, DIGIT if is_digit(word) else None)
        target = self.edges(state).get(code)
        if target is None:
            return self.word[state] if is_word(word) else -1
        return target

    def ends(self, state: int) -> bool:
        """Whether no token leads on from this state."""
        return not self.edges(state) and self.word[state] < 0

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
        for first in range(min(head + 1, count)):
            decider.decide(first, self._walk_from_begin(words, first, tail))
        codes = self.codes(words)
        starts = self.starts
        accepts, end_accepts, any_word, unpacked = self.accepts, self.end_accepts, self.word, self._unpacked
        found, taken_to, blocked_to = decider.found, decider.taken_to, decider.blocked_to
        for first in [place for place, code in enumerate(codes) if code in starts]:
            if first <= head:
                continue
            place = first + 1
            state, edges, keys, window, alone = starts[codes[first]]
            if alone:
                if codes[place] not in edges:
                    family, number = alone
                    if (
                        first >= taken_to[family]
                        and place > blocked_to[family]
                        and (wanted is None or family in wanted)
                    ):
                        taken_to[family] = place
                        found.append((first, place, number))
                    continue
            elif keys is not None and (
                codes[place] not in keys if window == 1 else keys.isdisjoint(codes[place : place + window])
            ):
                continue
            accepted: list[tuple[int, Accepts]] = []
            while True:
                if accepts[state]:
                    accepted.append((place, accepts[state]))
                if end_accepts[state] and place >= tail:
                    accepted.append((place, end_accepts[state]))
                target = (unpacked[state] or self.edges(state)).get(codes[place])
                if target is None:
                    target = any_word[state]
                    if target < 0 or place == count or not is_word(words[place]):
                        break
                state = target
                place += 1
            if accepted:
                last, marks = accepted[0]
                family, block, number = marks[0]
                if block or len(accepted) > 1 or len(marks) > 1:
                    decider.decide(first, accepted)
                elif first >= taken_to[family] and last > blocked_to[family] and (wanted is None or family in wanted):
                    taken_to[family] = last
                    found.append((first, last, number))
        return found

    def _walk_from_begin(self, words: list[str], first: int, tail: int) -> list[tuple[int, Accepts]]:
        state = BEGIN
        accepted: list[tuple[int, Accepts]] = []
        for place in range(first, len(words)):
            state = self.step(state, words[place])
            if state < 0:
                break
            marks = self.accepts[state] + (self.end_accepts[state] if place + 1 >= tail else ())
            if marks:
                accepted.append((place + 1, marks))
        return accepted


class Decider:
    """Takes finished walks in order of their start, and keeps the matches that stand, in `found`."""

    def __init__(self, families: int, wanted: frozenset[int] | None) -> None:
        self.wanted = wanted
        self.taken_to = [0] * families
        self.blocked_to = [0] * families
        self.found: list[Found] = []

    def decide(self, first: int, accepted: Sequence[tuple[int, Accepts]]) -> None:
        """Decides the walk that began at `first`; `accepted` says where it accepted what, shortest first."""
        longest: dict[int, Found] = {}
        for last, marks in reversed(accepted):
            for family, block, number in marks:
                if not block:
                    found = longest.setdefault(family, (first, last, number))
                    if last == found[1] and number < found[2]:  # equal in length: the entry written first
                        longest[family] = (first, last, number)
                elif last > self.blocked_to[family]:
                    self.blocked_to[family] = last
        for family in sorted(longest):
            last = longest[family][1]
            if first < self.taken_to[family] or last <= self.blocked_to[family]:
                continue
            if self.wanted is None or family in self.wanted:
                self.taken_to[family] = last
                self.found.append(longest[family])


@cache
def machine() -> Machine:
    """The automaton of the lexicons in use."""
    return Machine(lexicon.automaton(), lexicon.cues())
