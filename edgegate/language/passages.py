"""A text read once: its sentences with their tokens, clauses, stems, cues and values, each worked out when first asked.

Everything that compares texts (the gate's checks, the guard's support, reconciliation) reads passages, so that all of
them see the same words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property, lru_cache

from edgegate.language import lexicon
from edgegate.language.cues import CueMatch, scan
from edgegate.language.numbers import number_at
from edgegate.language.text import SentenceSplitter, Tokens, clauses, tokenise
from edgegate.language.values import Name, Values, names, values

LONGEST = 2000
"""Characters of one passage: a longer sentence is read in pieces, so that no text costs more than its length."""

_CUES = 40  # of one family in one passage; no sentence that people write has so many

MEMORY = "memory"
"""The speaker of a text that nobody speaks: a stored memory. Its first and second person both mean the user."""


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(lexicon.table(name))


@cache
def _base_forms() -> dict[str, str]:
    """Irregular forms to their base: "went" -> "go"."""
    return {form: base for base, forms in lexicon.table("inflections").items() for form in forms}


@cache
def past_forms() -> frozenset[str]:
    """Irregular pasts: the forms that neither end in -s nor in -ing and are not the base itself.

    >>> "went" in past_forms(), "go" in past_forms()
    (True, False)
    """
    return frozenset(form for form, base in _base_forms().items() if form != base and not form.endswith(_NO_PASTS))


@cache
def _suffixes() -> tuple[tuple[str, str], ...]:
    return tuple((ending, put) for ending, put in lexicon.table("suffixes"))


_NO_PASTS = ("s", "ing")
_VOWELS = frozenset("aeiouy")


def _undouble(word: str) -> str:
    """ "stopp" -> "stop"; "tell" and "miss" stay."""
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz" and word[-1] not in _VOWELS:
        return word[:-1]
    return word


def _cut(word: str) -> str:
    if word in _words("unstemmed") or any(word.endswith(ending) for ending in _words("kept_endings")):
        return word
    for ending, put in _suffixes():
        if word.endswith(ending):
            rest = word[: -len(ending)]
            if len(rest + put) >= 3 and any(letter in _VOWELS for letter in rest):
                return rest + put if put else _undouble(rest)
            return word
    return word


@lru_cache(4096)  # bounded: texts hold ever new words
def stem(word: str) -> str:
    """The stem of a folded word: endings off, irregular forms to their base, a few plain synonyms joined.

    Opposites never fall together: no prefix is cut, nor -less, nor -ful, and all negative words are "not".

    >>> [stem(word) for word in ("moving", "moved", "went", "mum's", "didn't", "careless", "careful", "seven")]
    ['mov', 'mov', 'go', 'mother', 'not', 'careless', 'careful', '7']
    """
    same: dict[str, str] = lexicon.table("same_words")
    word = word.removesuffix("'s").removesuffix("'")
    if word in _words("not_words") or any(word.endswith(ending) for ending in _words("not_endings")):
        return "not"
    number = number_at([word], 0)
    if number is not None and number.last == 1 and not number.weak:
        return number.key
    word = same.get(word, word)
    base = _base_forms().get(word, word)
    base = same.get(base, base)
    if base == word:
        base = _cut(word)
    base = same.get(base, base)
    return base[:-1] if len(base) > 3 and base.endswith("e") else base


@cache
def _no_content() -> frozenset[str]:
    return _words("function_words") - _words("content_anyway")


@lru_cache(4096)
def content_stem(word: str) -> str | None:
    """The stem of a folded word if it is a content word, else None.

    >>> content_stem("loud"), content_stem("the"), content_stem("!"), content_stem("user's")
    ('loud', None, None, None)
    """
    if word in _no_content() or not (len(word) > 1 or word.isalnum()):
        return None
    return None if word.removesuffix("'s") in _words("memory_user_words") else stem(word)


def content(tokens: Tokens) -> list[tuple[int, str]]:
    """The content words of `tokens` as (token number, stem): function words and punctuation left out, "not" kept.

    Words that only stand for the user ("the user", "customer") are references, not content.

    >>> content(tokenise("I do not like the loud music"))
    [(2, 'not'), (3, 'lik'), (5, 'loud'), (6, 'music')]
    """
    return [(place, part) for place, part in enumerate(map(content_stem, tokens.words)) if part is not None]


class Passage:
    """One sentence of a text, read once.

    `text` is the sentence, `start` its offset in the text it came from (`origin`), `turn` and `speaker` say where it
    stood, `number` counts the passages of one reading, `now` places its relative dates, `tokens` are those of `text`
    where somebody has them already. Token numbers of everything below count the tokens of this sentence.
    """

    def __init__(
        self,
        text: str,
        start: int = 0,
        *,
        origin: str | None = None,
        turn: int | None = None,
        speaker: str = MEMORY,
        number: int = 0,
        now: date | None = None,
        tokens: Tokens | None = None,
    ) -> None:
        if tokens is not None:
            self.tokens = tokens
        self.text = text
        self.start = start
        self.origin = text if origin is None else origin
        self.turn = turn
        self.speaker = speaker
        self.number = number
        self.now = now

    @cached_property
    def tokens(self) -> Tokens:
        return tokenise(self.text)

    @cached_property
    def words(self) -> list[str]:
        return self.tokens.words

    @cached_property
    def clauses(self) -> list[tuple[int, int]]:
        """Token ranges of the clauses, end exclusive, in order."""
        return clauses(self.tokens)

    @cached_property
    def content(self) -> list[tuple[int, str]]:
        return content(self.tokens)

    @cached_property
    def stems(self) -> dict[str, list[int]]:
        """Every content stem, with the tokens that carry it."""
        found: dict[str, list[int]] = {}
        for place, word in self.content:
            found.setdefault(word, []).append(place)
        return found

    @cached_property
    def cues(self) -> tuple[CueMatch, ...]:
        return tuple(scan(self.tokens))

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """The names alone: far cheaper than all values."""
        return tuple(names(self.tokens))

    @cached_property
    def values(self) -> Values:
        return values(self.tokens, self.now, self.names)

    @property
    def is_question(self) -> bool:
        """Whether the sentence asks: by its mark, or by its word order ("do I have to send it back")."""
        if "?" in self.words[-2:]:
            return True
        if len(self.words) < 2 or self.words[0] not in _words("question_openers"):
            return False
        told_to = self.words[0] in _words("imperative_openers")  # "do it now" orders, "do you sing" asks
        return self.words[1] in _words("person_subjects" if told_to else "subjects")

    def family(self, *names: str) -> list[CueMatch]:
        """The cues of these families, in order (the first forty of each)."""
        if len(names) == 1:
            return self._by_family.get(names[0], [])
        return sorted((match for name in names for match in self._by_family.get(name, ())), key=lambda each: each.first)

    @cached_property
    def _by_family(self) -> dict[str, list[CueMatch]]:
        found: dict[str, list[CueMatch]] = {}
        for match in self.cues:
            matches = found.setdefault(match.cue.family, [])
            if len(matches) < _CUES:
                matches.append(match)
        return found

    @cached_property
    def _clause_starts(self) -> list[int]:
        return [first for first, _ in self.clauses]

    def clause_at(self, token: int) -> tuple[int, int]:
        """The token range of the clause that holds `token`."""
        place = bisect_right(self._clause_starts, token) - 1
        return self.clauses[place] if place >= 0 else (0, len(self.words))

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Start and end of a token range in `origin`, in code points."""
        start, end = self.tokens.span(first, last)
        return start + self.start, end + self.start

    def forget(self) -> None:
        """Lets go of what was worked out; whoever asks again works it out again.

        A long source is read once through and few of its sentences are compared: keeping the tokens of all costs more
        time than reading those few twice.
        """
        for name in _READINGS & self.__dict__.keys():
            del self.__dict__[name]

    def __repr__(self) -> str:
        return f"Passage({self.text!r}, turn={self.turn}, speaker={self.speaker!r})"


_READINGS = frozenset(name for name, kind in vars(Passage).items() if isinstance(kind, cached_property))


def read(
    text: str, *, speaker: str = MEMORY, turn: int | None = None, now: date | None = None, number: int = 0
) -> list[Passage]:
    """The passages of `text`, one for each sentence with a word in it; `number` is that of the first.

    >>> [passage.text for passage in read("It rained. We stayed in!")]
    ['It rained.', 'We stayed in!']
    """
    splitter = SentenceSplitter(LONGEST)
    found: list[Passage] = []
    for sentence in splitter.close(text):
        if sentence.text.strip():
            passage = Passage(
                sentence.text,
                sentence.start,
                origin=text,
                turn=turn,
                speaker=speaker,
                number=number + len(found),
                now=now,
            )
            found.append(passage)
    return found


@dataclass(frozen=True, slots=True)
class Clause:
    """A token range of a passage (end exclusive): the unit that `compare` reads."""

    passage: Passage
    first: int
    last: int

    @classmethod
    def whole(cls, passage: Passage) -> Clause:
        """The clause that is the whole sentence."""
        return cls(passage, 0, len(passage.words))

    @property
    def text(self) -> str:
        return self.passage.tokens.quote(self.first, self.last)

    def holds(self, token: int) -> bool:
        return self.first <= token < self.last

    def cues(self, *families: str) -> list[CueMatch]:
        """The cues of these families that begin in this clause."""
        return [match for match in self.passage.family(*families) if self.holds(match.first)]

    def content(self) -> list[tuple[int, str]]:
        return [(place, word) for place, word in self.passage.content if self.holds(place)]


def parts(passages: Iterable[Passage]) -> list[Clause]:
    """Every clause of the passages, in order."""
    return [Clause(passage, first, last) for passage in passages for first, last in passage.clauses]
