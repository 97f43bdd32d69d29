"""attribution: the source says who said it, or where it came from; the memory states it on its own authority.

Reads the aligned sentence, and the next one when that only says where this came from ("That's from the postman.").
The speaker's own words ("I said") are no attribution.

Sources: Huddleston & Pullum 2002, ch. 11 (reported speech), Aikhenvald 2004 (evidentiality).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from edgegate.gate.write import Pairing, Write, carried, change, cue_words, floating, words
from edgegate.language.cues import CueMatch
from edgegate.language.passages import Passage
from edgegate.records import Change, Severity

FAMILY = "attribution"
SHARE = 0.34
"""How much of what was told the memory must hold before the teller is missed there."""


def attribution(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for every source sentence whose source of knowledge the memory sentence dropped."""
    for link in pairing.links:
        for match in link.source.family(FAMILY):
            if match.cue.effect not in words("attribution_in_source"):
                continue
            held = carried(write, pairing, link, match.scope_first, match.scope_last, cue_words(match))
            if held.own and held.share >= SHARE and not kept(pairing.candidate):
                yield lost(link.source, match, pairing.candidate, held.candidate)
                break
        else:
            yield from _floating(write, pairing, link.source, [there for _, there in link.pairs])


def _floating(write: Write, pairing: Pairing, source: Passage, tokens: Sequence[int]) -> Iterator[Change]:
    for match in floating(write, source, FAMILY):
        if match.cue.effect in words("attribution_in_source") and not kept(pairing.candidate):
            yield lost(source, match, pairing.candidate, tokens)
            return


def kept(candidate: Passage) -> bool:
    """Whether the memory sentence says where it came from."""
    return any(match.cue.effect in words("attribution_in_memory") for match in candidate.family(FAMILY))


def lost(source: Passage, match: CueMatch, candidate: Passage, tokens: Sequence[int]) -> Change:
    detail = f"The source says where this came from (“{match.text}”); the memory states it as established."
    return change(
        "attribution",
        "dropped attribution",
        Severity.REWRITE,
        detail,
        source=source,
        candidate=candidate,
        tokens=tokens,
        cue=match,
    )
