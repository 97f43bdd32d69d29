"""Whether words tell of the past or of now: a look at the verb's form, for the checks that compare times.

Source: Quirk et al. 1985, ch. 4 (tense and aspect); irregular forms in `data/en/inflections.toml`.
"""

from __future__ import annotations

from collections.abc import Sequence

from edgegate.gate.write import words
from edgegate.language import lexicon
from edgegate.language.passages import Passage, past_forms


def is_past_word(word: str) -> bool:
    """Whether a word is a past auxiliary or looks like a verb in the past."""
    if word in words("no_pasts"):
        return False
    if word in words("past_auxiliaries") or word in past_forms():
        return True
    return word.endswith("ed") and len(word) > 4


def past_verb(passage: Passage, first: int, last: int, besides: Sequence[int] | range = ()) -> int | None:
    """The first verb in the simple past between two tokens, or None: no participle after "is" or "has".

    Tokens in `besides` are not looked at.
    """
    for place in range(first, last):
        if place in besides:
            continue
        word = passage.words[place]
        if word in words("past_auxiliaries"):
            return place
        before = passage.words[max(place - 2, first) : place]
        if is_past_word(word) and not any(each in words("participle_openers") for each in before):
            return place
    return None


def goes_on(passage: Passage) -> bool:
    """Whether a sentence tells what has been going on up to now ("has been singing")."""
    tokens = passage.words
    for at, word in enumerate(tokens[:-2]):
        if word in words("perfect_auxiliaries") and tokens[at + 1] in words("been_words"):
            return tokens[at + 2].endswith("ing")
    return False


def tells_of_now(passage: Passage) -> bool:
    """Whether nothing in a sentence is in the past, or what it tells goes on."""
    return goes_on(passage) or not any(
        is_past_word(word) or _is_bare_past(passage, at) for at, word in enumerate(passage.words)
    )


def _is_bare_past(passage: Passage, at: int) -> bool:
    """Whether a verb whose past looks like its base ("set", "cut") follows a singular subject without -s."""
    if passage.words[at] not in lexicon.table("extract")["words"]["same_form_pasts"] or not at:
        return False
    named = any(name.last == at for name in passage.values.names)
    return named or passage.words[at - 1] in lexicon.table("memory_user_words")
