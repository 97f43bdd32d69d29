"""Every cell of the policy table, and the one way a verdict may be lowered."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgegate import policy
from edgegate.errors import UsageError
from edgegate.records import Change, Report, Severity, Verdict


def change(severity: Severity, name: str = "hedge") -> Change:
    return Change(name, "strengthened certainty", severity, None, None, "hedge.maybe", "maybe", "a source", "a detail")


def report(*severities: Severity, uncheckable: str | None = None) -> Report:
    return Report(tuple(change(each) for each in severities), (), (), uncheckable, "0")


CELLS = [
    ("memory", None, Verdict.PASS),
    ("memory", Severity.ADVISORY, Verdict.PASS_WITH_FLAGS),
    ("memory", Severity.REWRITE, Verdict.REWRITE),
    ("memory", Severity.REJECT, Verdict.REJECT),
    ("reply", None, Verdict.PASS),
    ("reply", Severity.ADVISORY, Verdict.PASS_WITH_FLAGS),
    ("reply", Severity.REWRITE, Verdict.REWRITE),
    ("reply", Severity.REJECT, Verdict.REJECT),
]


@pytest.mark.parametrize(("mode", "severity", "verdict"), CELLS)
def test_each_cell(mode: str, severity: Severity | None, verdict: Verdict) -> None:
    found = report() if severity is None else report(severity)
    assert policy.decide(found, mode) is verdict


def test_the_cells_are_the_whole_table() -> None:
    assert {(mode, severity) for mode, row in policy.TABLE.items() for severity in row} == {
        (mode, severity) for mode, severity, _ in CELLS
    }


severities = st.lists(st.sampled_from(list(Severity)), max_size=5)


@given(severities, st.sampled_from(list(policy.TABLE)))
def test_the_gravest_change_decides(found: list[Severity], mode: str) -> None:
    gravest = max(found, key=policy.LADDER.index, default=None)
    assert policy.decide(report(*found), mode) is policy.TABLE[mode][gravest]


@given(severities, st.sampled_from(list(policy.TABLE)))
def test_uncheckable_stays_uncheckable(found: list[Severity], mode: str) -> None:
    blocked = report(*found, uncheckable="language")
    assert policy.decide(blocked, mode) is Verdict.UNCHECKABLE
    for each in blocked.changes:
        with pytest.raises(UsageError):
            policy.lower(blocked, each, None, mode)


def test_lower_takes_a_change_away_or_makes_it_lighter() -> None:
    found = report(Severity.REJECT, Severity.ADVISORY)
    assert policy.lower(found, found.changes[0], None).verdict is Verdict.PASS_WITH_FLAGS
    assert policy.lower(found, found.changes[0], Severity.REWRITE).verdict is Verdict.REWRITE
    assert policy.lower(found, found.changes[0], Severity.ADVISORY).changes[0].severity is Severity.ADVISORY


@given(severities.filter(bool), st.data())
def test_lower_never_raises_a_verdict(found: list[Severity], data: st.DataObject) -> None:
    ladder = [Verdict.PASS, Verdict.PASS_WITH_FLAGS, Verdict.REWRITE, Verdict.REJECT]
    before = report(*found)
    target = data.draw(st.sampled_from(before.changes))
    severity = data.draw(st.sampled_from([None, *Severity]))
    lower = severity is None or policy.LADDER.index(severity) < policy.LADDER.index(target.severity)
    if not lower:
        with pytest.raises(UsageError):
            policy.lower(before, target, severity)
        return
    after = policy.lower(before, target, severity).verdict
    assert after is not None
    assert ladder.index(after) <= ladder.index(policy.decide(before))


def test_lower_refuses_what_is_not_there() -> None:
    with pytest.raises(UsageError, match="not in the report"):
        policy.lower(report(Severity.REJECT), change(Severity.REWRITE), None)


def test_an_unknown_mode_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="known are memory, reply"):
        policy.decide(report(), "letter")


def test_only_one_of_two_equal_changes_is_lowered() -> None:
    twice = replace(report(), changes=(change(Severity.REJECT), change(Severity.REJECT)))
    assert policy.lower(twice, twice.changes[0], None).verdict is Verdict.REJECT
