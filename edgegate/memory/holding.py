"""Which memories hold what a request to forget names: exact words and values first, a few tight fields of meaning next.

A memory holds a request when it has every term of it, belongs to the person it speaks of, and denies what it denies.
A word that only qualifies another ("dog shelter", "pet peeve") does not stand for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from edgegate.language import lexicon
from edgegate.language.owners import Owner
from edgegate.language.passages import past_forms
from edgegate.language.text import tokenise
from edgegate.language.values import relate
from edgegate.memory.stored import LONGEST, Field, Memory, Term, Wanted, root, words_of

_FAMILY = 6  # letters that two words of one family share at least


def holds(memory: Memory, wanted: Wanted, *, loose: bool = False) -> bool:
    """Whether `memory` holds all that is wanted. `loose` lets a wider vocabulary count and is only good for a question.

    >>> from edgegate.memory.asked import wanted_in
    >>> what = wanted_in("that I have a dog")
    >>> holds(Memory("The user has a dog called Rex"), what), holds(Memory("The user walks at a dog shelter"), what)
    (True, False)
    """
    needed = [term for term in wanted.terms if not term.optional]
    if all(term.light for term in needed) and not (wanted.values.dates or wanted.values.clocks):
        return False
    if not all(_has(memory, term, wanted, loose) for term in needed):  # the cheapest question first
        return False
    if not _whose(memory, wanted) or not _values_agree(memory, wanted):
        return False
    if wanted.verb and memory.words[:2] == ["the", "user"] and not _says_verb(memory, wanted):
        return False
    if wanted.clause and not _subjects_agree(memory, wanted):
        return False
    if not _says_rest(memory, wanted):
        return False
    if wanted.being and not set(memory.words) & words_of("being"):
        return False
    if wanted.clause and memory.denies != wanted.denies:
        return False
    return all(word in memory.words for word in wanted.particles) or _said_otherwise(memory, wanted)


def _whose(memory: Memory, wanted: Wanted) -> bool:
    """Whether the memory speaks of the person the request speaks of."""
    person = memory.owner
    if not wanted.clause and wanted.terms and all(term.named for term in wanted.terms if not term.optional):
        return True
    if wanted.subject == "user" and person.kind in ("name", "other"):
        return False
    kin = person.kind == "kin" and person.key not in lexicon.table("extract")["words"]["pets"]
    if kin and wanted.subject == "user" and memory.words[:2] != ["the", "user"]:
        return False
    if kin:
        if _names_person(memory, person, wanted):
            return True
        return wanted.topic and not wanted.mine
    if person.kind in ("name", "other") and person.first is not None:
        named = person.kind == "name" and set(person.key.split()) & {term.word for term in wanted.terms}
        if named or not memory.words[person.first][0].isalpha():
            return True
        said = {root(word) for word in memory.words}
        known = any(_is_kin(term.word) and _kin_held(memory, term) for term in wanted.terms)
        if known or wanted.topic or (not wanted.mine and not wanted.subject and not wanted.clause):
            return True
        return wanted.clause and all(term.stem in said for term in wanted.terms)
    return True


def _is_kin(word: str) -> bool:
    return word in lexicon.table("kin") or word in lexicon.table("extract")["words"]["roles"]


def _kin_held(memory: Memory, term: Term) -> bool:
    return bool(memory.places.get(term.stem)) or any(set(memory.words) & each.held for each in term.fields)


def _names_person(memory: Memory, person: Owner, wanted: Wanted) -> bool:
    kin = lexicon.table("kin")
    covers = lexicon.table("kin_covers")
    for term in wanted.terms:
        key = kin.get(term.word, term.word)
        if key == person.key or person.key in covers.get(key, ()) or person.key.startswith(f"{key}-"):
            return True
        if term.named and term.word in memory.names and memory.names[term.word][0] <= memory.verb_at:
            return True
        if any(person.key in each.held for each in term.fields if _is_kin(term.word) or each.value == ""):
            return True
    return False


def _values_agree(memory: Memory, wanted: Wanted) -> bool:
    """Whether every time and day of the request stands in the memory."""
    for clock in wanted.values.clocks:
        if not any(set(clock.minutes) & set(other.minutes) for other in memory.values.clocks):
            return False
    for date in wanted.values.dates:
        related = [relate(date, other) for other in memory.values.dates]
        words = set(wanted.text.lower().split()) & set(memory.words)
        if related and "apart" in related and not set(related) & {"same", "within"}:
            return False
        if not related:
            return False
        if related and not set(related) & {"same", "within"} and not date.relative and not words:
            return False
    return True


def _has(memory: Memory, term: Term, wanted: Wanted, loose: bool) -> bool:
    if term.named and term.word in memory.names:
        return True
    if term.named and not term.fields and term.stem not in memory.places:
        return False
    for at in memory.places.get(term.stem, ()):
        hyphened = memory.words[at + 1 : at + 2] == ["-"] and "-" not in wanted.text and not wanted.topic
        if hyphened or _of_a_thing(memory, at, wanted):
            continue
        if any(at and memory.words[at - 1] in each.not_after for each in term.fields):
            continue
        if not _alike(term.word, memory.words[at]) or _in_other_name(memory, at, term):
            continue
        if wanted.topic or not memory.qualifies(at) or _qualified_alike(memory, at, wanted):
            return True
    if _said_otherwise(memory, wanted):
        return True
    if wanted.topic and any(_one_family(term.word, word) for word in memory.words):
        return True
    for each in term.fields:
        if _of_another_thing(memory, each, wanted):
            continue
        for at, word in enumerate(memory.words):
            if each.value == "series" and at + 1 < len(memory.words) and _is_object(memory.words[at + 1]):
                continue
            if at and memory.words[at - 1] in each.not_after:
                continue
            if word.removesuffix("'s") in each.held and (
                not memory.qualifies(at) or _qualified_alike(memory, at, wanted)
            ):
                return not (each.strict and wanted.clause) or word[:4] == term.word[:4]
        if each.value == "digits" and any(number.value > 99 for number in memory.values.numbers):
            return True
        if (
            each.value == "age"
            and any(number.value < 120 for number in memory.values.numbers)
            and len(memory.words) < 8
        ):
            return True
        if each.value == "name" and memory.values.names and set(memory.words) & {"is", "are"} and not wanted.clause:
            return True
    if term.light:
        return _light_held(memory, term, wanted)
    return loose and _loosely(memory, term)


def _subjects_agree(memory: Memory, wanted: Wanted) -> bool:
    """Whether a memory says it of the one the clause says it of, and as past or present as the clause."""
    if words_of("once") & set(memory.words) != words_of("once") & set(wanted.text.lower().split()):
        return False
    owned = memory.words[:2] == ["the", "user's"]
    if wanted.subject == "user":
        owning = wanted.verb is not None and wanted.verb.stem in lexicon.table("forget")["owning"]
        return not owned or owning
    first = next((term for term in wanted.terms if not term.optional), None)
    copula = bool(words_of("being") & set(wanted.text.lower().split()))
    if copula:
        return bool(words_of("being") & set(memory.words))
    if first is None:
        return True
    places = memory.places.get(first.stem, [])
    return not places or min(places) < memory.verb_at or memory.words[:2] != ["the", "user"]


def _says_rest(memory: Memory, wanted: Wanted) -> bool:
    """Whether a memory has the small words that are all a clause says of its subject ("that my sister is here")."""
    if wanted.subject or wanted.stated or wanted.values.dates or wanted.values.clocks:
        return True
    being = words_of("being")
    named = {term.word for term in wanted.terms if not term.optional}
    words = tokenise(wanted.text[:LONGEST]).words
    last = max((at for at, word in enumerate(words) if word.removesuffix("'s") in named), default=len(words))
    rest = [word for word in words[last + 1 :] if word[0].isalnum()]
    if not rest and wanted.clause and wanted.mine and len(named) == 1:
        return False  # "that my sister", and what she will be was cut off
    if not being & set(rest) and not (rest and words[last].endswith("'s")):
        return True
    if being.issuperset(rest):
        return not wanted.clause  # what the clause says was cut off
    said = set(memory.words) | being | words_of("articles")
    return all(word in said for word in rest)


def _says_verb(memory: Memory, wanted: Wanted) -> bool:
    """Whether a memory of the user says the verb of the request, of no object that the request does not name."""
    verb = wanted.verb
    if verb is None or verb.light or not memory.predicate:
        return True
    heads = [memory.predicate[0]]
    heads += [
        other for word, other in zip(memory.words, memory.words[1:], strict=False) if word in words_of("joins_facts")
    ]
    same = any(root(said) == verb.stem and _alike(verb.word, said) for said in heads)
    if not same and not any(said in each.held for said in heads for each in verb.fields):
        return _said_otherwise(memory, wanted)
    passive = memory.verb_at + 1 < len(memory.words) and memory.main_verb in words_of("being") and same
    if passive and not wanted.being and not heads[0].endswith("ing"):
        return False  # "was moved by the film"
    alone = [term for term in wanted.terms if not term.optional and term is not verb] == []
    after = memory.predicate[1] if len(memory.predicate) > 1 else ""
    return not (alone and same and _is_object(after))


def _is_object(word: str) -> bool:
    """Whether a word right behind a verb begins its object."""
    if word in words_of("articles"):
        return True
    plain = lexicon.table("function_words")
    return (
        bool(word)
        and word.isalpha()
        and word not in plain
        and word not in words_of("behind_heads")
        and word[-2:] != "ly"
    )


def _alike(one: str, other: str) -> bool:
    """Whether two words with one stem are forms of one word: "car" and "care" are not."""
    one, other = one.removesuffix("'s"), other.removesuffix("'s")
    if (one in past_forms() and other.endswith("s")) or (other in past_forms() and one.endswith("s")):
        return False  # "grew up" is not what "grows"
    return one + "e" != other and other + "e" != one


def _of_a_thing(memory: Memory, at: int, wanted: Wanted) -> bool:
    """Whether the word at `at` belongs to something the request does not name ("the doll's house")."""
    before = memory.words[at - 1] if at else ""
    if not before.endswith("'s") or before == "user's":
        return False
    return all(term.stem != root(before) and not term.opens(before[:-2]) for term in wanted.terms)


def _in_other_name(memory: Memory, at: int, term: Term) -> bool:
    """Whether the word at `at` is part of a longer name that is not the one wanted ("Santa Lucía")."""
    inside = any(name.first <= at < name.last and name.last - name.first > 1 for name in memory.values.names)
    return inside and term.word not in memory.names


def _of_another_thing(memory: Memory, each: Field, wanted: Wanted) -> bool:
    """Whether a memory's measure is not the user's own: "the user's parcel weighed 4 kg"."""
    words = memory.words
    if "user's" not in words:
        return False
    at = words.index("user's") + 1
    nouns = [word for word in words[at : at + 2] if word not in past_forms() and not word.endswith("ed")]
    asked = {term.word for term in wanted.terms}
    return each.own and not set(nouns) & each.held and not asked & set(nouns)


def _qualified_alike(memory: Memory, at: int, wanted: Wanted) -> bool:
    """Whether the noun that a word qualifies is wanted, too ("phone number")."""
    place = memory.behind(at)
    if place >= len(memory.words):
        return False
    after = root(memory.words[place])
    return any(term.stem == after or term.opens(memory.words[place]) for term in wanted.terms)


def _light_held(memory: Memory, term: Term, wanted: Wanted) -> bool:
    """A verb that says little is held when what it governs is the user's own and no other verb stands there."""
    heavy = [each for each in wanted.terms if not each.light and not each.optional]
    owning: Mapping[str, Any] = lexicon.table("forget")["verbs_alike"]
    alike = frozenset(owning.get(term.stem, ())) | frozenset(owning.get(term.word, ()))
    if set(memory.words) & alike:
        return True
    if term.stem in lexicon.table("forget")["owning"] and heavy:
        return any(
            memory.words[max(at - 1, 0)] == "user's" for each in heavy for at in memory.places.get(each.stem, ())
        )
    return len(heavy) >= 2 and not alike


def _said_otherwise(memory: Memory, wanted: Wanted) -> bool:
    """Whether request and memory have two phrases of one row of sayings ("stay up late", "night owl")."""
    rows = wanted.sayings
    if not rows:
        return False
    kept = " " + " ".join(root(word) for word in memory.words) + " "
    return any(phrase in kept for row in rows for phrase in row)


@cache
def _wide() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in lexicon.table("support")["same"]:
        stems = {root(word) for word in row}
        for word in stems:
            found.setdefault(word, set()).update(stems)
    return {word: frozenset(others) for word, others in found.items()}


def _loosely(memory: Memory, term: Term) -> bool:
    return bool((_wide().get(term.stem, frozenset()) - {term.stem}) & memory.places.keys())


def _one_family(one: str, other: str) -> bool:
    """Whether two words are built on one: "therapy", "therapist"."""
    shared = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        shared += 1
    return shared >= _FAMILY and shared >= min(len(one), len(other)) - 1
