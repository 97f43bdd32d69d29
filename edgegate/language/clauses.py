"""Clauses: the token ranges inside which a negation, a hedge or a source holds.

This is no parser. A clause ends at punctuation (not at the commas of a list, nor at a hyphen), before a contrast
("but"), and before "and" or "or" where both sides have a subject and a verb. Subordinators open none: what they
introduce is part of what is denied or reported (checked on CD-SCO's negation scopes).
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from typing import Any

from edgegate.language.lexicon import table
from edgegate.language.sentences import sentences
from edgegate.language.tokens import Tokens

_ENDS = frozenset(";:!?\u2026)")
_STOP = "."
_OPENS = frozenset("(")
_COMMA = ","
_DASH = "-"
# How many tokens a subject may have before its verb ("the man at the desk is").
_SUBJECT_LOOK = 6
# How many words an item of a list may have.
_ITEM_LOOK = 3
_PAST = "ed"


@cache
def _words(name: str) -> frozenset[str]:
    tables: dict[str, Any] = table("clauses")
    return frozenset(tables[name])


@cache
def _endings() -> tuple[str, ...]:
    tables: dict[str, Any] = table("clauses")
    return tuple(tables["verb_endings"])


def clauses(tokens: Tokens) -> list[tuple[int, int]]:
    """The clauses of `tokens` as (first, last) token ranges, end exclusive, in order; together they cover all tokens.

    >>> from edgegate.language.tokens import tokenise
    >>> tokens = tokenise("She isn't coming but he is, and the dog stays.")
    >>> [tokens.quote(*clause) for clause in clauses(tokens)]
    ["She isn't coming", 'but he is,', 'and the dog stays.']
    """
    words = tokens.words
    opens = _sentence_starts(tokens)
    ranges: list[tuple[int, int]] = []
    first = 0
    # Whether the clause so far has a word, and whether it has what makes a clause: a verb or a subject.
    has_word = is_clause = False
    for place, word in enumerate(words):
        edge = place in opens or (place > 0 and (_ends_after(tokens, place - 1) or _begins_at(words, place, is_clause)))
        if edge and has_word:
            ranges.append((first, place))
            first, has_word, is_clause = place, False, False
        has_word = has_word or word[0].isalnum()
        is_clause = is_clause or _makes_clause(words, place, first)
    if first < len(words):
        if ranges and not has_word:
            first = ranges.pop()[0]
        ranges.append((first, len(words)))
    return ranges


def _sentence_starts(tokens: Tokens) -> frozenset[int]:
    """The tokens that open a sentence. A full stop alone doesn't tell: "Dr. Li", "9 a.m. on Monday"."""
    if _STOP not in tokens.words[:-1]:
        return frozenset()
    return frozenset(bisect_left(tokens.starts, sentence.start) for sentence in sentences(tokens.text))


def _makes_clause(words: list[str], place: int, first: int) -> bool:
    word = words[place]
    if word in _words("verbs") or word.endswith(_endings()) or (place > first and word.endswith(_PAST)):
        return True
    return word in _words("subjects") and place + 1 < len(words) and words[place + 1] not in _words("coordinators")


def _ends_after(tokens: Tokens, place: int) -> bool:
    """Whether a clause ends with the sign at `place`."""
    words = tokens.words
    sign = words[place]
    if sign in _ENDS:
        # "?!" and ")." are one end, after the last sign.
        return place + 1 == len(words) or words[place + 1] not in _ENDS | {_STOP}
    if sign == _DASH:
        return _stands_alone(tokens, place)
    return sign == _COMMA and place + 1 < len(words) and not _in_list(words, place)


def _in_list(words: list[str], comma: int) -> bool:
    """Whether the comma only parts the items of a list: what follows is short, and another item comes after it."""
    end = comma + 1
    joins = _words("list_joins")
    while end < len(words) and end <= comma + _ITEM_LOOK and words[end][0].isalnum() and words[end] not in joins:
        end += 1
    if end == comma + 1 or end >= len(words) or words[comma + 1] in _words("own_polarity"):
        return False
    return words[end] == _COMMA or words[end] in joins


def _begins_at(words: list[str], place: int, is_clause: bool) -> bool:
    """Whether the word at `place` opens a clause by itself, without a sign before it."""
    word = words[place]
    if word in _OPENS:
        return True
    if word in _words("contrast"):
        after = words[place + 1] if place + 1 < len(words) else ""
        return words[place - 1] not in _words("no_contrast_after") and after not in _words("no_contrast_before")
    if word in _words("coordinators"):
        begin = place + 1
        if begin < len(words) and words[begin] in _words("adverbs"):
            begin += 1
        return is_clause and _subject_at(words, begin)
    return False


def _subject_at(words: list[str], place: int) -> bool:
    """Whether a subject begins at `place` and its verb follows soon."""
    if place >= len(words):
        return False
    word = words[place]
    if word in _words("subjects"):
        return place + 1 < len(words) and words[place + 1][0].isalnum()
    if word.endswith(_endings()) and (word[: word.rindex("'")] in _words("subjects") | _words("either")):
        return True
    if word in _words("either"):
        return place + 1 < len(words) and words[place + 1] in _words("verbs")
    if word in _words("determiners"):
        return any(
            words[i] in _words("verbs") or words[i].endswith(_endings()[1:]) for i in _run_of_words(words, place + 1)
        )
    # A name or a bare noun, with its verb right behind it.
    return (
        word[0].isalpha()
        and place + 1 < len(words)
        and words[place + 1] in _words("verbs")
        and word not in _words("verbs")
    )


def _run_of_words(words: list[str], begin: int) -> range:
    end = begin
    while end < len(words) and end < begin + _SUBJECT_LOOK and words[end][0].isalnum():
        end += 1
    return range(begin + 1, end)


def _stands_alone(tokens: Tokens, place: int) -> bool:
    """Whether the dash at `place` has space around it, or is a long one: a hyphen joins words."""
    start, end = tokens.starts[place], tokens.ends[place]
    before, after = tokens.text[start - 1 : start], tokens.text[end : end + 1]
    if before.isspace() and (after.isspace() or not after):
        return True
    return tokens.text[start] in "\u2013\u2014\u2015" and not (before.isdecimal() and after.isdecimal())
