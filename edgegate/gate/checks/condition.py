"""condition: the source holds only under a condition, or only asks; the memory states it outright.

Reads the whole aligned sentence (a wide window: narrowing it to the clause was measured worse by the paper). What the
memory must hold of the sentence is its consequence; a memory that keeps the "if" in other words ("depends on",
"once", "subject to") is clean.

Sources: Huddleston & Pullum 2002, ch. 8 (conditional adjuncts) and ch. 10 (interrogatives), Quirk et al. 1985, ch. 15.
"""

from __future__ import annotations

from collections.abc import Iterator

from edgegate.gate.write import Carried, Pairing, Write, carried, change, stems, words
from edgegate.language.align import Link
from edgegate.language.cues import CueMatch
from edgegate.language.passages import Passage
from edgegate.records import Change, Severity

FAMILY = "condition"
SHARE = 0.3
"""How much of the consequence the memory must hold before the condition is missed there."""
ASKED = 0.6
"""How much of a question the memory must hold before it counts as stated."""


def condition(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for every source sentence whose condition the memory sentence dropped, or whose question it answers."""
    for link in pairing.links:
        yield from _conditional(write, pairing, link)
        yield from _question(write, pairing, link)


def _conditional(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    if kept(pairing.candidate):
        return
    for match in link.source.family(FAMILY):
        if match.cue.effect not in words("condition_in_source"):
            continue
        held = _consequence(write, pairing, link, match)
        if held.own and held.share >= SHARE:
            yield change(
                "condition",
                "dropped condition",
                Severity.REWRITE,
                f"The source says it under a condition (“{match.text}”); the memory states it outright.",
                source=link.source,
                candidate=pairing.candidate,
                tokens=held.candidate,
                cue=match,
            )
            return


def _consequence(write: Write, pairing: Pairing, link: Link, match: CueMatch) -> Carried:
    """What the memory holds of the sentence outside the condition itself."""
    _, end = link.source.clause_at(match.last - 1)
    return carried(write, pairing, link, 0, len(link.source.words), besides=range(match.first, end))


def kept(candidate: Passage) -> bool:
    """Whether the memory sentence states a condition of its own, in whatever words."""
    if any(match.cue.effect in words("condition_in_memory") for match in candidate.family(FAMILY)):
        return True
    return any(word in words("condition_words_in_memory") for word in candidate.words)


def _question(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    source = link.source
    if not source.is_question or not source.words or source.words[0] not in words("polar_openers"):
        return
    if _asks(pairing.candidate):
        return
    reply = write.reply_to(source)
    answer = "" if reply is None else reply.words[0]
    if answer in words("yes_words") or (write.spoken_by_assistant(source) and answer not in words("no_words")):
        return
    held = carried(write, pairing, link, 0, len(source.words))
    if held.own and held.share >= ASKED:
        yield change(
            "condition",
            "question read as fact",
            Severity.REWRITE,
            "The source only asks; the memory states it.",
            source=source,
            candidate=pairing.candidate,
            tokens=held.candidate,
            rule="condition.question",
            cite="Huddleston & Pullum 2002, ch. 10 (interrogatives)",
        )


def _asks(candidate: Passage) -> bool:
    """Whether the memory sentence says that something was asked or is open."""
    if candidate.is_question or any(match.cue.effect in words("open_in_memory") for match in candidate.cues):
        return True
    return any(word in stems("asking_words") for word in candidate.stems)
