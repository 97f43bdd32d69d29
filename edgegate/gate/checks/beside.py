"""What else a source sentence says: where one statement of it ends, and whether the memory tells the next one.

Read by the polarity and temporal checks. "They refused the first offer and took the second": a memory of the second
offer shares words with the first, and turned nothing round.

Source: Quirk et al. 1985, ch. 13 (coordination).
"""

from __future__ import annotations

from collections.abc import Collection

from edgegate.gate.checks.tense import is_past_word
from edgegate.gate.write import Write, words
from edgegate.language.compare import denied
from edgegate.language.passages import Clause, Passage


def tells_beside(
    write: Write, source: Passage, candidate: Passage, first: int, last: int, held: Collection[int]
) -> bool:
    """Whether a memory holds as much of what stands behind tokens `first` to `last` in the sentence as of these.

    "Refused the first offer and took the second": the memory tells what was taken. `held` are the tokens that it has
    of the stretch; what is denied behind it does not count.
    """
    sentence = Clause.whole(source)
    inside = {word for at, word in source.content if first <= at < last}
    beside = {word for at, word in source.content if at >= last and denied(sentence, at) is None} - inside
    told = sum(map(write.index.weight, beside & set(candidate.stems)))
    of_it = sum(map(write.index.weight, {word for at, word in source.content if at in held}))
    return told > 0 and told >= of_it


def clause_part(source: Passage, first: int, last: int) -> int:
    """Where what begins at token `first` ends: `last`, or before that at a joint with a verb in the past behind it
    ("turned down 200 | and settled on 240")."""
    for at in range(first, last - 1):
        if source.words[at] in words("and_words") and is_past_word(source.words[at + 1]):
            return at
    return last
