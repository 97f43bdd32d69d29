"""What else a source sentence says: where one statement of it ends, and whether the memory tells the next one.

Read by the polarity, hedge, attribution, condition and temporal checks. "They refused the first offer and took the
second": a memory of the second offer shares words with the first, and turned nothing round.

Source: Quirk et al. 1985, ch. 13 (coordination).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from edgegate.gate.checks.tense import is_past_word
from edgegate.gate.write import Pairing, Write, words
from edgegate.language.align import Link
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


def asks_of(question: Passage, places: Sequence[int]) -> bool:
    """Whether these tokens hold what a question asks, and not only what it takes for granted.

    "Do you tip in Buenos Aires?" asks of tipping: its predicate is the first word of content behind a pronoun; of a
    question with another subject, some word of its first clause that is no name.
    """
    if question.words and question.words[0] in words("past_auxiliaries"):
        return True  # "had I the money" asks nothing
    if len(question.words) > 1 and question.words[1] in words("asked_subjects"):
        predicate = next((at for at, word in question.content if at > 1 and word != "not"), None)
        return predicate is None or predicate in places
    _, end = question.clause_at(0)
    inside = [at for at, _ in question.content if at < end]
    return not inside or any(at in places for at in inside)


def own_matter(source: Passage, first: int) -> int:
    """Where the speaker turns to a matter of their own behind token `first` ("..., anyway I need boots", "so I stay"):
    what was told, doubted or supposed reaches no further."""
    for at in range(first + 1, len(source.words) - 1):
        word, after = source.words[at], source.words[at + 1]
        if word in words("turning_words") or (word in words("turning_joints") and after in words("speaker_words")):
            return at
    return len(source.words)


def kept_elsewhere(write: Write, pairing: Pairing, link: Link, keeps: Callable[[Passage], bool]) -> bool:
    """Whether another sentence of the memory holds more of this source sentence and keeps what `keeps` looks for: its
    doubt, source or condition stands where it belongs."""
    here = _weight_of(write, pairing, link.source)
    return any(
        other is not pairing and _weight_of(write, other, link.source) >= here and keeps(other.candidate)
        for other in write.told_by(link.source)
    )


def _weight_of(write: Write, pairing: Pairing, source: Passage) -> float:
    return sum(write.index.weight(word) for word in pairing.candidate.stems if word in source.stems)
