"""drift(): each loss at its hop, uncheckable hops named; the picture; the host's posture after a verdict."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from edgegate.__main__ import cli
from edgegate.errors import DataError
from edgegate.gate.chain import drift
from edgegate.gate.pictures import draw, plain, wrapped
from edgegate.policy import POSTURE, Action, posture
from edgegate.records import Verdict

TWO_LOSSES = [
    "Maybe the clinic on Elm Road shuts on Friday, the porter says.",
    "The porter says the clinic on Elm Road may shut on Friday.",
    "The clinic on Elm Road may shut on Friday.",
    "The clinic on Elm Road shuts on Friday.",
]


def test_each_loss_is_put_down_to_its_hop() -> None:
    found = drift(TWO_LOSSES)
    assert {(loss.change.check, loss.hop) for loss in found.losses} == {("attribution", 1), ("hedge", 2)}
    assert found.uncheckable == ()


def test_what_comes_back_is_not_lost() -> None:
    assert drift(["I think Ida left.", "Ida left.", "The user thinks that Ida left."]).losses == ()


def test_hops_that_cannot_be_checked_are_named() -> None:
    found = drift(["Someone said Alice was promoted.", "Zebras graze beside quiet rivers.", "Alice was promoted."])
    assert found.uncheckable == (0, 1)
    assert [(loss.change.check, loss.hop) for loss in found.losses] == [("attribution", None)]


def test_the_first_version_may_be_turns() -> None:
    turns = [{"speaker": "user", "text": "My brother is a lawyer in Graz."}]
    found = drift([turns, "User's brother is a lawyer in Graz.", "User is a lawyer in Graz."])
    assert [(loss.change.check, loss.hop) for loss in found.losses] == [("owner", 1)]


@pytest.mark.parametrize("versions", [[], ["one"], "text", ["a", 3]])
def test_wrong_chains_are_told_apart(versions: Any) -> None:
    with pytest.raises(DataError, match="versions"):
        drift(versions)


def test_the_picture_is_well_formed_and_shows_every_version() -> None:
    hostile = "Someone said <b> & \x00 \ud83d Alice was promoted. </text><script>"
    picture = draw(drift([hostile, "Alice & Co was promoted. " * 400, "x" * 5000]))
    texts = " ".join(ElementTree.fromstring(picture.encode()).itertext())
    assert "Someone said <b> & \ufffd \ufffd Alice was promoted. </text><script>" in texts
    assert "dropped attribution" in texts
    assert "…" in texts
    assert len(picture) < 20_000


def test_the_picture_tells_where_each_loss_happened() -> None:
    texts = list(ElementTree.fromstring(draw(drift(TWO_LOSSES))).itertext())
    assert "· dropped attribution, at rewrite 2" in texts
    assert "· strengthened certainty, at rewrite 3" in texts
    found = drift(["Someone said Alice was promoted.", "Zebras graze beside quiet rivers.", "Alice was promoted."])
    assert (
        "· dropped attribution, hidden in a rewrite that could not be checked"
        in ElementTree.fromstring(draw(found)).itertext()
    )
    assert "· nothing was lost that the gate can see" in draw(drift(["It rained.", "It rained."]))


@given(st.text(max_size=60), st.integers(4, 20), st.integers(1, 4))
def test_lines_keep_to_their_width(text: str, characters: int, lines: int) -> None:
    found = wrapped(text, characters, lines)
    assert 1 <= len(found) <= lines
    assert max(map(len, found)) <= characters
    ElementTree.fromstring(f"<a>{plain(text)}</a>")


def test_the_command_draws_and_reports(tmp_path: Path) -> None:
    chain, picture = tmp_path / "chain.json", tmp_path / "chain.svg"
    chain.write_text(json.dumps(TWO_LOSSES), "utf-8")
    result = CliRunner().invoke(cli, ["drift", str(chain), "--svg", str(picture)])
    assert result.exit_code == 1
    assert "dropped attribution (attribution), at rewrite 2" in result.output
    assert picture.read_text("utf-8").startswith("<svg")


POSTURES = [
    (Verdict.PASS, {}, Action.STORE),
    (Verdict.PASS_WITH_FLAGS, {}, Action.STORE_WITH_FLAGS),
    (Verdict.REWRITE, {}, Action.FIX),
    (Verdict.REWRITE, {"fixed": Verdict.PASS}, Action.STORE),
    (Verdict.REWRITE, {"fixed": Verdict.PASS_WITH_FLAGS}, Action.STORE_WITH_FLAGS),
    (Verdict.REWRITE, {"fixed": Verdict.REWRITE}, Action.HOLD),
    (Verdict.REWRITE, {"fixed": Verdict.REJECT}, Action.HOLD),
    (Verdict.REWRITE, {"fixed": Verdict.UNCHECKABLE, "keep_unchecked": True}, Action.HOLD),
    (Verdict.REJECT, {}, Action.DISCARD),
    (Verdict.REJECT, {"fixed": Verdict.PASS}, Action.DISCARD),
    (Verdict.UNCHECKABLE, {}, Action.HOLD),
    (Verdict.UNCHECKABLE, {"fixed": Verdict.PASS}, Action.HOLD),
    (Verdict.UNCHECKABLE, {"keep_unchecked": True}, Action.STORE_UNVERIFIED),
]


@pytest.mark.parametrize(("verdict", "options", "action"), POSTURES)
def test_posture(verdict: Verdict, options: dict[str, Any], action: Action) -> None:
    assert posture(verdict, **options) is action


def test_every_verdict_has_a_posture() -> None:
    assert set(POSTURE) == set(Verdict)
