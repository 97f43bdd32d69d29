"""Whose thing it is, who only helped, and which way a thing changed hands.

Read by the owner check. "Ragnhild's inhaler was in my coat" is no inhaler of the user's; "my boss signed it, I only
carried the file" signs nothing for the user; "Leila lent me 200" is not "the user lent Leila 200".

Sources: Quirk et al. 1985, 5.112-5.126 (genitives), 8.116 (restrictive subjuncts); Levin 1993, 13 (change of
possession).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from edgegate.gate.checks.subjects import is_person
from edgegate.gate.checks.tense import is_past_word
from edgegate.gate.write import Pairing, Write, is_function
from edgegate.language import lexicon
from edgegate.language.align import is_general
from edgegate.language.owners import Owner, owner
from edgegate.language.passages import Clause, Passage, stem

FROM_USER, TO_USER = "from the user", "to the user"
_REACH = 4  # tokens from a possessor to the thing


_QUOTE = "'"


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(lexicon.table("possession")[name])


def possessed(write: Write, pairing: Pairing) -> Iterator[tuple[Passage, Owner]]:
    """Things that the source says are somebody's and the memory the user's."""
    candidate = pairing.candidate
    mine = _owned_in_memory(write, candidate)
    if not mine:
        return
    for link in pairing.links:
        if not write.is_own_voice(link.source):
            continue
        for thing, whose in _owned_in_source(link.source):
            if not _words("having").isdisjoint(candidate.words) and not _is_close(link.source, whose):
                continue  # "has a doctor's appointment"
            if stem(link.source.words[thing]) in mine and stem(whose) not in {stem(word) for word in candidate.words}:
                yield link.source, Owner("name", whose)
                return


def _owned_in_memory(write: Write, candidate: Passage) -> set[str]:
    """The stems of what a memory gives the user: "the user's quad", "owns a quad", "own quad", "uses an inhaler"."""
    words = candidate.words
    users = lexicon.table("memory_user_words")
    found: set[str] = set()
    kind = owner(Clause.whole(candidate), user=write.user, about=write.about).kind
    is_user = kind == "user" or (not kind and words[:1] != [] and words[0].endswith("ing"))
    for at, word in enumerate(words):
        possessor = word.endswith("'s") and word.removesuffix("'s") in users
        verb = is_user and (word in _words("owning_verbs") or word in _words("having") or word in _words("own_words"))
        if not possessor and not verb:
            continue
        for place, each in candidate.content:
            between = words[at + 1 : place]
            if any(is_person(w) for w in between):
                break  # "the user's child starts nursery": the child is the user's
            if at < place <= at + _REACH and not any(w in _words("noun_ends") or w.endswith("'s") for w in between):
                found.add(each)
    return found


def _owned_in_source(source: Passage) -> Iterator[tuple[int, str]]:
    """Tokens of things with the one they belong to: "Ragnhild's inhaler", "the quad was Robbie's", "is of Ramesh"."""
    words = source.words
    names = {name.last - 1: name for name in source.values.names}
    for at, word in enumerate(words):
        plain = word.removesuffix("'s")
        if (
            word.endswith("'s")
            and not _is_verb_form(words[at + 1 : at + 2])
            and (at in names or is_person(word) or _is_noun(words, at))
        ):
            after = [place for place, _ in source.content if at < place <= at + _REACH]
            ends = next(
                (
                    p
                    for p in range(at + 1, len(words))
                    if not (words[p][0].isalnum() or words[p] == _QUOTE) or is_function(words[p])
                ),
                len(words),
            )
            yield from ((place, plain) for place in after if place < ends)
            if at and words[at - 1] in _words("being"):
                yield from ((place, plain) for place, _ in source.content if at - _REACH <= place < at - 1)
        if word in _words("being") and words[at + 1 : at + 2] and words[at + 1] in _words("of_words"):
            whose = next((p for p in range(at + 2, min(at + 4, len(words))) if p in names or is_person(words[p])), None)
            if whose is not None:
                yield from ((place, words[whose]) for place, _ in source.content if at - _REACH <= place < at)


def _is_verb_form(following: list[str]) -> bool:
    """Whether a form of a verb follows, so that the "'s" before it is "is" or "has" ("the bairn's starting school")."""
    return any(word.endswith(tuple(_words("verb_marks"))) or is_past_word(word) for word in following)


def _is_close(source: Passage, whose: str) -> bool:
    """Whether a possessor is a relation or has a name."""
    return whose in lexicon.table("kin") or any(whose in name.key.split() for name in source.values.names)


def _is_noun(words: list[str], at: int) -> bool:
    """Whether a genitive has a determiner before it, so that it is a noun ("the association's")."""
    return at > 0 and words[at - 1] in lexicon.table("clauses")["determiners"]


def only_helped(write: Write, pairing: Pairing) -> Iterator[tuple[Passage, Owner]]:
    """Deeds that the memory gives the user, where the source says what little the user did ("I only drove")."""
    candidate = pairing.candidate
    for link in pairing.links:
        source = link.source
        if not write.is_own_voice(source) or source.is_question:
            continue
        words = source.words
        for at in range(2, len(words) - 1):
            if words[at] not in _words("speaker") or words[at + 1] not in _words("restrictions"):
                continue
            before = words[:at]
            while before and (before[-1] in _words("topics") or not before[-1][0].isalnum()):
                before = before[:-1]
            if any(word in _words("speaker_words") for word in before):
                continue
            there = {word for place, word in source.content if place < len(before) and not is_general(word)}
            here = {word for place, word in source.content if place > at}
            told = set(candidate.stems)
            if there & told and not here & told:
                yield source, Owner("other", "somebody")
                return


def turned_round(write: Write, pairing: Pairing) -> Iterator[tuple[Passage, Owner]]:
    """Things owed, lent, given or paid the other way round."""
    candidate = pairing.candidate
    theirs = [(at, _transfer(word)) for at, word in enumerate(candidate.words) if _transfer(word)]
    for link in pairing.links if theirs else ():
        for here, word in enumerate(link.source.words):
            verb = _transfer(word)
            if not verb or not write.is_own_voice(link.source) or link.source.is_question:
                continue
            mine = _direction(link.source, here, False)
            now = {_direction(candidate, there, True) for there, other in theirs if other == verb} - {""}
            if mine and now and mine not in now:
                yield link.source, Owner("user" if mine == FROM_USER else "other", "somebody")
                return


@cache
def _transfers() -> frozenset[str]:
    return frozenset(stem(word) for word in _words("transfers"))


def _transfer(word: str) -> str:
    """The stem of a verb by which a thing goes from one to another, or an empty text."""
    found = lexicon.table("possession")["short_forms"].get(word, stem(word))
    return str(found) if found in _transfers() else ""


def _direction(passage: Passage, at: int, memory: bool) -> str:
    """FROM_USER or TO_USER, or empty where it cannot be told."""
    words = passage.words
    users = frozenset(lexicon.table("memory_user_words")) if memory else _words("speaker")
    objects = users if memory else _words("speaker_objects")
    before = [word.removesuffix("'s") for word in words[max(at - _REACH, 0) : at]]
    after = words[at + 1 : at + 1 + 2 * _REACH]
    passive = any(word in _words("being") for word in before)
    by_user = any(
        one in _words("by_words") and any(w in users for w in after[n + 1 : n + 3]) for n, one in enumerate(after)
    )
    subject = any(word in users for word in before)
    if passive:
        return FROM_USER if by_user and not subject else TO_USER if subject and not by_user else ""
    if subject:
        return FROM_USER
    given = any(word in objects for word in after[:3]) and not by_user
    return TO_USER if given and before else ""
