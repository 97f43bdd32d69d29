"""Trees as the lexicons have them, and what is decided beside them."""

from __future__ import annotations

import random
from itertools import product

import pytest

from edgegate.errors import DataError
from edgegate.guard.evidence_index import Index, collect
from edgegate.guard.judge import Judge
from edgegate.guard.measures import SURE, measures, weigh
from edgegate.guard.reading import read
from edgegate.guard.trees import read_trees, trees
from edgegate.language import lexicon
from edgegate.language.align import stem
from edgegate.language.text import sentences
from edgegate.records import Evidence

TWO = read_trees({"bias": 5, "limit": 0, "trees": "held:1 unheld:0 -10 20 -30\nasks:0 1 2"})


@pytest.mark.parametrize(
    ("features", "points"),
    [({}, -4), ({"unheld": 1}, 26), ({"held": 2}, -24), ({"held": 1, "unheld": 3, "asks": 1}, 27), ({"new": 9}, -4)],
)
def test_leaves_are_added_up(features: dict[str, int], points: int) -> None:
    assert TWO.score(features) == points


@pytest.mark.parametrize("text", ["held:1 2", "held:1", "held", "held:x 1 2", "1 2", "", "a:0 1 " * 40 + "1"])
def test_what_is_no_tree_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(DataError, match="line 2"):
        read_trees({"bias": 0, "limit": 0, "trees": f"1\n{text}\n"})


def walked(line: str, features: dict[str, int]) -> int:
    """What one tree, as written, gives: question by question, from the root to a leaf."""
    parts = line.split()

    def behind(at: int) -> int:
        return at + 1 if ":" not in parts[at] else behind(behind(at + 1))

    at = 0
    while ":" in parts[at]:
        feature, _, most = parts[at].partition(":")
        at = at + 1 if features.get(feature, 0) <= int(most) else behind(at + 1)
    return int(parts[at])


def test_asking_all_trees_at_once_is_asking_one_after_the_other() -> None:
    table = lexicon.table("trees_history")
    learned, lines = trees("history"), table["trees"].splitlines()
    chance = random.Random(3)
    for _ in range(100):
        named = chance.sample([name for name, *_ in learned.questions], chance.randrange(40))
        features = {name: chance.choice((0, 1, 2, 3, 8, 20, 90, -1, -60, 400)) for name in named}
        assert learned.score(features) == table["bias"] + sum(walked(line, features) for line in lines), features


def test_a_recollection_of_nothing_held_goes_and_one_that_is_held_stays() -> None:
    least = read_trees({"bias": -SURE + 1, "limit": 0, "trees": "0"})
    assert weigh({"untold": 1}, least) > least.limit
    assert weigh({"told_new": 1}, least) > least.limit
    assert weigh({"untold": 1, "is_held": 1}, least) < least.limit


def test_what_names_neither_the_user_nor_anybody_known_must_weigh_more() -> None:
    for held, unheld, points in product(range(4), range(4), range(0, 20, 5)):
        features = {"held": held, "unheld": unheld, "points": points}
        assert weigh({**features, "elsewhere": 1}, TWO) < weigh(features, TWO)


def test_more_that_is_held_nowhere_never_speaks_for_a_sentence() -> None:
    learned = trees("history")
    for words, second, held in product((6, 12, 24), (0, 1), (0, 2)):
        scores = [
            learned.score(
                {"words": words, "second": second, "held": held, "worded": 100, "open": share, "unheld": unheld}
            )
            for share, unheld in ((0, 0), (33, 1), (50, 2), (80, 4), (100, 6))
        ]
        assert scores == sorted(scores)


def test_what_is_counted_of_a_sentence() -> None:
    index = Index(collect(Evidence(memories=["Her sister Nadia has 3 hens"]), ["memories"]))
    reading = read("Did your sister Nadia sell 40 quails to Mirre?")
    found = {"held": 2, "unheld": 2, "spread": 1}
    counted = measures(reading, index, [stem("quails")], found)
    expected = {"specific": 4, "asked_of": 1, "remembered": 1, "best": 1, "open": 50, "claims": 100, "asks": 1}
    expected |= {"names_held": 1, "names_new": 1, "numbers_new": 1, "numbers_held": 0, "yours": 1, "kin": 1}
    assert {name: counted[name] for name in expected} == expected


def test_every_machine_counts_in_whole_numbers() -> None:
    judge = Judge(Evidence(memories=["The user keeps bees"]))
    for text in ("Your bees sold 4.5 kg of honey in May.", "", "!!!", "\N{ZERO WIDTH JOINER} ok", "A" * 5000):
        for sentence in sentences(text):
            reading = read(sentence.text)
            counted = judge.features_of(reading, judge.signs_of(reading))
            assert all(isinstance(value, int) for value in counted.values())
