"""mem0 behind the gate: the installed package, a vector store on this machine, and a local server for its models."""

from __future__ import annotations

import asyncio
import hashlib
import http.server
import json
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

os.environ["MEM0_TELEMETRY"] = "False"  # both before the import: mem0 reads them then
os.environ["MEM0_DIR"] = tempfile.mkdtemp(prefix="edgegate-mem0-")

from mem0 import AsyncMemory, Memory

from edgegate.adapters.mem0 import FLAGS, HELD_UPDATE, VERDICT, unwrap, wrap
from edgegate.adapters.mem0_shapes import read_extraction, read_messages
from edgegate.errors import UsageError

NOW = "2026-03-11T10:00:00+01:00"
DIMENSIONS = 32


class Models(http.server.BaseHTTPRequestHandler):
    """A chat model that says what it was told to, and embeddings made of hashed words."""

    says: list[str]
    asked: list[dict[str, Any]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/embeddings"):
            texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
            data = [{"object": "embedding", "index": at, "embedding": vector(text)} for at, text in enumerate(texts)]
            answer: dict[str, Any] = {"object": "list", "data": data, "model": "words"}
        else:
            self.asked.append(body)
            message = {"role": "assistant", "content": self.says.pop(0)}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            answer = {"id": "1", "object": "chat.completion", "created": 1, "model": "tiny", "choices": [choice]}
        data_out = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data_out)))
        self.end_headers()
        self.wfile.write(data_out)

    def log_message(self, *arguments: Any) -> None:
        pass


def vector(text: str) -> list[float]:
    found = [0.01] * DIMENSIONS
    for word in text.lower().split():
        found[hashlib.md5(word.encode()).digest()[0] % DIMENSIONS] += 1.0
    return found


@pytest.fixture
def models() -> Iterator[Any]:
    kind = type("Once", (Models,), {"says": [], "asked": []})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind) as live:
        threading.Thread(target=live.serve_forever, daemon=True, kwargs={"poll_interval": 0.05}).start()
        kind.address = f"http://127.0.0.1:{live.server_address[1]}/v1"  # type: ignore[attr-defined]
        yield kind
        live.shutdown()


@pytest.fixture
def make(models: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Makes a mem0 memory on this machine alone, wrapped with the options given."""
    made: list[Any] = []

    def make(kind: Any = Memory, gated: bool = True, **options: Any) -> Any:
        place = tmp_path / str(len(made))
        config = {
            "llm": {
                "provider": "openai",
                "config": {"model": "tiny", "api_key": "k", "openai_base_url": models.address},
            },
            "embedder": {
                "provider": "openai",
                "config": {
                    "model": "words",
                    "api_key": "k",
                    "openai_base_url": models.address,
                    "embedding_dims": DIMENSIONS,
                },
            },
            "vector_store": {
                "provider": "qdrant",
                "config": {"path": str(place), "embedding_model_dims": DIMENSIONS, "collection_name": "memories"},
            },
            "history_db_path": str(tmp_path / f"{len(made)}.db"),
        }
        memory = kind.from_config(config)
        made.append(memory)
        return wrap(memory, clock=lambda: NOW, **options) if gated else memory

    yield make
    for memory in made:
        memory.close()


def extraction(*texts: Any) -> str:
    return json.dumps({"memory": [{"id": str(at), "text": text} for at, text in enumerate(texts)]})


def held(memory: Any) -> list[str]:
    found = memory.get_all(filters={"user_id": "alex"})
    found = asyncio.run(found) if asyncio.iscoroutine(found) else found
    return sorted(row["memory"] for row in found["results"])


def decisions(result: Any) -> list[tuple[str, str, str | None]]:
    return [(each["report"]["verdict"] or "", each["action"], each["stored"]) for each in result["edgegate"]]


SOURCE = [
    {"role": "system", "content": "You are Juno. The user holds a pilot licence."},
    {"role": "user", "content": "My brother is a lawyer. Someone said Alice was promoted. The exam is tomorrow."},
    {"role": "assistant", "content": "Congratulations to Alice! You should try the Ulm office."},
    {"role": "user", "content": "I never eat fish. I keep meaning to cancel the gym."},
]

#: extracted memory -> what is stored of it, by the options
EXTRACTED: list[tuple[str, str | None, dict[str, Any]]] = [
    ("User's brother is a lawyer.", "User's brother is a lawyer.", {}),
    ("User never eats fish.", "User never eats fish.", {}),
    ("The exam is tomorrow.", "The exam is tomorrow.", {}),  # stored with its flag
    ("Alice was promoted.", "Someone said Alice was promoted.", {}),
    ("Alice was promoted.", None, {"rewrite": "hold"}),
    ("Alice was promoted.", "Alice was promoted.", {"rewrite": "flag"}),
    ("User cancelled the gym.", None, {}),  # nothing that the gate could write passes
    ("User cancelled the gym.", "User intends to cancel the gym.",
     {"reader": lambda question: {"memory": "User intends to cancel the gym."}}),
    ("User cancelled the gym.", None, {"reader": lambda question: 1 / 0}),
    ("User is a lawyer.", None, {}),  # mem0ai/mem0#7283
    ("User is a lawyer.", None, {"rewrite": "flag", "keep_unchecked": True}),
    ("User eats fish.", None, {}),
    ("User holds a pilot licence.", None, {}),  # a sentence of the prompt, mem0ai/mem0#2736
    ("Zebras graze beside quiet rivers.", None, {}),
    ("Zebras graze beside quiet rivers.", "Zebras graze beside quiet rivers.", {"keep_unchecked": True}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "stored", "options"), EXTRACTED)
def test_what_the_model_extracts_is_gated(
    make: Any, models: Any, text: str, stored: str | None, options: dict[str, Any]
) -> None:
    memory = make(**options)
    models.says.append(extraction(text))
    result = memory.add(SOURCE, user_id="alex")
    assert held(memory) == ([] if stored is None else [stored])
    assert [row["memory"] for row in result["results"]] == held(memory)
    assert [each["memory"] for each in result["edgegate"]] == [text]
    assert result["edgegate"][0]["stored"] == stored


def test_what_is_stored_carries_its_verdict(make: Any, models: Any) -> None:
    memory = make(keep_unchecked=True)
    models.says.append(
        extraction("The exam is tomorrow.", "User never eats fish.", "Zebras graze beside quiet rivers.")
    )
    memory.add(SOURCE, user_id="alex", metadata={VERDICT: "PASS", "topic": "x"})
    rows = {row["memory"]: row["metadata"] for row in memory.get_all(filters={"user_id": "alex"})["results"]}
    assert {text: row[VERDICT] for text, row in rows.items()} == {
        "The exam is tomorrow.": "PASS_WITH_FLAGS",
        "User never eats fish.": "PASS",
        "Zebras graze beside quiet rivers.": "UNCHECKABLE",
    }
    assert rows["The exam is tomorrow."][FLAGS] == ["temporal"]
    assert all(row["topic"] == "x" for row in rows.values())


def test_history_and_search_know_only_the_stored_text(make: Any, models: Any) -> None:
    memory = make()
    models.says.append(extraction("Alice was promoted.", "User is a lawyer."))
    result = memory.add(SOURCE, user_id="alex")
    name = result["results"][0]["id"]
    assert [row["new_memory"] for row in memory.history(name)] == ["Someone said Alice was promoted."]
    found = memory.search("Alice promoted", filters={"user_id": "alex"})["results"]
    assert [row["memory"] for row in found] == ["Someone said Alice was promoted."]


def test_an_old_conversation_happens_when_its_metadata_says(make: Any, models: Any) -> None:
    # mem0ai/mem0#4963 and #5894: "last week", said in May 2023, was resolved against today
    memory = make()
    texts = ("User was in Paris on 4 March 2026.", "User was in Paris on 3 May 2023.")
    models.says.append(extraction(*texts))
    result = memory.add(
        "I was in Paris last week.", user_id="alex", metadata={"created_at": "2023-05-10T09:00:00+00:00"}
    )
    assert [each["stored"] == text for each, text in zip(result["edgegate"], texts, strict=True)] == [False, True]
    models.says.append(extraction("User was in Paris last week."))
    assert memory.add("I was in Paris last week.", user_id="bo", metadata={"created_at": "long ago"})["results"]


def test_an_answer_that_breaks_off_keeps_what_is_whole(make: Any, models: Any) -> None:
    memory = make()  # mem0ai/mem0#5428: every fact was dropped
    models.says.append(extraction("User never eats fish.", "User's brother is a lawyer.", "The exam is")[:-9])
    result = memory.add(SOURCE, user_id="alex")
    assert held(memory) == ["User never eats fish.", "User's brother is a lawyer."]
    assert "breaks off" in result["edgegate"][-1]["reason"]


ANSWERS = [
    ("", [], True),
    ("I have nothing to say.", [], False),
    ('{"memory": []}', [], True),
    ('{"memory": "none"}', [], False),
    ('{"memory": ["User rows.", {"text": "User swims."}, {"text": 7}, null, {"text": " "}]}',
     ["User rows.", "User swims."], True),
    ('Here: {"memory": [{"text": "User rows."}]} Done.', ["User rows."], True),
    ('{"memory": [{"text": "User rows."}, {"text": "User sw', ["User rows."], False),
    ('{"memory": [' + "[" * 100_000, [], False),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "texts", "whole"), ANSWERS)
def test_extractions_are_read_with_care(answer: str, texts: list[str], whole: bool) -> None:
    items, found = read_extraction(answer)
    assert ([item["text"] for item in items], found) == (texts, whole)


def test_messages_become_turns() -> None:
    said = [{"role": "user", "name": "Bo", "content": [{"type": "text", "text": "Hi"}, {"type": "image_url"}, "there"]},
            {"role": "user", "name": "Cy", "content": "Ho", "timestamp": "2023-05-10"}, {"role": "tool"},
            7]  # fmt: skip
    assert read_messages(said) == [
        {"speaker": "Bo", "text": "Hi there", "at": None},
        {"speaker": "Cy", "text": "Ho", "at": "2023-05-10"},
    ]
    assert read_messages({"role": "user", "name": "Bo", "content": "Hi"})[0]["speaker"] == "user"
    assert read_messages(3) == []


def test_verbatim_messages_are_gated_one_by_one(make: Any) -> None:
    memory = make()
    said = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "I never eat fish."},
        {"role": "user", "content": "Me gusta mucho la casa de mi hermana y su jardín."},
        {"role": "assistant", "content": "Noted."},
        {"role": "user", "content": [{"type": "text", "text": "My brother is a lawyer."}]},
    ]
    result = memory.add(said, user_id="alex", infer=False)
    assert "I never eat fish." in held(memory)
    assert "My brother is a lawyer." in held(memory)
    assert not any("gusta" in text for text in held(memory))
    assert sorted(row["memory"] for row in result["results"]) == held(memory)
    assert {each["path"] for each in result["edgegate"]} == {"verbatim"}
    assert memory.add("Me gusta mucho la casa de mi hermana.", user_id="alex", infer=False)["results"] == []


def test_a_procedural_memory_is_gated(make: Any, models: Any) -> None:
    memory = make()
    options = {"agent_id": "juno", "memory_type": "procedural_memory"}
    models.says += ["```\nUser never eats fish.\n```", "User eats fish."]
    first, second = memory.add(SOURCE, **options), memory.add(SOURCE, **options)
    assert [row["memory"] for row in first["results"]] == ["User never eats fish."]
    assert second["results"] == []
    assert decisions(second)[0][:2] == ("REJECT", "do not store")
    stored = memory.get_all(filters={"agent_id": "juno"})["results"]
    assert [row["memory"] for row in stored] == ["User never eats fish."]


@pytest.fixture
def kept(make: Any, models: Any) -> tuple[Any, str]:
    """A memory that holds one fact, and that fact's id."""
    memory = make()
    models.says.append(extraction("User's brother is a lawyer."))
    return memory, memory.add(SOURCE, user_id="alex")["results"][0]["id"]


UPDATES: list[tuple[str, Any, str | None]] = [
    ("User's brother is a lawyer in Graz.", "My brother is a lawyer in Graz.", "User's brother is a lawyer in Graz."),
    ("Alice was promoted.", None, "Someone said Alice was promoted."),  # mem0 keeps the last messages
    ("Alice was promoted.", "Someone said Alice was promoted.", "Someone said Alice was promoted."),
    ("User is a lawyer.", None, None),
    ("User is a lawyer.", [{"role": "user", "content": "My brother is a lawyer."}], None),
    ("Zebras graze beside quiet rivers.", None, None),
]


@pytest.mark.parametrize(("text", "source", "stored"), UPDATES)
def test_updates_are_gated(kept: Any, text: str, source: Any, stored: str | None) -> None:
    memory, name = kept
    result = memory.update(name, text=text, source=source)
    row = memory.get(name)
    assert row["memory"] == (stored or "User's brother is a lawyer.")
    assert row["metadata"][VERDICT] == "PASS"
    assert (result["message"] == HELD_UPDATE) == (stored is None)
    assert result["edgegate"][-1]["stored"] == stored
    assert len(memory.history(name)) == (1 if stored is None else 2)


def test_an_updated_memory_carries_the_verdict_on_its_new_text(kept: Any) -> None:
    memory, name = kept
    memory.update(name, text="The exam is tomorrow.")
    metadata = memory.get(name)["metadata"]
    assert (metadata[VERDICT], metadata[FLAGS]) == ("PASS_WITH_FLAGS", ["temporal"])


def test_an_update_without_any_conversation_is_judged_as_a_rewrite_of_the_old_text(make: Any) -> None:
    memory = make()
    said = "Someone said Alice was promoted."
    name = memory.add(said, user_id="alex", infer=False)["results"][0]["id"]
    assert memory.update(name, "Alice was promoted.")["edgegate"][-1]["stored"] == said
    assert memory.update(name, data="Zebras graze beside quiet rivers.")["message"] == HELD_UPDATE


def test_an_update_without_text_passes_and_cannot_forge_a_verdict(kept: Any) -> None:
    memory, name = kept
    assert memory.update(name, metadata={"topic": "kin", VERDICT: "REJECT"}) == {
        "message": "Memory updated successfully!"
    }
    metadata = memory.get(name)["metadata"]
    assert (metadata["topic"], metadata[VERDICT]) == ("kin", "PASS")


def test_what_changes_and_what_comes_twice(make: Any, models: Any) -> None:
    memory = make(reconciles=True)
    for said, text in [
        ("I love Chinese food.", "User loves Chinese food."),
        ("I love Chinese food!", "User loves Chinese food."),  # mem0ai/mem0#1674: the only copy was deleted
        ("I hate Chinese food now.", "User hates Chinese food now."),  # mem0ai/mem0#4536: the new one was never added
        ("My favourite player is Messi.", "User's favourite player is Messi."),
        (
            "My brother's favourite player is Ronaldo.",
            "User's brother's favourite player is Ronaldo.",
        ),  # mem0ai/mem0#5867
    ]:
        models.says.append(extraction(text))
        result = memory.add(said, user_id="alex")
    assert held(memory) == [
        "User hates Chinese food now.",
        "User's brother's favourite player is Ronaldo.",
        "User's favourite player is Messi.",
    ]
    assert [row["event"] for row in result["results"]] == ["ADD"]


def test_an_update_by_reconciling_is_reported_as_one(make: Any, models: Any) -> None:
    memory = make(reconciles=True)
    models.says += [extraction("User loves Chinese food."), extraction("User hates Chinese food now.")]
    name = memory.add("I love Chinese food.", user_id="alex")["results"][0]["id"]
    result = memory.add("I hate Chinese food now.", user_id="alex")["results"]
    assert result == [{"id": name, "memory": "User hates Chinese food now.", "event": "UPDATE",
                       "previous_memory": "User loves Chinese food."}]  # fmt: skip
    assert [row["event"] for row in memory.history(name)] == ["ADD", "UPDATE"]


def test_the_asynchronous_class_is_gated_on_the_same_paths(make: Any, models: Any) -> None:
    async def run() -> None:
        memory = make(AsyncMemory, reconciles=True)
        models.says += [extraction("Alice was promoted.", "User is a lawyer."), "User eats fish."]
        result = await memory.add(SOURCE, user_id="alex")
        assert [row["memory"] for row in result["results"]] == ["Someone said Alice was promoted."]
        name = result["results"][0]["id"]
        assert (await memory.update(name, "Alice was promoted.", source="Maybe Alice was promoted."))["edgegate"]
        assert (await memory.get(name))["memory"] == "Possibly, Alice was promoted."
        assert (await memory.update(name, "Bo was promoted.", source="Alice sings."))["message"] == HELD_UPDATE
        said = [{"role": "user", "content": "I row."}, {"role": "user", "content": "Me gusta la casa de mi hermana."}]
        assert len((await memory.add(said, user_id="bo", infer=False))["results"]) == 1
        assert (await memory.add("Me gusta la casa de mi hermana.", user_id="bo", infer=False))["results"] == []
        result = await memory.add(SOURCE, agent_id="juno", memory_type="procedural_memory")
        assert result["results"] == []
        models.says += [extraction("User loves Chinese food."), extraction("User hates Chinese food now.")]
        await memory.add("I love Chinese food.", user_id="cy")
        result = await memory.add("I hate Chinese food now.", user_id="cy")
        assert [row["event"] for row in result["results"]] == ["UPDATE"]

    asyncio.run(run())


def test_writes_at_the_same_time_keep_their_own_sources(make: Any, models: Any) -> None:
    memory = make()
    models.says += [extraction("User rows.")] * 8
    results: list[Any] = []

    def add(number: int) -> None:
        said = "I row." if number % 2 else "I think the shop is shut."
        results.append((number % 2, memory.add(said, user_id=f"u{number}")))

    threads = [threading.Thread(target=add, args=(number,), daemon=True) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(results) == 8
    assert all(len(result["results"]) == rows for rows, result in results)


def test_a_text_that_comes_another_way_is_gated_before_the_store(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = make()
    for text, stored in (("User never eats fish.", 1), ("User eats fish.", 0)):
        monkeypatch.setattr(
            memory,
            "_add_to_vector_store",
            lambda *args, said=text, **options: [
                {"id": memory._create_memory(said, {}, {"user_id": "alex"}), "memory": said}
            ],
        )
        assert len(memory.add(SOURCE, user_id="alex")["results"]) == stored
    assert held(memory) == ["User never eats fish."]


def test_a_model_that_others_have_wrapped_too_is_gated_once(make: Any, models: Any) -> None:
    memory = make()
    original = memory.llm.generate_response
    memory.llm.generate_response = lambda *args, **options: original(*args, **options)  # as tracing tools do
    models.says.append(extraction("Alice was promoted."))
    assert len(memory.add(SOURCE, user_id="alex")["edgegate"]) == 1


def test_mem0_is_otherwise_as_it_was(make: Any, models: Any) -> None:
    plain, gated = make(gated=False), make()
    assert isinstance(gated, Memory)
    results = []
    for memory in (plain, gated):
        models.says.append(extraction("User never eats fish."))
        results.append(memory.add(SOURCE, user_id="alex"))
        assert held(memory) == ["User never eats fish."]
        with pytest.raises(Exception, match="user_id") as wrong:
            memory.add("x", infer=False)
        with pytest.raises(type(wrong.value)):
            memory.add([], infer=False)
        with pytest.raises(Exception, match="messages must be"):
            memory.add(7, user_id="alex", infer=False)
        with pytest.raises(ValueError, match="not found"):
            memory.update("7d4d9a3e-0000-4000-8000-000000000000", "x")
        with pytest.raises(Exception, match="extraction failed"):
            memory.add("x", user_id="alex")  # the server has nothing to say
    assert set(results[1]) == {*results[0], "edgegate"}
    assert set(results[1]["results"][0]) == set(results[0]["results"][0])
    unwrap(gated)
    assert "add" not in vars(gated)
    assert "generate_response" not in vars(gated.llm)
    assert "insert" not in vars(gated.vector_store)
    models.says.append(extraction("User is a lawyer."))
    assert len(gated.add(SOURCE, user_id="bo")["results"]) == 1
    assert unwrap(plain) is plain


def test_a_gate_that_fails_holds_and_a_callback_that_fails_does_not(
    make: Any, models: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    def tell(decision: Any) -> None:
        told.append(decision.memory)
        raise RuntimeError("broken on purpose")

    memory = make(on_decision=tell)
    models.says += [extraction("User never eats fish.")] * 2
    assert len(memory.add(SOURCE, user_id="alex")["results"]) == 1
    assert told == ["User never eats fish."]

    def broken(*args: Any, **options: Any) -> Any:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("edgegate.adapters.writes.check", broken)
    result = memory.add(SOURCE, user_id="bo")
    assert result["results"] == []
    assert "broken on purpose" in result["edgegate"][0]["reason"]


def test_after_a_reset_it_still_stands(make: Any, models: Any) -> None:
    memory = make()
    memory.reset()
    models.says.append(extraction("User is a lawyer.", "User never eats fish."))
    assert [row["memory"] for row in memory.add(SOURCE, user_id="alex")["results"]] == ["User never eats fish."]


def test_what_cannot_be_wrapped_is_refused(make: Any) -> None:
    memory = make()
    with pytest.raises(UsageError, match="already"):
        wrap(memory)
    for other in (object(), None, "memory"):
        with pytest.raises(UsageError, match="mem0"):
            wrap(other)
    plain = make(gated=False)
    for options in ({"rewrite": "store"}, {"readers": ["judge"]}, {"about": 3}):
        with pytest.raises(UsageError):
            wrap(plain, **options)
    assert not hasattr(plain, "edgegate")
