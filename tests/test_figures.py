"""No figure of the labelled sets falls without the change saying so."""

from __future__ import annotations

from pathlib import Path

import pytest

from build_scripts.figures import FILE, Figures, compute, falls, read, rises, write

OLD: Figures = {"gate_dev": {"catch": [90, 100], "preservation": [95, 100]}}


@pytest.mark.slow
def test_no_figure_fell_unsaid() -> None:
    kept = read()
    assert kept["figures"]
    lower = falls(kept["figures"], compute())
    assert not lower, f"{lower}: if it has to be, python build_scripts/figures.py --write --because WHY"


def test_the_file_is_as_the_command_writes_it(tmp_path: Path) -> None:
    kept = read()
    again = tmp_path / "figures.json"
    assert write(kept, kept["figures"], None, again) == []
    assert again.read_text("utf-8") == FILE.read_text("utf-8")
    assert all(each["because"].strip() for each in kept["falls"])


@pytest.mark.parametrize(
    ("new", "lower", "higher"),
    [
        (OLD, 0, 0),
        ({"gate_dev": {"catch": [89, 100], "preservation": [95, 100]}}, 1, 0),
        ({"gate_dev": {"catch": [95, 100], "preservation": [94, 100]}}, 1, 1),  # neither pays for the other
        ({"gate_dev": {"catch": [180, 200], "preservation": [189, 200]}}, 1, 0),
        ({"gate_dev": {"catch": [90, 100]}}, 1, 0),  # a figure that is gone
        ({}, 2, 0),
        ({**OLD, "new_dev": {"catch": [0, 9]}}, 0, 0),
    ],
)
def test_falls_and_rises(new: Figures, lower: int, higher: int) -> None:
    assert len(falls(OLD, new)) == lower
    assert len(rises(OLD, new)) == higher


def test_a_fall_is_written_only_with_its_reason(tmp_path: Path) -> None:
    place = tmp_path / "figures.json"
    new: Figures = {"gate_dev": {"catch": [89, 100], "preservation": [95, 100]}}
    kept = {"figures": OLD, "falls": []}
    for because in (None, "", "  "):
        assert len(write(kept, new, because, place)) == 1
        assert not place.exists()
    assert write(kept, new, "a rule that only knew this set is gone", place) == []
    found = read(place)
    assert found["figures"] == new
    assert found["falls"] == [
        {"figure": "gate_dev, catch: 90 of 100 -> 89 of 100", "because": "a rule that only knew this set is gone"}
    ]
    assert write(found, OLD, None, place) == []
    assert len(read(place)["falls"]) == 1
