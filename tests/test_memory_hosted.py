"""Memory for hosts that keep the store themselves: questions out, answers in, and success said last."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from edgegate import bridge
from edgegate.errors import EdgegateError, UsageError
from edgegate.memory.door import ATTEMPTS, Door
from edgegate.memory.hosted import run
from edgegate.memory.recall import recall
from edgegate.memory.writing import Scope
from edgegate.records import read_record, to_json
from edgegate.stores import Applied, Commit, InMemoryStore, StaleError, Store
from tests.test_memory_door import CLOSED, MESSAGES, NOW

TURNS = [{"speaker": "user", "text": "I row on the lake on Sundays"}]


class Host:
    """What a host does: it asks its store, and calls again over the bridge with all that it was told so far."""

    def __init__(self, store: Store, readers: Mapping[str, Callable[..., Any]] | None = None) -> None:
        self.store = store
        self.readers = readers or {}
        self.asked: list[str] = []
        self.calls = 0

    def run(self, operation: str, scope: Any = None, settings: Any = None, **arguments: Any) -> Any:
        answers: list[Any] = []
        for _ in range(40):
            request = {"op": "memory", "operation": operation, "scope": scope or {}, "settings": settings or {}}
            reply = json.loads(bridge.call(json.dumps(request | {"arguments": arguments, "answers": answers})))
            self.calls += 1
            if not reply["ok"]:
                raise EdgegateError(reply["error"]["message"], where=reply["error"]["where"])
            if "result" in reply["result"]:
                return reply["result"]["result"]
            answers += [self.answer(question) for question in reply["result"]["questions"]]
        raise AssertionError("it never ends")

    def answer(self, question: dict[str, Any]) -> Any:
        self.asked.append(question["kind"])
        match question["kind"]:
            case "load":
                return to_json(self.store.load(question["turns"], question["ids"]))
            case "find":
                return to_json(self.store.find(question["terms"], question["limit"]))
            case "apply":
                try:
                    return to_json(self.store.apply(read_record(Commit, question["commit"])))
                except StaleError as error:
                    return {"stale": error.message}
            case "choose":
                return self.readers["choose"](question["request"], question["memories"])
        return self.readers[question["kind"]](question["question"])


def texts(store: Store) -> list[str]:
    return [memory.text for memory in store.load().memories]


OPERATIONS: list[tuple[str, dict[str, Any]]] = [
    ("message", {"text": "remember that my locker number is 88", "now": NOW, "in_prompt": 2}),
    ("message", {"text": "hi, my wife's name is Claire and my daughter is eleven", "now": NOW, "context": TURNS}),
    ("propose", {"text": "The user rows on the lake", "source": TURNS, "now": NOW}),
    ("enter", {"text": "The user has a dog called Rex", "now": NOW}),
    ("bring", {"rows": [{"text": "The user bakes"}, {"text": "Ida skates", "about": "Ida"}], "now": NOW}),
    ("keep_chat", {"turns": TURNS, "now": NOW}),
    ("message", {"text": "my daughter is twelve now", "now": NOW}),
    ("delete", {"ids": ["1.0", "nothing"], "now": NOW}),
    ("forget", {"request": "forget that I have a dog", "now": NOW}),
    ("message", {"text": "forget that my wife's name is Claire, it's Clara now", "now": NOW}),
    ("forget", {"request": "forget my shoe size", "now": NOW}),
    ("refresh", {"ids": ["2.0"], "now": NOW, "in_prompt": 1}),
]


def test_a_host_ends_up_with_what_a_store_in_python_holds() -> None:
    """Every operation, one after another, says and keeps the same by either way."""
    host, door = Host(InMemoryStore()), Door(InMemoryStore())
    for operation, arguments in OPERATIONS:
        said = getattr(door, operation)(**arguments)
        assert host.run(operation, **arguments) == to_json(said) | {"visible": to_json(said.visible)}, operation
        assert host.store.load(99) == door.store.load(99), operation
    assert len(texts(host.store)) >= 4
    question = {"message": "when did I row with my wife?", "now": NOW}
    assert host.run("recall", **question) == to_json(recall(door.store, **question)) != []


def test_a_batch_is_looked_up_and_written_in_three_calls() -> None:
    host = Host(InMemoryStore())
    host.run("bring", rows=[{"text": f"Person{number} lives in town {number}"} for number in range(30)])
    assert (host.calls, host.asked.count("find"), host.asked.count("apply")) == (3, 30, 1)


def test_nothing_is_called_done_before_the_store_has_answered() -> None:
    arguments = {"text": "remember that the gate code is 4820"}
    planned = run("message", {}, arguments, [{"revision": 0}])
    assert "result" not in planned
    assert planned["questions"][0]["kind"] == "apply"
    lost = run("message", {}, arguments, [{"revision": 0}, {"revision": 1, "put": []}])
    assert lost["result"]["writes"] == []  # what the store did not put is not called stored


class Raced(InMemoryStore):
    """A store where another tab writes first, the first few times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def apply(self, commit: Commit) -> Applied:
        if self.times:
            self.times -= 1
            Door(self.inner()).enter(f"Neighbour{self.times} has a boat")
        return super().apply(commit)

    def inner(self) -> Store:
        outer = self

        class Inner:
            load = outer.load
            find = outer.find

            def apply(self, commit: Commit) -> Applied:
                return InMemoryStore.apply(outer, commit)

        return Inner()


def test_a_stale_commit_is_planned_again_on_what_the_store_holds_now() -> None:
    host = Host(Raced(2))
    result = host.run("enter", text="The user rows")
    assert host.asked.count("apply") == 3
    assert result["applied"]["revision"] == 3
    assert sorted(texts(host.store)) == ["Neighbour0 has a boat", "Neighbour1 has a boat", "The user rows"]
    with pytest.raises(EdgegateError, match="plan it again"):
        Host(Raced(ATTEMPTS)).run("enter", text="The user rows")


@pytest.mark.parametrize("scope", CLOSED, ids=str)
@pytest.mark.parametrize("message", MESSAGES)
def test_a_host_is_asked_nothing_where_nothing_may_be_written(message: str, scope: Scope) -> None:
    reply = run("message", to_json(scope), {"text": message})
    assert reply["result"]["turn"]["outcome"] == "refused"
    assert reply["result"]["applied"] is None


def test_forgetting_works_and_reading_is_the_hosts_option() -> None:
    host = Host(InMemoryStore())
    host.run("enter", text="The user has a dog called Rex")
    assert host.run("recall", {"saves": False}, message="the dog?") == []
    assert len(host.run("recall", {"saves": False, "reads": True}, message="the dog?")) == 1
    assert host.run("allowed", {"saves": False, "reads": True}) == {"may_save": False, "may_read": True}
    assert host.run("allowed") == {"may_save": True, "may_read": True}
    assert "Deleted" in host.run("forget", {"on": False}, request="forget that I have a dog")["words"]
    assert texts(host.store) == []
    assert len(host.store.load(9).turns) == 1


def test_a_chooser_is_asked_when_words_find_none_and_deletes_nothing() -> None:
    heard: list[Sequence[str]] = []

    def choose(request: str, memories: Sequence[str]) -> list[int]:
        heard.append(memories)
        return [0, 7]

    host = Host(InMemoryStore(), {"choose": choose})
    host.run("enter", text="The user is a second-year nursing student")
    result = host.run("forget", None, {"chooses": True}, request="forget about my degree")
    assert heard == [["The user is a second-year nursing student"]]
    assert (result["turn"]["outcome"], result["turn"]["reason"]) == ("ask", "chosen")
    assert len(texts(host.store)) == 1
    assert host.run("forget", request="forget about my degree")["turn"]["outcome"] == "none"
    plan = host.run("plan_forget", None, {"chooses": True}, memories=["a", "b"], request="forget my degree")
    assert (plan["outcome"], plan["targets"]) == ("ask", [0])


def test_a_rewriter_is_asked_and_its_text_passes_the_same_gate() -> None:
    source = [{"speaker": "user", "text": "I keep meaning to cancel the gym."}]
    for answer, kept in (
        ("User intends to cancel the gym.", ["User intends to cancel the gym."]),
        ({"memory": "User intends to cancel the gym."}, ["User intends to cancel the gym."]),
        ("User has cancelled the gym.", []),
        (None, []),
    ):
        host = Host(InMemoryStore(), {"rewrite": lambda question, answer=answer: answer})
        host.run("propose", None, {"rewrites": True}, text="User cancelled the gym.", source=source)
        assert "rewrite" in host.asked
        assert texts(host.store) == kept


def test_what_could_not_be_checked_is_kept_where_the_host_says_so() -> None:
    for keep in (False, True):
        host = Host(InMemoryStore())
        arguments = {
            "text": "The user sails at dawn.",
            "source": [{"speaker": "user", "text": "The canteen is closed."}],
        }
        result = host.run("propose", None, {"keep_unchecked": keep}, **arguments)
        assert len(texts(host.store)) == int(keep)
        assert result["items"][0]["verdict"] == "UNCHECKABLE"


def test_a_message_is_read_and_a_forget_planned_without_a_store() -> None:
    read = Host(InMemoryStore()).run("read_message", text="remember that the gate code is 4820")
    assert (read["intent"], read["facts"]) == ("remember", [["The gate code is 4820", "fact"]])
    kept = ["The user works at a law firm", "The user wants to make law review"]
    plan = Host(InMemoryStore()).run("plan_forget", memories=kept, request="forget that I want to make law review")
    assert (plan["outcome"], plan["targets"]) == ("delete", [1])


@pytest.mark.parametrize(
    ("operation", "fields", "code", "where"),
    [
        ("_run", {}, "usage", "operation"),
        ("__class__", {}, "usage", "operation"),
        ("offers_save", {}, "usage", "operation"),
        ("store", {}, "usage", "operation"),
        ("scope", {}, "usage", "operation"),
        ("nothing", {}, "usage", "operation"),
        ("message", {}, "usage", "arguments"),
        ("message", {"arguments": {"text": 7}}, "data", "arguments.text"),
        ("message", {"arguments": {"text": "hi", "more": "x"}}, "usage", "arguments"),
        ("message", {"arguments": {"text": "hi", "chooser": "x"}}, "usage", "arguments"),
        ("recall", {"arguments": {"message": "hi", "store": "x"}}, "usage", "arguments"),
        ("recall", {"arguments": {}}, "usage", "arguments"),
        ("delete", {"arguments": {"ids": "1.0"}}, "data", "arguments.ids"),
        ("delete", {"arguments": {"ids": [1]}}, "data", "arguments.ids[0]"),
        ("bring", {"arguments": {"rows": [{"text": "x", "about": 3}]}}, "data", "arguments.rows[0].about"),
        ("bring", {"arguments": {"rows": ["x"]}}, "data", "arguments.rows[0]"),
        ("recall", {"arguments": {"message": "hi", "limit": True}}, "data", "arguments.limit"),
        ("message", {"arguments": {"text": "note that I row"}, "answers": [{}]}, "data", "answers[0].revision"),
        ("message", {"arguments": {"text": "note that I row"}, "answers": ["x"]}, "data", "answers[0]"),
        (
            "message",
            {"arguments": {"text": "note that I row"}, "answers": [{"revision": 0}, {"revision": 1}, {}]},
            "usage",
            "answers",
        ),
        ("message", {"arguments": {"text": "hi"}, "scope": {"save": True}}, "data", "scope.save"),
        ("message", {"arguments": {"text": "hi"}, "settings": {"user": 1}}, "data", "settings.user"),
        ("message", {"arguments": {"text": "hi"}, "held": {}}, "data", "held"),
    ],
)
def test_wrong_requests_are_named(operation: str, fields: dict[str, Any], code: str, where: str) -> None:
    reply = json.loads(bridge.call(json.dumps({"op": "memory", "operation": operation} | fields)))
    assert (reply["error"]["code"], reply["error"]["where"]) == (code, where), reply


def test_an_operation_that_was_answered_too_much_is_refused() -> None:
    with pytest.raises(UsageError, match="1 answers, and 0 questions"):
        run("read_message", {}, {"text": "hi"}, [{"revision": 0}])
