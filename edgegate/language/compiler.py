"""Lexicon files to what `lexicon` loads: cues, one automaton, tables. The only module that reads TOML.

A file has a head (defaults for its entries: `family`, `effect`, `scope`, `cite`), entries (`[[cue]]`), word classes
(`[class]`) and plain tables (`[tables]`). Classes and tables are shared by all files. Every error names the file, the
line where it can be found, the entry and the column in the pattern, and says what to do.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from edgegate.errors import DataError
from edgegate.language import automaton, lexicon
from edgegate.language.inflect import inflections_of
from edgegate.language.patterns import PatternError, Vocabulary, parse
from edgegate.language.trees import Edge, Gap, Node, choice, holds

SCOPES = ("none", "after", "before", "clause", "sentence")
STATE_LIMIT = 100_000
BLOCK = "block"

_FILE_KEYS = {"family", "effect", "scope", "cite", "note", "cue", "class", "tables"}
_CUE_KEYS = {"id", "pattern", "family", "effect", "scope", "cite", "note", "blocks"}
_ID = re.compile(r"[a-z]+(?:_[a-z]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*")
_SLUG = re.compile(r"[a-z]+(?:[_-][a-z]+)*")


def compile_lexicons(folder: Path | str) -> dict[str, Any]:
    """Everything `lexicon` needs, from all *.toml files of `folder`: cues, automaton and tables, ready for JSON.

    Raises DataError for the first fault: file, line, entry, column, and what to do.
    """
    return compile_sources(lexicon.read_sources(Path(folder)))


def compile_sources(
    sources: Mapping[str, bytes], problems: list[DataError] | None = None, state_limit: int = STATE_LIMIT
) -> dict[str, Any]:
    """As `compile_lexicons`, from file names and their bytes.

    With a list for `problems`, every fault is put into it and the faulty entry left out, instead of raising.

    >>> compile_sources({"a.toml": b'cue = [{id = "a.b", pattern = "x"}]'})
    Traceback (most recent call last):
    edgegate.errors.DataError: a.toml, line 1, cue 'a.b': no family: write it in the entry or at the head of the file
    """
    return _Compilation(sources, problems, state_limit).result()


def read_entries(sources: Mapping[str, bytes]) -> tuple[list[Entry], Classes]:
    """The entries of sources that compile, and the parser for their patterns: for tools that look inside."""
    run = _Compilation(sources, None, STATE_LIMIT)
    return run.entries, run.classes()


class Entry:
    """One `[[cue]]` with its file's defaults; knows how to say where it stands."""

    def __init__(self, file: str, lines: list[str], data: Mapping[str, Any], head: Mapping[str, Any]) -> None:
        self.file = file
        self.lines = lines
        self.data = data
        self.head = head
        self.id = data.get("id")

    def get(self, key: str) -> Any:
        return self.data.get(key, self.head.get(key))

    @property
    def patterns(self) -> list[str]:
        value = self.data["pattern"]
        return [value] if isinstance(value, str) else list(value)

    @property
    def line(self) -> int | None:
        """The line of the file the id stands in, where it can be found."""
        wanted = re.compile(rf"\bid\s*=\s*[\"']{re.escape(str(self.id))}[\"']")
        return next((number for number, line in enumerate(self.lines, 1) if wanted.search(line)), None)

    def where(self, line: int | None = None) -> str:
        line = line or self.line
        return f"{self.file}{f', line {line}' if line else ''}, cue {self.id!r}"

    def error(self, message: str) -> DataError:
        return DataError(message, where=self.where())

    def pattern_error(self, pattern: str, message: str, column: int | None = None) -> DataError:
        after = self.line or 1
        line = next((n for n, text in enumerate(self.lines[after - 1 :], after) if f'"{pattern}"' in text), None)
        where = self.where(line) + (f", column {column}" if column else "")
        return DataError(f"{message} (in the pattern {pattern!r})", where=where)


class Classes:
    """Parses patterns; the word classes they name are parsed when first used."""

    def __init__(
        self,
        sources: Mapping[str, tuple[str, Any]],
        inflect: Callable[[str], list[str]],
        shorts: Collection[str] = (),
    ) -> None:
        self.sources = sources
        self.vocabulary = Vocabulary(self.tree, inflect, frozenset(shorts))
        self.trees: dict[str, Node] = {}
        self.open: list[str] = []

    def parse(self, pattern: str) -> Node:
        """The tree of a pattern. Raises PatternError, or DataError for a fault inside a class it names."""
        return parse(pattern, self.vocabulary)

    def tree(self, name: str) -> Node:
        """The tree of a class. Raises LookupError if there is none of that name, DataError for a fault inside it."""
        if name in self.trees:
            return self.trees[name]
        if name not in self.sources:
            raise LookupError(f"unknown class {{{name}}}: define it under [class] in any lexicon file")
        file, members = self.sources[name]
        where = f"{file}, [class] {name}"
        if name in self.open:
            circle = " > ".join([*self.open[self.open.index(name) :], name])
            raise DataError(f"this class holds itself ({circle}): take one of them out", where=where)
        if not isinstance(members, list) or not members or not all(isinstance(member, str) for member in members):
            raise DataError("a class is a list of words or short patterns, not empty", where=where)
        self.open.append(name)
        try:
            self.trees[name] = choice([self._member(member, where) for member in members])
        finally:
            self.open.pop()
        return self.trees[name]

    def _member(self, member: str, where: str) -> Node:
        try:
            tree = parse(member, self.vocabulary, member=True)
        except PatternError as error:
            place = f"{where}, column {error.column}"
            raise DataError(f"{error.message} (in the member {member!r})", where=place) from None
        if holds(tree, (Gap, Edge)):
            raise DataError(f"a class can't hold a gap or a sentence edge (in the member {member!r})", where=where)
        return tree


class _Compilation:
    """One run over all files."""

    def __init__(self, sources: Mapping[str, bytes], problems: list[DataError] | None, state_limit: int) -> None:
        self.problems = problems
        self.state_limit = state_limit
        self.entries: list[Entry] = []
        self.shared: dict[str, dict[str, tuple[str, Any]]] = {"class": {}, "tables": {}}
        for file, data in sources.items():
            self.read_file(file, data)

    def report(self, error: DataError) -> None:
        if self.problems is None:
            raise error
        self.problems.append(error)

    def read_file(self, file: str, data: bytes) -> None:
        try:
            text = data.decode("utf-8")
            content = tomllib.loads(text)
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            return self.report(DataError(f"not readable as TOML: {error}", where=file))
        for key in content.keys() - _FILE_KEYS:
            self.report(DataError(f"unknown key {key!r}; known are {', '.join(sorted(_FILE_KEYS))}", where=file))
        lines = text.splitlines()
        self.entries += [Entry(file, lines, entry, content) for entry in content.get("cue", [])]
        for kind, known in self.shared.items():
            for name, value in content.get(kind, {}).items():
                where = f"{file}, [{kind}] {name}"
                if name in known:
                    self.report(
                        DataError(f"already defined in {known[name][0]}: rename one, or merge them", where=where)
                    )
                elif kind == "tables" and not _plain(value):
                    self.report(
                        DataError("a table holds texts, numbers, true and false: write dates as texts", where=where)
                    )
                else:
                    known[name] = (file, value)

    def table(self, name: str) -> Any:
        return self.shared["tables"].get(name, ("", {}))[1]

    def classes(self) -> Classes:
        inflect = inflections_of(self.table("inflections"))
        return Classes(self.shared["class"], inflect, self.table("short_forms"))

    def result(self) -> dict[str, Any]:
        classes = self.classes()
        cues: list[list[Any]] = []
        origins: list[tuple[Entry, str]] = []
        trees: list[tuple[Node, int]] = []
        seen: dict[str, Entry] = {}
        for entry in self.entries:
            if not self.accept(entry, seen):
                continue
            for pattern in entry.patterns:
                try:
                    trees.append((classes.parse(pattern), len(cues)))
                    origins.append((entry, pattern))
                except PatternError as error:
                    self.report(entry.pattern_error(pattern, error.message, error.column))
                except DataError as error:
                    self.report(error)
            values = [entry.get(key) for key in ("family", "effect", "scope", "cite")]
            cues.append([entry.id, *values, entry.get("note") or "", _blocks(entry)])
        for name in self.shared["class"]:
            try:
                classes.tree(name)
            except DataError as error:
                self.report(error)
        try:
            machine = automaton.build(
                trees, [(cue[1], cue[2] == BLOCK, tuple(cue[6])) for cue in cues], self.state_limit
            )
        except automaton.TooManyStates as error:
            entry, pattern = origins[error.tree]
            raise entry.pattern_error(
                pattern,
                f"too ambiguous: the automaton needs more than {error.limit} states, {error.part} of them for this "
                "pattern; shorten its gaps, or write fewer of them side by side",
            ) from None
        return {
            "cues": cues,
            "automaton": machine,
            "tables": {name: value for name, (_, value) in self.shared["tables"].items()},
        }

    def accept(self, entry: Entry, seen: dict[str, Entry]) -> bool:
        fault = self.fault(entry, seen)
        if fault:
            self.report(entry.error(fault))
            return False
        seen[entry.data["id"]] = entry
        return True

    def fault(self, entry: Entry, seen: Mapping[str, Entry]) -> str | None:
        """What is wrong with an entry apart from its patterns, and what to do, or None."""
        for key in entry.data:
            if key not in _CUE_KEYS:
                return f"unknown key {key!r}; known are {', '.join(sorted(_CUE_KEYS))}"
        if not isinstance(entry.id, str) or not _ID.fullmatch(entry.id):
            return "an id is written family.slug, the slug in small letters and digits, joined by hyphens"
        if entry.id in seen:
            return f"this id is already used in {seen[entry.id].where()}: rename one of them"
        for key in ("family", "effect", "scope", "cite"):
            value = entry.get(key)
            if not isinstance(value, str) or not value.strip():
                return f"no {key}: write it in the entry or at the head of the file"
        family, effect, scope = (entry.get(key) for key in ("family", "effect", "scope"))
        if entry.id.split(".")[0] != family:
            return f"the id does not begin with its family: write {family}.{entry.id.split('.')[1]}"
        if scope not in SCOPES:
            return f"unknown scope {scope!r}: write one of {', '.join(SCOPES)}"
        effects = self.table("effects")
        if effects and family not in effects:
            return f"unknown family {family!r}: write one of {', '.join(effects)}, or add it to the table 'effects'"
        if effect != BLOCK and not (effect in effects[family] if effects else _SLUG.fullmatch(effect)):
            known = (
                f"write one of {', '.join(effects[family])}, or add it to the table 'effects'"
                if effects
                else "write one word"
            )
            return f"unknown effect {effect!r}: {known}"
        blocks = entry.data.get("blocks", [])
        if blocks and effect != BLOCK:
            return "'blocks' stands only in an entry whose effect is \"block\": change the effect, or take it out"
        if not isinstance(blocks, list) or not all(isinstance(name, str) for name in blocks):
            return "'blocks' is a list of families"
        patterns = entry.data.get("pattern")
        patterns = [patterns] if isinstance(patterns, str) else patterns
        if not isinstance(patterns, list) or not patterns or not all(isinstance(text, str) for text in patterns):
            return "no pattern: write a text, or a list of texts"
        return None


def _blocks(entry: Entry) -> list[str]:
    return sorted({entry.get("family"), *entry.data.get("blocks", [])}) if entry.get("effect") == BLOCK else []


def _plain(value: Any) -> bool:
    """Whether JSON can hold a value as it is."""
    if isinstance(value, dict):
        return all(map(_plain, value.values()))
    if isinstance(value, list):
        return all(map(_plain, value))
    return isinstance(value, (str, int, float, bool))
