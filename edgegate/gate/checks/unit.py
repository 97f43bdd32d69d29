"""unit: the number is kept and its unit changed ("22 miles" to "22 km", "450 a fortnight" to "450 a month").

Reads the quantities of the aligned sentences; a conversion ("1,500 metres" to "1.5 km") is the same quantity.

Sources: the SI brochure (9th ed.), ISO 4217; the idea follows the paper's value-keyed unit drift (factwash, section 4).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from edgegate.gate.write import Pairing, Write, change, words
from edgegate.language import lexicon
from edgegate.language.passages import Passage
from edgegate.language.values import Quantity, relate_quantities
from edgegate.records import Change, Severity

_ROUNDED = Fraction(1, 25)  # "5 miles" is "about 8 km"


def unit(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for every quantity of the memory sentence whose number the source has with another unit."""
    known = [(link.source, quantity) for link in pairing.links for quantity in link.source.values.quantities]
    for theirs in pairing.candidate.values.quantities:
        points = _points(pairing, theirs)
        if points is not None:
            yield _changed(pairing.candidate, theirs, *points)
            continue
        if any(relate_quantities(mine, theirs) == "same" for _, mine in known):
            continue
        hit = next(((passage, mine) for passage, mine in known if _differ(write, mine, theirs)), None)
        if hit is not None and not _said_elsewhere(write, theirs):
            yield _changed(pairing.candidate, theirs, *hit)


def _points(pairing: Pairing, theirs: Quantity) -> tuple[Passage, Quantity] | None:
    """The share of the source from which on percentage points are counted that the memory tells as percent.

    "From 5 % to 8" and "by 3 %": a rise by 3 % would end at 5.15.
    """
    candidate = pairing.candidate
    before, after = (
        candidate.words[max(theirs.first - 2, 0) : theirs.first],
        candidate.words[theirs.last : theirs.last + 2],
    )
    if not _is_share(theirs) or not any(word in words("change_words") for word in before):
        return None
    if any(word in words("point_words") for word in after):
        return None
    for link in pairing.links:
        shares = [each for each in link.source.values.quantities if _is_share(each)]
        numbers = {each.value for each in link.source.values.numbers}
        for share in shares:
            ends = {share.value + theirs.value, share.value - theirs.value} & numbers
            if (
                ends
                and share.value
                and theirs.value not in {abs(end - share.value) / share.value * 100 for end in ends}
            ):
                return link.source, share
    return None


def _is_share(quantity: Quantity) -> bool:
    return any(reading.dimension == "share" for reading in quantity.readings)


def _differ(write: Write, mine: Quantity, theirs: Quantity) -> bool:
    """Whether one quantity is the other with its unit changed, misread ("six foot two" as 6.2) or wrongly converted."""
    if relate_quantities(mine, theirs) == "unit":
        return True
    if mine.rest is not None:
        whole = int(mine.value)
        return theirs.value == Fraction(f"{whole}.{mine.rest}") and theirs.rest is None
    return _wrongly_converted(write, mine, theirs)


def _wrongly_converted(write: Write, mine: Quantity, theirs: Quantity) -> bool:
    """Whether the memory has another amount in another unit, where the source has one amount of that kind alone."""
    if mine.unit == theirs.unit or mine.per or theirs.per or relate_quantities(mine, theirs) != "value":
        return False
    told = [each.dimension for _, values in write.figures() for one in values.quantities for each in one.readings]
    known = {number.value for _, values in write.figures() for number in values.numbers}
    sizes = {each.dimension: each.amount for each in mine.readings if each.dimension in lexicon.table("measures")}
    return theirs.value not in known and any(
        told.count(each.dimension) == 1 and abs(each.amount - sizes[each.dimension]) > _ROUNDED * each.amount
        for each in theirs.readings
        if each.dimension in sizes
    )


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
