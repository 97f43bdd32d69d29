"""Is this claim held by this evidence? The signs for and against, one by one.

Specifics (names, numbers, dates, the words of closed sets such as kin, body parts and colours) must each be found.
Content words are looked up with their families and with small vocabularies of paraphrase. That a claim shares many
words with the evidence proves little: an invented one is often put together from true pieces.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from edgegate.guard.amounts import amounts, is_new
from edgegate.guard.definites import definites
from edgegate.guard.evidence_index import Index, Item
from edgegate.guard.reading import Reading, is_titled, light, words_of
from edgegate.guard.strangers import is_scenery, is_world, on_screen, strangers
from edgegate.language import lexicon
from edgegate.language.align import Clause, stem
from edgegate.language.compare import dates, denied

SHARED = 2  # words in common from which an item speaks of what the sentence speaks of
NEAREST = 2  # items of evidence that a claim is held against for words that deny one another


@cache
def opposites() -> dict[str, frozenset[str]]:
    """For each stem, the stems that deny it."""
    found: dict[str, set[str]] = {}
    pairs = [*lexicon.table("opposites")["pairs"], *lexicon.table("support")["opposites"]]
    for one, other in pairs:
        found.setdefault(stem(one), set()).add(stem(other))
        found.setdefault(stem(other), set()).add(stem(one))
    return {word: frozenset(others) for word, others in found.items()}


def specific(reading: Reading) -> list[str]:
    """The content stems of a sentence that say something in particular."""
    general, claimed = light(), reading.claimed
    return [word for word, place in reading.content.items() if claimed[place] and word not in general]


def nearest_items(words: list[str], index: Index) -> list[tuple[int, Item]]:
    """The items of evidence by how many of `words` (stems) they hold, best first, with that number."""
    counts: dict[int, int] = {}
    for word in words:
        for place in index.places(word):
            counts[place] = counts.get(place, 0) + 1
    ranked = sorted([(count, place) for place, count in counts.items()], reverse=True)
    return [(count, index.items[place]) for count, place in ranked]


def support(reading: Reading, index: Index, introduced: Collection[str] = ()) -> dict[str, int]:
    """The signs for and against support, each with how often it stands there.

    `introduced` are names that the reply itself has brought up before: they are taken from nowhere else.
    """
    found: dict[str, int] = {}

    def count(name: str, times: int) -> None:
        if times:
            found[name] = times

    words = specific(reading)
    held = [word for word in words if index.holds(word)]
    new_numbers = [key for key, at in reading.numbers.items() if is_new(key, index) and reading.claims(at)]
    count("held", len(held))
    count("unheld", len(words) - len(held))
    known = {*introduced, *_scenery(reading), *on_screen(reading)}
    strange = [name for name in reading.sure if not (name in known or is_world(name) or name in index.names)]
    new_names = [at for name in strange if reading.claims(at := reading.sure[name]) and not index.holds(stem(name))]
    count("new_name", len(new_names))
    count("new_titled", sum(is_titled(reading.words, at) for at in new_names))
    count("new_number", sum(key not in words_of("small_numbers") for key in new_numbers))
    count("old_number", sum([index.has_number(key) for key in reading.numbers]))
    new_months = [month for month, at in reading.months.items() if reading.claims(at) and not index.has_month(month)]
    count("new_month", len(new_months))
    count("new_weekday", sum(day not in index.weekdays for day, at in reading.weekdays.items() if reading.claims(at)))
    count("other_member", _other_members(reading, index))
    ranked = nearest_items(words, index)
    top = ranked[0][0] if ranked else 0
    count("spread", len(held) - top)
    count("apart", _apart(reading, index, words))
    if ranked:
        told = told_tokens(reading)
        nearest = [item for _, item in ranked[:NEAREST]]
        count("opposite", _opposed(reading, nearest, told))
        count("contradicted", int(any(_contradicted(reading, index, item, told) for item in nearest)))
        count("rival_date", int(_has_rival_date(reading, ranked)))
        count("together", int(top == len(words) and top > 1 and _specifics_there(reading, ranked[0][1])))
        count("both_deny", int(_denies(reading) and _denies(ranked[0][1].reading)))
    dates_held = any(index.has_month(month) for month in reading.months) or any(
        day in index.weekdays for day in reading.weekdays
    )
    found.update(strangers(reading, index, introduced))
    found.update(amounts(reading, index))
    found.update(definites(reading, index))
    nothing = not held and not dates_held and "old_number" not in found
    count("nothing_held", int(nothing and bool(words)))
    count("nothing_at_all", int(nothing))
    return found


def _scenery(reading: Reading) -> set[str]:
    """The words of names that stand for places of everybody's: "the Black Sea"."""
    named = ([*reading.words[name.first : name.last]] for name in reading.passage.values.names)
    return {part for parts in named if is_scenery(parts) for part in parts}


def _specifics_there(reading: Reading, item: Item) -> bool:
    """Whether one item has every number, month and weekday of the sentence."""
    there = item.reading
    return (
        reading.numbers.keys() <= there.numbers.keys()
        and reading.months.keys() <= there.months.keys()
        and reading.weekdays.keys() <= there.weekdays.keys()
    )


def told_tokens(reading: Reading) -> set[int]:
    """The tokens of phrases that only say that something was told ("like you said"): no word of what was told.

    >>> from edgegate.guard.reading import read
    >>> told_tokens(read("Figs, like you said."))
    {2, 3, 4}
    """
    told = (match for match in reading.cues("continuity", "record") if match.cue.effect == "recollection")
    return {place for match in told for place in range(match.first, match.last)}


def _contradicted(reading: Reading, index: Index, item: Item, told: Collection[int]) -> bool:
    """Whether `item` speaks of what the sentence speaks of, and says the opposite of it."""
    there = item.reading.content
    for word in opposites().keys() & reading.content.keys():
        place, others = reading.content[word], opposites()[word]
        if word in there or place in told or not _opposed_by(reading, place, item, others):
            continue
        about = (other for other in specific(reading) if other != word and other not in others)
        if any(form in there for other in about for form in index.forms(other)):
            return True
    return False


def _has_rival_date(reading: Reading, ranked: list[tuple[int, Item]]) -> bool:
    """Whether the items that speak most of what the sentence speaks of all give another date for it."""
    if not reading.passage.values.dates or ranked[0][0] < SHARED:
        return False
    here, rival = Clause(reading.passage, 0, reading.inference), False
    for shared, item in ranked[:NEAREST]:
        if shared < ranked[0][0] or not item.reading.passage.values.dates:
            continue
        if not dates(Clause.whole(item.reading.passage), here):
            return False
        rival = True
    return rival


def _denies(reading: Reading) -> bool:
    """Whether something is denied in the sentence, by a negation or a word that means one."""
    return bool(reading.cues("negation"))


def _other_members(reading: Reading, index: Index) -> int:
    """Words of a closed set that the evidence lacks while it names others of that set."""
    return sum(
        not index.holds(member)
        for group, members in reading.members.items()
        if group in index.groups
        for member, at in members.items()
        if reading.claims(at)
    )


def _apart(reading: Reading, index: Index, words: list[str]) -> int:
    """How many specific words stand in the evidence, but never with anybody whom the sentence names."""
    known = {name for name in reading.names if name in index.names}
    if not known:
        return 0
    names = known | {stem(name) for name in known}
    with_them: set[int] = set()
    for name in names:
        with_them |= index.places(name)
    count = 0
    for word in words:
        if word not in names:
            places = index.places(word)
            count += bool(places) and not places & with_them
    return count


def _opposed(reading: Reading, nearest: list[Item], told: Collection[int]) -> int:
    """How many words of the claim are denied by the items nearest to it: their opposite stands there, they do not."""
    words = [
        word
        for word in opposites().keys() & reading.content.keys()
        if reading.content[word] not in told and not any(word in item.reading.content for item in nearest)
    ]
    return sum(
        any(_opposed_by(reading, reading.content[word], item, opposites()[word]) for item in nearest) for word in words
    )


def _opposed_by(reading: Reading, at: int, item: Item, others: frozenset[str]) -> bool:
    """Whether `item` has one of `others`, the opposites of the word at `at`, and neither side is denied alone."""
    there = item.reading.content
    shared = others & there.keys()
    if not shared:
        return False
    here = denied(Clause.whole(reading.passage), at) is None
    whole = Clause.whole(item.reading.passage)
    return any((denied(whole, there[word]) is None) == here for word in shared)
