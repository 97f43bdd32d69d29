"""What was so at a past time and is told as so now. Read by the temporal check.

"Back in 2019 she ran a café", "used to smoke", "I was with the choir for nine years", "we were up in Yellowknife two
years ago, came down for the schools": the memory says it in the present, without a word of the past.

Sources: Quirk et al. 1985, 4.11-4.26 (past tense), ch. 8 (time adjuncts); Vendler 1957 (states and events).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from edgegate.gate.checks.limits import FAMILY, is_long, limits, words_before
from edgegate.gate.checks.tense import goes_on, is_past_word, past_verb, tells_of_now
from edgegate.gate.write import Pairing, Write, carried, change, stems, words
from edgegate.language import lexicon
from edgegate.language.align import Link
from edgegate.language.cues import CueMatch
from edgegate.language.passages import Passage, stem
from edgegate.language.values import Date
from edgegate.records import Change, Severity

SHARE = 0.3
"""How much of what was so the memory must hold."""


def past_told_as_present(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    """What was so at a past time ("back in 2019 she ran a café", "used to smoke") and is so in the memory."""
    source, candidate = link.source, pairing.candidate
    then = past_cue(source)
    mark = past_cue(candidate)
    if mark is not None and not any(word in source.words for word in candidate.words[mark.first : mark.last]):
        return  # the memory says itself that it is past
    if then is not None and any(word in words("continuing_words") for word in source.words[then.last :]):
        return  # "I used to bake, still do"
    over = next((found for found in source.values.dates if _is_over(source, found)), None)
    ended = ended_clause(source)
    if (then is None and over is None and ended is None) or not tells_of_now(candidate):
        return
    if not goes_on(candidate) and (limits(candidate) or any(each.grain != "day" for each in candidate.values.dates)):
        return
    near = None if over is None or then is not None else source.clause_at(over.first)
    tokens: Sequence[int] = [
        there
        for here, there in link.pairs
        if _was_and_is(source, here, candidate.words[there]) and (near is None or near[0] <= here < near[1])
    ]
    if then is not None and source.words[then.first] in words("habit_openers"):
        held = carried(write, pairing, link, then.last, source.clause_at(then.first)[1])
        tokens = tokens or (held.candidate if held.own and held.share >= SHARE else ())
    clause = ended or (None if over is None else source.clause_at(over.first))
    if clause is None and then is not None:
        clause = source.clause_at(then.first)
    if not tokens and clause is not None and _lasted(source, *clause):
        held = carried(write, pairing, link, *clause)
        tokens = held.candidate if held.own and held.share >= SHARE else ()
    if tokens and not _turns_habit_round(source, candidate, then):
        yield change(
            "temporal",
            "past told as present",
            Severity.REWRITE,
            f"The source tells of the past; the memory says it of now (“{candidate.words[tokens[0]]}”).",
            source=source,
            candidate=candidate,
            tokens=tokens,
            cue=then,
            rule="temporal.past",
            cite="Quirk et al. 1985, ch. 8 (time adjuncts)",
        )


def _turns_habit_round(source: Passage, candidate: Passage, then: CueMatch | None) -> bool:
    """Whether a memory tells what came in the place of a habit ("used to hate olives, can't get enough of them now" and
    "loves olives")."""
    if then is None or source.words[then.first] not in words("habit_openers"):
        return False
    verb = next((word for at, word in source.content if at >= then.last), None)
    return verb not in candidate.stems and any(word in words("now_words") for word in source.words[then.last :])


def past_cue(source: Passage) -> CueMatch | None:
    """The cue by which a sentence tells of a time that is over, or None."""
    for match in source.family(FAMILY):
        if match.cue.effect in words("past_effects") and match.text.lower() not in words("no_past_cues"):
            return match
    return None


def ended_clause(source: Passage) -> tuple[int, int] | None:
    """The clause that says how long something in the past lasted, or until when: it is over.

    "I was with the choir for nine years", "drove a Corsa up to March", "we lived there before the kids came", "my old
    flat had a balcony", "I had a boat once".
    """
    over = _left_behind(source)
    if over is not None:
        return over
    found = (match for match in source.family(FAMILY) if match.cue.effect in words("limits_in_source"))
    loose = words("weak_limits") | words("no_limits")
    marks = [match.first for match in found if match.text.lower() not in loose]
    marks += [at for at, word in enumerate(source.words) if word in words("limit_openers")]
    for quantity in source.values.quantities:
        if is_long(quantity) and any(word in words("for_words") for word in words_before(source, quantity.first)):
            marks.append(quantity.first)
    for mark in marks:
        first, last = source.clause_at(mark)
        if mark == first and past_verb(source, first, last) is not None:
            return first, last  # "during the pandemic I baked"
        if past_verb(source, first, mark) is not None:
            return (first, mark) if any(first <= place < mark for place, _ in source.content) else (first, last)
    for at, word in enumerate(source.words):
        first, last = source.clause_at(at)
        if word in words("once_words") and at + 2 >= last and past_verb(source, first, at) is not None:
            return first, last
        perfect = (
            word in words("perfect_past")
            and source.words[at + 1 : at + 2]
            and source.words[at + 1] in words("been_words")
        )
        if perfect and any(mark > at for mark in marks):
            return first, last  # "she'd been vegan for years before"
        before = source.words[max(at - 2, first) : at]
        placed = len(before) == 2 and before[0] in words("place_openers") and before[1] in words("articles")
        if word in words("earlier_words") and placed and past_verb(source, first, at) is not None:
            return (first, at)  # "we had chickens at the old place"
        if word in words("earlier_words") and source.words[at - 1 : at] and source.words[at - 1] in words("articles"):
            verb = past_verb(source, at + 1, min(at + 5, last))
            noun = source.words[at + 1] if at + 1 < last else ""
            if verb is not None and noun not in lexicon.table("kin"):
                return first, last
    return None


def _left_behind(source: Passage) -> tuple[int, int] | None:
    """The clause of a state that another clause sets against now ("I was a chef, now I only deliver"), or that a time
    at the front places ("when we had the shop I was up at four")."""
    for first, last in source.clauses:
        at = next((at for at in range(first, last) if source.words[at] in words("state_pasts")), None)
        if at is None:
            continue
        opening = source.words[first : first + 3]
        if opening and opening[0] in words("when_words") and any(word in words("had_words") for word in opening[1:]):
            return first, len(source.words)
        when = next(
            (place for place in range(at + 1, len(source.words)) if source.words[place] in words("when_words")), 0
        )
        if when and any(word in words("had_words") for word in source.words[when + 1 : when + 4]):
            return first, when  # "had a caravan when the kids were small"
        for begin, end in source.clauses:
            now = any(word in words("now_words") for word in source.words[begin : begin + 2])
            if begin >= last and now and past_verb(source, begin, end) is None:
                return first, last
    return None


def _lasted(source: Passage, first: int, last: int) -> bool:
    """Whether a clause tells of a state or habit in the past, not of an event whose outcome holds ("moved")."""
    verb = past_verb(source, first, last)
    if verb is None:
        return False
    verbs = [word for word in source.words[first:last] if is_past_word(word)]
    return not any(stem(word) in stems("result_verbs") for word in verbs)


def _was_and_is(source: Passage, here: int, now: str) -> bool:
    """Whether a verb in the past became one in the present: "ran" and "runs", never "has run" or "running"."""
    was = source.words[here]
    before = source.words[max(here - 2, 0) : here]
    if any(word in words("second_person") for word in before):
        return False  # what the hearer did
    if was.endswith("ing") and any(word in words("going_past") for word in before):
        return now.endswith("s") and not now.endswith("ss")  # "was refusing" and "refuses"
    perfect = any(word in words("perfect_openers") for word in before)
    return was != now and is_past_word(was) and not now.endswith("ing") and not perfect


def _is_over(source: Passage, found: Date) -> bool:
    """Whether a date is a month or more that lies wholly in the past."""
    today = None if source.now is None else source.now.toordinal()
    return today is not None and found.grain in words("long_grains") and all(end < today for _, end in found.spans)
