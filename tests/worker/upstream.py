"""A model's server on loopback that behaves well and badly: the name of the model says how."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PIECE = 7
LOGPROBS = {"content": [{"token": "SECRET"}]}


def pieces(text: str, size: int = PIECE) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


class Handler(BaseHTTPRequestHandler):
    """Says back the text of the last message."""

    server: Upstream
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        self.server.requests.append((self.path, dict(self.headers), body))
        model = body["model"]
        if model == "refuses":
            self.send_json({"error": {"message": "SECRET words of the server"}}, status=429)
        elif model == "fails":
            self.send_json({"error": {"message": "SECRET words of the server"}}, status=500)
        elif model == "no-completion":
            self.send_json({"text": "SECRET"})
        elif not body.get("stream"):
            self.send_json(self.completion(body))
        else:
            try:
                self.stream(model, body)
            except (BrokenPipeError, ConnectionResetError):
                self.server.left.set()

    def completion(self, body: dict[str, Any]) -> dict[str, Any]:
        text = body["messages"][-1]["content"]
        message = {"role": "assistant", "content": text, "refusal": None, "reasoning_content": f"SECRET {text}"}
        choice = {
            "index": 0,
            "message": message,
            "finish_reason": "stop",
            "logprobs": {"content": [{"token": "SECRET"}]},
        }
        return {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [choice],
            "extra": "SECRET",
            "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3},
        }

    def chunk(self, body: dict[str, Any], delta: dict[str, Any], ends: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": ends, "logprobs": {"content": [{"token": "SECRET"}]}}
        event = {
            "id": "c1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": body["model"],
            "choices": [choice],
        }
        self.send_part(f"data: {json.dumps(event)}\n\n")

    def stream(self, model: str, body: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        text = body["messages"][-1]["content"]
        self.chunk(body, {"role": "assistant", "content": ""})
        if model == "endless":
            while True:
                for piece in pieces(text):
                    self.chunk(body, {"content": piece})
                    time.sleep(0.01)
        for number, piece in enumerate(pieces(text)):
            if model == "slow":
                time.sleep(0.02)
            if model == "breaks-off" and number * PIECE > len(text) // 2:
                self.close_connection = True
                return  # without the last chunk: the connection ends in the middle
            if model == "malformed" and number * PIECE > len(text) // 2:
                self.send_part('data: {"choices": [{"delta": {"content": "SECRET\n\n')
            if model == "talks-beside" and number == 1:
                self.send_part(': SECRET\n\nevent: SECRET\nid: SECRET\ndata: "SECRET"\n\n')
            if model == "errs" and number * PIECE > len(text) // 2:
                self.send_part('data: {"error": {"message": "SECRET"}}\n\n')
                break
            self.chunk(body, {"content": piece, "reasoning_content": "SECRET"})
        else:
            self.chunk(body, {}, "stop")
            self.send_part("data: [DONE]\n\n")
        self.send_part("")

    def send_part(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def send_json(self, value: Any, status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Upstream(ThreadingHTTPServer):
    """The server; `requests` holds what came in, `left` is set when someone went away before the end."""

    daemon_threads = True
    request_queue_size = 1024

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.left = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"
