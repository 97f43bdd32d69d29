"""The kinds of memories, and which of them a person is shown.

*Known* (fact, person) is kept in silence; *lived* (event, memo) is shown when it is dated or was asked for; *to do*
(task, reminder) is always shown. After the distinction of semantic, episodic and prospective memory (Tulving 1972;
Einstein and McDaniel 1990).
"""

from __future__ import annotations

from edgegate.language import lexicon

SILENT = ("fact", "person")
"""The kinds that may be added without a word, when the model's own proposals missed them."""


def groups() -> dict[str, str]:
    """Every kind with its group.

    >>> groups()["memo"]
    'lived'
    """
    return dict(lexicon.table("kinds"))


def group(kind: str) -> str:
    """The group of a kind: "known", "lived" or "to do"; an unknown kind counts as known.

    >>> group("person"), group("reminder")
    ('known', 'to do')
    """
    return str(groups().get(kind, "known"))


def is_visible(kind: str, *, dated: bool = False, asked: bool = False) -> bool:
    """Whether a memory of this kind is shown when it is made: `dated` it has a day or time, `asked` the user asked.

    >>> is_visible("fact", asked=True), is_visible("event", dated=True), is_visible("event"), is_visible("task")
    (False, True, False, True)
    """
    place = group(kind)
    return place == "to do" or (place == "lived" and (dated or asked))
