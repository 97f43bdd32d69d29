"""owner: a fact moved to another person.

Reads the aligned clause and its speaker: what the user's brother is, does or has never becomes the user's own; what
the assistant suggests is never what the user did or said.

Sources: Quirk et al. 1985, 6.15-6.30 (personal and possessive pronouns); DESIGN's rules on who is who.
"""

from __future__ import annotations

from collections.abc import Iterator

from edgegate.gate.checks.possession import only_helped, possessed, turned_round
from edgegate.gate.checks.subjects import is_person, told_of
from edgegate.gate.checks.voices import (
    answered_of,
    named_after,
    only_advised,
    other_voice,
    restates,
    swapped,
    taken_up,
    told_to_do,
)
from edgegate.gate.write import Pairing, Write, change, stems, words
from edgegate.language import lexicon
from edgegate.language.align import Link
from edgegate.language.owners import Owner, owner
from edgegate.language.passages import Clause, Passage, stem
from edgegate.records import Change, Severity

_LITTLE = 0.3
SHARE = 0.34
"""How much of the memory sentence the other person's clause must have brought."""


def owner_changed(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change where the memory gives the user what the source says of somebody else."""
    candidate = pairing.candidate
    for source, whose, _ in (*swapped(write, pairing), *other_voice(write, pairing)):
        yield _moved_to(source, pairing, whose, "somebody else")
        return
    for source, whose in told_of(write, pairing):
        yield _moved_to(source, pairing, whose, "somebody else")
        return
    for source, whose in turned_round(write, pairing):
        yield _moved_to(source, pairing, whose, "the other side")
        return
    for source, whose in possessed(write, pairing):
        yield _moved_to(source, pairing, whose, "the user")
        return
    theirs = owner(Clause.whole(candidate), user=write.user, about=write.about)
    if theirs.kind != "user":
        return
    for source, whose in only_helped(write, pairing):
        yield _moved_to(source, pairing, whose, "the user")
        return
    for source, whose in (*answered_of(write, pairing), *named_after(write, pairing)):
        if not _mentions(whose, pairing) or whose.kind == "name":
            yield _moved_to(source, pairing, whose, "the user")
            return
    for source in (*told_to_do(write, pairing), *only_advised(write, pairing)):
        yield _moved_to(source, pairing, Owner("assistant"), "the user")
        return
    yield from _assistants_act(write, pairing)
    yield from _merged(write, pairing)
    for link in pairing.links[:1]:
        if link.weight < SHARE:
            continue
        mine = _owner_of(write, link)
        if mine is None or _mentions(mine, pairing):
            continue
        yield _moved(write, pairing, link, mine)


def _assistants_act(write: Write, pairing: Pairing) -> Iterator[Change]:
    """The memory says the user said, wanted or did what only the assistant's words hold."""
    if not any(word in stems("user_acts") for word in pairing.candidate.stems) or not pairing.links:
        return
    link = pairing.links[0]
    others = sum(each.weight for each in pairing.links if not write.spoken_by_assistant(each.source))
    if taken_up(write, link.source) or restates(write, link.source):
        return
    if write.spoken_by_assistant(link.source) and link.weight >= SHARE and others < _LITTLE:
        yield _moved(write, pairing, link, Owner("assistant"))


def _merged(write: Write, pairing: Pairing) -> Iterator[Change]:
    """What several people say of themselves becomes the user's, and none of them is the user."""
    speakers = {}
    if write.about is not None or any(passage.speaker == "user" for passage in write.passages):
        return
    for link in pairing.links:
        found = _first_person(write, link)
        if found is not None:
            speakers[found.key] = (link, found)
    if len(speakers) > 1:
        link, found = next(iter(speakers.values()))
        yield _moved(write, pairing, link, found)


def _first_person(write: Write, link: Link) -> Owner | None:
    """The named speaker who says the linked clause of themselves, or None."""
    for here, _ in link.pairs:
        first, last = link.source.clause_at(here)
        found = owner(Clause(link.source, first, last), user=write.user)
        if found.kind == "name" and found.key == link.source.speaker:
            return found
    return None


def _moved_to(source: Passage, pairing: Pairing, whose: Owner, now: str) -> Change:
    return change(
        "owner",
        "changed owner",
        Severity.REJECT,
        f"The source says it of {whose.label}; the memory says it of {now}.",
        source=source,
        candidate=pairing.candidate,
        rule="owner.changed",
        cite="Quirk et al. 1985, 6.15-6.30",
    )


def _moved(write: Write, pairing: Pairing, link: Link, mine: Owner) -> Change:
    return _moved_to(link.source, pairing, mine, "the user")


def _owner_of(write: Write, link: Link) -> Owner | None:
    """The third person whose fact the linked clause states, or None where it may be the user's."""
    if link.source.speaker not in words("user_speakers"):
        return None
    weights: dict[tuple[int, int], float] = {}
    places = {here for here, _ in link.pairs}
    for place, word in link.source.content:
        if place in places:
            clause = link.source.clause_at(place)
            weights[clause] = weights.get(clause, 0.0) + write.index.weight(word)
    if not weights:
        return None
    first, last = max(weights, key=lambda each: weights[each])
    if any(word in words("speaker_objects") for at in places for word in link.source.words[max(at - 1, first) : at]):
        return None  # "my mum made me learn the piano": the user is in it
    found = owner(Clause(link.source, first, last), user=write.user)
    verb = 0 if found.last is None else found.last + 1
    if found.kind == "kin" and any(is_person(word) for word in link.source.words[verb - 1 : verb]):
        return None  # "ma doctor": a kinship term before a noun for a person is "my"
    told = any(each.first <= verb <= each.last for each in link.source.family("attribution"))
    if not told and any(word in words("speaker_objects") for word in link.source.words[verb : verb + 2]):
        return None  # "coach has me at left back"
    if found.kind == "other" and found.key in words("third_persons"):
        found = _meant(write, link) or found
    return found if found.kind == "kin" else None


def _meant(write: Write, link: Link) -> Owner | None:
    """Who "she" is: the relation that the sentence before, in the same turn, is about."""
    before = write.before(link.source)
    found = None if before is None else owner(Clause.whole(before), user=write.user)
    return found if found is not None and found.kind == "kin" else None


def _mentions(mine: Owner, pairing: Pairing) -> bool:
    """Whether the memory sentence names that person after all."""
    keys = {mine.key, *mine.key.split()}
    if any(stem(key) in pairing.candidate.stems for key in keys):
        return True
    plain = {word.removesuffix("'s") for word in pairing.candidate.words}
    kin = lexicon.table("kin")
    if any(kin.get(word) == kin.get(mine.key, mine.key) for word in plain if word in kin):
        return True  # "my nan's scones" and "the grandmother's"
    return bool(plain & keys) or bool(plain & words("third_persons"))
