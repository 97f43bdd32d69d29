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
from dataclasses import dataclass
from typing import Any

from edgegate import policy
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


@dataclass(frozen=True, slots=True)
class Question:
    """One question for a second reader. `kind` is "witness" or "added"; `source` is empty for the witness, who reads
    the memory sentence alone."""

    number: int
    kind: str
    task: str
    sentence: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Added:
    """What the second reader made of the memory: a report with the `added` changes, and the sentences that it could
    not establish, or whose answer could not be used."""

    report: Report
    cannot_tell: tuple[str, ...]


def ask_witness(report: Report, memory: str) -> tuple[Question, ...]:
    """The questions on a decided report: one for each memory sentence with a flag that a witness may take off.

    >>> from edgegate.gate.report import check
    >>> memory = "The clinic is shut, as far as anyone knows."
    >>> [question.sentence for question in ask_witness(check("It rains.", memory), memory)]
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
        if answer is None or not _is_valid(answer, question.sentence):
            continue
        for change in report.changes:
            said = change.check in KINDS and answer[KINDS[change.check]]
            if said and change.severity is not Severity.ADVISORY and _sentence(memory, change) == question.sentence:
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
) -> Added:
    """The report with what the reader found added, decided anew, and what it could not tell.

    An answer counts only with a quote that stands in the source. An uncheckable report stays as it is.
    """
    write = read_write(source, memory, **options)
    plain = [_plain(turn.text) for turn in write.turns]
    found: list[Change] = []
    open_: list[str] = []
    for number, pairing in enumerate(write.pairings):
        answer = answers.get(number)
        quote = answer.get("quote") if isinstance(answer, Mapping) else None
        stands = isinstance(quote, str) and bool(_plain(quote)) and any(_plain(quote) in each for each in plain)
        verdict = answer.get("answer") if isinstance(answer, Mapping) and stands else None
        if verdict == "unsupported" and not _only_dates_differ(write, pairing):
            found.append(_added(pairing, str(quote)))
        elif verdict not in ("supported", "unsupported"):
            open_.append(pairing.candidate.text)
    return Added(policy.add(report, found, "added"), tuple(open_))


def _only_dates_differ(write: Write, pairing: Pairing) -> bool:
    """Whether all that the source lacks of a sentence is a date that the source gives in other words."""
    candidate = pairing.candidate
    missing = [place for place, word in candidate.content if word not in write.index.postings]
    for place in missing:
        mine = [found for found in candidate.values.dates if found.first <= place < found.last]
        theirs = [found for passage in write.passages for found in passage.values.dates]
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
