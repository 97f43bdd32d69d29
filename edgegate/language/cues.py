"""Finds cues in tokens: `scan` for a whole sentence, `Scanner` for tokens as they come.

Within a family the leftmost-longest matches are reported; a blocked cue ("no doubt") cancels what lies inside it;
different families may overlap.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

from edgegate.language import lexicon
from edgegate.language.lexicon import Cue
from edgegate.language.text import Tokens, clauses, tokenise

__all__ = ["Cue", "CueMatch", "Scanner", "scan"]


@dataclass(frozen=True, slots=True)
class CueMatch:
    """One cue found in a text.

    `first` and `last` are the token range, `start` and `end` the code points in the original, `scope_first` and
    `scope_last` the token range that the cue governs; all ends exclusive. `text` is the cue as it stands there.
    """

    cue: Cue
    first: int
    last: int
    start: int
    end: int
    scope_first: int
    scope_last: int
    text: str


class _Automaton:
    def __init__(self, data: dict[str, Any], cues: tuple[Cue, ...]) -> None:
        self.cues = cues
        self.symbols: dict[str, int] = data["symbols"]
        self.edges = [dict(zip(flat[::2], flat[1::2], strict=True)) for flat in data["edges"]]
        self.word: list[int] = data["word"]
        self.digit: list[int] = data["digit"]
        self.accepts: list[list[int]] = data["accepts"]
        self.end_accepts: list[list[int]] = data["end_accepts"]


@cache
def _automaton() -> _Automaton:
    return _Automaton(lexicon._loaded()["automaton"], lexicon.cues())


def _walk(
    automaton: _Automaton, words: list[str], first: int, at_start: bool, end: int
) -> dict[str, dict[bool, tuple[int, int]]]:
    """The longest cue and the longest block that start at `first`, by family: {family: {block: (last, cue)}}."""
    found: dict[str, dict[bool, tuple[int, int]]] = {}
    state = 1 if at_start else 0
    at = first
    while at < len(words):
        word = words[at]
        symbol = automaton.symbols.get(word)
        target = automaton.edges[state].get(symbol) if symbol is not None else None
        if target is None:
            if word[0].isdigit():
                target = automaton.digit[state]
            elif len(word) > 1 or word.isalnum():
                target = automaton.word[state]
            else:
                break
            if target < 0:
                break
        at += 1
        state = target
        accepts = automaton.accepts[state]
        if at >= end:
            accepts = accepts + automaton.end_accepts[state]
        for number in accepts:
            cue = automaton.cues[number]
            block = cue.effect == "block"
            for family in cue.blocks if block else (cue.family,):
                best = found.setdefault(family, {})
                if block not in best or best[block][0] < at:
                    best[block] = (at, number)
    return found


def scan(tokens: Tokens, families: Collection[str] | None = None) -> list[CueMatch]:
    """The cues in the tokens of one sentence, in order of their start (then of family).

    `families` limits the search to some families. Blocked cues and shorter matches of the same family are taken out.

    >>> from edgegate.language.text import tokenise
    >>> [match.cue.id for match in scan(tokenise("It is not so."), {"negation"})]
    ['negation.not']
    """
    automaton = _automaton()
    words = tokens.words
    end = len(words)
    while end and not (len(words[end - 1]) > 1 or words[end - 1].isalnum()):
        end -= 1
    at_start = True
    symbols = automaton.symbols
    blocked_to: dict[str, int] = {}
    taken_to: dict[str, int] = {}
    raw: list[tuple[int, int, int]] = []
    candidates: list[tuple[int, int, str, int]] = []
    for first, word in enumerate(words):
        if word in symbols or word[0].isdigit():
            for family, best in _walk(automaton, words, first, at_start, end).items():
                if True in best:
                    blocked_to[family] = max(blocked_to.get(family, 0), best[True][0])
                if False in best and best[False][0] > blocked_to.get(family, 0):
                    candidates.append((first, best[False][0], family, best[False][1]))
        at_start = at_start and not (len(word) > 1 or word.isalnum())
    for first, last, family, number in candidates:
        if families is not None and family not in families:
            continue
        if first >= taken_to.get(family, 0):
            taken_to[family] = last
            raw.append((first, last, number))
    if not raw:
        return []
    raw.sort(key=lambda found: (found[0], automaton.cues[found[2]].family))
    ranges = clauses(tokens)
    starts = [start for start, _ in ranges]
    matches = []
    for first, last, number in raw:
        cue = automaton.cues[number]
        start, stop = tokens.span(first, last)
        scope = _scope(cue.scope, first, last, ranges, starts, len(words))
        matches.append(CueMatch(cue, first, last, start, stop, *scope, tokens.quote(first, last)))
    return matches


def _scope(
    scope: str, first: int, last: int, ranges: list[tuple[int, int]], starts: list[int], count: int
) -> tuple[int, int]:
    if scope == "none":
        return last, last
    if scope == "sentence":
        return 0, count
    clause_first = ranges[max(bisect_right(starts, first) - 1, 0)][0]
    clause_last = max(ranges[max(bisect_right(starts, last - 1) - 1, 0)][1], last)
    if scope == "after":
        return last, clause_last
    if scope == "before":
        return clause_first, first
    return clause_first, clause_last


class Scanner:
    """Streaming: `feed` tokens, get the matches that no later token can change; `close` gives the rest."""

    def __init__(self, families: Collection[str] | None = None) -> None:
        self.families = families
        self._pieces: list[Tokens] = []

    def feed(self, tokens: Tokens) -> list[CueMatch]:
        """Takes the next tokens of the sentence: the tokens of the next piece of its text, cut between tokens."""
        self._pieces.append(tokens)
        return []

    def close(self) -> list[CueMatch]:
        """The matches that were still open; the scanner is then ready for the next sentence."""
        text = "".join(piece.text for piece in self._pieces)
        self._pieces.clear()
        return scan(tokenise(text), self.families)
