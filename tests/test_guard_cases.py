"""Failures that people reported in public, rebuilt in our own words: the exact text that is left of each reply."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any

import pytest

from edgegate.guard.stream import Guard
from edgegate.records import Evidence, TextDropped

DATA = Path(__file__).parent / "data"


def cases() -> list[Any]:
    found = []
    for job in ("guard", "stream"):
        for line in (DATA / "cases" / f"{job}.jsonl").read_text("utf-8").splitlines():
            case = json.loads(line)
            found.append(pytest.param(case, id=case["id"]))
    return found


def chunks_of(given: dict[str, Any]) -> list[str]:
    """The chunks as the host decodes them: an incremental decoder keeps a letter whole over two chunks of bytes."""
    if "chunks_bytes_hex" in given:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        return [decoder.decode(bytes.fromhex(piece)) for piece in given["chunks_bytes_hex"]] + [
            decoder.decode(b"", True)
        ]
    return given.get("chunks") or [given["reply"]]


@pytest.mark.parametrize("cut", ["chunks", "letters"])
@pytest.mark.parametrize("case", cases())
def test_case(case: dict[str, Any], cut: str) -> None:
    given = case["input"]
    evidence = Evidence.read(given.get("evidence", {}))
    if "previous_turn_chunks" in given:
        earlier = Guard(evidence)
        for chunk in given["previous_turn_chunks"]:
            earlier.feed(chunk)
        earlier.abort()
    chunks = chunks_of(given)
    guard = Guard(evidence)
    events = []
    for chunk in chunks if cut == "chunks" else "".join(chunks):
        events += guard.feed(chunk)
    events += guard.close()
    assert guard.shown == case["expect"]["output"]
    if "dropped" in case["expect"]:
        assert [event.sentence for event in events if isinstance(event, TextDropped)] == case["expect"]["dropped"]


def test_text_does_not_wait_for_the_end_because_of_a_sign() -> None:
    guard = Guard(Evidence())
    guard.feed("Love that idea <3. And see you at noon")
    assert guard.shown == "Love that idea <3."
