"""Tells a statement of the user's about "the user", so that it can be understood without the message it came from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from edgegate.language import lexicon
from edgegate.language.inflect import regular
from edgegate.language.passages import past_forms
from edgegate.memory.segments import Segment, kin_words
from edgegate.memory.words import Word, join, rules, words_of

USER = "the user"


@cache
def _thirds() -> dict[str, str]:
    """Irregular bases to their third person: "have" -> "has"."""
    forms = {base: list(found) for base, found in lexicon.table("inflections").items()}
    return {base: next((form for form in found if form.endswith("s")), base) for base, found in forms.items()}


def third_person(verb: str) -> str:
    """The form of a verb behind "the user": "have" -> "has", "live" -> "lives", "moved" -> "moved".

    >>> third_person("have"), third_person("live"), third_person("moved"), third_person("won't")
    ('has', 'lives', 'moved', "won't")
    """
    agreement: dict[str, str] = rules("agreement")
    if verb in agreement:
        return agreement[verb]
    if verb in words_of("modals") or (verb in past_forms() and verb not in words_of("same_form_pasts")):
        return verb
    if verb in words_of("same_form_pasts") and verb in words_of("life_verbs"):
        return verb  # "I quit" tells what happened
    if (verb.endswith("ed") and len(verb) > 4) or not verb.isalpha() or verb in words_of("prepositions"):
        return verb
    return _thirds().get(verb) or regular(verb)[0]


class Teller:
    """Tells statements one after another; remembers who was last spoken of, for "he" and "she".

    >>> from edgegate.memory.segments import segments
    >>> from edgegate.memory.words import expand
    >>> teller = Teller()
    >>> [teller.tell(part) for part in segments(expand("I live in Pau with my aunt and she paints"))]
    ['The user lives in Pau with their aunt', "The user's aunt paints"]
    """

    def __init__(self) -> None:
        self.man = ""
        self.woman = ""
        self.several = ""
        self.last = ""

    def who(self, word: str) -> str:
        """Whom "he", "she" or "they" stands for, or ""."""
        if word in words_of("men"):
            return self.man or self.last
        if word in words_of("women"):
            return self.woman or self.last
        return self.several if word in words_of("several") else ""

    def tell(self, segment: Segment) -> str:
        """The statement, told of the user; "" when nobody can tell who "he" or "she" is."""
        words = segment.words
        subject, rest = words[: segment.last], words[segment.last :]
        if segment.kind == "user":
            told = [USER, *self._rest(_agree(rest), "user")]
        elif segment.kind == "other":
            person = self.who(subject[0].word)
            if not person:
                return ""
            told = [person, *self._rest(list(rest), "person")]
        elif not segment.kind and words and words[0].word in words_of("possible_owned"):
            told = [f"{USER}'s", *self._rest(list(words), "other")]
        else:
            owner = segment.kind or "other"
            head = self._rest(list(subject), "other")
            if head and subject and subject[-1].word.endswith("'s") and rest and segment.kind != "user":
                head[-1] = subject[-1].text[:-2]
                head.append("is")
            told = [*head, *self._rest(list(rest), owner)]
        self.note(segment)
        return sentence(" ".join(told))

    def _rest(self, words: Sequence[Word], subject: str) -> list[str]:
        """The words with the user's own pronouns put right."""
        told: list[str] = []
        agreement: dict[str, str] = rules("they_agreement")
        user = subject == "user"
        switch = False
        for number, word in enumerate(words):
            space = "" if number and not word.space else " "
            text = word.text
            if word.word in words_of("user_subjects"):
                text, switch = ("they" if user else USER), user
            elif word.word in ("my", "our"):
                text = "their" if user else "the user's"
            elif word.word in ("me", "us"):
                text = "them" if user else USER
            elif subject == "other" and word.word in words_of("object_persons") and self.who(word.word):
                text = self.who(word.word)
            elif word.word in ("mine", "ours"):
                text = "theirs" if user else "the user's"
            elif word.word in ("myself", "ourselves"):
                text = "themselves" if user else "the user themselves"
            elif switch and word.word in agreement:
                text, switch = agreement[word.word], False
            elif number and words[number - 1].word in words_of("user_subjects"):
                text = word.text if user else third_person(word.word) if word.word.isalpha() else word.text
            if space or not told:
                told.append(text)
            else:
                told[-1] += text
        return told

    def note(self, segment: Segment) -> None:
        """Remembers the persons of a statement."""
        words = segment.words
        if segment.has("animals"):
            self.man = self.woman = self.last = ""
        for at, word in enumerate(words[:-1]):
            if word.word in lexicon.table("support")["titles"] and words[at + 1].word.isalpha():
                name = f"{word.text.capitalize()} {words[at + 1].text.capitalize()}"
                self.last = self.man = self.woman = name
        for at, word in enumerate(words):
            if word.word.removesuffix("'s") not in kin_words():
                continue
            first = at
            while first and (words[first - 1].word.isalpha() or words[first - 1].word == "-") and at - first < 4:
                first -= 1
                if words[first].word in words_of("user_possessives"):
                    break
            else:
                if not (segment.kind == "kin" and at < segment.last):
                    continue
                first = at
            last = at + 1
            while last < len(words) and words[last].text[:1].isupper() and words[last].word.isalpha():
                last += 1
            if at < segment.last and segment.kind in ("mine", "kin") and not word.word.endswith("'s"):
                inside = [each.word for each in words[first : segment.last]]
                if not any(each.endswith("'s") for each in inside) and words_of("prepositions").isdisjoint(inside):
                    last = segment.last
                while last > at + 1 and words[last - 1].word in words_of("adverbs"):
                    last -= 1
            own = words[first].word in words_of("user_possessives")
            told = join(words[first + own : last]).removesuffix("'s").removesuffix("\u2019s")
            self._keep(word.word.removesuffix("'s"), f"the user's {told}")
        if segment.kind == "name":
            name = join(words[: segment.last]).removesuffix("'s")
            self.last = name
            self.man = self.woman = name

    def _keep(self, kin: str, told: str) -> None:
        key = lexicon.table("kin").get(kin, kin)
        self.last = told
        if key in words_of("male_kin") or kin in words_of("male_words"):
            self.man = told
        elif key in words_of("female_kin") or kin in words_of("female_words"):
            self.woman = told
        elif kin.endswith("s") or kin in ("children", "folks"):
            self.several = told
            self.last = ""
        else:
            self.man = self.woman = told


def _agree(rest: Sequence[Word]) -> list[Word]:
    """The verb of "I" or "we" in the form for "the user"."""
    told = list(rest)
    for at, word in enumerate(told):
        if word.word in words_of("adverbs") or word.word.endswith("ly"):
            continue
        told[at] = Word(word.word, third_person(word.word), word.space, word.place)
        break
    return told


def sentence(text: str) -> str:
    """A text that begins with a capital and ends without a full stop.

    >>> sentence("the user is ten .")
    'The user is ten'
    """
    plain = " ".join(text.split())
    while plain and plain[-1] in " .,;:!?-(":
        if plain.endswith(("a.m.", "p.m.")):
            break
        plain = plain[:-1]
    plain = plain.removeprefix("- ").strip()
    return plain[:1].upper() + plain[1:] if plain else ""
