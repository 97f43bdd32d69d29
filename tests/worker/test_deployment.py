"""The configurations of a hosted deployment name what the code and workerd's own configuration name.

wrangler itself is no dependency: where EDGEGATE_WRANGLER names a folder into which npm installed `wrangler` and `node`
(22.12 or newer), it reads the configurations too, packs what it would upload, and serves it.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from build_scripts import setup
from tests.worker.conftest import KEY, free_port

CONFIGS = {"edgegate": "wrangler.jsonc", "edgegate-memories": "wrangler.memories.jsonc"}
SECRETS = {"API_KEY", "UPSTREAM_KEY"}
WRANGLER = os.environ.get("EDGEGATE_WRANGLER", "")
needs_wrangler = pytest.mark.skipif(not WRANGLER, reason="no wrangler here: EDGEGATE_WRANGLER")


def config(name: str) -> dict[str, Any]:
    text = (setup.WORKER / CONFIGS[name]).read_text("utf-8")
    found: dict[str, Any] = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))
    return found


def workers_of_workerd() -> dict[str, str]:
    """The two workers of workerd's configuration, as their texts."""
    text = (setup.WORKER / "workerd.capnp").read_text("utf-8")
    return {name: re.search(rf"^const {name} :.*?^\);", text, re.S | re.M)[0] for name in ("edgegate", "memories")}  # type: ignore[index]


def source(*names: str) -> str:
    return "".join((setup.WORKER / "src" / f"{name}.ts").read_text("utf-8") for name in names)


def test_every_binding_is_one_that_the_code_reads() -> None:
    code = source(
        *(path.stem for path in (setup.WORKER / "src").glob("*.ts") if path.stem not in ("memories", "cloudflare.d"))
    )
    read = set(re.findall(r'\(bindings, "([A-Z_]+)"', code)) | set(re.findall(r'bindings\["([A-Z_]+)"\]', code))
    objects = {entry["name"] for entry in config("edgegate")["durable_objects"]["bindings"]}
    assert set(config("edgegate")["vars"]) | SECRETS | objects == read
    assert set(re.findall(r'\(name = "([A-Z_]+)"', workers_of_workerd()["edgegate"])) == read
    own = set(re.findall(r"this\.env\.([A-Z_]+)", source("memories")))
    assert set(config("edgegate-memories")["vars"]) == own
    assert set(re.findall(r'\(name = "([A-Z_]+)"', workers_of_workerd()["memories"])) == own
    assert all(isinstance(value, str) for name in CONFIGS for value in config(name)["vars"].values())
    assert SECRETS.isdisjoint(config("edgegate")["vars"])


def test_the_objects_are_of_a_class_that_is_exported_and_kept_in_sqlite(built: Path) -> None:
    (bound,) = config("edgegate")["durable_objects"]["bindings"]
    kept = config("edgegate-memories")
    (own,) = kept["durable_objects"]["bindings"]
    (migration,) = kept["migrations"]
    assert bound["script_name"] == kept["name"] == "edgegate-memories"
    assert bound["class_name"] == own["class_name"]
    assert migration["new_sqlite_classes"] == [own["class_name"]]
    exported = re.search(r"export \{([^}]*)\}", (built / "memories.js").read_text("utf-8"))
    assert exported
    assert own["class_name"] in exported[1].replace(",", " ").split()
    assert "migrations" not in config("edgegate")


def test_all_are_of_one_date_and_of_files_that_are_built(built: Path) -> None:
    dates = {config(name)["compatibility_date"] for name in CONFIGS}
    dates |= {re.search(r'compatibilityDate = "(.*?)"', text)[1] for text in workers_of_workerd().values()}  # type: ignore[index]
    assert len(dates) == 1
    assert not any("compatibility_flags" in config(name) for name in CONFIGS)
    assert not any("compatibilityFlags" in text for text in workers_of_workerd().values())
    for name in CONFIGS:
        assert config(name)["name"] == name
        assert (setup.WORKER / config(name)["main"]).name in {path.name for path in built.iterdir()}


def test_the_modules_are_those_that_workerd_is_given(built: Path) -> None:
    kinds = {"ESModule": "esModule", "CompiledWasm": "wasm", "Data": "data"}
    rules = [(kinds[rule["type"]], glob) for rule in config("edgegate")["rules"] for glob in rule["globs"]]
    given = re.findall(r'\(name = "([^"]+)", (\w+) = embed', (built / "workerd.capnp").read_text("utf-8"))
    modules = [(name, kind) for name, kind in given if not name.endswith(".js")]
    assert len(modules) > 20
    for name, kind in modules:
        assert [found for found, glob in rules if fnmatch.fnmatch(name, glob)] == [kind], name
    uploaded = {path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file()}
    assert {name for name in uploaded if any(fnmatch.fnmatch(name, glob) for _, glob in rules)} == {
        n for n, _ in modules
    }


def wrangler(folder: Path, *words: str) -> subprocess.Popen[str]:
    tools = Path(WRANGLER) / "node_modules"
    command = [tools / ".bin" / "node", tools / "wrangler" / "bin" / "wrangler.js", *words]
    environment = {**os.environ, "HOME": str(folder), "CI": "1", "WRANGLER_SEND_METRICS": "false"}
    return subprocess.Popen(
        [str(word) for word in command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.fixture
def deployment(built: Path, tmp_path: Path) -> Path:
    """What is deployed, in a folder of its own: wrangler writes beside what it reads."""
    shutil.copytree(built, tmp_path / "dist")
    for name in CONFIGS.values():
        shutil.copy(setup.WORKER / name, tmp_path / name)
    return tmp_path


@needs_wrangler
@pytest.mark.slow
@pytest.mark.parametrize("name", CONFIGS)
def test_wrangler_would_upload_it_without_a_warning(deployment: Path, name: str) -> None:
    process = wrangler(deployment, "deploy", "--dry-run", "--config", CONFIGS[name], "--outdir", "out")
    told, _ = process.communicate(timeout=180)
    assert process.returncode == 0, told
    assert "WARNING" not in told.upper(), told
    assert "env.MEMORIES (Memories" in told
    size = re.search(r"gzip: ([\d.]+) KiB", told)
    assert size
    assert float(size[1]) < 10_000, "above the limit of a paid plan"


@needs_wrangler
@pytest.mark.slow
def test_wrangler_serves_both_scripts_and_memory_is_kept_in_the_other(deployment: Path) -> None:
    (deployment / ".dev.vars").write_text(f"API_KEY={KEY}\nUPSTREAM_KEY=none\n", "utf-8")
    port = free_port()
    both = [word for name in CONFIGS.values() for word in ("-c", name)]
    process = wrangler(deployment, "dev", *both, "--port", str(port), "--ip", "127.0.0.1")

    def ask(body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/v1/memories", data=data, headers={"authorization": f"Bearer {KEY}"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    try:
        for _ in range(240):
            try:
                ask()
                break
            except OSError:
                assert process.poll() is None, process.communicate()[0]
                time.sleep(0.25)
        assert ask({"memory": "The user rows"})["items"][0]["verdict"] == "PASS"
        assert [memory["text"] for memory in ask()["data"]] == ["The user rows"]
    finally:
        process.terminate()
        process.communicate(timeout=30)
