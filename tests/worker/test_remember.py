"""Stored memory at the edge: kept through the one door, asked, forgotten, and used as evidence; each user's apart."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import openai
import pytest

from edgegate.memory.door import Door
from edgegate.memory.writing import Result
from edgegate.records import to_json
from edgegate.stores import InMemoryStore
from tests.worker.conftest import KEY
from tests.worker.test_worker import content, guarded

NOW = "2026-03-14T09:00:00+01:00"
HEADER = "X-User"
CHAT = "/v1/chat/completions"
TOLD = [{"speaker": "user", "text": "My sister Nadia moved to Ghent. I might move to Porto."}]


@pytest.fixture(scope="module")
def server(start: Callable[..., str]) -> str:
    """A worker behind something that names the user in a header."""
    return start(USER_HEADER=HEADER)


class User:
    """One user of the worker at `address`."""

    def __init__(self, address: str, name: str | None) -> None:
        self.address, self.name = address, name

    def ask(self, method: str, path: str, body: Any = None, *, key: str = KEY) -> tuple[int, Any]:
        headers = {"content-type": "application/json", "authorization": f"Bearer {key}"}
        if self.name is not None:
            headers[HEADER] = self.name
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def good(self, method: str, path: str, body: Any = None) -> Any:
        status, answer = self.ask(method, path, body)
        assert status == 200, answer
        return answer

    def texts(self) -> list[str]:
        return [memory["text"] for memory in self.good("GET", "/v1/memories")["data"]]


@pytest.fixture
def user(server: str, request: pytest.FixtureRequest) -> User:
    """A user of each test's own."""
    return User(server, request.node.name)


def by_the_library(door: Door, body: dict[str, Any]) -> Result:
    """What the library does with the body of a request that keeps something."""
    given = {**body, "now": NOW}
    if "message" in given:
        return door.message(given.pop("message"), **given)
    if "source" in given:
        return door.propose(given.pop("memory"), given.pop("source"), **given)
    if "memory" in given:
        return door.enter(given.pop("memory"), **given)
    return door.bring(**given) if "rows" in given else door.keep_chat(**given)


def test_every_way_of_keeping_goes_through_the_door_as_the_library_does(user: User) -> None:
    door = Door(InMemoryStore())
    for body in (
        {"message": "remember that the gate code is 4820"},
        {"memory": "The user's sister Nadia moved to Ghent", "source": TOLD},
        {"memory": "Alice was promoted.", "source": [{"speaker": "user", "text": "Someone said Alice was promoted."}]},
        {"memory": "The user moved to Porto", "source": TOLD},
        {"memory": "The user rows", "kind": "fact"},
        {"rows": [{"text": "The user bakes rye bread"}]},
        {"turns": TOLD},
        {"message": "What time is it?"},
    ):
        answer = user.good("POST", "/v1/memories", {**body, "now": NOW})
        result = by_the_library(door, body)
        expected = {"object": "memory.outcome", **to_json(result), "visible": to_json(result.visible)}
        assert answer == expected, body
    kept = user.good("GET", "/v1/memories?turns=50")
    assert kept["data"] == to_json(door.store.load().memories)
    assert kept["turns"] == to_json(door.store.load(50).turns)
    assert "The user moved to Porto" not in user.texts()


def test_a_memory_that_the_gate_refuses_is_told_with_its_verdict_and_not_kept(user: User) -> None:
    source = [{"speaker": "user", "text": "I row every Sunday."}]
    answer = user.good("POST", "/v1/memories", {"memory": "The user does not row", "source": source})
    (item,) = answer["items"]
    assert (item["verdict"], item["outcome"], item["id"]) == ("REJECT", "discarded", None)
    assert item["report"]["changes"][0]["source_quote"]["text"]
    assert answer["writes"] == ["not stored: The user does not row"]
    assert user.texts() == []


def test_what_is_kept_is_found_taken_along_and_deleted(user: User) -> None:
    user.good("POST", "/v1/memories", {"rows": [{"text": "The user rows"}, {"text": "The user bakes rye bread"}]})
    found = user.good("GET", "/v1/memories?q=shall+I+bake+bread&limit=1")["data"]
    assert [each["memory"]["text"] for each in found] == ["The user bakes rye bread"]
    everything = user.good("GET", "/v1/memories/export")
    assert everything["format"] == "edgegate memories"
    assert [memory["text"] for memory in everything["memories"]] == ["The user rows", "The user bakes rye bread"]
    gone = user.good("DELETE", "/v1/memories", {"ids": [found[0]["memory"]["id"], "no such"]})
    assert gone["applied"]["deleted"] == [found[0]["memory"]["id"]]
    assert gone["words"] == "Deleted: “The user bakes rye bread”."
    assert user.texts() == ["The user rows"]
    again = user.good("DELETE", "/v1/memories", {"ids": [found[0]["memory"]["id"]]})
    assert again["applied"]["deleted"] == []
    user.good("POST", "/v1/memories", {"memory": "The user sails on Sundays"})
    assert len(user.good("DELETE", "/v1/memories", {"all": True})["applied"]["deleted"]) == 2
    assert user.texts() == []


def test_a_request_to_forget_is_planned_done_or_asked_about(user: User) -> None:
    rows = ["The user's sister Nadia lives in Ghent", "The user's sister Ines is a doctor", "The user rows"]
    user.good("POST", "/v1/memories", {"rows": [{"text": text} for text in rows]})
    planned = user.good("POST", "/v1/memories/forget", {"request": "forget that I row", "plan": True})
    assert (planned["outcome"], [each["text"] for each in planned["candidates"]]) == ("delete", ["The user rows"])
    assert len(user.texts()) == 3
    asked = user.good("POST", "/v1/memories/forget", {"request": "forget my sister"})
    assert asked["turn"]["outcome"] == "ask"
    assert [each["text"] for each in asked["candidates"]] == rows[:2]
    assert len(user.texts()) == 3
    picked = user.good("DELETE", "/v1/memories", {"ids": [asked["candidates"][1]["id"]]})
    assert picked["writes"] == ["deleted: The user's sister Ines is a doctor"]
    done = user.good("POST", "/v1/memories/forget", {"request": "forget that I row"})
    assert (done["words"], done["candidates"]) == ("Deleted: “The user rows”.", [])
    none = user.good("POST", "/v1/memories/forget", {"request": "forget my shoe size"})
    assert none["turn"]["outcome"] == "none"
    assert user.texts() == rows[:1]


def test_the_python_client_keeps_and_forgets(server: str) -> None:
    client = openai.OpenAI(base_url=f"{server}/v1", api_key=KEY, default_headers={HEADER: "client"}, max_retries=0)
    body = {"memory": "The user's sister Nadia moved to Ghent", "source": TOLD}
    kept: Any = client.post("/memories", cast_to=object, body=body)
    assert kept["items"][0]["verdict"] == "PASS"
    held: Any = client.get("/memories", cast_to=object)
    assert [memory["text"] for memory in held["data"]] == [body["memory"]]
    gone: Any = client.post("/memories/forget", cast_to=object, body={"request": "forget where my sister lives"})
    assert gone["applied"]["deleted"] == [held["data"][0]["id"]]
    with pytest.raises(openai.BadRequestError, match="expected one of"):
        client.post("/memories", cast_to=object, body={})


def test_a_chat_that_may_not_save_writes_nothing_but_forgets(user: User) -> None:
    user.good("POST", "/v1/memories", {"memory": "The user rows"})
    before = user.good("GET", "/v1/memories?turns=50")
    closed = {"scope": {"saves": False}}
    rows = [{"text": "The user sails"}]
    for body in ({"message": "remember that I sail"}, {"memory": "The user sails"}, {"rows": rows}):
        answer = user.good("POST", "/v1/memories", {**body, **closed})
        assert (answer["turn"]["outcome"], answer["turn"]["reason"], answer["applied"]) == ("refused", "no_save", None)
    assert user.good("GET", "/v1/memories?turns=50") == before
    user.good("POST", "/v1/memories/forget", {"request": "forget that I row", **closed})
    after = user.good("GET", "/v1/memories?turns=50")
    assert (after["data"], after["turns"]) == ([], before["turns"])


def chat(user: User, memory: Any, *, asked: str = "How is my sister Nadia?", stream: bool = False, **own: Any) -> str:
    """The reply to `asked`: the model's server says back the last message, so the reply is given as that."""
    reply = "Your sister Nadia moved to Ghent, you told me. Last time you told me about your boat. Good morning."
    messages = [{"role": "user", "content": asked}, {"role": "assistant", "content": reply}]
    body = {"model": "plain", "messages": messages, "stream": stream, "edgegate": {"memory": memory, "now": NOW, **own}}
    headers = {"authorization": f"Bearer {KEY}", HEADER: str(user.name)}
    request = urllib.request.Request(f"{user.address}/v1/chat/completions", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        told = answer.read().decode()
    return content(told) if stream else str(json.loads(told)["choices"][0]["message"]["content"])


@pytest.mark.parametrize("stream", [False, True])
def test_stored_memories_are_evidence_where_the_request_says_so(user: User, stream: bool) -> None:
    user.good("POST", "/v1/memories", {"memory": "The user's sister Nadia moved to Ghent", "now": "2026-03-01"})
    text = "Your sister Nadia moved to Ghent, you told me. Last time you told me about your boat. Good morning."
    held = {"memories": ["The user's sister Nadia moved to Ghent"]}
    assert "Ghent" in guarded(text, held)
    assert "boat" not in guarded(text, held)
    assert chat(user, True, stream=stream) == guarded(text, held)
    # Marked as recalled, as a commit of its own after the answer.
    for _ in range(100):
        kept = user.good("GET", "/v1/memories?turns=1")
        if kept["turns"][0]["operation"] == "recall":
            break
        time.sleep(0.05)
    assert kept["data"][0]["seen"] == NOW
    # Not asked for; about something else; in a chat that may not save, and so not read; in one that may read.
    assert chat(user, None, stream=stream) == guarded(text, {})
    assert chat(user, True, asked="What is the weather?", stream=stream) == guarded(text, {})
    assert chat(user, {"scope": {"saves": False}}, stream=stream) == guarded(text, {})
    revision = user.good("GET", "/v1/memories")["revision"]
    assert chat(user, {"scope": {"saves": False, "reads": True}, "limit": 3}, stream=stream) == guarded(text, held)
    assert user.good("GET", "/v1/memories")["revision"] == revision
    # Beside what the request gives itself.
    both = {"memories": ["The user has a boat", *held["memories"]]}
    assert chat(user, True, stream=stream, evidence={"memories": ["The user has a boat"]}) == guarded(text, both)


def test_users_keep_apart_and_one_key_is_one_memory_without_a_header(server: str, worker: str) -> None:
    one, other = User(server, "one"), User(server, "other")
    one.good("POST", "/v1/memories", {"memory": "The user rows"})
    assert other.texts() == []
    assert one.texts() == ["The user rows"]
    for name in (None, "", "   ", "x" * 300):
        status, body = User(server, name).ask("GET", "/v1/memories")
        assert (status, body["error"]["code"], body["error"]["param"]) == (400, "no_user", HEADER)
    # Where no header is named, what a client sends under one says nothing.
    User(worker, "one").good("POST", "/v1/memories", {"memory": "The user sails"})
    assert User(worker, "other").texts() == ["The user sails"] == User(worker, None).texts()


def test_many_at_once_lose_nothing(user: User) -> None:
    """Writers plan on the same revision; those that were slower plan again, or are told to."""
    facts = ["rows", "bakes rye bread", "has a cat", "plays the viola", "works nights", "is a plumber"]
    answers: list[tuple[str, int]] = []

    def one(fact: str) -> None:
        text = f"The user {fact}"
        answers.append((text, user.ask("POST", "/v1/memories", {"memory": text})[0]))

    threads = [threading.Thread(target=one, args=(fact,)) for fact in facts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert {status for _, status in answers} <= {200, 409}
    assert sorted(user.texts()) == sorted(text for text, status in answers if status == 200)
    assert len(user.texts()) >= 4


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code", "param"),
    [
        ("POST", "/v1/memories", {}, 400, "invalid_request", None),
        ("POST", "/v1/memories", {"memory": "a", "message": "b"}, 400, "invalid_request", "memory"),
        ("POST", "/v1/memories", {"memory": "a", "sauce": "b"}, 400, "invalid_request", "sauce"),
        ("POST", "/v1/memories", {"memory": 5}, 400, "invalid_request", "text"),
        ("POST", "/v1/memories", {"memory": "a", "source": 5}, 400, "invalid_request", "source"),
        ("POST", "/v1/memories", {"memory": "a", "context": []}, 400, "invalid_request", "context"),
        ("POST", "/v1/memories", {"memory": "a", "now": 5}, 400, "invalid_request", "now"),
        ("POST", "/v1/memories", {"memory": "a", "scope": 5}, 400, "invalid_request", "scope"),
        ("POST", "/v1/memories", {"memory": "a", "scope": {"save": False}}, 400, "invalid_request", "scope.save"),
        ("POST", "/v1/memories", {"rows": {"text": "a"}}, 400, "invalid_request", "rows"),
        ("POST", "/v1/memories", {"rows": [{"text": "a"}] * 21}, 400, "invalid_request", "rows"),
        ("POST", "/v1/memories", {"turns": [5]}, 400, "invalid_request", "turns[0]"),
        ("POST", "/v1/memories", b"{", 400, "invalid_json", None),
        ("DELETE", "/v1/memories", {}, 400, "invalid_request", "ids"),
        ("DELETE", "/v1/memories", {"ids": ["a"], "all": True}, 400, "invalid_request", "ids"),
        ("DELETE", "/v1/memories", {"ids": "a"}, 400, "invalid_request", "ids"),
        ("GET", "/v1/memories?limit=3", None, 400, "invalid_request", "limit"),
        ("GET", "/v1/memories?q=a&limit=0", None, 400, "invalid_request", "limit"),
        ("GET", "/v1/memories?x=1", None, 400, "invalid_request", "x"),
        ("PUT", "/v1/memories", {}, 405, "method_not_allowed", None),
        ("POST", "/v1/memories/forget", {}, 400, "invalid_request", "request"),
        ("POST", "/v1/memories/forget", {"request": "forget it", "plan": 1}, 400, "invalid_request", "plan"),
        ("POST", "/v1/memories/export", {}, 405, "method_not_allowed", None),
        ("GET", "/v1/memories/nothing", None, 404, "not_found", None),
        ("POST", CHAT, {"edgegate": {"memory": False}}, 400, "invalid_evidence", "edgegate.memory"),
        ("POST", CHAT, {"edgegate": {"memory": {"x": 1}}}, 400, "invalid_evidence", "edgegate.memory.x"),
        (
            "POST",
            CHAT,
            {"messages": [{"role": "user", "content": "hi"}], "edgegate": {"memory": {"limit": "3"}}},
            400,
            "invalid_evidence",
            "edgegate.memory.limit",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_request_is_named(
    user: User, method: str, path: str, body: Any, status: int, code: str, param: str | None
) -> None:
    found, answer = user.ask(method, path, body)
    assert (found, answer["error"]["code"], answer["error"]["param"]) == (status, code, param), answer
    assert set(answer["error"]) == {"message", "type", "param", "code"}
    assert user.ask(method, path, body, key="wrong")[0] == 401


def test_memory_has_limits(start: Callable[..., str]) -> None:
    someone = User(start(MAX_MEMORIES="1", MAX_BODY_BYTES="2000"), None)
    someone.good("POST", "/v1/memories", {"memory": "The user rows"})
    status, body = someone.ask("POST", "/v1/memories", {"memory": "The gate code is 4820"})
    assert (status, body["error"]["code"]) == (409, "memory_full")
    assert someone.ask("POST", "/v1/memories", {"memory": "x" * 3000})[0] == 413
    assert someone.texts() == ["The user rows"]
    assert someone.good("GET", "/health")["running"] == 0
