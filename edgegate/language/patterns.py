"""The pattern language of the lexicons: text of a pattern to a small tree.

Over the tokens of `text.tokenise` (folded):

    word          that word; punctuation may be written as a word ("rarely , if ever")
    (a | b c)     one of several
    x?            x, or nothing (x is a word, a group, a class or an inflection)
    *3            a gap of 0 to 3 words (never punctuation), never first or last, at most *6
    {name}        a member of a word class
    ~say          every inflection of "say"
    #             a token that begins with a digit
    ^  $          the start and the end of the sentence
    \\?            the character itself ("~" alone, before a space, needs no "\\")

This module knows nothing of automata; `compiler` turns the trees into one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from edgegate.language.tokens import tokenise

LONGEST_GAP = 6
_SPECIAL = "()|?*{}~#^$\\"


class PatternError(Exception):
    """A pattern that can't be read: `column` counts characters from 1."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.column = column


@dataclass(frozen=True, slots=True)
class Words:
    """One token: any of these words."""

    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Gap:
    """Between no and `longest` words, never punctuation."""

    longest: int


@dataclass(frozen=True, slots=True)
class Digit:
    """One token that begins with a digit."""


@dataclass(frozen=True, slots=True)
class Edge:
    """The start (or the end) of the sentence: takes no token."""

    end: bool


@dataclass(frozen=True, slots=True)
class Sequence_:
    """One part after another."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several; an empty sequence among them makes it optional."""

    options: tuple[Node, ...]


Node = Words | Gap | Digit | Edge | Sequence_ | Choice
NOTHING = Sequence_(())


def choice(options: Sequence[Node]) -> Node:
    """One node for several options; options of one token each melt into a single `Words`.

    >>> choice([Words(frozenset({"a"})), Words(frozenset({"b"}))]) == Words(frozenset({"a", "b"}))
    True
    """
    words: set[str] = set()
    others: list[Node] = []
    for option in options:
        for part in option.options if isinstance(option, Choice) else (option,):
            if isinstance(part, Words):
                words |= part.words
            elif part not in others:
                others.append(part)
    if words:
        others.insert(0, Words(frozenset(words)))
    return others[0] if len(others) == 1 else Choice(tuple(others))


def sequence(parts: Sequence[Node]) -> Node:
    """One node for several parts in a row."""
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Sequence_) else (part,))
    return flat[0] if len(flat) == 1 else Sequence_(tuple(flat))


def literal(text: str) -> Node:
    """The tokens of `text` in a row, folded as all text is: `literal("so-called")` is three tokens."""
    return sequence([Words(frozenset({word})) for word in tokenise(text).words])


class _Parser:
    def __init__(self, pattern: str, classes: Callable[[str], Node], inflect: Callable[[str], Sequence[str]]) -> None:
        self.pattern = pattern
        self.classes = classes
        self.inflect = inflect
        self.at = 0

    def error(self, message: str, at: int | None = None) -> PatternError:
        return PatternError(message, (self.at if at is None else at) + 1)

    def peek(self) -> str:
        return self.pattern[self.at] if self.at < len(self.pattern) else ""

    def skip_spaces(self) -> bool:
        start = self.at
        while self.peek().isspace():
            self.at += 1
        return self.at > start

    def options(self, opened: int | None) -> Node:
        """Alternatives, up to the closing bracket of the group opened at `opened`, or to the end of the pattern."""
        found: list[Node] = []
        while True:
            start = self.at
            parts = self.parts()
            if not parts and (self.peek() == "|" or found or opened is not None):
                raise self.error("an empty alternative: write (…)? to make a group optional", start)
            found.append(sequence(parts))
            sign = self.peek()
            if sign == "|":
                if opened is None:
                    raise self.error("'|' outside a group: put the alternatives into (…), or write \\|")
                self.at += 1
            elif sign == ")":
                if opened is None:
                    raise self.error("')' closes no group: remove it, or write \\)")
                self.at += 1
                return choice(found)
            else:
                if opened is not None:
                    raise self.error("this group is never closed: add ')', or write \\(", opened)
                return choice(found)

    def parts(self) -> list[Node]:
        found: list[Node] = []
        spaced = True
        while True:
            spaced = self.skip_spaces() or spaced
            sign = self.peek()
            if sign in ("", "|", ")"):
                return found
            start = self.at
            if sign == "?":
                if spaced or not found:
                    raise self.error("'?' must follow what it makes optional; write \\? for a question mark")
                if isinstance(found[-1], (Gap, Edge)):
                    raise self.error("a gap or a sentence edge can't be optional: a gap may already be empty")
                self.at += 1
                found[-1] = choice([found[-1], NOTHING])
            else:
                found.append(self.part(sign, start))
            spaced = False

    def part(self, sign: str, start: int) -> Node:
        self.at += 1
        if sign == "(":
            return self.options(start)
        if sign == "{":
            end = self.pattern.find("}", start)
            if end < 0:
                raise self.error("this class is never closed: add '}', or write \\{", start)
            self.at = end + 1
            try:
                return self.classes(self.pattern[start + 1 : end].strip())
            except LookupError as error:
                raise self.error(str(error.args[0]), start) from None
        if sign == "}":
            raise self.error("'}' closes no class: remove it, or write \\}", start)
        if sign == "*":
            digits = self.run(str.isdigit)
            if not digits or not 1 <= int(digits) <= LONGEST_GAP:
                raise self.error(f"a gap is written *1 to *{LONGEST_GAP}", start)
            return Gap(int(digits))
        if sign == "#":
            return Digit()
        if sign in "^$":
            return Edge(end=sign == "$")
        if sign == "~" and (self.peek().isspace() or not self.peek()):
            return literal(sign)
        if sign == "~":
            lemma = self.run(lambda character: character.isalpha() or character in "-'")
            if not lemma:
                raise self.error("'~' needs a word right behind it, as in ~say; write \\~ for the sign", start)
            return choice([literal(form) for form in self.inflect(lemma)])
        self.at = start
        return self.word()

    def run(self, wanted: Callable[[str], bool]) -> str:
        start = self.at
        while self.at < len(self.pattern) and wanted(self.pattern[self.at]):
            self.at += 1
        return self.pattern[start : self.at]

    def word(self) -> Node:
        start = self.at
        characters: list[str] = []
        while (sign := self.peek()) and not sign.isspace():
            if sign == "\\":
                self.at += 1
                sign = self.peek()
                if not sign:
                    raise self.error("nothing follows '\\': write \\\\ for the sign itself", self.at - 1)
            elif sign in _SPECIAL:
                break
            characters.append(sign)
            self.at += 1
        node = literal("".join(characters))
        if node == NOTHING:
            raise self.error("this holds no visible character", start)
        return node


def parse(
    pattern: str,
    classes: Callable[[str], Node],
    inflect: Callable[[str], Sequence[str]],
) -> Node:
    """The tree of `pattern`. `classes` gives the tree of a class by name (LookupError with a message if there is
    none); `inflect` gives all forms of a lemma. Raises PatternError with the column.

    >>> parse("no *2 doubt", {}.__getitem__, {}.__getitem__)
    Sequence_(parts=(Words(words=frozenset({'no'})), Gap(longest=2), Words(words=frozenset({'doubt'}))))
    """
    parser = _Parser(pattern, classes, inflect)
    node = parser.options(None)
    check_edges(node, pattern)
    return node


def check_edges(node: Node, pattern: str) -> None:
    """Raises PatternError where a gap may come first or last, or nothing at all is needed."""
    if shortest(node) == 0:
        raise PatternError("this pattern matches nothing at all: make at least one word obligatory", 1)
    for first in _outer(node, 0):
        if isinstance(first, Gap):
            raise PatternError("a gap can't come first: start with a word", pattern.find("*") + 1)
        if isinstance(first, Edge) and first.end:
            raise PatternError("'$' stands at the end of a pattern", pattern.find("$") + 1)
    for last in _outer(node, -1):
        if isinstance(last, Gap):
            raise PatternError("a gap can't come last: end with a word", pattern.rfind("*") + 1)
        if isinstance(last, Edge) and not last.end:
            raise PatternError("'^' stands at the start of a pattern", pattern.rfind("^") + 1)
    if _inner_edge(node, True, True):
        column = max(pattern.find("^", 1), pattern.find("$")) + 1
        raise PatternError("'^' and '$' stand only at the outer ends of a pattern", column)


def shortest(node: Node) -> int:
    """How many tokens `node` takes at least."""
    if isinstance(node, (Words, Digit)):
        return 1
    if isinstance(node, Sequence_):
        return sum(map(shortest, node.parts))
    if isinstance(node, Choice):
        return min(map(shortest, node.options))
    return 0


def _outer(node: Node, side: int) -> list[Node]:
    """The leaves that may stand first (side 0) or last (side -1)."""
    if isinstance(node, Choice):
        return [leaf for option in node.options for leaf in _outer(option, side)]
    if not isinstance(node, Sequence_):
        return [node]
    found: list[Node] = []
    for part in node.parts if side == 0 else reversed(node.parts):
        found.extend(_outer(part, side))
        if isinstance(part, Gap) or (shortest(part) > 0):
            break
    return found


def _inner_edge(node: Node, first: bool, last: bool) -> bool:
    if isinstance(node, Edge):
        return not (last if node.end else first)
    if isinstance(node, Choice):
        return any(_inner_edge(option, first, last) for option in node.options)
    if isinstance(node, Sequence_):
        end = len(node.parts) - 1
        return any(
            _inner_edge(part, first and number == 0, last and number == end) for number, part in enumerate(node.parts)
        )
    return False


def without_edges(node: Node) -> list[tuple[bool, Node, bool]]:
    """`node` as variants (only at the sentence start, what stands between, only at the sentence end).

    >>> without_edges(Sequence_((Edge(end=False), Words(frozenset({"so"})))))
    [(True, Words(words=frozenset({'so'})), False)]
    """
    if isinstance(node, Choice):
        return [variant for option in node.options for variant in without_edges(option)]
    parts = list(node.parts) if isinstance(node, Sequence_) else [node]
    for place in (0, -1):
        side = parts[place] if parts else None
        if isinstance(side, Choice) and holds(side, Edge):
            rest = parts[1:] if place == 0 else parts[:-1]
            joined = [[option, *rest] if place == 0 else [*rest, option] for option in side.options]
            return [variant for option in joined for variant in without_edges(sequence(option))]
    begins = bool(parts) and isinstance(parts[0], Edge)
    ends = bool(parts) and isinstance(parts[-1], Edge)
    return [(begins, sequence(parts[begins : len(parts) - ends]), ends)]


def holds(node: Node, kinds: type | tuple[type, ...]) -> bool:
    """Whether a leaf of one of `kinds` stands anywhere in `node`."""
    if isinstance(node, Sequence_):
        return any(holds(part, kinds) for part in node.parts)
    if isinstance(node, Choice):
        return any(holds(option, kinds) for option in node.options)
    return isinstance(node, kinds)
