"""hedge: the source was unsure, the memory is flat.

Reads the aligned sentence and its neighbours, because hedges float across sentence ends ("Alice has admin. Not sure
though."). A hedge counts only for the words it governs: in "I'm allergic to articaine, maybe to latex" the first
allergy is certain.

Sources: Hyland 1998 (hedging), Palmer 2001 (epistemic modality), the paper's window (factwash, appendix C).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from edgegate.gate.write import Pairing, Write, carried, change, cue_words, floating, stems, words
from edgegate.language import lexicon
from edgegate.language.cues import CueMatch
from edgegate.language.passages import Passage
from edgegate.records import Change, Severity

FAMILY = "hedge"
SHARE = 0.34
"""How much of what a hedge governs the memory must hold before the hedge is missed there."""


def hedge_dropped(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for every source sentence whose hedge the memory sentence dropped."""
    for link in pairing.links:
        for match in link.source.family(FAMILY):
            if match.cue.effect not in words("hedge_in_source"):
                continue
            held = carried(write, pairing, link, match.scope_first, match.scope_last, cue_words(match))
            if held.own and held.share >= SHARE and not kept(pairing.candidate, match):
                yield lost(link.source, match, pairing.candidate, held.candidate)
                break
        else:
            yield from _floating(write, pairing, link.source, [there for _, there in link.pairs])


def _floating(write: Write, pairing: Pairing, source: Passage, tokens: Sequence[int]) -> Iterator[Change]:
    for match in floating(write, source, FAMILY):
        if match.cue.effect in words("hedge_in_source") and not kept(pairing.candidate, match):
            yield lost(source, match, pairing.candidate, tokens)
            return


def kept(candidate: Passage, match: CueMatch) -> bool:
    """Whether the memory sentence is hedged too, in whatever words."""
    if any(word in lexicon.table("gate")["hedge_kept_by"].get(match.cue.id, ()) for word in candidate.words):
        return True
    if any(match.cue.effect in words("hedge_in_memory") for match in candidate.family(FAMILY)):
        return True
    if any(match.cue.effect in words("belief_in_memory") for match in candidate.family("attribution")):
        return True
    if any(word in words("hedge_forms_in_memory") for word in candidate.words):
        return True
    return any(word in stems("hedge_words_in_memory") for word in candidate.stems)


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
