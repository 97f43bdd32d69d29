"""bench(): what is counted over what, the name of a stimulus set, broken lines, and pictures that no text can break."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from edgegate.measure import Rate
from edgegate.measure_bench import EXAMPLES, WARNING, BenchRecord, Broken, bench
from edgegate.measure_pictures import draw_bench, page

SAID = "Someone said Alice was promoted."
HOSTILE = "<script>alert(1)</script> & \x00\x1b[31m \ud83d ]]> Alice was promoted."
RECORDS = [
    BenchRecord(SAID, "Alice was promoted."),  # attribution
    BenchRecord(SAID, "Someone said Alice was promoted."),
    BenchRecord("It never rains here.", "It rains here."),  # polarity
    BenchRecord("The exam is tomorrow.", "The exam is tomorrow."),  # advisory
    BenchRecord("Blue.", "Zebras graze beside quiet rivers."),  # nothing matches
    BenchRecord("Blue.", None),  # beside a write from the same source: no abstention
    BenchRecord("I row on Fridays.", None),
    BenchRecord([{"speaker": "user", "text": "I swim."}], None),
]


def test_each_rate_counts_over_its_own_whole() -> None:
    found = bench(RECORDS)
    assert found.flagged == Rate(2, 4)
    assert found.uncheckable == Rate(1, 5)
    assert found.abstained == Rate(2, 6)
    assert found.advisory == Rate(1, 4)
    assert found.check_rates() == {"attribution": Rate(1, 4), "polarity": Rate(1, 4)}
    assert found.verdicts == {"REWRITE": 1, "PASS": 1, "REJECT": 1, "PASS_WITH_FLAGS": 1, "UNCHECKABLE": 1}
    assert [example.memory for example in found.examples] == ["Alice was promoted.", "It rains here."]
    empty = bench([])
    assert (empty.flagged, empty.abstained) == (Rate(0, 0), Rate(0, 0))


def test_a_stimulus_set_is_named_by_what_was_given_alone() -> None:
    name = bench(RECORDS).stimulus_set
    assert re.fullmatch("[0-9a-f]{16}", name)
    others = [BenchRecord(record.source, "Another memory.") for record in reversed(RECORDS)]
    assert bench(others).stimulus_set == name
    assert bench(RECORDS[1:]).stimulus_set == name  # the same source twice is one
    assert bench(RECORDS[2:]).stimulus_set != name
    assert bench([BenchRecord(SAID, None, now="2026-03-11")]).stimulus_set != bench([RECORDS[0]]).stimulus_set


def test_what_cannot_be_read_is_told_and_stops_nothing() -> None:
    told: list[Broken] = []
    ticks: list[int] = []
    wrong = BenchRecord([{"speaker": "user"}], "x")
    records = [Broken(1, "no JSON"), None, wrong, RECORDS[0], BenchRecord("a", "b", now="soon")]
    found = bench(records, lambda: ticks.append(1), told.append)
    assert [broken.place for broken in told] == [1, 3, 5]
    assert "source[0].text" in told[1].why
    assert found.broken == told
    assert found.flagged == Rate(1, 1)
    assert found.abstained == Rate(0, 1)
    assert len(ticks) == len(records)


def test_the_picture_and_the_page_hold_any_text() -> None:
    records = [BenchRecord(f"Someone said {HOSTILE}", HOSTILE) for _ in range(EXAMPLES + 5)]
    found = bench([*RECORDS, *records, *(Broken(n, HOSTILE) for n in range(150))])
    assert len(found.examples) == EXAMPLES
    picture, html = draw_bench(found), page(found)
    texts = " ".join(ElementTree.fromstring(picture).itertext())
    for told in ("flagged", "could not be checked", "stored nothing", "attribution", found.stimulus_set):
        assert told in texts
    assert "neither a floor nor a ceiling" in texts
    assert "<script" not in html
    assert "\x00" not in html
    assert "… and 50 more." in html
    html.encode()

    seen: set[str] = set()

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attributes: Any) -> None:
            seen.add(tag)

    Tags().feed(html)
    assert "article" in seen
    assert not seen & {"script", "img", "link", "iframe"}
    ElementTree.fromstring(draw_bench(bench([])))
    assert "<p>None.</p>" in page(bench([]))


def run(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "edgegate", "bench", *arguments], input=given, capture_output=True)


LINES = b"\n".join(json.dumps({"source": record.source, "memory": record.memory}).encode() for record in RECORDS)


def test_the_command_reports_rates_with_counts_and_intervals(tmp_path: Path) -> None:
    file = tmp_path / "writes.jsonl"
    file.write_bytes(LINES)
    done = run(str(file))
    assert done.returncode == 1
    assert re.search(r"flagged, of checkable writes +0\.500 +2 of 4 +\[0\.150, 0\.850\]", done.stdout.decode())
    assert WARNING in done.stdout.decode()
    assert done.stderr == b""
    result = json.loads(run("--json", given=LINES).stdout)
    assert result["abstained"] == {"value": 0.3333, "count": 2, "total": 6, "low": 0.0968, "high": 0.7}
    assert result["stimulus_set"] == bench(RECORDS).stimulus_set
    assert result["warning"] == WARNING
    assert run(given=json.dumps({"source": "I row.", "memory": "The user rows."}).encode()).returncode == 0


def test_a_broken_line_is_named_and_the_rest_is_scored() -> None:
    broken = b"\n".join([
        b'{"source": "a"', b"", b'{"source": 7, "memory": "x"}', b'{"memory": "x"}',
        b'{"source": "\xff", "memory": "x"}',
        b'{"source": [{"speaker": "user"}], "memory": "x"}', b"[" * 100_000,
    ])  # fmt: skip
    done = run("--json", given=broken + b"\n" + LINES)
    assert done.returncode == 2
    named = re.findall(r"line (\d+):", done.stderr.decode())
    assert named == ["1", "3", "4", "5", "6", "7"]
    result = json.loads(done.stdout)
    assert result["flagged"]["total"] == 4
    assert [broken["place"] for broken in result["broken"]] == [1, 3, 4, 5, 6, 7]


def test_the_command_writes_picture_and_page_and_names_a_bad_place(tmp_path: Path) -> None:
    picture, html = tmp_path / "b.svg", tmp_path / "b.html"
    assert run("--svg", str(picture), "--html", str(html), "--now", "2026-03-11", given=LINES).returncode == 1
    assert picture.read_text("utf-8").startswith("<svg")
    assert "Alice was promoted." in html.read_text("utf-8")
    for arguments in (["no-such-file.jsonl"], ["--svg", str(tmp_path / "none" / "b.svg")]):
        done = run(*arguments, given=LINES)
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs a terminal of its own")
def test_a_person_who_watches_sees_a_bar_and_a_pipe_does_not(tmp_path: Path) -> None:
    file = tmp_path / "writes.jsonl"
    file.write_bytes(LINES + b"\nbroken\n")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "edgegate", "bench", str(file), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        assert process.stdout is not None
        result = json.loads(process.stdout.read())
        shown = b""
        try:
            while data := os.read(ours, 4096):
                shown += data
        except OSError:
            pass  # the other end is closed
    os.close(ours)
    assert result["flagged"]["total"] == 4
    assert b"100%" in shown
    assert b"line 9:" in shown
