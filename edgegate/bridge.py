"""The one function that crosses the border: JSON in, JSON out (DESIGN, Law 9).

A request is `{"op": name, ...}`; the reply is `{"ok": true, "result": ...}` or
`{"ok": false, "error": {"code", "message", "where"}}`. Open replies live here as numbered handles, which the host opens
and frees, and so do the readings of evidence that a host keeps between replies; there are at most `LIMIT` and
`READINGS` of them, and the core keeps no other state.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from edgegate import __version__
from edgegate.errors import DataError, EdgegateError, UsageError
from edgegate.gate import fixer, witness
from edgegate.gate.chain import drift
from edgegate.gate.pictures import draw
from edgegate.gate.records import Question
from edgegate.gate.report import check, inspect
from edgegate.guard.evidence_index import Readings
from edgegate.guard.stream import Guard
from edgegate.language import lexicon
from edgegate.records import Evidence, read_record, to_json

LIMIT = 4096
"""How many replies may be open at once. A host that never frees its handles is told so, instead of filling memory."""

READINGS = 64
"""How many readings may be kept at once, each of the bounded size of `Readings`."""

_guards: dict[int, Guard] = {}
_readings: dict[int, Readings] = {}
_opened = 0


class _Request:
    """The fields of one request, taken with checks. A wrong, missing or unknown field raises DataError naming it."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    def take(self, name: str, kinds: type | tuple[type, ...], default: Any = ...) -> Any:
        value = self._fields.pop(name, None)
        if type(value) is kinds:
            return value
        if value is None:
            if default is ...:
                raise DataError("this field is missing", where=name)
            return default
        wrong_bool = isinstance(value, bool) and kinds is not bool
        if not isinstance(value, kinds) or wrong_bool:
            names = " or ".join(kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,)))
            raise DataError(f"expected {names}, not {type(value).__name__}", where=name)
        return value

    def finish(self) -> None:
        if self._fields:
            raise DataError("unknown field for this op", where=next(iter(self._fields)))


def _version(request: _Request) -> Any:
    request.finish()
    return {"version": __version__, "lexicon": lexicon.hash()}


def _write(request: _Request) -> tuple[Any, str, dict[str, Any]]:
    source = request.take("source", (str, list))
    return source, request.take("memory", str), _options(request)


def _options(request: _Request) -> dict[str, Any]:
    return {
        "now": request.take("now", str, None),
        "about": request.take("about", str, None),
        "user": request.take("user", str, None),
        "context": request.take("context", (str, list), None),
    }


def _gate(run: Callable[..., Any]) -> Callable[[_Request], Any]:
    def op(request: _Request) -> Any:
        source, memory, options = _write(request)
        request.finish()
        return to_json(run(source, memory, **options))

    return op


def _fix_accept(request: _Request) -> Any:
    source = request.take("source", (str, list))
    question = read_record(Question, request.take("question", dict), "question")
    answer = request.take("answer", (str, dict), None)
    options = _options(request)
    request.finish()
    return to_json(fixer.accept(source, question, answer, **options))


def _readers(request: _Request) -> list[str]:
    readers = request.take("readers", list, list(witness.READERS))
    for number, each in enumerate(readers):
        if not isinstance(each, str):
            raise DataError(f"expected a name, not {type(each).__name__}", where=f"readers[{number}]")
    return list(readers)


def _readers_ask(request: _Request) -> Any:
    source, memory, options = _write(request)
    readers = _readers(request)
    request.finish()
    return to_json(witness.ask(source, memory, readers, **options))


def _readers_hear(request: _Request) -> Any:
    source, memory, options = _write(request)
    readers = _readers(request)
    answers = {}
    for number, answer in request.take("answers", dict).items():
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            raise DataError("expected the number of a question", where=f"answers.{number}")
        answers[int(number)] = answer
    request.finish()
    return to_json(witness.hear(source, memory, answers, readers, **options))


def _chain(run: Callable[..., Any]) -> Callable[[_Request], Any]:
    def op(request: _Request) -> Any:
        versions = request.take("versions", list)
        options = {name: request.take(name, str, None) for name in ("now", "about", "user")}
        request.finish()
        return to_json(run(drift(versions, **options)))

    return op


def _guard_open(request: _Request) -> Any:
    global _opened
    if len(_guards) >= LIMIT:
        raise UsageError(f"{LIMIT} replies are open already: free those that ended with guard.free", where="guard.open")
    guard = Guard(
        Evidence.read(request.take("evidence", dict, {})),
        enabled=request.take("enabled", bool, True),
        continuity=request.take("continuity", bool, True),
        safety=request.take("safety", bool, True),
        cap=request.take("cap", int, 2000),
        now=request.take("now", str, None),
        explain=request.take("explain", bool, False),
        readings=_find_readings(request.take("readings", int, None)),
    )
    request.finish()
    _opened += 1
    _guards[_opened] = guard
    return {"guard": _opened}


def _find_readings(number: int | None) -> Readings | None:
    if number is not None and number not in _readings:
        raise UsageError(f"no readings have the number {number}: they were freed, or never opened", where="readings")
    return None if number is None else _readings[number]


def _readings_open(request: _Request) -> Any:
    global _opened
    request.finish()
    if len(_readings) >= READINGS:
        raise UsageError(f"{READINGS} are kept already: free those with readings.free", where="readings.open")
    _opened += 1
    _readings[_opened] = Readings()
    return {"readings": _opened}


def _readings_free(request: _Request) -> Any:
    number = request.take("readings", int)
    request.finish()
    _readings.pop(number, None)
    return None


def _guard(request: _Request) -> Guard:
    number = request.take("guard", int)
    guard = _guards.get(number)
    if guard is None:
        raise UsageError(f"no open reply has the number {number}: it was freed, or never opened", where="guard")
    return guard


def _guard_feed(request: _Request) -> Any:
    guard, text = _guard(request), request.take("text", str)
    request.finish()
    events = guard.feed(text)
    return to_json(events) if events else []


def _guard_close(request: _Request) -> Any:
    guard = _guard(request)
    request.finish()
    return to_json(guard.close())


def _guard_abort(request: _Request) -> Any:
    guard = _guard(request)
    request.finish()
    return to_json(guard.abort())


def _guard_held(request: _Request) -> Any:
    guard = _guard(request)
    request.finish()
    return guard.held


def _guard_free(request: _Request) -> Any:
    number = request.take("guard", int)
    request.finish()
    _guards.pop(number, None)
    return None


def _memory(request: _Request) -> Any:
    from edgegate.memory.hosted import run  # a page that only guards replies never loads memory

    operation, arguments = request.take("operation", str), request.take("arguments", dict, {})
    scope, settings = request.take("scope", dict, {}), request.take("settings", dict, {})
    answers = request.take("answers", list, [])
    request.finish()
    return run(operation, scope, arguments, answers, settings)


def _score(request: _Request) -> Any:
    from edgegate.measure_hosted import score_record  # only a host that shows labelled sets comes here

    record = request.take("record", dict)
    request.finish()
    return score_record(record)


def _score_sum(request: _Request) -> Any:
    from edgegate.measure_hosted import add_up

    job, groups = request.take("job", str), request.take("groups", dict)
    request.finish()
    return add_up(job, groups)


OPS: Mapping[str, Callable[[_Request], Any]] = {
    "version": _version,
    "check": _gate(check),
    "inspect": _gate(inspect),
    "drift": _chain(lambda found: found),
    "drift.draw": _chain(draw),
    "fix": _gate(fixer.repair),
    "fix.accept": _fix_accept,
    "readers.ask": _readers_ask,
    "readers.hear": _readers_hear,
    "guard.open": _guard_open,
    "guard.feed": _guard_feed,
    "guard.close": _guard_close,
    "guard.abort": _guard_abort,
    "guard.held": _guard_held,
    "guard.free": _guard_free,
    "readings.open": _readings_open,
    "readings.free": _readings_free,
    "memory": _memory,
    "score": _score,
    "score.sum": _score_sum,
}
"""Every op by name."""


_load = json.JSONDecoder().decode
# ASCII out: a lone surrogate survives as an escape, where raw UTF-8 would fail at the border.
_dump = json.JSONEncoder(separators=(",", ":")).encode
_NOTHING = _dump({"ok": True, "result": []})  # what most pieces of a reply give


def call(request: str) -> str:
    """The JSON reply to one JSON request. Never raises: every failure is an error reply.

    >>> call('{"op": "nothing"}')[:46]
    '{"ok":false,"error":{"code":"usage","message":'
    """
    try:
        try:
            fields = _load(request)
        except (ValueError, RecursionError) as problem:
            raise DataError(f"the request is not JSON: {problem}") from None
        if not isinstance(fields, dict):
            raise DataError(f"expected a JSON object, not {type(fields).__name__}")
        name = fields.pop("op", None)
        op = OPS.get(name) if isinstance(name, str) else None
        if op is None:
            raise UsageError(f"unknown op {name!r}; known are {', '.join(OPS)}", where="op")
        result = op(_Request(fields))
        return _NOTHING if result == [] else _dump({"ok": True, "result": result})
    except EdgegateError as error:
        return _dump({"ok": False, "error": {"code": error.code, "message": error.message, "where": error.where}})
    except Exception as error:  # the host must live on, whatever broke
        message = f"{type(error).__name__}: {error}"
        return _dump({"ok": False, "error": {"code": "internal", "message": message, "where": None}})
