"""The command line: `edgegate check | inspect | drift | bench | guard | read | forget | evaluate`, also
`python -m edgegate`.

It needs the extra `cli` (msgspec reads and checks the records, click is the command line). Exit code 0 is clean,
1 flagged (a write that is not to be stored as it is, a reply that lost a sentence), 2 bad usage or data.
"""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

try:
    import click
    import msgspec
except ImportError as missing:
    sys.exit(f"edgegate: {missing.name} is missing. The command line comes with an extra: pip install 'edgegate[cli]'")

from edgegate import Evidence, Guard, Report, TextDropped, TextShown, __version__, drift
from edgegate import check as check_memory
from edgegate import inspect as inspect_memory
from edgegate.command_bench import bench_command
from edgegate.errors import DataError, EdgegateError
from edgegate.gate.pictures import draw
from edgegate.labelled import FLAGGED, GateRecord, GuardRecord
from edgegate.measure import GateScore, GuardScore, evaluate_gate, evaluate_guard
from edgegate.measure_memory import (
    ForgetRecord,
    ForgetScore,
    IntentRecord,
    IntentScore,
    evaluate_forget,
    evaluate_intent,
)
from edgegate.memory import plan_forget, read_message
from edgegate.records import Event, to_json

Record = TypeVar("Record")
Score = GateScore | GuardScore | IntentScore | ForgetScore


@dataclass(frozen=True)
class Write:
    """One record of `check` and `inspect`: a memory and the conversation it came from."""

    source: str | list[dict[str, Any]]
    memory: str
    now: str | None = None
    about: str | None = None
    user: str | None = None
    context: str | list[dict[str, Any]] | None = None


def read_lines(name: str, text: bytes, kind: type[Record]) -> Iterator[Record]:
    """The records of a JSON Lines text, or the one record of a JSON text. Errors name the file, the line, the field."""
    try:
        yield msgspec.json.decode(text, type=kind)
        return
    except msgspec.ValidationError as problem:
        if len(text.strip().splitlines()) <= 1:
            raise DataError(str(problem), where=f"{name}, line 1") from None
    except msgspec.DecodeError:
        pass  # not one JSON value: read it line by line
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=kind)
        except (msgspec.DecodeError, msgspec.ValidationError) as problem:
            raise DataError(str(problem), where=f"{name}, line {number}") from None


def read_file(path: str) -> bytes:
    """The bytes of a file, or of standard input for "-"."""
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as problem:
        raise DataError(f"can't be read: {problem.strerror}", where=path) from None


def print_json(value: Any) -> None:
    click.echo(json.dumps(to_json(value), ensure_ascii=False).encode("utf-8", "backslashreplace"))


def describe_report(report: Report) -> str:
    """The report in lines for a person."""
    lines = [str(report.verdict)] if report.verdict else []
    if report.uncheckable:
        lines.append(f"  could not be checked: {report.uncheckable}")
    for change in report.changes:
        lines.append(f"  {change.severity.value}: {change.type} ({change.check}). {change.detail}")
        lines.append(f"    source:    {_quoted(change.source_quote)}")
        lines.append(f"    candidate: {_quoted(change.candidate_quote)}")
        lines.append(f"    rule:      {change.cue} “{change.cue_text}” ({change.cite})")
    lines.extend(f"  not in the source: {_quoted(quote)}" for quote in report.unaligned)
    lines.append(f"  not checked: {', '.join(report.not_checked)}")
    return "\n".join(lines)


def _quoted(quote: object | None) -> str:
    return "(nothing)" if quote is None else f"“{quote}”"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, package_name="edgegate", prog_name="edgegate")
def cli() -> None:
    """Filter what a model says and what a product remembers. Local; no text leaves this machine."""


def _gate_command(name: str, help_text: str) -> None:
    run = check_memory if name == "check" else inspect_memory

    @cli.command(name, help=help_text)
    @click.argument("path", default="-", metavar="[FILE]")
    @click.option("--source", help="The conversation as one text (instead of FILE).")
    @click.option("--memory", help="The memory made from it (with --source).")
    @click.option("--now", help="The date or date-time of the write, ISO form.")
    @click.option("--about", help="Whom the memory is filed under.")
    @click.option("--user", help="The name of the speaker who is the user.")
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON report a line.")
    def command(
        path: str,
        source: str | None,
        memory: str | None,
        now: str | None,
        about: str | None,
        user: str | None,
        as_json: bool,
    ) -> None:
        if (source is None) != (memory is None):
            raise click.UsageError("--source and --memory go together")
        writes: Iterator[Write] | list[Write]
        if source is not None and memory is not None:
            writes = [Write(source, memory)]
        else:
            writes = read_lines(path, read_file(path), Write)
        flagged = False
        for write in writes:
            report = run(
                write.source,
                write.memory,
                now=write.now or now,
                about=write.about or about,
                user=write.user or user,
                context=write.context,
            )
            flagged |= report.verdict in FLAGGED or (report.verdict is None and bool(report.changes))
            if as_json:
                print_json(report)
            else:
                click.echo(f"{write.memory}\n{describe_report(report)}")
        sys.exit(1 if flagged else 0)


_gate_command(
    "check",
    "Give a verdict on each memory of FILE (a JSON record or JSON Lines with source and memory; - is standard input).",
)
_gate_command("inspect", "List what each memory of FILE changed, without a verdict.")


@cli.command()
@click.option("--evidence", "evidence_path", help="A JSON file with memories, journal, history, threads, facts, …")
@click.option("--now", help="The date or date-time of this turn, ISO form.")
@click.option("--no-continuity", is_flag=True, help="Leave claims of remembered history alone.")
@click.option("--no-safety", is_flag=True, help="Leave claims of consciousness and pressure alone.")
@click.option("--off", is_flag=True, help="The kill switch: everything passes.")
@click.option("--cap", default=2000, show_default=True, help="Most characters held at once.")
@click.option("--json", "as_json", is_flag=True, help="Print every event as a line of JSON.")
def guard(
    evidence_path: str | None,
    now: str | None,
    no_continuity: bool,
    no_safety: bool,
    off: bool,
    cap: int,
    as_json: bool,
) -> None:
    """Filter a reply from standard input as it streams in; say on standard error what was dropped and why."""
    evidence = Evidence()
    if evidence_path:
        try:
            evidence = Evidence.read(msgspec.json.decode(read_file(evidence_path)), evidence_path)
        except msgspec.DecodeError as problem:
            raise DataError(str(problem), where=evidence_path) from None
    live = Guard(evidence, enabled=not off, continuity=not no_continuity, safety=not no_safety, cap=cap, now=now)
    dropped = 0
    for chunk in _decoded(sys.stdin.buffer):
        dropped += _print_events(live.feed(chunk), as_json)
    dropped += _print_events(live.close(), as_json)
    sys.exit(1 if dropped else 0)


def _decoded(stream: IO[bytes]) -> Iterator[str]:
    # A letter cut between two reads must survive, and broken bytes must not stop the stream (mattn/tensai PR 110).
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    read = getattr(stream, "read1", stream.read)
    while data := read(65536):
        yield decoder.decode(data)
    yield decoder.decode(b"", final=True)


def _print_events(events: Sequence[Event], as_json: bool) -> int:
    dropped = 0
    for event in events:
        if isinstance(event, TextDropped):
            dropped += 1
        if as_json:
            print_json(event)
        elif isinstance(event, TextShown):
            sys.stdout.buffer.write(event.text.encode("utf-8", "replace"))
            sys.stdout.buffer.flush()
        elif isinstance(event, TextDropped):
            nearest = event.nearest_evidence
            near = f"; nearest evidence: “{nearest.text}” ({nearest.kind})" if nearest else ""
            message = f"dropped “{event.sentence}”: {event.reason} [{event.cue}]{near}\n"
            sys.stderr.buffer.write(message.encode("utf-8", "replace"))
    return dropped


@dataclass(frozen=True)
class Said:
    """One record of `read`: a message of the user's."""

    message: str
    now: str | None = None


@dataclass(frozen=True)
class Forgetting:
    """One record of `forget`: what is kept, the request, and the assistant's last text."""

    memories: list[str]
    request: str
    said: str | None = None


@cli.command("drift")
@click.argument("path", default="-", metavar="[FILE]")
@click.option("--now", help="The date or date-time of the last version, ISO form.")
@click.option("--svg", "svg_path", help="Also draw the chain into this SVG file.")
@click.option("--json", "as_json", is_flag=True, help="Print the chain as JSON.")
def drift_command(path: str, now: str | None, svg_path: str | None, as_json: bool) -> None:
    """Follow a memory through its rewrites and say at which one each loss happened. Exit code 1: something was lost.

    FILE is a JSON list of versions, oldest first (the first may be a list of turns); - is standard input.
    """
    try:
        versions = json.loads(read_file(path))
    except ValueError as problem:
        raise DataError(f"is no JSON: {problem}", where=path) from None
    found = drift(versions, now=now)
    if svg_path is not None:
        Path(svg_path).write_text(draw(found), "utf-8")
    if as_json:
        print_json(found)
    else:
        for number, hop in enumerate(found.hops, 1):
            click.echo(f"{number}. {describe_report(hop)}")
        for loss in found.losses:
            place = "hidden in a hop that could not be checked" if loss.hop is None else f"at rewrite {loss.hop + 1}"
            click.echo(f"lost: {loss.change.type} ({loss.change.check}), {place}")
    sys.exit(1 if found.losses or found.uncheckable else 0)


@cli.command("read")
@click.argument("path", default="-", metavar="[FILE]")
@click.option("--text", help="The message itself (instead of FILE).")
@click.option("--now", help="The date or date-time of the message, ISO form.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a message.")
def read_command(path: str, text: str | None, now: str | None, as_json: bool) -> None:
    """Say what each message asks of memory and which facts it holds. Exit code 1: a message refuses to be kept.

    FILE is JSON Lines with message, or a plain text that is one message; - is standard input.
    """
    messages: Iterator[Said] | list[Said]
    if text is not None:
        messages = [Said(text)]
    else:
        data = read_file(path)
        is_json = data.lstrip()[:1] == b"{"
        messages = read_lines(path, data, Said) if is_json else [Said(data.decode("utf-8", "replace"))]
    refused = False
    for said in messages:
        message = read_message(said.message, said.now or now)
        refused |= message.intent == "refusal"
        if as_json:
            facts = [{"text": fact.text, "kind": fact.kind} for fact in message.facts]
            print_json({"intent": message.intent, "facts": facts, "cue": message.cue, "words": message.words})
        else:
            click.echo(message.intent + (f" ({message.cue} “{message.words}”)" if message.cue else ""))
            for fact in message.facts:
                click.echo(f"  {fact.kind}: {fact.text}")
    sys.exit(1 if refused else 0)


@cli.command("forget")
@click.argument("path", default="-", metavar="[FILE]")
@click.option("--memory", "memories", multiple=True, help="A memory that is kept (with --request; several times).")
@click.option("--request", help="The request to forget (instead of FILE).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON plan a request.")
def forget_command(path: str, memories: tuple[str, ...], request: str | None, as_json: bool) -> None:
    """Plan what each request to forget deletes; delete nothing. Exit code 1: a question must be asked first.

    FILE is a JSON record or JSON Lines with memories and request; - is standard input.
    """
    if memories and request is None:
        raise click.UsageError("--memory and --request go together")
    requests: Iterator[Forgetting] | list[Forgetting]
    if request is not None:
        requests = [Forgetting(list(memories), request)]
    else:
        requests = read_lines(path, read_file(path), Forgetting)
    asking = False
    for each in requests:
        plan = plan_forget(each.memories, each.request, said=each.said)
        asking |= plan.outcome == "ask"
        if as_json:
            print_json(plan)
        else:
            click.echo(f"{plan.outcome}: {plan.words}")
            for place in plan.targets:
                click.echo(f"  {place}: {each.memories[place]}")
    sys.exit(1 if asking else 0)


@cli.command()
@click.argument("path", metavar="FILE_OR_FOLDER")
@click.option("--json", "as_json", is_flag=True, help="Print the rates as JSON.")
@click.option("--errors", is_flag=True, help="List every wrong item after the table.")
@click.option("--halves", is_flag=True, help="Score two halves (split by a hash of the id) apart.")
def evaluate(path: str, as_json: bool, errors: bool, halves: bool) -> None:
    """Score the labelled sets in a file or folder (JSON Lines of the form README describes)."""
    place = Path(path)
    files = sorted(place.glob("*.jsonl")) if place.is_dir() else [place]
    if not files:
        raise DataError("no *.jsonl file in this folder", where=path)
    results: dict[str, Any] = {}
    for file in files:
        kind, records = _labelled(file)
        if kind is None:
            results[file.stem] = {"job": None, "note": "no detector for records of this form yet"}
            if not as_json:
                click.echo(f"{file.stem}: no detector for records of this form yet")
            continue
        parts = {file.stem: records}
        if halves:
            parts |= {f"{file.stem}/{half}": [r for r in records if _half(r.id) == half] for half in "ab"}
        for name, part in parts.items():
            score = _score(name, kind, part)
            results[name] = score.to_json()
            if not as_json:
                _print_table(name, results[name])
                if errors:
                    _print_errors(score)
    if as_json:
        print_json(results)


def _labelled(file: Path) -> tuple[type | None, list[Any]]:
    text = read_file(str(file))
    first = next(iter(text.splitlines()), b"{}")
    try:
        keys = set(msgspec.json.decode(first, type=dict[str, Any]))
    except (msgspec.DecodeError, msgspec.ValidationError) as problem:
        raise DataError(str(problem), where=f"{file}, line 1") from None
    kind = next((kind for kind, (named, _) in _SETS.items() if named <= keys), None)
    return kind, list(read_lines(str(file), text, kind)) if kind else []


def _half(name: str) -> str:
    return "ab"[sum(name.encode()) % 2]


_SETS: dict[type, tuple[set[str], Callable[..., Score]]] = {
    GuardRecord: ({"reply", "sentences"}, evaluate_guard),
    GateRecord: ({"source", "memory"}, evaluate_gate),
    IntentRecord: ({"message", "intent", "facts"}, evaluate_intent),
    ForgetRecord: ({"memories", "request", "expect"}, evaluate_forget),
}
"""The kinds of labelled sets: the keys that tell them, and what scores them."""


def _score(name: str, kind: type, records: list[Any]) -> Score:
    run = _SETS[kind][1]
    if not sys.stderr.isatty():
        return run(records)
    with click.progressbar(length=len(records), label=name, file=sys.stderr) as bar:
        return run(records, lambda: bar.update(1))


def _print_table(name: str, result: dict[str, Any]) -> None:
    click.echo(f"{name} ({result['job']}, {result['records']} records)")
    rows: list[tuple[str, Any]] = []
    for key, value in result.items():
        if isinstance(value, dict) and "count" in value:
            rows.append((key, value))
        elif isinstance(value, dict):
            rows.extend((f"{key}: {inner}", rate) for inner, rate in value.items())
        elif key not in ("job", "records"):
            rows.append((key, value))
    for key, value in rows:
        if isinstance(value, dict):
            share = "  –  " if value["value"] is None else f"{value['value']:.3f}"
            interval = f"[{value['low']:.3f}, {value['high']:.3f}]"
            click.echo(f"  {key:<34} {share}  {value['count']:>4} of {value['total']:<4} {interval}")
        else:
            click.echo(f"  {key:<34} {value}")


def _print_errors(score: Score) -> None:
    for outcome in score.outcomes:
        if not outcome.right:
            click.echo(f"  {outcome.record} [{outcome.label}] {outcome.text}\n      {outcome.why or '(nothing fired)'}")


cli.add_command(bench_command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; edgegate's own errors become one clear line and exit code 2."""
    try:
        cli(args=arguments, prog_name="edgegate")
    except EdgegateError as error:
        click.echo(f"edgegate: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
