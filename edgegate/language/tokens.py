"""Folding and tokens: the one view of text that every matcher reads, with exact offsets back to the original.

Folding never asks a table and never raises, so the lexicon compiler can use it on its own sources.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate

# One folded character for each of these; the length stays, so offsets stay too.
_SAME_LENGTH = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u02b9\u00b4\u0060\uff07\u055a", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02\u301d\u301e", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
    **dict.fromkeys(
        "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
    ),
}
del _SAME_LENGTH["`"]

# Characters that show nothing: zero-width spaces and joiners, direction marks, soft hyphen, variation selectors, tags.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e0fff"
)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_INVISIBLE_RUN = re.compile(f"[{_INVISIBLE}]+")

# Cyrillic and Greek letters that look like Latin ones (lower case; folding lowers first).
_LOOK_ALIKE = dict(
    zip(
        "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u043a\u043c\u0442\u043d\u0432"
        "\u03b1\u03b5\u03bf\u03c1\u03c5\u03bd\u03b9\u03ba\u03c7\u03c4",
        "aeopcyxijshdqwkmthbaeopuvikxt",
        strict=True,
    )
)
_LOOK_ALIKE_MAP = str.maketrans(_LOOK_ALIKE)
_SOME_LOOK_ALIKE = re.compile(f"[{''.join(_LOOK_ALIKE)}]")
_MIXED_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[a-z]")

# A word keeps inner apostrophes, and inner . , : between digits; every other visible character stands alone.
# The first alternative adds nothing but speed: most words are plain letters before a space or a common sign.
_TOKEN = re.compile(r"([a-z]++(?![^\s.,?!-])|[^\W_]+(?:(?:'|(?<=\d)[.,:](?=\d))[^\W_]+)*|\S)")


@dataclass(frozen=True, slots=True)
class Folded:
    """The folded view of a text.

    `text` is the folded string; `original(i)` is the code point offset, in the original, of folded offset `i`.
    """

    text: str
    length: int
    _at: tuple[int, ...] = ()
    _shift: tuple[int, ...] = ()

    @property
    def in_place(self) -> bool:
        """Whether every folded offset is the same in the original."""
        return not self._at

    def original(self, index: int) -> int:
        """The offset in the original of the folded offset `index` (0 to `len(text)`, the end included).

        >>> fold("a\\u200bb").original(1)
        2
        """
        if not self._at:
            return index
        if index >= len(self.text):
            return self.length
        place = bisect_right(self._at, index) - 1
        return index if place < 0 else index + self._shift[place]


def fold(text: str) -> Folded:
    """The folded view of `text`: case, quotes, dashes, spaces, invisible characters, full-width and look-alike letters.

    Never raises. ASCII text only changes case, so its offsets stay as they are.

    >>> fold("Don\\u2019t \\u2014 STOP").text
    "don't - stop"
    """
    if text.isascii():
        return Folded(text.lower(), len(text))
    return _fold_wide(text)


def _fold_wide(text: str) -> Folded:
    out: list[str] = []
    at: list[int] = []
    shifts: list[int] = []
    done = 0
    size = 0
    shift = 0
    for match in _NOT_ASCII.finditer(text):
        place = match.start()
        char = match.group()
        folded = _fold_char(char)
        if place > done:
            piece = text[done:place].lower()
            out.append(piece)
            size += len(piece)
        out.append(folded)
        size += len(folded)
        done = place + 1
        if len(folded) != 1:
            shift += 1 - len(folded)
            at.append(size)
            shifts.append(shift)
    out.append(text[done:].lower())
    return Folded(_fold_look_alikes("".join(out)), len(text), tuple(at), tuple(shifts))


@lru_cache(4096)
def _fold_char(char: str) -> str:
    same = _SAME_LENGTH.get(char)
    if same is not None:
        return same
    if _INVISIBLE_RUN.fullmatch(char):
        return ""
    plain = unicodedata.normalize("NFKC", char).lower()
    return _SAME_LENGTH.get(plain, plain)


def _fold_look_alikes(text: str) -> str:
    if not _SOME_LOOK_ALIKE.search(text):
        return text

    def latin(match: re.Match[str]) -> str:
        word = match.group()
        if word.isascii() or not _LATIN.search(word):
            return word
        return word.translate(_LOOK_ALIKE_MAP)

    return _MIXED_WORD.sub(latin, text)


@dataclass(frozen=True, slots=True)
class Token:
    """One token: `text` is folded, `start` and `end` count code points in the original, end exclusive."""

    text: str
    start: int
    end: int


class Tokens:
    """The tokens of a text as parallel lists; offsets are worked out only when somebody asks.

    `text` is the original; `words` the folded tokens; `starts` and `ends` their code point offsets in the original.

    >>> tokens = tokenise("Don\\u2019t go!")
    >>> tokens.words, tokens.quote(0, 1), tokens.span(1, 3)
    (["don't", 'go', '!'], 'Don’t', (6, 9))
    """

    __slots__ = ("__dict__", "_pieces", "folded", "text", "words")

    def __init__(self, text: str, folded: Folded) -> None:
        self.text = text
        self.folded = folded
        self._pieces = _TOKEN.split(folded.text)  # space, token, space, token, … space
        self.words: list[str] = self._pieces[1::2]

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, index: int) -> Token:
        return Token(self.words[index], self.starts[index], self.ends[index])

    @cached_property
    def _edges(self) -> list[int]:
        """Where every piece ends in the folded text: by turns a token's start and its end."""
        return list(accumulate(map(len, self._pieces)))

    @cached_property
    def starts(self) -> list[int]:
        starts = self._edges[:-1:2]
        return starts if self.folded.in_place else [self.folded.original(start) for start in starts]

    @cached_property
    def ends(self) -> list[int]:
        ends = self._edges[1::2]
        return ends if self.folded.in_place else [self.folded.original(end - 1) + 1 for end in ends]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Start and end in the original of the tokens `first` to `last` (end exclusive); an empty range is a point."""
        if first >= last:
            place = self.starts[first] if first < len(self.words) else len(self.text)
            return place, place
        return self.starts[first], self.ends[last - 1]

    def quote(self, first: int, last: int) -> str:
        """The original text of the tokens `first` to `last`, end exclusive."""
        start, end = self.span(first, last)
        return self.text[start:end]


def tokenise(text: str) -> Tokens:
    """The tokens of `text`. Words keep inner apostrophes and inner . , : between digits; other characters stand alone.

    >>> tokenise("So-called 3.5% at 9:30, o'clock").words
    ['so', '-', 'called', '3.5', '%', 'at', '9:30', ',', "o'clock"]
    """
    folded = fold(text)
    return Tokens(text, folded)
