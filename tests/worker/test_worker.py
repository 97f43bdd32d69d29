"""The edge worker, asked by the clients that people have: what the model's server says comes out guarded."""

from __future__ import annotations

import json
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openai
import pytest

from build_scripts import setup
from edgegate import Guard
from tests.worker.conftest import KEY
from tests.worker.upstream import Upstream

EVIDENCE = {"memories": ["The user has a sister called Nadia"]}
TEXT = "Hello! Last time you told me about your boat. How is Nadia? I can help with the garden today."
OWN = {"edgegate": {"evidence": EVIDENCE}}


def guarded(text: str = TEXT, evidence: Any = EVIDENCE) -> str:
    guard = Guard(evidence)
    guard.feed(text)
    guard.close()
    return guard.shown


def ask(
    address: str, path: str, body: Any = None, *, key: str | None = KEY, method: str | None = None
) -> tuple[int, dict[str, str], Any]:
    data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", **({"authorization": f"Bearer {key}"} if key is not None else {})}
    request = urllib.request.Request(address + path, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, dict(answer.headers), json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), json.load(error)


def stream(address: str, model: str, text: str = TEXT, evidence: Any = EVIDENCE) -> str:
    """The raw answer to a streamed completion, to its end."""
    body = {"model": model, "stream": True, "messages": [{"role": "user", "content": text}]}
    request = urllib.request.Request(
        f"{address}/v1/chat/completions",
        data=json.dumps({**body, "edgegate": {"evidence": evidence}}).encode(),
        headers={"authorization": f"Bearer {KEY}"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(answer.read().decode())


def content(raw: str) -> str:
    events = [json.loads(line[6:]) for line in raw.splitlines() if line.startswith("data: {")]
    return "".join(choice["delta"].get("content") or "" for event in events for choice in event.get("choices", []))


@pytest.fixture(scope="module")
def client(worker: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{worker}/v1", api_key=KEY, max_retries=0)


def messages(text: str = TEXT) -> Any:
    return [{"role": "user", "content": text}]


def test_the_python_client_gets_a_guarded_completion(client: openai.OpenAI, upstream: Upstream) -> None:
    answer = client.chat.completions.create(model="plain", messages=messages(), extra_body=OWN)
    assert answer.choices[0].message.content == guarded()
    assert answer.choices[0].logprobs is None
    assert answer.usage
    assert answer.usage.total_tokens == 3
    assert "SECRET" not in answer.model_dump_json()
    assert answer.model_extra
    assert [entry["family"] for entry in answer.model_extra["edgegate"]["dropped"]] == ["history"]
    path, headers, body = upstream.requests[-1]
    assert path == "/v1/chat/completions"
    assert set(body) == {"model", "messages"}
    assert {name.lower(): value for name, value in headers.items()}["authorization"] == "Bearer the-upstream-key"


@pytest.mark.parametrize("model", ["plain", "slow", "talks-beside"])
def test_the_python_client_gets_a_guarded_stream(client: openai.OpenAI, worker: str, model: str) -> None:
    with client.chat.completions.create(model=model, messages=messages(), stream=True, extra_body=OWN) as chunks:
        found = list(chunks)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in found) == guarded()
    assert found[-1].choices[0].finish_reason == "stop"
    raw = stream(worker, model)
    assert content(raw) == guarded()
    assert "SECRET" not in raw
    assert raw.endswith("data: [DONE]\n\n")


def test_the_npm_client_gets_the_same(worker: str) -> None:
    code = f"""
import OpenAI from "openai";
const client = new OpenAI({{ baseURL: "{worker}/v1", apiKey: "{KEY}", maxRetries: 0 }});
const request = {{ model: "plain", messages: {json.dumps(messages())}, ...{json.dumps(OWN)} }};
const whole = (await client.chat.completions.create(request)).choices[0].message.content;
let streamed = "";
for await (const chunk of await client.chat.completions.create({{ ...request, stream: true }}))
  streamed += chunk.choices[0]?.delta.content ?? "";
const wrong = {{ ...request, edgegate: {{ evidence: 5 }} }};
const refused = await client.chat.completions.create(wrong).catch((error) => error);
console.log(JSON.stringify({{ whole, streamed, refused: [refused.constructor.name, refused.status, refused.code] }}));
"""
    folder = Path(setup.ROOT) / "tests" / "web" / "clients"
    command = ["node", "--input-type=module", "-e", code]
    told = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout)
    assert found == {
        "whole": guarded(),
        "streamed": guarded(),
        "refused": ["BadRequestError", 400, "invalid_evidence"],
    }


def test_without_evidence_every_claim_of_history_is_dropped(client: openai.OpenAI) -> None:
    answer = client.chat.completions.create(model="plain", messages=messages())
    assert answer.choices[0].message.content == guarded(TEXT, {})


@pytest.mark.parametrize(
    ("model", "code"),
    [("breaks-off", "upstream_broken"), ("malformed", "upstream_malformed"), ("errs", "upstream_error")],
)
def test_a_stream_that_goes_wrong_ends_with_decided_text_and_an_error(
    client: openai.OpenAI, worker: str, model: str, code: str
) -> None:
    raw = stream(worker, model)
    events = [json.loads(line[6:]) for line in raw.splitlines() if line.startswith("data: {")]
    assert events[-1]["error"]["code"] == code
    assert "SECRET" not in raw
    assert "[DONE]" not in raw
    # What was shown is what the guard decides of the beginning that came: nothing of the dropped sentence.
    shown = content(raw)
    assert shown.startswith("Hello!")
    assert "boat" not in shown
    with (
        pytest.raises(openai.APIError),
        client.chat.completions.create(model=model, messages=messages(), stream=True, extra_body=OWN) as chunks,
    ):
        list(chunks)


def test_an_answer_that_never_ends_is_ended(start: Callable[..., str], upstream: Upstream) -> None:
    address = start(MAX_SECONDS="1")
    upstream.left.clear()
    begun = time.monotonic()
    raw = stream(address, "endless")
    assert 0.9 < time.monotonic() - begun < 10
    assert '"code":"upstream_timeout"' in raw
    assert "boat" not in content(raw)
    assert upstream.left.wait(10)
    assert ask(address, "/health")[2]["running"] == 0


def test_a_client_that_goes_away_stops_the_upstream(client: openai.OpenAI, worker: str, upstream: Upstream) -> None:
    upstream.left.clear()
    with client.chat.completions.create(model="endless", messages=messages(), stream=True, extra_body=OWN) as chunks:
        next(iter(chunks))
    assert upstream.left.wait(20)
    for _ in range(100):
        if ask(worker, "/health")[2]["running"] == 0:
            return
        time.sleep(0.05)
    raise AssertionError("the answer is still counted as running")


@pytest.mark.parametrize(
    ("model", "status", "code"),
    [
        ("refuses", 429, "upstream_error"),
        ("fails", 502, "upstream_error"),
        ("no-completion", 502, "upstream_malformed"),
    ],
)
def test_what_the_upstream_refuses_is_told_in_our_words(worker: str, model: str, status: int, code: str) -> None:
    found, _, body = ask(worker, "/v1/chat/completions", {"model": model, "messages": messages()})
    assert (found, body["error"]["code"]) == (status, code)
    assert "SECRET" not in json.dumps(body)


def test_an_upstream_that_is_not_there_is_told(start: Callable[..., str]) -> None:
    address = start(UPSTREAM_URL="http://127.0.0.1:9/v1")
    status, _, body = ask(address, "/v1/chat/completions", {"model": "plain", "messages": messages()})
    assert (status, body["error"]["code"]) == (502, "upstream_unreachable")
    status, _, body = ask(start(UPSTREAM_URL=""), "/v1/chat/completions", {"model": "plain", "messages": messages()})
    assert (status, body["error"]["code"]) == (503, "not_configured")


def test_the_gate_answers_as_the_library_does(worker: str) -> None:
    from edgegate import check, inspect
    from edgegate.records import to_json

    source, memory = "Someone said Alice was promoted.", "Alice was promoted."
    assert ask(worker, "/v1/check", {"source": source, "memory": memory})[2] == to_json(check(source, memory))
    assert ask(worker, "/v1/inspect", {"source": source, "memory": memory})[2] == to_json(inspect(source, memory))


@pytest.mark.parametrize(
    ("path", "body", "status", "code", "param"),
    [
        ("/v1/check", {"source": 5, "memory": "x"}, 400, "invalid_request", "source"),
        ("/v1/check", {"source": "x"}, 400, "invalid_request", "memory"),
        ("/v1/check", {"source": "x", "memory": "y", "own": 1}, 400, "invalid_request", "own"),
        ("/v1/check", b"{", 400, "invalid_json", None),
        ("/v1/check", b"[]", 400, "invalid_json", None),
        ("/v1/check", b"\xff{}", 400, "invalid_json", None),
        ("/v1/chat/completions", {"edgegate": 5}, 400, "invalid_evidence", "edgegate"),
        ("/v1/chat/completions", {"edgegate": {"memories": []}}, 400, "invalid_evidence", "edgegate.memories"),
        ("/v1/chat/completions", {"edgegate": {"evidence": {"x": []}}}, 400, "invalid_evidence", "edgegate.evidence.x"),
        ("/v1/nothing", {}, 404, "not_found", None),
    ],
)
def test_what_is_wrong_with_a_request_is_named(
    worker: str, upstream: Upstream, path: str, body: Any, status: int, code: str, param: str | None
) -> None:
    before = len(upstream.requests)
    found, headers, answer = ask(worker, path, body)
    assert (found, answer["error"]["code"], answer["error"]["param"]) == (status, code, param)
    assert set(answer["error"]) == {"message", "type", "param", "code"}
    assert {name.lower(): value for name, value in headers.items()}["content-type"].startswith("application/json")
    assert len(upstream.requests) == before


def test_methods_and_keys_are_checked(worker: str, start: Callable[..., str]) -> None:
    assert ask(worker, "/health", key=None)[0] == 200
    assert ask(worker, "/v1/check", method="GET")[0] == 405
    for key in (None, "", "wrong", KEY[:-1], KEY + "x", KEY.upper()):
        status, headers, body = ask(worker, "/v1/check", {"source": "a", "memory": "b"}, key=key)
        assert (status, body["error"]["code"]) == (401, "invalid_api_key")
        assert {name.lower() for name in headers} >= {"www-authenticate"}
    status, _, body = ask(start(API_KEY=""), "/v1/check", {"source": "a", "memory": "b"}, key="")
    assert (status, body["error"]["code"]) == (503, "not_configured")


def test_size_and_number_are_limited(start: Callable[..., str], upstream: Upstream) -> None:
    address = start(MAX_BODY_BYTES="2000", MAX_STREAMS="2", MAX_SECONDS="5")
    large = {"source": "x" * 3000, "memory": "y"}
    assert ask(address, "/v1/check", large)[0] == 413
    threads = [threading.Thread(target=stream, args=(address, "endless", "Hello there. ")) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(200):
        if ask(address, "/health")[2]["running"] == 2:
            break
        time.sleep(0.02)
    status, headers, body = ask(address, "/v1/chat/completions", {"model": "plain", "messages": messages()})
    assert (status, body["error"]["code"]) == (429, "too_many_requests")
    assert {name.lower(): value for name, value in headers.items()}["retry-after"] == "1"
    for thread in threads:
        thread.join(30)
    assert ask(address, "/health")[2]["running"] == 0


def test_streams_side_by_side_keep_apart(worker: str) -> None:
    """Each with evidence of its own: what supports one user's claim supports no one else's."""
    found: dict[int, str] = {}
    names = ["Nadia", "Viktor", "Ines", "Tomas", "Yara", "Bashir", "Oona", "Pavel"]

    def one(number: int) -> None:
        text = f"Good morning. You told me your sister {names[number]} moved to Ghent. Shall we begin?"
        evidence = {"memories": [f"The user's sister {names[number // 2 * 2]} moved to Ghent"]}
        found[number] = content(stream(worker, "slow", text, evidence))

    threads = [threading.Thread(target=one, args=(number,)) for number in range(len(names))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for number, name in enumerate(names):
        assert (name in found[number]) == (number % 2 == 0), found[number]
