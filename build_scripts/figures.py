"""Keeps the figures of the labelled sets: none may fall without the change that lowers it saying so.

    python build_scripts/figures.py                          says what rose and fell; exit code 1 where one fell
    python build_scripts/figures.py --write                  writes tests/data/figures.json, refused where one fell
    python build_scripts/figures.py --write --because WHY    writes it all the same, and keeps the reason beside it

A test compares the file with what is computed now. Catch stands beside preservation, so that neither is bought with
the other: for the guard what was caught, kept and spared, for the gate what was caught and what clean writes passed.
Only the `_dev` sets are scored; the `_check` sets are for rare looks (tests/data/corpora/README.md).
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from build_scripts.readme_numbers import (  # noqa: E402
    CORPORA,
    forget_records,
    gate_records,
    guard_records,
    intent_records,
    rows,
)
from edgegate.measure import Rate, evaluate_gate, evaluate_guard  # noqa: E402
from edgegate.measure_memory import evaluate_forget, evaluate_intent  # noqa: E402

FILE = ROOT / "tests" / "data" / "figures.json"

Figures = dict[str, dict[str, list[int]]]
"""Set -> figure -> [count, total]; of every figure, more is better."""


def compute(folder: Path = CORPORA) -> Figures:
    """The figures of every `_dev` set now."""
    found: Figures = {}
    for path in sorted(folder.glob("*_dev*.jsonl")):
        rates = _score(path.stem)
        found[path.stem] = {name: [rate.count, rate.total] for name, rate in rates.items() if rate.total}
    return found


def _score(name: str) -> dict[str, Rate]:
    keys = set(rows(name)[0])
    if "reply" in keys:
        guard = evaluate_guard(guard_records(name))
        spared = Rate(guard.collateral.total - guard.collateral.count, guard.collateral.total)
        return {
            "catch": guard.catch,
            "preservation": guard.preservation,
            "other text kept": spared,
            "safety caught": guard.safety_caught,
            "look-alikes kept": guard.safety_kept,
        }
    if "source" in keys:
        gate = evaluate_gate(gate_records(name))
        alarms = gate.false_alarm_rate
        return {
            "catch": gate.recall,
            "preservation": Rate(alarms.total - alarms.count, alarms.total),
            "right check": gate.right_check,
        }
    if "message" in keys:
        intent = evaluate_intent(intent_records(name))
        return {"intent": intent.intent, "number of facts": intent.fact_count, "kind": intent.kind}
    forget = evaluate_forget(forget_records(name))
    return {"right outcome and targets": forget.right}


def falls(old: Figures, new: Figures) -> list[str]:
    """Every figure of `old` that is lower or missing in `new`, in words. A set that grew is compared by its share.

    >>> falls({"gate_dev": {"catch": [92, 100]}}, {"gate_dev": {"catch": [91, 100]}})
    ['gate_dev, catch: 92 of 100 -> 91 of 100']
    >>> falls({"gate_dev": {"catch": [92, 100]}}, {"gate_dev": {"catch": [184, 200]}})
    []
    """
    return _compare(old, new, -1)


def rises(old: Figures, new: Figures) -> list[str]:
    """Every figure that is higher than it was, in words; figures that are new have nothing to rise from."""
    return _compare(old, new, 1)


def _compare(old: Figures, new: Figures, sign: int) -> list[str]:
    found = []
    for name, figures in old.items():
        for figure, (count, total) in figures.items():
            now_count, now_total = new.get(name, {}).get(figure, [0, 0])
            if sign < 0 and not now_total:
                found.append(f"{name}, {figure}: {count} of {total} -> not there any more")
            elif now_total and sign * (now_count * total - count * now_total) > 0:
                found.append(f"{name}, {figure}: {count} of {total} -> {now_count} of {now_total}")
    return found


def read(path: Path = FILE) -> dict[str, Any]:
    """The checked-in file: `figures`, and `falls` with the reason of each."""
    return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {"figures": {}, "falls": []}


def write(kept: dict[str, Any], new: Figures, because: str | None, path: Path = FILE) -> list[str]:
    """Writes the figures; returns the falls that kept it from being written, for want of a reason."""
    lower = falls(kept["figures"], new)
    if lower and not (because or "").strip():
        return lower
    reasons = [*kept["falls"], *({"figure": each, "because": because} for each in lower)]
    lines = [
        f"  {json.dumps(name)}: {{\n"
        + ",\n".join(f"   {json.dumps(figure)}: {json.dumps(pair)}" for figure, pair in figures.items())
        + "}"
        for name, figures in new.items()
    ]
    told = ",\n".join(f"  {json.dumps(each, ensure_ascii=False)}" for each in reasons)
    text = '{"figures": {\n' + ",\n".join(lines) + '\n },\n "falls": [' + (f"\n{told}\n " if told else "") + "]}\n"
    path.write_text(text, "utf-8")
    return []


def main() -> int:
    """Compares or writes; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write tests/data/figures.json")
    parser.add_argument("--because", help="why a figure may fall")
    arguments = parser.parse_args()
    kept, new = read(), compute()
    for each in rises(kept["figures"], new):
        print(f"rose: {each}")
    lower = falls(kept["figures"], new)
    for each in lower:
        print(f"fell: {each}", file=sys.stderr)
    if arguments.write and write(kept, new, arguments.because):
        print("not written: say why with --because, or don't let them fall", file=sys.stderr)
        return 1
    return 1 if lower and not arguments.write else 0


if __name__ == "__main__":
    sys.exit(main())
