"""Makes web/dist: the npm package, the page, and the manifest with the hash of every file.

    python build_scripts/bundle.py WHEEL

The core goes in as one JSON file of texts (`core.json`), packed from the wheel: what the browser runs is what the wheel
holds. JSON and not a zip, so that it needs no unpacking and no network that blocks archives stands in its way.
"""

from __future__ import annotations

import ast
import hashlib
import json
import shutil
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from build_scripts import offline, setup  # noqa: E402

ARCHIVE_FORMAT = 1
MANIFEST_FORMAT = 1
ENTRY = "edgegate.bridge"
CHECKOUT_ONLY = frozenset({"edgegate.language.compiler", "hashlib"})  # a wheel holds what these would make


def imported_by(name: str, text: str, package: bool) -> set[str]:
    """The modules that a module's source names in its imports, wherever they stand.

    >>> sorted(imported_by("a.b", "from a.c import d", False))
    ['a.c', 'a.c.d']
    """
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = name.split(".")
            base = parts[: len(parts) - node.level + (1 if package else 0)] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            found |= {origin, *(f"{origin}.{alias.name}" for alias in node.names)}
    return found


def pack_core(wheel: Path) -> dict[str, object]:
    """The archive of the core: the modules that the bridge reaches, and the data beside them, as texts."""
    with zipfile.ZipFile(wheel) as archive:
        texts = {
            name: archive.read(name).decode("utf-8")
            for name in archive.namelist()
            if name.startswith("edgegate/") and not name.endswith("/")
        }
    places = {
        name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): name
        for name in texts
        if name.endswith(".py")
    }
    reached: set[str] = set()
    imports: set[str] = set()
    waiting = [ENTRY]
    while waiting:
        name = waiting.pop()
        if name in reached or name not in places or name in CHECKOUT_ONLY:
            continue
        reached.add(name)
        waiting.append(name.rpartition(".")[0])
        found = imported_by(name, texts[places[name]], places[name].endswith("/__init__.py"))
        waiting.extend(found)
        imports |= found
    files = {places[name] for name in reached} | {name for name in texts if not name.endswith(".py")}
    if places[ENTRY] not in files:
        raise setup.SetupError(f"{wheel.name} has no module {ENTRY}")
    return {
        "format": ARCHIVE_FORMAT,
        "version": wheel.name.split("-")[1],
        # All that may be imported, at the top or later: a snapshot has it in memory, since there is nowhere to look.
        "imports": sorted(
            name for name in imports - CHECKOUT_ONLY if not name.startswith("edgegate") or name in reached
        ),
        "files": {name: texts[name] for name in sorted(files)},
    }


def manifest_of(folder: Path) -> dict[str, object]:
    """What stands in `folder`: every file's size and SHA-256."""
    files = {
        path.relative_to(folder).as_posix(): {
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "manifest.json"
    }
    return {"format": MANIFEST_FORMAT, "files": files}


def make(wheel: Path, target: Path) -> None:
    """Makes the bundle beside `target` and puts it in its place in one step, so that nobody is served half of it."""
    fresh = target.with_name(target.name + ".new")
    old = target.with_name(target.name + ".old")
    for folder in (fresh, old):
        shutil.rmtree(folder, ignore_errors=True)
    (fresh / "edgegate").mkdir(parents=True)
    core = json.dumps(pack_core(wheel), ensure_ascii=False, separators=(",", ":"))
    (fresh / "edgegate" / "core.json").write_text(core, "utf-8")
    setup.run(["node", "build.mjs", fresh], cwd=setup.WEB)
    compiler = ["npx", "--no-install", "tsc", "-p", "tsconfig.types.json", "--outDir"]
    setup.run([*compiler, fresh / "edgegate" / "types"], cwd=setup.WEB)
    offline.fill(fresh)
    (fresh / "manifest.json").write_text(json.dumps(manifest_of(fresh), indent=1) + "\n", "utf-8")
    if target.exists():
        target.rename(old)
    fresh.rename(target)
    shutil.rmtree(old, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    make(Path(sys.argv[1]), setup.DIST)
