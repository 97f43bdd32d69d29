"""Finds cues in tokens: `scan` for a whole sentence, `Scanner` for tokens as they come.

Within a family the leftmost-longest matches are reported; a blocked cue ("no doubt") cancels every match of its
families that lies inside it; different families may overlap. Every match knows its scope, the words it governs.

How: a walk through the automaton begins at each token that can start a pattern, and notes what it accepts on its way.
What starts further left is decided first, so that one pass settles everything and no token is read twice by a walk.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from functools import cache, cached_property
from typing import Any

from edgegate.errors import UsageError
from edgegate.language import lexicon
from edgegate.language.automaton import BEGIN, MIDDLE, is_digit, is_word
from edgegate.language.lexicon import Cue
from edgegate.language.text import Tokens, clauses, tokenise

__all__ = ["Cue", "CueMatch", "Machine", "Scanner", "machine", "scan"]

_Accepts = tuple[tuple[int, bool, int], ...]
"""What a state accepts: (family number, whether it is a block, cue number), one for each family it concerns."""


class CueMatch:
    """One cue found in a text. It never changes; what it must look up in its text, it looks up when asked.

    `first` and `last` are its token range, `start` and `end` its code points in the original, `scope_first` and
    `scope_last` the token range that the cue governs; all ends exclusive. `text` is the cue as it stands there.
    """

    __slots__ = ("_source", "cue", "first", "last")

    cue: Cue
    first: int
    last: int

    def __init__(self, cue: Cue, first: int, last: int, source: _Source) -> None:
        self.cue = cue
        self.first = first
        self.last = last
        self._source = source

    @property
    def start(self) -> int:
        return self._source.tokens.starts[self.first]

    @property
    def end(self) -> int:
        return self._source.tokens.ends[self.last - 1]

    @property
    def text(self) -> str:
        return self._source.tokens.quote(self.first, self.last)

    @property
    def scope_first(self) -> int:
        return self._source.scope(self)[0]

    @property
    def scope_last(self) -> int:
        return self._source.scope(self)[1]

    def explain(self) -> str:
        """One line that says what was found, what it means, what it governs, and who says so.

        >>> print(scan(tokenise("It is not so."), {"negation"})[0].explain())
        negation.not "not": denies "so." (Huddleston & Pullum 2002, ch. 9)
        """
        first, last = self._source.scope(self)
        governed = f' "{self._source.tokens.quote(first, last)}"' if last > first else ""
        return f'{self.cue.id} "{self.text}": {self.cue.effect}{governed} ({self.cue.cite})'

    def _key(self) -> tuple[object, ...]:
        return (self.cue, self.first, self.last, self.start, self.end, self.scope_first, self.scope_last, self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CueMatch) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.cue, self.first, self.last))

    def __repr__(self) -> str:
        names = ("first", "last", "start", "end", "scope_first", "scope_last", "text")
        return f"CueMatch({self.cue.id!r}, {', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


class _Source:
    """The tokens that matches come from, and the pieces a scope may not leave, worked out when first asked for."""

    __slots__ = ("_edges", "terminators", "tokens")

    def __init__(self, tokens: Tokens, terminators: Collection[str]) -> None:
        self.tokens = tokens
        self.terminators = terminators
        self._edges: tuple[list[int], list[int]] | None = None

    def edges(self) -> tuple[list[int], list[int]]:
        """Where pieces begin and where they end: at the edges of clauses, and before and behind terminators."""
        if self._edges is None:
            ends = {last for _, last in clauses(self.tokens)}
            begins = set(ends)
            for place, word in enumerate(self.tokens.words):
                if word in self.terminators:
                    ends.add(place)
                    begins.add(place + 1)
            self._edges = sorted({0, *begins}), sorted({*ends, len(self.tokens)})
        return self._edges

    def scope(self, match: CueMatch) -> tuple[int, int]:
        kind = match.cue.scope
        if kind == "none":
            return match.last, match.last
        if kind == "sentence":
            return 0, len(self.tokens)
        begins, ends = self.edges()
        # The piece of the cue: it ends at the first edge behind the cue's last word, it begins at the last one before.
        first = begins[bisect_right(begins, match.first) - 1]
        last = ends[bisect_left(ends, match.last)]
        if kind == "after":
            return match.last, last
        if kind == "before":
            return first, match.first
        return first, last


class Machine:
    """A loaded automaton and its cues."""

    def __init__(self, data: dict[str, Any], cues: Sequence[Cue], terminators: Collection[str] = ()) -> None:
        self.cues = cues
        self.terminators = terminators
        self.families = sorted({family for cue in cues for family in (cue.blocks or (cue.family,))})
        number_of = {family: number for number, family in enumerate(self.families)}
        marks: list[_Accepts] = [
            tuple((number_of[family], True, number) for family in cue.blocks)
            if cue.blocks
            else ((number_of[cue.family], False, number),)
            for number, cue in enumerate(cues)
        ]
        self.symbols: dict[str, int] = data["symbols"]
        self.word: list[int] = data["word"]
        self.digit: list[int] = data["digit"]
        self.accepts, self.end_accepts = (
            [tuple(mark for number in numbers for mark in marks[number]) for numbers in data[key]]
            for key in ("accepts", "end_accepts")
        )
        self._sets: list[list[int]] = data["sets"]
        self._packed: list[list[int]] = data["edges"]
        self.unpacked: list[dict[int | None, int] | None] = [None] * len(self._packed)

    def edges(self, state: int) -> dict[int | None, int]:
        """Symbol to state, unpacked when first asked for."""
        found = self.unpacked[state]
        if found is None:
            packed = self._packed[state]
            found = {
                symbol: target
                for number, target in zip(packed[::2], packed[1::2], strict=True)
                for symbol in self._sets[number]
            }
            self.unpacked[state] = found
        return found

    @cached_property
    def starts(self) -> dict[int | None, tuple[int, dict[int | None, int] | None]]:
        """First symbol to (state, the symbols that must come next, or None where the walk is worth taking anyway)."""
        return {
            symbol: (
                state,
                None if self.accepts[state] or self.end_accepts[state] or self.digit[state] >= 0 else self.edges(state),
            )
            for symbol, state in self.edges(MIDDLE).items()
        }

    def step(self, state: int, word: str) -> int:
        """The state after `word`, or -1."""
        symbol = self.symbols.get(word)
        if symbol is not None:
            target = self.edges(state).get(symbol)
            if target is not None:
                return target
        if is_digit(word):
            return self.digit[state]
        return self.word[state] if is_word(word) else -1

    def wanted(self, families: Collection[str] | None) -> frozenset[int] | None:
        """The numbers of some families; raises UsageError for a name that no cue has."""
        if families is None:
            return None
        for family in families:
            if family not in self.families:
                raise UsageError(f"unknown family {family!r}; known are {', '.join(self.families)}", where="families")
        return frozenset(number for number, family in enumerate(self.families) if family in families)


@cache
def machine() -> Machine:
    """The automaton of the lexicons in use."""
    return Machine(lexicon.automaton(), lexicon.cues(), frozenset(lexicon.table("scope_terminators")))


class _Decider:
    """Takes finished walks in order of their start, and keeps the matches that stand."""

    def __init__(self, wanted: frozenset[int] | None, families: int) -> None:
        self.wanted = wanted
        self.taken_to = [0] * families
        self.blocked_to = [0] * families

    def decide(self, first: int, accepted: list[tuple[int, _Accepts]]) -> list[tuple[int, int, int]]:
        """The matches (first, last, cue number) of the walk that began at `first` and accepted, shortest first."""
        found: list[tuple[int, int, int, int]] = []
        longest: set[int] = set()
        for last, accepts in reversed(accepted):
            for family, block, number in accepts:
                if block:
                    self.blocked_to[family] = max(self.blocked_to[family], last)
                elif family not in longest:
                    longest.add(family)
                    found.append((family, first, last, number))
        kept = []
        for family, _, last, number in sorted(found):
            if self.wanted is not None and family not in self.wanted:
                continue
            if first >= self.taken_to[family] and last > self.blocked_to[family]:
                self.taken_to[family] = last
                kept.append((first, last, number))
        return kept


def scan(tokens: Tokens, families: Collection[str] | None = None, *, using: Machine | None = None) -> list[CueMatch]:
    """The cues in the tokens of one sentence, in order of their start.

    `families` limits the search (UsageError for an unknown one); blocked matches and shorter ones of the same family
    are taken out already. `using` is another automaton than that of the lexicons in use.

    >>> [match.cue.id for match in scan(tokenise("It is not so."), {"negation"})]
    ['negation.not']
    """
    using = using or machine()
    words = tokens.words
    count = len(words)
    codes: list[int | None] = [*map(using.symbols.get, words), None]
    starts = using.starts
    # Where a walk can begin, and, where only its next token can tell, where that token lets it go on.
    hits = [
        place
        for place, code in enumerate(codes)
        if code in starts and ((second := starts[code][1]) is None or codes[place + 1] in second)
    ]
    head = next((place for place, word in enumerate(words) if is_word(word)), count)
    tail = next((place for place in range(count, 0, -1) if is_word(words[place - 1])), 0)
    if using.digit[MIDDLE] >= 0:
        hits = sorted({*hits, *(place for place, word in enumerate(words) if word < ":" and is_digit(word))})
    begins = [place for place in range(min(head + 1, count)) if using.step(BEGIN, words[place]) >= 0]
    if begins:
        hits = begins + [place for place in hits if place > head]
    decider = _Decider(using.wanted(families), len(using.families))
    source = _Source(tokens, using.terminators)
    matches: list[CueMatch] = []
    accepts, end_accepts = using.accepts, using.end_accepts
    unpacked, unpack = using.unpacked, using.edges
    any_word, any_digit = using.word, using.digit
    for first in hits:
        state = using.step(BEGIN if first <= head else MIDDLE, words[first])
        place = first + 1
        accepted: list[tuple[int, _Accepts]] = []
        while True:
            if accepts[state]:
                accepted.append((place, accepts[state]))
            if end_accepts[state] and place >= tail:
                accepted.append((place, end_accepts[state]))
            target = (unpacked[state] or unpack(state)).get(codes[place])
            if target is None:
                if any_digit[state] < 0 or place >= count:
                    break
                word = words[place]
                if is_digit(word):
                    target = any_digit[state]
                elif is_word(word):
                    target = any_word[state]
                else:
                    break
                if target < 0:
                    break
            state = target
            place += 1
        if accepted:
            matches += [
                CueMatch(using.cues[number], first, last, source)
                for first, last, number in decider.decide(first, accepted)
            ]
    return matches


class Scanner:
    """Streaming: `feed` tokens, get the matches that no later token can change; `close` gives the rest."""

    def __init__(self, families: Collection[str] | None = None) -> None:
        self.families = families
        self._pieces: list[str] = []

    def feed(self, tokens: Tokens) -> list[CueMatch]:
        """Takes the tokens of the next piece of the sentence, cut between tokens."""
        self._pieces.append(tokens.text)
        return []

    def close(self) -> list[CueMatch]:
        """The matches that were still open; the scanner is then ready for the next sentence."""
        text = "".join(self._pieces)
        self._pieces.clear()
        return scan(tokenise(text), self.families)
