"""Memory for hosts that keep the store themselves: the host sends what it holds, and gets a commit and a result.

The host applies the commit to its store, and only when the store has answered does it say or show the result. A stale
commit is thrown away with its result: load, and plan again. Because a commit is applied only on the revision that it
was planned on, the result is exactly what the store did.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from edgegate.errors import DataError, UsageError
from edgegate.memory.door import Door
from edgegate.memory.recall import recall
from edgegate.memory.writing import Scope
from edgegate.records import read_record, to_json
from edgegate.stores.in_memory import InMemoryStore
from edgegate.stores.records import MOST_FOUND, Applied, Commit, Snapshot

_LISTS = ("context", "turns", "rows", "ids")
_NUMBERS = ("in_prompt", "limit")


class _Planning:
    """The host's store as it was, which remembers the commit that it is given."""

    def __init__(self, held: Snapshot) -> None:
        self._store = InMemoryStore(held)
        self.commit: Commit | None = None

    def load(self, turns: int = 0) -> Snapshot:
        return self._store.load(turns)

    def find(self, terms: Sequence[str], limit: int = MOST_FOUND) -> Snapshot:
        return self._store.find(terms, limit)

    def apply(self, commit: Commit) -> Applied:
        applied = self._store.apply(commit)
        self.commit = commit
        return applied


def run(operation: str, held: Any, scope: Any = None, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """One operation of `Door` (message, propose, enter, bring, keep_chat, forget, delete, refresh) or "recall", on the
    snapshot `held`, as JSON: `commit` for the host's store (None where nothing is to be written) and `result`, true
    once the store has applied it. `scope` and `arguments` are JSON too. Wrong shapes raise DataError or UsageError.

    >>> planned = run("message", {"revision": 0}, {}, {"text": "remember that the gate code is 4820"})
    >>> planned["commit"]["base"], planned["result"]["writes"]
    (0, ['stored: The gate code is 4820'])
    >>> run("message", {"revision": 0}, {"saves": False}, {"text": "remember that the gate code is 4820"})["commit"]
    """
    chosen = dict(arguments or {})
    for name, value in chosen.items():
        kind = list if name in _LISTS else int if name in _NUMBERS else str
        if name == "source" and isinstance(value, list):
            continue
        if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
            raise DataError(f"expected {kind.__name__}, not {type(value).__name__}", where=f"arguments.{name}")
    allowed = read_record(Scope, {} if scope is None else scope, "scope")
    store = _Planning(read_record(Snapshot, held, "held"))
    door = Door(store, allowed)
    if operation == "recall":
        _bind(recall, {"store": store, **chosen})
        found = recall(store, **chosen) if allowed.may_read else ()
        return {"commit": None, "result": to_json(found)}
    method = getattr(Door, operation, None)
    if operation.startswith("_") or not inspect.isfunction(method):
        raise UsageError(f"unknown operation {operation!r} of memory", where="operation")
    _bind(method, {"self": door, **chosen})
    result = method(door, **chosen)
    answer = to_json(result)
    answer["visible"] = to_json(result.visible)
    return {"commit": to_json(store.commit), "result": answer}


def _bind(method: Any, arguments: Mapping[str, Any]) -> None:
    try:
        inspect.signature(method).bind(**arguments)
    except TypeError as error:
        raise UsageError(str(error), where="arguments") from None
