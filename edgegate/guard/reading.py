"""One reading of a sentence or a piece of evidence, as the guard compares them: content, specifics, verbs in the past.

What is inside quotation marks is read apart: it is somebody's words, not what the sentence says itself.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from datetime import date
from functools import cache, cached_property, lru_cache

from edgegate.language import lexicon
from edgegate.language.align import Passage, content_stem, stem
from edgegate.language.cues import CueMatch
from edgegate.language.text import Tokens
from edgegate.language.values import Clock, may_name

QUOTE = '"'
COLON = ":"
EMPHASIS = "*"
ABBREVIATION = 4  # letters; "GP" and "PHD" are no names
SHORT_QUOTE = 3  # words; a quoted name or term belongs to the sentence around it


class Reading:
    """A sentence read once. What is quoted is left out; each mapping gives the first token of what it names.

    `content` holds the stems of content words (numbers and negation apart), `names` the words of names and `sure` those
    that do not only stand at the start of the sentence, `numbers` the values of numbers, and the days and years of
    dates. `members` are the words of the closed sets, by set. The rest is worked out when first asked for, since of
    most pieces of evidence nobody asks it: `past` are the tokens of verbs in the past or perfect. From the token
    `inference` on, the sentence draws a conclusion of its own ("..., so take two"); where it draws none that is its
    length. `supposed` marks tokens of clauses that only suppose something ("if it climbs above 15").
    """

    def __init__(self, passage: Passage, quoted: list[bool]) -> None:
        self.passage = passage
        self.words = passage.words
        """The folded tokens."""
        self.quoted = quoted
        self.content = _content(self)
        self.names = _names(self) if passage.names else {}

    @cached_property
    def sure(self) -> dict[str, int]:
        return _names(self, sure=True) if self.names else {}

    @cached_property
    def members(self) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        sets = _sets()
        for part in self.content:
            for group in sets.get(part, ()):
                found.setdefault(group, {})[part] = self.content[part]
        return found

    @cached_property
    def _valued(self) -> tuple[dict[str, int], dict[int, int], dict[int, int]]:
        return _numbers_and_days(self.passage, self.quoted)

    @cached_property
    def numbers(self) -> dict[str, int]:
        return self._valued[0] if may_name(self.words, "numbers") else {}

    @cached_property
    def months(self) -> dict[int, int]:
        return self._valued[1] if may_name(self.words, "months") else {}

    @cached_property
    def weekdays(self) -> dict[int, int]:
        return self._valued[2] if may_name(self.words, "weekdays") else {}

    @cached_property
    def clocks(self) -> tuple[Clock, ...]:
        return self.passage.values.clocks if may_name(self.words, "clocks") else ()

    @cached_property
    def past(self) -> list[int]:
        words, determiners = self.words, words_of("determiners")
        return [
            place
            for place, word in enumerate(words)
            if not self.quoted[place] and is_past(word) and not (place and words[place - 1] in determiners)
        ]

    @cached_property
    def inference(self) -> int:
        return inference(self.words)

    @cached_property
    def supposed(self) -> list[bool]:
        return supposed_tokens(self.passage)

    @cached_property
    def is_question(self) -> bool:
        """Whether the sentence ends as a question."""
        return self.passage.is_question

    @cached_property
    def claimed(self) -> list[bool]:
        """Of each token, whether it is part of what the sentence itself claims."""
        supposed, upto = self.supposed, self.inference
        return [place < upto and not quoted and not supposed[place] for place, quoted in enumerate(self.quoted)]

    def claims(self, place: int) -> bool:
        """Whether the token at `place` is part of what the sentence itself claims."""
        return self.claimed[place]

    @cached_property
    def stems(self) -> dict[int, str]:
        """The stems of all content words, figures included, by their tokens."""
        return dict(self.passage.content)

    def cues(self, *families: str) -> Sequence[CueMatch]:
        """The cues of these families, outside quotation marks."""
        if len(families) == 1:
            return self._cues.get(families[0], ())
        found = [match for family in families for match in self._cues.get(family, ())]
        if len(found) > 1:
            found.sort(key=lambda match: match.first)
        return found

    @cached_property
    def _cues(self) -> dict[str, list[CueMatch]]:
        families = dict.fromkeys(match.cue.family for match in self.passage.cues)
        return {
            family: [match for match in self.passage.family(family) if not self.quoted[match.first]]
            for family in families
        }


@cache
def light() -> frozenset[str]:
    """Stems of general vocabulary: they point at nothing in particular."""
    return frozenset(stem(word) for word in lexicon.table("light_words"))


@cache
def words_of(name: str) -> frozenset[str]:
    """A list of the guard's own tables, as a set."""
    return frozenset(lexicon.table("support")[name])


@cache
def connectives() -> frozenset[str]:
    """What joins a sentence to the one before it, as written."""
    return frozenset(lexicon.table("connectives"))


@cache
def _sets() -> dict[str, tuple[str, ...]]:
    named: dict[str, list[str]] = {}
    for name, members in lexicon.table("support")["sets"].items():
        for member in members:
            named.setdefault(stem(member), []).append(name)
    return {member: tuple(names) for member, names in named.items()}


def groups_of(parts: Set[str]) -> frozenset[str]:
    """The closed sets that have one of these stems.

    >>> sorted(groups_of({"mother", "zzz"}))
    ['kin']
    """
    sets = _sets()
    return frozenset(group for part in sets.keys() & parts for group in sets[part])


@cache
def _past_forms() -> frozenset[str]:
    """Irregular forms of verbs that are neither the present nor the gerund."""
    forms = set(words_of("more_past_forms"))
    for lemma, inflected in lexicon.table("inflections").items():
        forms.update(form for form in inflected if not form.endswith(("s", "ing")) and form != lemma)
    return frozenset(forms - words_of("never_past"))


@lru_cache(4096)
def is_past(word: str) -> bool:
    """Whether a folded word can be a verb in the past tense or a past participle.

    >>> is_past("went"), is_past("baked"), is_past("need")
    (True, True, False)
    """
    if word in _past_forms():
        return True
    return len(word) > 4 and word.endswith("ed") and word not in words_of("never_past")


def inference(words: list[str]) -> int:
    """Where a sentence goes over from what it claims to what it makes of it.

    >>> inference("you had nine hundred , so with this it is more".split())
    5
    """
    opening, marks = words_of("inference_words"), words_of("clause_marks")
    if opening.isdisjoint(words):
        return len(words)
    for place in range(1, len(words) - 1):
        if words[place] in opening and words[place - 1] in marks:
            return place
    return len(words)


def supposed_tokens(passage: Passage) -> list[bool]:
    """Which tokens stand in a clause that supposes something and states nothing.

    >>> supposed_tokens(Passage("If it hurts, rest."))
    [True, True, True, True, False, False]
    >>> supposed_tokens(Passage("May the wind be kind.")) == [True] * 6
    True
    """
    words, joining, supposing = passage.words, connectives(), words_of("supposing_words")
    wishing = lexicon.table("support")["wishing"]
    supposed = [False] * len(words)
    if supposing.isdisjoint(words) and wishing.keys().isdisjoint(words):
        return supposed
    for first, last in passage.clauses:
        opening = first + 1 if first + 1 < last and words[first] in joining else first
        wishes = words[opening + 1 : opening + 2] and words[opening + 1] in wishing.get(words[opening], ())
        if words[opening] in supposing or wishes:
            supposed[first:last] = [True] * (last - first)
    return supposed


def quoted_tokens(words: list[str], mark: str = QUOTE, longer_than: int = SHORT_QUOTE) -> list[bool]:
    """Which tokens stand between two marks with more than `longer_than` between. A mark never closed quotes nothing.

    >>> quoted_tokens('the song " go on and on " ends'.split())
    [False, False, True, True, True, True, True, True, False]
    """
    marks = [place for place, word in enumerate(words) if word == mark]
    quoted = [False] * len(words)
    for start, end in zip(marks[::2], marks[1::2], strict=False):
        if end - start - 1 > longer_than:
            quoted[start : end + 1] = [True] * (end + 1 - start)
    return quoted


def drafted_tokens(words: list[str]) -> list[bool]:
    """Which tokens stand after a colon that hands the user words to use: "write him one line: I miss you".

    >>> drafted_tokens("text her : i am late".split())
    [False, False, False, True, True, True]
    """
    drafted = [False] * len(words)
    if COLON not in words[:-1]:
        return drafted
    colon = words.index(COLON)
    first = next((word for word in words[colon + 1 :] if word[0].isalpha()), "")
    if first in words_of("draft_openers") and words_of("draft_verbs") & set(words[:colon]):
        drafted[colon + 1 :] = [True] * (len(words) - colon - 1)
    return drafted


def read(text: str, now: date | None = None, *, quotes: bool = False, tokens: Tokens | None = None) -> Reading:
    """The reading of the sentence `text`. `now` places relative dates; `quotes` reads what is quoted as if it was said;
    `tokens` are those of `text`, from whoever has them already.

    >>> reading = read("You told me Nadia moved to Ulm in March.")
    >>> sorted(reading.sure), sorted(reading.months), [reading.words[place] for place in reading.past]
    (['nadia', 'ulm'], [3], ['told', 'moved'])
    """
    passage = Passage(text, now=now, tokens=tokens)
    words = passage.words
    quoted = [False] * len(words)
    if not quotes and (QUOTE in words or COLON in words):
        pairs = zip(quoted_tokens(words), drafted_tokens(words), strict=True)
        quoted = [one or other for one, other in pairs]
    return Reading(passage, quoted)


@lru_cache(4096)  # bounded: texts hold ever new words
def _telling_stem(word: str) -> str | None:
    """The stem of a folded word that has content of its own; None for all others, figures and signs."""
    part = content_stem(word)
    if part is None or part[0].isdigit() or not word[0].isalpha() or part in words_of("no_content"):
        return None
    return part


def _content(reading: Reading) -> dict[str, int]:
    found: dict[str, int] = {}
    for place, part in enumerate(map(_telling_stem, reading.words)):
        if part is not None and part not in found and not reading.quoted[place]:
            found[part] = place
    return found


def _names(reading: Reading, *, sure: bool = False) -> dict[str, int]:
    """The words of names, or those that do not only stand at the start of the sentence."""
    passage, words, quoted = reading.passage, reading.words, reading.quoted
    found: dict[str, int] = {}
    mentioned = _mentioned(words) if sure else quoted
    for name in passage.names:
        for place in range(name.first, name.last):
            part = words[place].removesuffix("'s")
            if len(part) < 2 or part in found or quoted[place]:
                continue
            if not sure or (not mentioned[place] and _is_sure(passage, place, name.first)):
                found[part] = place
    return found


def _mentioned(words: list[str]) -> list[bool]:
    """Tokens that are spoken of as words, in quotation marks or emphasis of any length: "learn *Guten Tag*"."""
    if QUOTE not in words and EMPHASIS not in words:
        return [False] * len(words)
    quoted, emphasised = quoted_tokens(words, QUOTE, 0), quoted_tokens(words, EMPHASIS, 0)
    return [one or other for one, other in zip(quoted, emphasised, strict=True)]


def _is_sure(passage: Passage, place: int, first: int) -> bool:
    """Whether a capital letter here can only be a name's: inside the sentence, and no abbreviation or language."""
    words, text = passage.words, passage.tokens.text
    start = passage.tokens.starts[place]
    written = text[start : start + len(words[place])]
    if (len(written) <= ABBREVIATION and written.isupper()) or words[place] in words_of("capitalised"):
        return False
    return is_titled(words, first) or place > first or (first > 0 and words[first - 1][0].isalnum())


def is_titled(words: list[str], first: int) -> bool:
    """Whether the name at token `first` has a title before it: "Dr. Okafor", "Herr Wendlandt"."""
    before = first - 2 if first > 1 and words[first - 1] == "." else first - 1
    return before >= 0 and words[before] in words_of("titles")


def _numbers_and_days(passage: Passage, quoted: list[bool]) -> tuple[dict[str, int], dict[int, int], dict[int, int]]:
    """The numbers, months and weekdays of a sentence, each with the first token of what names it."""
    numbers: dict[str, int] = {}
    months: dict[int, int] = {}
    weekdays: dict[int, int] = {}
    for number in passage.values.numbers:
        if not number.weak and not quoted[number.first]:
            numbers.setdefault(number.key, number.first)
    for found in passage.values.dates:
        if quoted[found.first]:
            continue
        if found.month:
            months.setdefault(found.month, found.first)
        if found.weekday is not None:
            weekdays.setdefault(found.weekday, found.first)
        if found.day:
            numbers.setdefault(str(found.day), found.first)
        if found.year and not found.relative:
            numbers.setdefault(str(found.year), found.first)
    if "'s" in passage.tokens.folded.text:
        for place, word in enumerate(passage.words):
            day = lexicon.table("dates")["weekdays"].get(word[:-2]) if word.endswith("'s") else None
            if day is not None and not quoted[place]:
                weekdays.setdefault(day, place)
    return numbers, months, weekdays
