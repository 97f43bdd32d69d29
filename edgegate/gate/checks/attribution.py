"""attribution: the source says who said it, or where it came from; the memory states it on its own authority.

Reads the aligned sentence, and the next one when that only says where this came from ("That's from the postman.").
The speaker's own words ("I said") are no attribution.

Sources: Huddleston & Pullum 2002, ch. 11 (reported speech), Aikhenvald 2004 (evidentiality).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from edgegate.gate.checks.beside import kept_elsewhere, own_matter
from edgegate.gate.checks.subjects import before, is_person
from edgegate.gate.checks.tense import is_past_word
from edgegate.gate.write import (
    Pairing,
    Write,
    carried,
    change,
    cue_words,
    floating,
    is_function,
    nearest_held,
    repeats,
    segment,
    stems,
    words,
)
from edgegate.language.compare import denied
from edgegate.language.cues import CueMatch
from edgegate.language.passages import Clause, Passage, stem
from edgegate.records import Change, Severity

FAMILY = "attribution"
_ORDER = 6  # tokens between a verb of telling and what is to be done
_BRACKET = 5  # tokens of a bracket that names a source
_FAR = 16  # tokens between a teller and a verb that another verb shares with it
SHARE = 0.3
"""How much of what was told the memory must hold before the teller is missed there."""


def attribution(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for every source sentence whose source of knowledge the memory sentence dropped."""
    for link in pairing.links:
        for match in link.source.family(FAMILY):
            if not told(link.source, match) or turned_out(write, link.source, match) or write.repeats(link.source):
                continue
            if link.source.is_question and not write.is_own_voice(link.source):
                continue  # "would she know?" asks the user and tells nothing
            scope = complement(link.source, match)
            held = carried(write, pairing, link, *scope)
            enough = held.share >= SHARE or (_is_voice(match) and nearest_held(link.source, match, held, *scope))
            if held.own and enough and not kept(write, link.source, pairing.candidate, match, held.candidate):
                if kept_elsewhere(write, pairing, link, partial(kept, write, link.source, match=match)):
                    continue
                yield lost(link.source, match, pairing.candidate, held.candidate)
                break
        else:
            yield from _floating(write, pairing, link.source, [there for _, there in link.pairs])


def _floating(write: Write, pairing: Pairing, source: Passage, tokens: Sequence[int]) -> Iterator[Change]:
    for near, match in floating(write, source, FAMILY):
        if told(near, match) and not write.repeats(near) and not kept(write, near, pairing.candidate, match, tokens):
            yield lost(source, match, pairing.candidate, tokens)
            return


def turned_out(write: Write, source: Passage, match: CueMatch) -> bool:
    """Whether the speaker goes on to say that it was so ("and it was, I've got it here")."""
    after = write.after(source)
    rest = [*source.words[match.last :], *([] if after is None else after.words)]
    text = f" {' '.join(word for word in rest if word[0].isalnum())} "
    return any(f" {phrase} " in text for phrase in words("confirmations"))


def _is_voice(match: CueMatch) -> bool:
    """Whether a cue names a person's word rather than a document's."""
    return match.cue.effect not in words("document_effects")


def complement(source: Passage, match: CueMatch) -> tuple[int, int]:
    """What was told: the sentence after the cue, or the one before it where nothing follows in the clause ("..., the
    technician told me")."""
    _, end = source.clause_at(match.last - 1)
    if any(match.last <= place < end for place, _ in source.content):
        return match.last, own_matter(source, match.last)
    first, _ = source.clause_at(match.first)
    if first:
        return 0, first
    alone = not any(source.words[place][0].isalnum() for place in range(match.last, end))
    return (end, len(source.words)) if alone else (match.last, match.last)  # "Word on the street: ..."


def told(source: Passage, match: CueMatch) -> bool:
    """Whether a cue says that somebody other than the speaker told it: no naming, no singing, no "Noted:"."""
    if match.cue.effect not in words("attribution_in_source") or denied(Clause.whole(source), match.first) is not None:
        return False  # "can't complain", "I didn't say Wednesday"
    said = source.words[match.first : match.last] if match.cue.id in words("verb_cues") else []
    if any(word in words("no_reports") for word in said) and not any(word in words("from_words") for word in said):
        return False
    if match.first and source.words[match.first - 1] in words("infinitive_marks"):
        return False  # "great to hear that", "I wanted to tell you"
    return match.cue.id not in words("verb_cues") or teller(source, match) is not None


def teller(source: Passage, match: CueMatch) -> int | None:
    """The token that tells: the word before the verb, past auxiliaries and adverbs, where it can name a third party."""
    at = match.first - 1
    if source.words[match.first] in words("tellers") or source.words[match.first] in words("articles"):
        at = match.last - 2  # "they said": the teller is part of the cue
    while at >= 0 and source.words[at] in words("teller_fillers"):
        at -= 1
    if at < 0:
        return None
    word = source.words[at]
    if word in words("counted_tellers") and at and source.words[at - 1] in words("reason_words"):
        return None  # "how many quotes"
    if word in words("tellers"):
        said = any(source.words[place] in words("document_verbs") for place in cue_words(match))
        return at if said or word not in words("documents_by_pronoun") else None
    if word in words("teller_joints"):
        who = before(source, match.first, 0, _FAR)  # "my cousin had a prod and declared it frozen"
        return None if who is None or who.kind == "speaker" else who.first
    if word in words("speaker_words") or not word[0].isalnum() or word in words("articles") or is_function(word):
        return None
    return at


def kept(write: Write, source: Passage, candidate: Passage, match: CueMatch, tokens: Sequence[int] = ()) -> bool:
    """Whether the memory says where it came from, where these tokens stand (anywhere where none are given).

    A word that the source has outside its attribution ("was promoted") is the fact itself and keeps nothing.
    """
    if match.cue.id in words("hearsay_kept_by_hedge") and hedge_words_in(candidate, source):
        return True  # "is meant to be fit" and "hopes to be fit"
    beside = (each.cue.effect in words("attribution_in_memory") for _, each in floating(write, candidate, FAMILY))
    if repeats(candidate, match) or any(beside) or _names_teller(source, candidate, match):
        return True
    if _is_told_to(source, match) and _has_duty(candidate):
        return True  # "told me to come back in six weeks" and "is to return"
    first, last = segment(candidate, tokens)
    telling = {place for each in source.family(FAMILY) if told(source, each) for place in cue_words(each)}
    said = {word for place, word in enumerate(source.words) if place not in telling}
    for each in candidate.family(FAMILY):
        fresh = any(candidate.words[place] not in said for place in cue_words(each))
        if fresh and first <= each.first < last and each.cue.effect in words("attribution_in_memory"):
            return True
    told_of = {stem(word) for word in said}
    forms = (word for word in candidate.words[first:last] if word in words("report_forms_in_memory"))
    if any(stem(word) not in told_of for word in forms):
        return True  # "posted" of "put in the post" tells nothing
    return any(
        first <= place < last and word in stems("report_words_in_memory") and candidate.words[place] not in said
        for place, word in candidate.content
    )


def _is_told_to(source: Passage, match: CueMatch) -> bool:
    """Whether somebody was told to do something, or that they may ("told me to rest", "said I can go")."""
    after = source.words[match.last : match.last + _ORDER]
    if any(word in words("infinitive_marks") for word in after):
        return True
    subjects = [at for at, word in enumerate(after) if word in words("speaker_words")]
    return any(word in words("duties") for at in subjects for word in after[at + 1 : at + 3])


def _has_duty(candidate: Passage) -> bool:
    """Whether a memory tells of a duty or a leave ("is to return", "may swim")."""
    pairs = zip(candidate.words, candidate.words[1:], strict=False)
    owed = any(one in words("duty_verbs") and other in words("infinitive_marks") for one, other in pairs)
    return owed or any(word in words("duties_in_memory") for word in candidate.words)


def hedge_words_in(candidate: Passage, source: Passage) -> bool:
    """Whether the memory is unsure of itself, in words that its source lacks."""
    found = [each for each in candidate.family("hedge") if each.cue.effect in words("hedge_in_memory")]
    said = [candidate.words[place] for each in found for place in cue_words(each)]
    said += [word for word in candidate.words if word in words("hedge_forms_in_memory")]
    return any(word not in source.words for word in said)


def _names_teller(source: Passage, candidate: Passage, match: CueMatch) -> bool:
    """Whether the memory names the teller as the source ("by the watch") or as the finder ("the vet found mites")."""
    inside = [stem(word) for word in source.words[match.first : match.last] if not is_function(word)]
    said = [
        match,
        *(each for each in source.family(FAMILY) if each.first < match.first),
    ]  # "the doctor says ..., he says"
    named = [at for at in (teller(source, each) for each in said) if at is not None]
    tellers = {*inside, *(stem(source.words[at]) for at in named)}
    tellers |= {stem(source.words[at]) for each in named for at in _stands_for(source, each)}
    for place, word in enumerate(candidate.words):
        if stem(word) not in tellers or is_function(word):
            continue
        following = [each for at, each in candidate.content if at > place][:1]
        if word.endswith("'s") and following and following[0] not in source.stems:
            return True  # "Nan's forecast", "the boss's permission"
        if _is_bracketed(candidate, place):
            return True
        if any(each in words("source_openers") for each in candidate.words[max(place - 3, 0) : place]):
            return True
        if any(each in words("finding_words") for each in candidate.words[place + 1 : place + 4]):
            return True
        if place == candidate.content[0][0] and _acts(source, candidate.words[place + 1 : place + 2]):
            return True  # "the doctor capped the coffee"
    return False


def _stands_for(source: Passage, place: int) -> Iterator[int]:
    """The noun for a person nearest before a teller that is a pronoun ("gp rang, iron's low she says")."""
    if source.words[place] in words("third_persons"):
        near = (at for at in range(place - 1, -1, -1) if is_person(source.words[at]))
        yield from list(near)[:1]


def _is_bracketed(candidate: Passage, place: int) -> bool:
    """Whether a word stands in brackets: "operation on 4 March (hospital letter)"."""
    before = candidate.words[max(place - _BRACKET, 0) : place]
    after = candidate.words[place + 1 : place + 1 + _BRACKET]
    return "(" in before and ")" in after and ")" not in before[before.index("(") :]


def _acts(source: Passage, following: Sequence[str]) -> bool:
    """Whether a verb of doing that the source lacks follows at once: whoever told it is told of as the one who did."""
    return any(
        ((is_past_word(word) and word not in words("past_auxiliaries")) or word.endswith("s"))
        and not is_function(word)
        and stem(word) not in source.stems
        for word in following
    )


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
