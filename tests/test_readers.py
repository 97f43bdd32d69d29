"""Second readers with a deadline, and one behind an OpenAI-compatible server: whatever they do, the write goes on."""

from __future__ import annotations

import asyncio
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from edgegate.adapters import readers
from edgegate.adapters.openai_compatible import OpenAICompatible
from edgegate.adapters.readers import ReaderError, ask, ask_async, fix, fix_async, second_opinion, second_opinion_async
from edgegate.errors import UsageError
from edgegate.gate.records import Question
from edgegate.gate.report import check
from edgegate.memory.door import Door
from edgegate.records import Verdict
from edgegate.stores.in_memory import InMemoryStore

SHORT = 0.4  # seconds that a reader which never answers is waited for
LONG = 30.0  # seconds that one which answers never needs

SOURCE = "Ida moved to Ulm, they say. The lift is fixed."
MEMORY = "Ida moved to Ulm. The lift is fixed."
KEPT = {"hedged": False, "attributed": True, "markers": ["Ida"]}
WISH, DONE = "I keep meaning to cancel the gym.", "User cancelled the gym."


def question(number: int = 0, kind: Any = "witness") -> Question:
    return Question(number, kind, "Say whether it is hedged.", "Ida moved to Ulm.")


def raises(error: BaseException) -> Callable[[Question], Any]:
    def reader(question: Question) -> Any:
        raise error

    return reader


def hang(question: Question) -> Any:
    threading.Event().wait(LONG)


CANNOT = [
    (raises(ValueError("broken on purpose")), "ValueError: broken on purpose"),
    (raises(SystemExit(3)), "SystemExit: 3"),
    (raises(ReaderError("is down", where="server")), "server: is down"),
    (hang, readers.LATE),
    (lambda question: None, "the reader answered nothing"),
    (lambda question: "Sure, it is hedged!", "answer: this is no JSON: 'Sure, it is hedged!'"),
    (lambda question: "[" * 90_000, "this is no JSON"),
    (lambda question: "1" * 200_000, "longer than 100000 characters"),
]


@pytest.mark.parametrize(("reader", "why"), CANNOT)
def test_a_reader_that_cannot_answer_is_declared(reader: Any, why: str) -> None:
    replies = ask(reader, [question()], deadline=SHORT if reader is hang else LONG)
    assert replies.answers == {}
    assert why in replies.failures[0]
    again = asyncio.run(ask_async(reader, [question()], deadline=SHORT if reader is hang else LONG))
    assert again == replies
    heard = second_opinion(SOURCE, MEMORY, reader, deadline=SHORT if reader is hang else LONG)
    assert heard.report == check(SOURCE, MEMORY)
    assert "added" in heard.report.not_checked
    assert heard.cannot_tell == ("Ida moved to Ulm.", "The lift is fixed.")
    assert heard.void == (0, 1, 2)


def test_texts_are_read_as_json_also_in_a_fence() -> None:
    for text in (json.dumps(KEPT), f"```json\n{json.dumps(KEPT)}\n```", f"\n```\n{json.dumps(KEPT)}```  "):
        assert ask(lambda question, said=text: said, [question()], deadline=LONG).answers == {0: KEPT}


def test_one_that_hangs_does_not_take_the_others_along() -> None:
    def reader(question: Question) -> Any:
        return hang(question) if question.number == 1 else KEPT

    replies = ask(reader, [question(number) for number in range(9)], deadline=1.5)
    assert sorted(replies.answers) == [0, 2, 3, 4, 5, 6, 7, 8]
    assert replies.failures == {1: readers.LATE}


def test_a_reader_that_hangs_is_not_asked_more_than_a_few_times_at_once() -> None:
    asked: list[int] = []

    def reader(question: Question) -> Any:
        asked.append(question.number)
        hang(question)

    ask(reader, [question(number) for number in range(50)], deadline=SHORT)
    assert len(asked) == readers.AT_ONCE


def test_coroutines_are_asked_together_and_cancelled_at_the_deadline() -> None:
    cancelled: list[int] = []

    async def reader(question: Question) -> Any:
        if question.number == 2:
            raise ValueError("broken on purpose")
        try:
            await asyncio.sleep(0 if question.number == 0 else LONG)
        except asyncio.CancelledError:
            cancelled.append(question.number)
            raise
        return json.dumps(KEPT)

    replies = asyncio.run(ask_async(reader, [question(number) for number in range(3)], deadline=SHORT))
    assert replies.answers == {0: KEPT}
    assert replies.failures == {1: readers.LATE, 2: "ValueError: broken on purpose"}
    assert cancelled == [1]
    assert asyncio.run(ask_async(reader, [], deadline=SHORT)).failures == {}


def test_a_second_opinion_takes_a_flag_off_and_finds_what_was_added() -> None:
    memory = "Ida moved to Ulm. She is a data analyst."

    def reader(question: Question) -> Any:
        if question.kind == "witness":
            return KEPT
        held = "Ida" in question.text
        return {"answer": "supported" if held else "unsupported", "quote": "Ida moved to Ulm"}

    heard = second_opinion(SOURCE, memory, reader, deadline=LONG)
    assert [change.check for change in heard.report.changes if change.severity.value != "advisory"] == ["added"]
    assert heard.cannot_tell == ()
    assert asyncio.run(second_opinion_async(SOURCE, memory, reader, deadline=LONG)) == heard
    assert second_opinion(SOURCE, memory, reader, deadline=LONG, readers=["witness"]).report.verdict is not None


def test_a_fix_comes_from_the_source_first_and_from_the_reader_second() -> None:
    asked: list[str] = []

    def reader(question: Question) -> Any:
        asked.append(question.text)
        return {"memory": "User intends to cancel the gym."}

    assert fix("Maybe Ida left.", "Ida left.", reader, deadline=LONG).text == "Possibly, Ida left."
    assert asked == []
    assert fix(WISH, DONE, reader, deadline=LONG).text == "User intends to cancel the gym."
    assert asyncio.run(fix_async(WISH, DONE, reader, deadline=LONG)).text == "User intends to cancel the gym."
    assert asked == [DONE, DONE]
    assert fix(WISH, DONE, lambda question: "User intends to cancel the gym.", deadline=LONG).text is not None
    assert fix("It never rains.", "It rains.", reader, deadline=LONG).text is None


@pytest.mark.parametrize("answer", ["User has cancelled the gym.", {"memory": ""}, {"text": "x"}, 7, [], "{", None])
def test_a_rewrite_that_fails_the_gate_is_no_fix(answer: Any) -> None:
    assert fix(WISH, DONE, lambda question: answer, deadline=LONG).text is None
    assert fix(WISH, DONE, None, deadline=LONG).question is not None


def test_a_reader_with_a_deadline_is_the_rewriter_of_the_door() -> None:
    source = [{"speaker": "user", "text": WISH}]
    for reader, stored in ((lambda question: {"memory": "User intends to cancel the gym."}, 1), (hang, 0)):
        store = InMemoryStore()
        door = Door(store, rewriter=readers.rewriter(reader, deadline=SHORT if reader is hang else LONG))
        door.propose(DONE, source)
        assert len(store.load().memories) == stored


@pytest.mark.parametrize("deadline", [0, -1, True, "5", float("nan"), float("inf"), None])
def test_a_deadline_is_a_number_above_0(deadline: Any) -> None:
    with pytest.raises(UsageError, match="deadline"):
        ask(lambda question: KEPT, [question()], deadline=deadline)


Answer = Callable[["Server"], None]


class Server(http.server.BaseHTTPRequestHandler):
    """Answers as the test said; remembers what it was asked."""

    protocol_version = "HTTP/1.1"
    answer: Answer
    asked: list[tuple[str, dict[str, Any], dict[str, str]]]
    over: threading.Event

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, body, {name.lower(): value for name, value in self.headers.items()}))
        with suppress(OSError):  # the client may be gone
            type(self).answer(self)

    def log_message(self, *arguments: Any) -> None:
        pass

    def say(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


def completion(content: Any) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()


@pytest.fixture
def server() -> Iterator[Any]:
    """A local server: `server.address`, `server.kind.answer` to set, `server.kind.asked` to read."""
    kind = type("Once", (Server,), {"asked": [], "over": threading.Event()})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind) as live:
        live.daemon_threads = True
        live.kind = kind  # type: ignore[attr-defined]
        live.address = f"http://127.0.0.1:{live.server_address[1]}/v1"  # type: ignore[attr-defined]
        threading.Thread(target=live.serve_forever, daemon=True, kwargs={"poll_interval": 0.05}).start()
        yield live
        kind.over.set()  # type: ignore[attr-defined]
        live.shutdown()


def test_the_request_is_one_every_server_knows(server: Any) -> None:
    server.kind.answer = lambda handler: handler.say(200, completion(json.dumps(KEPT)))
    reader = OpenAICompatible(
        f"{server.address}/", "tiny", api_key="secret", extra={"temperature": 0}, headers={"X-A": "b"}
    )
    assert ask(reader, [question()], deadline=LONG).answers == {0: KEPT}
    path, body, headers = server.kind.asked[0]
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == "Bearer secret"
    assert headers["x-a"] == "b"
    assert sorted(body) == ["messages", "model", "temperature"]
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert json.loads(body["messages"][1]["content"]) == {"sentence": "Ida moved to Ulm."}
    assert "secret" not in repr(reader)


def test_a_question_carries_its_texts_as_data() -> None:
    reader = OpenAICompatible("https://model.example/v1", "tiny")
    asked = Question(0, "rewrite", "task", 'Say "yes"\nnow', "the source", ("dropped attribution: …",))
    said = reader.request(asked)["messages"][1]["content"]
    assert json.loads(said) == {"memory": asked.text, "conversation": "the source", "lost": ["dropped attribution: …"]}


def endless(handler: Server) -> None:
    handler.send_response(200)
    handler.end_headers()
    while not handler.over.wait(0.01):
        handler.wfile.write(b" " * 1000)


def drip(handler: Server) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Wait: ")
    while not handler.over.wait(0.02):
        handler.wfile.write(b"x")


def drip_body(handler: Server) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.over.wait(0.02):
        handler.wfile.write(b" ")


def silent(handler: Server) -> None:
    handler.over.wait(LONG)


def short(handler: Server) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(completion("{}"))
    handler.close_connection = True


def short_chunks(handler: Server) -> None:
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(b"ff\r\n{}")
    handler.close_connection = True


def garbage(handler: Server) -> None:
    handler.wfile.write(b"\x00\x01 nothing of HTTP\r\n\r\n")
    handler.close_connection = True


BAD: list[tuple[Answer, str, int]] = [
    (silent, "no whole answer before the deadline", 1),
    (drip, "no whole answer before the deadline", 1),
    (drip_body, "no whole answer before the deadline", 1),
    (endless, "more than 20000 bytes", 1),
    (short, "broke off in the middle", 1),
    (short_chunks, "can't be asked: IncompleteRead", 1),
    (garbage, "can't be asked: BadStatusLine", 1),
    (lambda handler: handler.say(200, b"{not json"), "this is no chat completion", 1),
    (lambda handler: handler.say(200, b"[" * 15_000), "this is no chat completion", 1),
    (lambda handler: handler.say(200, b'{"choices": []}'), "this is no chat completion", 1),
    (lambda handler: handler.say(200, completion(None)), "holds no text", 1),
    (lambda handler: handler.say(200, completion("I think it is hedged.")), "this is no JSON", 1),
    (lambda handler: handler.say(302, Location="http://127.0.0.1:9/v1"), "answered 302, a redirect", 1),
    (lambda handler: handler.say(307, Location="/v1/chat/completions"), "answered 307, a redirect", 1),
    (lambda handler: handler.say(401, b'{"error": {"message": "wrong key secret"}}'), "answered 401", 1),
    (lambda handler: handler.say(500), "answered 500", 1),
    (lambda handler: handler.say(503, Retry_After="0"), "answered 503", 2),
    (lambda handler: handler.say(429, Retry_After="3600"), "asks to wait 3600 s, past the deadline", 1),
    (lambda handler: handler.say(503, Retry_After="Fri, 31 Dec 2999 23:59:59 GMT"), "past the deadline", 1),
]


@pytest.mark.parametrize(("answer", "why", "requests"), BAD)
def test_a_bad_server_is_declared_and_never_asked_twice_for_nothing(
    server: Any, answer: Answer, why: str, requests: int
) -> None:
    server.kind.answer = answer
    patient = answer not in (silent, drip, drip_body)
    reader = OpenAICompatible(
        server.address, "tiny", api_key="secret", deadline=LONG if patient else SHORT, max_bytes=20_000
    )
    replies = ask(reader, [question()], deadline=LONG)
    assert why in replies.failures[0]
    assert "secret" not in replies.failures[0]
    assert len(server.kind.asked) == requests


def test_a_server_that_is_busy_is_asked_once_more(server: Any) -> None:
    def busy(handler: Server) -> None:
        if len(handler.asked) == 1:
            handler.say(429, Retry_After="0.05")
        else:
            handler.say(200, completion([{"type": "text", "text": json.dumps(KEPT)}]))

    server.kind.answer = busy
    reader = OpenAICompatible(server.address, "tiny", deadline=LONG)
    assert ask(reader, [question()], deadline=LONG).answers == {0: KEPT}
    assert len(server.kind.asked) == 2


def test_no_server_at_all_is_declared() -> None:
    replies = ask(OpenAICompatible("http://127.0.0.1:9/v1", "tiny"), [question()], deadline=LONG)
    assert "can't be asked" in replies.failures[0]


LIES = [
    {"hedged": True, "attributed": True, "markers": ["reportedly"]},  # stands nowhere in the sentence
    {"hedged": True, "attributed": True, "markers": []},
    {"verdict": "PASS"},
    {"answer": "supported", "quote": "Ida is a pilot"},
    {"answer": "unsupported", "quote": "Ida is a pilot"},
]


@pytest.mark.parametrize("lie", LIES)
def test_a_server_that_lies_changes_nothing(server: Any, lie: Any) -> None:
    server.kind.answer = lambda handler: handler.say(200, completion(json.dumps(lie)))
    reader = OpenAICompatible(server.address, "tiny")
    heard = second_opinion(SOURCE, MEMORY, reader, deadline=LONG)
    assert heard.report == check(SOURCE, MEMORY)
    assert heard.report.verdict is Verdict.REWRITE
    assert heard.void == (0, 1, 2)
    assert fix(WISH, DONE, reader, deadline=LONG).text is None


@pytest.mark.parametrize(
    "settings",
    [{"base_url": "model.example/v1"}, {"base_url": "file:///etc"}, {"deadline": 0}, {"max_bytes": 0}],
)
def test_wrong_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        OpenAICompatible(**{"base_url": "http://127.0.0.1/v1", "model": "tiny", **settings})
