"""Reading text: time per megabyte and peak memory by size, on normal text and on hostile input.

Each line is one kind of text read in one way: `tokens` (folding, words and their offsets), `whole` (sentences of the
whole text at once), `by 20` and `by 1` (sentences while the text comes in that many characters at a time, thrown away
as they come). Time that grows linearly shows as a row of like numbers; `growth` is the last of them over that at
100 kB. Peak memory is what the process needed beyond the text itself, measured in a child process of its own.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from edgegate.language.text import SentenceSplitter, sentences, tokenise

CORPUS = Path(__file__).resolve().parent.parent / "tests" / "data" / "corpora" / "guard_dev.jsonl"
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
LARGEST = 1_000_000
# One character at a time is measured up to this size.
MOST_BY_ONE = 1_000_000
# Small texts are read again and again up to this many characters in all; the best time counts.
REPEATED = 300_000

HOSTILE = {
    "no terminator": "word ",
    "dots": ".",
    "open brackets": "(",
    "backticks": "`",
    "zero-width": "\u200b",
    "a. a. a.": "a. ",
    "newlines": "\n",
    "short lines": "x\n",
    "open quotes": '"A. ',
    "letters with marks": "e\u0301\u0301",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--largest",
        type=int,
        default=LARGEST,
        metavar="CHARACTERS",
        help=f"leave out larger texts (default {LARGEST}: some minutes; {SIZES[-1]} takes ten times as long)",
    )
    parser.add_argument("--kind", choices=["normal", *HOSTILE], help="measure one kind of text only")


def make_text(kind: str, size: int) -> str:
    if kind == "normal":
        records = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()]
        piece = "\n\n".join(record["reply"] for record in records) + "\n\n"
    else:
        piece = HOSTILE[kind]
    return (piece * (size // len(piece) + 1))[:size]


def read_tokens(text: str) -> None:
    tokens = tokenise(text)
    assert len(tokens.starts) == len(tokens.ends) == len(tokens)


def read_whole(text: str) -> None:
    sentences(text)


def read_by(step: int) -> Callable[[str], None]:
    def read(text: str) -> None:
        splitter = SentenceSplitter()
        for start in range(0, len(text), step):
            splitter.feed(text[start : start + step])
        splitter.close()

    return read


WAYS: dict[str, Callable[[str], None]] = {
    "tokens": read_tokens,
    "whole": read_whole,
    "by 20": read_by(20),
    "by 1": read_by(1),
}


def peak_kilobytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measure_here(kind: str, way: str, size: int, answer: Connection) -> None:
    WAYS[way]("Warm up. Tables are read once.\n")
    text = make_text(kind, size)
    before = peak_kilobytes()
    seconds = []
    for _ in range(max(1, REPEATED // size)):
        start = time.process_time()
        WAYS[way](text)
        seconds.append(time.process_time() - start)
    answer.send((min(seconds), peak_kilobytes() - before))


def measure(kind: str, way: str, size: int) -> tuple[float, int]:
    """Seconds and peak kilobytes, measured in a process of its own."""
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=measure_here, args=(kind, way, size, send))
    child.start()
    send.close()
    try:
        seconds, kilobytes = receive.recv()
    finally:
        child.join()
    return seconds, kilobytes


def run(options: argparse.Namespace) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    tokenise("Warm up.")
    sentences("Warm up.")
    for kind in [options.kind] if options.kind else ["normal", *HOSTILE]:
        figures[kind] = {}
        for way in WAYS:
            largest = min(options.largest, MOST_BY_ONE) if way == "by 1" else options.largest
            rows = []
            for size in SIZES:
                if size <= largest:
                    seconds, kilobytes = measure(kind, way, size)
                    rows.append(
                        {"size": size, "seconds_per_mb": seconds / size * 1e6, "peak_mb": round(kilobytes / 1024, 1)}
                    )
            steady = [row["seconds_per_mb"] for row in rows if row["size"] >= 100_000]
            growth = steady[-1] / steady[0] if len(steady) > 1 else None
            figures[kind][way] = {"sizes": rows, "growth": growth}
    return figures


def table(figures: dict[str, Any]) -> str:
    sizes = "".join(f"{name:>10}" for name in ("10 kB", "100 kB", "1 MB", "10 MB"))
    lines = [f"{'':28}{'seconds per MB':^40}  growth   {'peak memory, MB':^40}", f"{'':28}{sizes}{'':11}{sizes}"]
    for kind, ways in figures.items():
        for way, result in ways.items():
            seconds = "".join(f"{row['seconds_per_mb']:10.3f}" for row in result["sizes"])
            memory = "".join(f"{row['peak_mb']:10.1f}" for row in result["sizes"])
            growth = f"{result['growth']:6.2f}" if result["growth"] else ""
            lines.append(f"{kind:20}{way:8}{seconds:40}  {growth:6}   {memory}")
    return "\n".join(lines)
