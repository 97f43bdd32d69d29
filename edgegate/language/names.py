"""Names in running text: runs of capitalised words that the word tables do not know.

The words stand in `data/en/values.toml`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from edgegate.language import lexicon
from edgegate.language.days import function_words
from edgegate.language.text import Tokens


@dataclass(frozen=True, slots=True)
class Name:
    """A capitalised name: token range (end exclusive) and its folded text as key.

    `sure` is false at the start of a sentence, where any word is capitalised.
    """

    first: int
    last: int
    key: str
    sure: bool = True


@cache
def _names(name: str) -> frozenset[str]:
    return frozenset(lexicon.table("names")[name])


@cache
def _calendar() -> frozenset[str]:
    """Months, weekdays and the like: capitalised, but no names."""
    table = lexicon.table("dates")
    kinds = ("months", "weekdays", "weekday_plurals", "holidays", "day_words", "seasons", "quarters")
    return frozenset(word for name in kinds for word in table[name])


@cache
def _no_names() -> frozenset[str]:
    """Words that are capitalised and are no names."""
    return _names("not_names") | _calendar() | function_words()


def names(tokens: Tokens) -> list[Name]:
    """The names in `tokens`: runs of capitalised words that the word tables do not know, in order.

    >>> from edgegate.language.text import tokenise
    >>> [name.key for name in names(tokenise("We met Marta Oliveira and Jonas's dad in Milan."))]
    ['marta oliveira', 'jonas', 'milan']
    """
    words = tokens.words
    text = tokens.text
    if not words or text.isupper():
        return []  # shouting
    found: list[Name] = []
    no_names, links, last = _no_names(), _names("name_links"), 0
    only_first = text[1:] == tokens.folded.text[1:]  # no other letter is a capital
    starts = [0] if only_first else tokens.starts
    begun = [here for here, start in enumerate(starts) if text[start].isupper() and words[here][0].isalpha()]
    capitals = dict.fromkeys(begun)
    for here in capitals:
        word = words[here]
        plain = _plain(word)
        if here < last or plain in no_names or word in function_words():
            continue
        last = here + 1
        parts = [plain]
        while plain == word and last < len(words) and not only_first:
            following = words[last]
            if following in links and _goes_on(words, capitals, last + 1) and following.isalpha():
                parts.append(following)
                last += 1
                continue
            if not _goes_on(words, capitals, last):
                break
            word = following
            plain = _plain(word)
            parts.append(plain)
            last += 1
        begins = here == 0 or words[here - 1] in _names("sentence_ends")
        sure = not begins or last - here > 1 or (last < len(words) and words[last - 1].endswith("'s"))
        found.append(Name(here, last, " ".join(parts), sure))
    return found


def _plain(word: str) -> str:
    return word.removesuffix("'s").removesuffix("'") if "'" in word else word


def _goes_on(words: list[str], capitals: Collection[int], at: int) -> bool:
    """Whether the token at `at` is another word of a name."""
    return at in capitals and words[at] not in _no_names()
