"""README tells the truth: its examples run, its figures are recomputed, its links lead somewhere."""

from __future__ import annotations

import contextlib
import io
import json
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def snippet(language: str) -> str:
    found = re.search(rf"<!-- snippet: {language} -->\n```\w+\n(.*?)```", README, re.DOTALL)
    assert found, f"README has no {language} snippet"
    return found.group(1)


def test_the_python_example_prints_what_its_comments_say() -> None:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(snippet("python"), "README.md", "exec"), {})
    assert output.getvalue().splitlines() == ["Hello! How is Nadia?", "REWRITE"]


def test_the_numbers_are_the_ones_that_the_command_computes() -> None:
    numbers = runpy.run_path(str(ROOT / "build_scripts" / "readme_numbers.py"))
    stated = numbers["BLOCK"].search(README)
    assert stated
    block = stated.group(0).removeprefix(stated.group(1)).removesuffix(stated.group(2))
    assert block == numbers["block"](), "run python3 build_scripts/readme_numbers.py --write"


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_files_named_in_documents_exist(text: str) -> None:
    linked = re.findall(r"\]\(((?!http)[^)#]+)\)", text)
    named = re.findall(r"`((?:edgegate|web|build_scripts|tests|docs)/[\w./-]+)", text)
    exports = {
        f"edgegate/{name[2:]}" for name in json.loads((ROOT / "web" / "package.json").read_text("utf-8"))["exports"]
    }
    for path in linked + [name.rstrip("/") for name in named]:
        if "test_x" in path or path in exports:  # an example, and names that the npm package answers to
            continue
        assert (ROOT / path).exists(), f"{path} is named in a document, and is not there"
