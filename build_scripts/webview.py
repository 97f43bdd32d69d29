"""Makes the page one HTML file that works from file:// and in a webview, with no server and no network.

python3 build_scripts/webview.py [--out FILE]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from build_scripts import setup  # noqa: E402

OUT = ROOT / "build" / "webview" / "edgegate.html"


def make(dist: Path, out: Path) -> Path:
    """Makes `out` from the bundle in `dist`, and returns it."""
    out.parent.mkdir(parents=True, exist_ok=True)
    setup.run(["node", "webview.mjs", dist, out], cwd=setup.WEB)
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT, help="the file to make")
    options = parser.parse_args()
    try:
        setup.set_up()
        made = make(setup.DIST, options.out.resolve())
    except setup.SetupError as problem:
        print(f"FAILED: {problem}", file=sys.stderr)
        return 1
    print(f"{made}: {made.stat().st_size / 1_000_000:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
