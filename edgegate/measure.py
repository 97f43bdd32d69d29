"""Scores the gate and the guard on labelled sets: rates with counts and intervals, catch beside preservation.

How a set is scored is fixed here once (the rules stand in each class, those that speak of one record in
`edgegate.labelled`). Intervals are Wilson's at 95 % (Wilson 1927, "Probable inference, the law of succession, and
statistical inference", JASA 22). Reading the files is the caller's business: `evaluate_gate` and `evaluate_guard` take
records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from edgegate.labelled import (
    ERRORS,
    GateRecord,
    GuardRecord,
    JudgedReply,
    JudgedWrite,
    judge_reply,
    judge_write,
)
from edgegate.records import Severity, Verdict


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its counts. `value` is None where nothing was counted; `low` and `high` are Wilson's 95 % bounds.

    >>> rate = Rate(8, 10)
    >>> rate.value, round(rate.low, 3), round(rate.high, 3)
    (0.8, 0.49, 0.943)
    """

    count: int
    total: int

    @property
    def value(self) -> float | None:
        return self.count / self.total if self.total else None

    def _bound(self, sign: int) -> float:
        if not self.total:
            return 0.0 if sign < 0 else 1.0
        z, n, share = 1.959964, self.total, self.count / self.total
        middle = share + z * z / (2 * n)
        spread = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return min(1.0, max(0.0, (middle + sign * spread) / (1 + z * z / n)))

    @property
    def low(self) -> float:
        return self._bound(-1)

    @property
    def high(self) -> float:
        return self._bound(1)

    def __add__(self, other: Rate) -> Rate:
        return Rate(self.count + other.count, self.total + other.total)

    def to_json(self) -> dict[str, Any]:
        """The rate as plain data: value, count, total, low, high (rounded to four places)."""
        value = None if self.value is None else round(self.value, 4)
        return {
            "value": value,
            "count": self.count,
            "total": self.total,
            "low": round(self.low, 4),
            "high": round(self.high, 4),
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to one labelled item: for reading errors one by one."""

    record: str
    text: str
    label: str
    right: bool
    why: str


@dataclass
class GateScore:
    """The gate's rates over labelled writes.

    A write counts as flagged when its verdict is REWRITE or REJECT. UNCHECKABLE stands apart: on a bad write it is
    neither a catch nor a miss. `right_check` is the share of caught writes whose checks include a labelled mechanism
    (`owner` is right where `attribution` is labelled; `broadened` and `added` have no check and are left out of it).
    """

    records: int = 0
    caught: int = 0
    missed: int = 0
    false_alarms: int = 0
    clean_passed: int = 0
    uncheckable_bad: int = 0
    uncheckable_clean: int = 0
    advisory: Rate = Rate(0, 0)
    right_check: Rate = Rate(0, 0)
    by_mechanism: dict[str, Rate] = field(default_factory=dict)
    by_check: dict[str, Rate] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)

    def count(self, judged: JudgedWrite) -> None:
        """Counts one more write."""
        record, bad, flagged = judged.record, judged.bad, judged.flagged
        self.records += 1
        if record.label in ("clean", "bad"):
            if judged.uncheckable:
                self.uncheckable_bad += bad
                self.uncheckable_clean += not bad
            elif flagged:
                self.caught += bad
                self.false_alarms += not bad
                changes = judged.report.changes
                for name in {change.check for change in changes if change.severity is not Severity.ADVISORY}:
                    _count(self.by_check, name, bad)
            else:
                self.missed += bad
                self.clean_passed += not bad
        elif record.label == "advisory":
            self.advisory += Rate(judged.report.verdict is Verdict.PASS_WITH_FLAGS, 1)
        if bad and not judged.uncheckable:
            for name in record.mechanisms:
                _count(self.by_mechanism, name, flagged)
        if judged.right_check is not None:
            self.right_check += Rate(judged.right_check, 1)
        report = judged.report
        told = [f"{change.check}: {change.detail}" for change in report.changes]
        why = "; ".join(told) or str(report.uncheckable or "")
        correct = not judged.uncheckable and flagged == bad
        self.outcomes.append(Outcome(record.id, record.memory, record.label, correct, f"{report.verdict}: {why}"))

    @property
    def precision(self) -> Rate:
        return Rate(self.caught, self.caught + self.false_alarms)

    @property
    def recall(self) -> Rate:
        return Rate(self.caught, self.caught + self.missed)

    @property
    def false_alarm_rate(self) -> Rate:
        return Rate(self.false_alarms, self.false_alarms + self.clean_passed)

    @property
    def passed(self) -> Rate:
        """The share of clean writes that passed: what stands beside the catch."""
        return Rate(self.clean_passed, self.false_alarms + self.clean_passed)

    @property
    def uncheckable(self) -> Rate:
        return Rate(self.uncheckable_bad + self.uncheckable_clean, self.records)

    @property
    def f1(self) -> float | None:
        both = 2 * self.caught + self.missed + self.false_alarms
        return 2 * self.caught / both if both else None

    def to_json(self) -> dict[str, Any]:
        return {
            "job": "gate",
            "records": self.records,
            "precision": self.precision.to_json(),
            "recall": self.recall.to_json(),
            "f1": None if self.f1 is None else round(self.f1, 4),
            "false_alarm_rate": self.false_alarm_rate.to_json(),
            "right_check": self.right_check.to_json(),
            "advisory": self.advisory.to_json(),
            "uncheckable": self.uncheckable.to_json(),
            "recall_by_mechanism": {name: rate.to_json() for name, rate in sorted(self.by_mechanism.items())},
            "precision_by_check": {name: rate.to_json() for name, rate in sorted(self.by_check.items())},
        }


@dataclass
class GuardScore:
    """The guard's rates over labelled replies.

    *catch*: share of `fabricated` sentences that are not in the shown text. *preservation*: share of `supported`
    sentences left intact, apart from a leading connective, white space and a list number counted anew. *collateral*:
    share of `none` and `world` sentences lost. `mixed` is reported, never scored. Safety has its own two rates, and a
    sentence dropped for safety leaves the others alone. Where two readers differ (`second`), a sentence is left out.
    A reply on which the guard failed closed shows nothing, which would look like a perfect catch: it is counted in
    `failed` and scored nowhere.
    """

    records: int = 0
    failed: int = 0
    catch: Rate = Rate(0, 0)
    preservation: Rate = Rate(0, 0)
    collateral: Rate = Rate(0, 0)
    collateral_none: Rate = Rate(0, 0)
    collateral_world: Rate = Rate(0, 0)
    mixed_dropped: Rate = Rate(0, 0)
    safety_caught: Rate = Rate(0, 0)
    safety_kept: Rate = Rate(0, 0)
    left_out: int = 0
    outcomes: list[Outcome] = field(default_factory=list)

    def count(self, judged: JudgedReply) -> None:
        """Counts one more reply."""
        name = judged.record.id
        self.records += 1
        if judged.failed is not None:
            self.failed += 1
            self.outcomes.append(Outcome(name, judged.record.reply, "failed", False, judged.failed))
        for each in judged.sentences:
            sentence, drop = each.sentence, each.drop
            why = f"{drop.family} {drop.cue}: {drop.reason}" if drop else ""
            self.left_out += each.left_out
            for rate, hit in each.counts:
                setattr(self, rate, getattr(self, rate) + Rate(hit, 1))
                label = sentence.safety if rate == "safety_caught" else sentence.label
                if rate in ERRORS and rate != "safety_kept":
                    right = hit != ERRORS[rate]
                    self.outcomes.append(Outcome(name, sentence.text, str(label), right, why))

    def to_json(self) -> dict[str, Any]:
        rates = {name: value.to_json() for name, value in vars(self).items() if isinstance(value, Rate)}
        return {"job": "guard", "records": self.records, "failed": self.failed, **rates, "left_out": self.left_out}


def evaluate_gate(records: Iterable[GateRecord], tick: Callable[[], None] = lambda: None) -> GateScore:
    """The gate's score over `records`; `tick` is called after each (for a progress bar).

    >>> record = GateRecord("x", [{"speaker": "user", "text": "Maybe I will move to Ulm."}], "The user moves to Ulm.",
    ...                     "bad", mechanisms=["hedge"])
    >>> evaluate_gate([record]).caught
    1
    """
    score = GateScore()
    for record in records:
        score.count(judge_write(record))
        tick()
    return score


def evaluate_guard(records: Iterable[GuardRecord], tick: Callable[[], None] = lambda: None) -> GuardScore:
    """The guard's score over `records`; `tick` is called after each (for a progress bar).

    >>> from edgegate.labelled import LabelledSentence
    >>> record = GuardRecord("x", {"memories": []}, "Hello. You told me you have a boat.",
    ...                      [LabelledSentence("Hello.", "none"),
    ...                       LabelledSentence("You told me you have a boat.", "fabricated")])
    >>> score = evaluate_guard([record])
    >>> score.catch.count, score.collateral.count
    (1, 0)
    """
    score = GuardScore()
    for record in records:
        score.count(judge_reply(record))
        tick()
    return score


def _count(rates: dict[str, Rate], name: str, hit: bool) -> None:
    rates[name] = rates.get(name, Rate(0, 0)) + Rate(hit, 1)
