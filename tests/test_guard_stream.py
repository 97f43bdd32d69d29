"""The guard as a state machine: every move, every way of cutting a reply, every way of failing."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgegate.errors import DataError, UsageError
from edgegate.guard.judge import Judge
from edgegate.guard.stream import TRANSITIONS, Guard, Signal, State
from edgegate.language.text import Sentence, Tokens
from edgegate.records import Event, Evidence, ReplyEnd, TextDropped, TextShown

DATA = Path(__file__).parent / "data"
CLAIM = "You told me you own a boat."
EVIDENCE = Evidence(
    memories=["The user has a sister called Nadia", "The user plans a hiking trip in May"],
    history=[{"role": "user", "text": "any news for my trip?"}],  # type: ignore[list-item]
)


def run(chunks: list[str], evidence: Evidence = EVIDENCE, **options: object) -> tuple[Guard, list[Event]]:
    guard = Guard(evidence, **options)  # type: ignore[arg-type]
    events = [event for chunk in chunks for event in guard.feed(chunk)]
    return guard, events + guard.close()


def joined(events: list[Event]) -> list[Event]:
    """The events with neighbouring shown texts as one: how the shown text is cut is no promise."""
    result: list[Event] = []
    for event in events:
        if isinstance(event, TextShown) and result and isinstance(result[-1], TextShown):
            result[-1] = TextShown(result[-1].text + event.text)
        else:
            result.append(event)
    return result


def shown(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextShown))


def end_of(events: list[Event]) -> ReplyEnd:
    (end,) = [event for event in events if isinstance(event, ReplyEnd)]
    assert events[-1] is end
    return end


# --- states


def test_every_state_has_its_moves_and_no_other() -> None:
    moves = {(state, signal): after for state, row in TRANSITIONS.items() for signal, after in row.items()}
    assert set(TRANSITIONS) == set(State)
    assert {state for state in State if (state, Signal.HELD) in moves} == {State.READING, State.HOLDING}
    assert all((state, signal) in moves for state in State for signal in (Signal.CLOSE, Signal.ABORT))
    assert moves[State.CLOSED, Signal.ABORT] is State.CLOSED
    assert moves[State.ABORTED, Signal.CLOSE] is State.ABORTED


def test_states_follow_what_is_held() -> None:
    guard = Guard(EVIDENCE)
    assert guard.state is State.READING
    guard.feed("Hello")
    assert guard.state is State.HOLDING
    guard.close()
    assert guard.state is State.CLOSED


@pytest.mark.parametrize("end", ["close", "abort"])
def test_an_ended_reply_takes_no_text_and_ends_once(end: str) -> None:
    guard = Guard(EVIDENCE)
    guard.feed("Hello. And")
    assert getattr(guard, end)()
    state = guard.state
    with pytest.raises(UsageError, match="open a new guard"):
        guard.feed("more")
    assert guard.close() == []
    assert guard.abort() == []
    assert guard.state is state


def test_close_decides_the_held_tail_and_abort_discards_it() -> None:
    for tail, kept in (("keep your pace < 12 km an", True), (CLAIM[:-1], False)):
        guard, events = run(["Hello. ", tail])
        assert guard.shown == ("Hello. " + tail if kept else "Hello.")
        guard = Guard(EVIDENCE)
        guard.feed("Hello. " + tail)
        before = guard.shown
        end = end_of(guard.abort())
        assert end.aborted
        assert end.shown == guard.shown == before
        assert tail not in guard.shown
        assert not end_of(events).aborted


def test_an_empty_reply_ends_empty() -> None:
    for chunks in ([], [""], ["", ""]):
        guard, events = run(chunks)
        assert events == [ReplyEnd("", 0)]
        assert guard.shown == ""


def test_replies_do_not_share_state() -> None:
    first = Guard(EVIDENCE)
    first.feed("Look: ```js\nlet a = 1")
    first.abort()
    assert run(["Good morning. The map is ready."])[0].shown == "Good morning. The map is ready."


@pytest.mark.parametrize("cap", [0, -1, True, 2.5, None])
def test_a_cap_that_cannot_be_is_refused(cap: object) -> None:
    with pytest.raises(UsageError, match="cap"):
        Guard(EVIDENCE, cap=cap)  # type: ignore[arg-type]


def test_wrong_calls_say_what_was_wrong() -> None:
    with pytest.raises(UsageError, match="bytes"):
        Guard(EVIDENCE).feed(b"Hello")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="evidence"):
        Guard({"memory": []})
    with pytest.raises(DataError):
        Guard(EVIDENCE, now="yesterday")


# --- shown text and events


def test_events_say_what_was_dropped_and_why() -> None:
    guard, events = run(["Hello! You told me Nadia sold her boat in Lisbon. Bye."])
    (drop,) = [event for event in events if isinstance(event, TextDropped)]
    assert drop.sentence == "You told me Nadia sold her boat in Lisbon."
    assert drop.family == "history"
    assert drop.cue == "continuity.you-told-me"
    assert drop.cue_text == "You told me"
    assert drop.cite
    assert drop.reason
    assert drop.nearest_evidence is not None
    assert drop.nearest_evidence.text == "The user has a sister called Nadia"
    end = end_of(events)
    assert (end.shown, end.dropped, end.everything_dropped, end.failed) == ("Hello! Bye.", 1, False, None)
    assert shown(events) == guard.shown == end.shown


def test_everything_dropped_is_said() -> None:
    guard, events = run([CLAIM])
    assert guard.shown == ""
    assert end_of(events).everything_dropped


def test_what_cannot_be_judged_is_listed() -> None:
    assert end_of(run(["```\nx = 1\n```\nDone."])[1]).unchecked == ("code",)
    german = "Ich habe dir gestern gesagt, dass wir morgen früh mit dem Zug nach Hause fahren wollen."
    guard, events = run([german])
    assert guard.shown == german
    assert end_of(events).unchecked == ("language",)
    assert end_of(run(["Hello there, how are you today?"])[1]).unchecked == ()


def test_the_kill_switch_lets_everything_pass_and_says_so() -> None:
    guard = Guard(EVIDENCE, enabled=False)
    assert guard.feed(CLAIM[:5]) == [TextShown(CLAIM[:5])]
    guard.feed(CLAIM[5:])
    end = end_of(guard.close())
    assert guard.shown == CLAIM
    assert not end.enabled
    assert run([CLAIM])[1][-1].enabled  # type: ignore[union-attr]


def test_each_filter_has_its_switch() -> None:
    feeling = "I ache for you when you are gone."
    guard, events = run([f"{CLAIM} {feeling}"], continuity=False)
    assert guard.shown == CLAIM
    assert end_of(events).unchecked == ("continuity",)
    guard, events = run([f"{CLAIM} {feeling}"], safety=False)
    assert guard.shown == feeling
    assert end_of(events).unchecked == ("safety",)


# --- chunking

WORDS = st.sampled_from(
    [
        CLAIM, "Hello there.", "And how are you?", "So that's why.", "\n\n", "\n", " ", "  ", "- ", "1. ", "2. ", "3. ",
        "# Plan\n", "Here it is:\n", "```\n", "code x = 1\n", "**", "“", "”", "| a | b |\n", "|---|---|\n", "> ",
        "Dr. Haas at 9 a.m.", "3.5 km", "…", "🙂", "e\u0301", "\r\n", "你好。", "I miss you.", "Noted!", "(", ")", "<3",
        "You said so in May.", "your sister Nadia", "https://example.org/a.b?c=1.", "'", "don't", "x" * 50,
    ]
)  # fmt: skip


@st.composite
def cut_replies(draw: st.DrawFn) -> tuple[str, list[str]]:
    text = "".join(draw(st.lists(WORDS, max_size=14)))
    places = sorted(draw(st.sets(st.integers(0, len(text)), max_size=12)))
    return text, [text[a:b] for a, b in itertools.pairwise([0, *places, len(text)])]


@settings(max_examples=150, deadline=None)
@given(cut_replies(), st.sampled_from([2000, 40, 7]))
def test_cutting_a_reply_never_matters(reply: tuple[str, list[str]], cap: int) -> None:
    text, chunks = reply
    whole, events = run([text], cap=cap)
    for pieces in (chunks, list(text)):
        guard, others = run(pieces, cap=cap)
        assert guard.shown == whole.shown
        assert joined(others) == joined(events)
        assert shown(others) == guard.shown
    assert end_of(events).failed is None


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=200))
def test_any_text_passes_without_a_fault(text: str) -> None:
    guard, events = run(list(text))
    assert end_of(events).failed is None
    assert shown(events) == guard.shown
    if not end_of(events).dropped:
        assert guard.shown == text


def test_golden_replies_at_random_cuts() -> None:
    rows = [json.loads(line) for line in (DATA / "golden" / "guard_cleaning.jsonl").read_text("utf-8").splitlines()]
    for number, row in enumerate(rows):
        text, step = row["reply"], 1 + number % 7
        guard, _ = run([text[at : at + step] for at in range(0, len(text), step)], Evidence())
        assert guard.shown == row["shown"], row["name"]


# --- the cap


def test_the_hold_is_capped_and_cuts_never_move() -> None:
    text = "word " * 100
    guard = Guard(EVIDENCE, cap=60)
    for letter in text:
        guard.feed(letter)
    guard.close()
    assert guard.shown == text
    guard = Guard(EVIDENCE, cap=60)
    for fed, letter in enumerate(text, 1):
        guard.feed(letter)
        assert fed - len(guard.shown) <= 2 * 60


def test_a_later_piece_of_a_dropped_long_sentence_shares_its_fate() -> None:
    long = "You told me that you own a boat and that " + "it is very old and " * 10 + "it leaks."
    guard, events = run([f"Hello. {long} Bye."], cap=50)
    assert guard.shown == "Hello. Bye."
    drops = [event for event in events if isinstance(event, TextDropped)]
    assert len(drops) > 1
    assert {drop.cue for drop in drops} == {"continuity.you-told-me"}


def test_a_deep_pile_of_held_lines_is_released_at_the_cap() -> None:
    guard = Guard(EVIDENCE, cap=50)
    guard.feed("One thing:\n\n" * 40 + "a")
    assert len(guard.shown) > 300


# --- failure


class Broken(Exception):
    pass


def test_a_failing_detector_closes_the_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = Judge.rule

    def fail(self: Judge, sentence: Sentence, tokens: Tokens) -> object:
        if "bomb" in sentence.text:
            raise Broken("the detector broke")
        return rule(self, sentence, tokens)

    monkeypatch.setattr(Judge, "rule", fail)
    guard = Guard(EVIDENCE)
    assert shown(guard.feed("Hello. This is a bomb. Never shown. ")) == "Hello."
    assert guard.feed("Nor this. ") == []
    assert guard.state is State.READING
    end = end_of(guard.close())
    assert end.failed == "Broken: the detector broke"
    assert end.shown == guard.shown == "Hello."
    assert not end.everything_dropped
    guard, events = run(["A bomb at once."])
    assert end_of(events).everything_dropped


def test_a_failure_at_the_end_is_said_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Judge, "rule", lambda self, sentence, tokens: 1 / 0)
    guard, events = run(["Hello"])
    assert guard.shown == ""
    assert "ZeroDivisionError" in str(end_of(events).failed)


def test_a_failing_index_closes_the_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise Broken("no index")

    monkeypatch.setattr("edgegate.guard.judge.collect", fail)
    guard, events = run([f"Hello. {CLAIM}"])
    assert CLAIM not in guard.shown
    assert end_of(events).failed == "Broken: no index"
