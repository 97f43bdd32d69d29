"""Whose deed or state a clause tells: the person nearest before what the memory keeps of it.

Read by the owner check. "My flatmate Kofi is allergic to nuts", "the guy next door keeps bees", "Hanna got the job",
"she runs marathons, my boss": the memory keeps the deed or the state and puts another person before it. What counts as
a person is a name, a kinship term, an occupation or "he" and "she" with what they stand for; who is only spoken to,
helped or named after a preposition is no subject.

Source: Quirk et al. 1985, ch. 6 (pronouns) and ch. 10 (subject, object and their order).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from edgegate.gate.checks.tense import is_past_word
from edgegate.gate.write import Pairing, Write
from edgegate.language import lexicon
from edgegate.language.owners import Owner
from edgegate.language.passages import Passage, stem

SHARE = 0.6
"""How much of what the memory says of its subject the other person's clause must hold."""
NEXT = 0.35
"""The same, where the person stands right before the verb that the memory keeps."""
_ADJACENT = 3  # tokens
_REACH = 8  # tokens between a subject and what is said of it
_NOUN = 5  # tokens between a determiner and the noun for a person


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(lexicon.table("people")[name])


@dataclass(frozen=True, slots=True)
class Subject:
    """A person as a subject: `key` is the word that names them ("i" for the speaker), tokens `first` to `last`."""

    key: str
    first: int
    last: int
    kind: str


def is_person(word: str) -> bool:
    """Whether a folded word is a noun for a person (or a pet)."""
    plain = word.removesuffix("'s")
    return plain in _words("nouns") or plain in lexicon.table("kin")


def before(passage: Passage, place: int, first: int, reach: int = _REACH) -> Subject | None:
    """The person nearest before token `place`, looking back to `first`; None where nobody stands there as a subject."""
    names = {at: name for name in passage.values.names for at in range(name.first, name.last)}
    words = passage.words
    at = place - 1
    while at >= max(first, place - reach):
        word = words[at]
        if word in _words("speaker_subjects"):
            return Subject("i", at, at + 1, "speaker")
        if word in _words("things"):
            return None  # "it made a big impact"
        if word in _words("others") or word in _words("several"):
            return Subject(word.partition("'")[0], at, at + 1, "pronoun")
        if at in names:
            name = names[at]
            if not _is_object(words, name.first, name.last, place):
                return Subject(name.key.split()[0].removesuffix("'s"), name.first, name.last, "name")
            at = name.first - 1
            continue
        if is_person(word) and not _is_no_subject(words, at):
            start = _noun_phrase(words, at, first)
            if start == first + 1 and is_past_word(words[first]):
                return None  # "dropped the kids at school, then went": whom it was done to
            if not _is_object(words, start, at + 1, place):
                return Subject(word.removesuffix("'s"), start, at + 1, "noun")
            at = start - 1
            continue
        at -= 1
    return None


def _is_no_subject(words: list[str], at: int) -> bool:
    """Whether a noun for a person names nobody: one that is called to ("bro passed my theory"), "ma" for "my", a "half"
    that is nobody's other one."""
    before_it, after = words[at - 1 : at] if at else [], words[at + 1 : at + 2]
    if words[at] in _words("half_words"):
        return not any(word in _words("half_leads") for word in before_it)
    if words[at] in _words("my_words"):
        return any(word.endswith("'s") or not _looks_finite(word) for word in after if word[0].isalpha())
    determiners = frozenset(lexicon.table("clauses")["determiners"]) | _words("speaker_objects")
    return words[at] in _words("vocatives") and not any(
        word in determiners or word in _words("before_objects") for word in words[max(at - 2, 0) : at]
    )


def _looks_finite(word: str) -> bool:
    return word in lexicon.table("subject_ends") or word.endswith("s") or is_past_word(word)


def _noun_phrase(words: list[str], at: int, first: int) -> int:
    """Where the noun phrase begins whose head stands at `at`: its determiner or possessor."""
    determiners = frozenset(lexicon.table("clauses")["determiners"])
    for place in range(at, max(at - _NOUN, first) - 1, -1):
        if words[place] in determiners:
            return place
    return at


def _is_object(words: list[str], first: int, last: int, place: int) -> bool:
    """Whether a person is no subject of what stands at `place`: after a preposition, or only a possessor."""
    followed = words[last] if last < len(words) else ""
    beside = words[first - 1] if first else ""
    if last == place and first > 1 and beside in _words("joint") and not is_person(words[first - 2]):
        return False  # "my daughter is eleven and my son eighteen": the verb is left out
    genitive = words[last - 1].endswith("'s") and last == place
    if genitive and words[place + 1 : place + 2] and words[place + 1] in lexicon.table("subject_ends"):
        return True  # "my doctor's appointment is on the 9th"
    if beside in _words("before_objects") and followed not in _words("relatives"):
        return True
    return words[last - 1].endswith("'s") and place > last + 2 and is_person(followed)


def told_of(write: Write, pairing: Pairing) -> Iterator[tuple[Passage, Owner]]:
    """Source sentences that tell of somebody else what the memory sentence tells of its subject."""
    candidate = pairing.candidate
    for first, last in candidate.clauses:
        mine = _memory_subject(write, candidate, first, last)
        if mine is None:
            continue
        found = _teller_of_another(write, pairing, mine, last)
        if found is not None:
            yield found
            return


def _memory_subject(write: Write, candidate: Passage, first: int, last: int) -> Subject | None:
    """The subject of a memory clause: the user ("i"), or a relation of the user ("daughter")."""
    words = candidate.words
    at = first
    while at < last and (words[at] in _words("joint") or words[at] in lexicon.table("clauses")["determiners"]):
        at += 1
    if at >= last:
        return None
    word = words[at]
    if write.about is None and _is_verb(candidate, at, first):
        return Subject("i", at, at, "speaker")
    if word in lexicon.table("memory_user_words") or (write.about and word == write.about.strip().lower().split()[0]):
        return Subject("i", at, at + 1, "speaker")
    owned = word.removesuffix("'s") in lexicon.table("memory_user_words") and word.endswith("'s")
    if owned and at + 1 < last and is_person(words[at + 1]) and not words[at + 1].endswith("'s"):
        following = words[at + 2] if at + 2 < last else ""
        if not is_person(following) and not _names_at(candidate, at + 2):
            return Subject(words[at + 1], at, at + 2, "noun")
    return None


def _is_verb(candidate: Passage, at: int, first: int) -> bool:
    """Whether a clause begins with its verb, so that its subject is understood ("Paid the vet", "; keeps bees")."""
    word = candidate.words[at]
    following = candidate.words[at + 1] if at + 1 < len(candidate.words) else ""
    if (_names_at(candidate, at) and at != first) or following in lexicon.table("subject_ends"):
        return False  # "Training is on Wednesday"
    ended = word.endswith(tuple(lexicon.table("verb_endings"))) and not word.endswith("'s")
    return (ended or is_past_word(word)) and not is_person(word) and word not in lexicon.table("function_words")


def _names_at(passage: Passage, place: int) -> bool:
    return any(name.first == place for name in passage.values.names)


def _teller_of_another(write: Write, pairing: Pairing, mine: Subject, last: int) -> tuple[Passage, Owner] | None:
    candidate = pairing.candidate
    predicate = [(at, word) for at, word in candidate.content if mine.last <= at < last and word != "not"]
    total = sum(write.index.weight(word) for _, word in predicate)
    if not predicate or not total:
        return None
    lead = predicate[0][1]
    best: tuple[float, Passage, Subject] | None = None
    own = 0.0  # how much of it the speaker tells of themselves
    for link in pairing.links:
        source = link.source
        if source.is_question or not write.is_own_voice(source):
            continue
        for begin, end in source.clauses:
            inside = [(at, word) for at, word in source.content if begin <= at < end]
            held = {word for _, word in inside} & {word for _, word in predicate}
            share = sum(write.index.weight(word) for word in held) / total
            if lead not in held:
                continue
            place = next(at for at, word in inside if word == lead)
            subject = before(source, place, begin)
            if subject is None:
                if any(at < place for at, _ in inside):
                    continue
                return None  # a clause that begins with its verb leaves its subject out: the speaker
            if subject.kind == "speaker":
                if all(word in held for at, word in inside if at > place):
                    return None  # "so I stopped": it has no object of its own ("I got his desk")
                own = max(own, share)
                continue
            if share < (NEXT if place - subject.last < _ADJACENT else SHARE):
                continue
            if best is None or share > best[0]:
                best = (share, source, subject)
    if best is None or own >= best[0]:
        return None
    _, source, subject = best
    whose = _resolve(write, source, subject)
    if whose is None or _is_same(write, mine, whose) or _shares(write, source, whose, candidate):
        return None
    return source, Owner("name" if whose.kind == "name" else "kin", whose.key)


def _resolve(write: Write, source: Passage, subject: Subject) -> Subject | None:
    """The person a pronoun stands for: the nearest one before it in the turn, or the one named behind it."""
    if subject.kind != "pronoun":
        return subject
    if subject.key in _words("several"):
        return None
    near: list[tuple[Passage, int]] = [(source, subject.first)]
    leader = write.before(source)
    if leader is not None:
        near.append((leader, len(leader.words)))
    for passage, end in near:
        found = _last_person(passage, end)
        if found is not None:
            return found
    words = source.words
    for at in range(subject.last, len(words)):
        possessive = at + 1 < len(words) and words[at] in lexicon.table("person")["possessive_first"]
        if words[at - 1] == "," and possessive and is_person(words[at + 1]):
            return Subject(words[at + 1], at, at + 2, "noun")
    return None


def _last_person(passage: Passage, end: int) -> Subject | None:
    names = {name.first: name for name in passage.values.names}
    for at in range(end - 1, -1, -1):
        if at in names:
            return Subject(names[at].key.split()[0], at, names[at].last, "name")
        word = passage.words[at]
        if is_person(word) and at and passage.words[at - 1] not in ("a", "an"):
            return Subject(word.removesuffix("'s"), at, at + 1, "noun")
    return None


def _is_same(write: Write, mine: Subject, whose: Subject) -> bool:
    """Whether the two may be one person: the user's own name, one relation in two words, a relation and a name."""
    user = {part for name in (write.user, write.about or "") for part in name.strip().lower().split()}
    if whose.key in user:
        return True
    if mine.kind == "speaker":
        return False
    if whose.kind == "name":
        return True
    if whose.key in _words("loose_people"):
        return True  # "our lass" is whoever the memory takes her for
    kin = lexicon.table("kin")
    one, other = kin.get(mine.key, mine.key), kin.get(whose.key, whose.key)
    covers = lexicon.table("kin_covers")
    return (
        one == other
        or stem(mine.key) == stem(whose.key)
        or other in covers.get(one, ())
        or one in covers.get(other, ())
    )


def _shares(write: Write, source: Passage, whose: Subject, candidate: Passage) -> bool:
    """Whether the user has a part in it after all: "my brother and I", "gave me", or the memory names the person."""
    words = source.words
    near = words[max(whose.first - 2, 0) : whose.last + 2]
    if any(word in _words("joint") for word in near) and any(
        word in _words("speaker_subjects") or word in _words("speaker_objects")
        for word in words[max(whose.first - 4, 0) : whose.last + 4]
        if word not in ("my", "our")
    ):
        return True
    first, last = source.clause_at(whose.first)
    objects = lexicon.table("gate")["speaker_objects"]
    if any(word in objects and at > whose.last for at, word in enumerate(words[first:last], first)):
        return True
    plain = {word.removesuffix("'s") for word in candidate.words}
    if whose.key in plain or stem(whose.key) in candidate.stems or plain & (_words("others") | _words("several")):
        return True
    return bool(plain & _words("mentions"))
