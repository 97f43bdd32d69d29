"""The whole way of one write, for the adapters of memory systems: gate, second reader, fixer, posture, decision.

What the default host does (`edgegate.policy.POSTURE`) is done here; a host may choose otherwise for REWRITE and for
UNCHECKABLE, and for nothing else.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from edgegate import policy
from edgegate.adapters.readers import Reader, fix, second_opinion
from edgegate.errors import EdgegateError, UsageError
from edgegate.gate import witness
from edgegate.gate.report import NOT_CHECKED, check
from edgegate.language import lexicon
from edgegate.records import Report, Verdict

log = logging.getLogger("edgegate")

STORING = frozenset({policy.Action.STORE, policy.Action.STORE_WITH_FLAGS, policy.Action.STORE_UNVERIFIED})
"""The actions after which something is stored."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one text that was about to be stored.

    `memory` is the text, `stored` what was handed to the store in its place (None: nothing), `report` the gate's report
    on the memory, `fixed` that on the repaired text where there is one, `path` the way it came in, `reason` why nothing
    is stored where the report does not say it.
    """

    memory: str
    stored: str | None
    action: policy.Action
    report: Report
    fixed: Report | None = None
    path: str = ""
    reason: str = ""

    @property
    def verdict(self) -> Verdict:
        """The verdict on what was stored, else on the memory."""
        report = self.fixed if self.fixed is not None else self.report
        return report.verdict or policy.decide(report)

    @property
    def flags(self) -> tuple[str, ...]:
        """The checks that left a change in what was stored, else in the memory."""
        report = self.fixed if self.fixed is not None else self.report
        return tuple(dict.fromkeys(change.check for change in report.changes))


@dataclass(frozen=True)
class WriteGate:
    """How a host wants its writes gated.

    `rewrite` says what a REWRITE verdict leads to: "fix" (the repaired text is stored where it passes, else nothing),
    "hold" (nothing is stored), or "flag" (the memory is stored as it is, with its verdict). `keep_unchecked` stores
    what could not be checked, marked so. A `reader` is asked by the `readers` named, and is the fixer's rewriter;
    `deadline` bounds each time it is asked. `on_decision` is told every decision; what it raises is logged and no more.

    >>> gate = WriteGate()
    >>> gate.judge("Someone said Alice was promoted.", "Alice was promoted.").stored
    'Someone said Alice was promoted.'
    >>> gate.judge("It never rains here.", "It rains here.").action.name
    'DISCARD'
    """

    rewrite: Literal["fix", "hold", "flag"] = "fix"
    keep_unchecked: bool = False
    reader: Reader | None = None
    readers: Sequence[str] = ("witness",)
    deadline: float = 10.0
    on_decision: Callable[[Decision], Any] | None = None

    def __post_init__(self) -> None:
        if self.rewrite not in ("fix", "hold", "flag"):
            raise UsageError(f"expected fix, hold or flag, not {self.rewrite!r}", where="rewrite")
        for each in self.readers:
            if each not in witness.READERS:
                raise UsageError(f"unknown reader {each!r}; known are {', '.join(witness.READERS)}", where="readers")

    def judge(self, source: Any, memory: str, *, path: str = "", as_it_is: bool = False, **options: Any) -> Decision:
        """The decision on one memory; options are those of `check`. With `as_it_is` no other text may be stored in its
        place. Never raises: a gate that fails holds the memory. `tell` is for the caller, once nothing changes."""
        try:
            return self._judge(source, memory, path, as_it_is, options)
        except Exception as error:
            log.exception("the write gate failed: the memory is held")
            why = error.message if isinstance(error, EdgegateError) else f"{type(error).__name__}: {error}"
            return self.lost(path, f"the gate failed: {why}", memory)

    def lost(self, path: str, why: str, memory: str = "") -> Decision:
        """The decision on what could not even be read: nothing is stored, and `why` is said."""
        report = Report((), (), NOT_CHECKED, why, lexicon.hash())
        return Decision(memory, None, policy.Action.HOLD, report, None, path, why)

    def tell(self, decision: Decision) -> None:
        """Tells the host a decision."""
        if self.on_decision is not None:
            try:
                self.on_decision(decision)
            except Exception:
                log.exception("on_decision failed")

    def _judge(self, source: Any, memory: str, path: str, as_it_is: bool, options: dict[str, Any]) -> Decision:
        report = check(source, memory, **options)
        wanted = "added" in self.readers or policy.decide(report) in policy.FLAGGED
        if self.reader is not None and wanted and report.uncheckable is None:
            heard = second_opinion(source, memory, self.reader, deadline=self.deadline, readers=self.readers, **options)
            report = heard.report
        verdict = report.verdict or policy.decide(report)
        if verdict is Verdict.REWRITE and self.rewrite == "flag":
            return Decision(memory, memory, policy.Action.STORE_WITH_FLAGS, report, None, path)
        if verdict is Verdict.REWRITE and (self.rewrite == "hold" or as_it_is):
            return Decision(memory, None, policy.Action.HOLD, report, None, path)
        if verdict is Verdict.REWRITE:
            repaired = fix(source, memory, self.reader, deadline=self.deadline, **options)
            if repaired.text is None:
                return Decision(memory, None, policy.Action.HOLD, report, None, path, "no rewrite passes the gate")
            action = policy.posture(verdict, fixed=policy.decide(repaired.report))
            stored = repaired.text if action in STORING else None
            return Decision(memory, stored, action, report, repaired.report if stored else None, path)
        action = policy.posture(verdict, keep_unchecked=self.keep_unchecked)
        return Decision(memory, memory if action in STORING else None, action, report, None, path)
