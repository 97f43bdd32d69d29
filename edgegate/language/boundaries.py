"""Is this the end of a sentence? The rules behind each full stop, mark and line break.

Every rule reads a bounded number of characters around one place and answers with an offset, NO or WAIT. WAIT means
that a later character could change the answer; an answer that isn't WAIT is the same whatever follows. That is why a
sentence, once returned, never changes.

The rules were written from the Golden Rules' kinds of cases and from style guides, and checked on UD English EWT.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from edgegate.language.blocks import NO, WAIT, head
from edgegate.language.lexicon import table

YES = 1

# How far back a rule reads. The splitter keeps at least this much text before the place it works at.
LOOK_BACK = 300
# How much white space a rule reads before it takes the gap itself for a boundary.
_GAP_LOOK = 64
# How many marks in a row are read as one, how long the word before a mark and the word that opens a sentence may be.
_RUN_LOOK = 64
_WORD_LOOK = 40
_STARTER_LOOK = 24
# How long a lead-in such as "At 5 a.m." may be.
_LEAD_IN_LOOK = 30
# A line shorter than this was ended on purpose, not by wrapping.
_SHORT_LINE = 40

BREAKS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_WIDE = "\u3002\uff01\uff1f\uff61"
MARKS = "!?\u203c\u2047\u2048\u2049" + _WIDE
_RUN = re.compile(rf"[.\u2026{MARKS}]{{1,{_RUN_LOOK}}}")
_SPACED_DOTS = re.compile(r"\.(?: \.){1,7}(?![\w.])")
# What may stand between the mark and the white space: closing quotes and brackets, markup, joiners, note numbers.
_TAIL = re.compile(
    "(?:[\"'\u2019\u201d\u00bb\u300d\u300f)\\]}*_~`\u0300-\u036f\u200b-\u200d\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufeff]"
    "|\\[\\d{1,3}\\]|\u3010[^\u3011\\s]{1,20}\u3011){0,16}"
)
_TAIL_UNDECIDED = re.compile("\\[\\d{0,3}|\u3010[^\u3011\\s]{0,20}")
PICTURES = "\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_EMOJI_RUN = f"(?:[{PICTURES}][\u200d\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]{{0,8}}){{1,32}}"
_EMOJI = re.compile(_EMOJI_RUN)
_FACE = r"[:;=8xX]['^o-]?[()\[\]DPpOo3/\\|*]"
_SMILE = re.compile(rf"{_EMOJI_RUN}|(?:{_FACE}{{1,8}}|<3{{1,3}})(?=\s|$)")
_SMILE_UNDECIDED = re.compile(rf"{_EMOJI_RUN}|[:;=8xX]['^o-]?|{_FACE}{{1,8}}|<3{{0,3}}")
_GAP = re.compile(rf"\s{{1,{_GAP_LOOK}}}")
_LINE_BREAK = re.compile(rf"\r\n|[{BREAKS}]")
_OPENERS = re.compile("[\"'\u2018\u201c\u201e\u00ab\u300c(\\[{*_~`\u00bf\u00a1]{0,6}")
_WORD = re.compile(rf"[^\W\d_]{{1,{_STARTER_LOOK}}}")
# The word before a mark, read backwards.
_WORD_BACK = re.compile('[^\\s"\u201c\u201d\u201e\u00ab\u00bb()\\[\\]{}*_~`,;:<>|=\u2026\u2013\u2014/-]{1,40}')
_ENDING = re.compile(rf"[.\u2026{MARKS}][\"'\u2019\u201d\u00bb)\]}}*_~`]{{0,16}}$")
_LETTERS_AND_DOTS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_LAST_WORD = re.compile(r"[^\W\d_]+(?=[\"'*_)]*$)")
_CLOSING = frozenset("\"'\u2019\u201d\u00bb\u300d\u300f)]}")
_APOSTROPHES = "'\u2018\u2019"
_MARKUP = " *_~`#\"'("
# Signs that can't open a sentence.
_ORPHANS = frozenset(",;:)]}%\u2019\u201d")
_STOP_AND_ELLIPSIS = ". . . ."
# Before an ellipsis, these say that words were left out of a quotation.
_OMISSION = frozenset("[(")
# Signs that leave a line unfinished.
_GOES_ON = (",", "-", "\u2013", "\u2014", "/", "&")


@cache
def _words(name: str) -> frozenset[str]:
    tables: dict[str, Any] = table("segmentation")
    return frozenset(tables[name])


class View(NamedTuple):
    """What a rule may read: the text from the sentence's start `first` (an offset) to `limit`.

    `closed` says that the text ends at `limit`; `opens_line` that a line begins at `first`; `pictured` that the
    sentence begins with an emoji. `first` may lie further on than the sentence's true start in a sentence longer than
    LOOK_BACK, so no rule may rely on it further back than that.
    """

    text: str
    first: int
    limit: int
    closed: bool
    opens_line: bool
    pictured: bool

    def back(self, place: int, most: int) -> str:
        """The sentence's text before `place`, at most that many characters."""
        return self.text[max(self.first, place - most) : place]

    def so_far(self, place: int) -> str | None:
        """The whole sentence before `place` without markup around it, None if that is long."""
        if place - self.first > _LEAD_IN_LOOK:
            return None
        return self.text[self.first : place].strip(_MARKUP)


class Sort(NamedTuple):
    """A kind of mark, by what it answers to the character that follows the white space.

    YES and NO speak for themselves; a name in `capital` asks the word that begins with the capital (see `_ask`).
    `ends_line` says that a line break after it settles the matter, without a look at the next line.
    """

    small: int
    digit: int
    capital: int | str
    other: int
    ends_line: bool = True


_PLAIN = Sort(YES, YES, YES, YES)
_WORD_OR_NUMBER = Sort(YES, NO, YES, YES)  # "no.", "fig.": words that stand before a number, too
_ORDINAL = Sort(YES, YES, "ordinal_followers", YES)  # "on the 3.", "am 3. Mai"
_LIST_END = Sort(NO, NO, YES, YES)  # "etc."
_ELLIPSIS = Sort(NO, NO, "always_capital", YES)
_TIME = Sort(NO, NO, "after_times", YES)
_MAY_END = Sort(NO, NO, "starters", NO, False)
_NEVER = Sort(NO, NO, NO, NO, False)
# The tables that speak for a boundary when they hold the word; the others speak against it.
_SPEAKS_FOR = frozenset({"starters"})


def at_mark(view: View, place: int) -> tuple[int, int]:
    """Judges the mark at `place`.

    Returns (answer, resume): the answer is the offset where the sentence ends, NO or WAIT; after NO, reading goes on at
    `resume`.
    """
    text, _, limit, closed, _, _ = view
    run = _SPACED_DOTS.match(text, place, limit) or _RUN.match(text, place, limit)
    assert run is not None  # the caller found a mark here
    if not closed and run.end() == limit and run.end() < place + _RUN_LOOK:
        return WAIT, place
    tail = _TAIL.match(text, run.end(), limit)
    assert tail is not None  # it may be empty
    stop = tail.end()
    if not closed and (stop == limit or _TAIL_UNDECIDED.fullmatch(text, stop, limit)):
        return WAIT, place
    emoji = _EMOJI.match(text, stop, limit)
    if emoji:
        stop = emoji.end()
    if stop == limit:
        return (NO, limit) if closed else (WAIT, place)
    if not text[stop].isspace():
        return (stop if _ends_without_space(view, place, stop, run.group()) else NO), stop
    answer, resume = _after_gap(view, place, stop, _sort(view, place, run.group()), tail.group())
    if answer >= 0 and run.group().startswith(_STOP_AND_ELLIPSIS) and view.back(place, 1).strip():
        answer = place + 1  # a full stop at its word, and then words left out in front of the next sentence
    return answer, resume


def _ends_without_space(view: View, place: int, stop: int, marks: str) -> bool:
    if marks[-1] in _WIDE:
        return True
    # "great!You": but not in an address or a name such as "Yahoo!Answers", which keep small letters and signs together.
    before = view.back(place, _WORD_LOOK)
    if marks[-1] not in "!?" or not view.text[stop].isupper() or not before[-1:].islower():
        return False
    word = before.split()[-1]
    return word.isalpha() and word.lower() not in _words("marked_names")


def at_smile(view: View, place: int) -> tuple[int, int]:
    """Judges an emoji or emoticon that may begin at `place`, as `at_mark` does: it may stand for a full stop."""
    text, first, limit, closed, _, _ = view
    if not closed and _SMILE_UNDECIDED.fullmatch(text, place, limit):
        return WAIT, place
    smile = _SMILE.match(text, place, limit)
    if not smile:
        return NO, place + 1
    if smile.end() == limit:
        return (NO, limit) if closed else (WAIT, place)
    if place == first or not text[place - 1].isspace():
        return NO, smile.end()
    return _after_gap(view, place, smile.end(), _MAY_END, "")


def _after_gap(view: View, place: int, stop: int, sort: Sort, tail: str) -> tuple[int, int]:
    """Goes on from the white space at `stop`, past emoji and emoticons, to what speaks for or against a sentence."""
    text, _, limit, closed, _, pictured = view
    for _ in range(4):
        gap = _GAP.match(text, stop, limit)
        if gap is None:
            return (NO, stop) if closed or stop < limit else (WAIT, place)
        if _LINE_BREAK.search(gap.group()):
            return (stop if sort.ends_line else NO), stop
        after = gap.end()
        if after - stop == _GAP_LOOK:
            return stop, stop
        if after == limit:
            return (NO, limit) if closed else (WAIT, place)
        if not closed and _SMILE_UNDECIDED.fullmatch(text, after, limit):
            return WAIT, place
        smile = _SMILE.match(text, after, limit)
        # Emoji belong to the sentence they follow, unless they stand before each sentence like bullets.
        if not smile or pictured or (smile.end() < limit and not text[smile.end()].isspace()):
            answer = YES if smile else _ask(view, after, sort, tail)
            if answer == WAIT:
                return WAIT, place
            return (stop, stop) if answer == YES else (NO, after)
        stop = smile.end()
        if sort.ends_line:
            sort = _PLAIN
    return stop, stop


def _ask(view: View, after: int, sort: Sort, tail: str) -> int:
    """YES when what begins at `after` opens a new sentence behind a mark of this sort, else NO, or WAIT."""
    text, _, limit, closed, _, _ = view
    openers = _OPENERS.match(text, after, limit)
    assert openers is not None  # it may be empty
    begin = openers.end()
    if begin == limit:
        return NO if closed else WAIT
    letter = text[begin]
    if begin == after and letter in _ORPHANS:
        return NO
    if letter.islower():
        return NO if _CLOSING.intersection(tail) else sort.small
    if letter.isdecimal():
        return sort.digit
    if not letter.isupper():
        return sort.other
    if isinstance(sort.capital, int):
        return sort.capital
    word = _WORD.match(text, begin, limit)
    if word is None:
        return NO
    if word.end() == limit and not closed and len(word.group()) < _STARTER_LOOK:
        return WAIT
    known = word.group().lower() in _words(sort.capital)
    return YES if known == (sort.capital in _SPEAKS_FOR) else NO


def _sort(view: View, place: int, marks: str) -> Sort:
    """What kind of mark this is, from the word before it."""
    before = _WORD_BACK.match(view.back(place, _WORD_LOOK)[::-1])
    word = before.group()[::-1].lower().lstrip(_APOSTROPHES) if before else ""
    if marks != ".":
        if marks.strip(".\u2026 "):
            return _MAY_END if word in _words("marked_names") else _PLAIN
        return _NEVER if place == view.first or view.back(place, 1) in _OMISSION else _ELLIPSIS
    if not word:
        return _PLAIN
    begin = place - len(word)
    if word.isdecimal():
        return _sort_number(view, begin, word)
    if word in _words("titles") or word in _words("introducers"):
        return _NEVER
    if word in _words("times"):
        return _NEVER if _is_lead_in(view, place) else _TIME
    if word in _words("unit_words") and view.back(begin, 2).rstrip()[-1:].isdecimal():
        return _MAY_END
    if word in _words("numbered_words"):
        return _WORD_OR_NUMBER
    if word in _words("closing"):
        return _LIST_END
    if len(word) == 1 or word in _words("may_end") or word in _words("numbered") or _LETTERS_AND_DOTS.fullmatch(word):
        return _MAY_END
    return _PLAIN


def _sort_number(view: View, begin: int, number: str) -> Sort:
    so_far = view.so_far(begin)
    if view.opens_line and so_far == "":
        return _NEVER  # "**1. Title**": the number belongs to what follows
    if len(number) > 2:
        return _PLAIN
    if so_far is not None and so_far.lower() in _words("labels"):
        return _NEVER  # "Step 1. Open it."
    opener = _LAST_WORD.search(view.back(begin, 12).rstrip())
    return _NEVER if opener and opener.group().lower() in _words("ordinal_openers") else _ORDINAL


def _is_lead_in(view: View, place: int) -> bool:
    """Whether the sentence is only a lead-in so far ("At 5 a.m."): few words, the first of them a preposition."""
    words = (view.so_far(place) or "").split()
    return 0 < len(words) <= 4 and words[0].lower() in _words("lead_ins")


def at_break(view: View, place: int, kind: str, length: int) -> tuple[int, int]:
    """Judges the line break at `place`, as `at_mark` does. `kind` is the sentence's, `length` that of the line."""
    gap = _GAP.match(view.text, place, view.limit)
    assert gap is not None  # a line break is white space
    if len(_LINE_BREAK.findall(gap.group())) > 1 or len(gap.group()) == _GAP_LOOK:
        return place, place
    after = gap.end()
    if after == view.limit:
        return (NO, after) if view.closed else (WAIT, place)
    opened = head(view.text, after, view.limit, view.closed)
    if opened is None:
        return WAIT, place
    if opened.kind == "quote" == kind:
        after = opened.end  # the next line of the same quotation
    elif opened.kind != "prose":
        return place, place
    answer = _ask_line(view, place, after, length)
    return (WAIT, place) if answer == WAIT else (place, place) if answer == YES else (NO, after)


def _ask_line(view: View, place: int, after: int, length: int) -> int:
    """YES when the line that ends at `place` is a sentence of its own, NO when it was only wrapped."""
    line = view.back(place, _GAP_LOOK).rstrip()
    ending = _ENDING.search(line)
    if ending:
        mark = place - len(view.back(place, _GAP_LOOK)) + ending.start()
        return _ask(view, after, _sort(view, mark, line[ending.start()]), "")
    openers = _OPENERS.match(view.text, after, view.limit)
    assert openers is not None  # it may be empty
    if openers.end() == view.limit:
        return YES if view.closed else WAIT
    word = _LAST_WORD.search(line)
    small = view.text[openers.end()].islower()
    if word and word.group().lower() in _words("open_words"):
        return NO
    if line.endswith(_GOES_ON) and (small or length >= _SHORT_LINE):
        return NO
    return NO if small and word and length >= _SHORT_LINE else YES
