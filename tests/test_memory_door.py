"""The one door: every path judged, reconciled and committed with its verdict; nothing written where nothing may be."""

from __future__ import annotations

import inspect as inspection
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from edgegate.errors import StoreError
from edgegate.gate.records import Question
from edgegate.memory import door as door_module
from edgegate.memory.door import ATTEMPTS, Door
from edgegate.memory.writing import SUMMARY, Scope
from edgegate.records import to_json
from edgegate.stores import Applied, Commit, InMemoryStore, Snapshot, StaleError, StoredMemory
from edgegate.stores.sqlite import SqliteStore

NOW = "2026-03-14T09:00:00+01:00"

# Every public operation of the door, with arguments that would write in a chat that may save.
PATHS: dict[str, Callable[[Door], Any]] = {
    "message": lambda door: door.message("remember that my locker number is 88", now=NOW),
    "propose": lambda door: door.propose("The user rows", [{"speaker": "user", "text": "I row"}], now=NOW),
    "enter": lambda door: door.enter("The user sails", now=NOW),
    "bring": lambda door: door.bring([{"text": "The user bakes"}, {"text": "The user skates"}], now=NOW),
    "keep_chat": lambda door: door.keep_chat([{"speaker": "user", "text": "I moved to Gdansk"}], now=NOW),
    "refresh": lambda door: door.refresh(["1.0"], now=NOW),
}
FORGETTING: dict[str, Callable[[Door], Any]] = {
    "forget": lambda door: door.forget("forget that I have a dog", now=NOW),
    "delete": lambda door: door.delete(["1.0"], now=NOW),
}
MESSAGES = [
    "hi, listen, my wife's name is Claire, my daughter is eleven and my son eighteen",
    "remind me on Thursday to pay the rent",
    "note that I'm allergic to peanuts",
    "don't let me forget the milk tomorrow",
    "what do you remember about me?",
    "add oat milk to my shopping list",
]
CLOSED = [Scope(saves=False), Scope(on=False), Scope(saves=False, reads=True), Scope(on=False, saves=False)]


class Watched(InMemoryStore):
    """A store that counts what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def load(self, turns: int = 0, ids: Sequence[str] | None = None) -> Snapshot:
        self.asked.append("load")
        return super().load(turns, ids)

    def find(self, terms: Sequence[str], limit: int = 64) -> Snapshot:
        self.asked.append("find")
        return super().find(terms, limit)

    def apply(self, commit: Commit) -> Applied:
        self.asked.append("apply")
        return super().apply(commit)


def with_dog() -> Watched:
    store = Watched()
    Door(store).enter("The user has a dog called Rex", now=NOW)
    store.asked.clear()
    return store


def texts(store: InMemoryStore | SqliteStore) -> list[str]:
    return [memory.text for memory in store.load().memories]


def test_the_table_holds_every_public_path() -> None:
    public = {name for name, _ in inspection.getmembers(Door, inspection.isfunction) if not name.startswith("_")}
    assert public == set(PATHS) | set(FORGETTING)
    planners = {name for name in vars(door_module) if name.startswith("plan_") and name != "plan_forget"}
    assert planners == {"plan_save", "plan_delete", "plan_refresh"}


@pytest.mark.parametrize("path", PATHS)
def test_each_path_writes_where_it_may(path: str) -> None:
    store = with_dog()
    PATHS[path](Door(store))
    assert "apply" in store.asked
    assert store.load(9).turns[-1].outcome not in ("refused", "none")


@pytest.mark.parametrize("scope", CLOSED, ids=str)
@pytest.mark.parametrize("path", PATHS)
def test_no_path_writes_where_nothing_may_be_written(path: str, scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    store = with_dog()
    before = store.load(99)
    store.asked.clear()
    monkeypatch.setattr(door_module, "judge", lambda *_: pytest.fail("nothing is judged"))
    result = PATHS[path](Door(store, scope))
    assert store.asked == []
    assert store.load(99) == before
    assert result.turn.outcome == "refused"
    assert result.applied is None
    assert result.items == ()
    assert result.writes == ()
    assert "nothing was kept" in result.words


@pytest.mark.parametrize("scope", CLOSED, ids=str)
@pytest.mark.parametrize("message", MESSAGES)
def test_no_message_writes_where_nothing_may_be_written(
    message: str, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = with_dog()
    monkeypatch.setattr(door_module, "read_message", lambda *_, **__: pytest.fail("no message is read for facts"))
    Door(store, scope).message(message, now=NOW)
    assert store.asked == []


@pytest.mark.parametrize("scope", [Scope(), *CLOSED], ids=str)
@pytest.mark.parametrize("path", [*FORGETTING, "message"])
def test_forgetting_works_in_every_scope(path: str, scope: Scope) -> None:
    store = with_dog()
    ways = FORGETTING | {"message": lambda door: door.message("forget that I have a dog", now=NOW)}
    result = ways[path](Door(store, scope))
    assert texts(store) == []
    assert result.words == "Deleted: “The user has a dog called Rex”."
    assert result.writes == ("deleted: The user has a dog called Rex",)
    turns = store.load(99).turns
    assert [turn.operation for turn in turns] == (["save", "forget"] if scope.may_save else ["save"])
    again = ways[path](Door(store, scope))
    assert again.writes == ()
    assert "Deleted" not in again.words


def test_a_request_to_forget_with_a_new_fact_saves_nothing_where_nothing_may_be_saved() -> None:
    for scope, left in ((Scope(saves=False), []), (Scope(), ["The user's favourite colour is teal now"])):
        store = Watched()
        Door(store).enter("The user's favourite colour is green")
        Door(store, scope).message("forget that my favourite colour is green, it's teal now")
        assert texts(store) == left


def test_the_save_tool_is_offered_only_where_it_may_save() -> None:
    assert Door(InMemoryStore()).offers_save
    assert not any(Door(InMemoryStore(), scope).offers_save for scope in CLOSED)
    assert [scope.may_read for scope in CLOSED] == [False, False, True, False]


def test_every_row_has_the_verdict_of_the_gate() -> None:
    store = InMemoryStore()
    turns = [{"speaker": "user", "text": "I think the clinic is shut on Friday. I rent the flat for 900 euros."}]
    held = Door(store).propose("The user said they might own the flat.", [{"speaker": "user", "text": "I rent it."}])
    assert held.items[0].outcome in ("held", "discarded")
    assert texts(store) == []
    wrong = Door(store).propose("The user rents the flat for 900 dollars.", turns)
    assert (wrong.items[0].outcome, wrong.items[0].verdict.value) == ("discarded", "REJECT")
    assert wrong.writes == ("not stored: The user rents the flat for 900 dollars.",)
    fixed = Door(store).propose("The clinic is shut on Friday.", turns)
    assert fixed.items[0].outcome == "new"
    assert "think" in fixed.items[0].text
    assert store.load().memories[0].verdict.value.startswith("PASS")


def test_a_rewriter_is_asked_once_and_gated_again() -> None:
    asked: list[Question] = []

    def rewriter(question: Question) -> str:
        asked.append(question)
        return question.text

    source = [{"speaker": "user", "text": "If the grant comes through, maybe we move to Turku, Ida says."}]
    Door(InMemoryStore(), rewriter=rewriter).propose("The user will move to Turku.", source)
    assert len(asked) <= 1


def test_what_cannot_be_checked_is_kept_only_where_the_host_says_so() -> None:
    source = [{"speaker": "user", "text": "The canteen is closed."}]
    for keep, left in ((False, 0), (True, 1)):
        store = InMemoryStore()
        result = Door(store, keep_unchecked=keep).propose("The user sails at dawn.", source)
        assert len(texts(store)) == left
        assert result.items[0].verdict.value == "UNCHECKABLE"


def test_three_facts_in_one_sentence_and_silence() -> None:
    store = InMemoryStore()
    door = Door(store)
    result = door.message("hi, listen, my wife's name is Claire, my daughter is eleven and my son eighteen", now=NOW)
    assert len(texts(store)) == 3
    assert result.visible == ()
    again = door.message("hi, listen, my wife's name is Claire, my daughter is eleven and my son eighteen", now=NOW)
    assert {item.outcome for item in again.items} == {"known"}
    assert len(texts(store)) == 3


def test_what_the_model_missed_is_added_and_nothing_twice() -> None:
    store = InMemoryStore()
    door = Door(store)
    told = "my wife's name is Claire and my daughter is eleven"
    door.propose("The user's wife's name is Claire", [{"speaker": "user", "text": told}], kind="person", now=NOW)
    door.message(told, now=NOW)
    assert len(texts(store)) == 2


def test_only_facts_and_persons_are_noticed() -> None:
    store = InMemoryStore()
    Door(store).message("yesterday I finally passed my driving test!!! third time lucky", now=NOW)
    assert texts(store) == []


def test_loves_then_hates_leaves_exactly_the_new_one() -> None:
    store = InMemoryStore()
    door = Door(store)
    door.enter("The user loves jazz", now="2026-03-01")
    result = door.enter("The user hates jazz", now="2026-03-02")
    assert result.writes == ("updated: The user hates jazz",)
    assert texts(store) == ["The user hates jazz"]
    kept = store.load().memories[0]
    assert [(old.text, old.until) for old in kept.history] == [("The user loves jazz", "2026-03-02")]
    assert not store.find(["lov"]).memories


def test_what_was_said_earlier_is_forgotten_too() -> None:
    store = InMemoryStore()
    door = Door(store)
    door.enter("The user loves jazz")
    door.enter("The user hates jazz")
    assert door.forget("forget that I love jazz").words == "Deleted: “The user loves jazz”."
    assert [memory.history for memory in store.load().memories] == [()]
    assert texts(store) == ["The user hates jazz"]


def test_law_review_never_touches_the_law_firm() -> None:
    store = InMemoryStore()
    door = Door(store)
    door.bring([{"text": "The user works part-time at a law firm"}, {"text": "The user wants to make law review"}])
    door.message("forget that I want to make law review")
    assert texts(store) == ["The user works part-time at a law firm"]


def test_a_batch_is_one_commit_and_reconciled_within() -> None:
    store = Watched()
    rows = [
        {"text": "The user rows"},
        {"text": "The user rows."},
        {"text": "The user rows"},
        {"text": "The user rents for 900 euros", "source": "I rent for 900 dollars"},
        {"text": "Nadia lives in Oslo", "kind": "person", "about": "Nadia"},
    ]
    result = Door(store).bring(rows, now=NOW)
    assert store.asked.count("apply") == 1
    assert [item.outcome for item in result.items] == ["new", "known", "known", "discarded", "new"]
    assert texts(store) == ["The user rows", "Nadia lives in Oslo"]


def test_remember_this_chat_keeps_the_newest_turns() -> None:
    store = InMemoryStore()
    turns = [{"speaker": "user", "text": f"turn number {n} " + "word " * 20} for n in range(60)]
    Door(store).keep_chat(turns, now=NOW)
    kept = texts(store)[0]
    assert "turn number 59" in kept
    assert "turn number 0 " not in kept
    assert len(kept) <= SUMMARY


def test_a_turn_record_never_holds_the_text_of_a_fact() -> None:
    store = InMemoryStore()
    door = Door(store)
    secret = "xylophone"
    door.message(f"remember that the cabin password is {secret}", now=NOW, in_prompt=4)
    door.propose(f"The user's {secret} is blue", [{"speaker": "user", "text": "my bike is red"}], in_prompt=2)
    door.message(f"forget the {secret} password")
    door.forget("forget my shoe size")
    door.message("how are you?")
    turns = store.load(99).turns
    assert len(turns) == 5
    assert secret not in json.dumps(to_json(turns))
    assert [turn.in_prompt for turn in turns][:2] == [4, 2]
    assert [turn.operation for turn in turns] == ["save", "save", "forget", "forget", "none"]


class Busy(InMemoryStore):
    """A store where another writer is faster the first few times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def apply(self, commit: Commit) -> Applied:
        if self.times:
            self.times -= 1
            super().apply(Commit(self.load().revision))
        return super().apply(commit)


def test_a_stale_plan_is_made_again_and_success_is_said_after() -> None:
    store = Busy(ATTEMPTS - 1)
    assert Door(store).enter("The user rows").writes == ("stored: The user rows",)
    assert texts(store) == ["The user rows"]
    with pytest.raises(StaleError):
        Door(Busy(99)).enter("The user rows")


def test_a_store_that_fails_is_never_called_a_success() -> None:
    class Broken(InMemoryStore):
        def apply(self, commit: Commit) -> Applied:
            raise StoreError("disk full")

    for path in PATHS.values():
        with pytest.raises(StoreError):
            path(Door(Broken()))


def test_two_doors_on_one_file(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.db") as one, SqliteStore(tmp_path / "a.db") as other:
        Door(one).enter("The user rows")
        assert Door(other).enter("The user rows.").items[0].outcome == "known"
        assert Door(other).forget("forget that I row").writes == ("deleted: The user rows",)
        assert Door(one).forget("forget that I row").writes == ()
        assert texts(one) == []


def test_the_bytes_of_history_go_with_a_forget(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.db") as store:
        door = Door(store)
        door.enter("The user loves zanzibarquail jazz")
        door.enter("The user hates zanzibarquail jazz")
        door.forget("forget that I love zanzibarquail jazz")
        assert texts(store) == ["The user hates zanzibarquail jazz"]
        held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert b"loves zanzibarquail" not in held
        door.forget("forget that I hate zanzibarquail jazz")
        held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert b"zanzibarquail" not in held


def test_a_row_made_elsewhere_has_every_field() -> None:
    kept = StoredMemory("1.0", "x", "fact", Door(InMemoryStore()).enter("The user rows").items[0].verdict)
    assert set(to_json(kept)) >= {"id", "text", "kind", "verdict", "history", "terms"}


def test_the_example_of_the_guide_says_what_its_comments_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guide = (Path(__file__).resolve().parent.parent / "docs/memory.md").read_text("utf-8")
    lines = guide.split("```python\n")[1].split("```")[0].splitlines()
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {}
    checked = 0
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if after.startswith("# "):
            said = after.removeprefix("# ").split("  ->")[0]
            assert repr(eval(line, space)) == said
            checked += 1
        elif not line.startswith("#"):
            exec(line, space)
    assert checked == 2
    space["store"].close()


@pytest.mark.parametrize("scope", [Scope(), *CLOSED], ids=str)
def test_a_refusal_that_asks_to_let_go_deletes(scope: Scope) -> None:
    store = Watched()
    Door(store).enter("The user's address is 14 Fern Lane")
    result = Door(store, scope).message("please don't store my address")
    assert result.intent == "refusal"
    assert texts(store) == []
    assert "Deleted" in result.words
