"""Whether a fact about to be kept is new, already known, or takes the place of one that is kept.

*Known* is only what a kept memory says in full: every date, time and number of the new fact, as surely and of the same
person. An *update* either says all that the kept memory says and more, or contradicts it; what it said before goes into
its history. Facts of different people or dates never merge, and what came in together never replaces one another.
After seed 002 of the project's design (the quiz that lost its time).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property

from edgegate import policy
from edgegate.gate.report import inspect
from edgegate.language import lexicon
from edgegate.language.compare import compare
from edgegate.language.days import relate
from edgegate.language.owners import Owner, owner, owners_differ
from edgegate.language.passages import Clause, Passage, stem
from edgegate.language.values import Date, Values, relate_quantities
from edgegate.memory.changes import MODAL, State, ends, in_time, told
from edgegate.memory.contradiction import contradicts, is_occasion, may_contradict, reversed_order, turned
from edgegate.memory.kinds import group
from edgegate.memory.one_value import (
    has_age,
    has_one_value,
    is_another_one,
    one_differs,
    other_amount,
    settled,
    subject_of,
)
from edgegate.records import Severity
from edgegate.stores.records import StoredMemory

LONGEST = 2000
"""Characters of a fact that are read; a longer one is never merged."""

DAY_MARK = "@"
"""What begins a term that is a day."""

_DAYS = 31  # days of one date that a memory can be found by
_SHARE = 0.4  # of a richer fact, that a kept one must make up to be the same fact
_LEAST = 2  # words and values that a fact must have before a richer one takes its place


@dataclass(frozen=True, slots=True)
class Decision:
    """`outcome` is new, known or update; `id` the memory it is about (None for a new one); `reason` a short key."""

    outcome: str
    id: str | None
    reason: str


@cache
def _table(name: str) -> frozenset[str]:
    return frozenset(lexicon.table("reconcile")[name])


def day_of(now: str | None) -> date | None:
    """The day of an ISO date or date-time, None where there is none that can be read.

    >>> day_of("2026-03-14T09:00:00+01:00"), day_of("soon")
    (datetime.date(2026, 3, 14), None)
    """
    try:
        return date.fromisoformat(now[:10]) if now else None
    except ValueError:
        return None


class Reading:
    """A fact read for comparison: its words without values, its values, its owner."""

    def __init__(self, text: str, now: str | None = None, about: str | None = None) -> None:
        self.text = text
        self.now = now
        self.about = (about or "").strip().lower()
        self.passage = Passage(text[:LONGEST], now=day_of(now))
        self.clause = Clause.whole(self.passage)
        self.words = self.passage.words

    @property
    def values(self) -> Values:
        return self.passage.values

    @cached_property
    def owner(self) -> Owner:
        return owner(self.clause, about=self.about or None)

    @cached_property
    def core(self) -> frozenset[str]:
        """The stems of the content words that belong to no date, time or amount and do not deny."""
        found = self.values
        spans = [(each.first, each.last) for each in found.dates]
        spans += [(each.first, each.last) for each in found.clocks]
        spans += [(each.first, each.last) for each in found.quantities]
        spans += [(each.first, each.last) for each in found.numbers if not each.weak]
        taken = {place for first, last in spans for place in range(first, last)}
        return frozenset(word for place, word in self.passage.content if place not in taken and word != "not")

    @cached_property
    def size(self) -> int:
        found = self.values
        return len(self.core) + len(found.dates) + len(found.clocks) + len(found.quantities) + len(self.bare_numbers)

    @cached_property
    def bare_numbers(self) -> frozenset[object]:
        """Numbers that are no part of a date, a time or an amount."""
        found = self.values
        spans = [(each.first, each.last) for each in found.dates]
        spans += [(each.first, each.last) for each in found.clocks]
        spans += [(each.first, each.last) for each in found.quantities]
        return frozenset(
            each.value
            for each in found.numbers
            if not each.weak and not any(first <= each.first < last for first, last in spans)
        )

    @cached_property
    def settled(self) -> Reading | None:
        """The same fact as its new value alone, where it tells how a value changed."""
        value = settled(self.text[:LONGEST])
        return None if value == self.text else Reading(value, self.now, self.about or None)

    @cached_property
    def tells_age(self) -> bool:
        return has_age(self)

    @cached_property
    def told(self) -> State | None:
        """The state that it tells, read as a new fact."""
        return told(self)

    @cached_property
    def told_before(self) -> State | None:
        """The state that it tells, read as a kept one."""
        return told(self, kept=True)

    @cached_property
    def modality(self) -> frozenset[str]:
        """Which families of cues say that it is unsure, told by somebody, or only under a condition."""
        return frozenset(match.cue.family for match in self.passage.family(*MODAL))


Readings = dict[tuple[str, str | None, str | None], "Reading"]
"""Facts that are read already, for one batch: a text, when it was said, whose file it is in."""


def _read(readings: Readings, text: str, now: str | None, about: str | None) -> Reading:
    found = readings.get((text, now, about))
    if found is None:
        found = readings[text, now, about] = Reading(text, now, about)
    return found


def terms_of(text: str, now: str | None = None, about: str | None = None) -> tuple[str, ...]:
    """What a memory can be found by: the stems of its words and of the person it is filed under, each once, and its
    days as `@` and the ISO date, where `now` or a year places them.

    >>> terms_of("The user bakes rye bread and more bread tomorrow", "2026-03-14")
    ('bak', 'rye', 'bread', 'tomorrow', '@2026-03-15')
    """
    passage = Passage(text[:LONGEST], now=day_of(now))
    found = [word for _, word in passage.content]
    if about:
        found += [word for _, word in Passage(about[:LONGEST]).content]
    for each in passage.values.dates:
        for first, last in each.spans:
            found += [f"{DAY_MARK}{date.fromordinal(day)}" for day in range(first, min(last, first + _DAYS - 1) + 1)]
    return tuple(dict.fromkeys(found))


def reconcile(
    text: str,
    memories: Sequence[StoredMemory],
    *,
    kind: str = "fact",
    now: str | None = None,
    about: str | None = None,
    together: Collection[str] = (),
    readings: Readings | None = None,
) -> Decision:
    """What becomes of a new fact beside the kept `memories`.

    `now` is when it was said (ISO), `about` the person it is filed under, `together` the ids of memories that came in
    with it: those can make it known, and are never replaced by it. `readings` is filled with what was read, for the
    next call on the same memories; nothing else is kept of them.

    >>> from edgegate.records import Verdict
    >>> kept = [StoredMemory("1.0", "Quiz on November 7", "event", Verdict.PASS)]
    >>> reconcile("Quiz at 3:00 PM on November 7", kept).outcome, reconcile("Quiz on 7 November", kept).outcome
    ('update', 'known')
    >>> reconcile("Quiz on November 14", kept).outcome
    'new'
    """
    if len(text) > LONGEST:
        same = next((each for each in memories if each.text == text), None)
        return Decision("known", same.id, "same words") if same else Decision("new", None, "too long to compare")
    readings = {} if readings is None else readings
    fact = _read(readings, text, now, about)
    best = Decision("new", None, "nothing like it")
    overlap = -1.0
    for memory in sorted(memories, key=lambda each: (each.text, each.about or "", each.at or "")):  # in whatever order
        if memory.text == text and (memory.about or "").lower() == fact.about and memory.at == now:
            return Decision("known", memory.id, "same words")
        kept = _read(readings, memory.text, memory.at, memory.about)
        outcome, reason = relation(kept, fact, kind == "event" or memory.kind == "event")
        if outcome == "known":
            return Decision(outcome, memory.id, reason)
        # a fact is no newer version of a task, nor a chat's memo of a fact: both stay
        alike = kind == memory.kind or not any(each == "memo" or group(each) == "to do" for each in (kind, memory.kind))
        if outcome == "update" and alike and memory.id not in together and len(memory.text) <= LONGEST:
            shared = len(kept.core & fact.core) / max(len(kept.core | fact.core), 1)
            if shared > overlap:
                best, overlap = Decision(outcome, memory.id, reason), shared
    return best


def relation(kept: Reading, fact: Reading, is_event: bool = False) -> tuple[str, str]:
    """How a new fact stands to a kept one: outcome and reason.

    >>> relation(Reading("The user loves jazz"), Reading("The user hates jazz"))
    ('update', 'no longer so')
    >>> relation(Reading("The user loves jazz"), Reading("The user's brother hates jazz"))
    ('new', 'another owner')
    """
    if ends(kept, fact):
        return "update", "no longer so"
    if fact.settled is not None and not fact.modality and in_time(kept, fact):
        outcome, reason = relation(kept, fact.settled, is_event)
        if outcome == "update":
            return outcome, reason
    if (
        fact.tells_age
        and kept.tells_age
        and subject_of(kept) == subject_of(fact)
        and kept.bare_numbers != fact.bare_numbers
    ):
        return "update", "another age"
    if not fact.core or not kept.core:
        return "new", "nothing to compare"
    if not _same_owner(kept, fact):
        return "new", "another owner"
    if _same_name(kept, fact):
        return "known", "same name"
    if not kept.core & fact.core:
        return "new", "nothing like it"
    single = has_one_value(kept, fact)
    if not (single or kept.core <= fact.core or fact.core <= kept.core or may_contradict(kept, fact)):
        return "new", "nothing like it"
    found = compare(kept.clause, fact.clause, about=fact.about or None)
    kinds: set[str] = {each.kind for each in found}
    if single and not kinds & {"polarity", "owner"}:
        if fact.core != kept.core or kinds & {"number", "quantity", "unit", "date"} or not _holds(kept, fact):
            return "update", "one value at a time"
    elif "date" in kinds:
        return "new", "another date"
    if "polarity" in kinds:
        return _contradiction(kept, fact, kinds)
    if "name" in kinds:
        return "new", "another name"
    if kinds & {"number", "quantity", "unit"} or other_amount(kept, fact):
        timed = bool(
            kept.values.dates or fact.values.dates or fact.values.clocks or is_occasion(kept) or is_occasion(fact)
        )
        same = kept.core == fact.core and subject_of(kept) == subject_of(fact) and not is_another_one(kept, fact)
        counts = same and one_differs(kept, fact) and not is_event and not timed
        return ("update", "another amount") if counts else ("new", "another amount")
    return _agreement(kept, fact)


def _agreement(kept: Reading, fact: Reading) -> tuple[str, str]:
    """Two facts without a contradiction: does one say all that the other says?"""
    if kept.core == fact.core and reversed_order(kept, fact) and kept.modality == fact.modality:
        return "update", "the other way round"
    if turned(kept, fact):
        return "new", "the other way round"
    if is_occasion(kept) != is_occasion(fact):
        return "new", "another time"
    poorer = fact.core <= kept.core and _holds(kept, fact)
    richer = kept.core <= fact.core and _holds(fact, kept)
    same_denial = ("not" in kept.passage.stems) == ("not" in fact.passage.stems)
    if "not" in kept.passage.stems and same_denial and not (poorer and richer):
        return "new", "denied otherwise"  # who eats no fish on Fridays may eat fish
    telling = _table("telling")
    said = telling & set(fact.words) <= set(kept.words)
    if poorer and said and kept.modality == fact.modality and same_denial and _keeps(kept, fact):
        return "known", "held in full"
    if poorer and not richer:
        return "new", "said otherwise"
    mine, theirs = subject_of(kept), subject_of(fact)
    be = _table("be_forms")
    if richer and kept.core != fact.core and not _opens_alike(kept, fact):
        return "new", "said otherwise"
    if richer and kept.core != fact.core and be & set(kept.words) and not be & set(fact.words):
        return "new", "said otherwise"
    if mine and theirs and mine[-1] != theirs[-1] and richer and not poorer:
        return "new", "another thing"
    if richer and same_denial and (kept.core == fact.core or (kept.size >= _LEAST and kept.size >= _SHARE * fact.size)):
        return "update", "says more" if fact.size > kept.size else "said otherwise"
    return "new", "nothing like it"


def _contradiction(kept: Reading, fact: Reading, kinds: set[str]) -> tuple[str, str]:
    if kinds & {"owner", "name", "number", "quantity", "unit", "date"} or not _agree_on_days(kept, fact):
        return "new", "another matter"
    return ("update", "contradicts") if contradicts(kept, fact) else ("new", "another matter")


def _opens_alike(kept: Reading, fact: Reading) -> bool:
    """Whether the new fact's statement begins with the kept one's first word: "is tired of working" is none of work."""
    beside = _table("openings")
    firsts = [
        next(
            (word for place, word in each.passage.content if word in each.core and each.words[place] not in beside), ""
        )
        for each in (kept, fact)
    ]
    return firsts[0] == firsts[1]


def _agree_on_days(kept: Reading, fact: Reading) -> bool:
    """Whether both speak of the same days and times, or one of them of none."""
    both = bool(kept.values.dates and fact.values.dates) or bool(kept.values.clocks and fact.values.clocks)
    return not both or _holds(kept, fact) or _holds(fact, kept)


def _same_owner(kept: Reading, fact: Reading) -> bool:
    if kept.about != fact.about or owners_differ(kept.owner, fact.owner):
        return False
    one, other = kept.owner, fact.owner
    if "" in (one.kind, other.kind):
        return True
    if one.kind != other.kind:
        return False
    return one.kind != "other" or one.key == other.key


def _same_name(kept: Reading, fact: Reading) -> bool:
    """Whether both only say how the same person is called, and say the same name."""
    naming = {stem(word) for word in _table("naming")}
    if not naming & kept.core or not naming & fact.core:
        return False
    mine, theirs = kept.core - naming, fact.core - naming
    names = {stem(part) for each in fact.values.names for part in each.key.split()}
    return bool(mine) and mine == theirs and mine <= names


def _keeps(kept: Reading, fact: Reading) -> bool:
    """Whether the gate finds nothing that the new fact has changed of the kept memory."""
    grave = policy.gravest(inspect(kept.text, fact.text, now=fact.now).changes)
    return grave is None or grave is Severity.ADVISORY


def _holds(one: Reading, other: Reading) -> bool:
    """Whether `one` has every date, time and amount of `other`, as exactly."""
    mine, theirs = one.values, other.values
    if not all(any(_is_day(each, date) for each in mine.dates) for date in theirs.dates):
        return False
    if not all(any(set(each.minutes) <= set(clock.minutes) for each in mine.clocks) for clock in theirs.clocks):
        return False
    for amount in theirs.quantities:
        if not any(
            relate_quantities(each, amount) == "same" and bool(each.per) >= bool(amount.per) for each in mine.quantities
        ):
            return False
    numbers = one.bare_numbers | {each.value for each in mine.quantities}
    return other.bare_numbers <= numbers


def _is_day(mine: Date, theirs: Date) -> bool:
    """Whether a date is another one, or a more exact one inside it."""
    found = relate(mine, theirs)
    if mine.recurring != theirs.recurring or found not in ("same", "within"):
        return False
    if mine.spans and theirs.spans:
        return max(end - start for start, end in mine.spans) <= max(end - start for start, end in theirs.spans)
    pairs = (
        (mine.year, theirs.year),
        (mine.month, theirs.month),
        (mine.day, theirs.day),
        (mine.weekday, theirs.weekday),
    )
    return all(wanted is None or wanted == have for have, wanted in pairs)
