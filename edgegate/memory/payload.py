"""The facts of a message by what it asks: what stands behind an order, beside it, or what is only mentioned."""

from __future__ import annotations

from collections.abc import Sequence

from edgegate.language import lexicon
from edgegate.memory.ask import Ask, Found, asks, list_verb
from edgegate.memory.extract import Fact, Span, facts_in, is_dated, own_words
from edgegate.memory.phrasing import sentence
from edgegate.memory.segments import segments, strip_closers, strip_openers
from edgegate.memory.words import Line, Word, join, starts_with, words_of


def facts_of(ask: Ask) -> Sequence[Fact]:
    """The facts of a message whose intent is known; nothing where it is to stay silent.

    >>> from edgegate.memory.ask import ask_of
    >>> [fact.text for fact in facts_of(ask_of("Could you note that I row?"))]
    ['The user rows']
    """
    return [] if ask.silent else _READERS.get(ask.intent, _volunteered)(ask)


def _volunteered(ask: Ask) -> list[Fact]:
    return facts_in(Span(own_words(line), False, asks(line)) for line in ask.lines)


def _asked(ask: Ask) -> list[Fact]:
    """The facts of a question: what it takes for granted ("that I'm 71") and what is told around it."""
    spans: list[Span] = []
    for line in ask.lines:
        words = own_words(line)
        if not asks(line):
            spans.append(Span(words))
            continue
        cut = _question_begins(words)
        if cut:
            spans.append(Span(words[:cut]))
            words = words[cut:]
        spans.append(Span(words, asks=True))
        for at in range(1, len(words) - 2):
            if words[at - 1].word in words_of("asserts_after") and words[at].word in words_of("user_subjects"):
                stop = next((p for p in range(at, len(words)) if words[p].word in words_of("if_words")), len(words))
                spans.append(Span(words[at:stop]))
                break
    return facts_in(spans)


def _question_begins(words: Sequence[Word]) -> int:
    """Where the question begins behind a statement ("I'm 28 weeks pregnant, can I …"); 0 where all of it asks."""
    opens = lexicon.table("question_openers") + lexicon.table("intent")["question_words"]
    if not words or words[0].word in opens:
        return 0
    return next((at for at in range(2, len(words)) if words[at - 1].word in ",-;" and words[at].word in opens), 0)


def _told(ask: Ask) -> list[Fact]:
    """What the user asked to be kept: what stands behind the order, or before it when nothing does."""
    if ask.entry is not None:
        return facts_in(Span(own_words(line), number == ask.entry) for number, line in enumerate(ask.lines))
    if ask.cue is None:
        return []
    if ask.cue.effect == "todo":
        return _tasks(ask)
    if ask.cue.effect == "listed":
        line = ask.lines[ask.cue.line]
        at = list_verb(line, ask.cue) or 0
        return facts_in([Span(list(line.words[at + 1 :]), True)])
    wish = _standing_wish(ask)
    if wish is not None:
        return wish
    line = ask.lines[ask.cue.line]
    before, after = _split(line, ask.cue)
    if ask.cue.match.text.lower().split()[0] in words_of("if_ever") and before:
        return facts_in([Span(before, True)])  # "…, so if ever I ask you where it is"
    spans: list[Span] = []
    payload = strip_closers(strip_openers(after))
    later = [other for number, other in enumerate(ask.lines) if number > ask.cue.line]
    earlier = [other for number, other in enumerate(ask.lines) if number < ask.cue.line]
    trailing = len(payload) < 2 and not later
    spans += [Span(_clean(own_words(each), ask), trailing) for each in earlier if not asks(each)]
    if before:
        spans.append(Span(before, trailing))
    if payload:
        spans.append(Span(_clean(payload, ask), True))
    spans += [Span(_clean(list(each.words), ask), True) for each in later if not asks(each)]
    return facts_in(spans)


def _clean(words: list[Word], ask: Ask) -> list[Word]:
    """Without a closing order ("Keep that.", "remember it")."""
    rest = strip_closers(strip_openers(words))
    return [] if len(rest) <= 2 and rest and rest[-1].word in words_of("things") else rest


def _split(line: Line, cue: Found) -> tuple[list[Word], list[Word]]:
    before = [word for word in line.words if word.place < cue.first]
    after = [word for word in line.words if word.place >= cue.last]
    keep = _kept_words(cue)
    if keep:
        after = [word for word in line.words if word.place >= cue.last - keep]
    start = max((at + 1 for at, word in enumerate(before) if word.word in words_of("politeness")), default=0)
    if all(word.word in words_of("politeness") or not word.word[0].isalnum() for word in before[start:]):
        before = before[:start]
    return _without_politeness(before), after


def _without_politeness(words: list[Word]) -> list[Word]:
    while words and (words[-1].word in words_of("politeness") or not words[-1].word[0].isalnum()):
        words = words[:-1]
    return words


def _kept_words(cue: Found) -> int:
    """How many of the cue's last words belong to what is told ("remember *my*", "note *the*")."""
    words = cue.match.text.lower().split()
    last = words[-1] if words else ""
    return 1 if last in words_of("first_of_payload") else 0


def _tasks(ask: Ask) -> list[Fact]:
    assert ask.cue is not None
    _, after = _split(ask.lines[ask.cue.line], ask.cue)
    words = strip_closers(strip_openers(after))
    if words and words[0].word == "to":
        words = words[1:]
    items = _items(words)
    if len(items) > 1:
        return [Fact(_for_user(item), "task") for item in items]
    if not words:
        words = strip_closers(
            strip_openers([word for word in ask.lines[ask.cue.line].words if word.place < ask.cue.first])
        )
    text = _for_user(words)
    return [Fact(text, "task")] if text else []


def _items(words: Sequence[Word]) -> list[list[Word]]:
    """The errands of a list, each with its verb; the whole where a part has none."""
    items: list[list[Word]] = [[]]
    for at, word in enumerate(words):
        if word.word in (",", ";") or (word.word == "and" and at + 1 < len(words) and _is_errand(words[at + 1].word)):
            items.append([])
        elif not (word.word == "and" and not items[-1]):
            items[-1].append(word)
    items = [item for item in items if item]
    return items if all(len(item) > 1 and _is_errand(item[0].word) for item in items) else [list(words)]


def _is_errand(word: str) -> bool:
    return word in words_of("errands")


def _for_user(words: Sequence[Word]) -> str:
    told: list[str] = []
    for word in words:
        text = word.text
        if word.word in words_of("user_itself"):
            text = "the user"
        elif word.word in words_of("user_possessives"):
            text = "their" if any("user" in each for each in told) else "the user's"
        told.append(word.space + text)
    return sentence("".join(told))


def _reminders(ask: Ask) -> list[Fact]:
    """What is to be done, with its time: a reminder; without one, a task. A statement before it is a fact, too."""
    if ask.cue is None:
        return []
    line = ask.lines[ask.cue.line]
    first = next((at for at, word in enumerate(line.words) if word.place >= ask.cue.first), 0)
    before = _without_politeness(strip_openers(list(line.words[:first])))
    _, after = _split(line, ask.cue)
    me = next(
        (word.place for word in line.words if ask.cue.first < word.place < ask.cue.last and word.word == "me"), None
    )
    if me is None and ask.cue.match.cue.id == "intent.tell-me-then":
        return [Fact(_for_user(strip_closers(strip_openers(list(line.words)))), "reminder")]
    if me is not None and ask.cue.match.cue.id == "intent.tell-me-then":
        before = [word for word in line.words if word.place < me - 1]
        after = [word for word in line.words if word.place > me]
    after = strip_closers(after)
    while after and (after[0].word in ("me", "us") or not after[0].word[0].isalnum()):
        after = after[1:]
    wakes = any(word.word in words_of("waking") for word in line.words[first : first + 4])
    told: list[Fact] = []
    if _is_statement(before) and (len(after) > 2 or is_dated(after)):
        told = facts_in([Span(before)])
        before = []
    told += facts_in(
        Span(own_words(each), False, asks(each))
        for at, each in enumerate(ask.lines)
        if at != ask.cue.line and not asks(each)
    )
    return [*told, *(_reminder(before, part, wakes) for part in _parts(after))]


def _is_statement(words: Sequence[Word]) -> bool:
    parts = segments(words)
    lead = " ".join(word.word for word in words[:5])
    needs = any(f" {need} " in f" {lead} " for need in words_of("needing"))
    return any(part.kind in ("user", "mine", "kin", "name", "phrase") for part in parts) and not needs


def _timed(words: Sequence[Word]) -> bool:
    return is_dated(words) or any(word.word in words_of("time_marks") for word in words)


def _parts(words: list[Word]) -> list[list[Word]]:
    """ "… to log off, and on Thursday to send the invoice": two reminders."""
    for at in range(2, len(words) - 3):
        if words[at].word != "and":
            continue
        rest = words[at + 1 :]
        again = rest[0].word in words_of("reminding") and rest[1].word == "me"
        rest = rest[2:] if again else rest
        lead = next((place for place, word in enumerate(rest[:7]) if word.word == "to"), None)
        if rest and (again or (lead and _timed(rest[:lead]))):
            head = words[:at]
            while head and not head[-1].word[0].isalnum():
                head = head[:-1]
            return [head, *_parts(list(rest))]
    return [words]


def _reminder(before: Sequence[Word], after: list[Word], wakes: bool) -> Fact:
    """One reminder or task of what stands before and behind the order."""
    if not (_timed(before) or _timed(after) or wakes):
        words = list(after)
        while words and (words[0].word in words_of("reminder_lead") or not words[0].word[0].isalnum()):
            words = words[1:]
        return Fact(_for_user(words or _needed(before)) or "Remind the user", "task" if words or before else "reminder")
    lead = "Wake the user" if wakes else "Remind the user"
    told = _without_lead(after)
    when = list(before) if _timed(before) else []
    pieces = [lead, _for_user_inside(when), _for_user_inside(told)]
    if before and not when and len(told) < 4:
        pieces.append("to " + _for_user_inside(_needed(before)))
    return Fact(sentence(" ".join(piece for piece in pieces if piece)), "reminder")


def _without_lead(words: list[Word]) -> list[Word]:
    while words and (
        not words[0].word[0].isalnum() or (words[0].word in ("about", "please", "again") and len(words) > 6)
    ):
        words = words[1:]
    return words


def _for_user_inside(words: Sequence[Word]) -> str:
    text = _for_user(words)
    return text[:1].lower() + text[1:] if words and not words[0].text[:1].isupper() else text


def _needed(words: Sequence[Word]) -> list[Word]:
    """ "I need to return the books" -> "return the books"."""
    for at, word in enumerate(words[:-1]):
        if word.word == "to" and at < 5:
            return list(words[at + 1 :])
    return list(words)


def _standing_wish(ask: Ask) -> list[Fact] | None:
    """ "From now on answer me in metric units", "call me Lio": how the user wants to be treated."""
    cue = ask.cue
    if cue is None or cue.match.cue.id != "intent.standing-wish":
        return None
    line = ask.lines[cue.line]
    words = list(line.words)
    names: list[str] = []
    olds: list[str] = []
    for at in range(len(words) - 2):
        if starts_with(words, at, ("call", "me")) or starts_with(words, at, ("calling", "me")):
            stop = next((p for p in range(at + 2, len(words)) if not words[p].word[0].isalnum()), len(words))
            name = []
            for word in words[at + 2 : stop]:
                if word.word in words_of("name_stops"):
                    break
                name.append(word)
            before = words[at - 1].word if at else ""
            refused = before in words_of("refusing")
            (olds if refused else names).append(join(name))
    if names and names[0]:
        tail = f", not {olds[0]}" if olds and olds[0] else ""
        return [Fact(f"The user wants to be called {names[0]}{tail}", "fact")]
    if olds and olds[0]:
        return [Fact(f"The user does not want to be called {olds[0]}", "fact")]
    at = next((place for place, word in enumerate(words) if word.place >= cue.first), 0)
    lead = {word.word for word in words[at : at + 3]}
    if words[at].word in words_of("wants_none"):
        wish, rest = f"The user wants {join(words[at:])}", words[at:]
    elif lead & words_of("wish_verbs_denied"):
        rest = words[at:]
        wish = f"The user wants the assistant {_for_user_inside(_wish(rest))}"
    else:
        rest = [word for word in words if word.place >= cue.last or word.place < cue.first]
        if lead & words_of("wish_leads"):
            rest = words[at:]
        rest = strip_closers(strip_openers(rest))
        if any(word.word in words_of("user_subjects") for word in rest[:1]):
            return facts_in([Span(rest, True)])
        if rest and next((part.kind for part in segments(rest)), "") in ("mine", "kin", "name", "phrase"):
            return facts_in([Span(rest, True)])  # "the boiler is his problem from now on"
        wish = f"The user wants the assistant to {_for_user_inside(rest)}"
    return [Fact(sentence(wish), "fact")] if rest else []


def _wish(words: Sequence[Word]) -> list[Word]:
    first = words[0]
    if first.word in ("don't", "dont", "stop"):
        put = "not to" if first.word != "stop" else "to stop"
        return [Word(put, put, "", first.place), *words[1:]]
    if first.word == "never":
        return [Word("never", "never to", "", first.place), *words[1:]]
    return list(words)


def _after_forgetting(ask: Ask) -> list[Fact]:
    """What is true now, told beside a request to forget: the reason, or what takes the place."""
    if ask.cue is None:
        return []
    line = ask.lines[ask.cue.line]
    before, after = _split(line, ask.cue)
    stop = next((at for at, word in enumerate(after) if word.word in ",;-:("), len(after))
    target = tuple(strip_openers(list(after[:stop])))
    spans = [Span(own_words(each)) for number, each in enumerate(ask.lines) if number < ask.cue.line]
    spans.append(Span(before))
    spans.append(Span(list(after[stop:]), False, False, target))
    spans += [
        Span(own_words(each), False, asks(each), target)
        for number, each in enumerate(ask.lines)
        if number > ask.cue.line
    ]
    return facts_in(spans)


_READERS = {
    "remember": _told,
    "remind": _reminders,
    "forget": _after_forgetting,
    "question": _asked,
    "chat": _volunteered,
}
