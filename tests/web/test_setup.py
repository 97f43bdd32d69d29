"""The setting up: nothing is done twice, what is missing is named, and what is shipped is what was built."""

from __future__ import annotations

import hashlib
import json
import re
import signal
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from pathlib import Path

import pytest

import edgegate
from build_scripts import bundle, make_protocol, setup

ROOT = Path(__file__).resolve().parent.parent.parent
WEB = ROOT / "web"
SOURCES = sorted(path for folder in ("src", "page", "tools") for path in (WEB / folder).rglob("*.ts"))


@pytest.fixture
def stamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(setup, "STAMPS", tmp_path / "stamps")
    (tmp_path / "stamps").mkdir()
    return tmp_path


def test_a_step_runs_once_and_again_when_its_inputs_change(stamps: Path) -> None:
    source, made, runs = stamps / "source", stamps / "made", []
    source.write_text("one", "utf-8")

    def action() -> None:
        runs.append(source.read_text("utf-8"))
        made.write_text("made", "utf-8")

    def again(more: str = "") -> bool:
        return setup.step("a step", [source], made, action, more)

    assert [again(), again()] == [True, False]
    source.write_text("two", "utf-8")
    assert [again(), again()] == [True, False]
    made.unlink()
    assert [again(), again()] == [True, False]
    assert [again("other Python"), again("other Python")] == [True, False]
    assert runs == ["one", "two", "two", "two"]


def test_a_step_that_fails_is_tried_again(stamps: Path) -> None:
    made = stamps / "made"

    def action() -> None:
        made.write_text("half", "utf-8")
        raise setup.SetupError("broken")

    for _ in range(2):
        with pytest.raises(setup.SetupError, match="broken"):
            setup.step("a step", [], made, action)


def test_the_hash_sees_names_and_content_but_not_what_is_built(stamps: Path) -> None:
    folder = stamps / "folder"
    folder.mkdir()
    (folder / "a.py").write_text("x", "utf-8")
    first = setup.hash_of([folder])
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "a.pyc").write_text("built", "utf-8")
    (folder / "lexicon.compiled.json").write_text("built", "utf-8")
    assert setup.hash_of([folder]) == first
    (folder / "a.py").rename(folder / "b.py")
    assert setup.hash_of([folder]) != first


def test_what_is_missing_is_named_with_the_command_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup.shutil, "which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None)
    monkeypatch.setattr(setup.os, "geteuid", lambda: 1000)
    monkeypatch.delenv("EDGEGATE_CHROMIUM", raising=False)
    with pytest.raises(setup.SetupError, match=r"Chromium.* is missing.*sudo apt-get install chromium"):
        setup.chromium()
    with pytest.raises(setup.SetupError, match=r"Node\.js 20.* is missing.*sudo apt-get install nodejs npm"):
        setup.check_node()
    monkeypatch.setattr(setup.shutil, "which", lambda name: None)
    with pytest.raises(setup.SetupError, match=r"On Debian.*apt-get install"):
        setup.check_node()


def test_an_old_python_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup.sys, "version_info", (3, 10, 4))
    with pytest.raises(setup.SetupError, match=r"Python 3\.11 or newer is needed"):
        setup.check_python()


def test_a_command_that_fails_shows_what_it_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(setup.SetupError, match="failed with code 3"):
        setup.run([sys.executable, "-c", "print('the reason'); raise SystemExit(3)"], only=("nothing",))
    assert "the reason" in capsys.readouterr().out


@pytest.mark.parametrize("script", ["run.py", "test.py", "bundle.py", "make_protocol.py", "make_recordings.py"])
def test_scripts_start_from_any_folder(script: str, tmp_path: Path) -> None:
    """Also where the folder of the scripts would hide modules of the standard library."""
    code = f"import runpy, sys; sys.argv = ['{script}']; runpy.run_path({str(ROOT / 'build_scripts' / script)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)


def test_run_serves_the_page_and_does_no_work_twice(dist: Path) -> None:
    command = [sys.executable, str(ROOT / "build_scripts" / "run.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout
        said = []
        for line in process.stdout:
            said.append(line.strip())
            if line.startswith("The page is at "):
                break
        address = said[-1].removeprefix("The page is at ")
        with urllib.request.urlopen(address, timeout=10) as answer:
            assert b"<title>edgegate</title>" in answer.read()
        taken = subprocess.run(
            [*command, "--port", address.rstrip("/").rsplit(":", 1)[1]], capture_output=True, text=True, timeout=60
        )
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0
    assert address.startswith("http://127.0.0.1:")
    for part in ("python packages", "npm packages", "wheel", "browser bundle"):
        assert f"{part}: up to date" in said
    assert taken.returncode == 1
    assert "can't be used" in taken.stdout


def test_one_version_for_python_and_javascript() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    package = json.loads((WEB / "package.json").read_text("utf-8"))["version"]
    lock = json.loads((WEB / "package-lock.json").read_text("utf-8"))["version"]
    assert edgegate.__version__ == project == package == lock


def test_the_locks_pin_exactly_and_name_no_host() -> None:
    for place in (setup.LOCK, setup.PYODIDE_LOCK):
        lines = [line.split("#")[0].strip() for line in place.read_text("utf-8").splitlines()]
        assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines if line)
    for folder in (WEB, setup.CLIENTS):
        npm = (folder / "package-lock.json").read_text("utf-8")
        assert "resolved" not in npm
        assert "://" not in re.sub(r'"funding":\s*({[^}]*}|\[[^\]]*\]|"[^"]*")', "", npm)
        package = json.loads((folder / "package.json").read_text("utf-8"))
        wishes = package["devDependencies"] | package.get("optionalDependencies", {})
        assert all(re.fullmatch(r"(npm:[\w-]+@)?\d+\.\d+\.\d+", version) for version in wishes.values())


def test_the_protocol_is_up_to_date() -> None:
    assert make_protocol.TARGET.read_text("utf-8") == make_protocol.protocol(), "run build_scripts/make_protocol.py"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(WEB)))
def test_text_is_never_drawn_as_markup(path: Path) -> None:
    sinks = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\(|setHTML"
    )
    assert not re.search(sinks, path.read_text("utf-8"))


def test_the_bundle_is_what_its_manifest_says(dist: Path) -> None:
    files = json.loads((dist / "manifest.json").read_text("utf-8"))["files"]
    assert {path.relative_to(dist).as_posix() for path in dist.rglob("*") if path.is_file()} == {
        *files,
        "manifest.json",
    }
    for name, facts in files.items():
        data = (dist / name).read_bytes()
        assert (facts["bytes"], facts["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    for name in ("index.js", "node.js", "worker.js", "inline.js", "snapshot.bin", "core.json", "types/index.d.ts"):
        assert f"edgegate/{name}" in files


def test_the_core_in_the_bundle_is_the_wheel_and_only_what_the_bridge_needs(dist: Path) -> None:
    archive = json.loads((dist / "edgegate" / "core.json").read_text("utf-8"))
    files = archive["files"]
    assert archive["version"] == edgegate.__version__
    wheel = setup.find_wheel()
    assert wheel
    with zipfile.ZipFile(wheel) as packed:
        assert all(packed.read(name).decode("utf-8") == text for name, text in files.items())
    assert "edgegate/bridge.py" in files
    assert any(name.endswith("lexicon.compiled.json") for name in files)
    assert "edgegate/measure.py" in files  # the page scores labelled sets with it
    assert not any(name.endswith((".toml", "__main__.py", "measure_bench.py", "mem0.py")) for name in files)


def test_imports_are_followed_wherever_they_stand() -> None:
    text = "import a.b\ndef f():\n    from . import near\n    from ..up import thing\n"
    found = bundle.imported_by("p.q.m", text, package=False)
    assert {"a.b", "p.q", "p.q.near", "p.up", "p.up.thing"} <= found
    assert "p.q.near" in bundle.imported_by("p.q", "from . import near", package=True)
