"""Writes pyodide-lock.json with the hash of edgegate's wheel, and the wheel beside it.

    python3 build_scripts/pyodide_lock.py [--out FOLDER] [--stock]

Serve the folder, start Pyodide with `lockFileURL` set to that file, and `loadPackage("edgegate")` works. The lock holds
edgegate alone, so that nothing is fetched from elsewhere; with `--stock` it holds Pyodide's own packages too, for those
who serve these beside it.

The package pyodide-lock writes the file; it needs Python 3.12 or newer, so it runs in Pyodide itself, in Node.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from build_scripts import setup  # noqa: E402

OUT = ROOT / "build" / "pyodide"


def make(wheel: Path, out: Path, *, stock: bool = False) -> Path:
    """Writes the lock of `wheel` into `out`, puts the wheel beside it, and returns the lock's place."""
    setup.pyodide_packages()
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("edgegate-*.whl"):
        old.unlink()
    shutil.copyfile(wheel, out / wheel.name)
    lock = out / "pyodide-lock.json"
    script = setup.WEB / "tools" / "pyodide-lock.mjs"
    setup.run(["node", script, out / wheel.name, setup.PYODIDE_PACKAGES, lock, *(["--stock"] if stock else [])])
    return lock


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT, help="the folder that gets the lock and the wheel")
    parser.add_argument("--stock", action="store_true", help="keep Pyodide's own packages in the lock")
    options = parser.parse_args()
    try:
        setup.check_python()
        with setup.alone():
            setup.python_packages()
            setup.npm_packages()
            lock = make(setup.wheel(), options.out.resolve(), stock=options.stock)
    except setup.SetupError as problem:
        print(f"FAILED: {problem}", file=sys.stderr)
        return 1
    print(f"{lock}\n{lock.with_name(next(lock.parent.glob('edgegate-*.whl')).name)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
