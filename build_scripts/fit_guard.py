"""Fits what the reply guard weighs its signs with (`edgegate/guard/trees.py`) to the labelled replies.

    python build_scripts/fit_guard.py               leaves out one writer after the other and scores that one
    python build_scripts/fit_guard.py --write       fits to all writers and writes the trees into the lexicons
    python build_scripts/fit_guard.py --kinds       what the guard catches of the inventions, by what they have

Every sentence of every set is read once into its features (`Judge.features_of`). The wording of a sentence is weighed
by a head (`fit_wording.py`) that was learned without its writer, so that the trees learn how far wording can be
trusted. The cases of the tests count beside the sets. Where a set says which notes a sentence needs, the notes that are
held are drawn anew several times. Trees are fitted by gradient boosting (Friedman 2001) from scikit-learn; it may only
count against a sentence that more of it is held nowhere, and only for it that more is held, since in the hard sets
inventions share more words with what is held than truths do, which is nothing to learn. The limit is the lowest that
spares what `KEPT` and `SPARED` say, over all writers, each scored by trees that never saw it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from build_scripts import fit_wording  # noqa: E402
from build_scripts.alternatives import go_on_with_alternatives  # noqa: E402
from build_scripts.readme_numbers import CORPORA, guard_records  # noqa: E402
from edgegate.guard.claims import person  # noqa: E402
from edgegate.guard.judge import Judge  # noqa: E402
from edgegate.guard.measures import weigh, wording  # noqa: E402
from edgegate.guard.reading import Reading, read  # noqa: E402
from edgegate.guard.trees import read_trees  # noqa: E402
from edgegate.language import lexicon  # noqa: E402
from edgegate.language.text import sentences  # noqa: E402
from edgegate.language.wording import Head, score  # noqa: E402
from edgegate.measure import evaluate_guard  # noqa: E402
from edgegate.records import Evidence  # noqa: E402

KINDS = ("natural", "guard")
LABELS = ("fabricated", "supported", "none", "world")
DRAWS = 4  # how often the notes that are held are drawn anew
HELD = 0.55  # the share of notes that is held
SHARE = {"natural": 0.7, "guard": 0.3}  # what the two kinds of set weigh as a whole: life is like the natural ones
KEPT = {"natural": 0.90, "guard": 0.85}
SPARED = {"natural": 0.975, "guard": 0.965}
COUNTED = {fit_wording.OWN: 0.5, "1": 2.0}
MORE_AGAINST = ("open", "unheld", "names_new", "numbers_new", "nothing_held", "nothing_at_all", "worded", "points")
MORE_FOR = (
    "world_asked",
    "strangers_shown",
    "held",
    "remembered",
    "best",
    "names_held",
    "numbers_held",
    "together",
    "is_held",
    "retold",
    "old_number",
)
SETTINGS = {"max_depth": 5, "learning_rate": 0.06, "max_iter": 120, "min_samples_leaf": 15, "max_features": 0.4}
PENALTY = 5.0
LEAF = 1000  # what a logit is in a leaf


@dataclass(slots=True)
class Row:
    """One labelled sentence under one draw of notes."""

    kind: str
    writer: str
    label: str
    text: str
    features: dict[str, int]
    runs: list[str]
    weight: float = 1.0


class _Recorder(Judge):
    """A judge that keeps the features and the wording of what it was last asked about."""

    def __init__(self, evidence: Evidence, now: str | None) -> None:
        super().__init__(evidence, safety=False, now=now)
        self.last: tuple[dict[str, int], list[str]] | None = None

    def features_of(self, reading: Reading, found: dict[str, int]) -> dict[str, int]:
        features = super().features_of(reading, found)
        if self.last is None or features["points"] >= self.last[0]["points"]:
            self.last = features, wording(reading)
        return features


def replies(name: str) -> Iterator[dict[str, Any]]:
    """The records of a set, those with notes several times, each time with others of them held."""
    for line in (CORPORA / f"{name}.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        if "notes" in record:
            for draw in range(DRAWS):
                yield _drawn(record, draw)
        else:
            yield record


def _drawn(record: dict[str, Any], draw: int) -> dict[str, Any]:
    choice = random.Random(f"{record['id']} {draw}")
    held = {note["id"] for note in record["notes"] if choice.random() < HELD} | {"msg"}
    evidence: dict[str, Any] = {"history": record["evidence"]["history"]}
    for note in record["notes"]:
        if note["id"] in held:
            evidence.setdefault(note["kind"], []).append(note["text"])
    return {**record, "evidence": evidence, "sentences": [_labelled(each, held) for each in record["sentences"]]}


def _labelled(sentence: dict[str, Any], held: set[str]) -> dict[str, Any]:
    if "notes" not in sentence:
        return sentence
    found = [not held.isdisjoint(need.split("|")) for need in sentence["notes"]]
    label = "supported" if found and all(found) else "mixed" if any(found) else "fabricated"
    return {**sentence, "label": label}


def gather() -> list[Row]:
    """The labelled sentences of all writers on which readers agree and which are judged by their history."""
    rows: list[Row] = []
    for kind in KINDS:
        for path in sorted(CORPORA.glob(f"{kind}_dev*.jsonl")):
            for record in replies(path.stem):
                rows += _read(kind, fit_wording.writer_of(path.stem, record["id"]), record)
    for line in fit_wording.CASES.read_text("utf-8").splitlines():
        rows += _read("case", fit_wording.OWN, json.loads(line))
    times = Counter((row.kind, row.writer, row.text) for row in rows)
    for row in rows:
        row.weight *= times[row.kind, row.writer, row.text] ** -0.5 * COUNTED.get(row.writer, 1.0)
    for kind in KINDS:
        whole = sum(row.weight for row in rows if row.kind == kind)
        for row in rows:
            if row.kind == kind:
                row.weight *= SHARE[kind] * len(rows) / whole
    return rows


def _read(kind: str, writer: str, record: dict[str, Any]) -> Iterator[Row]:
    judge = _Recorder(Evidence.read(record["evidence"], record["id"]), record.get("now"))
    for sentence in record["sentences"]:
        judge.last = None
        for piece in sentences(sentence["text"]):
            judge.rule(piece)
        agreed = not sentence.get("second") and sentence.get("safety") in (None, "ok")
        if judge.last is not None and agreed and sentence["label"] in LABELS:
            count = record.get("count", 1.0)  # a case that the sets pull the other way counts more often
            yield Row(kind, writer, sentence["label"], sentence["text"], *judge.last, weight=count)


def weigh_wording(rows: Sequence[Row]) -> Head:
    """The head for all writers; gives each row what a head learned without its writer makes of it."""
    seen: dict[tuple[str, str], fit_wording.Example] = {}
    for row in rows:
        yes = row.label in ("fabricated", "supported")
        if row.writer != fit_wording.OWN:  # held or not, a case that stays is none that says what it claims
            seen[row.writer, row.text] = fit_wording.Example(row.writer, row.text, tuple(row.runs), yes, 0.3)
    examples = list(seen.values())
    task = fit_wording.TASKS["claim"]
    for writer in sorted({row.writer for row in rows}):
        head = fit_wording.learn(task, [each for each in examples if each.writer != writer])
        for row in rows:
            if row.writer == writer:
                row.features["worded"] = score(head, row.runs).points
        print(f"wording without writer {writer}", file=sys.stderr)
    return fit_wording.learn(task, examples)


def fit(rows: Sequence[Row], limit: int = 0) -> dict[str, Any]:
    """The table of trees learned from `rows`."""
    import numpy
    from sklearn.ensemble import HistGradientBoostingClassifier

    names = sorted({name for row in rows for name in row.features})
    table = numpy.array([[row.features.get(name, 0) for name in names] for row in rows], dtype=float)
    fault = numpy.array([row.label == "fabricated" for row in rows])
    sides = [(name in MORE_AGAINST) - (name in MORE_FOR) for name in names]
    model = HistGradientBoostingClassifier(
        **SETTINGS, l2_regularization=PENALTY, monotonic_cst=sides, random_state=0, early_stopping=False
    )
    model.fit(table, fault, sample_weight=[row.weight for row in rows])
    lines = [_line(predictor.nodes, 0, names) for (predictor,) in model._predictors]
    bias = round(LEAF * float(model._baseline_prediction.ravel()[0]))
    return {"bias": bias, "limit": limit, "trees": "\n".join(line for line in lines if line != "0")}


def _line(nodes: Any, at: int, names: Sequence[str]) -> str:
    node = nodes[at]
    if node["is_leaf"]:
        return str(round(LEAF * float(node["value"])))
    sides = [_line(nodes, int(node[side]), names) for side in ("left", "right")]
    if sides[0] == sides[1] and ":" not in sides[0]:
        return sides[0]
    return f"{names[node['feature_idx']]}:{int(node['num_threshold'] // 1)} {sides[0]} {sides[1]}"


Rates = tuple[float, float, float]


def rates(rows: Sequence[Row], scores: Sequence[int], limit: int) -> Rates:
    """Caught, kept, and what claims nothing lost, where a sentence goes from `limit` on; each sentence counts once,
    however often its notes were drawn."""
    gone: dict[str, list[float]] = {label: [0.0, 0.0] for label in LABELS}
    times = Counter((row.kind, row.writer, row.text) for row in rows)
    for row, value in zip(rows, scores, strict=True):
        share = 1 / times[row.kind, row.writer, row.text]
        gone[row.label][0] += share * (value >= limit)
        gone[row.label][1] += share
    lost = [gone["none"][0] + gone["world"][0], gone["none"][1] + gone["world"][1]]
    return (_share(*gone["fabricated"]), 1 - _share(*gone["supported"]), _share(*lost))


def _share(hits: float, whole: float) -> float:
    return hits / whole if whole else 0.0


def limit_of(rows: Sequence[Row], scores: Sequence[int]) -> int:
    """The lowest limit that keeps and spares what is asked, on both kinds of set."""
    best = max(scores) + 1
    for limit in range(min(best, 3 * LEAF), min(scores), -20):
        for kind in KINDS:
            own = [place for place, row in enumerate(rows) if row.kind == kind]
            _, kept, lost = rates([rows[at] for at in own], [scores[at] for at in own], limit)
            if kept < KEPT[kind] or 1 - lost < SPARED[kind]:
                return best
        best = limit
    return best


def left_out(rows: Sequence[Row]) -> list[int]:
    """What each row scores by trees that never saw its writer."""
    scores = [0] * len(rows)
    for writer in sorted({row.writer for row in rows} - {fit_wording.OWN}):
        trees = read_trees(fit([row for row in rows if row.writer != writer]))
        for place, row in enumerate(rows):
            if row.writer == writer:
                scores[place] = weigh(row.features, trees)
        print(f"trees without writer {writer}", file=sys.stderr)
    return scores


def show(rows: Sequence[Row], scores: Sequence[int], limit: int) -> None:
    """Prints the rates by writer, and over those who came after the rules were written by hand."""
    print("writer | natural: caught, kept, other text lost | hard: caught, kept, other text lost")
    writers = sorted({row.writer for row in rows} - {fit_wording.OWN})
    groups: list[tuple[str, Sequence[str]]] = [(writer, (writer,)) for writer in writers]
    groups.append(("all that no rule was written for", [each for each in writers if each not in "123"]))
    for name, members in groups:
        cells = []
        for kind in KINDS:
            own = [at for at, row in enumerate(rows) if row.kind == kind and row.writer in members]
            found = rates([rows[at] for at in own], [scores[at] for at in own], limit)
            cells.append(", ".join(f"{value:.2f}" for value in found) if own else "")
        print(f"{name} | {' | '.join(cells)}")


def write(table: dict[str, Any], folder: Path = lexicon.FOLDER) -> Path:
    """Writes the trees into the lexicons."""
    path = folder / "trees_history.toml"
    path.write_text(
        "# Made by build_scripts/fit_guard.py --write: leaves in thousandths of a logit. Don't edit.\n\n"
        f"[tables.trees_history]\nbias = {table['bias']}\nlimit = {table['limit']}\ntrees = '''\n{table['trees']}'''\n",
        "utf-8",
    )
    return path


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
    found: dict[str, dict[str, list[int]]] = {kind: {} for kind in KINDS}
    for kind in KINDS:
        for path in sorted(CORPORA.glob(f"{kind}_dev*.jsonl")):
            for outcome in evaluate_guard(guard_records(path.stem)).outcomes:
                if outcome.label == "fabricated":
                    pair = found[kind].setdefault(kind_of(outcome.text), [0, 0])
                    pair[0] += outcome.right
                    pair[1] += 1
    return found


def main() -> None:
    """Fits, prints, writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="fit to all writers and write the lexicons")
    parser.add_argument("--kinds", action="store_true", help="what is caught, by what the sentences have")
    arguments = parser.parse_args()
    if arguments.kinds:
        for kind, counted in by_kind().items():
            for what, (caught, total) in sorted(counted.items()):
                print(f"{kind:8} {what:45} {caught} of {total}")
        return
    rows = gather()
    head = weigh_wording(rows)
    scores = left_out(rows)
    limit = limit_of(rows, scores)
    show(rows, scores, limit)
    if arguments.write:
        for path in (fit_wording.write(head), write(fit(rows, limit))):
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    go_on_with_alternatives()
    main()
