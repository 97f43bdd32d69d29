"""The checks of the write gate, in the order in which they run and report. One file a check.

A check takes the write and one pairing (a memory sentence with the source sentences it came from) and yields changes.
It never names a verdict and never changes text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from edgegate.gate.checks.attribution import attribution
from edgegate.gate.checks.brittle import brittle
from edgegate.gate.checks.condition import condition
from edgegate.gate.checks.habit import habit
from edgegate.gate.checks.hedge import hedge_dropped
from edgegate.gate.checks.owner import owner_changed
from edgegate.gate.checks.polarity import polarity
from edgegate.gate.checks.temporal import temporal
from edgegate.gate.checks.truncated import truncated
from edgegate.gate.checks.unit import unit
from edgegate.gate.write import Pairing, Write
from edgegate.records import Change

Check = Callable[[Write, Pairing], Iterable[Change]]

CHECKS: dict[str, Check] = {
    "polarity": polarity,
    "owner": owner_changed,
    "brittle": brittle,
    "truncated": truncated,
    "unit": unit,
    "hedge": hedge_dropped,
    "attribution": attribution,
    "condition": condition,
    "temporal": temporal,
    "habit": habit,
}
