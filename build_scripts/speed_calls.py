"""Rows of requests to the core, timed natively and in Pyodide on Node: what `speed_guard` and `speed_gate` share.

A row is a list of requests made one after the other; `"guard": 0` in a request stands for the guard that its row
opened last, and `"readings": 0` for the readings. Times are milliseconds of the processor, one for each request. A
machine with other work makes single calls look slow all the same, so rows are made several times over and each request
counts with its least.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from build_scripts import setup
from edgegate import bridge

Row = list[dict[str, Any]]
Times = list[list[float]]


def native(rows: Sequence[Row]) -> Times:
    """The times of `rows` in this Python."""
    found: Times = []
    for row in rows:
        opened: dict[str, int] = {}
        times = []
        for request in row:
            text = json.dumps({**request, **{name: number for name, number in opened.items() if name in request}})
            begun = time.process_time()
            reply = bridge.call(text)
            times.append((time.process_time() - begun) * 1000)
            answer = json.loads(reply)
            if not answer["ok"]:
                raise RuntimeError(f"{request['op']}: {answer['error']}")
            if request["op"].endswith(".open"):
                opened.update(answer["result"])
        found.append(times)
    return found


def node(rows: Sequence[Row]) -> Times:
    """The times of `rows` in Pyodide on Node, from the bundle as built."""
    package = setup.DIST / "edgegate"
    with tempfile.TemporaryDirectory() as temporary:
        script = Path(temporary) / "calls.mjs"
        command = ["npx", "--no-install", "esbuild", str(setup.WEB / "tools" / "speed" / "calls.ts"), "--bundle"]
        command += ["--format=esm", "--target=es2022", "--platform=node", "--log-level=error", f"--outfile={script}"]
        facts = (package / "build.json").read_text("utf-8")
        subprocess.run([*command, f"--define:__EDGEGATE__={facts}"], cwd=setup.WEB, check=True)
        asked = Path(temporary) / "rows.jsonl"  # a file: Node can't be relied on to read a pipe at once
        asked.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        told = subprocess.run(["node", str(script), str(package), str(asked)], capture_output=True, text=True)
        if told.returncode != 0:
            raise RuntimeError(f"Node could not make the calls:\n{told.stderr[-1000:]}")
    return [json.loads(line) for line in told.stdout.splitlines()]


def least(run: Callable[[Sequence[Row]], Times], rows: Sequence[Row], times: int) -> Times:
    """The least time of every request, of `times` runs of all `rows` in one process, after one that warms up.

    >>> least(lambda rows: [[float(number)] for number, _ in enumerate(rows)], [[{"op": "version"}]], 2)
    [[1.0]]
    """
    found = run([*rows] * (times + 1))
    runs = [found[at : at + len(rows)] for at in range(len(rows), len(found), len(rows))]
    return [[min(values) for values in zip(*same, strict=True)] for same in zip(*runs, strict=True)]


def at(values: Sequence[float], share: float, digits: int = 3) -> float:
    """The value below which `share` of all lie.

    >>> at([3, 1, 2], 0.5)
    2
    """
    return round(sorted(values)[min(len(values) - 1, int(len(values) * share))], digits)
