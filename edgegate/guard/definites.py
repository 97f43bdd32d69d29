"""Things spoken of as known: "your damson gin", "with that calf", "did the new batteries help?".

A definite noun phrase takes it for granted that both sides know the thing (Hawkins 1978). Where neither the evidence
nor the message has it, and it is nothing that everybody has, the reply claims to know it from before.
"""

from __future__ import annotations

from edgegate.guard.evidence_index import Index
from edgegate.guard.reading import Reading, light, words_of
from edgegate.guard.strangers import listed, listed_stems
from edgegate.language.cues import CueMatch

LONGEST = 4  # tokens of a noun phrase that are looked at


def definites(reading: Reading, index: Index) -> dict[str, int]:
    """How often the sentence takes an unknown thing for known: `your_new`, `that_new`, `asks_new` (a question),
    `told_new` (what is said to have been told of), and `life_new` for what happens to some people only.

    >>> from edgegate.guard.reading import read
    >>> definites(read("Bring a bottle of your damson gin."), Index([]))
    {'your_new': 1}
    >>> definites(read("Did the medicine help?"), Index([]))["life_new"]
    1
    """
    found: dict[str, int] = {}
    life = listed_stems("life")
    own = sum([_is_of_a_life(reading, index, word, at) for word, at in reading.content.items() if word in life])
    if own:
        found["life_new"] = own
    told = sum(_is_told_of(reading, index, match) for match in reading.cues("continuity"))
    if told:
        found["told_new"] = told
    stems, words, definite = reading.stems, reading.words, listed("definite")
    asks = _asks(reading)
    for place, word in enumerate(words):
        if word not in definite or not reading.claims(place):
            continue
        phrase = _phrase(stems, words, place + 1)
        particular = [each for each in phrase if each not in light() and each not in listed_stems("everyones")]
        if not particular or any(index.holds(each) for each in phrase):
            continue
        if word.startswith("your"):
            found["your_new"] = found.get("your_new", 0) + 1
        elif word.startswith("th") and word != "the" and place and words[place - 1] in listed("place_words") | {"with"}:
            found["that_new"] = found.get("that_new", 0) + 1
        if asks:
            found["asks_new"] = found.get("asks_new", 0) + 1
    return found


def _is_of_a_life(reading: Reading, index: Index, word: str, place: int) -> bool:
    """Whether `word`, at `place`, of what happens to some people and not to others, is spoken of as known."""
    if word in light() or not reading.claims(place) or index.holds(word):
        return False
    before = reading.words[max(0, place - 2) : place]
    return any(each in listed("owned") or each.endswith("'s") for each in before)


def _is_told_of(reading: Reading, index: Index, match: CueMatch) -> bool:
    """Whether the thing that a phrase of recollection hangs on is unknown: "the pond we talked about"."""
    if match.cue.effect != "recollection" or not reading.claims(match.first):
        return False
    words, stems = reading.words, reading.stems
    if words[match.first] in listed("definite"):  # "the pond we talked about", all of it the phrase
        phrase = _phrase(stems, words, match.first + 1)
        return bool(phrase) and not any(word in light() or index.holds(word) for word in phrase)
    last = match.first - 1
    word = stems.get(last, "")
    if not word or word in light() or index.holds(word) or words[last] in reading.names:
        return False
    first = last
    while first - 1 in stems and last - first < LONGEST:
        first -= 1
    return words[first - 1] in listed("definite")


def _asks(reading: Reading) -> bool:
    """Whether the sentence is a question that takes something definite for known: "did the medicine", "any news"."""
    if reading.is_question and any(match.cue.id in words_of("asking_cues") for match in reading.cues("continuity")):
        return True
    opening = [word for word in reading.words if word[0].isalpha()][:2]
    if not reading.is_question or len(opening) < 2:
        return False
    return opening[0] in listed("asking") and opening[1] in listed("definite")


def _phrase(stems: dict[int, str], words: list[str], start: int) -> list[str]:
    """The content stems of the noun phrase that goes on at token `start`."""
    phrase = []
    for place in range(start, min(start + LONGEST, len(words))):
        if place not in stems or not words[place][0].isalpha():
            break
        phrase.append(stems[place])
    return phrase
