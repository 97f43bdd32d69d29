"""The records of what follows a report: a chain of rewrites, questions to second readers, repairs.

They cross the border like those of `edgegate.records`, so they are plain dataclasses too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from edgegate.records import Change, Report


@dataclass(frozen=True, slots=True)
class Loss:
    """A change between the first version and the last. `hop` is the rewrite where it happened (0 is the one from the
    first version to the second), or None where no hop shows it: then one of the uncheckable hops hides it."""

    change: Change
    hop: int | None


@dataclass(frozen=True, slots=True)
class Drift:
    """A chain of rewrites: the report of every hop, the report of last against first, where each loss happened, and
    the hops that could not be checked."""

    versions: tuple[str, ...]
    hops: tuple[Report, ...]
    whole: Report
    losses: tuple[Loss, ...]
    uncheckable: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One question for a reader outside the core: a model, or a person.

    `task` says what to do and in which form to answer; `text` is the memory sentence to read, or the memory to rewrite;
    `source` the conversation it came from (empty for a witness, who reads the sentence alone); `lost` what a rewrite
    must put back. Answers go back under `number`.
    """

    number: int
    kind: Literal["witness", "added", "rewrite"]
    task: str
    text: str
    source: str = ""
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """The first phase: the report so far, and the questions that a second reader may answer."""

    report: Report
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """The second phase: the report after the answers. `cannot_tell` are the memory sentences of which nobody said
    whether the source holds them; `void` the numbers of the questions without an answer that could be used."""

    report: Report
    cannot_tell: tuple[str, ...] = ()
    void: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Repair:
    """The outcome of a repair: the text (None where there is none that passes), the report on it (on the memory itself
    where nothing was made of it), and a question for the host's rewriter where the gate's own repair did not pass."""

    text: str | None
    report: Report
    question: Question | None = None
