"""What the page ships to play: each recording is whole, is what replies.json says, and is judged as its labels say."""

from __future__ import annotations

import json
import re
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
        assert re.sub(r"^\d+\. ", "", kept) in found["expected"]["shown"]  # numbers of a list are counted anew


def test_there_is_a_recording_for_each_thing_that_is_hard() -> None:
    found = [recording(name) for name in NAMES]
    wholes = ["".join(sentence["text"] for sentence in one["sentences"]) for one in found]
    assert len(found) >= 8
    assert any("```" in text for text in wholes)
    assert any("|---" in text for text in wholes)
    assert any(text.count("\n\n") > 2 and "#" not in text for text in wholes)
    assert any(sentence["label"] == "safety" for one in found for sentence in one["sentences"])
    assert any("breaks" in one for one in found)
    assert any(one.get("known", {}).get("missed") and one["known"]["wrongly_dropped"] for one in found)


def judged(name: str) -> tuple[str, list[str]]:
    """What the guard shows of a recording, and the sentences it drops."""
    found = recording(name)
    guard = Guard(found["evidence"])
    events = [event for _, piece in found["chunks"] for event in guard.feed(piece)] + guard.close()
    return guard.shown, [event.sentence for event in events if event.kind == "text_dropped"]


def test_the_recording_that_run_py_checks_is_judged_exactly_as_labelled() -> None:
    expected = recording("night-shift")["expected"]
    assert judged("night-shift") == (expected["shown"], expected["dropped"])


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_is_judged_as_labelled_but_for_what_is_known_to_go_wrong(name: str) -> None:
    """The labels say what is right, not what the guard does. Where it is wrong, the recording says so beforehand."""
    found = recording(name)
    shown, dropped = judged(name)
    expected, known = found["expected"], found.get("known", {"missed": [], "wrongly_dropped": []})
    assert {text for text in expected["dropped"] if text not in dropped} <= set(known["missed"])
    assert {text for text in dropped if text not in expected["dropped"]} <= set(known["wrongly_dropped"])
    if "known" not in found:
        assert shown == expected["shown"]


@pytest.mark.parametrize("example", MEMORIES, ids=[str(example["id"]) for example in MEMORIES])
def test_a_memory_is_judged_as_labelled(example: dict[str, Any]) -> None:
    report = check(example["source"], example["memory"], now=example["now"])
    flagged = {change.check for change in report.changes if change.severity != "advisory"}
    assert (report.verdict, flagged) == (example["expected"]["verdict"], set(example["expected"]["checks"]))
