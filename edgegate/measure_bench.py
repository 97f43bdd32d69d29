"""Scores the writes of a memory system: how many the gate flags, beside how many it could not check and how often the
system stored nothing.

The three stand together on purpose, since a flag rate alone is easily gamed: by writes that cannot be compared with
their source, or by hardly writing at all (factwash, arXiv 2608.03372, section 4, "Scoring a memory system").
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from edgegate import policy
from edgegate.errors import EdgegateError
from edgegate.gate.report import check
from edgegate.language import lexicon
from edgegate.measure import Rate
from edgegate.records import Report, Severity, Verdict, to_json

WARNING = (
    "A flag is not a conviction. The gate misses losses in words that its lexicons lack, and it raises false alarms: a "
    "flag rate is neither a floor nor a ceiling of what was really lost. Rates compare only between systems that were "
    "given the same stimulus set and scored with the same lexicons."
)
"""What every report says beside its rates (factwash, sections 4 and 7.5)."""

NONE = Rate(0, 0)

EXAMPLES = 20
"""Flagged writes that a report shows."""


@dataclass(frozen=True)
class BenchRecord:
    """One write of a memory system: the source it was given, and the memory it stored (None: it stored nothing)."""

    source: str | list[dict[str, Any]]
    memory: str | None
    now: str | None = None
    about: str | None = None
    user: str | None = None
    context: str | list[dict[str, Any]] | None = None

    @property
    def stimulus(self) -> str:
        """The hash of what the system was given, its memory left out."""
        given = [self.source, self.now, self.about, self.user, self.context]
        return hashlib.sha256(json.dumps(given, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Broken:
    """A record that could not be read: its place (a line's number), and why."""

    place: int
    why: str


@dataclass(frozen=True, slots=True)
class Example:
    """One flagged write, for a person to look at."""

    memory: str
    report: Report


@dataclass
class Bench:
    """The rates of one run.

    `flagged` counts over the writes that could be checked, `uncheckable` over all writes, `abstained` over sources: one
    for which nothing at all was stored. `by_check` has, for each check, the share of checkable writes with a change of
    severity REWRITE or REJECT; a write may count under several. `stimulus_set` names the set of sources, whatever their
    order; `lexicon` what it was scored with.
    """

    flagged: Rate = NONE
    uncheckable: Rate = NONE
    advisory: Rate = NONE
    by_check: dict[str, Rate] = field(default_factory=dict)
    verdicts: dict[str, int] = field(default_factory=dict)
    broken: list[Broken] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)
    lexicon: str = ""
    _sources: dict[str, bool] = field(default_factory=dict)

    @property
    def abstained(self) -> Rate:
        return Rate(sum(not stored for stored in self._sources.values()), len(self._sources))

    @property
    def stimulus_set(self) -> str:
        """Sixteen characters that name the set of sources."""
        return hashlib.sha256("\n".join(sorted(self._sources)).encode()).hexdigest()[:16]

    def count(self, record: BenchRecord) -> None:
        """Counts one more record. A source, date or speaker of a wrong shape raises DataError or UsageError."""
        if record.memory is None:
            self._sources.setdefault(record.stimulus, False)
            return
        report = check(
            record.source,
            record.memory,
            now=record.now,
            about=record.about,
            user=record.user,
            context=record.context,
        )
        self._sources[record.stimulus] = True
        verdict = report.verdict or policy.decide(report)
        self.verdicts[verdict.value] = self.verdicts.get(verdict.value, 0) + 1
        unread = verdict is Verdict.UNCHECKABLE
        self.uncheckable += Rate(unread, 1)
        if unread:
            return
        self.flagged += Rate(verdict in policy.FLAGGED, 1)
        self.advisory += Rate(verdict is Verdict.PASS_WITH_FLAGS, 1)
        for name in {change.check for change in report.changes if change.severity is not Severity.ADVISORY}:
            self.by_check[name] = self.by_check.get(name, Rate(0, 0)) + Rate(1, 0)
        if verdict in policy.FLAGGED and len(self.examples) < EXAMPLES:
            self.examples.append(Example(record.memory, report))

    def check_rates(self) -> dict[str, Rate]:
        """`by_check` as rates over the checkable writes, the most frequent first."""
        found = {name: Rate(rate.count, self.flagged.total) for name, rate in self.by_check.items()}
        return dict(sorted(found.items(), key=lambda item: (-item[1].count, item[0])))

    def to_json(self) -> dict[str, Any]:
        return {
            "job": "bench",
            "flagged": self.flagged.to_json(),
            "uncheckable": self.uncheckable.to_json(),
            "abstained": self.abstained.to_json(),
            "advisory": self.advisory.to_json(),
            "by_check": {name: rate.to_json() for name, rate in self.check_rates().items()},
            "verdicts": dict(sorted(self.verdicts.items())),
            "stimulus_set": self.stimulus_set,
            "lexicon": self.lexicon,
            "broken": to_json(self.broken),
            "warning": WARNING,
        }


def bench(
    records: Iterable[BenchRecord | Broken | None],
    tick: Callable[[], None] = lambda: None,
    report: Callable[[Broken], None] = lambda broken: None,
) -> Bench:
    """The rates of a memory system's writes. A broken record is kept apart, told to `report`, and stops nothing; None
    is a line without a record, which counts as a place all the same. `tick` is called after each.

    >>> run = bench([BenchRecord("Someone said Alice was promoted.", "Alice was promoted."),
    ...              BenchRecord("I row on Fridays.", None)])
    >>> run.flagged, run.abstained
    (Rate(count=1, total=1), Rate(count=1, total=2))
    """
    found = Bench(lexicon=lexicon.hash())
    for place, record in enumerate(records, 1):
        if isinstance(record, BenchRecord):
            try:
                found.count(record)
            except EdgegateError as error:
                record = Broken(place, str(error))
        if isinstance(record, Broken):
            found.broken.append(record)
            report(record)
        tick()
    return found
