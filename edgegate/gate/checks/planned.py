"""What was wanted, owed or begun in the source and is done in the memory. Read by the condition check.

"I keep meaning to cancel the gym" and "User cancelled the gym": the source has the deed only under a word of wanting,
owing, trying or asking, and never says that it happened.

Source: Karttunen 1971 (which complements are implied to be true, and which are left open).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from edgegate.gate.checks.tense import is_past_word
from edgegate.gate.write import Carried, Pairing, Write, carried, stems, words
from edgegate.language import lexicon
from edgegate.language.align import Link
from edgegate.language.cues import CueMatch
from edgegate.language.passages import Passage, stem

FAMILY = "unrealised"
SHARE = 0.4
"""How much of what was planned the memory must hold."""
_CHOICE = 6  # tokens between a word of looking around and what is looked for
_SOON = 200  # sentences after a plan in which "done" or "finally" can be said of it
_ACT = 4  # tokens after the cue in which the planned act stands


def told_as_done(write: Write, pairing: Pairing, link: Link) -> tuple[CueMatch, Sequence[int]] | None:
    """The word of planning in the source, with the memory's tokens that tell the plan as a deed, or None."""
    source, candidate = link.source, pairing.candidate
    if not write.is_own_voice(source) or _tells_plan(candidate):
        return None
    for match in source.family(FAMILY):
        if match.cue.effect not in words("not_done"):
            continue
        end = source.clause_at(match.last - 1)[1] if match.last < len(source.words) else len(source.words)
        end = max(end, match.scope_last)
        if not any(match.last <= place < end for place, _ in source.content):
            end = len(source.words)  # "on my list: renew the passport"
        held = carried(write, pairing, link, match.last, end)
        if not any(place >= match.last for place, _ in source.content):
            held = carried(write, pairing, link, 0, match.first)  # "signing the lease is on my list"
        if not held.own or held.share < SHARE:
            continue
        deed = done(candidate, held)
        if deed is None and match.cue.id in words("wishes_of_deeds"):
            deed = under_way(candidate, held)
        if deed is not None and not _happened(write, source, match, candidate.words[deed], held):
            return match, held.candidate
    return None


def chosen(write: Write, pairing: Pairing, link: Link) -> tuple[CueMatch, Sequence[int]] | None:
    """The word of looking around, where the memory says that a choice was made ("one of the agencies I'm looking
    into" and "chose an agency"), or None."""
    source, candidate = link.source, pairing.candidate
    if not write.is_own_voice(source) or _tells_plan(candidate):
        return None
    verbs = [
        at for at, word in candidate.content if word in stems("choosing_verbs") and is_past_word(candidate.words[at])
    ]
    if not verbs or any(word in write.index.postings for word in stems("choosing_verbs")):
        return None
    for match in source.family(FAMILY):
        near = [there for here, there in link.pairs if abs(here - match.first) <= _CHOICE]
        if match.cue.id in words("looking_cues") and near:
            return match, [verbs[0], *near]
    return None


def under_way(candidate: Passage, held: Carried) -> int | None:
    """The verb of the memory that tells as under way what these tokens speak of ("is learning Welsh"), or None."""
    for token in held.candidate:
        first, last = candidate.clause_at(token)
        for place in range(first + 1, last):
            word = candidate.words[place]
            begun = word.endswith("ing") and candidate.words[place - 1] in words("present_auxiliaries")
            stands = place in held.candidate and word.endswith("s") and word in words("dwelling_verbs")
            if (begun and stem(word) not in stems("wishing_words")) or stands:
                return place
    return None


def answer_as_done(write: Write, pairing: Pairing, link: Link) -> tuple[CueMatch, Sequence[int]] | None:
    """The word of planning in the answer to a question whose deed the memory tells as done, or None.

    "Did you sign up?" — "was all set to, then my suit split".
    """
    source, candidate = link.source, pairing.candidate
    reply = write.reply_to(source) if source.is_question else None
    if reply is None or _tells_plan(candidate):
        return None
    for match in reply.family(FAMILY):
        if match.cue.effect not in words("not_done") or match.first > _ACT + 2:
            continue
        bare = not any(match.last <= place < reply.clause_at(match.last - 1)[1] for place, _ in reply.content)
        held = carried(write, pairing, link, 0, len(source.words))
        deed = done(candidate, held)
        if held.own and held.share >= SHARE and deed is not None:
            points = any(word in words("pointing_words") for word in reply.words[match.last : match.last + _ACT])
            if (bare or points) and not _happened(write, reply, match, candidate.words[deed], held):
                return match, held.candidate
    return None


def done(candidate: Passage, held: Carried) -> int | None:
    """The past or perfect verb of the memory that speaks of these tokens, or None."""
    told = {at for match in candidate.family("attribution") for at in range(match.first, match.last)}
    for token in held.candidate:
        first, last = candidate.clause_at(token)
        for place in range(first, last):
            word = candidate.words[place]
            if place in told or word in words("past_auxiliaries") or _is_attribute(candidate, place):
                continue
            if stem(word) in stems("report_words_in_memory"):
                continue
            if is_past_word(word):
                return place
    return None


def candidate_references() -> frozenset[str]:
    """The words for the user in a memory."""
    return frozenset(lexicon.table("memory_user_words"))


def _is_attribute(candidate: Passage, place: int) -> bool:
    """Whether a past form is no main verb: no person, auxiliary or joint stands before it ("slightly raised")."""
    before = candidate.words[place - 1] if place else ""
    name = any(each.last == place for each in candidate.values.names)
    return bool(before) and not name and before not in words("deed_leads") and before not in candidate_references()


def _tells_plan(candidate: Passage) -> bool:
    """Whether the memory says itself that it is a plan, a wish, a task or a question."""
    if any(match.cue.effect in words("not_done_in_memory") for match in candidate.family(FAMILY)):
        return True
    if any(word in words("not_done_words_in_memory") for word in candidate.words):
        return True
    return any(match.cue.effect in words("hedge_in_memory") for match in candidate.family("hedge"))


def _happened(write: Write, source: Passage, match: CueMatch, deed: str, held: Carried) -> bool:
    """Whether the source says too that it came about: the deed in the past, or "managed to", "so I did"."""
    if any(each.cue.effect in words("realised_effects") for each in source.family(FAMILY)):
        return True
    act = stem(deed)
    objects = {stem(source.words[place]) for place in held.source if place < len(source.words)}
    everywhere = act in _function_stems()
    said = range(len(write.passages)) if everywhere else write.index.postings.get(act, ())
    for passage in _statements(write, said):
        for place, word in enumerate(passage.words):
            outside = passage is not source or not match.first <= place < match.last + _perfect(source, match)
            if outside and is_past_word(word) and stem(word) == act:
                return True
    # A later sentence of the same things in the past tells what came of the plan.
    same = sorted({at for word in objects for at in write.index.postings.get(word, ()) if at > source.number})
    for passage in _statements(write, same):
        if any(is_past_word(word) for word in passage.words):
            return True
    soon = range(source.number + 1, min(source.number + 1 + _SOON, len(write.passages)))
    for passage in _statements(write, soon):
        if any(each.cue.effect in words("realised_effects") for each in passage.family(FAMILY)):
            return True
        if passage.words[0] in words("deed_openers") and passage.speaker == source.speaker:
            return True
    return False


def _statements(write: Write, places: Iterable[int]) -> Iterator[Passage]:
    """The sentences at these places that don't ask."""
    for place in places:
        passage = write.passages[place]
        if not passage.is_question:
            yield passage
        write.index.release(passage)


@cache
def _function_stems() -> frozenset[str]:
    """The stems of the function words, which an index of content words lacks."""
    return frozenset(stem(word) for word in lexicon.table("function_words"))


def _perfect(source: Passage, match: CueMatch) -> int:
    """How far a perfect infinitive reaches after the word of planning ("supposed to have picked up")."""
    has = any(word in words("perfect_auxiliaries") for word in source.words[match.last : match.last + 1])
    return _ACT if has else 0
