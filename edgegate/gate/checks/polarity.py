"""polarity: denied in the source and asserted in the memory, or the reverse.

Reads the aligned clause alone: a "not" next door denies nothing here (the paper's window, factwash, appendix D).
Two negations make an assertion; a memory that says the opposite in other words ("isn't in person", "remotely") shares
no denied word with its source and is left alone.

Source: Huddleston & Pullum 2002, ch. 9 (negation, scope and focus).
"""

from __future__ import annotations

from collections.abc import Iterator

from edgegate.gate.write import Pairing, Write, carried, change, cue_words
from edgegate.language.align import Link
from edgegate.language.compare import denied, negations
from edgegate.language.passages import Clause
from edgegate.records import Change, Severity

SHARE = 0.34
"""How much of what is denied the memory must hold."""


def polarity(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for every source sentence whose denial the memory sentence turned round."""
    for link in pairing.links:
        yield from _forward(write, pairing, link)
        yield from _backward(write, pairing, link)


def _forward(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    """Denied there, asserted here."""
    source, candidate = Clause.whole(link.source), Clause.whole(pairing.candidate)
    if negations(candidate):
        return
    for match in negations(source):
        held = carried(write, pairing, link, match.scope_first, match.scope_last, cue_words(match))
        places = [place for place in held.source if denied(source, place) is not None]
        if held.own and held.share >= SHARE and places:
            yield change(
                "polarity",
                "reversed polarity",
                Severity.REJECT,
                f"The source denies it (“{match.text}”); the memory asserts it.",
                source=link.source,
                candidate=pairing.candidate,
                tokens=held.candidate,
                cue=match,
            )
            return


def _backward(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    """Asserted there, denied here."""
    source, candidate = Clause.whole(link.source), Clause.whole(pairing.candidate)
    if negations(source):
        return
    for match in negations(candidate):
        stems = link.source.stems
        inside = [
            (place, word)
            for place, word in pairing.candidate.content
            if match.scope_first <= place < match.scope_last and not match.first <= place < match.last
        ]
        total = sum(write.index.weight(word) for _, word in inside)
        held = [(place, word) for place, word in inside if word in stems]
        share = sum(write.index.weight(word) for _, word in held) / total if total else 0.0
        own = {there for _, there in link.pairs}
        if share >= SHARE and any(place in own for place, _ in held):
            yield change(
                "polarity",
                "reversed polarity",
                Severity.REJECT,
                f"The source asserts it; the memory denies it (“{match.text}”).",
                source=link.source,
                candidate=pairing.candidate,
                tokens=[place for place, _ in held],
                cue=match,
            )
            return
