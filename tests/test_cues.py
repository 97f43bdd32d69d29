"""Cues: the pattern language, matching, blocking, scope and streaming, against tables and a naive matcher."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgegate.errors import UsageError
from edgegate.language import compiler, lexicon, trees
from edgegate.language.cues import CueMatch, Scanner, scan
from edgegate.language.machine import Machine
from edgegate.language.text import tokenise

HEAD = 'family = "f"\neffect = "e"\nscope = "none"\ncite = "c"\n'


def compiled(entries: list[dict[str, object]], extra: str = "") -> Machine:
    """A machine for entries whose left-out fields have plain defaults."""
    text = HEAD
    for number, entry in enumerate(entries):
        row = {"id": f"{entry.get('family', 'f')}.c{number}", **entry}
        text += "[[cue]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in row.items())
    made = compiler.compile_sources({"a.toml": (text + extra).encode()})
    return Machine(made["automaton"], lexicon.read_cues(made))


def found(patterns_: list[str], text: str, extra: str = "") -> list[str]:
    """The words that patterns of one family find in a text."""
    machine = compiled([{"pattern": pattern} for pattern in patterns_], extra)
    return [match.text for match in scan(tokenise(text), using=machine)]


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("no doubt", "No doubt, no  doubt; no, doubt", ["No doubt", "no  doubt"]),
        ("so-called", "the so-called and so - called thing", ["so-called", "so - called"]),
        ("don't", "Don’t, don't, dont", ["Don’t", "don't"]),
        ("no", "no nope no-one know", ["no", "no"]),
        ("no (doubt|real question)", "no doubt no real question no question", ["no doubt", "no real question"]),
        ("very? good", "very good, good, very very good", ["very good", "good", "very good"]),
        ("a (b c)? d", "a d, a b c d, a b d", ["a d", "a b c d"]),
        ("a (b|c)?? d", "a d a b d a c d", ["a d", "a b d", "a c d"]),
        ("i *2 think", "I think, I do think, I really do think, I really do not think",
         ["I think", "I do think", "I really do think"]),
        ("i *3 think", "I, think. I 3 think", ["I 3 think"]),
        ("a *2 b", "a a b a b b", ["a a b", "a b b"]),
        ("a *2 b *1 c", "a x b b c a b c c a x y b z c", ["a x b b c", "a b c c", "a x y b z c"]),
        # Two positions in one gap: the one that may still go further counts.
        ("a *2 b *2 c", "a b b x x c", ["a b b x x c"]),
        ("a *2 b *2 c", "a b b x x x c", []),
        ("~say so", "says so said so saying so say so sayed so", ["says so", "said so", "saying so", "say so"]),
        ("~try", "tries tried trying", ["tries", "tried", "trying"]),
        ("about #", "about 3 about 3.5 about 9am about x", ["about 3", "about 3.5", "about 9am"]),
        ("# of may", "the 3rd of May, x3 of May", ["3rd of May"]),
        ("# or 7", "7 or 7 8 or 7 x or 7", ["7 or 7", "8 or 7"]),
        ("^ so", "So, so it is", ["So"]),
        ("^ so", "\"So\" it is", ["So"]),
        ("again $", "again and again?!\")", ["again"]),
        ("again $", "again and", []),
        ("again \\? $", "again? again?", ["again?"]),
        ("^ again $", "Again.", ["Again"]),
        ("(^|and) so", "so and so, so", ["so", "and so"]),
        ("so ($|\\?)", "so so? so", ["so?", "so"]),
        ("^ *2 says no", "My mum says no, she says no.", ["My mum says no"]),
        ("^ *2 says no", "Says no", ["Says no"]),
        ("^ *2 says no", "My own mum says no.", []),
        ("(^|and) *1 so", '"Not so and very so, so', ["Not so", "and very so"]),
        ("so *2 $", "so, so it ends!", ["so it ends"]),
        ("so *2 $", "so it is all over", []),
        ("rarely , if ever", "rarely, if ever", ["rarely, if ever"]),
        ("what \\?", "what?", ["what?"]),
        ("a \\| \\( b", "a | ( b", ["a | ( b"]),
        ("~ 5", "~5", ["~5"]),
        ("{kin} said", "mum said, father in law said", ["mum said", "father in law said"]),
        ("i ('m|am) so", "I'm so, I am so, i' m so", ["I'm so", "I am so"]),
        ("(i|you) (too)? ('ve|have) (got)? it", "I've it, you too have got it", ["I've it", "you too have got it"]),
        ("{kin}'s idea", "Mum’s idea, mum idea", ["Mum’s idea"]),
        ("{kin} {be} in", "mum's in, mum is in, father in law's in", ["mum's in", "mum is in", "father in law's in"]),
        ("do n't {be}", "don't is, don't's, do n't is", ["don't is", "don't's"]),
        ("(^|and) it 's", "It's and it's it's", ["It's", "and it's"]),
        ("my {kin}? {kin}", "my mum father in law", ["my mum father in law"]),
    ],
)  # fmt: skip
def test_pattern_language(pattern: str, text: str, expected: list[str]) -> None:
    extra = '[class]\nbe = ["\'s", "is"]\nkin = ["mum", "{old} in law"]\nold = ["father", "mother"]\n'
    extra += (
        '[tables]\nshort_forms = ["\'s", "\'m", "\'ve", "n\'t"]\ninflections = {say = ["says", "said", "saying"]}\n'
    )
    assert found([pattern], text, extra) == expected


@pytest.mark.parametrize(
    ("patterns_", "text", "expected"),
    [
        (["may", "may well", "may well be", "well be so"], "it may well be so", ["may well be"]),
        (["a b", "b c", "c"], "a b c", ["a b", "c"]),
        (["a *3 d", "b"], "a b c d", ["a b c d"]),
        (["a *3 d", "b"], "a b c e", ["b"]),
        (["a b c d", "b c"], "a b c e", ["b c"]),
    ],
)
def test_leftmost_longest_in_a_family(patterns_: list[str], text: str, expected: list[str]) -> None:
    assert found(patterns_, text) == expected


@pytest.mark.parametrize(
    ("patterns_", "winner"), [(["7", "# $"], "f.c0"), (["# $", "7"], "f.c0"), (["a", "(a|b)"], "f.c0")]
)
def test_of_equal_length_the_entry_written_first_wins(patterns_: list[str], winner: str) -> None:
    machine = compiled([{"pattern": pattern} for pattern in patterns_])
    tokens = tokenise("x a" if "a" in patterns_ else "x 7")
    assert [match.cue.id for match in scan(tokens, using=machine)] == [winner]
    scanner = Scanner(using=machine)
    assert [match.cue.id for match in [*scanner.feed(tokens), *scanner.close()]] == [winner]


def test_gaps_side_by_side_keep_the_automaton_small() -> None:
    # Without giving up positions that another outruns, this takes over 7,000 states on the way.
    text = HEAD + '[[cue]]\nid = "f.x"\npattern = "x *6 (a|b) *6 (a|c) *6 d"\n'
    made = compiler.compile_sources({"a.toml": text.encode()}, state_limit=400)
    assert len(made["automaton"]["states"].splitlines()) < 400


def test_families_overlap_and_can_be_chosen() -> None:
    machine = compiled([{"pattern": "i think"}, {"pattern": "think so", "family": "g"}, {"pattern": "so"}])
    tokens = tokenise("I think so")
    assert [(m.cue.id, m.first, m.last) for m in scan(tokens, using=machine)] == [
        ("f.c0", 0, 2),
        ("g.c1", 1, 3),
        ("f.c2", 2, 3),
    ]
    assert [m.cue.id for m in scan(tokens, {"g"}, using=machine)] == ["g.c1"]
    assert scan(tokens, (), using=machine) == []
    with pytest.raises(UsageError, match=r"unknown family 'h'; known are f, g"):
        scan(tokens, {"h"}, using=machine)


BLOCK = {"effect": "block"}


@pytest.mark.parametrize(
    ("entries", "text", "expected"),
    [
        ([{"pattern": "no"}, {"pattern": "no doubt", **BLOCK}], "no doubt no", ["f.c0 2"]),
        ([{"pattern": "doubt"}, {"pattern": "no doubt", **BLOCK}], "no doubt", []),
        # A longer cue than the block stands; so does one that only reaches into it.
        ([{"pattern": "no doubt at all"}, {"pattern": "no doubt", **BLOCK}], "no doubt at all", ["f.c0 0"]),
        ([{"pattern": "doubt it"}, {"pattern": "no doubt", **BLOCK}], "no doubt it", ["f.c0 1"]),
        ([{"pattern": "i may"}, {"pattern": "may 5", **BLOCK}], "i may 5", ["f.c0 0"]),
        # Equal in length: the block wins, it was written to do so.
        ([{"pattern": "may"}, {"pattern": "may", **BLOCK}], "may", []),
        # A cancelled cue takes no room: what overlaps it is found.
        ([{"pattern": "a b"}, {"pattern": "b c"}, {"pattern": "x a b", **BLOCK}], "x a b c", ["f.c1 2"]),
        # Blocks reach other families only by name.
        ([{"pattern": "no", "family": "g"}, {"pattern": "no doubt", **BLOCK}], "no doubt", ["g.c0 0"]),
        ([{"pattern": "no", "family": "g"}, {"pattern": "no doubt", **BLOCK, "blocks": ["g"]}], "no doubt", []),
    ],
)
def test_blocked_cues(entries: list[dict[str, object]], text: str, expected: list[str]) -> None:
    matches = scan(tokenise(text), using=compiled(entries))
    assert [f"{match.cue.id} {match.first}" for match in matches] == expected


@pytest.mark.parametrize(
    ("scope", "text", "governed"),
    [
        ("none", "It is not late", ""),
        ("after", "It is not late", "late"),
        ("after", "It is not late; we go", "late;"),
        ("after", "He was not late but tired", "late"),
        ("after", "He was not cheap albeit good", "cheap"),
        ("after", "Not sure who came", "sure who came"),
        ("before", "He was tired but late not", "but late"),
        ("before", "He was tired albeit late not", "late"),
        ("before", "We go; it is late not", "it is late"),
        ("clause", "We go; it is not late, but ok", "it is not late,"),
        ("sentence", "We go; it is not late.", "We go; it is not late."),
        ("after", "Late it is not", ""),
        ("before", "Not late", ""),
    ],
)
def test_scope(scope: str, text: str, governed: str) -> None:
    tokens = tokenise(text)
    (match,) = scan(tokens, using=compiled([{"pattern": "not", "scope": scope}]))
    assert tokens.quote(match.scope_first, match.scope_last) == governed


def test_a_match_explains_itself() -> None:
    machine = compiled([{"pattern": "don’t", "scope": "after", "effect": "denies", "cite": "Somebody 1999"}])
    (match,) = scan(tokenise("🙂 I DON’T know"), using=machine)
    assert match.explain() == 'f.c0 "DON’T": denies "know" (Somebody 1999)'
    assert (match.start, match.end, match.text) == (4, 9, "DON’T")
    assert "f.c0" in repr(match)


def test_nothing_in_nothing() -> None:
    machine = compiled([{"pattern": "a"}, {"pattern": "^ b $"}])
    for text in ("", " ", "...", "🙂"):
        assert scan(tokenise(text), using=machine) == []
    assert Scanner(using=machine).close() == []


# --- against a naive matcher -------------------------------------------------------------------------------------

WORDS = ["a", "b", "c", "d", "7", "8x", ","]
_word = st.sampled_from(["a", "b", "c", "7", ","])
_piece = st.deferred(
    lambda: st.one_of(
        _word,
        _word,
        st.just("#"),
        st.just("{k}"),
        st.lists(_inner, min_size=2, max_size=3).map(lambda options: f"({'|'.join(options)})"),
        st.one_of(_word, st.just("{k}")).map(lambda word: f"{word}?"),
    )
)
_inner = st.lists(_piece, min_size=1, max_size=2).map(" ".join)
_gap = st.integers(1, 3).map(lambda longest: f"*{longest}")


@st.composite
def _pattern(draw: st.DrawFn) -> str:
    parts = [draw(_piece)]
    for _ in range(draw(st.integers(0, 3))):
        if draw(st.booleans()) and draw(st.booleans()):
            parts.append(draw(_gap))
        parts.append(draw(_piece))
    for place, edge in ((len(parts), "$"), (0, "^")):
        if draw(st.integers(0, 5)) == 0:
            edges = [edge, draw(_gap)] if draw(st.booleans()) else [edge]
            parts[place:place] = edges if edge == "^" else edges[::-1]
    return " ".join(parts)


_entry = st.fixed_dictionaries(
    {
        "pattern": st.lists(_pattern(), min_size=1, max_size=2),
        "family": st.sampled_from(["f", "g"]),
        "effect": st.sampled_from(["e", "e", "block"]),
        "scope": st.sampled_from(compiler.SCOPES),
    }
)
_text = st.lists(st.sampled_from([*WORDS, "but", ";"]), max_size=14).map(" ".join)
CLASS = '[class]\nk = ["b", "c a"]\n'


def _ends(node: trees.Node, words: list[str], at: int) -> Iterator[int]:
    """Where `node` can end if it begins at `at`."""
    if isinstance(node, trees.Words):
        if at < len(words) and words[at] in node.words:
            yield at + 1
    elif isinstance(node, trees.Digit):
        if at < len(words) and words[at][0].isdigit():
            yield at + 1
    elif isinstance(node, trees.Gap):
        yield at
        for end in range(at + 1, at + node.longest + 1):
            if end > len(words) or words[end - 1] in (",", ";"):
                return
            yield end
    elif isinstance(node, trees.Edge):
        rest = words[at:] if node.end else words[:at]
        if all(word in (",", ";") for word in rest):
            yield at
    elif isinstance(node, trees.Choice):
        for option in node.options:
            yield from _ends(option, words, at)
    elif node.parts:
        for end in _ends(node.parts[0], words, at):
            yield from _ends(trees.Sequence_(node.parts[1:]), words, end)
    else:
        yield at


def _naive(entries: list[dict[str, object]], words: list[str]) -> list[tuple[int, int, str]]:
    """All that stands, worked out from the definitions: every match, then blocking, then leftmost-longest."""
    spans: dict[str, list[tuple[int, int, int]]] = {"f": [], "g": []}
    blocks: dict[str, list[tuple[int, int]]] = {"f": [], "g": []}
    classes = compiler.Classes({"k": ("a.toml", ["b", "c a"])}, lambda word: [word])
    for number, entry in enumerate(entries):
        family = str(entry["family"])
        for pattern in entry["pattern"]:  # type: ignore[attr-defined]
            tree = classes.parse(pattern)
            for first in range(len(words)):
                for last in set(_ends(tree, words, first)):
                    if entry["effect"] == "block":
                        blocks[family].append((first, last))
                    else:
                        spans[family].append((first, -last, number))
    standing = []
    for family, matches in spans.items():
        taken = 0
        for first, minus_last, number in sorted(matches):
            covered = any(begin <= first and -minus_last <= end for begin, end in blocks[family])
            if first >= taken and not covered:
                taken = -minus_last
                standing.append((first, taken, f"{family}.c{number}"))
    return sorted(standing)


def _usable(entries: list[dict[str, object]]) -> Machine | None:
    try:
        return compiled(entries, CLASS)
    except compiler.DataError:
        return None


@settings(max_examples=150, deadline=None)
@given(st.lists(_entry, min_size=1, max_size=5), st.lists(_text, min_size=1, max_size=6))
def test_scan_finds_what_the_naive_matcher_finds(entries: list[dict[str, object]], texts: list[str]) -> None:
    machine = _usable(entries)
    if machine is None:
        return
    for text in texts:
        tokens = tokenise(text)
        matches = scan(tokens, using=machine)
        assert sorted((m.first, m.last, m.cue.id) for m in matches) == _naive(entries, tokens.words)
        assert [m.first for m in matches] == sorted(m.first for m in matches)


@st.composite
def _pieces(draw: st.DrawFn) -> list[str]:
    words = draw(st.lists(st.sampled_from([*WORDS, "but", ";"]), max_size=14))
    cuts = sorted(draw(st.sets(st.integers(0, len(words)))))
    edges = [0, *cuts, len(words)]
    return ["".join(f"{word} " for word in words[start:end]) for start, end in pairwise(edges)]


@settings(max_examples=150, deadline=None)
@given(st.lists(_entry, min_size=1, max_size=5), st.lists(_pieces(), min_size=1, max_size=4))
def test_any_chunking_gives_the_same_matches(entries: list[dict[str, object]], texts: list[list[str]]) -> None:
    machine = _usable(entries)
    if machine is None:
        return
    scanner = Scanner(using=machine)
    for pieces in texts:
        matches: list[CueMatch] = []
        for piece in pieces:
            matches += scanner.feed(tokenise(piece))
        matches += scanner.close()
        expected = scan(tokenise("".join(pieces)), using=machine)
        assert sorted(map(repr, matches)) == sorted(map(repr, expected))


def _when(patterns_: list[str], words: list[str], scope: str = "none") -> list[int | str]:
    """After which word each match comes out; "end" for at the end of the sentence."""
    scanner = Scanner(using=compiled([{"pattern": pattern, "scope": scope} for pattern in patterns_]))
    out: list[int | str] = []
    for number, word in enumerate(words):
        out += [number for _ in scanner.feed(tokenise(f"{word} "))]
    return [*out, *("end" for _ in scanner.close())]


@pytest.mark.parametrize(
    ("patterns_", "words", "expected"),
    [
        (["a"], ["a", "b"], [0]),
        (["a", "a b"], ["a", "c"], [1]),
        (["a", "a b"], ["a", "b"], [1]),
        (["a *2 b", "a"], ["a", "x", "x", "x"], [3]),
        (["a *2 b", "a"], ["a", "x", ",", "x"], [2]),
        (["a x $", "x"], ["a", "x", ","], ["end"]),
        (["a x $", "x"], ["a", "x", ",", "y"], [3]),
        (["^ a"], [",", "a", "a"], [1]),
    ],
)
def test_a_match_comes_out_as_soon_as_nothing_can_change_it(
    patterns_: list[str], words: list[str], expected: list[int | str]
) -> None:
    assert _when(patterns_, words) == expected


def test_a_match_that_governs_waits_for_what_it_governs() -> None:
    assert _when(["a"], ["a", "b"], scope="after") == ["end"]


def states(patterns_: list[str]) -> int:
    made = compiler.compile_sources({"a.toml": (HEAD + f'[[cue]]\nid = "f.c"\npattern = {patterns_}\n').encode()})
    return len(made["automaton"]["states"].split("\n"))


def test_gaps_that_go_along_do_not_multiply() -> None:
    """Ten patterns that begin alike and then have a gap each take ten times the states of one, not their product."""
    alike = [f"a *6 {word} *6 end" for word in "bcdefghijk"]
    assert states(alike) <= 10 * states(alike[:1])


def test_a_gap_beside_many_plain_patterns_leaves_them_as_they_are() -> None:
    plain = [f"a {first} {second} {third}" for first in "bcd" for second in "efg" for third in "hij"]
    gap = ["a *4 h"]
    assert states(plain + gap) <= states(plain) + states(gap)


def test_a_long_sentence_takes_linear_work() -> None:
    machine = compiled([{"pattern": "a *6 a *6 b"}, {"pattern": "a"}, {"pattern": "b $"}])
    Scanner(using=machine).feed(tokenise("a "))  # how a sentence may begin is kept from then on
    steps = 0
    plain = machine.step

    def counted(state: int, word: str) -> int:
        nonlocal steps
        steps += 1
        return plain(state, word)

    machine.step = counted  # type: ignore[method-assign]
    work = []
    for length in (500, 1000, 2000):
        steps = 0
        scanner = Scanner(using=machine)
        for _ in range(length):
            scanner.feed(tokenise("a "))
        scanner.close()
        work.append(steps)
    assert work[2] - work[1] == 2 * (work[1] - work[0])
