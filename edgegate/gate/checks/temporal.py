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

from edgegate.gate.checks.beside import tells_beside
from edgegate.gate.checks.limits import FAMILY, Limit, governed, is_long, is_past, kept, limits, words_before
from edgegate.gate.checks.subjects import is_person
from edgegate.gate.checks.tense import goes_on, is_past_word, past_verb, tells_of_now
from edgegate.gate.write import Pairing, Write, carried, change, stems, words
from edgegate.language import lexicon
from edgegate.language.align import Link
from edgegate.language.cues import CueMatch
from edgegate.language.days import date_words
from edgegate.language.passages import Passage, stem
from edgegate.language.values import Date, relate
from edgegate.records import Change, Severity

SHARE = 0.3
_ANY = 0.2  # of the memory, for one of several things under one date
_YEARS_BACK = 130  # "turned ninety": birthdays are derived dates too


def temporal(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for every dropped limit, every date that the source contradicts, every relative date left hanging."""
    for link in pairing.links:
        yield from _limit(write, pairing, link)
        yield from _past(write, pairing, link)
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


def _past(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    """What was so at a past time ("back in 2019 she ran a café", "used to smoke") and is so in the memory."""
    source, candidate = link.source, pairing.candidate
    then = past_cue(source)
    mark = past_cue(candidate)
    if mark is not None and not any(word in source.words for word in candidate.words[mark.first : mark.last]):
        return  # the memory says itself that it is past
    if then is not None and any(word in words("continuing_words") for word in source.words[then.last :]):
        return  # "I used to bake, still do"
    over = next((found for found in source.values.dates if _is_over(source, found)), None)
    ended = ended_clause(source)
    if (then is None and over is None and ended is None) or not tells_of_now(candidate):
        return
    if not goes_on(candidate) and (limits(candidate) or any(each.grain != "day" for each in candidate.values.dates)):
        return
    near = None if over is None or then is not None else source.clause_at(over.first)
    tokens: Sequence[int] = [
        there
        for here, there in link.pairs
        if _was_and_is(source, here, candidate.words[there]) and (near is None or near[0] <= here < near[1])
    ]
    if then is not None and source.words[then.first] in words("habit_openers"):
        held = carried(write, pairing, link, then.last, source.clause_at(then.first)[1])
        tokens = tokens or (held.candidate if held.own and held.share >= SHARE else ())
    clause = ended or (None if over is None else source.clause_at(over.first))
    if clause is None and then is not None:
        clause = source.clause_at(then.first)
    if not tokens and clause is not None and _lasted(source, *clause):
        held = carried(write, pairing, link, *clause)
        tokens = held.candidate if held.own and held.share >= SHARE else ()
    if tokens and not _tells_what_is_now(write, source, candidate, then, clause):
        yield change(
            "temporal",
            "past told as present",
            Severity.REWRITE,
            f"The source tells of the past; the memory says it of now (“{candidate.words[tokens[0]]}”).",
            source=source,
            candidate=candidate,
            tokens=tokens,
            cue=then,
            rule="temporal.past",
            cite="Quirk et al. 1985, ch. 8 (time adjuncts)",
        )


def _tells_what_is_now(
    write: Write, source: Passage, candidate: Passage, then: CueMatch | None, clause: tuple[int, int] | None
) -> bool:
    """Whether a memory tells what the sentence goes on to say of now ("the old car was faulty, the new one runs well")
    or turns what was round ("used to hate olives" and "loves olives")."""
    if clause is not None and tells_beside(write, source, candidate, *clause, range(*clause)):
        return not any(is_past_word(word) for word in source.words[clause[1] :])
    if then is None or source.words[then.first] not in words("habit_openers"):
        return False
    verb = next((word for at, word in source.content if at >= then.last), None)
    return verb not in candidate.stems and any(word in words("now_words") for word in source.words[then.last :])


def past_cue(source: Passage) -> CueMatch | None:
    """The cue by which a sentence tells of a time that is over, or None."""
    for match in source.family(FAMILY):
        if match.cue.effect in words("past_effects") and match.text.lower() not in words("no_past_cues"):
            return match
    return None


def ended_clause(source: Passage) -> tuple[int, int] | None:
    """The clause that says how long something in the past lasted, or until when: it is over.

    "I was with the choir for nine years", "drove a Corsa up to March", "we lived there before the kids came", "my old
    flat had a balcony", "I had a boat once".
    """
    found = (match for match in source.family(FAMILY) if match.cue.effect in words("limits_in_source"))
    loose = words("weak_limits") | words("no_limits")
    marks = [match.first for match in found if match.text.lower() not in loose]
    marks += [at for at, word in enumerate(source.words) if word in words("limit_openers")]
    for quantity in source.values.quantities:
        if is_long(quantity) and any(word in words("for_words") for word in words_before(source, quantity.first)):
            marks.append(quantity.first)
    for mark in marks:
        first, last = source.clause_at(mark)
        if mark == first and past_verb(source, first, last) is not None:
            return first, last  # "during the pandemic I baked"
        if past_verb(source, first, mark) is not None:
            return (first, mark) if any(first <= place < mark for place, _ in source.content) else (first, last)
    for at, word in enumerate(source.words):
        first, last = source.clause_at(at)
        if word in words("once_words") and at + 2 >= last and past_verb(source, first, at) is not None:
            return first, last
        perfect = (
            word in words("perfect_past")
            and source.words[at + 1 : at + 2]
            and source.words[at + 1] in words("been_words")
        )
        if perfect and any(mark > at for mark in marks):
            return first, last  # "she'd been vegan for years before"
        before = source.words[max(at - 2, first) : at]
        placed = len(before) == 2 and before[0] in words("place_openers") and before[1] in words("articles")
        if word in words("earlier_words") and placed and past_verb(source, first, at) is not None:
            return (first, at)  # "we had chickens at the old place"
        if word in words("earlier_words") and source.words[at - 1 : at] and source.words[at - 1] in words("articles"):
            verb = past_verb(source, at + 1, min(at + 5, last))
            noun = source.words[at + 1] if at + 1 < last else ""
            if verb is not None and noun not in lexicon.table("kin"):
                return first, last
    return None


def _lasted(source: Passage, first: int, last: int) -> bool:
    """Whether a clause tells of a state or habit in the past, not of an event whose outcome holds ("moved")."""
    verb = past_verb(source, first, last)
    if verb is None:
        return False
    verbs = [word for word in source.words[first:last] if is_past_word(word)]
    return not any(stem(word) in stems("result_verbs") for word in verbs)


def _was_and_is(source: Passage, here: int, now: str) -> bool:
    """Whether a verb in the past became one in the present: "ran" and "runs", never "has run" or "running"."""
    was = source.words[here]
    before = source.words[max(here - 2, 0) : here]
    if any(word in words("second_person") for word in before):
        return False  # what the hearer did
    perfect = any(word in words("perfect_openers") for word in before)
    return was != now and is_past_word(was) and not now.endswith("ing") and not perfect


def _is_over(source: Passage, found: Date) -> bool:
    """Whether a date is a month or more that lies wholly in the past."""
    today = None if source.now is None else source.now.toordinal()
    return today is not None and found.grain in words("long_grains") and all(end < today for _, end in found.spans)


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
        if any(relate(found, theirs) in ("same", "within") for found in _known(write)) or _derived(write, theirs):
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
