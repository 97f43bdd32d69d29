"""How long the reply guard holds text, beside other ways to filter a stream, and what it costs.

*hold*: how many characters, and how many tokens, arrive after a character until it is decided, over all characters of
the recorded streams (with the pieces that came), of the replies of the dev corpora (cut before each word, a piece a
token), and of these joined by eights, since most replies are shorter than a window. Beside it: waiting for the whole
reply, and a window of 200 tokens as filters of streams use it.

*cost*: what the guard takes of the processor for a piece, with 50 memories beside the other evidence of the stream,
natively and in Pyodide on Node (Chromium: `speed.py hosts --only feed`): pieces that end no sentence, those that do,
and the one that has the evidence read apart; and which share of a stream of 50 tokens a second all of it is, for the
first reply of a conversation and for a later one whose memories were read before (`Readings`). Starting is no part of
it. Each piece counts with the least time of several runs, after one that warms up.

*growth*: how the time of a reply grows from 10 kB to 1 MB, and with the number of memories.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from build_scripts import setup
from build_scripts.speed_calls import Row, at, least, native, node
from edgegate import Guard

CORPORA = Path(__file__).resolve().parent.parent / "tests" / "data" / "corpora"
DEV = ("guard_dev", "guard_dev2", "natural_dev", "natural_dev2")
WINDOW = 200
RATE = 50  # tokens a second
EVIDENCE = 50
SIZES = (10_000, 100_000, 1_000_000)
ITEMS = (100, 1_000, 10_000)
JOINED = 8  # replies that make a long one
_TOKENS = re.compile(r"\s*\S+|\s+$")
Stream = tuple[list[str], dict[str, Any]]


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this part."""
    parser.add_argument("--runs", type=int, default=5, help="how often each stream is fed (default 5)")
    parser.add_argument("--native", action="store_true", help="leave out Pyodide on Node, which needs the bundle")


def recorded() -> list[Stream]:
    """The recorded streams: their pieces and their evidence."""
    paths = sorted((setup.WEB / "page" / "recordings").glob("*.json"))
    found = [json.loads(path.read_text("utf-8")) for path in paths]
    return [([piece for _, piece in one["chunks"]], one["evidence"]) for one in found if "chunks" in one]


def written() -> list[Stream]:
    """The replies of the dev corpora, a word with the space before it a piece."""
    paths = [path for name in DEV if (path := CORPORA / f"{name}.jsonl").exists()]
    records = [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]
    return [(_TOKENS.findall(record["reply"]), record["evidence"]) for record in records]


def joined(streams: Sequence[Stream]) -> list[Stream]:
    """Replies longer than a window: `JOINED` of them one after the other, with the evidence of the first."""
    return [
        ([piece for pieces, _ in group for piece in (*pieces, "\n\n")], group[0][1])
        for at in range(0, len(streams) - JOINED + 1, JOINED)
        if (group := streams[at : at + JOINED])
    ]


def holds(pieces: Sequence[str], decided: Sequence[int]) -> tuple[list[int], list[int]]:
    """How many characters and how many pieces come after each character until it is decided.

    `decided` says how many characters are decided after each piece.

    >>> holds(["ab", "c"], [1, 3])
    ([1, 1, 0], [0, 1, 0])
    """
    characters: list[int] = []
    tokens: list[int] = []
    came: list[int] = []
    total = 0
    for number, piece in enumerate(pieces):
        came += [number] * len(piece)
        total += len(piece)
        for place in range(len(characters), decided[number]):
            characters.append(total - 1 - place)
            tokens.append(number - came[place])
    return characters, tokens


def decided_by_guard(pieces: Sequence[str], evidence: dict[str, Any]) -> list[int]:
    guard = Guard(evidence)
    found: list[int] = []
    fed = 0
    for piece in pieces:
        guard.feed(piece)
        fed += len(piece)
        found.append(fed - guard.held)
    guard.close()
    return [*found[:-1], fed]


def decided_by_window(pieces: Sequence[str], window: int) -> list[int]:
    """As with a filter that shows a piece when `window` more have come, or the reply has ended.

    >>> decided_by_window(["ab", "c", "d"], 1)
    [0, 2, 4]
    """
    ends = [0]
    for piece in pieces:
        ends.append(ends[-1] + len(piece))
    return [*(ends[max(0, number + 1 - window)] for number in range(len(pieces) - 1)), ends[-1]]


def hold(streams: Sequence[Stream]) -> dict[str, Any]:
    """p50 and p99 of the hold over all characters, by way of filtering."""
    ways: dict[str, tuple[list[int], list[int]]] = {}
    for pieces, evidence in streams:
        for name, decided in (
            ("guard", decided_by_guard(pieces, evidence)),
            ("whole reply", decided_by_window(pieces, len(pieces))),
            (f"window of {WINDOW} tokens", decided_by_window(pieces, WINDOW)),
        ):
            characters, tokens = ways.setdefault(name, ([], []))
            more_characters, more_tokens = holds(pieces, decided)
            characters += more_characters
            tokens += more_tokens
    figures: dict[str, Any] = {"replies": len(streams), "characters": len(ways["guard"][0])}
    for name, (characters, tokens) in ways.items():
        figures[name] = {
            "characters_p50": at(characters, 0.5),
            "characters_p99": at(characters, 0.99),
            "tokens_p50": at(tokens, 0.5),
            "tokens_p99": at(tokens, 0.99),
        }
    return figures


def memories(streams: Sequence[Stream]) -> list[str]:
    """`EVIDENCE` memories of the dev corpora, from all over them, no two the same."""
    held = sorted({item for _, evidence in streams for item in evidence.get("memories", ())})
    return held[:: max(1, len(held) // EVIDENCE)][:EVIDENCE]


def rows(streams: Sequence[Stream], held: Sequence[str], *, later: bool = False) -> list[Row]:
    """Each stream as requests to the bridge, with its evidence and memories of `held` up to `EVIDENCE`.

    A `later` reply is not the first of its conversation: its memories were read for the reply before, and kept.
    """
    made: list[Row] = []
    for pieces, evidence in streams:
        own = list(evidence.get("memories", ()))
        filled = [*own, *(item for item in held if item not in own)][:EVIDENCE]
        kept = {"readings": 0} if later else {}
        reply = [
            {"op": "guard.open", "evidence": {**evidence, "memories": filled}, **kept},
            *({"op": "guard.feed", "guard": 0, "text": piece} for piece in pieces),
            {"op": "guard.close", "guard": 0},
            {"op": "guard.free", "guard": 0},
        ]
        if later:
            before: Row = [
                {"op": "readings.open"},
                {"op": "guard.open", "evidence": {"memories": filled}, **kept},
                {"op": "guard.feed", "guard": 0, "text": "You told me on 5 May that you have two boats.\n"},
                {"op": "guard.close", "guard": 0},
                {"op": "guard.free", "guard": 0},
            ]
            reply = [*before, *reply, {"op": "readings.free", "readings": 0}]
        made.append(reply)
    return made


def timed(made: Sequence[Row], times: Sequence[Sequence[float]]) -> tuple[list[Row], list[list[float]]]:
    """The last reply of each row with its times: what comes before and after it in the row is not what is measured."""
    cut: list[Row] = []
    spent: list[list[float]] = []
    for row, took in zip(made, times, strict=True):
        ops = [request["op"] for request in row]
        first, last = len(ops) - 1 - ops[::-1].index("guard.open"), len(ops) - ops[::-1].index("guard.free")
        cut.append(row[first:last])
        spent.append(list(took[first:last]))
    return cut, spent


def cost(made: Sequence[Row], times: Sequence[Sequence[float]]) -> dict[str, Any]:
    """What a piece takes, in milliseconds, and which share of the streams' time all of it is.

    The share is the time of all calls of a reply, its opening, its end and the reading of its evidence included, by
    the time in which its pieces come at `RATE`. The parts of the share add up to it.
    """
    quiet: list[float] = []
    deciding: list[float] = []
    readings: list[float] = []
    around = 0.0
    for row, spent in zip(*timed(made, times), strict=True):
        before, fed = "", []
        for request, took in zip(row, spent, strict=True):
            if request["op"] != "guard.feed":
                around += took
                continue
            # A sentence is decided with its mark, or with the piece that comes after.
            fed.append((took, bool(re.search(r"[.!?:\n]", before + request["text"]))))
            before = request["text"]
        # The first decision of a reply reads the evidence, once for all of it: by far the dearest piece.
        dearest = max(range(len(fed)), key=lambda place: fed[place][0], default=-1)
        for place, (took, ends) in enumerate(fed):
            (readings if place == dearest else deciding if ends else quiet).append(took)
    pieces = len(quiet) + len(deciding) + len(readings)

    def share(spent: float) -> float:
        return round(spent / pieces * RATE / 1000, 5)

    return {
        "pieces": pieces,
        "quiet_p50_ms": at(quiet, 0.5, 4),
        "quiet_p99_ms": at(quiet, 0.99, 4),
        "deciding_p50_ms": at(deciding, 0.5, 4),
        "deciding_p99_ms": at(deciding, 0.99, 4),
        "reading_p50_ms": at(readings, 0.5),
        "reading_p99_ms": at(readings, 0.99),
        f"share_of_{RATE}_tokens_a_second": share(sum(quiet) + sum(deciding) + sum(readings) + around),
        "share_of_reading": share(sum(readings)),
        "share_of_deciding": share(sum(deciding)),
        "share_of_quiet_pieces": share(sum(quiet)),
        "share_of_opening_and_closing": share(around),
    }


def growth(streams: Sequence[Stream]) -> dict[str, float]:
    """Microseconds a character for replies of several sizes, the time of 1 MB being mostly that of its sentences."""
    text = "\n\n".join("".join(pieces) for pieces, _ in streams) + "\n\n"
    found: dict[str, float] = {}
    for size in SIZES:
        reply = (text * (size // len(text) + 1))[:size]
        spent = []
        for _ in range(3 if size < SIZES[-1] else 1):
            guard = Guard({"memories": ["The user likes tea"] * 5})
            begun = time.process_time()
            for start in range(0, size, 20):
                guard.feed(reply[start : start + 20])
            guard.close()
            spent.append(time.process_time() - begun)
        found[str(size)] = round(min(spent) / size * 1e6, 3)
    return found


def growth_of_evidence(held: Sequence[str]) -> dict[str, float]:
    """Microseconds an item for evidence of several sizes: a reply of one claim, which has it read."""
    found: dict[str, float] = {}
    for size in ITEMS:
        evidence = {"memories": [f"{held[number % len(held)]} ({number})" for number in range(size)]}
        spent = []
        for _ in range(3):
            begun = time.process_time()
            guard = Guard(evidence)
            guard.feed("You told me on 5 May that you have two boats.\n")
            guard.close()
            spent.append(time.process_time() - begun)
        found[str(size)] = round(min(spent) / size * 1e6, 1)
    return found


def run(options: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    streams, replies = recorded(), written()
    held = memories(replies)
    steps = growth(replies)
    figures: dict[str, Any] = {
        "hold_recorded": hold(streams),
        "hold_written": hold(replies),
        "hold_written_joined": hold(joined(replies)),
        "microseconds_a_character": steps,
        "growth_100kB_to_1MB": round(steps[str(SIZES[2])] / steps[str(SIZES[1])], 3),
        "microseconds_an_item": growth_of_evidence(held),
    }
    for name, ask in (("native", native), *(() if options.native else (("node", node),))):
        for reply, later in (("first", False), ("later", True)):
            made = rows(streams, held, later=later)
            figures[f"cost_{name}_{reply}"] = cost(made, least(ask, made, options.runs))
    return figures


def table(figures: dict[str, Any]) -> str:
    """The figures for people."""
    lines = []
    for name in (name for name in figures if name.startswith("hold_")):
        group = figures[name]
        lines.append(f"{name.replace('_', ', ')}: {group['replies']} replies, {group['characters']} characters")
        lines.append(f"{'':26}{'characters p50':>16}{'p99':>8}{'tokens p50':>14}{'p99':>8}")
        for way, held in group.items():
            if isinstance(held, dict):
                four = [held[f"{unit}_p{share}"] for unit in ("characters", "tokens") for share in (50, 99)]
                lines.append(f"  {way:24}{four[0]:>16}{four[1]:>8}{four[2]:>14}{four[3]:>8}")
    costs = [name for name in figures if name.startswith("cost_")]
    lines.append(f"{'cost':34}" + "".join(f"{name.removeprefix('cost_').replace('_', ', '):>16}" for name in costs))
    for key in figures[costs[0]]:
        lines.append(f"  {key:32}" + "".join(f"{figures[name][key]:>16}" for name in costs))
    lines.append(f"microseconds a character by size {figures['microseconds_a_character']}")
    lines.append(f"of 1 MB to 100 kB {figures['growth_100kB_to_1MB']}")
    lines.append(f"microseconds an item of evidence by number {figures['microseconds_an_item']}")
    return "\n".join(lines)
