"""The certification of a batch, for signature, with its control sheet."""

from __future__ import annotations

from escrow.bills.delivery import delivered_on
from escrow.models import RollBatch, RollFile
from portal import city, city_calendar, papers
from portal.models import Document
from portal.ordinance.tax_roll import roll_days

__all__ = ["certification"]

LISTED = 2000
"""A longer list is certified by its control figures and hash; the file has every line."""


def certification(batch: RollBatch, made: RollFile) -> Document:
    """The clerk's certification to the tax roll: control figures, lines, two names to sign."""
    assert batch.decided_on is not None
    days = roll_days(
        batch.year,
        calendar=city_calendar.current_calendar(),
        cutoff=batch.cut_off_on,
        delivery=delivered_on(batch.year),
    )
    lines = batch.lines.select_related("bill", "charge").order_by("position")
    title = f"Certification to the tax roll of {batch.year}, batch {batch}"
    return papers.render(
        "papers/roll_certification.html",
        {
            "batch": batch,
            "file": made,
            "lines": list(lines) if batch.count <= LISTED else [],
            "days": {day.key: day for day in days},
            "on": batch.decided_on,
            "reference": f"Tax roll batch {batch}",
            "edition": city.edition_on(batch.decided_on),
        },
        kind="roll_certification",
        title=title,
    )
