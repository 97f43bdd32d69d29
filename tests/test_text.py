"""Folding, tokens, clauses and the language guess: tables of cases, and what must hold for any text."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgegate.language.cues import scan
from edgegate.language.text import Token, clauses, fold, guess_language, tokenise

DATA = Path(__file__).parent / "data" / "text"

FOLDED = {
    "Don\u2019t STOP": "don't stop",
    "\u201cSo\u201d \u00abcalled\u00bb \uff02x\uff02": '"so" "called" "x"',
    "well\u2014yes \u2013 5\u22122": "well-yes - 5-2",
    "a\u00a0b\u2009c\u3000d": "a b c d",
    "t\u200bo\u200dl\u00add \ufeffme": "told me",
    "\uff39\uff2f\uff35 \uff11\uff12": "you 12",
    "\U0001d418\U0001d428\U0001d42e said": "you said",
    "y\u043eu t\u043eld m\u0435": "you told me",
    "\u03a5ou rem\u03b5mber": "you remember",
    "\u0441\u043e me in": "co me in",
    "Привет, Boris": "привет, boris",
    "как рос": "как рос",
    "\u03b1 = 0.05": "\u03b1 = 0.05",
    "\ufb01nd the \ufb03x": "find the ffix",
    "cafe\u0301 na\u0308ive": "café näive",
    "y\u0336o\u0336u": "you",
    "\u0130stanbul": "istanbul",
    "stra\u00dfe \u00bd \u2026": "straße ½ …",
    "\U0001f469\u200d\U0001f4bb ok\ufe0f": "\U0001f469\U0001f4bb ok",
    "y\u043e\u0301\u200bu": "you",
}


@pytest.mark.parametrize(("text", "folded"), FOLDED.items(), ids=[ascii(text) for text in FOLDED])
def test_folding(text: str, folded: str) -> None:
    assert fold(text).text == folded


WORDS = {
    "So-called 3.5% at 9:30, o'clock": ["so", "-", "called", "3.5", "%", "at", "9:30", ",", "o'clock"],
    "1,200 is it. 'Tis the dogs' 5's": ["1,200", "is", "it", ".", "'", "tis", "the", "dogs", "'", "5's"],
    "v1.0.0-rc a.b 2:b x'": ["v1.0.0", "-", "rc", "a", ".", "b", "2", ":", "b", "x", "'"],
    "_emphasis_ **bold**": ["_", "emphasis", "_", "*", "*", "bold", "*", "*"],
    "Don\u2019t\u00a0go\u2026": ["don't", "go", "…"],
    "\U0001f600\U0001f600 中文": ["\U0001f600", "\U0001f600", "中文"],
    "2026-03-14": ["2026", "-", "03", "-", "14"],
    " \t\n": [],
    "": [],
}


@pytest.mark.parametrize(("text", "words"), WORDS.items(), ids=[ascii(text) for text in WORDS])
def test_tokens(text: str, words: list[str]) -> None:
    assert tokenise(text).words == words


def test_offsets_point_into_the_original() -> None:
    tokens = tokenise("\u200bThe \ufb01rst ca\u200bfe\u0301\u2026 did\u2019nt")
    assert tokens.words == ["the", "first", "café", "…", "did'nt"]
    assert [tokens.quote(place, place + 1) for place in range(5)] == [
        "The",
        "\ufb01rst",
        "ca\u200bfe\u0301",
        "\u2026",
        "did\u2019nt",
    ]
    assert tokens.quote(1, 3) == "\ufb01rst ca\u200bfe\u0301"
    assert tokens[0] == Token("the", 1, 4)
    assert tokens.span(5, 5) == (len(tokens.text), len(tokens.text))
    assert tokens.span(2, 2) == (tokens.starts[2], tokens.starts[2])


# What people write, and what breaks offsets and word rules.
PIECES = st.sampled_from(
    [
        *"aZ09'.,:;-_ \n\t\"!?",
        *"\u00e9\u00df\u2019\u201c\u2026\u2022\u4e2d\u200b\u0301\u0336\ufb01\u0130\u0430\u0415\u03b1\u00bd\u00b2\u0663",
        *"\x01\x1c\x85\u3000\u2028\U0001f600\ufe0f\u200d",
        "the ",
        "you",
        "3.5",
        "don't ",
    ]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_any_text_folds_with_rising_offsets(text: str) -> None:
    folded = fold(text)
    places = [folded.original(index) for index in range(len(folded.text) + 1)]
    assert places == sorted(places)
    assert places[-1] == len(text) or not folded.text
    assert fold(folded.text).text == folded.text


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_any_text_gives_tokens_in_order(text: str) -> None:
    tokens = tokenise(text)
    assert len(tokens.words) == len(tokens.starts) == len(tokens.ends)
    last = 0
    for word, start, end in zip(tokens.words, tokens.starts, tokens.ends, strict=True):
        assert last <= start < end <= len(text)
        assert word
        assert fold(text[start:end]).text.strip() == word or any(not sign.isascii() for sign in text[start:end])
        last = end


# The rule of tokens in its shortest form; the module's pattern may be longer for speed, but must say the same.
TOKEN_RULE = re.compile(r"[^\W_]+(?:(?:'|(?<=\d)[.,:](?=\d))[^\W_]+)*|\S")


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_tokens_follow_the_rule(text: str) -> None:
    assert tokenise(text).words == TOKEN_RULE.findall(fold(text).text)


CLAUSES = [
    "She isn't coming| but he is,| and the dog stays.",
    "Last week,| I went to Rome, Milan and Turin.",
    "If it rains,| we stay home.",
    "I like tea and coffee,| so-called 'green' tea —| not black.",
    "It costs 3:30,| not 4.",
    "nothing but trouble",
    "He quit his job| and his wife was angry",
    "You said you hate flying| and I said we could drive.",
    "Dr. Li isn't in at 9 a.m. on Monday.",
    "I came.| I saw.",
    "Well…| (I think)| no!",
    "bread and butter and jam",
    "He works in Bonn;| she doesn't.",
    "My rule:| no phones.",
    "a well-known author",
    "ok",
    "...",
]


@pytest.mark.parametrize("case", CLAUSES)
def test_clauses(case: str) -> None:
    tokens = tokenise(case.replace("|", ""))
    found = [tokens.quote(first, last) for first, last in clauses(tokens)]
    assert found == [piece.strip() for piece in case.split("|")]


@given(st.lists(st.sampled_from("and but he is the dog , . - ( ) ; : … ? x".split()), max_size=30).map(" ".join))
@settings(max_examples=300, deadline=None)
def test_clauses_cover_all_tokens_in_order(text: str) -> None:
    tokens = tokenise(text)
    ranges = clauses(tokens)
    assert [place for first, last in ranges for place in range(first, last)] == list(range(len(tokens)))
    assert all(first < last for first, last in ranges)


LANGUAGES = [
    line.split("\t", 1)
    for line in (DATA / "languages.txt").read_text("utf-8").splitlines()
    if line and not line.startswith(";;")
]


@pytest.mark.parametrize(("language", "text"), LANGUAGES, ids=[text for _, text in LANGUAGES])
def test_language_guess(language: str, text: str) -> None:
    assert guess_language(text) == language


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "\ud800", "'" * 50, "\x00\x01"])
def test_nothing_raises_on_odd_text(text: str) -> None:
    tokens = tokenise(text)
    assert clauses(tokens) == ([(0, len(tokens))] if len(tokens) else [])
    assert guess_language(text) == "unknown"


@pytest.mark.parametrize("piece", ["and ", "(", ", ", "- ", "e\u0301\u0336", "\u200ba", "a, b ", "'", "\u0430b "])
def test_time_grows_linearly(piece: str) -> None:
    def seconds(count: int) -> float:
        text = piece * count
        best = 1.0
        for _ in range(3):
            start = time.process_time()
            clauses(tokenise(text))
            best = min(best, time.process_time() - start)
        return best

    assert seconds(16_000) < 40 * max(seconds(2_000), 0.001)  # 8 times the text; 64 times if it were quadratic


def test_every_match_is_located_where_the_folded_text_is_longer_than_the_original() -> None:
    """Found by fuzzing: thirty ligatures, and the cue behind them failed."""
    text = "\ufb01" * 33 + " and you told me so"
    tokens = tokenise(text)
    assert tokens.spans([(place, place + 1) for place in range(len(tokens))]) == [
        tokens.span(place, place + 1) for place in range(len(tokens))
    ]
    assert scan(tokens, {"continuity"})[0].text == "you told me so"
