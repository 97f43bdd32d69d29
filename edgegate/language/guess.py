"""A small guess at the language of a text: English or not.

Function words tell languages apart even in short and misspelt text, since they are a third of what people write. The
guess says "other" only on positive evidence of another language, because what it calls "other" isn't checked.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from edgegate.language.lexicon import table
from edgegate.language.tokens import Tokens, tokenise

# Long texts are judged by their beginning.
_SAMPLE = 4000
# An English sentence may quote another language: the foreign words have to outweigh the English ones this much.
_QUOTED = 1.5
# So many words that are no names outweigh small words that English shares ("a", "in", "was").
_STRANGE = 2
# A text of fewer words says nothing about its language.
_FEWEST = 2
# The last code point of the Latin letters; Vietnamese has a block of its own further on.
_LATIN_END = 0x24F
_MORE_LATIN = range(0x1E00, 0x1F00)


@cache
def _everyday() -> frozenset[str]:
    """English words of everyday use: those of the tables that other parts read, and a list of their own."""
    known = set(table("languages")["everyday"]) | set(table("people")["nouns"])
    for name in table("languages")["english_tables"]:
        known.update(table(name))
    for forms in table("inflections").values():
        known.update(forms)
    return frozenset(known)


def _is_english(word: str) -> bool:
    """Whether a word is an English one of everyday use, or has an ending that English words have."""
    if len(word) > 4 and word.endswith(tuple(table("languages")["sure_endings"])):
        return True
    for ending, puts in table("languages")["endings"].items():
        base = word.removesuffix(ending)
        if word.endswith(ending) and any(f"{base}{put}" in _everyday() for put in puts):
            return True
    return word in _everyday()


def is_strange(text: str) -> bool:
    """Whether a text of two words or more has no English word at all, names apart: a language without a list here.

    A stricter question than `guess_language`, for whoever must not take an unread text for a checked one.

    >>> is_strange("Locuiesc la Cluj"), is_strange("Repairs clocks"), is_strange("Vegan")
    (True, False, False)
    >>> is_strange("Alice was promoted."), is_strange("Ravi was fired.")
    (False, False)
    """
    sample = text[:_SAMPLE]
    english, _, weak, _, _ = _tables()
    words = [word for word in tokenise(sample).words if word[0].isalpha()]
    if len(words) < _FEWEST or any(word in english and word not in weak for word in words):
        return False
    telling = [word for word in words if word not in weak]
    if any(_is_english(word) for word in telling):
        return False
    lower = [word for at, word in enumerate(telling) if f" {word}" in sample]
    shared = any(word in english for word in words)
    return len(lower) >= _STRANGE if shared else bool(telling)


def has_foreign_word(text: str) -> bool:
    """Whether a small word of another language, which English does not have, stands in `text`.

    >>> has_foreign_word("Locuiesc la Cluj"), has_foreign_word("Ida skates.")
    (True, False)
    """
    english, strong, weak, elisions, _ = _tables()
    words = tokenise(text[:_SAMPLE]).words
    return any(word in strong or (word in weak and word not in english) for word in words) or any(
        word.partition("'")[1] and word.partition("'")[0] in elisions for word in words
    )


@cache
def _tables() -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
    tables: dict[str, Any] = table("languages")
    named = {name: frozenset(words) for name, words in tables.items()}
    english, weak, elisions, signs = (named.pop(name) for name in ("english", "weak", "elisions", "signs"))
    for name in ("everyday", "english_tables", "endings", "sure_endings"):
        del named[name]
    strong = frozenset().union(*named.values()) - english - weak
    return english, strong, weak, elisions, signs


def guess_language(text: str, tokens: Tokens | None = None) -> str:
    """`"en"`, `"other"` (clearly not English) or `"unknown"` (too short to say, or no evidence either way).

    `tokens` are those of `text`, from whoever has them already.

    >>> [guess_language(text) for text in ("I told you about it", "Das habe ich nicht gesagt", "ok", "你好吗")]
    ['en', 'other', 'unknown', 'other']
    """
    sample = text[:_SAMPLE]
    letters = [] if sample.isascii() else [letter for letter in sample if letter.isalpha()]
    foreign = sum(not _is_latin(letter) for letter in letters)
    if foreign >= 2 and foreign * 2 > len(letters):
        return "other"
    plain = sample.isascii()
    read = tokens if tokens is not None and len(text) <= _SAMPLE else tokenise(sample)
    words = [word for word in read.words if word[0].isalpha() and (plain or _is_latin(word[0]))]
    return _weigh(words, sample) if words else "unknown"


def _is_latin(letter: str) -> bool:
    return ord(letter) <= _LATIN_END or ord(letter) in _MORE_LATIN


def _weigh(words: list[str], sample: str) -> str:
    english, strong, weak, elisions, signs = _tables()
    rest = [word for word in words if word not in english]
    ours = len(words) - len(rest)
    shared = sum([word in weak and word in english for word in words])
    theirs = hints = accents = 0
    for word in [word for word in rest if word in strong or word in weak or "'" in word or not word.isascii()]:
        accents += not word.isascii()
        before, apostrophe, _ = word.partition("'")
        if (apostrophe and before in english) or word.endswith("n't"):
            ours += 1
            shared += word in weak
        elif word in strong or (apostrophe and before in elisions):
            theirs += 1
        elif word in weak:
            hints += 1
    hints += accents > 0
    hints += any(sign in sample for sign in signs)
    score = theirs + hints / 2
    if theirs and score >= 1.5 and score > ours * _QUOTED:
        return "other"
    # Short sentences whose only English words are also words of that language: "Meine Schwester wohnt in Berlin".
    if theirs and ours == shared <= theirs + hints and len(words) >= 3 and score + shared / 2 >= 1.5:
        return "other"
    if hints >= 3 and not ours and hints * 2 >= len(words):
        return "other"
    if not ours and len(words) >= 8 and accents * 4 >= len(words):
        return "other"
    if ours > score and not (hints and ours == shared) and (ours >= 2 or len(words) <= 6):
        return "en"
    return "unknown"
