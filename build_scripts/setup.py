"""What the two commands stand on: each part is set up once, and again only when what it is made from has changed.

Every part has a stamp in `.setup/`: the hash of its inputs at the time it was made. Nothing here needs a package; all
of it runs on the system's own Python. Where something of the system is missing, it is installed by apt when this runs
as root, else `SetupError` names it and the command that brings it.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
DIST = WEB / "dist"
CLIENTS = ROOT / "tests" / "web" / "clients"
WORKER = ROOT / "worker"
STAMPS = ROOT / ".setup"
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
WHEELS = ROOT / "build" / "wheel"
LOCK = ROOT / "requirements.lock"
PYODIDE_LOCK = ROOT / "requirements-pyodide.lock"
PYODIDE_PACKAGES = ROOT / "build" / "pyodide-packages"
PYODIDE_PYTHON = "3.14"

OLDEST_PYTHON = (3, 11)
OLDEST_NODE = 20
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
IGNORED = {"__pycache__", "node_modules", "dist"}


class SetupError(Exception):
    """Something needed is not there. The message says what, and which command brings it."""


def say(text: str) -> None:
    """Prints one line of progress at once, also into a pipe."""
    print(text, flush=True)


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    only: tuple[str, ...] = ("",),
) -> None:
    """Runs a command and prints its output, indented; of it `only` the lines that begin so. SetupError if it fails."""
    words = [str(word) for word in command]
    hidden: list[str] = []
    with subprocess.Popen(
        words,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip() and line.startswith(only):
                say(f"    {line.rstrip()}")
            else:
                hidden = [*hidden[-19:], line.rstrip()]
    if process.returncode != 0:
        for line in hidden:
            say(f"    {line}")
        raise SetupError(f"this command failed with code {process.returncode}:\n    {' '.join(words)}")


def files_below(places: Iterable[Path]) -> list[Path]:
    """Every file in `places` (files and folders), sorted, without what is built from them."""
    found: set[Path] = set()
    for place in places:
        if place.is_dir():
            for path in place.rglob("*"):
                built = path.name.endswith((".compiled.json", ".pyc")) or path.name.startswith(".")
                if path.is_file() and not built and not IGNORED & set(path.relative_to(place).parts):
                    found.add(path)
        elif place.is_file():
            found.add(place)
    return sorted(found)


def hash_of(places: Iterable[Path], more: str = "") -> str:
    """One SHA-256 over the names and the content of every file in `places`, and `more`."""
    total = hashlib.sha256(more.encode())
    for path in files_below(places):
        name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
        total.update(f"\0{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def step(name: str, made_from: Iterable[Path], makes: Path, action: Callable[[], None], more: str = "") -> bool:
    """Runs `action` unless `makes` is there and was made from the same inputs; returns whether it ran."""
    stamp = STAMPS / name.replace(" ", "-")
    inputs = hash_of(made_from, more)
    if makes.exists() and stamp.is_file() and stamp.read_text("utf-8") == inputs:
        say(f"  {name}: up to date")
        return False
    say(f"  {name}: making …")
    stamp.unlink(missing_ok=True)
    begun = time.monotonic()
    action()
    stamp.write_text(inputs, "utf-8")
    say(f"  {name}: done in {time.monotonic() - begun:.1f} s")
    return True


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Holds a lock while it sets up, so that two commands started at once don't build over each other."""
    STAMPS.mkdir(exist_ok=True)
    with (STAMPS / "lock").open("w") as lock:
        try:
            import fcntl
        except ImportError:  # a system without file locks
            yield
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("  another command is setting up; waiting for it …")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def apt_install(packages: Sequence[str], what: str) -> None:
    """Installs Debian packages as root; else raises SetupError saying what is missing and the command."""
    command = f"apt-get install {' '.join(packages)}"
    if shutil.which("apt-get") is None:
        raise SetupError(f"{what} is missing. On Debian this brings it: {command}")
    if os.geteuid() != 0:
        raise SetupError(f"{what} is missing. This brings it: sudo {command}")
    say(f"  {what} is missing; installing {', '.join(packages)} …")
    env = {"DEBIAN_FRONTEND": "noninteractive"}
    run(["apt-get", "update", "-qq"], env=env)
    run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages], env=env)


def check_python() -> None:
    """Raises SetupError when this Python is too old."""
    if sys.version_info < OLDEST_PYTHON:
        wanted = ".".join(map(str, OLDEST_PYTHON))
        raise SetupError(f"Python {wanted} or newer is needed; this is {sys.version.split()[0]} ({sys.executable})")


def python_packages() -> None:
    """The virtual environment `.venv`, with the packages of requirements.lock."""

    def make() -> None:
        works = PYTHON.exists() and subprocess.run([PYTHON, "-c", "import pip"], capture_output=True).returncode == 0
        if not works:
            missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
            if missing:
                major, minor = sys.version_info[:2]
                apt_install([f"python{major}.{minor}-venv"], "Python's venv module")
            run([sys.executable, "-m", "venv", "--clear", VENV])
        install = ["-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off", "--no-deps", "-r"]
        run([PYTHON, *install, LOCK], only=("Collecting", "Installing", "ERROR"))

    step("python packages", [LOCK], PYTHON, make, more=sys.version)


def node_version() -> int | None:
    """The major version of the Node.js on the path, or None."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return None
    answer = subprocess.run(["node", "--version"], capture_output=True, text=True)
    major = answer.stdout.strip().lstrip("v").split(".")[0]
    return int(major) if major.isdigit() else None


def check_node() -> None:
    """Sees to it that Node.js and npm are there, in a version that works; else raises SetupError."""
    if node_version() is None:
        apt_install(["nodejs", "npm"], f"Node.js {OLDEST_NODE} or newer, with npm,")
    found = node_version()
    if found is None or found < OLDEST_NODE:
        raise SetupError(
            f"Node.js {OLDEST_NODE} or newer is needed, with npm; found {found or 'none'}. "
            "Debian 13 has it (apt-get install nodejs npm); elsewhere see https://nodejs.org"
        )


def npm_packages() -> None:
    """The npm packages of web/package-lock.json. Their install scripts are not run: none of them needs one."""
    check_node()
    step(
        "npm packages",
        [WEB / "package.json", WEB / "package-lock.json"],
        WEB / "node_modules" / "pyodide" / "package.json",
        lambda: run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], cwd=WEB),
        more=str(node_version()),
    )


def client_packages() -> None:
    """The clients and build tools that the tests run the npm package with, and the package beside them by its name."""
    packages = CLIENTS / "node_modules"

    def make() -> None:
        run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], cwd=CLIENTS)
        (packages / "edgegate").symlink_to(WEB, target_is_directory=True)

    sources = [CLIENTS / "package.json", CLIENTS / "package-lock.json"]
    step("client packages", sources, packages / "edgegate", make, more=str(node_version()))


def worker_packages() -> None:
    """workerd itself, which the edge worker is tested on."""
    step(
        "worker packages",
        [WORKER / "package.json", WORKER / "package-lock.json"],
        WORKER / "node_modules" / "workerd" / "package.json",
        lambda: run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], cwd=WORKER),
        more=str(node_version()),
    )


def edge_worker() -> None:
    """The edge worker in worker/dist, made from the bundle and from worker/."""
    command = ["node", "build.mjs", str(DIST / "edgegate"), str(WORKER / "dist")]
    sources = [DIST / "manifest.json", WORKER, WEB / "src"]
    step("edge worker", sources, WORKER / "dist" / "workerd.capnp", lambda: run(command, cwd=WORKER))


def find_workerd() -> Path:
    """The program workerd of the worker's packages. Raises SetupError where there is none for this machine."""
    found = next(iter(sorted((WORKER / "node_modules" / "@cloudflare").glob("workerd-*/bin/workerd*"))), None)
    if found is None:
        raise SetupError("workerd is missing, or not made for this machine: set up again, or see docs/edge.md")
    return found


def pyodide_packages() -> None:
    """The wheels of requirements-pyodide.lock, which run in Pyodide's Python and so are only downloaded here."""

    def make() -> None:
        shutil.rmtree(PYODIDE_PACKAGES, ignore_errors=True)
        options = ["--disable-pip-version-check", "--progress-bar", "off", "--no-deps", "--only-binary", ":all:"]
        target = ["--python-version", PYODIDE_PYTHON, "-d", str(PYODIDE_PACKAGES), "-r", str(PYODIDE_LOCK)]
        run([PYTHON, "-m", "pip", "download", *options, *target], only=("Collecting", "ERROR"))

    step("pyodide packages", [PYODIDE_LOCK], PYODIDE_PACKAGES, make)


def find_wheel() -> Path | None:
    """The wheel that was built last, or None."""
    return next(iter(sorted(WHEELS.glob("edgegate-*.whl"))), None) if WHEELS.is_dir() else None


def wheel() -> Path:
    """The wheel of the core, built with hatchling; returns its place."""

    def make() -> None:
        shutil.rmtree(WHEELS, ignore_errors=True)
        run([PYTHON, "-m", "hatchling", "build", "-t", "wheel", "-d", WHEELS])

    sources = [ROOT / name for name in ("edgegate", "pyproject.toml", "README.md", "LICENSE")]
    sources.append(ROOT / "build_scripts" / "hatch_build.py")
    if find_wheel() is None:
        (STAMPS / "wheel").unlink(missing_ok=True)
    step("wheel", sources, WHEELS, make)
    built = find_wheel()
    assert built is not None
    return built


def bundle(built: Path) -> None:
    """The browser bundle in web/dist, made from the wheel and from web/."""
    sources = [built, WEB, *(ROOT / "build_scripts" / name for name in ("bundle.py", "offline.py"))]
    step("browser bundle", sources, DIST / "manifest.json", lambda: make_bundle(built), more=str(node_version()))


def make_bundle(built: Path) -> None:
    from build_scripts.bundle import make

    make(built, DIST)


def find_chromium() -> str | None:
    """The Chromium that browser tests drive: the one named in EDGEGATE_CHROMIUM, else the first on the path."""
    named = os.environ.get("EDGEGATE_CHROMIUM")
    if named:
        return named
    return next((found for name in CHROMIUM_NAMES if (found := shutil.which(name))), None)


def chromium() -> None:
    """Sees to it that a Chromium is there for the browser tests."""
    if find_chromium() is None:
        # A font comes along: without one, a page in a fresh machine's browser has no letters.
        apt_install(["chromium", "fonts-dejavu-core"], "Chromium, which the browser tests drive,")
    if find_chromium() is None:
        raise SetupError("Chromium was installed but is not on the path: set EDGEGATE_CHROMIUM to its place")
    say("  chromium: there")


def set_up(*, tests: bool = False) -> None:
    """Everything the page needs, and with `tests` everything the tests need."""
    check_python()
    say("Setting up (what is up to date is left alone)")
    with alone():
        python_packages()
        npm_packages()
        bundle(wheel())
        if tests:
            client_packages()
            worker_packages()
            edge_worker()
            pyodide_packages()
            chromium()
