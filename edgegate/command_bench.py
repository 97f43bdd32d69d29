"""`edgegate bench`: the rates of a memory system's writes, for a person, a program, a picture or a page."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import click
import msgspec

from edgegate.errors import DataError
from edgegate.measure import Rate
from edgegate.measure_bench import WARNING, Bench, BenchRecord, Broken, bench
from edgegate.measure_pictures import draw_bench, page


@click.command("bench")
@click.argument("path", default="-", metavar="[FILE]")
@click.option("--now", help="The date or date-time of writes that name none, ISO form.")
@click.option("--svg", "svg_path", help="Also draw the rates into this SVG file.")
@click.option("--html", "html_path", help="Also write a page with the rates and flagged writes into this file.")
@click.option("--json", "as_json", is_flag=True, help="Print the rates as JSON.")
def bench_command(path: str, now: str | None, svg_path: str | None, html_path: str | None, as_json: bool) -> None:
    """Score the writes of a memory system. Exit code 1: some are flagged; 2: a line could not be read.

    FILE is JSON Lines with source and memory (null where nothing was stored), and perhaps now, about, user, context; -
    is standard input. A line that can't be read is named on standard error, and the rest is scored.
    """

    def tell(broken: Broken) -> None:
        click.echo(f"edgegate: {path}, line {broken.place}: {broken.why}", err=True)

    try:
        with sys.stdin.buffer if path == "-" else open(path, "rb") as stream:
            found = _run(stream, now, tell)
    except OSError as problem:
        raise DataError(f"can't be read: {problem.strerror}", where=path) from None
    for place, drawn in ((svg_path, draw_bench), (html_path, page)):
        if place is not None:
            try:
                Path(place).write_text(drawn(found), "utf-8")
            except OSError as problem:
                raise DataError(f"can't be written: {problem.strerror}", where=place) from None
    click.echo(json.dumps(found.to_json(), ensure_ascii=False) if as_json else describe(found))
    sys.exit(2 if found.broken else 1 if found.flagged.count else 0)


def _run(stream: IO[bytes], now: str | None, tell: Callable[[Broken], None]) -> Bench:
    """The rates, with a bar over the bytes of a file where a person watches."""
    size = os.fstat(stream.fileno()).st_size if stream.seekable() else 0
    if not sys.stderr.isatty() or not size:
        return bench(read_records(stream, now), report=tell)
    with click.progressbar(length=size, label="bench", file=sys.stderr) as bar:

        def read(count: int) -> None:
            bar.update(count)

        def say(broken: Broken) -> None:
            click.echo("\r", err=True, nl=False)  # the bar's own line is written over
            tell(broken)

        return bench(read_records(stream, now, read), report=say)


def read_records(
    stream: IO[bytes], now: str | None = None, read: Callable[[int], None] = lambda count: None
) -> Iterator[BenchRecord | Broken | None]:
    """The records of JSON Lines, one a line (None for an empty one); `read` is told the bytes of each."""
    for number, line in enumerate(stream, 1):
        if not line.strip():
            yield None
        else:
            try:
                yield _dated(msgspec.json.decode(line, type=BenchRecord), now)
            except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as problem:
                yield Broken(number, str(problem))
        read(len(line))


def _dated(record: BenchRecord, now: str | None) -> BenchRecord:
    if record.now is not None or now is None:
        return record
    return BenchRecord(record.source, record.memory, now, record.about, record.user, record.context)


def describe(found: Bench) -> str:
    """The rates in lines for a person."""
    lines = [
        _line("flagged, of checkable writes", found.flagged),
        _line("could not be checked, of writes", found.uncheckable),
        _line("stored nothing, of sources", found.abstained),
        _line("advisory only, of checkable writes", found.advisory),
        *(_line(f"  flagged by {name}", rate) for name, rate in found.check_rates().items()),
        f"stimulus set {found.stimulus_set}, lexicons {found.lexicon}",
    ]
    if found.broken:
        lines.append(f"{len(found.broken)} lines could not be read and are not counted")
    return "\n".join([*lines, WARNING])


def _line(name: str, rate: Rate) -> str:
    share = "  –  " if rate.value is None else f"{rate.value:.3f}"
    return f"{name:<36} {share}  {rate.count:>5} of {rate.total:<5} [{rate.low:.3f}, {rate.high:.3f}]"
