"""Scores the cue lexicons against annotated corpora: `python3 build_scripts/cue_scores.py --data FOLDER [--json]`.

FOLDER holds gzipped JSON Lines, one annotated sentence a line (BioScope, SFU, CD-SCO, EWT, WikiWeasel, PolNeAR,
TimeBank); their licences keep them outside the project, so the command says which are absent. A sentence counts as
found when one cue fires on it. Each corpus marks what its authors call a hedge or an attribution, so every row names
the effects that stand for its definition, and rows are never pooled. *Balanced F1* takes precision as if half of the
sentences were positive, from the true and the false positive rate.

`--veto FAMILY` lists what the corpora speak against: entries (or, with `--surface`, single wordings) of which less
than 60 % of the sentences they alone fire on are marked, over at least ten such sentences. It judges nothing: a cue
of conversation that news and reviews lack may stay, a person decides.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from edgegate.language.cues import CueMatch, scan
from edgegate.language.text import tokenise

Record = dict[str, Any]
KEPT_SHARE = 0.6
KEPT_FIRINGS = 10


@dataclass(frozen=True)
class Row:
    """One corpus and what counts in it: `gold` says whether a record is marked, `effects` which cues stand for that."""

    name: str
    file: str
    gold: Callable[[Record], bool]
    effects: dict[str, tuple[str, ...]]
    """Family to effects; all effects of the family where none are named."""
    marked_words: frozenset[str] = frozenset()
    """Where the corpus marks only some words, a cue counts only if its wording holds one of them."""
    unmarked: frozenset[str] = frozenset()
    """Entries for what the corpus does not mark at all."""

    def counts(self, match: CueMatch) -> bool:
        wanted = self.effects.get(match.cue.family)
        if wanted is None or (wanted and match.cue.effect not in wanted) or match.cue.id in self.unmarked:
            return False
        return not self.marked_words or not self.marked_words.isdisjoint(match.text.lower().split())


def _marked(field: str) -> Callable[[Record], bool]:
    return lambda record: bool(record[field])


def _whole_words(record: Record) -> bool:
    """CD-SCO marks prefixes ("un-") too, which no word list can find: those alone make no positive."""
    return any(item["kind"] == "word" for item in record["negation"])


OVERT = ("denies",)
BIOSCOPE_DENIAL = ("denies", "lexical")
BIOSCOPE_HEDGE = ("modal", "uncertain", "doxastic", "evidential", "reading", "research")
SFU_HEDGE = ("modal", "uncertain", "doxastic", "evidential", "reading", "weak")
WEASEL_HEDGE = ("modal", "uncertain", "doxastic", "evidential", "generic", "reading", "frequency")
REPORTS = ("reported", "hearsay", "document", "belief", "attitude")

ROWS = (
    Row("negation, BioScope", "bioscope", _marked("negation"), {"negation": BIOSCOPE_DENIAL}),
    Row("negation, SFU reviews", "sfu_review", _marked("negation"), {"negation": OVERT}),
    Row("negation, CD-SCO (words)", "cdsco_negation", _whole_words, {"negation": OVERT}),
    Row("negation, EWT", "ud_ewt_negation_condition", _marked("negation"), {"negation": OVERT}),
    Row("hedge, BioScope", "bioscope", _marked("hedge"), {"hedge": BIOSCOPE_HEDGE}),
    Row(
        "hedge, SFU reviews",
        "sfu_review",
        _marked("hedge"),
        {"hedge": SFU_HEDGE, "condition": ("conditional", "concessive", "hypothetical", "remote")},
    ),
    Row("hedge, WikiWeasel", "wikiweasel_sentences", lambda record: record["labels"]["hedge"], {"hedge": WEASEL_HEDGE}),
    Row(
        "attribution cue, PolNeAR",
        "polnear",
        lambda record: record["labels"]["attribution_cue"],
        {"attribution": REPORTS},
    ),
    Row(
        "if, EWT",
        "ud_ewt_negation_condition",
        _marked("condition"),
        {"condition": ("conditional", "concessive", "hypothetical")},
        marked_words=frozenset({"if", "unless"}),
    ),
    Row(
        "time, TimeBank",
        "timebank_temporal",
        _marked("temporal"),
        {"temporal": ("dated", "relative", "duration", "habitual", "bounded", "future")},
        unmarked=frozenset({"temporal.until", "temporal.while", "temporal.no-longer", "temporal.temporarily"}),
    ),
)


def read(file: Path) -> Iterator[Record]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def find(folder: Path, name: str) -> Path | None:
    return next(
        (path for path in (folder / f"{name}.jsonl.gz", folder / "dev" / f"{name}.jsonl.gz") if path.exists()), None
    )


def firings(row: Row, file: Path) -> Iterator[tuple[Record, list[CueMatch], bool]]:
    """Every sentence with the matches that count in this row, and whether the corpus marks it."""
    for record in read(file):
        matches = [match for match in scan(tokenise(record["text"]), row.effects) if row.counts(match)]
        yield record, matches, row.gold(record)


def measures(true: int, false: int, missed: int, rest: int) -> dict[str, float]:
    """Precision, recall, F1 and balanced F1 from the four counts; 0 where a ratio has no ground.

    >>> measures(8, 2, 2, 88)["f1"]
    0.8
    """

    def ratio(part: float, whole: float) -> float:
        return part / whole if whole else 0.0

    recall = ratio(true, true + missed)
    false_rate = ratio(false, false + rest)
    precision = ratio(true, true + false)
    even = ratio(recall, recall + false_rate)
    values = {
        "precision": precision,
        "recall": recall,
        "f1": ratio(2 * precision * recall, precision + recall),
        "balanced_f1": ratio(2 * even * recall, even + recall),
    }
    return {name: round(value, 4) for name, value in values.items()}


def score(row: Row, file: Path) -> Record:
    counts: Counter[tuple[bool, bool]] = Counter()
    for _, matches, gold in firings(row, file):
        counts[bool(matches), gold] += 1
    true, false, missed, rest = counts[True, True], counts[True, False], counts[False, True], counts[False, False]
    return {
        "row": row.name,
        "sentences": sum(counts.values()),
        "gold": true + missed,
        "found": true,
        "missed": missed,
        "false_alarms": false,
        **measures(true, false, missed, rest),
    }


def veto(family: str, folder: Path, surface: bool) -> list[Record]:
    """What the corpora speak against, worst first: {row, what, firings, marked, share}."""
    found = []
    for row in ROWS:
        file = find(folder, row.file)
        if family not in row.effects or file is None:
            continue
        alone: dict[str, list[bool]] = defaultdict(list)
        for _, matches, gold in firings(row, file):
            names = {
                f"{match.cue.id} “{match.text.lower()}”" if surface else match.cue.id
                for match in matches
                if match.cue.family == family
            }
            if len(names) == 1:
                alone[names.pop()].append(gold)
        for what, golds in alone.items():
            share = sum(golds) / len(golds)
            if len(golds) >= KEPT_FIRINGS and share < KEPT_SHARE:
                line = {
                    "row": row.name,
                    "what": what,
                    "firings": len(golds),
                    "marked": sum(golds),
                    "share": round(share, 2),
                }
                found.append(line)
    return sorted(found, key=lambda line: line["marked"] - line["firings"])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="folder of the annotated corpora")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--only", default="", help="only rows whose name holds this")
    parser.add_argument("--veto", metavar="FAMILY", help="list entries of this family that the corpora speak against")
    parser.add_argument("--surface", action="store_true", help="with --veto: by wording instead of by entry")
    options = parser.parse_args(arguments)
    if not options.data.is_dir():
        print(f"no folder {options.data}: the corpora are not part of the project, see their licences", file=sys.stderr)
        return 2
    if options.veto:
        lines = veto(options.veto, options.data, options.surface)
        if options.json:
            print(json.dumps(lines, ensure_ascii=False))
        for line in [] if options.json else lines:
            print(f"{line['marked']:5} of {line['firings']:5}  {line['share']:.2f}  {line['row']:26} {line['what']}")
        return 0
    rows, absent = [], []
    for row in ROWS:
        if options.only in row.name:
            file = find(options.data, row.file)
            if file is None:
                absent.append(row.name)
            else:
                rows.append(score(row, file))
    if options.json:
        print(json.dumps({"rows": rows, "absent": absent}, ensure_ascii=False))
    else:
        print(
            f"{'corpus':28}{'sentences':>10}{'gold':>7}{'found':>7}{'false':>7}{'P':>8}{'R':>8}{'F1':>8}{'bal. F1':>9}"
        )
        for line in rows:
            print(
                f"{line['row']:28}{line['sentences']:10}{line['gold']:7}{line['found']:7}{line['false_alarms']:7}"
                f"{line['precision']:8.3f}{line['recall']:8.3f}{line['f1']:8.3f}{line['balanced_f1']:9.3f}"
            )
        for name in absent:
            print(f"{name:28}absent: no such file in {options.data}")
    return 0 if rows else 2


if __name__ == "__main__":
    raise SystemExit(main())
