"""Repairs a memory with the source's own words, and passes it through the same gate again, once.

What was dropped is put back as the source has it: who said it, how sure they were, on what condition, until when; a
relative date gets the day it means. What cannot be repaired so is a question for the host's rewriter (two phases: a
`Question` out, its answer in, through `accept`). Nothing is repaired that was rejected or could not be checked.

Source: the paper's fixer, which re-gates every rewrite (factwash, figure 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any

from edgegate import policy
from edgegate.gate.checks import CHECKS
from edgegate.gate.checks.condition import antecedent_end
from edgegate.gate.checks.limits import kept, limits
from edgegate.gate.records import Question, Repair
from edgegate.gate.report import check
from edgegate.gate.write import Pairing, Write, read_write, words
from edgegate.language import lexicon
from edgegate.language.align import Link
from edgegate.language.cues import CueMatch
from edgegate.language.passages import Passage
from edgegate.language.values import Date
from edgegate.records import Change, Severity

_LONGEST = 9  # tokens of a teller's phrase ("the man from the water board said")


REWRITE_TASK = (
    "Rewrite the one memory below so that it keeps what it lost of the conversation, and changes nothing else. Use the "
    "conversation's own words, and no word that says more than it does. "
    'Answer with JSON only: {"memory": "the rewritten memory"}.'
)


def repair(source: str | Sequence[Any], memory: str, **options: Any) -> Repair:
    """The memory with the source's own words put back, if that passes the gate. Options are those of `check`.

    >>> repair("Someone said Alice was promoted.", "Alice was promoted.").text
    'Someone said Alice was promoted.'
    >>> repair("It never rains here.", "It rains here.").text is None
    True
    """
    report = check(source, memory, **options)
    grave = policy.gravest(report.changes)
    if report.uncheckable is not None or grave is Severity.REJECT or not report.changes:
        return Repair(memory if report.uncheckable is None and grave is None else None, report)
    read = {name: value for name, value in options.items() if name != "mode"}
    text = _put_back(read_write(source, memory, **read), memory)
    if text is not None and text != memory:
        again = check(source, text, **options)
        if policy.passes(again):
            return Repair(text, again)
    if grave is Severity.ADVISORY:
        return Repair(memory, report)
    return Repair(None, report, _question(source, memory, report.changes))


def accept(source: str | Sequence[Any], question: Question, answer: Any, **options: Any) -> Repair:
    """The rewriter's answer, if it passes the gate that the memory failed. One answer, one gate: there is no retry.

    An answer is a text, or parsed JSON `{"memory": text}`; anything else is no rewrite.

    >>> asked = repair("I keep meaning to cancel the gym.", "User cancelled the gym.").question
    >>> accept("I keep meaning to cancel the gym.", asked, "User intends to cancel the gym.").text
    'User intends to cancel the gym.'
    >>> accept("I keep meaning to cancel the gym.", asked, {"memory": "User has cancelled the gym."}).text is None
    True
    """
    text = answer.get("memory") if isinstance(answer, Mapping) else answer
    if not isinstance(text, str) or not text.strip():
        return Repair(None, check(source, question.text, **options))
    again = check(source, text, **options)
    return Repair(text if policy.passes(again) else None, again)


def _question(source: str | Sequence[Any], memory: str, changes: Sequence[Change]) -> Question:
    quotes = dict.fromkeys(each.source_quote.text for each in changes if each.source_quote is not None)
    lost = tuple(f"{each.type}: {each.detail}" for each in changes if each.severity is not Severity.ADVISORY)
    text = source if isinstance(source, str) else "\n".join(quotes)
    return Question(0, "rewrite", REWRITE_TASK, memory, text, lost)


def _put_back(write: Write, memory: str) -> str | None:
    """The memory with every repairable sentence repaired, the last first, so that places stay right; None where a
    sentence lost what the gate's own words cannot give back."""
    text = memory
    for pairing in reversed(write.pairings):
        passage = pairing.candidate
        start, end = passage.span(0, len(passage.words))
        said = _repaired(write, pairing, text[start:end])
        text = text[:start] + said + text[end:]
    return text


def _repaired(write: Write, pairing: Pairing, text: str) -> str:
    """One sentence of the memory with its dates resolved, its limit and condition behind it, and its doubt and its
    teller before it."""
    text = _dated(pairing.candidate, text)
    for link in pairing.links:
        behind = _condition(write, pairing, link) or _limit(pairing, link)
        if behind:
            body = text.rstrip(" .!")
            text = f"{body}{behind}."
            break
    lead = ""
    for link in pairing.links:
        lead = lead or _teller(write, pairing, link) or _doubt(write, pairing, link)
    return f"{lead} {_lower(pairing.candidate, text)}" if lead else text


def _lost(write: Write, pairing: Pairing, check_name: str) -> list[Change]:
    return [each for each in CHECKS[check_name](write, pairing) if each.severity is Severity.REWRITE]


def _cue_of(write: Write, pairing: Pairing, link: Link, check_name: str) -> CueMatch | None:
    """The cue of the link's sentence that the memory lost, by this check."""
    for each in _lost(write, pairing, check_name):
        for match in link.source.family(check_name):
            if match.cue.id == each.cue and match.text == each.cue_text:
                return match
    return None


def _teller(write: Write, pairing: Pairing, link: Link) -> str:
    match = _cue_of(write, pairing, link, "attribution")
    if match is None:
        return ""
    source = link.source
    first, last = source.clause_at(match.first)
    follows = any(match.last <= place < last for place, _ in source.content)
    if follows and 0 < match.last - first <= _LONGEST and not source.is_question:
        lead = _person(source, first, _lead_end(pairing, source, match))
        return f"{lead[:1].upper()}{lead[1:]}"
    return _template("hearsay")


def _lead_end(pairing: Pairing, source: Passage, match: CueMatch) -> int:
    """The end of the teller's phrase: the comma after it, where the memory holds nothing in between ("according to my
    cousin, ...")."""
    for place in range(match.last, min(match.last + _LONGEST, len(source.words))):
        if source.words[place] in words("lead_ends"):
            between = [word for at, word in source.content if match.last <= at < place]
            return match.last if any(word in pairing.candidate.stems for word in between) else place + 1
    return match.last


def _doubt(write: Write, pairing: Pairing, link: Link) -> str:
    match = _cue_of(write, pairing, link, "hedge")
    if match is None:
        return ""
    effect = match.cue.effect
    return _template(effect if effect in _templates() else "uncertain")


def _condition(write: Write, pairing: Pairing, link: Link) -> str:
    match = _cue_of(write, pairing, link, "condition")
    if match is None or match.cue.effect not in words("condition_in_source"):
        return ""
    _, end = link.source.clause_at(match.last - 1)
    end = antecedent_end(link.source, match, end)
    said = _person(link.source, match.first, end).rstrip(" ,.;!")
    return f", {said[:1].lower()}{said[1:]}" if match.last < end else ""


def _limit(pairing: Pairing, link: Link) -> str:
    for limit in limits(link.source):
        if not limit.weak and not kept(link.source, limit, pairing.candidate):
            said = _person(link.source, limit.first, limit.last).rstrip(" ,.;!")
            return f", {said[:1].lower()}{said[1:]}"
    return ""


def _dated(candidate: Passage, text: str) -> str:
    """The sentence with each relative day, week or month given its date."""
    for found in sorted(candidate.values.dates, key=lambda each: -each.first):
        meant = _meant(found)
        if meant and found.relative and not found.recurring:
            start, end = candidate.tokens.span(found.first, found.last)
            before = candidate.words[found.first - 1] if found.first else ""
            template = meant.split(" ", 1)[1] if before in words("date_openers") else meant
            text = text[:start] + template + text[end:]
    return text


def _meant(found: Date) -> str:
    if len(found.spans) != 1 or found.slack or found.grain not in _templates():
        return ""
    start = date.fromordinal(found.spans[0][0])
    day = f"{start.day} {start:%B %Y}"
    return _template(found.grain).format(day=day, month=f"{start:%B %Y}", year=start.year)


def _person(source: Passage, first: int, last: int) -> str:
    """The source's words with the speaker's "I" and "my" turned into the memory's "the user"."""
    turned = lexicon.table("gate")["user_forms"] if not source.speaker or source.speaker in _users() else {}
    parts, at = [], first
    for place in range(first, last):
        form = turned.get(source.words[place])
        if form is not None:
            parts += [source.tokens.quote(at, place), form] if place > at else [form]
            at = place + 1
    if at < last:
        parts.append(source.tokens.quote(at, last))
    return " ".join(part for part in parts if part)


def _users() -> frozenset[str]:
    return words("user_speakers")


def _lower(candidate: Passage, text: str) -> str:
    """The sentence without its capital, unless it begins with a name."""
    named = any(name.first == 0 and name.sure for name in candidate.values.names)
    plain = candidate.words and candidate.words[0] in lexicon.table("function_words")
    if candidate.words and candidate.words[0] in lexicon.table("memory_user_words"):
        return f"{_template('the')} {text[:1].lower()}{text[1:]}"
    return f"{text[:1].lower()}{text[1:]}" if plain and not named else text


@cache
def _templates() -> dict[str, str]:
    return dict(lexicon.table("gate")["repairs"])


def _template(name: str) -> str:
    return _templates()[name]
