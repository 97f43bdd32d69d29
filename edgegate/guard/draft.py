"""Letters that a reply drafts for the user: what stands in them is said in the user's voice, and is no claim.

A draft begins with a salutation under a line that introduces it ("Here's a draft:", "Dear Mr. Novak, ..."), or with
that of a letter where the message asked for words to use. It ends with a closing formula, a rule, a heading, or after
`LONGEST` sentences, so that one that never closes shields little.
"""

from __future__ import annotations

from functools import partial

from edgegate.guard.reading import words_of
from edgegate.language import lexicon
from edgegate.language.text import Sentence, Tokens

LONGEST = 12


class Draft:
    """Follows one reply, sentence by sentence. `asked`: the message that it answers asks for words to use.

    >>> from edgegate.language.text import sentences, tokenise
    >>> draft = Draft()
    >>> text = "Here it is:\\n\\nDear Ms. Novak, you told me to write.\\n\\nKind regards, Petra\\n\\nWell?"
    >>> [draft.holds(sentence, tokenise(sentence.text)) for sentence in sentences(text)]
    [False, True, True, False]
    """

    def __init__(self, *, asked: bool = False) -> None:
        self._asked = asked
        self._left = 0
        self._introduced = False

    def holds(self, sentence: Sentence, tokens: Tokens) -> bool:
        """Whether the sentence is part of a draft."""
        words = [word for word in tokens.words if word[0].isalpha()]
        opens_with = partial(_opens_with, words)
        introduced, self._introduced = self._introduced, sentence.text.rstrip("*_").endswith(":")
        if not self._left:
            if not ((introduced and opens_with("salutations")) or (self._asked and opens_with("letter_salutations"))):
                return False
            self._left = LONGEST
        if sentence.kind in ("heading", "rule", "code"):
            self._left = 0
            return False
        self._left -= 1
        if _closes(words):
            self._left = 0
        return True


def _opens_with(words: list[str], salutations: str) -> bool:
    return bool(words) and words[0] in words_of(salutations)


def _closes(words: list[str]) -> bool:
    closings = lexicon.table("support")["closings"]
    return any(words[: len(closing.split())] == closing.split() for closing in closings)
