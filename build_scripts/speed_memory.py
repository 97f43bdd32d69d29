"""Measures memory: commits that survive, search among many memories beside SQLite FTS5 alone, a batch, a forget.

    python build_scripts/speed_memory.py [--memories 100000] [--commits 10000] [--brought 1000] [--forgetting 10000]

Prints one line a figure. Searches are timed one by one, and the median and the 95th percentile are given.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from edgegate.memory import plan_forget
from edgegate.memory.door import Door
from edgegate.memory.recall import recall
from edgegate.memory.reconcile import terms_of
from edgegate.memory.topics import topic_terms
from edgegate.records import Verdict
from edgegate.stores import Commit, InMemoryStore, Store, StoredMemory
from edgegate.stores.sqlite import SqliteStore

PLACES = [f"{first}{last}" for first in ("nor", "sud", "est", "wes", "bel", "kar", "mon", "tor") for last in "abcdefgh"]
QUESTIONS = ["who works with Ida27 in norbville?", "what about rowing on lake 4711?", "Olaf312 and the cello"]


def text_of(number: int) -> str:
    place = PLACES[number % len(PLACES)] + "ville"
    shapes = (
        f"Ida{number % 500} works at the bakery number {number} in {place}",
        f"The user rowed on lake {number} near {place}",
        f"Olaf{number % 700} plays the cello in {place} hall {number}",
    )
    return shapes[number % len(shapes)]


def rows(count: int) -> list[StoredMemory]:
    found = []
    for number in range(count):
        text = text_of(number)
        terms = (*terms_of(text), *topic_terms(text))
        found.append(StoredMemory(f"0.{number}", text, "fact", Verdict.PASS, terms=terms))
    return found


def timed(run: object, times: int = 30) -> tuple[float, float]:
    spent = []
    for number in range(times):
        begin = time.perf_counter()
        run(QUESTIONS[number % len(QUESTIONS)])  # type: ignore[operator]
        spent.append((time.perf_counter() - begin) * 1000)
    spent.sort()
    return spent[len(spent) // 2], spent[int(len(spent) * 0.95)]


def report(name: str, figures: tuple[float, float]) -> None:
    print(f"{name}: median {figures[0]:.1f} ms, 95th percentile {figures[1]:.1f} ms", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--memories", type=int, default=100_000)
    options.add_argument("--commits", type=int, default=10_000)
    options.add_argument("--brought", type=int, default=1000)
    options.add_argument("--forgetting", type=int, default=10_000)
    chosen = options.parse_args()
    for count in (chosen.brought // 2, chosen.brought):
        begin = time.perf_counter()
        Door(InMemoryStore()).bring([{"text": text_of(number)} for number in range(count)])
        print(f"{count} rows brought in {time.perf_counter() - begin:.1f} s", flush=True)
    texts = [text_of(number) for number in range(chosen.forgetting)]
    for request in (f"forget that I rowed on lake {chosen.forgetting // 3 * 3 - 2}", "forget my shoe size"):
        begin = time.perf_counter()
        outcome = plan_forget(texts, request).outcome
        spent = (time.perf_counter() - begin) * 1000
        print(f"forgetting planned on {chosen.forgetting} memories in {spent:.0f} ms ({outcome})", flush=True)
    kept = rows(chosen.memories)
    with tempfile.TemporaryDirectory() as folder:
        plain = sqlite3.connect(Path(folder) / "plain.db")
        plain.execute("CREATE VIRTUAL TABLE alone USING fts5 (text)")
        plain.executemany("INSERT INTO alone VALUES (?)", [(memory.text,) for memory in kept])
        plain.commit()

        def alone(question: str) -> None:
            words = " OR ".join(f'"{word}"' for word in question.strip("?").split())
            query = "SELECT text FROM alone WHERE alone MATCH ? ORDER BY rank LIMIT 64"
            plain.execute(query, (words,)).fetchall()

        print(f"{chosen.memories} memories")
        report("FTS5 alone, the words as they are", timed(alone))
        with SqliteStore(Path(folder) / "many.db") as store:
            stores: list[tuple[str, Store]] = [("in memory", InMemoryStore()), ("SQLite", store)]
            for name, each in stores:
                begin = time.perf_counter()
                each.apply(Commit(0, tuple(kept)))
                print(f"{name}: all put in one commit in {time.perf_counter() - begin:.1f} s", flush=True)
                report(f"{name}: find", timed(lambda asked, to=each: to.find(terms_of(asked))))
                report(f"{name}: recall", timed(lambda asked, to=each: recall(to, asked)))
                begin = time.perf_counter()
                Door(each).enter("The user's locker number is 88")
                print(f"{name}: one fact through the door in {(time.perf_counter() - begin) * 1000:.0f} ms", flush=True)
        with SqliteStore(Path(folder) / "commits.db") as store:
            begin = time.perf_counter()
            for number in range(chosen.commits):
                store.apply(Commit(number, (StoredMemory(f"{number}.0", f"n {number}", "fact", Verdict.PASS),)))
            spent = time.perf_counter() - begin
        with SqliteStore(Path(folder) / "commits.db") as store:
            held = store.load()
            whole = held.revision == len(held.memories) == chosen.commits
            print(f"{chosen.commits} commits in {spent:.1f} s, all there after reopening: {whole}")


if __name__ == "__main__":
    main()
