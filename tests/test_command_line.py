"""The command line: what it prints, its exit codes, and errors that say file, line and field."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

WRITE = {"source": [{"speaker": "user", "text": "Someone said Alice was promoted."}], "memory": "Alice was promoted."}
CLEAN = {"source": "I like figs.", "memory": "The user likes figs."}


def run(*arguments: str, given: str | bytes = b"") -> subprocess.CompletedProcess[bytes]:
    data = given.encode() if isinstance(given, str) else given
    return subprocess.run([sys.executable, "-m", "edgegate", *arguments], input=data, capture_output=True, check=False)


def test_check_explains_a_flagged_write_and_exits_with_1() -> None:
    done = run("check", given=json.dumps(WRITE))
    assert done.returncode == 1, done.stderr
    text = done.stdout.decode()
    assert "REWRITE" in text
    assert "Someone said" in text
    assert "attribution" in text


def test_check_reads_json_lines_and_prints_json_lines() -> None:
    done = run("check", "--json", given=f"{json.dumps(CLEAN)}\n\n{json.dumps(WRITE)}\n")
    verdicts = [json.loads(line)["verdict"] for line in done.stdout.splitlines()]
    assert verdicts == ["PASS", "REWRITE"]
    assert done.returncode == 1


def test_a_clean_write_exits_with_0() -> None:
    done = run("check", "--source", "I like figs.", "--memory", "The user likes figs.")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ('{"source": "a"}', "memory"),
        ('{"source": "a", "memory": "b"}\n{"source": "a"}\n', "line 2"),
        ('{"source": "a", "memory": "b"}\nnot json\n', "line 2"),
        ('{"source": [{"speaker": "user"}], "memory": "b"}', "source[0].text"),
    ],
)
def test_bad_data_names_the_line_and_exits_with_2(given: str, named: str) -> None:
    done = run("check", given=given)
    assert done.returncode == 2
    assert named in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


def test_a_missing_file_and_a_wrong_option_exit_with_2() -> None:
    assert run("check", "no-such-file.json").returncode == 2
    assert run("check", "--colour").returncode == 2
    assert run("check", "--source", "a").returncode == 2
    assert run("guard", "--cap", "0").returncode == 2


def test_guard_streams_standard_input(tmp_path: Path) -> None:
    evidence = tmp_path / "evidence.json"
    evidence.write_text(json.dumps({"memories": ["The user has a sister called Nadia"]}))
    reply = "Hello! You told me you own a zeppelin. How is Nadia?"
    done = run("guard", "--evidence", str(evidence), given=reply)
    assert done.returncode == 1
    assert done.stdout.decode() == "Hello! How is Nadia?"
    assert "zeppelin" in done.stderr.decode()
    assert run("guard", "--off", given=reply).stdout.decode() == reply


def test_guard_prints_events_as_json_lines() -> None:
    done = run("guard", "--json", given="Hello!")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[-1]["kind"] == "reply_end"
    assert events[-1]["shown"] == "Hello!"
    assert done.returncode == 0


def test_guard_survives_broken_bytes() -> None:
    done = run("guard", given=bytes.fromhex("4174c3a9206ac3a1f0"))
    assert done.stdout.decode() == "Até já\N{REPLACEMENT CHARACTER}"
    assert done.returncode == 0


def test_guard_shows_a_sentence_before_the_stream_ends() -> None:
    command = [sys.executable, "-m", "edgegate", "guard"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as live:
        assert live.stdin
        assert live.stdout
        live.stdin.write(b"Good morning to you. The weather")
        live.stdin.flush()
        assert live.stdout.read(20) == b"Good morning to you."
        live.stdin.close()
        assert live.stdout.read().strip() == b"The weather"


def test_evaluate_scores_a_folder(tmp_path: Path) -> None:
    gate = {"id": "a", "date": "2026-01-13", "label": "bad", "mechanisms": ["attribution"], **WRITE}
    guard = {
        "id": "b",
        "evidence": {"memories": []},
        "reply": "You told me you own a zeppelin. Hello.",
        "sentences": [
            {"text": "You told me you own a zeppelin.", "label": "fabricated"},
            {"text": "Hello.", "label": "none"},
        ],
    }
    (tmp_path / "gate.jsonl").write_text(json.dumps(gate) + "\n")
    (tmp_path / "guard.jsonl").write_text(json.dumps(guard) + "\n")
    (tmp_path / "other.jsonl").write_text('{"id": "c", "message": "hi"}\n')
    done = run("evaluate", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["gate"]["recall"]["count"] == 1
    assert result["gate"]["right_check"]["value"] == 1.0
    assert result["guard"]["catch"]["count"] == 1
    assert result["guard"]["collateral"]["count"] == 0
    assert result["other"]["job"] is None
    table = run("evaluate", str(tmp_path), "--halves", "--errors").stdout.decode()
    assert "preservation" in table
    assert "guard/" in table


def test_evaluate_names_what_is_wrong(tmp_path: Path) -> None:
    assert run("evaluate", str(tmp_path)).returncode == 2
    (tmp_path / "gate.jsonl").write_text('{"id": "a", "source": [], "memory": 7, "label": "bad"}\n')
    done = run("evaluate", str(tmp_path))
    assert done.returncode == 2
    assert "memory" in done.stderr.decode()
    assert "line 1" in done.stderr.decode()
