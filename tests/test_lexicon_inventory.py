"""The first full inventory: every family fires on own sentences, and stays silent on what only looks like them."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from build_scripts.compile_cues import parse, samples, silent
from edgegate.language import lexicon
from edgegate.language.cues import CueMatch, scan
from edgegate.language.machine import machine
from edgegate.language.text import tokenise

FOLDER = Path(__file__).parent.parent / "edgegate" / "language" / "data" / "en"
CASES: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "data" / "cases" / "lexicon.toml").read_text("utf-8")
)
FIRES = [(family, effect, text) for family, cases in CASES.items() for effect, text in cases["fires"]]
SILENT = [(family, text) for family, cases in CASES.items() for text in cases["silent"]]

EFFECTS = {
    "negation": {"denies", "approximate", "lexical"},
    "hedge": {
        *("modal", "doxastic", "uncertain", "evidential", "approximator", "intention", "weak", "frequency", "generic"),
    },
    "attribution": {"reported", "hearsay", "document", "belief", "attitude"},
    "condition": {"conditional", "contingent", "concessive", "hypothetical", "remote", "question"},
    "temporal": {
        *("dated", "relative", "bounded", "past", "habitual", "frequency", "aspect", "future", "duration"),
    },
    "continuity": {"recollection", "presupposed", "user_fact", "denial"},
    "memory": {"save_claim", "forget_claim", "reminder_claim", "promise", "action_claim"},
    "consciousness": {"conscious", "feeling", "body", "biography", "credential"},
    "pressure": {
        *("premature_exit", "fear_of_missing_out", "emotional_neglect", "pressure_to_respond", "ignoring_the_exit"),
        *("restraint", "dependence", "permanence", "return"),
    },
}
"""What the code that reads the cues may rely on: families and their effects ("block" aside)."""


def found(family: str, text: str) -> list[CueMatch]:
    return scan(tokenise(text), {family})


@pytest.mark.parametrize(("family", "effect", "text"), FIRES)
def test_fires(family: str, effect: str, text: str) -> None:
    effects = {match.cue.effect for match in found(family, text)}
    assert effect in effects if effect else effects


@pytest.mark.parametrize(("family", "text"), SILENT)
def test_stays_silent(family: str, text: str) -> None:
    assert [(match.cue.id, match.text) for match in found(family, text)] == []


@pytest.mark.parametrize("family", CASES)
def test_every_effect_of_a_family_has_a_sentence(family: str) -> None:
    shown = {match.cue.effect for _, text in CASES[family]["fires"] for match in found(family, text)}
    rare = {"weak", "generic", "frequency", "remote", "attitude"}  # read by few, and weak alone
    assert EFFECTS[family] - rare <= shown
    assert len(CASES[family]["fires"]) >= 15
    assert len(CASES[family]["silent"]) >= 15


@cache
def files() -> dict[str, dict[str, Any]]:
    read = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.toml")}
    return {name: content for name, content in read.items() if name in EFFECTS}


def test_several_hundred_entries_each_with_a_citation() -> None:
    entries = [(name, cue, content) for name, content in files().items() for cue in content["cue"]]
    assert len(entries) >= 600
    for name, cue, content in entries:
        assert cue["id"].startswith(f"{name}.")
        cite = cue.get("cite", content.get("cite"))
        assert re.search(r"\d{4}|guard note|project design", cite), cue["id"]


@pytest.mark.parametrize("family", EFFECTS)
def test_effects_are_those_that_the_code_reads(family: str) -> None:
    assert {cue.effect for cue in lexicon.cues() if cue.family == family} - {"block"} == EFFECTS[family]


def test_no_entry_lies_dead_behind_another() -> None:
    """Every entry reports at least one of the texts that its patterns stand for."""
    trees = parse(lexicon.read_sources(FOLDER))
    told = Counter(entry.id for entry, _, tree in trees if entry.get("effect") != "block" for _ in samples(tree))
    mute = Counter(one.cue for one in silent(machine(), trees))
    assert [cue for cue in told if cue.split(".")[0] in EFFECTS and mute[cue] >= told[cue]] == []
