"""Wording: what is read of a sentence, how a head weighs it, and how a head is fitted."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_scripts.fit_wording import TASKS, Example, Task, fit, learn, write, writer_of
from edgegate.errors import UsageError
from edgegate.language import lexicon, wording
from edgegate.language.compiler import compile_sources
from edgegate.language.text import tokenise
from edgegate.language.wording import Head, facts, forms, runs, score

HEADS = sorted(TASKS)


def test_a_run_takes_one_word_for_its_class() -> None:
    found = runs(forms(["my", "knees", "ache"]))
    assert {"my knees ache", "my {body}", "{body} ache", "{mine} knees"} <= set(found)
    assert len(found) == len(set(found))


@given(st.lists(st.sampled_from(["my", "knee", "?", "9", "x9", "leave", "zzz", '"']), max_size=300))
def test_reading_is_bounded_and_says_nothing_twice(words: list[str]) -> None:
    read = forms(words)
    assert len(read) <= wording.MOST + 2
    found = runs(read)
    assert len(found) == len(set(found))
    assert not any(run.startswith(wording.FACT) for run in found)


def test_names_figures_and_quotations_are_one_mark_each() -> None:
    words = ["ana", "maria", "said", "9", "or", "10", "a", "b"]
    quoted = [False] * 6 + [True] * 2
    assert forms(words, {0, 1}, quoted) == ["^", "@", "said", "#", "or", "#", "…", "$"]


def test_a_score_is_the_sum_of_whole_numbers_and_names_what_weighed() -> None:
    head = Head("x", -50, 100, {"stay": 90, "stay now": 70, "now": -10, "=parting": 30})
    found = score(head, runs(forms(["stay", "now"])) + facts(["parting"]))
    assert (found.points, found.yes) == (130, True)
    assert found.weighed == (("stay", 90), ("stay now", 70), ("=parting", 30))


def test_an_unknown_head_says_so() -> None:
    with pytest.raises(UsageError):
        wording.head("none such")


@pytest.mark.parametrize("name", HEADS)
def test_a_head_is_whole_small_and_weighs_only_what_can_be_read(name: str) -> None:
    head = wording.head(name)
    assert len(head.weights) > 1000
    assert all(isinstance(weight, int) and weight for weight in head.weights.values())
    assert (lexicon.FOLDER / f"wording_{name}.toml").stat().st_size < 60_000
    classes = {label for labels in wording.class_of().values() for label in labels}
    for run in head.weights:
        if not run.startswith(wording.FACT):
            words = run.split(" ")
            assert 1 <= len(words) <= wording.LONGEST, run
            assert all(
                word in classes for word in words if word.startswith("{") and word.endswith("}") and word != "{}"
            )


def examples() -> list[Example]:
    said = {True: ["my knee aches", "my back aches a lot"], False: ["the list is long", "the back page is yours"]}
    return [
        Example("1", text, tuple(runs(forms(tokenise(text).words))), yes, 1.0)
        for yes, texts in said.items()
        for text in texts
        for _ in range(5)
    ]


TASK = Task("test", lambda evidence: lambda sentence: [], lambda sentence: None, lambda sentence: 1.0, most=30)


def test_a_fit_tells_the_two_apart_and_reaches_what_is_like_them() -> None:
    head = learn(TASK, examples())
    assert [score(head, each.found).yes for each in examples()] == [each.yes for each in examples()]
    assert score(head, runs(forms(["my", "wrist", "aches"]))).points > head.limit


def test_a_fit_is_the_same_again_and_is_read_back_as_it_was_written(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    head = learn(TASK, examples())
    assert learn(TASK, examples()) == head
    path = write(head, folder)
    table = compile_sources({path.name: path.read_bytes()})["tables"]["wording_test"]
    assert json.loads(json.dumps(table)) == table
    assert wording.read_head("test", table) == head


def test_what_costs_more_is_fitted_more_closely() -> None:
    plain = examples()
    dear = [Example(each.writer, each.text, each.found, each.yes, 9.0) for each in plain]
    run = "my"
    assert fit(dear)[run] > fit(plain)[run] > 0


def test_each_of_the_four_writers_of_one_set_counts_alone() -> None:
    assert writer_of("safety_dev4", "w3-s01") != writer_of("safety_dev4", "w4-s01")
