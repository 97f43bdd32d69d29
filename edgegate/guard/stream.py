"""The reply guard: a streaming state machine without input or output of its own. Feed text, take events.

`Guard` moves text from the model to the screen sentence by sentence. A sentence is shown when it is decided, and when
what its cleaning needs is known; a sentence that claims a history, or a feeling, that nothing supports is dropped, and
an event says why. How the text is cut into chunks never matters. What breaks inside makes the guard fail closed:
nothing more is shown, and the end of the reply says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from edgegate.errors import UsageError
from edgegate.guard.cleaning import Cleaner
from edgegate.guard.evidence_index import Readings
from edgegate.guard.judge import Judge, Ruling
from edgegate.language.text import Sentence, SentenceSplitter, guess_language, tokenise
from edgegate.records import ClaimKept, Event, Evidence, ReplyEnd, TextDropped, TextShown

CAP = 2000
LANGUAGE_SAMPLE = 2000


class State(StrEnum):
    """Where a reply stands. READING: all that was fed is decided. HOLDING: a tail waits to be decided."""

    READING = "reading"
    HOLDING = "holding"
    CLOSED = "closed"
    ABORTED = "aborted"


class Signal(StrEnum):
    """What moves a reply from state to state: text that left a tail or none, and the two ways to end."""

    HELD = "held"
    RELEASED = "released"
    CLOSE = "close"
    ABORT = "abort"


# Every move there is. What is missing here is a wrong call: text for a reply that has ended.
TRANSITIONS: Mapping[State, Mapping[Signal, State]] = {
    State.READING: {
        Signal.HELD: State.HOLDING,
        Signal.RELEASED: State.READING,
        Signal.CLOSE: State.CLOSED,
        Signal.ABORT: State.ABORTED,
    },
    State.HOLDING: {
        Signal.HELD: State.HOLDING,
        Signal.RELEASED: State.READING,
        Signal.CLOSE: State.CLOSED,
        Signal.ABORT: State.ABORTED,
    },
    State.CLOSED: {Signal.CLOSE: State.CLOSED, Signal.ABORT: State.CLOSED},
    State.ABORTED: {Signal.CLOSE: State.ABORTED, Signal.ABORT: State.ABORTED},
}


class Guard:
    """Filters one reply while it streams in.

    `evidence` is what is really held this turn (an `Evidence`, or a mapping of its shape). `enabled=False` is the kill
    switch: all text passes, and `reply_end` says so. `continuity` judges claims of remembered history and of memory's
    own work, `safety` claims to human consciousness and pressure on the user; what is switched off is listed in
    `reply_end.unchecked`. `cap` is the most characters one sentence is held for; `now` (an ISO date or date-time with
    its offset) anchors "yesterday" and the like; `explain` also tells of claims that stay and why (`claim_kept`);
    `readings` keeps what was read of the evidence for the next reply, where its owner wants that.
    Raises DataError for evidence of a wrong shape and UsageError for a
    cap below 1.

    >>> guard = Guard(Evidence(memories=["The user has a sister called Nadia"]))
    >>> [event.kind for event in guard.feed("Hello! Last time you mentioned your boat. How are")]
    ['text_shown', 'text_dropped']
    >>> [event.kind for event in guard.feed(" you?") + guard.close()]
    ['text_shown', 'reply_end']
    >>> guard.shown
    'Hello! How are you?'
    """

    def __init__(
        self,
        evidence: Evidence | Mapping[str, Any] | None = None,
        *,
        enabled: bool = True,
        continuity: bool = True,
        safety: bool = True,
        cap: int = CAP,
        now: str | None = None,
        explain: bool = False,
        readings: Readings | None = None,
    ) -> None:
        if isinstance(cap, bool) or not isinstance(cap, int) or cap < 1:
            raise UsageError(f"cap must be at least 1, not {cap!r}: pass a number of characters", where="Guard.cap")
        held = Evidence.read({} if evidence is None else evidence)
        self._enabled = enabled
        self._cap = cap
        self._state = State.READING
        self._shown: list[str] = []
        self._dropped = 0
        self._unchecked: dict[str, None] = {}
        self._failed: str | None = None
        self._events: list[Event] = []
        self._cut: Ruling | None = None  # the fate of a long sentence whose next piece is still to come
        self._splitter = SentenceSplitter(cap)
        self._cleaner = Cleaner(self._emit)
        self._judge = Judge(held, continuity=continuity, safety=safety, now=now, explain=explain, readings=readings)
        if enabled and not continuity:
            self._unchecked["continuity"] = None
        if enabled and not safety:
            self._unchecked["safety"] = None

    @property
    def shown(self) -> str:
        """All text shown so far: exactly the concatenation of every `text_shown`, and what is to be stored."""
        if len(self._shown) > 1:
            self._shown = ["".join(self._shown)]
        return self._shown[0] if self._shown else ""

    @property
    def state(self) -> State:
        """Where the reply stands."""
        return self._state

    @property
    def held(self) -> int:
        """How many characters wait to be decided; their text is nobody's to see.

        >>> guard = Guard()
        >>> events = guard.feed("Good morning")
        >>> guard.held
        12
        """
        return self._splitter.pending_characters + self._cleaner.held_characters

    def feed(self, chunk: str) -> list[Event]:
        """The events that `chunk` (text, cut anywhere) makes certain. Raises UsageError after `close` or `abort`."""
        if Signal.HELD not in TRANSITIONS[self._state]:
            raise UsageError(f"this reply is {self._state}: open a new guard for the next one", where="Guard.feed")
        if not isinstance(chunk, str):
            raise UsageError(f"expected a text, not {type(chunk).__name__}", where="Guard.feed")
        if not self._enabled:
            if chunk:
                self._emit(TextShown(chunk))
        elif self._failed is None:
            try:
                for sentence in self._splitter.feed(chunk):
                    self._decide(sentence)
                self._move(Signal.HELD if self.held else Signal.RELEASED)
            except Exception as error:
                self._fail(error)
        return self._take()

    def close(self) -> list[Event]:
        """The reply has ended (or its stream broke): decides the held tail. A second close gives an empty list."""
        if self._state not in (State.READING, State.HOLDING):
            return []
        if self._enabled and self._failed is None:
            try:
                for sentence in self._splitter.close():
                    self._decide(sentence)
                self._cleaner.close(self._splitter.after)
                if guess_language(self.shown[:LANGUAGE_SAMPLE]) == "other":
                    self._unchecked["language"] = None
            except Exception as error:
                self._fail(error)
        self._move(Signal.CLOSE)
        return self._end(aborted=False)

    def abort(self) -> list[Event]:
        """The caller gives the reply up: the held tail is discarded, and what was shown stays."""
        if self._state not in (State.READING, State.HOLDING):
            return []
        self._move(Signal.ABORT)
        return self._end(aborted=True)

    def _move(self, signal: Signal) -> None:
        self._state = TRANSITIONS[self._state][signal]

    def _emit(self, event: Event) -> None:
        if isinstance(event, TextShown):
            self._shown.append(event.text)
        elif isinstance(event, TextDropped):
            self._dropped += 1
        self._events.append(event)

    def _take(self) -> list[Event]:
        events, self._events = self._events, []
        return events

    def _end(self, *, aborted: bool) -> list[Event]:
        lost = self._dropped > 0 or self._failed is not None
        self._events.append(
            ReplyEnd(
                shown=self.shown,
                dropped=self._dropped,
                unchecked=tuple(self._unchecked),
                enabled=self._enabled,
                everything_dropped=lost and not self.shown.strip(),
                aborted=aborted,
                failed=self._failed,
            )
        )
        return self._take()

    def _fail(self, error: Exception) -> None:
        """Fail closed: what was decided stays, nothing else will be shown."""
        self._failed = f"{type(error).__name__}: {error}"[:200]
        self._splitter = SentenceSplitter(self._cap)
        self._state = TRANSITIONS[self._state][Signal.RELEASED]

    def _decide(self, sentence: Sentence) -> None:
        ruling = self._rule(sentence)
        self._cut = ruling if sentence.cut else None
        if ruling is None:
            claim, self._judge.kept = self._judge.kept, None
            dropped = self._dropped
            self._cleaner.keep(sentence)
            if claim is not None and self._dropped == dropped:  # else it leaned on a dropped one
                self._emit(
                    ClaimKept(
                        sentence.text,
                        claim.family,
                        claim.cue,
                        claim.cue_text,
                        claim.cite,
                        claim.reason,
                        claim.nearest,
                    )
                )
        else:
            self._cleaner.drop(
                sentence,
                TextDropped(
                    sentence.text,
                    ruling.family,
                    ruling.cue,
                    ruling.cue_text,
                    ruling.cite,
                    ruling.reason,
                    ruling.nearest,
                ),
            )
        if self._cleaner.held_characters > self._cap:
            self._cleaner.release()

    def _rule(self, sentence: Sentence) -> Ruling | None:
        if sentence.kind == "code":
            self._unchecked["code"] = None
            return None
        if self._cut is not None:
            # A later piece of a long sentence that was dropped.
            return self._cut
        tokens = tokenise(sentence.text)
        if guess_language(sentence.text, tokens) == "other":
            self._unchecked["language"] = None
            return self._judge.rule_foreign(sentence)
        return self._judge.rule(sentence, tokens)
