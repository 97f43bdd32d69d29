"""The pure reading of what crosses the border, beside msgspec's: the same thousands of messages, and they agree."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

import msgspec
import pytest

from edgegate import bridge, records
from edgegate.errors import DataError
from edgegate.gate import records as gate
from edgegate.memory.writing import Scope
from edgegate.records import Change, NearestEvidence, Quote, ReplyEnd, Report, TextDropped, TextShown, Turn, read_record
from edgegate.stores import records as stores

EACH = 1500
"""How many messages of each kind."""


class TurnIn(msgspec.Struct):
    speaker: str
    text: str
    at: str | None = None


class EvidenceIn(msgspec.Struct, forbid_unknown_fields=True):
    memories: list[str] | None = None
    journal: list[str] | None = None
    history: list[TurnIn] | None = None
    threads: list[str] | None = None
    facts: list[str] | None = None
    writes: list[str] | None = None
    actions: list[str] | None = None


Moment = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d{2}-\d{2}")]


class Open(msgspec.Struct, forbid_unknown_fields=True):
    evidence: EvidenceIn | None = None
    enabled: bool | None = None
    continuity: bool | None = None
    safety: bool | None = None
    cap: Annotated[int, msgspec.Meta(ge=1)] | None = None
    now: Moment | None = None


class Check(msgspec.Struct, forbid_unknown_fields=True):
    source: str | list[TurnIn]
    memory: str
    now: Moment | None = None
    about: str | None = None
    user: str | None = None
    context: str | list[TurnIn] | None = None


class Readers(Check, forbid_unknown_fields=True):
    readers: list[Literal["witness", "added"]] | None = None


class Hear(Readers, forbid_unknown_fields=True, kw_only=True):
    answers: dict[Annotated[str, msgspec.Meta(pattern=r"^[0-9]{1,9}$")], Any]


class QuestionIn(msgspec.Struct, forbid_unknown_fields=True):
    number: int
    kind: Literal["witness", "added", "rewrite"]
    task: str
    text: str
    source: str = ""
    lost: list[str] = []


class Accept(msgspec.Struct, forbid_unknown_fields=True):
    source: str | list[TurnIn]
    question: QuestionIn
    answer: str | dict[str, Any] | None = None
    now: Moment | None = None
    about: str | None = None
    user: str | None = None
    context: str | list[TurnIn] | None = None


class Chain(msgspec.Struct, forbid_unknown_fields=True):
    versions: Annotated[list[str | list[TurnIn]], msgspec.Meta(min_length=2)]
    now: Moment | None = None
    about: str | None = None
    user: str | None = None

    def __post_init__(self) -> None:
        if not all(isinstance(version, str) for version in self.versions[1:]):
            raise ValueError("only the first version may be turns")


class ScopeIn(msgspec.Struct, forbid_unknown_fields=True):
    on: bool = True
    saves: bool = True
    reads: bool = False


class SettingsIn(msgspec.Struct, forbid_unknown_fields=True):
    user: str | None = None
    keep_unchecked: bool = False
    chooses: bool = False
    rewrites: bool = False


class Proposed(msgspec.Struct, forbid_unknown_fields=True):
    text: str
    source: str | list[TurnIn]
    kind: str | None = None
    about: str | None = None
    now: str | None = None  # read when the store has answered, and not before
    in_prompt: int | None = None


class Propose(msgspec.Struct, forbid_unknown_fields=True):
    operation: Literal["propose"]
    arguments: Proposed
    scope: ScopeIn | None = None
    settings: SettingsIn | None = None
    answers: Annotated[list[Any], msgspec.Meta(max_length=0)] | None = None


TURN = {"speaker": "user", "text": "I work nights.", "at": "2026-03-14T09:00:00+01:00"}
WRITE = {"source": "Maybe I work nights.", "memory": "The user works nights.", "now": "2026-03-14"}
QUESTION_DATA = {"number": 0, "kind": "rewrite", "task": "task", "text": "I work.", "source": "x", "lost": ["hedge: x"]}
REQUESTS: dict[str, tuple[type, dict[str, Any]]] = {
    "guard.open": (
        Open,
        {
            "evidence": {"memories": ["The user rows."], "history": [TURN], "facts": [], "writes": ["stored: x"]},
            "enabled": True,
            "cap": 2000,
            "now": "2026-03-14T09:00:00+01:00",
        },
    ),
    "check": (Check, {"source": [TURN], "memory": "The user works nights.", "user": "user", "context": "Earlier."}),
    "inspect": (Check, {"source": "I work nights.", "memory": "The user works nights.", "now": "2026-03-14"}),
    "fix": (Check, WRITE),
    "fix.accept": (Accept, {"source": [TURN], "question": QUESTION_DATA, "answer": "Perhaps I work.", "about": "Ida"}),
    "readers.ask": (Readers, {**WRITE, "readers": ["witness", "added"]}),
    "readers.hear": (Hear, {**WRITE, "readers": ["added"], "answers": {"0": {"answer": "cannot-tell"}}}),
    "drift": (Chain, {"versions": ["Maybe I work nights.", "I work nights.", "I work."], "user": "user"}),
    "drift.draw": (Chain, {"versions": ["Maybe I work nights.", "I work nights."], "now": "2026-03-14"}),
    "memory": (
        Propose,
        {
            "operation": "propose",
            "arguments": {"text": "The user works nights.", "source": [TURN], "kind": "fact", "now": "2026-03-14"},
            "scope": {"on": True, "saves": True, "reads": False},
            "settings": {"user": "user", "keep_unchecked": False},
            "answers": [],
        },
    ),
}

QUOTE = Quote("maybe", 2, 7, 3, 8, 0)
CHANGE = Change("hedge", "lost", records.Severity.REWRITE, QUOTE, None, "hedge.maybe", "maybe", "cite", "detail")
REPORT = Report((CHANGE,), (QUOTE,), ("added",), None, "abc", records.Verdict.REWRITE)
EARLIER = stores.Earlier("older", records.Verdict.PASS, "2026-01-01")
STORED = stores.StoredMemory(
    *("1.0", "The user rows", "fact", records.Verdict.PASS, ("temporal",), "typed", "Ida", "2026", None),
    *(("row",), "abc", (EARLIER,)),
)
TURN_RECORD = stores.TurnRecord("save", "new", "nothing like it", (records.Verdict.PASS,), ("1.0",), 3, "2026-03-14")
QUESTION = gate.Question(0, "rewrite", "task", "text", "source", ("hedge: x",))
SHARED = records.Shared(QUOTE, QUOTE)
NEAREST = NearestEvidence("facts", 1, "x", (SHARED,))
RECORDS = [
    Turn("user", "hi", "2026-03-14"),
    QUOTE,
    CHANGE,
    REPORT,
    SHARED,
    NEAREST,
    TextShown("Hello."),
    TextDropped("You said so.", "history", "cue", "You said", "cite", "reason", NEAREST),
    records.ClaimKept("You said so.", "history", "cue", "You said", "cite", "reason", NEAREST),
    ReplyEnd("Hello.", 1, ("code",), True, False, False, None),
    gate.Loss(CHANGE, 0),
    gate.Drift(("a", "b"), (REPORT,), REPORT, (gate.Loss(CHANGE, None),), (0,)),
    QUESTION,
    gate.Asked(REPORT, (QUESTION,)),
    gate.Heard(REPORT, ("a",), (0,)),
    gate.Repair("text", REPORT, QUESTION),
    EARLIER,
    STORED,
    TURN_RECORD,
    stores.Commit(3, (STORED,), ("2.0",), TURN_RECORD),
    stores.Applied(4, ("1.0",), ("2.0",), False),
    stores.Snapshot(4, (STORED,), (TURN_RECORD,)),
    Scope(True, False, True),
]


ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 7, 2.5),
    *("", "text", "PASS", "text_shown"),
    *([], ["a"], [1], {}, {"text": "a"}),
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    for key, entry in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(entry, (*path, key))


def broken(chance: random.Random, good: dict[str, Any]) -> dict[str, Any]:
    """The message with up to two changes: a field of another kind, one gone, one too many."""
    message = copy.deepcopy(good)
    for _ in range(chance.choice((0, 1, 1, 1, 2))):
        *path, last = chance.choice([path for path in places(message) if path])
        holder: Any = message
        for key in path:
            holder = holder[key]
        what = chance.random()
        if what < 0.7:
            holder[last] = copy.deepcopy(chance.choice(ODD))
        elif what < 0.9:
            del holder[last]
        elif isinstance(holder, dict):
            holder["more"] = 1
    return message


def accepts(read: Callable[[], Any], *errors: type[Exception]) -> bool:
    try:
        read()
    except errors:
        return False
    return True


@pytest.mark.parametrize("op", REQUESTS)
def test_requests_are_read_as_msgspec_reads_them(op: str) -> None:
    schema, good = REQUESTS[op]
    chance = random.Random(op)
    seen = {True: 0, False: 0}
    for _ in range(EACH):
        message = broken(chance, good)
        reply = json.loads(bridge.call(json.dumps({"op": op, **message})))
        if op == "guard.open" and reply["ok"]:
            bridge.call(json.dumps({"op": "guard.free", **reply["result"]}))
        expected = accepts(lambda: msgspec.convert(message, schema), msgspec.ValidationError)  # noqa: B023
        assert reply["ok"] == expected, json.dumps([message, reply])
        assert reply["ok"] or reply["error"]["code"] in ("data", "usage"), reply
        seen[expected] += 1
    assert min(seen.values()) > EACH // 20, seen


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_records_are_read_as_msgspec_reads_them(record: Any) -> None:
    kind = type(record)
    good = records.to_json(record)
    assert read_record(kind, good) == record == msgspec.convert(good, kind)
    assert json.loads(msgspec.json.encode(record)) == good
    chance = random.Random(kind.__name__)
    for _ in range(EACH // 3):
        message = broken(chance, good)
        # msgspec passes over fields of a dataclass that it doesn't know; ours names them. That is the one difference.
        if "more" in json.dumps(message):
            continue
        ours = accepts(lambda: read_record(kind, message), DataError)  # noqa: B023
        assert ours == accepts(lambda: msgspec.convert(message, kind), msgspec.ValidationError), message  # noqa: B023
        if ours:
            assert read_record(kind, message) == msgspec.convert(message, kind)
