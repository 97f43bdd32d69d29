"""drift(): a memory that was rewritten again and again, hop by hop, and first against last.

Per-hop reports say what each rewrite changed; the report of the last version against the first says what was lost in
all. Each such loss is put down to the hop where it happened, and hops that could not be checked are named: a chain
escapes a gate by losing what can be compared (the paper, section 4, "Chains, not just writes").
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from edgegate.errors import DataError
from edgegate.gate.records import Drift, Loss
from edgegate.gate.report import check
from edgegate.records import Change, Report, Severity


def drift(
    versions: Sequence[Any], *, now: str | None = None, about: str | None = None, user: str | None = None
) -> Drift:
    """What a version history lost, and where. `versions` are texts, oldest first; the first may be turns of a
    conversation. Fewer than two versions, or versions that are no texts, raise DataError.

    >>> found = drift(["Someone said Alice was promoted.", "Someone said that Alice was promoted.",
    ...                "Alice was promoted.", "Alice was promoted this year."])
    >>> [(loss.change.check, loss.hop) for loss in found.losses]
    [('attribution', 1)]
    """
    if isinstance(versions, (str, bytes)) or not isinstance(versions, Sequence) or len(versions) < 2:
        raise DataError("expected a list of at least two versions, oldest first", where="versions")
    for number, version in enumerate(versions[1:], 1):
        if not isinstance(version, str):
            raise DataError(f"expected a text, not {type(version).__name__}", where=f"versions[{number}]")

    def compare(older: Any, newer: str) -> Report:
        return check(older, newer, now=now, about=about, user=user)

    hops = tuple(compare(older, newer) for older, newer in pairwise(versions))
    since_first = [compare(versions[0], version) for version in versions[1:]]
    whole = since_first[-1]
    losses = tuple(
        Loss(change, _hop_of(change, hops, since_first))
        for change in whole.changes
        if change.severity is not Severity.ADVISORY
    )
    lost = tuple(number for number, report in enumerate(hops) if report.uncheckable is not None)
    return Drift(tuple(map(_plain, versions)), hops, whole, losses, lost)


def _hop_of(change: Change, hops: Sequence[Report], since_first: Sequence[Report]) -> int | None:
    """The hop of a loss: the rewrite from which on the chain shows it, compared with the first version; else the
    first hop that reports a change of its kind."""
    shown = [_has(report, change) for report in since_first]
    for number in range(len(shown)):
        if all(shown[number:]):
            return number if hops[number].uncheckable is None or _has(hops[number], change) else None
    return next((number for number, report in enumerate(hops) if _has(report, change)), None)


def _has(report: Report, change: Change) -> bool:
    return any(each.check == change.check and each.type == change.type for each in report.changes)


def _plain(version: Any) -> str:
    if isinstance(version, str):
        return version
    return "\n".join(str(turn.get("text", turn.get("content", ""))) if isinstance(turn, dict) else str(turn.text)
                     for turn in version)  # fmt: skip
