"""The fit of the guard's points: what it learns from rows made up for it, and how its limit is set."""

from __future__ import annotations

import math

from build_scripts.fit_points import Row, fit, limit_of, rates, score


def rows() -> list[Row]:
    """Sentences of both kinds: an unknown name is invented, advice is not, and a date tells nothing."""
    made = []
    for kind in ("natural", "guard"):
        for number in range(40):
            date = {"dated": 1.0} if number % 2 else {}
            made.append(Row(kind, 0, "fabricated", {"new_name": 1.0, **date}, 9))
            made.append(Row(kind, 0, "supported", {**date}, 3))
            made.append(Row(kind, 0, "none", {"directive": 1.0, **date}, -math.inf))
    return made


def test_a_sign_weighs_what_it_tells() -> None:
    weights = fit(rows())
    assert weights["new_name"] > 1 > abs(weights["dated"])
    assert weights["directive"] < 0


def test_the_limit_is_the_lowest_that_keeps_enough() -> None:
    made = rows()
    weights = fit(made)
    limit = limit_of(made, lambda row: score(weights, row))
    assert rates(made, lambda row: score(weights, row), limit) == {"natural": (1, 1, 0), "guard": (1, 1, 0)}
    assert limit_of(made, lambda row: 0.0) == math.inf


def test_a_shut_gate_is_below_every_limit() -> None:
    assert rates(rows(), lambda row: row.points, 9)["natural"] == (1, 1, 0)
