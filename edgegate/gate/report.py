"""inspect() and check(): the report of what a memory changed of its source, with and without a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from edgegate import policy
from edgegate.gate.checks import CHECKS
from edgegate.gate.checks.brittle import gone, worked_out_here
from edgegate.gate.write import Write, quote_candidate, quote_source, read_write
from edgegate.language import lexicon
from edgegate.language.align import THRESHOLD, Clause
from edgegate.language.text import guess_language, has_foreign_word, is_strange
from edgegate.records import Change, Quote, Report, Severity

NOTHING = "nothing in the source matches"
"""Why a write that shares too few words with its source can't be checked."""
_ENOUGH = 3  # content words: with fewer, a clause that shares none says little

NOT_CHECKED = ("broadened", "weakened", "added")
"""What has no detector: every report says so."""


def inspect(
    source: str | Sequence[Any],
    memory: str,
    *,
    context: str | Sequence[Any] | None = None,
    now: str | None = None,
    about: str | None = None,
    user: str | None = None,
) -> Report:
    """The typed changes between a source and a memory made from it, without a verdict.

    `source` is a text, or turns of a conversation: mappings with `speaker` (or `role`), `text` and perhaps `at`.
    `memory` is the text about to be stored. `context` is earlier conversation that the memory may come from and that
    is not judged. `now` is the day of the write (ISO, with its offset), for relative dates. `user` is the name of the
    speaker who is the user (else "user"); `about` the person whose file the memory is for. Text never raises; wrong
    shapes raise DataError or UsageError.

    >>> report = inspect("Someone said Alice was promoted.", "Alice was promoted.")
    >>> [(change.check, change.type) for change in report.changes]
    [('attribution', 'dropped attribution')]
    """
    write = read_write(source, memory, context=context, now=now, about=about, user=user)
    reason = _uncheckable(write)
    stray = _unaligned(write)
    changes = () if reason else (*_changes(write), *(_no_source(write, quote) for quote in stray))
    if reason == NOTHING:
        changes = _worked_out(write)  # a figure worked out of the source's numbers shares no word with it
        reason = None if changes else reason
    return Report(
        changes=changes,
        unaligned=stray,
        not_checked=NOT_CHECKED,
        uncheckable=reason,
        lexicon=lexicon.hash(),
    )


def check(
    source: str | Sequence[Any],
    memory: str,
    *,
    context: str | Sequence[Any] | None = None,
    now: str | None = None,
    about: str | None = None,
    user: str | None = None,
    mode: str = "memory",
) -> Report:
    """What `inspect` finds, with the verdict that the policy gives it.

    >>> check("I think the clinic is shut on Friday.", "The clinic is shut on Friday.").verdict
    <Verdict.REWRITE: 'REWRITE'>
    """
    report = inspect(source, memory, context=context, now=now, about=about, user=user)
    return replace(report, verdict=policy.decide(report, mode))


def _uncheckable(write: Write) -> str | None:
    """Why nothing can be compared, or None."""
    if not write.memory or not any(passage.content for passage in write.memory):
        return "empty"
    memory = " ".join(passage.text for passage in write.memory)
    if guess_language(memory) == "other" or (is_strange(memory) and not _is_from_english(write, memory)):
        return "language"
    if guess_language(" ".join(turn.text for turn in write.turns)) == "other":
        return "language"
    if not any(pairing.alignment.aligned for pairing in write.pairings):
        return NOTHING
    return None


def _is_from_english(write: Write, memory: str) -> bool:
    """Whether each sentence of a memory is made of the words of an English one: "Ida skates." of "Ida skates on
    Sundays." is too short to show its language, and its source tells."""
    if has_foreign_word(memory):
        return False
    return all(
        any(guess_language(source.text) == "en" for source in write.sharing(set(passage.stems)))
        for passage in write.memory
    )


def _worked_out(write: Write) -> tuple[Change, ...]:
    """Figures of a memory that shares no words with the source, but was computed from its numbers."""
    found = []
    for passage in write.memory:
        made = worked_out_here(write, passage)
        if made is not None:
            source, result, used = made
            found.append(gone(source, passage, result, used))
    return tuple(found)


def _unaligned(write: Write) -> tuple[Quote, ...]:
    """What of the memory stands nowhere in the source: whole sentences, and clauses with enough content to tell."""
    found = []
    for pairing in write.pairings:
        candidate = pairing.candidate
        if not candidate.content:
            continue
        if not pairing.alignment.aligned:
            found.append(quote_candidate(candidate))
            continue
        for first, last in candidate.clauses:
            clause = Clause(candidate, first, last)
            scores = write.index.score(clause)
            if len(clause.content()) >= _ENOUGH and max(scores.values(), default=0.0) < THRESHOLD:
                found.append(quote_candidate(candidate, [first]))
    return tuple(found)


def _no_source(write: Write, quote: Quote) -> Change:
    return Change(
        check="alignment",
        type="no source found",
        severity=Severity.ADVISORY,
        source_quote=_nearest(write, quote),
        candidate_quote=quote,
        cue="alignment.containment",
        cue_text="",
        cite="Kwon, arXiv 2608.03372, appendix C",
        detail="Nothing in the source holds enough of these words to check them.",
    )


def _nearest(write: Write, quote: Quote) -> Quote | None:
    """The source sentence that holds most of a stretch of the memory: what was looked at, though it does not do."""
    scores: dict[int, float] = {}
    for passage in write.memory:
        start, end = passage.span(0, len(passage.words))
        if start < quote.end and quote.start < end:
            for first, last in passage.clauses:
                begin, stop = passage.span(first, last)
                if begin < quote.end and quote.start < stop:
                    for place, score in write.index.score(Clause(passage, first, last)).items():
                        scores[place] = max(scores.get(place, 0.0), score)
    opening = next((place for place in range(len(write.passages)) if _is_judged(write, place)), None)
    if opening is None:
        return None
    judged = [opening, *(place for place in scores if _is_judged(write, place))]
    return quote_source(write.passages[max(judged, key=lambda place: (scores.get(place, 0.0), -place))])


def _is_judged(write: Write, place: int) -> bool:
    """Whether a sentence belongs to the source and not to the context."""
    turn = write.passages[place].turn
    return turn is None or turn >= 0


def _changes(write: Write) -> tuple[Change, ...]:
    found: list[Change] = []
    for run in CHECKS.values():
        for pairing in write.pairings:
            if pairing.alignment.aligned:
                found += [each for each in run(write, pairing) if each not in found]
    return tuple(found)
