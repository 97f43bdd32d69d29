"""Evidence read once, and what is kept of it from one reply to the next."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from edgegate import Evidence, Guard, Readings, UsageError, bridge
from edgegate.guard import evidence_index
from edgegate.guard.evidence_index import Index, collect
from edgegate.records import to_json

CORPORA = Path(__file__).parent / "data" / "corpora"
RECORDS = [
    json.loads(line) for name in ("guard_dev", "natural_dev") for line in (CORPORA / f"{name}.jsonl").open("rb")
][::6]


def events(record: dict[str, Any], **options: Any) -> list[Any]:
    guard = Guard(record["evidence"], explain=True, **options)
    return list(to_json(guard.feed(record["reply"]) + guard.close()))


def test_kept_readings_change_no_event() -> None:
    roomy, narrow = Readings(), Readings(items=3, characters=90)
    for now in (None, "2026-03-14T09:00:00+01:00"):
        for record in RECORDS:
            told = events(record, now=now)
            assert events(record, now=now, readings=roomy) == told
            assert events(record, now=now, readings=roomy) == told
            assert events(record, now=now, readings=narrow) == told


def test_what_is_kept_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read, texts = evidence_index.read, []

    def counted(text: str, now: date | None = None, *, quotes: bool = False) -> Any:
        texts.append(text)
        return read(text, now, quotes=quotes)

    monkeypatch.setattr(evidence_index, "read", counted)
    readings = Readings()
    evidence = Evidence(memories=["likes tea", "likes tea"], writes=["stored: rent"])
    for _ in range(2):
        Guard(evidence, readings=readings).feed("You told me you like tea. It rains.")
    assert sorted(texts) == ["likes tea", "stored: rent"]
    readings.clear()
    assert len(readings) == 0
    Guard(evidence, readings=readings).feed("You told me you like tea. It rains.")
    assert len(texts) == 4


@pytest.mark.parametrize(
    ("bounds", "asked", "kept"),
    [
        ({"items": 2}, ["a", "b", "c"], ["b", "c"]),
        ({"items": 2}, ["a", "b", "a", "c"], ["a", "c"]),
        ({"characters": 5}, ["aa", "bb", "cc"], ["bb", "cc"]),
        ({"characters": 5}, ["aa", "bbbbbb"], ["aa"]),
        ({"characters": 5}, ["aa", "bbbbb"], ["bbbbb"]),
        ({"items": 1, "characters": 1}, ["aa", "b", ""], [""]),
    ],
)
def test_no_more_is_kept_than_the_bounds_say(bounds: dict[str, int], asked: list[str], kept: list[str]) -> None:
    readings = Readings(**bounds)
    firsts = {text: readings.read(text, None) for text in asked}
    assert len(readings) == len(kept)
    for text in kept:
        assert readings.read(text, None) is firsts[text]
    for text in set(asked) - set(kept):
        assert readings.read(text, None) is not firsts[text]


def test_a_relative_date_is_read_for_its_own_day() -> None:
    readings = Readings()
    first = readings.read("saw Nadia yesterday", date(2026, 3, 1))
    second = readings.read("saw Nadia yesterday", date(2026, 4, 1))
    assert first.passage.values.dates != second.passage.values.dates


@pytest.mark.parametrize("bounds", [{"items": 0}, {"characters": 0}, {"items": True}, {"items": "9"}])
def test_a_bound_is_a_number_of_at_least_one(bounds: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        Readings(**bounds)


def test_words_of_one_family_stand_for_one_another_in_the_order_of_the_evidence() -> None:
    """It was the order of a set of texts, which another process has otherwise."""
    items = collect(
        Evidence(memories=["portuguese portugal portugals portugueses portugaliae portugalete"]), ["memories"]
    )
    assert Index(items).forms("portugoose") == ["portugues"]


def call(**request: Any) -> dict[str, Any]:
    return dict(json.loads(bridge.call(json.dumps(request))))


def test_a_host_opens_and_frees_readings() -> None:
    number = call(op="readings.open")["result"]["readings"]
    opened = call(op="guard.open", evidence={"memories": ["likes tea"]}, readings=number)
    told = call(
        op="guard.feed", guard=opened["result"]["guard"], text="You told me you like tea. Last time you sang.\n\nYes."
    )
    assert [event["kind"] for event in told["result"]] == ["text_shown", "text_dropped"]
    assert call(op="readings.free", readings=number)["ok"]
    assert call(op="guard.close", guard=opened["result"]["guard"])["ok"]
    assert call(op="guard.open", readings=number)["error"]["where"] == "readings"
    assert call(op="readings.free", readings=number)["ok"]
    call(op="guard.free", guard=opened["result"]["guard"])


def test_readings_are_bounded_in_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "READINGS", len(bridge._readings) + 1)
    number = call(op="readings.open")["result"]["readings"]
    assert call(op="readings.open")["error"]["code"] == "usage"
    call(op="readings.free", readings=number)
    assert call(op="readings.free", readings=call(op="readings.open")["result"]["readings"])["ok"]
