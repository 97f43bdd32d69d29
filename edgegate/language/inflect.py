"""The inflections of a word: irregular ones from a table, the rest by the regular rule of English spelling."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

_VOWELS = "aeiou"
# One syllable, one vowel letter, one consonant letter: "stop", "plan" and "equip"'s "quip", not "look" or "open".
_DOUBLES = re.compile(r"(?:y?[^aeiouy]*|[^aeiouy]*qu)[aeiou][^aeiouwxyh]")


def inflections_of(irregular: Mapping[str, Sequence[str]]) -> Callable[[str], list[str]]:
    """A function that gives all forms of a word, itself first: those of the table if it is there, else by the rule.

    The rule covers the regular verb and noun alike ("walk, walks, walked, walking"; "try, tries, tried, trying"),
    after Huddleston & Pullum 2002, ch. 18 (inflectional spelling).

    >>> inflections_of({"say": ["says", "said", "saying"]})("say")
    ['say', 'says', 'said', 'saying']
    >>> inflections_of({})("stop"), inflections_of({})("try")
    (['stop', 'stops', 'stopped', 'stopping'], ['try', 'tries', 'tried', 'trying'])
    """

    def inflect(word: str) -> list[str]:
        word = word.lower()
        forms = irregular[word] if word in irregular else regular(word)
        return list(dict.fromkeys([word, *forms]))

    return inflect


def regular(word: str) -> list[str]:
    """The forms of a regular verb or noun in -s, -ed and -ing.

    >>> regular("die"), regular("agree"), regular("look")
    (['dies', 'died', 'dying'], ['agrees', 'agreed', 'agreeing'], ['looks', 'looked', 'looking'])
    """
    last = word[-1]
    before = word[-2:-1]
    if last == "e":
        if before == "i":
            return [word + "s", word + "d", word[:-2] + "ying"]
        return [word + "s", word + "d", (word if before in ("e", "o", "y") else word[:-1]) + "ing"]
    if last == "y" and before not in _VOWELS:
        return [word[:-1] + "ies", word[:-1] + "ied", word + "ing"]
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return [word + "es", word + "ed", word + "ing"]
    stem = word + last if _DOUBLES.fullmatch(word) else word
    return [word + "s", stem + "ed", stem + "ing"]
