"""The sole owner of verdicts: what a report's changes mean for the write, and the one way a verdict may be lowered.

The policy is a table, written down as data, and never a score (DESIGN, the write gate). A verdict depends on the
gravest change alone; a report that could not be checked is UNCHECKABLE, whatever else it holds, and nothing turns
that into anything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from edgegate.errors import UsageError
from edgegate.records import Change, Report, Severity, Verdict

#: mode -> gravest severity (None: no change at all) -> verdict. A memory and a reply are judged alike today; the
#: modes are two rows so that one can change without the other.
TABLE: dict[str, dict[Severity | None, Verdict]] = {
    "memory": {
        None: Verdict.PASS,
        Severity.ADVISORY: Verdict.PASS_WITH_FLAGS,
        Severity.REWRITE: Verdict.REWRITE,
        Severity.REJECT: Verdict.REJECT,
    },
    "reply": {
        None: Verdict.PASS,
        Severity.ADVISORY: Verdict.PASS_WITH_FLAGS,
        Severity.REWRITE: Verdict.REWRITE,
        Severity.REJECT: Verdict.REJECT,
    },
}

#: The ladder of changes, from light to grave.
LADDER: tuple[Severity, ...] = (Severity.ADVISORY, Severity.REWRITE, Severity.REJECT)

#: verdict -> whether it counts as flagged in every rate.
FLAGGED: frozenset[Verdict] = frozenset({Verdict.REWRITE, Verdict.REJECT})


def gravest(changes: tuple[Change, ...]) -> Severity | None:
    """The gravest severity among `changes`, or None where there are none."""
    return max((change.severity for change in changes), key=LADDER.index, default=None)


def decide(report: Report, mode: str = "memory") -> Verdict:
    """The verdict on a report: UNCHECKABLE where it could not be checked, else what the table says.

    `mode` is "memory" or "reply"; anything else raises UsageError.

    >>> decide(Report((), (), (), None, "0"))
    <Verdict.PASS: 'PASS'>
    >>> decide(Report((), (), (), "language", "0"))
    <Verdict.UNCHECKABLE: 'UNCHECKABLE'>
    """
    if mode not in TABLE:
        raise UsageError(f"unknown mode {mode!r}; known are {', '.join(TABLE)}", where="mode")
    if report.uncheckable is not None:
        return Verdict.UNCHECKABLE
    return TABLE[mode][gravest(report.changes)]


def lower(report: Report, change: Change, severity: Severity | None, mode: str = "memory") -> Report:
    """The report with one change at a lower severity, or without it (None), decided again.

    This is all that a second reader may do: it never raises a severity and never touches UNCHECKABLE. Raises
    UsageError where the change is not in the report, the new severity is not lower, or the report is uncheckable.
    """
    if report.uncheckable is not None or report.verdict is Verdict.UNCHECKABLE:
        raise UsageError("an uncheckable report can't be lowered: there is nothing that was checked", where="report")
    if change not in report.changes:
        raise UsageError("this change is not in the report", where="change")
    if severity is not None and LADDER.index(severity) >= LADDER.index(change.severity):
        raise UsageError(f"{severity.value} is not lower than {change.severity.value}", where="severity")
    kept = []
    found = False
    for each in report.changes:
        if each == change and not found:
            found = True
            if severity is not None:
                kept.append(replace(each, severity=severity))
        else:
            kept.append(each)
    lowered = replace(report, changes=tuple(kept), verdict=None)
    return replace(lowered, verdict=decide(lowered, mode))


def add(report: Report, changes: Sequence[Change], detector: str | None, mode: str = "memory") -> Report:
    """The report with the changes of a detector that was not run before, decided again.

    `detector` leaves `not_checked`; None where it did not get through everything. An uncheckable report stays
    uncheckable: nothing makes it a pass or a finding.

    >>> add(Report((), (), ("added",), None, "0"), [], "added").not_checked
    ()
    """
    if report.uncheckable is not None:
        return report
    rest = tuple(name for name in report.not_checked if name != detector)
    wider = replace(report, changes=(*report.changes, *changes), not_checked=rest, verdict=None)
    return replace(wider, verdict=decide(wider, mode))


def passes(report: Report, mode: str = "memory") -> bool:
    """Whether a report is a pass, with flags or without.

    >>> passes(Report((), (), (), None, "0")), passes(Report((), (), (), "language", "0"))
    (True, False)
    """
    return decide(report, mode) in (Verdict.PASS, Verdict.PASS_WITH_FLAGS)


class Action(StrEnum):
    """What a host does with a write."""

    STORE = "store"
    STORE_WITH_FLAGS = "store with its flags"
    FIX = "fix, pass the gate again, else hold"
    DISCARD = "do not store"
    HOLD = "hold"
    STORE_UNVERIFIED = "store, marked unverified"


#: verdict -> what the default host does (DESIGN, "Posture").
POSTURE: dict[Verdict, Action] = {
    Verdict.PASS: Action.STORE,
    Verdict.PASS_WITH_FLAGS: Action.STORE_WITH_FLAGS,
    Verdict.REWRITE: Action.FIX,
    Verdict.REJECT: Action.DISCARD,
    Verdict.UNCHECKABLE: Action.HOLD,
}


def posture(verdict: Verdict, *, fixed: Verdict | None = None, keep_unchecked: bool = False) -> Action:
    """What the default host does after a verdict.

    `fixed` is the verdict on the fixer's text, once there is one: REWRITE is stored only when that text passes, else
    held. `keep_unchecked` is the host's word that what could not be checked is stored all the same, marked unverified.

    >>> posture(Verdict.REWRITE), posture(Verdict.REWRITE, fixed=Verdict.PASS).name
    (<Action.FIX: 'fix, pass the gate again, else hold'>, 'STORE')
    >>> posture(Verdict.UNCHECKABLE).name, posture(Verdict.UNCHECKABLE, keep_unchecked=True).name
    ('HOLD', 'STORE_UNVERIFIED')
    """
    if verdict is Verdict.UNCHECKABLE and keep_unchecked:
        return Action.STORE_UNVERIFIED
    if verdict is Verdict.REWRITE and fixed is not None:
        return POSTURE[fixed] if fixed not in FLAGGED and fixed is not Verdict.UNCHECKABLE else Action.HOLD
    return POSTURE[verdict]
