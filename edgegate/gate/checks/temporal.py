"""temporal: true for a time in the source, true for ever in the memory; or a date resolved wrongly.

Reads the aligned clause and `now`. A limit ("until August", "this semester", "while Magnus is away", "for the first
year") must show in the memory in some form: the same limit, its date, or words that say the fact is bounded. A date in
the memory must agree with some date of the source, be counted from one ("turned one yesterday"), or be the day of the
write. A relative date kept without its anchor ("last week") is an advisory: true today, wrong later.

Sources: Quirk et al. 1985, ch. 8 (time adjuncts), TIMEX3 (ISO-TimeML).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from edgegate.gate.write import Pairing, Write, carried, change, words
from edgegate.language.align import Link
from edgegate.language.cues import CueMatch
from edgegate.language.passages import Passage
from edgegate.language.values import Date, relate
from edgegate.records import Change, Severity

FAMILY = "temporal"
SHARE = 0.3
_DAYS_IN_YEAR = 366
_YEARS_BACK = 130  # "turned ninety": birthdays are derived dates too


def temporal(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for every dropped limit, every date that the source contradicts, every relative date left hanging."""
    for link in pairing.links:
        yield from _limit(write, pairing, link)
    yield from _dates(write, pairing)
    yield from _unanchored(pairing.candidate)


def _limit(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    source, candidate = link.source, pairing.candidate
    for match in _limits(source):
        first, last = _phrase(source, match)
        held = carried(write, pairing, link, *_governed(source, match), besides=range(first, last))
        if held.own and held.share >= SHARE and not kept(source, first, last, candidate):
            yield change(
                "temporal",
                "dropped temporal scope",
                Severity.REWRITE,
                f"The source says it for a time (“{source.tokens.quote(first, last)}”); the memory states it for good.",
                source=source,
                candidate=candidate,
                tokens=held.candidate,
                cue=match,
            )
            return


def _limits(source: Passage) -> list[CueMatch]:
    """The cues that bound a statement in time."""
    found = []
    for match in source.family(FAMILY):
        first = source.words[match.first]
        bounded = match.cue.effect in words("limits_in_source") and match.text.lower() not in words("no_limits")
        if bounded or first in words("limit_openers"):
            found.append(match)
    return found


def _phrase(source: Passage, match: CueMatch) -> tuple[int, int]:
    """The limit with its complement: "until the end of August", "while Magnus is on leave"."""
    _, end = source.clause_at(match.last - 1)
    return match.first, end


def _governed(source: Passage, match: CueMatch) -> tuple[int, int]:
    """What the limit bounds: its clause, or the whole sentence where the limit is a clause by itself."""
    first, last = source.clause_at(match.first)
    alone = match.first - first <= 2
    return (0, len(source.words)) if alone else (first, last)


def kept(source: Passage, first: int, last: int, candidate: Passage) -> bool:
    """Whether the memory sentence keeps a limit: words that bound, a duration, or the limit's own date."""
    for match in candidate.family(FAMILY):
        if match.cue.effect in words("limits_in_memory") and match.text.lower() not in words("no_limits"):
            return True
    if any(word in words("limit_words_in_memory") for word in candidate.words):
        return True
    mine = [found for found in source.values.dates if first <= found.first < last]
    return any(relate(found, theirs) in ("same", "within") for found in mine for theirs in candidate.values.dates)


def _dates(write: Write, pairing: Pairing) -> Iterator[Change]:
    """Dates of the memory that nothing in the source bears out."""
    if write.now is None:
        return
    for theirs in pairing.candidate.values.dates:
        if theirs.relative or theirs.recurring or theirs.grain != "day" or len(theirs.spans) != 1:
            continue
        near = [found for link in pairing.links for found in link.source.values.dates]
        if any(relate(found, theirs) in ("same", "within") for found in _known(write)) or _derived(write, theirs):
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


def _known(write: Write) -> Iterable[Date]:
    for passage in write.passages:
        yield from passage.values.dates


def _derived(write: Write, theirs: Date) -> bool:
    """Whether a date is the day of the write or of a turn, or counted from a date of the source by one of its
    durations or ages."""
    target = theirs.spans[0][0]
    bases = {passage.now.toordinal() for passage in write.passages if passage.now is not None}
    if write.now is not None:
        bases.add(write.now.toordinal())
    if target in bases:
        return True
    bases |= {span[0] for found in _known(write) for span in found.spans if len(found.spans) <= 4}
    for passage in write.passages:
        for quantity in passage.values.quantities:
            days = [int(r.amount / 86400) for r in quantity.readings if r.dimension == "time"]
            if any(abs(abs(target - base) - day) <= max(1, day // 25) for day in days for base in bases if day):
                return True
        for number in passage.values.numbers:
            years = number.value
            if years.denominator == 1 and 0 < years <= _YEARS_BACK:
                away = int(years) * 365.2425
                if any(abs(abs(target - base) - away) <= 1.5 for base in bases):
                    return True
    return False


def _unanchored(candidate: Passage) -> Iterator[Change]:
    for found in candidate.values.dates:
        first = candidate.words[found.first]
        if found.relative and not found.recurring and found.month is None and first not in words("no_anchor_needed"):
            yield change(
                "temporal",
                "relative date without its anchor",
                Severity.ADVISORY,
                f"“{_quote(candidate, found)}” is true on the day of the write only: store the date it means.",
                source=None,
                candidate=candidate,
                tokens=range(found.first, found.last),
                rule="temporal.unanchored",
                cite="Quirk et al. 1985, ch. 8 (deictic time adjuncts)",
            )


def _quote(passage: Passage, found: Date) -> str:
    return passage.tokens.quote(found.first, found.last)
