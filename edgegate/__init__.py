"""edgegate: filters what a language model says and what a product remembers, on the device.

    >>> from edgegate import check
    >>> check("Someone said Alice was promoted this morning.", "Alice was promoted.").verdict
    <Verdict.REWRITE: 'REWRITE'>

`Guard` filters a streaming reply; `check`, `inspect` and `decide` gate a memory. See README for both in five lines.
"""

__version__ = "0.1.0"

from edgegate.errors import DataError, EdgegateError, StoreError, UsageError
from edgegate.gate.chain import drift
from edgegate.gate.report import check, inspect
from edgegate.guard.evidence_index import Readings
from edgegate.guard.stream import Guard
from edgegate.policy import decide
from edgegate.records import Change, Evidence, Quote, ReplyEnd, Report, Severity, TextDropped, TextShown, Turn, Verdict

__all__ = [
    "Change",
    "DataError",
    "EdgegateError",
    "Evidence",
    "Guard",
    "Quote",
    "Readings",
    "ReplyEnd",
    "Report",
    "Severity",
    "StoreError",
    "TextDropped",
    "TextShown",
    "Turn",
    "UsageError",
    "Verdict",
    "__version__",
    "check",
    "decide",
    "drift",
    "inspect",
]
