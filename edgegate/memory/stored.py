"""What a request to forget names, and a memory read for it: terms, fields of meaning, places, owner, verb."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache

from edgegate.language import lexicon
from edgegate.language.owners import Owner, owner
from edgegate.language.passages import Clause, Passage, past_forms, stem
from edgegate.language.text import Tokens, tokenise
from edgegate.language.values import Values, values

LONGEST = 2000
"""Characters of a memory that are read."""


@lru_cache(8192)
def root(word: str) -> str:
    """The stem of a word and of its plural alike.

    >>> root("appointments") == root("appointment")
    True
    """
    return stem(stem(word))


@cache
def words_of(name: str) -> frozenset[str]:
    """A list of words of `tables.forget` as a set."""
    return frozenset(lexicon.table("forget")[name])


@dataclass(frozen=True, slots=True)
class Field:
    """A field of meaning: the words a request may use, and those of which a memory must have one."""

    asked: frozenset[str]
    held: frozenset[str]
    value: str = ""
    strict: bool = False
    own: bool = False
    not_after: frozenset[str] = frozenset()


@cache
def fields() -> tuple[Field, ...]:
    return tuple(
        Field(
            frozenset(each["asked"]),
            frozenset(each["held"]),
            each.get("value", ""),
            bool(each.get("strict")),
            bool(each.get("own")),
            frozenset(each.get("not_after", ())),
        )
        for each in lexicon.table("forget")["attributes"]
    )


@dataclass(frozen=True)
class Term:
    """One thing a request names: the folded word, its stem, the fields it opens, whether it is a name."""

    word: str
    stem: str
    named: bool = False
    light: bool = False
    optional: bool = False

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        return tuple(each for each in fields() if self.word in each.asked)

    def opens(self, word: str) -> bool:
        """Whether a field of this term holds `word`."""
        return any(word in each.held for each in self.fields)


@dataclass(frozen=True)
class Wanted:
    """What is to be forgotten: its terms and values, whose it is, whether it is a clause ("that I …") or a group."""

    text: str
    terms: tuple[Term, ...]
    values: Values
    mine: bool = False  # "my …", "our …"
    subject: str = ""  # "user" when it says "that I …"
    clause: bool = False
    group: bool = False
    topic: bool = False  # everything about something
    denies: bool = False
    everything: bool = False
    partly: bool = False  # "all but one", "one of them": never without a question
    stated: bool = False  # told as a statement before the request: "I don't row any more, forget that"
    verb: Term | None = None  # the main verb of "that I …"
    being: bool = False  # "that I am …"
    particles: tuple[str, ...] = ()  # "grew up", "works out"
    names: frozenset[str] = field(default=frozenset())

    @cached_property
    def sayings(self) -> tuple[tuple[str, ...], ...]:
        """The rows of sayings of which the request has a phrase, as stems. Kept here, with the request: a cache of the
        module would hold what a user wrote."""
        asked = _in_stems(self.text)
        return tuple(row for row in _rows_of_sayings() if any(phrase in asked for phrase in row))


@cache
def _rows_of_sayings() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(_in_stems, row)) for row in lexicon.table("forget")["sayings"]["rows"])


def _in_stems(text: str) -> str:
    return " " + " ".join(root(word) for word in tokenise(text[:LONGEST]).words) + " "


class Memory:
    """A memory read once, its first `LONGEST` characters: a longer one holds more than anybody names in a request."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: Tokens = tokenise(text[:LONGEST])
        self.words = self.tokens.words

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Every stem with its places."""
        found: dict[str, list[int]] = {}
        for at, word in enumerate(self.words):
            found.setdefault(root(word), []).append(at)
        return found

    @cached_property
    def values(self) -> Values:
        return values(self.tokens)

    @cached_property
    def owner(self) -> Owner:
        passage = Passage(self.text[:LONGEST])
        return owner(Clause(passage, 0, len(passage.words)))

    @cached_property
    def denies(self) -> bool:
        return "not" in self.places

    @cached_property
    def names(self) -> dict[str, tuple[int, int]]:
        """Whole names, and each of their words that can stand for them."""
        found: dict[str, tuple[int, int]] = {}
        for name in self.values.names:
            found[name.key] = (name.first, name.last)
            parts = name.key.split()
            if parts[0] not in words_of("titled"):
                for part in parts:
                    found.setdefault(part.removesuffix("'s"), (name.first, name.last))
        return found

    def qualifies(self, at: int) -> bool:
        """Whether the word at `at` only qualifies the noun behind it: "dog shelter", "Volvo mug"."""
        place = self.behind(at)
        after = self.words[place] if place < len(self.words) else ""
        if not after or not after[0].isalpha() or self.words[at].endswith("'s"):
            return False
        if any(name.first == place and name.sure for name in self.values.names):
            return False
        if after in lexicon.table("function_words") or after in lexicon.table("clauses")["verbs"]:
            return False
        if after in past_forms() or after.endswith(("ed", "ing", "ly")) or after in words_of("behind_heads"):
            return False
        return not (after.endswith("s") and not after.endswith("ss") and self._is_subject_end(at))

    def modified(self, at: int) -> bool:
        """Whether a noun stands right before the word at `at` and makes another thing of it: "table tennis"."""
        before = self.words[at - 1] if at else ""
        if not before.isalpha() or at < 2 or before in lexicon.table("function_words"):
            return False
        if (
            before in past_forms()
            or before in lexicon.table("clauses")["verbs"]
            or before.endswith(("ing", "ed", "ly"))
        ):
            return False
        if before in lexicon.table("inflections") or before in lexicon.table("extract")["words"]["split_pasts"]:
            return False
        if at - 1 == self.verb_at or before in words_of("adjectives") or before in words_of("which_words"):
            return False
        return not any(name.first <= at - 1 < name.last for name in self.values.names)

    def behind(self, at: int) -> int:
        """The next word, hyphens passed over."""
        return at + 2 if self.words[at + 1 : at + 2] == ["-"] else at + 1

    @cached_property
    def verb_at(self) -> int:
        """Where the first finite verb stands; behind the last word where there is none."""
        verbs = lexicon.table("clauses")["verbs"]
        adverbs = lexicon.table("extract")["words"]["adverbs"]
        if self.words[:2] == ["the", "user"]:
            return next((at for at in range(2, len(self.words)) if self.words[at] not in adverbs), len(self.words))
        for at, word in enumerate(self.words):
            if word in verbs or (at and word in past_forms()):
                return at
        return len(self.words)

    @property
    def main_verb(self) -> str:
        return self.words[self.verb_at] if self.verb_at < len(self.words) else ""

    @cached_property
    def predicate(self) -> list[str]:
        """What is said of the subject, its small words and what is only said or wished left out."""
        plain = lexicon.table("function_words")
        rest = self.words[self.verb_at :]
        while rest and (
            rest[0] in plain or root(rest[0]) == "not" or rest[0] in words_of("saying") or not rest[0][0].isalnum()
        ):
            rest = rest[1:]
        return rest

    def _is_subject_end(self, at: int) -> bool:
        """Whether a word ends the subject, so that a word in -s behind it is a verb."""
        verbs = lexicon.table("clauses")["verbs"]
        return not any(word in verbs for word in self.words[: at + 1])
