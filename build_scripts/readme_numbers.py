"""Recomputes the figures that README states, from the labelled sets in the repository.

`python3 build_scripts/readme_numbers.py` prints the block; `--write` puts it into README.md. A test compares the two
(DESIGN, Law 10). It needs nothing but the core.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from edgegate.labelled import GateRecord, GuardRecord, LabelledSentence  # noqa: E402
from edgegate.language import lexicon  # noqa: E402
from edgegate.measure import Rate, evaluate_gate, evaluate_guard  # noqa: E402
from edgegate.measure_memory import (  # noqa: E402
    ForgetRecord,
    IntentRecord,
    LabelledFact,
    evaluate_forget,
    evaluate_intent,
)

README = ROOT / "README.md"
CORPORA = ROOT / "tests" / "data" / "corpora"
BLOCK = re.compile(r"(<!-- numbers -->\n).*?(<!-- /numbers -->)", re.DOTALL)


def rows(name: str) -> list[dict[str, Any]]:
    """The records of a set as they stand in its file."""
    lines = (CORPORA / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def _known(record: type, row: dict[str, Any]) -> dict[str, Any]:
    return {entry.name: row[entry.name] for entry in fields(record) if entry.name in row}


def gate_records(name: str) -> list[GateRecord]:
    """The labelled writes of a set."""
    return [GateRecord(**_known(GateRecord, row)) for row in rows(name)]


def guard_records(name: str) -> list[GuardRecord]:
    """The labelled replies of a set."""
    return [
        GuardRecord(
            **_known(GuardRecord, row)
            | {"sentences": [LabelledSentence(**_known(LabelledSentence, each)) for each in row["sentences"]]}
        )
        for row in rows(name)
    ]


def intent_records(name: str) -> list[IntentRecord]:
    """The labelled messages of a set."""
    return [
        IntentRecord(
            **_known(IntentRecord, row)
            | {"facts": [LabelledFact(**_known(LabelledFact, each)) for each in row["facts"]]}
        )
        for row in rows(name)
    ]


def forget_records(name: str) -> list[ForgetRecord]:
    """The labelled requests to forget of a set."""
    return [ForgetRecord(**_known(ForgetRecord, row)) for row in rows(name)]


def _cell(rate: Rate) -> str:
    value = "–" if rate.value is None else f"{rate.value:.2f}"
    return f"{value} ({rate.count}/{rate.total}; {rate.low:.2f}–{rate.high:.2f})"


def block() -> str:
    """The figures of README as Markdown."""
    lines = [
        "| reply guard | fabricated caught | supported kept | other text lost | safety caught | look-alikes kept |",
        "|---|---|---|---|---|---|",
    ]
    for name in (
        "natural_dev",
        "guard_dev",
        "natural_check",
        "guard_check",
        "natural_blind",
        "guard_blind",
        "safety_blind",
        "natural_blind2",
        "guard_blind2",
        "safety_blind2",
    ):
        guard = evaluate_guard(guard_records(name))
        cells = [guard.catch, guard.preservation, guard.collateral, guard.safety_caught, guard.safety_kept]
        lines.append(f"| `{name}` ({guard.records} replies) | {' | '.join(_cell(cell) for cell in cells)} |")
    lines += ["", "| write gate | precision | recall | F1 | right check | uncheckable |", "|---|---|---|---|---|---|"]
    for name in ("gate_dev", "gate_check", "gate_blind", "gate_blind2"):
        gate = evaluate_gate(gate_records(name))
        cells = [gate.precision, gate.recall]
        lines.append(
            f"| `{name}` ({gate.records} writes) | {' | '.join(_cell(cell) for cell in cells)} | {gate.f1 or 0:.2f} "
            f"| {_cell(gate.right_check)} | {_cell(gate.uncheckable)} |"
        )
    lines += ["", "| reading messages | intent | exact number of facts | kind of a matched fact |", "|---|---|---|---|"]
    for name in ("intent_dev", "intent_check"):
        intent = evaluate_intent(intent_records(name))
        cells = [intent.intent, intent.fact_count, intent.kind]
        lines.append(f"| `{name}` ({intent.records} messages) | {' | '.join(_cell(cell) for cell in cells)} |")
    lines += ["", "| requests to forget | right outcome and targets | wrong deletions |", "|---|---|---|"]
    for name in ("forget_dev", "forget_check"):
        forget = evaluate_forget(forget_records(name))
        lines.append(
            f"| `{name}` ({forget.records} requests) | {_cell(forget.right)} | {forget.wrong_deletions.count} |"
        )
    cues = lexicon.cues()
    lines += ["", f"The lexicons hold {len(cues)} cues in {len({cue.family for cue in cues})} families."]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the block, or write it into README.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the block into README.md")
    arguments = parser.parse_args()
    text = block()
    if arguments.write:
        readme = README.read_text("utf-8")
        README.write_text(BLOCK.sub(lambda found: found.group(1) + text + found.group(2), readme), "utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
