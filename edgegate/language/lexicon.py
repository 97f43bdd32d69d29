"""The compiled lexicons: cues, automaton and tables.

In a checkout the compiled file is made again whenever its sources (or the compiler) have changed since; several
processes may do so at once, each writes a whole file in one step. A wheel carries the compiled file alone, and refuses
one of another format.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from edgegate.errors import DataError, UsageError

FORMAT = 5
"""The number of the compiled form; another one is made again in a checkout and refused in a wheel."""
FOLDER = Path(__file__).parent / "data" / "en"
COMPILED = "lexicon.compiled.json"
_COMPILER = ("compiler.py", "automaton.py", "patterns.py", "trees.py", "inflect.py", "tokens.py")


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


def load(folder: Path | None = None) -> dict[str, Any]:
    """The compiled lexicons of `folder` (of this package by default), made now if the sources have changed.

    Raises DataError: for a fault in a lexicon file with its place; without sources, for a compiled file that is
    missing, damaged or of another format.
    """
    folder = folder or FOLDER
    path = folder / COMPILED
    sources = read_sources(folder)
    compiled = _read(path)
    if not sources:
        if compiled is None:
            raise DataError("no readable compiled lexicon here: install the package again", where=path.name)
        if compiled.get("format") != FORMAT:
            raise DataError(
                f"this is format {compiled.get('format')!r} and format {FORMAT} is needed: install the package again",
                where=path.name,
            )
        return compiled
    made_from = {"format": FORMAT, "hash": hash_sources(sources), "compiler": _compiler_hash()}
    if compiled is None or any(compiled.get(key) != value for key, value in made_from.items()):
        from edgegate.language.compiler import compile_sources

        compiled = {**made_from, **compile_sources(sources)}
        write(compiled, path)
    return compiled


def read_sources(folder: Path) -> dict[str, bytes]:
    """The lexicon files of a folder: name to bytes, in the order in which they are compiled."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.toml"))}


def hash_sources(sources: dict[str, bytes]) -> str:
    """The short hash of lexicon sources that every report names.

    >>> hash_sources({"a.toml": b""}) == hash_sources({"b.toml": b""}), len(hash_sources({}))
    (False, 16)
    """
    import hashlib  # only a checkout needs it

    digest = hashlib.sha256()
    for name, data in sources.items():
        digest.update(f"{name}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()[:16]


def write(compiled: dict[str, Any], path: Path) -> bool:
    """Writes a compiled file in one step, so that no other process sees half of it; False where it can't be written."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(dump(compiled), "utf-8")
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        return False
    return True


def dump(compiled: dict[str, Any]) -> str:
    """The text of a compiled file: the same bytes for the same sources.

    All of it is ASCII. One emoji among two million characters, and Python would take eight megabytes to read them.

    >>> dump({"format": 1, "cues": ["…"]})
    '{"format":1,"cues":["\\\\u2026"]}\\n'
    """
    return json.dumps(compiled, separators=(",", ":")) + "\n"


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _compiler_hash() -> str:
    here = Path(__file__).parent
    return hash_sources({name: (here / name).read_bytes() for name in _COMPILER})


@cache
def _loaded() -> dict[str, Any]:
    return load()


def hash() -> str:
    """The hash of the lexicon sources in use; every report names it.

    >>> len(hash())
    16
    """
    return str(_loaded()["hash"])


def automaton() -> dict[str, str]:
    """The compiled automaton, as `automaton.build` describes it."""
    found: dict[str, str] = _loaded()["automaton"]
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
    """A table of plain data, as written under [tables] in a lexicon file; lists come as tuples. Don't change it.

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
