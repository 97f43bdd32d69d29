"""Sets up everything, then serves the page on this machine and prints its address.

    python3 build_scripts/run.py              set up what is needed, serve until Ctrl-C
    python3 build_scripts/run.py --check      run both jobs once through the same bundle, without a browser, and exit
    python3 build_scripts/run.py --endpoint http://localhost:11434/v1
                                              let the page ask this OpenAI-compatible service, and no other

Needs Python 3.11 or newer and Node.js 20 or newer with npm. A second start does nothing that is done already.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from build_scripts import setup  # noqa: E402
from build_scripts.serve import Server, origin_of, read_endpoint  # noqa: E402


def serve(port: int, endpoint: str | None) -> int:
    """Serves the page until it is interrupted; returns the exit code."""
    try:
        server = Server(setup.DIST, port, endpoint)
    except OSError as problem:
        print(f"Port {port} can't be used ({problem.strerror}). Take another with --port, or none for a free one.")
        return 1
    with server:
        setup.say(f"\nThe page is at {server.address}\nCtrl-C stops it.")
        if endpoint is not None:
            setup.say(
                f"It may ask {origin_of(endpoint)} and nothing else. That service must allow it: its CORS setting has "
                f"to name {server.address.rstrip('/')} (give the page the same port each time with --port)."
            )
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            setup.say("\nStopped.")
    return 0


def port_number(text: str) -> int:
    """The port that `text` names; argparse turns the error into a message."""
    number = int(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return number


def endpoint(text: str) -> str:
    """The endpoint that `text` names; argparse turns the error into a message."""
    try:
        return read_endpoint(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="run both jobs once without a browser, and exit")
    parser.add_argument("--port", type=port_number, default=0, help="the port to serve on; without it, a free one")
    parser.add_argument("--endpoint", type=endpoint, metavar="URL", help="the model's service that the page may ask")
    arguments = parser.parse_args()
    try:
        setup.set_up()
    except setup.SetupError as problem:
        print(f"\nThis can't go on: {problem}", file=sys.stderr)
        return 1
    if arguments.check:
        return subprocess.run(["node", str(setup.DIST / "check.js")], cwd=ROOT).returncode
    return serve(arguments.port, arguments.endpoint)


if __name__ == "__main__":
    sys.exit(main())
