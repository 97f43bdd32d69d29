"""What is left reads as if it had been written so: white space, lists, headings, marks and connectives after a drop.

`Cleaner` takes decided sentences in their order and gives the events of the reply. It is the only place of the guard
that changes text, and it changes no more than a drop makes necessary: a reply without a drop comes out to the
character. It holds a heading until the first sentence under it is decided, and a line that introduces a list until
the first item is; nothing else waits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from edgegate.guard.marks import Marks
from edgegate.language import lexicon
from edgegate.language.cues import scan
from edgegate.language.text import Sentence, tokenise
from edgegate.records import Event, TextDropped, TextShown

Emit = Callable[[Event], None]

LEAD_IN = 0  # the depth of a line that introduces a list; headings have 1 to 6
UNSIGNED = 7  # a heading without number signs stands below all others


@dataclass(slots=True)
class _Held:
    """A heading, or a line that introduces a list: shown with the first thing under it, dropped if all of that was."""

    text: str
    before: str
    depth: int
    lost_body: bool = False


@dataclass(slots=True)
class _Numbers:
    """One numbered list: the last number as it was written, and the last number shown."""

    written: int
    shown: int


@dataclass(slots=True)
class _Lead:
    """What opens an item: the text to show, and the list to count it in when it is shown."""

    text: str = ""
    numbers: _Numbers | None = None

    def take(self) -> str:
        """The text, now that the item is shown."""
        if self.numbers is not None:
            self.numbers.shown += 1
        return self.text


class Cleaner:
    """Turns decided sentences into events. `emit` is called with each event, in order.

    >>> from edgegate.language.text import sentences
    >>> events = []
    >>> cleaner = Cleaner(events.append)
    >>> first, second, third = sentences("Hello. You told me so. And now?")
    >>> cleaner.keep(first)
    >>> cleaner.drop(second, TextDropped(second.text, "history", "", "", "", "nothing supports it"))
    >>> cleaner.keep(third)
    >>> cleaner.close("")
    >>> "".join(event.text for event in events if event.kind == "text_shown")
    'Hello. Now?'
    """

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._held: list[_Held] = []
        self._any_shown = False
        self._gap: list[str] = []  # the white space before each sentence dropped since the last one kept
        self._dropped_last = False
        self._lead: _Lead | None = None  # of an item whose first sentence was dropped: it waits for the rest
        self._in_list = False
        self._numbers: dict[int, _Numbers] = {}  # by indentation
        self._marks = Marks()

    @property
    def held_characters(self) -> int:
        """How many characters wait for what comes under them."""
        return sum(len(held.before) + len(held.text) for held in self._held) if self._held else 0

    def keep(self, sentence: Sentence) -> None:
        """A sentence that may be shown."""
        self._enter(sentence)
        if sentence.kind == "heading":
            self._settle_headings(_depth(sentence))
            self._hold(sentence.text, sentence.before, _depth(sentence))
            return
        follows_drop, self._dropped_last = self._dropped_last, False
        if sentence.kind == "code":
            self._lead = None
            self._show(sentence.before, sentence.text)
            return
        lead, body = self._open(sentence)
        if follows_drop:
            shortened = without_connective(body)
            if shortened is None:
                self._lose(sentence, lead, orphan(sentence))
                return
            body = shortened
        text = lead.take() + self._marks.keep(body)
        if introduces(sentence):
            self._hold(text, sentence.before, LEAD_IN)
        else:
            self._show(sentence.before, text)

    def drop(self, sentence: Sentence, event: TextDropped) -> None:
        """A sentence that must not be shown; `event` says why."""
        self._enter(sentence)
        if sentence.kind == "heading":
            self._settle_headings(_depth(sentence))
        lead, _ = self._open(sentence)
        self._lose(sentence, lead, event)

    def close(self, after: str) -> None:
        """The end of the reply, with the white space `after` its last sentence."""
        self._settle_headings(LEAD_IN)
        if self._any_shown or not self._dropped_last:
            self._put(after)

    def release(self) -> None:
        """Show what is held without waiting any longer (over the cap)."""
        self._flush()

    # What is held

    def _enter(self, sentence: Sentence) -> None:
        if "\n" in sentence.before:
            self._marks.end_paragraph()
            if not _inside_list(sentence):
                self._settle_lead_in()
        listed = sentence.kind in ("item", "code") or (self._in_list and sentence.before.count("\n") < 2)
        if not listed:
            self._numbers.clear()
        self._in_list = listed

    def _hold(self, text: str, before: str, depth: int) -> None:
        self._held.append(_Held(text, self._space(before), depth))
        self._gap.clear()
        self._dropped_last = False
        self._lead = None

    def _settle_headings(self, depth: int) -> None:
        """A new heading of `depth` ends the sections at or below it: show those that were empty as written."""
        while self._held and (self._held[-1].depth >= depth or self._held[-1].depth == LEAD_IN):
            if not self._settle_last():
                return

    def _settle_lead_in(self) -> None:
        while self._held and self._held[-1].depth == LEAD_IN and self._held[-1].lost_body:
            self._settle_last()

    def _settle_last(self) -> bool:
        """Drop the last held line if its body was lost, else show everything held. True if it was dropped."""
        last = self._held[-1]
        if not last.lost_body:
            self._flush()
            return False
        self._held.pop()
        for outer in self._held:
            outer.lost_body = True
        self._gap.insert(0, last.before)
        self._dropped_last = True
        self._emit(orphan_of(last.text))
        return True

    def _flush(self) -> None:
        for held in self._held:
            self._put(held.before + held.text)
        self._held.clear()

    # What is shown and lost

    def _space(self, before: str) -> str:
        """The white space before the next kept text: its own, or a stronger break that stood before a dropped one."""
        if not self._any_shown and not self._held and self._gap:
            return ""
        return max([before, *self._gap], key=lambda space: (space.count("\n"), space is before))

    def _show(self, before: str, text: str) -> None:
        space = self._space(before)
        self._gap.clear()
        self._flush()
        self._put(space + text)

    def _put(self, text: str) -> None:
        if text:
            self._any_shown = True
            self._emit(TextShown(text))

    def _lose(self, sentence: Sentence, lead: _Lead, event: TextDropped) -> None:
        closing = self._marks.drop(sentence.text)
        if closing and self._any_shown:
            self._put(closing)
        self._gap.append(sentence.before)
        self._dropped_last = True
        self._lead = lead if lead.text else None
        for held in self._held:
            held.lost_body = True
        self._emit(event)

    # Numbered lists

    def _open(self, sentence: Sentence) -> tuple[_Lead, str]:
        """What opens the sentence (its own marker, counted anew, or the one that waits for it), and the rest of it."""
        waiting, self._lead = self._lead, None
        marker = sentence.marker
        if not marker or not sentence.text.startswith(marker):
            goes_on = waiting is not None and sentence.kind == "item"
            return (waiting if waiting is not None and goes_on else _Lead()), sentence.text
        body = sentence.text[len(marker) :]
        digits = marker.strip("(.) \t")
        if sentence.kind != "item" or not (digits.isascii() and digits.isdigit()):
            return _Lead(marker), body
        numbers = self._list_of(int(digits), len(sentence.before) - sentence.before.rfind("\n"))
        return _Lead(marker.replace(digits, str(numbers.shown + 1), 1), numbers), body

    def _list_of(self, written: int, indent: int) -> _Numbers:
        """The list that an item numbered `written` belongs to: the one it continues, or a new one."""
        for deeper in [place for place in self._numbers if place > indent]:
            del self._numbers[deeper]
        numbers = self._numbers.get(indent)
        if numbers is None or written != numbers.written + 1:
            numbers = self._numbers[indent] = _Numbers(written, written - 1)
        numbers.written = written
        return numbers


def _depth(heading: Sentence) -> int:
    signs = len(heading.text) - len(heading.text.lstrip("#"))
    return signs or UNSIGNED


def _inside_list(sentence: Sentence) -> bool:
    return sentence.kind in ("item", "quote", "table")


def introduces(sentence: Sentence) -> bool:
    """Whether a sentence is a line that introduces what stands under it.

    >>> from edgegate.language.text import sentences
    >>> introduces(sentences("Here is the week:")[0])
    True
    """
    return sentence.kind == "prose" and sentence.text.rstrip("*_").endswith(":")


@cache
def _connectives() -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words.split()) for words in lexicon.table("connectives"))


@cache
def _fixed_openers() -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words.split()) for words in lexicon.table("fixed_openers"))


def without_connective(text: str) -> str | None:
    """`text` without a connective at its start that points back; None if the whole sentence only points back.

    >>> without_connective("And how is she?")
    'How is she?'
    >>> without_connective("So that's why it hurts.") is None
    True
    >>> without_connective("Sit down.")
    'Sit down.'
    """
    tokens = tokenise(text)
    if scan(tokens, ("orphan",)):
        return None
    for length in range(min(3, len(tokens) - 1), 0, -1):
        if tuple(tokens.words[:length]) not in _connectives() or tuple(tokens.words[: length + 1]) in _fixed_openers():
            continue
        first = length
        if tokens.words[first] == "," and first + 1 < len(tokens):
            first += 1
        if not tokens.words[first][0].isalnum():
            break
        rest = text[tokens.starts[first] :]
        return rest[0].upper() + rest[1:] if text[:1].isupper() else rest
    return text


def orphan(sentence: Sentence) -> TextDropped:
    """The event of a sentence that made sense only with the dropped one before it."""
    tokens = tokenise(sentence.text)
    matches = scan(tokens, ("orphan",))
    cue, words, cite = (matches[0].cue.id, matches[0].text, matches[0].cue.cite) if matches else ("", "", "")
    return TextDropped(sentence.text, "orphan", cue, words, cite, "it leans on the sentence that was dropped before it")


def orphan_of(line: str) -> TextDropped:
    """The event of a heading, or a line that introduces a list, with nothing left under it."""
    return TextDropped(line, "orphan", "orphan.no-body", line, "", "everything that stood under this line was dropped")
