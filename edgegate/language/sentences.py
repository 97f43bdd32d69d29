"""Sentences, found while text streams in. A sentence once returned never changes, however the stream is cut.

The splitter moves text and counts; the rules are in `blocks` (how a line begins), `boundaries` (where a sentence ends)
and `spans` (what is inside quotes, brackets or inline code). Each rule reads a bounded number of characters, so the
splitter keeps only a window of the stream, whatever its length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from edgegate.errors import UsageError
from edgegate.language.blocks import NO, SIGNS, WAIT, closes_fence, head, next_marker, whole_line_kind
from edgegate.language.boundaries import BREAKS, LOOK_BACK, MARKS, PICTURES, View, at_break, at_mark, at_smile
from edgegate.language.spans import closes_later

_SPACE = re.compile(r"\s+")
_LINE_BREAK = re.compile(rf"\r\n|[{BREAKS}]")
_LINE_END = re.compile(rf"[{BREAKS}]")
# A full stop in front of a letter or a digit never ends a sentence.
_STOP = re.compile(rf"\.(?![A-Za-z0-9])|[\u2026{MARKS}{BREAKS}{PICTURES}:;<]")
_ITEM_STOP = re.compile(rf"[.)\u2026{MARKS}{BREAKS}{PICTURES}:;<{''.join(sorted(SIGNS))}]")
_PICTURE = re.compile(f"[{PICTURES}]")
_MARK = re.compile(rf"[.\u2026{MARKS}]")
_OPENS_ITEM = re.compile(r"[ \t]{1,8}[^\W\d_]")
_COULD_OPEN_ITEM = re.compile(r"[ \t]{0,8}")
_ENDS_LINE = re.compile(rf"[ \t]{{0,63}}[{BREAKS}]")
_WHOLE_LINE = frozenset({"code", "heading", "table"})
# The window grows to this many characters before what was read is put aside.
_WINDOW = 4096


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, or one line of a heading, table or code block, of a stream.

    `text` is `stream[start:end]` (code points) and has no white space at its ends; `before` is the exact white space
    between it and the sentence before it. `kind` is prose, item, heading, quote, table, code, rule or space. `marker`
    is the list, heading or quote marker that opens `text`, with the white space after it; empty if there is none.
    `cut` says that the piece ended at the cap and that the next one goes on with it. A run of white space as long as
    the cap comes as a piece of kind space with an empty text.
    """

    text: str
    start: int
    end: int
    kind: str = "prose"
    marker: str = ""
    before: str = ""
    cut: bool = False


class SentenceSplitter:
    """Splits a stream into sentences: `feed` what arrives, `close` at its end.

    With a `cap`, a piece that reaches that many characters without a boundary is returned with `cut` set; the place of
    the cut depends on the text alone. The white space after the last sentence is in `after` once closed, so that all
    `before + text`, and then `after`, give the stream again.

    >>> splitter = SentenceSplitter()
    >>> [s.text for s in splitter.feed("Ask Dr. Li. She")], [s.text for s in splitter.close()]
    (['Ask Dr. Li.'], ['She'])

    Raises UsageError when the cap is below 1, or when it is fed after it was closed.
    """

    def __init__(self, cap: int | None = None) -> None:
        if cap is not None and cap < 1:
            raise UsageError(f"cap must be at least 1, not {cap}", where="SentenceSplitter.cap")
        self.cap = cap
        self.after = ""
        self._closed = False
        # The window of the stream: `_base` is the stream place of its first character; reading goes on at `_at`, and
        # the sentence begins at `_first` (-1 between sentences), both offsets in the window.
        self._text = ""
        self._base = 0
        self._at = 0
        self._first = -1
        # What was put aside, so that the window stays small: white space, and the sentence's text so far.
        self._gap: list[str] = []
        self._gap_length = 0
        self._head: list[str] = []
        # Stream places: where the sentence and its line begin, and where the last returned sentence ended.
        self._start = 0
        self._line = 0
        self._returned = 0
        # What is known of the sentence and the block around it; `_kind` is empty until its first characters are read.
        self._kind = ""
        self._marker = ""
        self._opens_line = True
        self._pictured = False
        self._block = "prose"
        self._expected = ""
        self._fence = ""
        self._fence_quoted = False
        self._opens_fence = False

    @property
    def pending_characters(self) -> int:
        """How many characters have come in and are not returned yet, white space included."""
        return self._base + len(self._text) - self._returned

    def feed(self, chunk: str) -> list[Sentence]:
        """The sentences that are decided now that `chunk` has come in."""
        if self._closed:
            raise UsageError("this splitter is closed: make a new one for a new text", where="SentenceSplitter.feed")
        self._text += chunk
        return self._read(False)

    def close(self, chunk: str = "") -> list[Sentence]:
        """The sentences that were still held, and those of a last `chunk`. Closing twice gives nothing more."""
        if self._closed:
            return []
        self._text += chunk
        found = self._read(True)
        self._closed = True
        self.after = "".join(self._gap)
        self._returned = self._base + len(self._text)
        return found

    def _read(self, closed: bool) -> list[Sentence]:
        found: list[Sentence] = []
        while self._first >= 0 or self._begin(found):
            limit = len(self._text)
            reach = limit + 1 if self.cap is None else self._start + self.cap - self._base
            capped = reach <= limit
            end = self._find_end(min(limit, reach), closed and not capped)
            if end == WAIT and not capped:
                break
            found.append(self._take(reach, True) if end == WAIT else self._take(end, False))
        self._put_aside()
        return found

    def _begin(self, found: list[Sentence]) -> bool:
        """Passes the white space before a sentence; True when the sentence's first character is here."""
        space = _SPACE.match(self._text, self._at)
        stop = space.end() if space else self._at
        while self.cap is not None and self._gap_length + stop - self._at >= self.cap:
            self._add_gap(self._at + self.cap - self._gap_length)
            place = self._base + self._at
            before = "".join(self._gap)
            self._opens_line = self._opens_line or _LINE_END.search(before) is not None
            found.append(Sentence("", place, place, "space", "", before, True))
            self._gap, self._gap_length, self._returned = [], 0, place
        self._add_gap(stop)
        if stop == len(self._text):
            return False
        self._gap = ["".join(self._gap)]
        before = self._gap[0]
        breaks = _LINE_BREAK.findall(before)
        self._first = stop
        self._start = self._base + stop
        self._opens_line = self._opens_line or bool(breaks)
        if self._opens_line:
            self._line = self._start
            indented = before.endswith((" ", "\t"))
            if self._block != "item" or not indented:
                self._block = "prose"
        return True

    def _add_gap(self, stop: int) -> None:
        self._gap.append(self._text[self._at : stop])
        self._gap_length += stop - self._at
        self._at = stop

    def _find_end(self, limit: int, closed: bool) -> int:
        """Where the sentence ends in the window, or WAIT."""
        if not self._kind and not self._understand(limit, closed):
            return WAIT
        text = self._text
        whole_line = self._kind in _WHOLE_LINE
        stops = _LINE_END if whole_line else _ITEM_STOP if self._expected or self._marker[:1] in SIGNS else _STOP
        while True:
            match = stops.search(text, self._at, limit)
            if not match:
                self._at = limit
                return limit if closed else WAIT
            place = match.start()
            if whole_line:
                return place
            answer, resume = self._judge(place, limit, closed)
            if answer >= 0 and text[place] not in BREAKS:
                around = closes_later(text, self._first, answer, limit, closed)
                if around != NO:
                    answer, resume = (WAIT if around == WAIT else NO), max(answer, place + 1)
            if answer == WAIT:
                self._at = place
                return WAIT
            if answer >= 0:
                return answer
            self._at = resume

    def _judge(self, place: int, limit: int, closed: bool) -> tuple[int, int]:
        """What the rules say of the character at `place`: (where the sentence ends, NO or WAIT; where to go on)."""
        sign = self._text[place]
        view = View(self._text, self._first, limit, closed, self._opens_line, self._pictured)
        if sign in BREAKS:
            answer, resume = at_break(view, place, self._kind, self._base + place - self._line)
            if answer == NO:
                self._line = self._base + resume
            return answer, resume
        answer = self._next_item(place, limit, closed)
        if answer != NO:
            return answer, place
        if sign == ")" or sign in SIGNS:
            return NO, place + 1
        return at_mark(view, place) if _MARK.match(sign) else at_smile(view, place)

    def _next_item(self, place: int, limit: int, closed: bool) -> int:
        """Where the next item of a list written on one line begins ("1. Rice 2. Beans"), NO or WAIT."""
        text = self._text
        if text[place] in SIGNS:
            opens = self._marker[:1] == text[place] and place > self._first and text[place - 1].isspace()
            return place if opens and place >= self._first + len(self._marker) else NO
        marker = self._expected
        begin = place - min((marker.index(sign) for sign in ".)" if sign in marker), default=0)
        if not marker or begin <= self._first or not text[begin - 1].isspace() or begin + len(marker) < place:
            return NO
        if not closed and limit < begin + len(marker) and marker.startswith(text[begin:limit]):
            return WAIT
        end = begin + len(marker)
        if not text.startswith(marker, begin, limit):
            return NO
        if not closed and _COULD_OPEN_ITEM.fullmatch(text, end, limit):
            return WAIT
        return begin if _OPENS_ITEM.match(text, end, limit) else NO

    def _understand(self, limit: int, closed: bool) -> bool:
        """Reads the first characters of a sentence: its kind and its marker. False when more text is needed."""
        text, first = self._text, self._first
        self._opens_fence = False
        self._pictured = _PICTURE.match(text, first, limit) is not None
        if self._fence and self._fence_quoted and self._opens_line and text[first] != ">":
            self._fence = ""  # the quotation ended, and the code in it
        if self._fence:
            self._kind = "code"
            return True
        expected = self._expected
        could_be_item = text[first] in SIGNS or (expected and text.startswith(expected[: limit - first], first))
        if not self._opens_line and not could_be_item:
            self._kind = self._block
            return True
        opened = head(text, first, limit, closed)
        if opened is None:
            return False
        if not self._opens_line and opened.kind != "item":
            self._kind = self._block
            return True
        self._kind = self._block if opened.kind == "prose" else opened.kind
        self._marker = text[first : opened.end] if self._kind != "code" else ""
        self._expected = next_marker(self._marker)
        if opened.fence:
            self._fence, self._opens_fence = opened.fence, True
            self._fence_quoted = text[first] == ">"
        else:
            self._block = "prose" if self._kind == "table" else self._kind
        self._at = max(self._at, opened.end)
        return True

    def _take(self, end: int, cut: bool) -> Sentence:
        """Takes the sentence that ends at the window offset `end`."""
        piece = "".join(self._head) + self._text[self._first : end]
        text = piece.rstrip()
        kind = self._kind or self._block
        if not cut and self._opens_line:
            if kind == "code":
                if not self._opens_fence and closes_fence(text, self._fence, self._fence_quoted):
                    self._fence = ""
            elif kind in ("prose", "item") and (end == len(self._text) or _ENDS_LINE.match(self._text, end)):
                kind = whole_line_kind(text, kind)
        stop = self._start + len(text)
        marker = "" if kind == "rule" else text[: len(self._marker)]
        sentence = Sentence(text, self._start, stop, kind, marker, self._gap[0], cut)
        self._gap = [piece[len(text) :]]
        self._gap_length = len(piece) - len(text)
        self._head = []
        self._at, self._first, self._returned = end, -1, stop
        self._opens_line = False
        self._kind = self._marker = ""
        return sentence

    def _put_aside(self) -> None:
        """Keeps the window small: what no rule will read again leaves it."""
        if self._first < 0:
            cut = self._at
        elif self._at - self._first > _WINDOW:
            cut = self._at - LOOK_BACK
            self._head.append(self._text[self._first : cut])
        elif self._first > 0:
            cut = self._first
        else:
            return
        self._text = self._text[cut:]
        self._base += cut
        self._at -= cut
        self._first = max(self._first - cut, 0) if self._first >= 0 else -1


def sentences(text: str) -> list[Sentence]:
    """The sentences of a whole text: exactly what a stream of it gives.

    >>> [sentence.text for sentence in sentences("It costs 3.50 today. Cheap!")]
    ['It costs 3.50 today.', 'Cheap!']
    """
    splitter = SentenceSplitter()
    return splitter.feed(text) + splitter.close()
