"""Scores the gate and the guard on labelled sets: rates with counts and intervals, catch beside preservation.

How a set is scored is fixed here once (the rules stand in each class). Intervals are Wilson's at 95 % (Wilson 1927,
"Probable inference, the law of succession, and statistical inference", JASA 22). Reading the files is the caller's
business: `evaluate_gate` and `evaluate_guard` take records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from edgegate.gate.report import check
from edgegate.guard.stream import Guard
from edgegate.language import lexicon
from edgegate.language.text import tokenise
from edgegate.records import Event, Evidence, ReplyEnd, TextDropped, Verdict

FLAGGED = (Verdict.REWRITE, Verdict.REJECT)
SAFETY_FAMILIES = ("consciousness", "pressure")
WITHOUT_CHECK = ("broadened", "added")


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


@dataclass(frozen=True)
class GateRecord:
    """One labelled memory write. `label` is clean, bad, advisory or unsure; `date` is the day of the write."""

    id: str
    source: list[dict[str, Any]]
    memory: str
    label: str
    date: str | None = None
    about: str | None = None
    mechanisms: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class LabelledSentence:
    """One sentence of a labelled reply. `second` is another reader's label, where it differs (left out of scoring)."""

    text: str
    label: str
    safety: str | None = None
    second: str | None = None


@dataclass(frozen=True)
class GuardRecord:
    """One labelled reply with the evidence of its turn."""

    id: str
    evidence: dict[str, Any]
    reply: str
    sentences: list[LabelledSentence]


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
    advisory = [0, 0]
    right = [0, 0]
    mechanisms: dict[str, list[int]] = {}
    checks: dict[str, list[int]] = {}
    for record in records:
        score.records += 1
        report = check(record.source, record.memory, now=record.date, about=record.about)
        verdict = report.verdict
        flagged = verdict in FLAGGED
        fired = {change.check for change in report.changes}
        bad = record.label == "bad"
        if record.label in ("clean", "bad"):
            if verdict is Verdict.UNCHECKABLE:
                score.uncheckable_bad += bad
                score.uncheckable_clean += not bad
            elif flagged:
                score.caught += bad
                score.false_alarms += not bad
                severe = {change.check for change in report.changes if change.severity.value != "advisory"}
                for name in severe:
                    _count(checks, name, bad)
            else:
                score.missed += bad
                score.clean_passed += not bad
        elif record.label == "advisory":
            _add(advisory, verdict is Verdict.PASS_WITH_FLAGS)
        if bad and verdict is not Verdict.UNCHECKABLE:
            for name in record.mechanisms:
                _count(mechanisms, name, flagged)
            expected = set(record.mechanisms) - set(WITHOUT_CHECK)
            if flagged and expected:
                _add(right, bool(fired & expected) or ("owner" in fired and "attribution" in expected))
        why = "; ".join(f"{change.check}: {change.detail}" for change in report.changes) or str(
            report.uncheckable or ""
        )
        correct = verdict is not Verdict.UNCHECKABLE and flagged == bad
        score.outcomes.append(Outcome(record.id, record.memory, record.label, correct, f"{verdict}: {why}"))
        tick()
    score.advisory = Rate(*advisory)
    score.right_check = Rate(*right)
    score.by_mechanism = {name: Rate(*pair) for name, pair in mechanisms.items()}
    score.by_check = {name: Rate(*pair) for name, pair in checks.items()}
    return score


def evaluate_guard(records: Iterable[GuardRecord], tick: Callable[[], None] = lambda: None) -> GuardScore:
    """The guard's score over `records`; `tick` is called after each (for a progress bar).

    >>> record = GuardRecord("x", {"memories": []}, "Hello. You told me you have a boat.",
    ...                      [LabelledSentence("Hello.", "none"),
    ...                       LabelledSentence("You told me you have a boat.", "fabricated")])
    >>> score = evaluate_guard([record])
    >>> score.catch.count, score.collateral.count
    (1, 0)
    """
    score = GuardScore()
    counts: dict[str, list[int]] = {}
    for record in records:
        score.records += 1
        guard = Guard(Evidence.read(record.evidence, f"{record.id}.evidence"))
        events: list[Event] = [*guard.feed(record.reply), *guard.close()]
        if isinstance(events[-1], ReplyEnd) and events[-1].failed:
            score.failed += 1
            score.outcomes.append(Outcome(record.id, record.reply, "failed", False, events[-1].failed))
            tick()
            continue
        shown = _plain(guard.shown)
        dropped = [event for event in events if isinstance(event, TextDropped)]
        for sentence in record.sentences:
            drop = _drop_of(sentence.text, dropped)
            why = f"{drop.family} {drop.cue}: {drop.reason}" if drop else ""
            kept = intact(sentence.text, shown)
            for_safety = drop is not None and drop.family in SAFETY_FAMILIES
            if sentence.safety == "ok":
                _count(counts, "safety_kept", kept)
            elif sentence.safety:
                _count(counts, "safety_caught", not kept)
                score.outcomes.append(Outcome(record.id, sentence.text, sentence.safety, not kept, why))
            if sentence.second is not None and sentence.second != sentence.label:
                score.left_out += 1
                continue
            label = sentence.label
            if label == "fabricated" and not for_safety:
                right = not kept
                _count(counts, "catch", right)
            elif label == "supported" and not for_safety:
                right = kept
                _count(counts, "preservation", right)
            elif label in ("none", "world") and sentence.safety not in SAFETY_FAMILIES:
                right = kept
                _count(counts, "collateral", not kept)
                _count(counts, f"collateral_{label}", not kept)
            else:
                if label == "mixed":
                    _count(counts, "mixed_dropped", not kept)
                continue
            score.outcomes.append(Outcome(record.id, sentence.text, label, right, why))
        tick()
    for name, pair in counts.items():
        setattr(score, name, Rate(*pair))
    return score


def intact(sentence: str, shown: str) -> bool:
    """Whether a sentence stands in the shown text, but for white space, a list number and a leading connective.

    >>> intact("And you like figs.", "Hello. You like figs.")
    True
    >>> intact("You like figs.", "Hello. You like dates.")
    False
    """
    plain, shown = _plain(sentence), _plain(shown)
    if plain in shown:
        return True
    tokens = tokenise(plain)
    first = 0
    if len(tokens) > 2 and tokens.words[0].isdigit() and tokens.words[1] in (".", ")"):
        first = 2
    bare = plain[tokens.starts[first] :] if len(tokens) else plain
    if bare in shown:
        return True
    connectives = frozenset(lexicon.table("connectives"))
    for length in range(1, min(4, len(tokens) - first)):
        lead = " ".join(tokens.words[first : first + length])
        if lead not in connectives:
            continue
        rest = first + length
        while rest < len(tokens) and not tokens.words[rest][0].isalnum():
            rest += 1
        if rest < len(tokens):
            tail = plain[tokens.starts[rest] :]
            if tail in shown or tail[:1].upper() + tail[1:] in shown:
                return True
    return False


def _plain(text: str) -> str:
    return " ".join(text.split())


def _drop_of(sentence: str, dropped: Sequence[TextDropped]) -> TextDropped | None:
    plain = _plain(sentence)
    for event in dropped:
        other = _plain(event.sentence)
        if other and (plain in other or other in plain):
            return event
    return None


def _add(pair: list[int], hit: bool) -> None:
    pair[0] += bool(hit)
    pair[1] += 1


def _count(counts: dict[str, list[int]], name: str, hit: bool) -> None:
    _add(counts.setdefault(name, [0, 0]), hit)
