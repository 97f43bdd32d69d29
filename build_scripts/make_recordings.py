"""Cuts the replies in web/page/replies.json into recorded streams, the way a model sends them.

    python build_scripts/make_recordings.py

A reply is written there sentence by sentence, each with what it is (plain, supported, fabricated, safety). This writes
index.json and one file a reply to web/page/recordings/: pieces of a word or less, each with the milliseconds before it.
The cuts and the pauses come from the text itself, so that the same reply always gives the same recording.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = ROOT / "web" / "page" / "replies.json"
RECORDINGS = ROOT / "web" / "page" / "recordings"

LONGEST = 7
"""Longer words arrive in two pieces."""


def pieces(text: str) -> list[tuple[int, str]]:
    """The text as a stream: (milliseconds before the piece, the piece). Joined, the pieces are the text.

    >>> "".join(piece for _, piece in pieces("A remarkable day.\\n- one"))
    'A remarkable day.\\n- one'
    """
    found: list[tuple[int, str]] = []
    for number, match in enumerate(re.finditer(r"\s*[\w'’]+|\s*[^\w\s]|\s+", text)):
        word = match.group()
        chance = hashlib.sha256(f"{number}:{word}".encode()).digest()
        wait = 18 + chance[0] % 30 + (60 if chance[1] < 12 else 0)
        cut = 3 + chance[2] % 3 if len(word.strip()) > LONGEST else len(word)
        found.append((wait, word[:cut]))
        if word[cut:]:
            found.append((12 + chance[3] % 10, word[cut:]))
    return found


def record(reply: dict[str, Any]) -> dict[str, Any]:
    """The recording of one written reply."""
    text = "".join(sentence["text"] for sentence in reply["sentences"])
    return {**reply, "chunks": [[wait, piece] for wait, piece in pieces(text)]}


def dump(recording: dict[str, Any]) -> str:
    """The file of a recording: readable, with the chunks on a few lines."""
    chunks = recording["chunks"]
    head = json.dumps({**recording, "chunks": []}, ensure_ascii=False, indent=2)
    rows = [json.dumps(chunks[at : at + 8], ensure_ascii=False)[1:-1] for at in range(0, len(chunks), 8)]
    return head.replace('"chunks": []', '"chunks": [\n    ' + ",\n    ".join(rows) + "\n  ]") + "\n"


def main() -> int:
    """Writes every recording; returns the exit code."""
    RECORDINGS.mkdir(exist_ok=True)
    replies = json.loads(WRITTEN.read_text("utf-8"))
    index = [{name: reply[name] for name in ("id", "title", "about")} for reply in replies]
    (RECORDINGS / "index.json").write_text(json.dumps(index, ensure_ascii=False, indent=2) + "\n", "utf-8")
    for reply in replies:
        target = RECORDINGS / f"{reply['id']}.json"
        target.write_text(dump(record(reply)), "utf-8")
        print(target.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
