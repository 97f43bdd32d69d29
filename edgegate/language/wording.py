"""How a sentence is worded, weighed: a linear model over its runs of one to three words.

What rules cannot list is learned from labelled sentences: each head (one question, say "does it press the user?") gives
a weight to runs of words, to runs in which one word stands for its class ("my {kin}"), and to named facts that the
caller knows of the sentence. Weights are whole hundredths of a logit, so a sum is the same on every machine. They are
data, made by `build_scripts/fit_wording.py` from the labelled sets and kept in the lexicons.

Source: logistic regression over word n-grams, as in Wang & Manning 2012 ("Baselines and bigrams", ACL); classes in
place of words after Brown et al. 1992 ("Class-based n-gram models of natural language", Computational Linguistics 18).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from edgegate.language import lexicon
from edgegate.language.inflect import inflections_of

START, END, NUMBER, NAME, QUOTED = "^", "$", "#", "@", "…"
LONGEST = 3  # words in a run
MOST = 80  # words of a sentence that are read: what is said, is said by then
FACT = "="  # before a named fact of the caller, so that it is never taken for a word


@dataclass(frozen=True, slots=True)
class Head:
    """One question and its weights: a sentence is taken for a yes from `limit` on. All in hundredths of a logit."""

    name: str
    bias: int
    limit: int
    weights: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Score:
    """What a head makes of a sentence: its points, the limit, and what spoke for a yes, the heaviest first."""

    points: int
    limit: int
    weighed: tuple[tuple[str, int], ...]

    @property
    def yes(self) -> bool:
        """Whether the points reach the limit."""
        return self.points >= self.limit


def forms(words: Sequence[str], names: Collection[int] = (), quoted: Sequence[bool] = ()) -> list[str]:
    """The folded `words` as a head reads them: start and end marked, figures, names and quotations each as one mark.

    `names` are the places of words of names; `quoted` says of each word whether it is somebody else's.

    >>> forms(["i", "was", "9", "in", "old", "riga"], names=[5])
    ['^', 'i', 'was', '#', 'in', 'old', '@', '$']
    >>> forms(["she", "said", "come", "home"], quoted=[False, False, True, True])
    ['^', 'she', 'said', '…', '$']
    """
    found = [START]
    for place, word in enumerate(words[:MOST]):
        if quoted and quoted[place]:
            mark = QUOTED
        elif place in names:
            mark = NAME
        elif word.isalpha() or not any(map(str.isdecimal, word)):
            found.append(word)
            continue
        else:
            mark = NUMBER
        if found[-1] != mark:
            found.append(mark)
    found.append(END)
    return found


def runs(read: Sequence[str]) -> list[str]:
    """The runs of one to three of what `forms` gave, each once, those with a class in place of a word included.

    >>> runs(["^", "thus", "$"])
    ['^', 'thus', '$', '^ thus', 'thus $', '^ thus $']
    >>> [run for run in runs(["one", "knee"]) if "{body}" in run]
    ['{body}', 'one {body}', '{number_word} {body}']
    """
    classes, last = class_of(), len(read) - 1
    pairs, triples = _joined(read)
    found = [*read, *pairs, *triples]
    for place, names in enumerate(map(classes.get, read)):
        for name in names or ():
            found.append(name)
            if place:
                with_one = f"{read[place - 1]} {name}"
                found += [with_one, *[f"{other} {name}" for other in classes.get(read[place - 1], ())]]
                if place > 1:
                    found.append(f"{pairs[place - 2]} {name}")
                if place < last:
                    found.append(f"{with_one} {read[place + 1]}")
            if place < last:
                found.append(f"{name} {read[place + 1]}")
                if place + 1 < last:
                    found.append(f"{name} {pairs[place + 1]}")
    return list(dict.fromkeys(found))


def plain_runs(read: Sequence[str]) -> list[str]:
    """The runs of one to three of what `forms` gave, each once, without classes: what costs least to read.

    >>> plain_runs(["^", "ok", "$"])
    ['^', 'ok', '$', '^ ok', 'ok $', '^ ok $']
    """
    pairs, triples = _joined(read)
    return list(dict.fromkeys([*read, *pairs, *triples]))


def _joined(read: Sequence[str]) -> tuple[list[str], list[str]]:
    """The runs of two and those of three, in order."""
    pairs = [f"{one} {two}" for one, two in pairwise(read)]
    return pairs, [f"{pair} {third}" for pair, third in zip(pairs, read[2:], strict=False)]


def classes_of(read: Sequence[str]) -> list[str]:
    """The classes of the words, each once.

    >>> classes_of(["his", "knee", "and", "wrist"])
    ['{they}', '{body}']
    """
    classes = class_of()
    return list(dict.fromkeys(name for word in read for name in classes.get(word, ())))


def facts(names: Iterable[str]) -> list[str]:
    """Named facts as a head weighs them beside runs.

    >>> facts(["asks"])
    ['=asks']
    """
    return [FACT + name for name in names]


def points(head: Head, found: Iterable[str]) -> int:
    """What a sentence's runs and facts, each given once, add up to.

    >>> points(Head("life", -100, 0, {"my knee": 150, "knee": 20}), ["my", "knee", "my knee"])
    70
    """
    return head.bias + sum(filter(None, map(head.weights.get, found)))


def score(head: Head, found: Collection[str], most: int = 3) -> Score:
    """What `head` makes of a sentence's runs and facts, with the `most` that spoke loudest for a yes.

    >>> head = Head("life", -100, 0, {"my knee": 150, "knee": 20, "=denies": -300})
    >>> score(head, runs(forms(["my", "knee", "aches"])))
    Score(points=70, limit=0, weighed=(('my knee', 150), ('knee', 20)))
    """
    weighed = ((run, head.weights.get(run, 0)) for run in found)
    spoke = sorted((pair for pair in weighed if pair[1] > 0), key=lambda pair: (-pair[1], pair[0]))
    return Score(points(head, found), head.limit, tuple(spoke[:most]))


@cache
def head(name: str) -> Head:
    """The head of that name. Raises UsageError if there is none."""
    return read_head(name, lexicon.table(f"wording_{name}"))


def read_head(name: str, table: Mapping[str, Any]) -> Head:
    """A head from its table: on each line of `weights` a weight, and the runs that have it with a bar between them.

    >>> read_head("life", {"bias": -9, "limit": 5, "weights": "-7 the|a list\\n20 my {body}"}).weights
    {'the': -7, 'a list': -7, 'my {body}': 20}
    """
    weights: dict[str, int] = {}
    for line in table["weights"].splitlines():
        weight, _, rest = line.partition(" ")
        weights.update(dict.fromkeys(rest.split("|"), int(weight)))
    return Head(name, int(table["bias"]), int(table["limit"]), weights)


@cache
def class_of() -> Mapping[str, tuple[str, ...]]:
    """The classes of each word that has one, in braces; verbs and nouns in all their forms.

    >>> class_of()["knees"], "the" in class_of()
    (('{body}',), False)
    """
    inflect = inflections_of(lexicon.table("inflections"))
    found: dict[str, list[str]] = {}
    for name, words in lexicon.table("word_classes").items():
        label = f"{{{name}}}"
        for word in words:
            for form in [word] if word.endswith("!") else inflect(word):
                names = found.setdefault(form.removesuffix("!"), [])
                if label not in names:
                    names.append(label)
    return {word: tuple(names) for word, names in found.items()}
