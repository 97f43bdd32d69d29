"""hedge: the source was unsure, the memory is flat.

Reads the aligned sentence and its neighbours, because hedges float across sentence ends ("Alice has admin. Not sure
though."). A hedge counts only for the words it governs: in "I'm allergic to articaine, maybe to latex" the first
allergy is certain.

Sources: Hyland 1998 (hedging), Palmer 2001 (epistemic modality), the paper's window (factwash, appendix C).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from edgegate.gate.checks.attribution import turned_out
from edgegate.gate.checks.beside import asks_of, kept_elsewhere, own_matter
from edgegate.gate.checks.tense import is_past_word
from edgegate.gate.checks.voices import restates, taken_up
from edgegate.gate.write import (
    Carried,
    Pairing,
    Write,
    asks_why,
    carried,
    change,
    cue_words,
    floating,
    nearest_held,
    repeats,
    segment,
    stems,
    words,
)
from edgegate.language import lexicon
from edgegate.language.align import Link
from edgegate.language.cues import CueMatch
from edgegate.language.passages import Passage, stem
from edgegate.language.values import relate_quantities
from edgegate.records import Change, Severity

FAMILY = "hedge"
SHARE = 0.3
"""How much of what a hedge governs the memory must hold before the hedge is missed there."""


def hedge_dropped(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for every source sentence whose hedge the memory sentence dropped."""
    for link in pairing.links:
        if write.about is not None and not write.is_own_voice(link.source):
            continue  # what somebody else is unsure of says nothing about how sure this person is
        if write.spoken_by_assistant(link.source) and (
            (_tells_own_deed(pairing.candidate) and taken_up(write, link.source)) or restates(write, link.source)
        ):
            continue  # what was only suggested is done, or was said by the user first
        for match in link.source.family(FAMILY):
            if not is_hedge(match) or asks_why(link.source, match) or _only_asked(write, link.source):
                continue
            if turned_out(write, link.source, match) or _concedes(link.source, match) or _judges(link.source, match):
                continue
            if write.repeats(link.source):
                continue  # the hedged sentence stands in the memory word for word
            scope = governed(link.source, match)
            held = carried(write, pairing, link, *scope, cue_words(match))
            if not held.telling or not _says_it(link.source, match, held):
                continue
            enough = held.share >= SHARE or nearest_held(link.source, match, held, *scope)
            if held.own and enough and not kept(write, link.source, pairing.candidate, match, held.candidate):
                if kept_elsewhere(write, pairing, link, partial(kept, write, link.source, match=match)):
                    continue
                yield lost(link.source, match, pairing.candidate, held.candidate)
                break
        else:
            yield from _floating(write, pairing, link)


def _tells_own_deed(candidate: Passage) -> bool:
    """Whether the memory says that the user did something, is doing it or will."""
    users = lexicon.table("memory_user_words")
    for at, word in enumerate(candidate.words):
        subject = at == 0 or candidate.words[at - 1] in users
        if subject and (is_past_word(word) or word in words("will_words")):
            return True
        following = candidate.words[at + 1 : at + 2]
        if subject and word in words("present_auxiliaries") and any(each.endswith("ing") for each in following):
            return True
    return False


def _says_it(source: Passage, match: CueMatch, held: Carried) -> bool:
    """Whether the memory holds some of what is hedged, not its subject alone ("the turtles might be small")."""
    _, end = source.clause_at(match.last - 1)
    after = [place for place, _ in source.content if match.last <= place < end]
    return not after or any(place in held.source for place in after) or not any(p < match.first for p in held.source)


def _only_asked(write: Write, source: Passage) -> bool:
    """Whether another speaker's question holds the hedge, and the next turn answers it: the answer is what counts."""
    return source.is_question and not write.is_own_voice(source) and write.reply_to(source) is not None


def _judges(source: Passage, match: CueMatch) -> bool:
    """Whether a cue stands before a superlative, which only a speaker's taste is about ("probably the best curry"), or
    in a question of the speaker's own, which claims nothing."""
    after = source.words[match.last : match.last + 2]
    superlative = after[1:] != [] and after[0] in words("articles") and after[1] in words("superlatives")
    return superlative or (source.is_question and source.words[0] in words("polar_openers"))


def _concedes(source: Passage, match: CueMatch) -> bool:
    """Whether a modal grants a state that is so, before what holds all the same ("I may be 70 but I still surf").

    What only may happen is not granted: "I might move to Porto, but I'm not sure yet".
    """
    _, end = source.clause_at(match.last - 1)
    mine = match.first > 0 and source.words[match.first - 1] in words("speaker_words")
    modal = mine and match.text.lower() in words("conceding_modals")
    granted = match.text.lower().split()[-1:] + source.words[match.last : match.last + 2]
    _, answer = source.clause_at(end) if end < len(source.words) else (end, end)
    return (
        modal
        and not words("granted_states").isdisjoint(granted[:2])
        and not any(word.endswith("ing") for word in granted)  # "we might be moving"
        and source.words[end : end + 1] != []
        and source.words[end] in words("contrasts")
        and not words("all_the_same").isdisjoint(source.words[end:answer])
    )


def _floating(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    source, tokens = link.source, [there for _, there in link.pairs]
    if source.is_question and not asks_of(source, [here for here, _ in link.pairs]):
        return  # "will I need chains in Andorra?" — "perhaps": that one goes there is sure
    for near, match in floating(write, source, FAMILY):
        if match.cue.id in words("hopes") and any(is_past_word(word) for word in source.words):
            continue  # "reset done, beep gone. touch wood": it stays so, one hopes; that it is so is sure
        if is_hedge(match) and not write.repeats(near) and not kept(write, near, pairing.candidate, match, tokens):
            yield lost(source, match, pairing.candidate, tokens)
            return


def kept(write: Write, source: Passage, candidate: Passage, match: CueMatch, tokens: Sequence[int] = ()) -> bool:
    """Whether the memory is hedged too, in whatever words, where these tokens stand (anywhere where none are given).

    A word that the source has outside its hedge ("she wants to") is the fact itself and keeps nothing.
    """
    beside = (each.cue.effect in words("hedge_in_memory") for _, each in floating(write, candidate, FAMILY))
    if repeats(candidate, match) or any(beside) or _keeps_amounts(source, candidate, match):
        return True
    first, last = segment(candidate, tokens)
    inside = candidate.words[first:last]
    hedged = {place for each in source.family(FAMILY) if is_hedge(each) for place in cue_words(each)}
    own = cue_words(match)
    said = {stem(word) for place, word in enumerate(source.words) if place not in hedged and place not in own}
    if any(word in lexicon.table("gate")["hedge_kept_by"].get(match.cue.id, ()) for word in inside):
        return True
    for each in candidate.family(FAMILY, "attribution"):
        effects = "hedge_in_memory" if each.cue.family == FAMILY else "belief_in_memory"
        if each.cue.id in words("no_hedge_in_memory"):
            continue
        fresh = any(stem(candidate.words[place]) not in said for place in cue_words(each))
        if first <= each.first < last and each.cue.effect in words(effects) and fresh:
            return True
    if any(word in words("hedge_forms_in_memory") and stem(word) not in said for word in inside):
        return True
    return any(
        first <= place < last and word in stems("hedge_words_in_memory") and word not in said
        for place, word in candidate.content
    )


def _keeps_amounts(source: Passage, candidate: Passage, match: CueMatch) -> bool:
    """Whether the memory has both ends of a range ("between 40 and 70" and "40 to 70"), or what is only about so much
    beside the same amount in another unit, which is exact ("1.88 m (6 ft 2 in)")."""
    if match.cue.effect not in words("amount_effects"):
        return False
    theirs = candidate.values
    mine = {number.value for number in source.values.numbers if match.first <= number.first < match.last}
    if len(mine) > 1:
        return mine <= {number.value for number in theirs.numbers}
    near = [each for each in source.values.quantities if match.first <= each.first <= match.last]
    return any(sum(relate_quantities(each, other) == "same" for other in theirs.quantities) > 1 for each in near)


def is_hedge(match: CueMatch) -> bool:
    """Whether a cue leaves a claim open: doubt, or a wish that nothing has come of yet; no firm plan and no habit."""
    if match.cue.effect in words("hedge_in_source") or match.cue.id in words("wishes_in_source"):
        return True
    return match.cue.id in words("wishes_to_do") and match.text.lower().endswith("ing")


def governed(source: Passage, match: CueMatch) -> tuple[int, int]:
    """The tokens a hedge speaks of: its scope; for one that holds for a whole sentence, what follows in its clause, or
    the clause beside it where nothing does ("Tetanus was 2018, if memory serves.")."""
    if (match.scope_first, match.scope_last) != (0, len(source.words)):
        return match.scope_first, min(match.scope_last, _next_statement(source, match))
    first, last = source.clause_at(match.last - 1)
    contrast = first and source.words[first] in words("contrasts")
    says = any(match.last <= place < last for place, _ in source.content)
    if (says and not contrast) or any(word in words("nominatives") for word in source.words[match.last : last]):
        return match.last, last
    if not contrast and any(first <= place < match.first for place, _ in source.content):
        return first, match.first
    if first and any(place >= last for place, _ in source.content):
        return 0, len(source.words)  # between two commas it speaks of both sides
    return (0, first) if first else (last, len(source.words))


def _next_statement(source: Passage, match: CueMatch) -> int:
    """Where a statement of its own begins behind a comma ("I think it's sad, they tarmacked the pitch"), or where the
    speaker turns to a matter of their own; the end where there is none."""
    end = own_matter(source, match.last)
    if any(match.last <= each.first < end for each in source.family("condition")):
        return len(source.words)  # "I think that if it rains, we stay"
    for at in range(match.last + 2, end - 1):
        if source.words[at] == "," and source.words[at + 1] in words("statement_openers"):
            said = [place for place, _ in source.content if match.last <= place < at]
            if said:
                return at
    return end


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
