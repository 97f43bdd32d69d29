"""The facts in a message: how many there are, each as a text that stands by itself, with its kind.

What the user asked to be kept is told in full. What is only mentioned in passing counts when it tells something lasting
or dated about the user or the user's people: no moods, no requests, nothing quoted, pasted, supposed or played.
After Vendler 1957 (states and events) and seed 004 of the project's design (known, lived, to do).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from edgegate.language import lexicon
from edgegate.language.passages import past_forms
from edgegate.language.text import tokenise
from edgegate.language.values import values
from edgegate.memory.beside import beside_name, own_statements
from edgegate.memory.changes import tells_change
from edgegate.memory.phrasing import Teller, sentence
from edgegate.memory.segments import (
    Segment,
    kin_words,
    name_places,
    segments,
    strip_closers,
    strip_openers,
    without_fillers,
)
from edgegate.memory.words import Line, Word, is_verb, join, phrases, rules, starts_with, words_of

MOST = 40
"""Facts of one message: a longer list is a document."""


class Fact(NamedTuple):
    """One thing to keep: a text that stands by itself ("The user …") and its kind."""

    text: str
    kind: str


@dataclass(slots=True)
class Span:
    """A stretch of words to read. `told`: the user asked to keep it; else it is only mentioned. `target`: what a
    request to forget named before it."""

    words: list[Word]
    told: bool = False
    asks: bool = False
    target: tuple[Word, ...] = ()


def facts_in(spans: Iterable[Span]) -> list[Fact]:
    """The facts of some stretches of a message, in order, none twice."""
    teller = Teller()
    found: list[Fact] = []
    for span in spans:
        for fact in _read_span(span, teller, found):
            if fact.text and all(fact.text.lower() != other.text.lower() for other in found) and len(found) < MOST:
                found.append(fact)
    return found


def _read_span(span: Span, teller: Teller, before: Sequence[Fact]) -> list[Fact]:
    words = without_fillers(strip_closers(strip_openers(span.words)))
    if not words:
        return []
    if span.told:
        whole = _memo(words) or _list_entry(words)
        if whole:
            return [whole]
    told: list[tuple[Segment, str]] = []
    lead = ""
    parts = [each for part in segments(words) for each in (part, *own_statements(part))]
    for number, segment in enumerate(parts):
        if span.asks and not (number and segment.joined in words_of("sets_apart")):
            teller.note(segment)
            continue
        segment.words = _without_edges(segment)
        if not segment.words:
            continue
        if _belongs_to_last(segment, told, span):
            last, text = told[-1]
            joined = segment.joined if segment.joined not in ("", ".") else ","
            space = "" if joined in ",;:" else " "
            told[-1] = (last, f"{text}{space}{joined} {_lower(teller.tell(segment) or join(segment.words))}")
            last.words = [*last.words, *segment.words]
            continue
        opens = not span.told or (number + 1 < len(parts) and parts[number + 1].kind in ("user", "mine", "kin", "name"))
        if not segment.kind and not told and is_dated(segment.words) and len(segment.words) < 7 and opens:
            lead = join(segment.words)
            continue
        replaced = _replacement(segment, span.target, teller)
        if replaced:
            told.append((segment, replaced))
        elif _counts(segment, span, lead):
            name = _named(segment)
            text = name or teller.tell(segment)
            if text and lead:
                text, lead = f"{text}, {lead}", ""
            if text:
                told.append((segment, text))
            if name:
                told += [(segment, beside) for beside in beside_name(segment)]
    return [Fact(text, kind_of(segment, text, span.told)) for segment, text in told]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _without_edges(segment: Segment) -> list[Word]:
    words = strip_closers(segment.words)
    return words if segment.kind else strip_openers(words)


def _belongs_to_last(segment: Segment, told: list[tuple[Segment, str]], span: Span) -> bool:
    """Whether a statement only goes on with the one before it."""
    if not told or segment.joined in (".", "!", "?"):
        return False
    if segment.joined in words_of("reasons"):
        return True
    words = [word.word for word in segment.words]
    if segment.kind == "thing":
        return True
    if segment.kind in ("user", "mine") and len(words) < 8:
        return bool(words_of("object_anaphors") & {word for at, word in enumerate(words) if _is_object(words, at)})
    if not segment.kind:
        return len(words) > 0 and not _attribute(segment)
    return False


def _is_object(words: Sequence[str], at: int) -> bool:
    """Whether a pronoun is an object, not a possessive: nothing it could belong to follows."""
    if words[at] not in words_of("object_anaphors") or at == 0:
        return False
    after = words[at + 1] if at + 1 < len(words) else ""
    return words[at] != "her" or not after or after in words_of("prepositions") or after in words_of("adverbs")


def _attribute(segment: Segment) -> bool:
    return bool(segment.words) and segment.words[0].word in words_of("possible_owned") and len(segment.words) > 1


def _counts(segment: Segment, span: Span, lead: str) -> bool:
    """Whether a statement is a fact to keep."""
    words = [word.word for word in segment.words]
    if segment.kind == "you" or not words:
        return False
    if _is_told_to_you(segment, words):
        return False
    if span.told:
        return len(words) > 1 or any(word[0].isdigit() for word in words) or segment.kind != ""
    if any(word in words_of("if_words") for word in words[: segment.last + 1]) or segment.joined in words_of(
        "if_words"
    ):
        return False
    if words[-1] == "?" and segment.kind != "user":
        return False
    if span.asks and not segment.kind:
        return False
    if segment.kind == "user":
        return _lasting(segment, bool(lead)) or tells_change(Teller().tell(segment))
    if segment.kind == "mine":
        head = segment.words[segment.last - 1].word if segment.last else ""
        if any(word.word in words_of("passing_mine") for word in segment.words[1 : segment.last]):
            return False
        told_by = next((w.word for w in segment.words[segment.last :][:1]), "") in words_of("told_by")
        return bool(head) and not told_by
    if segment.kind in ("kin", "other"):
        return next((w.word for w in segment.words[segment.last :][:1]), "") not in words_of("told_by")
    if segment.kind in ("name", "phrase"):
        return is_dated(segment.words) and any(
            word.word in words_of("event_nouns") for word in segment.words[: segment.last]
        )
    return _attribute(segment)


def _is_told_to_you(segment: Segment, words: Sequence[str]) -> bool:
    """ "don't send me charts": an order, whatever stands beside it."""
    subject = segment.kind == "user" and words[0] in words_of("user_subjects")  # taken over from the statement before
    denies = len(words) > 2 and (words[1] in lexicon.table("not_words") or words[1].endswith("n't"))
    return subject and denies and words[3:4] != [] and words[3] in words_of("user_objects")


def _lasting(segment: Segment, dated: bool) -> bool:
    """Whether what "I" say of myself lasts, or has a date."""
    rest = [word.word for word in segment.words[segment.last :]]
    at = 0
    while at < len(rest) and (rest[at] in words_of("adverbs") or (rest[at].endswith("ly") and len(rest[at]) > 4)):
        at += 1
    if at >= len(rest):
        return False
    verb, after = rest[at], rest[at + 1 :]
    if words_of("not_yet") & set(after) and any(
        word in lexicon.table("not_words") or word.endswith("n't") for word in rest
    ):
        return False
    if segment.joined in words_of("unsure") or any(word in words_of("unsure") for word in rest[: at + 2]):
        return False
    dated = dated or is_dated(segment.words)
    if verb in words_of("modals") and any(word in words_of("passing_verbs") for word in after[:2]):
        return dated
    if after == ["one"] or (verb == "will" and any(word in words_of("passing_objects") for word in after[:3])):
        return False
    if after[:1] and after[0] in words_of("you"):
        return False
    if verb in ("am", "are"):
        return _lasting_state(after)
    if verb in ("want",) or (verb in ("would", "will") and after[:2] == ["like", "to"]):
        place = after.index("to") + 1 if "to" in after[:3] else 0
        return bool(place) and place < len(after) and after[place] in words_of("want_facts")
    if verb == "was" or verb == "were":
        return dated or "born" in after or "diagnosed" in after
    if verb in words_of("passing_verbs"):
        return dated and verb in words_of("dated_verbs")
    if verb in ("have", "had", "got") and after:
        if any(word in words_of("passing_objects") for word in after[:4]):
            return False
        if verb == "got" or (verb == "have" and after[0] == "got"):
            return dated or any(word in words_of("got_objects") for word in after) or (verb == "have")
        if verb == "had":
            return dated or any(word in words_of("got_objects") for word in after)
        return True
    if not after and not dated:
        return verb not in words_of("passing_states") and verb not in ("have", "do", "am")
    if after and after[0] in words_of("passing_objects"):
        return dated
    past = verb.endswith("ed") or (is_verb(segment.words[segment.last + at :], 0) and not _present(verb))
    if past and verb not in words_of("modals"):
        return dated or verb in words_of("life_verbs")
    return verb not in words_of("remote")


def _present(verb: str) -> bool:
    return verb not in past_forms() and not verb.endswith("ed")


def _lasting_state(after: Sequence[str]) -> bool:
    """Whether "I am …" says more than a mood."""
    if not after:
        return False
    if any(word in words_of("not_passing_after") for word in after[:6]):
        return True
    lead = 0
    while lead < len(after) - 1 and after[lead] in words_of("state_lead"):
        lead += 1
    lasting = rules("lasting_objects").get(after[lead], ())  # having a baby, and not: having a laugh
    return after[lead] not in words_of("passing_states") or any(word in lasting for word in after[lead + 1 : lead + 5])


def is_dated(words: Sequence[Word]) -> bool:
    """Whether a day, a date or a clock time is named."""
    return is_dated_text("".join(word.space + word.text for word in words))


def is_dated_text(text: str) -> bool:
    """Whether a text names a day, a date or a clock time.

    >>> is_dated_text("we met last night"), is_dated_text("we meet")
    (True, False)
    """
    folded = f" {text.lower()} "
    if any(f" {mark} " in folded or f" {mark}," in folded for mark in words_of("day_marks")):
        return True
    found = values(tokenise(text))
    return bool(found.dates or found.clocks)


def _named(segment: Segment) -> str:
    """ "I'm Oona", "my name is Oona": the user's name."""
    words = segment.words
    rest = words[segment.last :]
    if segment.kind == "user" and len(rest) >= 2 and rest[0].word == "am":
        named = name_places(words)
        first = segment.last + 1
        last = named.get(first, 0)
        ends = last == len(words) or not words[last].word.isalpha() or words[last].word in words_of("joiners")
        known = words[first].word in lexicon.table("support")["capitalised"]
        if last and not known and ends:
            return sentence(f"The user's name is {join(words[first:last])}")
    return ""


def _memo(words: list[Word]) -> Fact | None:
    """A note that is kept as it stands: a recipe, a title, a list."""
    head = [word.word for word in words[:6]]
    for at, word in enumerate(head):
        if word in words_of("memo_heads") and at + 1 < len(words):
            has_mark = any(each.word in (":", "-", ",") for each in words[at : at + 6])
            verb = any(is_verb(words, place) for place in range(at + 1, min(at + 3, len(words))))
            if (has_mark and not verb) or (at + 1 < len(words) and words[at + 1].word == ":"):
                return Fact(_plain(words), "memo")
    return None


def _list_entry(words: list[Word]) -> Fact | None:
    """ "oat milk and tahini to the shopping list"."""
    found = [at for at, word in enumerate(words) if word.word == "list"]
    if not found:
        return None
    at = found[-1]
    first = at
    while first and words[first].word not in ("to", "on", "onto"):
        first -= 1
    if first < 1 or at - first > 5:
        return None
    name = [word for word in words[first + 1 : at + 1] if word.word not in words_of("list_owners")]
    return Fact(sentence(f"{join(name)}: {join(words[:first])}"), "memo")


def _plain(words: Sequence[Word]) -> str:
    told = []
    for word in words:
        text = "the user's" if word.word in words_of("user_possessives") else word.text
        text = "the user" if word.word in ("me", "i") else text
        told.append(word.space + text)
    return sentence("".join(told))


def _replacement(segment: Segment, target: Sequence[Word], teller: Teller) -> str:
    """What stands now for what is to be forgotten: "forget that my favourite colour is green, it's teal now"."""
    if not target or not segment.words:
        return ""
    words = segment.words
    rest = words[segment.last :]
    if segment.kind == "thing" and rest and rest[0].word == "is":
        cut = next((at for at, word in enumerate(target) if word.word in words_of("be_forms")), 0)
        if cut and target[0].word in words_of("user_possessives") and len(rest) > 1 and not _is_off(rest):
            return teller.tell(Segment([*target[:cut], *rest], cut, "mine"))
    for phrase in phrases("replaced_by"):
        if starts_with(words, 0, phrase) and len(words) > len(phrase) + 1:
            noun = [word for word in target if word.word not in words_of("old_words") | words_of("user_possessives")]
            if noun:
                return sentence(f"The user's new {join(noun)} {join(words[len(phrase) :])}")
    return ""


def _is_off(rest: Sequence[Word]) -> bool:
    return len(rest) < 3 and rest[-1].word in lexicon.table("forget")["over"]


def kind_of(segment: Segment, text: str, told: bool) -> str:
    """The kind of a statement: person, event, memo or fact."""
    words = segment.words
    folded = " " + " ".join(tokenise(text).words) + " "
    dated = is_dated(words) or is_dated_text(text)
    firm = any(f" {mark} " in folded for mark in words_of("firm_marks") - (_soft(segment, folded)))
    subject = _head(words[: segment.last])
    persons = [at for at, word in enumerate(subject) if word.removesuffix("'s") in kin_words()]
    named = segment.kind == "name" and told and "-" not in subject and len(subject) <= 3
    arrives = dated and any(word.word in words_of("arriving") for word in words[segment.last : segment.last + 3])
    together = any(word in words_of("user_subjects") for word in subject)
    if (persons or segment.kind == "other" or named) and not arrives and not together:
        owned = any(word.endswith("'s") for word in subject[:-1]) and segment.kind != "other"
        behind = subject[-1].removesuffix("'s") if subject else ""
        if segment.kind == "name" and not persons and words[segment.last - 1].word.endswith("'s"):
            owned = False
        if not owned or behind in words_of("person_attributes") or behind in kin_words():
            said = subject and subject[-1] in words_of("memo_subjects") and segment.verb in words_of("told_by")
            return "memo" if told and said and subject[0] not in words_of("user_possessives") else "person"
    if segment.kind == "phrase" and segment.verb in words_of("told_by") and told:
        return "memo"
    if (
        told
        and not segment.kind
        and words_of("attributes").isdisjoint(w.word for w in words[:4])
        and not firm
        and not dated
    ):
        return "memo"
    if dated and not firm:
        return "event"
    if segment.kind == "mine" and any(word.word in kin_words() for word in words[segment.last : segment.last + 4]):
        predicate = [word.word for word in words[segment.last :]]
        if predicate and predicate[0] in words_of("be_forms") and not any(word[0].isdigit() for word in predicate):
            return "person"
    return "fact"


def _soft(segment: Segment, folded: str) -> frozenset[str]:
    """The marks of what lasts that say nothing where a day's deed is told: "last Saturday I sang, first since"."""
    days = any(f" {mark} " in folded for mark in words_of("deed_days"))
    done = is_past_form(segment.verb)
    return words_of("soft_marks") if days and done and segment.kind in ("user", "") else frozenset()


def is_past_form(verb: str) -> bool:
    return verb in past_forms() or (verb.endswith("ed") and len(verb) > 4)


def _head(subject: Sequence[Word]) -> list[str]:
    """A subject without what hangs on its head: "my appointment with the dentist" -> my appointment."""
    words = [word.word for word in subject]
    stop = next((at for at, word in enumerate(words) if at and word in words_of("prepositions")), len(words))
    return words[:stop]


def lines_to_spans(lines: Iterable[Line], told: bool = False) -> list[Span]:
    """Whole sentences as stretches to read, without their quoted words."""
    return [Span(own_words(line), told, line.asks) for line in lines]


def own_words(line: Line) -> list[Word]:
    """The words of a sentence that are not quoted."""
    return [word for word, own in zip(line.words, line.own, strict=True) if own]
