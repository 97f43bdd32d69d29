"""Gives the service workers of a bundle their list of files: what is kept for the time without a network.

The list can only be made when everything else stands, so this is the last step before the bundle's manifest.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

MARK = "__EDGEGATE_FILES__"
"""Stands in the built service workers where their list goes."""

WORKERS = ("sw.js", "edgegate/service-worker.js")
"""The page's service worker, and the package's for those who have one of their own."""

LEFT_OUT = (
    "edgegate/types/",
    *(f"edgegate/{name}" for name in ("build.json", "modules.json", "snapshot.json", "node.js")),
    *("check.js", "manifest.json", *WORKERS),
)
"""What no browser loads, and the service workers themselves, which browsers keep by rules of their own."""


def files_of(folder: Path, below: str = "") -> dict[str, dict[str, str]]:
    """The files that are kept, by their path below `below`, each with its SHA-256."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name.startswith(below) and not name.startswith(LEFT_OUT):
            found[name.removeprefix(below)] = {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    return found


def fill(folder: Path) -> None:
    """Puts the lists into the service workers of the bundle in `folder`."""
    for worker in WORKERS:
        path = folder / worker
        text = path.read_text("utf-8")
        if text.count(MARK) != 1:
            raise ValueError(f"{worker} has {text.count(MARK)} places for its list of files, not one")
        below = "" if worker == "sw.js" else worker.rpartition("/")[0] + "/"
        path.write_text(text.replace(MARK, json.dumps(files_of(folder, below), separators=(",", ":"))), "utf-8")
