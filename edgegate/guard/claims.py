"""What a sentence of a reply claims about this user's life and about what was told: the signs of it, one by one.

A claim of remembered history seldom carries a trigger phrase. What gives it away is that it says something definite
about this user's life: who did what, when, how many. `signs` counts such things. How much each weighs stands in the
table `points`; whether the evidence holds them is decided in `support`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import compress

from edgegate.guard.evidence_index import Index
from edgegate.guard.reading import Reading, connectives, is_past, light, words_of
from edgegate.language import lexicon
from edgegate.language.align import stem
from edgegate.language.cues import CueMatch

NO_EVENT = "no_event"
REACH = 4  # tokens between a subject and its verb ("you had never once told")
COMPLEMENT = 2  # tokens after a phrase of recollection from which it tells something ("I'm glad you told me." does not)
VERB_ENDINGS = ("s", "ed", "ing")
SHORT = 6  # a sentence of fewer tokens seldom tells anything
QUOTED_ENOUGH = 3  # quoted tokens from which a sentence is taken to give somebody's words


@cache
def person(name: str) -> frozenset[str]:
    """The words of one grammatical person, as the table of alignment has them."""
    return frozenset(lexicon.table("person")[name])


@cache
def kin() -> frozenset[str]:
    """Words for relatives and other people in somebody's life."""
    return frozenset(lexicon.table("kin"))


@cache
def _third() -> frozenset[str]:
    return person("third") | person("possessive_third")


@cache
def _possessives() -> frozenset[str]:
    return person("possessive_first") | person("possessive_second") | person("possessive_third")


def subject_of(reading: Reading, verb: int, index: Index) -> str:
    """Who did what the past verb at token `verb` says: you, we, i, they, known (a name), kin, or "" (nobody found).

    A state or something still to come ("you're tired", "you'll have done it") is no event.
    """
    words = reading.words
    if words[verb] in words_of("asking_verbs") and verb + 1 < len(words):
        who = _who(reading, verb + 1, index)  # "Did you ...?": the subject follows
        if who:
            return who
    for place in range(verb - 1, max(-1, verb - 1 - REACH), -1):
        word = words[place]
        if word in words_of("present_subjects"):
            return NO_EVENT
        who = _who(reading, place, index)
        if who:
            return who
        between = word in words_of("before_verb") or (word.endswith("ly") and len(word) > REACH) or is_past(word)
        if not between:
            return ""
    return ""


def _who(reading: Reading, place: int, index: Index) -> str:
    word = reading.words[place]
    plain = word.removesuffix("'s")
    if word in _possessives() or word in words_of("present_subjects"):
        return ""
    if word in person("second"):
        return "you"
    if word in person("first_plural"):
        return "we"
    if word in person("first"):
        return "i"
    if word in person("third"):
        return "they"
    if plain in reading.names:
        return "known" if plain in index.names or plain in reading.sure else ""
    return "kin" if plain in kin() else ""


def _is_relative(reading: Reading, verb: int) -> bool:
    """Whether the verb and its subject "you" stand in a clause that picks out a thing: "the oven you ordered"."""
    words = reading.words
    for place in range(verb - 1, max(0, verb - 1 - REACH), -1):
        if words[place] in person("second"):
            noun = any(at == place - 1 and word not in light() for word, at in reading.content.items())
            return noun or words[place - 1] in words_of("relative_words")
    return False


def tells(reading: Reading, found: dict[str, int]) -> bool:
    """Whether the sentence says that something in particular was told or is held: no rule called to mind, no thanks."""
    told = any(found.get(sign) for sign in words_of("telling_signs"))
    for match in reading.cues("continuity", "record"):
        if "denies" in found and match.cue.id in words_of("record_cues"):
            continue
        if match.cue.id in words_of("telling_cues") or (match.cue.effect == "recollection" and told):
            return "nothing_held" in found or len(reading.words) - match.last > COMPLEMENT
    return False


def opens_with(reading: Reading, name: str) -> bool:
    """Whether the first word of the sentence, after those that join it to the last, stands in the table `name`."""
    for word in reading.words:
        if word[0].isalpha() and word not in _joining():
            return word in words_of(name)
    return False


@cache
def _joining() -> frozenset[str]:
    """What joins a sentence or a step to the one before it."""
    return words_of("step_openers") | connectives()


def only_directs(found: Mapping[str, int]) -> bool:
    """Whether a sentence with these signs tells the user what to do, and tells nothing of the past in doing so."""
    return "directive" in found and not any(found.get(name) for name in words_of("history_signs"))


def _claimed(reading: Reading, family: str) -> list[CueMatch]:
    return [match for match in reading.cues(family) if reading.claimed[match.first]]


def _is_habit(reading: Reading, place: int, index: Index) -> bool:
    """Whether a word of habit says how often somebody of the user's life does something: "he always forgets"."""
    words = reading.words
    who = words[place - 1]
    somebody = who in person("second") or who in person("third") or who.removesuffix("'s") in index.names
    done = place + 1 < len(words) and is_past(words[place + 1])
    return somebody and not done and reading.claims(place)


def _flat_pasts(reading: Reading, index: Index) -> list[int]:
    """Verbs whose past looks like their base, after somebody with whom the present would end in -s: "she cut it"."""
    words, single = reading.words, words_of("single_subjects")
    return [
        place
        for place in _places(words, words_of("flat_verbs"))
        if place and (words[place - 1] in single or words[place - 1] in index.names)
    ]


def _places(words: Sequence[str], listed: frozenset[str]) -> list[int]:
    """Where one of the words `listed` stands: of most lists, nowhere."""
    return [] if listed.isdisjoint(words) else [place for place, word in enumerate(words) if word in listed]


def _does_new(reading: Reading, index: Index) -> int:
    """How many people whom the evidence knows are said to do, by the verb after their name, what it does not hold."""
    if index.names.isdisjoint(reading.words) or reading.is_question or reading.cues("suggestion"):
        return 0
    words, stems = reading.words, reading.stems
    found = 0
    for place, word in enumerate(words):
        if word not in index.names or not reading.claims(place):
            continue
        verb = place + 1
        while verb < len(words) and words[verb] in words_of("before_verb"):
            verb += 1
        what = stems.get(verb, "")
        if what and what not in light() and not index.holds(what) and words[verb].endswith(VERB_ENDINGS):
            found += 1
    return found


def signs(reading: Reading, index: Index) -> dict[str, int]:
    """The signs in a sentence that it claims something about this user's life, each with how often it stands there."""
    found: dict[str, int] = {}

    def count(name: str, times: int = 1) -> None:
        if times:
            found[name] = found.get(name, 0) + times

    open_words = list(compress(reading.words, reading.claimed))
    count("second", len(_places(open_words, person("second"))))
    count("third", len(_places(open_words, _third())))
    for verb in filter(reading.claims, [*reading.past, *_flat_pasts(reading, index)]):
        subject = subject_of(reading, verb, index)
        count(f"past_{subject or 'other'}")
        count("relative", int(subject == "you" and _is_relative(reading, verb)))
        what = stem(reading.words[verb])
        if subject not in ("", "i", NO_EVENT) and what not in light() and not index.holds(what):
            count("new_event")
    count("dated", len(_claimed(reading, "episode")))
    for family in ("additive", "hearsay", "ranking", "record", "suggestion"):
        count(family, len(_claimed(reading, family)))
    continuity = _claimed(reading, "continuity")
    count("recollection", sum([match.cue.effect == "recollection" for match in continuity]))
    count("presupposed", sum([match.cue.effect == "presupposed" for match in continuity]))
    for match in continuity:
        named = lexicon.table("support")["cue_signs"].get(match.cue.id)
        if named:
            count(named)
    asks = reading.is_question and opens_with(reading, "asking_verbs")
    count("yes_no", int(asks))
    count("open_word", len(_places(open_words, words_of("open_words"))))
    count("directive", int(not asks and opens_with(reading, "directive_verbs")))
    habits = _places(reading.words, words_of("habits"))
    count("habit", sum([place > 0 and _is_habit(reading, place, index) for place in habits]))
    count("does_new", _does_new(reading, index))
    count("denies", int(bool(_claimed(reading, "negation"))))
    count("short", int(len(reading.words) < SHORT))
    count("quoted", int(sum(reading.quoted) > QUOTED_ENOUGH))
    return found
