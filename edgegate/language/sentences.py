"""Sentences, found while text streams in; a sentence once returned never changes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from edgegate.errors import UsageError

_MARKER = re.compile(r"(?:[-*+\u2022]|\(?\d{1,3}[.)]{1,2}|#{1,6}|>)[ \t]+")
_BOUNDARY = re.compile(r"(?<=[.!?\u2026])[\"'\u201d\u2019)\]*_]*(?=\s+\S)|(?=\s*\n)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence (or line of a heading, table or code block) of a stream.

    `text` is `stream[start:end]` (code points), `before` the white space between it and the sentence before it.
    `kind` is prose, item, heading, quote, table, code, rule or space; `marker` the list, heading or quote marker that
    opens `text`, its following space included; `cut` is true when the piece ended at the cap and goes on.
    """

    text: str
    start: int
    end: int
    kind: str = "prose"
    marker: str = ""
    before: str = ""
    cut: bool = False


class SentenceSplitter:
    """Splits a stream into sentences: `feed` what arrives, `close` at its end."""

    def __init__(self, cap: int | None = None) -> None:
        if cap is not None and cap < 1:
            raise UsageError(f"cap must be at least 1, not {cap}", where="SentenceSplitter.cap")
        self.cap = cap
        self.after = ""
        self._buffer = ""
        self._at = 0
        self._fence = ""

    @property
    def pending_characters(self) -> int:
        """How many characters have come in and have not been returned yet."""
        return len(self._buffer)

    def feed(self, chunk: str) -> list[Sentence]:
        """The sentences that are decided now that `chunk` has come in."""
        self._buffer += chunk
        return self._take(False)

    def close(self) -> list[Sentence]:
        """What was still held; `after` is then the white space after the last sentence."""
        found = self._take(True)
        self.after, self._buffer = self._buffer, ""
        return found

    def _take(self, final: bool) -> list[Sentence]:
        found: list[Sentence] = []
        while True:
            body = self._buffer.lstrip()
            before = self._buffer[: len(self._buffer) - len(body)]
            if not body:
                return found
            marker = _MARKER.match(body)
            end = None
            fenced = self._fence or body.startswith(("```", "~~~"))
            if fenced:
                place = body.find("\n")
                end = place if place >= 0 else None
            else:
                match = _BOUNDARY.search(body, marker.end() if marker else 1)
                end = match.end() if match else None
            cut = False
            if end is None and self.cap is not None and len(body) >= self.cap:
                end, cut = self.cap, True
            if end is None:
                if not final:
                    return found
                end = len(body)
            text = body[:end].rstrip()
            kind = "prose"
            if fenced:
                kind = "code"
                if not self._fence:
                    self._fence = text[:3]
                elif text.startswith(self._fence):
                    self._fence = ""
            elif marker:
                kind = {"#": "heading", ">": "quote"}.get(body[0], "item")
            elif body.startswith("|"):
                kind = "table"
            start = self._at + len(before)
            found.append(
                Sentence(
                    text,
                    start,
                    start + len(text),
                    kind,
                    text[: marker.end()] if marker and not fenced else "",
                    before,
                    cut,
                )
            )
            self._at = start + len(text)
            self._buffer = body[len(text) :]


def sentences(text: str) -> list[Sentence]:
    """The sentences of a whole text: exactly what a stream of it gives.

    >>> [sentence.text for sentence in sentences("It works. Does it?")]
    ['It works.', 'Does it?']
    """
    splitter = SentenceSplitter()
    return splitter.feed(text) + splitter.close()
