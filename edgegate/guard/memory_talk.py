"""What a reply says of memory's own work: "noted", "I've saved that", "reminder set", "I'll remember".

Only what memory really did this turn (`Evidence.writes`) can support it. What other tools did (`Evidence.actions`) is
not memory's work; a sentence about it that looks like a save is supported by it all the same.
"""

from __future__ import annotations

from edgegate.guard.evidence_index import Index, Item
from edgegate.guard.reading import Reading, light, words_of
from edgegate.language import lexicon
from edgegate.language.cues import CueMatch

FAMILY = "memory"
KEPT = "save_claim"
FORGOTTEN = "forget_claim"


def unsupported(reading: Reading, writes: Index, actions: Index) -> CueMatch | None:
    """The first thing the sentence says that memory did or will do, and that no write of this turn supports.

    Each clause answers for itself: what one denies does not excuse what the next one claims.
    """
    for match in reading.cues(FAMILY):
        if match.cue.effect not in words_of("memory_effects") or _denied(reading, match):
            continue
        if _says_nothing_is_kept(reading, match):
            if any(is_kind(item.reading, KEPT) for item in writes.items):
                return match
        elif (
            _supporting(reading, match, writes, by_kind=True) is None
            and _supporting(reading, match, actions, by_kind=False) is None
        ):
            return match
    return None


def supported(reading: Reading, writes: Index, actions: Index) -> tuple[CueMatch, Item | None, Index] | None:
    """The first thing the sentence says that memory did, in a sentence where all of it is supported, and by what.

    The item is None where the sentence says that nothing is kept, and nothing is.
    """
    for match in reading.cues(FAMILY):
        if match.cue.effect not in words_of("memory_effects") or _denied(reading, match):
            continue
        if _says_nothing_is_kept(reading, match):
            return match, None, writes
        for index, by_kind in ((writes, True), (actions, False)):
            item = _supporting(reading, match, index, by_kind=by_kind)
            if item is not None:
                return match, item, index
    return None


def _says_nothing_is_kept(reading: Reading, match: CueMatch) -> bool:
    """ "Nothing is saved", "I won't store it": true as long as memory kept nothing."""
    return match.cue.id in words_of("absence_cues") and any(
        match.first <= negation.first < match.last for negation in reading.cues("negation")
    )


def _denied(reading: Reading, match: CueMatch) -> bool:
    first, last = reading.passage.clause_at(match.first)
    return any(
        first <= negation.first < last and not match.first <= negation.first < match.last
        for negation in reading.cues("negation")
    )


def _supporting(reading: Reading, match: CueMatch, index: Index, *, by_kind: bool) -> Item | None:
    """The item of `index` that is of the claim's kind and holds what the claim is about, where it says that."""
    words = _about(reading, match)
    numbers = [key for key, at in reading.numbers.items() if match.scope_first <= at < match.scope_last]
    for item in index.items:
        if by_kind and not is_kind(item.reading, match.cue.effect):
            continue
        if any(key not in item.reading.numbers for key in numbers):
            continue
        held = sum(
            any(form in item.reading.content or form in item.reading.names for form in index.forms(word))
            for word in words
        )
        if 2 * held >= len(words) and (held or by_kind):
            return item
    return None


def _about(reading: Reading, match: CueMatch) -> list[str]:
    """The specific words of the clause that are not the cue's own; what a cue has behind "your" is not its own."""
    first, last = reading.passage.clause_at(match.first)
    owned = _owned(reading, match)
    return [
        word
        for word, at in reading.content.items()
        if first <= at < last
        and (at in owned or not match.first <= at < match.last)
        and word not in light()
        and word not in words_of("memory_words")
    ]


def _owned(reading: Reading, match: CueMatch) -> set[int]:
    """The places inside a cue that name what is the user's: "gate code" in "saved your gate code for"."""
    content = set(reading.content.values())
    found: set[int] = set()
    for at in range(match.first, match.last):
        here = reading.words[at - 1] if at > match.first else ""
        if at in content and (at - 1 in found or here in words_of("owners")):
            found.add(at)
    return found


def is_kind(write: Reading, effect: str) -> bool:
    """Whether a write is of the kind that a claim with this effect tells of."""
    wanted = lexicon.table("support")["write_kinds"].get(effect, ())
    return any(word in wanted for word in write.words)
