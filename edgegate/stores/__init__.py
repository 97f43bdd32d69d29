"""Where memories are kept. `stores.sqlite` is imported only by who uses it: not every runtime has sqlite3."""

from edgegate.stores.in_memory import InMemoryStore
from edgegate.stores.records import (
    Applied,
    Commit,
    Earlier,
    Snapshot,
    StaleError,
    Store,
    StoredMemory,
    TurnRecord,
)

__all__ = [
    "Applied",
    "Commit",
    "Earlier",
    "InMemoryStore",
    "Snapshot",
    "StaleError",
    "Store",
    "StoredMemory",
    "TurnRecord",
]
