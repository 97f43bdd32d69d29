"""docs/claims.md: every command it names is there, with the options it is given, and README's tables are all in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgegate.__main__ import cli

ROOT = Path(__file__).resolve().parent.parent
CLAIMS = (ROOT / "docs" / "claims.md").read_text("utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in CLAIMS.splitlines() if line.startswith("| ")]
COMMANDS = sorted({command for row in ROWS[1:] for command in re.findall(r"`([^`]+)`", row[2])})
STATUS = re.compile(r"(shown|bounded|not shown|not claimed)\b")


def options(command: str) -> list[str]:
    return re.findall(r"(?<=\s)--[\w-]+", command)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_there_with_its_options(command: str) -> None:
    words = command.split()
    if words[0] == "python3":
        script = ROOT / words[1]
        assert script.is_file(), f"{words[1]} is not there"
        stem = f"{script.stem}_{words[2]}" if len(words) > 2 and script.stem == "speed" else script.stem
        sources = {script, script.with_name(f"{stem}.py"), script.with_name("load_edge.py")}
        source = "".join(path.read_text("utf-8") for path in sources)
        for name in options(command):
            assert f'"{name}"' in source, f"{words[1]} has no {name}"
    elif words[0] == "edgegate":
        known = {name for parameter in cli.commands[words[1]].params for name in parameter.opts}
        assert set(options(command)) <= known
    else:
        assert words[0] == "pytest", f"what is {words[0]}?"
        for path in words[1:]:
            assert (ROOT / path).is_file(), f"{path} is not there"


@pytest.mark.parametrize("row", ROWS[1:], ids=lambda row: row[0][:40])
def test_every_claim_says_what_it_does_not_show(row: list[str]) -> None:
    assert len(row) == len(ROWS[0]) == 5
    assert all(row)
    assert STATUS.match(row[4]), row[4]
    for document in re.findall(r"docs/[\w-]+\.md", row[1]):
        assert (ROOT / document).is_file()


def test_every_table_of_figures_in_readme_is_a_claim() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for command in re.findall(r"\| `(python3 build_scripts/[^`]+)`", readme):
        assert command in COMMANDS, f"{command} is in README's table and not in docs/claims.md"
    block = re.search(r"<!-- numbers -->(.*?)<!-- /numbers -->", readme, re.DOTALL)
    assert block
    for head in re.findall(r"^\| (?!`)([\w ]+?) \|", block.group(1), re.MULTILINE):
        assert head.split()[-1] in CLAIMS, f"{head}: no claim speaks of it"
