"""What passes between the door of memory and those who use it: scopes, proposals, plans, results; and the gate's part.

A proposal is judged against its turn here, and what a turn did is put into words here, after the store answered.
Nothing in this module writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from edgegate import policy
from edgegate.gate.fixer import accept, repair
from edgegate.gate.records import Question
from edgegate.gate.report import check
from edgegate.language import lexicon
from edgegate.memory.changes import state_terms
from edgegate.memory.extract import is_dated_text
from edgegate.memory.forget import ForgetPlan, report_forget
from edgegate.memory.kinds import is_visible
from edgegate.memory.reconcile import terms_of
from edgegate.memory.topics import topic_terms
from edgegate.records import Report, Turn, Verdict
from edgegate.stores.records import Applied, Commit, Earlier, StoredMemory, TurnRecord

SUMMARY = 1500
"""Characters of a chat that "remember this chat" keeps: the newest turns."""

Rewriter = Callable[[Question], "str | None"]
"""Given the gate's question, a text that keeps what was lost, or None. The host gives it a deadline."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What this chat may do: `on` memory is switched on, `saves` the chat may save, `reads` a chat that may not save
    may still read (the host's option)."""

    on: bool = True
    saves: bool = True
    reads: bool = False

    @property
    def may_save(self) -> bool:
        """Whether anything may be written; also whether the model is offered the save tool."""
        return self.on and self.saves

    @property
    def may_read(self) -> bool:
        return self.on and (self.saves or self.reads)

    @property
    def refusal(self) -> str:
        """A short key for why nothing is written; "" where it may be."""
        return "" if self.may_save else "no_save" if self.on else "off"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A fact that somebody wants kept: its text, kind, and the person it is filed under (None: the user)."""

    text: str
    kind: str = "fact"
    about: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """What became of one proposal: new, update, known, held (may be asked about) or discarded.

    `text` is what was stored (a repair may have changed it); `report` what the gate found; `visible` whether a person
    is shown it; `question` what a rewriter could still answer; `reason` a short key.
    """

    outcome: str
    text: str
    kind: str
    verdict: Verdict
    report: Report
    reason: str = ""
    id: str | None = None
    visible: bool = False
    question: Question | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What a turn would do: the commit (None where nothing is to be written), its items and the turn's record."""

    commit: Commit | None
    turn: TurnRecord
    items: tuple[Item, ...] = ()
    forget: ForgetPlan | None = None
    texts: tuple[str, ...] = ()  # what `forget` counts its places in
    ids: tuple[str, ...] = ()  # the memory each of `texts` belongs to


@dataclass(frozen=True, slots=True)
class Result:
    """What a turn did, after the store answered. `words` go back to the model as they are (for a request to forget),
    `writes` are lines for `Evidence.writes`; both are empty of anything the store did not confirm."""

    items: tuple[Item, ...]
    turn: TurnRecord
    words: str = ""
    writes: tuple[str, ...] = ()
    applied: Applied | None = None
    intent: str = ""

    @property
    def visible(self) -> tuple[Item, ...]:
        """What was made this turn and a person is shown."""
        return tuple(item for item in self.items if item.visible and item.outcome in written())


@dataclass(frozen=True, slots=True)
class Write:
    """The proposals of one turn and what they are judged by: its `source`, earlier `context`, `now`, the `path`.

    `silent`: only facts and persons, and only what passes. `asked`: the user asked for it to be kept.
    """

    proposals: tuple[Proposal, ...]
    source: str | tuple[Turn, ...]
    path: str
    now: str | None = None
    context: tuple[Turn, ...] = ()
    user: str | None = None
    silent: bool = False
    asked: bool = False
    keep_unchecked: bool = False
    rewriter: Rewriter | None = None


def written() -> tuple[str, str]:
    return ("new", "update")


def finish(plan: Plan, applied: Applied | None) -> Result:
    """What may be said about a plan after the store answered; with no answer, nothing was done.

    >>> finish(Plan(None, TurnRecord("save", "refused", "off")), None).words
    'Memory is switched off: nothing was kept.'
    """
    said = lexicon.table("door")
    if plan.forget is not None:
        gone = set(applied.deleted) if applied else set()
        places = [place for place in plan.forget.targets if plan.ids[place] in gone]
        words = report_forget(plan.forget, plan.texts, places)
        writes = [str(said["deleted"]).format(text=plan.texts[place]) for place in places]
    else:
        words, writes = str(said.get(plan.turn.reason, "") if plan.turn.outcome == "refused" else ""), []
    confirmed = set(applied.put) if applied else set()
    for item in plan.items:
        done = item.id in confirmed or item.outcome == "known"
        key = item.outcome if item.outcome in said else "held"
        key = "reminder" if key in written() and item.kind == "reminder" else key
        if done or key == "held":
            writes.append(str(said[key]).format(text=item.text))
    return Result(plan.items, plan.turn, words, tuple(writes), applied)


def judge(proposal: Proposal, write: Write) -> Item:
    """The gate's verdict on a proposal, and what the posture makes of it: "stored" for what may go on."""
    options: dict[str, Any] = {
        "context": write.context or None,
        "now": write.now,
        "about": proposal.about,
        "user": write.user,
    }
    report = check(write.source, proposal.text, **options)
    verdict = report.verdict or policy.decide(report)
    text, question = proposal.text, None
    action = policy.posture(verdict, keep_unchecked=write.keep_unchecked)
    if action is policy.Action.FIX and not write.silent:
        fixed = repair(write.source, proposal.text, **options)
        if fixed.text is None and fixed.question is not None and write.rewriter is not None:
            fixed = accept(write.source, fixed.question, write.rewriter(fixed.question), **options)
        question = fixed.question
        if fixed.text is not None:
            text, report = fixed.text, fixed.report
            verdict = report.verdict or policy.decide(report)
            action = policy.posture(verdict)
    storing = (policy.Action.STORE, policy.Action.STORE_WITH_FLAGS, policy.Action.STORE_UNVERIFIED)
    outcome = "stored" if action in storing else "discarded" if action is policy.Action.DISCARD else "held"
    visible = is_visible(proposal.kind, dated=is_dated_text(text), asked=write.asked)
    return Item(outcome, text, proposal.kind, verdict, report, "gate", None, visible, question)


def as_stored(name: str, item: Item, before: StoredMemory | None, proposal: Proposal, write: Write) -> StoredMemory:
    history: tuple[Earlier, ...] = ()
    if before is not None:
        history = (*before.history, Earlier(before.text, before.verdict, write.now))
    return StoredMemory(
        id=name,
        text=item.text,
        kind=item.kind,
        verdict=item.verdict,
        flags=tuple(dict.fromkeys(change.check for change in item.report.changes)),
        path=write.path,
        about=proposal.about,
        at=write.now,
        terms=(*terms_of(item.text, write.now, proposal.about), *topic_terms(item.text), *state_terms(item.text)),
        lexicon=item.report.lexicon,
        history=history,
    )


def record_of(items: Sequence[Item], now: str | None, in_prompt: int) -> TurnRecord:
    if not items:
        return TurnRecord("none", "none", "no fact", (), (), in_prompt, now)
    outcomes = list(dict.fromkeys(item.outcome for item in items))
    reasons = list(dict.fromkeys(item.reason for item in items))
    return TurnRecord(
        "save",
        "+".join(outcomes),
        "; ".join(reasons),
        tuple(item.verdict for item in items),
        tuple(item.id for item in items if item.id is not None),
        in_prompt,
        now,
    )


def refused(scope: Scope, now: str | None, in_prompt: int) -> Plan:
    return Plan(None, TurnRecord("save", "refused", scope.refusal, (), (), in_prompt, now))


def newest_turns(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The newest turns that fit, in order; of one that is too long alone, its end."""
    kept: list[Turn] = []
    left = SUMMARY
    for turn in reversed(turns):
        cost = len(turn.speaker) + 3 + len(turn.text)
        if cost > left:
            if not kept:
                kept.append(replace(turn, text=turn.text[-(SUMMARY - len(turn.speaker) - 3) :]))
            break
        kept.append(turn)
        left -= cost
    return tuple(reversed(kept))


def bare(text: str) -> str:
    return text.strip().rstrip(".").lower()


def without_texts(memory: StoredMemory, texts: set[str]) -> tuple[StoredMemory, bool]:
    """A memory without what it said earlier and is now to be forgotten; whether anything went."""
    history = tuple(old for old in memory.history if bare(old.text) not in texts)
    return (replace(memory, history=history), True) if len(history) < len(memory.history) else (memory, False)
