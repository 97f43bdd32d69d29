"""A store in one SQLite file, with the standard library's sqlite3: write-ahead log, full-text index, erasing deletes.

The schema itself refuses a row without a verdict. A commit is one transaction on its base revision: killed in the
middle, it leaves nothing. Deleted text is overwritten in the file (`secure_delete`), the search index is rebuilt and
the write-ahead log emptied. A file of a newer version, of another program, or damaged is refused as it is, unchanged.

Sources: sqlite.org/pragma.html (secure_delete, wal_checkpoint, quick_check), sqlite.org/fts5.html (rebuild).
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from edgegate.errors import StoreError, UsageError
from edgegate.records import Verdict, read_record, to_json
from edgegate.stores.records import (
    MOST_FOUND,
    Applied,
    Commit,
    Snapshot,
    StoredMemory,
    TurnRecord,
    may_be_kept,
    refuse_unkeepable,
)

APPLICATION = 0x65646774
""" "edgt": the mark in the header of the files that are ours (PRAGMA application_id)."""

_KEPT = ", ".join(f"'{verdict.value}'" for verdict in Verdict if may_be_kept(verdict))


def _first(connection: sqlite3.Connection, full_text: bool) -> None:
    connection.execute("CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), revision INTEGER NOT NULL)")
    connection.execute("INSERT INTO state VALUES (1, 0)")
    connection.execute("CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    connection.execute(
        "CREATE TABLE memories (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE CHECK (id <> ''),"
        " text TEXT NOT NULL CHECK (text <> ''), kind TEXT NOT NULL,"
        f" verdict TEXT NOT NULL CHECK (verdict IN ({_KEPT})), record TEXT NOT NULL)"
    )
    connection.execute("CREATE TABLE turns (number INTEGER PRIMARY KEY, record TEXT NOT NULL)")
    if full_text:
        connection.execute("CREATE VIRTUAL TABLE search USING fts5 (terms, tokenize = 'unicode61 remove_diacritics 0')")


MIGRATIONS: tuple[tuple[str, Callable[[sqlite3.Connection, bool], None]], ...] = (("first", _first),)
"""Name and step of every version of the schema, in order. What was run is recorded in the file."""


class SqliteStore:
    """Memories in the file `path` (made where there is none; ":memory:" for none at all).

    `full_text=False` does without the FTS5 index in a new file, for an sqlite3 that lacks it; None finds out.
    `wait` is how many seconds a writer waits for another one. Raises StoreError where the file can't be used.

    >>> with SqliteStore(":memory:") as store:
    ...     store.load().revision
    0
    """

    def __init__(self, path: str | os.PathLike[str], *, full_text: bool | None = None, wait: float = 5.0) -> None:
        self._path = str(path)
        self._closed = False
        try:
            self._connection = sqlite3.connect(self._path, timeout=wait, isolation_level=None)
        except sqlite3.Error as error:
            raise StoreError(f"the file can't be opened: {error}", where=self._path) from error
        try:
            with self._speaking():
                self._open(full_text)
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. A closed store answers nothing more."""
        self._closed = True
        self._connection.close()

    def load(self, turns: int = 0, ids: Sequence[str] | None = None) -> Snapshot:
        """Everything kept (or what is kept of `ids`), in the order it came, and the latest `turns` turn records."""
        some = "" if ids is None else " WHERE id IN (SELECT value FROM json_each(?))"
        with self._speaking(), self._transaction("DEFERRED"):
            rows = self._connection.execute(
                f"SELECT id, text, kind, verdict, record FROM memories{some} ORDER BY place",
                () if ids is None else (json.dumps(list(ids)),),
            )
            memories = tuple(map(_memory, rows))
            latest = self._connection.execute(
                "SELECT record FROM turns ORDER BY number DESC LIMIT ?", (max(turns, 0),)
            ).fetchall()
            records = tuple(read_record(TurnRecord, json.loads(row[0]), "turn") for row in reversed(latest))
            return Snapshot(self._revision(), memories, records)

    def find(self, terms: Sequence[str], limit: int = MOST_FOUND) -> Snapshot:
        """The memories that have any of `terms`, those with more and rarer ones first, at most `limit`."""
        wanted = list(dict.fromkeys(term for term in terms if term.strip()))
        with self._speaking(), self._transaction("DEFERRED"):
            revision = self._revision()
            if not wanted or limit <= 0:
                return Snapshot(revision)
            if not self._full_text:
                return Snapshot(revision, self._scan(frozenset(wanted), limit))
            query = " OR ".join('"' + term.replace('"', '""').replace("\0", " ") + '"' for term in wanted)
            rows = self._connection.execute(
                "SELECT id, text, kind, verdict, record FROM search JOIN memories ON memories.place = search.rowid"
                " WHERE search MATCH ? ORDER BY search.rank LIMIT ?",
                (query, limit),
            )
            return Snapshot(revision, tuple(map(_memory, rows)))

    def apply(self, commit: Commit) -> Applied:
        """Keep a commit whole, or raise StoreError (StaleError for an old base) and keep nothing of it."""
        with self._speaking():
            with self._transaction("IMMEDIATE"):
                refuse_unkeepable(commit, self._revision())
                deleted = tuple(name for name in dict.fromkeys(commit.delete) if self._delete(name))
                for memory in commit.put:
                    self._put(memory)
                if commit.turn is not None:
                    record = json.dumps(to_json(commit.turn), ensure_ascii=False)
                    self._connection.execute("INSERT INTO turns (record) VALUES (?)", (record,))
                if deleted and self._full_text:
                    self._connection.execute("INSERT INTO search (search) VALUES ('rebuild')")
                self._connection.execute("UPDATE state SET revision = revision + 1")
            erased = self._empty_log() if deleted else True
            return Applied(commit.base + 1, tuple(memory.id for memory in commit.put), deleted, erased)

    def migrations(self) -> tuple[str, ...]:
        """The names of the schema's versions that this file went through, in order."""
        with self._speaking():
            return tuple(row[0] for row in self._connection.execute("SELECT name FROM migrations ORDER BY version"))

    def _open(self, full_text: bool | None) -> None:
        """Look before anything is written: whose file it is, of which version, and whether it is whole."""
        ask = self._connection.execute
        tables = ask("SELECT count(*) FROM sqlite_master").fetchone()[0]
        application = ask("PRAGMA application_id").fetchone()[0]
        version = ask("PRAGMA user_version").fetchone()[0]
        if tables and application != APPLICATION:
            raise StoreError("this is a database of another program: it was left as it is", where=self._path)
        if version > len(MIGRATIONS):
            raise StoreError(
                f"this file has schema version {version}, and this edgegate knows {len(MIGRATIONS)}: "
                "it was left as it is, use a newer edgegate",
                where=self._path,
            )
        if tables:
            state = ask("PRAGMA quick_check(1)").fetchone()[0]
            if state != "ok":
                raise StoreError(f"the file is damaged ({state}): it was left as it is", where=self._path)
        ask("PRAGMA secure_delete = ON")
        ask("PRAGMA journal_mode = WAL")
        ask("PRAGMA synchronous = FULL")
        if version < len(MIGRATIONS):
            self._migrate(_has_full_text(self._connection) if full_text is None else full_text)
        self._full_text = bool(ask("SELECT 1 FROM sqlite_master WHERE name = 'search'").fetchone())
        if self._full_text and not _has_full_text(self._connection):
            raise StoreError("this file has a full-text index, and this sqlite3 has no FTS5", where=self._path)

    def _migrate(self, full_text: bool) -> None:
        with self._transaction("EXCLUSIVE"):
            version = self._connection.execute("PRAGMA user_version").fetchone()[0]  # another may have been first
            for number, (name, step) in enumerate(MIGRATIONS[version:], version + 1):
                step(self._connection, full_text)
                self._connection.execute("INSERT INTO migrations VALUES (?, ?)", (number, name))
            self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
            self._connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")

    def _revision(self) -> int:
        return int(self._connection.execute("SELECT revision FROM state").fetchone()[0])

    def _put(self, memory: StoredMemory) -> None:
        fields = to_json(memory)
        row = (fields.pop("id"), fields.pop("text"), fields.pop("kind"), fields.pop("verdict"))
        place = self._connection.execute(
            "INSERT INTO memories (id, text, kind, verdict, record) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
            " SET text = excluded.text, kind = excluded.kind, verdict = excluded.verdict, record = excluded.record"
            " RETURNING place",
            (*row, json.dumps(fields, ensure_ascii=False)),
        ).fetchone()[0]
        if self._full_text:
            self._connection.execute("DELETE FROM search WHERE rowid = ?", (place,))
            terms = (place, " ".join(memory.terms))
            self._connection.execute("INSERT INTO search (rowid, terms) VALUES (?, ?)", terms)

    def _delete(self, name: str) -> bool:
        row = self._connection.execute("DELETE FROM memories WHERE id = ? RETURNING place", (name,)).fetchone()
        if row and self._full_text:
            self._connection.execute("DELETE FROM search WHERE rowid = ?", row)
        return row is not None

    def _scan(self, wanted: frozenset[str], limit: int) -> tuple[StoredMemory, ...]:
        rows = self._connection.execute("SELECT id, text, kind, verdict, record FROM memories ORDER BY place")
        found = [(len(wanted.intersection(memory.terms)), memory) for memory in map(_memory, rows)]
        found = sorted((pair for pair in found if pair[0]), key=lambda pair: -pair[0])
        return tuple(memory for _, memory in found[:limit])

    def _empty_log(self) -> bool:
        """Whether the write-ahead log could be emptied: a reader that holds it keeps old pages alive for a while."""
        try:
            return int(self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]) == 0
        except sqlite3.Error:
            return False  # the commit stands; only the emptying of the log did not happen

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[None]:
        self._connection.execute(f"BEGIN {kind}")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _speaking(self) -> Iterator[None]:
        """Every failure of sqlite3 as a StoreError that says what to do."""
        if self._closed:
            raise UsageError("this store is closed", where=self._path)
        try:
            yield
        except sqlite3.IntegrityError as error:
            raise StoreError(f"the store refused a row: {error}", where=self._path) from error
        except sqlite3.OperationalError as error:
            raise StoreError(f"nothing was kept: {error}", where=self._path) from error
        except sqlite3.DatabaseError as error:
            raise StoreError(f"the file can't be read, it was left as it is: {error}", where=self._path) from error


def _memory(row: tuple[str, str, str, str, str]) -> StoredMemory:
    name, text, kind, verdict, record = row
    fields = json.loads(record) | {"id": name, "text": text, "kind": kind, "verdict": verdict}
    return read_record(StoredMemory, fields, "memory")


def _has_full_text(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").fetchone())
