"""The panel Chat with a model's service: a small local one, which says what each test has it say."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from build_scripts.serve import Server
from edgegate.guard.stream import Guard
from tests.web.page_visits import START, Visit, recordings, visit_of

pytestmark = pytest.mark.browser

SECRET = "sk-only-for-the-service"
REPLY = (
    "Good to hear from you. Last time you told me about your boat in Lisbon. "
    "You said that your cat is called Momo, so she comes too. Pack lightly."
)
LOST = "Last time you told me about your boat in Lisbon."
LEFT = "Good to hear from you. You said that your cat is called Momo, so she comes too. Pack lightly."


@dataclass
class Script:
    """What the service does with the next requests, and what it was asked."""

    pieces: list[str] = field(default_factory=lambda: pieces_of(REPLY))
    status: int = 200
    error: Any = None
    whole: bool = False
    stops_after: int | None = None  # pieces, after which the connection is cut
    waits_after: int | None = None  # pieces, after which it says nothing more until the test is over
    says_after: tuple[int, bytes] | None = None  # pieces, after which it sends this and ends
    kind: str = "text/event-stream"
    allowed: bool = True  # whether it lets the page read its answers
    requests: list[tuple[dict[str, str], Any]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)


def pieces_of(text: str, size: int = 7) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


class Service(BaseHTTPRequestHandler):
    """Chat completions as OpenAI-compatible services give them."""

    protocol_version = "HTTP/1.1"
    script: Script

    def do_OPTIONS(self) -> None:
        self._head(204, "text/plain", 0)

    def do_POST(self) -> None:
        script = self.script
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        script.requests.append(({key.lower(): value for key, value in self.headers.items()}, asked))
        if self.path != "/v1/chat/completions":
            return self._whole(404, {"error": {"message": f"nothing at {self.path}"}})
        if script.status != 200:
            return self._whole(script.status, script.error)
        if script.whole:
            message = {"role": "assistant", "content": "".join(script.pieces)}
            return self._whole(200, {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
        self.close_connection = True
        self._head(200, script.kind, None)
        for number, piece in enumerate(script.pieces):
            if number == script.stops_after:
                time.sleep(1)  # what was sent arrives
                self.connection.close()  # without the chunk that ends the body
                return None
            if script.says_after is not None and number == script.says_after[0]:
                self._chunk(script.says_after[1])
                self._chunk(b"")
                return None
            if number == script.waits_after:
                script.over.wait(60)
                return None
            self._event({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]})
            time.sleep(0.002)
        self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")
        return None

    def _event(self, event: Any) -> None:
        self._chunk(f"data: {json.dumps(event)}\n\n".encode())

    def _chunk(self, content: bytes) -> None:
        self.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        self.wfile.flush()

    def _whole(self, status: int, answer: Any) -> None:
        content = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
        self._head(status, "text/html" if isinstance(answer, str) else "application/json", len(content))
        self.wfile.write(content)

    def _head(self, status: int, kind: str, length: int | None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if length is None:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(length))
        if self.script.allowed:
            self.send_header("Access-Control-Allow-Origin", self.headers.get("Origin", "*"))
            self.send_header("Access-Control-Allow-Headers", "authorization, content-type")
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@contextmanager
def served(server: Any) -> Iterator[Any]:
    with server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    """The base URL of the service."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.daemon_threads = True
    with served(server):
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"


@pytest.fixture
def script(service: str) -> Iterator[Script]:
    Service.script = Script()
    yield Service.script
    Service.script.over.set()


@pytest.fixture(scope="module")
def visit(chromium: Any, dist: Path, service: str) -> Iterator[Visit]:
    """The page, started so that it may ask the service."""
    with served(Server(dist, endpoint=service)) as server:
        made = visit_of(chromium, server.address, ready=True)
        yield made
        made.page.close()


@pytest.fixture(autouse=True)
def conversation(visit: Visit, script: Script, service: str) -> None:
    """A new conversation in the panel, with the form filled."""
    page = visit.page
    page.click("#tab-chat")
    visit.guard(True)
    page.check("#from-recording")
    page.check("#from-model")
    page.click("#new-conversation")
    page.wait_for_selector("#chat-memory-on")
    if page.get_attribute("#chat-memory-on", "aria-checked") == "true":  # what memory adds has tests of its own, below
        page.click("#chat-memory-on")
    visit.until(lambda: "may ask" in page.text_content("#endpoint-note"))
    page.fill("#endpoint-base", service)
    page.fill("#endpoint-model", "small-one")
    page.fill("#endpoint-key", SECRET)
    page.evaluate("watch.seen.length = 0; watch.violations.length = 0")
    visit.requests.clear()
    visit.complaints.clear()


def say(visit: Visit, text: str, *, wait: bool = True) -> None:
    visit.page.fill("#chat-message", text)
    visit.page.press("#chat-message", "Enter")
    if wait:
        visit.until(lambda: visit.page.inner_text("#send") == "Send" and outcome(visit) != "Streaming …")


def outcome(visit: Visit) -> str:
    return str(visit.page.text_content("#panel-chat .foot-line .outcome"))


def hold(visit: Visit, memory: str) -> None:
    visit.page.click("#evidence [data-kind=memories] button:has-text('Add')")
    visit.page.keyboard.type(memory)


def replies(visit: Visit) -> list[str]:
    return list(visit.page.locator("#panel-chat .said.reply").all_text_contents())


def test_a_reply_of_a_model_passes_the_guard(visit: Visit, script: Script) -> None:
    hold(visit, "The user's cat is called Momo")
    say(visit, "I'm off on Friday!")
    assert replies(visit) == [LEFT]
    assert visit.page.locator("#panel-chat .foot-line pre").text_content() == LEFT
    assert visit.page.locator(".why .drop:not(.kept) summary q").all_text_contents() == [LOST]
    assert visit.page.locator(".why .drop.kept summary q").count() == 1
    assert all(LEFT.startswith(text) for text in visit.seen()), "something was shown that is not in the reply"
    assert not any(LOST in text for text in visit.seen())
    headers, asked = script.requests[0]
    assert headers["authorization"] == f"Bearer {SECRET}"
    assert (asked["model"], asked["stream"]) == ("small-one", True)
    assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    assert "Momo" in asked["messages"][0]["content"]
    assert asked["messages"][1]["content"] == "I'm off on Friday!"


@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: str(recording["id"]))
def test_nothing_dropped_is_ever_visible_whatever_the_model_says(
    visit: Visit, script: Script, recording: dict[str, Any]
) -> None:
    whole = "".join(piece for _, piece in recording["chunks"])
    script.pieces = pieces_of(whole, 11)
    say(visit, recording["message"])
    guard = Guard({"history": [{"speaker": "user", "text": recording["message"]}]})
    events = guard.feed(whole) + guard.close()
    assert replies(visit) == [guard.shown]
    assert all(guard.shown.startswith(text) for text in visit.seen())
    assert visit.page.locator(".why .drop:not(.kept) summary q").all_text_contents() == [
        event.sentence for event in events if event.kind == "text_dropped"
    ]


def test_what_was_said_before_is_evidence_and_is_sent_as_it_was_shown(visit: Visit, script: Script) -> None:
    script.pieces = pieces_of("You told me that your cat is called Momo. Hello!")
    say(visit, "Hello there.")
    assert replies(visit) == ["Hello!"]
    say(visit, "My cat is called Momo, by the way.")
    assert replies(visit) == ["Hello!", "You told me that your cat is called Momo. Hello!"]
    assert script.requests[1][1]["messages"] == [
        {"role": "user", "content": "Hello there."},
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": "My cat is called Momo, by the way."},
    ]
    turns = visit.page.locator("#evidence [data-kind=history] textarea")
    assert [turn.input_value() for turn in turns.all()] == [
        "Hello there.",
        "Hello!",
        "My cat is called Momo, by the way.",
        "You told me that your cat is called Momo. Hello!",
    ]
    # The reasons of an earlier reply can be asked for again.
    visit.page.locator("#panel-chat .turn.model button", has_text="Why").first.click()
    assert visit.page.locator(".why .drop:not(.kept) summary q").count() == 1


def test_what_is_held_stays_here_when_the_model_is_not_to_be_told(visit: Visit, script: Script) -> None:
    hold(visit, "The user's cat is called Momo")
    visit.page.uncheck("#tell-held")
    say(visit, "Hello there.")
    visit.page.check("#tell-held")
    assert "Momo" not in json.dumps(script.requests[0][1])
    assert replies(visit) == [LEFT]


def test_an_answer_that_comes_whole_is_guarded_too(visit: Visit, script: Script) -> None:
    script.whole = True
    hold(visit, "The user's cat is called Momo")
    say(visit, "Hello there.")
    assert replies(visit) == [LEFT]


def test_with_the_kill_switch_thrown_everything_is_shown_and_said_to_be(visit: Visit, script: Script) -> None:
    visit.guard(False)
    say(visit, "Hello there.")
    assert replies(visit) == [REPLY]
    assert "guard was off" in outcome(visit)
    visit.guard(True)


def test_a_stream_that_breaks_off_leaves_exactly_the_decided_text(visit: Visit, script: Script) -> None:
    script.stops_after = 12
    given = "".join(script.pieces[:12])
    guard = Guard({"history": [{"speaker": "user", "text": "Hello there."}]})
    guard.feed(given)
    guard.close()
    say(visit, "Hello there.")
    assert replies(visit) == [guard.shown]
    assert visit.page.locator("#panel-chat .foot-line pre").text_content() == guard.shown
    assert "broke off" in outcome(visit)
    assert all(guard.shown.startswith(text) for text in visit.seen())


@pytest.mark.parametrize(
    ("sent", "word"),
    [
        (b'data: {"error": {"message": "the context is full"}}\n\n', "the context is full"),
        (b"data: {broken\n\n", "not JSON"),
        (b"", "Done."),  # an end without a last word is an end
    ],
    ids=["error", "broken", "silent"],
)
def test_what_a_service_says_in_the_middle_is_told_and_what_was_decided_stays(
    visit: Visit, script: Script, sent: bytes, word: str
) -> None:
    script.says_after = (12, sent)
    say(visit, "Hello there.")
    assert word in outcome(visit)
    (shown,) = replies(visit)
    assert shown.startswith("Good to hear from you.")
    assert LOST not in shown
    assert visit.page.locator("#panel-chat .foot-line pre").text_content() == shown


def test_what_is_no_reply_at_all_is_told_from_one(visit: Visit, script: Script) -> None:
    script.kind = "text/html"
    say(visit, "Hello there.")
    assert "text/html" in outcome(visit)
    assert replies(visit) == []
    assert visit.page.input_value("#chat-message") == "Hello there."


def test_a_reply_of_which_nothing_is_left_says_so(visit: Visit, script: Script) -> None:
    script.pieces = pieces_of(LOST)
    say(visit, "Hello there.")
    assert "Nothing was left to show" in outcome(visit)
    assert replies(visit) == [""]


def test_markup_in_a_reply_stays_text(visit: Visit, script: Script) -> None:
    markup = (
        "<script>globalThis.broken = true</script><img src=x onerror='globalThis.broken = true'> **bold** \u202ebidi"
    )
    script.pieces = pieces_of(markup)
    visit.page.evaluate("watch.added.length = 0")
    say(visit, markup)
    assert replies(visit) == [markup]
    assert not {"script", "img"} & set(visit.page.evaluate("watch.added"))
    assert visit.page.evaluate("globalThis.broken === undefined")


def test_a_conversation_is_still_there_after_a_look_at_a_recording(visit: Visit, script: Script) -> None:
    page = visit.page
    hold(visit, "The user's cat is called Momo")
    script.waits_after = 6
    say(visit, "Hello there.", wait=False)
    visit.until(lambda: replies(visit) == ["Good to hear from you."])
    assert visit.play("night-shift", pace="0")[0].startswith("That wired feeling")  # the model is stopped for it
    page.check("#from-model")
    visit.until(lambda: replies(visit) == ["Good to hear from you."])
    assert page.locator("#evidence [data-kind=memories] textarea").input_value() == "The user's cat is called Momo"
    script.waits_after = None
    say(visit, "And now?")
    assert replies(visit) == ["Good to hear from you.", LEFT]
    assert [message["content"] for message in script.requests[-1][1]["messages"]][1:] == [
        "Hello there.",
        "Good to hear from you.",
        "And now?",
    ]
    page.click("#new-conversation")
    assert replies(visit) == []
    assert page.locator("#evidence textarea").count() == 0


def test_stopping_leaves_what_was_shown(visit: Visit, script: Script) -> None:
    script.waits_after = 6
    say(visit, "Hello there.", wait=False)
    visit.until(lambda: replies(visit) == ["Good to hear from you."])
    visit.page.click("#send")
    visit.until(lambda: outcome(visit).startswith("Stopped."))
    assert replies(visit) == ["Good to hear from you."]
    assert visit.page.locator("#panel-chat .foot-line pre").text_content() == "Good to hear from you."
    assert visit.page.inner_text("#send") == "Send"


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (401, {"error": {"message": "no such key"}}, ["did not accept the key", "401", "no such key"]),
        (403, {"error": "forbidden here"}, ["did not accept the key", "forbidden here"]),
        (404, {"error": {"message": "unknown model"}}, ["no model “small-one”", "unknown model"]),
        (429, {"message": "slow down"}, ["too many requests", "slow down"]),
        (500, "<h1>Internal error</h1><script>globalThis.broken = true</script>", ["in trouble", "500"]),
        (418, {"detail": "a teapot"}, ["refused the request", "418", "a teapot"]),
    ],
)
def test_errors_of_the_service_are_told_in_words(
    visit: Visit, script: Script, status: int, error: Any, words: list[str]
) -> None:
    script.status, script.error = status, error
    say(visit, "Hello there.")
    for word in words:
        assert word in outcome(visit)
    assert replies(visit) == []
    assert visit.page.input_value("#chat-message") == "Hello there.", "the message can be sent again"
    assert visit.page.evaluate("globalThis.broken === undefined")
    script.status = 200
    visit.page.press("#chat-message", "Enter")
    visit.until(lambda: len(replies(visit)) == 1 and visit.page.inner_text("#send") == "Send")
    assert [message["content"] for message in script.requests[-1][1]["messages"]] == ["Hello there."]


def test_a_service_that_does_not_allow_the_page_is_told_from_one_that_answers(visit: Visit, script: Script) -> None:
    script.allowed = False
    say(visit, "Hello there.")
    assert "CORS" in outcome(visit)
    assert visit.address.rstrip("/") in outcome(visit)


def test_no_other_service_can_be_asked(visit: Visit, script: Script, service: str) -> None:
    """The page says why, and the browser refuses it whatever the page does."""
    page = visit.page
    other = service.replace("127.0.0.1", "localhost")
    page.fill("#endpoint-base", other)
    say(visit, "Hello there.")
    assert "run.py --endpoint" in outcome(visit)
    asked = "url => fetch(url, { method: 'POST', body: '{}' }).then(() => 'answered', () => 'refused')"
    assert page.evaluate(asked, f"{other}/chat/completions") == "refused"
    # The browser tells of it in an event of its own, which comes after the refusal.
    visit.until(lambda: any("connect-src" in violation for violation in page.evaluate("watch.violations")))
    assert script.requests == []
    assert page.evaluate(asked, f"{service}/chat/completions") == "answered"


def test_a_page_without_an_endpoint_says_how_to_get_one(chromium: Any, site: str, service: str, script: Script) -> None:
    visit = visit_of(chromium, site, ready=True)
    page = visit.page
    page.check("#from-model")
    visit.until(lambda: "may not ask any model" in page.text_content("#endpoint-note"))
    page.fill("#endpoint-base", service)
    page.fill("#endpoint-model", "small-one")
    say(visit, "Hello there.")
    assert f"run.py --endpoint {service}" in outcome(visit)
    asked = "url => fetch(url, { method: 'POST', body: '{}' }).then(() => 'answered', () => 'refused')"
    assert page.evaluate(asked, f"{service}/chat/completions") == "refused"
    assert script.requests == []
    page.close()


def test_what_is_typed_is_kept_in_this_browser_until_it_is_cleared(visit: Visit, script: Script, service: str) -> None:
    page = visit.page
    kept = json.loads(page.evaluate("localStorage['edgegate: endpoint']"))
    assert kept == {"base": service, "model": "small-one", "key": SECRET}
    page.check("#from-recording")
    page.check("#from-model")
    visit.until(lambda: page.input_value("#endpoint-key") == SECRET)
    page.click("#endpoint-clear")
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.includes('endpoint'))") == []
    assert [page.input_value(f"#endpoint-{name}") for name in ("base", "model", "key")] == [service, "", ""]
    say(visit, "Hello there.")
    assert "Name the model" in outcome(visit)


def test_what_is_typed_while_the_settings_come_stays(visit: Visit) -> None:
    page = visit.page
    late: list[Any] = []
    page.route("**/settings.json", lambda route: late.append(route))
    page.check("#from-recording")
    page.wait_for_selector("#recording")
    page.check("#from-model")
    visit.until(lambda: len(late) == 1)
    page.fill("#endpoint-model", "typed-meanwhile")
    with page.expect_response("**/settings.json"):
        late.pop().continue_()
    page.unroute("**/settings.json")
    page.evaluate("new Promise((resolve) => requestAnimationFrame(() => resolve()))")
    assert page.input_value("#endpoint-model") == "typed-meanwhile"


def test_a_key_goes_to_the_service_and_nowhere_else(visit: Visit, script: Script, service: str) -> None:
    sent: list[tuple[str, str]] = []

    def note(request: Any) -> None:
        sent.append((request.url, f"{request.headers} {request.post_data}"))

    visit.page.on("request", note)
    say(visit, "Hello there.")
    visit.play("night-shift", pace="0")
    assert any(SECRET in what for _, what in sent)
    assert {url for url, what in sent if SECRET in what} == {f"{service}/chat/completions"}
    assert all(SECRET not in url for url, _ in sent)
    allowed = (visit.address, f"{service}/chat/completions")
    assert all(url.startswith(allowed) for url, _ in sent)


def test_the_panel_is_accessible_with_a_conversation_in_it(visit: Visit, script: Script) -> None:
    say(visit, "Hello there.")
    for scheme, width in (("light", 1280), ("dark", 360)):
        visit.page.emulate_media(color_scheme=scheme)
        visit.page.set_viewport_size({"width": width, "height": 800})
        assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert visit.faults() == []
    visit.page.emulate_media(color_scheme="light")
    visit.page.set_viewport_size({"width": 1280, "height": 900})


def test_a_changed_endpoint_reaches_a_page_that_is_kept_for_offline(chromium: Any, dist: Path, service: str) -> None:
    """The kept page has the policy of its time: the next visit must have what the server says now."""
    connects = """
      fetch(location.href).then(({ headers }) => /connect-src [^;]*/.exec(headers.get("content-security-policy"))[0])
    """
    keeps = """
      caches.match(new URL("index.html", location.href)).then(({ headers }) => headers.get("content-security-policy"))
    """
    context = chromium.new_context()
    page = context.new_page()
    with served(Server(dist)) as server:
        page.goto(server.address)
        page.wait_for_selector("#offline:has-text('without a network')", timeout=START)
        page.reload()
        assert page.evaluate(connects) == "connect-src 'self'"
        server.endpoint = service
        page.reload()
        for _ in range(600):  # what is kept is renewed behind the visitor's back
            if service.removesuffix("/v1") in page.evaluate(keeps):
                break
            page.wait_for_timeout(50)
        page.reload()
        assert page.evaluate(connects) == f"connect-src 'self' {service.removesuffix('/v1')}"
    context.close()


@pytest.fixture
def remembering(visit: Visit) -> None:
    """Memory switched on, with nothing kept."""
    page = visit.page
    page.click("#chat-memory-on")
    page.evaluate(
        """async () => {
          const { IndexedDbStore } = await import(new URL("edgegate/indexeddb.js", location.href).href);
          const store = new IndexedDbStore("edgegate memories");
          const clear = async () => {
            const { revision, memories } = await store.load();
            await store.apply({ base: revision, put: [], delete: memories.map(({ id }) => id), turn: null });
          };
          // What came to mind before may be marked at this moment: then it is planned again, as everybody does.
          const again = (error) => (error.code === "stale" ? clear().catch(again) : Promise.reject(error));
          await clear().catch(again);
        }"""
    )


def kept(visit: Visit) -> list[str]:
    return list(
        visit.page.evaluate(
            """async () => {
              const { IndexedDbStore } = await import(new URL("edgegate/indexeddb.js", location.href).href);
              return (await new IndexedDbStore("edgegate memories").load()).memories.map(({ text }) => text);
            }"""
        )
    )


@pytest.mark.usefixtures("remembering")
def test_the_chat_remembers_and_what_comes_to_mind_is_evidence_later(visit: Visit, script: Script) -> None:
    script.pieces = ["Good luck at the doctor's."]
    say(visit, "hi, my cat is called Momo")
    assert kept(visit) == ["The user's cat is called Momo"]
    assert visit.page.locator("#panel-chat .kept-note").count() == 0, "a fact is kept in silence"
    visit.page.click("#new-conversation")
    script.pieces = pieces_of(REPLY)
    say(visit, "can my cat come along on the trip?")
    assert replies(visit) == [LEFT]
    assert "- The user's cat is called Momo" in script.requests[-1][1]["messages"][0]["content"]
    assert "1 memory came to mind." in visit.page.inner_text("#panel-chat .kept-note")


@pytest.mark.usefixtures("remembering")
def test_a_claim_to_have_saved_stands_only_where_memory_did(visit: Visit, script: Script) -> None:
    script.pieces = ["I've saved that. ", "Anything else?"]
    say(visit, "remember that the gate code is 4820")
    assert replies(visit) == ["I've saved that. Anything else?"]
    visit.page.click("#new-conversation")
    visit.page.click("#chat-memory-saves")
    say(visit, "remember that the gate code is 5512")
    visit.page.click("#chat-memory-saves")
    assert replies(visit) == ["Anything else?"]
    assert kept(visit) == ["The gate code is 4820"]


@pytest.mark.usefixtures("remembering")
def test_the_words_of_a_forget_go_to_the_model_as_they_are(visit: Visit, script: Script) -> None:
    say(visit, "remember that the gate code is 4820")
    say(visit, "forget the gate code")
    words = "Deleted: “The gate code is 4820”."
    assert f"Memory says: {words}" in script.requests[-1][1]["messages"][0]["content"]
    assert words in visit.page.locator("#panel-chat .kept-note").last.inner_text()
    assert kept(visit) == []
    say(visit, "remind me on Friday to call the bank")
    assert "call the bank" in visit.page.locator("#panel-chat .kept-note").last.inner_text()
