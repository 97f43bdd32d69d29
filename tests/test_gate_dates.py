"""A date that was resolved wrongly is seen whatever its grain; one resolved rightly passes, in whatever words."""

from __future__ import annotations

import pytest

from edgegate.gate.report import check

WRONG = [
    ("I saw the vet yesterday.", "User saw the vet on 4 March 2026.", "2023-05-10"),
    ("I saw the vet yesterday.", "User saw the vet in March 2026.", "2023-05-10"),
    ("We moved last year.", "User moved in 2023.", "2026-05-04"),
    ("The launch is next quarter.", "The launch is in Q4 2026.", "2026-05-04"),
    ("The launch is at the end of next month.", "The launch is at the end of July 2026.", "2026-05-04"),
    ("The party is on Good Friday.", "The party is on 13 April 2026.", "2026-03-04"),
    ("We meet in the week of 2 March.", "User meets them on 12 March 2026.", "2026-02-20"),
]
RIGHT = [
    ("I saw the vet yesterday.", "User saw the vet in May 2023.", "2023-05-10"),
    ("We moved last year.", "User moved in 2025.", "2026-05-04"),
    ("I moved three years ago, and yesterday I painted the hall.", "User moved in 2023.", "2026-05-04"),
    ("The launch is next quarter.", "The launch is in Q3 2026.", "2026-05-04"),
    ("The launch is at the end of next month.", "The launch is at the end of June 2026.", "2026-05-04"),
    ("The party is on Good Friday.", "The party is on 3 April 2026.", "2026-03-04"),
    ("I was born in April of 87 and saw the vet yesterday.", "User was born in April 1987.", "2026-02-20"),
    ("I was born in nineteen eighty six.", "User was born in 1986.", "2026-02-20"),
    ("We met on Monday; the 2019 prize is ours.", "The 2019 prize is the user's; they met on Monday.", "2026-05-06"),
    ("I lived in Ulm.", "User lived in Ulm in 2019.", "2026-05-06"),  # nothing to hold it against: an addition
]


@pytest.mark.parametrize(("source", "memory", "now"), WRONG)
def test_a_wrong_date_is_flagged(source: str, memory: str, now: str) -> None:
    found = [change for change in check(source, memory, now=now).changes if change.severity.value != "advisory"]
    assert [(change.check, change.type) for change in found] == [("temporal", "wrong date")]


@pytest.mark.parametrize(("source", "memory", "now"), RIGHT)
def test_a_right_date_is_not(source: str, memory: str, now: str) -> None:
    found = [change for change in check(source, memory, now=now).changes if change.check == "temporal"]
    assert not [change for change in found if change.severity.value != "advisory"]


@pytest.mark.parametrize(
    ("source", "memory"),
    [
        ("The bus leaves at 20 past eight in the evening.", "The bus leaves at 8:20 am."),
        ("The bus leaves at 8:20.", "The bus leaves at 9:20."),
        ("The bus leaves at 8:20 pm.", "The bus leaves at 8:30 pm."),
        ("The bus leaves at eight in the morning.", "The bus leaves at 8 pm."),
        ("The bus leaves at noon.", "The bus leaves at midnight."),
    ],
)
def test_another_time_of_day_is_flagged(source: str, memory: str) -> None:
    found = [each.type for each in check(source, memory).changes if each.check == "temporal"]
    assert found == ["wrong time of day"]


@pytest.mark.parametrize(
    ("source", "memory"),
    [
        ("The bus leaves at 20 past eight in the evening.", "The bus leaves at 8:20 pm."),
        ("The bus leaves at 20 past eight in the evening.", "The bus leaves at 20:20."),
        ("The bus leaves at 8:20.", "The bus leaves at 8:20 am."),  # half of the day unknown on one side
        ("The bus leaves at eight and the ferry at nine.", "The ferry leaves at nine."),  # two times
        ("The shop opens at 9 am. I start at ten am.", "The user starts at 10 am."),
        ("The dinner at 7 pm moved by half an hour.", "The dinner is at 7:30 pm."),  # counted from it
        ("The bus leaves at 9 am. Actually, make that ten.", "The bus leaves at 10 am."),  # put right
        ("I get up at six. The bus leaves from the harbour.", "The bus leaves at seven."),  # of another thing
    ],
)
def test_the_same_time_of_day_or_one_that_nothing_tells_against_is_not(source: str, memory: str) -> None:
    assert not [each for each in check(source, memory).changes if each.type == "wrong time of day"]
