"""A list of which the memory keeps a part: what one must not have, or what is all there is.

Read by the truncated check. "Allergic to cashews, pistachios and mango skin" and "allergic to cashews"; "the exams are
English, physics, chemistry and maths" and "exams are English, physics and chemistry". A memory that picks one thing
out of what was only told leaves out nothing that misleads, so two shapes count: the list stands behind a word of what
must not be, or the memory lists itself and all that it lists comes from the source's list.

Source: the paper's arithmetic checks (factwash, section 3); Quirk et al. 1985, ch. 13 (coordination).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from edgegate.gate.write import Pairing, Write, words
from edgegate.language import lexicon
from edgegate.language.align import is_general
from edgegate.language.passages import Passage, stem

_FEW = 2  # items that make a list
_LONG = 3  # tokens of an item between two commas
_CALL = 2  # tokens at the start of a sentence that call somebody or say when
_WORDS = 4  # content words of one item
Found = tuple[Passage, str, str]


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(lexicon.table("counting")[name])


def cut_list(write: Write, pairing: Pairing) -> Iterator[Found]:
    """A list of which the memory keeps some items as if they were all."""
    candidate = pairing.candidate
    if any(word in _words("part_words") or word in _words("range_in_memory") for word in candidate.words):
        return
    held = write.memory_stems
    theirs = _listed(candidate)
    for link in pairing.links:
        mine = _listed(link.source)
        if len(mine) < _FEW + 1 and not (len(mine) == _FEW and _forbids(link.source)):
            continue
        kept = [item for item in mine if item & held]
        gone = [item for item in mine if not item & held]
        if not kept or not gone or not any(item & set(candidate.stems) for item in kept):
            continue
        whole = set().union(*mine)
        listed = len(theirs) >= _FEW and all(item & whole for item in theirs) and len(kept) >= _FEW
        if listed or (_forbids(link.source) and _forbids(candidate) and _ends_with(candidate, whole)):
            word = next(word for place, word in link.source.content if word in set().union(*gone))
            at = next(place for place, each in link.source.content if each == word)
            yield link.source, "a part of a list", link.source.words[at]
            return


def _listed(passage: Passage) -> list[set[str]]:
    """The content stems of each item of the longest list in a sentence: items between commas, "and" before the last."""
    best: list[set[str]] = []
    here: list[set[str]] = []
    item: list[str] = []
    content = dict(passage.content)
    closing = False
    start = 0  # of the item
    for at, word in enumerate([*passage.words, "."]):
        joint = word in _words("list_joints")
        if joint and not closing:
            if here and at - start > _LONG:
                here = []  # "lately, I've been looking into law and medicine": no item, but what the list belongs to
            if here or start or at > _CALL:
                here.append(set(item[-_WORDS:]))  # "hey Jon, ..." opens no list
            item, closing, start = [], word in _words("and_joints"), at + 1
        elif joint or word in _words("list_breaks") or not (word[0].isalnum() or word == "-"):
            if closing and item:
                best = max(best, [each for each in (*here, set(item[:_WORDS])) if each], key=len)
            here, item, closing, start = [], [], False, at + 1
        elif at in content and not is_general(content[at]) and content[at] != "not":
            item.append(content[at])
    return best


def _forbids(passage: Passage) -> bool:
    """Whether a sentence says what somebody must not have."""
    if any(word in _words("forbidding_words") for word in passage.words):
        return True
    content = {place for place, _ in passage.content}
    return any(
        stem(word) == "not"
        and (at + 1 in content or any(each in _words("having_verbs") for each in passage.words[at + 1 : at + 3]))
        for at, word in enumerate(passage.words)
    )


def _ends_with(candidate: Passage, whole: set[str]) -> bool:
    """Whether the memory says no more behind what it keeps of the list, so that it stands for all."""
    places = [place for place, word in candidate.content if word in whole]
    return not any(place > places[-1] for place, _ in candidate.content) if places else False


def cut_weekdays(write: Write, pairing: Pairing) -> Iterator[Found]:
    """Some of the days of the week that a sentence lists: "open Tue, Wed and Fri" and "open on Tuesdays"."""
    near = (write.before(pairing.candidate), pairing.candidate, write.after(pairing.candidate))
    kept = {day for passage in near if passage is not None for _, day in _weekdays(passage)}
    recurs = any(found.recurring for found in pairing.candidate.values.dates)
    if not kept or not recurs or any(word in _words("part_words") for word in pairing.candidate.words):
        return
    if any(word in _words("range_marks") for word in pairing.candidate.words):
        return
    for link in pairing.links:
        mine = _weekdays(link.source)
        joined = all(
            all(word in _words("list_joints") for word in link.source.words[one + 1 : other])
            for (one, _), (other, _) in pairwise(mine)
        )
        days = {day for _, day in mine}
        if len(days) >= _FEW and joined and kept < days and not link.source.is_question:
            gone = next(at for at, day in mine if day not in kept)
            yield link.source, "a part of the days", link.source.words[gone]
            return


def _weekdays(passage: Passage) -> list[tuple[int, int]]:
    """The days of the week that a sentence names, by token."""
    table = lexicon.table("dates")
    known = {**table["weekdays"], **table["weekday_plurals"]}
    if any(word in known for word in passage.words):
        known |= lexicon.table("counting")["short_weekdays"]  # "wed" beside "tue" is a day
    return [(at, known[word]) for at, word in enumerate(passage.words) if word in known]


def cut_table(write: Write, pairing: Pairing) -> Iterator[Found]:
    """Some entries of what a sentence goes through one by one, in a memory that lists.

    "Farid no pork, Lucia is coeliac, Tom no shellfish" and "Needs: Farid no pork, Tom no shellfish".
    """
    candidate = pairing.candidate
    if not any(word in words("list_openers") for word in candidate.words):
        return
    if any(word in _words("part_words") for word in candidate.words):
        return
    held = write.memory_stems
    colon = next(at for at, word in enumerate(candidate.words) if word in words("list_openers"))
    listed = {word for at, word in candidate.content if at > colon}
    entries = _entries(candidate, colon)
    for link in pairing.links:
        rows = _rows(link.source)
        kept = [row for row in rows if row & listed]
        gone = [row for row in rows if not row & held]
        if (
            len(rows) > _FEW
            and entries <= len(rows)
            and len(kept) >= _FEW
            and gone
            and len(kept) + len(gone) == len(rows)
        ):
            word = next(word for place, word in link.source.content if word in gone[0])
            at = next(place for place, each in link.source.content if each == word)
            yield link.source, "a part of a list", link.source.words[at]
            return


def _entries(candidate: Passage, colon: int) -> int:
    """How many things a memory lists behind a colon; what stands in brackets belongs to one of them."""
    depth, found = 0, 1
    for word in candidate.words[colon + 1 :]:
        depth += (word == "(") - (word == ")")
        found += depth <= 0 and word in _words("list_joints")
    return found


def _rows(passage: Passage) -> list[set[str]]:
    """The telling stems between the commas of a sentence that goes through several things; none where one part tells
    nothing."""
    parts: list[set[str]] = [set()]
    content = dict(passage.content)
    joint = next(each for each in lexicon.table("counting")["row_joints"] if each in passage.words or each == ",")
    for at, word in enumerate(passage.words):
        if word == joint:
            parts.append(set())
        elif at in content and content[at] != "not":
            parts[-1].add(content[at])
    return parts if all(parts) else []
