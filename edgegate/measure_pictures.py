"""A bench run as a picture and as a page: rates with their intervals, the warning beside them, flagged writes to read.

Both stand by themselves: nothing is fetched, no script runs, and every text of the writes is escaped.
"""

from __future__ import annotations

from edgegate.gate.pictures import COLOURS, WIDTH, picture, plain, words, wrapped
from edgegate.measure import Rate
from edgegate.measure_bench import WARNING, Bench, Example
from edgegate.records import Change, Severity

_LEFT, _BAR = 190, 300
_GREY, _BLUE = "#9e9e9e", "#1565c0"


def draw_bench(found: Bench) -> str:
    """The rates of a run as one SVG.

    >>> draw_bench(Bench()).startswith("<svg")
    True
    """
    rows = [words(16, 30, "What the write gate makes of these writes", "strong")]
    y = 62
    for name, rate, of, colour in (
        ("flagged", found.flagged, "checkable writes", COLOURS["REWRITE"]),
        ("could not be checked", found.uncheckable, "writes", COLOURS["UNCHECKABLE"]),
        ("stored nothing", found.abstained, "sources", _GREY),
    ):
        _bar(rows, y, name, rate, of, colour)
        y += 34
    rows.append(words(16, y + 10, "Flagged by", "strong"))
    y += 38
    for name, rate in found.check_rates().items():
        _bar(rows, y, name, rate, "", _BLUE)
        y += 28
    if not found.by_check:
        rows.append(words(16, y, "no check", "soft"))
        y += 28
    y += 8
    for line in wrapped(WARNING, 105, 6):
        rows.append(words(16, y, line, "soft small"))
        y += 17
    known = f"stimulus set {found.stimulus_set}, lexicons {found.lexicon or 'none'}"
    rows.append(words(16, y + 8, f"{known}. Lines over the bars: Wilson's 95 % interval.", "soft small"))
    if found.broken:
        y += 18
        rows.append(words(16, y + 8, f"{len(found.broken)} records could not be read and are not counted.", "strong"))
    return picture("Flag rate, uncheckable share and abstention of a memory system", rows, y + 24)


def _bar(rows: list[str], y: int, name: str, rate: Rate, of: str, colour: str) -> None:
    rows.append(words(16, y, name))
    rows.append(f'<rect x="{_LEFT}" y="{y - 12}" width="{_BAR}" height="16" rx="3" class="rail"/>')
    low, high = _LEFT + _BAR * rate.low, _LEFT + _BAR * rate.high
    if rate.value is not None:
        rows.append(
            f'<rect x="{_LEFT}" y="{y - 12}" width="{_BAR * rate.value:.1f}" height="16" rx="3" fill="{colour}"/>'
        )
        rows.append(f'<rect x="{low:.1f}" y="{y - 5}" width="{max(1.0, high - low):.1f}" height="2" class="whisker"/>')
    told = (
        "none to count" if rate.value is None else f"{rate.value:.2f} ({rate.count} of {rate.total}{of and ' ' + of})"
    )
    rows.append(words(_LEFT + _BAR + 12, y, told))


def page(found: Bench) -> str:
    """A run as one HTML page: the picture, a table of the same rates, and flagged writes with what they lost.

    >>> page(Bench()).startswith("<!doctype html>")
    True
    """
    rates = {
        "flagged, of checkable writes": found.flagged,
        "could not be checked, of writes": found.uncheckable,
        "stored nothing, of sources": found.abstained,
        "advisory only, of checkable writes": found.advisory,
        **{f"flagged by {name}": rate for name, rate in found.check_rates().items()},
    }
    table = "".join(
        f"<tr><th scope=row>{plain(name)}</th><td>{'–' if rate.value is None else f'{rate.value:.3f}'}</td>"
        f"<td>{rate.count} of {rate.total}</td><td>{rate.low:.3f} to {rate.high:.3f}</td></tr>"
        for name, rate in rates.items()
    )
    broken = "".join(f"<li>line {each.place}: {plain(each.why)}</li>" for each in found.broken[:100])
    more = len(found.broken) - 100
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>edgegate bench</title>"
        "<meta name=viewport content='width=device-width'>"
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{_STYLE}</style><main>{draw_bench(found)}"
        f"<table><thead><tr><th>rate<th>share<th>count<th>95 % interval</thead><tbody>{table}</tbody></table>"
        f"<h2>Flagged writes</h2>{''.join(map(_example, found.examples)) or '<p>None.</p>'}"
        + (f"<h2>Lines that could not be read</h2><ul>{broken}</ul>" if broken else "")
        + (f"<p>… and {more} more.</p>" if more > 0 else "")
        + "</main></html>"
    )


def _example(example: Example) -> str:
    changes = [change for change in example.report.changes if change.severity is not Severity.ADVISORY]
    return (
        f"<article><p><b>{plain(str(example.report.verdict))}</b> {plain(example.memory[:2000])}</p>"
        f"<ul>{''.join(map(_change, changes))}</ul></article>"
    )


def _change(change: Change) -> str:
    source = "(nothing)" if change.source_quote is None else change.source_quote.text[:1000]
    marked = plain(source)
    cue = plain(change.cue_text)
    if cue and cue in marked:
        marked = marked.replace(cue, f"<mark>{cue}</mark>", 1)
    return f"<li>{plain(change.type)}: {plain(change.detail)}<br><q>{marked}</q></li>"


_STYLE = (
    f"body{{font:15px/1.5 system-ui,sans-serif;margin:0}}main{{max-width:{WIDTH}px;margin:auto;padding:1rem}}"
    "svg{width:100%;height:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.2rem .6rem;"
    "border-bottom:1px solid #bbb;font-weight:400}article{border:1px solid #bbb;border-radius:6px;padding:0 1rem;"
    "margin:.7rem 0;overflow-wrap:anywhere}@media(prefers-color-scheme:dark){body{background:#161616;color:#eee}}"
)
