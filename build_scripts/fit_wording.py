"""Fits the weights of wording (`edgegate/language/wording.py`) to the labelled sets, head by head.

    python build_scripts/fit_wording.py HEAD                 fits a head and prints what it does on what it learned from
    python build_scripts/fit_wording.py HEAD --write         writes its weights into the lexicons
    python build_scripts/fit_wording.py HEAD --left-out      leaves out one writer after the other and scores that one

A head is a `Task`: its name, which sentences are a yes, and what is read of a sentence. To add one, add it to `TASKS`.
The fit is an L2 logistic regression by dual coordinate descent (Yu, Huang & Lin 2011, "Dual coordinate descent methods
for logistic regression and maximum entropy models", Machine Learning 85), in a fixed order, so that the same sets give
the same file. It needs nothing but the core. The runs that weigh most are kept and fitted once more by themselves.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from build_scripts.readme_numbers import CORPORA, guard_records  # noqa: E402
from edgegate.guard.judge import Judge  # noqa: E402
from edgegate.guard.measures import wording  # noqa: E402
from edgegate.guard.reading import read  # noqa: E402
from edgegate.guard.safety import Safety  # noqa: E402
from edgegate.labelled import LabelledSentence  # noqa: E402
from edgegate.language import lexicon  # noqa: E402
from edgegate.language.text import Sentence, sentences  # noqa: E402
from edgegate.language.wording import Head, score  # noqa: E402
from edgegate.records import Evidence  # noqa: E402

Observer = Callable[[Sentence], list[str]]
"""Reads the sentences of one reply, in order: the runs and facts of each."""

CASES = ROOT / "tests" / "data" / "fit" / "guard_cases.jsonl"
OWN = "0"  # the writer of the cases
TAUGHT = "6 own"  # wrote after reading the errors on others: nothing is measured on that one
STEPS = 30
CLOSE = 1e-3
SMALL = 1e-7
LEAST = 2  # sentences that have a run, from which it is fitted


@dataclass(frozen=True)
class Task:
    """One head to be fitted.

    `observe` gives the reader of a reply, from its evidence; `target` says of a labelled sentence whether it is a yes
    (None: it is left out); `cost` is what an error on it costs, `most` the number of runs that are kept, `spared` the
    share of sentences with a no, weighed by cost, that must stay below the limit; a `limit` that is given (chosen on
    writers left out) stands instead. `cases` is how much more than a sentence of the sets a case of the tests counts.
    """

    name: str
    observe: Callable[[Evidence], Observer]
    target: Callable[[LabelledSentence], bool | None]
    cost: Callable[[LabelledSentence], float]
    most: int = 4000
    spared: float = 0.99
    limit: int | None = None
    cases: float = 0.0


@dataclass(frozen=True, slots=True)
class Example:
    """One sentence of a labelled reply: its writer, its runs and facts, whether it is a yes, what an error costs, and
    whether it comes from a set in which every sentence is labelled for safety."""

    writer: str
    text: str
    found: tuple[str, ...]
    yes: bool
    cost: float
    labelled: bool = False


def sets() -> list[str]:
    """The labelled sets that heads learn from: all but those that are for scoring alone."""
    return sorted(path.stem for kind in ("guard", "natural", "safety") for path in CORPORA.glob(f"{kind}_dev*.jsonl"))


def writer_of(name: str, record: str) -> str:
    """Who wrote a record: each number of sets had a writer of its own, those of the fourth four, named in the id.

    >>> writer_of("guard_dev", "gd-1"), writer_of("natural_dev3", "x"), writer_of("safety_dev4", "w2-s03")
    ('1', '3', '4 w2')
    """
    number = name.partition("_dev")[2] or "1"
    return f"{number} {record.split('-')[0]}" if number > "3" else number


def gather(task: Task) -> list[Example]:
    """The examples of a task, over all sets."""
    found = []
    for name in sets():
        for record in guard_records(name):
            observer = task.observe(Evidence.read(record.evidence, record.id))
            for sentence in record.sentences:
                read = [tuple(observer(piece)) for piece in sentences(sentence.text)]
                yes = None if sentence.second else task.target(sentence)
                if yes is not None:
                    writer, cost = writer_of(name, record.id), task.cost(sentence)
                    labelled = sentence.safety is not None
                    found += [Example(writer, sentence.text, runs, yes, cost, labelled) for runs in read]
    return found + (list(_cases(task)) if task.cases else [])


def _cases(task: Task) -> Iterator[Example]:
    """What the cases of the tests ask for: each is an example for every writer who is left out."""
    for line in CASES.read_text("utf-8").splitlines():
        record = json.loads(line)
        observer = task.observe(Evidence.read(record["evidence"], record["id"]))
        for each in record["sentences"]:
            sentence = LabelledSentence(each["text"], each["label"], each.get("safety"))
            for piece in sentences(sentence.text):
                cost = task.cases * record.get("count", 1) * task.cost(sentence)
                yield Example(OWN, sentence.text, tuple(observer(piece)), bool(task.target(sentence)), cost)


def fit(examples: Sequence[Example], only: frozenset[str] | None = None) -> dict[str, float]:
    """The weights of runs and facts, in logits, and of "" for the bias; of `only` those, if given."""
    counts: dict[str, int] = {}
    for example in examples:
        for run in example.found:
            counts[run] = counts.get(run, 0) + 1
    names = [run for run, count in counts.items() if count >= LEAST and (only is None or run in only)]
    number = {run: place for place, run in enumerate(names)}
    bias = len(names)
    rows = [[number[run] for run in example.found if run in number] + [bias] for example in examples]
    weights = [0.0] * (bias + 1)
    alphas = [min(1e-3, 0.5 * example.cost) for example in examples]
    for row, example, alpha in zip(rows, examples, alphas, strict=True):
        _add(weights, row, alpha if example.yes else -alpha)
    chance, order = random.Random(0), list(range(len(rows)))  # in one order all the time, the fit is slow to settle
    for _ in range(STEPS):
        furthest = 0.0
        chance.shuffle(order)
        for place in order:
            row, example = rows[place], examples[place]
            sign = 1.0 if example.yes else -1.0
            moved = _step(alphas[place], example.cost, len(row), sign * sum([weights[each] for each in row]))
            furthest = max(furthest, abs(moved))
            if abs(moved) > SMALL:
                alphas[place] += moved
                _add(weights, row, sign * moved)
        if furthest < CLOSE:
            break
    return {"": weights[bias], **dict(zip(names, weights, strict=False))}


def _add(weights: list[float], row: list[int], value: float) -> None:
    for each in row:
        weights[each] += value


def _step(alpha: float, cost: float, length: int, margin: float) -> float:
    """How far one dual variable moves: steps of Newton's on its own part of the dual, kept between bounds."""
    low, high = 0.0, cost
    value = alpha
    for _ in range(60):
        slope = length * (value - alpha) + margin + math.log(value / (cost - value))
        if abs(slope) < 1e-5:
            break
        low, high = (low, value) if slope > 0 else (value, high)
        fresh = value - slope / (length + cost / (value * (cost - value)))
        value = fresh if low < fresh < high else (low + high) / 2 if low else high / 10
        value = min(max(value, 1e-12 * cost), cost * (1 - 1e-9))
    return value - alpha


def learn(task: Task, examples: Sequence[Example]) -> Head:
    """The head: what weighs most is kept, fitted again by itself, and rounded; the limit spares what `task` asks."""
    full = fit(examples)
    counts = Counter(run for example in examples for run in example.found)
    ranked = sorted((run for run in full if run), key=lambda run: (-abs(full[run]) * math.sqrt(counts[run]), run))
    kept = fit(examples, frozenset(run for run in ranked[: task.most] if "|" not in run and "''" not in run))
    weights = {run: round(100 * weight) for run, weight in kept.items() if run and round(100 * weight)}
    head = Head(task.name, round(100 * kept[""]), 0, weights)
    limit = limit_of(task, head, examples) if task.limit is None else task.limit
    return Head(head.name, head.bias, limit, weights)


def limit_of(task: Task, head: Head, examples: Sequence[Example]) -> int:
    """The lowest limit that spares enough of the sentences with a no."""
    wrong = sorted(((score(head, each.found).points, each.cost) for each in examples if not each.yes), reverse=True)
    left = (1 - task.spared) * sum(cost for _, cost in wrong)
    for points, cost in wrong:
        left -= cost
        if left < 0:
            return points + 1
    return head.bias


def left_out(task: Task, examples: Sequence[Example]) -> Iterator[tuple[str, Head, list[Example]]]:
    """For each writer with a yes: the head learned from all others, and that writer's examples."""
    for writer in sorted({each.writer for each in examples if each.yes} - {OWN}):
        others = [each for each in examples if each.writer != writer]
        yield writer, learn(task, others), [each for each in examples if each.writer == writer]


def write(head: Head, folder: Path = lexicon.FOLDER) -> Path:
    """Writes a head into the lexicons: equal weights share a line, and what stands on it is in order."""
    lines: dict[int, list[str]] = {}
    for run, weight in head.weights.items():
        lines.setdefault(weight, []).append(run)
    text = "\n".join(f"{weight} {'|'.join(sorted(lines[weight]))}" for weight in sorted(lines))
    path = folder / f"wording_{head.name}.toml"
    path.write_text(
        f"# Made by build_scripts/fit_wording.py {head.name} --write: weights in hundredths of a logit. Don't edit.\n\n"
        f"[tables.wording_{head.name}]\nbias = {head.bias}\nlimit = {head.limit}\nweights = '''\n{text}'''\n",
        "utf-8",
    )
    return path


class _Follower(Judge):
    """A judge that is asked for no ruling, only for how each sentence is worded to the safety filter."""

    def __init__(self, evidence: Evidence) -> None:
        super().__init__(evidence)
        self._said = Safety(self._message)

    def __call__(self, sentence: Sentence) -> list[str]:
        reading = read(sentence.text[len(sentence.marker) :])
        drafted = self.draft.holds(sentence, reading.passage.tokens) or sentence.kind == "quote"
        return self._said.wording(reading, drafted=drafted)


def _worded(evidence: Evidence) -> Observer:
    """Reads each sentence by itself: nothing of the evidence counts."""
    return lambda sentence: wording(read(sentence.text[len(sentence.marker) :]))


def _claims(sentence: LabelledSentence) -> bool | None:
    """Whether a sentence says something of this user's life, held or not."""
    return None if sentence.label == "mixed" else sentence.label in ("supported", "fabricated")


TASKS = {
    name: Task(
        name,
        _Follower,
        lambda sentence, name=name: sentence.safety == name,  # type: ignore[misc]
        lambda sentence: 0.3 if sentence.safety else 0.9,  # a look-alike is one of many; ordinary talk must not be hurt
        limit=limit,
        most=2500,
        cases=6.0,
    )
    for name, limit in (("consciousness", -50), ("pressure", 40))
}
TASKS["claim"] = Task("claim", _worded, _claims, lambda sentence: 0.3, most=2500)


def _print(name: str, head: Head, examples: Sequence[Example]) -> None:
    for yes in (True, False):
        own = [score(head, each.found).yes for each in examples if each.yes is yes]
        print(f"  {name}: {'taken' if yes else 'wrongly taken'} {sum(own)} of {len(own)}")


def _print_left_out(task: Task, examples: Sequence[Example]) -> None:
    counted: Counter[tuple[str, bool]] = Counter()
    for writer, head, own in left_out(task, examples):
        _print(f"writer {writer} left out", head, own)
        for each in own if writer != TAUGHT else ():
            kind = "yes" if each.yes else "look-alike" if each.labelled else "ordinary"
            counted[kind, score(head, each.found).yes] += 1
    for kind in ("yes", "look-alike", "ordinary"):
        taken, left = counted[kind, True], counted[kind, False]
        print(f"  all but {TAUGHT}: {kind} taken {taken} of {taken + left}")


def main() -> None:
    """Fits, prints, writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("head", choices=sorted(TASKS))
    parser.add_argument("--left-out", action="store_true", help="leave out one writer after the other")
    parser.add_argument("--write", action="store_true", help="write the weights into the lexicons")
    arguments = parser.parse_args()
    task = TASKS[arguments.head]
    examples = gather(task)
    if arguments.left_out:
        _print_left_out(task, examples)
        return
    head = learn(task, examples)
    _print(f"{len(head.weights)} weights, limit {head.limit}", head, examples)
    if arguments.write:
        path = write(head)
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
