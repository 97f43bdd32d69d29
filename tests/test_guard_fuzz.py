"""Replies that a search for faults has found to reach most of the guard: none may have an outcome that must not be."""

from __future__ import annotations

import random
from typing import Any

import pytest

from build_scripts import fuzz_guard
from build_scripts.fuzz_guard import CAPS, faults, kept, material, mutate


@pytest.mark.parametrize("one", kept(), ids=lambda one: f"{len(one['text'])} characters, cap {one['cap']}")
def test_a_kept_reply_has_no_fault(one: dict[str, Any]) -> None:
    assert list(faults(one["text"], one["cap"], random.Random(1))) == []


def test_the_search_makes_replies_and_finds_a_fault_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    text = mutate([], material()[:50], chance)
    assert text
    assert list(faults(text, CAPS[0], chance)) == []
    whole = fuzz_guard.run

    def careless(chunks: list[str], cap: int) -> Any:
        return whole([chunk.upper() if len(chunks) > 1 else chunk for chunk in chunks], cap)

    monkeypatch.setattr(fuzz_guard, "run", careless)
    assert any("cut" in fault for fault in faults("Nadia is here. You told me so.", CAPS[0], chance))
