"""Whose fact a clause states: the user, the assistant, someone of the user's kin, a named person, or someone else.

The subject decides, or the possessor before it: "I", "my brother", "Tobi's mum", "the user's niece", "she".
Source: Quirk et al. 1985, 6.15-6.30 (personal and possessive pronouns); kinship terms in `data/en/alignment.toml`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from edgegate.language import lexicon
from edgegate.language.passages import MEMORY, Clause, past_forms
from edgegate.language.values import Name

_KIN_REACH = 3  # words between a possessive and the relation: "my three little brothers"


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose fact it is, with the token range that says so (None where it is only understood).

    `kind`: "user", "assistant", "kin" (key: the relation), "name" (key: the folded name), "other" (a pronoun or an
    unnamed person), "" (cannot tell).
    """

    kind: Literal["user", "assistant", "kin", "name", "other", ""]
    key: str = ""
    first: int | None = None
    last: int | None = None

    @property
    def label(self) -> str:
        """Plain words for a report."""
        labels = lexicon.table("owner_labels")
        return str(labels[self.kind]).format(self.key)


@cache
def _person(name: str) -> frozenset[str]:
    return frozenset(lexicon.table("person")[name])


def _kin_at(words: list[str], at: int, end: int) -> tuple[str, int] | None:
    """The relation named by the tokens from `at`, and the next token; "mother - in - law" is one relation."""
    kin = lexicon.table("kin")
    word = words[at].removesuffix("'s")
    if word not in kin:
        return None
    key, last = str(kin[word]), at + 1
    if words[last : last + 4] and "".join(words[last : last + 4]).removesuffix("'s") == lexicon.table("in_law_mark"):
        key, last = f"{key}{lexicon.table('in_law_mark')}", last + 4
    return key, min(last, end)


def _speaker_kind(speaker: str, user: str) -> Literal["user", "assistant", "name"]:
    folded = speaker.strip().lower()
    if folded in (user.strip().lower(), "user", MEMORY):
        return "user"
    return "assistant" if folded in lexicon.table("assistant_speakers") else "name"


def _spoken(clause: Clause, user: str, first_person: bool, at: int) -> Owner:
    """Who "I" or "you" is in this clause."""
    speaker = clause.passage.speaker
    kind = _speaker_kind(speaker, user)
    if speaker == MEMORY:
        return Owner("user", "", at, at + 1)
    if first_person:
        return Owner(kind, speaker.lower() if kind == "name" else "", at, at + 1)
    if kind == "assistant":
        return Owner("user", "", at, at + 1)
    return Owner("assistant" if kind == "user" else "", "", at, at + 1)


def owner(clause: Clause, *, user: str = "user", about: str | None = None) -> Owner:
    """Whose fact the clause states: the first person it names as subject or possessor.

    `user` is the speaker who is the user; `about` the person whose file a memory is in, the owner of a memory clause
    without a subject.

    >>> from edgegate.language.passages import read
    >>> owner(Clause.whole(read("My brother is a lawyer.", speaker="user")[0])).label
    'the user’s brother'
    """
    words = clause.passage.words
    names = {
        name.first: name
        for name in clause.passage.values.names
        if clause.holds(name.first) and (name.sure or _acts(clause, name))
    }
    for at in range(clause.first, clause.last):
        found = _owner_at(clause, words, at, user, about, names.get(at))
        if found is not None:
            return found
        if _ends_subject(words[at]):
            break
    if clause.passage.speaker == MEMORY and clause.first == 0 and words and _is_subjectless(words[0]):
        return Owner("user")
    return Owner("")


def _acts(clause: Clause, name: Name) -> bool:
    """Whether a capitalised first word is a name: it looks like no verb ("Repairs clocks"), or a verb follows."""
    words = clause.passage.words
    if name.key in lexicon.table("not_words") or name.key in lexicon.table("clauses")["adverbs"]:
        return False
    following = words[name.last] if name.last < len(words) else ""
    if following in lexicon.table("subject_ends") or following in past_forms() or following.endswith("ed"):
        return True
    if following in lexicon.table("function_words"):
        return False  # "Barley in the barn"
    return not name.key.endswith(tuple(lexicon.table("verb_endings"))) and following.isalpha()


def _is_subjectless(word: str) -> bool:
    """Whether a memory that begins with this word leaves its subject out ("Repairs clocks", "Likes figs")."""
    return word.endswith(tuple(lexicon.table("verb_endings"))) and word not in lexicon.table("function_words")


def _ends_subject(word: str) -> bool:
    """Whether the subject is over: a finite auxiliary came, and no person before it."""
    return word in lexicon.table("subject_ends")


def _owner_at(clause: Clause, words: list[str], at: int, user: str, about: str | None, name: object) -> Owner | None:
    word = words[at]
    if word in _person("first") or word in _person("first_plural"):
        spoken = _spoken(clause, user, True, at)
        return _with_kin(clause, words, at, spoken) if word in _person("possessive_first") else spoken
    if word in _person("second"):
        spoken = _spoken(clause, user, False, at)
        return _with_kin(clause, words, at, spoken) if word in _person("possessive_second") else spoken
    plain = word.removesuffix("'s")
    if plain in lexicon.table("memory_user_words") and clause.passage.speaker == MEMORY:
        found = Owner("user", "", at, at + 1)
        return _with_kin(clause, words, at, found) if word.endswith("'s") else found
    if name is not None:
        key = str(getattr(name, "key", ""))
        last = int(getattr(name, "last", at + 1))
        mine = [each.lower().split() for each in (about, user) if each and each.strip()]
        is_user = any(key.split()[0] == parts[0] for parts in mine)
        found = Owner("user" if is_user else "name", key, at, last)
        return _with_kin(clause, words, last - 1, found) if words[last - 1].endswith("'s") else found
    kin = _kin_at(words, at, clause.last)
    generic = at > 0 and words[at - 1] in lexicon.table("generic_openers")  # "as a kid"
    if kin is not None and not generic and clause.passage.speaker not in lexicon.table("assistant_speakers"):
        return Owner("kin", kin[0], at, kin[1])
    if word in _person("third"):
        return Owner("other", word, at, at + 1)
    if word in lexicon.table("unnamed_people"):
        return Owner("other", word, at, at + 1)
    return None


def _with_kin(clause: Clause, words: list[str], at: int, holder: Owner) -> Owner:
    """The relation after a possessive ("my little brother"), or the possessor itself ("my knee")."""
    for place in range(at + 1, min(at + 1 + _KIN_REACH, clause.last)):
        kin = _kin_at(words, place, clause.last)
        if kin is not None:
            if holder.kind == "user":
                return Owner("kin", kin[0], holder.first, kin[1])
            return Owner("other", f"{holder.key} {kin[0]}".strip(), holder.first, kin[1])
    return holder


def _covers(one: str, other: str) -> bool:
    covers = lexicon.table("kin_covers")
    return one == other or other in covers.get(one, ()) or one in covers.get(other, ())


def owners_differ(one: Owner, other: Owner) -> bool:
    """Whether two owners cannot be the same person: what cannot be told apart does not differ.

    >>> brother, nadia = Owner("kin", "brother"), Owner("name", "nadia")
    >>> owners_differ(brother, Owner("user")), owners_differ(brother, nadia)
    (True, False)
    """
    kinds = {one.kind, other.kind}
    if "" in kinds or "other" in kinds:
        return False
    if one.kind == other.kind:
        if one.kind == "kin":
            return not _covers(one.key, other.key)
        if one.kind == "name":
            return not set(one.key.split()) & set(other.key.split())
        return False
    return kinds != {"kin", "name"}
