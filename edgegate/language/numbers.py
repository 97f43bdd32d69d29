"""Numbers in running text, in digits and in words, as exact fractions.

Sources: Quirk et al. 1985, 6.63-6.68 (numerals); the words stand in `data/en/values.toml`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from edgegate.language import lexicon

_LONGEST_DIGITS = 40  # longer digit strings are identifiers, not amounts, and would cost more than linear time
_LONGEST_PHRASE = 24  # tokens of one number; "million million million ..." stays linear


@dataclass(frozen=True, slots=True)
class Number:
    """A number: its token range (end exclusive) and its exact value.

    `ordinal` marks "third" and "4th"; `weak` marks words that are often no number at all ("one", "second").
    """

    first: int
    last: int
    value: Fraction
    ordinal: bool = False
    weak: bool = False

    @property
    def key(self) -> str:
        """The value as text: equal for "7.5", "7.50" and "seven and a half"."""
        return str(self.value)


class Words(list[str]):
    """The words of one text, with what several rules ask of them in turn: which begin with a digit (`figures`), and the
    numbers found so far."""

    __slots__ = ("figures", "numbers")

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(words)
        self.figures = [word[:1].isdigit() for word in words]
        self.numbers: dict[int, Number | None] = {}

    @classmethod
    def of(cls, words: Sequence[str]) -> Words:
        """These words, made ready unless they are already."""
        return words if isinstance(words, cls) else cls(words)


@cache
def _fractions(name: str) -> dict[str, Fraction]:
    return {word: Fraction(text) for word, text in lexicon.table(name).items()}


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(lexicon.table(name))


@lru_cache(256)  # bounded: texts hold ever new figures
def _digits(text: str) -> Fraction | None:
    """The value of digits with separators: "1,200" and "1200" are equal, "3.5" and "3,5" too."""
    if not text or len(text) > _LONGEST_DIGITS or not text.isascii():
        return None
    if text.isdigit():
        return Fraction(int(text))
    parts = text.split(",")
    if len(parts) > 1 and parts[0] and all(len(part.split(".")[0]) == 3 for part in parts[1:]):
        text = "".join(parts)
    elif len(parts) == 2 and "." not in text:
        text = ".".join(parts)
    whole, point, rest = text.partition(".")
    if not whole.isdigit() or (point and not rest.isdigit()):
        return None
    return Fraction(text)


def split_digits(word: str) -> tuple[str, str]:
    """The leading digits of a token, with inner separators, and what follows: "18k" -> ("18", "k")."""
    end = 0
    while end < len(word) and (word[end].isdigit() or (word[end] in ".," and end and word[end - 1].isdigit())):
        end += 1
    while end and word[end - 1] in ".,":
        end -= 1
    return word[:end], word[end:]


def _digit_number(word: str) -> tuple[Fraction, bool] | None:
    """The value of a token that begins with a digit, and whether it is an ordinal: "18k", "3.5", "4th"."""
    head, tail = split_digits(word)
    value = _digits(head)
    if value is None or not tail:
        return None if value is None else (value, False)
    if tail in _words("ordinal_suffixes"):
        return value, True
    scale = _fractions("number_suffixes").get(tail)
    return None if scale is None else (value * scale, False)


class _Reader:
    """Reads one number phrase from a list of words; `at` is the next unread token."""

    def __init__(self, words: Sequence[str], start: int) -> None:
        self.words = words
        self.at = start
        self.end = min(len(words), start + _LONGEST_PHRASE)
        self.ordinal = False

    def word(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.words[place] if place < self.end else ""

    def unit(self, ahead: int = 0) -> Fraction | None:
        """The value of a single number word, cardinal or ordinal."""
        word = self.word(ahead)
        value = _fractions("number_words").get(word)
        return _fractions("ordinal_words").get(word) if value is None else value

    def take_unit(self) -> Fraction | None:
        value = self.unit()
        if value is not None:
            self.ordinal = self.word() in _fractions("ordinal_words")
            self.at += 1
        return value

    def below_hundred(self) -> Fraction | None:
        """ "seven", "seventeen", "seventy", "seventy-one", "seventy one"."""
        value = self.take_unit()
        if value is None or self.ordinal or not (20 <= value < 100 and value % 10 == 0):
            return value
        ahead = 1 if self.word() == "-" else 0
        following = self.unit(ahead)
        if following is not None and 0 < following < 10:
            self.at += ahead
            value += self.take_unit() or 0
        return value

    def below_thousand(self) -> Fraction | None:
        """ "two hundred and fifty", "a hundred", "a dozen", "seventy-one"."""
        ones, joined = _words("one_words"), _words("and_words")
        scale = _fractions("number_scales").get(self.word(1))
        if self.word() in ones and scale is not None:
            self.at += 1
            value: Fraction | None = Fraction(1)
        else:
            if self.word() in ones and self.unit(1) is not None and self.word(1) in _words("group_words"):
                self.at += 1
            value = self.below_hundred()
        scale = _fractions("number_scales").get(self.word())
        if value is None or self.ordinal or scale is None or scale > 100:
            return value
        self.at += 1
        value *= scale
        ahead = 1 if self.word() in joined else 0
        following = self.unit(ahead)
        if scale == 100 and following is not None and following < 100:
            self.at += ahead
            value += self.below_hundred() or 0
        return value

    def whole(self) -> Fraction | None:
        """ "two thousand and five", "a million two hundred thousand", "nine grand"."""
        total: Fraction | None = None
        limit: Fraction | None = None
        while True:
            kept = self.at
            ahead = total is not None and self.word() in _words("and_words")
            self.at += ahead
            part = self.below_thousand()
            scale = _fractions("number_scales").get(self.word())
            if part is None or (limit is not None and (scale or 1) >= limit):
                self.at = kept
                return total
            if scale is None or self.ordinal:
                return (total or 0) + part if total is None or part < (limit or 0) else total
            while scale is not None:
                self.at += 1
                part, limit = part * scale, scale
                scale = _fractions("number_scales").get(self.word())
            total = (total or Fraction(0)) + part

    def share(self) -> Fraction | None:
        """ "half", "a half", "three quarters": a fraction that stands where the reader is."""
        shares = _fractions("fraction_words")
        ahead = 1 if self.word() in _words("one_words") else 0
        value = shares.get(self.word(ahead))
        if value is not None:
            self.at += ahead + 1
        return value

    def number(self) -> Fraction | None:
        """The longest number that begins here."""
        shares = _fractions("fraction_words")
        if self.word()[:1].isdigit():
            found = _digit_number(self.word())
            if found is None:
                return None
            value, self.ordinal = found
            self.at += 1
            scale = _fractions("number_scales").get(self.word())
            while scale is not None and not self.ordinal:
                value *= scale
                self.at += 1
                scale = _fractions("number_scales").get(self.word())
        else:
            spoken = self.whole()
            if spoken is None:
                if self.word() not in shares:
                    return None
                value = shares[self.word()]
                self.at += 1
                if self.word() in _words("one_words") and self.word(1) in _fractions("number_scales"):
                    value *= _fractions("number_scales")[self.word(1)]
                    self.at += 2
                return value
            value = spoken
        if self.ordinal:
            return value
        if shares.get(self.word()) not in (None, Fraction(1, 2)) and value > 1 and self.word().endswith("s"):
            value *= shares[self.word()]  # "three quarters"
            self.at += 1
        elif self.word() in shares and not self.word().isalpha():
            value += shares[self.word()]  # "2 ½"
            self.at += 1
        elif self.word() in _words("and_words"):
            self.at += 1
            part = self.share()
            if part is None:
                self.at -= 1
            else:
                value += part
        return value


def _phrase(words: Sequence[str], start: int) -> Number | None:
    if _is_plain(words, start):
        value = _digits(words[start])
        return None if value is None else Number(start, start + 1, value)
    reader = _Reader(words, start)
    value = reader.number()
    if value is None or reader.at == start:
        return None
    weak = reader.at == start + 1 and words[start] in _words("weak_numbers")
    return Number(start, reader.at, value, reader.ordinal, weak)


def _is_plain(words: Sequence[str], start: int) -> bool:
    """Whether the number is a figure alone, which is read at once."""
    word = words[start]
    if not (word.isdigit() and word.isascii() and len(word) <= _LONGEST_DIGITS):
        return False
    return start + 1 == len(words) or words[start + 1] not in _after_figure()


def number_at(words: Sequence[str], start: int) -> Number | None:
    """The number that begins at token `start`, the longest reading, or None.

    >>> number_at("in twenty one days".split(), 1)
    Number(first=1, last=3, value=Fraction(21, 1), ordinal=False, weak=False)
    """
    if not 0 <= start < len(words):
        return None
    word = words[start]
    if word in _articles():
        # By itself it is no number: "a hundred", "a couple" are.
        if start + 1 >= len(words) or words[start + 1] not in _after_article():
            return None
    elif not (word in starters() or word[:1].isdigit()):
        return None
    if not isinstance(words, Words):
        return _phrase(words, start)
    if start not in words.numbers:
        words.numbers[start] = _phrase(words, start)
    return words.numbers[start]


def numbers(words: Sequence[str]) -> list[Number]:
    """Every number in the tokens `words`, in order, none overlapping.

    Ranges are token numbers. Clock times ("9:30") and dates are not numbers here; `values` takes those out.

    >>> [(n.key, n.first, n.last) for n in numbers("about two and a half miles , or 2,500 steps".split())]
    [('5/2', 1, 5), ('2500', 8, 9)]
    """
    found: list[Number] = []
    words, begins = Words.of(words), starters()
    here = 0
    for place in [place for place, figure in enumerate(words.figures) if figure or words[place] in begins]:
        if place >= here:
            number = number_at(words, place)
            if number is not None:
                found.append(number)
                here = number.last
    return found


@cache
def _articles() -> frozenset[str]:
    """The words for one that are numbers only with what follows."""
    return _words("one_words") - _fractions("number_words").keys()


@cache
def _after_article() -> frozenset[str]:
    return frozenset(_fractions("number_scales")) | _words("group_words")


@cache
def counting_words() -> frozenset[str]:
    """The words of which a text without figures needs one to hold a number."""
    return (starters() - _articles()) | _after_article()


@cache
def _spelt() -> dict[str, frozenset[str]]:
    found: dict[str, list[str]] = {}
    for name in ("number_words", "ordinal_words", "fraction_words"):
        for word, value in _fractions(name).items():
            found.setdefault(str(value), []).append(word)
    return {key: frozenset([key, *words]) for key, words in found.items()}


def spelt(key: str) -> frozenset[str]:
    """Tokens that most often stand for the number of this key.

    >>> sorted(spelt("12"))
    ['12', 'dozen', 'twelfth', 'twelve']
    """
    return _spelt().get(key) or frozenset([key])


@cache
def _after_figure() -> frozenset[str]:
    return frozenset(_fractions("number_scales")) | frozenset(_fractions("fraction_words")) | _words("and_words")


@cache
def going_on() -> frozenset[str]:
    """The words that a number can go on with behind its first token.

    >>> sorted({"hundred", "and", "½", "people"} & going_on())
    ['and', 'hundred', '½']
    """
    return starters() | _after_article() | _words("and_words") | {"-"}


@cache
def starters() -> frozenset[str]:
    """The words that a number in words can begin with."""
    tables: list[Any] = ["number_words", "ordinal_words", "fraction_words", "one_words"]
    return frozenset(word for name in tables for word in lexicon.table(name))
