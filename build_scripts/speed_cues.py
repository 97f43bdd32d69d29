"""Scanning for cues, beside pyahocorasick, google-re2's alternation and phrase-by-phrase `in`.

What is compared: all contenders search the same text for the same phrases, start from the raw string, fold it with
edgegate's `fold`, take whole tokens only, and return the leftmost-longest matches as (start, end) in the original.
The command fails unless all return the same.

The phrases are the full inventory written out: every finite surface form of every pattern of every family, blocked
ones too. Patterns with a gap or a number have no finite form, those of more than `--most` forms would only drown the
rest; both are left out for everybody and counted apart. Phrases of all families compete as one family, since the
other contenders know no families; `edgegate_full` times the real thing, with families, gaps, numbers and blocks.

The text is made of the labelled sets of the repository (replies and conversations), shuffled by a fixed seed and
written on and on to `--megabytes`; runs of white space are made one space, since the other contenders take a phrase
with one space between its words.

Contenders take turns, each figure is the least processor time of all turns, and the ratios are of those: the machine
may be busy. `in` is so slow that it gets a prefix of the text, and edgegate's time on the same prefix is its measure.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from build_scripts.compile_cues import parse
from edgegate.language import automaton, lexicon
from edgegate.language.cues import scan
from edgegate.language.lexicon import Cue
from edgegate.language.machine import Machine
from edgegate.language.machine import machine as full_machine
from edgegate.language.text import fold, tokenise
from edgegate.language.tokens import is_word
from edgegate.language.trees import Choice, Node, Sequence_, Words

CORPORA = Path(__file__).resolve().parent.parent / "tests" / "data" / "corpora"
SEED = 20260314
Spans = list[tuple[int, int]]
Contender = Callable[[str], Spans]


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this part."""
    parser.add_argument("--megabytes", type=float, default=2.0, help="how much text (default 2)")
    parser.add_argument("--turns", type=int, default=7, help="how often everybody runs (default 7)")
    parser.add_argument("--most", type=int, default=2000, help="the most surface forms of one pattern (default 2000)")
    parser.add_argument(
        "--text", type=Path, help="a folder of JSON Lines with replies or conversations, or a text file"
    )


def chat_text(source: Path | None, characters: int) -> str:
    """A chat-like text of that many characters, the same for the same source."""
    paths = [source] if source and source.is_file() else sorted((source or CORPORA).glob("*.jsonl"))
    pieces: list[str] = []
    for path in paths:
        if path.suffix != ".jsonl":
            pieces += path.read_text("utf-8").split("\n\n")
            continue
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            pieces += [record[key] for key in ("reply", "message", "request") if isinstance(record.get(key), str)]
            pieces += [turn["text"] for turn in record.get("source", ()) if isinstance(turn, dict)]
    shuffle = random.Random(SEED)
    made: list[str] = []
    size = 0
    while pieces and size < characters:
        shuffle.shuffle(pieces)
        for piece in pieces:
            made.append(" ".join(piece.split()))
            size += len(made[-1]) + 1
    return " ".join(made)[:characters]


# --- the inventory -------------------------------------------------------------------------------------------------


def forms(node: Node, most: int) -> list[tuple[str, ...]] | None:
    """All token sequences of a pattern, or None if there are too many, or infinitely many."""
    if isinstance(node, Words):
        return [(word,) for word in sorted(node.words)]
    if isinstance(node, Choice):
        parts = [forms(option, most) for option in node.options]
        found = None if None in parts else [form for part in parts for form in part or []]
    elif isinstance(node, Sequence_):
        found = [()]
        for part in node.parts:
            more = forms(part, most)
            if more is None or len(more) * len(found) > most:
                return None
            found = [form + other for form in found for other in more]
    else:
        found = None
    return found if found is not None and len(found) <= most else None


def inventory(most: int) -> tuple[list[tuple[str, ...]], int, int]:
    """The phrases, the number of patterns written out, and the number of those that can't be."""
    phrases: set[tuple[str, ...]] = set()
    apart = 0
    patterns = parse(lexicon.read_sources(lexicon.FOLDER))
    for _, _, tree in patterns:
        found = forms(tree, most)
        if found is None:
            apart += 1
        else:
            # A sign of its own inside a phrase is fine ("rarely, if ever"); at an end it is no matter of words.
            phrases.update(form for form in found if is_word(form[0]) and is_word(form[-1]))
    return sorted(phrases), len(patterns) - apart, apart


def spellings(phrase: tuple[str, ...]) -> list[str]:
    """How a phrase may stand in a text: one space between words, one or none beside a sign."""
    found = [phrase[0]]
    for left, right in itertools.pairwise(phrase):
        between = [" "] if is_word(left) and is_word(right) else [" ", ""]
        found = [f"{start}{space}{right}" for start in found for space in between]
    return found


# --- the contenders ------------------------------------------------------------------------------------------------


def is_token_range(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]`, letters or digits at both ends, is whole tokens as `tokenise` has them."""
    if start:
        before = text[start - 1]
        if before != " ":
            if before.isalnum():
                return False
            if start > 1 and before in "'.,:" and text[start - 2].isalnum():
                inner = before == "'" or (text[start - 2].isdecimal() and text[start].isdecimal())
                if inner:
                    return False
    if end < len(text):
        after = text[end]
        if after != " ":
            if after.isalnum():
                return False
            if end + 1 < len(text) and after in "'.,:" and text[end + 1].isalnum():
                return not (after == "'" or (text[end - 1].isdecimal() and text[end + 1].isdecimal()))
    return True


def in_original(spans: Spans, folded: Any) -> Spans:
    if not folded.moved:
        return spans
    return [(folded.original(start), folded.original(end - 1) + 1) for start, end in spans]


def leftmost_longest(spans: list[tuple[int, int]]) -> Spans:
    """From (start, -end) pairs in any order."""
    spans.sort()
    kept: Spans = []
    taken = 0
    for start, minus_end in spans:
        if start >= taken:
            taken = -minus_end
            kept.append((start, taken))
    return kept


def edgegate(phrases: list[tuple[str, ...]]) -> Contender:
    node = Choice(tuple(Sequence_(tuple(Words(frozenset({word})) for word in phrase)) for phrase in phrases))
    made = automaton.build([(node, 0)], ["phrases"], limit=10**7)
    machine = Machine(made, [Cue("speed.phrase", "speed", "signals", "none", "none")])

    def run(raw: str) -> Spans:
        return [(match.start, match.end) for match in scan(tokenise(raw), using=machine)]

    return run


def edgegate_full(_: object) -> Contender:
    machine = full_machine()

    def run(raw: str) -> Spans:
        return [(match.start, match.end) for match in scan(tokenise(raw), using=machine)]

    return run


def pyahocorasick(phrases: list[tuple[str, ...]]) -> Contender:
    import ahocorasick

    made = ahocorasick.Automaton()
    for phrase in phrases:
        for spelling in spellings(phrase):
            made.add_word(spelling, len(spelling))
    made.make_automaton()

    def run(raw: str) -> Spans:
        folded = fold(raw)
        text = folded.text
        found = []
        for last, length in made.iter(text):
            end = last + 1
            if is_token_range(text, end - length, end):
                found.append((end - length, -end))
        return in_original(leftmost_longest(found), folded)

    return run


def google_re2(phrases: list[tuple[str, ...]]) -> Contender:
    import re2

    options = re2.Options()
    options.longest_match = True
    options.never_capture = True
    options.max_mem = 1 << 30
    every = {spelling for phrase in phrases for spelling in spellings(phrase)}
    longest = max(map(len, every))
    # One sign or space behind is taken along, for want of a look-ahead: "can" must not be found in "can't".
    behind = r"(?:[^\pL\pN']|'(?:[^\pL\pN]|$)|$)"
    made = re2.compile(rf"\b(?:{'|'.join(map(re2.escape, sorted(every)))}){behind}", options)

    def retry(text: str, start: int, end: int) -> tuple[int, int] | None:
        """The longest phrase of whole tokens at `start` that is shorter than the one that turned out not to be."""
        for stop in range(min(end, start + longest), start, -1):
            if text[start:stop] in every and is_token_range(text, start, stop):
                return start, stop
        return None

    def search(text: str) -> Spans:
        data = text.encode()  # bytes spare it the way from bytes to characters, which it would make for every character
        narrow = len(data) == len(text)
        found: Spans = []
        at = at_byte = 0
        resume: int | None = 0
        while resume is not None:
            matches, resume = made.finditer(data, resume), None
            for match in matches:
                start_byte, end_byte = match.span()
                start = start_byte if narrow else at + len(data[at_byte:start_byte].decode())
                end = end_byte if narrow else start + len(data[start_byte:end_byte].decode())
                at, at_byte = start, start_byte
                while end > start and not text[end - 1].isalnum():
                    end -= 1
                if is_token_range(text, start, end):
                    found.append((start, end))
                    continue
                shorter = retry(text, start, end)
                if shorter:
                    found.append(shorter)
                stop = shorter[1] if shorter else start + 1
                resume = start_byte + len(text[start:stop].encode())
                break
        return found

    def run(raw: str) -> Spans:
        folded = fold(raw)
        return in_original(search(folded.text), folded)

    return run


def phrase_by_phrase(phrases: list[tuple[str, ...]]) -> Contender:
    every = sorted({spelling for phrase in phrases for spelling in spellings(phrase)})

    def run(raw: str) -> Spans:
        folded = fold(raw)
        text = folded.text
        found = []
        for phrase in every:
            if phrase in text:
                start = text.find(phrase)
                while start >= 0:
                    end = start + len(phrase)
                    if is_token_range(text, start, end):
                        found.append((start, -end))
                    start = text.find(phrase, start + 1)
        return in_original(leftmost_longest(found), folded)

    return run


# --- measuring -----------------------------------------------------------------------------------------------------


def measure(runs: dict[str, tuple[Contender, str]], turns: int) -> dict[str, float]:
    """The least processor time of each run, in seconds, all taking turns."""
    best: dict[str, float] = {}
    gc.disable()
    try:
        for _ in range(turns):
            for name, (contender, text) in runs.items():
                start = time.process_time()
                contender(text)
                spent = time.process_time() - start
                best[name] = min(best.get(name, spent), spent)
                gc.collect()
    finally:
        gc.enable()
    return best


def check_equal(results: dict[str, Spans], text: str) -> None:
    """Fails with the first difference unless all found the same."""
    expected = results["edgegate"]
    for name, found in results.items():
        if found != expected:
            only = sorted(set(found) ^ set(expected))[0]
            place = text[max(0, only[0] - 30) : only[1] + 30]
            who = name if only in set(found) else "edgegate"
            sys.exit(f"{name} and edgegate differ: only {who} has {text[only[0] : only[1]]!r} in {place!r}")


def run(options: argparse.Namespace) -> dict[str, Any]:
    """All figures: ratios (how many times as fast as that contender), speeds in MB/s, and what was measured."""
    text = chat_text(options.text, int(options.megabytes * 1_000_000))
    prefix = text[: max(1000, len(text) // 40)]
    phrases, patterns, apart = inventory(options.most)
    makers = {"edgegate": edgegate, "pyahocorasick": pyahocorasick, "google_re2": google_re2}
    contenders = {name: make(phrases) for name, make in makers.items()}
    results = {name: contender(text) for name, contender in contenders.items()}
    check_equal(results, text)
    phrase_loop = phrase_by_phrase(phrases)
    on_prefix = {"edgegate": contenders["edgegate"](prefix), "phrase_by_phrase": phrase_loop(prefix)}
    check_equal(on_prefix, prefix)
    drawn = random.Random(SEED).sample(phrases, min(5000, len(phrases)))
    small, large = edgegate(drawn[:500]), edgegate(drawn)
    runs: dict[str, tuple[Contender, str]] = {name: (contender, text) for name, contender in contenders.items()}
    runs["edgegate_full"] = (edgegate_full(phrases), text)
    runs["edgegate_500"] = (small, text)
    runs["edgegate_5000"] = (large, text)
    runs["edgegate_prefix"] = (contenders["edgegate"], prefix)
    seconds = measure(runs, options.turns)
    seconds |= measure({"phrase_by_phrase": (phrase_loop, prefix)}, 1)
    size = len(text) / 1e6
    speed = {name: round(size / seconds[name], 2) for name in runs if name != "edgegate_prefix"}
    speed["phrase_by_phrase"] = round(len(prefix) / 1e6 / seconds["phrase_by_phrase"], 4)
    return {
        "vs_pyahocorasick": round(seconds["pyahocorasick"] / seconds["edgegate"], 3),
        "vs_re2": round(seconds["google_re2"] / seconds["edgegate"], 3),
        "vs_phrases": round(seconds["phrase_by_phrase"] / seconds["edgegate_prefix"], 1),
        "growth_500_to_5000": round(seconds["edgegate_5000"] / seconds["edgegate_500"], 3),
        "megabytes_per_second": speed,
        "seconds": {name: round(spent, 5) for name, spent in seconds.items()},
        "megabytes": round(size, 3),
        "phrases": len(phrases),
        "patterns_written_out": patterns,
        "patterns_apart": apart,
        "matches": len(results["edgegate"]),
        "matches_500": len(small(text)),
        "matches_5000": len(large(text)),
        "matches_full": len(runs["edgegate_full"][0](text)),
        "lexicon": lexicon.hash(),
    }


def table(figures: dict[str, Any]) -> str:
    """The figures for people."""
    speeds = figures["megabytes_per_second"]
    matches = {"edgegate_500": "matches_500", "edgegate_5000": "matches_5000", "edgegate_full": "matches_full"}
    lines = [
        f"{figures['phrases']} phrases from {figures['patterns_written_out']} patterns "
        f"({figures['patterns_apart']} with gaps, numbers or too many forms are apart), "
        f"{figures['megabytes']:.1f} MB of chat text, lexicon {figures['lexicon']}",
        "",
        f"{'':<18}{'MB/s':>10}{'matches':>10}",
    ]
    for name, speed in speeds.items():
        count = figures[matches.get(name, "matches")] if name != "phrase_by_phrase" else ""
        lines.append(f"{name:<18}{speed:>10.3f}{count:>10}")
    lines += ["", "edgegate's speed, of that of"]
    for key, name in (
        ("vs_pyahocorasick", "pyahocorasick"),
        ("vs_re2", "google-re2"),
        ("vs_phrases", "`in` by phrase"),
    ):
        lines.append(f"  {name:<16}{figures[key]:>10.2f}")
    lines.append(f"time for 5,000 phrases, of that for 500: {figures['growth_500_to_5000']:.2f}")
    return "\n".join(lines)
