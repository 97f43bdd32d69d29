"""Brings a benchmark into the project's own environment, with the alternatives that run beside edgegate.

`go_on_with_alternatives()` at the start of a benchmark makes one command enough on a fresh machine: it sets up `.venv`,
installs requirements-bench.lock into it and starts the same command there. What it says goes to standard error, so that
`--json` prints nothing but JSON.
"""

from __future__ import annotations

import contextlib
import os
import sys

from build_scripts import setup

LOCK = setup.ROOT / "requirements-bench.lock"
DONE = setup.STAMPS / "alternatives-installed"


def go_on_with_alternatives(*, hosts: bool = False) -> None:
    """Returns in a Python that has the alternatives, and with `hosts` once the bundle, Chromium and workerd are there.

    Ends with a clear message where something can't be installed.
    """
    with contextlib.redirect_stdout(sys.stderr):
        try:
            if hosts:
                setup.set_up(tests=True)
            setup.check_python()
            with setup.alone():
                setup.python_packages()
                setup.step("benchmark packages", [LOCK, setup.LOCK], DONE, _install, more=sys.version)
        except setup.SetupError as problem:
            sys.exit(f"The alternatives can't be set up: {problem}")
    if os.path.realpath(sys.prefix) != os.path.realpath(setup.VENV):
        os.execv(setup.PYTHON, [str(setup.PYTHON), *sys.argv])


def _install() -> None:
    install = ["-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off", "--no-deps", "-r"]
    setup.run([setup.PYTHON, *install, LOCK], only=("Collecting", "Installing", "ERROR"))
    DONE.write_text("", "utf-8")
