"""What a message asks of memory (remember, remind, forget, question, refusal, chat) and the facts in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from edgegate.memory.ask import ask_of
from edgegate.memory.extract import Fact
from edgegate.memory.payload import facts_of
from edgegate.memory.phrasing import sentence

__all__ = ["Message", "read_message"]


@dataclass(frozen=True, slots=True)
class Message:
    """A message read: `intent` (remember, remind, forget, question, refusal or chat), `facts` as (text, kind) in
    order, and the `cue` that decided, with its words ("" where none did)."""

    intent: str
    facts: tuple[Fact, ...] = ()
    cue: str = ""
    words: str = ""


def read_message(text: str, now: str | None = None, *, said: str | None = None) -> Message:
    """The intent of a message and the facts in it. `now` (ISO) is for hosts that resolve dates; the texts keep the
    user's own words for them. `said` is the assistant's last text, for "save that". Never raises for a text.

    >>> message = read_message("remember that the gate code is 4820")
    >>> message.intent, message.facts
    ('remember', (Fact(text='The gate code is 4820', kind='fact'),))
    >>> read_message("Remind me on Thursday to pay the rent").facts[0].text
    'Remind the user on Thursday to pay the rent'
    """
    ask = ask_of(text)
    cue = ask.cue.match if ask.cue else None
    facts: Sequence[Fact] = () if ask.silent else facts_of(ask)
    if said and said.strip() and ask.intent == "remember" and not facts:
        facts = [Fact(sentence(said), "memo")]
    return Message(ask.intent, tuple(facts), cue.cue.id if cue else "", cue.text if cue else "")
