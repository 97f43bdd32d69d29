"""Sets up everything, Chromium included, and runs every check and every test.

    python3 build_scripts/test.py             everything
    python3 build_scripts/test.py -k page     what follows goes to pytest

The checks of the source come first and stop it when one fails; pytest comes last, and its summary is the last word.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from build_scripts import setup  # noqa: E402

CHECKS: list[tuple[str, list[str], Path]] = [
    ("style", [str(setup.PYTHON), "-m", "ruff", "check", "."], ROOT),
    ("format", [str(setup.PYTHON), "-m", "ruff", "format", "--check", "."], ROOT),
    ("types of the core", [str(setup.PYTHON), "-m", "mypy"], ROOT),
    ("types of the scripts", [str(setup.PYTHON), "-m", "mypy", "-p", "build_scripts"], ROOT),
    ("types of the page", ["npx", "--no-install", "tsc", "--noEmit"], setup.WEB),
    ("types of the worker", ["npx", "--no-install", "tsc", "-p", "../worker", "--noEmit"], setup.WEB),
    ("tests of the streams", ["node", "--test", "test/"], setup.WEB),
]


def main(arguments: list[str]) -> int:
    """Returns the exit code: pytest's, or 1 when a check failed before."""
    try:
        setup.set_up(tests=True)
        setup.say("Checking the source")
        for name, command, folder in CHECKS:
            setup.say(f"  {name}")
            setup.run(command, cwd=folder)
    except setup.SetupError as problem:
        print(f"\nFAILED before the tests: {problem}", file=sys.stderr, flush=True)
        return 1
    setup.say("Testing")
    return subprocess.run([setup.PYTHON, "-m", "pytest", *arguments], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
