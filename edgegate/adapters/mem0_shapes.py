"""What mem0 hands around, read with care: messages, a model's extraction, listed rows, results."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any


def read_messages(messages: Any) -> list[dict[str, Any]]:
    """mem0's messages as turns. The system's message is no part of a conversation: what stands in a prompt was said by
    nobody (mem0ai/mem0#2736). Of a message in parts, the texts are read.

    >>> read_messages([{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}])
    [{'speaker': 'user', 'text': 'Hi', 'at': None}]
    """
    listed = [each for each in listed_messages(messages) if isinstance(each, Mapping) and each.get("role") != "system"]
    named = {str(each["name"]) for each in listed if each.get("role") == "user" and each.get("name")}
    turns = []
    for each in listed:
        content = each.get("content")
        if isinstance(content, (list, tuple)):
            parts = (part.get("text") if isinstance(part, Mapping) else part for part in content)
            content = " ".join(part for part in parts if isinstance(part, str))
        if not isinstance(content, str):
            continue
        speaker = str(each.get("role") or "user")
        if speaker == "user" and len(named) > 1 and each.get("name"):
            speaker = str(each["name"])  # several people talk: none of them is "the user"
        said = (each.get(name) for name in ("at", "timestamp", "created_at"))
        turns.append(
            {"speaker": speaker, "text": content, "at": next((at for at in said if isinstance(at, str)), None)}
        )
    return turns


def read_extraction(text: str) -> tuple[list[dict[str, Any]], bool]:
    """The memories in the answer of mem0's extraction, and whether it was whole.

    mem0 drops every memory of an answer that breaks off in the middle (mem0ai/mem0#5428); here those that stand in it
    whole are kept.

    >>> read_extraction('{"memory": [{"text": "User rows."}, {"text": "User swi')
    ([{'text': 'User rows.'}], False)
    """
    found, whole = _decoded(text)
    items = []
    for item in found:
        item = {"text": item} if isinstance(item, str) else item
        if isinstance(item, Mapping) and isinstance(item.get("text"), str) and item["text"].strip():
            items.append(dict(item))
    return items, whole


def _decoded(text: str) -> tuple[list[Any], bool]:
    decoder = json.JSONDecoder(strict=False)
    if not text.strip():
        return [], True
    start = text.find("{")
    if start >= 0:
        try:
            found = decoder.raw_decode(text, start)[0].get("memory", [])
            return (found, True) if isinstance(found, list) else ([], False)
        except (ValueError, RecursionError):
            pass
    begun = re.search(r'"memory"\s*:\s*\[', text)
    items: list[Any] = []
    at = begun.end() if begun else len(text)
    while at < len(text):
        if text[at] in ", \t\r\n":
            at += 1
            continue
        try:
            item, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        items.append(item)
    return items, False


def text_of(answer: Any) -> str:
    """The text of a model's answer, without a thinking part and the fence around it."""
    if isinstance(answer, list):
        parts = (part.get("text", "") if isinstance(part, Mapping) else part for part in answer)
        answer = "".join(part for part in parts if isinstance(part, str))
    text = re.sub(r"<think>.*?</think>", "", answer, flags=re.DOTALL).strip() if isinstance(answer, str) else ""
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        text = text[text.index("\n") : -3].strip()
    return text


def listed_messages(messages: Any) -> list[Any]:
    if isinstance(messages, str):
        return [{"role": "user", "content": messages}]
    return (
        [messages] if isinstance(messages, Mapping) else list(messages) if isinstance(messages, (list, tuple)) else []
    )


def rows_of(listed: Any) -> Iterable[Any]:
    """The rows that a vector store lists: some stores put them into a list of their own."""
    if isinstance(listed, (list, tuple)):
        return listed[0] if listed and isinstance(listed[0], list) else listed
    return []


def results_of(result: Any) -> list[Any]:
    found = result.get("results", []) if isinstance(result, Mapping) else []
    return list(found) if isinstance(found, (list, tuple)) else []
