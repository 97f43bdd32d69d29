"""unit: the number is kept and its unit changed ("22 miles" to "22 km", "450 a fortnight" to "450 a month").

Reads the quantities of the aligned sentences; a conversion ("1,500 metres" to "1.5 km") is the same quantity.

Sources: the SI brochure (9th ed.), ISO 4217; the idea follows the paper's value-keyed unit drift (factwash, section 4).
"""

from __future__ import annotations

from collections.abc import Iterator

from edgegate.gate.write import Pairing, Write, change
from edgegate.language.passages import Passage
from edgegate.language.values import Quantity, relate_quantities
from edgegate.records import Change, Severity


def unit(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for every quantity of the memory sentence whose number the source has with another unit."""
    known = [(link.source, quantity) for link in pairing.links for quantity in link.source.values.quantities]
    for theirs in pairing.candidate.values.quantities:
        if any(relate_quantities(mine, theirs) == "same" for _, mine in known):
            continue
        hit = next(((passage, mine) for passage, mine in known if relate_quantities(mine, theirs) == "unit"), None)
        if hit is not None and not _said_elsewhere(write, theirs):
            yield _changed(pairing.candidate, theirs, *hit)


def _said_elsewhere(write: Write, theirs: Quantity) -> bool:
    """Whether any sentence of the source has the quantity as the memory has it."""
    return any(relate_quantities(mine, theirs) == "same" for _, values in write.figures() for mine in values.quantities)


def _changed(candidate: Passage, theirs: Quantity, passage: Passage, mine: Quantity) -> Change:
    before = passage.tokens.quote(mine.first, mine.last)
    after = candidate.tokens.quote(theirs.first, theirs.last)
    return change(
        "unit",
        "changed unit",
        Severity.REJECT,
        f"“{before}” became “{after}”.",
        source=passage,
        candidate=candidate,
        tokens=range(theirs.first, theirs.last),
        rule="unit.changed",
        cite="SI brochure, 9th ed.; ISO 4217",
    )
