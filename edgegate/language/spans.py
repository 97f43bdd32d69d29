"""Quotes, brackets and inline code: a mark inside them doesn't end the sentence, if they close soon."""

from __future__ import annotations

import re

from edgegate.language.blocks import NO, WAIT

# How far a rule looks back for an opening sign, and forward for the closing one. A quote or bracket that doesn't close
# within this many characters, or on its line, is taken for a stray sign.
BACK = 200
AHEAD = 160

_ANY = re.compile('["\u201c\u00ab(\\[`]')
_PAIRS = (("(", ")"), ("[", "]"), ("\u201c", "\u201d"), ("\u00ab", "\u00bb"))
_BEFORE_QUOTE = frozenset("([{*_~-\u2013\u2014/=:")
_LINE_END = re.compile(r"[\n\r]")


def closes_later(text: str, first: int, place: int, limit: int, closed: bool) -> int:
    """The place where the span around `place` closes, NO if there is no such span, or WAIT.

    `first` is where the sentence begins, `limit` the end of what may be read, `closed` whether the text ends there.
    """
    begin = max(first, place - BACK)
    if not _ANY.search(text, begin, place):
        return NO
    for closer in _open_at(text, begin, place):
        reach = min(limit, place + AHEAD)
        stop = _LINE_END.search(text, place, reach)
        found = _find(text, closer, place, stop.start() if stop else reach)
        if found >= 0:
            return found
        if not stop and not closed and reach < place + AHEAD:
            return WAIT
    return NO


def _open_at(text: str, begin: int, place: int) -> list[str]:
    """The closing signs that the text from `begin` to `place` is waiting for."""
    closers = [
        closer for opener, closer in _PAIRS if text.count(opener, begin, place) > text.count(closer, begin, place)
    ]
    quote = text.rfind('"', begin, place)
    if quote >= 0 and (quote == begin or text[quote - 1].isspace() or text[quote - 1] in _BEFORE_QUOTE):
        closers.append('"')
    if text.count("`", begin, place) % 2:
        closers.append("`")
    return closers


def _find(text: str, closer: str, begin: int, end: int) -> int:
    place = text.find(closer, begin, end)
    while closer == '"' and place > begin and text[place - 1].isspace():
        place = text.find(closer, place + 1, end)  # that one opens another quotation
    return place
