"""The border: one function, JSON in, JSON out, that never raises and holds a bounded number of open replies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgegate import __version__, bridge


def ask(op: str, **fields: Any) -> Any:
    reply = json.loads(bridge.call(json.dumps({"op": op, **fields})))
    assert reply["ok"], reply
    return reply["result"]


def error(request: str) -> dict[str, Any]:
    reply = json.loads(bridge.call(request))
    assert not reply["ok"], reply
    return dict(reply["error"])


@pytest.fixture(autouse=True)
def no_open_replies() -> Iterator[None]:
    bridge._guards.clear()
    yield
    assert len(bridge._guards) <= 1


def test_version_names_the_package_and_the_lexicons() -> None:
    result = ask("version")
    assert result["version"] == __version__
    assert result["lexicon"]


def test_a_memory_is_gated_across_the_border() -> None:
    report = ask("check", source="Someone said Alice was promoted this morning.", memory="Alice was promoted.")
    assert report["verdict"] == "REWRITE"
    change = next(change for change in report["changes"] if change["check"] == "attribution")
    assert change["source_quote"]["text"]
    assert change["cite"]
    assert ask("inspect", source="I like figs.", memory="The user likes figs.")["verdict"] is None


def test_a_chain_is_followed_and_drawn_across_the_border() -> None:
    versions = ["Someone said Alice was promoted.", "Alice was promoted."]
    found = ask("drift", versions=versions)
    assert [(loss["change"]["check"], loss["hop"]) for loss in found["losses"]] == [("attribution", 0)]
    assert found["hops"][0]["verdict"] == "REWRITE"
    assert ask("drift.draw", versions=versions).startswith("<svg")
    assert error('{"op": "drift", "versions": ["one"]}')["where"] == "versions"
    assert error('{"op": "drift.draw", "versions": ["one", 2]}')["where"] == "versions[1]"


def test_a_memory_is_fixed_across_the_border_in_two_phases() -> None:
    assert ask("fix", source="Maybe Ida left.", memory="Ida left.")["text"] == "Possibly, Ida left."
    source = "I keep meaning to cancel the gym."
    asked = ask("fix", source=source, memory="User cancelled the gym.")
    assert asked["text"] is None
    assert asked["question"]["kind"] == "rewrite"
    assert asked["question"]["lost"]
    for answer in ("User intends to cancel the gym.", {"memory": "User intends to cancel the gym."}):
        fixed = ask("fix.accept", source=source, question=asked["question"], answer=answer)
        assert fixed["text"] == "User intends to cancel the gym."
    for answer in ({"memory": "User has cancelled the gym."}, {}, None):
        assert ask("fix.accept", source=source, question=asked["question"], answer=answer)["text"] is None


def test_second_readers_are_asked_and_heard_across_the_border() -> None:
    write = {"source": "Ida moved to Ulm, they say.", "memory": "Ida moved to Ulm."}
    asked = ask("readers.ask", **write)
    assert [question["kind"] for question in asked["questions"]] == ["witness", "added"]
    answers = {"0": {"hedged": False, "attributed": True, "markers": ["moved"]}}
    heard = ask("readers.hear", **write, answers=answers)
    assert heard["report"]["verdict"] == "PASS"
    assert heard["void"] == [1]
    assert "added" in heard["report"]["not_checked"]
    assert ask("readers.hear", **write, readers=["witness"], answers={})["cannot_tell"] == []


def test_a_reply_is_guarded_across_the_border() -> None:
    number = ask("guard.open", evidence={"memories": ["The user has a sister called Nadia"]})["guard"]
    events = ask("guard.feed", guard=number, text="Hello! You told me you own a zeppelin. ")
    events += ask("guard.feed", guard=number, text="What can I do?")
    events += ask("guard.close", guard=number)
    shown = "".join(event["text"] for event in events if event["kind"] == "text_shown")
    assert shown == "Hello! What can I do?"
    assert [event["sentence"] for event in events if event["kind"] == "text_dropped"] == [
        "You told me you own a zeppelin."
    ]
    assert events[-1]["kind"] == "reply_end"
    assert events[-1]["shown"] == shown
    assert ask("guard.free", guard=number) is None
    assert error(json.dumps({"op": "guard.feed", "guard": number, "text": "x"}))["code"] == "usage"


def test_abort_leaves_what_was_shown() -> None:
    number = ask("guard.open", evidence={})["guard"]
    ask("guard.feed", guard=number, text="Hello there. And the rest")
    events = ask("guard.abort", guard=number)
    assert events[-1]["kind"] == "reply_end"
    assert events[-1]["aborted"] is True
    ask("guard.free", guard=number)


def test_what_is_held_is_told_as_a_length() -> None:
    number = ask("guard.open", evidence={})["guard"]
    ask("guard.feed", guard=number, text="Hello there. And the 🙂")
    assert ask("guard.held", guard=number) == len(" And the 🙂")
    ask("guard.close", guard=number)
    assert ask("guard.held", guard=number) == 0
    ask("guard.free", guard=number)


def test_a_half_surrogate_crosses_the_border() -> None:
    number = ask("guard.open", evidence={})["guard"]
    events = ask("guard.feed", guard=number, text="A \ud83d broken heart.") + ask("guard.close", guard=number)
    assert events[-1]["shown"] == "A \ud83d broken heart."
    ask("guard.free", guard=number)


@pytest.mark.parametrize(
    ("request_text", "code", "where"),
    [
        ("", "data", None),
        ("[1]", "data", None),
        ("{", "data", None),
        ("[" * 100_000, "data", None),
        ('{"op": "nothing"}', "usage", "op"),
        ('{"op": ["check"]}', "usage", "op"),
        ('{"op": "check", "source": "a"}', "data", "memory"),
        ('{"op": "check", "source": 1, "memory": "a"}', "data", "source"),
        ('{"op": "check", "source": [{"speaker": "user"}], "memory": "a"}', "data", "source[0].text"),
        ('{"op": "check", "source": "a", "memory": "b", "extra": 1}', "data", "extra"),
        ('{"op": "fix.accept", "source": "a", "question": {"number": 0}}', "data", "question.kind"),
        ('{"op": "readers.ask", "source": "a", "memory": "b", "readers": ["judge"]}', "usage", "readers"),
        ('{"op": "readers.ask", "source": "a", "memory": "b", "readers": [1]}', "data", "readers[0]"),
        ('{"op": "readers.hear", "source": "a", "memory": "b"}', "data", "answers"),
        ('{"op": "readers.hear", "source": "a", "memory": "b", "answers": {"-1": {}}}', "data", "answers.-1"),
        ('{"op": "drift", "versions": "a"}', "data", "versions"),
        ('{"op": "guard.open", "evidence": {"memory": []}}', "data", "evidence.memory"),
        ('{"op": "guard.open", "evidence": {"memories": [1]}}', "data", "evidence.memories[0]"),
        ('{"op": "guard.open", "evidence": {}, "cap": true}', "data", "cap"),
        ('{"op": "guard.open", "evidence": {}, "cap": 0}', "usage", None),
        ('{"op": "guard.feed", "guard": 77, "text": ""}', "usage", "guard"),
        ('{"op": "guard.feed", "guard": 77}', "usage", "guard"),
    ],
)
def test_a_bad_request_is_a_clear_error(request_text: str, code: str, where: str | None) -> None:
    found = error(request_text)
    assert found["code"] == code, found
    assert found["message"]
    if where is not None:
        assert found["where"] == where


@given(st.text(max_size=200))
def test_no_request_raises(request: str) -> None:
    assert json.loads(bridge.call(request))["ok"] is False


def test_open_replies_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "LIMIT", 1)
    ask("guard.open", evidence={})
    assert error('{"op": "guard.open", "evidence": {}}')["code"] == "usage"


def test_a_failure_inside_is_an_error_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(request: Any) -> Any:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr(bridge, "OPS", {"version": broken})
    found = error('{"op": "version"}')
    assert found["code"] == "internal"
    assert "broken on purpose" in found["message"]
