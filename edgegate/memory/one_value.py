"""Facts that give a value to a thing which has one at a time: the rent, an age, where somebody lives.

Words are data (`reconcile.toml`): which things these are, and which phrases tell a new value ("went up to").
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from edgegate.language import lexicon
from edgegate.language.text import tokenise

if TYPE_CHECKING:
    from edgegate.memory.reconcile import Reading


@cache
def _table(name: str) -> Any:
    found = lexicon.table("reconcile")[name]
    return tuple(found) if name in _ORDERED else frozenset(found)


_ORDERED = ("be_forms", "settled")


def has_one_value(kept: Reading, fact: Reading) -> bool:
    """Whether both give a value to the same thing, and that thing has one value at a time."""
    if any(word in _table("part_times") for word in (*kept.words, *fact.words)):
        return False  # "in Oslo in the summer" leaves the rest of the year
    if bool(kept.values.quantities) != bool(fact.values.quantities) or _is_past(kept) != _is_past(fact):
        return False
    mine_words, theirs_words = without_lately(kept.words), without_lately(fact.words)
    shared = 0
    for word, other in zip(mine_words, theirs_words, strict=False):
        if word != other:
            break
        shared += 1
    told = " " + " ".join(theirs_words[:shared]) + " "
    since = len(theirs_words) < len(fact.words)
    if any(f" {phrase} " in told for phrase in (*_table("single_phrases"), *(_table("single_now") if since else ()))):
        follows = theirs_words[shared] if shared < len(theirs_words) else ""
        measured = bool(kept.values.quantities and fact.values.quantities)
        end = told.split()[-1]
        loose = any(phrase.split()[-1] in _table("loose_ends") for phrase in _table("single_phrases") if phrase in told)
        alike = _alike(kept, fact, mine_words[shared:], theirs_words[shared:], loose=loose and bool(end))
        if follows not in _table("particles") and (kept.core == fact.core if measured else alike):
            return True
    mine, theirs = subject_of(kept), subject_of(fact)
    if mine != theirs and mine == tuple(word for word in theirs if word not in _table("newer")):
        return bool(mine) and mine[-1] in _table("one_holder") and _kind(kept) == _kind(fact)
    if not mine or mine != theirs or _kind(kept) != _kind(fact):
        return False
    marked = bool(_table("single_marks") & set(mine))
    return marked or (mine[-1] in _table("single_nouns") and (_kind(kept) != "words" or mine[-1] in _table("worded")))


def _kind(reading: Reading) -> str:
    """What kind of value stands behind "is": a number (also inside a word), a name, somewhere, or words."""
    at = next((at for at, word in enumerate(reading.words) if word in _table("be_forms")), len(reading.words))
    return _kind_from(reading, at + 1)


def _kind_from(reading: Reading, first: int) -> str:
    words = [word for word in reading.words[first:] if word[0].isalnum()]
    found = reading.values
    if any(letter.isdigit() for word in words for letter in word) or any(each.first >= first for each in found.dates):
        return "number"
    if words and words[0] in _table("loose_ends"):
        return "place"
    plain = lexicon.table("support")["capitalised"]
    named = [each.key in plain for each in found.names if each.first >= first]
    return "words" if not named else "proper words" if all(named) else "name"  # "Polish" is no name


def _alike(kept: Reading, fact: Reading, mine: Sequence[str], theirs: Sequence[str], *, loose: bool) -> bool:
    """Whether two values behind one phrase are of one kind: "in fear" is no place, "to the job" no spouse."""
    one = _kind_from(kept, len(kept.words) - len(mine))
    other = _kind_from(fact, len(fact.words) - len(theirs))
    if one == other and one != "words":
        return True
    if not loose:
        return one == other
    known = [
        kind != "words" or bool(_table("articles_definite") & set(rest[:1]))
        for kind, rest in ((one, mine), (other, theirs))
    ]
    return all(known)


def without_lately(words: Sequence[str]) -> list[str]:
    """The words but those that say "now"; all of them where another one is told beside ("now also works at")."""
    if _table("besides") & set(words):
        return list(words)
    return [word for word in words if word not in _table("lately")]


@cache
def _settling() -> list[list[str]]:
    """The phrases that tell a new value, as words, the longest first."""
    return [phrase.split() for phrase in sorted(_table("settled"), key=lambda each: -len(each))]


def settled(text: str) -> str:
    """A text that tells of a value's change as one that tells the new value: "went up to 950" as "is 950".

    >>> settled("The user's rent went up to 950 euros")
    "The user's rent is 950 euros"
    """
    tokens = tokenise(text)
    said = set(tokens.words)
    for parts in _settling():
        if parts[0] not in said:
            continue
        for at in range(1, len(tokens.words) - len(parts)):
            if tokens.words[at : at + len(parts)] == parts:
                if len(parts[-1]) > 3 and not tokens.words[at + len(parts)][0].isdigit():
                    continue  # "turned 35", not "turned vegan"
                first, last = tokens.span(at, at + len(parts))
                return text[:first] + str(_table("be_forms")[0]) + text[last:]
    return text


def subject_of(reading: Reading) -> tuple[str, ...]:
    """The words before "is", small words left out; nothing where there is no "is"."""
    at = next((at for at, word in enumerate(reading.words) if word in _table("be_forms")), 0)
    plain = lexicon.table("function_words")
    return tuple(word for word in reading.words[:at] if word not in plain)


def other_amount(kept: Reading, fact: Reading) -> bool:
    """Whether both say one bare amount for the same time, and another one: "2,100 a month", "2,400 a month"."""
    if len(kept.values.quantities) != 1 or len(fact.values.quantities) != 1:
        return False
    mine, theirs = kept.values.quantities[0], fact.values.quantities[0]
    return (mine.unit, mine.per) == (theirs.unit, theirs.per) and mine.value != theirs.value


def one_differs(kept: Reading, fact: Reading) -> bool:
    """Whether no more than one number differs: "flat 3 costs 950" is no other price of flat 2."""
    mine = kept.bare_numbers | {each.value for each in kept.values.quantities}
    theirs = fact.bare_numbers | {each.value for each in fact.values.quantities}
    return len(mine - theirs) <= 1 and len(theirs - mine) <= 1


def is_another_one(kept: Reading, fact: Reading) -> bool:
    """Whether both speak of one of several persons: "a son of 4", "a son of 7"."""
    kin = lexicon.table("kin")
    return any(
        one in _table("articles") and other in kin for one, other in zip(fact.words, fact.words[1:], strict=False)
    ) and any(word in kin for word in kept.words)


def has_age(reading: Reading) -> bool:
    """Whether a fact says how old somebody is, and nothing else: "The user is 34", "is 34 years old"."""
    words = [word for word in reading.words if word[0].isalnum()]
    at = next((at for at, word in enumerate(words) if word in _table("be_forms")), len(words))
    rest = words[at + 1 :]
    people = lexicon.table("kin").keys() | set(lexicon.table("memory_user_words"))
    whose = [word.removesuffix("'s") for word in words[:at] if word not in lexicon.table("function_words")]
    person = bool(whose) and (whose[-1] in people or reading.owner.kind == "name")
    return (
        person and bool(rest) and rest[0].isdigit() and int(rest[0][:4]) < 130 and set(rest[1:]) <= _table("age_words")
    )


def _is_past(reading: Reading) -> bool:
    return bool(_table("was_forms") & set(reading.words))
