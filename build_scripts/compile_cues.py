"""Compiles the lexicons and prints what they hold.

    python3 build_scripts/compile_cues.py            compiles, writes the compiled file, prints counts by family
    python3 build_scripts/compile_cues.py --check    writes nothing; scans every pattern's own words too, lists those
                                                     that another entry blocks or reports, and fails (exit code 1) if
                                                     some are not found at all

Faults name the file, the line, the entry and the column, and all of them are listed at once.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from edgegate.errors import DataError  # noqa: E402
from edgegate.language import lexicon  # noqa: E402
from edgegate.language.compiler import Entry, compile_sources, read_entries  # noqa: E402
from edgegate.language.cues import scan  # noqa: E402
from edgegate.language.machine import Machine  # noqa: E402
from edgegate.language.patterns import PatternError  # noqa: E402
from edgegate.language.text import tokenise  # noqa: E402
from edgegate.language.trees import Choice, Digit, Edge, Gap, Node, Short, Words  # noqa: E402

FILLER = "zzz"
"""A word of no lexicon, for gaps and for what stands around a pattern."""
BEGIN, END = "^", "$"
"""Stand in samples for the edges of the sentence; no pattern has these signs as words."""


@dataclass(frozen=True)
class Silent:
    """Words of a pattern that don't report its entry, and why: what blocks them, or which other entry reports them."""

    cue: str
    pattern: str
    words: str
    blocked_by: str = ""
    taken_by: str = ""

    def __str__(self) -> str:
        why = f"blocked by {self.blocked_by}" if self.blocked_by else f"taken by {self.taken_by or 'nothing'}"
        return f"{self.cue}: {self.words!r} is {why} (pattern {self.pattern!r})"


def samples(node: Node) -> list[list[str]]:
    """Token sequences that `node` matches: few, but every option of every choice is in one of them at least.

    Of the words of a class, which all lead the same way, two or three will do.
    """
    if isinstance(node, Words):
        return [[word] for word in sorted(node.words)[:: max(1, len(node.words) // 2)]]
    if isinstance(node, Digit):
        return [["7"]]
    if isinstance(node, Gap):
        return [[], [FILLER] * node.longest]
    if isinstance(node, Edge):
        return [[END if node.end else BEGIN]]
    if isinstance(node, Choice):
        return [sample for option in node.options for sample in samples(option)]
    if isinstance(node, Short):
        raise ValueError("a short form is joined to its word while parsing, and stands in no finished pattern")
    parts = [samples(part) for part in node.parts]
    longest = max(map(len, parts), default=1)
    return [[word for part in parts for word in part[number % len(part)]] for number in range(longest)]


def silent(machine: Machine, trees: list[tuple[Entry, str, Node]]) -> Iterator[Silent]:
    """The sample words of patterns that don't report their own entry."""
    for entry, pattern, tree in trees:
        if entry.get("effect") == "block":
            continue
        for sample in samples(tree):
            words = [word for word in sample if word not in (BEGIN, END)]
            before = [] if BEGIN in sample else [FILLER]
            behind = [] if END in sample else [FILLER]
            tokens = tokenise(" ".join([*before, *words, *behind]))
            first = len(before)
            last = first + len(words)
            matches = [m for m in scan(tokens, using=machine) if m.cue.family == entry.get("family")]
            if any(m.cue.id == entry.id and m.first <= first and last <= m.last for m in matches):
                continue
            blocks = [
                machine.cues[number].id
                for begin in range(last)
                for end, number in machine.blocks(tokens.words, begin, entry.get("family"))
                if begin <= first and last <= end
            ]
            takers = [m.cue.id for m in matches if m.first < last and first < m.last]
            yield Silent(str(entry.id), pattern, " ".join(words), blocks[0] if blocks else "", ", ".join(takers))


def parse(sources: dict[str, bytes]) -> list[tuple[Entry, str, Node]]:
    """Every entry with each of its patterns and their trees. Raises DataError for the first fault."""
    entries, classes = read_entries(sources)
    found = []
    for entry in entries:
        for pattern in entry.patterns:
            try:
                found.append((entry, pattern, classes.parse(pattern)))
            except PatternError as error:
                raise entry.pattern_error(pattern, error.message, error.column) from None
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, check everything, fail on any fault")
    parser.add_argument("--folder", type=Path, default=lexicon.FOLDER, help="the folder of the lexicon files")
    options = parser.parse_args()
    sources = lexicon.read_sources(options.folder)
    problems: list[DataError] = []
    start = time.perf_counter()
    try:
        compiled = compile_sources(sources, problems)
    except DataError as error:
        problems.append(error)
    seconds = time.perf_counter() - start
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        print(f"{len(problems)} faults", file=sys.stderr)
        return 1
    trees = parse(sources)
    report(compiled, trees, len(lexicon.dump(compiled)), seconds)
    if not options.check:
        lexicon.load(options.folder)
        return 0
    found = list(silent(Machine(compiled["automaton"], lexicon.read_cues(compiled)), trees))
    for one in found:
        print(one)
    lost = [one for one in found if not one.blocked_by and not one.taken_by]
    blocked = sum(bool(one.blocked_by) for one in found)
    print(
        f"words of patterns: {blocked} blocked, {len(found) - blocked - len(lost)} reported by another entry, "
        f"{len(lost)} not found"
    )
    return 1 if lost else 0


def report(compiled: dict[str, Any], trees: list[tuple[Entry, str, Node]], size: int, seconds: float) -> None:
    """Prints entries, patterns and blocks by family, and the size of the automaton."""
    entries: Counter[str] = Counter()
    blocks: Counter[str] = Counter()
    patterns: Counter[str] = Counter()
    for _, family, effect, *_ in compiled["cues"]:
        (blocks if effect == "block" else entries)[family] += 1
    for entry, _, _ in trees:
        patterns[entry.get("family")] += 1
    print(f"{'family':<16}{'entries':>9}{'blocked':>9}{'patterns':>10}")
    for family in sorted(patterns):
        print(f"{family:<16}{entries[family]:>9}{blocks[family]:>9}{patterns[family]:>10}")
    print(f"{'all':<16}{entries.total():>9}{blocks.total():>9}{patterns.total():>10}")
    machine = compiled["automaton"]
    print(
        f"{len(machine['states'].splitlines())} states, {len(machine['symbols'].split())} words, {size / 1000:.0f} kB, "
        f"compiled in {seconds:.1f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
