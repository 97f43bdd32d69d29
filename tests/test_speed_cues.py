"""The speed command for cues: all contenders find the same, and its figures are what they are called."""

from __future__ import annotations

import argparse
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from build_scripts import speed_cues
from edgegate.language.patterns import Vocabulary, parse
from edgegate.language.text import tokenise


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*"ab3', .:-_(é🙂", "can", " "]), max_size=12).map("".join))
def test_whole_tokens_are_told_without_tokens(text: str) -> None:
    tokens = tokenise(text)
    starts, ends = set(tokens.starts), set(tokens.ends)
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            if text[start].isalnum() and text[end - 1].isalnum():
                expected = start in starts and end in ends
                assert speed_cues.is_token_range(text, start, end) == expected, (text, start, end)


def test_forms_are_all_or_none() -> None:
    vocabulary = Vocabulary(tree={}.__getitem__, inflect={}.__getitem__)
    forms = speed_cues.forms(parse("(so|and)? , if ever", vocabulary), most=10)
    assert sorted(forms or ()) == [(",", "if", "ever"), ("and", ",", "if", "ever"), ("so", ",", "if", "ever")]
    assert speed_cues.forms(parse("so *2 if", vocabulary), most=10) is None
    assert speed_cues.forms(parse("so #", vocabulary), most=10) is None
    assert speed_cues.forms(parse("(a|b) (a|b) (a|b)", vocabulary), most=7) is None
    assert speed_cues.spellings(("rarely", ",", "if")) == ["rarely , if", "rarely ,if", "rarely, if", "rarely,if"]


def test_the_text_is_the_same_each_time() -> None:
    text = speed_cues.chat_text(None, 50_000)
    assert text == speed_cues.chat_text(None, 50_000)
    assert len(text) == 50_000
    assert "  " not in text
    assert "\n" not in text


def test_contenders_find_the_same() -> None:
    pytest.importorskip("ahocorasick")
    pytest.importorskip("re2")
    phrases, _, _ = speed_cues.inventory(most=5)
    phrases = random.Random(1).sample(phrases, 800)
    text = speed_cues.chat_text(None, 60_000)
    makers = (speed_cues.edgegate, speed_cues.pyahocorasick, speed_cues.google_re2, speed_cues.phrase_by_phrase)
    results = {make.__name__: make(phrases)(text) for make in makers}
    speed_cues.check_equal(results, text)
    assert len(results["edgegate"]) > 50
    results["google_re2"] = results["google_re2"][1:]
    with pytest.raises(SystemExit, match="google_re2 and edgegate differ: only edgegate has"):
        speed_cues.check_equal(results, text)


def test_the_figures_have_their_names() -> None:
    pytest.importorskip("ahocorasick")
    pytest.importorskip("re2")
    options = argparse.Namespace(megabytes=0.02, turns=1, most=1, text=None)
    figures = speed_cues.run(options)
    for key in ("vs_pyahocorasick", "vs_re2", "vs_phrases", "growth_500_to_5000"):
        assert figures[key] > 0
    assert "pyahocorasick" in speed_cues.table(figures)
