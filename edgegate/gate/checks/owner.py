"""owner: a fact moved to another person.

Reads the aligned clause and its speaker: what the user's brother is, does or has never becomes the user's own; what
the assistant suggests is never what the user did or said.

Sources: Quirk et al. 1985, 6.15-6.30 (personal and possessive pronouns); DESIGN's rules on who is who.
"""

from __future__ import annotations

from collections.abc import Iterator

from edgegate.gate.write import Pairing, Write, change, words
from edgegate.language.align import Link
from edgegate.language.owners import Owner, owner
from edgegate.language.passages import Clause
from edgegate.records import Change, Severity

SHARE = 0.34
"""How much of the memory sentence the other person's clause must have brought."""


def owner_changed(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change where the memory gives the user what the source says of somebody else."""
    candidate = pairing.candidate
    theirs = owner(Clause.whole(candidate), user=write.user, about=write.about)
    if theirs.kind != "user":
        return
    for link in pairing.links[:1]:
        if link.weight < SHARE:
            continue
        mine = _owner_of(write, link)
        if mine is None or _mentions(mine, pairing):
            continue
        yield change(
            "owner",
            "changed owner",
            Severity.REJECT,
            f"The source says it of {mine.label}; the memory says it of the user.",
            source=link.source,
            candidate=candidate,
            rule="owner.changed",
            cite="Quirk et al. 1985, 6.15-6.30",
        )


def _owner_of(write: Write, link: Link) -> Owner | None:
    """The third person whose fact the linked clauses state, or None where it may be the user's."""
    tokens = [here for here, _ in link.pairs]
    found = []
    for first, last in link.source.clauses:
        if any(first <= token < last for token in tokens):
            found.append(owner(Clause(link.source, first, last), user=write.user, about=write.about))
    kinds = {each.kind for each in found}
    if not found or kinds & {"user", "other", ""}:
        return None
    if link.source.speaker in words("user_speakers") and kinds <= {"kin"}:
        return found[0]
    return None


def _mentions(mine: Owner, pairing: Pairing) -> bool:
    """Whether the memory sentence names that person after all."""
    keys = {mine.key, *mine.key.split()}
    return any(word.removesuffix("'s") in keys or word in pairing.candidate.stems for word in keys) or any(
        owner_word.removesuffix("'s") in words("third_persons") for owner_word in pairing.candidate.words
    )
