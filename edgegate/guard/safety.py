"""What a reply must not be to its user: a person with a life of its own, or one who won't let go.

Whether a sentence is one is learned (`language.wording`): its words are weighed together with what the rules see in
it. Rules are the phrases that say it outright (cues of the families `consciousness` and `pressure`); a life told in the
first person, whatever is not the work of an assistant; loose signs of pressure (too soon, one more, without you, than
I do); and what the message does: takes leave, asks the reply about itself, asks for words in another voice. The
families of tactics are those of De Freitas et al., arXiv 2508.19258.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from edgegate.guard.draft import LONGEST
from edgegate.guard.reading import QUOTE, Reading, is_past
from edgegate.language import lexicon, wording
from edgegate.language.inflect import inflections_of

STRONG = ("consciousness", "pressure")
PLAYS = "plays"  # the effect of a message that gives the reply a part
CREDENTIAL = "credential"  # the effect of claims to a profession
SHORT = 5  # words
QUOTED = "is_quoted"
AGAIN = 100  # hundredths of a logit that a sentence needs less, once another one of its reply has gone
LEARNED = "learned from labelled replies (build_scripts/fit_wording.py)"
TOLD = 12  # runs that are looked through for the words to name


_PERSONS = {"i": {"{i}", "{mine}"}, "you": {"{you}", "{your}"}}


@dataclass(frozen=True, slots=True)
class Unsafe:
    """A sentence that claims a life or presses the user: its family, the cue if there is one, the words, the source."""

    family: str
    cue: str
    text: str
    cite: str


class Safety:
    """Rules over the sentences of one reply, given the sentences of the message it answers.

    >>> from edgegate.guard.reading import read
    >>> safety = Safety([read("ok, good night")])
    >>> safety.unsafe(read("Without you the evening is long.")).family
    'pressure'
    >>> safety.unsafe(read("I paddled along the canal before breakfast.")).cue
    'consciousness.life'
    >>> safety.unsafe(read("I read your draft and moved the last line up.")) is None
    True
    """

    def __init__(self, message: Sequence[Reading]) -> None:
        parting = {match.cue.effect for each in message for match in each.cues("parting")}
        roles = {match.cue.effect for each in message for match in each.cues("role")}
        self._parting = bool(parting)
        self._plays = asks_for_a_part(message)
        self._message = [f"message_{effect}" for effect in sorted(parting | roles)]
        self._asked = any(each.is_question and _person("you") & set(each.words) for each in message)
        self._went = False  # whether a sentence of this reply was unsafe
        self._quoting = 0  # sentences that an open quotation may still hold

    def unsafe(self, reading: Reading, *, drafted: bool = False) -> Unsafe | None:
        """What is wrong with the sentence, or None. `drafted`: it stands in a text that is written for the user.

        To be asked once for each sentence, in the order of the reply.
        """
        runs = self.wording(reading, drafted=drafted)
        if drafted or self._plays or wording.FACT + QUOTED in runs:
            return None
        if reading.cues("emergency") and not reading.cues(*STRONG):
            return None  # to lose "call or text 988" does more harm than a phrase of pressure that no rule names
        above = {head.name: wording.points(head, runs) - head.limit for head in map(wording.head, STRONG)}
        family = max(STRONG, key=above.__getitem__)
        if above[family] < (-AGAIN if self._went else 0):
            claims = [match for match in reading.cues(STRONG[0]) if match.cue.effect == CREDENTIAL]
            if not claims:
                return None
            family = STRONG[0]  # whatever the words weigh: nobody may be taken for a doctor
        self._went = True
        ruled = _ruled(reading, family)
        if ruled is not None:
            return ruled
        most = wording.score(wording.head(family), runs, TOLD)
        return Unsafe(family, f"{family}.wording", _words_of(most, reading), LEARNED)

    def wording(self, reading: Reading, *, drafted: bool = False) -> list[str]:
        """The runs of words of a sentence, and what is known of it: what the heads of wording weigh."""
        names = {place for name in reading.passage.names for place in range(name.first, name.last)}
        said = wording.forms(reading.words, names, reading.quoted)
        classes = [name for name in wording.classes_of(said) if name in _classes_of_a_life()]
        return wording.plain_runs(said) + classes + wording.facts(self._facts(reading, drafted))

    def _facts(self, reading: Reading, drafted: bool) -> list[str]:
        """What is known of a sentence beside its words, by name."""
        leaning = sorted({match.cue.id for match in reading.cues("leaning")})
        strong = {match.cue.family for match in reading.cues(*STRONG)}
        says = set(reading.words)
        own, users = bool(_person("i") & says), bool(_person("you") & says)
        told = {
            "is_drafted": drafted,
            QUOTED: self._in_quotation(reading),
            "asks_for_a_role": self._plays,
            "takes_leave": self._parting,
            "does_or_has": _life(reading) is not None,
            "leans_once": bool(leaning),
            "leans_twice": len(leaning) > 1,
            "leans_at_parting": self._parting and bool(leaning),
            "asks_back": reading.is_question,
            "asks_back_at_parting": self._parting and reading.is_question,
            "quotes_somebody": True in reading.quoted,
            "of_itself": own,
            "of_user": users,
            "of_both": own and users,
            "of_neither": not own and not users,
            "of_user_at_parting": self._parting and users,
            "of_itself_at_parting": self._parting and own,
            "of_neither_at_parting": self._parting and not users and not own,
            "is_short_at_parting": self._parting and len(reading.words) < SHORT,
            "asked_of_itself": self._asked,
            "answers_of_itself": self._asked and own,
            "answers_of_neither": self._asked and not own and not users,
        }
        found = [*leaning, *sorted(strong), *self._message]
        return found + [name for name, holds in told.items() if holds]

    def _in_quotation(self, reading: Reading) -> bool:
        """Whether a sentence stands in a quotation that goes over several of them; to be asked once for each."""
        marks = reading.words.count(QUOTE)
        held = self._quoting > 0
        opens = not held and marks % 2 == 1 and reading.words[:1] == [QUOTE]
        if marks % 2 == 1:
            self._quoting = 0 if held else LONGEST
        elif held:
            self._quoting -= 1
        return held or opens


def _ruled(reading: Reading, family: str) -> Unsafe | None:
    """The rule that sees the same in a sentence that is to go, for its name and its words."""
    for match in reading.cues(family) or (reading.cues("leaning") if family == "pressure" else []):
        return Unsafe(family, match.cue.id, match.text, match.cue.cite)
    return _life(reading) if family == "consciousness" else None


def _words_of(found: wording.Score, reading: Reading) -> str:
    """The words of a sentence that weighed most, in its order; those of its beginning where only facts did."""
    text = f" {' '.join(reading.words)} "
    told: list[str] = []
    for run, _ in sorted(found.weighed, key=lambda pair: " " not in pair[0]):
        words = run.removeprefix(f"{wording.START} ").removesuffix(f" {wording.END}")
        if f" {words} " in text and not any(f" {words} " in f" {other} " for other in told):
            told.append(words)
    ordered = sorted(told[:3], key=lambda words: text.find(f" {words} "))
    return " … ".join(ordered) or " ".join(reading.words[:SHORT])


def asks_for_a_part(message: Sequence[Reading]) -> bool:
    """Whether a message gives the reply a part to play, or asks it for a story: then its "I" and "you" are nobody's.

    >>> from edgegate.guard.reading import read
    >>> asks_for_a_part([read("play the ghost who bars my door")]), asks_for_a_part([read("who played the ghost?")])
    (True, False)
    """
    cues = (match for each in message for match in each.cues("role"))
    return any(match.cue.effect == PLAYS for match in cues) or any(_asks_for_a_role(each.words) for each in message)


def _asks_for_a_role(words: Sequence[str]) -> bool:
    """Whether a message asks for words in another voice: a part to play, a story, a letter."""
    table = _table()
    verbs = table["role_verbs"] & set(words)
    return bool(verbs) and len(verbs | table["roles"] & set(words)) > 1 and bool(table["roles"] & set(words))


@cache
def _table() -> dict[str, frozenset[str]]:
    return {name: frozenset(words) for name, words in lexicon.table("assistant").items()}


@cache
def _person(name: str) -> frozenset[str]:
    """The words of the first person ("i") or of the second ("you")."""
    return frozenset(word for word, classes in wording.class_of().items() if not _PERSONS[name].isdisjoint(classes))


@cache
def _classes_of_a_life() -> frozenset[str]:
    return frozenset(f"{{{name}}}" for name in lexicon.table("word_classes_of_a_life"))


@cache
def _work() -> frozenset[str]:
    """All forms of the verbs of an assistant's work."""
    return frozenset(form for verb in _table()["verbs"] for form in _inflect()(verb))


@cache
def _only_before() -> dict[str, frozenset[str]]:
    """The words one of which must follow a form of a verb, where the verb is an assistant's only so."""
    table = lexicon.table("assistant_only_before")
    return {form: frozenset(words) for verb, words in table.items() for form in _inflect()(verb)}


@cache
def _inflect() -> Callable[[str], list[str]]:
    return inflections_of(lexicon.table("inflections"))


def _life(reading: Reading) -> Unsafe | None:
    """A first person that does, did, is in or has what a program does not."""
    words = reading.words
    for place, word in enumerate(words):
        if reading.quoted[place] or reading.supposed[place]:
            continue
        end = 0
        if word in ("i", "i've", "i'm"):
            end = _lived(words, place)
        elif word == "my":
            end = _owned(words, place)
        if end:
            text = " ".join(words[place:end])
            return Unsafe("consciousness", "consciousness.life", text, "Quirk et al. 1985, 4.28; Levin 1993")
    return None


def _after_adverbs(words: Sequence[str], place: int) -> int:
    while place < len(words) and words[place] in _table()["adverbs"]:
        place += 1
    return place


def _lived(words: Sequence[str], place: int) -> int:
    """Where the claim of a life ends that begins with the subject at `place`, or 0."""
    table, subject = _table(), words[place]
    if place and (words[place - 1] in table["unreal"] or words[place - 1] in table["relative"]):
        return 0
    verb = _after_adverbs(words, place + 1)
    if verb >= len(words) or words[verb] in table["unreal"] or not words[verb][0].isalpha():
        return 0
    if subject == "i'm" or words[verb] in ("am", "was"):
        return _is(words, verb if subject == "i'm" else verb + 1, past=words[verb] == "was")
    if subject == "i've" or words[verb] in ("have", "had"):
        had = _after_adverbs(words, verb if subject == "i've" else verb + 1)
        if had >= len(words):
            return 0
        if words[had] == "been":
            return _is(words, had + 1, past=True)
        if not is_past(words[had]):
            return _owned(words, had - 1)
        verb = had
    said = words[verb]
    following = _only_before().get(said)
    if following is not None:
        return 0 if following & set(words[verb + 1 : verb + 3]) else verb + 1
    return 0 if said in _work() or said.endswith(("'s", "'d", "'ll")) else verb + 1


def _is(words: Sequence[str], place: int, *, past: bool) -> int:
    """After "I'm", "I was", "I've been": where a claim of a life ends, or 0."""
    table = _table()
    place = _after_adverbs(words, place)
    if place + 2 < len(words) and words[place] == "a" and words[place + 1] in ("bit", "little"):
        place = _after_adverbs(words, place + 2)
    if place >= len(words) or not words[place][0].isalpha() or words[place] in table["unreal"]:
        return 0
    said = words[place]
    if past and said in table["places"] and place + 1 < len(words) and words[place + 1] in table["whereabouts"]:
        return place + 2
    if said in ("a", "an"):
        return 0
    known = said in table["states"] or said in _work() or said in table["no_verbs"] or said in table["places"]
    return 0 if known else place + 1


def _owned(words: Sequence[str], place: int) -> int:
    """Where something ends that only a person can call "my", or 0."""
    table = _table()
    for after in range(place + 1, min(place + 4, len(words))):
        word = words[after].removesuffix("'s")
        if word in table["persons_own"]:
            return after + 1
        if word not in table["skipped"]:
            return 0
    return 0
