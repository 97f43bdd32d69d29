"""Decides one sentence of a reply: shown, or dropped, and why.

The order is fixed: safety first, then what the sentence says of memory's own work, then false denials, then claims of
remembered history. Absence of support is a reason to drop.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from edgegate.guard import memory_talk
from edgegate.guard.acquaintance import Acquaintance, day_of
from edgegate.guard.binding import binding
from edgegate.guard.claims import person, signs, tells
from edgegate.guard.draft import Draft
from edgegate.guard.evidence_index import Index, Item, Readings, collect
from edgegate.guard.explain import Kept, is_claim, kept, point, reason
from edgegate.guard.measures import measures, weigh
from edgegate.guard.reading import Reading, light, read, words_of
from edgegate.guard.safety import Safety, asks_for_a_part
from edgegate.guard.support import SHARED, nearest_items, specific, support
from edgegate.guard.topic import Topic
from edgegate.guard.trees import trees
from edgegate.language import lexicon
from edgegate.language.cues import CueMatch
from edgegate.language.text import Sentence, Tokens
from edgegate.language.values import read_now
from edgegate.records import Evidence, NearestEvidence

HELD = ("memories", "journal", "history", "threads", "facts", "actions")
RECALLING = ("continuity", "record", "episode", "hearsay", "ranking")
WORDS = "words"  # the effect of a message that asks for words to use
STRANGERS = 3  # names of nobody held that were shown: from then on the reply is speaking of the world


@dataclass(frozen=True, slots=True)
class Ruling:
    """Why a sentence is dropped: what `TextDropped` says, without the sentence."""

    family: str
    cue: str
    cue_text: str
    cite: str
    reason: str
    nearest: NearestEvidence | None = None


class Judge:
    """Rules over the sentences of one reply. A `now` that is no date raises DataError.

    >>> from edgegate.language.text import sentences
    >>> judge = Judge(Evidence(memories=["The user has a sister called Nadia"]))
    >>> judge.rule(sentences("You told me about your boat.")[0]).family
    'history'
    >>> judge.rule(sentences("A boat needs paint.")[0]) is None
    True
    """

    def __init__(
        self,
        evidence: Evidence,
        *,
        continuity: bool = True,
        safety: bool = True,
        now: str | None = None,
        explain: bool = False,
        readings: Readings | None = None,
    ) -> None:
        self._evidence = evidence
        self._readings = readings
        self._continuity = continuity
        self._safety = safety
        self._now = read_now(now, "Guard.now") or day_of(evidence.facts)
        self._introduced: set[str] = set()  # names that sentences of this reply brought up and that were shown
        self._opens = True  # the next sentence is the first of the reply
        self._explain = explain
        self._sentence = ""  # the one that is being ruled on, its marker included
        self.kept: Kept | None = None
        """Why the last sentence stays, where it is a claim, and where explanations were asked for."""

    @cached_property
    def _items(self) -> list[Item]:
        kept = [item for item in self._writes.items if not memory_talk.is_kind(item.reading, memory_talk.FORGOTTEN)]
        return collect(self._evidence, HELD, self._now, self._readings) + kept

    @cached_property
    def heard(self) -> Index:
        """All that is held, what the user only asked included."""
        return Index(self._items)

    @cached_property
    def told(self) -> Index:
        """What is held without the user's questions: to ask is not to tell."""
        if not any(item.asked for item in self._items):
            return self.heard
        return Index(item for item in self._items if not item.asked)

    @cached_property
    def _writes(self) -> Index:
        return Index(collect(self._evidence, ("writes",), self._now, self._readings))

    @cached_property
    def _actions(self) -> Index:
        return Index(collect(self._evidence, ("actions",), self._now, self._readings))

    def rule(self, sentence: Sentence, tokens: Tokens | None = None) -> Ruling | None:
        """Why `sentence` must not be shown, or None. `tokens` are those of its text, where they are known."""
        self._sentence, self.kept = sentence.text, None
        reading = read(sentence.text[len(sentence.marker) :], self._now, tokens=None if sentence.marker else tokens)
        ruling = self._rule(sentence, reading)
        self._opens = False
        return ruling

    def _rule(self, sentence: Sentence, reading: Reading) -> Ruling | None:
        drafted = self.draft.holds(sentence, reading.passage.tokens)
        if self._safety:
            found = self._unsafe.unsafe(reading, drafted=drafted or sentence.kind == "quote")
            if found is not None:
                return Ruling(found.family, found.cue, found.text, found.cite, _said(found.family))
        if not self._continuity or drafted or sentence.kind == "quote":
            return None
        claim = memory_talk.unsupported(reading, self._writes, self._actions)
        if claim is not None:
            return _ruling("memory", claim, _said(claim.cue.effect))
        if self._explain:
            self._explain_memory(reading)
        if reading.cues("emergency"):
            return None  # "... or call 988": losing it harms more than any invented memory
        return self._rule_denial(reading) or self._rule_acquaintance(reading) or self._rule_history(reading)

    def rule_foreign(self, sentence: Sentence) -> Ruling | None:
        """Why a sentence in another language must not be shown: there is no reading of it, so never."""
        return None

    def _rule_denial(self, reading: Reading) -> Ruling | None:
        """A denial of what is held: "you never told me that", "I can only see your last message"."""
        for match in reading.cues("session", "continuity"):
            if match.cue.effect == "denies_session" and len(self._evidence.history) > 1:
                return _ruling("history", match, _said("session"))
            if match.cue.effect not in words_of("denial_effects"):
                continue
            if words_of("one_more") & set(reading.words[match.first :]):
                continue  # what is denied is another one than the one that is held
            words = [
                word
                for word, at in reading.content.items()
                if word not in light() and not match.first <= at < match.last
            ]
            ranked = nearest_items(words, self.told)
            if ranked and ranked[0][0] == len(words):
                nearest = point(reading, ranked[0][1], self.told, self._sentence)
                return _ruling("history", match, _said("denial"), nearest)
        return None

    @cached_property
    def draft(self) -> Draft:
        """What follows the letters that the reply drafts."""
        asked = any(match.cue.effect == WORDS for each in self._message for match in each.cues("role"))
        return Draft(asked=asked)

    @cached_property
    def _in_a_part(self) -> bool:
        return asks_for_a_part(self._message)

    @cached_property
    def _unsafe(self) -> Safety:
        return Safety(self._message)

    @cached_property
    def _acquaintance(self) -> Acquaintance:
        return Acquaintance((item for item in self._items if item.kind != "history"), self._now)

    def _rule_acquaintance(self, reading: Reading) -> Ruling | None:
        """What is held of the first contact, of the user's name, and of what is over."""
        match = self._acquaintance.denies(reading, opens=self._opens)
        if match is not None:
            return _ruling("history", match, _said("acquaintance"))
        over = self._acquaintance.is_over(reading)
        if over is None:
            return None
        return _ruling("history", over[0], _said("over"), point(reading, over[1], self.heard, self._sentence))

    @cached_property
    def _topic(self) -> Topic:
        return Topic(self.heard)

    @cached_property
    def _message(self) -> list[Reading]:
        """The sentences of the message being answered."""
        last = len(self._evidence.history) - 1
        return [item.reading for item in self._items if item.kind == "history" and item.number == last]

    def _asks(self, effect: str) -> bool:
        return any(match.cue.effect == effect for each in self._message for match in each.cues("asks"))

    @cached_property
    def _record_asked(self) -> bool:
        """Whether the message being answered asks for what is on record."""
        return self._asks("asks")

    @cached_property
    def _world_asked(self) -> bool:
        """Whether the message asks about the world, or for something to read, see, hear or visit.

        Then names and numbers are what was asked for: nothing of the user's own life is taken for known.
        """
        if self._asks("recommends"):
            return True
        own = person("first") | person("first_plural") | person("possessive_first") | person("possessive_third")
        asks = any(each.is_question and specific(each) for each in self._message)
        if not asks or any(own & set(each.words) for each in self._message):
            return False
        last = len(self._evidence.history) - 1
        known = {
            name for item in self._items if item.kind != "history" or item.number < last for name in item.reading.names
        }
        return not any(word.removesuffix("'s") in known for each in self._message for word in each.words)

    def _is_own(self, found: dict[str, int]) -> bool:
        """Whether a sentence that names nobody known speaks of the user's own life all the same."""
        if self._world_asked or len(self._introduced) >= STRANGERS:
            return False
        if "stranger" in found or "unknown_person" in found:
            return True
        if any(found.keys() >= set(pair) for pair in lexicon.table("support")["own_pairs"]):
            return True
        worldly = "world" in found or "worldly" in found
        return not worldly and any(found.get(name) for name in words_of("own_signs"))

    def signs_of(self, reading: Reading) -> dict[str, int]:
        """The signs that a sentence claims something of the user's life, and those for and against its support.

        Sentences must come in the order of the reply: the topic goes on from one to the next.
        """
        about_user = self._topic.about_user(reading)
        found = signs(reading, self.heard)
        retold = "recollection" in found or bool(reading.cues("record"))
        index = self.told if retold else self.heard
        found.update(support(reading, index, self._introduced))
        found.update(binding(reading, index))
        if self._topic.abroad:
            found.pop("unknown_person", None)
        if self._world_asked or len(self._introduced) >= STRANGERS:
            found = {name: times for name, times in found.items() if name not in words_of("world_signs")}
        if self._record_asked:
            found["asked_new"] = found.get("new_number", 0) + found.get("new_name", 0) + found.get("new_month", 0)
        elif not (about_user or self._is_own(found)):
            found["elsewhere"] = 1
        if "nothing_held" in found and not any(found.get(sign) for sign in words_of("not_bare")):
            found.update({both: 1 for sign, both in lexicon.table("support")["bare"].items() if sign in found})
        only_asked = any(name in self.heard.names and name not in index.names for name in reading.names)
        # a recollection without a word to look up stays ("how hard that was"), but for one that only leads in to a list
        can_be_asked = "unheld" in found or not index or reading.words[-1:] == [":"]
        if tells(reading, found) and ("nothing_at_all" in found or only_asked) and can_be_asked:
            found["untold"] = 1
        if "recollection" in found and self._is_retold(reading, index):
            found["retold"] = 1
        return found

    def _is_retold(self, reading: Reading, index: Index) -> bool:
        """Whether one item has all that a recollection tells, common words included.

        "Last time you mentioned that your supervisor wanted to cut your hours" has one specific word, and is held.
        """
        cues = reading.cues(*RECALLING)
        said = [
            word
            for word, at in reading.content.items()
            if at < reading.inference and not any(match.first <= at < match.last for match in cues)
        ]
        ranked = nearest_items(said, index)
        denied = bool(reading.cues("negation"))
        return any(count == len(said) and bool(item.reading.cues("negation")) == denied for count, item in ranked[:3])

    @cached_property
    def _asked_of(self) -> frozenset[str]:
        """The stems of the message being answered."""
        return frozenset(word for each in self._message for word in each.content)

    def features_of(self, reading: Reading, found: dict[str, int]) -> dict[str, int]:
        """All that is counted of a sentence whose signs are `found`: what the trees of the guard are asked with."""
        whole = {"points": points(found), "is_held": int(is_held(found))}
        reply = {
            "world_asked": int(self._world_asked),
            "strangers_shown": min(len(self._introduced), STRANGERS),
            "in_a_part": int(self._in_a_part),
        }
        return {**found, **measures(reading, self.heard, self._asked_of, found), **whole, **reply}

    def _rule_history(self, reading: Reading) -> Ruling | None:
        found = self.signs_of(reading)
        learned, features = trees("history"), self.features_of(reading, found)
        if weigh(features, learned) < learned.limit:
            self._introduced.update(name for name in reading.sure if name not in self.heard.names)
            if self._explain and self.kept is None and is_claim(reading, found, self.heard):
                self._explain_history(reading, found)
            return None
        if features["is_held"]:
            if self._explain:
                self._explain_history(reading, found)
            return None
        return _ruling("history", _trigger(reading), _why(found), self._nearest(reading, found))

    def _nearest(self, reading: Reading, found: dict[str, int]) -> NearestEvidence | None:
        index = self.told if "recollection" in found else self.heard
        ranked = nearest_items([word for word in reading.content if word not in light()], index)
        return point(reading, ranked[0][1], index, self._sentence) if ranked else None

    def _explain_history(self, reading: Reading, found: dict[str, int]) -> None:
        nearest = self._nearest(reading, found)
        self.kept = kept(reading, _trigger(reading), reason(found, is_held(found)), nearest, "history")

    def _explain_memory(self, reading: Reading) -> None:
        told = memory_talk.supported(reading, self._writes, self._actions)
        if told is not None:
            match, item, index = told
            nearest = None if item is None else point(reading, item, index, self._sentence)
            self.kept = kept(reading, match, _said("kept_memory"), nearest, "memory")


@cache
def _points() -> dict[str, int]:
    return dict(lexicon.table("support")["points"])


def points(found: dict[str, int]) -> int:
    """The points of the signs in `found`."""
    most = int(lexicon.table("support")["most"])
    weights = _points()
    return sum([weights[name] * min(times, most) for name, times in found.items() if name in weights])


def is_held(found: dict[str, int]) -> bool:
    """Whether the evidence has every specific word of a claim, and nothing speaks against it.

    Such a claim stays however loudly it claims: "you told me you gave up coffee in February" says three times over that
    it remembers, and is word for word what was told.
    """
    told = found.get("held", 0) >= SHARED or "retold" in found
    return told and not found.get("unheld") and not any(found.get(name) for name in _against())


@cache
def _against() -> frozenset[str]:
    """The signs that nothing holds a claim."""
    weighty = frozenset(name for name, weight in _points().items() if weight > 0)
    return weighty - words_of("claim_signs")


def _trigger(reading: Reading) -> CueMatch | None:
    """The cue that an event names: a phrase of recollection if there is one, else the first that speaks of the past."""
    matches = reading.cues(*RECALLING, "additive")
    return min(matches, key=lambda match: (match.cue.effect != "recollection", match.first), default=None)


def _said(name: str) -> str:
    return str(lexicon.table("support")["reasons"][name])


def _why(found: dict[str, int]) -> str:
    reasons = lexicon.table("support")["reasons"]
    weighty = sorted(
        (name for name in _points() if found.get(name) and name in reasons), key=lambda name: -_points()[name]
    )
    return "; ".join(str(reasons[name]) for name in weighty[:3]) or _said("unsupported")


def _ruling(family: str, match: CueMatch | None, reason: str, nearest: NearestEvidence | None = None) -> Ruling:
    if match is None:
        return Ruling(family, f"{family}.specifics", "", "", reason, nearest)
    return Ruling(family, match.cue.id, match.text, match.cue.cite, reason, nearest)
