"""The arithmetic of the guard's and the gate's speed figures; the figures themselves depend on the machine."""

from __future__ import annotations

import pytest

from build_scripts import speed_gate, speed_guard
from build_scripts.speed_calls import least, native


@pytest.mark.parametrize(
    ("pieces", "decided", "characters", "tokens"),
    [
        (["ab", "c"], [2, 3], [1, 0, 0], [0, 0, 0]),
        (["ab", "c"], [0, 3], [2, 1, 0], [1, 1, 0]),
        (["a", "b", "c"], [0, 0, 3], [2, 1, 0], [2, 1, 0]),
        (["", "a"], [0, 1], [0], [0]),
        ([], [], [], []),
    ],
)
def test_what_comes_until_a_character_is_decided(
    pieces: list[str], decided: list[int], characters: list[int], tokens: list[int]
) -> None:
    assert speed_guard.holds(pieces, decided) == (characters, tokens)


def test_a_window_shows_what_is_older_than_it_and_the_rest_at_the_end() -> None:
    pieces = ["a", "bb", "c", "d"]
    assert speed_guard.decided_by_window(pieces, 2) == [0, 0, 1, 5]
    assert speed_guard.decided_by_window(pieces, 200) == [0, 0, 0, 5]


def test_the_guard_holds_less_than_a_window_or_the_whole_reply() -> None:
    text = "The rain in the north is heavy today. Take a coat, and mind the bridge. It is wet. " * 3
    found = speed_guard.hold([([f"{word} " for word in text.split()], {"memories": ["likes rain"]})])
    for other in ("whole reply", f"window of {speed_guard.WINDOW} tokens"):
        for figure in ("characters_p50", "tokens_p50", "characters_p99", "tokens_p99"):
            assert found["guard"][figure] < found[other][figure]


def test_long_replies_are_whole_ones_joined() -> None:
    streams: list[speed_guard.Stream] = [([f"{number}."], {"memories": [str(number)]}) for number in range(17)]
    first, second = speed_guard.joined(streams)
    assert "".join(first[0]) == "".join(f"{number}.\n\n" for number in range(8))
    assert second[1] == {"memories": ["8"]}
    assert any(len(pieces) > speed_guard.WINDOW for pieces, _ in speed_guard.joined(speed_guard.written()))


def test_every_stream_of_the_repository_is_there_and_is_whole() -> None:
    assert len(speed_guard.recorded()) > 5
    assert all("".join(pieces) for pieces, _ in speed_guard.written())


def test_the_parts_of_the_cost_are_told_apart_and_add_up() -> None:
    pieces = ("It rains", ".", " Take", " a coat", ". It", " is wet")
    row = [
        {"op": "guard.open"},
        *({"op": "guard.feed", "guard": 0, "text": text} for text in pieces),
        {"op": "guard.close", "guard": 0},
        {"op": "guard.free", "guard": 0},
    ]
    found = speed_guard.cost([row], [[3.0, 1.0, 2.0, 64.0, 4.0, 16.0, 8.0, 4.0, 1.0]])
    assert found["pieces"] == 6
    assert found["reading_p50_ms"] == 64.0  # the dearest piece of the reply: it read the evidence
    assert (found["quiet_p50_ms"], found["quiet_p99_ms"]) == (4.0, 4.0)
    assert (found["deciding_p50_ms"], found["deciding_p99_ms"]) == (8.0, 16.0)
    assert found["share_of_50_tokens_a_second"] == pytest.approx(103 / (6 * 1000 / 50), abs=1e-5)
    parts = ("reading", "deciding", "quiet_pieces", "opening_and_closing")
    assert sum(found[f"share_of_{part}"] for part in parts) == pytest.approx(103 / 120, abs=1e-4)


def test_a_later_reply_is_measured_without_what_comes_before_it_in_its_row() -> None:
    streams: list[speed_guard.Stream] = [(["It rains. ", "Take a coat."], {"facts": ["Now: 1 May 2026"]})]
    first = speed_guard.rows(streams, ["likes rain"])
    later = speed_guard.rows(streams, ["likes rain"], later=True)
    (cut,), (spent,) = speed_guard.timed(later, [[float(number) for number in range(len(later[0]))]])
    plain = [{key: value for key, value in request.items() if key != "readings"} for request in cut]
    assert plain == first[0]
    assert spent == [float(number) for number in range(5, 10)]
    assert speed_guard.timed(first, [[1.0] * 5]) == (first, [[1.0] * 5])
    assert len(least(native, later, 1)[0]) == len(later[0])


def test_every_reply_is_given_as_much_evidence_as_is_said() -> None:
    held = speed_guard.memories(speed_guard.written())
    assert len(held) == len(set(held)) == speed_guard.EVIDENCE
    for row in speed_guard.rows(
        [(["Hello."], {"memories": ["likes tea"], "facts": ["Now: 1 May 2026"]}), ([], {})], held
    ):
        assert len(row[0]["evidence"]["memories"]) == speed_guard.EVIDENCE
    assert speed_guard.rows([([], {"facts": ["Ida"]})], held)[0][0]["evidence"]["facts"] == ["Ida"]


def test_calls_are_timed_one_by_one_and_a_fault_is_told() -> None:
    row = speed_guard.rows([(["It rains. ", "Take a coat."], {})], ["likes rain"])[0]
    assert [len(times) for times in least(native, [row], 1)] == [len(row)]
    with pytest.raises(RuntimeError, match=r"guard\.feed"):
        native([[{"op": "guard.feed", "guard": 0, "text": "It rains."}]])


def test_sources_have_the_turns_they_are_said_to_have() -> None:
    found = speed_gate.sources_of(10, 5)
    assert [len(source) for source, _ in found] == [10] * 5
    assert all(memory for _, memory in found)
