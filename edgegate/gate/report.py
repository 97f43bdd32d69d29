"""inspect() and check(): the report of what a memory changed of its source, with and without a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from edgegate import policy
from edgegate.gate.checks import CHECKS
from edgegate.gate.write import Write, quote_candidate, read_write
from edgegate.language import lexicon
from edgegate.language.text import guess_language
from edgegate.records import Change, Report

NOT_CHECKED = ("broadened", "weakened", "added")
"""What has no detector: every report says so."""


def inspect(
    source: str | Sequence[Any],
    memory: str,
    *,
    context: str | Sequence[Any] | None = None,
    now: str | None = None,
    about: str | None = None,
    user: str | None = None,
) -> Report:
    """The typed changes between a source and a memory made from it, without a verdict.

    `source` is a text, or turns of a conversation: mappings with `speaker` (or `role`), `text` and perhaps `at`.
    `memory` is the text about to be stored. `context` is earlier conversation that the memory may come from and that
    is not judged. `now` is the day of the write (ISO, with its offset), for relative dates. `user` is the name of the
    speaker who is the user (else "user"); `about` the person whose file the memory is for. Text never raises; wrong
    shapes raise DataError or UsageError.

    >>> report = inspect("Someone said Alice was promoted.", "Alice was promoted.")
    >>> [(change.check, change.type) for change in report.changes]
    [('attribution', 'dropped attribution')]
    """
    write = read_write(source, memory, context=context, now=now, about=about, user=user)
    reason = _uncheckable(write)
    changes = () if reason else _changes(write)
    return Report(
        changes=changes,
        unaligned=tuple(quote_candidate(p.candidate) for p in write.pairings if not p.alignment.aligned),
        not_checked=NOT_CHECKED,
        uncheckable=reason,
        lexicon=lexicon.hash(),
    )


def check(
    source: str | Sequence[Any],
    memory: str,
    *,
    context: str | Sequence[Any] | None = None,
    now: str | None = None,
    about: str | None = None,
    user: str | None = None,
    mode: str = "memory",
) -> Report:
    """What `inspect` finds, with the verdict that the policy gives it.

    >>> check("I think the clinic is shut on Friday.", "The clinic is shut on Friday.").verdict
    <Verdict.REWRITE: 'REWRITE'>
    """
    report = inspect(source, memory, context=context, now=now, about=about, user=user)
    return replace(report, verdict=policy.decide(report, mode))


def _uncheckable(write: Write) -> str | None:
    """Why nothing can be compared, or None."""
    if not write.memory or not any(passage.content for passage in write.memory):
        return "empty"
    if guess_language(" ".join(passage.text for passage in write.memory)) == "other":
        return "language"
    if guess_language(" ".join(turn.text for turn in write.turns)) == "other":
        return "language"
    if not any(pairing.alignment.aligned for pairing in write.pairings):
        return "nothing in the source matches"
    return None


def _changes(write: Write) -> tuple[Change, ...]:
    found: list[Change] = []
    for run in CHECKS.values():
        for pairing in write.pairings:
            if pairing.alignment.aligned:
                found += [each for each in run(write, pairing) if each not in found]
    return tuple(found)
