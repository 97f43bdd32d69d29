"""Scores labelled sets for a host that shows them: one record at a time, and sums of what was scored so far.

A host that browses ten thousand records asks for each apart, so that it can draw, stop and go on. What it gets back
with each is the record's `score`, plain counts; it puts them together with `add_up`, by whatever group it likes. The
counts are the core's own (`edgegate.measure`), and so is every rate that comes back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from edgegate.errors import DataError
from edgegate.labelled import GateRecord, GuardRecord, JudgedSentence, LabelledSentence, judge_reply, judge_write
from edgegate.measure import GateScore, GuardScore, Rate
from edgegate.records import read_record, to_json

Score = GateScore | GuardScore
JOBS: Mapping[str, type[Score]] = {"gate": GateScore, "guard": GuardScore}


def job_of(record: Mapping[str, Any]) -> str:
    """Which job a labelled record is about: "guard" (a reply with its sentences) or "gate" (a memory and its source).

    Raises DataError for a record of another form.

    >>> job_of({"id": "x", "reply": "Hello.", "sentences": []})
    'guard'
    """
    if "reply" in record and "sentences" in record:
        return "guard"
    if "source" in record and "memory" in record:
        return "gate"
    raise DataError("neither a labelled reply (reply, sentences) nor a labelled write (source, memory)", where="record")


def score_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """What became of one labelled record: `job`, `id`, `errors` (the kinds, each once) and `score`, its counts.

    A reply comes with `shown`, `dropped` (events), `failed` and its `sentences`, each with what it is, whether it was
    kept and what the guard got wrong on it; a write comes with its `report`. Fields that scoring does not know are
    passed over. Raises DataError naming the field that is missing or wrong.

    >>> found = score_record({"id": "x", "evidence": {}, "reply": "Hi. You told me you have a boat.", "sentences": [
    ...     {"text": "Hi.", "label": "none"}, {"text": "You told me you have a boat.", "label": "fabricated"}]})
    >>> found["shown"], found["errors"], found["score"]["catch"]
    ('Hi.', [], {'count': 1, 'total': 1})
    """
    if job_of(record) == "guard":
        return _score_reply(_known(record, GuardRecord))
    return _score_write(_known(record, GateRecord))


def add_up(job: str, groups: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """The sum of scores in each group, and over all of them.

    Each sum has `score` (counts, to be given back here with more of them), `catch` and `preservation` (rates with
    counts and bounds: the two that stand beside each other); the whole has all `rates` too. Raises DataError for wrong
    counts.

    >>> some = {"records": 1, "catch": {"count": 1, "total": 2}}
    >>> both = add_up("guard", {"a": [some, some], "b": [some]})
    >>> both["groups"]["a"]["catch"]["total"], both["whole"]["catch"]["total"], both["whole"]["rates"]["records"]
    (4, 6, 3)
    """
    kind = JOBS.get(job)
    if kind is None:
        raise DataError(f"expected one of {', '.join(JOBS)}", where="job")
    whole = kind()
    found = {}
    for name, scores in groups.items():
        if not isinstance(scores, (list, tuple)):
            raise DataError(f"expected a list, not {type(scores).__name__}", where=f"groups.{name}")
        group = kind()
        for number, score in enumerate(scores):
            group = _plus(group, _read_score(kind, score, f"groups.{name}[{number}]"))
        found[name] = _sum(group)
        whole = _plus(whole, group)
    return {"groups": found, "whole": {**_sum(whole), "rates": whole.to_json()}}


def _sum(score: Score) -> dict[str, Any]:
    catch, preservation = (
        (score.recall, score.passed) if isinstance(score, GateScore) else (score.catch, score.preservation)
    )
    return {"score": _write_score(score), "catch": catch.to_json(), "preservation": preservation.to_json()}


def _score_reply(fields: dict[str, Any]) -> dict[str, Any]:
    sentences = _take(fields, "sentences", list)
    record = GuardRecord(
        _take(fields, "id", str),
        _take(fields, "evidence", dict),
        _take(fields, "reply", str),
        [
            read_record(LabelledSentence, _known(sentence, LabelledSentence, where), where)
            for sentence, where in ((each, f"sentences[{number}]") for number, each in enumerate(sentences))
        ],
    )
    judged = judge_reply(record)
    score = GuardScore()
    score.count(judged)
    errors = ["failed"] if judged.failed is not None else [name for each in judged.sentences for name in each.errors]
    return {
        "job": "guard",
        "id": record.id,
        "errors": list(dict.fromkeys(errors)),
        "shown": judged.shown,
        "dropped": to_json(judged.dropped),
        "failed": judged.failed,
        "sentences": [_write_sentence(each) for each in judged.sentences],
        "score": _write_score(score),
    }


def _write_sentence(judged: JudgedSentence) -> dict[str, Any]:
    return {
        **to_json(judged.sentence),
        "kept": judged.kept,
        "scored": bool(judged.counts),
        "errors": list(judged.errors),
        "reason": judged.drop.reason if judged.drop else None,
    }


def _score_write(fields: dict[str, Any]) -> dict[str, Any]:
    mechanisms = _take(fields, "mechanisms", list, [])
    for number, each in enumerate(mechanisms):
        if not isinstance(each, str):
            raise DataError(f"expected str, not {type(each).__name__}", where=f"mechanisms[{number}]")
    judged = judge_write(
        GateRecord(
            _take(fields, "id", str),
            _take(fields, "source", list),
            _take(fields, "memory", str),
            _take(fields, "label", str),
            _take(fields, "date", str, None),
            _take(fields, "about", str, None),
            mechanisms,
        )
    )
    score = GateScore()
    score.count(judged)
    return {
        "job": "gate",
        "id": judged.record.id,
        "errors": [judged.error] if judged.error else [],
        "report": to_json(judged.report),
        "score": _write_score(score),
    }


def _known(record: Any, kind: type, where: str = "record") -> dict[str, Any]:
    """Those fields of a record that `kind` has, without those that are null."""
    if not isinstance(record, Mapping):
        raise DataError(f"expected an object, not {type(record).__name__}", where=where)
    names = {entry.name for entry in dataclasses.fields(kind)}
    return {name: value for name, value in record.items() if name in names and value is not None}


def _take(fields: Mapping[str, Any], name: str, kind: type, default: Any = ...) -> Any:
    value = fields.get(name, default)
    if value is ...:
        raise DataError("this field is missing", where=name)
    if value is not default and not isinstance(value, kind):
        raise DataError(f"expected {kind.__name__}, not {type(value).__name__}", where=name)
    return value


def _write_score(score: Score) -> dict[str, Any]:
    return {name: to_json(value) for name, value in vars(score).items() if name != "outcomes"}


def _read_score(kind: type[Score], value: Any, where: str) -> Score:
    if not isinstance(value, Mapping):
        raise DataError(f"expected an object, not {type(value).__name__}", where=where)
    score = kind()
    for name, empty in vars(score).items():
        if name == "outcomes" or name not in value:
            continue
        given, place = value[name], f"{where}.{name}"
        if isinstance(empty, Rate):
            setattr(score, name, read_record(Rate, given, place))
        elif isinstance(empty, dict):
            if not isinstance(given, Mapping):
                raise DataError(f"expected an object, not {type(given).__name__}", where=place)
            setattr(score, name, {key: read_record(Rate, rate, f"{place}.{key}") for key, rate in given.items()})
        elif isinstance(given, bool) or not isinstance(given, int):
            raise DataError(f"expected int, not {type(given).__name__}", where=place)
        else:
            setattr(score, name, given)
    return score


def _plus(one: Score, other: Score) -> Score:
    both = type(one)()
    for name, mine in vars(one).items():
        theirs = getattr(other, name)
        if isinstance(mine, dict):
            rates = {key: mine.get(key, Rate(0, 0)) + theirs.get(key, Rate(0, 0)) for key in {**mine, **theirs}}
            setattr(both, name, rates)
        elif name != "outcomes":
            setattr(both, name, mine + theirs)
    return both
