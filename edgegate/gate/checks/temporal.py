"""temporal: true for a time in the source, true for ever in the memory; or a date resolved wrongly.

Reads the aligned clause and `now`. A limit ("until August", "this semester", "while Magnus is away", "for the first
year") must show in the memory in some form: the same limit, its date, or words that say the fact is bounded. A date in
the memory must agree with some date of the source, be counted from one ("turned one yesterday"), or be the day of the
write; the only time of day on either side must be the same one. A relative date kept without its anchor ("last week")
is an advisory: true today, wrong later.

Sources: Quirk et al. 1985, ch. 8 (time adjuncts), TIMEX3 (ISO-TimeML).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from edgegate.gate.checks.limits import FAMILY, Limit, governed, is_past, kept, limits
from edgegate.gate.checks.past import past_told_as_present
from edgegate.gate.checks.subjects import is_person
from edgegate.gate.checks.tense import past_verb, tells_of_now
from edgegate.gate.write import Pairing, Write, carried, change, words
from edgegate.language.align import Link
from edgegate.language.days import date_words
from edgegate.language.passages import Passage
from edgegate.language.values import Date, relate
from edgegate.records import Change, Severity

SHARE = 0.3
_ANY = 0.2  # of the memory, for one of several things under one date
_YEARS_BACK = 130  # "turned ninety": birthdays are derived dates too


def temporal(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for every dropped limit, every date that the source contradicts, every relative date left hanging."""
    for link in pairing.links:
        yield from _limit(write, pairing, link)
        yield from past_told_as_present(write, pairing, link)
    yield from _dates(write, pairing)
    yield from _clocks(write, pairing)
    yield from _melted(write, pairing)
    yield from _unanchored(pairing)


def _limit(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    source, candidate = link.source, pairing.candidate
    for limit in limits(source):
        if is_past(source, limit, whole=not tells_of_now(candidate)):
            continue
        held = carried(write, pairing, link, *governed(source, limit), besides=range(limit.first, limit.last))
        if _is_only_subject(source, limit, held.source) or (limit.passing and _tells_deed(candidate, held.candidate)):
            continue
        if held.own and held.share >= SHARE and not kept(source, limit, candidate):
            yield _dropped(source, limit, candidate, held.candidate)
            return
    answer = write.answer(source)
    for limit in [] if answer is None else limits(answer):
        if answer is not None and not kept(answer, limit, candidate):
            yield _dropped(answer, limit, candidate, [there for _, there in link.pairs])
            return


def _is_only_subject(source: Passage, limit: Limit, places: Sequence[int]) -> bool:
    """Whether a memory holds nothing of a clause but the person it is about ("Dad's dizzy since 1970")."""
    first, last = source.clause_at(limit.first)
    said = [at for at, _ in source.content if first <= at < last and not limit.first <= at < limit.last]
    names = {at for name in source.values.names for at in range(name.first, name.last)}
    opens = bool(said) and said[0] - first <= 1 and (said[0] in names or is_person(source.words[said[0]]))
    return opens and len(said) > 1 and list(places) == said[:1]


def _tells_deed(candidate: Passage, tokens: Sequence[int]) -> bool:
    """Whether the memory tells as done what a span around now dates ("bought a box of lace")."""
    return any(past_verb(candidate, *candidate.clause_at(token)) is not None for token in tokens)


def _dropped(source: Passage, limit: Limit, candidate: Passage, tokens: Sequence[int]) -> Change:
    said = source.tokens.quote(limit.first, limit.last)
    return change(
        "temporal",
        "dropped temporal scope",
        Severity.ADVISORY if limit.weak else Severity.REWRITE,
        f"The source says it for a time (“{said}”); the memory states it for good.",
        source=source,
        candidate=candidate,
        tokens=tokens,
        cue=limit.match,
        rule="temporal.limit",
        cite="Quirk et al. 1985, ch. 8 (time adjuncts)",
    )


def _dates(write: Write, pairing: Pairing) -> Iterator[Change]:
    """Dates of the memory that nothing in the source bears out."""
    if write.now is None:
        return
    for theirs in pairing.candidate.values.dates:
        if theirs.relative or theirs.recurring or len(theirs.spans) != 1:
            continue
        near = [found for link in pairing.links for found in link.source.values.dates]
        if theirs.grain != "day" and not _misplaced(write, theirs, near):
            continue
        if any(relate(found, theirs) in ("same", "within") for found in near):
            continue
        if any(relate(found, theirs) in ("same", "within") for found in _known(write)):
            continue
        if _derived(write, theirs):
            continue
        if any(_vague(link.source) for link in pairing.links):
            continue
        source = next((link.source for link in pairing.links if link.source.values.dates), pairing.links[0].source)
        said = f"“{_quote(source, near[0])}”" if near else "no such date"
        yield change(
            "temporal",
            "wrong date" if near else "invented date",
            Severity.REWRITE,
            f"The memory says “{_quote(pairing.candidate, theirs)}”; the source says {said}.",
            source=source,
            candidate=pairing.candidate,
            tokens=range(theirs.first, theirs.last),
            rule="temporal.date",
            cite="ISO 8601; Quirk et al. 1985, ch. 8",
        )


def _clocks(write: Write, pairing: Pairing) -> Iterator[Change]:
    """The one time of day of a memory, where it is another than the only one of the source, which counts from none.

    "At eight" may be morning or evening: only times that share no reading differ.
    """
    candidate = pairing.candidate
    if len(candidate.values.clocks) != 1:
        return
    known = [*islice((clock for _, values in write.figures() for clock in values.clocks), 2)]
    minutes = candidate.values.clocks[0].minutes
    if len(known) != 1 or set(known[0].minutes) & set(minutes) or _bare_hour(write, minutes):
        return
    for link in pairing.links:
        source = link.source
        if not source.values.clocks:
            continue
        counted = any(r.dimension == "time" for each in source.values.quantities for r in each.readings)
        first, last = source.clause_at(known[0].first)
        held = carried(write, pairing, link, first, last, besides=range(known[0].first, known[0].last))
        if counted or not held.own or held.share < SHARE:
            continue
        mine = candidate.values.clocks[0]
        yield change(
            "temporal",
            "wrong time of day",
            Severity.REWRITE,
            f"The memory says “{candidate.tokens.quote(mine.first, mine.last)}”; the source says "
            f"“{source.tokens.quote(known[0].first, known[0].last)}”.",
            source=source,
            candidate=candidate,
            tokens=range(mine.first, mine.last),
            rule="temporal.clock",
            cite="ISO 8601; Quirk et al. 1985, ch. 8",
        )


def _bare_hour(write: Write, minutes: Sequence[int]) -> bool:
    """Whether the source has the hour as a number that is not read as a time ("actually, make it ten")."""
    hours = {minute // 60 % 12 for minute in minutes}
    return any(
        number.value % 12 in hours and not any(clock.first <= number.first < clock.last for clock in each.clocks)
        for _, each in write.figures()
        for number in each.numbers
    )


def _melted(write: Write, pairing: Pairing) -> Iterator[Change]:
    """One date before two things of which the source dates one otherwise ("on 1 September she sold ... and bought")."""
    candidate = pairing.candidate
    found = candidate.values.dates
    if len(found) != 1 or found[0].first > 1 or found[0].grain != "day" or found[0].relative or len(pairing.links) < 2:
        return
    for link in pairing.links:
        theirs = [each for each in link.source.values.dates if each.grain == "day" and not each.relative]
        if theirs and link.weight >= _ANY and all(relate(each, found[0]) == "apart" for each in theirs):
            yield change(
                "temporal",
                "wrong date",
                Severity.REWRITE,
                f"The memory says “{_quote(candidate, found[0])}”; the source says “{_quote(link.source, theirs[0])}”.",
                source=link.source,
                candidate=candidate,
                tokens=[there for _, there in link.pairs],
                rule="temporal.date",
                cite="ISO 8601; Quirk et al. 1985, ch. 8",
            )
            return


def _misplaced(write: Write, theirs: Date, near: Sequence[Date]) -> bool:
    """Whether a month, quarter or year is another than that of every date it can have come from: the source has such
    dates, all of them placed, and names its year nowhere."""
    if theirs.year is None or not near or not all(found.spans and not found.recurring for found in near):
        return False
    return next(write.saying(str(theirs.year)), None) is None


def _vague(source: Passage) -> bool:
    """Whether a sentence speaks of a time that could not be read as a date ("the other day", "at half-term")."""
    if any(_is_counted_day(source, found) for found in source.values.dates):
        return True
    read = {place for found in source.values.dates for place in range(found.first, found.last)}
    read |= {place for found in source.values.clocks for place in range(found.first, found.last)}
    return any(
        match.cue.effect in words("vague_times") and read.isdisjoint(range(match.first, match.last))
        for match in source.family(FAMILY)
    )


def _is_counted_day(source: Passage, found: Date) -> bool:
    """Whether a weekday is placed by something else that is no date ("the Tuesday after the regatta")."""
    following = source.words[found.last : found.last + 1]
    sides = date_words("after_words") | date_words("before_words")
    placed = any(other.first - found.last in (1, 2) for other in source.values.dates)
    return found.weekday is not None and found.day is None and any(word in sides for word in following) and not placed


def _known(write: Write) -> Iterable[Date]:
    for _, values in write.figures():
        yield from values.dates


def _derived(write: Write, theirs: Date) -> bool:
    """Whether a date is the day of the write or of a turn, or counted from a date of the source by one of its
    durations or ages."""
    start, end = theirs.spans[0]
    if any(start <= base <= end for base in write.days):
        return True
    bases = write.days | {span[0] for found in _known(write) for span in found.spans if len(found.spans) <= 4}
    for _, values in write.figures():
        for quantity in values.quantities:
            days = [int(r.amount / 86400) for r in quantity.readings if r.dimension == "time"]
            for base, day in ((base, day) for base in bases for day in days if day):
                loose = max(1, day // 25)
                if any(start - loose <= base + step <= end + loose for step in (day, -day)):
                    return True
        for number in values.numbers:
            years = number.value
            if years.denominator == 1 and 0 < years <= _YEARS_BACK:
                away = int(years) * 365.2425
                if any(start - 1.5 <= base + step <= end + 1.5 for base in bases for step in (away, -away)):
                    return True
    return False


def _unanchored(pairing: Pairing) -> Iterator[Change]:
    """What is true on the day of the write only: a relative date, an age, a duration that goes on."""
    candidate = pairing.candidate
    for found in candidate.values.dates:
        first = candidate.words[found.first]
        if found.relative and not found.recurring and found.month is None and first not in words("no_anchor_needed"):
            yield _advice(pairing, found.first, found.last, "relative date without its anchor")
    if candidate.values.dates:
        return
    for quantity in candidate.values.quantities:
        if not any(reading.dimension == "time" for reading in quantity.readings) or quantity.per:
            continue
        after = candidate.words[quantity.last : quantity.last + 2]
        before = candidate.words[max(quantity.first - 4, 0) : quantity.first]
        if any(word in words("age_words") for word in after):
            yield _advice(pairing, quantity.first, quantity.last, "age without its date")
        elif any(word in words("duration_openers") for word in before) and any(
            word in words("running_words") for word in candidate.words[: quantity.first]
        ):
            yield _advice(pairing, quantity.first, quantity.last, "running time without its date")


def _advice(pairing: Pairing, first: int, last: int, kind: str) -> Change:
    candidate = pairing.candidate
    sources = [link.source for link in pairing.alignment.links]
    telling = [each for each in sources if each.values.dates or each.values.quantities]
    return change(
        "temporal",
        kind,
        Severity.ADVISORY,
        f"“{candidate.tokens.quote(first, last)}” is true on the day of the write only: store the date it means.",
        source=next(iter([*telling, *sources]), None),
        candidate=candidate,
        tokens=range(first, last),
        rule="temporal.unanchored",
        cite="Quirk et al. 1985, ch. 8 (deictic time adjuncts)",
    )


def _quote(passage: Passage, found: Date) -> str:
    return passage.tokens.quote(found.first, found.last)
