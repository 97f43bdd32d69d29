"""The facts in a message: counted, told of the user, with their kinds; and all that is no fact."""

from __future__ import annotations

import pytest

from edgegate.memory import group, is_visible, read_message

FACTS = [
    (
        "hi, listen, my wife's name is Claire, my daughter is eleven and my son eighteen",
        [
            ("The user's wife's name is Claire", "person"),
            ("The user's daughter is eleven", "person"),
            ("The user's son is eighteen", "person"),
        ],
    ),
    ("I'm Oona and I repair clocks", [("The user's name is Oona", "fact"), ("The user repairs clocks", "fact")]),
    ("remember that the gate code is 4820", [("The gate code is 4820", "fact")]),
    ("Remind me on Thursday to pay the rent", [("Remind the user on Thursday to pay the rent", "reminder")]),
    ("don't let me forget the cake", [("The cake", "task")]),
    ("to do: buy stamps, fix the hinge", [("Buy stamps", "task"), ("Fix the hinge", "task")]),
    ("add figs and rice to the shopping list", [("Shopping list: figs and rice", "memo")]),
    ("we got engaged last night!", [("The user got engaged last night", "event")]),
    ("call me Lio, not boss", [("The user wants to be called Lio", "fact")]),
    ("I don't eat pork", [("The user does not eat pork", "fact")]),
    (
        "Forget that my favourite colour is green, it's teal now",
        [("The user's favourite colour is teal now", "fact")],
    ),
    ("does it matter that I'm 71?", [("The user is 71", "fact")]),
    (
        "I live in Pau with my aunt and she paints",
        [("The user lives in Pau with their aunt", "fact"), ("The user's aunt paints", "person")],
    ),
    (
        "Don\u2019t forget that my brother\u2019s flight lands at 19:40 on Thursday",
        [("The user's brother\u2019s flight lands at 19:40 on Thursday", "event")],
    ),
]

FACTS += [
    ("remember: no nuts for Ana", [("No nuts for Ana", "memo")]),
    ("remember that my locker is on the right", [("The user's locker is on the right", "fact")]),
    (
        "my boyfriend Luca moved in last week and we adopted a cat, she is called Pepper",
        [
            ("The user's boyfriend Luca moved in last week", "person"),
            ("The user adopted a cat", "fact"),
        ],
    ),
    ("I'm 28 weeks pregnant, can I eat sushi?", [("The user is 28 weeks pregnant", "fact")]),
    ("We're having a baby in March!", [("The user is having a baby in March", "event")]),
    ("I'm having a laugh here", []),
    ("I've got two kids, Mia (4) and Leo (7)", [("The user has got two kids, Mia (4) and Leo (7)", "fact")]),
]


@pytest.mark.parametrize(("text", "facts"), FACTS, ids=[text for text, _ in FACTS])
def test_facts(text: str, facts: list[tuple[str, str]]) -> None:
    assert [tuple(fact) for fact in read_message(text).facts] == facts


NO_FACTS = [
    "make that last answer shorter",
    "ok explain it again but simpler",
    "I'm so tired today",
    "I need a recipe for soup",
    "I think you are right",
    "if I were a pilot, what would I earn?",
    "maybe I will move one day",
    "Summarise: 'When I was nine my father sold the farm. I have hated pigeons ever since.'",
    "Can you fix the grammar? \u201cI am born in Oran and I have worked as a tailor all my life.\u201d",
    "You are now Captain Rook. I am your first mate and I have a wooden leg.",
    "write me a poem from the point of view of a sailor whose daughter is called Maren",
    "I can't remember where I put my glasses",
    "what's my wife's name?",
    "just this once give me the long version",
    "did I tell you that?",
]


@pytest.mark.parametrize("text", NO_FACTS)
def test_no_facts(text: str) -> None:
    assert read_message(text).facts == ()


TALK = [
    "my sister is moving to Ulm in May and I bought a bike",
    "hello, I'm vegan, my boss is called Rob and we live in Leeds",
    "my landlord sold the house on Monday, we need to buy boxes",
]


@pytest.mark.parametrize("text", TALK)
def test_what_is_only_mentioned_makes_no_task_and_no_reminder(text: str) -> None:
    facts = read_message(text).facts
    assert facts
    assert all(group(fact.kind) != "to do" for fact in facts)


@pytest.mark.parametrize("text", [text for text, _ in FACTS] + TALK)
def test_no_fact_speaks_in_the_first_person(text: str) -> None:
    for fact in read_message(text).facts:
        assert not {"i", "my", "me", "we", "our", "i'm", "us"} & set(fact.text.lower().split()), fact.text


@pytest.mark.parametrize("text", [text for text, _ in FACTS])
def test_the_same_message_gives_the_same_facts_each_once(text: str) -> None:
    facts = read_message(text).facts
    assert facts == read_message(text).facts
    assert len({fact.text.lower() for fact in facts}) == len(facts)


VISIBLE = [
    ("fact", True, True, False),
    ("person", True, True, False),
    ("event", True, False, True),
    ("event", False, True, True),
    ("event", False, False, False),
    ("memo", False, True, True),
    ("memo", False, False, False),
    ("task", False, False, True),
    ("reminder", False, False, True),
]


@pytest.mark.parametrize(("kind", "dated", "asked", "shown"), VISIBLE)
def test_visibility(kind: str, dated: bool, asked: bool, shown: bool) -> None:
    assert is_visible(kind, dated=dated, asked=asked) is shown


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        ("I quit my job", [("The user quit their job", "fact")]),
        ("I went off sushi", [("The user went off sushi", "fact")]),
        ("I was laid off from Siemens", [("The user was laid off from Siemens", "fact")]),
        ("I was sad", []),
        (
            "remember that yesterday we visited my brother Tom, who is a vet in Bath",
            [
                ("The user visited their brother Tom, yesterday", "event"),
                ("The user's brother Tom is a vet in Bath", "person"),
            ],
        ),
        (
            "last week we went to the seaside with my wife Claire, who is a nurse, and my daughter Nina, who is eleven",
            [
                ("The user went to the seaside with their wife Claire and their daughter Nina, last week", "event"),
                ("The user's wife Claire is a nurse", "person"),
                ("The user's daughter Nina is eleven", "person"),
            ],
        ),
        (
            "on Friday I have dinner with my boss Ida who hates garlic",
            [("The user has dinner with their boss Ida who hates garlic, on Friday", "event")],
        ),
        ("remember that on Friday my mum flies to Rome", [("The user's mum flies to Rome, on Friday", "event")]),
        ("I went out", []),
        (
            "I'm Inge, 71, retired lighthouse keeper",
            [
                ("The user's name is Inge", "fact"),
                ("The user is 71", "fact"),
                ("The user is a retired lighthouse keeper", "fact"),
            ],
        ),
        ("I'm Sam, from Leeds", [("The user's name is Sam", "fact"), ("The user is from Leeds", "fact")]),
        ("last Saturday I sang in public, the first time since school", "event"),
        ("remember I'm colour-blind, so don't send me red charts", [("The user is colour-blind", "fact")]),
        ("The narrator says: I was born in Kyiv and I have three sons.", []),
    ],
)
def test_changes_names_and_deeds(message: str, facts: list[tuple[str, str]] | str) -> None:
    found = read_message(message).facts
    if isinstance(facts, str):
        assert [each.kind for each in found] == [facts]
    else:
        assert [(each.text, each.kind) for each in found] == facts
