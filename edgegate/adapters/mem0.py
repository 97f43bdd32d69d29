"""mem0 behind the write gate: `wrap(memory)` gates every text that a `Memory` or `AsyncMemory` is about to store.

    from mem0 import Memory
    from edgegate.adapters.mem0 import wrap

    memory = wrap(Memory.from_config(config))
    result = memory.add(messages, user_id="alex")
    result["results"]   # what was stored, as mem0 says it
    result["edgegate"]  # every decision: what was proposed, its verdict and changes, what was stored in its place

The object stays itself, with all that mem0 gives it. On it `add` and `update` are replaced, and on its language model
and vector store the calls that carry a memory: extracted memories are gated as the model's answer comes in, so that
embeddings, history and entities are made of the text that is stored; and whatever else reaches the vector store within
a write is gated there, or not stored. Made for mem0 2.x (tested on 2.2.1); mem0 is never imported by this module.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import wraps
from inspect import iscoroutinefunction, signature
from typing import Any, TypeVar

from edgegate.adapters.mem0_shapes import listed_messages, read_extraction, read_messages, results_of, rows_of, text_of
from edgegate.adapters.writes import Decision, WriteGate
from edgegate.errors import DataError, StoreError, UsageError
from edgegate.gate.report import check
from edgegate.language.values import read_now
from edgegate.memory.reconcile import reconcile
from edgegate.policy import Action
from edgegate.records import Verdict, to_json
from edgegate.stores.records import StoredMemory

M = TypeVar("M")

VERDICT, FLAGS = "edgegate_verdict", "edgegate_flags"
"""The keys of a stored memory's metadata."""

EARLIER = 10
"""Messages of before that mem0 gives its model along with the new ones; they are part of the source."""

MOST_COMPARED = 500
"""Memories of a scope that a new one is reconciled with."""

BROKEN = "the model's answer breaks off or is no JSON: what stands in it whole was read, the rest is lost"

_SCOPE = ("user_id", "agent_id", "run_id")


class Held(StoreError):
    """A text that the gate holds back reached the vector store by a way of its own: it was not stored."""


def wrap(
    memory: M,
    *,
    clock: Callable[[], str] | None = None,
    reconciles: bool = False,
    about: str | None = None,
    **options: Any,
) -> M:
    """Gates all writes of a mem0 `Memory` or `AsyncMemory`, and returns the same object.

    The other options are those of `WriteGate` (`rewrite`, `keep_unchecked`, `reader`, `readers`, `deadline`,
    `on_decision`). `clock` gives the time of a write as ISO text, for relative dates (else this machine's clock); a
    write whose metadata has `created_at` happens then. With `reconciles` an extracted memory that the scope already
    holds is not stored again, and one that takes the place of an older one updates it (mem0 2 only ever adds). `about`
    is whom the memories are filed under, where that is not the user.

    `update` takes one more option, `source`: the conversation that the new text comes from. Without it, that is what
    mem0 keeps of the last messages of the scope, or else the memory's own old text.

    Raises UsageError for what is no such object (a `MemoryClient` extracts on its server, out of reach), or is wrapped
    already. Adding and updating raise what mem0 raises, and nothing of their own.
    """
    if hasattr(memory, "edgegate"):
        raise UsageError("this memory is gated already", where="memory")
    for path in ("add", "update", "get", "llm.generate_response", "vector_store.insert", "vector_store.update"):
        owner: Any = memory
        for name in path.split("."):
            owner = getattr(owner, name, None)
        if not callable(owner):
            raise UsageError(f"a mem0 Memory or AsyncMemory of version 2 is needed; this has no {path}", where="memory")
    if not isinstance(about, (str, type(None))):
        raise UsageError(f"expected a name, not {type(about).__name__}", where="about")
    gated = Gated(memory, WriteGate(**options), clock or _now, reconciles, about)
    gated.arm()
    return memory


def unwrap(memory: M) -> M:
    """The memory as it was before `wrap`; what is not wrapped stays as it is."""
    gated = getattr(memory, "edgegate", None)
    if isinstance(gated, Gated):
        gated.disarm()
    return memory


@dataclass
class _Writing:
    """One call of `add` or `update` under way: what it writes from, and what was decided."""

    gated: Gated
    path: str
    source: Any
    options: dict[str, Any]
    scope: dict[str, Any] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    admitted: dict[str, Decision] = field(default_factory=dict)
    updates: list[tuple[str, str]] = field(default_factory=list)
    refused: bool = False
    inside: bool = False

    def judge(self, text: str, *, as_it_is: bool = False) -> Decision:
        """The gate's decision on a text of this write; not noted yet."""
        return self.gated.gate.judge(self.source, text, path=self.path, as_it_is=as_it_is, **self.options)

    def note(self, decision: Decision) -> Decision:
        """Keeps a decision as it stands in the end, and tells the host."""
        self.gated.gate.tell(decision)
        self.decisions.append(decision)
        if decision.stored is not None:
            self.admitted[decision.stored] = decision
        return decision


_current: ContextVar[_Writing | None] = ContextVar("edgegate_writing", default=None)


class Gated:
    """The gate of one wrapped memory, which has it as its attribute `edgegate`."""

    def __init__(
        self, memory: Any, gate: WriteGate, clock: Callable[[], str], reconciles: bool, about: str | None
    ) -> None:
        self.gate = gate
        self._memory, self._clock, self._reconciles, self._about = memory, clock, reconciles, about
        self._add, self._update = memory.add, memory.update
        self._undo: list[tuple[Any, str, Any]] = []

    def arm(self) -> None:
        """Puts the gate in place; again for a vector store or model that was exchanged (mem0's `reset` may do that)."""
        memory = self._memory
        if "edgegate" not in vars(memory):
            self._put(memory, "edgegate", self)
            self._put(memory, "add", self._shell(self._add, self._add_now, self._add_async))
            self._put(memory, "update", self._shell(self._update, self._update_now, self._update_async))
        self._hook(memory.llm, "generate_response", self._answered)
        self._hook(memory.vector_store, "insert", self._storing)
        self._hook(memory.vector_store, "update", self._storing)

    def disarm(self) -> None:
        """Takes the gate away."""
        for owner, name, value in reversed(self._undo):
            if vars(owner).get(name) is value:
                del vars(owner)[name]
        self._undo.clear()

    def _shell(self, original: Any, now: Any, later: Any) -> Any:
        """A function in the original's place, with its name and signature, and a coroutine function where that is."""
        if not iscoroutinefunction(original):
            return wraps(original)(lambda *args, **options: now(*args, **options))

        async def shell(*args: Any, **options: Any) -> Any:
            return await later(*args, **options)

        return wraps(original)(shell)

    def _put(self, owner: Any, name: str, value: Any) -> None:
        setattr(owner, name, value)
        self._undo.append((owner, name, value))

    def _hook(self, owner: Any, name: str, run: Callable[..., Any]) -> None:
        there = vars(owner).get(name)
        if getattr(there, "gated", None) is self:
            return
        original = getattr(owner, name)

        @wraps(original)
        def hooked(*args: Any, **options: Any) -> Any:
            writing = _current.get()
            if writing is None or writing.gated is not self or writing.inside:
                return original(*args, **options)
            writing.inside = True  # where others have wrapped it too, the gate stands there twice and judges once
            try:
                return run(writing, original, *args, **options)
            finally:
                writing.inside = False

        hooked.gated = self  # type: ignore[attr-defined]
        self._put(owner, name, hooked)

    # what comes from the model

    def _answered(self, writing: _Writing, original: Callable[..., Any], *args: Any, **options: Any) -> Any:
        answer = original(*args, **options)
        if writing.path == "procedural":
            decision = writing.note(writing.judge(text_of(answer)))
            if decision.stored is None:
                writing.refused = True
                raise Held("the write gate holds this summary back", where="mem0")
            return decision.stored
        return self._extracted(writing, answer) if "response_format" in options else answer

    def _extracted(self, writing: _Writing, answer: Any) -> str:
        """The model's answer with each memory in it as it may be stored."""
        items, whole = read_extraction(text_of(answer))
        kept = []
        for item in items:
            decision = writing.judge(item["text"])
            if decision.stored is not None and self._reconciles:
                decision = self._reconciled(writing, decision)
            writing.note(decision)
            if decision.stored is not None and (decision.stored not in [text for _, text in writing.updates]):
                kept.append({**item, "text": decision.stored})
        if not whole:
            writing.note(self.gate.lost(writing.path, BROKEN))
        return json.dumps({"memory": kept})

    def _reconciled(self, writing: _Writing, decision: Decision) -> Decision:
        """The decision beside what the scope holds: nothing is stored twice, and what replaces an older memory is
        noted as its update."""
        held = [
            StoredMemory(str(row.id), str(row.payload["data"]), "fact", Verdict.PASS, at=row.payload.get("created_at"))
            for row in rows_of(self._memory.vector_store.list(filters=writing.scope, top_k=MOST_COMPARED))
            if isinstance((row.payload or {}).get("data"), str)
        ]
        text = decision.stored or ""
        found = reconcile(text, held, now=writing.options["now"], about=self._about)
        if found.outcome == "known":
            return replace(decision, stored=None, action=Action.DISCARD, reason=f"known: {found.id}")
        if found.outcome == "update" and found.id is not None:
            writing.updates.append((found.id, text))
        return decision

    # what goes to the store

    def _storing(self, writing: _Writing, original: Callable[..., Any], *args: Any, **options: Any) -> Any:
        given = signature(original).bind(*args, **options).arguments
        payloads = given.get("payloads") or ([given["payload"]] if given.get("payload") else [])
        for payload in payloads:
            text = payload.get("data") if isinstance(payload, dict) else None
            if not isinstance(text, str):
                continue
            decision = writing.admitted.get(text) or writing.note(writing.judge(text, as_it_is=True))
            if decision.stored is None:
                writing.refused = True
                raise Held("the write gate holds this memory back", where="mem0")
            payload[VERDICT], payload[FLAGS] = decision.verdict.value, list(decision.flags)
        return original(*args, **options)

    # add

    def _begin(self, messages: Any, options: Mapping[str, Any]) -> _Writing:
        self.arm()
        if not isinstance(messages, (str, list, Mapping)):
            options = {**options, "infer": True}  # mem0 itself says what is wrong with it
        turns = read_messages(messages)
        scope = {name: options[name] for name in _SCOPE if options.get(name)}
        metadata = options.get("metadata")
        said = metadata.get("created_at") if isinstance(metadata, Mapping) else None
        infer = options.get("infer", True)
        procedural = options.get("agent_id") is not None and options.get("memory_type") is not None
        path = "procedural" if procedural else "extracted" if infer else "verbatim"
        now = said if isinstance(said, str) and _is_moment(said) else self._clock()
        earlier = self._earlier(scope, dated=said is None) if path == "extracted" else []
        writing = _Writing(self, path, [*earlier, *turns], {"now": now, "about": self._about}, scope)
        return writing

    def _earlier(self, scope: Mapping[str, Any], dated: bool = True) -> list[dict[str, Any]]:
        """The last messages of the scope, which mem0 shows its model too."""
        database: Any = getattr(self._memory, "db", None)
        if not scope or not hasattr(database, "get_last_messages"):
            return []
        parts = [f"{name}={_escaped(scope[name])}" for name in sorted(scope)]
        rows = database.get_last_messages("&".join(parts), EARLIER)
        return read_messages([{**row, "created_at": row.get("created_at") if dated else None} for row in rows])

    def _verbatim(self, writing: _Writing, message: Any) -> list[tuple[Any, Any]]:
        """The message as it may be stored, with its source; nothing where it is held. What is no plain text is left to
        the gate before the store."""
        source = read_messages([message])
        if not isinstance(message, dict) or message.get("role") in (None, "system") or not source:
            return [(message, source)]
        if not isinstance(message.get("content"), str):
            return [(message, source)]
        writing.source = source
        decision = writing.note(writing.judge(message["content"]))
        return [] if decision.stored is None else [({**message, "content": decision.stored}, source)]

    def _add_now(self, messages: Any, **options: Any) -> Any:
        writing = self._begin(messages, options)
        token = _current.set(writing)
        try:
            if writing.path != "verbatim":
                return self._end(writing, self._try(writing, messages, options), self._apply(writing))
            kept = [message for each in listed_messages(messages) for message in self._verbatim(writing, each)]
            results: list[Any] = []
            for message, writing.source in kept:
                results += results_of(self._try(writing, [message], options))
            return self._end(writing, {"results": results} if kept else self._add([], **options), [])
        finally:
            _current.reset(token)

    def _try(self, writing: _Writing, messages: Any, options: Mapping[str, Any]) -> Any:
        writing.refused = False
        try:
            return self._add(messages, **options)
        except Exception:
            if not writing.refused:
                raise
            return {"results": []}

    def _apply(self, writing: _Writing) -> list[dict[str, Any]]:
        done = []
        for name, text in writing.updates:
            before = self._memory.get(name)
            self._update(name, text=text)
            done.append(_updated(name, text, before))
        return done

    async def _add_async(self, messages: Any, **options: Any) -> Any:
        writing = await asyncio.to_thread(self._begin, messages, options)
        token = _current.set(writing)
        try:
            if writing.path != "verbatim":
                result = await self._try_async(writing, messages, options)
                done = []
                for name, text in writing.updates:
                    before = await self._memory.get(name)
                    await self._update(name, text=text)
                    done.append(_updated(name, text, before))
                return self._end(writing, result, done)
            kept = []
            for each in listed_messages(messages):
                kept += await asyncio.to_thread(self._verbatim, writing, each)
            results: list[Any] = []
            for message, writing.source in kept:
                results += results_of(await self._try_async(writing, [message], options))
            return self._end(writing, {"results": results} if kept else await self._add([], **options), [])
        finally:
            _current.reset(token)

    async def _try_async(self, writing: _Writing, messages: Any, options: Mapping[str, Any]) -> Any:
        writing.refused = False
        try:
            return await self._add(messages, **options)
        except Exception:
            if not writing.refused:
                raise
            return {"results": []}

    def _end(self, writing: _Writing, result: Any, updated: Sequence[dict[str, Any]]) -> Any:
        if isinstance(result, dict):
            result["results"] = [*results_of(result), *updated]
            result["edgegate"] = [
                {**to_json(each), "verdict": each.verdict.value, "flags": list(each.flags)}
                for each in writing.decisions
            ]
        return result

    # update

    def _update_now(
        self, memory_id: Any, text: str | None = None, *args: Any, source: Any = None, **options: Any
    ) -> Any:
        text, options = _new_text(text, options)
        before = self._memory.get(memory_id) if isinstance(text, str) else None
        if before is None:
            return self._update(memory_id, text, *args, **options)
        writing = self._begin_update(text, before, source)
        kept = writing.decisions[-1].stored
        if kept is None:
            return self._end(writing, {"message": HELD_UPDATE}, [])
        token = _current.set(writing)
        try:
            return self._end(writing, self._update(memory_id, kept, *args, **options), [])
        finally:
            _current.reset(token)

    async def _update_async(
        self, memory_id: Any, text: str | None = None, *args: Any, source: Any = None, **options: Any
    ) -> Any:
        text, options = _new_text(text, options)
        before = await self._memory.get(memory_id) if isinstance(text, str) else None
        if before is None:
            return await self._update(memory_id, text, *args, **options)
        writing = await asyncio.to_thread(self._begin_update, text, before, source)
        kept = writing.decisions[-1].stored
        if kept is None:
            return self._end(writing, {"message": HELD_UPDATE}, [])
        token = _current.set(writing)
        try:
            return self._end(writing, await self._update(memory_id, kept, *args, **options), [])
        finally:
            _current.reset(token)

    def _begin_update(self, text: str | None, before: Mapping[str, Any], source: Any) -> _Writing:
        """The decision on a new text of a kept memory: by its source, the scope's last messages, or the old text."""
        self.arm()
        scope = {name: before[name] for name in _SCOPE if before.get(name)}
        writing = _Writing(self, "update", source, {"now": self._clock(), "about": self._about}, scope)
        if source is None:
            said = self._earlier(scope)
            held = bool(said) and check(said, str(text), **writing.options).uncheckable is None
            writing.source = said if held else str(before.get("memory") or "")
        elif not isinstance(source, str):
            writing.source = read_messages(source)
        writing.note(writing.judge(str(text)))
        return writing


HELD_UPDATE = "Memory not updated: the write gate holds the new text back."
"""What `update` says in mem0's place, beside the decision under "edgegate"."""


def _is_moment(text: str) -> bool:
    try:
        return read_now(text) is not None
    except DataError:
        return False


def _updated(name: str, text: str, before: Any) -> dict[str, Any]:
    old = before.get("memory") if isinstance(before, Mapping) else None
    return {"id": name, "memory": text, "event": "UPDATE", "previous_memory": old}


def _new_text(text: str | None, options: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """The new text of an update (`data` is its older name), and the other options without marks of the gate."""
    rest = dict(options)
    data = rest.pop("data", None)
    if isinstance(rest.get("metadata"), Mapping):
        rest["metadata"] = {key: value for key, value in rest["metadata"].items() if key not in (VERDICT, FLAGS)}
    return (text if text is not None else data), rest


def _escaped(value: Any) -> str:
    """A part of the name that mem0 keeps a scope's messages under."""
    return str(value).replace("%", "%25").replace("&", "%26").replace("=", "%3D")


def _now() -> str:
    return datetime.now().astimezone().isoformat()
