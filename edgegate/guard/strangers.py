"""Names that nothing held this turn knows: somebody in the user's own circle, or somebody of the world?

"Tell Nadia I said hello" claims that there is a Nadia in the user's life, though no word of it says "you told me".
Where a name stands tells the one from the other: who is met, told or asked, who will or can do something now, and whose
things are spoken of belongs to a circle; where something lies, or who did something once in history, to the world.

Source: Prince 1981 (a name used without introduction takes it for granted that the hearer knows its bearer).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise

from edgegate.guard.evidence_index import Index
from edgegate.guard.reading import Reading, is_titled, light, words_of
from edgegate.language import lexicon
from edgegate.language.align import stem
from edgegate.language.values import Name

FOREIGN_LETTER = 127  # the last code point of ASCII
CALL = "("  # what is called with arguments is no person
HYPHEN = "-"
OPENING = 2  # tokens from which a word no longer begins the sentence
SHORT = 3  # letters; a shorter first word is more likely a word than a name
ENDINGS = ("ing", "ed", "ly")


@cache
def listed(name: str) -> frozenset[str]:
    """One list of the table `specifics`, as a set."""
    return frozenset(lexicon.table("specifics")[name])


@cache
def listed_stems(name: str) -> frozenset[str]:
    """The stems of one list of the table `specifics`."""
    return frozenset(stem(word) for word in listed(name))


@cache
def _ordinary() -> frozenset[str]:
    """Words that the tables know as words: at the start of a sentence they are no names."""
    words = set(lexicon.table("light_words")) | set(lexicon.table("function_words")) | set(lexicon.table("kin"))
    words |= words_of("directive_verbs")
    for lemma, forms in lexicon.table("inflections").items():
        words.update((lemma, *forms))
    for group in lexicon.table("support")["same"]:
        words.update(group)
    return frozenset(words)


@cache
def _given_names() -> frozenset[str]:
    return frozenset(lexicon.table("given_names").split())


def is_given_name(word: str) -> bool:
    """Whether a folded word is a name that people are given, with its accents or without.

    >>> is_given_name("clémence"), is_given_name("sihle"), is_given_name("nidaros")
    (True, True, False)
    """
    letters = unicodedata.normalize("NFD", word.translate(_plain_letters()))
    return "".join(letter for letter in letters if not unicodedata.combining(letter)) in _given_names()


@cache
def _plain_letters() -> dict[int, str]:
    return str.maketrans(lexicon.table("specifics")["plain_letters"])


def is_ordinary(word: str) -> bool:
    """Whether the tables know a folded word as a word: at the start of a sentence it is no name then."""
    return word in _ordinary() or stem(word) in light()


def is_world(word: str) -> bool:
    """Whether a folded word names something that everybody may speak of.

    >>> is_world("norway"), is_world("nadia")
    (True, False)
    """
    return word in listed("world")


def is_scenery(parts: Collection[str]) -> bool:
    """Whether the words of a name, folded, say by one of them that it is a place for everybody.

    >>> is_scenery(["black", "sea"]), is_scenery(["damp", "sock"])
    (True, False)
    """
    return len(parts) > 1 and any(part in listed("place_heads") for part in parts)


def strangers(reading: Reading, index: Index, introduced: Collection[str] = ()) -> dict[str, int]:
    """How often the sentence names somebody (`unknown_person` by a given name, `stranger` by where any name stands) or
    something (`strange_thing`) of the user's own circle that the evidence does not know, and whether it names something
    of the `world`, or a language or people (`worldly`). `introduced` are names that the reply itself brought up before.

    >>> from edgegate.guard.reading import read
    >>> nothing = Index([])
    >>> strangers(read("Tell Nadia about it."), nothing), strangers(read("Robert Hooke saw it first."), nothing)
    ({'unknown_person': 1}, {'world': 1})
    """
    found: dict[str, int] = {}
    shown = on_screen(reading)
    if shown:
        found["on_screen"] = 1
    for name in map(partial(_without_opener, reading.words), reading.passage.values.names):
        parts = [word.removesuffix("'s") for word in reading.words[name.first : name.last] if word[0].isalpha()]
        if reading.quoted[name.first] or any(any(letter.isdigit() for letter in part) for part in parts):
            continue
        if any(part in introduced or part in index.names or index.holds(stem(part)) for part in parts):
            continue
        if any(map(is_world, parts)) or is_scenery(parts) or not shown.isdisjoint(parts):
            found["worldly" if set(parts) <= words_of("capitalised") else "world"] = 1
            continue
        if _is_unknown_person(reading, name, parts):
            found["unknown_person"] = found.get("unknown_person", 0) + 1
            continue
        role = _role(reading, name, parts)
        if role:
            found[role] = found.get(role, 0) + 1
    return found


def on_screen(reading: Reading) -> set[str]:
    """The words of names that label something on a screen: "under Settings, Quiet", "tap Close Friends".

    >>> from edgegate.guard.reading import read
    >>> sorted(on_screen(read("You can pause them under Settings, Quiet Hours.")))
    ['hours', 'quiet', 'settings']
    """
    found: set[str] = set()
    chain = -1  # where the next label of a path would begin
    for name in reading.passage.values.names:
        words = reading.words[name.first : name.last]
        before = reading.words[name.first - 1] if name.first else ""
        pointed = before in listed("pointing_at_screen") and not words[-1].endswith("'s")
        if pointed or name.first == chain or not listed("screen_labels").isdisjoint(words):
            found.update(words)
            chain = name.last + 1 if reading.words[name.last : name.last + 1] == [","] else -1
    return found


def _without_opener(words: list[str], name: Name) -> Name:
    """The name without an ordinary word that only begins the sentence with a capital letter: "Tell Nadia"."""
    if name.last - name.first > 1 and name.first < OPENING and words[name.first] in _ordinary():
        return replace(name, first=name.first + 1)
    return name


def _role(reading: Reading, name: Name, parts: list[str]) -> str:
    words = reading.words
    before = words[name.first - 1] if name.first else ""
    after = words[name.last] if name.last < len(words) else ""
    if before == HYPHEN:
        return ""  # the second half of a double name
    if not any(part in reading.sure for part in parts):
        return "stranger" if _opens_as_name(words, name, parts) else ""
    titled = words[name.first] in words_of("titles") and len(parts) > 1
    whose = len(parts) == 1 and words[name.first].endswith("'s")  # by their full names people speak of the famous
    if titled or whose or is_titled(words, name.first):
        return "stranger"
    if _is_brand(reading, name):
        return ""
    second = words[name.first - 2] if name.first > 1 else ""
    if len(parts) > 1 and second in listed("articles") and before[0].isalpha() and before not in listed("place_words"):
        return "strange_thing"  # "the newest Damp Sock"
    if before in listed("articles"):
        named_after = name.last < len(words) and name.last in reading.stems
        lies_there = name.first > 1 and words[name.first - 2] in listed("place_words")
        return "strange_thing" if named_after or not lies_there else ""
    if after == CALL or before in listed("screen_words") or before in listed("place_words"):
        return ""
    if before in listed("company") or after in listed("agent"):
        return "stranger"
    return ""


def _is_unknown_person(reading: Reading, name: Name, parts: list[str]) -> bool:
    """Whether a given name stands alone, where it neither calls the user by name nor says where something lies."""
    if len(parts) != 1 or not is_given_name(parts[0]):
        return False
    words = reading.words
    before = words[name.first - 1] if name.first else ""
    after = words[name.last] if name.last < len(words) else ""
    if (
        before in listed("introducing")
        or before in listed("location_words")
        or before in listed("articles")
        or HYPHEN in (before, after)
    ):
        return False
    spoken = not is_ordinary(parts[0])
    if not before[:1].isalnum():  # "Come in, Rafael!" calls the user; "Lucho can start" speaks of somebody
        return spoken and after[:1].isalpha() and after not in listed("not_after_name")
    return spoken


def _is_brand(reading: Reading, name: Name) -> bool:
    """Whether a name is written with a capital letter inside a word, as makers of things like to: "SouthDoc"."""
    tokens = reading.passage.tokens
    written = tokens.text[tokens.starts[name.first] : tokens.ends[name.last - 1]].split()
    return any(
        letter.isupper() and before.islower() and not word.lower().startswith(tuple(listed("name_prefixes")))
        for word in written
        for before, letter in pairwise(word)
    )


def _opens_as_name(words: list[str], name: Name, parts: list[str]) -> bool:
    """Whether the first word of the sentence can only be a name: whose thing it is, or who wants or knows something."""
    if len(parts) != 1 or name.first > OPENING:
        return False
    first = parts[0]
    if first in _ordinary() or stem(first) in light() or len(first) < SHORT or first.endswith(ENDINGS):
        return False
    if words[name.first].endswith("'s"):
        return True
    following = words[name.last : name.last + 2]
    if len(following) > 1 and following[0] in listed("modals") and following[1] in listed("person_verbs"):
        return True
    return any(ord(letter) > FOREIGN_LETTER for letter in first) and bool(following)
