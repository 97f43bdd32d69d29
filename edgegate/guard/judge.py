"""Decides one sentence of a reply: shown, or dropped, and why.

The order is fixed: safety first, then what the sentence says of memory's own work, then false denials, then claims of
remembered history. Absence of support is a reason to drop.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from edgegate.guard.claims import about_user, signs
from edgegate.guard.evidence_index import Index
from edgegate.guard.reading import Reading, read
from edgegate.guard.support import nearest_items, weigh
from edgegate.language import lexicon
from edgegate.language.cues import CueMatch
from edgegate.language.text import Sentence
from edgegate.language.values import read_now
from edgegate.records import Evidence, NearestEvidence

HELD = ("memories", "journal", "history", "threads", "facts")
SAFETY = ("consciousness", "pressure")


@dataclass(frozen=True, slots=True)
class Ruling:
    """Why a sentence is dropped: what `TextDropped` says, without the sentence."""

    family: str
    cue: str
    cue_text: str
    cite: str
    reason: str
    nearest: NearestEvidence | None = None


@cache
def _points() -> dict[str, int]:
    return dict(lexicon.table("support")["points"])


class Judge:
    """Rules over the sentences of one reply, in their order."""

    def __init__(
        self, evidence: Evidence, *, continuity: bool = True, safety: bool = True, now: str | None = None
    ) -> None:
        self._evidence = evidence
        self._continuity = continuity
        self._safety = safety
        self._now = read_now(now, "Guard.now")
        self._index: Index | None = None

    @property
    def index(self) -> Index:
        """What is held, indexed when it is first asked for."""
        if self._index is None:
            self._index = Index(self._evidence, HELD, self._now)
        return self._index

    def rule(self, sentence: Sentence) -> Ruling | None:
        """Why `sentence` must not be shown, or None."""
        reading = read(sentence.text[len(sentence.marker) :], self._now)
        if self._safety:
            ruling = self._rule_safety(reading)
            if ruling is not None:
                return ruling
        if not self._continuity or sentence.kind == "quote":
            return None
        return self._rule_history(reading)

    def rule_foreign(self, sentence: Sentence) -> Ruling | None:
        """A sentence in another language: nothing can be said of it."""
        return None

    def _rule_safety(self, reading: Reading) -> Ruling | None:
        for match in reading.cues(*SAFETY):
            return _ruling(match.cue.family, match, match.cue.note or match.cue.effect)
        return None

    def _rule_history(self, reading: Reading) -> Ruling | None:
        index = self.index
        if not about_user(reading, index):
            return None
        found = {**signs(reading, index), **weigh(reading, index)}
        if "recollection" in found and "nothing_at_all" in found:
            found["untold"] = 1
        score = points(found)
        if score < int(lexicon.table("support")["limit"]):
            return None
        ranked = nearest_items(reading, index)
        nearest = ranked[0][1].nearest() if ranked else None
        return _ruling("history", _trigger(reading), _why(found), nearest)


def points(found: dict[str, int]) -> int:
    """The points of the signs in `found`."""
    most = int(lexicon.table("support")["most"])
    return sum(weight * min(found.get(name, 0), most) for name, weight in _points().items())


def _trigger(reading: Reading) -> CueMatch | None:
    matches = reading.cues("continuity", "episode", "additive", "hearsay", "ranking")
    return min(matches, key=lambda match: (match.cue.effect != "recollection", match.first), default=None)


def _why(found: dict[str, int]) -> str:
    reasons = lexicon.table("support")["reasons"]
    weighty = [name for name in reasons if found.get(name)]
    weighty.sort(key=lambda name: -_points().get(name, 0))
    return "; ".join(reasons[name] for name in weighty[:3]) or "nothing that is held this turn supports it"


def _ruling(family: str, match: CueMatch | None, reason: str, nearest: NearestEvidence | None = None) -> Ruling:
    if match is None:
        return Ruling(family, f"{family}.specifics", "", "", reason, nearest)
    return Ruling(family, match.cue.id, match.text, match.cue.cite, reason, nearest)
