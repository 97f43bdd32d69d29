"""The compiled lexicons: cues, automaton and tables.

In a checkout the compiled file is made again when its sources have changed; a wheel carries the compiled file alone.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from edgegate.errors import DataError, UsageError

FORMAT = 2
FOLDER = Path(__file__).parent / "data" / "en"
COMPILED = "lexicon.compiled.json"


@dataclass(frozen=True, slots=True)
class Cue:
    """One entry of a lexicon: what its words signal, what part of the sentence they govern, and the source."""

    id: str
    family: str
    effect: str
    scope: str
    cite: str
    note: str = ""
    blocks: tuple[str, ...] = ()


def load(folder: Path = FOLDER) -> dict[str, Any]:
    """The compiled lexicons of `folder`, compiled now if the sources have changed since they were written."""
    path = folder / COMPILED
    compiled: dict[str, Any] | None = None
    if path.exists():
        compiled = json.loads(path.read_text("utf-8"))
    if any(folder.glob("*.toml")):
        from edgegate.language import compiler

        sources = compiler.read_sources(folder)
        if (
            compiled is None
            or compiled.get("format") != FORMAT
            or compiled.get("hash") != compiler.hash_sources(sources)
        ):
            compiled = compiler.compile_sources(sources)
            write(compiled, path)
    if compiled is None:
        raise DataError("no compiled lexicon here: install the package again", where=str(path.name))
    if compiled.get("format") != FORMAT:
        raise DataError(
            f"format {compiled.get('format')!r} is not format {FORMAT}: install the package again", where=path.name
        )
    return compiled


def write(compiled: dict[str, Any], path: Path) -> bool:
    """Writes the compiled file in one step, so that no other process sees half of it; False if it can't be written."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(dump(compiled), "utf-8")
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        return False
    return True


def dump(compiled: dict[str, Any]) -> str:
    """The text of a compiled file: the same bytes for the same sources."""
    return json.dumps(compiled, ensure_ascii=False, separators=(",", ":")) + "\n"


@cache
def _loaded() -> dict[str, Any]:
    return load()


def hash() -> str:
    """The hash of the lexicon sources in use; every report names it.

    >>> len(hash())
    16
    """
    return str(_loaded()["hash"])


def automaton() -> dict[str, Any]:
    """The compiled automaton, as `automaton.build` describes it."""
    found: dict[str, Any] = _loaded()["automaton"]
    return found


@cache
def cues() -> tuple[Cue, ...]:
    """All cues, in the order of the files and their entries.

    >>> next(cue.family for cue in cues() if cue.id == "negation.not")
    'negation'
    """
    return read_cues(_loaded())


def read_cues(compiled: dict[str, Any]) -> tuple[Cue, ...]:
    """The cues of something compiled."""
    return tuple(
        Cue(name, family, effect, scope, cite, note, tuple(blocks))
        for name, family, effect, scope, cite, note, blocks in compiled["cues"]
    )


@cache
def table(name: str) -> Any:
    """A table of plain data, as written under [tables] in a lexicon file; lists come as tuples.

    Raises UsageError if there is none of that name.

    >>> table("inflections")["say"]
    ('says', 'said', 'saying')
    """
    tables = _loaded()["tables"]
    if name not in tables:
        raise UsageError(f"no such table; known are {', '.join(sorted(tables))}", where=f"lexicon.table({name!r})")
    return _frozen(tables[name])


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return {key: _frozen(entry) for key, entry in value.items()}
    return value
