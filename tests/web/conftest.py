"""The bundle, its server and a real Chromium, each set up once for all tests that need them."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from build_scripts import setup
from build_scripts.serve import Server

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def dist() -> Path:
    """The bundle, made anew if what it is made from has changed."""
    setup.set_up(tests=True)
    return setup.DIST


@pytest.fixture(scope="session")
def site(dist: Path) -> Iterator[str]:
    """The address of the page, on the very server that run.py starts."""
    with Server(dist) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.address
        server.shutdown()


@pytest.fixture(scope="session")
def chromium(dist: Path) -> Iterator[Any]:
    """A real Chromium, without a window."""
    from playwright.sync_api import sync_playwright

    # Playwright's own copy of Node needs a library that a small machine lacks; the system's Node is there anyway.
    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", shutil.which("node") or "")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=setup.find_chromium(), args=CHROMIUM_FLAGS)
        yield browser
        browser.close()
