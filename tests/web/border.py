"""Requests to every operation of the core, so that each runtime can be held to what the library answers here."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock

from edgegate import bridge

SOURCE = "Someone said Alice was promoted. I might move to Porto in May."
MEMORY = {"source": SOURCE, "memory": "Alice was promoted."}
TOLD = {"operation": "message", "arguments": {"text": "remember that the gate code is 4820", "now": "2026-03-14"}}
HELD = {"id": "1.0", "text": "The user rows", "kind": "fact", "verdict": "PASS", "terms": ["row"]}
FORGET = {"operation": "forget", "arguments": {"request": "forget that I row"}}
LABELLED = {"id": "x", "evidence": {}, "reply": "Hello.", "sentences": [{"text": "Hello.", "label": "none"}]}
OPENED = 2
"""The number of the first reply that is opened: the build opened one to warm the core up."""


def answered(op: str, **fields: Any) -> Any:
    reply = json.loads(bridge.call(json.dumps({"op": op, **fields})))
    assert reply["ok"], reply
    return reply["result"]


def requests() -> list[dict[str, Any]]:
    question = answered("fix", **MEMORY)["question"] or answered("readers.ask", **MEMORY)["questions"][0]
    asked = answered("readers.ask", **MEMORY)["questions"]
    return [
        {"op": "version"},
        {"op": "check", **MEMORY, "now": "2026-03-14T09:00:00+01:00"},
        {"op": "inspect", **MEMORY},
        {"op": "drift", "versions": [SOURCE, "Alice may have been promoted.", "Alice was promoted."]},
        {"op": "drift.draw", "versions": [SOURCE, "Alice was promoted."]},
        {"op": "fix", **MEMORY},
        {"op": "fix.accept", "source": SOURCE, "question": question, "answer": "Someone said Alice was promoted."},
        {"op": "readers.ask", **MEMORY},
        {"op": "readers.hear", **MEMORY, "answers": {str(each["number"]): None for each in asked}},
        {"op": "guard.open", "evidence": {"memories": ["The user has a sister called Nadia"]}},
        {"op": "guard.feed", "guard": OPENED, "text": "Hello! Last time you told me about your boat. How is Nadia? B"},
        {"op": "guard.held", "guard": OPENED},
        {"op": "guard.close", "guard": OPENED},
        {"op": "guard.free", "guard": OPENED},
        {"op": "guard.open"},
        {"op": "guard.abort", "guard": OPENED + 1},
        {"op": "guard.free", "guard": OPENED + 1},
        {"op": "readings.open"},
        {"op": "guard.open", "evidence": {"memories": ["The user rows"]}, "readings": OPENED + 2},
        {"op": "guard.free", "guard": OPENED + 3},
        {"op": "readings.free", "readings": OPENED + 2},
        {"op": "memory", **TOLD},
        {"op": "memory", **TOLD, "answers": [{"revision": 0}]},
        {"op": "memory", **TOLD, "answers": [{"revision": 0}, {"revision": 1, "put": ["1.0"]}]},
        {"op": "memory", **FORGET, "answers": [{"revision": 1, "memories": [HELD]}]},
        {"op": "memory", "operation": "recall", "arguments": {"message": "Shall we row?"}},
        {"op": "memory", "operation": "read_message", "arguments": {"text": "remind me on Thursday to pay the rent"}},
        {"op": "memory", "operation": "plan_forget", "arguments": {"memories": ["I row"], "request": "forget I row"}},
        {"op": "score", "record": LABELLED},
        {"op": "score.sum", "job": "guard", "groups": {"a": [{"records": 1, "catch": {"count": 1, "total": 2}}]}},
        {"op": "nothing"},
    ]


REQUESTS = [json.dumps(request) for request in requests()]
"""The requests, as they cross the border. None is left out: `same_as_here` looks."""


def same_as_here(answers: list[str]) -> None:
    """Each answer from elsewhere is the library's own, and there is one to each operation."""
    asked = [json.loads(request)["op"] for request in REQUESTS]
    assert {*bridge.OPS, "nothing"} - set(asked) == set(), "an operation that is not asked here"
    with mock.patch.object(bridge, "_opened", OPENED - 1), mock.patch.dict(bridge._guards, clear=True):
        for request, op, answer in zip(REQUESTS, asked, answers, strict=True):
            own = json.loads(bridge.call(request))
            assert json.loads(answer) == own, request
            assert own["ok"] is (op != "nothing"), (request, own)
