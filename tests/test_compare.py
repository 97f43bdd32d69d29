"""Contradictions between two clauses that speak of the same thing."""

from __future__ import annotations

import pytest

from edgegate.language.compare import compare, denied
from edgegate.language.owners import owner, owners_differ
from edgegate.language.passages import Clause, read


def clause(text: str, speaker: str = "memory", now: str = "2026-03-11") -> Clause:
    from edgegate.language.values import read_now

    return Clause.whole(read(text, speaker=speaker, now=read_now(now))[0])


def kinds(source: str, candidate: str, speaker: str = "user") -> list[str]:
    return [each.kind for each in compare(clause(source, speaker), clause(candidate))]


@pytest.mark.parametrize(
    ("source", "candidate", "expected"),
    [
        ("We did not take the train.", "User took the train.", ["polarity"]),
        ("We took the train.", "User did not take the train.", ["polarity"]),
        ("The firm accepted the offer.", "The firm rejected the offer.", ["polarity"]),
        ("I love olives.", "User hates olives.", ["polarity"]),
        ("My brother repairs clocks.", "User repairs clocks.", ["owner"]),
        ("My brother repairs clocks.", "User's sister repairs clocks.", ["owner"]),
        ("We met Jonas in the park.", "User met Marta in the park.", ["name"]),
        ("We have 3 hens.", "User has 4 hens.", ["number"]),
        ("We have three hens.", "User has 3 hens.", []),
        ("I lent him 600 francs.", "User lent him 600 euros.", ["unit"]),
        ("I ran 5 km.", "User ran 6 km.", ["quantity"]),
        ("I ran 5,000 metres.", "User ran 5 km.", []),
        ("We leave on 2 May.", "User leaves on 3 May.", ["date"]),
        ("We left yesterday.", "User left on 10 March 2026.", []),
        ("We leave at four.", "User leaves at 16:00.", []),
        ("We leave at 16:30.", "User leaves at 17:00.", ["date"]),
        ("I like the blue lamp.", "User likes the blue lamp.", []),
        ("I never go to Oslo.", "User never goes to Oslo.", []),
    ],
)
def test_kinds(source: str, candidate: str, expected: list[str]) -> None:
    assert kinds(source, candidate) == expected


def test_ranges_and_details_point_at_both_sides() -> None:
    source, candidate = clause("I lent him 600 francs.", "user"), clause("User lent him 600 euros.")
    (found,) = compare(source, candidate)
    assert found.source is not None
    assert found.candidate is not None
    assert source.passage.tokens.quote(*found.source) == "600 francs"
    assert candidate.passage.tokens.quote(*found.candidate) == "600 euros"
    assert found.detail == "“600 francs” became “600 euros”"


@pytest.mark.parametrize(
    ("text", "word", "is_denied"),
    [
        ("We did not take the train.", "train", True),
        ("We took the train.", "train", False),
        ("Not once did we take the train.", "train", True),
        ("It is not true that we did not take the train.", "train", False),
    ],
)
def test_denied(text: str, word: str, is_denied: bool) -> None:
    found = clause(text)
    assert (denied(found, found.passage.words.index(word)) is not None) is is_denied


@pytest.mark.parametrize(
    ("text", "speaker", "kind", "key"),
    [
        ("I repair clocks.", "user", "user", ""),
        ("My brother repairs clocks.", "user", "kin", "brother"),
        ("my little sister repairs clocks", "user", "kin", "sister"),
        ("Mum repairs clocks.", "user", "kin", "mother"),
        ("My mother-in-law repairs clocks.", "user", "kin", "mother-in-law"),
        ("My knee hurts.", "user", "user", ""),
        ("You repair clocks.", "user", "assistant", ""),
        ("You repair clocks.", "assistant", "user", ""),
        ("I found the log.", "assistant", "assistant", ""),
        ("I repair clocks.", "marta oliveira", "name", "marta oliveira"),
        ("Tobi repairs clocks.", "user", "name", "tobi"),
        ("She repairs clocks.", "user", "other", "she"),
        ("The user repairs clocks.", "memory", "user", ""),
        ("User's niece repairs clocks.", "memory", "kin", "niece"),
        ("You repair clocks.", "memory", "user", ""),
        ("Repairs clocks.", "memory", "user", ""),
    ],
)
def test_owner(text: str, speaker: str, kind: str, key: str) -> None:
    found = owner(clause(text, speaker))
    assert (found.kind, found.key) == (kind, key)


def test_the_person_a_memory_is_filed_under_is_its_user() -> None:
    assert owner(clause("Caroline paints."), about="Caroline").kind == "user"
    assert owner(clause("Caroline paints.")).kind == "name"


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("My brother sings.", "My sister sings.", True),
        ("My brother sings.", "My sibling sings.", False),
        ("My mum sings.", "My mother sings.", False),
        ("I sing.", "My brother sings.", True),
        ("She sings.", "I sing.", False),
        ("Tobi sings.", "Marta sings.", True),
        ("Tobi sings.", "Tobi Wells sings.", False),
        ("My sister sings.", "Nadia sings.", False),
    ],
)
def test_owners_differ(one: str, other: str, differ: bool) -> None:
    assert owners_differ(owner(clause(one, "user")), owner(clause(other, "user"))) is differ
