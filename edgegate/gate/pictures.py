"""Pictures of what the gate found, as SVG by itself: no script, nothing fetched, every text escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from edgegate.gate.records import Drift
from edgegate.records import Report, Severity

COLOURS = {
    "PASS": "#2e7d32",
    "PASS_WITH_FLAGS": "#827717",
    "REWRITE": "#c75300",
    "REJECT": "#c62828",
    "UNCHECKABLE": "#616161",
}
"""Verdict -> its colour, the same in every picture."""

WIDTH, LINE = 760, 18
_CHARACTERS, _LABEL = 96, 84

STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}.strong{font-weight:600}.soft{fill:#555}.small{font-size:12px}"
    ".page{fill:#fff}.whisker{fill:#111}.box{fill:#f5f5f5;stroke:#bdbdbd}.rail{fill:#e8e8e8}.mark{fill:#fff;font-weight:600}"
    "@media(prefers-color-scheme:dark){.page{fill:#161616}.whisker{fill:#fff}.box{fill:#222;stroke:#555}.rail{fill:#333}"
    "text{fill:#eee}.soft{fill:#aaa}.mark{fill:#fff}}"
)


def plain(text: str) -> str:
    """A text as XML may hold it: what XML forbids (control characters, half surrogates) becomes the replacement sign.

    >>> plain("a" + chr(0) + "<b>")
    'a\\ufffd&lt;b&gt;'
    """
    allowed = "\t\n\r"
    return escape(
        "".join(
            c if c in allowed or (" " <= c <= "\ud7ff") or ("\ue000" <= c <= "\ufffd") or c > "\uffff" else "\ufffd"
            for c in text
        )
    )


def wrapped(text: str, characters: int, lines: int = 4) -> list[str]:
    """The text in lines of at most so many characters; what is past the last line is cut, and a sign says so.

    >>> wrapped("one two three", 7)
    ['one two', 'three']
    """
    room = characters * (lines + 1)
    words = text[: 2 * room].split()
    found, line = [""], ""
    for word in words:
        for part in (word[at : at + characters] for at in range(0, len(word), characters)):
            longer = f"{line} {part}".strip()
            if len(longer) > characters:
                found.append(part)
            else:
                found[-1] = longer
            line = found[-1]
        if len(found) > lines:
            break
    if len(found) > lines or len(text) > 2 * room:
        found = found[:lines]
        found[-1] = f"{found[-1][: characters - 1]}…"
    return found


def picture(title: str, rows: Sequence[str], height: int) -> str:
    """One SVG of drawn rows, with its title for those who can't see it."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
    page = f'<rect class="page" width="{WIDTH}" height="{height}"/>'
    return "".join([head, f"<title>{plain(title)}</title><style>{STYLE}</style>", page, *rows, "</svg>"])


def words(x: int, y: int, text: str, kind: str = "") -> str:
    """One line of text."""
    marked = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{marked}>{plain(text)}</text>'


def badge(x: int, y: int, verdict: str) -> tuple[str, int]:
    """A verdict on its colour, and its width; `y` is the line that text would stand on."""
    width = 9 * len(verdict) + 16
    box = f'<rect x="{x}" y="{y - 14}" width="{width}" height="19" rx="9" fill="{COLOURS[verdict]}"/>'
    return box + words(x + 8, y, verdict, "mark small"), width


def draw(found: Drift) -> str:
    """A chain as a picture: each version in a box, each hop with its verdict and what it lost, and at the end what the
    last version lost of the first, and where.

    >>> from edgegate.gate.chain import drift
    >>> draw(drift(["It rained.", "It rained."])).startswith("<svg")
    True
    """
    rows: list[str] = []
    y = 16
    for number, version in enumerate(found.versions):
        lines = wrapped(version, _CHARACTERS)
        box = LINE * len(lines) + 14
        rows.append(f'<rect x="16" y="{y}" width="{WIDTH - 32}" height="{box}" rx="6" class="box"/>')
        rows += [words(28, y + 20 + at * LINE, line) for at, line in enumerate(lines)]
        y += box
        if number < len(found.hops):
            y = _draw_hop(rows, y, number, found.hops[number])
    y = _draw_whole(rows, y + 30, found)
    return picture("A memory and its rewrites, oldest first", rows, y + 6)


def _draw_hop(rows: list[str], y: int, number: int, report: Report) -> int:
    verdict = str(report.verdict)
    lost = ", ".join(dict.fromkeys(each.type for each in report.changes)) or (report.uncheckable or "")
    drawn, width = badge(74, y + 23, verdict)
    lines = wrapped(lost, _LABEL - width // 7, 3) if lost else []
    height = 36 + LINE * max(0, len(lines) - 1)
    rows.append(f'<rect x="30" y="{y}" width="4" height="{height}" fill="{COLOURS[verdict]}"/>')
    rows += [words(46, y + 23, f"{number + 1}.", "strong"), drawn]
    rows += [words(82 + width, y + 23 + at * LINE, line) for at, line in enumerate(lines)]
    return y + height


def _draw_whole(rows: list[str], y: int, found: Drift) -> int:
    drawn, _ = badge(156, y, str(found.whole.verdict))
    rows += [words(16, y, "Last against first:", "strong"), drawn]
    told = []
    for loss in found.losses:
        place = "hidden in a rewrite that could not be checked" if loss.hop is None else f"at rewrite {loss.hop + 1}"
        told.append(f"{loss.change.type}, {place}")
    light = [each.type for each in found.whole.changes if each.severity is Severity.ADVISORY]
    told += [f"{each} (advisory)" for each in dict.fromkeys(light)]
    if found.whole.uncheckable:
        told.append(found.whole.uncheckable)
    if not told:
        told.append("nothing was lost that the gate can see")
    for line in dict.fromkeys(told):
        y += LINE + 2
        rows.append(words(28, y, f"· {line}"[:_CHARACTERS], "soft"))
    return y + 10
