"""Measures speed beside the alternatives.

    python3 build_scripts/speed.py cues [--json]     scanning for cues: edgegate, pyahocorasick, google-re2, `in`
    python3 build_scripts/speed.py text [--json]     folding, tokens and sentences by size and on hostile input
    python3 build_scripts/speed.py guard [--json]    how long text is held, beside other filters; what a piece costs
    python3 build_scripts/speed.py gate [--json]     writes checked a second, and growth with the size of the source
    python3 build_scripts/speed.py hosts [--json]    starting in Chromium, Node and workerd beside stock Pyodide; bytes
    python3 build_scripts/speed.py page [--json]     the page: first paint, long tasks, layout shifts, memory

Each part is a module `speed_<part>` with `arguments(parser)`, `run(options)` (figures as plain data) and
`table(figures)` (the same for people). Where it also has `fault(figures)`, what that says ends with exit code 1.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

PARTS = ("cues", "text", "guard", "gate", "hosts", "page")


def main() -> int:
    importlib.import_module("build_scripts.alternatives").go_on_with_alternatives(hosts="hosts" in sys.argv[1:2])
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parts = parser.add_subparsers(dest="part", required=True)
    modules = {}
    for part in PARTS:
        try:
            modules[part] = importlib.import_module(f"build_scripts.speed_{part}")
        except ModuleNotFoundError as error:
            if error.name != f"build_scripts.speed_{part}":
                raise
            continue
        own = parts.add_parser(part, description=(modules[part].__doc__ or "").splitlines()[0])
        own.add_argument("--json", action="store_true", help="print the figures as JSON")
        modules[part].arguments(own)
    options = parser.parse_args()
    figures = modules[options.part].run(options)
    print(json.dumps(figures, indent=2) if options.json else modules[options.part].table(figures))
    fault = getattr(modules[options.part], "fault", lambda figures: "")(figures)
    if fault:
        print(fault, file=sys.stderr)
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
