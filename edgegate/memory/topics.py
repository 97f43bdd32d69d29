"""What a text is about, in the large: its topics ("food", "health"), by the words that show them."""

from __future__ import annotations

from functools import cache

from edgegate.language import lexicon
from edgegate.language.passages import Passage, stem
from edgegate.memory.reconcile import LONGEST

TOPIC_MARK = "topicof"
"""What begins a term that is a topic. Letters alone, so that every index holds such a term as one word."""


def topic_terms(text: str) -> tuple[str, ...]:
    """The topics of `text` as terms that a memory can be found by, each once.

    >>> topic_terms("The user is allergic to peanuts"), topic_terms("The user's wife is called Claire")
    (('topicoffood', 'topicofhealth'), ())
    """
    shown = _by_stem()
    found = {name for _, word in Passage(text[:LONGEST]).content for name in shown.get(word, ())}
    return tuple(TOPIC_MARK + name for name in sorted(found))


@cache
def _by_stem() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, words in lexicon.table("topics").items():
        for word in words:
            key = stem(word)
            if name not in found.get(key, ()):
                found[key] = (*found.get(key, ()), name)
    return found
