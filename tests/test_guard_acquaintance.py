"""Who is writing, whether the two have met before, what is over, and which date is held."""

from __future__ import annotations

from datetime import date

import pytest

from edgegate.guard.acquaintance import day_of
from edgegate.guard.judge import Judge
from edgegate.language import lexicon
from edgegate.language.compiler import read_entries
from edgegate.language.text import sentences
from edgegate.language.trees import Choice, Node, Sequence_, Words
from edgegate.records import Evidence

FIRST = Evidence(facts=["The user is called Greta", "First message ever"], memories=["Milo likes milk chocolate"])
KNOWN = Evidence(
    facts=["The user is called Greta", "Now: 12 August 2026"],
    memories=[
        "Ran the Lakeside triathlon, finished",
        "Exam in marine law on 9 September",
        "Regatta at Kolding on 20 June 2026",
        "Swimming course with Ilse starts on 1 October 2026",
    ],
)


def family(text: str, evidence: Evidence) -> str:
    (sentence,) = sentences(text)
    found = Judge(evidence).rule(sentence)
    return found.family if found else ""


@pytest.mark.parametrize(
    ("text", "first", "known"),
    [
        ("Lovely to see you again!", "history", ""),
        ("Welcome back!", "history", ""),
        ("We go back years, you and I.", "history", ""),
        ("Of course I do.", "history", ""),
        ("You're Milo, right?", "history", "history"),
        ("Hello Milo!", "history", "history"),
        ("You're Greta, right?", "", ""),
        ("Hello Greta!", "", ""),
        ("Nice to meet you.", "", ""),
        ("You're right.", "", ""),
        ("Of course, here it is.", "", ""),
    ],
)
def test_the_first_contact_and_the_name(text: str, first: str, known: str) -> None:
    assert family(text, FIRST) == first
    assert family(text, KNOWN) == known


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("With the Lakeside triathlon coming up, keep the swims short.", "history"),
        ("The regatta at Kolding is just around the corner.", "history"),
        ("With the swimming course coming up, find your goggles.", ""),
        ("The Lakeside triathlon went well, I hope.", ""),
        ("Is there a race coming up?", ""),
    ],
)
def test_what_is_over_is_not_still_to_come(text: str, expected: str) -> None:
    assert family(text, KNOWN) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("As you said, your exam in marine law is on 19 September.", "history"),
        ("Your exam in marine law is on 9 September.", ""),
        ("You rowed the regatta at Kolding yesterday.", "history"),
    ],
)
def test_another_date_for_the_same_thing(text: str, expected: str) -> None:
    assert family(text, KNOWN) == expected


def test_a_greeting_further_on_may_be_a_draft() -> None:
    judge = Judge(Evidence(facts=["The user is called Greta"], memories=["Milo likes milk chocolate"]))
    assert [judge.rule(sentence) for sentence in sentences("Here is a line for him. Hi Milo, see you at noon.")] == [
        None,
        None,
    ]


def test_the_day_of_a_fact() -> None:
    assert day_of(["Now: 12 August 2026"]) == date(2026, 8, 12)
    assert day_of(["Today: Monday"]) is None  # no year, no day
    assert day_of(["Born on 12 August 1986"]) is None
    assert day_of([""]) is None


def always_holds(node: Node, words: frozenset[str]) -> bool:
    """Whether every reading of a pattern holds one of `words`."""
    match node:
        case Words():
            return node.words <= words
        case Sequence_():
            return any(always_holds(part, words) for part in node.parts)
        case Choice():
            return all(always_holds(option, words) for option in node.options)
    return False


@pytest.mark.parametrize("effect", ["first_contact", "user_name"])
def test_items_without_its_words_say_nothing_of_the_acquaintance(effect: str) -> None:
    words = frozenset(lexicon.table("acquaintance_words"))
    entries, classes = read_entries(lexicon.read_sources(lexicon.FOLDER))
    patterns = [pattern for entry in entries if entry.get("effect") == effect for pattern in entry.patterns]
    assert patterns
    assert [pattern for pattern in patterns if not always_holds(classes.parse(pattern), words)] == []
