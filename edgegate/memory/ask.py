"""What a message asks of memory, before its facts are read.

The test is whether an action is expected at a future moment (remind) or something is to be known (remember). Cues are
in `data/en/intent.toml`. Quotations and pasted texts never ask for anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from edgegate.language import lexicon
from edgegate.language.cues import CueMatch, scan
from edgegate.language.text import tokenise
from edgegate.memory.extract import is_dated, own_words
from edgegate.memory.segments import strip_openers
from edgegate.memory.words import LONGEST, Line, Word, is_verb, lines_of, words_of

_ASK_GAP = 2  # words between "could you" and what is asked
ORDERS = frozenset({"remember", "todo", "remind", "forget", "remove"})
"""The effects of cues that are orders."""


@dataclass(frozen=True, slots=True)
class Found:
    """A cue in a message: the line it stands in, its token range there, its effect."""

    line: int
    first: int
    last: int
    effect: str
    match: CueMatch


@dataclass(frozen=True, slots=True)
class Ask:
    """What a message asks, before its facts are read: the intent, the deciding cue and the lines."""

    intent: str
    lines: tuple[Line, ...]
    cue: Found | None = None
    found: tuple[Found, ...] = field(default=())
    entry: int | None = None  # the line that is an entry without an order: "wifi at the cabin: …"
    silent: bool = False  # nothing in it is a fact: pretended, pasted, or for this once


def ask_of(text: str) -> Ask:
    """What a message asks, without its facts.

    >>> ask_of("What did I say about Rome?").intent, ask_of("don't save this").intent
    ('question', 'refusal')
    """
    lines = tuple(_without_pasted(lines_of(text[:LONGEST])))
    found: list[Found] = []
    for number, line in enumerate(lines):
        found += _cues_of(number, line)
    silent = _is_pretended(lines)
    once = next((each for each in found if each.effect == "once"), None)
    refusal = next((each for each in found if each.effect == "refusal"), None)
    if refusal:
        return Ask("refusal", lines, refusal, tuple(found), silent=True)
    found = [_turned(each, lines[each.line]) for each in found]
    orders = [each for each in found if each.effect in ORDERS and not (silent and each.line > 0)]
    orders += [each for each in found if each.effect == "listed" and list_verb(lines[each.line], each) is not None]
    orders.sort(key=lambda each: (each.line, each.first))
    asked = next((each for each in found if each.effect == "question"), None)
    if asked and (not orders or _same_place(asked, orders[0])):
        return Ask("question", lines, asked, tuple(found), silent=True)
    if orders and not once:
        cue = orders[0]
        effect = cue.effect
        if effect == "remind" and _is_joke(lines[cue.line]):
            return Ask("chat", lines, cue, tuple(found), silent=True)
        intent = "remember" if effect in ("todo", "listed") else "forget" if effect == "remove" else effect
        return Ask(intent, lines, cue, tuple(found))
    entry = next((number for number, each in enumerate(lines[:3]) if _is_entry(each)), None)
    if entry is not None and not silent:
        return Ask("remember", lines, None, tuple(found), entry=entry)
    intent = "question" if any(asks(line) for line in lines) else "chat"
    return Ask(intent, lines, None, tuple(found), silent=silent or once is not None)


def _turned(cue: Found, line: Line) -> Found:
    """ "Remind me when I get home to …" asks for an action, "remind me when the bus goes" a question."""
    if cue.effect != "question" or cue.match.cue.id != "intent.what-again" or line.asks:
        return cue
    words = [word.word for word in line.words if word.place >= cue.last - 2]
    if not words_of("time_openers") & set(words[:3]):
        return cue
    to = next((at for at, word in enumerate(words) if word == "to" and at > 2), None)
    if to is None or to + 2 > len(words):
        return cue
    return replace(cue, effect="remind", last=cue.first + 2)


def _is_entry(line: Line) -> bool:
    """Whether a line only gives a value to keep: "The wifi at the cabin: network Elk-5, password mossybank22"."""
    words = [word.word for word in line.words]
    if ":" not in words[2:10] or line.asks or not all(line.own):
        return False
    at = words.index(":", 2)
    told = any(word in words_of("entry_heads") for word in words[:at])
    if not told or any(is_verb(line.words, place) for place in range(at)):
        return False
    return any(letter.isdigit() for word in words[at:] for letter in word)


def list_verb(line: Line, cue: Found) -> int | None:
    """Where the verb of putting stands that makes "to my list" an order."""
    for at, word in enumerate(line.words):
        if word.place >= cue.first:
            return None
        before = line.words[at - 1].word if at else ""
        if word.word in _table("list_verbs") and (before not in _table("no_order_after") or before == "you"):
            return at
    return None


def _table(name: str) -> frozenset[str]:
    return frozenset(lexicon.table("intent")[name])


def _same_place(asked: Found, order: Found) -> bool:
    return order.line > asked.line or (order.line == asked.line and order.first >= asked.first)


def _cues_of(number: int, line: Line) -> list[Found]:
    tokens = tokenise(line.text)
    own = {word.place: mine for word, mine in zip(line.words, line.own, strict=True)}
    found: list[Found] = []
    question = line.asks and bool(tokens.words) and tokens.words[0] in _table("question_words") | _openers()
    asking = {match.last for match in scan(tokens, {"asking"})}
    for match in scan(tokens, {"intent"})[:60]:
        cue = match.cue
        if not own.get(match.first, False):
            continue
        asked = any(match.first - gap in asking for gap in range(_ASK_GAP + 1))
        if cue.id in _table("bare"):
            before = tokens.words[match.first - 1] if match.first else ""
            if not asked and (before in _table("no_order_after") or question):
                continue
        if cue.effect == "remember" and cue.id == "intent.remember" and line.asks and not asked:
            continue  # "Remember Marek?" asks whether one knows him
        if cue.effect == "remove" and _edits_text(tokens.words, match):
            continue
        found.append(Found(number, match.first, match.last, cue.effect, match))
    return found


def _openers() -> frozenset[str]:
    return frozenset(lexicon.table("question_openers")) - words_of("polite_openers")


def _edits_text(words: Sequence[str], match: CueMatch) -> bool:
    """Whether an order to remove something is about the text at hand ("drop the last paragraph")."""
    after = words[match.last : match.last + 8]
    if set(after) & _table("memory_marks") or set(words[match.first : match.last]) & _table("memory_marks"):
        return False
    near = []
    for word in after[:5]:
        if not word[0].isalnum():
            break
        near.append(word)
    pleads = match.first > 1 and words[match.first - 1] in words_of("politeness") and words[match.first - 2] == ","
    return bool(set(near) & _table("text_parts")) or (not near and match.last - match.first < 2 and not pleads)


def _is_joke(line: Line) -> bool:
    laughs = any(word.word in _table("laughs") for word in line.words[-3:])
    return laughs and not is_dated(line.words)


def asks(line: Line) -> bool:
    """Whether a sentence is a question that wants an answer."""
    words = [word.word for word, own in zip(line.words, line.own, strict=True) if own]
    bare = [word for word in words if word[0].isalnum()]
    text = " ".join(bare)
    if not bare or any(text.endswith(phrase) or text == phrase for phrase in _table("greeting_questions")):
        return False
    if _is_errand(words):
        return False
    if line.asks and words[0] in words_of("recalling") and not _table("question_words") & set(words):
        return False
    if line.asks or "?" in words:
        tail = _after_last_sign(words)
        return not (len(tail) <= 2 and tail and tail[-1] in _table("tags") and len(bare) > len(tail)) and not (
            len(bare) <= 2 and bare[-1] in _table("tags")
        )
    if any(_question_at(words, at) for at in range(1, len(words) - 1)):
        return True
    rest = [word.word for word in strip_openers(own_words(line))]
    if len(rest) < 3:
        return False
    if rest[0] in _table("question_words"):
        exclaims = rest[0] == "what" and rest[1] in ("a", "an")
        return not exclaims and not (rest[0] in ("when", "what") and "," in rest)
    if rest[0] in lexicon.table("question_openers"):
        told_to = rest[0] in lexicon.table("imperative_openers") or rest[1] in words_of("user_possessives")
        return rest[1] in lexicon.table("person_subjects" if told_to else "subjects")
    return rest[0] == "if" and any(
        word in _table("question_words") or (word in ("would", "should") and before not in words_of("user_subjects"))
        for before, word in pairwise(rest[2:])
    )


def _question_at(words: Sequence[str], at: int) -> bool:
    """Whether a question begins behind a sign ("I told you my password, what was it")."""
    asks_for = words[at] in _table("question_words") and words[at - 1] in ",;-"
    if (
        words[at] in words_of("relatives")
        and words[at + 2 : at + 3]
        and words[at + 2] not in words_of("asked_subjects")
    ):
        return False  # "my brother, who is a vet"
    return asks_for and words[at + 1] in lexicon.table("question_openers")


def _is_errand(words: Sequence[str]) -> bool:
    """ "Can you fix the grammar?" asks for work on a text, not for an answer."""
    if words[0] not in words_of("polite_openers") or words[1:2] != ["you"]:
        return False
    verb = next(
        (word for word in words[2:] if word not in words_of("adverbs") and word not in words_of("politeness")), ""
    )
    return verb in words_of("transforms") or verb in words_of("writing") or verb in words_of("redoing")


def _after_last_sign(words: Sequence[str]) -> list[str]:
    bare: list[str] = []
    for word in reversed(words):
        if word[0].isalnum():
            bare.append(word)
        elif bare:
            break
    return bare[::-1]


def _is_pretended(lines: Sequence[Line]) -> bool:
    """Whether the message sets up a play or a text in somebody else's voice."""
    pretends = words_of("pretending")
    for line in lines[:4]:
        words = " ".join(word.word for word in line.words)
        if any(f" {phrase} " in f" {words} " for phrase in pretends):
            return True
    return False


def _without_pasted(lines: Sequence[Line]) -> list[Line]:
    """The lines with pasted text taken for quoted: what follows "summarise:", "translate this:" and the like."""
    found: list[Line] = []
    pasted = quoted = False
    for line in lines:
        own = line.own
        if quoted and line.asks:
            pasted = quoted = False  # what is asked about the words that were quoted
        if pasted:
            own = tuple(False for _ in own)
        else:
            cut = _paste_begins(line.words)
            if cut is not None:
                own = tuple(mine and at < cut for at, mine in enumerate(own))
                pasted = True
                quoted = line.words[cut - 2].word in words_of("quoting")
        found.append(replace(line, own=own))
    return found


def _paste_begins(words: Sequence[Word]) -> int | None:
    """Where a pasted text begins: behind the colon of an order to work on a text, or right behind the order."""
    transforms, texts = words_of("transforms"), words_of("text_pointers")
    for at, word in enumerate(words[:8]):
        before = words[at - 1].word if at else ""
        if before in _table("no_order_after") and before not in words_of("asks_before"):
            continue
        if at and word.word in words_of("quoting") and words[at + 1 : at + 2] and words[at + 1].word == ":":
            return at + 2  # "the narrator says: I was born in Kyiv"
        if word.word in transforms or (
            word.word in texts and at < 6 and at + 1 < len(words) and words[at + 1].word == ":"
        ):
            colon = next((place for place in range(at, min(len(words), at + 14)) if words[place].word == ":"), None)
            if colon is not None:
                return colon + 1
            return at + 1 if word.word in transforms and at < 4 else None
    return None
