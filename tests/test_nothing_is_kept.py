"""No module keeps what a user wrote: whoever comes next in the same process finds none of it, nor after a forget."""

from __future__ import annotations

import gc

from edgegate import Evidence, Guard, check
from edgegate.memory import plan_forget, read_message


def use(phrase: str) -> None:
    """Gives the phrase to all that reads text."""
    said = f"Please remember that my sister Ottoline keeps a {phrase} in Porto since 12 May."
    read_message(said)
    read_message(f"forget the {phrase}")
    plan_forget([f"The user's sister keeps a {phrase}", f"Hates the {phrase}"], f"forget that I hate the {phrase}")
    check(f"Ottoline said she may sell the {phrase} on Friday.", f"Ottoline sells the {phrase}.", now="2026-05-01")
    evidence = Evidence.read({"memories": [f"Ottoline keeps a {phrase}"], "history": [{"role": "user", "text": said}]})
    guard = Guard(evidence, explain=True)
    guard.feed(f"How is the {phrase}? Last time you told me the {phrase} broke. My {phrase} aches. Please stay.")
    guard.close()


def test_no_module_keeps_what_a_user_wrote() -> None:
    phrase = " ".join(("quokka", "harpsichord"))  # two words: single ones may stay in a bounded cache of stems
    use(phrase)
    gc.collect()
    kept = [
        held
        for each in gc.get_objects()
        for held in gc.get_referents(each)
        if isinstance(held, str) and held is not phrase and phrase in held
    ]
    assert kept == []
