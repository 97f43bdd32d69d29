"""One reading of text, used by every part: folding, tokens, sentences, clauses, and a guess at the language."""

from __future__ import annotations

from edgegate.language.clauses import clauses
from edgegate.language.guess import guess_language, has_foreign_word, is_strange
from edgegate.language.sentences import Sentence, SentenceSplitter, sentences
from edgegate.language.tokens import Folded, Token, Tokens, fold, tokenise

__all__ = [
    "Folded",
    "Sentence",
    "SentenceSplitter",
    "Token",
    "Tokens",
    "clauses",
    "fold",
    "guess_language",
    "has_foreign_word",
    "is_strange",
    "sentences",
    "tokenise",
]
