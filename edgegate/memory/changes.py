"""Whether a fact tells that a state is over which a kept fact says holds: "got divorced" after "is married".

The words are data (`states.toml`): cues of states, and which state takes the place of which. What makes a match count
is form. The subject alone stands before it, so nothing wished, planned, denied, or told by others is a change; the
fact speaks of one moment, none long before the kept fact was said; and where a state has an object ("sold the car"),
it is the kept fact's object, not a thing of it ("the car's roof rack") or one of several. In doubt nothing is
replaced: a fact kept twice does less harm than one lost.

Source: Vendler 1957 (states, and the achievements that begin or end them); Levin 1993 (verbs of change).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from edgegate.language import lexicon
from edgegate.language.cues import CueMatch
from edgegate.language.passages import LONGEST, Passage, stem

if TYPE_CHECKING:
    from edgegate.memory.reconcile import Reading

STATE_MARK = "stateof"
"""What begins a term that is a state. Letters alone, so that every index holds such a term as one word."""

MODAL = ("hedge", "attribution", "condition")
"""Families of cues that make a statement less than flat."""

_FAMILY = "state"
_LATE = 31  # days that people go on telling a state which is over


@dataclass(frozen=True, slots=True)
class State:
    """One state told by a fact: its `effect`, whose it is, its object's words, and the words behind."""

    effect: str
    subject: tuple[str, ...]
    thing: tuple[str, ...]
    names: frozenset[str]
    tail: tuple[str, ...]
    clean: bool
    open: bool  # whether an object or a place is to follow: the state's words end in "at", "from", "as"
    verb: str = ""  # the stem of the last verb among the state's words
    named: bool = True  # whether its object may stand there as a name, without an article
    article: str = ""  # the word before its object
    dateless: bool = True


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(lexicon.table("states")[name])


@cache
def _rule(name: str) -> frozenset[str]:
    return frozenset(lexicon.table("states")["read"][name])


def _replaces(effect: str) -> Sequence[str]:
    found: Sequence[str] = lexicon.table("states")["replaces"].get(effect, ())
    return found


def state_terms(text: str, *, asked: bool = False) -> tuple[str, ...]:
    """The states that `text` tells, as terms that a memory can be found by; `asked`: those that it would end.

    >>> state_terms("The user is married"), state_terms("The user got divorced", asked=True)[:1]
    (('stateofmarriagemarried',), ('stateofmarriagemarried',))
    """
    passage = Passage(text[:LONGEST])
    found = passage.family(_FAMILY)
    told = [
        each.cue.effect for each in found if each.cue.effect not in _rule("found_by") or _of_a_person(passage, each)
    ]
    if asked:
        told = [old for effect in told for old in _replaces(effect)]
    return tuple(dict.fromkeys(STATE_MARK + effect.replace("-", "") for effect in told))


def _of_a_person(passage: Passage, match: CueMatch) -> bool:
    """Whether a state stands behind a person: a thing's number is no age."""
    lead = [word for word in passage.words[: match.first] if word not in _words("adverbs")]
    named = {part for each in passage.values.names for part in each.key.split()}
    people = _words("user_words") | lexicon.table("kin").keys() | named
    return not lead or lead[-1] in people


def ends(kept: Reading, fact: Reading) -> bool:
    """Whether `fact` tells a change after which what `kept` says holds no longer.

    >>> from edgegate.memory.reconcile import Reading
    >>> ends(Reading("The user is married"), Reading("The user got divorced"))
    True
    >>> ends(Reading("The user is married"), Reading("The user might get divorced"))
    False
    """
    if kept.about != fact.about or not in_time(kept, fact):
        return False
    after = fact.told
    if after is None or not after.clean or after.effect in _rule("found_by"):
        return False
    before = kept.told_before
    if before is None or not before.clean or before.effect not in _replaces(after.effect):
        return False
    return _fits(before, after)


def told(reading: Reading, *, kept: bool = False) -> State | None:
    """The state that a fact tells as its one statement, or None."""
    matches = reading.passage.family(_FAMILY)
    words = reading.words
    at = 0  # an auxiliary alone ("has" in "has been repaired") is no state of its own
    while at + 1 < len(matches) and all(
        word in _words("adverbs") for word in words[matches[at].first : matches[at + 1].first]
    ):
        at += 1
    if not matches or reading.passage.is_question:
        return None
    match = matches[at]
    effect = match.cue.effect
    lead = list(words[: match.first])
    if match.text.lower().replace("’", "'").split()[0] in _words("user_words"):
        lead = ["user"]  # "I'm married", where subject and verb are one word
    while lead and lead[-1] in _words("adverbs"):
        lead.pop()
    end = len(words)
    while end > match.last and words[end - 1] in (".", "!"):
        end -= 1
    behind = list(words[match.last : end])
    names = frozenset(
        part.removesuffix("'s")
        for each in reading.values.names
        if each.first >= match.first
        for part in each.key.split()
    )
    if effect in _rule("subject"):
        whose, thing = _split_subject(lead)
        named = lead[-len(thing) - 1 :][:1] not in ([word] for word in _words("openers") - _words("user_words"))
        clean = bool(thing) and not _noun_phrase(behind)[0] and _is_clean(reading, match, behind, kept)
        return State(effect, whose, thing, names, tuple(behind), clean, False, "", named)
    inside = _inside(words, match) if effect in _rule("inside") else None
    thing, tail = (inside, tuple(behind)) if inside is not None else _noun_phrase(behind)
    is_open = words[match.last - 1] in _words("enders") or effect in _rule("open")
    verb = next((word for word in reversed(words[match.first : match.last]) if word not in _words("enders")), "")
    return State(
        effect,
        _plain(lead),
        thing,
        names,
        tail,
        _is_clean(reading, match, behind, kept),
        is_open,
        stem(verb),
        article=words[match.first + 1] if inside is not None else (behind or [""])[0],
        dateless=not reading.values.dates,
    )


def tells_change(text: str) -> bool:
    """Whether a statement about somebody tells that a state has begun or ended: such a thing lasts, undated, too.

    >>> tells_change("The user went off sushi"), tells_change("The user went out")
    (True, False)
    """
    from edgegate.memory.reconcile import Reading  # it reads by this module

    state = told(Reading(text))
    return state is not None and state.clean and state.effect in _rule("lasting") and not _goes_on(state)


def _is_clean(reading: Reading, match: CueMatch, behind: Sequence[str], kept: bool) -> bool:
    """Whether the fact says one thing, of one moment, and the state's words end where they seem to."""
    if any(not match.first <= each.first < match.last for each in reading.passage.family(*MODAL)):
        return False
    joins = _words("kept_joins" if kept else "joins")
    if any(word in joins for word in behind) or set(reading.words[: match.first]) & _words("breaks"):
        return False
    return not kept or not reading.values.dates


def _plain(words: Sequence[str]) -> tuple[str, ...]:
    """A subject as stems, its small words left out; the user where there is none."""
    openers = _words("openers") - _words("user_words")
    found = ["user" if word in _words("user_words") else stem(word) for word in words if word not in openers]
    return tuple(found) or ("user",)


def _split_subject(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """ "the user's old dog": whose, and what. Anybody but the user who owns it stays part of what it is."""
    rest = [word for word in words if word not in _words("openers") - _words("user_words")]
    if rest and rest[0] in _words("user_words"):
        rest = rest[1:]
    return ("user",), tuple(rest)


def _noun_phrase(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of the first noun phrase, its small words left out, and what stands behind it."""
    at = 0
    while at < len(words) and words[at] in _words("openers"):
        at += 1
    first = at
    while at < len(words) and words[at] not in _words("enders") and (words[at][0].isalnum()):
        at += 1
    return tuple(words[first:at]), tuple(words[at:])


def _inside(words: Sequence[str], match: CueMatch) -> tuple[str, ...]:
    """The object between a verb and its particle: "gave the parrot away"."""
    between = words[match.first + 1 : match.last - 1]
    article = next((at for at, word in enumerate(between) if word in _words("openers")), -1)
    return tuple(word for word in between[article + 1 :] if word not in _words("openers"))


def _fits(before: State, after: State) -> bool:
    """Whether the change is of what the kept fact speaks of."""
    if before.subject != after.subject:
        return False
    effect = after.effect
    if effect in _rule("place"):
        return _is_another_place(before, after)
    if effect in _rule("definite") and after.article in _words("indefinite"):
        return False
    if effect in _rule("verb") and before.effect in _rule("verbs") and before.verb != after.verb:
        return False
    if effect in _rule("same"):
        return _same_thing(before, after) and _tail_fits(before, after)
    if effect in _rule("part"):
        return _part(before, after)
    if _goes_on(before) or _goes_on(after) or not (_is_company(before) and _is_company(after)):
        return False
    mine, theirs = before.names, after.names
    return (not mine or not theirs or bool(mine & theirs)) and _tail_fits(before, after)


def _goes_on(state: State) -> bool:
    """Whether a word behind a state without an object makes it another one: "had a baby shower"."""
    word = state.thing[0] if state.thing else ""
    if state.open and word.endswith("ing") and word not in state.names:
        return True  # "works at losing weight"
    return bool(word) and not state.open and word.isalpha() and word not in _words("behind") and word not in state.names


def _is_company(state: State) -> bool:
    """Whether one who lives with something lives with a person: not "with diabetes"."""
    if state.effect not in _rule("company"):
        return True
    people = _words("companions") | lexicon.table("kin").keys()
    return any(word.removesuffix("'s") in people or word in state.names for word in state.thing)


def _tail_fits(before: State, after: State) -> bool:
    rest = [word for word in (*after.thing, *after.tail) if word.isalpha()]
    if after.effect in _rule("same"):
        rest = [word for word in after.tail if word.isalpha()]
    plain = lexicon.table("function_words")
    said = [word for word in rest if word not in plain and word not in _words("behind")]
    if after.effect in _rule("held"):
        held = {stem(word) for word in (*before.thing, *before.tail)} | {stem(word) for word in _words("general")}
        return all(stem(word) in held for word in said)
    if after.effect in _rule("alone"):
        return not said and not _words("foreign") & set(rest)
    return not (after.effect in _rule("not_for") and after.dateless and _words("foreign") & set(rest))


def _stems(words: Sequence[str]) -> set[str]:
    found = {stem(word) for word in words if word.isalnum() or "'" in word}
    rest = found - {stem(word) for word in _words("general")}
    return rest or found


def _same_thing(before: State, after: State) -> bool:
    """Whether both have the same object, and the kept fact says nothing more of it."""
    if not after.thing or not before.thing:
        return False
    tail = [word for word in before.tail if word.isalpha() and word not in _words("behind")]
    return _stems(before.thing) == _stems(after.thing) and (not tail or before.tail == after.tail)


def _part(before: State, after: State) -> bool:
    """Whether the kept object is the one that the fact names, by its noun or by its name."""
    if not after.thing or not before.thing or any(word in _words("counted") for word in before.thing):
        return False
    called = set(before.names)
    mine, theirs = set(before.thing), {word.removesuffix("'s") for word in after.thing}
    general = _words("general")
    mine_stems = {stem(word) for word in mine}
    if theirs <= called and after.named:
        return True
    bare = [word for word in after.thing if word not in called and word not in general] or list(after.thing)
    head = next((word for word in reversed(before.thing) if word not in called and word not in general), "")
    if before.effect in _rule("illness") and stem(bare[-1]) == stem(head):
        return {stem(word) for word in bare} <= mine_stems
    return bare[-1] == head and set(bare) <= mine


def _is_another_place(before: State, after: State) -> bool:
    """Whether the fact tells a new place to live: one with a name, or a dwelling where the kept place has no name."""
    there = set(after.names) - before.names
    if set(after.thing) & _words("no_places"):
        return False
    if after.thing and not (set(after.thing) & after.names) and not (set(after.thing) & _words("dwellings")):
        return False
    if not before.names and before.effect == "in-in":
        return False
    if before.names:
        return bool(there) and not (after.names & before.names)
    return bool(after.names or set(after.thing) & _words("dwellings"))


def in_time(kept: Reading, fact: Reading) -> bool:
    """Whether the change is no older than the kept fact, as far as its dates say."""
    if fact.values.clocks:
        return False
    if not fact.values.dates:
        return True
    try:
        said = date.fromisoformat((kept.now or "")[:10]).toordinal()
        today = date.fromisoformat((fact.now or "")[:10]).toordinal()
    except ValueError:
        return False
    return all(
        bool(each.spans) and all(last >= said - _LATE and first <= today for first, last in each.spans)
        for each in fact.values.dates
    )
