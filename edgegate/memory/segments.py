"""Cuts a sentence into what can be told one by one: a subject, its verb, and what hangs on them.

A new segment begins at a mark or a joining word before a subject with its verb, and in dictation wherever a subject
and its verb follow a full clause. What has no subject of its own stays with the segment before it. "My daughter is
eleven and my son eighteen" is two: the second takes the verb of the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from edgegate.language import lexicon
from edgegate.language.text import tokenise
from edgegate.language.values import names
from edgegate.memory.words import Word, is_verb, phrases, starts_with, words_of

SUBJECT_WORDS = 9
"""A subject longer than this many words is not looked for."""
_LEAD = 6  # words that may stand before the first subject ("next Saturday we …")
_GAPPED = 8  # words of a clause that has lost its verb
_SHORTEST = 3  # words a clause must have before a new one can start without a mark


@dataclass(slots=True)
class Segment:
    """`words` of one statement, its subject at `first` to `last` (end exclusive) and the kind of the subject:
    user ("I"), mine ("my …"), kin, name, other ("she"), thing ("it"), phrase (any other), or "" where none was found.
    `joined` says what stood before it (the joining word or sign)."""

    words: list[Word]
    last: int = 0
    kind: str = ""
    joined: str = ""
    extra: list[Word] = field(default_factory=list)

    @property
    def verb(self) -> str:
        return next((word.word for word in self.words[self.last :] if word.word not in words_of("adverbs")), "")

    def has(self, name: str) -> bool:
        listed = words_of(name)
        return any(word.word in listed for word in self.words)


@cache
def kin_words() -> frozenset[str]:
    """Words for relations and roles: people known by what they are to the user."""
    kin = {word for word, key in lexicon.table("kin").items() if key not in words_of("pets")}
    return frozenset(kin | words_of("roles"))


def name_places(words: Sequence[Word]) -> dict[int, int]:
    """The names in `words`: first word to the word behind the last."""
    text = "".join(word.space + word.text for word in words)
    tokens = tokenise(text)
    if len(tokens) != len(words):
        return {}
    never = words_of("no_names")
    return {name.first: name.last for name in names(tokens) if name.key not in never}


def subject_at(words: Sequence[Word], at: int, named: dict[int, int]) -> tuple[int, str]:
    """Where the subject that starts at `at` ends, and its kind; (at, "") if none with a verb starts there."""
    if at >= len(words):
        return at, ""
    word = words[at].word
    end = at
    kind = ""
    if word in words_of("user_subjects"):
        end, kind = at + 1, "user"
    elif word in words_of("others"):
        end, kind = at + 1, "other"
    elif word in words_of("things"):
        end, kind = at + 1, "thing"
    elif word in words_of("you"):
        end, kind = at + 1, "you"
    if kind:
        return (end, kind) if _verb_near(words, end, kind) else (at, "")
    if word in words_of("user_possessives"):
        kind = "mine"
    elif at in named:
        kind = "name"
    elif word in kin_words() and (at == 0 or words[at - 1].word not in words_of("determiners")):
        kind = "kin"
    elif word in words_of("determiners") or (word[0].isalpha() and word not in _no_subjects()):
        kind = "phrase"
    if not kind:
        return at, ""
    end = named.get(at, at + 1)
    while kind == "name" and end + 1 < len(words) and words[end].word in ("and", "&") and end + 1 in named:
        end = named[end + 1]
    while end < len(words) and end - at < SUBJECT_WORDS:
        here = words[end]
        if here.word in words_of("user_subjects") and words[end - 1].word == "and":
            return (end + 1, "mine") if _verb_near(words, end + 1, "user") else (at, "")
        if here.word in words_of("others") | words_of("user_subjects"):
            return at, ""
        if not (here.word[0].isalnum() or here.word in "-&'") or here.word in words_of("if_words"):
            return at, ""
        if is_verb(words, end) and not _is_noun_here(words, end):
            return end, kind
        if here.word.endswith("'s") and _short_is(words, end):
            return end + 1, kind
        personal = kind in ("kin", "name", "mine") and end > at + (kind == "mine") and end + 1 < len(words)
        if personal and _third_person(here.word) and not is_verb(words, end + 1) and not _more_verb(words, end + 1):
            return end, kind
        end += 1
    return at, ""


@cache
def _no_subjects() -> frozenset[str]:
    """Words with which no plain subject begins."""
    return words_of("holds_next") | words_of("adverbs") | words_of("joiners") | _verbs()


@cache
def _verbs() -> frozenset[str]:
    return frozenset(lexicon.table("clauses")["verbs"])


def _is_noun_here(words: Sequence[Word], at: int) -> bool:
    """A verb form straight behind a determiner or a possessive is a noun ("my work", "the need")."""
    before = words[at - 1].word
    return before in words_of("user_possessives") | words_of("determiners") or before.endswith("'s")


def _third_person(word: str) -> bool:
    return word.isalpha() and word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is"))


def _more_verb(words: Sequence[Word], at: int) -> bool:
    """Whether a plain finite verb comes within the next few words, before any sign."""
    for word in words[at : at + 3]:
        if not word.word[0].isalnum():
            return False
        if word.word in _verbs() and word.word in words_of("be_forms") | words_of("modals"):
            return True
    return False


def _short_is(words: Sequence[Word], at: int) -> bool:
    """Whether "X's" at `at` is "X is": what follows can't be owned, and no verb follows before a sign."""
    after = words[at + 1].word if at + 1 < len(words) else ""
    if not (after in words_of("behind_is") or after[:1].isdigit() or after.endswith(("ing", "ed"))):
        return False
    for place in range(at + 1, min(len(words), at + 1 + SUBJECT_WORDS)):
        word = words[place].word
        if not (word[0].isalnum() or word == "-") or word in words_of("joiners"):
            return place > at + 1
        if is_verb(words, place) and not word.endswith("ed") and word not in words_of("naming"):
            return False
        if word in words_of("naming"):
            return True
    return at + 1 < len(words)


def _verb_near(words: Sequence[Word], at: int, kind: str) -> bool:
    """Whether a verb stands behind the subject, adverbs between them allowed."""
    for place in range(at, min(len(words), at + 4)):
        word = words[place].word
        if word in words_of("adverbs"):
            continue
        if not word[0].isalpha():
            return False
        return is_verb(words, place, kind in ("user", "other", "you")) and word not in words_of("prepositions")
    return False


def segments(words: Sequence[Word]) -> list[Segment]:
    """The statements of one sentence, in order; together they hold all its words but the joining ones.

    >>> from edgegate.memory.words import expand, join
    >>> [join(part.words) for part in segments(expand("I'm Ida, I row and my son is ten"))]
    ['I am Ida', 'I row', 'my son is ten']
    """
    named = name_places(words)
    starts: list[tuple[int, int, str, str]] = []  # first word, end of the subject, kind, joining word
    full = False
    count = 0
    at = 0
    while at < len(words):
        before = words[at - 1].word if at else ""
        leads = not starts and at <= _LEAD
        may = at == 0 or _may_begin(words, at, leads or (full and count >= _SHORTEST))
        if may:
            end, kind = subject_at(words, at, named)
            marked = not before or not before[0].isalnum() or before in words_of("joiners")
            if kind == "phrase" and not marked:
                kind = ""
            if kind == "phrase" and any(word.word in words_of("user_possessives") for word in words[at:end]):
                kind = "mine"
            if kind and not (at and kind == "phrase" and before == "and" and not full):
                starts.append((at, end, kind, before if at else ""))
                full, count = True, 0
                at = max(end, at + 1)
                continue
        count += 1
        at += 1
    if not starts or starts[0][0] > 0:
        starts = _unsaid(words, starts)
    return _cut(words, starts)


def _unsaid(words: Sequence[Word], starts: list[tuple[int, int, str, str]]) -> list[tuple[int, int, str, str]]:
    """ "Just moved to Porto": a sentence that begins with the verb of an "I" that is not said."""
    at = next((place for place, word in enumerate(words) if word.word not in words_of("adverbs")), len(words))
    stop = starts[0][0] if starts else len(words)
    if at + 2 < stop and at < _SHORTEST and words[at].word in words_of("life_verbs") and is_verb(words, at):
        return [(0, 0, "user", ""), *starts]
    return starts


def _may_begin(words: Sequence[Word], at: int, run_on: bool) -> bool:
    before = words[at - 1].word
    if not before[0].isalnum():
        if before == "-" and not words[at].space:
            return False
        held = (at > 1 and before in ('"', "'")) or before == "("
        return not held
    if before in words_of("joiners"):
        return at < 2 or words[at - 2].word not in words_of("holds_next") or not words[at - 2].word[0].isalnum()
    if not run_on or before in words_of("holds_next"):
        return False
    word = words[at].word
    return word in words_of("user_subjects") | words_of("others") | words_of("user_possessives") or (
        word in ("it",) and at + 1 < len(words) and words[at + 1].word in words_of("be_forms")
    )


def _cut(words: Sequence[Word], starts: list[tuple[int, int, str, str]]) -> list[Segment]:
    found: list[Segment] = []
    if not starts or starts[0][0] > 0:
        head = list(words[: starts[0][0]] if starts else words)
        found.append(Segment(head))
    for number, (first, end, kind, joined) in enumerate(starts):
        stop = starts[number + 1][0] if number + 1 < len(starts) else len(words)
        found.append(Segment(list(words[first:stop]), end - first, kind, joined))
    for segment in found:
        _trim(segment)
    found = [part for segment in found if segment.words for part in _listed(segment)]
    parts = [part for segment in found for part in _gapped(segment)]
    return [part for segment in parts for part in _shared_subject(segment)]


def _trim(segment: Segment) -> None:
    """Takes the joining words and signs off the end."""
    words = segment.words
    while words and (words[-1].word in words_of("joiners") or words[-1].word in ",;:-.!\u2026)("):
        if words[-1].word == "." and len(words) > 1 and len(words[-2].word) == 1:
            break
        if closes_bracket(words):
            break
        words.pop()


def closes_bracket(words: Sequence[Word]) -> bool:
    """Whether the last word closes a bracket that the words opened.

    >>> from edgegate.memory.words import expand
    >>> closes_bracket(expand("Mia (4) and Leo (7)")), closes_bracket(expand("done :)"))
    (True, False)
    """
    signs = [word.word for word in words]
    return signs[-1:] == [")"] and signs.count("(") >= signs.count(")")


def _listed(segment: Segment) -> list[Segment]:
    """ "I'm left-handed, blood group B negative": an item that names a thing of the user's stands by itself."""
    words = segment.words
    for at in range(segment.last + 1, len(words) - 2):
        if words[at].word == "," and words[at + 1].word in words_of("possible_owned"):
            rest = words[at + 1 :]
            if not any(is_verb(rest, place) for place in range(1, len(rest))):
                return [Segment(words[:at], segment.last, segment.kind, segment.joined), Segment(rest, 0, "", "and")]
    return [segment]


def _gapped(segment: Segment) -> list[Segment]:
    """ "my daughter is eleven and my son eighteen": the second part takes the verb of the first."""
    words = segment.words
    verb = segment.last
    if segment.kind not in ("mine", "kin", "name") or verb >= len(words):
        return [segment]
    being = words[verb].word in words_of("be_forms")
    for at in range(verb + 2, len(words) - 3):
        opens = words[at].word in ("and", ",") and words[at + 1].word in words_of("user_possessives")
        rest = words[at + 1 :]
        if not opens or len(rest) > _GAPPED or any(is_verb(rest, place) for place in range(1, len(rest))):
            continue
        cut = next((place for place in range(2, len(rest)) if _is_value(rest[place].word)), None)
        if being and rest[1].word in kin_words():
            cut = 2
        if cut is not None and len(rest) > cut:
            joined = [*rest[:cut], Word(words[verb].word, words[verb].text, " ", rest[1].place), *rest[cut:]]
            return [Segment(words[:at], verb, segment.kind, segment.joined), Segment(joined, cut, "mine", "and")]
    return [segment]


def _is_value(word: str) -> bool:
    return word[0].isdigit() or word in words_of("prepositions")


def _shared_subject(segment: Segment) -> list[Segment]:
    """ "I teach maths and have two cats": the second verb has the same subject."""
    words = segment.words
    if segment.kind not in ("user", "mine", "kin", "name", "other"):
        return [segment]
    for at in range(segment.last + 2, len(words) - 2):
        comma = words[at].word == "," and segment.kind != "user"
        if not comma and (words[at].word not in words_of("joiners") or words[at].word == "or"):
            continue
        place = at + 1
        if comma and words[place].word in words_of("joiners"):
            continue
        while place < len(words) - 1 and words[place].word in words_of("adverbs"):
            place += 1
        if _goes_on(words, place, segment):
            head = Segment(words[:at], segment.last, segment.kind, segment.joined)
            tail = Segment([*words[: segment.last], *words[at + 1 :]], segment.last, segment.kind, words[at].word)
            _trim(head)
            return [head, *_shared_subject(tail)]
    return [segment]


def _goes_on(words: Sequence[Word], at: int, segment: Segment) -> bool:
    """Whether the word at `at` is a finite verb in the form that the subject asks for, with something behind it."""
    word = words[at].word
    if at + 1 >= len(words):
        return False
    if segment.kind == "user":
        return word in _verbs() and word not in words_of("be_forms") and not _third_person(word)
    return word in _verbs() and (_third_person(word) or word in words_of("be_forms") | words_of("modals"))


def strip_openers(words: list[Word]) -> list[Word]:
    """The words without greetings, fillers and joining words before them."""
    at = 0
    moved = True
    while moved and at < len(words):
        moved = False
        for phrase in phrases("opener_phrases"):
            sign = at + 1 < len(words) and not words[at + 1].word[0].isalnum()
            if starts_with(words, at, phrase) and (phrase[0] not in words_of("openers_before_sign") or sign):
                at += len(phrase)
                moved = True
                break
    return words[at:]


def without_fillers(words: list[Word]) -> list[Word]:
    """The words without what only fills the middle of a sentence ("by the way")."""
    found: list[Word] = []
    at = 0
    while at < len(words):
        phrase = next((each for each in phrases("fillers") if starts_with(words, at, each)), ())
        if phrase:
            at += len(phrase)
        else:
            found.append(words[at])
            at += 1
    return found


def strip_closers(words: list[Word]) -> list[Word]:
    """The words without the fillers behind them."""
    end = len(words)
    moved = True
    while moved and end:
        moved = False
        for phrase in phrases("closer_phrases"):
            start = end - len(phrase)
            sign = start > 0 and not words[start - 1].word[0].isalnum()
            if start >= 0 and starts_with(words, start, phrase):
                if phrase[0] in words_of("closers_behind_sign") and not sign:
                    continue
                if phrase == (")",) and closes_bracket(words[:end]):
                    continue
                if phrase == (".",) and end > 1 and len(words[end - 2].word) == 1:
                    continue
                end = start
                moved = True
                break
    return words[:end]
