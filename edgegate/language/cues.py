"""Finds cues in tokens: `scan` for a whole sentence, `Scanner` for tokens as they come.

Within a family the leftmost-longest matches are reported; a blocked cue ("no doubt") cancels every match of its
families that lies inside it; different families may overlap. Every match knows its scope, the words it governs.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Collection, Sequence
from functools import cache
from typing import cast

from edgegate.language import lexicon
from edgegate.language.lexicon import Cue
from edgegate.language.machine import Decider, Machine, Marks, machine
from edgegate.language.text import Tokens, clauses
from edgegate.language.tokens import is_word

__all__ = ["Cue", "CueMatch", "Scanner", "scan"]


class CueMatch:
    """One cue found in a text. It never changes; what it must look up in its text, it looks up when asked.

    `first` and `last` are its token range, `start` and `end` its code points in the original, `scope_first` and
    `scope_last` the token range that the cue governs; all ends exclusive. `text` is the cue as it stands there.
    """

    __slots__ = ("_source", "cue", "end", "first", "last", "start")

    def __init__(self, cue: Cue, first: int, last: int, start: int, end: int, source: _Source) -> None:
        self.cue = cue
        self.first = first
        self.last = last
        self.start = start
        self.end = end
        self._source = source

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
        """One line that says what was found, what it signals, what it governs, and who says so.

        >>> from edgegate.language.text import tokenise
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

    __slots__ = ("_edges", "tokens")

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self._edges: tuple[list[int], list[int]] | None = None

    def edges(self) -> tuple[list[int], list[int]]:
        """Where pieces begin and where they end: at the edges of clauses, and before and behind terminators."""
        if self._edges is None:
            terminators = _terminators()
            ends = {last for _, last in clauses(self.tokens)}
            begins = {0, *ends}
            for place, word in enumerate(self.tokens.words):
                if word in terminators:
                    ends.add(place)
                    begins.add(place + 1)
            self._edges = sorted(begins), sorted({*ends, len(self.tokens)})
        return self._edges

    def scope(self, match: CueMatch) -> tuple[int, int]:
        kind = match.cue.scope
        if kind == "none":
            return match.last, match.last
        if kind == "sentence":
            return 0, len(self.tokens)
        begins, ends = self.edges()
        # The piece of the cue begins at the last edge before its first word and ends at the first one behind its last.
        first = begins[bisect_right(begins, match.first) - 1]
        last = ends[bisect_left(ends, match.last)]
        if kind == "after":
            return match.last, last
        if kind == "before":
            return first, match.first
        return first, last


@cache
def _terminators() -> frozenset[str]:
    return frozenset(lexicon.table("scope_terminators"))


def scan(tokens: Tokens, families: Collection[str] | None = None, *, using: Machine | None = None) -> list[CueMatch]:
    """The cues in the tokens of one sentence, in order of their start.

    `families` limits the search (UsageError for a family that no cue has). Blocked matches and shorter ones of the
    same family are taken out already. `using` is another automaton than that of the lexicons in use.

    >>> from edgegate.language.text import tokenise
    >>> [match.cue.id for match in scan(tokenise("It is not so."), {"negation"})]
    ['negation.not']
    """
    using = using or machine()
    found = using.find(tokens.words, using.wanted(families))
    spans = tokens.spans([(first, last) for first, last, _ in found])
    source = _Source(tokens)
    cues = using.cues
    return [
        CueMatch(cues[number], first, last, start, end, source)
        for (first, last, number), (start, end) in zip(found, spans, strict=True)
    ]


class _Held:
    """The tokens of a sentence so far, with the same names as `Tokens`; offsets count from the first piece's start."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.pieces: list[str] = []
        self.length = 0

    def __len__(self) -> int:
        return len(self.words)

    @property
    def text(self) -> str:
        self.pieces = ["".join(self.pieces)]
        return self.pieces[0]

    def add(self, tokens: Tokens) -> None:
        self.words += tokens.words
        self.starts += [self.length + start for start in tokens.starts]
        self.ends += [self.length + end for end in tokens.ends]
        self.pieces.append(tokens.text)
        self.length += len(tokens.text)

    def span(self, first: int, last: int) -> tuple[int, int]:
        if first >= last:
            place = self.starts[first] if first < len(self.words) else self.length
            return place, place
        return self.starts[first], self.ends[last - 1]

    def quote(self, first: int, last: int) -> str:
        start, end = self.span(first, last)
        return self.text[start:end]


class _Walk:
    """One walk in progress, over when it is in no state; `at_end` is what it accepts if the sentence ends here."""

    __slots__ = ("accepted", "at_end", "first", "states")

    def __init__(self, first: int) -> None:
        self.first = first
        self.states: Sequence[int] = ()
        self.accepted: list[tuple[int, Marks]] = []
        self.at_end: list[tuple[int, Marks]] = []


class Scanner:
    """`scan` for tokens that come piece by piece; every token is read once, however the sentence is cut.

    `feed` the tokens of each piece (cut between tokens) and get the matches that no later token can change: their
    words are settled, and they govern nothing or all that they govern has come. `close` gives the rest, and the
    scanner is ready for the next sentence. Numbers of tokens and code points count from the start of the sentence.

    >>> from edgegate.language.text import tokenise
    >>> scanner = Scanner({"negation"})
    >>> scanner.feed(tokenise("It is not")), [match.text for match in scanner.feed(tokenise(" so.")) + scanner.close()]
    ([], ['not'])
    """

    def __init__(self, families: Collection[str] | None = None, *, using: Machine | None = None) -> None:
        self._machine = using or machine()
        self._wanted = self._machine.wanted(families)
        self._open()

    def _open(self) -> None:
        self._held = _Held()
        self._source = _Source(cast(Tokens, self._held))
        self._decider = Decider(len(self._machine.families), self._wanted)
        self._undecided: deque[_Walk] = deque()
        self._live: list[_Walk] = []
        self._waiting: list[_Walk] = []
        self._governing: list[CueMatch] = []
        self._began = False

    def feed(self, tokens: Tokens) -> list[CueMatch]:
        """Takes the tokens of the next piece of the sentence; returns the matches that are now final."""
        place = len(self._held)
        self._held.add(tokens)
        for word in tokens.words:
            self._read(place, word)
            place += 1
        return self._decide()

    def close(self) -> list[CueMatch]:
        """Ends the sentence; returns the matches that were still open."""
        for walk in self._undecided:
            walk.states = ()
            walk.accepted = sorted(walk.accepted + walk.at_end, key=lambda accepted: accepted[0])
            walk.at_end = []
        settled = self._decide()
        matches = sorted([*self._governing, *settled], key=lambda match: match.first)
        self._open()
        return matches

    def _read(self, place: int, word: str) -> None:
        machine = self._machine
        if is_word(word):
            for walk in self._waiting:
                walk.at_end = []
            self._waiting.clear()
        for walk in self._live:
            walk.states = [state for last in walk.states if (state := machine.step(last, word)) >= 0]
        fresh = _Walk(place)
        fresh.states = [state for _, state in (machine.entered if self._began else machine.begun)(word)]
        self._began = self._began or is_word(word)
        self._undecided.append(fresh)
        self._live.append(fresh)
        for walk in self._live:
            for state in walk.states:
                _, marks, end_marks, _ = machine.state(state)
                if marks:
                    walk.accepted.append((place + 1, marks))
                if end_marks:
                    walk.at_end.append((place + 1, end_marks))
                    self._waiting.append(walk)
            walk.states = [state for state in walk.states if not machine.ends(state)]
        self._live = [walk for walk in self._live if walk.states]

    def _decide(self) -> list[CueMatch]:
        """Decides the walks that are over, as far as nothing further left is still under way."""
        undecided = self._undecided
        while undecided and not undecided[0].states and not undecided[0].at_end:
            walk = undecided.popleft()
            if walk.accepted:
                self._decider.decide(walk.first, walk.accepted)
        final: list[CueMatch] = []
        for first, last, number in self._decider.found:
            match = CueMatch(self._machine.cues[number], first, last, *self._held.span(first, last), self._source)
            (final if match.cue.scope == "none" else self._governing).append(match)
        self._decider.found.clear()
        return final
