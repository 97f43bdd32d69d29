"""The scoring of cue lexicons against annotated corpora, on a small corpus of own sentences."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from build_scripts.cue_scores import main, measures

SENTENCES = [
    *(("The pool is not heated.", True) for _ in range(3)),
    ("The pool is warm.", False),
    ("No towels are left.", True),
    ("He never swims.", False),  # an annotator who disagrees
    ("The sauna is shut.", True),  # a denial without a cue
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with gzip.open(tmp_path / "ud_ewt_negation_condition.jsonl.gz", "wt", encoding="utf-8") as file:
        for text, marked in SENTENCES:
            file.write(json.dumps({"text": text, "negation": ["x"] if marked else [], "condition": []}) + "\n")
    return tmp_path


def test_every_corpus_has_its_own_row_and_what_is_absent_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(folder), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    row = next(line for line in result["rows"] if line["row"] == "negation, EWT")
    assert (row["sentences"], row["gold"], row["found"], row["missed"], row["false_alarms"]) == (7, 5, 4, 1, 1)
    assert (row["precision"], row["recall"]) == (0.8, 0.8)
    assert "negation, BioScope" in result["absent"]
    assert main(["--data", str(folder)]) == 0
    assert "absent" in capsys.readouterr().out


def test_balanced_f1_takes_half_of_the_sentences_as_marked() -> None:
    """Recall 0.8, false positive rate 0.1: precision at even odds is 0.8 / 0.9."""
    values = measures(true=8, false=9, missed=2, rest=81)
    assert values["precision"] == round(8 / 17, 4)
    assert values["balanced_f1"] == round(2 * (8 / 9) * 0.8 / (8 / 9 + 0.8), 4)
    assert set(measures(0, 0, 0, 0).values()) == {0.0}


def test_veto_lists_entries_that_the_corpus_speaks_against(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("build_scripts.cue_scores.KEPT_FIRINGS", 1)
    assert main(["--data", str(folder), "--veto", "negation", "--json"]) == 0
    lines = json.loads(capsys.readouterr().out)
    assert [(line["what"], line["firings"], line["marked"]) for line in lines] == [("negation.never", 1, 0)]
    assert main(["--data", str(folder), "--veto", "negation", "--surface"]) == 0
    assert "“never”" in capsys.readouterr().out


def test_no_folder_is_said_clearly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path / "nowhere")]) == 2
    assert "not part of the project" in capsys.readouterr().err
    assert main(["--data", str(tmp_path), "--only", "negation"]) == 2
