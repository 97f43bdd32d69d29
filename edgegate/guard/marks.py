"""Emphasis marks and quotation marks that one sentence opens and another closes: neither half may be left alone."""

from __future__ import annotations

import re

EMPHASIS = ("**", "__")
QUOTES = {"“": "”", "„": "“", "«": "»"}
_MARK = re.compile("|".join(map(re.escape, dict.fromkeys((*EMPHASIS, *QUOTES, *QUOTES.values())))))


def _open_marks(text: str, open_before: str) -> tuple[str, int]:
    """Which mark is open after `text`, and where its own first unmatched closer stands (-1 if there is none)."""
    open_mark, closer_at = open_before, -1
    for found in _MARK.finditer(text):
        mark = found.group()
        if open_mark:
            if mark == open_mark if mark in EMPHASIS else QUOTES.get(open_mark) == mark:
                if open_before and closer_at < 0:
                    closer_at = found.start()
                open_mark = ""
        elif mark in EMPHASIS or mark in QUOTES:
            open_mark = mark
    return open_mark, closer_at


class Marks:
    """Which mark is open in the paragraph as written, and which in the paragraph as shown.

    >>> marks = Marks()
    >>> marks.drop("**You told me so.")
    ''
    >>> marks.keep("Sit down.**")
    '**Sit down.**'
    """

    def __init__(self) -> None:
        self._written = ""
        self._shown = ""

    def keep(self, body: str) -> str:
        """A kept sentence, with the mark that a dropped one opened for it, or without one that has nothing to close."""
        opened = self._written
        self._written, closer_at = _open_marks(body, opened)
        before = ""
        if opened and not self._shown:
            if closer_at >= 0 and body[:closer_at].strip():
                before = opened
            elif closer_at >= 0:
                body = body[:closer_at] + body[closer_at + len(_closer(opened)) :]
            elif self._written:
                # The mark goes on into the next sentence: it opens here.
                before = opened
        self._shown = self._written
        return before + body

    def drop(self, text: str) -> str:
        """What must be shown at once when a sentence is dropped: the closer of a mark that it would have closed."""
        opened = self._written
        self._written, closer_at = _open_marks(text, opened)
        if self._shown and closer_at >= 0:
            closing, self._shown = _closer(self._shown), ""
            return closing
        return ""

    def end_paragraph(self) -> None:
        """Marks do not reach over the end of a paragraph: what was never closed stays so."""
        self._written = self._shown = ""


def _closer(mark: str) -> str:
    return QUOTES.get(mark, mark)
