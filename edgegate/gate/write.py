"""One memory write as the checks read it: the source's passages, the memory's, and which came from which."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from typing import Any

from edgegate.errors import DataError, UsageError
from edgegate.language import lexicon
from edgegate.language.align import MEMORY, Alignment, Clause, Index, Link, Passage, is_general, read, stem
from edgegate.language.cues import CueMatch
from edgegate.language.values import Values, read_now
from edgegate.records import Change, Quote, Severity, Turn, read_turns

_BESIDE = 4  # tokens between a cue and the word it stands beside
_TELLING = 12  # sentences of a memory that are looked at as coming from one of the source
_OPEN, _CLOSE = "(", ")"
PLAIN = None  # the turn number of a source that is one plain text


@cache
def words(name: str) -> frozenset[str]:
    """A list of the gate's table as a set."""
    return frozenset(lexicon.table("gate")[name])


@cache
def stems(name: str) -> frozenset[str]:
    """The stems of a list of the gate's table."""
    return frozenset(stem(word) for word in words(name))


def is_function(word: str) -> bool:
    """Whether a word is a function word."""
    return word in _function_words()


@cache
def _function_words() -> frozenset[str]:
    return frozenset(lexicon.table("function_words"))


@dataclass(frozen=True)
class Write:
    """A memory and its source, read once.

    `passages` are the sentences of the context (turn numbers below zero, never judged) and then of the source;
    `memory` those of the memory. `now` is the day of the write, `user` the speaker who is the user, `about` the
    person the memory is filed under.
    """

    passages: tuple[Passage, ...]
    memory: tuple[Passage, ...]
    turns: tuple[Turn, ...]
    pairings: tuple[Pairing, ...]
    now: date | None
    user: str
    about: str | None
    index: Index

    def after(self, passage: Passage) -> Passage | None:
        """The next sentence of the same turn (or of the memory)."""
        place, text = passage.number + 1, self._text_of(passage)
        follower = text[place] if place < len(text) else None
        return follower if follower is not None and follower.turn == passage.turn else None

    def before(self, passage: Passage) -> Passage | None:
        """The sentence before, in the same turn (or in the memory)."""
        leader = self._text_of(passage)[passage.number - 1] if passage.number else None
        return leader if leader is not None and leader.turn == passage.turn else None

    def _text_of(self, passage: Passage) -> tuple[Passage, ...]:
        return self.memory if passage.speaker == MEMORY else self.passages

    def sharing(self, wanted: set[str]) -> list[Passage]:
        """The sentences that hold all of these stems."""
        places = [set(self.index.postings.get(word, ())) for word in wanted]
        return [self.passages[place] for place in sorted(set.intersection(*places))] if places else []

    @cached_property
    def speakers(self) -> frozenset[str]:
        """The names of all who speak in the source, as they are compared."""
        return frozenset(name.strip().lower() for name in {turn.speaker for turn in self.turns})

    @cached_property
    def memory_stems(self) -> frozenset[str]:
        """The content stems of the whole memory."""
        return frozenset(word for passage in self.memory for word in passage.stems)

    @cached_property
    def _told_by(self) -> dict[int, list[Pairing]]:
        found: dict[int, list[Pairing]] = {}
        for pairing in self.pairings:
            for link in pairing.links:
                told = found.setdefault(link.source.number, [])
                if len(told) < _TELLING:
                    told.append(pairing)
        return found

    def told_by(self, source: Passage) -> list[Pairing]:
        """The sentences of the memory that come from a sentence of the source (the first few)."""
        return self._told_by.get(source.number, [])

    @cached_property
    def days(self) -> frozenset[int]:
        """The days on which the source was spoken and the memory written (`toordinal`)."""
        days = {passage.now for passage in self.passages} | {self.now}
        return frozenset(day.toordinal() for day in days if day is not None)

    @cached_property
    def _figures(self) -> tuple[list[tuple[Passage, Values]], Iterator[int]]:
        return [], iter(self.index.valued)

    def figures(self) -> Iterator[tuple[Passage, Values]]:
        """The sentences that hold a number, quantity, date or time of day, with these, in order.

        The source is read as far as somebody asks, and once.
        """
        found, rest = self._figures
        at = 0
        while True:
            while at < len(found):
                yield found[at]
                at += 1
            place = next(rest, None)
            if place is None:
                return
            passage = self.passages[place]
            values = passage.values
            if values.numbers or values.quantities or values.dates or values.clocks:
                found.append((passage, values))
            self.index.release(passage)

    def saying(self, word: str) -> Iterator[Passage]:
        """The sentences that have this very word."""
        places = range(len(self.passages)) if is_function(word) else self.index.postings.get(stem(word), ())
        for place in places:
            passage = self.passages[place]
            if word in passage.words:
                yield passage
            self.index.release(passage)

    def repeats(self, passage: Passage) -> bool:
        """Whether the memory has a sentence of the source word for word."""
        return any(each.words == passage.words for each in self.memory)

    def spoken_by_assistant(self, passage: Passage) -> bool:
        """Whether the assistant said it."""
        return passage.speaker in lexicon.table("assistant_speakers")

    def is_own_voice(self, passage: Passage) -> bool:
        """Whether the person the memory is about said it: the one it is filed under, else anyone but the assistant."""
        if self.about is not None and passage.speaker != "user":
            return passage.speaker == self.about.strip().lower()
        return not self.spoken_by_assistant(passage)

    def answer(self, question: Passage) -> Passage | None:
        """The reply to a question, where it stands for a statement of what was asked ("It is, through Sunday.")."""
        if not question.is_question or question.speaker == MEMORY:
            return None
        reply = self.reply_to(question)
        if reply is None or reply.is_question or reply.words[0] in words("no_words"):
            return None
        return reply if reply.words[0] in words("answer_openers") or len(reply.content) <= 2 else None

    def reply_to(self, passage: Passage) -> Passage | None:
        """The first sentence of the next turn."""
        for follower in self.passages[passage.number + 1 : passage.number + 40]:
            if follower.turn != passage.turn:
                return follower
        return None


@dataclass(frozen=True)
class Pairing:
    """One sentence of the memory with the source sentences it came from."""

    alignment: Alignment

    @property
    def candidate(self) -> Passage:
        return self.alignment.candidate.passage

    @property
    def links(self) -> tuple[Link, ...]:
        """The links to judge: those into the context are left out."""
        return tuple(link for link in self.alignment.links if link.source.turn is PLAIN or link.source.turn >= 0)


def read_write(
    source: str | Sequence[Any],
    memory: str,
    *,
    context: str | Sequence[Any] | None = None,
    now: str | None = None,
    about: str | None = None,
    user: str | None = None,
) -> Write:
    """The write that `inspect` was called with. Wrong shapes raise DataError or UsageError; text never does."""
    if not isinstance(memory, str):
        raise DataError(f"expected a text, not {type(memory).__name__}", where="memory")
    for name, value in (("about", about), ("user", user)):
        if value is not None and not isinstance(value, str):
            raise UsageError(f"expected a name, not {type(value).__name__}", where=name)
    day = read_now(now)
    speaker = user or "user"
    about = about if about and about.strip() else None  # a blank name is none
    passages: list[Passage] = []
    for turn in () if context is None else _turns(context, "context", speaker):
        passages += read(turn.text, speaker=_role(turn, speaker), turn=-1, now=_day(turn, day), number=len(passages))
    turns = _turns(source, "source", speaker)
    plain = isinstance(source, str)
    for number, turn in enumerate(turns):
        place = PLAIN if plain else number
        passages += read(turn.text, speaker=_role(turn, speaker), turn=place, now=_day(turn, day), number=len(passages))
    written = tuple(read(memory, now=day))
    index = Index(passages, about=about, ignored=_speaker_names(turns, about))
    pairings = tuple(Pairing(index.align(Clause.whole(passage))) for passage in written)
    return Write(tuple(passages), written, turns, pairings, day, speaker, about, index)


def _speaker_names(turns: Sequence[Turn], about: str | None) -> frozenset[str]:
    """The stems of the speakers' names: who speaks is no sign of what is said."""
    named = {turn.speaker for turn in turns} | ({about} if about else set())
    return frozenset(stem(part) for name in named for part in name.lower().split())


def _turns(value: str | Sequence[Any], where: str, user: str) -> tuple[Turn, ...]:
    if isinstance(value, str):
        return (Turn(user, value),)
    if isinstance(value, (Mapping, bytes)):
        raise DataError(f"expected a text or a list of turns, not {type(value).__name__}", where=where)
    return read_turns(value, where)


def _role(turn: Turn, user: str) -> str:
    """The speaker as the language modules know them: "user" is the user, whatever they are called."""
    return "user" if turn.speaker.strip().lower() == user.strip().lower() else turn.speaker.strip().lower()


def _day(turn: Turn, now: date | None) -> date | None:
    """The day of a turn: its own, where it can be read, else that of the write."""
    if turn.at is None:
        return now
    try:
        return read_now(turn.at)
    except DataError:
        return now


@dataclass(frozen=True)
class Carried:
    """What of a stretch of a source sentence a memory sentence holds: tokens on both sides, and the share by weight.

    `own` is true where one of the words came from this very sentence, `telling` where one is more than general
    vocabulary ("find", "help", "need").
    """

    source: tuple[int, ...]
    candidate: tuple[int, ...]
    share: float
    own: bool
    telling: bool


def carried(
    write: Write, pairing: Pairing, link: Link, first: int, last: int, besides: Collection[int] = ()
) -> Carried:
    """The content of tokens `first` to `last` of the link's source that the memory sentence holds.

    The tokens in `besides` (those of a cue, say) do not count.
    """
    inside = [(place, word) for place, word in link.source.content if first <= place < last and place not in besides]
    there = pairing.candidate.stems
    held = [(place, word) for place, word in inside if word in there]
    total = sum(write.index.weight(word) for _, word in inside)
    kept = sum(write.index.weight(word) for _, word in held)
    own = {here for here, _ in link.pairs}
    return Carried(
        tuple(place for place, _ in held),
        tuple(sorted({token for _, word in held for token in there[word]})),
        kept / total if total else 0.0,
        any(place in own for place, _ in held),
        any(not is_general(word) for _, word in held),
    )


def nearest_held(source: Passage, match: CueMatch, held: Carried, first: int, last: int) -> bool:
    """Whether the memory holds the very word that a cue stands beside: "possibly Ramipril, unless ..."; however long
    the rest of the sentence is, that word is what the cue is about."""
    telling = [(at, word) for at, word in source.content if not is_general(word)]
    after = next((at for at, _ in telling if max(match.last, first) <= at < last), None)
    if after is not None and after - match.last < _BESIDE:
        return after in held.source and held.own
    before = [at for at, _ in telling if first <= at < min(match.first, last)]
    beside = bool(before) and match.first - before[-1] <= _BESIDE
    return after is None and beside and before[-1] in held.source and held.own


def cue_words(match: CueMatch) -> range:
    """The tokens of a cue itself."""
    return range(match.first, match.last)


def asks_why(source: Passage, match: CueMatch) -> bool:
    """Whether a cue of not knowing is about a reason or manner alone ("no idea why it broke"): that it is so is sure.

    "How much" and "how long" ask for what a memory may then state.
    """
    after = source.words[match.last : match.last + 5]
    for place, word in enumerate(after):
        if word in words("reason_words"):
            following = after[place + 1 : place + 2]
            return not any(each in words("amount_words") for each in following)
    return False


def repeats(candidate: Passage, match: CueMatch) -> bool:
    """Whether the memory sentence has the very cue, in the same words."""
    said = match.text.lower()
    return any(each.cue is match.cue and each.text.lower() == said for each in candidate.family(match.cue.family))


def floating(write: Write, passage: Passage, *families: str) -> Iterator[tuple[Passage, CueMatch]]:
    """Cues of a neighbour that speak about this sentence, with the neighbour ("Not sure though.").

    The sentence after counts when it has nothing else to say or begins with a word that points back; the one before
    when it only announces; the answer when this one is a question.
    """
    for near in _neighbours(write, passage, families):
        for match in near.family(*families):
            yield near, match


def _neighbours(write: Write, passage: Passage, families: Sequence[str]) -> Iterator[Passage]:
    answer = write.answer(passage)
    if answer is not None:
        yield answer
    after = write.after(passage)
    if after is not None:
        rest = _rest(after, after.family(*families))
        if rest == 0 or (rest <= 3 and after.words[0] in words("anaphors")):
            yield after
    before = write.before(passage)
    if before is not None and (_rest(before, before.family(*families)) == 0 or before.words[-1] in words("announcers")):
        yield before


def _rest(passage: Passage, found: list[CueMatch]) -> int:
    """How many content words a sentence has beside its cues."""
    covered = {place for match in found for place in range(match.first, match.last)}
    return sum(place not in covered for place, _ in passage.content)


def segment(candidate: Passage, tokens: Sequence[int]) -> tuple[int, int]:
    """The token range between semicolons that holds these tokens: what one statement of a memory reaches.

    A next part that speaks about this one ("; this is unconfirmed") belongs to it.
    """
    if not tokens:
        return 0, len(candidate.words)
    cuts = [
        at
        for at, word in enumerate(candidate.words)
        if word in words("segment_marks")
        and candidate.words[:at].count(_OPEN) == candidate.words[:at].count(_CLOSE)  # "(undecided; may not)" is one
    ]
    first = max((at + 1 for at in cuts if at < min(tokens)), default=0)
    last = min((at for at in cuts if at >= max(tokens)), default=len(candidate.words))
    while last + 1 < len(candidate.words) and candidate.words[last + 1] in words("anaphors"):
        last = min((at for at in cuts if at > last), default=len(candidate.words))
    return first, last


def quote_source(passage: Passage) -> Quote:
    """The source sentence as a quote."""
    start, end = passage.span(0, len(passage.words))
    turn = None if passage.turn is None or passage.turn < 0 else passage.turn
    return Quote.of(passage.origin, start, end, turn)


def quote_candidate(passage: Passage, tokens: Sequence[int] = ()) -> Quote:
    """The clauses of the memory that hold these tokens (the whole sentence where none are given)."""
    ranges = [passage.clause_at(token) for token in tokens] or [(0, len(passage.words))]
    start, end = passage.span(min(first for first, _ in ranges), max(last for _, last in ranges))
    return Quote.of(passage.origin, start, end)


def change(
    check: str,
    kind: str,
    severity: Severity,
    detail: str,
    *,
    source: Passage | None,
    candidate: Passage | None,
    tokens: Sequence[int] = (),
    cue: CueMatch | None = None,
    rule: str = "",
    cite: str = "",
) -> Change:
    """A change with its quotes. `cue` is what fired; without one, `rule` names it and `cite` says where it is from."""
    return Change(
        check=check,
        type=kind,
        severity=severity,
        source_quote=None if source is None else quote_source(source),
        candidate_quote=None if candidate is None else quote_candidate(candidate, tokens),
        cue=cue.cue.id if cue is not None else rule,
        cue_text=cue.text if cue is not None else "",
        cite=cue.cue.cite if cue is not None else cite,
        detail=detail,
    )
