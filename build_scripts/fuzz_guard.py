"""Feeds the reply guard replies that nobody would write, and looks for an outcome that must not be.

    python3 build_scripts/fuzz_guard.py [--seconds 60] [--seed 1] [--keep]

Replies are put together from labelled sentences and from marks that break things. A reply that steps for the first
time from one line of the guard, or of the reading of text, to another becomes material for the next ones: coverage
guides the search. Each is checked for what `faults` names. `--keep` writes a selection that reaches the same lines to
tests/data/fuzz/guard.jsonl, where a test reads them and the next search begins. Replies with a fault come out on
standard output as they are found, one JSON line each, and the exit code is then 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from edgegate.guard.stream import Guard  # noqa: E402
from edgegate.language import lexicon  # noqa: E402
from edgegate.records import ClaimKept, Event, Evidence, ReplyEnd, TextDropped, TextShown  # noqa: E402

KEPT = ROOT / "tests" / "data" / "fuzz" / "guard.jsonl"
MOST_KEPT = 150  # replies
MOST_CHARACTERS = 60_000
MOST_FAULTS = 20
LONGEST = 1500
HELD = 3  # caps that may wait: white space, the sentence behind it, and a heading over both
LINE = 80  # characters that show how a line begins, whatever the cap
CAPS = (2000, 300, 60, 17, 3, 1)
EVIDENCE = {
    "asked": Evidence.read(
        {
            "memories": [
                "The user has a sister called Nadia",
                "Plot 31 was rented on 2 May 2026",
                "Order 7714 is late",
            ],
            "facts": ["Now: 12 August 2026", "The user is called Greta"],
            "history": [{"role": "user", "text": "do you remember what I said about the boat?"}],
            "writes": ["stored: likes the window table"],
        }
    ),
    "told": Evidence.read(
        {
            "memories": [
                "The user gave up coffee in February",
                "Wendy left for Houston",
                "22 hives, lost 5 over winter",
            ],
            "journal": ["Tuesday: knee exercises with Sam, 3 sets of 12", "due Thursday evening, nothing sent yet"],
            "threads": ["how the interview in Leeds went"],
            "facts": ["First contact: never met before", "It is 14:20"],
            "history": [
                {"role": "user", "text": "My brother Tom is moving to Ulm on Friday.", "at": "2026-05-01T10:00:00Z"},
                {"role": "assistant", "text": "Noted. Shall I remind you?"},
                {"role": "user", "text": "No. Goodbye, I have to go to bed now."},
            ],
            "writes": ["deleted: locker number", "reminder set: pay the rent on Thursday"],
            "actions": ["saved report.pdf to disk"],
        }
    ),
    "none": Evidence.read({}),
}
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


@dataclass(frozen=True)
class Case:
    """One reply, and how it is guarded: its cap, the name of its evidence, with explanations or not."""

    text: str
    cap: int = CAPS[0]
    evidence: str = "asked"
    explain: bool = False

    def guard(self) -> Guard:
        """A new guard for it."""
        return Guard(EVIDENCE[self.evidence], cap=self.cap, explain=self.explain)


def run(chunks: list[str], case: Case) -> tuple[Guard, list[Event], int]:
    """A guard that has been fed these chunks and closed, its events, and the most characters that it held."""
    guard, events, most = case.guard(), [], 0
    for chunk in chunks:
        events += guard.feed(chunk)
        most = max(most, guard.held)
    return guard, events + guard.close(), most


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


def in_order(part: str, whole: str) -> bool:
    """Whether every letter of `part` stands in `whole`, in the same order: nothing new, nothing twice.

    >>> in_order("ace", "abcde"), in_order("aa", "a")
    (True, False)
    """
    letters = iter(whole)
    return all(letter in letters for letter in part)


def written(text: str) -> str:
    """The letters of a text, small: cleaning may write a capital, number a list anew and close a mark."""
    return "".join(sign for sign in text.casefold() if sign.isalpha())


def faults(case: Case, chance: random.Random) -> Iterator[str]:
    """What must not be: an empty iterator where all is well."""
    text = case.text
    guard, events, _ = run([text], case)
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
    if len(shown) > len(text) + 4 * (1 + end.dropped) or not in_order(written(shown), written(text)):
        yield "more was shown than was written, or in another order"
    said = [event.sentence for event in events if isinstance(event, TextDropped | ClaimKept)]
    if not all(sentence in text for sentence in said):
        yield "an event tells of a sentence that was not written"
    for name, pieces in (("letters", list(text)), ("cuts", cuts(text, chance))):
        other, others, most = run(pieces, case)
        if joined(others) != joined(events) or other.shown != shown:
            yield f"the outcome depends on how the text is cut: {name}"
        if name == "letters" and most > HELD * case.cap + LINE:
            yield f"{most} characters were held under a cap of {case.cap}"
    first, second = case.guard(), Guard(cap=case.cap)
    for letter in text:
        first.feed(letter)
        second.feed(letter)
    before = second.shown
    second.abort()
    if second.shown != before:
        yield "giving a reply up changed what was shown"
    first.close()
    if first.close() or first.abort():
        yield "a reply that has ended goes on"
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


Step = tuple[str, int, int]


def reached(case: Case) -> set[Step]:
    """The steps from line to line of the guard and of the reading of text that this reply makes."""
    steps: set[Step] = set()

    def entering(frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
        name = frame.f_code.co_filename
        if "edgegate" not in name or not ("guard" in name or "language" in name):
            return None
        before = frame.f_lineno

        def inside(frame: FrameType, event: str, _: object) -> Callable[..., Any]:
            nonlocal before
            if event == "line":
                steps.add((name, before, frame.f_lineno))
                before = frame.f_lineno
            return inside

        return inside

    sys.settrace(entering)
    try:
        run([case.text], case)
    finally:
        sys.settrace(None)
    return steps


def lines(steps: set[Step]) -> set[tuple[str, int]]:
    """The lines that steps lead to."""
    return {(name, line) for name, _, line in steps}


def fewest(reach: dict[Case, set[Step]]) -> list[Case]:
    """Replies that together reach every line, and then as many steps as there is room for: most new ones first."""
    chosen: list[Case] = []
    room = MOST_CHARACTERS
    for of in (lines, set[Step]):
        left = {case: set(of(steps)) for case, steps in reach.items() if case not in chosen}
        for case in chosen:
            for each in left.values():
                each -= of(reach[case])
        while left and len(chosen) < MOST_KEPT:
            best = max(left, key=lambda case: (len(left[case]) / (100 + len(case.text)), case.text))
            new = set(left.pop(best))
            if not new:
                break
            if len(best.text) > room:
                continue
            room -= len(best.text)
            chosen.append(best)
            for each in left.values():
                each -= new
    return chosen


def kept() -> list[Case]:
    """The replies that are kept."""
    return [Case(**json.loads(line)) for line in KEPT.read_text("utf-8").splitlines()] if KEPT.exists() else []


def keep(reach: dict[Case, set[Step]]) -> None:
    """Writes a selection of the replies."""
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text("".join(json.dumps(asdict(case), ensure_ascii=False) + "\n" for case in fewest(reach)), "utf-8")


def search(seconds: float, chance: random.Random) -> tuple[dict[Case, set[Step]], int, int]:
    """The replies that made new steps with the steps of each, how many were tried, and how many had a fault."""
    sentences = material()
    reach = {case: reached(case) for case in kept()}
    seen: set[Step] = set().union(*reach.values())
    tried = faulty = 0
    until = time.monotonic() + seconds
    while time.monotonic() < until and faulty < MOST_FAULTS:
        text = mutate([case.text for case in reach], sentences, chance)
        case = Case(text, chance.choice(CAPS), chance.choice(list(EVIDENCE)), chance.random() < 0.5)
        tried += 1
        found = list(faults(case, chance))
        if found:
            faulty += 1
            print(json.dumps({**asdict(case), "faults": found}, ensure_ascii=False), flush=True)
            continue
        steps = reached(case)
        if not steps <= seen:
            seen |= steps
            reach[case] = steps
    return reach, tried, faulty


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to search (default 60)")
    parser.add_argument("--seed", type=int, default=1, help="where the search begins (default 1)")
    parser.add_argument("--keep", action="store_true", help="write a selection of the replies to tests/data/fuzz")
    options = parser.parse_args()
    lexicon.cues()
    reach, tried, faulty = search(options.seconds, random.Random(options.seed))
    steps: set[Step] = set().union(*reach.values())
    print(
        f"{tried} replies, {len(reach)} of them made new steps; {len(lines(steps))} lines and {len(steps)} steps from "
        f"line to line in all; {faulty} with a fault"
    )
    if options.keep:
        keep(reach)
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
