"""In workerd the snapshot is restored to the same memory as in Node and Chromium; a damaged one starts nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from build_scripts import setup
from tests.web import border


def bundle(entry: Path, out: Path, built: Path) -> None:
    outside = ["pyodide.asm.mjs", "pyodide.asm.wasm", "snapshot.bin", "modules.mjs"]
    command = ["npx", "--no-install", "esbuild", str(entry), "--bundle", "--format=esm", "--target=es2022"]
    facts = (setup.DIST / "edgegate" / "build.json").read_text("utf-8")
    command += [f"--external:./{name}" for name in outside] + [f"--define:__EDGEGATE__={facts}", f"--outfile={out}"]
    subprocess.run([*command, "--log-level=warning"], cwd=setup.WEB, check=True)


def test_the_restored_memory_is_the_same_in_workerd(built: Path, start: Callable[..., str], tmp_path: Path) -> None:
    shutil.copytree(built, tmp_path / "dist")
    bundle(Path(__file__).with_name("heap.ts"), tmp_path / "dist" / "worker.js", built)
    address = start(tmp_path / "dist" / "workerd.capnp")
    with urllib.request.urlopen(address, data=json.dumps(border.REQUESTS).encode(), timeout=30) as answer:
        found = json.load(answer)
    facts = json.loads((setup.DIST / "edgegate" / "snapshot.json").read_text("utf-8"))
    assert found["heap"] == facts["heap"]
    border.same_as_here(found["answers"])


def run_until_it_ends(config: Path) -> str:
    """What workerd complains about while it comes up and is asked once."""
    command = [str(setup.find_workerd()), "serve", str(config), "-shttp=127.0.0.1:0", f"-ddisk={config.parent}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        told, _ = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        told, _ = process.communicate()
    return told


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "damaged": (
        lambda data: data[:4096] + bytes([data[4096] ^ 1]) + data[4097:],
        "its hash is not the one of this build",
    ),
    "cut short": (lambda data: data[: len(data) // 2], "cut short, or of another build"),
    "of another build": (lambda data: data[:24] + bytes(32) + data[56:], "its hash is not the one of this build"),
    "another file": (lambda _: b"<!doctype html>", "cut short, or of another build"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_snapshot_that_is_not_this_builds_starts_nothing(built: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(built, tmp_path / "dist")
    damage, complaint = DAMAGES[name]
    snapshot = tmp_path / "dist" / "snapshot.bin"
    snapshot.write_bytes(damage(snapshot.read_bytes()))
    assert complaint in run_until_it_ends(tmp_path / "dist" / "workerd.capnp")


def test_a_small_module_that_was_not_collected_starts_nothing(built: Path, tmp_path: Path) -> None:
    """Pyodide swallows the error, and much would work: so the worker looks for it itself."""
    shutil.copytree(built, tmp_path / "dist")
    table = tmp_path / "dist" / "modules.mjs"
    lines = table.read_text("utf-8").splitlines()
    table.write_text("\n".join(line for line in lines if not line.endswith(", m5],")) + "\n", "utf-8")
    told = run_until_it_ends(tmp_path / "dist" / "workerd.capnp")
    assert "were not collected" in told


def test_the_lock_pins_exactly_and_names_no_host() -> None:
    wishes = json.loads((setup.WORKER / "package.json").read_text("utf-8"))["devDependencies"]
    assert all(version.replace(".", "").isdigit() for version in wishes.values())
    assert "resolved" not in (setup.WORKER / "package-lock.json").read_text("utf-8")
