"""A second reader behind an OpenAI-compatible server: one request a question, one deadline over the whole of it.

    reader = OpenAICompatible("http://127.0.0.1:11434/v1", "a-small-model")
    heard = second_opinion(source, memory, reader, deadline=10)

It speaks HTTP with the standard library alone, for three reasons: the usual clients take their timeout for each read,
so that a server which sends a byte now and then holds them for ever; they repeat a failed request by themselves; and
they follow redirects, which would carry the user's words and the key to a host that nobody named. Here the connection
is cut at the deadline, a request is repeated once at most, and a redirect is an error.

The form of request and response is OpenAI's `POST /chat/completions`, as far as most servers share it: the model and
two messages. Nothing else is sent unless `extra` says so, since servers differ in what they refuse.
"""

from __future__ import annotations

import email.utils
import http.client
import json
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from edgegate.adapters.readers import ReaderError
from edgegate.errors import UsageError
from edgegate.gate.records import Question

REPEATED = (429, 503)
"""The answers after which a request is repeated, once: too many requests, and not there just now (RFC 9110, 10.2.3)."""

PAUSE = 0.5
"""Seconds before the repeated request, where the server names none."""


class OpenAICompatible:
    """A reader that asks a chat model. Call it with a `Question`; it returns the text of the model's answer.

    `base_url` goes up to `/v1`; `model` is the name the server knows; `api_key` is sent as a bearer token. `deadline`
    counts seconds for one question, its repetition included; `max_bytes` bounds the response. `extra` joins the request
    (`{"temperature": 0, "response_format": {"type": "json_object"}}`, where the server takes that), `headers` join its
    head. Every failure raises ReaderError, which never holds the key or the texts; `edgegate.adapters.readers` turns it
    into a declared gap. Proxies named in the environment are not used. Wrong settings raise UsageError.

    >>> OpenAICompatible("ftp://example.com", "m")
    Traceback (most recent call last):
    edgegate.errors.UsageError: base_url: an http or https address is needed, up to /v1
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        deadline: float = 10.0,
        max_bytes: int = 500_000,
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        address = urlsplit(base_url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise UsageError("an http or https address is needed, up to /v1", where="base_url")
        if deadline <= 0 or max_bytes <= 0:
            raise UsageError("deadline and max_bytes must be above 0", where="OpenAICompatible")
        self._secure = address.scheme == "https"
        self._host, self._port = address.hostname, address.port
        self._path = f"{address.path.rstrip('/')}/chat/completions"
        if address.query:
            self._path += f"?{address.query}"
        self._model, self._deadline, self._most = model, deadline, max_bytes
        self._extra = dict(extra or {})
        self._headers = {"Content-Type": "application/json", "Accept": "application/json", **(headers or {})}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"

    def __repr__(self) -> str:
        return f"OpenAICompatible({self._host!r}, {self._model!r})"

    def __call__(self, question: Question) -> str:
        """The model's answer to one question, as text. Raises ReaderError."""
        until = time.monotonic() + self._deadline
        body = json.dumps(self.request(question)).encode()
        status, head, data = self._send(body, until)
        if status in REPEATED:
            pause = _pause(head.get("retry-after"))
            if time.monotonic() + pause >= until:
                raise ReaderError(f"answered {status} and asks to wait {pause:g} s, past the deadline", where="server")
            time.sleep(pause)
            status, head, data = self._send(body, until)
        if 300 <= status < 400:
            raise ReaderError(
                f"answered {status}, a redirect, which is not followed: name the address itself", where="server"
            )
        if status != 200:
            raise ReaderError(f"answered {status}", where="server")
        return _content(data)

    def request(self, question: Question) -> dict[str, Any]:
        """The JSON that is sent: the task as the system's message, and the texts as JSON, so that they stay data."""
        texts: dict[str, Any] = {"memory" if question.kind == "rewrite" else "sentence": question.text}
        if question.source:
            texts["conversation"] = question.source
        if question.lost:
            texts["lost"] = list(question.lost)
        return {
            "model": self._model,
            "messages": [
                {"role": "system", "content": question.task},
                {"role": "user", "content": json.dumps(texts, ensure_ascii=False)},
            ],
            **self._extra,
        }

    def _send(self, body: bytes, until: float) -> tuple[int, Mapping[str, str], bytes]:
        """One request: status, headers, body. The connection is cut at `until`, whatever the server is doing."""
        left = until - time.monotonic()
        if left <= 0:
            raise ReaderError("the deadline has passed", where="server")
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        connection = kind(self._host, self._port, timeout=left)
        cut = threading.Event()

        def end() -> None:
            cut.set()
            live = connection.sock
            if live is not None:
                with suppress(OSError):
                    socket.socket.shutdown(live, socket.SHUT_RDWR)  # below TLS, whose own state a reader is using

        watch = threading.Timer(left, end)
        watch.daemon = True
        watch.start()
        try:
            connection.request("POST", self._path, body, self._headers)
            response = connection.getresponse()
            data = response.read(self._most + 1)
            if len(data) > self._most:
                raise ReaderError(f"answered with more than {self._most} bytes", where="server")
            if cut.is_set():
                raise ReaderError("no whole answer before the deadline", where="server")
            if response.length:  # what is still missing of the length that was announced
                raise ReaderError("broke off in the middle of its answer", where="server")
            return response.status, {name.lower(): value for name, value in response.getheaders()}, data
        except (OSError, http.client.HTTPException, ValueError) as error:
            if cut.is_set() or isinstance(error, TimeoutError):
                raise ReaderError("no whole answer before the deadline", where="server") from None
            raise ReaderError(f"can't be asked: {type(error).__name__}", where="server") from error
        finally:
            watch.cancel()
            connection.close()


def _pause(said: str | None) -> float:
    """The seconds that a `Retry-After` asks for: a number, or a date."""
    if said is None:
        return PAUSE
    with suppress(ValueError):
        return max(0.0, float(said))
    with suppress(ValueError, TypeError):
        return max(0.0, email.utils.parsedate_to_datetime(said).timestamp() - time.time())
    return PAUSE


def _content(data: bytes) -> str:
    """The text of the first choice of a chat completion. Raises ReaderError where there is none."""
    try:
        content = json.loads(data)["choices"][0]["message"]["content"]
    except (ValueError, RecursionError, LookupError, TypeError):
        raise ReaderError("this is no chat completion", where="server") from None
    if isinstance(content, list):  # some servers send parts
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    if not isinstance(content, str) or not content.strip():
        raise ReaderError("the completion holds no text", where="server")
    return content
