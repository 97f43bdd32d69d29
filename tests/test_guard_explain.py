"""Why a claim stays: told only to those who ask, in the same terms as why one is dropped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edgegate.bridge import call
from edgegate.guard.stream import Guard
from edgegate.records import ClaimKept, Event, Evidence, NearestEvidence, TextDropped, TextShown

EVIDENCE = Evidence.read(
    {
        "memories": ["Petra's mum moved to Ulm on 9 June", "Petra has 3 cats"],
        "history": [{"speaker": "user", "text": "Morning. The cats woke me at five."}],
        "writes": ["stored: locker number is 214"],
    }
)
RECORDINGS = sorted((Path(__file__).parent.parent / "web" / "page" / "recordings").glob("*.json"))


def events_of(reply: str, *, explain: bool = True) -> list[Event]:
    guard = Guard(EVIDENCE, explain=explain)
    return guard.feed(reply) + guard.close()


def kept_in(reply: str) -> list[ClaimKept]:
    return [event for event in events_of(reply) if isinstance(event, ClaimKept)]


def words_of(nearest: NearestEvidence | None) -> list[tuple[str, str]]:
    assert nearest is not None
    return [(shared.claim.text, shared.evidence.text) for shared in nearest.shared]


def test_a_claim_that_is_held_says_by_what_and_in_which_words() -> None:
    (kept,) = kept_in("Hello. You told me your mother moved to Ulm. Rest well.")
    assert (kept.sentence, kept.family) == ("You told me your mother moved to Ulm.", "history")
    assert (kept.cue, kept.cue_text) == ("continuity.you-told-me", "You told me")
    assert kept.cite
    assert kept.reason == "every particular of it is held"
    assert kept.nearest_evidence is not None
    assert (kept.nearest_evidence.kind, kept.nearest_evidence.number) == ("memories", 0)
    assert words_of(kept.nearest_evidence) == [("mother", "mum"), ("moved", "moved"), ("Ulm", "Ulm")]


@pytest.mark.parametrize("marker", ["", "- ", "12. ", "> ", "  * "])
def test_shared_words_are_quoted_from_both_texts_wherever_they_stand(marker: str) -> None:
    reply = f"🙂 Good.\n\n{marker}You told me 🙂 your mother moved to Ulm."
    for event in events_of(reply):
        if isinstance(event, ClaimKept | TextDropped) and event.nearest_evidence:
            assert event.nearest_evidence.shared
            for shared in event.nearest_evidence.shared:
                for quote, text in ((shared.claim, event.sentence), (shared.evidence, event.nearest_evidence.text)):
                    assert text[quote.start : quote.end] == quote.text
                    utf16 = text.encode("utf-16-le")[2 * quote.utf16_start : 2 * quote.utf16_end]
                    assert utf16.decode("utf-16-le") == quote.text


def test_a_dropped_claim_names_the_words_it_shares_with_what_is_nearest() -> None:
    (drop,) = [event for event in events_of("You told me you have 7 cats.") if isinstance(event, TextDropped)]
    assert ("cats", "cats") in words_of(drop.nearest_evidence)


def test_what_memory_did_is_named() -> None:
    (kept,) = kept_in("I've saved that your locker number is 214.")
    assert (kept.family, kept.reason) == ("memory", "memory did it this turn")
    assert words_of(kept.nearest_evidence) == [("locker", "locker"), ("number", "number"), ("214", "214")]


def test_a_claim_too_vague_to_be_tested_says_so() -> None:
    (kept,) = kept_in("As you said.")
    assert "without support" in kept.reason
    assert kept.nearest_evidence is None


@pytest.mark.parametrize("reply", ["A cool room helps.", "Take a short walk.", "The Danube is long.", "Hello!"])
def test_what_claims_nothing_is_not_told(reply: str) -> None:
    assert kept_in(reply) == []


def test_a_claim_that_leaned_on_a_dropped_one_is_not_told_as_kept() -> None:
    reply = "You told me you sold a boat in Lisbon. So that's why you told me your mother moved to Ulm."
    events = events_of(reply)
    dropped = {event.sentence for event in events if isinstance(event, TextDropped)}
    assert not dropped & {event.sentence for event in events if isinstance(event, ClaimKept)}


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: str(path.stem))
def test_asking_for_reasons_changes_nothing_else(path: Path) -> None:
    recording = json.loads(path.read_text("utf-8"))
    if not isinstance(recording, dict):
        return
    results = []
    for explain in (False, True):
        guard = Guard(recording["evidence"], explain=explain)
        events = [event for _, piece in recording["chunks"] for event in guard.feed(piece)] + guard.close()
        if not explain:
            assert not any(isinstance(event, ClaimKept) for event in events)
        results.append([event for event in events if not isinstance(event, ClaimKept)])
    assert results[0] == results[1]
    assert any(isinstance(event, TextShown) for event in results[0])


def test_it_is_asked_for_across_the_border() -> None:
    opened = json.loads(call(json.dumps({"op": "guard.open", "evidence": {"memories": ["A cat"]}, "explain": True})))
    handle = opened["result"]["guard"]
    said = {"op": "guard.feed", "guard": handle, "text": "You told me you have a cat. Hm."}
    kinds = [event["kind"] for event in json.loads(call(json.dumps(said)))["result"]]
    assert kinds == ["text_shown", "claim_kept"]
    call(json.dumps({"op": "guard.free", "guard": handle}))
