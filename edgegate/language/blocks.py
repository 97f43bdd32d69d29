"""How a line begins: list, heading and quote markers, table rows, code fences.

Each function looks at a bounded number of characters, and says WAIT as long as a later character could change its
answer. Nothing here keeps state.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# Answers of the rules, where an offset is the other answer.
WAIT = -1
NO = -2

# A block opener may need the rest of its line (is "```" a fence or inline code?), but never more than this.
FENCE_LOOK = 120

_BULLETS = "-*+\u2013\u2014"  # need a space after them
_SIGNS = "\u2022\u2023\u2043\u25aa\u25ab\u25cb\u25cf\u25e6\u25a0\u25a1\u2610\u2611\u00b7"  # need none
SIGNS = frozenset(_SIGNS)
_SPACE = r"[ \t]{0,8}"
_ENDS = r"(?=[ \t\n\r]|$)"
_NUMBER = r"\(?(?:\d{1,3}|[a-z]|[ivx]{2,5}|[IVX]{2,6}|[A-Z](?=\)))[.)]{1,2}"
_QUOTE = r"(?:>[ \t]{0,4})"
_BULLET = rf"(?:[{_BULLETS}]{_ENDS}{_SPACE}(?:\[[ xX]\](?=[ \t]){_SPACE})?|[{_SIGNS}]{_SPACE})"
_ORDERED = rf"(?:{_NUMBER}{_ENDS}{_SPACE}|\d\ufe0f?\u20e3{_SPACE})"
# Behind a bullet only digits count: "- b. c" is no list in a list.
_DIGITS = rf"\(?\d{{1,3}}[.)]{{1,2}}{_ENDS}{_SPACE}"
_HEAD = re.compile(rf"({_QUOTE}{{1,8}})?(?:(#{{1,6}}{_ENDS}{_SPACE})|({_BULLET})(?:{_DIGITS})?|({_ORDERED}))?")
# What could still grow into a marker: every beginning of one.
_UNDECIDED = re.compile(
    rf"{_QUOTE}{{0,8}}(?:#{{0,6}}|#{{1,6}}[ \t]{{1,8}}|`{{1,2}}|~{{1,2}}"
    rf"|(?:[{_BULLETS}](?:[ \t]{{1,8}}(?:\[[ xX]?|\[[ xX]\]{_SPACE})?)?|[{_SIGNS}]{_SPACE})(?:\(?\d{{0,3}}|{_DIGITS})"
    rf"|\(?(?:\d{{1,3}}|[a-z]|[ivx]{{2,5}}|[IVX]{{1,6}}|[A-Z])?|{_NUMBER}{_SPACE}|\d\ufe0f?\u20e3?{_SPACE})"
)
_FENCE = re.compile(r"((?:>[ \t]{0,4}){0,8})(`{3,64}|~{3,64})")
_NUMBERED = re.compile(r"\(?(\w{1,3})([.)]{1,2})[ \t]*$")
_RULE = re.compile(r"[-*_=~#][-*_=~# \t]{2,}")
_BOLD_LINE = re.compile(r"(\*\*|__)[^*_\n]+\1:?|(\*\*|__)[^*_\n]+:\2")


class Head(NamedTuple):
    """How a line begins. `end` is where its marker ends; `fence` the run of backticks or tildes that opens code."""

    kind: str
    end: int
    fence: str = ""


def head(text: str, start: int, limit: int, closed: bool) -> Head | None:
    """The head of the line whose first visible character is `text[start]`; None when more text is needed.

    `limit` is the end of what may be read, `closed` whether the text ends there.
    """
    if not closed and _UNDECIDED.fullmatch(text, start, limit):
        return None
    fence = _FENCE.match(text, start, limit)
    if fence:
        opener = fence.group(2)
        look = min(limit, fence.end() + FENCE_LOOK)
        stop = text.find("\n", fence.end(), look)
        tick = text.find("`", fence.end(), look if stop < 0 else stop) if opener[0] == "`" else -1
        if tick < 0 and (stop >= 0 or (closed and look == limit)):
            return Head("code", fence.end(1), opener)
        if tick < 0 and stop < 0 and look < fence.end() + FENCE_LOOK:
            return None
    match = _HEAD.match(text, start, limit)
    assert match is not None  # every part of the pattern is optional
    quote, heading, bullet, ordered = match.groups()
    rest = match.end()
    if heading:
        return Head("heading", rest)
    if bullet or ordered:
        return Head("item", rest)
    if quote:
        return Head("quote", rest)
    return Head("table" if text.startswith("|", start, limit) else "prose", start)


def next_marker(marker: str) -> str:
    """The marker that would follow the numbered `marker` in a list written on one line; empty if it has no number.

    >>> next_marker("1.) "), next_marker("b. "), next_marker("- ")
    ('2.)', 'c.', '')
    """
    match = _NUMBERED.search(marker)
    if not match:
        return ""
    number, style = match.groups()
    if number.isdecimal():
        return f"{int(number) + 1}{style}"
    if len(number) == 1 and "a" <= number < "z":
        return f"{chr(ord(number) + 1)}{style}"
    return ""


def closes_fence(line: str, fence: str, quoted: bool) -> bool:
    """Whether `line` (stripped) closes the code block that `fence` opened, perhaps inside a quotation."""
    bare = line.lstrip("> \t") if quoted else line
    return len(bare) >= len(fence) and not bare.strip(fence[0])


def whole_line_kind(line: str, kind: str) -> str:
    """The kind of a whole line of this kind, prose or item: a rule, a heading in bold type, or what it was."""
    if _RULE.fullmatch(line):
        return "rule"
    return "heading" if kind == "prose" and len(line) < 200 and _BOLD_LINE.fullmatch(line) else kind
