"""The page in a real Chromium: first paint, long tasks and layout shifts while a reply streams, memory over an hour.

    python3 build_scripts/speed.py page [--json]

*first paint*: from an empty cache, on loopback. *streaming*: 200 tokens a second for some seconds, in Try (text of
one's own) and in Chat (a recording, sped up). A long task is one of the page's own thread that takes more than 50 ms;
on a busy machine a task also waits for its turn, so the time that it really computed (`cpu`) is given beside the time
that passed (`wall`). *memory*: one hour of a model at 40 tokens a second, in replies of one minute each, sent as fast
as they are taken; after every fifth the garbage is collected and what is left is counted.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import shutil
import statistics
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

from build_scripts import setup  # noqa: E402
from build_scripts.serve import Server  # noqa: E402
from build_scripts.speed_hosts import recordings  # noqa: E402

START = 120_000
RATE = 200  # tokens a second
LONG = 50  # milliseconds of a long task, as browsers count it
PAINT = 1000  # milliseconds that the first paint may take
MODEL_RATE = 40  # tokens a second that a model is taken to write, for the hour
CHARACTERS = 4.2  # of a token of Try's, with the space before it
REPLIES = 60
EVERY = 5  # replies between two looks at the memory
GROWTH = 1.05  # what may be left at the end, to what was left once everything had been used

WATCH = """
globalThis.seen = { long: [], shifts: [] };
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) seen.long.push(duration);
}).observe({ type: "longtask" });
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) seen.shifts.push(value);
}).observe({ type: "layout-shift" });
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this part."""
    parser.add_argument("--rounds", type=int, default=5, help="first paints that are measured (default 5)")
    parser.add_argument("--seconds", type=int, default=15, help="how long a reply streams in each panel (default 15)")
    parser.add_argument("--replies", type=int, default=REPLIES, help=f"replies of the hour (default {REPLIES})")
    parser.add_argument("--only", choices=("paint", "streaming", "memory"), action="append", help="measure only this")


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The address of the page, on the server that run.py starts."""
    with Server(setup.DIST) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.address
        server.shutdown()


def opened(browser: Any, address: str, panel: str) -> Any:
    """A page with nothing in its cache, started, with a panel open."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.add_init_script("delete Navigator.prototype.serviceWorker")
    page.add_init_script(WATCH)
    page.goto(f"{address}#{panel}")
    page.wait_for_selector("#status[data-state=ready]", timeout=START)
    page.wait_for_timeout(500)
    return page


def first_paint(browser: Any, address: str, rounds: int) -> dict[str, Any]:
    """Milliseconds from the navigation to the first content, each time from an empty cache."""
    times = []
    for _ in range(rounds):
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        entries: list[float] = []
        while not entries:
            page.wait_for_timeout(50)
            entries = page.evaluate(
                "performance.getEntriesByName('first-contentful-paint').map((entry) => entry.startTime)"
            )
        times.append(round(entries[0]))
        context.close()
    return {"median_ms": statistics.median(times), "worst_ms": max(times), "rounds": rounds, "ok": max(times) < PAINT}


def long_text(characters: int) -> str:
    """The recorded replies, one after the other, again and again."""
    text = "\n\n".join("".join(piece for _, piece in recording["chunks"]) for recording in recordings())
    return (f"{text}\n\n" * (characters // len(text) + 1))[:characters]


def set_pace(page: Any, select: str, pace: str) -> None:
    """Chooses a pace, also one that the page does not offer."""
    page.evaluate(
        """([select, pace]) => {
          const list = document.getElementById(select);
          list.append(new Option(pace, pace));
          list.value = pace;
        }""",
        [select, pace],
    )


def fill_try(page: Any, text: str, pace: str) -> None:
    page.select_option("#try-example", "")
    page.evaluate("text => { document.getElementById('try-text').value = text; }", text)
    page.select_option("#try-cut", "token")
    set_pace(page, "try-pace", pace)


def stop(page: Any, button: str) -> None:
    if page.text_content(button) == "Stop":
        page.click(button)
    while page.text_content(button) == "Stop":
        page.wait_for_timeout(50)


def computed(events: list[dict[str, Any]]) -> list[float]:
    """Milliseconds that each task of the page's own thread computed, from a trace."""
    threads = {
        (one["pid"], one["tid"])
        for one in events
        if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"
    }
    return [
        one["tdur"] / 1000
        for one in events
        if one["name"].endswith("RunTask") and "tdur" in one and (one["pid"], one["tid"]) in threads
    ]


def watched(browser: Any, page: Any, seconds: int) -> dict[str, Any]:
    """What happened on the page's thread in so many seconds."""
    page.evaluate("seen.long.length = seen.shifts.length = 0")
    browser.start_tracing(page=page, categories=["toplevel"])
    page.wait_for_timeout(seconds * 1000)
    tasks = computed(json.loads(browser.stop_tracing())["traceEvents"])
    found = page.evaluate("seen")
    walls = found["long"]
    moved = sum(found["shifts"])
    return {
        "long_tasks_wall": len(walls),
        "longest_wall_ms": round(max(walls, default=0)),
        "long_tasks_cpu": sum(task > LONG for task in tasks),
        "longest_cpu_ms": round(max(tasks, default=0), 1),
        "cpu_share": round(sum(tasks) / 1000 / seconds, 3),
        "layout_shift": round(moved, 4),
        "ok": max(tasks, default=0) <= LONG and moved == 0,
    }


def streaming(browser: Any, address: str, seconds: int) -> dict[str, Any]:
    """A reply at 200 tokens a second, in Try and in Chat."""
    found = {}
    page = opened(browser, address, "try")
    page.wait_for_selector("#try-run:enabled", timeout=START)
    page.wait_for_timeout(500)
    fill_try(page, long_text(int((seconds + 10) * RATE * CHARACTERS)), str(RATE))
    page.click("#try-run")
    page.wait_for_timeout(1500)
    found["try"] = watched(browser, page, seconds)
    sent = page.text_content("#try-sent")
    found["try"]["sent"] = sent
    stop(page, "#try-run")
    page.context.close()

    page = opened(browser, address, "chat")
    page.wait_for_selector("#play:enabled", timeout=START)
    longest = max(recordings(), key=lambda recording: len(recording["chunks"]))
    page.select_option("#recording", longest["id"])
    page.wait_for_timeout(500)
    pauses = [wait for wait, _ in longest["chunks"]]
    pace = 1000 / RATE / statistics.mean(pauses)
    set_pace(page, "pace", str(pace))
    page.click("#play")
    page.wait_for_timeout(600)  # a shift right after a click is the click's own
    found["chat"] = {"tokens": len(longest["chunks"])} | watched(browser, page, max(2, round(len(pauses) / RATE)))
    page.context.close()
    return found


def memory(browser: Any, address: str, replies: int) -> dict[str, Any]:
    """What is left after each few replies of an hour, with the garbage collected."""
    page = opened(browser, address, "try")
    page.wait_for_selector("#try-run:enabled", timeout=START)
    page.wait_for_timeout(500)
    tokens = MODEL_RATE * 60
    fill_try(page, long_text(int(tokens * CHARACTERS)), "0")
    session = page.context.new_cdp_session(page)

    def left() -> dict[str, float]:
        for _ in range(3):
            session.send("HeapProfiler.collectGarbage")
        counters = session.send("Memory.getDOMCounters")
        return {
            "heap_mb": round(session.send("Runtime.getHeapUsage")["usedSize"] / 1e6, 2),
            "nodes": counters["nodes"],
            "listeners": counters["jsEventListeners"],
        }

    def python_mb() -> float:
        page.click("#tab-speed")
        page.wait_for_timeout(800)
        told = str(page.text_content("#speed-takes-heap"))
        page.click("#tab-try")
        return float(told.split(" ")[0])

    series = []
    python = []
    for number in range(1, replies + 1):
        page.click("#try-run")
        while page.text_content("#try-run") == "Stop":
            page.wait_for_timeout(100)
        if number % EVERY == 0:
            python.append(python_mb())
            series.append(left())
    page.context.close()
    warm = series[1:] or series
    growth = round(warm[-1]["heap_mb"] / warm[0]["heap_mb"], 3)
    return {
        "replies": replies,
        "tokens": replies * tokens,
        "hours_at_40_tokens_a_second": round(replies * tokens / MODEL_RATE / 3600, 2),
        "left": series,
        "python_mb": python,
        "growth": growth,
        "python_growth": round(python[-1] / python[min(1, len(python) - 1)], 3),
        "ok": growth <= GROWTH and warm[-1]["nodes"] <= warm[0]["nodes"] * GROWTH,
    }


def run(options: argparse.Namespace) -> dict[str, Any]:
    """All figures. `load_average` says how busy the machine was: 2 is all that two cores can do."""
    chosen = set(options.only or ("paint", "streaming", "memory"))
    with contextlib.redirect_stdout(sys.stderr):
        setup.set_up(tests=True)
    if importlib.util.find_spec("playwright") is None:
        os.execv(setup.PYTHON, [str(setup.PYTHON), *sys.argv])  # the Python that has what drives a browser
    from playwright.sync_api import sync_playwright

    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", shutil.which("node") or "")
    figures: dict[str, Any] = {"cores": os.cpu_count(), "load_average": [round(load, 1) for load in os.getloadavg()]}
    with sync_playwright() as playwright, served() as address:
        browser = playwright.chromium.launch(
            executable_path=setup.find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        try:
            if "paint" in chosen:
                figures["first_paint"] = first_paint(browser, address, options.rounds)
            if "streaming" in chosen:
                figures["streaming"] = streaming(browser, address, options.seconds)
            if "memory" in chosen:
                figures["memory"] = memory(browser, address, options.replies)
        finally:
            browser.close()
    return figures


def table(figures: dict[str, Any]) -> str:
    """The figures for people."""
    lines = [f"load average {figures['load_average']} on {figures['cores']} cores"]
    if "first_paint" in figures:
        paint = figures["first_paint"]
        lines.append(
            f"first paint, cold: median {paint['median_ms']} ms, worst {paint['worst_ms']} ms of {paint['rounds']}"
        )
    for panel, found in figures.get("streaming", {}).items():
        lines.append(
            f"{RATE} tokens a second in {panel}: longest task {found['longest_cpu_ms']} ms computed, "
            f"{found['longest_wall_ms']} ms passed ({found['long_tasks_cpu']} and {found['long_tasks_wall']} over "
            f"{LONG} ms); layout shift {found['layout_shift']}"
        )
    if "memory" in figures:
        hour = figures["memory"]
        first, last = hour["left"][min(1, len(hour["left"]) - 1)], hour["left"][-1]
        lines.append(
            f"{hour['hours_at_40_tokens_a_second']} hours of streaming: "
            f"page {first['heap_mb']} to {last['heap_mb']} MB, "
            f"{first['nodes']} to {last['nodes']} nodes, Python {hour['python_mb'][0]} to {hour['python_mb'][-1]} MB"
        )
    return "\n".join(lines)
