"""The lexicons themselves: every entry has an id and a source, and every pattern finds its own words."""

from __future__ import annotations

import re

import pytest

from build_scripts.compile_cues import Silent, parse, samples, silent
from edgegate.language import lexicon, trees
from edgegate.language.inflect import inflections_of
from edgegate.language.machine import Machine, machine


@pytest.fixture(scope="module")
def found() -> list[Silent]:
    """The words of patterns that don't report their own entry."""
    return list(silent(machine(), parse(lexicon.read_sources(lexicon.FOLDER))))


def test_every_entry_has_an_id_of_its_own_and_a_source() -> None:
    ids = [cue.id for cue in lexicon.cues()]
    assert len(set(ids)) == len(ids) > 200
    for cue in lexicon.cues():
        assert re.fullmatch(rf"{cue.family}\.[a-z0-9]+(-[a-z0-9]+)*", cue.id)
        assert len(cue.cite) > 5, cue.id


def test_every_pattern_finds_its_own_words(found: list[Silent]) -> None:
    lost = [str(one) for one in found if not one.blocked_by and not one.taken_by]
    assert lost == []


def test_what_keeps_a_pattern_silent_is_named(found: list[Silent]) -> None:
    known = {cue.id: cue for cue in lexicon.cues()}
    for one in found:
        family = known[one.cue].family
        assert one.blocked_by or one.taken_by, one
        if one.blocked_by:
            assert family in known[one.blocked_by].blocks
        else:
            assert all(known[other].family == family for other in one.taken_by.split(", "))


def test_a_lost_pattern_would_be_found() -> None:
    """The check itself: a machine that lacks the entries' words loses them all."""
    entries = parse(lexicon.read_sources(lexicon.FOLDER))[:3]
    empty = Machine({"symbols": "", "sets": "", "states": "\n", "entries": "1", "numbers": ""}, lexicon.cues())
    assert {one.cue for one in silent(empty, entries)} == {entry.id for entry, _, _ in entries}


def test_samples_show_every_option() -> None:
    words = trees.Words(frozenset({"a", "b"}))
    node = trees.sequence([words, trees.choice([trees.NOTHING, trees.Words(frozenset({"c"}))]), trees.Gap(2), words])
    assert samples(node) == [["a", "c", "a"], ["b", "zzz", "zzz", "b"]]


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("say", "say says said saying"),
        ("be", "be am are is was were been being"),
        ("walk", "walk walks walked walking"),
        ("stop", "stop stops stopped stopping"),
        ("plan", "plan plans planned planning"),
        ("quit", "quit quits quitted quitting"),
        ("look", "look looks looked looking"),
        ("open", "open opens opened opening"),
        ("admit", "admit admits admitted admitting"),
        ("travel", "travel travels travelled traveled travelling traveling"),
        ("try", "try tries tried trying"),
        ("play", "play plays played playing"),
        ("die", "die dies died dying dice"),
        ("tie", "tie ties tied tying"),
        ("agree", "agree agrees agreed agreeing"),
        ("hope", "hope hopes hoped hoping"),
        ("watch", "watch watches watched watching"),
        ("fix", "fix fixes fixed fixing"),
        ("know", "know knows knew known knowing"),
        ("forget", "forget forgets forgot forgotten forgetting"),
        ("child", "child children"),
        ("wife", "wife wives"),
        ("show", "show shows showed shown showing"),
        ("up", "up ups upped upping"),
    ],
)
def test_inflections(word: str, forms: str) -> None:
    assert inflections_of(lexicon.table("inflections"))(word) == forms.split()


def test_no_inflection_is_listed_that_the_rule_gives() -> None:
    rule = inflections_of({})
    for word, forms in lexicon.table("inflections").items():
        assert {word, *forms} != set(rule(word)), f"{word} is regular: take it out of the table"
