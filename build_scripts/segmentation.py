"""Scores the sentence splitter beside its alternatives: `python3 build_scripts/segmentation.py --data FOLDER [--json]`.

FOLDER holds `golden_rules_en.jsonl` ({"text", "sentences"}) and `ewt_dev.jsonl` ({"sentences"}, one paragraph a line).
Golden cases count when every sentence is exactly right; EWT is scored by boundaries inside paragraphs, the sentences
joined with one space. A retraction is a sentence that a longer text takes back: edgegate is fed one character at a
time, the others, which know no streams, get every growing prefix of the golden cases. The last sentence of a prefix
is still open and counts for nobody.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

# In place of this folder: its file names mustn't stand in for modules of the standard library.
sys.path[0] = str(Path(__file__).resolve().parent.parent)

from build_scripts.alternatives import go_on_with_alternatives  # noqa: E402
from edgegate.language.text import SentenceSplitter, sentences  # noqa: E402

Split = Callable[[str], list[str]]


def split_edgegate(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text)]


def split_naively(text: str) -> list[str]:
    """After `.`, `!` or `?` and white space: what many products do."""
    return [piece.strip() for piece in re.split(r"(?<=[.!?])\s+", text) if piece.strip()]


def load_pysbd() -> Split:
    module = importlib.import_module("pysbd")
    segmenter = module.Segmenter(language="en", clean=False)
    return lambda text: [piece.strip() for piece in segmenter.segment(text) if piece.strip()]


def load_syntok() -> Split:
    segmenter = importlib.import_module("syntok.segmenter")

    def split(text: str) -> list[str]:
        spans = []
        for paragraph in segmenter.process(text):
            for tokens in paragraph:
                first, last = tokens[0], tokens[-1]
                spans.append(text[first.offset : last.offset + len(last.value)].strip())
        return [span for span in spans if span]

    return split


CONTENDERS: dict[str, Callable[[], Split]] = {
    "edgegate": lambda: split_edgegate,
    "pySBD": load_pysbd,
    "syntok": load_syntok,
    "naive": lambda: split_naively,
}


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def inner_ends(pieces: list[str]) -> set[int]:
    """Where sentences end inside a paragraph, counted in visible characters, so that white space doesn't matter."""
    return set(accumulate(len("".join(piece.split())) for piece in pieces[:-1]))


def score_boundaries(split: Split, paragraphs: list[list[str]]) -> dict[str, float]:
    right = found = wanted = 0
    for gold in paragraphs:
        gold_ends = inner_ends(gold)
        ends = inner_ends(split(" ".join(gold)))
        right += len(ends & gold_ends)
        found += len(ends)
        wanted += len(gold_ends)
    precision = right / found if found else 0.0
    recall = right / wanted if wanted else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return {"f1": f1, "precision": precision, "recall": recall, "right": right, "found": found, "wanted": wanted}


def retractions_of_stream(text: str) -> int:
    """How many sentences, returned while the text came in one character at a time, the whole text doesn't have."""
    splitter = SentenceSplitter()
    streamed = [sentence for character in text for sentence in splitter.feed(character)] + splitter.close()
    return len(set(streamed) - set(sentences(text)))


def committed(split: Split, text: str) -> Iterator[tuple[str, ...]]:
    for end in range(1, len(text) + 1):
        yield tuple(split(text[:end])[:-1])


def retractions_of_prefixes(split: Split, text: str) -> int:
    """How many sentences that looked finished were taken back by a longer prefix."""
    count = 0
    before: tuple[str, ...] = ()
    for now in [*committed(split, text), tuple(split(text))]:
        kept = next(
            (i for i, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), min(len(before), len(now))
        )
        count += len(before) - kept
        before = now
    return count


def measure(data: Path) -> dict[str, Any]:
    golden = read(data / "golden_rules_en.jsonl")
    paragraphs = [record["sentences"] for record in read(data / "ewt_dev.jsonl")]
    results: dict[str, Any] = {}
    for name, load in CONTENDERS.items():
        try:
            split = load()
        except ImportError as error:
            results[name] = {"missing": f"{error.name} is not installed: pip install 'edgegate[bench]'"}
            continue
        wrong = [case["id"] for case in golden if split(case["text"]) != [s.strip() for s in case["sentences"]]]
        if name == "edgegate":
            taken_back = [retractions_of_stream(case["text"]) for case in golden]
            taken_back += [retractions_of_stream(" ".join(paragraph)) for paragraph in paragraphs]
        else:
            taken_back = [retractions_of_prefixes(split, case["text"]) for case in golden]
        results[name] = {
            "golden": len(golden) - len(wrong),
            "golden_of": len(golden),
            "golden_wrong": wrong,
            "ewt": score_boundaries(split, paragraphs),
            "retractions": sum(taken_back),
            "retractions_texts": sum(count > 0 for count in taken_back),
            "retractions_over": len(taken_back),
        }
    return results


def show(results: dict[str, Any]) -> None:
    print(f"{'':10} {'golden':>8} {'F1':>7} {'prec.':>7} {'recall':>7} {'right/found/wanted':>20}  retractions")
    for name, result in results.items():
        if "missing" in result:
            print(f"{name:10} not measured: {result['missing']}")
            continue
        ewt = result["ewt"]
        print(
            f"{name:10} {result['golden']:>5}/{result['golden_of']} {ewt['f1']:7.3f} {ewt['precision']:7.3f}"
            f" {ewt['recall']:7.3f} {ewt['right']:>8}/{ewt['found']}/{ewt['wanted']:<6}"
            f"  {result['retractions']} in {result['retractions_texts']} of {result['retractions_over']} texts"
        )
        if name == "edgegate" and result["golden_wrong"]:
            print(f"{'':10} golden cases missed: {', '.join(result['golden_wrong'])}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Score the sentence splitter beside pySBD, syntok and a naive split.")
    parser.add_argument("--data", type=Path, required=True, help="folder with golden_rules_en.jsonl and ewt_dev.jsonl")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    go_on_with_alternatives()
    for name in ("golden_rules_en.jsonl", "ewt_dev.jsonl"):
        if not (options.data / name).is_file():
            print(f"{options.data / name} is missing: --data takes the folder that holds it", file=sys.stderr)
            return 2
    results = measure(options.data)
    if options.json:
        print(json.dumps(results, indent=2))
    else:
        show(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
