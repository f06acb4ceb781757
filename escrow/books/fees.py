"""Fees that differ from the table in force on the day of filing. § 40-886(b)

The list is empty, or each row says why: waived by a resolution, or another table was known
on the day of its entry. A row with no such reason stays on the list until it is reversed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import DateField, F, Q, QuerySet
from django.db.models.functions import Coalesce

from permits.models import FeeEntry
from portal import council, formats, ordinance
from portal.models import CouncilValue

__all__ = ["Differing", "Step", "explained", "fee_table", "fees_that_differ"]


@dataclass(frozen=True)
class Step:
    """The fee from a day on, until the next step."""

    since: date
    fee: Decimal
    resolution: str = ""


@dataclass(frozen=True)
class Differing:
    """A fee beside the one of the table, and why it differs; no reason is a question."""

    entry: FeeEntry
    filed_on: date
    due: Decimal
    why: str

    @property
    def difference(self) -> Decimal:
        """What was taken above (or below) the table."""
        return self.entry.amount - self.due


def fee_table() -> list[Step]:
    """Return the fee of every day: the council's, before it the ordinance's."""
    rows = CouncilValue.objects.filter(key=CouncilValue.Key.FEE).values_list(
        "effective_on", "resolution"
    )
    resolutions = dict(rows.order_by("effective_on", "pk"))
    days = {edition.in_force_on for edition in ordinance.all_editions()} | set(resolutions)
    return [Step(day, council.fee(on=day), resolutions.get(day, "")) for day in sorted(days)]


def fees_that_differ() -> QuerySet[FeeEntry]:
    """Return the entries that stand and differ from the table, the newest first."""
    filed = Coalesce("application__form_received_on", "received_on", output_field=DateField())
    entries = FeeEntry.objects.exclude(means=FeeEntry.Means.REVERSAL).filter(
        reversed_by__isnull=True
    )
    steps = fee_table()
    differing = Q(pk__in=[])
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        within = Q(filed_on__gte=step.since) if step is not steps[0] else Q()
        if following is not None:
            within &= Q(filed_on__lt=following.since)
        differing |= within & ~Q(amount=step.fee)
    found = entries.annotate(filed_on=filed).filter(differing)
    return found.select_related("application__site", "recorded_by").order_by(
        F("received_on").desc(), "-pk"
    )


def explained(entries: Iterable[FeeEntry]) -> Iterator[Differing]:
    """Yield each entry with the fee of the table and the reason of the difference."""
    for entry in entries:
        filed_on: date = getattr(entry, "filed_on", entry.received_on)
        due = council.fee(on=filed_on)
        yield Differing(entry, filed_on, due, _why(entry, filed_on))


def _why(entry: FeeEntry, filed_on: date) -> str:
    """Return why an entry differs from the table of its day, or nothing."""
    if entry.means == FeeEntry.Means.WAIVER:
        return f"Waived by resolution {entry.resolution}."
    if entry.note:
        return entry.note
    row = council.find(CouncilValue.Key.FEE, on=filed_on)
    if row is None or row.entered_at <= entry.recorded_at:
        return ""
    entered = formats.moment(row.entered_at)
    return (
        f"Resolution {row.resolution} was entered on {entered}, after this fee was taken; "
        "what the table said before it was taken then."
    )
