"""The constellation: memories as a picture, with a shape for each kind and threads between those that share something.

A memory hangs on the person it is about (the oldest card of that person), on an event of its day, and on topics: stars
that are made where several memories share a subject, and that say nothing themselves. Coordinates come from the
memories alone: the same memories give the same picture. After seed 004 of the project's design; the spirals are Vogel's
(1979, "A better way to construct the sunflower head").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from math import cos, pi, sin, sqrt

from edgegate.language import lexicon
from edgegate.language.passages import Passage, stem
from edgegate.memory.kinds import group
from edgegate.memory.recall import persons
from edgegate.memory.reconcile import DAY_MARK, LONGEST, Reading, terms_of
from edgegate.memory.topics import TOPIC_MARK
from edgegate.stores.records import StoredMemory

SEVERAL = 3
"""Memories that must share a subject before it becomes a star."""

STARS, STARS_EACH = 24, 2
"""Stars in a picture, and stars that one memory hangs on, at most."""

MOST = 1000
"""Memories in a picture: the latest. More of them would be a fog."""

SPACE = 40.0
"""Distance between neighbouring nodes."""

_DAYS = 3  # of an event, that others can share: a longer one is a season
_SHARE = 0.25  # of all memories, that a plain word may be in and still be a subject
_SAME = 0.6  # of the members of two topics together, that both have
_TURN = pi * (3 - sqrt(5))  # the golden angle
_LABEL = 24  # characters of a name beside a node


@dataclass(frozen=True, slots=True)
class Node:
    """One memory, or a topic (whose `id` begins with "topic:"). `group` is known, lived, to do, or topic; `name` a
    short name for a person or a topic ("" for the rest); `text` what it says ("" for a topic); `x` and `y` its place
    in a picture that goes from (0, 0) to (width, height)."""

    id: str
    kind: str
    group: str
    shape: str
    name: str
    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Edge:
    """A thread between two nodes by their ids, and what they share: `reason` is person, event or topic."""

    source: str
    target: str
    reason: str


@dataclass(frozen=True, slots=True)
class Sign:
    """A line of the legend: the kind, its shape, what to call it, how many there are."""

    kind: str
    shape: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Picture:
    """The constellation, in units of its own: `space` is the distance between neighbours. `left_out` is how many
    older memories are not in it."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    legend: tuple[Sign, ...]
    width: float
    height: float
    space: float
    left_out: int


@dataclass(slots=True, eq=False)
class _Hub:
    """What memories hang on: a topic, or one of the memories."""

    id: str
    reason: str
    name: str
    members: list[int] = field(default_factory=list)
    place: int | None = None  # the memory that it is


def draw(memories: Sequence[StoredMemory], most: int = MOST) -> Picture:
    """The constellation of the latest `most` of `memories`, which come in the order they were kept.

    >>> from edgegate.records import Verdict
    >>> kept = [StoredMemory("1.0", "Nadia rows", "person", Verdict.PASS, terms=("nadia", "row"))]
    >>> picture = draw(kept)
    >>> picture.nodes[0].shape, picture.nodes[0].name, [(sign.shape, sign.count) for sign in picture.legend][:2]
    ('ringed circle', 'Nadia', [('circle', 0), ('ringed circle', 1)])
    """
    left_out = max(len(memories) - max(most, 0), 0)
    memories = memories[left_out:]
    people, names = _people(memories)
    hubs = [*people, *_events(memories)]
    hubs += _stars(memories, {term for hub in people for term in names[hub.id]})
    hubs = [hub for hub in hubs if hub.members]
    places, width, height = _lay_out(len(memories), hubs)
    shapes, legend = _table("shapes"), _table("legend")
    cards = {hub.place: hub.name for hub in hubs if hub.reason == "person"}
    nodes = []
    for number, memory in enumerate(memories):
        name = cards.get(number, "") or (_name_of(memory) if memory.kind == "person" else "")
        kind = memory.kind if memory.kind in shapes else "fact"
        x, y = places[_key(number)]
        nodes.append(Node(memory.id, kind, group(kind), shapes[kind], name, memory.text, x, y))
    for hub in hubs:
        if hub.place is None:
            x, y = places[hub.id]
            nodes.append(Node(hub.id, "topic", "topic", shapes["topic"], hub.name, "", x, y))
    edges = [Edge(hub.id, memories[member].id, hub.reason) for hub in hubs for member in hub.members]
    counted = [Sign(kind, shapes[kind], legend[kind], sum(node.kind == kind for node in nodes)) for kind in shapes]
    return Picture(tuple(nodes), tuple(edges), tuple(counted), width, height, SPACE, left_out)


def _key(number: int) -> str:
    """What a memory is called while it is laid out: a topic's id never begins so."""
    return f"\0{number}"


@cache
def _table(name: str) -> dict[str, str]:
    return dict(lexicon.table("constellation")[name])


@cache
def _no_subject() -> frozenset[str]:
    return frozenset(stem(word) for word in lexicon.table("constellation")["no_subject"])


def _name_of(memory: StoredMemory) -> str:
    """What to call the person of a memory: the name it is filed under, a name in it, or what they are to the user."""
    if memory.about:
        return memory.about[:_LABEL]
    reading = Reading(memory.text)
    for each in reading.values.names:
        return memory.text[reading.passage.tokens.starts[each.first] : reading.passage.tokens.ends[each.last - 1]][
            :_LABEL
        ]
    kin = lexicon.table("kin")
    return next((word.removesuffix("'s") for word in reading.words if word.removesuffix("'s") in kin), "")[:_LABEL]


def _people(memories: Sequence[StoredMemory]) -> tuple[list[_Hub], dict[str, set[str]]]:
    """A hub for every person who has a card, and the terms each goes by. Later cards hang on the oldest."""
    hubs: list[_Hub] = []
    terms: dict[str, set[str]] = {}
    by_term: dict[str, _Hub] = {}
    for number, memory in enumerate(memories):
        if memory.kind != "person":
            continue
        own = set(persons(Reading(memory.text)))
        own |= set(terms_of(memory.about)) if memory.about else set()
        own -= _no_subject()
        hub = next((by_term[term] for term in memory.terms if term in own and term in by_term), None)
        if hub is None and own:
            hub = _Hub(memory.id, "person", _name_of(memory), [], number)
            hubs.append(hub)
        if hub is not None:
            for term in own:
                by_term.setdefault(term, hub)
            terms.setdefault(hub.id, set()).update(own)
    for number, memory in enumerate(memories):
        for hub in dict.fromkeys(by_term[term] for term in memory.terms if term in by_term):
            if hub.place != number:
                hub.members.append(number)
    return hubs, terms


def _events(memories: Sequence[StoredMemory]) -> list[_Hub]:
    """A hub for the first event of every day that other memories have too."""
    by_day: dict[str, _Hub] = {}
    for number, memory in enumerate(memories):
        days = [term for term in memory.terms if term.startswith(DAY_MARK)]
        if memory.kind == "event" and 0 < len(days) <= _DAYS:
            hub = _Hub(memory.id, "event", "", [], number)
            for day in days:
                by_day.setdefault(day, hub)
    for number, memory in enumerate(memories):
        days = [term for term in memory.terms if term.startswith(DAY_MARK)]
        for hub in dict.fromkeys(by_day[day] for day in days if day in by_day and len(days) <= _DAYS):
            if hub.place != number:
                hub.members.append(number)
    return list(dict.fromkeys(by_day.values()))


def _stars(memories: Sequence[StoredMemory], people: set[str]) -> list[_Hub]:
    """Topics: what the most memories share first. A word that is in too many, or names a person, is no subject."""
    holders: dict[str, list[int]] = {}
    for number, memory in enumerate(memories):
        for term in memory.terms:
            holders.setdefault(term, []).append(number)
    most = max(len(memories) * _SHARE, SEVERAL)
    plain = _no_subject() | people
    subjects = [
        term
        for term, found in holders.items()
        if len(found) >= SEVERAL
        and (term.startswith(TOPIC_MARK) or (len(found) <= most and term not in plain and _is_word(term)))
    ]
    hubs: list[_Hub] = []
    hung = [0] * len(memories)
    for term in sorted(subjects, key=lambda term: (-len(holders[term]), term)):
        free = [number for number in holders[term] if hung[number] < STARS_EACH]
        same = any(_alike(free, hub.members) for hub in hubs)
        if same or len(free) < SEVERAL or len(free) * 2 < len(holders[term]):
            continue
        for number in free:
            hung[number] += 1
        hubs.append(_Hub(f"topic:{term.removeprefix(TOPIC_MARK)}", "topic", _subject(term, memories[free[0]]), free))
        if len(hubs) == STARS:
            break
    return hubs


def _alike(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether two topics have mostly the same members: the second would tell nothing new."""
    shared = len(set(one).intersection(other))
    return shared > _SAME * (len(one) + len(other) - shared)


def _is_word(term: str) -> bool:
    return len(term) > 2 and term[0].isalpha() and not term.startswith(DAY_MARK)


def _subject(term: str, holder: StoredMemory) -> str:
    """A topic's name: as the lexicon has it, or the word as one of the memories writes it."""
    if term.startswith(TOPIC_MARK):
        return term.removeprefix(TOPIC_MARK)
    passage = Passage(holder.text[:LONGEST])
    for place, word in passage.content:
        if word == term:
            return holder.text[passage.tokens.starts[place] : passage.tokens.ends[place]][:_LABEL]
    return term[:_LABEL]


def _lay_out(count: int, hubs: Sequence[_Hub]) -> tuple[dict[str, tuple[float, float]], float, float]:
    """A place for every memory and topic. Each hub is a sunflower of what hangs on it alone or most of all; the
    sunflowers lie beside one another, the large ones in the middle, and what hangs on nothing lies around them."""
    home: dict[int, _Hub] = {}
    for hub in sorted(hubs, key=lambda each: len(each.members)):
        for member in hub.members:
            home.setdefault(member, hub)
    for hub in hubs:
        if hub.place is not None:
            home[hub.place] = hub  # a card is the middle of its own
    around: dict[_Hub, list[str]] = {hub: [] for hub in hubs}
    for number in range(count):
        if number in home and home[number].place != number:
            around[home[number]].append(_key(number))
    flowers = [
        [hub.id if hub.place is None else _key(hub.place), *around[hub]]
        for hub in hubs
        if hub.place is None or home[hub.place] is hub  # else it is the middle of another one
    ]
    flowers.sort(key=len, reverse=True)
    places: dict[str, tuple[float, float]] = {}
    laid: list[tuple[float, float, float]] = []
    angle = 0.0
    for flower in flowers:
        radius = SPACE * (sqrt(len(flower)) / 1.7 + 0.7)
        while True:
            away = SPACE * 0.12 * angle
            x, y = away * cos(angle), away * sin(angle)
            if all((x - other) ** 2 + (y - up) ** 2 >= (radius + size) ** 2 for other, up, size in laid):
                break
            angle += 0.6 / (1 + 0.12 * angle)
        laid.append((x, y, radius))
        for number, key in enumerate(flower):
            places[key] = _petal(x, y, number)
    rim = max((sqrt(x * x + y * y) + size for x, y, size in laid), default=0.0)
    inner = (rim / (SPACE / 1.7)) ** 2 if laid else 0.0
    for number, each in enumerate(each for each in range(count) if each not in home):
        places[_key(each)] = _petal(0.0, 0.0, number, inner)
    left, top = (min((place[axis] for place in places.values()), default=0.0) - SPACE for axis in (0, 1))
    right, bottom = (max((place[axis] for place in places.values()), default=0.0) + SPACE for axis in (0, 1))
    moved = {key: (round(x - left, 1), round(y - top, 1)) for key, (x, y) in places.items()}
    return moved, round(right - left, 1), round(bottom - top, 1)


def _petal(x: float, y: float, number: int, inner: float = 0.0) -> tuple[float, float]:
    away = SPACE / 1.7 * sqrt(number + inner)
    return x + away * cos(number * _TURN), y + away * sin(number * _TURN)
