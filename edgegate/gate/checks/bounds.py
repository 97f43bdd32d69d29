"""What a number was part of: the other end of a range, an open end, an addend of a sum, the rest of a run of digits.

Read by the truncated check. "Between 30 and 45" and "needs 30"; "eleven, not counting the hidden ones" and "eleven";
"six so far, out of forty" and "six in total"; "I sent 14, Joke 20, her sister 9" and "34 together"; "Tuesday to
Saturday" and "Tuesday and Saturday"; "0171 555 0192" and "0171 555".

Source: the paper's arithmetic checks (factwash, section 3); Quirk et al. 1985, 6.63-6.68 (numerals), 9.32 (ranges).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise

from edgegate.gate.write import Pairing, Write, stems
from edgegate.language import lexicon
from edgegate.language.passages import Passage, stem
from edgegate.language.values import Number

_PARTS = 8  # addends of one sentence that are tried in every combination
_PLACES = 8  # sentences with one number that are looked at
_NEAR = 4  # tokens around a number in which a mark of its bounds stands
Found = tuple[Passage, str, str]
"""The source sentence, what the memory keeps, and what is gone."""


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(lexicon.table("counting")[name])


def plain(passage: Passage) -> list[Number]:
    """The numbers of a sentence that are surely numbers and count or measure."""
    return [number for number in passage.values.numbers if not number.ordinal and not number.weak]


def _holds(words: Sequence[str], name: str) -> bool:
    return any(word in _words(name) for word in words)


def _sources(write: Write, pairing: Pairing) -> list[Passage]:
    """The linked sentences, and the other ones that hold a number of the memory sentence."""
    found = [link.source for link in pairing.links]
    for number in plain(pairing.candidate):
        found += [each for each in holding(write, number.value) if each not in found]
    return found


def holding(write: Write, value: Fraction) -> list[Passage]:
    """The first sentences of the source that hold a number as one word or in digits."""
    return [write.passages[place] for place in write.index.postings.get(str(value), ())[:_PLACES]]


def cut_range(write: Write, pairing: Pairing) -> Iterator[Found]:
    """A range of which the memory keeps one end: "between 300 and 400" and "300"."""
    candidate = pairing.candidate
    if _holds(candidate.words, "range_in_memory"):
        return
    theirs = {number.value for number in plain(candidate)}
    for source in _sources(write, pairing):
        numbers = plain(source)
        for one, other in pairwise(numbers):
            if not _is_range(source, one, other) or one.value >= other.value:
                continue
            if (one.value in theirs) != (other.value in theirs):
                kept, gone = (one, other) if one.value in theirs else (other, one)
                if not _said_alone(write, source, kept.value):
                    yield source, _quote(source, kept), _quote(source, gone)
                    return


def _is_range(source: Passage, one: Number, other: Number) -> bool:
    between = source.words[one.last : other.first]
    if len(between) != 1:
        return False
    if between[0] in _words("range_joints"):
        return True
    before = source.words[max(one.first - 1, 0) : one.first]
    return between[0] in _words("and_joints") and _holds(before, "range_openers")


def _said_alone(write: Write, source: Passage, value: Fraction) -> bool:
    """Whether another sentence has the number by itself."""
    return any(passage is not source for passage in holding(write, value))


def cut_days(write: Write, pairing: Pairing) -> Iterator[Found]:
    """A stretch of days of which the memory keeps the ends alone: "Tuesday to Saturday" and "Tuesday and Saturday"."""
    candidate = pairing.candidate
    if _holds(candidate.words, "range_in_memory") or _holds(candidate.words, "range_joints"):
        return
    days = lexicon.table("dates")["weekdays"]
    named = {days[word] for word in candidate.words if word in days}
    for link in pairing.links:
        words = link.source.words
        for at in range(len(words) - 2):
            if words[at] in days and words[at + 2] in days and words[at + 1] in _words("range_joints"):
                ends = {days[words[at]], days[words[at + 2]]}
                if named & ends and named <= ends and len(ends) == 2:
                    yield link.source, words[at], link.source.tokens.quote(at + 1, at + 3)
                    return
        for found in link.source.values.dates:
            if found.grain != "day" or found.recurring or not any(0 < end - start <= 130 for start, end in found.spans):
                continue
            for theirs in candidate.values.dates:
                ends_at = {day for span in found.spans for day in span}
                single = all(start == end for start, end in theirs.spans)
                if theirs.grain == "day" and single and not theirs.relative and {d for d, _ in theirs.spans} <= ends_at:
                    yield link.source, candidate.tokens.quote(theirs.first, theirs.last), "the rest of the stretch"
                    return


def open_end(write: Write, pairing: Pairing) -> Iterator[Found]:
    """A number that leaves something out, or has no end yet, told as the whole."""
    candidate = pairing.candidate
    whole = _holds(candidate.words, "total_words")
    theirs = {number.value for number in plain(candidate)}
    if _holds(candidate.words, "open_in_memory"):
        return
    for source in _sources(write, pairing):
        for number in plain(source):
            if number.value not in theirs:
                continue
            first, last = source.clause_at(number.first)
            after = source.words[number.last : min(last + _NEAR, len(source.words))]
            before = source.words[max(number.first - _NEAR, first) : number.first]
            text = " ".join(source.words[number.last :][: _NEAR + 8])
            if any(f" {phrase} " in f" {text} " for phrase in _words("exclusions")):
                yield source, _quote(source, number), "what it leaves out"
                return
            if whole and (_open(after, before) or _more_besides(source, number, theirs)):
                yield source, _quote(source, number), "that it is not all"
                return


def _open(after: Sequence[str], before: Sequence[str]) -> bool:
    behind, ahead = f" {' '.join(after)} ", f" {' '.join(before)} "
    return any(f" {phrase} " in behind for phrase in _words("open_after")) or any(
        f" {phrase} " in ahead for phrase in _words("open_before")
    )


def _more_besides(source: Passage, number: Number, kept: set[Fraction]) -> bool:
    """Whether the sentence goes on with a further amount: "320 to the dentist and at least that again"."""
    if _holds(source.words, "total_words"):
        return False
    rest = source.words[number.last :]
    later = any(other.first > number.last and other.value not in kept for other in plain(source))
    joined = any(word in _words("and_joints") for word in rest)
    return joined and (later or any(word in _words("further") for word in rest))


def lost_addend(write: Write, pairing: Pairing) -> Iterator[Found]:
    """A sum in the memory that leaves out one of the amounts the source lists."""
    candidate = pairing.candidate
    if not _holds(candidate.words, "joint_words"):
        return
    fresh = [number for number in plain(candidate) if not holding(write, number.value)]
    if not fresh:
        return
    for source in [link.source for link in pairing.links]:
        parts = [number.value for number in plain(source)][:_PARTS]
        if len(parts) < 3 or _holds(source.words, "range_joints"):
            continue
        for number in fresh:
            if sum(parts) == number.value:
                continue
            for size in range(2, len(parts)):
                if any(sum(some) == number.value for some in combinations(parts, size)):
                    yield source, candidate.tokens.quote(number.first, number.last), "one of the amounts"
                    return


def cut_digits(write: Write, pairing: Pairing) -> Iterator[Found]:
    """A number cut at its separator, or a run of digits cut short: "1,250" and "1", "0171 555 0192" and "0171 555"."""
    candidate = pairing.candidate
    for first, last in _runs(candidate):
        written = candidate.words[first:last]
        for link in pairing.links:
            source = link.source
            for begin, end in _runs(source):
                whole = source.words[begin:end]
                shorter = len(whole) > len(written) and end - begin >= 2
                inside = any(whole[at : at + len(written)] == written for at in range(len(whole)))
                if shorter and inside and not _repeated(write, source, written):
                    yield source, " ".join(written), " ".join(whole)
                    return
            if len(written) == 1 and written[0].isdigit():
                for at, word in enumerate(source.words):
                    cut = word.startswith((f"{written[0]}.", f"{written[0]},")) and word[-1].isdigit()
                    if cut and _beside(source, at, candidate, first) and not _repeated(write, source, written):
                        yield source, written[0], word
                        return


def _runs(passage: Passage) -> list[tuple[int, int]]:
    """Runs of tokens that begin with a digit, end exclusive, outside dates and times."""
    spans = [(each.first, each.last) for each in passage.values.dates]
    spans += [(each.first, each.last) for each in passage.values.clocks]
    dotted = {at for at, word in enumerate(passage.words) if "." in word}  # "3.12.4" may read as a date
    taken = {at for first, last in spans for at in range(first, last) if dotted.isdisjoint(range(first, last))}
    found: list[tuple[int, int]] = []
    for at, word in enumerate(passage.words):
        if not word[0].isdigit() or at in taken:
            continue
        if found and found[-1][1] == at:
            found[-1] = (found[-1][0], at + 1)
        else:
            found.append((at, at + 1))
    return found


def _beside(source: Passage, at: int, candidate: Passage, place: int) -> bool:
    mine = {stem(word) for word in (*source.words[max(at - 2, 0) : at], *source.words[at + 1 : at + 3])}
    theirs = {
        stem(word) for word in (*candidate.words[max(place - 2, 0) : place], *candidate.words[place + 1 : place + 3])
    }
    return bool({word for word in mine & theirs if word[0].isalpha() and word not in stems("articles")})


def _repeated(write: Write, source: Passage, written: Sequence[str]) -> bool:
    """Whether another sentence of the source has these digits by themselves."""
    near = [write.passages[place] for place in write.index.postings.get(stem(written[0]), ())[:_PLACES]]
    return any(
        passage.words[first:last] == list(written)
        for passage in near
        if passage is not source
        for first, last in _runs(passage)
    )


def short_list(write: Write, pairing: Pairing) -> Iterator[Found]:
    """A count with fewer items than the source lists for it: "four kids: Ada, Ben, Cy and Dot", "four kids, Ada and
    Ben"."""
    candidate = pairing.candidate
    if _holds(candidate.words, "part_words"):
        return
    for count in plain(candidate):
        if not 3 <= count.value <= 24 or count.value.denominator != 1:
            continue
        theirs = _items(candidate, count.last)
        if not 2 <= len(theirs) < count.value:
            continue
        for source in _sources(write, pairing):
            for number in plain(source):
                if number.value != count.value:
                    continue
                mine = _items(source, number.last)
                if len(mine) >= count.value and set(theirs) < set(mine):
                    yield source, _quote(source, number), ", ".join(sorted(set(mine) - set(theirs)))
                    return


def _items(passage: Passage, start: int) -> list[str]:
    """The first content stems of the items that are listed behind a counted noun."""
    words = passage.words
    at = next(
        (at for at in range(start, min(start + _NEAR + 1, len(words))) if words[at] in _words("list_openers")), None
    )
    if at is None:
        return []
    found: list[str] = []
    fresh = True
    for place in range(at + 1, len(words)):
        word = words[place]
        if word in _words("list_ends"):
            break
        if word in _words("list_joints"):
            fresh = True
        elif fresh and word[0].isalnum() and word not in _words("list_fillers"):
            found.append(stem(word))
            fresh = False
    return found


def _quote(passage: Passage, number: Number) -> str:
    return passage.tokens.quote(number.first, number.last)


def cut_addition(write: Write, pairing: Pairing) -> Iterator[Found]:
    """An amount to which the source adds another with "plus", told without it: "900 plus 120 for heating"."""
    candidate = pairing.candidate
    if _holds(candidate.words, "open_in_memory") or _holds(candidate.words, "joint_words"):
        return
    theirs = {number.value for number in plain(candidate)}
    for source in _sources(write, pairing):
        for one, other in pairwise(plain(source)):
            added = _holds(source.words[one.last : other.first], "plus_words")
            if added and one.value in theirs and not {other.value, one.value + other.value} & theirs:
                yield source, _quote(source, one), _quote(source, other)
                return


READERS = (cut_range, cut_addition, cut_days, open_end, lost_addend, cut_digits, short_list)
"""What is looked for, in order."""
