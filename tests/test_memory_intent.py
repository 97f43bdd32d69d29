"""What a message asks of memory: tables of messages, the public failures, the rates on the labelled sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgegate import check
from edgegate.measure_memory import IntentRecord, LabelledFact, evaluate_intent, match_facts
from edgegate.memory import read_message
from edgegate.memory.door import Door
from edgegate.records import Verdict
from edgegate.stores import InMemoryStore

DATA = Path(__file__).parent / "data"
NOW = "2026-03-14T09:00:00+01:00"

MESSAGES = [
    ("remember", "Remember that the gate code is 4820"),
    ("remember", "Don\u2019t forget my son is called Ivo"),
    ("remember", "dont forget that im left handed"),
    ("remember", "can you remember that I hate olives"),
    ("remember", "pls remeber i live on floor 3"),
    ("remember", "From now on, answer in metric units."),
    ("remember", "For the record: my passport ends in 77."),
    ("remember", "The cellar code: 4471, left shelf"),
    ("remember", "add figs and rice to the shopping list"),
    ("remind", "Remind me on Thursday to pay the rent"),
    ("remind", "don't let me forget the cake"),
    ("remind", "could you nudge me at six about the oven"),
    ("remind", "remind me when I get home to feed the cat"),
    ("forget", "forget that I play the oboe"),
    ("forget", "please delete my address from your memory"),
    ("forget", "I don't row any more, take that off"),
    ("forget", "cancel the reminder about the parcel"),
    ("question", "do you remember my shoe size?"),
    ("question", "remind me what my locker number is"),
    ("question", "what do you know about me"),
    ("question", "what happens if I ask you to forget something?"),
    ("question", "can you keep a secret"),
    ("refusal", "don't save this: I earn 3,000 a month"),
    ("refusal", "please don\u2019t remember any of this"),
    ("refusal", "this stays between us, I may leave"),
    ("refusal", "I don't want my address stored"),
    ("chat", "thanks, that helped!"),
    ("chat", "I can never remember names"),
    ("chat", "don't remind me lol"),
    ("chat", "forget it"),
    ("chat", "She said 'remember me' and left."),
    ("chat", "Translate: 'Remember that I was here.'"),
    ("chat", "delete the second paragraph please"),
    ("chat", "just this once give me the long version"),
    ("chat", ""),
]


@pytest.mark.parametrize(("intent", "text"), MESSAGES, ids=[text or "(nothing)" for _, text in MESSAGES])
def test_intent(intent: str, text: str) -> None:
    assert read_message(text).intent == intent


@pytest.mark.parametrize("text", ["don't save this: my pin is 4471", "off the record, my brother is ill"])
def test_a_refusal_leaves_no_fact(text: str) -> None:
    assert read_message(text).facts == ()


def test_the_deciding_words_are_named() -> None:
    message = read_message("please note that I row")
    assert (message.cue, message.words) == ("intent.note", "please note that")


def cases() -> list[Any]:
    lines = (DATA / "cases" / "intent.jsonl").read_text("utf-8").splitlines()
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


@pytest.mark.parametrize("case", cases())
def test_reported_cases(case: dict[str, Any]) -> None:
    history = case["input"].get("history") or [{}]
    message = read_message(case["input"]["message"], said=history[-1].get("text"))
    wanted = case["expect"]["facts"]
    assert message.intent == case["expect"]["intent"]
    assert len(message.facts) == len(wanted)
    assert len(match_facts([fact["text"] for fact in wanted], [fact.text for fact in message.facts])) == len(wanted)


def records(name: str) -> list[IntentRecord]:
    found = []
    for line in (DATA / "corpora" / f"{name}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        facts = [LabelledFact(fact["text"], fact["kind"]) for fact in row["facts"]]
        found.append(IntentRecord(row["id"], row["message"], row["intent"], facts))
    return found


def test_the_rates_hold() -> None:
    score = evaluate_intent(records("intent_dev"))
    assert (score.intent.value or 0) >= 0.92
    assert (score.fact_count.value or 0) >= 0.78
    assert (score.kind.value or 0) >= 0.88


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    read_message(text)


WORDS = st.sampled_from(
    "I my remember forget remind me that sister's 'quoted is are and , . : ? don't am has 5 pm Ana she it list".split()
)


@settings(max_examples=40, deadline=None)
@given(st.lists(WORDS, max_size=30))
def test_no_row_of_words_raises(words: list[str]) -> None:
    message = read_message(" ".join(words))
    assert message.facts == () or message.intent != "refusal"
    assert message == read_message(" ".join(words))


@pytest.mark.parametrize(
    "piece", ["'a ", "and I ", "remember ", "my sister's ", "forget that I am ", ": ", "I\u2019m "]
)
def test_a_long_message_is_read_in_bounded_time(piece: str) -> None:
    import time

    begin = time.perf_counter()
    read_message(piece * 20_000)
    assert time.perf_counter() - begin < 3


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("could you nudge me at 8", "Remind the user at 8"),
        ("can you remind me at 8 to call Bo", "Remind the user at 8 to call Bo"),
        ("Could you ping me at noon about the plumber?", "Remind the user at noon about the plumber"),
        ("would you mind nudging me at 9", "Remind the user at 9"),
        ("will you wake me at 6", "Wake the user at 6"),
    ],
)
def test_a_polite_order_is_an_order_to_reader_and_gate(text: str, fact: str) -> None:
    message = read_message(text)
    assert (message.intent, [each.text for each in message.facts]) == ("remind", [fact])
    assert check(text, fact).verdict is Verdict.PASS
    assert Door(InMemoryStore()).message(text, now=NOW).writes == (f"reminder set: {fact}",)


@pytest.mark.parametrize(
    ("text", "memory"),
    [("Could you call Ana?", "Ana was called"), ("Will you wake Bo at 6?", "The user wakes Bo at 6")],
)
def test_what_an_order_asks_is_not_done(text: str, memory: str) -> None:
    assert check(text, memory).verdict is Verdict.REWRITE


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("you remind me of my aunt", "chat"),
        ("and you remind me of my aunt", "chat"),
        ("if I had a sister I would call her Maud", "chat"),
        ("if I moved, would you miss me", "question"),
        ("this stays out of your memory, ok? I failed the test", "refusal"),
        ("my brother's age, please delete", "forget"),
        ("drop the last paragraph please", "chat"),
        ("please lose my PIN", "forget"),
        ("I lose my keys a lot", "chat"),
        ("The narrator says: I was born in Kyiv. What's the tone here?", "question"),
    ],
)
def test_more_words_for_what_is_asked(text: str, intent: str) -> None:
    assert read_message(text).intent == intent
