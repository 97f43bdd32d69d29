"""Second readers as callables with a deadline: the two phases of the core, wrapped for hosts that write memories.

A *reader* is any callable that takes a `Question` and returns its answer: parsed JSON, or a text that holds it. It may
be a model's server (`edgegate.adapters.openai_compatible`), a library, or a person. Whatever it does (raises, hangs,
lies, answers with something else), the write goes on: what it did not answer is declared in `void` and `cannot_tell`,
and the deterministic verdict stands.
"""

from __future__ import annotations

import asyncio
import json
import queue
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from typing import Any

from edgegate.errors import EdgegateError, UsageError
from edgegate.gate import fixer, witness
from edgegate.gate.records import Asked, Heard, Question, Repair

Reader = Callable[[Question], Any]
"""Takes a question, returns its answer; in the asynchronous functions it may be a coroutine function."""

AT_ONCE = 4
"""How many questions of one call are asked at the same time; no more threads are left behind by a reader that hangs."""

LONGEST = 100_000
"""Characters of an answer's text; a longer one is no answer."""

LATE = "no answer before the deadline"


class ReaderError(EdgegateError):
    """A reader that could not answer: the server refused, was late, or said something that can't be read."""

    code = "reader"


@dataclass(frozen=True, slots=True)
class Replies:
    """What came back: the answers by a question's number, and for every other question why there is none."""

    answers: dict[int, Any] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)


def parse(text: str) -> Any:
    """The JSON value that an answer's text holds, by itself or in one code fence. Raises ReaderError where none is.

    >>> parse('```json\\n{"answer": "cannot-tell"}\\n```')
    {'answer': 'cannot-tell'}
    >>> parse("Sure!")
    Traceback (most recent call last):
    edgegate.adapters.readers.ReaderError: answer: this is no JSON: 'Sure!'
    """
    if len(text) > LONGEST:
        raise ReaderError(f"longer than {LONGEST} characters", where="answer")
    inner = text.strip()
    if inner.startswith("```") and inner.endswith("```") and "\n" in inner:
        inner = inner[inner.index("\n") : -3].strip()
    try:
        return json.loads(inner)
    except (ValueError, RecursionError):
        shown = text if len(text) <= 60 else f"{text[:60]}…"
        raise ReaderError(f"this is no JSON: {shown!r}", where="answer") from None


def ask(reader: Reader, questions: Sequence[Question], *, deadline: float) -> Replies:
    """Asks every question, a few at once, and returns within `deadline` seconds with what was answered by then.

    Never raises for anything the reader does. A reader that hangs keeps its thread (a daemon, which does not hold the
    program) until it returns; what it says then goes nowhere. A deadline that is not above 0 raises UsageError.

    >>> question = Question(0, "witness", "task", "Ida left.")
    >>> ask(lambda question: {"hedged": False}, [question], deadline=5).answers
    {0: {'hedged': False}}
    >>> ask(lambda question: 1 / 0, [question], deadline=5).failures
    {0: 'ZeroDivisionError: division by zero'}
    """
    until = _until(deadline)
    come: queue.SimpleQueue[tuple[int, Any, str]] = queue.SimpleQueue()
    stop = _start(reader, questions, lambda *reply: come.put(reply))
    replies = Replies()
    try:
        for _ in questions:
            _take(replies, *come.get(timeout=max(0.0, until - time.monotonic())))
    except queue.Empty:
        pass
    finally:
        stop.set()
    return _finish(replies, questions)


async def ask_async(
    reader: Reader | Callable[[Question], Awaitable[Any]], questions: Sequence[Question], *, deadline: float
) -> Replies:
    """`ask` for programs that run on asyncio: nothing blocks the loop. `reader` is a coroutine function, or a plain
    one, which runs in threads of its own. What is late is cancelled, and not waited for.

    >>> async def reader(question):
    ...     await asyncio.sleep(60)
    >>> asyncio.run(ask_async(reader, [Question(0, "witness", "task", "Ida left.")], deadline=0.01)).failures
    {0: 'no answer before the deadline'}
    """
    until = _until(deadline)
    replies = Replies()
    if iscoroutinefunction(reader) or iscoroutinefunction(getattr(reader, "__call__", None)):  # noqa: B004
        waiting = asyncio.Semaphore(AT_ONCE)

        async def one(question: Question) -> None:
            async with waiting:
                try:
                    _take(replies, question.number, await reader(question), "")
                except Exception as error:
                    _take(replies, question.number, None, _reason(error))

        tasks = [asyncio.ensure_future(one(question)) for question in questions]
        try:
            if tasks:
                await asyncio.wait(tasks, timeout=deadline)
        finally:
            for task in tasks:
                task.cancel()
        return _finish(Replies(dict(replies.answers), dict(replies.failures)), questions)
    loop = asyncio.get_running_loop()
    come: asyncio.Queue[tuple[int, Any, str]] = asyncio.Queue()

    def put(*reply: Any) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(come.put_nowait, reply)

    stop = _start(reader, questions, put)
    try:
        for _ in questions:
            _take(replies, *await asyncio.wait_for(come.get(), max(0.0, until - time.monotonic())))
    except TimeoutError:
        pass
    finally:
        stop.set()
    return _finish(replies, questions)


def second_opinion(
    source: Any,
    memory: str,
    reader: Reader,
    *,
    deadline: float,
    readers: Sequence[str] = witness.READERS,
    **options: Any,
) -> Heard:
    """The gate's report on a memory after the witness and the `added` detector were asked. Options are those of
    `check`.

    >>> second_opinion("It rains.", "It rains.", lambda question: "?", deadline=5).cannot_tell
    ('It rains.',)
    """
    asked: Asked = witness.ask(source, memory, readers, **options)
    replies = ask(reader, asked.questions, deadline=deadline)
    return witness.hear(source, memory, replies.answers, readers, **options)


async def second_opinion_async(
    source: Any,
    memory: str,
    reader: Reader,
    *,
    deadline: float,
    readers: Sequence[str] = witness.READERS,
    **options: Any,
) -> Heard:
    """`second_opinion` on asyncio."""
    asked = witness.ask(source, memory, readers, **options)
    replies = await ask_async(reader, asked.questions, deadline=deadline)
    return witness.hear(source, memory, replies.answers, readers, **options)


def fix(source: Any, memory: str, reader: Reader | None, *, deadline: float, **options: Any) -> Repair:
    """A repair of the memory: from the source's own words first, then from the reader, both gated once.

    `text` is None where neither passes; `question` stays where the reader gave no answer at all.

    >>> fix("Someone said Alice was promoted.", "Alice was promoted.", None, deadline=5).text
    'Someone said Alice was promoted.'
    >>> fix("I keep meaning to cancel the gym.", "User cancelled the gym.",
    ...     lambda question: "User intends to cancel the gym.", deadline=5).text
    'User intends to cancel the gym.'
    """
    repaired = fixer.repair(source, memory, **options)
    if repaired.question is None or reader is None:
        return repaired
    replies = ask(reader, [repaired.question], deadline=deadline)
    return _accepted(source, repaired, replies, options)


async def fix_async(source: Any, memory: str, reader: Reader | None, *, deadline: float, **options: Any) -> Repair:
    """`fix` on asyncio."""
    repaired = fixer.repair(source, memory, **options)
    if repaired.question is None or reader is None:
        return repaired
    replies = await ask_async(reader, [repaired.question], deadline=deadline)
    return _accepted(source, repaired, replies, options)


def rewriter(reader: Reader, *, deadline: float) -> Callable[[Question], Any]:
    """The reader as the rewriter of `edgegate.memory`'s door: an answer within the deadline, or None.

    >>> rewriter(lambda question: 1 / 0, deadline=5)(Question(0, "rewrite", "task", "Ida left.")) is None
    True
    """
    return lambda question: ask(reader, [question], deadline=deadline).answers.get(question.number)


def _accepted(source: Any, repaired: Repair, replies: Replies, options: dict[str, Any]) -> Repair:
    question = repaired.question
    if question is None or question.number not in replies.answers:
        return repaired
    return fixer.accept(source, question, replies.answers[question.number], **options)


def _until(deadline: float) -> float:
    if isinstance(deadline, bool) or not isinstance(deadline, (int, float)) or not 0 < deadline < threading.TIMEOUT_MAX:
        raise UsageError(f"a number of seconds above 0 is needed, not {deadline!r}", where="deadline")
    return time.monotonic() + deadline


def _start(reader: Reader, questions: Sequence[Question], put: Callable[[int, Any, str], None]) -> threading.Event:
    """Threads that ask the questions in turn until they are told to stop."""
    rest: queue.SimpleQueue[Question] = queue.SimpleQueue()
    for question in questions:
        rest.put(question)
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            try:
                question = rest.get_nowait()
            except queue.Empty:
                return
            try:
                reply = (question.number, reader(question), "")
            except BaseException as error:  # a reader that exits must not leave its question open
                reply = (question.number, None, _reason(error))
            if not stop.is_set():
                put(*reply)

    for _ in range(min(AT_ONCE, len(questions))):
        threading.Thread(target=work, daemon=True, name="edgegate-reader").start()
    return stop


def _take(replies: Replies, number: int, answer: Any, failure: str) -> None:
    """Puts one reply where it belongs; a text is read as JSON, and one that holds none may still be a rewrite."""
    if failure:
        replies.failures[number] = failure
    elif answer is None:
        replies.failures[number] = "the reader answered nothing"
    else:
        replies.answers[number] = answer


def _finish(replies: Replies, questions: Sequence[Question]) -> Replies:
    """The replies with texts read, and a reason for every question that has no answer."""
    for question in questions:
        answer = replies.answers.get(question.number)
        if isinstance(answer, str):
            try:
                replies.answers[question.number] = parse(answer)
            except ReaderError as error:
                if question.kind != "rewrite" or len(answer) > LONGEST:  # a rewrite may come as it is
                    del replies.answers[question.number]
                    replies.failures[question.number] = str(error)
        elif answer is None:
            replies.failures.setdefault(question.number, LATE)
    return replies


def _reason(error: BaseException) -> str:
    return str(error) if isinstance(error, ReaderError) else f"{type(error).__name__}: {error}"
