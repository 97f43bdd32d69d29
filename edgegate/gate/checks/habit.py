"""habit: one occasion told as a standing habit ("I'm off to the coast on the 27th", "goes to the coast every month").

Reads the linked sentences and their neighbours. Two shapes: the memory says how often, and nothing near its source
does; the memory tells in the simple present what the source tells only as done or as one plan on a day.

Sources: Quirk et al. 1985, 4.5-4.7 (habitual present) and 8.64-8.69 (adjuncts of frequency); Vendler 1957 (states,
activities and what is done once).
"""

from __future__ import annotations

from collections.abc import Iterator

from edgegate.gate.checks.tense import is_past_word
from edgegate.gate.write import Pairing, Write, change, stems, words
from edgegate.language import lexicon
from edgegate.language.align import Link
from edgegate.language.passages import Passage, stem
from edgegate.records import Change, Severity


def habit(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change where the memory makes a habit of what the source tells of one occasion."""
    found = _frequency_added(write, pairing) or _deed_as_habit(write, pairing) or _outing_as_habit(write, pairing)
    if found is not None:
        source, tokens, said = found
        yield change(
            "habit",
            "one occasion told as a habit",
            Severity.REWRITE,
            f"The source tells of one occasion; the memory says it of every time (“{said}”).",
            source=source,
            candidate=pairing.candidate,
            tokens=tokens,
            rule="habit.frequency",
            cite="Quirk et al. 1985, 4.5-4.7, 8.64-8.69 (habit and frequency)",
        )


def _near(write: Write, passage: Passage) -> list[Passage]:
    beside = (write.before(passage), passage, write.after(passage))
    return [each for each in beside if each is not None]


def _recurs(passage: Passage) -> bool:
    """Whether a sentence says how often, in any words."""
    if any(word in words("habit_words") or word in words("habit_in_source") for word in passage.words):
        return True
    weekdays = lexicon.table("dates")["weekdays"]
    days = [
        at
        for at, word in enumerate(passage.words)
        if word in weekdays or word in lexicon.table("counting")["short_weekdays"]
    ]
    if len(days) > 1 or any(" ".join(passage.words[at - 2 : at]) in words("habitual_leads") for at in days if at > 1):
        return True  # "tue & thu", "five-a-side of a Wednesday"
    if any(found.recurring for found in passage.values.dates) or any(each.per for each in passage.values.quantities):
        return True
    return any(match.cue.effect in words("habitual_effects") for match in passage.family("temporal", "hedge"))


def _frequency_added(write: Write, pairing: Pairing) -> tuple[Passage, list[int], str] | None:
    candidate = pairing.candidate
    following = [*candidate.words[1:], ""]
    said = [
        at
        for at, word in enumerate(candidate.words)
        if word in words("habits_in_memory")
        and following[at] not in words("no_habits_before")
        and (word not in words("distributives") or _is_time(following[at]))
    ]
    said += [at for found in candidate.values.dates if found.recurring for at in range(found.first, found.last)]
    if not said:
        return None
    begin, end = candidate.clause_at(said[0])
    links = [link for link in pairing.links if any(begin <= there < end for _, there in link.pairs)]
    if not links or any(_recurs(near) for link in links for near in _near(write, link.source)):
        return None
    return links[0].source, said, candidate.tokens.quote(min(said), max(said) + 1)


def _is_time(word: str) -> bool:
    """Whether a noun is a time: "each week", never "41 at 3 each"."""
    table = lexicon.table("dates")
    known = ("weekdays", "months", "seasons", "day_parts", "period_parts", "day_names", "weekend_words")
    return (
        word in lexicon.table("units")["time"]
        or word in words("occasions")
        or any(word in table[name] for name in known)
    )


def _deed_as_habit(write: Write, pairing: Pairing) -> tuple[Passage, list[int], str] | None:
    candidate = pairing.candidate
    if candidate.values.dates or any(is_past_word(word) for word in candidate.words):
        return None
    for link in pairing.links[:1]:
        if not write.is_own_voice(link.source):
            continue
        place = _habitual_verb(candidate, link)
        if place is None or any(_recurs(near) for near in _near(write, link.source)):
            continue
        verb = stem(candidate.words[place])
        forms = {word for passage in write.sharing({verb}) for word in passage.words if stem(word) == verb}
        if forms and all(is_past_word(form) for form in forms):
            return link.source, [place], candidate.words[place]
    return None


def _outing_as_habit(write: Write, pairing: Pairing) -> tuple[Passage, list[int], str] | None:
    """What was gone and done on a day ("we went biking last weekend") told as how time is spent ("goes biking")."""
    candidate = pairing.candidate
    finite = [
        at for at, word in enumerate(candidate.words) if word.endswith("s") and stem(word) in stems("spending_verbs")
    ]
    if not finite or candidate.values.dates or any(is_past_word(word) for word in candidate.words):
        return None
    for there, word in candidate.content:
        told = [each for each in write.sharing({word}) if write.is_own_voice(each)]
        if not candidate.words[there].endswith("ing") or len(told) != 1:
            continue
        source = told[0]
        dated = bool(source.values.dates) and not any(found.recurring for found in source.values.dates)
        if dated and not any(_recurs(near) for near in _near(write, source)) and _went(source, source.stems[word]):
            return source, [there], candidate.words[finite[0]]
    return None


def _went(source: Passage, places: list[int]) -> bool:
    """Whether an -ing form follows a verb in the past ("we went biking")."""
    return any(
        source.words[place].endswith("ing")
        and any(is_past_word(word) for word in source.words[max(place - 2, 0) : place])
        for place in places
    )


def _habitual_verb(candidate: Passage, link: Link) -> int | None:
    """The memory's verb in the simple present that the source has in the past: something done, no state."""
    for here, there in link.pairs:
        word, was = candidate.words[there], link.source.words[here]
        done = is_past_word(was) and word != was and word.endswith("s") and not word.endswith("ss")
        if done and stem(word) not in stems("states"):
            return there
    return None
