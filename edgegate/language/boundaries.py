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

from edgegate.language.blocks import WAIT, head
from edgegate.language.lexicon import table

YES = 1
NO = -2

# How far back a rule reads. The splitter keeps at least this much text before the place it works at.
LOOK_BACK = 300
# How much white space a rule reads before it takes the gap itself for a boundary.
_GAP_LOOK = 64
# A line shorter than this was ended on purpose, not by wrapping.
_SHORT_LINE = 40

BREAKS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_WIDE = "\u3002\uff01\uff1f\uff61"
MARKS = "!?\u203c\u2047\u2048\u2049" + _WIDE
_RUN = re.compile(rf"[.\u2026{MARKS}]{{1,64}}")
_SPACED_DOTS = re.compile(r"\.(?: \.){1,7}(?![\w.])")
_SPACED_DOTS_UNDECIDED = re.compile(r"\.(?: \.){0,7} ?")
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
_WORD = re.compile(r"[^\W\d_]{1,24}")
# The word before a mark, read backwards.
_WORD_BACK = re.compile('[^\\s"\u201c\u201d\u201e\u00ab\u00bb()\\[\\]{}*_~`,;:<>|=\u2026\u2013\u2014/-]{1,40}')
_ENDING = re.compile(rf"[.\u2026{MARKS}][\"'\u2019\u201d\u00bb)\]}}*_~`]{{0,16}}$")
_LETTERS_AND_DOTS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_LAST_WORD = re.compile(r"[^\W\d_]+(?=[\"'*_)]*$)")
_CLOSING = frozenset("\"'\u2019\u201d\u00bb\u300d\u300f)]}")
_APOSTROPHES = "'\u2018\u2019"
# Signs that can't open a sentence.
_ORPHANS = frozenset(",;:)]}%\u2019\u201d")
# Before an ellipsis, these say that words were left out of a quotation.
_OMISSION = frozenset("[(")
# Signs that leave a line unfinished.
_GOES_ON = (",", "-", "\u2013", "\u2014", "/", "&")


@cache
def _words(name: str) -> frozenset[str]:
    tables: dict[str, Any] = table("segmentation")
    return frozenset(tables[name])


class Sort(NamedTuple):
    """A kind of mark, by what it answers to the character that follows the white space.

    YES and NO speak for themselves; a name in `capital` asks the word that begins with the capital (see _ASK).
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


def at_mark(text: str, first: int, place: int, limit: int, closed: bool, whole: bool) -> tuple[int, int]:
    """Judges the mark at `text[place]` in the sentence that begins at `first`.

    Returns (answer, resume): the answer is the offset where the sentence ends, NO or WAIT; after NO, reading goes on at
    `resume`. `limit` is the end of what may be read and `closed` says that the text ends there; `whole` says that
    `text[first]` is the sentence's first character (that none was moved away).
    """
    dots = _SPACED_DOTS.match(text, place, limit)
    run = dots or _RUN.match(text, place, limit)
    assert run is not None
    if not closed and _SPACED_DOTS_UNDECIDED.fullmatch(text, place, limit):
        return WAIT, place
    marks = run.group()
    if run.end() == limit and not closed and len(marks) < 64:
        return WAIT, place
    tail = _TAIL.match(text, run.end(), limit)
    assert tail is not None
    stop = tail.end()
    if not closed and (stop == limit or _TAIL_UNDECIDED.fullmatch(text, stop, limit)):
        return WAIT, place
    emoji = _EMOJI.match(text, stop, limit)
    if emoji:
        stop = emoji.end()
        if stop == limit and not closed:
            return WAIT, place
    if stop == limit:
        return NO, limit
    if not text[stop].isspace():
        return (stop if _ends_without_space(text, first, place, stop, marks) else NO), stop
    sort = _sort(text, first, place, marks, whole)
    return _after_gap(text, first, place, stop, limit, closed, sort, tail.group())


def _ends_without_space(text: str, first: int, place: int, stop: int, marks: str) -> bool:
    if marks[-1] in _WIDE:
        return True
    # "great!You": but not in an address or a name such as "Yahoo!Answers", which keep small letters and signs together.
    if marks[-1] not in "!?" or not text[stop].isupper() or place == first or not text[place - 1].islower():
        return False
    word = text[max(first, place - 40) : place].split()[-1]
    return word.isalpha() and word.lower() not in _words("marked_names")


def at_smile(text: str, first: int, place: int, limit: int, closed: bool) -> tuple[int, int]:
    """Judges an emoji or emoticon that may begin at `text[place]`, as `at_mark` does: it may stand for a full stop."""
    if not closed and _SMILE_UNDECIDED.fullmatch(text, place, limit):
        return WAIT, place
    smile = _SMILE.match(text, place, limit)
    if not smile:
        return NO, place + 1
    if smile.end() == limit or place == first or not text[place - 1].isspace():
        return (WAIT, place) if smile.end() == limit and not closed else (NO, smile.end())
    return _after_gap(text, first, place, smile.end(), limit, closed, _MAY_END, "")


def _after_gap(
    text: str, first: int, place: int, stop: int, limit: int, closed: bool, sort: Sort, tail: str
) -> tuple[int, int]:
    """Goes on from the white space at `stop`, past emoji and emoticons, to what speaks for or against a sentence."""
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
        if not smile or (smile.end() < limit and not text[smile.end()].isspace()) or _EMOJI.match(text, first):
            answer = YES if smile else _ask(text, after, limit, closed, sort, tail)
            if answer == WAIT:
                return WAIT, place
            return (stop, stop) if answer == YES else (NO, after)
        stop = smile.end()
        if sort.ends_line:
            sort = _PLAIN
    return stop, stop


def _ask(text: str, after: int, limit: int, closed: bool, sort: Sort, tail: str) -> int:
    """YES when what begins at `after` opens a new sentence behind a mark of this sort, else NO, or WAIT."""
    openers = _OPENERS.match(text, after, limit)
    assert openers is not None
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
    assert word is not None
    if word.end() == limit and not closed and len(word.group()) < 24:
        return WAIT
    known = word.group().lower() in _words(sort.capital)
    return YES if known == (sort.capital in _SPEAKS_FOR) else NO


def _sort(text: str, first: int, place: int, marks: str, whole: bool) -> Sort:
    """What kind of mark this is, from the word before it."""
    before = _WORD_BACK.match(text[max(first, place - 40) : place][::-1])
    word = before.group()[::-1].lower().lstrip(_APOSTROPHES) if before else ""
    if marks != ".":
        if marks.strip(".\u2026 "):
            return _MAY_END if word in _words("marked_names") else _PLAIN
        return _NEVER if place > first and text[place - 1] in _OMISSION else _ELLIPSIS
    if before is None or not word:
        return _PLAIN
    if word.isdecimal():
        return _sort_number(text, first, place - before.end(), word, whole)
    if word in _words("titles") or word in _words("introducers"):
        return _NEVER
    if word in _words("times"):
        return _NEVER if whole and _is_lead_in(text, first, place) else _TIME
    if word in _words("numbered_words"):
        return _WORD_OR_NUMBER
    if word in _words("closing"):
        return _LIST_END
    if len(word) == 1 or word in _words("may_end") or word in _words("numbered") or _LETTERS_AND_DOTS.fullmatch(word):
        return _MAY_END
    return _PLAIN


def _sort_number(text: str, first: int, begin: int, number: str, whole: bool) -> Sort:
    if whole and not text[first:begin].strip("*_~`\"'( "):
        return _NEVER  # "**1. Title**": the number belongs to what follows
    if len(number) > 2:
        return _PLAIN
    opener = _LAST_WORD.search(text[max(first, begin - 12) : begin].rstrip())
    return _NEVER if opener and opener.group().lower() in _words("ordinal_openers") else _ORDINAL


def _is_lead_in(text: str, first: int, place: int) -> bool:
    """ "At 5 a.m." opens its sentence: few words so far, the first of them a preposition."""
    words = text[first:place].split() if place - first < 30 else []
    return 0 < len(words) <= 4 and words[0].lower() in _words("lead_ins")


def at_break(text: str, first: int, place: int, limit: int, closed: bool, kind: str, length: int) -> tuple[int, int]:
    """Judges the line break at `text[place]`, as `at_mark` does; `length` is that of the line it ends."""
    gap = _GAP.match(text, place, limit)
    assert gap is not None
    if len(_LINE_BREAK.findall(gap.group())) > 1 or len(gap.group()) == _GAP_LOOK:
        return place, place
    after = gap.end()
    if after == limit:
        return (NO, limit) if closed else (WAIT, place)
    opened = head(text, after, limit, closed)
    if opened is None:
        return WAIT, place
    if opened.kind == "quote" == kind:
        after = opened.end  # the next line of the same quotation
    elif opened.kind != "prose":
        return place, place
    answer = _ask_line(text, first, place, after, limit, closed, length)
    return (WAIT, place) if answer == WAIT else (place, place) if answer == YES else (NO, after)


def _ask_line(text: str, first: int, place: int, after: int, limit: int, closed: bool, length: int) -> int:
    """YES when the line that ends at `place` is a sentence of its own, NO when it was only wrapped."""
    line = text[max(first, place - 64) : place].rstrip()
    ending = _ENDING.search(line)
    if ending:
        mark = place - (len(text[max(first, place - 64) : place]) - ending.start())
        return _ask(text, after, limit, closed, _sort(text, first, mark, line[ending.start()], False), "")
    openers = _OPENERS.match(text, after, limit)
    assert openers is not None
    if openers.end() == limit:
        return YES if closed else WAIT
    word = _LAST_WORD.search(line)
    small = text[openers.end()].islower()
    if word and word.group().lower() in _words("open_words"):
        return NO
    if line.endswith(_GOES_ON) and (small or length >= _SHORT_LINE):
        return NO
    return NO if small and word and length >= _SHORT_LINE else YES
