"""Fits the points of the guard's signs to the labelled sentences, and says how far such a fit reaches.

    python build_scripts/fit_points.py            leave-one-writer-out: points set by hand, and fitted ones
    python build_scripts/fit_points.py --points   the points fitted to all writers, beside those set by hand
    python build_scripts/fit_points.py --kinds    what the guard catches of the fabricated sentences, by what they have

The sentences of every set are read once into their signs (`Judge.signs_of`). For each writer in turn, points are fitted
to the sentences of the other writers: a logistic regression with a penalty on the square of its weights (Hoerl &
Kennard 1970), by gradient descent, in plain Python. The limit is the lowest that keeps nine in ten supported sentences
of the natural sets, 85 in 100 of the hard ones, and 98 in 100 of what claims nothing, on the sentences the points were
fitted to. Then the writer who was left out is scored. The points set by hand are no blind ones: their author read the
sets of the first two writers and half of the third's.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from build_scripts.readme_numbers import guard_records  # noqa: E402
from edgegate.guard.claims import only_directs, person  # noqa: E402
from edgegate.guard.judge import Judge, is_held, points  # noqa: E402
from edgegate.guard.reading import Reading, read  # noqa: E402
from edgegate.language import lexicon  # noqa: E402
from edgegate.language.text import sentences  # noqa: E402
from edgegate.measure import evaluate_guard  # noqa: E402
from edgegate.records import Evidence  # noqa: E402

WRITERS = (("natural_dev", "guard_dev"), ("natural_dev2", "guard_dev2"), ("natural_dev3", "guard_dev3"))
LABELS = ("fabricated", "supported", "none", "world")
PENALTY = 3.0
STEPS = 300
LEAST = 5  # sentences that have a sign, from which it is fitted
KEPT = {"natural": 0.90, "guard": 0.85}
SPARED = 0.98


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled sentence: the kind of its set, its writer, its label and its signs, each with a capped count."""

    kind: str
    writer: int
    label: str
    signs: dict[str, float]
    points: float


class _Recorder(Judge):
    """A judge that keeps the signs of what it was last asked about."""

    def __init__(self, evidence: Evidence) -> None:
        super().__init__(evidence, safety=False)
        self.found: list[dict[str, int]] = []

    def signs_of(self, reading: Reading) -> dict[str, int]:
        found = super().signs_of(reading)
        self.found.append(found)
        return found


def gather() -> list[Row]:
    """The labelled sentences of all writers on which readers agree."""
    rows = []
    for writer, names in enumerate(WRITERS):
        for name in names:
            for record in guard_records(name):
                judge = _Recorder(Evidence.read(record.evidence, record.id))
                for sentence in record.sentences:
                    judge.found.clear()
                    for piece in sentences(sentence.text):
                        judge.rule(piece)
                    if sentence.label not in LABELS or sentence.safety or sentence.second:
                        continue
                    found = max(judge.found, key=points, default={})
                    rows.append(_row(name, writer, sentence.label, found))
    return rows


def _row(name: str, writer: int, label: str, found: dict[str, int]) -> Row:
    most = int(lexicon.table("support")["most"])
    signs = {sign: float(min(times, most)) for sign, times in found.items()}
    gates = {"directs": only_directs(found), "whole": is_held(found)}
    signs |= {gate: 1.0 for gate, shut in gates.items() if shut}
    shut = "elsewhere" in found or any(gates.values())
    return Row(name.split("_")[0], writer, label, signs, -math.inf if shut else points(found))


def fit(rows: Sequence[Row]) -> dict[str, float]:
    """The weights of the signs, and of "" for the intercept; each kind of set weighs the same as a whole."""
    counts: dict[str, int] = {}
    for row in rows:
        for sign in row.signs:
            counts[sign] = counts.get(sign, 0) + 1
    data = [{sign: times for sign, times in row.signs.items() if counts[sign] >= LEAST} | {"": 1.0} for row in rows]
    share = {kind: len(rows) / (len(KEPT) * max(1, sum(row.kind == kind for row in rows))) for kind in KEPT}
    weights: dict[str, float] = dict.fromkeys((sign for each in data for sign in each), 0.0)
    speed = dict.fromkeys(weights, 0.0)
    for _ in range(STEPS):
        slope = {sign: (PENALTY * weight if sign else 0.0) for sign, weight in weights.items()}
        for row, each in zip(rows, data, strict=True):
            odds = sum(weights[sign] * times for sign, times in each.items())
            error = share[row.kind] * (1 / (1 + math.exp(-odds)) - (row.label == "fabricated"))
            for sign, times in each.items():
                slope[sign] += error * times
        for sign in weights:
            pace = 0.5 / math.sqrt(len(rows) * counts.get(sign, len(rows)))  # rare signs move as fast as frequent ones
            speed[sign] = 0.9 * speed[sign] - pace * slope[sign]
            weights[sign] += speed[sign]
    return weights


def score(weights: dict[str, float], row: Row) -> float:
    """The fitted odds that a sentence is fabricated, as a logarithm."""
    return weights[""] + sum(weights.get(sign, 0.0) * times for sign, times in row.signs.items())


def rates(rows: Sequence[Row], value: Callable[[Row], float], limit: float) -> dict[str, tuple[float, float, float]]:
    """For each kind of set: caught, kept, and what claims nothing lost, where a sentence goes from `limit` on."""
    found = {}
    for kind in KEPT:
        own = [row for row in rows if row.kind == kind]
        gone = {label: [value(row) >= limit for row in own if row.label == label] for label in LABELS}
        lost = [*gone["none"], *gone["world"]]
        caught, kept = gone["fabricated"], gone["supported"]
        found[kind] = (_share(caught), 1 - _share(kept), _share(lost))
    return found


def _share(hits: Sequence[bool]) -> float:
    return sum(hits) / len(hits) if hits else 0.0


def limit_of(rows: Sequence[Row], value: Callable[[Row], float]) -> float:
    """The lowest limit that keeps what is to be kept."""
    best = math.inf
    for limit in sorted({value(row) for row in rows if value(row) > -math.inf}, reverse=True):
        found = rates(rows, value, limit)
        if any(found[kind][1] < KEPT[kind] or 1 - found[kind][2] < SPARED for kind in KEPT):
            break
        best = limit
    return best


def kind_of(text: str) -> str:
    """What a sentence offers to a rule.

    >>> kind_of("Tell Nadia."), kind_of("You moved in May."), kind_of("Lock the squeaky bike.")
    ('a name', 'a number or a date, no name', 'none of these')
    """
    reading = read(text)
    if reading.sure:
        return "a name"
    if reading.numbers or reading.months or reading.weekdays:
        return "a number or a date, no name"
    if reading.past:
        return "a verb in the past, neither name nor number"
    user = any(word in person("second") or word in person("possessive_second") for word in reading.words)
    return "the user in the present, none of these" if user else "none of these"


def by_kind() -> dict[str, dict[str, list[int]]]:
    """For each kind of set and of sentence: how many fabricated ones the guard caught, and how many there are."""
    found: dict[str, dict[str, list[int]]] = {kind: {} for kind in KEPT}
    for name in (each for names in WRITERS for each in names):
        for outcome in evaluate_guard(guard_records(name)).outcomes:
            if outcome.label == "fabricated":
                pair = found[name.split("_")[0]].setdefault(kind_of(outcome.text), [0, 0])
                pair[0] += outcome.right
                pair[1] += 1
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", action="store_true", help="the points fitted to all writers")
    parser.add_argument("--kinds", action="store_true", help="what is caught, by what the sentences have")
    arguments = parser.parse_args()
    if arguments.kinds:
        for kind, counted in by_kind().items():
            for what, (caught, total) in sorted(counted.items()):
                print(f"{kind:8} {what:45} {caught} of {total}")
        return
    rows = gather()
    if arguments.points:
        weights = fit(rows)
        limit = int(lexicon.table("support")["limit"])
        unit = limit / (limit_of(rows, partial(score, weights)) - weights[""])
        hand = lexicon.table("support")["points"]
        for sign, weight in sorted(weights.items(), key=lambda pair: -pair[1]):
            print(f"{sign or '(intercept)':18} {hand.get(sign, '-'):>4} {round(weight * unit):4d}")
        return
    hand_limit = float(lexicon.table("support")["limit"])
    print("writer left out | points | natural: caught, kept, lost | hard: caught, kept, lost")
    for writer in range(len(WRITERS)):
        others, left_out = ([row for row in rows if (row.writer == writer) == own] for own in (False, True))
        fitted = partial(score, fit(others))
        _print(writer, "by hand", rates(left_out, lambda row: row.points, hand_limit))
        _print(writer, "fitted", rates(left_out, fitted, limit_of(others, fitted)))


def _print(writer: int, name: str, found: dict[str, tuple[float, float, float]]) -> None:
    cells = [", ".join(f"{value:.2f}" for value in found[kind]) for kind in KEPT]
    print(f"{WRITERS[writer][0]} | {name} | {' | '.join(cells)}")


if __name__ == "__main__":
    main()
