"""How many writes the gate checks a second, natively and in Pyodide on Node, and how its time grows with the source.

*gates a second*: sources of ten turns with the memories made from them, out of the dev corpus (shorter conversations
are joined); each counts with the least time of several runs. *growth*: one memory against a conversation of 10 kB,
100 kB and 1 MB; ten times the source may take twelve times the time at most.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from build_scripts.speed_calls import Row, at, least, native, node
from edgegate import check

CORPUS = Path(__file__).resolve().parent.parent / "tests" / "data" / "corpora" / "gate_dev.jsonl"
TURNS = 10
SIZES = (10_000, 100_000, 1_000_000)
NOW = "2026-03-14T09:00:00+01:00"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this part."""
    parser.add_argument("--writes", type=int, default=100, help="how many writes (default 100)")
    parser.add_argument("--runs", type=int, default=3, help="how often each is checked (default 3)")
    parser.add_argument("--native", action="store_true", help="leave out Pyodide on Node, which needs the bundle")


def records() -> list[dict[str, Any]]:
    found = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()]
    return [record for record in found if isinstance(record["source"], list)]


def sources_of(turns: int, most: int) -> list[tuple[list[dict[str, Any]], str]]:
    """Conversations of so many turns, each with a memory made from its last part."""
    found: list[tuple[list[dict[str, Any]], str]] = []
    before: list[dict[str, Any]] = []
    for record in records():
        before = [*before, *record["source"]]
        if len(before) >= turns and len(found) < most:
            found.append((before[-turns:], record["memory"]))
    return found


def growth() -> dict[str, float]:
    """Milliseconds for one memory, by the size of its source."""
    every = [turn for record in records() for turn in record["source"]]
    found: dict[str, float] = {}
    for size in SIZES:
        source: list[dict[str, Any]] = []
        length = 0
        while length < size:
            turn = every[len(source) % len(every)]
            source.append(turn)
            length += len(turn["text"])
        spent = []
        for _ in range(3 if size < SIZES[-1] else 2):
            begun = time.process_time()
            check(source, "The user may move to Porto in spring.", now=NOW)
            spent.append(time.process_time() - begun)
        found[str(size)] = round(min(spent) * 1000, 1)
    return found


def figures_of(times: list[list[float]]) -> dict[str, float]:
    each = [row[0] for row in times]
    return {
        "gates_a_second": round(1000 * len(each) / sum(each), 1),
        "p50_ms": at(each, 0.5),
        "p99_ms": at(each, 0.99),
    }


def run(options: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    made: list[Row] = [
        [{"op": "check", "source": source, "memory": memory, "now": NOW}]
        for source, memory in sources_of(TURNS, options.writes)
    ]
    steps = growth()
    first, second, third = steps.values()
    figures: dict[str, Any] = {
        "writes": len(made),
        "turns": TURNS,
        "native": figures_of(least(native, made, options.runs)),
        "milliseconds_by_size": steps,
        "growth_10kB_to_100kB": round(second / first, 2),
        "growth_100kB_to_1MB": round(third / second, 2),
    }
    if not options.native:
        figures["node"] = figures_of(least(node, made, options.runs))
    return figures


def table(figures: dict[str, Any]) -> str:
    """The figures for people."""
    return "\n".join(f"{name:22} {value}" for name, value in figures.items())
