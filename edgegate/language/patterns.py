"""The pattern language of the lexicons: text of a pattern to a small tree.

Over the tokens of `text.tokenise` (folded):

    word          that word; punctuation may be written as a word ("rarely , if ever")
    (a | b c)     one of several
    x?            x, or nothing (x is a word, a group, a class or an inflection)
    *3            a gap of 0 to 3 words (never punctuation), at most *6; first or last only beside ^ or $
    {name}        a member of a word class
    ~say          every inflection of "say"
    #             a token that begins with a digit
    ^  $          the start and the end of the sentence
    i ('m|am)     a short form ('s, 'll, n't…) joins the word before it, since "i'm" is one token: {kin}'s
    \\?            the character itself ("~" alone, before a space, needs no "\\")

This module knows nothing of automata; `compiler` turns the trees into one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from edgegate.language.tokens import fold, tokenise
from edgegate.language.trees import (
    LONGEST_GAP,
    NOTHING,
    Choice,
    Digit,
    Edge,
    Gap,
    Node,
    Sequence_,
    Short,
    Words,
    by_short,
    choice,
    inner_edge,
    outer,
    sequence,
    shortest,
)

_PLAIN = re.compile(r"[^\s()|?*{}~#^$\\]+")


class PatternError(Exception):
    """A pattern that can't be read: `column` counts characters from 1."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.column = column


@lru_cache(8192)
def literal(text: str) -> Node:
    """The tokens of `text` in a row, folded as all text is: `literal("so-called")` is three tokens."""
    return sequence([Words(frozenset({word})) for word in tokenise(text).words])


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What patterns may refer to.

    `tree(name)` is the tree of a word class (LookupError with a message if there is none), `inflect(word)` all forms
    of a word, and `shorts` are the short forms that join the word before them.
    """

    tree: Callable[[str], Node]
    inflect: Callable[[str], Sequence[str]]
    shorts: frozenset[str] = frozenset()


class _Parser:
    def __init__(self, pattern: str, vocabulary: Vocabulary) -> None:
        self.pattern = pattern
        self.vocabulary = vocabulary
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
                return self.joined(found)
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
                return self.vocabulary.tree(self.pattern[start + 1 : end].strip())
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
            return choice([literal(form) for form in self.vocabulary.inflect(lemma)])
        self.at = start
        return self.word()

    def joined(self, parts: list[Node]) -> list[Node]:
        """`parts` with every short form joined to the word before it, if there is one among them."""
        found: list[Node] = []
        for part in parts:
            if not found or not any(isinstance(leaf, Short) for leaf in outer(part, 0)):
                found.append(part)
                continue
            variants = by_short(part)
            plain = [rest for short, rest in variants if short is None]
            options = [sequence([*found, choice(plain)])] if plain else []
            options += [sequence([self.suffixed(found, short), rest]) for short, rest in variants if short]
            found = [choice(options)]
        return found

    def suffixed(self, parts: Sequence[Node], short: Short) -> Node:
        """`parts` in a row, the last word with the short form joined to it."""
        if not parts:
            raise self.error("a short form such as 's must follow a word", self.pattern.find("'"))
        *before, last = parts
        if isinstance(last, Words):
            return sequence([*before, Words(frozenset(word + form for word in last.words for form in short.forms))])
        if isinstance(last, Sequence_):
            return self.suffixed([*before, *last.parts], short)
        if isinstance(last, Choice):
            options = [option for option in last.options if before or option != NOTHING]
            return choice([self.suffixed([*before, option], short) for option in options])
        raise self.error(
            "a short form such as 's must follow a word, not a gap, a number or a sentence edge", self.pattern.find("'")
        )

    def run(self, wanted: Callable[[str], bool]) -> str:
        start = self.at
        while self.at < len(self.pattern) and wanted(self.pattern[self.at]):
            self.at += 1
        return self.pattern[start : self.at]

    def word(self) -> Node:
        start = self.at
        characters = self.plain()
        while self.peek() == "\\":
            sign = self.pattern[self.at + 1 : self.at + 2]
            if not sign:
                raise self.error("nothing follows '\\': write \\\\ for the sign itself")
            self.at += 2
            characters += sign + self.plain()
        folded = fold(characters).text
        if folded in self.vocabulary.shorts:
            return Short(frozenset({folded}))
        node = literal(folded)
        if node == NOTHING:
            raise self.error("this holds no visible character", start)
        return node

    def plain(self) -> str:
        found = _PLAIN.match(self.pattern, self.at)
        self.at = found.end() if found else self.at
        return found.group() if found else ""


def parse(pattern: str, vocabulary: Vocabulary, *, member: bool = False) -> Node:
    """The tree of `pattern`. Raises PatternError with the column.

    A `member` of a word class may begin with a short form, which then joins what stands before the class.

    >>> parse("i *2 doubt", Vocabulary(tree={}.__getitem__, inflect={}.__getitem__))
    Sequence_(parts=(Words(words=frozenset({'i'})), Gap(longest=2), Words(words=frozenset({'doubt'}))))
    """
    parser = _Parser(pattern, vocabulary)
    node = parser.options(None)
    if not member:
        node = _without_shorts(node, pattern)
    check_edges(node, pattern)
    return node


def _without_shorts(node: Node, pattern: str) -> Node:
    """`node` with the short forms that had no word to join: words of their own if they can be ("n't"), else a fault."""
    if isinstance(node, Short):
        forms = [literal(form) for form in sorted(node.forms)]
        if not all(isinstance(form, Words) for form in forms):
            raise PatternError("a short form such as 's must follow a word, as in (it|that)'s", pattern.find("'") + 1)
        return choice(forms)
    if isinstance(node, Choice):
        return choice([_without_shorts(option, pattern) for option in node.options])
    return sequence([_without_shorts(part, pattern) for part in node.parts]) if isinstance(node, Sequence_) else node


def check_edges(node: Node, pattern: str) -> None:
    """Raises PatternError where a gap may come first or last, or nothing at all is needed."""
    if shortest(node) == 0:
        raise PatternError("this pattern matches nothing at all: make at least one word obligatory", 1)
    for first in outer(node, 0):
        if isinstance(first, Gap):
            raise PatternError("a gap can't come first: start with a word, or with ^", pattern.find("*") + 1)
        if isinstance(first, Edge) and first.end:
            raise PatternError("'$' stands at the end of a pattern", pattern.find("$") + 1)
    for last in outer(node, -1):
        if isinstance(last, Gap):
            raise PatternError("a gap can't come last: end with a word, or with $", pattern.rfind("*") + 1)
        if isinstance(last, Edge) and not last.end:
            raise PatternError("'^' stands at the start of a pattern", pattern.rfind("^") + 1)
    if inner_edge(node, True, True):
        column = max(pattern.find("^", 1), pattern.find("$")) + 1
        raise PatternError("'^' and '$' stand only at the outer ends of a pattern", column)
