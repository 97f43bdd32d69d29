"""Why a claim stays, and which words a claim and a piece of evidence have in common.

A sentence that is dropped says why by itself. A claim that stays is explained only where somebody asks for it
(`Guard(explain=True)`), and then in the same terms: its cue, its reason, the nearest evidence and the shared words.
"""

from __future__ import annotations

from dataclasses import dataclass

from edgegate.guard.claims import only_directs
from edgegate.guard.evidence_index import Index, Item
from edgegate.guard.reading import Reading, light, words_of
from edgegate.language import lexicon
from edgegate.language.cues import CueMatch
from edgegate.records import NearestEvidence, Quote, Shared

MOST = 32  # pairs of words that are marked
CLAIM = 3  # points of the signs of a claim from which a sentence counts as one


@dataclass(frozen=True, slots=True)
class Kept:
    """Why a claim stays: what `ClaimKept` says, without the sentence."""

    family: str
    cue: str
    cue_text: str
    cite: str
    reason: str
    nearest: NearestEvidence | None = None


def pairs(reading: Reading, item: Item, index: Index) -> list[tuple[int, int]]:
    """Which token of a sentence stands for which token of `item`: content words, names, numbers, weekdays.

    >>> from edgegate.guard.evidence_index import collect
    >>> from edgegate.guard.reading import read
    >>> from edgegate.records import Evidence
    >>> index = Index(collect(Evidence(memories=["Her mum moved to Ulm"]), ["memories"]))
    >>> pairs(read("Your mother lives in Ulm."), index.items[0], index)
    [(1, 1), (4, 4)]
    """
    there, found = item.reading, set[tuple[int, int]]()
    for word, at in reading.content.items():
        forms = [word] if word in light() else index.forms(word)  # general words stand for themselves alone
        found.update((at, there.content[form]) for form in forms if form in there.content)
    for mine, theirs in ((reading.names, there.names), (reading.numbers, there.numbers)):
        found.update((at, theirs[key]) for key, at in mine.items() if key in theirs)
    found.update((at, there.weekdays[day]) for day, at in reading.weekdays.items() if day in there.weekdays)
    return sorted(found)[:MOST]


def point(reading: Reading, item: Item, index: Index, sentence: str) -> NearestEvidence:
    """`item` as an event names it, with the words that `sentence` (its marker included) shares with it."""
    mine, theirs = reading.passage.tokens, item.reading.passage.tokens
    shift = len(sentence) - len(mine.text)
    shared = tuple(
        Shared(
            Quote.of(sentence, mine.starts[here] + shift, mine.ends[here] + shift),
            Quote.of(item.text, theirs.starts[there], theirs.ends[there]),
        )
        for here, there in pairs(reading, item, index)
    )
    return NearestEvidence(item.kind, item.number, item.text, shared)


def is_claim(reading: Reading, found: dict[str, int], index: Index) -> bool:
    """Whether a sentence with these signs says something of the user's own life that evidence could be asked about."""
    if "elsewhere" in found or only_directs(found):
        return False
    weights = lexicon.table("support")["points"]
    weight = sum(weights.get(name, 0) * found.get(name, 0) for name in words_of("claim_signs"))
    return weight >= CLAIM or "recollection" in found or bool(reading.names.keys() & index.names)


def reason(found: dict[str, int], held: bool) -> str:
    """Why a claim with these signs stays, in words; `held` tells that nothing weighs against every word of it."""
    reasons = lexicon.table("support")["kept_reasons"]
    if "nothing_at_all" in found or not found.get("held"):
        return str(reasons["vague"])
    return str(reasons["whole" if held or not found.get("unheld") else "partly"])


def kept(reading: Reading, match: CueMatch | None, why: str, nearest: NearestEvidence | None, family: str) -> Kept:
    """The explanation of a claim that stays, named by its cue or, where it has none, by its particulars."""
    if match is None:
        return Kept(family, f"{family}.specifics", "", "", why, nearest)
    return Kept(family, match.cue.id, match.text, match.cue.cite, why, nearest)
