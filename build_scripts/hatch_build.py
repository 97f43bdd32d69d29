"""The build hook: compiles the lexicons, so that a wheel carries the compiled file and not its sources."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileLexicons(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before every wheel. A mistake in a lexicon stops the build with the file, the entry and the column."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Makes the compiled file fresh in the source tree; pyproject names it as an artifact of the wheel."""
        sys.path.insert(0, self.root)
        try:
            from edgegate.language import lexicon

            lexicon.load()
        finally:
            sys.path.remove(self.root)
        compiled = Path(self.root) / "edgegate" / "language" / "data" / "en" / lexicon.COMPILED
        if not compiled.is_file():
            raise OSError(f"{compiled} could not be written: the wheel would have no lexicon")
