"""Scores what memory reads of messages and plans for requests to forget on labelled sets.

The rules of scoring stand in each class. Reading the files is the caller's business: `evaluate_intent` and
`evaluate_forget` take records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from edgegate.language.align import content
from edgegate.language.text import tokenise
from edgegate.measure import Outcome, Rate
from edgegate.memory import plan_forget, read_message

MATCHED = 0.35
"""Two facts are taken for one when they share this much of their content words (Dice 1945)."""
NOTHING = Rate(0, 0)
VOLUNTEERED = frozenset({"chat", "remember"})
"""A fact told under either is right, if the facts are right."""


@dataclass(frozen=True)
class LabelledFact:
    """One fact that a reader found in a message."""

    text: str
    kind: str


@dataclass(frozen=True)
class IntentRecord:
    """One labelled message."""

    id: str
    message: str
    intent: str
    facts: list[LabelledFact]
    now: str | None = None


@dataclass(frozen=True)
class ForgetRecord:
    """One labelled request to forget: `expect` is delete, none or ask, `targets` are places in `memories`."""

    id: str
    memories: list[str]
    request: str
    expect: str
    targets: list[int]


@dataclass
class IntentScore:
    """The rates over labelled messages.

    *intent*: the intent is the labelled one; where chat and remember are confused it is right, too, if the message has
    facts and they are as many as labelled and match. *fact_count*: exactly as many facts. *matched*: labelled facts
    that a found one matches. *kind*: matched facts of the labelled kind.
    """

    records: int = 0
    intent: Rate = NOTHING
    fact_count: Rate = NOTHING
    matched: Rate = NOTHING
    kind: Rate = NOTHING
    by_intent: dict[str, Rate] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        rates = {name: value.to_json() for name, value in vars(self).items() if isinstance(value, Rate)}
        shares = {name: rate.to_json() for name, rate in sorted(self.by_intent.items())}
        return {"job": "intent", "records": self.records, **rates, "intent_by_label": shares}


@dataclass
class ForgetScore:
    """The rates over labelled requests to forget.

    *right*: the labelled outcome with just the labelled targets. *wrong_deletions*: requests on which a memory would be
    deleted that is not labelled so; one is worse than any number of questions.
    """

    records: int = 0
    right: Rate = NOTHING
    wrong_deletions: Rate = NOTHING
    by_outcome: dict[str, Rate] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        rates = {name: value.to_json() for name, value in vars(self).items() if isinstance(value, Rate)}
        shares = {name: rate.to_json() for name, rate in sorted(self.by_outcome.items())}
        return {"job": "forget", "records": self.records, **rates, "right_by_label": shares}


def match_facts(labelled: Sequence[str], found: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of places of facts that say the same, the closest first, each fact once.

    >>> match_facts(["The user rows"], ["The user sings", "The user rows at dawn"])
    [(0, 1)]
    """
    mine, theirs = [_stems(text) for text in labelled], [_stems(text) for text in found]
    close = [
        (2 * len(one & other) / (len(one) + len(other)), here, there)
        for here, one in enumerate(mine)
        for there, other in enumerate(theirs)
        if one and other
    ]
    pairs: list[tuple[int, int]] = []
    for share, here, there in sorted(close, key=lambda each: (-each[0], each[1], each[2])):
        if share >= MATCHED and all(here != pair[0] and there != pair[1] for pair in pairs):
            pairs.append((here, there))
    return sorted(pairs)


def _stems(text: str) -> frozenset[str]:
    return frozenset(word for _, word in content(tokenise(text)))


def evaluate_intent(records: Iterable[IntentRecord], tick: Callable[[], None] = lambda: None) -> IntentScore:
    """The score of `read_message` over `records`; `tick` is called after each.

    >>> record = IntentRecord("x", "remember that I row", "remember", [LabelledFact("The user rows", "fact")])
    >>> score = evaluate_intent([record])
    >>> score.intent.value, score.fact_count.value, score.kind.value
    (1.0, 1.0, 1.0)
    """
    score = IntentScore()
    for record in records:
        score.records += 1
        message = read_message(record.message, record.now)
        pairs = match_facts([fact.text for fact in record.facts], [fact.text for fact in message.facts])
        kinds = sum(record.facts[here].kind == message.facts[there].kind for here, there in pairs)
        same_count = len(record.facts) == len(message.facts)
        facts_right = bool(record.facts) and same_count and len(pairs) == len(record.facts)
        either = {record.intent, message.intent} == VOLUNTEERED
        right = record.intent == message.intent or (either and facts_right)
        score.intent = _more(score.intent, right, 1)
        score.fact_count = _more(score.fact_count, same_count, 1)
        score.matched = _more(score.matched, len(pairs), len(record.facts))
        score.kind = _more(score.kind, kinds, len(pairs))
        score.by_intent[record.intent] = _more(score.by_intent.get(record.intent, Rate(0, 0)), right, 1)
        told = "; ".join(f"{fact.text} ({fact.kind})" for fact in message.facts)
        why = f"{message.intent} {message.cue}: {told or 'no facts'}"
        all_right = right and same_count and kinds == len(pairs) == len(record.facts)
        score.outcomes.append(Outcome(record.id, record.message, record.intent, all_right, why))
        tick()
    return score


def evaluate_forget(records: Iterable[ForgetRecord], tick: Callable[[], None] = lambda: None) -> ForgetScore:
    """The score of `plan_forget` over `records`; `tick` is called after each.

    >>> record = ForgetRecord("x", ["The user rows", "The user sings"], "forget that I row", "delete", [0])
    >>> score = evaluate_forget([record])
    >>> score.right.value, score.wrong_deletions.count
    (1.0, 0)
    """
    score = ForgetScore()
    for record in records:
        score.records += 1
        plan = plan_forget(record.memories, record.request)
        deleted = set(plan.targets) if plan.outcome == "delete" else set()
        allowed = set(record.targets) if record.expect == "delete" else set()
        right = plan.outcome == record.expect and sorted(plan.targets) == sorted(record.targets)
        score.right = _more(score.right, right, 1)
        score.wrong_deletions = _more(score.wrong_deletions, bool(deleted - allowed), 1)
        score.by_outcome[record.expect] = _more(score.by_outcome.get(record.expect, Rate(0, 0)), right, 1)
        why = f"{plan.outcome} {list(plan.targets)} ({plan.reason}), not {record.expect} {record.targets}"
        score.outcomes.append(Outcome(record.id, record.request, record.expect, right, why))
        tick()
    return score


def _more(rate: Rate, count: int, total: int) -> Rate:
    return Rate(rate.count + count, rate.total + total)
