"""`edgegate read` and `edgegate forget` as a person runs them: a file, standard input, JSON Lines, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from edgegate.__main__ import cli


def run(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(cli, list(arguments), input=given)


READ = [
    (["--text", "remember that I row"], "", 0, "remember"),
    ([], "Remind me on Thursday to pay the rent", 0, "reminder: Remind the user on Thursday to pay the rent"),
    ([], '{"message": "don\'t save this: I row"}\n{"message": "thanks"}\n', 1, "refusal"),
]


@pytest.mark.parametrize(("arguments", "given", "code", "shown"), READ)
def test_read(arguments: list[str], given: str, code: int, shown: str) -> None:
    result = run("read", *arguments, given=given)
    assert (result.exit_code, shown in result.output) == (code, True)


def test_read_as_json_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "messages.jsonl"
    path.write_text('{"message": "I\'m Oona and I repair clocks"}\n{"message": "what do you know about me"}\n', "utf-8")
    lines = [json.loads(line) for line in run("read", str(path), "--json").output.splitlines()]
    assert [line["intent"] for line in lines] == ["chat", "question"]
    assert lines[0]["facts"][1] == {"text": "The user repairs clocks", "kind": "fact"}


FORGET = [
    (["--memory", "The user rows", "--request", "forget that I row"], "", 0, "delete"),
    (["--memory", "My dog Pip", "--memory", "My dog Mo", "--request", "forget my dog"], "", 1, "ask"),
    ([], '{"memories": ["The user rows"], "request": "forget my shoe size"}', 0, "none"),
]


@pytest.mark.parametrize(("arguments", "given", "code", "outcome"), FORGET)
def test_forget(arguments: list[str], given: str, code: int, outcome: str) -> None:
    result = run("forget", *arguments, "--json", given=given)
    assert (result.exit_code, json.loads(result.output)["outcome"]) == (code, outcome)
    assert run("forget", *arguments, given=given).output.startswith(f"{outcome}: ")


def test_bad_data_names_its_place() -> None:
    result = run("forget", given='{"memories": "x", "request": "y"}')
    assert result.exit_code != 0
    assert run("forget", "--memory", "x").exit_code == 2


def test_evaluate_reads_both_sets(tmp_path: Path) -> None:
    message = {
        "id": "a",
        "message": "remember that I row",
        "intent": "remember",
        "facts": [{"text": "The user rows", "kind": "fact"}],
    }
    request = {
        "id": "b",
        "memories": ["The user rows"],
        "request": "forget that I row",
        "expect": "delete",
        "targets": [0],
    }
    (tmp_path / "messages.jsonl").write_text(json.dumps(message) + "\n", "utf-8")
    (tmp_path / "requests.jsonl").write_text(json.dumps(request) + "\n", "utf-8")
    scores = json.loads(run("evaluate", str(tmp_path), "--json").output)
    assert scores["messages"]["intent"]["value"] == scores["messages"]["fact_count"]["value"] == 1
    assert scores["requests"]["right"]["value"] == 1
    assert scores["requests"]["wrong_deletions"]["count"] == 0
