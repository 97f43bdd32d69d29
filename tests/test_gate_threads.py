"""The kinds of failure that people reported of memory systems in public, as far as they are the gate's.

Each kind has its own small case, in our own words, and the right answer. Kinds of other parts (streams, forgetting,
stores) are tested there. Where nothing in the source holds a memory, the write is no pass: uncheckable, or flagged.
"""

from __future__ import annotations

import pytest

from edgegate.gate.report import check
from edgegate.records import Severity, Verdict

NOW = "2023-05-17T10:00:00+01:00"  # a Wednesday
Turns = list[tuple[str, str]]

KINDS: list[tuple[str, str, Turns, str]] = [
    ("a relative's trade becomes the user's", "owner", [("user", "my brother is a lawyer")], "User is a lawyer."),
    ("a date counted from another day", "temporal", [("user", "we were in Paris last week")],
     "User was in Paris on 12 March 2026."),
    ("day and month swapped", "temporal", [("user", "the boat trip is on 9 August 2023")],
     "The boat trip is on 8 September 2023."),
    ("an event without a date gets today's", "temporal", [("user", "I had my appendix out as a boy")],
     "User had their appendix out on 3 May 2023."),
    ("whenever becomes never", "polarity", [("user", "take the inhaler whenever needed")],
     "The inhaler is never needed."),
    ("don't need to becomes need to", "polarity", [("user", "you don't need to water the cactus")],
     "The cactus needs to be watered."),
    ("a number cut at its point", "truncated", [("user", "we moved to GPT 5.6 on Monday")], "User moved to GPT 5."),
    ("forbidden after allowed", "polarity", [("user", "Parking in the yard is not allowed any more.")],
     "Parking in the yard is allowed."),
    ("the assistant's explanation becomes the user's work", "owner",
     [("user", "it keeps timing out"), ("assistant", "You could put a cache in front of the login service."),
      ("user", "hm")], "User put a cache in front of the login service."),
    ("a visitor's allergy becomes the owner's", "owner",
     [("user", "our visitor can't have peanuts, she has an allergy to peanuts")], "User has an allergy to peanuts."),
    ("who is asked about becomes the user", "owner", [("user", "do you know a Petra Lindgren?")],
     "The user is called Petra Lindgren."),
    ("a question becomes a fact", "condition", [("user", "could a message queue be useful here?")],
     "A message queue is useful here."),
    ("a passing guess becomes a fact", "hedge", [("user", "maybe the socket leaks, let me look"), ("user", "nope")],
     "The socket leaks."),
    ("a stop list swallows not", "polarity", [("user", "I am not interested in sailing")],
     "User is interested in sailing."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "source", "memory"), [kind[1:] for kind in KINDS], ids=[kind[0] for kind in KINDS])
def test_the_reported_kind_is_flagged(name: str, source: Turns, memory: str) -> None:
    report = check([{"speaker": speaker, "text": text} for speaker, text in source], memory, now=NOW)
    assert report.verdict in {Verdict.REWRITE, Verdict.REJECT}
    assert name in {each.check for each in report.changes if each.severity is not Severity.ADVISORY}


NO_SOURCE: list[tuple[str, Turns, str]] = [
    ("a sentence of the prompt", [("user", "what's a good soup?")], "User prefers concise answers with bullet points."),
    ("an invented person", [("user", "the gutter leaks again")], "User's colleague Marguerite collects stamps."),
    ("a diagnosis nobody gave", [("user", "I slept badly, the bins were loud")], "User suffers from depression."),
    ("a clause of a language without a pack", [("user", "Nunca como carne los viernes")], "Nunca"),
    ("a language without a list of its own", [("user", "Asun Helsingissa"), ("user", "pidan jaatelosta")],
     "Asuu Helsingissa, pitaa jaatelosta"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "memory"), [kind[1:] for kind in NO_SOURCE], ids=[kind[0] for kind in NO_SOURCE])
def test_what_nothing_bears_out_is_no_pass(source: Turns, memory: str) -> None:
    report = check([{"speaker": speaker, "text": text} for speaker, text in source], memory, now=NOW)
    assert report.verdict not in {Verdict.PASS, Verdict.PASS_WITH_FLAGS}


CLEAN: list[tuple[str, Turns, str]] = [
    ("do not forget is no denial", [("user", "Do not forget to configure the runtime, I use the runtime daily.")],
     "User uses the runtime daily and wants it configured."),
    ("a resolved date is no invention", [("user", "we saw Paris last Friday")], "User saw Paris on 12 May 2023."),
    ("both favourites stay", [("user", "my favourite is Messi and my brother's is Ronaldo")],
     "User's favourite is Messi; user's brother's favourite is Ronaldo."),
]  # fmt: skip


@pytest.mark.parametrize(("source", "memory"), [kind[1:] for kind in CLEAN], ids=[kind[0] for kind in CLEAN])
def test_what_was_blamed_wrongly_passes(source: Turns, memory: str) -> None:
    report = check([{"speaker": speaker, "text": text} for speaker, text in source], memory, now=NOW)
    assert report.verdict in {Verdict.PASS, Verdict.PASS_WITH_FLAGS}, report.changes
