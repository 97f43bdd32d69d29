"""Whether two facts of one owner contradict: one denies just what the other says, or they tell opposite states.

A denial of more ("does not walk the dog"), at some time ("not on Fridays") or of a thing of it ("no car insurance")
leaves what was said standing, and so do opposite deeds ("lends books", "borrows books") and opposite qualities of two
things ("hot tea", "cold tea"). Also which small words turn a statement round: "to Rome" is not held by "from Rome".

Source: Cruse 1986, ch. 9-10 (opposites: complementaries exclude one another, reversives and converses do not);
Huddleston & Pullum 2002, ch. 9 (the scope of negation).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from edgegate.language import lexicon
from edgegate.language.compare import opposite
from edgegate.language.passages import past_forms, stem

if TYPE_CHECKING:
    from edgegate.memory.reconcile import Reading


@cache
def _table(name: str) -> Any:
    return lexicon.table("reconcile")[name]


@cache
def _stems(name: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _table(name))


def contradicts(kept: Reading, fact: Reading) -> bool:
    """Whether `fact` denies or turns round all that `kept` says, and says nothing else; differences of values and of
    owners are the caller's business.

    >>> from edgegate.memory.reconcile import Reading
    >>> contradicts(Reading("The user has a dog"), Reading("The user does not have a dog"))
    True
    >>> contradicts(Reading("The user has a dog"), Reading("The user does not walk the dog"))
    False
    """
    if bool(fact.values.dates) != bool(kept.values.dates) or (fact.values.clocks and not kept.values.clocks):
        return False
    mine, theirs = kept.core - _stems("beside"), fact.core - _stems("beside")
    against = {word for word in mine if any(opposite(word, other) for other in theirs)}
    against_theirs = {word for word in theirs if any(opposite(word, other) for other in mine)}
    if not against:
        return mine == theirs and bool(mine) and _heads(kept) == _heads(fact)
    if not all(_excludes(kept, word) for word in against) or not all(_excludes(fact, word) for word in against_theirs):
        return False
    return mine - against == theirs - against_theirs and bool((mine - against) or _is_predicate(kept, against))


def may_contradict(kept: Reading, fact: Reading) -> bool:
    """Whether the words alone allow a contradiction: those that only one fact has are opposites of the other's. Cheap,
    so that most pairs need no closer look."""
    mine, theirs = kept.core - _stems("beside"), fact.core - _stems("beside")
    return all(any(opposite(word, other) for other in theirs) for word in mine - theirs) and all(
        any(opposite(word, other) for other in mine) for word in theirs - mine
    )


def _heads(reading: Reading) -> tuple[str, ...]:
    """The words that end in 's: whose things are spoken of."""
    return tuple(stem(word) for word in reading.words if word.endswith("'s"))


def _excludes(reading: Reading, word: str) -> bool:
    """Whether the opposite of a word can't hold at the same time: it is a word of attitude, or said after "is"."""
    return word in _stems("excluding") or _is_predicate(reading, {word})


def _is_predicate(reading: Reading, words: set[str]) -> bool:
    return any(
        at
        and reading.words[at - 1] in _table("be_forms")
        and at + 1 >= len([each for each in reading.words if each[0].isalnum()])
        for word in words
        for at in reading.passage.stems.get(word, ())
    )


def turned(kept: Reading, fact: Reading) -> bool:
    """Whether the same words stand the other way round: "before" for "after", "tea to coffee" for "coffee to tea".

    >>> from edgegate.memory.reconcile import Reading
    >>> turned(Reading("The user flies to Rome"), Reading("The user flies from Rome"))
    True
    """
    mine, theirs = set(kept.words), set(fact.words)
    for one, other in _table("turning"):
        if (
            (one in mine) != (one in theirs)
            and (other in mine) != (other in theirs)
            and (one in mine) != (other in mine)
        ):
            return True
    return reversed_order(kept, fact)


def reversed_order(kept: Reading, fact: Reading) -> bool:
    """Whether two things that a small word compares or joins have changed places."""
    for word in _table("ordering"):
        if word in kept.words and word in fact.words:
            before, after = _around(kept, word)
            left, right = _around(fact, word)
            if before & right and after & left:
                return True
    return False


def _around(reading: Reading, word: str) -> tuple[set[str], set[str]]:
    at = reading.words.index(word)
    before = {each for place, each in reading.passage.content if place < at}
    after = {each for place, each in reading.passage.content if place > at}
    return before - after, after - before


def is_occasion(reading: Reading) -> bool:
    """Whether a fact tells what happened once, so that another amount is another time: "ran 5 km".

    >>> from edgegate.memory.reconcile import Reading
    >>> is_occasion(Reading("The user ran 5 km")), is_occasion(Reading("The user runs 5 km"))
    (True, False)
    """
    verbs = _table("states_in_past_form")
    return any(
        word not in verbs and (word in past_forms() or (word.endswith("ed") and len(word) > 4))
        for word in reading.words[1:4]
    )
