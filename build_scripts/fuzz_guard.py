"""Feeds the reply guard replies that nobody would write, and looks for an outcome that must not be.

    python3 build_scripts/fuzz_guard.py [--seconds 60] [--seed 1] [--keep]

Replies are put together from labelled sentences and from marks that break things; a reply that reaches a line of the
guard for the first time becomes material for the next ones (coverage guides the search). Each is checked for what
`faults` names. `--keep` writes the replies that reached most to tests/data/fuzz/guard.jsonl, where a test reads them.
Exit code 1 and the reply on standard output where a fault was found.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from edgegate.guard.stream import Guard  # noqa: E402
from edgegate.language import lexicon  # noqa: E402
from edgegate.records import Event, Evidence, ReplyEnd, TextDropped, TextShown  # noqa: E402

KEPT = ROOT / "tests" / "data" / "fuzz" / "guard.jsonl"
MOST_KEPT = 40
LONGEST = 1500
CAPS = (2000, 300, 60, 17, 3, 1)
EVIDENCE = Evidence.read(
    {
        "memories": ["The user has a sister called Nadia", "Plot 31 was rented on 2 May 2026", "Order 7714 is late"],
        "facts": ["Now: 12 August 2026", "The user is called Greta"],
        "history": [{"role": "user", "text": "do you remember what I said about the boat?"}],
        "writes": ["stored: likes the window table"],
    }
)
MARKS = [
    "\n\n", "\n", " ", "  ", "- ", "* ", "1. ", "2) ", "### ", "> ", "```\n", "~~~", "**", "__", "*", "`", "“", "”",
    "…", "...", ". ", "? ", "! ", ":", "—", "(", ")", "[x](http://a.b)", "| a | b |\n|---|---|\n", "\u200b", "\u0301",
    "\ufeff", "\u202e", "👩‍👩‍👧", "。", "¿", "\x00", "\r\n", "\t", "Dr. ", "e.g. ", "3.5", "3.", "№", "ﬁ", "ａ",
    '"', "I'll ",
]  # fmt: skip


def material() -> list[str]:
    """Sentences of the labelled sets, one by one."""
    sentences = []
    for path in sorted((ROOT / "tests" / "data" / "corpora").glob("*_dev.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            sentences += [each["text"] for each in json.loads(line).get("sentences", ())]
    return sentences


def run(chunks: list[str], cap: int) -> tuple[Guard, list[Event]]:
    """A guard that has been fed these chunks and closed, and its events."""
    guard = Guard(EVIDENCE, cap=cap)
    events = [event for chunk in chunks for event in guard.feed(chunk)]
    return guard, events + guard.close()


def joined(events: list[Event]) -> list[Any]:
    """Events with neighbouring shown texts put together: how a reply is cut may move their edges, nothing else."""
    found: list[Any] = []
    for event in events:
        if isinstance(event, TextShown) and found and isinstance(found[-1], str):
            found[-1] += event.text
        else:
            found.append(event.text if isinstance(event, TextShown) else event)
    return found


def cuts(text: str, chance: random.Random) -> list[str]:
    """`text` in pieces of any length."""
    edges = sorted(chance.randrange(len(text) + 1) for _ in range(chance.randrange(8)))
    return [text[start:end] for start, end in zip([0, *edges], [*edges, len(text)], strict=True)]


def faults(text: str, cap: int, chance: random.Random) -> Iterator[str]:
    """What must not be: an empty iterator where all is well."""
    guard, events = run([text], cap)
    end = events[-1]
    if not isinstance(end, ReplyEnd) or any(isinstance(event, ReplyEnd) for event in events[:-1]):
        yield "a reply ends once, with its last event"
        return
    if end.failed:
        yield f"it failed inside: {end.failed}"
    shown = "".join(event.text for event in events if isinstance(event, TextShown))
    if not shown == guard.shown == end.shown:
        yield "what was shown is not what is stored"
    if not any(isinstance(event, TextDropped) for event in events) and shown != text:
        yield "nothing was dropped, and yet the text was changed"
    if len(shown) > len(text) + 4 * (1 + end.dropped):
        yield "more was shown than was written"
    for name, pieces in (("letters", list(text)), ("cuts", cuts(text, chance))):
        other, others = run(pieces, cap)
        if joined(others) != joined(events) or other.shown != shown:
            yield f"the outcome depends on how the text is cut: {name}"
    first, second = Guard(EVIDENCE, cap=cap), Guard(cap=cap)
    for letter in text:
        first.feed(letter)
        second.feed(letter)
    second.abort()
    first.close()
    if first.shown != shown:
        yield "two replies at once are not two replies"


def mutate(pool: list[str], sentences: list[str], chance: random.Random) -> str:
    """A new reply from what there is."""
    text = chance.choice(pool) if pool and chance.random() < 0.6 else ""
    for _ in range(1 + chance.randrange(6)):
        at = chance.randrange(len(text) + 1)
        kind = chance.random()
        if kind < 0.45:
            times = 1 if chance.random() < 0.9 else chance.randrange(1, 40)
            more, gone = chance.choice(MARKS) * times, 0
        elif kind < 0.85:
            more, gone = chance.choice(sentences) + chance.choice((" ", "\n", "", "\n\n")), 0
        elif kind < 0.93:
            more, gone = "", chance.randrange(30)
        else:
            more, gone = chr(chance.randrange(chance.choice((0x80, 0x250, 0xD800)))), 0
        text = text[:at] + more + text[at + gone :]
    return text[:LONGEST]


def reached(text: str, cap: int) -> set[tuple[str, int]]:
    """The lines of the guard and of the sentence splitter that this reply runs through."""
    lines: set[tuple[str, int]] = set()

    def inside(frame: FrameType, event: str, _: object) -> Callable[..., Any]:
        if event == "line":
            lines.add((frame.f_code.co_filename, frame.f_lineno))
        return inside

    def entering(frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
        name = frame.f_code.co_filename
        return inside if "guard" in name or "language" in name else None

    sys.settrace(entering)
    try:
        run([text], cap)
    finally:
        sys.settrace(None)
    return lines


def kept() -> list[dict[str, Any]]:
    """The replies that are kept: text and cap."""
    return [json.loads(line) for line in KEPT.read_text("utf-8").splitlines()] if KEPT.exists() else []


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to search (default 60)")
    parser.add_argument("--seed", type=int, default=1, help="where the search begins (default 1)")
    parser.add_argument("--keep", action="store_true", help="write the replies that reached most to tests/data/fuzz")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    lexicon.cues()
    sentences = material()
    seen: set[tuple[str, int]] = set()
    best: list[dict[str, Any]] = []
    for one in kept():
        seen |= reached(one["text"], one["cap"])
        best.append(one)
    until, tried = time.monotonic() + options.seconds, 0
    while time.monotonic() < until:
        text, cap = mutate([one["text"] for one in best], sentences, chance), chance.choice(CAPS)
        tried += 1
        found = list(faults(text, cap, chance))
        if found:
            print(json.dumps({"text": text, "cap": cap, "faults": found}, ensure_ascii=False))
            return 1
        new = reached(text, cap) - seen
        if new:
            seen |= new
            best.append({"text": text, "cap": cap})
    print(f"{tried} replies, {len(best)} of them reached new lines, {len(seen)} lines in all, no fault")
    if options.keep:
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        KEPT.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in best[:MOST_KEPT]), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
