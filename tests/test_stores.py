"""One contract for every store (tests/data/host/store.json), and what only files can get wrong."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from edgegate.errors import EdgegateError, StoreError
from edgegate.records import Verdict, read_record, to_json
from edgegate.stores import Commit, InMemoryStore, StaleError, Store, StoredMemory, TurnRecord
from edgegate.stores.sqlite import MIGRATIONS, SqliteStore

ROOT = Path(__file__).resolve().parent.parent
CASES = json.loads((ROOT / "tests/data/host/store.json").read_text("utf-8"))["cases"]
Make = Callable[[], Store]


@pytest.fixture(params=["in memory", "sqlite", "sqlite without full text"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    opened: list[SqliteStore] = []

    def sqlite() -> Store:
        full_text = None if request.param == "sqlite" else False
        opened.append(SqliteStore(tmp_path / "memories.db", full_text=full_text))
        return opened[-1]

    yield InMemoryStore if request.param == "in memory" else sqlite
    for store in opened:
        store.close()


def memory(name: str, text: str, *terms: str) -> StoredMemory:
    return StoredMemory(name, text, "fact", Verdict.PASS, terms=terms or tuple(text.lower().split()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_contract(case: dict[str, Any], make: Make) -> None:
    store = make()
    for number, step in enumerate(case["steps"]):
        place = f"step {number}"
        if "error" in step:
            with pytest.raises(EdgegateError) as caught:
                store.apply(read_record(Commit, step["apply"]))
            assert caught.value.code == step["error"], place
            continue
        expect = step["expect"]
        if "apply" in step:
            applied = to_json(store.apply(read_record(Commit, step["apply"])))
            assert {key: applied[key] for key in expect} == expect, place
            continue
        found = store.load(**step["load"]) if "load" in step else store.find(step["find"], step.get("limit", 10))
        ids = [each.id for each in found.memories]
        assert expect.get("revision", found.revision) == found.revision, place
        assert expect.get("ids", ids) == ids, place
        assert sorted(expect.get("set", ids)) == sorted(ids), place
        assert expect.get("count", len(ids)) == len(ids), place
        for key, record, got in (("memories", StoredMemory, found.memories), ("turns", TurnRecord, found.turns)):
            if key in expect:
                assert [read_record(record, each) for each in expect[key]] == list(got), place


def test_the_best_is_found_first(make: Make) -> None:
    store = make()
    kept = [memory(f"1.{n}", f"common word {n}", "common", f"w{n}") for n in range(20)]
    store.apply(Commit(0, (*kept, memory("1.99", "common rare", "common", "rare"))))
    assert store.find(["common", "rare"], 3).memories[0].id == "1.99"
    assert len(store.find(["common"], 5).memories) == 5


def test_two_writers_on_one_file(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "one.db") as one, SqliteStore(tmp_path / "one.db") as other:
        base = other.load().revision
        one.apply(Commit(one.load().revision, (memory("1.0", "first"),)))
        with pytest.raises(StaleError):
            other.apply(Commit(base, (memory("1.0", "second"),)))
        assert [each.text for each in other.load().memories] == ["first"]
        other.apply(Commit(other.load().revision, (memory("2.0", "second"),)))
        assert [each.text for each in one.load().memories] == ["first", "second"]


def test_a_store_survives_being_closed(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.db") as store:
        store.apply(Commit(0, (memory("1.0", "kept"),)))
        assert store.migrations() == tuple(name for name, _ in MIGRATIONS)
    with SqliteStore(tmp_path / "a.db") as store:
        assert store.load().revision == 1
        assert [each.text for each in store.find(["kept"]).memories] == ["kept"]
    with pytest.raises(EdgegateError, match="closed"):
        store.load()


def test_the_schema_refuses_a_row_without_a_verdict(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "a.db").close()
    connection = sqlite3.connect(tmp_path / "a.db")
    for verdict in (None, "", "REJECT", "REWRITE", "fine"):
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(
                "INSERT INTO memories (id, text, kind, verdict, record) VALUES ('x', 'y', 'fact', ?, '{}')", (verdict,)
            )
    connection.close()


WRITER = """
import os, signal, sys
from edgegate.records import Verdict
from edgegate.stores import Commit, StoredMemory
from edgegate.stores.sqlite import SqliteStore

store = SqliteStore(sys.argv[1])
stop_at = int(sys.argv[2])
seen = 0

def count(statement):
    global seen
    seen += 1
    if seen == stop_at:
        os.kill(os.getpid(), signal.SIGKILL)

for number in range(3):
    if number == 2:
        store._connection.set_trace_callback(count)
    base = store.load().revision
    pair = [StoredMemory(f"{base}.{n}", f"pair {base} {n}", "fact", Verdict.PASS, terms=("pair",)) for n in (0, 1)]
    applied = store.apply(Commit(base, tuple(pair), (f"{base - 1}.0",)))
    print(applied.revision, flush=True)
"""


@pytest.mark.parametrize("stop_at", range(4, 26, 2))
def test_killed_in_the_middle_of_a_commit(tmp_path: Path, stop_at: int) -> None:
    """The process kills itself at one statement after another: what was acknowledged is there, no commit is halved."""
    path = tmp_path / "killed.db"
    run = subprocess.run(
        [sys.executable, "-c", WRITER, str(path), str(stop_at)], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    acknowledged = [int(line) for line in run.stdout.split()]
    assert run.returncode in (0, -signal.SIGKILL), run.stderr
    assert len(acknowledged) >= 2
    with SqliteStore(path) as store:
        found = store.load()
        assert found.revision >= acknowledged[-1]
        texts = {each.text for each in found.memories}
        expected = {f"pair {base} {n}" for base in range(found.revision) for n in (0, 1)}
        expected -= {f"pair {base} 0" for base in range(found.revision - 1)}
        assert texts == expected
        assert {each.text for each in store.find(["pair"], 50).memories} == expected
        store.apply(Commit(found.revision, (memory("later", "and it goes on"),)))


def test_a_full_disk_keeps_nothing_and_says_so(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "full.db") as store:
        store.apply(Commit(0, (memory("1.0", "kept"),)))
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(StoreError, match="full"):
            store.apply(Commit(1, (memory("2.0", "small"), memory("2.1", "x" * 1_000_000))))
        assert [each.text for each in store.load().memories] == ["kept"]
        assert store.load().revision == 1


def test_a_damaged_file_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "damaged.db"
    with SqliteStore(path) as store:
        store.apply(Commit(0, tuple(memory(f"1.{n}", f"text {n} " * 200) for n in range(50))))
    whole = path.read_bytes()
    for damage in (b"not a database at all" * 300, whole[:5000], whole[:8192] + os.urandom(4096 * 3) + whole[20480:]):
        path.write_bytes(damage)
        with pytest.raises(StoreError, match=r"damaged|can't be read"):
            SqliteStore(path)
        assert path.read_bytes() == damage


def test_a_newer_version_and_a_strange_database_are_refused_untouched(tmp_path: Path) -> None:
    newer, strange = tmp_path / "newer.db", tmp_path / "strange.db"
    SqliteStore(newer).close()
    connection = sqlite3.connect(newer)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    connection = sqlite3.connect(strange)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.commit()
    connection.close()
    for path, words in ((newer, "newer edgegate"), (strange, "another program")):
        before = path.read_bytes()
        with pytest.raises(StoreError, match=words):
            SqliteStore(path)
        assert path.read_bytes() == before


def test_forgotten_bytes_are_gone_from_the_files(tmp_path: Path) -> None:
    secret = "zanzibarquail"
    with SqliteStore(tmp_path / "bytes.db") as store:
        for base in range(12):
            text = f"locker {secret} {base}" if base % 3 == 0 else f"harmless {base} " * 30
            store.apply(Commit(base, (memory(f"{base}.0", text),)))
        assert _files_hold(tmp_path, secret)
        gone = tuple(f"{base}.0" for base in range(0, 12, 3))
        applied = store.apply(Commit(12, delete=gone))
        assert applied.deleted == gone
        assert applied.erased
        assert not _files_hold(tmp_path, secret)
        assert not store.find([secret]).memories
        assert len(store.find(["harmless"]).memories) == 8
    assert not _files_hold(tmp_path, secret)


def test_a_reader_that_holds_the_log_is_reported(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "held.db", wait=0.1) as store:
        store.apply(Commit(0, (memory("1.0", "kept"), memory("1.1", "gone"))))
        reader = sqlite3.connect(tmp_path / "held.db")
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM memories").fetchall()
        applied = store.apply(Commit(1, delete=("1.1",)))
        assert applied.deleted == ("1.1",)
        assert not applied.erased
        reader.close()


def _files_hold(folder: Path, text: str) -> bool:
    return any(text.encode() in path.read_bytes() for path in folder.iterdir())


def test_hundreds_of_commits(make: Make) -> None:
    store = make()
    for base in range(300):
        store.apply(Commit(base, (memory(f"{base}.0", f"number {base}"),)))
    assert store.load().revision == len(store.load().memories) == 300


def test_sqlite_is_not_imported_with_the_stores() -> None:
    code = "import sys, edgegate, edgegate.stores, edgegate.memory, edgegate.bridge; print('sqlite3' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert run.stdout.strip() == "False", run.stderr
