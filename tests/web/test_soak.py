"""The soak says that nothing stays in memory, and would say otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from build_scripts import soak


@pytest.mark.slow
def test_a_short_soak_is_flat(dist: Path) -> None:
    steps = soak.node(8000, steps=4)
    assert steps[-1]["chunks"] >= 8000
    assert steps[-1]["refused"] > 0
    assert steps[-1]["writes"] > 0
    assert steps[-1]["dropped"] > steps[-1]["replies"]
    assert soak.growth(steps) == []


@pytest.mark.slow
def test_replies_that_are_never_ended_are_noticed(dist: Path) -> None:
    found = soak.growth(soak.node(6000, steps=4, leak=True))
    assert any(line.startswith("objects: ") for line in found)
    assert any(line.startswith("open: ") for line in found)


def test_what_rises_after_the_half_is_growth() -> None:
    flat = {"wasm": 65536, "reached": 1000, "objects": 1000, "js": 5_000_000, "open": 0, "wrong": 0}
    assert soak.growth([flat] * 5) == []
    for name, more in (
        ("wasm", 65536),
        ("reached", 70_000),
        ("objects", soak.OBJECTS + 1),
        ("js", 4_000_001),
        ("open", 1),
        ("wrong", 1),
    ):
        assert len(soak.growth([flat, flat, flat, flat, {**flat, name: flat[name] + more}])) == 1, name
        # Caches that are filled in the first half are none.
        before = {**flat, name: max(flat[name] - more, 0)}
        assert soak.growth([before, before, flat, flat, flat]) == []
