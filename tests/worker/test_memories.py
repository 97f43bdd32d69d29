"""The store at the edge on the real workerd: the contract of every store, what a kill and what a forget leave."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from build_scripts import setup
from tests.worker.conftest import free_port

HERE = Path(__file__).parent
CASES = json.loads((setup.ROOT / "tests" / "data" / "host" / "store.json").read_text("utf-8"))["cases"]
MEMORY = {"about": None, "at": None, "flags": [], "history": [], "lexicon": "", "path": "", "seen": None, "terms": []}
TURN = {"reason": "", "verdicts": [], "ids": [], "in_prompt": 0, "at": None}
CONFIG = """
using Workerd = import "/workerd/workerd.capnp";
using Built = import "objects.capnp";
const config :Workerd.Config = (
  services = [
    (name = "contract", worker = .contract),
    (name = "memories", worker = Built.memories),
    (name = "disk", disk = (path = "memories", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "contract")],
);
const contract :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [(name = "contract.js", esModule = embed "contract.js")],
  bindings = [(name = "MEMORIES", durableObjectNamespace = (className = "Memories", serviceName = "memories"))],
);
"""


class Bare:
    """workerd with the store and nothing before it. `ask` calls one of the store's three."""

    def __init__(self, folder: Path, built: Path, **settings: str) -> None:
        self.disk = folder / "memories"
        self.disk.mkdir()
        for name in ("memories.js", "contract.js"):
            shutil.copy((built if name == "memories.js" else HERE) / name, folder / name)
        # Of the built configuration only the objects are needed, not what the worker before them embeds.
        text = (built / "workerd.capnp").read_text("utf-8")
        head, objects = text[: text.index("const config")], text[text.index("const memories") :]
        (folder / "objects.capnp").write_text(f"@0x{'b' * 16};\n{head}{objects}", "utf-8")
        (folder / "contract.capnp").write_text(f"@0x{'c' * 16};\n{CONFIG}", "utf-8")
        self.folder = folder
        self.environment = {**os.environ, **{f"EDGEGATE_{name}": value for name, value in settings.items()}}
        self.start()

    def start(self) -> None:
        port = free_port()
        command = [str(setup.find_workerd()), "serve", "contract.capnp", f"-shttp=127.0.0.1:{port}"]
        self.process = subprocess.Popen(command, cwd=self.folder, env=self.environment)
        self.address = f"http://127.0.0.1:{port}"
        for _ in range(400):
            try:
                self.ask("nobody", "load")
                return
            except OSError:
                assert self.process.poll() is None, "workerd ended"
                time.sleep(0.025)
        raise AssertionError("workerd did not come up")

    def ask(self, user: str, op: str, *args: Any) -> Any:
        data = json.dumps({"user": user, "op": op, "args": args}).encode()
        with urllib.request.urlopen(urllib.request.Request(self.address, data=data), timeout=30) as answer:
            return json.load(answer)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)


@pytest.fixture
def bare(built: Path, tmp_path: Path) -> Iterator[Callable[..., Bare]]:
    made: list[Bare] = []

    def make(**settings: str) -> Bare:
        made.append(Bare(tmp_path, built, **settings))
        return made[-1]

    yield make
    for each in made:
        each.kill()


def whole(commit: dict[str, Any]) -> dict[str, Any]:
    """A commit with every field, as the core sends it."""
    turn = commit.get("turn")
    return {
        "base": commit["base"],
        "put": [{**MEMORY, **memory} for memory in commit.get("put", [])],
        "delete": commit.get("delete", []),
        "turn": {**TURN, **turn} if turn else None,
    }


def holds(found: Any, expected: dict[str, Any]) -> None:
    for name, value in expected.items():
        if name == "ids":
            assert [memory["id"] for memory in found["memories"]] == value
        elif name == "set":
            assert sorted(memory["id"] for memory in found["memories"]) == sorted(value)
        elif name == "count":
            assert len(found["memories"]) == value
        elif name == "memories":
            assert found["memories"] == [{**MEMORY, **memory} for memory in value]
        elif name == "turns":
            assert found["turns"] == [{**TURN, **turn} for turn in value]
        else:
            assert found[name] == value


def test_the_contract_of_every_store(bare: Callable[..., Bare]) -> None:
    store = bare()
    for case in CASES:
        user = case["name"]
        for step in case["steps"]:
            if "apply" in step:
                answer = store.ask(user, "apply", whole(step["apply"]))
            elif "load" in step:
                answer = store.ask(user, "load", step["load"])
            else:
                answer = store.ask(user, "find", step["find"], *([step["limit"]] if "limit" in step else []))
            if "error" in step:
                assert (answer["ok"], answer.get("error", {}).get("code")) == (False, step["error"]), (user, step)
            else:
                assert answer["ok"], (user, step, answer)
                holds(answer["result"], step["expect"])


def memory(number: int, text: str) -> dict[str, Any]:
    return {**MEMORY, "id": f"{number}.0", "text": text, "kind": "fact", "verdict": "PASS", "terms": text.split()}


def put(number: int, text: str) -> dict[str, Any]:
    return whole({"base": number - 1, "put": [memory(number, text)]})


def texts(store: Bare, user: str = "one") -> list[str]:
    return [each["text"] for each in store.ask(user, "load")["result"]["memories"]]


def test_what_was_answered_is_there_after_a_kill_and_users_keep_apart(bare: Callable[..., Bare]) -> None:
    store = bare()
    assert store.ask("one", "apply", put(1, "The user rows"))["ok"]
    assert store.ask("other", "apply", put(1, "The user bakes rye bread"))["ok"]
    store.kill()
    store.start()
    assert texts(store) == ["The user rows"]
    assert texts(store, "other") == ["The user bakes rye bread"]
    assert texts(store, "third") == []


@pytest.mark.slow
def test_a_kill_in_the_middle_leaves_whole_commits_only(bare: Callable[..., Bare]) -> None:
    """Killed while it is written to, again and again: what was answered is there, and no half of the rest."""
    store = bare()
    base = 0
    for _ in range(4):
        answered = [base]

        def write(answered: list[int] = answered) -> None:
            number = answered[-1]
            # Two memories at once, each of them large, and every third commit deletes the two before.
            while True:
                text = f"commit {number} " + "x" * 20_000
                pair = [{**memory(number + 1, text), "id": f"{number + 1}.{half}"} for half in range(2)]
                gone = [f"{number}.0", f"{number}.1"] if number % 3 == 2 else []
                try:
                    answer = store.ask("one", "apply", whole({"base": number, "put": pair, "delete": gone}))
                except OSError:
                    return
                assert answer["ok"], answer
                number += 1
                answered.append(number)

        writer = threading.Thread(target=write)
        writer.start()
        while len(answered) < 15 and writer.is_alive():
            time.sleep(0.005)
        store.kill()
        writer.join(30)
        assert len(answered) >= 15, "a commit was refused"
        store.start()
        found = store.ask("one", "load")["result"]
        # The one commit that was on its way may be there, though its answer was not.
        assert found["revision"] in (answered[-1], answered[-1] + 1)
        base = found["revision"]
        numbers = [number for number in range(1, base + 1) if not (number % 3 == 2 and number < base)]
        assert [each["id"] for each in found["memories"]] == [f"{n}.{half}" for n in numbers for half in range(2)]


def everything(store: Bare) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(store.disk.rglob("*")) if path.is_file())


def file_at_rest(store: Bare) -> Path:
    """The file of the one user, once the object has been put down and its log is emptied."""
    for _ in range(300):
        if not any("metadata" not in log.name for log in store.disk.rglob("*.sqlite-wal")):
            return max(store.disk.rglob("*.sqlite"), key=lambda path: path.stat().st_size)
        time.sleep(0.1)
    raise AssertionError("the log is still there")


@pytest.mark.slow
def test_forgotten_text_stands_nowhere_on_the_disk(bare: Callable[..., Bare]) -> None:
    store = bare()
    # Enough of them to split pages, some too large for one page, one that grows: its text is moved about in the file.
    base = 0
    for number in range(1, 61):
        text = f"fact {number:02} of the user" + f" SECRET{number % 3}" * (1000 if number % 20 == 0 else number)
        assert store.ask("one", "apply", put(number, text))["ok"]
        base = number
    longer = {**memory(1, "SECRET1 " * 300), "id": "7.0"}
    assert store.ask("one", "apply", whole({"base": base, "put": [longer]}))["ok"]
    assert all(f"SECRET{kind}".encode() in everything(store) for kind in range(3))
    gone = [f"{number}.0" for number in range(1, 61) if number % 3 == 1]
    answer = store.ask("one", "apply", whole({"base": base + 1, "delete": gone}))
    assert answer["result"]["deleted"] == gone
    assert answer["result"]["erased"] is False  # the log keeps it until the object rests
    file = file_at_rest(store)
    assert b"SECRET1" not in everything(store)
    assert b"SECRET0" in everything(store)
    # A process that was killed before it had overwritten what became free: the next start does it.
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("CREATE TABLE killed (text)")
        connection.execute("INSERT INTO killed VALUES (?)", ("SECRET9" * 2000,))
        connection.execute("DROP TABLE killed")
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute("UPDATE state SET swept = 0, pages = ?", (pages,))
        connection.commit()
    assert b"SECRET9" in everything(store)
    assert len(texts(store)) == 40
    # Forgetting again and again does not make the file grow.
    size, revision = file.stat().st_size, base + 2
    for number in range(61, 91):
        assert store.ask("one", "apply", whole({"base": revision, "put": [memory(number, "brief")]}))["ok"]
        assert store.ask("one", "apply", whole({"base": revision + 1, "delete": [f"{number}.0"]}))["ok"]
        revision += 2
    file_at_rest(store)
    assert not any(word in everything(store) for word in (b"SECRET1", b"SECRET9", b"brief"))
    assert file.stat().st_size <= size + 30 * 4096


def test_the_schema_itself_refuses_a_row_without_a_verdict(bare: Callable[..., Bare]) -> None:
    store = bare()
    assert store.ask("one", "apply", put(1, "The user rows"))["ok"]
    store.process.terminate()
    store.process.wait(10)
    file = max(store.disk.rglob("*.sqlite"), key=lambda path: path.stat().st_size)
    row = "INSERT INTO memories (id, text, kind, verdict, record) VALUES ('2.0', 'text', 'fact', {}, '{{}}')"
    with closing(sqlite3.connect(file)) as connection:
        for verdict in ("NULL", "''", "'REJECT'", "'REWRITE'", "'pass'"):
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(row.format(verdict))
        connection.execute(row.format("'PASS'"))
        # A file of a later version is refused as it is.
        connection.execute("UPDATE state SET schema = 99")
        connection.commit()
    store.start()
    for answer in (store.ask("one", "load"), store.ask("one", "find", ["row"]), store.ask("one", "apply", put(2, "a"))):
        assert answer["error"]["code"] == "store"
        assert "version 99" in answer["error"]["message"]


def test_a_user_has_so_many_memories_and_no_more(bare: Callable[..., Bare]) -> None:
    store = bare(MAX_MEMORIES="2")
    for number in (1, 2):
        assert store.ask("one", "apply", put(number, f"fact {number}"))["ok"]
    refused = store.ask("one", "apply", put(3, "fact 3"))
    assert (refused["ok"], refused["error"]["code"]) == (False, "full")
    assert "2 memories" in refused["error"]["message"]
    assert store.ask("one", "load")["result"]["revision"] == 2
    # One in the place of another is no more than there were.
    swap = whole({"base": 2, "put": [memory(3, "fact 3")], "delete": ["1.0"]})
    assert store.ask("one", "apply", swap)["ok"]
    assert texts(store) == ["fact 2", "fact 3"]
