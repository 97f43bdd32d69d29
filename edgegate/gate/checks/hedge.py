"""hedge: the source was unsure, the memory is flat.

Reads the aligned sentence and its neighbours, because hedges float across sentence ends ("Alice has admin. Not sure
though."). A hedge counts only for the words it governs: in "I'm allergic to articaine, maybe to latex" the first
allergy is certain.

Sources: Hyland 1998 (hedging), Palmer 2001 (epistemic modality), the paper's window (factwash, appendix C).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from edgegate.gate.write import Pairing, Write, carried, change, cue_words, floating, words
from edgegate.language.cues import CueMatch
from edgegate.language.passages import Passage
from edgegate.records import Change, Severity

FAMILY = "hedge"
SHARE = 0.34
"""How much of what a hedge governs the memory must hold before the hedge is missed there."""


def hedge(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for every source sentence whose hedge the memory sentence dropped."""
    for link in pairing.links:
        for match in link.source.family(FAMILY):
            if match.cue.effect not in words("hedge_in_source"):
                continue
            held = carried(write, pairing, link, match.scope_first, match.scope_last, cue_words(match))
            if held.own and held.share >= SHARE and not kept(pairing.candidate, held.candidate):
                yield lost(link.source, match, pairing.candidate, held.candidate)
                break
        else:
            yield from _floating(write, pairing, link.source, [there for _, there in link.pairs])


def _floating(write: Write, pairing: Pairing, source: Passage, tokens: Sequence[int]) -> Iterator[Change]:
    for match in floating(write, source, FAMILY):
        if match.cue.effect in words("hedge_in_source") and not kept(pairing.candidate, tokens):
            yield lost(source, match, pairing.candidate, tokens)
            return


def kept(candidate: Passage, tokens: Sequence[int]) -> bool:
    """Whether the memory sentence is hedged where these tokens stand."""
    return any(match.cue.effect in words("hedge_in_memory") for match in candidate.family(FAMILY))


def lost(source: Passage, match: CueMatch, candidate: Passage, tokens: Sequence[int]) -> Change:
    detail = f"The source is unsure (“{match.text}”); the memory states it as certain."
    return change(
        "hedge",
        "strengthened certainty",
        Severity.REWRITE,
        detail,
        source=source,
        candidate=candidate,
        tokens=tokens,
        cue=match,
    )
