"""Memory for hosts that keep the store themselves: the core asks, the host answers, and calls again with the answers.

One operation is a row of pure calls. Each says either what it has to be told next (`questions`) or the `result`. The
host answers the questions in order, puts the answers behind those it gave before, and calls again with all of them:
the same answers lead to the same place. The commit is one of the questions, so that a result is worded only after the
host has said what its store did; a stale commit is answered as such, and planned again here (DESIGN, Laws 7 and 8).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from edgegate.errors import DataError, UsageError
from edgegate.gate.records import Question
from edgegate.memory.door import Door
from edgegate.memory.forget import plan_forget
from edgegate.memory.graph import MOST, draw
from edgegate.memory.intent import read_message
from edgegate.memory.recall import recall
from edgegate.memory.writing import Result, Scope
from edgegate.records import read_record, to_json
from edgegate.stores.records import MOST_FOUND, Applied, Commit, Snapshot, StaleError, Unanswered

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AskLoad:
    """What `load(turns, ids)` of the host's store gives: a snapshot."""

    turns: int
    ids: tuple[str, ...] | None
    kind: Literal["load"] = "load"


@dataclass(frozen=True, slots=True)
class AskFind:
    """What `find(terms, limit)` of the host's store gives: a snapshot."""

    terms: tuple[str, ...]
    limit: int
    kind: Literal["find"] = "find"


@dataclass(frozen=True, slots=True)
class AskApply:
    """What the host's store answers to the commit: what it applied, or `{"stale": why}`. Any other failure ends the
    operation, and nothing was done."""

    commit: Commit
    kind: Literal["apply"] = "apply"


@dataclass(frozen=True, slots=True)
class AskChoose:
    """The places of the memories that a request to forget may mean; an empty list where the host's chooser is silent.
    They are asked about, never deleted."""

    request: str
    memories: tuple[str, ...]
    kind: Literal["choose"] = "choose"


@dataclass(frozen=True, slots=True)
class AskRewrite:
    """What the host's rewriter answers: a text that keeps what `question` names, as `fix.accept` takes it, or None."""

    question: Question
    kind: Literal["rewrite"] = "rewrite"


@dataclass(frozen=True, slots=True)
class Settings:
    """How a host uses memory: the `user`'s name where the turns have one, whether what could not be checked is kept,
    whether the host has a chooser and a rewriter to ask."""

    user: str | None = None
    keep_unchecked: bool = False
    chooses: bool = False
    rewrites: bool = False


class _Host:
    """The host's store and readers, as far as they have answered. What they have not answered is raised."""

    def __init__(self, answers: Sequence[Any]) -> None:
        self._answers = answers
        self._asked = 0

    def load(self, turns: int = 0, ids: Sequence[str] | None = None) -> Snapshot:
        return self._ask(AskLoad(turns, None if ids is None else tuple(ids)), _as(Snapshot))

    def find(self, terms: Sequence[str], limit: int = MOST_FOUND) -> Snapshot:
        return self._ask(AskFind(tuple(terms), limit), _as(Snapshot))

    def apply(self, commit: Commit) -> Applied:
        return self._ask(AskApply(commit), _read_applied)

    def choose(self, request: str, memories: Sequence[str]) -> Sequence[int]:
        return self._ask(AskChoose(request, tuple(memories)), _read_places)

    def rewrite(self, question: Question) -> Any:
        return self._ask(AskRewrite(question), _read_rewrite)

    def finish(self) -> None:
        if self._asked < len(self._answers):
            raise UsageError(f"{len(self._answers)} answers, and {self._asked} questions were asked", where="answers")

    def _ask(self, question: object, read: Callable[[Any, str], T]) -> T:
        place, self._asked = self._asked, self._asked + 1
        if place >= len(self._answers):
            raise Unanswered(question)
        return read(self._answers[place], f"answers[{place}]")


def run(
    operation: str,
    scope: Any = None,
    arguments: Mapping[str, Any] | None = None,
    answers: Sequence[Any] = (),
    settings: Any = None,
) -> dict[str, Any]:
    """One operation, as far as the host has answered, as JSON: `{"questions": [...]}` or `{"result": ...}`.

    Operations are those of `Door` (message, propose, enter, bring, keep_chat, forget, delete, refresh; `result` is
    its Result, with `visible`), "recall", "picture" (the constellation of all that is kept), "allowed" (what the scope
    lets a host do: may_save, may_read), and the readings "read_message" and "plan_forget". `scope`, `arguments` and
    `settings` are JSON too. Wrong shapes raise DataError or UsageError.

    >>> asked = run("message", {}, {"text": "remember that the gate code is 4820"})
    >>> asked["questions"][0]["kind"], asked["questions"][0]["terms"]
    ('find', ['gat', 'cod', '4820'])
    >>> answers = [{"revision": 0}]
    >>> asked = run("message", {}, {"text": "remember that the gate code is 4820"}, answers)
    >>> asked["questions"][0]["commit"]["put"][0]["text"]
    'The gate code is 4820'
    >>> answers += [{"revision": 1, "put": ["1.0"]}]
    >>> run("message", {}, {"text": "remember that the gate code is 4820"}, answers)["result"]["writes"]
    ['stored: The gate code is 4820']
    """
    allowed = read_record(Scope, {} if scope is None else scope, "scope")
    wanted = read_record(Settings, {} if settings is None else settings, "settings")
    host = _Host(answers)
    try:
        result = _start(operation, host, allowed, wanted, dict(arguments or {}))
    except Unanswered as unanswered:
        return {"questions": to_json(list(unanswered.questions))}
    host.finish()
    answer = to_json(result)
    if isinstance(result, Result):
        answer["visible"] = to_json(result.visible)
    return {"result": answer}


def _start(operation: str, host: _Host, scope: Scope, settings: Settings, arguments: dict[str, Any]) -> Any:
    door = Door(host, scope, settings.user, settings.keep_unchecked, host.rewrite if settings.rewrites else None)
    own: dict[str, Callable[..., Any]] = {
        "allowed": lambda: {"may_save": scope.may_save, "may_read": scope.may_read},
        "recall": lambda message, **options: recall(host, message, **options) if scope.may_read else (),
        "picture": lambda most=MOST: draw(host.load().memories, most),
        "read_message": read_message,
        "plan_forget": plan_forget,
    }
    method = own.get(operation) or (None if operation.startswith("_") else getattr(door, operation, None))
    if not inspect.isroutine(method):
        raise UsageError(f"unknown operation {operation!r} of memory", where="operation")
    shape = inspect.signature(recall if operation == "recall" else method)
    arguments = {
        name: value for name, value in arguments.items() if value is not None
    }  # null is not given, as everywhere
    for name, value in arguments.items():
        _check(name, value)
    if "chooser" in arguments or "store" in arguments:
        raise UsageError("this is not for a request to say", where="arguments")
    if "chooser" in shape.parameters and settings.chooses:
        arguments["chooser"] = host.choose
    try:
        shape.bind(*([host] if operation == "recall" else []), **arguments)
    except TypeError as error:
        raise UsageError(str(error), where="arguments") from None
    return method(**arguments)


_LISTS = ("context", "turns", "rows", "ids", "memories")
_TEXTS = ("ids", "memories")
_NUMBERS = ("in_prompt", "limit", "most")


def _check(name: str, value: Any) -> None:
    where = f"arguments.{name}"
    if name == "source" and isinstance(value, list):
        return
    kind = list if name in _LISTS else int if name in _NUMBERS else str
    if not isinstance(value, kind) or isinstance(value, bool):
        raise DataError(f"expected {kind.__name__}, not {type(value).__name__}", where=where)
    inside: Any = str if name in _TEXTS else Mapping
    for number, each in enumerate(value if isinstance(value, list) else ()):
        if not isinstance(each, inside):
            raise DataError(f"expected {inside.__name__}, not {type(each).__name__}", where=f"{where}[{number}]")
        for field in ("text", "kind", "about") if name == "rows" else ():
            if not isinstance(each.get(field, ""), str):
                raise DataError("expected a text", where=f"{where}[{number}].{field}")


def _as(record: type[T]) -> Callable[[Any, str], T]:
    return lambda value, where: read_record(record, value, where)


def _read_applied(value: Any, where: str) -> Applied:
    if isinstance(value, Mapping) and isinstance(value.get("stale"), str):
        raise StaleError(value["stale"], where=where)
    return read_record(Applied, value, where)


def _read_places(value: Any, where: str) -> Sequence[int]:
    if not isinstance(value, list) or any(not isinstance(each, int) or isinstance(each, bool) for each in value):
        raise DataError("expected a list of places", where=where)
    return value


def _read_rewrite(value: Any, where: str) -> Any:
    if value is not None and not isinstance(value, (str, Mapping)):
        raise DataError(f"expected a text, an object or null, not {type(value).__name__}", where=where)
    return value
