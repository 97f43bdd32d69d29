"""Stems, content words and the pairing of texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgegate.language import lexicon
from edgegate.language.align import THRESHOLD, Clause, Index, Passage, align, content, parts, read, stem
from edgegate.language.compare import opposite
from edgegate.language.text import tokenise


@pytest.mark.parametrize(
    "forms",
    [
        ("move", "moves", "moved", "moving"),
        ("stop", "stops", "stopped", "stopping"),
        ("go", "goes", "went", "gone", "going"),
        ("carry", "carries", "carried", "carrying"),
        ("box", "boxes"),
        ("church", "churches"),
        ("mother", "mum", "mom's", "mothers"),
        ("seven", "7"),
        ("not", "never", "no", "didn't", "without", "nobody's"),
        ("tell", "tells", "told", "telling"),
        ("rent", "rents", "rented"),
    ],
)
def test_forms_of_one_word_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("careful", "careless"),
        ("paid", "unpaid"),
        ("like", "dislike"),
        ("happy", "unhappy"),
        ("brother", "sister"),
        ("use", "useless"),
        ("wed", "wedding"),
        ("able", "unable"),
        ("process", "proceed"),
        ("7", "8"),
    ],
)
def test_other_words_and_opposites_stay_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_no_pair_of_opposites_falls_together() -> None:
    for one, other in lexicon.table("opposites")["pairs"]:
        assert stem(one) != stem(other), (one, other)
        assert opposite(stem(one), stem(other))


def test_not_is_content_and_function_words_are_not() -> None:
    found = [word for _, word in content(tokenise("The user did not see any of the lamps"))]
    assert found == ["not", stem("see"), stem("lamps")]


def whole(text: str) -> Clause:
    return Clause.whole(read(text)[0])


SOURCE = read(
    "Petra from procurement moves to Gdansk. The canteen ran out of pierogi. My sister Ida repairs clocks in Ulm. "
    "The lease ends in June."
)


@pytest.mark.parametrize(
    ("memory", "place"),
    [
        ("Petra is moving to Gdansk.", 0),
        ("There were no pierogi in the canteen.", 1),
        ("Ida, the user's sister, is a clock repairer.", 2),
        ("The lease terminates in June.", 3),
    ],
)
def test_the_best_source_sentence_is_found(memory: str, place: int) -> None:
    found = Index(SOURCE).align(whole(memory))
    assert found.links[0].source is SOURCE[place]
    assert found.aligned


def test_one_memory_may_come_from_several_sentences() -> None:
    found = Index(SOURCE).align(whole("Petra moves to Gdansk and Ida repairs clocks."))
    assert [link.source.number for link in found.links] == [0, 2]
    assert found.coverage == pytest.approx(1.0)
    assert found.containment < found.coverage


def test_what_has_no_source_is_unaligned() -> None:
    found = Index(SOURCE).align(whole("User collects old typewriters."))
    assert not found.aligned
    assert found.coverage < THRESHOLD


def test_rare_words_weigh_more() -> None:
    index = Index(read("The blue lamp. The blue vase. The blue door. The red door."))
    assert index.weight(stem("lamp")) > index.weight(stem("blue")) > 0
    assert index.weight(stem("get")) < index.weight(stem("lamp"))


def test_a_statement_is_a_better_source_than_a_question() -> None:
    source = read("Did the passes work out? We did not take the passes.")
    assert Index(source).align(whole("User took the passes.")).links[0].source is source[1]


def test_the_person_a_memory_is_about_is_the_better_source() -> None:
    source = [*read("I paint animals.", speaker="ann"), *read("I paint animals.", speaker="bea", number=1)]
    found = Index(source, about="Bea").align(whole("Bea paints animals."))
    assert found.links[0].source.speaker == "bea"


def test_names_that_are_ignored_count_for_nothing() -> None:
    found = Index(read("Bea came."), ignored=[stem("bea")]).align(whole("Bea sold a boat."))
    assert not found.links or found.coverage < THRESHOLD


def test_align_keeps_the_order_of_the_candidates() -> None:
    found = align(SOURCE, parts(read("The lease ends. Petra moves.")))
    assert [each.links[0].source.number for each in found] == [3, 0]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Is the shop open?", True),
        ("do I have to send the router back", True),
        ("What time is it?", True),
        ("Do it now.", False),
        ("The shop is open.", False),
    ],
)
def test_questions(text: str, asks: bool) -> None:
    assert read(text)[0].is_question is asks


def test_a_passage_knows_its_place() -> None:
    text = "It rained. 🙂 Maybe Ida left."
    passage = read(text)[-1]
    start, end = passage.span(0, len(passage.words))
    assert text[start:end] == passage.text
    assert passage.origin == text


def test_a_very_long_sentence_is_read_in_pieces() -> None:
    found = read("word " * 5000)
    assert len(found) > 2
    assert all(len(passage.text) <= 2000 for passage in found)


@given(st.text(max_size=300))
def test_reading_never_raises(text: str) -> None:
    for passage in read(text):
        assert isinstance(passage, Passage)
        assert passage.content is not None
        assert passage.clause_at(0)
