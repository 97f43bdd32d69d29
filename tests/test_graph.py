"""The constellation: a shape for each kind, threads between what belongs together, the same picture every time."""

from __future__ import annotations

from math import dist

import pytest

from edgegate.memory.door import Door
from edgegate.memory.graph import MOST, SEVERAL, SPACE, STARS, STARS_EACH, Picture, draw
from edgegate.memory.kinds import groups
from edgegate.memory.reconcile import terms_of
from edgegate.memory.topics import topic_terms
from edgegate.records import Verdict
from edgegate.stores import InMemoryStore, StoredMemory
from tests.test_memory_hosted import Host

NOW = "2026-03-14T09:00:00+01:00"
KEPT = [
    ("The user's wife's name is Claire", "person"),
    ("Claire is allergic to walnuts", "person"),
    ("The user went to the seaside with Claire on 7 March", "event"),
    ("The user bought walnut cake on 7 March", "fact"),
    ("The user cannot eat gluten", "fact"),
    ("The gate code is 4820", "fact"),
    ("Pay the rent", "task"),
    ("Remind the user on Friday to call the bank", "reminder"),
    ("The chat was about sourdough bread", "memo"),
]


def stored(number: int, text: str, kind: str = "fact", about: str | None = None) -> StoredMemory:
    terms = (*terms_of(text, NOW, about), *topic_terms(text))
    return StoredMemory(f"{number}.0", text, kind, Verdict.PASS, terms=terms, about=about, at=NOW)


def many(count: int) -> list[StoredMemory]:
    places = ["Gdansk", "Turku", "Oslo", "Lyon", "Kiel", "Porto", "Riga"]
    people = ["Ida", "Olaf", "Petra", "Hugo", "Mira"]
    shapes = (
        "{person} lives in {place}",
        "The user cooked soup with {person} on {day} March",
        "The user rowed on lake number {number}",
        "The code of locker {number} is {number}",
    )
    kinds = ("person", "event", "fact", "memo")
    found = []
    for number in range(count):
        text = shapes[number % 4].format(
            person=people[number * 7 % 5], place=places[number * 5 % 7], day=1 + number % 28, number=number
        )
        found.append(stored(number, text, kinds[number % 4]))
    return found


def ends(picture: Picture, reason: str) -> set[tuple[str, str]]:
    words = {node.id: node.name or node.text for node in picture.nodes}
    return {(words[edge.source], words[edge.target]) for edge in picture.edges if edge.reason == reason}


@pytest.fixture
def picture() -> Picture:
    return draw([stored(number, text, kind) for number, (text, kind) in enumerate(KEPT)])


def test_every_kind_has_its_shape_and_its_line_in_the_legend(picture: Picture) -> None:
    shapes = {node.kind: node.shape for node in picture.nodes}
    assert shapes == {
        "fact": "circle",
        "person": "ringed circle",
        "event": "diamond",
        "memo": "hexagon",
        "task": "triangle",
        "reminder": "hollow diamond",
        "topic": "star",
    }
    assert {sign.kind: sign.shape for sign in picture.legend} == shapes
    assert {sign.kind: sign.count for sign in picture.legend} == {
        kind: sum(node.kind == kind for node in picture.nodes) for kind in shapes
    }
    assert {node.kind: node.group for node in picture.nodes} == groups() | {"topic": "topic"}
    assert len({sign.label for sign in picture.legend}) == len(shapes)


def test_threads_are_what_two_share(picture: Picture) -> None:
    assert ends(picture, "person") == {("Claire", "Claire"), ("Claire", KEPT[2][0])}
    assert ends(picture, "event") == {(KEPT[2][0], KEPT[3][0])}
    assert ("food", KEPT[4][0]) in ends(picture, "topic")
    assert ("food", KEPT[8][0]) in ends(picture, "topic")
    assert not any(KEPT[5][0] in pair for reason in ("person", "event", "topic") for pair in ends(picture, reason))


def test_a_topic_says_nothing_itself_and_needs_several(picture: Picture) -> None:
    topics = [node for node in picture.nodes if node.kind == "topic"]
    assert topics
    assert all(node.text == "" and node.id.startswith("topic:") for node in topics)
    hung = {edge.source: [] for edge in picture.edges if edge.reason == "topic"}  # type: dict[str, list[str]]
    for edge in picture.edges:
        if edge.reason == "topic":
            hung[edge.source].append(edge.target)
    assert {node.id for node in topics} == set(hung)
    assert all(len(set(members)) == len(members) >= SEVERAL for members in hung.values())
    two = draw([stored(0, "The user keeps bees"), stored(1, "The bees swarmed in May")])
    assert [node.kind for node in two.nodes] == ["fact", "fact"]
    three = draw([stored(0, "The zither is old"), stored(1, "Zithers are loud"), stored(2, "The user sold a zither")])
    assert [node.name for node in three.nodes if node.kind == "topic"] == ["zither"]


def test_a_memory_hangs_on_two_stars_at_most() -> None:
    rows = ["The user cooks for the office on a trip", "The soup is cold", "The bread is stale"]
    rows += ["The boss is away", "The salary is late", "The flight is early", "The hotel is full"]
    picture = draw([stored(number, text) for number, text in enumerate(rows)])
    assert len([edge for edge in picture.edges if edge.target == "0.0"]) == STARS_EACH
    assert sum(node.kind == "topic" for node in picture.nodes) == STARS_EACH, "the third has too few left"


def test_a_word_that_says_nothing_is_no_topic() -> None:
    rows = ["The user's name is Ida", "The dog's name is Rex", "The boat's name is Lark", "The club's name is Oak"]
    assert not [node for node in draw([stored(n, text) for n, text in enumerate(rows)]).nodes if node.kind == "topic"]


@pytest.mark.parametrize("count", [0, 1, 2, 10, 60, 400, 1000])
def test_the_picture_is_whole_the_same_each_time_and_nothing_lies_on_another(count: int) -> None:
    kept = many(count)
    picture = draw(kept)
    assert picture == draw(list(kept))
    assert [node.id for node in picture.nodes[:count]] == [memory.id for memory in kept]
    names = {node.id for node in picture.nodes}
    assert len(names) == len(picture.nodes)
    assert all(edge.source in names and edge.target in names and edge.source != edge.target for edge in picture.edges)
    assert len({(edge.source, edge.target, edge.reason) for edge in picture.edges}) == len(picture.edges)
    hung = [edge.target for edge in picture.edges if edge.reason == "topic"]
    assert all(hung.count(name) <= STARS_EACH for name in set(hung))
    assert sum(node.kind == "topic" for node in picture.nodes) <= STARS
    assert all(0 < node.x < picture.width and 0 < node.y < picture.height for node in picture.nodes)
    by_row: dict[int, list[tuple[float, float]]] = {}
    for node in picture.nodes:
        by_row.setdefault(int(node.y // SPACE), []).append((node.x, node.y))
    for row, points in by_row.items():
        near = [*points, *by_row.get(row + 1, [])]
        for number, point in enumerate(points):
            assert all(dist(point, other) > SPACE * 0.5 for other in near[number + 1 :])


def test_only_the_latest_are_in_a_picture_and_it_says_how_many_are_not() -> None:
    picture = draw(many(60), most=50)
    assert picture.left_out == 10
    assert picture.nodes[0].id == "10.0"
    assert draw(many(60), most=0).nodes == ()
    assert draw(many(MOST + 5)).left_out == 5


def test_a_kind_from_elsewhere_is_drawn_as_a_fact_and_odd_text_does_no_harm() -> None:
    odd = [
        stored(0, "🙂", "dream"),
        stored(1, "\ud800 x"),
        stored(2, "a" * 5000, "person"),
        stored(3, "x", about="Ida"),
    ]
    assert [node.shape for node in draw(odd).nodes] == ["circle", "circle", "ringed circle", "circle"]


def test_what_was_forgotten_is_in_no_picture() -> None:
    host = Host(InMemoryStore())
    for number, (text, kind) in enumerate(KEPT):
        Door(host.store).enter(text, kind=kind, now=f"2026-03-14T09:00:{number:02}+01:00")
    seen = host.run("picture")
    assert {node["text"] for node in seen["nodes"] if node["kind"] != "topic"} == {text for text, _ in KEPT}
    host.run("forget", request="forget the gate code")
    assert not any("4820" in node["text"] for node in host.run("picture")["nodes"])
    assert len(host.run("picture", most=3)["nodes"]) == 3
    assert host.asked.count("load") == 4


def test_a_topic_that_would_tell_nothing_new_is_left_out() -> None:
    rows = ["The zither of Ida is walnut", "The zither of Olaf is walnut", "Petra sold the walnut zither"]
    assert [node.name for node in draw([stored(n, text) for n, text in enumerate(rows)]).nodes if node.name] == [
        "walnut"
    ]
