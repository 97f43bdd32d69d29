"""The second reader, in two phases: questions go out, a host's model answers, the answers come back and are checked.

The *witness* reads one memory sentence and says whether it is hedged and whether it is attributed, with the exact words
that made it say so. Words that do not stand in the sentence void the answer. It is asked about flagged writes only and
may only take a flag off, where the memory kept its doubt or its source in words that the lexicon lacks. It never
touches UNCHECKABLE and never raises anything.

*Added* asks the reverse: does the source hold this memory sentence? Both answers must quote the source verbatim; what
could not be established is said so. A relative date that was resolved rightly is supported, whatever the reader says.

Source: the paper's witness and `added` detector (factwash, sections 4 and 6, appendix E); the wording is our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from edgegate import policy
from edgegate.errors import UsageError
from edgegate.gate.records import Asked, Heard, Question
from edgegate.gate.report import check
from edgegate.gate.write import Pairing, Write, quote_candidate, quote_source, read_write
from edgegate.language.align import read
from edgegate.language.values import relate
from edgegate.records import Change, Report, Severity

KINDS = {"hedge": "hedged", "attribution": "attributed"}
"""Check -> the question of the witness that may take its flag off."""

WITNESS_TASK = (
    "Read the one sentence below. Decide two things about how it is said, not about whether it is true. "
    "hedged: does the sentence itself leave the claim open in any way? "
    "attributed: does the sentence itself say where the claim comes from? "
    'Answer with JSON only: {"hedged": true or false, "attributed": true or false, "markers": [the exact words]}.'
)
ADDED_TASK = (
    "Read the conversation and the one memory sentence below. Does the conversation say what the sentence says? "
    'Answer with JSON only: {"answer": "supported", "unsupported" or "cannot-tell", "quote": words copied from the '
    "conversation that support it, or the closest ones where nothing does}."
)


def ask_witness(report: Report, memory: str) -> tuple[Question, ...]:
    """The questions on a decided report: one for each memory sentence with a flag that a witness may take off.

    >>> from edgegate.gate.report import check
    >>> memory = "The clinic is shut, as far as anyone knows."
    >>> [question.text for question in ask_witness(check("It rains.", memory), memory)]
    []
    """
    if report.uncheckable is not None:
        return ()
    flagged = [each for each in report.changes if each.check in KINDS and each.severity is not Severity.ADVISORY]
    sentences = dict.fromkeys(_sentence(memory, each) for each in flagged)
    return tuple(Question(at, "witness", WITNESS_TASK, each) for at, each in enumerate(sentences) if each)


def hear_witness(report: Report, memory: str, answers: Mapping[int, Any], mode: str = "memory") -> Report:
    """The report after the witness: flags taken off where a valid answer says that the sentence kept it.

    `answers` maps a question's number to the reader's parsed JSON. What is missing, malformed or points at words that
    are not there changes nothing.
    """
    for question in ask_witness(report, memory):
        answer = answers.get(question.number)
        if answer is None or not _is_valid(answer, question.text):
            continue
        for change in report.changes:
            said = change.check in KINDS and answer[KINDS[change.check]]
            if said and change.severity is not Severity.ADVISORY and _sentence(memory, change) == question.text:
                report = policy.lower(report, change, None, mode)
    return report


def _is_valid(answer: Any, sentence: str) -> bool:
    """Whether an answer has its two truth values and markers that all stand in the sentence."""
    if not isinstance(answer, Mapping) or not all(isinstance(answer.get(name), bool) for name in KINDS.values()):
        return False
    markers = answer.get("markers")
    if not isinstance(markers, Sequence) or isinstance(markers, (str, bytes)) or not markers:
        return False
    plain = _plain(sentence)
    return all(isinstance(each, str) and _plain(each) and _plain(each) in plain for each in markers)


def _sentence(memory: str, change: Change) -> str:
    """The memory sentence that a change quotes."""
    if change.candidate_quote is None:
        return ""
    at = change.candidate_quote.start
    inside = (each for each in read(memory) if each.start <= at < each.start + len(each.text))
    return next((each.text for each in inside), "")


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def ask_added(source: str | Sequence[Any], memory: str, **options: Any) -> tuple[Question, ...]:
    """One question for each memory sentence: does the source say it? Options are those of `inspect`."""
    write = read_write(source, memory, **options)
    text = "\n".join(f"{turn.speaker}: {turn.text}" if len(write.turns) > 1 else turn.text for turn in write.turns)
    return tuple(
        Question(at, "added", ADDED_TASK, pairing.candidate.text, text) for at, pairing in enumerate(write.pairings)
    )


def hear_added(
    source: str | Sequence[Any], memory: str, report: Report, answers: Mapping[int, Any], **options: Any
) -> Heard:
    """The report with what the reader found added, decided anew, and what it could not tell.

    An answer counts only with a quote that stands in the source. "added" leaves the report's `not_checked` only where
    every sentence got an answer. An uncheckable report stays as it is.
    """
    write = read_write(source, memory, **options)
    plain = [_plain(turn.text) for turn in write.turns]
    found: list[Change] = []
    unsure: list[str] = []
    void: list[int] = []
    for number, pairing in enumerate(write.pairings):
        said, quote = _said(answers.get(number), plain)
        if said == "unsupported" and not _only_dates_differ(write, pairing):
            found.append(_added(pairing, quote))
        elif said not in ("supported", "unsupported"):
            unsure.append(pairing.candidate.text)
        if said is None:
            void.append(number)
    return Heard(policy.add(report, found, None if unsure else "added"), tuple(unsure), tuple(void))


def _said(answer: Any, plain: Sequence[str]) -> tuple[str | None, str]:
    """What an answer says (supported, unsupported, cannot-tell; None where it can't be used), and its quote."""
    if not isinstance(answer, Mapping):
        return None, ""
    said, quote = answer.get("answer"), answer.get("quote")
    if said == "cannot-tell":
        return "cannot-tell", ""
    if not isinstance(quote, str) or not _plain(quote) or said not in ("supported", "unsupported"):
        return None, ""
    return (said, quote) if any(_plain(quote) in each for each in plain) else (None, "")


def _only_dates_differ(write: Write, pairing: Pairing) -> bool:
    """Whether all that the source lacks of a sentence is a date that the source gives in other words."""
    candidate = pairing.candidate
    missing = [place for place, word in candidate.content if word not in write.index.postings]
    for place in missing:
        mine = [found for found in candidate.values.dates if found.first <= place < found.last]
        theirs = [found for _, values in write.figures() for found in values.dates]
        if not any(relate(one, other) in ("same", "within") for one in mine for other in theirs):
            return False
    return bool(missing)


def _added(pairing: Pairing, quote: str) -> Change:
    link = pairing.links[0] if pairing.links else None
    return Change(
        check="added",
        type="added",
        severity=Severity.REWRITE,
        source_quote=None if link is None else quote_source(link.source),
        candidate_quote=quote_candidate(pairing.candidate),
        cue="added.reader",
        cue_text=quote,
        cite="Kwon, arXiv 2608.03372, section 4",
        detail="A second reader finds this nowhere in the source; the quoted words are the closest.",
    )


READERS = ("witness", "added")
"""Every second reader, in the order in which they are heard: flags are taken off before new ones are found."""


def ask(source: str | Sequence[Any], memory: str, readers: Sequence[str] = READERS, **options: Any) -> Asked:
    """The first phase for all second readers at once: the report on a memory, and their questions on it.

    Options are those of `check`. An unknown reader raises UsageError.

    >>> asked = ask("I think Ida left.", "Ida left.")
    >>> [(question.number, question.kind, question.text) for question in asked.questions]
    [(0, 'witness', 'Ida left.'), (1, 'added', 'Ida left.')]
    """
    _known(readers)
    report = check(source, memory, **options)
    questions = list(ask_witness(report, memory)) if "witness" in readers else []
    if "added" in readers and report.uncheckable is None:
        questions += [
            replace(each, number=each.number + len(questions))
            for each in ask_added(source, memory, **_reading(options))
        ]
    return Asked(report, tuple(questions))


def hear(
    source: str | Sequence[Any],
    memory: str,
    answers: Mapping[int, Any],
    readers: Sequence[str] = READERS,
    **options: Any,
) -> Heard:
    """The second phase: the report after the answers to the questions that `ask` gave for the same write.

    `answers` maps a question's number to its parsed JSON answer; without any, nothing changes but what is declared.

    >>> asked = "Ida left, so they say.", "Ida left."
    >>> answer = {"hedged": False, "attributed": True, "markers": ["left"]}
    >>> [str(hear(*asked, answers).report.verdict) for answers in ({}, {0: answer})]
    ['REWRITE', 'PASS']
    >>> hear(*asked, {0: answer}).cannot_tell, hear(*asked, {0: answer}).void
    (('Ida left.',), (1,))
    """
    _known(readers)
    mode = options.get("mode", "memory")
    report = check(source, memory, **options)
    asked = ask_witness(report, memory) if "witness" in readers else ()
    void = [each.number for each in asked if not _is_valid(answers.get(each.number), each.text)]
    after = hear_witness(report, memory, {each.number: answers.get(each.number) for each in asked}, mode)
    if "added" not in readers or report.uncheckable is not None:
        return Heard(after, (), tuple(void))
    rest = {number - len(asked): answer for number, answer in answers.items() if number >= len(asked)}
    told = hear_added(source, memory, after, rest, **_reading(options))
    return Heard(told.report, told.cannot_tell, (*void, *(number + len(asked) for number in told.void)))


def _known(readers: Sequence[str]) -> None:
    for each in readers:
        if each not in READERS:
            raise UsageError(f"unknown reader {each!r}; known are {', '.join(READERS)}", where="readers")


def _reading(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name != "mode"}
