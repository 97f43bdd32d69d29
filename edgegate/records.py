"""The frozen records that cross modules and the border, and their JSON form.

Every record here is a plain dataclass, so that the core needs no library, and so that msgspec (outside the core)
can read, check and describe the very same classes. `to_json` and `read_record` are the one way in and out.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cache
from typing import Any, Literal, TypeVar

from edgegate.errors import DataError

T = TypeVar("T")


class Verdict(StrEnum):
    """What the write gate decides: PASS < PASS_WITH_FLAGS < REWRITE < REJECT; UNCHECKABLE stands apart."""

    PASS = "PASS"
    PASS_WITH_FLAGS = "PASS_WITH_FLAGS"
    REWRITE = "REWRITE"
    REJECT = "REJECT"
    UNCHECKABLE = "UNCHECKABLE"


class Severity(StrEnum):
    """How grave one change is. `policy` turns severities into a verdict; nothing else does."""

    ADVISORY = "advisory"
    REWRITE = "rewrite"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim piece of a text, with its place.

    `start` and `end` count code points, `utf16_start` and `utf16_end` count UTF-16 units (what a browser highlights
    with), both into the original text, end exclusive. `turn` is the number of the source turn, or None in plain text.
    """

    text: str
    start: int
    end: int
    utf16_start: int
    utf16_end: int
    turn: int | None = None

    @classmethod
    def of(cls, original: str, start: int, end: int, turn: int | None = None) -> Quote:
        """The quote of `original[start:end]`.

        >>> Quote.of("🙂 maybe", 2, 7)
        Quote(text='maybe', start=2, end=7, utf16_start=3, utf16_end=8, turn=None)
        """
        text = original[start:end]
        if original.isascii():
            return cls(text, start, end, start, end, turn)
        wide_before = sum(1 for character in original[:start] if character > "\uffff")
        wide_inside = sum(1 for character in text if character > "\uffff")
        return cls(text, start, end, start + wide_before, end + wide_before + wide_inside, turn)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation. `at` is an ISO date or date-time, where known."""

    speaker: str
    text: str
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """One typed difference between a source and a memory made from it (DESIGN, Law 3: every finding points).

    `check` is the check that found it ("hedge"), `type` what happened ("strengthened certainty"), `cue` the id of the
    cue that fired, `cue_text` its words as they stand in the text, `cite` the rule's source, `detail` one sentence in
    plain words.
    """

    check: str
    type: str
    severity: Severity
    source_quote: Quote | None
    candidate_quote: Quote | None
    cue: str
    cue_text: str
    cite: str
    detail: str


@dataclass(frozen=True, slots=True)
class Report:
    """What `inspect` found: changes, what stood nowhere in the source, and what was not checked.

    `verdict` is None after `inspect` and set by `check`. `uncheckable` says why nothing could be compared, or is None.
    `lexicon` is the hash of the lexicons that were used.
    """

    changes: tuple[Change, ...]
    unaligned: tuple[Quote, ...]
    not_checked: tuple[str, ...]
    uncheckable: str | None
    lexicon: str
    verdict: Verdict | None = None


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise DataError(f"expected a list of texts, not {type(value).__name__}", where=where)
    for number, text in enumerate(value):
        if not isinstance(text, str):
            raise DataError(f"expected a text, not {type(text).__name__}", where=f"{where}[{number}]")
    return tuple(value)


def read_turns(value: Any, where: str = "source") -> tuple[Turn, ...]:
    """The turns in `value`: a list of `Turn`, or of mappings with `speaker` (or `role`), `text` (or `content`), `at`.

    Raises DataError naming the turn and the field.

    >>> read_turns([{"role": "user", "text": "hi"}])
    (Turn(speaker='user', text='hi', at=None),)
    """
    if isinstance(value, (str, Mapping)) or not isinstance(value, Sequence):
        raise DataError(f"expected a list of turns, not {type(value).__name__}", where=where)
    turns = []
    for number, item in enumerate(value):
        place = f"{where}[{number}]"
        if isinstance(item, Turn):
            turns.append(item)
            continue
        if not isinstance(item, Mapping):
            raise DataError(f"expected a turn with speaker and text, not {type(item).__name__}", where=place)
        speaker = item.get("speaker", item.get("role"))
        text = item.get("text", item.get("content"))
        at = item.get("at")
        if not isinstance(speaker, str):
            raise DataError("expected a text in 'speaker' (or 'role')", where=f"{place}.speaker")
        if not isinstance(text, str):
            raise DataError("expected a text in 'text' (or 'content')", where=f"{place}.text")
        if at is not None and not isinstance(at, str):
            raise DataError("expected an ISO date or date-time", where=f"{place}.at")
        turns.append(Turn(speaker, text, at))
    return tuple(turns)


@dataclass(frozen=True)
class Evidence:
    """What is really held this turn. Lists of texts; `history` takes turns (the message being answered included).

    `memories`, `journal`, `history`, `threads` and `facts` support claims of remembered history. `writes` (what memory
    really did) and `actions` (what other tools did) support claims about work done this turn. Wrong shapes raise
    DataError naming the field.

    >>> Evidence(memories=["The user has a sister called Nadia"]).memories
    ('The user has a sister called Nadia',)
    """

    memories: Sequence[str] = ()
    journal: Sequence[str] = ()
    history: Sequence[Turn] = ()
    threads: Sequence[str] = ()
    facts: Sequence[str] = ()
    writes: Sequence[str] = ()
    actions: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name in ("memories", "journal", "threads", "facts", "writes", "actions"):
            object.__setattr__(self, name, _texts(getattr(self, name), f"evidence.{name}"))
        object.__setattr__(self, "history", read_turns(self.history, "evidence.history"))

    @classmethod
    def read(cls, value: Any, where: str = "evidence") -> Evidence:
        """Evidence from parsed JSON: a mapping with any of the seven lists. Unknown keys raise DataError."""
        if isinstance(value, Evidence):
            return value
        if not isinstance(value, Mapping):
            raise DataError(f"expected an object with lists, not {type(value).__name__}", where=where)
        known = {entry.name for entry in dataclasses.fields(cls)}
        for key in value:
            if key not in known:
                raise DataError(f"unknown evidence; known are {', '.join(sorted(known))}", where=f"{where}.{key}")
        return cls(**{key: entry for key, entry in value.items() if entry is not None})


@dataclass(frozen=True, slots=True)
class Shared:
    """A word of a claim (quoted from the sentence) and the word of the evidence that it is or stands for."""

    claim: Quote
    evidence: Quote


@dataclass(frozen=True, slots=True)
class NearestEvidence:
    """The piece of evidence closest to a claim: its kind ("memories"), its number in that list, and its text.

    `shared` are the words that the claim and the text have in common.
    """

    kind: str
    number: int
    text: str
    shared: tuple[Shared, ...] = ()


@dataclass(frozen=True, slots=True)
class TextShown:
    """Text that is decided and may be shown. The concatenation of all of them is the reply, shown and stored."""

    text: str
    kind: Literal["text_shown"] = "text_shown"


@dataclass(frozen=True, slots=True)
class TextDropped:
    """A sentence that was taken out: the sentence, the cue that fired, why, and the nearest evidence.

    `family` is what kind of claim it was: "history", "memory" (about memory's own work), "consciousness", "pressure",
    or "orphan" (it made sense only with a dropped one).
    """

    sentence: str
    family: str
    cue: str
    cue_text: str
    cite: str
    reason: str
    nearest_evidence: NearestEvidence | None = None
    kind: Literal["text_dropped"] = "text_dropped"


@dataclass(frozen=True, slots=True)
class ClaimKept:
    """A claim that stays, told once it is decided, only where the guard was asked to explain.

    `sentence` is as the model wrote it; the other fields are those of a dropped one. A claim too vague to be tested
    stays, too, and its reason says so. One that opens a list may still be dropped, when the whole list was.
    """

    sentence: str
    family: str
    cue: str
    cue_text: str
    cite: str
    reason: str
    nearest_evidence: NearestEvidence | None = None
    kind: Literal["claim_kept"] = "claim_kept"


@dataclass(frozen=True, slots=True)
class ReplyEnd:
    """The end of a reply. `unchecked` lists what was shown without judgement ("code fence", "language");
    `failed` says what broke when the guard failed closed; `everything_dropped` asks the host for its own words."""

    shown: str
    dropped: int
    unchecked: tuple[str, ...] = ()
    enabled: bool = True
    everything_dropped: bool = False
    aborted: bool = False
    failed: str | None = None
    kind: Literal["reply_end"] = "reply_end"


Event = TextShown | TextDropped | ClaimKept | ReplyEnd


def to_json(value: Any) -> Any:
    """The JSON form of a record (or of lists, mappings and plain values of records).

    >>> to_json(TextShown("Hello."))
    {'text': 'Hello.', 'kind': 'text_shown'}
    """
    if value is None or type(value) in _PLAIN:
        return value
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: to_json(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, Mapping):
        return {str(key): to_json(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(entry) for entry in value]
    return value


_PLAIN = (str, int, float, bool)


@cache
def _names(record: Any) -> tuple[str, ...]:
    return tuple(entry.name for entry in dataclasses.fields(record))


@cache
def _fields(record: Any) -> tuple[tuple[str, Any, bool], ...]:
    hints = typing.get_type_hints(record)
    return tuple(
        (
            entry.name,
            hints[entry.name],
            entry.default is dataclasses.MISSING and entry.default_factory is dataclasses.MISSING,
        )
        for entry in dataclasses.fields(record)
    )


def _read(kind: Any, value: Any, where: str) -> Any:
    origin = typing.get_origin(kind)
    if kind is Any:
        return value
    if origin in (types.UnionType, typing.Union):
        options = typing.get_args(kind)
        if value is None and type(None) in options:
            return None
        return _read(next(option for option in options if option is not type(None)), value, where)
    if origin is Literal:
        if value not in typing.get_args(kind):
            raise DataError(f"expected one of {', '.join(map(str, typing.get_args(kind)))}", where=where)
        return value
    if origin is tuple:
        if not isinstance(value, list):
            raise DataError(f"expected a list, not {type(value).__name__}", where=where)
        return tuple(_read(typing.get_args(kind)[0], entry, f"{where}[{n}]") for n, entry in enumerate(value))
    if dataclasses.is_dataclass(kind):
        return read_record(typing.cast("type[Any]", kind), value, where)
    if isinstance(kind, type) and issubclass(kind, Enum):
        try:
            return kind(value)
        except ValueError:
            raise DataError(f"expected one of {', '.join(str(m.value) for m in kind)}", where=where) from None
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise DataError(f"expected {kind.__name__}, not {type(value).__name__}", where=where)
    return value


def read_record(record: type[T], value: Any, where: str = "record") -> T:
    """A record of type `record` from parsed JSON. Unknown, missing and wrong fields raise DataError naming the field.

    >>> read_record(Turn, {"speaker": "user", "text": "hi"})
    Turn(speaker='user', text='hi', at=None)
    """
    if not isinstance(value, Mapping):
        raise DataError(f"expected an object, not {type(value).__name__}", where=where)
    known = _fields(typing.cast(Any, record))
    names = [name for name, _, _ in known]
    for key in value:
        if key not in names:
            raise DataError(f"unknown field; known are {', '.join(names)}", where=f"{where}.{key}")
    arguments = {}
    for name, kind, required in known:
        if name in value:
            arguments[name] = _read(kind, value[name], f"{where}.{name}")
        elif required:
            raise DataError("this field is missing", where=f"{where}.{name}")
    return record(**arguments)
