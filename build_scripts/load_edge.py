"""Many streams at once through the edge worker on loopback, each checked against the library to the character.

    python3 build_scripts/speed_hosts.py load [--streams 500] [--pause 50] [--json]

Every stream has a reply and evidence of its own, with sentences that must be dropped between others. What comes out of
each must be what the library shows of that reply with that evidence: then no byte passed the guard unchecked, and no
stream got another's text.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import re
import sys
import time
from typing import Any
from urllib.parse import urlsplit

from build_scripts import setup, speed_hosts

TEXT = re.compile(rb'"content":"[^"]')
NAMES = ("Nadia", "Viktor", "Ines", "Tomas", "Yara", "Bashir", "Oona", "Pavel")


def reply_of(number: int) -> tuple[str, dict[str, list[str]]]:
    """The reply and the evidence of one stream."""
    name = NAMES[number % len(NAMES)]
    text = (
        f"Hello, this is reply {number}. You told me your sister {name} moved to Ghent. "
        f"Last time you mentioned your boat number {number}. Rain is likely in the north today. "
        "I remember how you cried about the allotment. Take a coat along, and leave a little earlier than you would. "
        "The bridge is closed until noon, so the bus takes the long way round. Shall we plan the rest of the day?"
    )
    return text, {"memories": [f"The user's sister {name} moved to Ghent"]} if number % 2 else {"memories": []}


async def one(address: str, number: int, pause: int) -> dict[str, Any]:
    """One stream: how long it took to the first text and to the end, and what came."""
    text, evidence = reply_of(number)
    where = urlsplit(address)
    body = {
        "model": str(number),
        "stream": True,
        "messages": [{"role": "user", "content": text}],
        "metadata": {"pause": str(pause)},
        "edgegate": {"evidence": evidence},
    }
    data = json.dumps(body).encode()
    head = (
        f"POST /v1/chat/completions HTTP/1.1\r\nhost: {where.netloc}\r\nauthorization: Bearer {speed_hosts.KEY}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(data)}\r\nconnection: close\r\n\r\n"
    )
    begun = time.perf_counter()
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    writer.write(head.encode() + data)
    raw = bytearray()
    first = 0.0
    while piece := await reader.read(65536):
        raw += piece
        if not first and TEXT.search(raw):
            first = time.perf_counter() - begun
    took = time.perf_counter() - begun
    writer.close()
    lines = [line[6:] for line in raw.decode().splitlines() if line.startswith("data: {")]
    shown = "".join(
        choice["delta"].get("content") or "" for line in lines for choice in json.loads(line).get("choices", [])
    )
    return {"first": first, "took": took, "bytes": len(raw), "shown": shown, "done": b"[DONE]" in raw}


async def all_of(address: str, streams: int, pause: int) -> list[dict[str, Any]]:
    return list(await asyncio.gather(*(one(address, number, pause) for number in range(streams))))


def measure(streams: int, pause: int) -> dict[str, Any]:
    """The figures of one load."""
    from edgegate import Guard

    config = speed_hosts.compiled(setup.WORKER / "dist" / "workerd.capnp")
    with speed_hosts.upstream() as model, speed_hosts.workerd(config, model) as (process, address):
        speed_hosts.first_byte(address, "/health", None)
        before = speed_hosts.rss(process)
        asyncio.run(all_of(address, 5, 0))
        begun = time.perf_counter()
        found = asyncio.run(all_of(address, streams, pause))
        took = time.perf_counter() - begun
        peak = speed_hosts.rss(process, "VmHWM")
        with contextlib.suppress(OSError):
            speed_hosts.first_byte(address, "/health", None)
    wrong = 0
    characters = 0
    for number, result in enumerate(found):
        text, evidence = reply_of(number)
        guard = Guard(evidence)
        guard.feed(text)
        guard.close()
        wrong += result["shown"] != guard.shown or not result["done"]
        characters += len(text)

    def at(name: str, share: float) -> float:
        times: list[float] = sorted(result[name] for result in found)
        return round(times[min(len(times) - 1, int(len(times) * share))] * 1000, 1)

    pieces = max(len(reply_of(number)[0]) for number in range(streams)) / speed_hosts.PIECE
    return {
        "streams": streams,
        "pause_ms": pause,
        "seconds": round(took, 2),
        "shortest_possible_ms": round(pieces * pause),
        "replies_per_second": round(streams / took, 1),
        "characters_per_second": round(characters / took),
        "first_text_p50_ms": at("first", 0.5),
        "first_text_p99_ms": at("first", 0.99),
        "whole_reply_p50_ms": at("took", 0.5),
        "whole_reply_p99_ms": at("took", 0.99),
        "memory_before_mib": before,
        "memory_peak_mib": peak,
        "replies_not_as_the_library_shows_them": wrong,
    }


def main(arguments: list[str]) -> int:
    """Returns the exit code: 1 when any reply came out otherwise than the library shows it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("command", choices=["load"])
    parser.add_argument("--streams", type=int, default=500)
    parser.add_argument("--pause", type=int, default=50, help="milliseconds between two pieces of 20 characters")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args(arguments)
    with contextlib.redirect_stdout(sys.stderr):
        setup.set_up(tests=True)
    figures = measure(options.streams, options.pause)
    print(json.dumps(figures, indent=2) if options.json else speed_hosts.table(figures))
    return 1 if figures["replies_not_as_the_library_shows_them"] else 0
