"""Recomputes the figures that README states, from the labelled sets in the repository.

`python3 build_scripts/readme_numbers.py` prints the block; `--write` puts it into README.md. A test compares the two
(DESIGN, Law 10). It needs nothing but the core.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from edgegate.language import lexicon  # noqa: E402
from edgegate.measure import (  # noqa: E402
    GateRecord,
    GuardRecord,
    LabelledSentence,
    Rate,
    evaluate_gate,
    evaluate_guard,
)
from edgegate.records import read_turns  # noqa: E402

README = ROOT / "README.md"
CORPORA = ROOT / "tests" / "data" / "corpora"
BLOCK = re.compile(r"(<!-- numbers -->\n).*?(<!-- /numbers -->)", re.DOTALL)


def _records(name: str) -> list[dict[str, object]]:
    lines = (CORPORA / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def _cell(rate: Rate) -> str:
    value = "–" if rate.value is None else f"{rate.value:.2f}"
    return f"{value} ({rate.count}/{rate.total}; {rate.low:.2f}–{rate.high:.2f})"


def block() -> str:
    """The figures of README as Markdown."""
    gate_records = []
    for row in _records("gate_dev"):
        read_turns(row["source"])  # a damaged record is named, not scored
        names = ("id", "source", "memory", "label", "date", "mechanisms")
        gate_records.append(GateRecord(**{name: row[name] for name in names}))  # type: ignore[arg-type]
    gate = evaluate_gate(gate_records)
    lines = [
        "| reply guard | fabricated caught | supported kept | other text lost | safety caught | look-alikes kept |",
        "|---|---|---|---|---|---|",
    ]
    for name in ("natural_dev", "guard_dev"):
        guard_records = []
        for row in _records(name):
            sentences = [
                LabelledSentence(entry["text"], entry["label"], entry.get("safety"), entry.get("second"))
                for entry in row["sentences"]  # type: ignore[attr-defined]
            ]
            guard_records.append(GuardRecord(row["id"], row["evidence"], row["reply"], sentences))  # type: ignore[arg-type]
        score = evaluate_guard(guard_records)
        cells = [score.catch, score.preservation, score.collateral, score.safety_caught, score.safety_kept]
        lines.append(f"| `{name}` ({score.records} replies) | {' | '.join(_cell(cell) for cell in cells)} |")
    lines += [
        "",
        "| write gate | precision | recall | F1 | right check | uncheckable |",
        "|---|---|---|---|---|---|",
        f"| `gate_dev` ({gate.records} writes) | {_cell(gate.precision)} | {_cell(gate.recall)} | {gate.f1 or 0:.2f} "
        f"| {_cell(gate.right_check)} | {_cell(gate.uncheckable)} |",
        "",
        f"The lexicons hold {len(lexicon.cues())} cues in {len({cue.family for cue in lexicon.cues()})} families.",
    ]
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
