"""What is told beside a statement: an age beside a name, and whatever is said of a person whom an event only names.

An event's text tells the event; the person's own card tells of the person.
Source: Huddleston & Pullum 2002, ch. 12 (relative clauses), ch. 15 (supplements).
"""

from __future__ import annotations

from edgegate.memory.phrasing import sentence
from edgegate.memory.segments import Segment, kin_words, name_places
from edgegate.memory.words import Word, is_verb, join, words_of


def own_statements(segment: Segment) -> list[Segment]:
    """The relative clauses behind persons in a statement, as statements of their own; they go out of the statement.

    >>> from edgegate.memory.segments import segments
    >>> from edgegate.memory.words import expand
    >>> part = segments(expand("we visited my brother Tom, who is a vet, on Friday"))[0]
    >>> [join(each.words) for each in own_statements(part)], join(part.words)
    (['my brother Tom is a vet'], 'we visited my brother Tom on Friday')
    """
    found: list[Segment] = []
    if not segment.kind:
        return found
    at = segment.last + 1
    while at < len(segment.words) - 1:
        words = segment.words
        if words[at].word != _who() or not is_verb(words, at + 1, True) or words[at + 1].word in words_of("told_by"):
            at += 1
            continue
        end = at - 1 if words[at - 1].word == "," else at
        first = _person_before(words, end)
        if first is None:
            at += 1
            continue
        last = next((place for place in range(at + 1, len(words)) if words[place].word in (",", ";")), len(words))
        whom, clause = words[first:end], words[at + 1 : last]
        found.append(Segment([*whom, *clause], len(whom), "mine" if _is_mine(whom) else "kin", "."))
        rest = last + 1 if last < len(words) and words[last].word == "," and end < at else last
        segment.words = [*words[:end], *words[rest:]]
        at = end
    return found


def _who() -> str:
    return min(words_of("relatives"), key=len)


def _person_before(words: list[Word], end: int) -> int | None:
    """Where "my brother Tom" begins that ends at `end`; None where no person of the user's stands there."""
    named = name_places(words)
    first = next((start for start, last in named.items() if last == end), end)
    if first < 1 or words[first - 1].word not in kin_words():
        return None
    first -= 1
    return first - 1 if first and words[first - 1].word in words_of("user_possessives") else None


def _is_mine(words: list[Word]) -> bool:
    return words[0].word in words_of("user_possessives")


def beside_name(segment: Segment) -> list[str]:
    """What stands beside a name, between commas: "I'm Inge, 71, retired lighthouse keeper"."""
    parts: list[list[Word]] = [[]]
    for word in segment.words[segment.last + 1 :]:
        if word.word == ",":
            parts.append([])
        else:
            parts[-1].append(word)
    found = []
    for part in parts[1:]:
        if not part or len(part) > 5 or any(not (word.word[0].isalnum() or word.word == "-") for word in part):
            continue
        first = part[0].word
        if any(is_verb(part, at) and not word.word.endswith("ed") for at, word in enumerate(part)):
            continue
        bare = first in words_of("name_articles") or (first.isdigit() and len(part) == 1)
        article = "" if bare else _article(first)
        found.append(sentence(f"The user is {article}{join(part)}"))
    return found


def _article(word: str) -> str:
    return "an " if word[0] in "aeiou" else "a "
