"""The errors edgegate raises, each with a short stable code.

Text never raises: these are for wrong calls, unreadable data and stores that fail.
"""

from __future__ import annotations


class EdgegateError(Exception):
    """The base of every error of this package.

    `code` is a short stable word a program can test; the message says what was wrong, where, and what to do.

    >>> try:
    ...     raise UsageError("cap must be at least 1, not 0: pass a number of characters", where="Guard.cap")
    ... except EdgegateError as error:
    ...     print(error.code, "|", error.where)
    usage | Guard.cap
    """

    code = "error"

    def __init__(self, message: str, *, where: str | None = None) -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where


class UsageError(EdgegateError):
    """A call that can't be right: an unknown option, a closed guard that is fed, an unknown handle."""

    code = "usage"


class DataError(EdgegateError):
    """Data that can't be read: a lexicon entry, a record of a file, a request. `where` names file, line and field."""

    code = "data"


class StoreError(EdgegateError):
    """A store that refused or failed: a stale revision, a row without a verdict, a full disk."""

    code = "store"
