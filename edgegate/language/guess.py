"""A small guess at the language of a text: English or not."""

from __future__ import annotations

from edgegate.language.tokens import tokenise


def guess_language(text: str) -> str:
    """`"en"`, `"other"` (clearly not English) or `"unknown"` (too short to say).

    >>> guess_language("ok")
    'unknown'
    """
    words = [word for word in tokenise(text).words if word[0].isalpha()]
    if any(not word.isascii() for word in words):
        return "other"
    return "en" if len(words) > 3 else "unknown"
