"""How two clauses that speak of the same thing differ: polarity, owner, names, numbers, quantities and dates.

The gate's checks, the reply guard's support and reconciliation share this one reading of a contradiction. `compare`
reports contradictions only: what one clause says and the other leaves open is no difference.

Sources: Huddleston & Pullum 2002, ch. 9 (negation and its scope), Cruse 1986, ch. 9-10 (opposites).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Literal

from edgegate.language import lexicon
from edgegate.language.cues import CueMatch
from edgegate.language.days import Date, relate
from edgegate.language.owners import Owner, owner, owners_differ
from edgegate.language.passages import Clause, stem
from edgegate.language.values import Name, Number, Quantity, relate_quantities

Kind = Literal["polarity", "owner", "name", "number", "quantity", "unit", "date"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One contradiction between a source clause and a candidate clause.

    `source` and `candidate` are token ranges (end exclusive) in the two passages, or None where a side has no words of
    its own for it. `cue` is the cue behind it, where there is one; `detail` says it in plain words.
    """

    kind: Kind
    source: tuple[int, int] | None
    candidate: tuple[int, int] | None
    detail: str
    cue: CueMatch | None = None


def negations(clause: Clause) -> list[CueMatch]:
    """The negation cues of a clause that deny something: overt and lexical, without near negators ("hardly")."""
    return [match for match in clause.cues("negation") if match.cue.effect in lexicon.table("denying_effects")]


def denied(clause: Clause, token: int) -> CueMatch | None:
    """The cue that denies the word at `token`, or None where it is asserted. Two negations make an assertion.

    >>> from edgegate.language.passages import read
    >>> clause = Clause.whole(read("We did not take the train.")[0])
    >>> denied(clause, 5).text, denied(clause, 0)
    ('not', None)
    """
    over = [match for match in negations(clause) if match.scope_first <= token < match.scope_last]
    if len(over) == 2 and over[0].text.lower().split()[0] in lexicon.table("correlatives").get(
        over[1].text.lower(), ()
    ):
        return over[0]  # "neither the bus nor the train runs" denies once
    if len(over) == 2 and _agree(over[0], over[1]):
        return over[0]  # "ain't never been paid off" denies once
    return over[0] if len(over) % 2 else None


def _agree(one: CueMatch, other: CueMatch) -> bool:
    """Whether two negations are one, as many people speak: a negated verb with "never" or "nothing" behind it."""
    verb, word = one.text.lower(), other.text.lower()
    return verb.replace("’", "'") in lexicon.table("concord_verbs") and word in lexicon.table("concord_words")


@cache
def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for one, other in lexicon.table("opposites")["pairs"]:
        found.setdefault(stem(one), set()).add(stem(other))
        found.setdefault(stem(other), set()).add(stem(one))
    return {word: frozenset(others) for word, others in found.items()}


def opposite(one: str, other: str) -> bool:
    """Whether two stems are opposites of one another.

    >>> opposite(stem("accepts"), stem("rejected")), opposite(stem("accepts"), stem("loves"))
    (True, False)
    """
    return other in _opposites().get(one, frozenset())


def _shared(source: Clause, candidate: Clause) -> list[tuple[int, int]]:
    """Pairs of tokens (source, candidate) with the same content stem."""
    there: dict[str, list[int]] = {}
    for place, word in candidate.content():
        there.setdefault(word, []).append(place)
    return [(place, other) for place, word in source.content() for other in there.get(word, ())]


def polarity(source: Clause, candidate: Clause) -> list[Difference]:
    """Where one clause denies what the other asserts: a shared word on other sides of a negation, or two opposites.

    At most one difference, the first.
    """
    for here, there in _shared(source, candidate):
        mine, theirs = denied(source, here), denied(candidate, there)
        if (mine is None) != (theirs is None) and stem(source.passage.words[here]) != "not":
            where = "denied in the source and asserted here" if mine else "asserted in the source and denied here"
            detail = f"“{source.passage.words[here]}” is {where}"
            return [_polar(mine, theirs, here, there, mine or theirs, detail)]
    for here, word in source.content():
        for there, other in candidate.content():
            if opposite(word, other) and (denied(source, here) is None) == (denied(candidate, there) is None):
                detail = f"“{source.passage.words[here]}” became “{candidate.passage.words[there]}”"
                return [Difference("polarity", (here, here + 1), (there, there + 1), detail)]
    return []


def _polar(
    mine: CueMatch | None, theirs: CueMatch | None, here: int, there: int, cue: CueMatch | None, detail: str
) -> Difference:
    source = (mine.first, mine.last) if mine else (here, here + 1)
    candidate = (theirs.first, theirs.last) if theirs else (there, there + 1)
    return Difference("polarity", source, candidate, detail, cue)


def _inside(
    clause: Clause, values: Collection[Number | Quantity | Date | Name]
) -> list[Number | Quantity | Date | Name]:
    return [value for value in values if clause.first <= value.first and value.last <= clause.last]


def _quantities(clause: Clause) -> list[Quantity]:
    return [each for each in clause.passage.values.quantities if clause.holds(each.first)]


def _numbers(clause: Clause) -> list[Number]:
    """Numbers of a clause that are no part of a quantity and are surely numbers."""
    inside = _quantities(clause)
    return [
        each
        for each in clause.passage.values.numbers
        if clause.holds(each.first)
        and not each.weak
        and not any(quantity.first <= each.first < quantity.last for quantity in inside)
    ]


def quantities(source: Clause, candidate: Clause) -> list[Difference]:
    """Quantities of the candidate that no quantity of the source bears out: "unit" (same number, other unit) or
    "quantity" (same dimension, other amount)."""
    found: list[Difference] = []
    mine = _quantities(source)
    for theirs in _quantities(candidate):
        relations = [(relate_quantities(each, theirs), each) for each in mine]
        if any(relation == "same" for relation, _ in relations):
            continue
        for wanted, kind in (("unit", "unit"), ("value", "quantity")):
            hit = next((each for relation, each in relations if relation == wanted), None)
            if hit is not None and (kind == "unit" or not _has_value(source, theirs)):
                detail = f"“{_text(source, hit)}” became “{_text(candidate, theirs)}”"
                spans = (hit.first, hit.last), (theirs.first, theirs.last)
                found.append(Difference("unit" if kind == "unit" else "quantity", *spans, detail))
                break
    return found


def _has_value(clause: Clause, quantity: Quantity) -> bool:
    return any(number.value == quantity.value for number in clause.passage.values.numbers)


def numbers(source: Clause, candidate: Clause) -> list[Difference]:
    """Plain numbers of the candidate that contradict those of the source: both have some, and none is the same.

    A number counts as the same when it is anywhere in the source sentence, in digits or in words.
    """
    mine, theirs = _numbers(source), _numbers(candidate)
    known = {number.value for number in source.passage.values.numbers}
    known |= {quantity.value for quantity in source.passage.values.quantities}
    lost = [number for number in theirs if number.value not in known]
    kept = {number.value for number in theirs}
    free = [number for number in mine if number.value not in kept]
    return [
        Difference(
            "number",
            (other.first, other.last),
            (number.first, number.last),
            f"“{_text(source, other)}” became “{_text(candidate, number)}”",
        )
        for number, other in zip(lost, free, strict=False)
    ]


def dates(source: Clause, candidate: Clause) -> list[Difference]:
    """Dates of the candidate that every comparable date of the source contradicts."""
    found: list[Difference] = []
    mine = [each for each in source.passage.values.dates if source.holds(each.first)]
    for theirs in candidate.passage.values.dates:
        if not candidate.holds(theirs.first):
            continue
        relations = [relate(each, theirs) for each in mine]
        if "apart" in relations and not any(relation in ("same", "within") for relation in relations):
            hit = mine[relations.index("apart")]
            detail = f"“{_text(source, hit)}” became “{_text(candidate, theirs)}”"
            found.append(Difference("date", (hit.first, hit.last), (theirs.first, theirs.last), detail))
    return found


def clock_times(source: Clause, candidate: Clause) -> list[Difference]:
    """Clock times of the candidate when the source clause has clock times and none of them agrees."""
    mine = [each for each in source.passage.values.clocks if source.holds(each.first)]
    found: list[Difference] = []
    for theirs in candidate.passage.values.clocks:
        if candidate.holds(theirs.first) and mine and not any(set(each.minutes) & set(theirs.minutes) for each in mine):
            detail = f"“{_text(source, mine[0])}” became “{_text(candidate, theirs)}”"
            found.append(Difference("date", (mine[0].first, mine[0].last), (theirs.first, theirs.last), detail))
    return found


def names(source: Clause, candidate: Clause, known: Collection[str] = ()) -> list[Difference]:
    """A name in the candidate where the source has another one: each side has a sure name that the other lacks.

    `known` are names that may stand in the candidate without being in the source (the user's own, say).
    """
    mine = [each for each in source.passage.values.names if source.holds(each.first)]
    theirs = [each for each in candidate.passage.values.names if candidate.holds(each.first) and each.sure]
    said = set(source.passage.words) | {word.removesuffix("'s") for word in source.passage.words}
    told = {word.removesuffix("'s") for word in candidate.passage.words}
    added = [each for each in theirs if not any(part in said or part in known for part in each.key.split())]
    gone = [each for each in mine if each.sure and not any(part in told for part in each.key.split())]
    return [
        Difference(
            "name",
            (gone[0].first, gone[0].last),
            (each.first, each.last),
            f"“{_text(source, gone[0])}” became “{_text(candidate, each)}”",
        )
        for each in added
        if gone
    ]


def _text(clause: Clause, value: object) -> str:
    first, last = getattr(value, "first", 0), getattr(value, "last", 0)
    return clause.passage.tokens.quote(int(first), int(last))


def compare(
    source: Clause, candidate: Clause, *, user: str = "user", about: str | None = None, known: Collection[str] = ()
) -> list[Difference]:
    """Every contradiction between a source clause and a candidate clause that speak of the same thing.

    `user` names the speaker who is the user; `about` is the person a memory is filed under, who then is the subject of
    a candidate without one; `known` are folded names that may be added. The order is polarity, owner, name, number,
    quantity and unit, date. Alignment is the caller's part: two clauses about different things differ in everything.

    >>> from edgegate.language.passages import read
    >>> source = Clause.whole(read("I lent Bashir 600 francs on 2 May.", speaker="user")[0])
    >>> candidate = Clause.whole(read("User lent Bashir 600 euros on 3 May.")[0])
    >>> [(each.kind, each.detail) for each in compare(source, candidate)]
    [('unit', '“600 francs” became “600 euros”'), ('date', '“2 May” became “3 May”')]
    """
    found = polarity(source, candidate)
    mine, theirs = owner(source, user=user), owner(candidate, user=user, about=about)
    if owners_differ(mine, theirs):
        found.append(Difference("owner", _range(mine), _range(theirs), f"{mine.label} became {theirs.label}"))
    found += names(source, candidate, known)
    found += numbers(source, candidate)
    found += quantities(source, candidate)
    found += dates(source, candidate)
    found += clock_times(source, candidate)
    return found


def _range(found: Owner) -> tuple[int, int] | None:
    return None if found.first is None or found.last is None else (found.first, found.last)
