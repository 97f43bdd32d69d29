"""Folding and tokens: the one view of text that every matcher reads, with exact offsets back to the original.

Nothing here asks a table, so that the lexicon compiler reads its own sources with the same tokeniser. The character
classes follow Unicode (UAX 29 for words, UTS 39 for look-alikes, NFKC for full-width and styled letters).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate

_PLAIN_SIGNS = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u02b9\u02bb\u00b4\u055a\uff07", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u301d\u301e\uff02", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
    **dict.fromkeys(
        "\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
    ),
    "\u0130": "i",  # the only letter that gets longer in lower case
    "\u0251": "a",
    "\u0261": "g",
}
# Show nothing: zero-width spaces and joiners, direction marks, soft hyphens, variation selectors, tags.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\U000e0000-\U000e0fff"
)
# Marks over and under letters; more than a few on one letter are decoration.
_MARKS = "\u0300-\u034e\u0350-\u036f"
_MARKS_READ = 8
# Two or three letters written as one sign.
_LIGATURES = "".join(map(chr, [*range(0x1C4, 0x1CD), *range(0x1F1, 0x1F4), *range(0xFB00, 0xFB07)]))

# Cyrillic and Greek letters and the Latin ones they look like. Only inside a word that has Latin letters too.
_LOOK_ALIKES = str.maketrans(
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408\u0430\u0435\u043e\u0440"
    "\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d\u04cf"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03b1\u03bf\u03bd\u03c1\u03c5"
    "\u03b9\u03ba\u03c7\u03b5\u03b3",
    "ABEKMHOPCTYXSIJaeopcyxsijhdqwlABEZHIKMNOPTYXaovpuikxey",
)
_CYRILLIC_LOOK_ALIKES = {letter: latin for letter, latin in _LOOK_ALIKES.items() if letter >= 0x400}

_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z]")
_MOVES = re.compile(
    f"[^\\W_][{_INVISIBLE}]*[{_MARKS}][{_MARKS}{_INVISIBLE}]*|[{_INVISIBLE}]+|[\u01c4-\u01cc\u01f1-\u01f3\ufb00-\ufb06]"
)
_NOT_SHOWN = re.compile(f"[{_INVISIBLE}]+")
_COULD_MOVE = re.compile(f"[{_INVISIBLE}{_MARKS}{_LIGATURES}]")

# A word keeps inner apostrophes, and inner . , : between digits; every other visible character stands alone.
# The first alternative adds nothing but speed: most words are plain letters before a space or a common sign.
_TOKEN = re.compile(r"([a-z]++(?![^\s.,?!-])|[^\W_]+(?:(?:'|(?<=\d)[.,:](?=\d))[^\W_]+)*|\S)")


@dataclass(
    slots=True
)  # not frozen, since one is made for every text that is read, and a frozen one takes twice as long
class Folded:
    """The folded view of a text: `text` is what matchers read, `original(i)` leads back.

    `length` is that of the original. Where nothing moved, offsets are the same.
    """

    text: str
    length: int
    _places: tuple[int, ...] = ()
    _shifts: tuple[int, ...] = ()

    def original(self, index: int) -> int:
        """The offset in the original of the folded offset `index` (0 to `len(text)`, the end included).

        >>> fold("a\\u200bb").original(1)
        2
        """
        if not self._places:
            return index
        if index >= len(self.text):
            return self.length
        place = bisect_right(self._places, index) - 1
        return index if place < 0 else index + self._shifts[place]

    def originals(self, indexes: list[int]) -> list[int]:
        """`original` of each of many indexes.

        >>> fold("a\\u200bb").originals([0, 1, 2])
        [0, 2, 3]
        """
        if not self._places:
            return indexes
        places, shifts = self._places, (0, *self._shifts)
        return [index + shifts[bisect_right(places, index)] for index in indexes]

    def stretches(self) -> list[tuple[int, int]]:
        """Where offsets move by the same: (end of a stretch, what to add up to there), in order, to the end and on.

        >>> fold("a\\u200bb").stretches()
        [(1, 0), (3, 1)]
        """
        ends = (*self._places, len(self.text) + 1)  # a folded text can be the longer one: a ligature is two letters
        return list(zip(ends, (0, *self._shifts), strict=True))

    @property
    def moved(self) -> bool:
        """Whether any offset differs from that in the original."""
        return bool(self._places)


def fold(text: str) -> Folded:
    """The folded view of `text`: one form for what reads the same.

    Case, curly quotes and apostrophes, dashes, spaces, full-width and styled letters become plain; zero-width
    characters go; letters and their marks join; Cyrillic and Greek look-alikes inside Latin words become Latin. Never
    raises. ASCII text only changes case.

    >>> fold("Don\\u2019t \\u2014 \\uff33\\uff34\\uff2f\\uff30").text
    "don't - stop"
    """
    if text.isascii():
        return Folded(text.lower(), len(text))
    kinds = set("".join(_NOT_ASCII.findall(text)))
    plain = _replace(text, {kind: form for kind in kinds if (form := _plain_form(kind)) != kind})
    places: list[int] = []
    shifts: list[int] = []
    if any(map(_COULD_MOVE.match, kinds)):
        plain = _fold_moves(plain, places, shifts)
    if any(ord(kind) in _LOOK_ALIKES for kind in kinds):
        plain = _fold_look_alikes(plain, kinds)
    return Folded(plain.lower(), len(text), tuple(places), tuple(shifts))


def _replace(text: str, forms: dict[str, str]) -> str:
    if len(forms) > 32:
        return text.translate({ord(kind): form for kind, form in forms.items()})
    for kind, form in forms.items():
        text = text.replace(kind, form)
    return text


@lru_cache(4096)
def _plain_form(kind: str) -> str:
    """One character for one: the plain sign, or the letter or digit that a styled one stands for."""
    sign = _PLAIN_SIGNS.get(kind)
    if sign is not None:
        return sign
    form = unicodedata.normalize("NFKC", kind)
    return _PLAIN_SIGNS.get(form, form) if len(form) == 1 else kind


def _fold_look_alikes(text: str, kinds: set[str]) -> str:
    # With no other Cyrillic letter in the text, a word of look-alikes alone is a disguise, too.
    strange = any(0x400 <= ord(kind) <= 0x52F and ord(kind) not in _LOOK_ALIKES for kind in kinds)

    def latin(match: re.Match[str]) -> str:
        word = match.group()
        if word.isascii():
            return word
        if _LATIN.search(word):
            return word.translate(_LOOK_ALIKES)
        if strange or any(ord(letter) not in _CYRILLIC_LOOK_ALIKES for letter in word):
            return word
        return word.translate(_CYRILLIC_LOOK_ALIKES)

    return _LETTERS.sub(latin, text)


def _fold_moves(text: str, places: list[int], shifts: list[int]) -> str:
    """Folds what changes the length: invisible characters, letters with marks, ligatures; notes every shift."""
    pieces: list[str] = []
    done = size = shift = 0
    for match in _moves(text):
        start, end = match.span()
        found = match.group()
        pieces.append(text[done:start])
        size += start - done
        done = end
        form = ""
        if found[0].isalnum():
            shown = _NOT_SHOWN.sub("", found[:_MARKS_READ])
            joined = unicodedata.normalize("NFKC" if found[0] in _LIGATURES else "NFC", shown)
            form = "".join(letter for letter in joined if not unicodedata.combining(letter))
        pieces.append(form)
        for _ in form[1:]:
            size += 1
            shift -= 1
            places.append(size)
            shifts.append(shift)
        if form:
            size += 1
        if len(found) > 1 or not form:
            shift += end - start - (1 if form else 0)
            places.append(size)
            shifts.append(shift)
    pieces.append(text[done:])
    return "".join(pieces)


def _moves(text: str) -> Iterator[re.Match[str]]:
    """What `_MOVES.finditer(text)` gives, faster: a match begins at a character that could move, or one before it."""
    done = 0
    for hit in _COULD_MOVE.finditer(text):
        place = hit.start()
        if place >= done:
            match = (_MOVES.match(text, place - 1) if place > done else None) or _MOVES.match(text, place)
            if match:
                done = match.end()
                yield match


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
        return self.folded.originals(self._edges[:-1:2])

    @cached_property
    def ends(self) -> list[int]:
        return self.folded.originals(self._edges[1::2])

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Start and end in the original of the tokens `first` to `last` (end exclusive); an empty range is a point."""
        if first >= last:
            place = self.starts[first] if first < len(self.words) else len(self.text)
            return place, place
        return self.starts[first], self.ends[last - 1]

    def spans(self, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """`span` of each of many token ranges: none of them empty, and in order of their first tokens.

        >>> tokenise("Don\\u2019t go!").spans([(0, 1), (1, 3)])
        [(0, 5), (6, 9)]
        """
        edges, original = self._edges, self.folded.original
        found: list[tuple[int, int]] = []
        done = 0
        for upto, shift in self.folded.stretches():
            here = bisect_left(ranges, upto, done, key=lambda pair: edges[2 * pair[0]])
            found += [
                (edges[2 * first] + shift, end + shift if (end := edges[2 * last - 1]) < upto else original(end))
                for first, last in ranges[done:here]
            ]
            done = here
        return found

    def quote(self, first: int, last: int) -> str:
        """The original text of the tokens `first` to `last`, end exclusive."""
        start, end = self.span(first, last)
        return self.text[start:end]


def tokenise(text: str) -> Tokens:
    """The tokens of `text`. Words keep inner apostrophes and inner . , : between digits; other characters stand alone.

    >>> tokenise("So-called 3.5% at 9:30, o'clock").words
    ['so', '-', 'called', '3.5', '%', 'at', '9:30', ',', "o'clock"]
    """
    return Tokens(text, fold(text))


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
