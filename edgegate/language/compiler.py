"""Lexicon files to one deterministic token automaton, ahead of use.

The only module that reads TOML. `compile_lexicons(folder)` gives a JSON-able dict; `lexicon` loads it, `cues` walks it.

How: every pattern becomes a tree (`patterns`), every tree a piece of one nondeterministic automaton whose edges carry
sets of words. Words that stand in the same sets behave alike, so they share a number (a symbol), and the subset
construction runs over symbols. Gaps become default edges, taken by any word an exact edge doesn't take; of two
positions in the same gap only the one that may still go further is kept, since it can do all that the other can.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from edgegate.errors import DataError
from edgegate.language.patterns import (
    Choice,
    Digit,
    Edge,
    Gap,
    Node,
    PatternError,
    Sequence_,
    Words,
    choice,
    inflections_of,
    parse,
)

FORMAT = 1
SCOPES = ("none", "after", "before", "clause", "sentence")
STATE_LIMIT = 200_000
PATTERN_STATE_LIMIT = 4_000
_FILE_KEYS = {"family", "effect", "scope", "cite", "note", "cue", "class", "tables"}
_CUE_KEYS = {"id", "pattern", "family", "effect", "scope", "cite", "note", "blocks"}


def read_sources(folder: Path) -> dict[str, bytes]:
    """The lexicon files of a folder: name to bytes, in the order they are compiled."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.toml"))}


def hash_sources(sources: Mapping[str, bytes]) -> str:
    """The short hash of lexicon sources that every report names.

    >>> hash_sources({"a.toml": b""}) == hash_sources({"a.toml": b""}), len(hash_sources({}))
    (True, 16)
    """
    digest = hashlib.sha256()
    for name, data in sources.items():
        digest.update(f"{name}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()[:16]


class _Entry:
    def __init__(self, file: str, lines: list[str], data: dict[str, Any], defaults: Mapping[str, Any]) -> None:
        self.file = file
        self.lines = lines
        self.data = data
        self.id = data.get("id")
        self.defaults = defaults

    def get(self, key: str) -> Any:
        return self.data.get(key, self.defaults.get(key))

    @property
    def where(self) -> str:
        line = _line_of(self.lines, "id", str(self.id))
        return f"{self.file}{f', line {line}' if line else ''}, cue {self.id!r}"

    def error(self, message: str) -> DataError:
        return DataError(message, where=self.where)

    def pattern_error(self, pattern: str, error: PatternError) -> DataError:
        return DataError(f"{error.message} (in {pattern!r})", where=f"{self.where}, column {error.column}")


def _line_of(lines: list[str], key: str, value: str) -> int:
    wanted = re.compile(rf"\s*{re.escape(key)}\s*=\s*[\"']{re.escape(value)}[\"']")
    return next((number for number, line in enumerate(lines, 1) if wanted.match(line)), 0)


def compile_lexicons(folder: Path | str) -> dict[str, Any]:
    """Everything `lexicon` needs, from all *.toml files of `folder`: cues, automaton, tables, hash, format.

    Raises DataError naming the file, the entry and the column in the pattern.
    """
    return compile_sources(read_sources(Path(folder)))


def compile_sources(sources: Mapping[str, bytes]) -> dict[str, Any]:
    """As `compile_lexicons`, from file names and their bytes."""
    entries: list[_Entry] = []
    classes: dict[str, tuple[str, Any]] = {}
    tables: dict[str, tuple[str, Any]] = {}
    for file, data in sources.items():
        try:
            text = data.decode("utf-8")
            content = tomllib.loads(text)
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise DataError(f"not readable as TOML: {error}", where=file) from None
        for key in content:
            if key not in _FILE_KEYS:
                raise DataError(f"unknown key {key!r}; known are {', '.join(sorted(_FILE_KEYS))}", where=file)
        lines = text.splitlines()
        for cue in content.get("cue", []):
            entries.append(_Entry(file, lines, cue, content))
        for kind, known in (("class", classes), ("tables", tables)):
            for name, value in content.get(kind, {}).items():
                if name in known:
                    raise DataError(
                        f"{name!r} is already defined in {known[name][0]}: rename one or merge them",
                        where=f"{file}, [{kind}] {name}",
                    )
                known[name] = (file, value)
    irregular = tables.get("inflections", ("", {}))[1]
    parser = _Patterns(classes, inflections_of(irregular))
    cues: list[list[Any]] = []
    trees: list[tuple[_Entry, str, Node, int]] = []
    seen: dict[str, _Entry] = {}
    for entry in entries:
        _check_entry(entry, seen)
        number = len(cues)
        cues.append(
            [
                entry.id,
                *(entry.get(k) for k in ("family", "effect", "scope", "cite")),
                entry.get("note") or "",
                _blocks(entry),
            ]
        )
        patterns = entry.data["pattern"]
        for pattern in [patterns] if isinstance(patterns, str) else patterns:
            try:
                trees.append((entry, pattern, parser.parse(pattern), number))
            except PatternError as error:
                raise entry.pattern_error(pattern, error) from None
    for name in classes:
        parser.class_tree(name)
    automaton = _Nondeterministic()
    for _, _, tree, number in trees:
        automaton.add(tree, number)
    return {
        "format": FORMAT,
        "hash": hash_sources(sources),
        "cues": cues,
        "automaton": automaton.determine(trees),
        "tables": {name: value for name, (_, value) in tables.items()},
    }


def _blocks(entry: _Entry) -> list[str]:
    if entry.get("effect") != "block":
        return []
    return sorted({entry.get("family"), *entry.data.get("blocks", [])})


def _check_entry(entry: _Entry, seen: dict[str, _Entry]) -> None:
    for key in entry.data:
        if key not in _CUE_KEYS:
            raise entry.error(f"unknown key {key!r}; known are {', '.join(sorted(_CUE_KEYS))}")
    if not isinstance(entry.id, str) or not re.fullmatch(r"[a-z_]+\.[a-z0-9]+(?:-[a-z0-9]+)*", entry.id):
        raise entry.error("an id is written family.slug, the slug in small letters, digits and hyphens")
    if entry.id in seen:
        raise entry.error(f"this id is already used in {seen[entry.id].where}: rename one")
    seen[entry.id] = entry
    for key in ("family", "effect", "scope", "cite"):
        value = entry.get(key)
        if not isinstance(value, str) or not value.strip():
            raise entry.error(f"no {key}: write it in the entry or at the head of the file")
    if entry.get("scope") not in SCOPES:
        raise entry.error(f"unknown scope {entry.get('scope')!r}; known are {', '.join(SCOPES)}")
    if not re.fullmatch(r"[a-z]+(?:[_-][a-z]+)*", entry.get("effect")):
        raise entry.error(f"unknown effect {entry.get('effect')!r}: an effect is one word in small letters")
    pattern = entry.data.get("pattern")
    texts = [pattern] if isinstance(pattern, str) else pattern
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise entry.error("no pattern: write one text, or a list of texts")


class _Patterns:
    """Parses patterns and, when first used, classes."""

    def __init__(self, classes: Mapping[str, tuple[str, Any]], inflect: Any) -> None:
        self.sources = classes
        self.inflect = inflect
        self.trees: dict[str, Node] = {}
        self.open: list[str] = []

    def parse(self, pattern: str) -> Node:
        return parse(pattern, self.class_tree, self.inflect)

    def class_tree(self, name: str) -> Node:
        if name in self.trees:
            return self.trees[name]
        if name not in self.sources:
            raise LookupError(f"unknown class {{{name}}}: define it under [class] in any lexicon file")
        file, members = self.sources[name]
        where = f"{file}, [class] {name}"
        if name in self.open:
            raise DataError(f"this class holds itself: {' > '.join([*self.open, name])}", where=where)
        if not isinstance(members, list) or not members or not all(isinstance(member, str) for member in members):
            raise DataError("a class is a list of words or short patterns", where=where)
        self.open.append(name)
        found = []
        for member in members:
            try:
                found.append(self.parse(member))
            except PatternError as error:
                raise DataError(f"{error.message} (in {member!r})", where=f"{where}, column {error.column}") from None
            if _has(found[-1], (Gap, Edge)):
                raise DataError(f"a class member can't hold a gap or a sentence edge (in {member!r})", where=where)
        self.open.pop()
        self.trees[name] = choice(found)
        return self.trees[name]


def _has(node: Node, kinds: tuple[type, ...]) -> bool:
    if isinstance(node, Sequence_):
        return any(_has(part, kinds) for part in node.parts)
    if isinstance(node, Choice):
        return any(_has(option, kinds) for option in node.options)
    return isinstance(node, kinds)


class _Nondeterministic:
    """Positions and edges of all patterns; `determine` makes the deterministic automaton."""

    def __init__(self) -> None:
        self.word_edges: list[list[tuple[frozenset[str], int]]] = []
        self.any_word: list[int] = []
        self.any_digit: list[list[int]] = []
        self.free: list[list[int]] = []
        self.accepts: list[int] = []
        self.end_only: list[bool] = []
        self.gap: list[tuple[int, int] | None] = []
        self.starts: list[int] = []
        self.sentence_starts: list[int] = []
        self.gaps = 0

    def new(self) -> int:
        self.word_edges.append([])
        self.any_word.append(-1)
        self.any_digit.append([])
        self.free.append([])
        self.accepts.append(-1)
        self.end_only.append(False)
        self.gap.append(None)
        return len(self.accepts) - 1

    def add(self, tree: Node, cue: int) -> None:
        accept = self.new()
        self.accepts[accept] = cue
        at_end = self.new()
        self.accepts[at_end] = cue
        self.end_only[at_end] = True
        for start, at_start in self.build(tree, accept, at_end):
            (self.sentence_starts if at_start else self.starts).append(start)

    def build(self, tree: Node, accept: int, at_end: int) -> list[tuple[int, bool]]:
        """The entries of a whole pattern: (position, only at the start of the sentence)."""
        if isinstance(tree, Choice):
            return [found for option in tree.options for found in self.build(option, accept, at_end)]
        parts = list(tree.parts) if isinstance(tree, Sequence_) else [tree]
        at_start = isinstance(parts[0], Edge)
        end_edge = isinstance(parts[-1], Edge)
        middle = parts[1 if at_start else 0 : len(parts) - end_edge]
        return [(self.chain(Sequence_(tuple(middle)), at_end if end_edge else accept), at_start)]

    def chain(self, node: Node, then: int) -> int:
        """The position from which `node` leads to `then`."""
        if isinstance(node, Sequence_):
            for part in reversed(node.parts):
                then = self.chain(part, then)
            return then
        at = self.new()
        if isinstance(node, Choice):
            self.free[at] = [self.chain(option, then) for option in node.options]
        elif isinstance(node, Words):
            self.word_edges[at].append((node.words, then))
        elif isinstance(node, Digit):
            self.any_digit[at].append(then)
        elif isinstance(node, Gap):
            self.gaps += 1
            self.gap[at] = (self.gaps, 0)
            self.free[at] = [then]
            for left in range(1, node.longest + 1):
                further = self.new()
                self.any_word[further] = at
                self.free[further] = [then]
                self.gap[further] = (self.gaps, left)
                at = further
        else:
            raise AssertionError("sentence edges are taken off before")
        return at

    def close(self, positions: set[int]) -> tuple[int, ...]:
        """All positions reachable for free, without those in a gap that another can outrun."""
        found = set(positions)
        todo = list(positions)
        while todo:
            for target in self.free[todo.pop()]:
                if target not in found:
                    found.add(target)
                    todo.append(target)
        furthest: dict[int, int] = {}
        for position in found:
            place = self.gap[position]
            if place and place[1] > furthest.get(place[0], -1):
                furthest[place[0]] = place[1]
        if furthest:
            found = {p for p in found if not (g := self.gap[p]) or g[1] == furthest[g[0]]}
        return tuple(
            sorted(
                p
                for p in found
                if self.word_edges[p] or self.any_word[p] >= 0 or self.any_digit[p] or self.accepts[p] >= 0
            )
        )

    def symbols(self) -> tuple[dict[str, int], dict[frozenset[str], list[int]]]:
        """Word to symbol, and word set to its symbols: words in the same sets share one."""
        memberships: dict[str, list[int]] = defaultdict(list)
        sets: dict[frozenset[str], int] = {}
        for edges in self.word_edges:
            for words, _ in edges:
                if words not in sets:
                    sets[words] = len(sets)
                    for word in words:
                        memberships[word].append(sets[words])
        numbers: dict[tuple[Any, ...], int] = {}
        symbol_of: dict[str, int] = {}
        for word in sorted(memberships):
            kind = (tuple(memberships[word]), is_word(word), word[0].isdigit())
            symbol_of[word] = numbers.setdefault(kind, len(numbers))
        return symbol_of, {words: sorted({symbol_of[word] for word in words}) for words in sets}

    def determine(self, trees: list[tuple[_Entry, str, Node, int]]) -> dict[str, Any]:
        symbol_of, symbols_in = self.symbols()
        kind_of: dict[int, tuple[bool, bool]] = {}
        for word, symbol in symbol_of.items():
            kind_of[symbol] = (is_word(word), word[0].isdigit())
        numbers: dict[tuple[int, ...], int] = {}
        subsets: list[tuple[int, ...]] = []

        def number(positions: set[int]) -> int:
            subset = self.close(positions)
            if subset not in numbers:
                numbers[subset] = len(subsets)
                subsets.append(subset)
                if len(subsets) > STATE_LIMIT:
                    raise self.too_many(subset, trees)
            return numbers[subset]

        number(set(self.starts))
        number({*self.starts, *self.sentence_starts})
        edges: list[list[int]] = []
        default_word: list[int] = []
        default_digit: list[int] = []
        accepts: list[list[int]] = []
        end_accepts: list[list[int]] = []
        done = 0
        while done < len(subsets):
            subset = subsets[done]
            done += 1
            by_symbol: dict[int, set[int]] = defaultdict(set)
            gap_targets: set[int] = set()
            digit_targets: set[int] = set()
            accept: set[int] = set()
            end_accept: set[int] = set()
            for position in subset:
                for words, target in self.word_edges[position]:
                    for symbol in symbols_in[words]:
                        by_symbol[symbol].add(target)
                if self.any_word[position] >= 0:
                    gap_targets.add(self.any_word[position])
                digit_targets.update(self.any_digit[position])
                if self.accepts[position] >= 0:
                    (end_accept if self.end_only[position] else accept).add(self.accepts[position])
            if gap_targets or digit_targets:
                for symbol, (wordlike, digit) in kind_of.items():
                    if digit and digit_targets:
                        by_symbol[symbol] |= digit_targets
                    if wordlike and gap_targets and symbol in by_symbol:
                        by_symbol[symbol] |= gap_targets
            flat: list[int] = []
            memo: dict[frozenset[int], int] = {}
            for symbol in sorted(by_symbol):
                targets = frozenset(by_symbol[symbol])
                if targets not in memo:
                    memo[targets] = number(set(targets))
                flat += (symbol, memo[targets])
            edges.append(flat)
            default_word.append(number(gap_targets) if gap_targets else -1)
            digits = gap_targets | digit_targets
            default_digit.append(number(digits) if digits else -1)
            accepts.append(sorted(accept))
            end_accepts.append(sorted(end_accept))
        return {
            "symbols": symbol_of,
            "edges": edges,
            "word": default_word,
            "digit": default_digit,
            "accepts": accepts,
            "end_accepts": end_accepts,
        }

    def too_many(self, subset: tuple[int, ...], trees: list[tuple[_Entry, str, Node, int]]) -> DataError:
        return DataError(f"the lexicons need more than {STATE_LIMIT} states: shorten gaps that stand side by side")


def is_word(token: str) -> bool:
    """Whether a gap may run over this token: it holds a letter or a digit.

    >>> is_word("o'clock"), is_word("3.5"), is_word(",")
    (True, True, False)
    """
    return len(token) > 1 or token.isalnum()
