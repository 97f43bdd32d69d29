"""What the page ships to play: each recording is whole, is what replies.json says, and is judged as its labels say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from build_scripts import make_recordings
from edgegate.gate.report import check
from edgegate.guard.stream import Guard

PAGE = Path(__file__).resolve().parent.parent.parent / "web" / "page"
WRITTEN: list[dict[str, Any]] = json.loads((PAGE / "replies.json").read_text("utf-8"))
MEMORIES: list[dict[str, Any]] = json.loads((PAGE / "recordings" / "memories.json").read_text("utf-8"))
NAMES = [str(reply["id"]) for reply in WRITTEN]


def recording(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((PAGE / "recordings" / f"{name}.json").read_text("utf-8"))
    return read


@pytest.mark.parametrize("reply", WRITTEN, ids=NAMES)
def test_recordings_are_made_from_the_written_replies(reply: dict[str, Any]) -> None:
    made = make_recordings.dump(make_recordings.record(reply))
    assert (PAGE / "recordings" / f"{reply['id']}.json").read_text("utf-8") == made, (
        "run build_scripts/make_recordings.py"
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_is_whole(name: str) -> None:
    found = recording(name)
    text = "".join(sentence["text"] for sentence in found["sentences"])
    assert "".join(piece for _, piece in found["chunks"]) == text
    assert len(found["chunks"]) > 30
    untrue = [one["text"].strip() for one in found["sentences"] if one["label"] in ("fabricated", "safety")]
    assert found["expected"]["dropped"] == untrue
    assert not any(sentence in found["expected"]["shown"] for sentence in untrue)
    for kept in (one["text"].strip() for one in found["sentences"] if one["label"] in ("plain", "supported")):
        assert kept in found["expected"]["shown"]


def judged(name: str) -> tuple[str, list[str]]:
    """What the guard shows of a recording, and the sentences it drops."""
    found = recording(name)
    guard = Guard(found["evidence"])
    events = [event for _, piece in found["chunks"] for event in guard.feed(piece)] + guard.close()
    return guard.shown, [event.sentence for event in events if event.kind == "text_dropped"]


def test_the_recording_that_run_py_checks_is_judged_exactly_as_labelled() -> None:
    expected = recording("night-shift")["expected"]
    assert judged("night-shift") == (expected["shown"], expected["dropped"])


def test_the_recordings_lose_nothing_that_is_true_and_little_that_is_untrue_gets_through() -> None:
    """The labels say what is right, not what the guard does: a reply may get an invention past it, but few do."""
    wrongly_dropped, missed, untrue = [], [], 0
    for name in NAMES:
        _, dropped = judged(name)
        expected = recording(name)["expected"]["dropped"]
        untrue += len(expected)
        wrongly_dropped += [sentence for sentence in dropped if sentence not in expected]
        missed += [sentence for sentence in expected if sentence not in dropped]
    assert wrongly_dropped == []
    assert len(missed) <= untrue * 0.15, missed


@pytest.mark.parametrize("example", MEMORIES, ids=[str(example["id"]) for example in MEMORIES])
def test_a_memory_is_judged_as_labelled(example: dict[str, Any]) -> None:
    report = check(example["source"], example["memory"], now=example["now"])
    flagged = {change.check for change in report.changes if change.severity != "advisory"}
    assert (report.verdict, flagged) == (example["expected"]["verdict"], set(example["expected"]["checks"]))
