"""Constructions with their look-alikes: what must be flagged, and what reads nearly the same and must not be.

The records are our own, written construction by construction. `later` marks what is not held yet. The whole set also
runs through `edgegate evaluate tests/data/cases/gate_reach.jsonl --job gate`. `gate_unmet.jsonl` holds, in sentences of
our own, what text by writers who had seen no rule made plain.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from edgegate.gate.report import check
from edgegate.records import Verdict

FOLDER = Path(__file__).parent / "data" / "cases"
CASES = ("gate_reach.jsonl", "gate_unmet.jsonl")
NOW = "2026-03-11T10:00:00+01:00"  # a Wednesday
FLAGGED = {Verdict.REWRITE, Verdict.REJECT}


def cases() -> list[Any]:
    found = []
    for line in (line for name in CASES for line in (FOLDER / name).read_text("utf-8").splitlines()):
        case = json.loads(line)
        marks = [pytest.mark.xfail(reason=case["later"], strict=False)] if "later" in case else []
        found.append(pytest.param(case, id=case["id"], marks=marks))
    return found


@pytest.mark.parametrize("case", cases())
def test_constructions(case: dict[str, Any]) -> None:
    report = check(case["source"], case["memory"], now=NOW)
    if case["label"] == "bad":
        assert report.verdict in FLAGGED
    else:
        assert report.verdict in {Verdict.PASS, Verdict.PASS_WITH_FLAGS}, report.changes
