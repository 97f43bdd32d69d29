"""Whose life a reply is speaking of, sentence by sentence: the user's, or somebody else's.

"He resigned in 1841" is a claim about the user's life when "he" is the user's boss, and none when the sentence before
spoke of a minister of a queen. A sentence that names the user, or somebody whom the evidence knows, sets the topic; so
does one that speaks only of strangers and things the evidence knows nothing of. Pronouns follow the topic.

Source: Grosz, Joshi & Weinstein 1995 (centering: a pronoun goes on with what the sentence before was about).
"""

from __future__ import annotations

from itertools import compress

from edgegate.guard.claims import kin, person
from edgegate.guard.evidence_index import Index
from edgegate.guard.reading import Reading, is_titled, words_of
from edgegate.guard.strangers import is_world
from edgegate.guard.support import specific


class Topic:
    """Follows one reply; it begins with the user, who has just written.

    >>> from edgegate.guard.evidence_index import collect
    >>> from edgegate.guard.reading import read
    >>> from edgegate.records import Evidence
    >>> topic = Topic(Index(collect(Evidence(memories=["Her brother Jure is a tiler"]), ["memories"])))
    >>> [topic.about_user(read(text)) for text in ("He must be proud.", "Queen Victoria ruled.", "He served her.")]
    [True, False, False]
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._others = False
        self.abroad = False
        """Whether the reply has named something of the world, and neither the user nor anybody known since."""

    def about_user(self, reading: Reading) -> bool:
        """Whether the sentence speaks of the user, or of somebody or something in the user's life."""
        if self._names_user(reading):
            self._others = self.abroad = False
            return True
        self.abroad = self.abroad or any(is_world(name) for name in reading.names)
        stranger = min((at for name, at in reading.names.items() if name not in self._index.names), default=None)
        if self._points_back(reading, stranger):
            return not self._others
        words = specific(reading)
        if stranger is not None or (words and not any(self._index.holds(word) for word in words)):
            self._others = True
        return False

    def _names_user(self, reading: Reading) -> bool:
        """The user by pronoun, somebody whom the evidence knows by name, or a phrase that says something was told."""
        second = person("second")
        if not second.isdisjoint(compress(reading.words, reading.claimed)):
            return True
        cues = reading.cues("continuity", "record")
        if any(match.cue.id in words_of("about_cues") or match.cue.id in words_of("telling_cues") for match in cues):
            return True
        return any(name in self._index.names for name in reading.names)

    def _points_back(self, reading: Reading, stranger: int | None) -> bool:
        """A pronoun or a word for a relative or a titled person, with no stranger before it to point to."""
        pronouns = person("third") | person("possessive_third")
        for place, word in enumerate(reading.words[:stranger]):
            if (word in pronouns or word.removesuffix("'s") in kin()) and not reading.quoted[place]:
                return True
        return stranger is not None and is_titled(reading.words, stranger)
