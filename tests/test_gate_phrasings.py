"""Each check on phrasings of its own: one construction a record, with look-alikes that must pass.

`check` names what must fire on a bad record and stay silent on a clean one; `later` marks what is not held yet. The
records are our own, written grammar by grammar and not taken from a labelled set.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from edgegate.gate.checks import CHECKS
from edgegate.gate.report import check
from edgegate.records import Severity, Verdict

RECORDS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "cases" / "gate_phrasings.jsonl").read_text("utf-8").splitlines()
]
NOW = "2026-03-11T10:00:00+01:00"  # a Wednesday


def cases(label: str) -> list[Any]:
    later = [pytest.mark.xfail(reason="not held yet", strict=True)]
    wanted = [each for each in RECORDS if each["label"] == label]
    return [pytest.param(each, id=each["id"], marks=later if "later" in each else []) for each in wanted]


@pytest.mark.parametrize("case", cases("bad"))
def test_fires(case: dict[str, Any]) -> None:
    report = check(case["source"], case["memory"], now=NOW)
    assert report.verdict in {Verdict.REWRITE, Verdict.REJECT}
    assert case["check"] in {each.check for each in report.changes if each.severity is not Severity.ADVISORY}
    assert all(each.source_quote is not None and each.candidate_quote is not None for each in report.changes)


@pytest.mark.parametrize("case", cases("clean"))
def test_stays_silent(case: dict[str, Any]) -> None:
    report = check(case["source"], case["memory"], now=NOW)
    assert report.verdict in {Verdict.PASS, Verdict.PASS_WITH_FLAGS}, report.changes


def test_every_check_has_phrasings_on_both_sides() -> None:
    fires = Counter(each["check"] for each in RECORDS if each["label"] == "bad" and "later" not in each)
    silent = Counter(each["check"] for each in RECORDS if each["label"] == "clean" and "later" not in each)
    assert {name for name in CHECKS if fires[name] < 5} == set()
    assert {name for name in CHECKS if silent[name] < 2} == set()
