"""The one door for writes: every fact, by any path, is inspected against its turn, reconciled, and committed.

`Door` plans on what the store holds, the store applies, and only then is anything called done. A plan on an old
revision is made again. Nothing but this module makes a Commit (DESIGN, Law 8), and every path asks the same `Scope`
first: in a chat that may not save, and with memory switched off, nothing is read for facts and nothing is written.
Forgetting always works. The record of a turn holds no text of a fact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from edgegate.memory.ask import ask_of
from edgegate.memory.changes import state_terms
from edgegate.memory.forget import Chooser, ForgetPlan, plan_forget, report_forget
from edgegate.memory.intent import read_message
from edgegate.memory.kinds import SILENT
from edgegate.memory.reconcile import Readings, reconcile, terms_of
from edgegate.memory.stored import words_of
from edgegate.memory.writing import (
    Item,
    Plan,
    Proposal,
    Result,
    Rewriter,
    Scope,
    Write,
    as_stored,
    bare,
    finish,
    judge,
    newest_turns,
    record_of,
    refused,
    without_texts,
)
from edgegate.records import Turn, read_turns
from edgegate.stores.in_memory import InMemoryStore
from edgegate.stores.records import (
    Commit,
    Snapshot,
    StaleError,
    Store,
    StoredMemory,
    TurnRecord,
    find_all,
)

ATTEMPTS = 5
"""How often a plan is made again when another writer was faster."""


def plan_save(
    write: Write,
    near: Snapshot,
    scope: Scope,
    *,
    in_prompt: int = 0,
    forgetting: Plan | None = None,
    readings: Readings | None = None,
) -> Plan:
    """What saving the proposals of a turn would write. `near` holds the memories that they may be about, `readings`
    those that the batch has read.

    >>> write = Write((Proposal("The user rows"),), "I row.", "typed")
    >>> plan_save(write, Snapshot(0), Scope()).commit.put[0].text
    'The user rows'
    >>> plan_save(write, Snapshot(0), Scope(saves=False)).commit is None
    True
    """
    gone = set(forgetting.commit.delete) if forgetting and forgetting.commit else set()
    if not scope.may_save:
        return refused(scope, write.now, in_prompt) if forgetting is None else forgetting
    kept = {memory.id: memory for memory in near.memories if memory.id not in gone}
    put: dict[str, StoredMemory] = {}
    items: list[Item] = []
    for proposal in write.proposals:
        if write.silent and proposal.kind not in SILENT:
            continue
        item = judge(proposal, write)
        if item.outcome != "stored":
            items.append(item)
            continue
        about = proposal.about
        decision = reconcile(
            item.text,
            list(kept.values()),
            kind=item.kind,
            now=write.now,
            about=about,
            together=put.keys(),
            readings=readings,
        )
        name = decision.id if decision.id is not None else f"{near.revision + 1}.{len(put)}"
        item = replace(item, outcome=decision.outcome, id=name, reason=decision.reason)
        if decision.outcome != "known":
            put[name] = kept[name] = as_stored(name, item, kept.get(name), proposal, write)
        items.append(item)
    turn = record_of(items, write.now, in_prompt)
    commit = Commit(near.revision, tuple(put.values()), (), turn)
    if forgetting is None or forgetting.commit is None:
        return Plan(commit, turn, tuple(items))
    turn = replace(forgetting.turn, ids=(*forgetting.turn.ids, *turn.ids), verdicts=turn.verdicts)
    both = (*forgetting.commit.put, *put.values())
    commit = Commit(min(near.revision, forgetting.commit.base), both, forgetting.commit.delete, turn)
    return replace(forgetting, commit=commit, turn=turn, items=tuple(items))


def plan_delete(
    request: str,
    held: Snapshot,
    scope: Scope,
    *,
    said: str | None = None,
    chooser: Chooser | None = None,
    now: str | None = None,
    in_prompt: int = 0,
) -> Plan:
    """What a request to forget would delete. It works in every scope; only its record is left out where nothing may
    be written. What a memory said earlier goes with it, and can be named by itself.

    >>> from edgegate.records import Verdict
    >>> held = Snapshot(3, (StoredMemory("1.0", "The user rows", "fact", Verdict.PASS),))
    >>> plan_delete("forget that I row", held, Scope(saves=False)).commit.delete
    ('1.0',)
    """
    texts = [memory.text for memory in held.memories]
    names = [memory.id for memory in held.memories]
    plan = plan_forget(texts, request, said=said, chooser=chooser)
    earlier = [(memory.id, old.text) for memory in held.memories for old in memory.history]
    if plan.outcome == "none" and earlier:
        again = plan_forget([text for _, text in earlier], request, said=said)
        if again.outcome != "none":
            plan, names, texts = again, [name for name, _ in earlier], [text for _, text in earlier]
    targets = tuple(dict.fromkeys(names[place] for place in plan.targets))
    turn = TurnRecord("forget", plan.outcome, plan.reason, (), targets, in_prompt, now)
    commit = None
    if plan.outcome == "delete":
        said_so = {bare(texts[place]) for place in plan.targets}
        whole = {memory.id for memory in held.memories if memory.id in targets and bare(memory.text) in said_so}
        trimmed = [without_texts(memory, said_so) for memory in held.memories if memory.id not in whole]
        put = tuple(memory for memory, changed in trimmed if changed)
        delete = (*(name for name in targets if name in whole), *(memory.id for memory in put))
        commit = Commit(held.revision, put, delete, turn if scope.may_save else None)
    elif scope.may_save:
        commit = Commit(held.revision, turn=turn)
    return Plan(commit, turn, (), plan, tuple(texts), tuple(names))


def plan_refresh(ids: Sequence[str], held: Snapshot, scope: Scope, *, now: str | None, in_prompt: int = 0) -> Plan:
    """What marking memories as recalled would write: a commit of its own, after the answer."""
    if not scope.may_save:
        return refused(scope, now, in_prompt)
    wanted = set(ids)
    put = tuple(replace(memory, seen=now) for memory in held.memories if memory.id in wanted)
    found = tuple(memory.id for memory in put)
    turn = TurnRecord("recall", "found" if found else "none", "", (), found, in_prompt, now)
    return Plan(Commit(held.revision, put, (), turn), turn)


@dataclass(slots=True)
class Door:
    """The operations of memory on one store, in one scope.

    >>> from edgegate.stores import InMemoryStore
    >>> door = Door(InMemoryStore())
    >>> door.message("remember that the gate code is 4820").writes
    ('stored: The gate code is 4820',)
    >>> door.message("forget the gate code").words
    'Deleted: “The gate code is 4820”.'
    """

    store: Store
    scope: Scope = field(default_factory=Scope)
    user: str | None = None
    keep_unchecked: bool = False
    rewriter: Rewriter | None = None

    @property
    def offers_save(self) -> bool:
        """Whether the model is offered the save tool in this chat."""
        return self.scope.may_save

    def message(
        self,
        text: str,
        *,
        now: str | None = None,
        context: Sequence[Any] = (),
        said: str | None = None,
        chooser: Chooser | None = None,
        in_prompt: int = 0,
    ) -> Result:
        """The user's message: what it asks to keep or forget is done, and facts told in passing are kept in silence.

        `context` are earlier turns, `said` the assistant's last text. After the model's own tool calls, it adds only
        what they missed. In a chat that may not save only a request to forget is read at all.
        """
        if not self.scope.may_save:
            ask = ask_of(text)
            if not _lets_go(ask.intent, ask.cue.match.cue.id if ask.cue else ""):
                return replace(finish(refused(self.scope, now, in_prompt), None), intent=ask.intent)
            return replace(self._forget(text, now, said, chooser, in_prompt, (), ()), intent=ask.intent)
        read = read_message(text, now, said=said)
        if _lets_go(read.intent, read.cue):
            proposals = tuple(Proposal(fact.text, fact.kind) for fact in read.facts)
            return replace(self._forget(text, now, said, chooser, in_prompt, proposals, context), intent=read.intent)
        told = read.intent in ("remember", "remind")
        write = self._write(
            [Proposal(fact.text, fact.kind) for fact in read.facts],
            (Turn(self.user or "user", text, now),),
            "message" if told else "noticed",
            now,
            context=(*context, Turn("assistant", said)) if said else context,
            silent=not told,
            asked=told,
        )
        return replace(self._save(write, in_prompt), intent=read.intent)

    def propose(
        self,
        text: str,
        source: str | Sequence[Any],
        *,
        kind: str = "fact",
        about: str | None = None,
        now: str | None = None,
        context: Sequence[Any] = (),
        in_prompt: int = 0,
    ) -> Result:
        """A model's call of the save tool: `text` was written by the model from the turns in `source`."""
        write = self._write([Proposal(text, kind, about)], source, "tool", now, context=context)
        return self._save(write, in_prompt)

    def enter(self, text: str, *, kind: str = "fact", about: str | None = None, now: str | None = None) -> Result:
        """A memory typed by hand (in settings): it is its own source, and reconciled like any other."""
        return self._save(self._write([Proposal(text, kind, about)], text, "typed", now, asked=True))

    def bring(self, rows: Sequence[Mapping[str, Any]], *, now: str | None = None) -> Result:
        """A batch from elsewhere: rows with `text`, and perhaps `kind`, `about` and `source` (what it came from; a row
        without one is its own source). All rows are one commit."""
        items: list[Write] = []
        for row in rows:
            text = str(row.get("text", ""))
            proposal = Proposal(text, str(row.get("kind") or "fact"), row.get("about"))
            items.append(self._write([proposal], row.get("source") or text, "import", now))
        return self._save_all(items, 0)

    def keep_chat(self, turns: Sequence[Any], *, summary: str | None = None, now: str | None = None) -> Result:
        """ "Remember this chat": the newest turns as one memo, or the host's `summary` judged by them."""
        newest = newest_turns(read_turns(turns))
        text = summary or "\n".join(f"{turn.speaker}: {turn.text}" for turn in newest)
        proposals = [Proposal(text, "memo")] if text.strip() else []
        return self._save(self._write(proposals, newest if summary else text, "chat", now, asked=True))

    def forget(
        self,
        request: str,
        *,
        said: str | None = None,
        chooser: Chooser | None = None,
        now: str | None = None,
        in_prompt: int = 0,
    ) -> Result:
        """A request to forget, in the user's words. `words` of the result go back to the model as they are."""
        return self._forget(request, now, said, chooser, in_prompt, (), ())

    def delete(self, ids: Sequence[str], *, now: str | None = None) -> Result:
        """Delete memories that a person picked from a list (never ids from a model). The result says what was there."""
        return self._run(lambda: self._delete_plan(tuple(ids), now))

    def refresh(self, ids: Sequence[str], *, now: str | None = None, in_prompt: int = 0) -> Result:
        """Mark memories as recalled, as a commit of its own after the answer."""
        if not self.scope.may_save:
            return finish(refused(self.scope, now, in_prompt), None)
        return self._run(lambda: plan_refresh(ids, self.store.load(ids=ids), self.scope, now=now, in_prompt=in_prompt))

    def _write(
        self,
        proposals: Sequence[Proposal],
        source: str | Sequence[Any],
        path: str,
        now: str | None,
        *,
        context: Sequence[Any] = (),
        silent: bool = False,
        asked: bool = False,
    ) -> Write:
        return Write(
            tuple(proposals),
            source if isinstance(source, str) else read_turns(source),
            path,
            now,
            read_turns(context, "context"),
            self.user,
            silent,
            asked,
            self.keep_unchecked,
            self.rewriter,
        )

    def _save(self, write: Write, in_prompt: int = 0) -> Result:
        if not self.scope.may_save:
            return finish(refused(self.scope, write.now, in_prompt), None)
        return self._run(lambda: plan_save(write, self._near(write.proposals), self.scope, in_prompt=in_prompt))

    def _save_all(self, writes: Sequence[Write], in_prompt: int) -> Result:
        if not self.scope.may_save:
            return finish(refused(self.scope, writes[0].now if writes else None, in_prompt), None)
        return self._run(lambda: self._batch(writes, in_prompt))

    def _batch(self, writes: Sequence[Write], in_prompt: int) -> Plan:
        """Every row beside what the store holds of its words and what the rows before it put: as one by one, and in
        time in proportion to the rows."""
        asked = [_asked(proposal) for write in writes for proposal in write.proposals]
        answers = find_all(self.store, asked or [()])
        base = min(answer.revision for answer in answers)
        brought, readings = InMemoryStore(), Readings()
        put: dict[str, StoredMemory] = {}
        items: list[Item] = []
        for number, (write, terms, answer) in enumerate(zip(writes, asked, answers, strict=False)):
            near = {memory.id: put.get(memory.id, memory) for memory in answer.memories}
            near |= {memory.id: memory for memory in brought.find(terms).memories}
            plan = plan_save(write, Snapshot(base, tuple(near.values())), self.scope, readings=readings)
            renamed = {memory.id: memory.id for memory in plan.commit.put} if plan.commit else {}
            for memory in plan.commit.put if plan.commit else ():
                if memory.id not in near:
                    renamed[memory.id] = f"{base + 1}.b{number}"
                kept = replace(memory, id=renamed[memory.id])
                put[kept.id] = kept
                brought.apply(Commit(brought.load(ids=()).revision, (kept,)))
            items += [replace(item, id=renamed.get(item.id or "", item.id)) for item in plan.items]
        turn = record_of(items, writes[0].now if writes else None, in_prompt)
        return Plan(Commit(base, tuple(put.values()), (), turn), turn, tuple(items))

    def _near(self, proposals: Sequence[Proposal]) -> Snapshot:
        """What the store holds that the proposals may be about; the oldest revision seen, so that nothing slips."""
        answers = find_all(self.store, [_asked(proposal) for proposal in proposals] or [()])
        found = {memory.id: memory for answer in answers for memory in answer.memories}
        return Snapshot(min(answer.revision for answer in answers), tuple(found.values()))

    def _forget(
        self,
        request: str,
        now: str | None,
        said: str | None,
        chooser: Chooser | None,
        in_prompt: int,
        proposals: tuple[Proposal, ...],
        context: Sequence[Any],
    ) -> Result:
        def plan() -> Plan:
            held = self.store.load()
            going = plan_delete(request, held, self.scope, said=said, chooser=chooser, now=now, in_prompt=in_prompt)
            if not proposals or not self.scope.may_save:
                return going
            write = self._write(proposals, (Turn(self.user or "user", request, now),), "message", now, context=context)
            return plan_save(write, held, self.scope, in_prompt=in_prompt, forgetting=going)

        return self._run(plan)

    def _delete_plan(self, ids: tuple[str, ...], now: str | None) -> Plan:
        held = self.store.load(ids=ids)
        names = [memory.id for memory in held.memories]
        texts = [memory.text for memory in held.memories]
        places = tuple(names.index(name) for name in dict.fromkeys(ids) if name in names)
        outcome = "delete" if places else "none"
        turn = TurnRecord("forget", outcome, "picked", (), tuple(names[place] for place in places), 0, now)
        words = report_forget(ForgetPlan("delete", (), "", "picked"), texts, ())
        chosen = ForgetPlan(outcome, places, words, "picked")
        commit = Commit(
            held.revision, (), tuple(names[place] for place in places), turn if self.scope.may_save else None
        )
        return Plan(commit if places or self.scope.may_save else None, turn, (), chosen, tuple(texts), tuple(names))

    def _run(self, plan: Callable[[], Plan]) -> Result:
        """Plan, apply, and plan again where another writer was faster; only then say what was done."""
        for attempt in range(ATTEMPTS):
            planned = plan()
            if planned.commit is None:
                return finish(planned, None)
            try:
                return finish(planned, self.store.apply(planned.commit))
            except StaleError:
                if attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError("unreachable")


def _asked(proposal: Proposal) -> tuple[str, ...]:
    """What the memories can be found by that a proposal may be about: its words, and the states that it would end."""
    return (*terms_of(proposal.text, None, proposal.about), *state_terms(proposal.text, asked=True))


def _lets_go(intent: str, cue: str) -> bool:
    """Whether a message is a request to forget, or a refusal that also asks to let go of what is held."""
    return intent == "forget" or cue in words_of("refusals_that_delete")
