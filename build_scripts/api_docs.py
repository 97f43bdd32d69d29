"""Makes the documentation of the JavaScript API from its source, by TypeDoc, into build/api (open index.html there).

    python3 build_scripts/api_docs.py [--out FOLDER]

It fails when something that is exported says nothing about itself. What is documented is named in web/typedoc.json.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from build_scripts import setup  # noqa: E402

OUT = ROOT / "build" / "api"


def make(out: Path) -> Path:
    """Makes the documentation in `out` and returns its first page."""
    # TypeDoc reads by an interface that the TypeScript of web/ (7) no longer has: so it comes with a 5.9 of its own.
    typedoc = setup.CLIENTS / "node_modules" / "typedoc" / "bin" / "typedoc"
    setup.run(["node", typedoc, "--out", out], cwd=setup.WEB)
    return out / "index.html"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT, help="the folder to make")
    options = parser.parse_args()
    try:
        setup.check_python()
        with setup.alone():
            setup.npm_packages()
            setup.client_packages()
        print(make(options.out.resolve()))
    except setup.SetupError as problem:
        print(f"FAILED: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
