"""Plans what a request to forget deletes: exactly one memory, a plainly named group, or nothing but a question.

Deleting the wrong memory is worse than any number of questions: whatever is not told by words alone is asked. An
optional chooser (a model, say) is asked only when none or several match, and its choice becomes a question, never a
deletion. After seed 002 of the project's design (the law review and the law firm).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from edgegate.language import lexicon
from edgegate.memory.ask import ask_of
from edgegate.memory.asked import wanted_of
from edgegate.memory.closeness import frame, is_more, level, same_text
from edgegate.memory.holding import holds
from edgegate.memory.stored import Memory, Term, Wanted, fields, root, words_of

Chooser = Callable[[str, Sequence[str]], Sequence[int]]
"""Given the request and the memories, the places it thinks are meant. The host gives it a deadline."""

SHOWN = 5
"""Candidates that a question names at most."""


@dataclass(frozen=True, slots=True)
class ForgetPlan:
    """What to do: `outcome` is delete, none or ask; `targets` are places in the list of memories (what to delete, or
    the candidates to ask about); `words` say it, and go back to the model as they are; `reason` is a short key for the
    turn record, with no fact in it."""

    outcome: str
    targets: tuple[int, ...]
    words: str
    reason: str


def plan_forget(
    memories: Sequence[str], request: str, *, said: str | None = None, chooser: Chooser | None = None
) -> ForgetPlan:
    """What a request to forget would delete among `memories`. Pure: the host deletes and reports (`report_forget`).

    `said` is the assistant's last text, for "please delete that one". Never raises for a text.

    >>> kept = ["The user works at a law firm", "The user wants to make law review"]
    >>> plan_forget(kept, "forget that I want to make law review").targets
    (1,)
    >>> plan_forget(kept, "forget my shoe size").outcome
    'none'
    """
    ask = ask_of(request)
    if ask.intent != "forget" and not (ask.cue and ask.cue.match.cue.id in words_of("refusals_that_delete")):
        return ForgetPlan("none", (), _say("no_request"), "no request")
    wanted = wanted_of(ask, said)
    if wanted is None:
        return ForgetPlan("ask", (), _say("ask_what"), "nothing named")
    read = [Memory(text) for text in memories]
    return _decide(wanted, read, request, chooser)


def report_forget(plan: ForgetPlan, memories: Sequence[str], deleted: Sequence[int]) -> str:
    """What to say after the store answered: `deleted` are the places that it really deleted.

    >>> kept = ["The user rows"]
    >>> plan = plan_forget(kept, "forget that I row")
    >>> report_forget(plan, kept, plan.targets), report_forget(plan, kept, ())
    ('Deleted: “The user rows”.', 'Nothing was deleted: it was no longer there.')
    """
    if plan.outcome != "delete":
        return plan.words
    done = [place for place in plan.targets if place in deleted]
    if not done:
        return _say("gone")
    texts = _texts(memories, done)
    if len(done) < len(plan.targets):
        return _say("partly", texts=texts, count=len(done), total=len(plan.targets))
    return _say("deleted_one" if len(done) == 1 else "deleted_many", texts=texts, count=len(done))


def _say(name: str, **values: object) -> str:
    return str(lexicon.table("forget")["words"][name]).format(**values)


def _texts(memories: Sequence[str], places: Sequence[int]) -> str:
    shown = [f"\u201c{memories[place]}\u201d" for place in places[:SHOWN]]
    more = len(places) - len(shown)
    return "; ".join(shown) + (f" (and {more} more)" if more else "")


def _decide(wanted: Wanted, read: list[Memory], request: str, chooser: Chooser | None) -> ForgetPlan:
    texts = [memory.text for memory in read]
    if wanted.everything:
        places = list(range(len(read)))
        return _plan("delete", places, texts, "all") if read else _plan("none", [], texts, "none", wanted)
    wanted = _spelled(wanted, read)
    levels = {place: level(memory, wanted) for place, memory in enumerate(read) if holds(memory, wanted)}
    if wanted.partly:
        return _plan("ask", sorted(levels), texts, "partly") if levels else _plan("none", [], texts, "none", wanted)
    if wanted.group:
        return _decide_group(wanted, read, texts, levels)
    verbs = [place for place, grade in levels.items() if grade < 0]
    found = [place for place, grade in levels.items() if grade >= 0]
    sure = [place for place in found if levels[place] > 0]
    top = max(levels.values(), default=0)
    if found and (not sure or (len(sure) < len(found) and top < 2)):
        return _plan("ask", found, texts, "weak")
    exact = [place for place in sure if levels[place] == 3]
    if len(exact) == 1 and all(_is_lesser(read[place], wanted) for place in sure if place not in exact):
        sure = exact
    if len(sure) == 1:
        beside = [place for place, memory in enumerate(read) if place not in sure and _opens_with(memory, wanted)]
        if beside:
            return _plan("ask", sorted([*sure, *beside]), texts, "several")
        return _one(sure[0], wanted, read, texts)
    if sure:
        return _several(sure, wanted, read, texts)
    near = [place for place, memory in enumerate(read) if holds(memory, wanted, loose=True)]
    chosen = [] if chooser is None else [place for place in chooser(request, texts) if 0 <= place < len(texts)]
    asked = list(dict.fromkeys([*chosen, *verbs, *near]))
    if not asked and wanted.clause and any(term.named for term in wanted.terms):
        asked = [place for place, memory in enumerate(read) if _mentions(memory, wanted)]
    if not asked and not wanted.clause:
        asked = [place for place, memory in enumerate(read) if _names_thing(memory, wanted)]
    if asked:
        return _plan("ask", asked, texts, "chosen" if chosen else "near")
    return _plan("none", [], texts, "none", wanted)


def _plan(
    outcome: str, places: Sequence[int], texts: Sequence[str], reason: str, wanted: Wanted | None = None
) -> ForgetPlan:
    request = wanted.text if wanted else ""
    return ForgetPlan(outcome, tuple(places), _say(outcome, texts=_texts(texts, places), request=request), reason)


def _decide_group(wanted: Wanted, read: list[Memory], texts: list[str], levels: dict[int, int]) -> ForgetPlan:
    """A plainly named group goes; where a memory only may belong to it, all are asked about."""
    sure = [place for place, grade in levels.items() if grade > 0]
    doubtful = [place for place, grade in levels.items() if grade == 0]
    if not sure and not doubtful:
        doubtful = [place for place, memory in enumerate(read) if _mentions(memory, wanted)]
    if not sure and not doubtful:
        return _plan("none", [], texts, "none", wanted)
    if doubtful or any(is_more(read[place], wanted) for place in sure):
        return _plan("ask", sorted([*sure, *doubtful]), texts, "near")
    return _plan("delete", sure, texts, "group" if len(sure) > 1 else "one")


def _several(found: list[int], wanted: Wanted, read: list[Memory], texts: list[str]) -> ForgetPlan:
    """Several hold it: the same fact twice goes, records of one measure go; else ask."""
    same = all(same_text(read[found[0]], read[place]) for place in found[1:])
    series = _is_measure(wanted) and len({frame(read[place]) for place in found}) == 1
    if (same or series) and not any(is_more(read[place], wanted) for place in found):
        return _plan("delete", found, texts, "group")
    return _plan("ask", found, texts, "several")


def _is_lesser(memory: Memory, wanted: Wanted) -> bool:
    """Whether a memory only has the word with another before it ("email address" beside "address")."""
    heavy = [term for term in wanted.terms if not term.light and not term.optional]
    places = [at for term in heavy for at in memory.places.get(term.stem, ())]
    return any(memory.modified(at) and not _is_asked(memory.words[at - 1], wanted) for at in places)


def _is_asked(word: str, wanted: Wanted) -> bool:
    return any(term.stem == root(word) or any(word in each.held for each in term.fields) for term in wanted.terms)


def _one(place: int, wanted: Wanted, read: list[Memory], texts: list[str]) -> ForgetPlan:
    if is_more(read[place], wanted):
        return ForgetPlan("ask", (place,), _say("ask_more", texts=_texts(texts, [place])), "holds more")
    beside = _repeats(place, wanted, read)
    if beside:
        all_of = sorted([place, *beside])
        return ForgetPlan("ask", tuple(all_of), _say("ask", texts=_texts(texts, all_of)), "repeated")
    return ForgetPlan("delete", (place,), _say("delete", texts=_texts(texts, [place])), "one")


def _repeats(place: int, wanted: Wanted, read: list[Memory]) -> list[int]:
    """Other memories that repeat the very value that should go (a summary with the salary in it)."""
    if wanted.clause:
        return []
    asked = {number.key for number in wanted.values.numbers}
    own = {number.key for number in read[place].values.numbers if number.key not in asked}
    if not any(number.value > 99 for number in read[place].values.numbers if number.key in own):
        own = set()
    if any(each.value == "name" for term in wanted.terms for each in term.fields) and not any(
        term.named for term in wanted.terms
    ):
        own |= set(read[place].names)
    if not own:
        return []
    return [
        other
        for other, memory in enumerate(read)
        if other != place and own <= {number.key for number in memory.values.numbers} | memory.names.keys()
    ]


def _is_measure(wanted: Wanted) -> bool:
    return any(each.value == "series" for term in wanted.terms for each in term.fields)


def _mentions(memory: Memory, wanted: Wanted) -> bool:
    """Whether a memory has the words of a topic, whoever it speaks of."""
    heavy = [term for term in wanted.terms if not term.light and not term.optional]
    return bool(heavy) and all(term.stem in memory.places for term in heavy)


def _names_thing(memory: Memory, wanted: Wanted) -> bool:
    """Whether a memory has the one thing of a request as part of another: "law firm", where "the law" is wanted."""
    heavy = [term for term in wanted.terms if not term.light and not term.optional]
    if len(heavy) != 1 or heavy[0].named or wanted.values.dates or wanted.values.clocks:
        return False
    return any(
        memory.words[at] == heavy[0].word and memory.qualifies(at) for at in memory.places.get(heavy[0].stem, ())
    )


def _opens_with(memory: Memory, wanted: Wanted) -> bool:
    """Whether a memory is of a thing of the thing that is wanted: "locker number is 88" beside "my locker"."""
    if wanted.clause or not _names_thing(memory, wanted):
        return False
    first = 2 if memory.words[:2] == ["the", "user's"] else 0
    return any(memory.words[first : first + 1] == [term.word] for term in wanted.terms)


def _spelled(wanted: Wanted, read: Sequence[Memory]) -> Wanted:
    """With typing errors put right: a word that stands nowhere, one letter off one that does."""
    stems = {place for memory in read for place in memory.places}
    asked = {word for each in fields() for word in each.asked}
    terms = []
    for term in wanted.terms:
        if term.named or term.optional or len(term.word) < 5 or term.stem in stems or term.word in asked:
            terms.append(term)
            continue
        near = _near_words(term.word, read, asked)
        terms.append(Term(near[0], root(near[0]), False, term.light) if len(near) == 1 else term)
    return replace(wanted, terms=tuple(terms))


def _near_words(word: str, read: Sequence[Memory], asked: Collection[str]) -> list[str]:
    """The words one letter off, of fields of meaning and of memories, names left out: whose names are looked for only
    in memories that have such a word, for that is what reading all of them would cost most."""
    found = {other for other in asked if _one_off(word, other)}
    for memory in read:
        for other in memory.words:
            if other[0] == word[0] and other not in found and _one_off(word, other) and other not in memory.names:
                found.add(other)
    return sorted(other for other in found if other[0] == word[0])


def _one_off(one: str, other: str) -> bool:
    """Whether two words differ by one letter, or by two letters that changed places."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    at = 0
    while at < min(len(one), len(other)) and one[at] == other[at]:
        at += 1
    if one[at + 1 :] == other[at:] or one[at:] == other[at + 1 :] or one[at + 1 :] == other[at + 1 :]:
        return not (one + "s" == other or other + "s" == one)
    return one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :]
