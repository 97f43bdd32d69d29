"""What bounds a statement in time: "until August", "this semester", "for three weeks", "from 2 to 20 April".

Read by the temporal check, and by the fixer, which puts a limit back.

Sources: Quirk et al. 1985, ch. 8 (time adjuncts), TIMEX3 (ISO-TimeML).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from edgegate.gate.checks.tense import is_past_word
from edgegate.gate.write import words
from edgegate.language.cues import CueMatch
from edgegate.language.passages import Passage
from edgegate.language.values import Quantity, relate, relate_quantities

FAMILY = "temporal"


@dataclass(frozen=True, slots=True)
class Limit:
    """Words that bound a statement in time: the token range with its complement, and the cue where there is one.

    `passing` marks a span around now ("this week"), which bounds what holds and merely dates what happened; `weak` one
    that says no more than the present tense ("currently").
    """

    first: int
    last: int
    passing: bool
    weak: bool = False
    match: CueMatch | None = None


def limits(passage: Passage) -> list[Limit]:
    """The limits in a sentence: "until August", "while he is away", "this semester", "only for the first year"."""
    found = []
    tokens = passage.words
    for place, word in enumerate(tokens):
        opens = word in words("limit_openers") or (word in words("dated_openers") and _dated_after(passage, place))
        following = tokens[place + 1] if place + 1 < len(tokens) else ""
        if opens and not (place and tokens[place - 1] in words("limit_blockers")) and not following.endswith("ing"):
            found.append(Limit(place, passage.clause_at(place)[1], False))
    for match in passage.family(FAMILY):
        said = tokens[match.first : match.last]
        if match.cue.effect in words("limits_in_source") and match.text.lower() not in words("no_limits"):
            if _is_attributive(passage, match) or _is_hard_time(passage, match):
                continue
            if not any(said[0] in words(each) for each in ("limit_openers", "dated_openers", "recent_openers")):
                end = passage.clause_at(match.last - 1)[1] if said[-1] in words("open_ends") else match.last
                found.append(Limit(match.first, end, True, match.text.lower() in words("weak_limits"), match))
        elif said[0] in words("passing_openers") and said[-1] in words("passing_spans"):
            found.append(Limit(match.first, match.last, True, False, match))
    found += [*_stretches(passage), *_onsets(passage)]
    for quantity in passage.values.quantities:
        if any(reading.dimension == "time" for reading in quantity.readings):
            leading = tokens[max(quantity.first - 4, 0) : quantity.first]
            opened = [at for at, word in enumerate(leading) if word in words("duration_openers")]
            if opened and any(word in words("limit_marks") for word in leading):
                found.append(Limit(quantity.first - len(leading) + opened[0], quantity.last, False))
    return found


def _is_hard_time(passage: Passage, match: CueMatch) -> bool:
    """Whether "during" goes on to a kind of times ("during tough times"), which bounds nothing."""
    return any(word in words("kinds_of_time") for word in passage.words[match.last : match.last + 3])


def _is_attributive(passage: Passage, match: CueMatch) -> bool:
    """Whether "for the night" goes on to a noun it only describes ("for the night coach")."""
    following = passage.words[match.last : match.last + 1]
    start = passage.words[match.first : match.first + 2]
    opened = start[0] in words("for_words") and start[-1] in words("articles")
    return opened and bool(following) and any(place == match.last for place, _ in passage.content)


def _stretches(passage: Passage) -> Iterator[Limit]:
    """Limits that are a stretch of days: "from 2 to 20 April", "over Easter", "today only", "three weeks of it", "for
    a month" of what holds now."""
    tokens = passage.words
    for found in passage.values.dates:
        after = tokens[found.last : found.last + 1]
        if any(word in words("only_words") for word in after):
            yield Limit(found.first, found.last + 1, True)
        elif found.grain == "day" and not found.recurring and any(0 < end - start <= 130 for start, end in found.spans):
            yield Limit(found.first, found.last, True)
    for match in passage.family(FAMILY):
        if tokens[match.first] in words("over_openers") and match.cue.effect in words("dated_effects"):
            yield Limit(match.first, match.last, True, False, match)
    for quantity in passage.values.quantities:
        if not is_long(quantity) or quantity.per or any(word in words("repeated_words") for word in tokens):
            continue
        first, _ = passage.clause_at(quantity.first)
        before, after = words_before(passage, quantity.first), tokens[quantity.last : quantity.last + 2]
        so_far = tokens[first : quantity.first]
        running = any(word in words("running_words") or word in words("perfect_auxiliaries") for word in so_far)
        opened = any(word in words("for_words") for word in before) or (after[:1] and after[0] in words("of_words"))
        if opened and not running and not any(word in words("age_words") for word in after):
            yield Limit(quantity.first - 1 if quantity.first else 0, quantity.last, False)


def _onsets(passage: Passage) -> Iterator[Limit]:
    """Days from which something will hold: "from May", "as of 1 June", where they are still to come."""
    today = None if passage.now is None else passage.now.toordinal()
    for found in passage.values.dates:
        opened = any(word in words("onset_words") for word in words_before(passage, found.first)[-2:])
        ahead = today is not None and any(start > today for start, _ in found.spans)
        if opened and ahead and not found.recurring:
            yield Limit(found.first - 1, found.last, True)


def _dated_after(passage: Passage, place: int) -> bool:
    """Whether a date or a span of time follows: "through March", "through the summer", never "through the park"."""
    near = range(place + 1, place + 4)
    if any(found.first in near for found in passage.values.dates):
        return True
    return any(at < len(passage.words) and passage.words[at] in words("passing_spans") for at in near)


def is_past(passage: Passage, limit: Limit, whole: bool = False) -> bool:
    """Whether what is bounded is over: its clause (or all that is bounded), the limit aside, has a past auxiliary or a
    verb in the past."""
    first, last = governed(passage, limit) if whole else passage.clause_at(limit.first)
    for place in range(first, last):
        word = passage.words[place]
        if limit.first <= place < limit.last:
            continue
        if word in words("past_auxiliaries"):
            return True
        before = passage.words[max(place - 2, first) : place]
        if any(each in words("participle_openers") for each in before):
            continue
        if is_past_word(word):
            return True
    return False


def governed(source: Passage, limit: Limit) -> tuple[int, int]:
    """What the limit bounds: its clause, or the whole sentence where the limit is a clause by itself."""
    first, last = source.clause_at(limit.first)
    if first and source.words[limit.last : limit.last + 2][-1:] and source.words[limit.last] in words("of_words"):
        return 0, first  # "crutches, three weeks of it"
    return (0, len(source.words)) if limit.first - first <= 2 and limit.last >= last - 1 else (first, last)


def kept(source: Passage, limit: Limit, candidate: Passage) -> bool:
    """Whether the memory sentence keeps a limit: one of its own, a word that bounds, or the limit's date or length."""
    if limits(candidate) or any(word in words("limit_words_in_memory") for word in candidate.words):
        return True
    mine = [found for found in source.values.dates if limit.first <= found.first < limit.last]
    if any(relate(found, theirs) in ("same", "within") for found in mine for theirs in candidate.values.dates):
        return True
    if any(not found.recurring for found in candidate.values.dates if found.grain != "day") and limit.passing:
        return True
    lengths = [each for each in source.values.quantities if limit.first <= each.first < limit.last]
    return any(relate_quantities(each, theirs) == "same" for each in lengths for theirs in candidate.values.quantities)


def is_long(quantity: Quantity) -> bool:
    """Whether a quantity is a time of a day or more."""
    return any(reading.dimension == "time" and reading.amount >= 86400 for reading in quantity.readings)


def words_before(passage: Passage, place: int) -> list[str]:
    """The four words before a token."""
    return passage.words[max(place - 4, 0) : place]
