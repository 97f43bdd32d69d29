"""What is counted of a sentence beside its signs: how much of it is held, and by what, and how it is worded.

Together with the signs these are the features that the trees of `edgegate.guard.trees` ask for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from edgegate.guard.claims import kin, only_directs, person
from edgegate.guard.evidence_index import Index
from edgegate.guard.reading import Reading, light, words_of
from edgegate.guard.trees import Trees
from edgegate.language import lexicon
from edgegate.language.wording import forms, head, points, runs

MOST = 9  # a count above this says no more
SCALE = 100
SURE = 100_000  # above what trees can add up to


def wording(reading: Reading) -> list[str]:
    """The runs of words by which a sentence is told to speak of the user's own life, or not.

    >>> from edgegate.guard.reading import read
    >>> wording(read("Your knee."))[:3]
    ['^', 'your', 'knee']
    """
    return runs(forms(reading.words, reading.sure.values(), reading.quoted))


def measures(reading: Reading, index: Index, message: Collection[str], found: Mapping[str, int]) -> dict[str, int]:
    """The features of a sentence that are no signs. `message` are the stems of the message being answered, `found` the
    signs.

    `words`, `specific` (content words that say something in particular), `asked_of` and `remembered` (those held by the
    message, or elsewhere), `best` (those in one item), `open` (those held nowhere, in hundredths of all), `claims` (the
    claimed part of the sentence, in hundredths), `worded` (by the wording alone, in hundredths of a logit).

    >>> from edgegate.guard.reading import read
    >>> measures(read("Your knee hurts in Ulm."), Index([]), ["knee"], {"unheld": 2})["open"]
    100
    """
    words, held, unheld = reading.words, found.get("held", 0), found.get("unheld", 0)
    specific = held + unheld
    general, claimed = light(), reading.claimed
    known = sum([claimed[at] for word, at in reading.content.items() if word in message and word not in general])
    held_names = sum([name in index.names for name in reading.sure])
    held_numbers = sum([index.has_number(key) for key in reading.numbers])
    relatives = kin()
    first, yours, theirs = (person(name) for name in ("first", "possessive_second", "possessive_third"))
    return {
        "words": min(len(words), 4 * MOST),
        "specific": min(specific, MOST),
        "asked_of": min(known, MOST),
        "remembered": min(max(held - known, 0), MOST),
        "best": min(held - found.get("spread", 0), MOST),
        "open": SCALE * unheld // specific if specific else 0,
        "claims": SCALE * sum(claimed) // len(words) if words else 0,
        "names_new": len(reading.sure) - held_names,
        "names_held": held_names,
        "numbers_new": len(reading.numbers) - held_numbers,
        "numbers_held": held_numbers,
        "first": sum([word in first for word in words]),
        "yours": sum([word in yours for word in words]),
        "theirs": sum([word in theirs for word in words]),
        "kin": sum([word.removesuffix("'s") in relatives for word in words]),
        "asks": int(reading.is_question),
        "only_directs": int(only_directs(found)),
        "worded": points(head("claim"), wording(reading)),
    }


def weigh(features: Mapping[str, int], trees: Trees) -> int:
    """What `trees` make of a sentence, and what no tree decides: a phrase of recollection for what is held nowhere goes
    (`sure_signs`), whatever else speaks for the sentence; one that names neither the user nor anybody known must weigh
    more (`elsewhere`), since it is more likely to speak of the world, and so must one of a part that the message gave
    the reply to play, in which nothing is remembered, and one that says where something stands on a screen.

    >>> from edgegate.guard.trees import read_trees
    >>> nothing = read_trees({"bias": 0, "limit": 0, "trees": "0"})
    >>> weigh({"untold": 1}, nothing) > nothing.limit, weigh({"elsewhere": 1}, nothing) < nothing.limit
    (True, True)
    """
    sure = any(features.get(sign) for sign in words_of("sure_signs"))
    if sure and not features.get("is_held") and not features.get("in_a_part"):
        return SURE
    more = lexicon.table("support")["more"]
    return trees.score(features) - sum(int(more[name]) for name in more if features.get(name))
