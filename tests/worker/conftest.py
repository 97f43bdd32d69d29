"""The edge worker on the real workerd, in front of a model's server on loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from build_scripts import setup
from tests.worker.upstream import Upstream

KEY = "the-key-of-the-tests"


@pytest.fixture(scope="session")
def upstream() -> Iterator[Upstream]:
    with Upstream() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="session")
def built() -> Path:
    """worker/dist, made anew if what it is made from has changed."""
    setup.set_up(tests=True)
    return setup.WORKER / "dist"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def start(built: Path, upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Starts a worker with some settings and an empty disk of its own; gives its address."""
    running: list[subprocess.Popen[bytes]] = []

    def begin(config: Path = built / "workerd.capnp", **settings: str) -> str:
        port = free_port()
        own = {"API_KEY": KEY, "UPSTREAM_URL": upstream.address, "UPSTREAM_KEY": "the-upstream-key", **settings}
        environment = {**os.environ, **{f"EDGEGATE_{name}": value for name, value in own.items()}}
        disk = tmp_path_factory.mktemp("disk")
        command = [str(setup.find_workerd()), "serve", str(config), f"-shttp=127.0.0.1:{port}", f"-ddisk={disk}"]
        process = subprocess.Popen(command, env=environment)
        running.append(process)
        address = f"http://127.0.0.1:{port}"
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"{address}/health", timeout=10):
                    return address
            except OSError:
                assert process.poll() is None, "workerd ended"
                time.sleep(0.05)
        raise AssertionError("workerd did not come up")

    yield begin
    for process in running:
        process.terminate()
    for process in running:
        process.wait(timeout=10)


@pytest.fixture(scope="session")
def worker(start: Callable[..., str]) -> str:
    """The address of a worker with the settings as they come."""
    return start()
