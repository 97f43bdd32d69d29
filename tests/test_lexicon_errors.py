"""Faults in a lexicon: each names the file, the entry and the column, and says what to do. And loading: when is what
compiled, written and refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from edgegate.errors import DataError, UsageError
from edgegate.language import compiler, lexicon

HEAD = 'family = "f"\neffect = "e"\nscope = "none"\ncite = "c"\n'


def fault(*files: str, state_limit: int = compiler.STATE_LIMIT) -> str:
    """The message of the first fault in files a.toml, b.toml…"""
    sources = {f"{name}.toml": text.encode() for name, text in zip("abc", files, strict=False)}
    with pytest.raises(DataError) as caught:
        compiler.compile_sources(sources, state_limit=state_limit)
    return str(caught.value)


def entry(pattern: str, **fields: object) -> str:
    row = {"id": "f.x", "pattern": pattern, **fields}
    return "[[cue]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in row.items() if value is not None)


@pytest.mark.parametrize(
    ("pattern", "column", "message"),
    [
        ("so {nobody} said", 4, "unknown class {nobody}: define it under [class] in any lexicon file"),
        ("so {nobody", 4, "this class is never closed: add '}', or write \\{"),
        ("so nobody} said", 10, "'}' closes no class: remove it, or write \\}"),
        ("no (doubt|question", 4, "this group is never closed: add ')', or write \\("),
        ("no doubt)", 9, "')' closes no group: remove it, or write \\)"),
        ("no | doubt", 4, "'|' outside a group: put the alternatives into (…), or write \\|"),
        ("no (doubt|)", 11, "an empty alternative: write (…)? to make a group optional"),
        ("no () doubt", 5, "an empty alternative: write (…)? to make a group optional"),
        ("*3 doubt", 1, "a gap can't come first: start with a word, or with ^"),
        ("no *3", 4, "a gap can't come last: end with a word, or with $"),
        ("no *3 doubt?", 4, "a gap can't come last: end with a word, or with $"),
        ("(^|so)? *3 doubt", 9, "a gap can't come first: start with a word, or with ^"),
        ("no *7 doubt", 4, "a gap is written *1 to *6"),
        ("no * doubt", 4, "a gap is written *1 to *6"),
        ("no *0 doubt", 4, "a gap is written *1 to *6"),
        ("no *2? doubt", 6, "a gap or a sentence edge can't be optional: a gap may already be empty"),
        ("what ?", 6, "'?' must follow what it makes optional; write \\? for a question mark"),
        ("no ~", 4, None),
        ("no ~3 doubt", 4, "'~' needs a word right behind it, as in ~say; write \\~ for the sign"),
        ("no doubt\\", 9, "nothing follows '\\': write \\\\ for the sign itself"),
        ("no ^ doubt", 4, "'^' and '$' stand only at the outer ends of a pattern"),
        ("$ no doubt", 1, "'$' stands at the end of a pattern"),
        ("no doubt ^", 10, "'^' stands at the start of a pattern"),
        ("no? doubt?", 1, "this pattern matches nothing at all: make at least one word obligatory"),
        ("", 1, "this pattern matches nothing at all: make at least one word obligatory"),
        ("no \u200b doubt", 4, "this holds no visible character"),
    ],
)
def test_a_fault_in_a_pattern_names_file_line_entry_and_column(pattern: str, column: int, message: str | None) -> None:
    text = HEAD + "\n" + entry("fine", id="f.fine") + entry(pattern)
    if message is None:
        compiler.compile_sources({"a.toml": text.encode()})
        return
    line = text.splitlines().index(f"pattern = {json.dumps(pattern)}") + 1
    if json.dumps(pattern) != f'"{pattern}"':
        line -= 1  # written with escapes, it is not found as it is: then the entry's own line stands
    assert fault(text) == f"a.toml, line {line}, cue 'f.x', column {column}: {message} (in the pattern {pattern!r})"


@pytest.mark.parametrize(
    ("pattern", "column", "message"),
    [
        ("'s late", 1, "a short form such as 's must follow a word, as in (it|that)'s"),
        ("(is|'s) late", 5, "a short form such as 's must follow a word, as in (it|that)'s"),
        ("so *2 's late", 7, "a short form such as 's must follow a word, not a gap, a number or a sentence edge"),
    ],
)
def test_a_short_form_with_no_word_to_join(pattern: str, column: int, message: str) -> None:
    text = HEAD + entry(pattern) + '[tables]\nshort_forms = ["\'s"]\n'
    assert fault(text) == f"a.toml, line 7, cue 'f.x', column {column}: {message} (in the pattern {pattern!r})"


def test_a_fault_in_a_list_of_patterns_finds_its_line() -> None:
    text = HEAD + '[[cue]]\nid = "f.x"\npattern = [\n  "fine",\n  "not (fine",\n]\n'
    assert fault(text).startswith("a.toml, line 9, cue 'f.x', column 5: this group is never closed")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"cite": None}, "no cite: write it in the entry or at the head of the file"),
        ({"cite": " "}, "no cite: write it in the entry or at the head of the file"),
        ({"scope": "behind"}, "unknown scope 'behind': write one of none, after, before, clause, sentence"),
        ({"effect": "De-nies!"}, "unknown effect 'De-nies!': write one word"),
        ({"id": "x"}, "an id is written family.slug, the slug in small letters and digits, joined by hyphens"),
        ({"id": "f.X"}, "an id is written family.slug, the slug in small letters and digits, joined by hyphens"),
        ({"id": "g.x"}, "the id does not begin with its family: write f.x"),
        ({"pattern": []}, "no pattern: write a text, or a list of texts"),
        ({"pattern": None}, "no pattern: write a text, or a list of texts"),
        ({"pattern": [3]}, "no pattern: write a text, or a list of texts"),
        ({"blocks": ["g"]}, "'blocks' stands only in an entry whose effect is \"block\": "
         "change the effect, or take it out"),
        ({"effect": "block", "blocks": "g"}, "'blocks' is a list of families"),
        ({"cites": "x"}, "unknown key 'cites'; known are blocks, cite, effect, family, id, note, pattern, scope"),
    ],
)  # fmt: skip
def test_a_fault_in_an_entry_names_it(fields: dict[str, object], message: str) -> None:
    head = HEAD.replace('cite = "c"\n', "") if "cite" in fields else HEAD
    row = {"pattern": "no doubt", **fields}
    name = row.get("id", "f.x")
    text = head + "\n" + entry(**row)  # type: ignore[arg-type]
    assert fault(text) == f"a.toml, line {len(head.splitlines()) + 3}, cue '{name}': {message}"


def test_effects_are_those_of_the_table() -> None:
    table = '[tables.effects]\nf = ["denies"]\n'
    text = HEAD + entry("a", effect="denies") + entry("b", id="f.y", effect="block") + table
    compiler.compile_sources({"a.toml": text.encode()})
    assert "unknown effect 'e': write one of denies, or add it to the table 'effects'" in fault(
        HEAD + entry("a") + table
    )
    other = entry("a", id="g.x", family="g") + table
    assert "unknown family 'g': write one of f, or add it to the table 'effects'" in fault(HEAD + other)


def test_two_entries_of_one_name() -> None:
    message = fault(HEAD + entry("a"), HEAD + entry("b"))
    assert (
        message == "b.toml, line 6, cue 'f.x': this id is already used in a.toml, line 6, cue 'f.x': rename one of them"
    )


@pytest.mark.parametrize("kind", ["class", "tables"])
def test_two_tables_or_classes_of_one_name(kind: str) -> None:
    text = f'[{kind}]\nmonths = ["may"]\n'
    assert fault(text, text) == f"b.toml, [{kind}] months: already defined in a.toml: rename one, or merge them"


def test_classes_that_hold_each_other() -> None:
    text = HEAD + entry("{a} b") + '[class]\na = ["x", "{b}"]\nb = ["{c}"]\nc = ["y {b}"]\n'
    assert fault(text) == "a.toml, [class] b: this class holds itself (b > c > b): take one of them out"


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ('["x *2 y"]', "a.toml, [class] k: a class can't hold a gap or a sentence edge (in the member 'x *2 y')"),
        ('["^ x"]', "a.toml, [class] k: a class can't hold a gap or a sentence edge (in the member '^ x')"),
        ('["x (y"]', "a.toml, [class] k, column 3: this group is never closed: add ')', or write \\( "
         "(in the member 'x (y')"),
        ('["x {z}"]', "a.toml, [class] k, column 3: unknown class {z}: define it under [class] in any lexicon file "
         "(in the member 'x {z}')"),
        ("[]", "a.toml, [class] k: a class is a list of words or short patterns, not empty"),
        ("3", "a.toml, [class] k: a class is a list of words or short patterns, not empty"),
    ],
)  # fmt: skip
def test_a_fault_in_a_class_names_it_even_unused(members: str, message: str) -> None:
    assert fault(f"[class]\nk = {members}\n") == message


def test_a_pattern_that_explodes_is_named() -> None:
    # Which of the many a's and b's the gaps ran over must be remembered: states multiply.
    wild = "a *6 (a|b) *6 (a|c) *6 (b|c) *6 (a|b|c) d"
    message = fault(HEAD + entry("tame", id="f.tame") + entry(wild), state_limit=100)
    assert message.startswith("a.toml, line 10, cue 'f.x': too ambiguous: the automaton needs more than 100 states, ")
    assert message.endswith(f"shorten its gaps, or write fewer of them side by side (in the pattern '{wild}')")


def test_a_file_that_is_no_toml_or_has_unknown_keys() -> None:
    assert fault("family = ").startswith("a.toml: not readable as TOML: ")
    assert fault("cues = 1").startswith("a.toml: unknown key 'cues'; known are ")
    assert fault("[tables]\nday = 2026-03-14\n").startswith("a.toml, [tables] day: a table holds texts, numbers, ")


def test_all_faults_at_once() -> None:
    text = HEAD + entry("a (b") + entry("c", id="f.y", scope="x") + entry("d", id="f.z")
    problems: list[DataError] = []
    made = compiler.compile_sources({"a.toml": text.encode()}, problems)
    assert [str(problem).split(":")[0] for problem in problems] == [
        "a.toml, line 7, cue 'f.x', column 3",
        "a.toml, line 9, cue 'f.y'",
    ]
    assert [cue[0] for cue in made["cues"]] == ["f.x", "f.z"]


# --- loading -----------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.toml").write_text(HEAD + entry("no doubt") + '[tables]\nmonths = ["may"]\n')
    return tmp_path


def test_a_checkout_compiles_again_when_a_source_changes(folder: Path) -> None:
    first = lexicon.load(folder)
    path = folder / lexicon.COMPILED
    written = path.read_text()
    assert written == lexicon.dump(first)
    assert json.loads(written) == first
    path.write_text(written.replace('"no","doubt"', "").replace('"f.x"', '"f.kept"'))
    assert lexicon.load(folder)["cues"][0][0] == "f.kept", "fresh sources are not compiled again"
    (folder / "b.toml").write_text(HEAD + entry("maybe", id="f.y"))
    second = lexicon.load(folder)
    assert [cue[0] for cue in second["cues"]] == ["f.x", "f.y"]
    assert second["hash"] != first["hash"]
    assert json.loads(path.read_text()) == second


def test_a_checkout_compiles_again_when_the_compiler_changes(folder: Path) -> None:
    made = lexicon.load(folder)
    (folder / lexicon.COMPILED).write_text(lexicon.dump({**made, "compiler": "another", "cues": []}))
    assert lexicon.load(folder) == made


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"format": 1}', b"\xff"])
def test_a_checkout_gets_over_a_damaged_file(folder: Path, damage: bytes) -> None:
    (folder / lexicon.COMPILED).write_bytes(damage)
    assert lexicon.load(folder)["cues"][0][0] == "f.x"
    assert lexicon.load(folder) == json.loads((folder / lexicon.COMPILED).read_text())


def test_a_folder_that_cannot_be_written_is_no_obstacle(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(os, "replace", refuse)
    assert lexicon.load(folder)["cues"][0][0] == "f.x"
    assert sorted(path.name for path in folder.iterdir()) == ["a.toml"]


def test_a_wheel_reads_its_file_and_refuses_another_format(folder: Path) -> None:
    made = lexicon.load(folder)
    (folder / "a.toml").unlink()
    path = folder / lexicon.COMPILED
    assert lexicon.load(folder) == made
    path.write_text(lexicon.dump({**made, "format": 99}))
    with pytest.raises(DataError, match=r"this is format 99 and format \d+ is needed: install the package again"):
        lexicon.load(folder)
    for damage in ("", "{"):
        path.write_text(damage)
        with pytest.raises(DataError, match="no readable compiled lexicon here: install the package again"):
            lexicon.load(folder)
    path.unlink()
    with pytest.raises(DataError, match="no readable compiled lexicon here"):
        lexicon.load(folder)


def test_processes_that_compile_at_once_do_not_break_each_other(folder: Path) -> None:
    code = (
        "import sys, pathlib; from edgegate.language import lexicon; "
        "print(lexicon.load(pathlib.Path(sys.argv[1]))['hash'])"
    )
    root = Path(lexicon.__file__).parents[2]
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(folder)], cwd=root, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    hashes = {process.communicate(timeout=60)[0] for process in running}
    assert [process.returncode for process in running] == [0] * 4
    assert len(hashes) == 1
    assert sorted(path.name for path in folder.iterdir()) == ["a.toml", lexicon.COMPILED]


def test_the_same_sources_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("classes.toml", "inflections.toml", "negation.toml"):
        shutil.copy(lexicon.FOLDER / name, tmp_path)
    code = "import sys, pathlib; from edgegate.language import lexicon, compiler; "
    code += "print(lexicon.dump(compiler.compile_lexicons(pathlib.Path(sys.argv[1]))))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            cwd=Path(lexicon.__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1


def test_tables_come_as_plain_data_and_unknown_ones_are_refused() -> None:
    assert lexicon.table("inflections")["say"] == ("says", "said", "saying")
    with pytest.raises(UsageError, match="no such table; known are"):
        lexicon.table("nothing of the kind")
