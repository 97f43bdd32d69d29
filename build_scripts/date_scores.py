"""Scores how dates, times of day and durations are read, on the Recognizers-Text items (MIT), kind by kind.

    python build_scripts/date_scores.py FOLDER [--errors KIND]

FOLDER holds `recognizers_datetime.jsonl.gz`: sentences with a reference day, the stretch that is a time expression, and
the values it resolves to. An item counts as exact when something read inside its stretch has one of those values: the
same day, the same first and last day, the same minute, the same length in seconds. Readings may be several ("Friday"
is the last and the next one), at most four. Of a
range, the days it begins and ends on must both be edges of what was read (the corpus ends "2014 to 2018" where 2018
begins, and "9 to 17 April" on the 17th). Kinds beyond date, daterange, time and duration are reported apart.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from edgegate.language.passages import Passage  # noqa: E402
from edgegate.measure import Rate  # noqa: E402

FILE = "recognizers_datetime.jsonl.gz"
WANTED = ("date", "daterange", "time", "duration")
_READINGS = 4


def records(folder: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(folder / FILE, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def is_exact(passage: Passage, item: dict[str, Any]) -> bool:
    """Whether something read inside the item's stretch has one of its values."""
    starts, stops = passage.tokens.starts, passage.tokens.ends

    def inside(first: int, last: int) -> bool:
        return bool(starts[first] < item["end"] and stops[last - 1] > item["start"])

    kind, wanted = item["type"], item["values"]
    read = passage.values
    if kind == "date":
        days = {day(value.get("value")) for value in wanted}
        spans = [each.spans for each in read.dates if inside(each.first, each.last) and len(each.spans) <= _READINGS]
        return any(start == end and start in days for found in spans for start, end in found)
    if kind == "daterange":
        found = [each for each in read.dates if inside(each.first, each.last) and len(each.spans) <= _READINGS]
        edges = {edge for each in found for start, end in each.spans for edge in (start, end + 1)}
        edges |= {end for each in found if each.grain == "day" for start, end in each.spans if start < end}
        ends = [[day(value[name]) for name in ("start", "end") if value.get(name)] for value in wanted]
        return any(pair and all(edge in edges for edge in pair) for pair in ends)
    if kind == "time":
        minutes = {minute(value.get("value")) for value in wanted}
        return any(inside(each.first, each.last) and set(each.minutes) & minutes for each in read.clocks)
    if kind == "duration":
        seconds = {
            float(value["value"]) for value in wanted if str(value.get("value", "")).replace(".", "", 1).isdigit()
        }
        amounts = [each for each in read.quantities if inside(each.first, each.last)]
        return any(float(r.amount) in seconds for each in amounts for r in each.readings if r.dimension == "time")
    return False


def day(text: str | None) -> int | None:
    try:
        return date.fromisoformat(str(text)[:10]).toordinal()
    except ValueError:
        return None


def minute(text: str | None) -> int | None:
    parts = str(text).split(":")
    return int(parts[0]) * 60 + int(parts[1]) if len(parts) >= 2 and parts[0].isdigit() else None


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--errors", metavar="KIND", help="list the items of this kind that were read otherwise")
    arguments = parser.parse_args()
    if not (arguments.folder / FILE).is_file():
        print(f"date_scores: {FILE} is not in {arguments.folder}", file=sys.stderr)
        return 2
    counts: dict[str, list[int]] = {}
    for record in records(arguments.folder):
        reference = record["reference"]
        passage = Passage(record["text"], now=date.fromisoformat(reference[:10]) if reference else None)
        for item in record["temporal"]:
            right = is_exact(passage, item)
            pair = counts.setdefault(item["type"], [0, 0])
            pair[0] += right
            pair[1] += 1
            if not right and item["type"] == arguments.errors:
                print(f"{str(reference)[:10]}  {item['text']!r} in {record['text']!r}: {item['values']}")
    total = Rate(sum(counts[kind][0] for kind in WANTED), sum(counts[kind][1] for kind in WANTED))
    rows = [(kind, Rate(*counts[kind])) for kind in WANTED] + [("the four together", total)]
    rows += [(f"apart: {kind}", Rate(*pair)) for kind, pair in sorted(counts.items()) if kind not in WANTED]
    for name, rate in rows:
        print(f"{name:<24} {rate.value or 0:.3f}  {rate.count:>4} of {rate.total:<4} [{rate.low:.3f}, {rate.high:.3f}]")
    return 0


if __name__ == "__main__":
    sys.exit(main())
