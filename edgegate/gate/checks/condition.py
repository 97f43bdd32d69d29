"""condition: the source holds only under a condition, or only asks; the memory states it outright.

Reads the whole aligned sentence (a wide window: narrowing it to the clause was measured worse by the paper). What the
memory must hold of the sentence is its consequence; a memory that keeps the "if" in other words ("depends on",
"once", "subject to") is clean.

Sources: Huddleston & Pullum 2002, ch. 8 (conditional adjuncts) and ch. 10 (interrogatives), Quirk et al. 1985, ch. 15.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from edgegate.gate.checks import hedge
from edgegate.gate.checks.beside import asks_of, kept_elsewhere
from edgegate.gate.checks.planned import answer_as_done, chosen, told_as_done
from edgegate.gate.checks.tense import is_past_word
from edgegate.gate.write import (
    Carried,
    Pairing,
    Write,
    carried,
    change,
    cue_words,
    floating,
    stems,
    words,
)
from edgegate.language import lexicon
from edgegate.language.align import Link
from edgegate.language.cues import CueMatch
from edgegate.language.passages import Passage, stem
from edgegate.language.values import relate
from edgegate.records import Change, Severity

FAMILY = "condition"
SHARE = 0.3
"""How much of the consequence the memory must hold before the condition is missed there."""
ASKED = 0.6
"""How much of a question the memory must hold before it counts as stated."""


def condition(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for every source sentence whose condition the memory sentence dropped, or whose question it answers."""
    for link in pairing.links:
        yield from _conditional(write, pairing, link)
        yield from _when(write, pairing, link)
        yield from _question(write, pairing, link)
        yield from _planned(write, pairing, link)


def _conditional(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    for match in link.source.family(FAMILY):
        if match.cue.effect not in words("condition_in_source") or kept(write, link.source, pairing.candidate, match):
            continue
        if _is_no_condition(link.source, match) or _is_met(write, link.source, match):
            continue
        if _is_aside(write, link.source, match):
            continue
        held = _consequence(write, pairing, link, match)
        if _is_behind(link.source, match, held.source):
            continue
        if held.own and held.share >= SHARE:
            if kept_elsewhere(write, pairing, link, partial(kept, write, link.source, match=match)):
                continue
            yield change(
                "condition",
                "dropped condition",
                Severity.REWRITE,
                f"The source says it under a condition (“{match.text}”); the memory states it outright.",
                source=link.source,
                candidate=pairing.candidate,
                tokens=held.candidate,
                cue=match,
            )
            return
    told = [here for here, _ in link.pairs]
    for near, match in floating(write, link.source, FAMILY):
        if _is_met(write, near, match) or (link.source.is_question and not asks_of(link.source, told)):
            continue
        if match.cue.effect in words("condition_in_source") and not kept(write, near, pairing.candidate, match):
            yield change(
                "condition",
                "dropped condition",
                Severity.REWRITE,
                f"The source says it under a condition (“{match.text}”); the memory states it outright.",
                source=link.source,
                candidate=pairing.candidate,
                tokens=[there for _, there in link.pairs],
                cue=match,
            )
            return


def _planned(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    """A plan, wish, task or attempt that the memory tells as done."""
    found = told_as_done(write, pairing, link) or answer_as_done(write, pairing, link) or chosen(write, pairing, link)
    if found is not None:
        yield change(
            "condition",
            "plan told as done",
            Severity.REWRITE,
            f"In the source it is still open (“{found[0].text}”); the memory tells it as done.",
            source=link.source,
            candidate=pairing.candidate,
            tokens=found[1],
            cue=found[0],
        )


def _is_no_condition(source: Passage, match: CueMatch) -> bool:
    """Set phrases that condition nothing: "no if or but", "for when I have time", "whenever you like"."""
    before = source.words[match.first - 1] if match.first else ""
    if before in words("no_words") or (
        before in words("when_blockers") and source.words[match.first] in words("when_words")
    ):
        return True
    near = source.words[match.first : match.last + 2]
    return any(word in words("second_person") for word in near) and any(word in words("offers") for word in near)


def _is_met(write: Write, source: Passage, match: CueMatch) -> bool:
    """Whether the source itself says that what stood under a condition came about, or that a demand was agreed to.

    "I was going to ring, and then I actually did"; "only if you drive" — "deal".
    """
    if match.cue.effect in words("governs_own_clause"):
        return any(each.cue.effect in words("realised_effects") for each in source.family("unrealised"))
    demanded = any(word in words("second_person") for word in source.words[match.last : match.last + 2])
    reply = write.reply_to(source) if demanded else None
    return reply is not None and reply.words[0] in words("yes_words")


def _is_aside(write: Write, source: Passage, match: CueMatch) -> bool:
    """Whether a condition is about the hearer's doing and what follows holds anyway ("if you're taking notes, my shoe
    size is 42"): the user to the assistant, about something of their own, without "will" or "can".
    """
    if write.spoken_by_assistant(source) or not any(name in _assistants() for name in write.speakers):
        return False
    _, end = source.clause_at(match.last - 1)
    inside = source.words[match.first : match.last + 2]
    rest = [word for at, word in enumerate(source.words) if not match.first <= at < end]
    if not any(word in words("second_person") for word in inside) or any(w in words("second_person") for w in rest):
        return False
    return bool(rest) and not any(word in words("consequence_words") for word in rest)


def _assistants() -> frozenset[str]:
    return frozenset(lexicon.table("assistant_speakers"))


def _when(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    """A "when" that limits what is always so ("when it isn't icy"): present tense, and nothing of it in the memory."""
    source, candidate = link.source, pairing.candidate
    for place, word in enumerate(source.words):
        if word not in words("when_words") or not place or source.words[place - 1] in words("when_blockers"):
            continue
        _, end = source.clause_at(place)
        inside = source.words[place + 1 : end]
        if not inside or inside[0] not in words("when_subjects") or any(is_past_word(each) for each in inside):
            continue
        held = carried(write, pairing, link, 0, place)
        own = carried(write, pairing, link, place, end)
        if held.own and held.share >= ASKED and not own.source and not _limited(candidate):
            yield change(
                "condition",
                "dropped condition",
                Severity.REWRITE,
                f"The source says it of some times only (“{source.tokens.quote(place, end)}”); the memory of all.",
                source=source,
                candidate=candidate,
                tokens=held.candidate,
                rule="condition.when",
                cite="Quirk et al. 1985, ch. 15 (temporal clauses with a conditional sense)",
            )
            return


def _is_behind(source: Passage, match: CueMatch, places: Sequence[int]) -> bool:
    """Whether a memory holds only what a speaker adds behind a whole conditional sentence.

    "As long as I've my flask I'm happy, decaf mind": what the memory tells of decaf has no condition.
    """
    first, end = source.clause_at(match.last - 1)
    if first or match.cue.effect in words("governs_own_clause") or not places:
        return False
    begin = antecedent_end(source, match, end)
    if begin == end and end < len(source.words):
        begin, end = end, source.clause_at(end)[1]
    told = any(word[0].isalpha() for word in source.words[begin:end])
    return told and min(places) >= end


def _limited(candidate: Passage) -> bool:
    """Whether the memory sentence is limited in some way."""
    return any(word in words("condition_words_in_memory") for word in candidate.words) or any(
        match.cue.effect in words("condition_in_memory") for match in candidate.family(FAMILY)
    )


def _consequence(write: Write, pairing: Pairing, link: Link, match: CueMatch) -> Carried:
    """What the memory holds of what the condition governs."""
    source = link.source
    _, end = source.clause_at(match.last - 1)
    if source.words[end - 1] in words("announcers"):
        end = len(source.words)  # "let's practise with an invented app: its aim is ..."
    opening = next((word for word in source.words[match.first : match.last] if word[0].isalnum()), "")
    opens = opening in words("antecedent_openers")
    if match.cue.effect in words("governs_own_clause") and not opens:
        return carried(write, pairing, link, match.last, end)
    besides: set[int] = set()
    for each in source.family(FAMILY):
        own = each.cue.effect in words("governs_own_clause")
        if each.cue.effect in words("condition_in_source") and (not own or (each is match and opens)):
            _, stop = source.clause_at(each.last - 1)
            besides.update(range(each.first, antecedent_end(source, each, stop)))
    if all(place in besides for place, _ in source.content):
        besides = set(cue_words(match))
    return carried(write, pairing, link, 0, len(source.words), besides)


def antecedent_end(source: Passage, match: CueMatch, end: int) -> int:
    """The end of the condition itself: a new subject without a conjunction begins the consequence, even without a
    comma ("if probate is granted by May I get a third")."""
    for place in range(match.last + 2, end):
        subject = source.words[place] in words("nominatives") or source.words[place] in words("statement_openers")
        if subject and source.words[place - 1] not in words("clause_joints"):
            return place
    return end


def kept(write: Write, source: Passage, candidate: Passage, match: CueMatch) -> bool:
    """Whether the memory sentence states a condition of its own, in whatever words; one that holds in thought only
    is kept by a hedge as well."""
    if any(each.cue.effect in words("condition_in_memory") for each in candidate.family(FAMILY)):
        return True
    ends = [found for found in source.values.dates if match.first <= found.first]
    if match.cue.id in words("until_cues") and any(
        relate(found, theirs) in ("same", "within") for found in ends for theirs in candidate.values.dates
    ):
        return True  # "isn't coming until the 5th" and "comes on the 5th"
    by_hedge = match.cue.effect in words("kept_by_hedge") or match.cue.id in words("wishful_cues")
    hedged = by_hedge and _is_open(match, candidate)
    if hedged and hedge.kept(write, source, candidate, match):
        return True
    return any(word in words("condition_words_in_memory") for word in candidate.words)


def _is_open(match: CueMatch, candidate: Passage) -> bool:
    """Whether the memory may keep a condition by a hedge: a wish or plan keeps nothing of what was only supposed."""
    if match.cue.effect not in words("governs_own_clause") or match.cue.id in words("wish_cues"):
        return True
    wishes = [each for each in candidate.family("hedge") if each.cue.effect not in words("hedge_in_source")]
    return not wishes or len(wishes) < len(candidate.family("hedge"))


def _question(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    source = link.source
    if not source.is_question or not source.words or source.words[0] not in words("polar_openers"):
        return
    if any(each.first == 0 for each in source.family(FAMILY)) and "?" not in source.words[-2:]:
        return  # "should you be in town, ..."
    if _asks(pairing.candidate) or any(word in words("rhetorical") for word in source.words[1:3]):
        return
    if not write.is_own_voice(source) or _answered(write, source, pairing.candidate):
        return
    to_hearer = source.words[1] in words("second_person")
    asked_to_keep = any(word in words("keeping_verbs") for word in source.words[2:4])
    joined = any(word in words("request_joints") for word in source.words)
    if to_hearer and (write.about is not None or joined or asked_to_keep):
        return  # "can you note that I prefer windows": what is to be noted is told
    if to_hearer and pairing.candidate.words[0] in lexicon.table("intent")["orders_kept"]:
        return  # "could you ping me at noon": kept as what is to be done, not as done
    held = carried(write, pairing, link, 0, len(source.words))
    if not asks_of(source, held.source):
        return
    if held.own and held.share >= ASKED and not _told_later(write, source, held):
        yield change(
            "condition",
            "question read as fact",
            Severity.REWRITE,
            "The source only asks; the memory states it.",
            source=source,
            candidate=pairing.candidate,
            tokens=held.candidate,
            rule="condition.question",
            cite="Huddleston & Pullum 2002, ch. 10 (interrogatives)",
        )


def _told_later(write: Write, question: Passage, held: Carried) -> bool:
    """Whether the speaker goes on to tell, in the past, of what was asked ("never mind, I ordered it myself")."""
    asked = {stem(question.words[place]) for place in held.source}
    for passage in write.passages[question.number + 1 : question.number + 20]:
        past = (stem(word) for word in passage.words if is_past_word(word))
        if passage.speaker == question.speaker and not passage.is_question and any(word in asked for word in past):
            return True
    return False


def _answered(write: Write, question: Passage, candidate: Passage) -> bool:
    """Whether the next turn says yes, or says itself what the memory holds."""
    reply = write.reply_to(question)
    if reply is None:
        return False
    return reply.words[0] in words("yes_words") or any(word in candidate.stems for word in reply.stems)


def _asks(candidate: Passage) -> bool:
    """Whether the memory sentence says that something was asked or is open."""
    if candidate.is_question or any(match.cue.effect in words("open_in_memory") for match in candidate.cues):
        return True
    return any(word in stems("asking_words") for word in candidate.stems)
