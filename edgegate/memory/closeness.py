"""How near a memory is to what should be forgotten: is it about that, does it only touch it, does it hold more?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from edgegate.language import lexicon
from edgegate.language.passages import past_forms
from edgegate.memory.stored import LONGEST, Memory, Term, Wanted, root, words_of


def level(memory: Memory, wanted: Wanted) -> int:
    """How much a memory that holds what is wanted is about it. 3: it says just that of just that person ("the user's
    address"); 2: it is what the memory tells of; 1: it stands in it; 0: it is only liked, read or collected there, or
    part of another thing; -1: the word is a verb where a noun is wanted.

    >>> from edgegate.memory.asked import wanted_in
    >>> [level(Memory(text), wanted_in("my bank")) for text in ("The user's bank is Nord", "The user banks on rain")]
    [3, -1]
    """
    heavy = [term for term in wanted.terms if not term.light and not term.optional]
    if wanted.stated and memory.predicate and any(root(memory.predicate[0]) == term.stem for term in heavy):
        return 2
    if wanted.clause or (not wanted.topic and all(term.named for term in heavy)):
        return 2
    places = [at for term in heavy for at in memory.places.get(term.stem, ())]
    if wanted.topic:
        distant = _is_distant(memory, heavy) and not all(term.named for term in heavy)
        return 0 if distant or any(_joined(memory, at, wanted) for at in places) else 2
    if places and any(_verbish(memory, at, heavy) for at in places):
        return -1
    if _is_distant(memory, heavy) or (wanted.group and any(_joined(memory, at, wanted) for at in places)):
        return 0
    if wanted.mine and _owned_phrase(memory, heavy):
        return 3
    if memory.main_verb in words_of("owning_verbs"):
        return 2
    return 2 if not places or max(places) <= memory.verb_at else 1


def _is_distant(memory: Memory, heavy: Sequence[Term]) -> bool:
    verb = memory.main_verb
    if verb not in words_of("distant_verbs") and root(verb) not in _distant_roots():
        return False
    if any(at <= memory.verb_at for term in heavy for at in memory.places.get(term.stem, ())):
        return False
    return all(term.stem != root(verb) and all(verb not in each.held for each in term.fields) for term in heavy)


@cache
def _distant_roots() -> frozenset[str]:
    return frozenset(root(word) for word in words_of("distant_verbs"))


def _joined(memory: Memory, at: int, wanted: Wanted) -> bool:
    """Whether a word is only a part of another thing: "table tennis", "Milo-style"."""
    words = memory.words
    if words[at + 1 : at + 2] == ["-"] or (at and words[at - 1] == "-"):
        return True
    return memory.modified(at) and not any(
        term.stem == root(words[at - 1]) or term.opens(words[at - 1]) for term in wanted.terms
    )


def _verbish(memory: Memory, at: int, heavy: Sequence[Term]) -> bool:
    """Whether the word at `at` is the verb of a memory, where the request has a noun."""
    words = memory.words
    if at == memory.verb_at and words[:2] == ["the", "user"]:
        return True
    past = words[at].endswith("ed") or words[at] in past_forms()
    asked = any(term.word == words[at] or term.opens(words[at]) for term in heavy)
    if past and at >= memory.verb_at and not asked:
        return True
    third = words[at].endswith("s") and not words[at].endswith(("'s", "ss"))
    if third and at > 1 and words[at + 1 : at + 2] and words[at + 1] in words_of("articles") and at - 1 > 0:
        return words[at - 1].isalpha() and words[at - 1] not in lexicon.table("function_words")
    return at > 1 and third and at <= memory.verb_at and not any(term.word.endswith("s") for term in heavy)


def _owned_phrase(memory: Memory, heavy: Sequence[Term]) -> bool:
    """Whether a memory is of "the user's X", with nothing between."""
    words = memory.words
    if words[:2] != ["the", "user's"]:
        return False
    return sorted(words[2 : 2 + len(heavy)]) == sorted(term.word for term in heavy)


def is_more(memory: Memory, wanted: Wanted) -> bool:
    """Whether a memory says another thing beside what is wanted: it joins two statements."""
    words = memory.words
    if len(memory.text) > LONGEST or set(words[:3]) & words_of("summary_words"):
        return True
    joins = words_of("joins_facts")
    verbs = lexicon.table("clauses")["verbs"]
    for at, word in enumerate(words):
        if word not in joins and word != ",":
            continue
        rest = words[at + 1 : at + 4]
        is_verb = any(
            other in verbs
            or other in past_forms()
            or (other.endswith("s") and not other.endswith("ss") and place < 1 and word != "," and at + 2 < len(words))
            for place, other in enumerate(rest)
        )
        if not is_verb or at < 3:
            continue
        stems = {root(other) for other in words[at + 1 :]}
        asked = {term.stem for term in wanted.terms}
        if not asked & stems or not asked & {root(other) for other in words[:at]}:
            return True
    return False


def frame(memory: Memory) -> tuple[str, ...]:
    """A memory's words without its values: two records of one measure have the same."""
    found = memory.values
    spans = [(date.first, date.last) for date in found.dates]
    spans += [(clock.first, clock.last) for clock in found.clocks]
    spans += [(amount.first, amount.last) for amount in found.quantities]
    spans += [(number.first, number.last) for number in found.numbers]
    taken = {at for first, last in spans for at in range(first, last)}
    return tuple(root(word) for at, word in enumerate(memory.words) if at not in taken and word[0].isalnum())


def same_text(one: Memory, other: Memory) -> bool:
    """Whether two memories say the same in the same words, order and small words aside."""
    plain = lexicon.table("function_words")

    def bare(memory: Memory) -> set[str]:
        return {root(word) for word in memory.words if word[0].isalnum() and word not in plain}

    return bare(one) == bare(other)
