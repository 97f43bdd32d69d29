"""A message as words that can be told again: contractions are parted, the space before each word is kept.

One message is tokenised once; its sentences, quoted passages and words are views of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from edgegate.language import lexicon
from edgegate.language.passages import past_forms
from edgegate.language.text import sentences, tokenise

LONGEST = 4000
"""Characters of a message that are read for facts: what is longer is a document, not a message."""

_QUOTES = {"\u201c": "\u201d", "\u00ab": "\u00bb", '"': '"', "\u2018": "\u2019", "'": "'"}
_QUOTED_WORDS = 3  # a quotation of fewer words is a title or a name


@cache
def words_of(name: str) -> frozenset[str]:
    """A list of words of `tables.extract.words` as a set."""
    return frozenset(lexicon.table("extract")["words"][name])


def rules(name: str) -> Any:
    """Another table of `tables.extract`."""
    return lexicon.table("extract")[name]


@cache
def phrases(name: str) -> tuple[tuple[str, ...], ...]:
    """A list of phrases, each as its words, the longest first."""
    found = [tuple(tokenise(phrase).words) for phrase in lexicon.table("extract")["words"][name]]
    return tuple(sorted(found, key=len, reverse=True))


@dataclass(frozen=True, slots=True)
class Word:
    """One word: `word` folded, `text` as it stands, `space` before it, `place` the token it came from."""

    word: str
    text: str
    space: str
    place: int


def expand(text: str) -> list[Word]:
    """The words of `text`, contractions parted: "I'm" is "I" and "am".

    >>> [word.word for word in expand("I\\u2019m in.")]
    ['i', 'am', 'in', '.']
    """
    tokens = tokenise(text)
    parts: dict[str, Sequence[str]] = rules("contractions")
    found: list[Word] = []
    end = 0
    for place, word in enumerate(tokens.words):
        start = tokens.starts[place]
        space = text[end:start]
        end = tokens.ends[place]
        if word in parts:
            first, second = parts[word]
            found.append(Word(first.lower(), first, space, place))
            found.append(Word(second, second, " ", place))
        else:
            found.append(Word(word, text[start:end], space, place))
    return found


def join(words: Iterable[Word]) -> str:
    """The words as one text, single spaces, none at the edges."""
    return " ".join("".join(word.space + word.text for word in words).split())


def quoted(text: str) -> list[tuple[int, int]]:
    """The places of quotations of three words and more, as offsets in `text`, end exclusive.

    >>> quoted("He said 'I like your hat' and it's true")
    [(8, 25)]
    """
    found: list[tuple[int, int]] = []
    at = 0
    missing: set[str] = set()
    while at < len(text):
        closer = _QUOTES.get(text[at])
        opens = closer is not None and closer not in missing and (at == 0 or not text[at - 1].isalnum())
        end = _closing(text, at, closer) if opens and closer else -1
        if end < 0:
            if opens and closer:
                missing.add(closer)
            at += 1
            continue
        if len(text[at + 1 : end].split()) >= _QUOTED_WORDS:
            found.append((at, end + 1))
        at = end + 1
    return found


def _closing(text: str, at: int, closer: str) -> int:
    end = text.find(closer, at + 1)
    while end >= 0 and end + 1 < len(text) and text[end + 1].isalnum():
        end = text.find(closer, end + 1)  # an apostrophe inside a word
    return end


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of a message: its text, where it starts, and the words of it that are not quoted or pasted."""

    text: str
    start: int
    words: tuple[Word, ...]
    own: tuple[bool, ...]  # for each word: the user's own, not quoted

    @property
    def asks(self) -> bool:
        """Whether it ends with a question mark."""
        return any(word.word == "?" for word in self.words[-2:])


def lines_of(text: str) -> list[Line]:
    """The sentences of a message."""
    found: list[Line] = []
    away = quoted(text)
    for sentence in sentences(text):
        words = expand(sentence.text)
        tokens = tokenise(sentence.text)
        own = tuple(
            not any(start <= sentence.start + tokens.starts[word.place] < end for start, end in away[:40])
            for word in words
        )
        if words:
            found.append(Line(sentence.text, sentence.start, tuple(words), own))
    return found


def is_verb(words: Sequence[Word], at: int, after_subject: bool = False) -> bool:
    """Whether a finite verb can stand at `at`: by its form, or because a subject stands before it."""
    word = words[at].word
    if not word[0].isalpha():
        return False
    known = lexicon.table("clauses")["verbs"]
    if word in known or word in past_forms() or word in words_of("modals") or (at and word in words_of("split_pasts")):
        return True
    if word.endswith("ed") and len(word) > 4:
        return True
    return after_subject and word not in words_of("adverbs")


def starts_with(words: Sequence[Word], at: int, phrase: Sequence[str]) -> bool:
    """Whether the words from `at` are this phrase."""
    return len(words) - at >= len(phrase) and all(words[at + i].word == part for i, part in enumerate(phrase))
