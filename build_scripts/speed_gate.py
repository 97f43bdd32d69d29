"""How many writes the gate checks a second, natively and in Pyodide on Node, and how its time grows with the source.

*gates a second*: sources of ten turns with the memories made from them, out of the dev corpus (shorter conversations
are joined); each counts with the least time of several runs. *growth*: several memories (short, long, of many clauses,
of dates and figures) against conversations of 10 kB, 100 kB and 1 MB, each with the median of several runs; ten times
the source may take twelve times the time at most.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from statistics import median
from typing import Any

from build_scripts.speed_calls import Row, at, least, native, node
from edgegate import check

CORPUS = Path(__file__).resolve().parent.parent / "tests" / "data" / "corpora" / "gate_dev.jsonl"
TURNS = 10
SIZES = (10_000, 100_000, 1_000_000)
MEMORIES = {
    "short": "The user may move to Porto in spring.",
    "long": "The user's sister works in a hospital in Leeds and, as the user said last week, she might take the dog to "
    "the vet on Thursday, because the user has a job interview in Porto at 10 am, needs a train ticket for 400 euros, "
    "and the plan could change if the weather is bad or the landlord says no.",
    "clauses": "The user likes coffee; he has a dog; she pays 40 euros; they moved; he works on Monday; the car is "
    "broken; the doctor said it is fine; the rent is due; Anna is ill; the flight was cancelled; it rained.",
    "figures": "On 4 May 2019 the user painted 20% of the shed for 90 euros a day, twice as much as the 45 of 2018.",
    "plans": "The user bought the house and sold the car.",
}
RUNS = (9, 5, 3)
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


def conversation(size: int) -> list[dict[str, Any]]:
    """Turns of the dev corpus, over and over, of so many characters."""
    every = [turn for record in records() for turn in record["source"]]
    source: list[dict[str, Any]] = []
    length = 0
    while length < size:
        turn = every[len(source) % len(every)]
        source.append(turn)
        length += len(turn["text"])
    return source


def growth() -> dict[str, dict[str, float]]:
    """Milliseconds (the median of several runs) for each memory, by the size of its source, and how they grow."""
    sources = [conversation(size) for size in SIZES]
    found: dict[str, dict[str, float]] = {}
    for name, memory in MEMORIES.items():
        steps = []
        for source, runs in zip(sources, RUNS, strict=True):
            spent = []
            for _ in range(runs):
                begun = time.process_time()
                check(source, memory, now=NOW)
                spent.append(time.process_time() - begun)
            steps.append(median(spent) * 1000)
        small, middle, large = steps
        found[name] = {
            "10kB_ms": round(small, 1),
            "100kB_ms": round(middle, 1),
            "1MB_ms": round(large, 1),
            "growth_10kB_to_100kB": round(middle / small, 1),
            "growth_100kB_to_1MB": round(large / middle, 1),
        }
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
    figures: dict[str, Any] = {
        "writes": len(made),
        "turns": TURNS,
        "native": figures_of(least(native, made, options.runs)),
    }
    if not options.native:
        figures["node"] = figures_of(least(node, made, options.runs))
    figures.update((f"growth, {name}", row) for name, row in growth().items())
    return figures


def table(figures: dict[str, Any]) -> str:
    """The figures for people."""
    return "\n".join(f"{name:22} {value}" for name, value in figures.items())
