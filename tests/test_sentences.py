"""The sentence splitter: where sentences end, what kind they are, and that no cut of a stream changes any of it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgegate.errors import UsageError
from edgegate.language import sentences as sentences_module
from edgegate.language.blocks import next_marker
from edgegate.language.text import Sentence, SentenceSplitter, sentences

ROOT = Path(__file__).parent.parent
DATA = Path(__file__).parent / "data"

BOUNDARIES = [
    line.replace("\\n", "\n").replace("\\r", "\r")
    for line in (DATA / "text" / "boundaries.txt").read_text("utf-8").splitlines()
    if line and not line.startswith(";;")
]


def stream(chunks: list[str], cap: int | None = None) -> tuple[list[Sentence], SentenceSplitter]:
    splitter = SentenceSplitter(cap)
    found = [sentence for chunk in chunks for sentence in splitter.feed(chunk)]
    return found + splitter.close(), splitter


@pytest.mark.parametrize("case", BOUNDARIES)
def test_boundaries(case: str) -> None:
    wanted = [piece.strip() for piece in case.split("‖")]
    text = case.replace("‖", "")
    assert [sentence.text for sentence in sentences(text)] == wanted
    assert [sentence.text for sentence in stream(list(text))[0]] == wanted


def kinds(text: str) -> list[tuple[str, str, str]]:
    return [(sentence.kind, sentence.marker, sentence.text) for sentence in sentences(text)]


KINDS = {
    "headings, lists": (
        "# Plan\n\nTwo days. No rush.\n## Day one\n- up. early\n  and out\n* [x] Paid. Done.\n\n1. Mix.\n2) Stir",
        [
            ("heading", "# ", "# Plan"),
            ("prose", "", "Two days."),
            ("prose", "", "No rush."),
            ("heading", "## ", "## Day one"),
            ("item", "- ", "- up."),
            ("item", "", "early"),
            ("item", "", "and out"),
            ("item", "* [x] ", "* [x] Paid."),
            ("item", "", "Done."),
            ("item", "1. ", "1. Mix."),
            ("item", "2) ", "2) Stir"),
        ],
    ),
    "a number belongs to its item": (
        "Pack these three:\n\n1. Boots\n2. A rope\n\nReady?",
        [
            ("prose", "", "Pack these three:"),
            ("item", "1. ", "1. Boots"),
            ("item", "2. ", "2. A rope"),
            ("prose", "", "Ready?"),
        ],
    ),
    "quotations, tables, rules, bold headings": (
        "> One. Two.\n\n| a. B | c |\n|---|---|\n***\n**Lunch**\nSoup. Bread.\n* * *\n1️⃣ Go",
        [
            ("quote", "> ", "> One."),
            ("quote", "", "Two."),
            ("table", "", "| a. B | c |"),
            ("table", "", "|---|---|"),
            ("rule", "", "***"),
            ("heading", "", "**Lunch**"),
            ("prose", "", "Soup."),
            ("prose", "", "Bread."),
            ("rule", "", "* * *"),
            ("item", "1️⃣ ", "1️⃣ Go"),
        ],
    ),
    "code passes line by line": (
        "See:\n```py\nx = 1. Y\n\n  print()\n```\nDone. Ok.\n~~~\n```\nb. C\n~~~",
        [
            ("prose", "", "See:"),
            ("code", "", "```py"),
            ("code", "", "x = 1. Y"),
            ("code", "", "print()"),
            ("code", "", "```"),
            ("prose", "", "Done."),
            ("prose", "", "Ok."),
            ("code", "", "~~~"),
            ("code", "", "```"),
            ("code", "", "b. C"),
            ("code", "", "~~~"),
        ],
    ),
    "a longer fence holds a shorter one": (
        "````\n```\na. B\n````\nOut. Now",
        [
            ("code", "", "````"),
            ("code", "", "```"),
            ("code", "", "a. B"),
            ("code", "", "````"),
            ("prose", "", "Out."),
            ("prose", "", "Now"),
        ],
    ),
    "a bold number heads its line": (
        "**1. Rice**\nWash it.",
        [("heading", "", "**1. Rice**"), ("prose", "", "Wash it.")],
    ),
    "an unclosed fence ends with the text": (
        "```\na. B\n\nc. D",
        [("code", "", "```"), ("code", "", "a. B"), ("code", "", "c. D")],
    ),
    "code in a quotation ends with it": (
        "> ```\n> a. B\nOut. Now",
        [("code", "", "> ```"), ("code", "", "> a. B"), ("prose", "", "Out."), ("prose", "", "Now")],
    ),
    "backticks inside a line are no fence": (
        "```x``` is code. Yes.",
        [("prose", "", "```x``` is code."), ("prose", "", "Yes.")],
    ),
    "signs that only look like markers": (
        "#tag is one. #2 too.\n-5 degrees.\n3.5 is more.",
        [
            ("prose", "", "#tag is one."),
            ("prose", "", "#2 too."),
            ("prose", "", "-5 degrees."),
            ("prose", "", "3.5 is more."),
        ],
    ),
    "a bare marker": ("-\n\nText", [("item", "-", "-"), ("prose", "", "Text")]),
}


@pytest.mark.parametrize(("text", "wanted"), KINDS.values(), ids=KINDS)
def test_kinds_and_markers(text: str, wanted: list[tuple[str, str, str]]) -> None:
    assert kinds(text) == wanted


# What has been returned once the text so far is in: nothing is held longer than its decision needs.
PROMPT = [
    ("It rained. W", ["It rained."]),
    ("It rained.\n", ["It rained."]),
    ("Ask Dr. Li. S", ["Ask Dr. Li."]),
    ("no capitals. s", ["no capitals."]),
    ("你好。今", ["你好。"]),
    ("A title\n\n", ["A title"]),
    ("# A title\n", ["# A title"]),
    ("- an item\n- b", ["- an item"]),
    ("Love that idea <3 Yes. N", ["Love that idea <3", "Yes."]),
    ("keep it < 120. N", ["keep it < 120."]),
    ("<think>hm. N", ["<think>hm."]),
    ("```py\nx = 1\n", ["```py", "x = 1"]),
    ("Great! 😀 H", ["Great! 😀"]),
    ("A stray ` tick. " + "w" * 170, ["A stray ` tick."]),
    ('An "open quote. ' + "w" * 170, ['An "open quote.']),
    ("An (open bracket. So\n", ["An (open bracket."]),
    ("So long." + " " * 64, ["So long."]),
]


@pytest.mark.parametrize(("text", "wanted"), PROMPT)
def test_text_is_returned_as_soon_as_it_is_decided(text: str, wanted: list[str]) -> None:
    splitter = SentenceSplitter()
    assert [sentence.text for sign in text for sentence in splitter.feed(sign)] == wanted


# What must still be held: a later character could change the decision.
HELD = [
    "It rained.",
    "It rained. ",
    "It costs 3.",
    "Ask Dr. L",
    "Well..",
    "Wow!",
    'He said "go."',
    "1",
    "1.",
    "``",
    "```py",
]


@pytest.mark.parametrize("text", HELD)
def test_undecided_text_is_held(text: str) -> None:
    splitter = SentenceSplitter()
    assert [sentence for sign in text for sentence in splitter.feed(sign)] == []
    assert splitter.pending_characters == len(text)


# Alone or together these make every rule work: split at bars.
PIECES = st.sampled_from(
    [
        *"a|I|The|he|Dr|St|e.g|U.S|p.m|At 5 a.m.|etc|1|2|42|3.5|yahoo|step |von dem 3.|Mai|http://a.b/c?D=e.F|x@y.com".split(
            "|"
        ),
        *".|..|...|…|!|?|?!|。|！|。」| . . . |; |, |: |—|(|)|[|]|[1]|[12|“|”|\"|'|*|**|_|`|``|:)|:-|<3|<|你好".split(
            "|"
        ),
        *"-|- |* |# |## |> |1. |2) |1.) |a. |b. |• |•|[ ] |[x] |iv. |---|===|```|```py\n|~~~".split("|"),
        *"😀|\U0001f469\u200d\U0001f4bb|🇩🇪|👍🏽|1️⃣|\u200d|\ufe0f|\u0301|\u200b".split("|"),
        *"\n|\n\n|\r\n|\r|\x0b|\t|\xa0|\u2028|  \n|    ".split("|"),
        *[" "] * 12,
        "|",
        "." * 70,
        " " * 70,
        "(" * 9,
    ]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)
CAPS = st.sampled_from([None, None, None, 1, 2, 3, 7, 20, 60])


def check_stream(text: str, cuts: list[int], cap: int | None) -> None:
    whole, splitter = stream([text], cap)
    assert "".join(sentence.before + sentence.text for sentence in whole) + splitter.after == text
    assert splitter.pending_characters == 0
    for sentence in whole:
        assert text[sentence.start : sentence.end] == sentence.text == sentence.text.strip()
        assert sentence.text.startswith(sentence.marker)
        assert not sentence.before.strip()
        assert cap is None or len(sentence.text) <= cap
        assert sentence.text or sentence.kind == "space"
    places = sorted(cut % (len(text) + 1) for cut in cuts)
    chunks = [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]
    assert stream(chunks, cap)[0] == whole
    assert stream(list(text), cap)[0] == whole


@given(TEXTS, st.lists(st.integers(0, 10_000), max_size=6), CAPS)
@settings(max_examples=600, deadline=None)
def test_no_cut_changes_a_sentence(text: str, cuts: list[int], cap: int | None) -> None:
    check_stream(text, cuts, cap)


REPLIES = [
    json.loads(line)["reply"]
    for name in ("guard_dev", "natural_dev")
    for line in (DATA / "corpora" / f"{name}.jsonl").read_text("utf-8").splitlines()
]


@given(st.sampled_from(REPLIES), st.lists(st.integers(0, 10_000), max_size=20), CAPS)
@settings(max_examples=60, deadline=None)
def test_no_cut_changes_a_sentence_of_a_reply(reply: str, cuts: list[int], cap: int | None) -> None:
    check_stream(reply, cuts, cap)


@given(
    st.lists(
        st.sampled_from(["word ", "((", "``", '"', "a. ", "At 5 a.m. ", "1. ", "X. ", "e.g. ", "😀"]), min_size=150
    )
)
@settings(max_examples=30, deadline=None)
def test_the_last_chunk_may_come_with_the_close(pieces: list[str]) -> None:
    text = "".join(pieces)
    half = len(text) // 2
    splitter = SentenceSplitter()
    assert [*splitter.feed(text[:half]), *splitter.close(text[half:])] == sentences(text)


@given(
    st.lists(
        st.sampled_from(["word ", "((", "``", '"', "a. ", "At 5 a.m. ", "1. ", "X. ", "e.g. ", "😀"]), min_size=150
    )
)
@settings(max_examples=30, deadline=None)
def test_putting_text_aside_changes_nothing(pieces: list[str]) -> None:
    text = "".join(pieces)
    whole = sentences(text)
    window = sentences_module._WINDOW
    sentences_module._WINDOW = sentences_module.LOOK_BACK + 5
    try:
        assert stream(list(text))[0] == whole
    finally:
        sentences_module._WINDOW = window


def test_the_cap_cuts_at_fixed_places() -> None:
    found, splitter = stream(["abcde fghij klmnox. Q"], cap=8)
    assert [(sentence.text, sentence.cut) for sentence in found] == [
        ("abcde fg", True),
        ("hij klmn", True),
        ("ox.", False),
        ("Q", False),
    ]
    assert splitter.after == ""
    assert [sentence.text for sentence in SentenceSplitter(8).feed("abcde fg")] == ["abcde fg"]
    code = stream(["```\nabcdefgh\n```\nOut. Now"], cap=8)[0]
    assert [(sentence.kind, sentence.text) for sentence in code][-3:] == [
        ("code", "```"),
        ("prose", "Out."),
        ("prose", "Now"),
    ]


def test_white_space_as_long_as_the_cap_comes_as_a_piece() -> None:
    found, splitter = stream(["So.\n" + " " * 9 + "\nb"], cap=5)
    assert [(sentence.before, sentence.text, sentence.kind) for sentence in found] == [
        ("", "So.", "prose"),
        ("\n    ", "", "space"),
        ("     ", "", "space"),
        ("\n", "b", "prose"),
    ]
    assert splitter.after == ""


def test_wrong_calls() -> None:
    with pytest.raises(UsageError, match="cap must be at least 1"):
        SentenceSplitter(0)
    splitter = SentenceSplitter()
    splitter.feed("a. ")
    assert [sentence.text for sentence in splitter.close()] == ["a."]
    assert splitter.after == " "
    assert splitter.close() == []
    with pytest.raises(UsageError, match="closed"):
        splitter.feed("b")


def test_next_marker() -> None:
    markers = ["1. ", "9) ", "(3) ", "a. ", "z. ", "- ", "iv. ", "# "]
    assert [next_marker(marker) for marker in markers] == ["2.", "10)", "4)", "b.", "", "", "", ""]


HOSTILE = [
    "word ",
    ".",
    "(",
    "`",
    "\u200b",
    "a. ",
    "\n",
    "x\n",
    '"A. ',
    "(. ",
    "1. ",
    "> ",
    "😀 ",
    "! ",
    "```\n",
    "[1",
    ": ",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_time_grows_linearly(piece: str) -> None:
    def seconds(size: int) -> float:
        text = (piece * size)[:size]
        best = 9.0
        for _ in range(3):
            start = time.process_time()
            stream([text[place : place + 20] for place in range(0, size, 20)])
            best = min(best, time.process_time() - start)
        return best

    assert seconds(24_000) < 40 * max(seconds(3_000), 0.001)  # 8 times the text; 64 times if it were quadratic


def test_memory_does_not_grow_with_what_was_returned() -> None:
    splitter = SentenceSplitter()
    for _ in range(2000):
        splitter.feed("This is one more sentence. ")
    assert len(splitter._text) < 100
    splitter = SentenceSplitter()
    for _ in range(2000):
        splitter.feed("a sentence without an end ")
    assert len(splitter._text) < 2 * sentences_module._WINDOW


def test_the_segmentation_score_says_what_is_missing(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "build_scripts" / "segmentation.py"), "--data", str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "golden_rules_en.jsonl is missing" in run.stderr


def test_the_segmentation_score(tmp_path: Path) -> None:
    golden = {"id": "g1", "text": "It rained. We stayed.", "sentences": ["It rained.", "We stayed."]}
    (tmp_path / "golden_rules_en.jsonl").write_text(json.dumps(golden) + "\n", "utf-8")
    (tmp_path / "ewt_dev.jsonl").write_text(json.dumps({"sentences": ["One is.", "Two is", "Three."]}) + "\n", "utf-8")
    command = [sys.executable, str(ROOT / "build_scripts" / "segmentation.py"), "--data", str(tmp_path), "--json"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    figures = json.loads(run.stdout)["edgegate"]
    assert (figures["golden"], figures["retractions"]) == (1, 0)
    assert (figures["ewt"]["precision"], figures["ewt"]["recall"]) == (1.0, 0.5)
