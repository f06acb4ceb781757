"""The counts behind the docket's dates, for a whole page without a query per row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache
from typing import Any

from django.template.loader import get_template

from permits.models import DocketEntry
from portal import council
from portal.city import edition_on
from portal.city_calendar import current_calendar
from portal.ordinance import RULES, Calendar, Deadline, Edition, WaitingPeriod
from portal.ordinance.appeals import appeal_deadline
from portal.ordinance.bills import bill_due
from portal.ordinance.decision import revision_review_deadline
from portal.ordinance.escrow_expiry import expiry_deadline
from portal.ordinance.inspection import correction_deadline
from portal.ordinance.permit_date import completion_deadline
from portal.ordinance.revision_order import line_deadline
from portal.ordinance.upkeep import correction_deadline as upkeep_deadline
from portal.ordinance.upkeep import work_opens
from portal.templatetags.siltfence import clock as clock_parts

__all__ = ["Counter", "written"]

Count = Deadline | WaitingPeriod
BillTerms = tuple[int, str, tuple[str, str]]
"""How many days the council gave, by which resolution, and where the cost is put on somebody."""
WRITTEN_DOWN: dict[str, Callable[..., Deadline]] = {
    "correction": correction_deadline,
    "revision-order-line": line_deadline,
    "escrow-expiry": expiry_deadline,
}
"""Rules whose last day is a day that is written down: the inspector's, or the instrument's."""


OF_UPKEEP = ("upkeep-correction", "upkeep-work")
"""Both clocks of a notice of maintenance count from its day to the day that it sets."""


class Counter:
    """Counts docket entries by one reading of the calendar.

    `permit_dates` gives the day that a permit names for its permanent controls, by the
    number of the entry; `bills` what a bill's last day is counted from; `upkeep` the
    day until which a notice of maintenance gives time. A count that does not fit its entry is
    left to the entry's subject, which knows more.
    """

    def __init__(
        self,
        permit_dates: Mapping[int, date] | None = None,
        bills: Mapping[int, BillTerms] | None = None,
        upkeep: Mapping[int, date] | None = None,
    ) -> None:
        self.calendar = current_calendar()
        self.permit_dates = permit_dates or {}
        self.bills = bills or {}
        self.upkeep = upkeep or {}

    def count(self, entry: DocketEntry) -> Count | None:
        """Return the count of an entry, equal to what the docket says."""
        again: Count | None = self.find(entry) or entry.count()
        return again

    def find(self, entry: DocketEntry) -> Count | None:
        """Return the count of an entry where the calendar and its own row are enough for it."""
        found = self._compute(entry)
        return found if found is not None and entry.fits(found) else None

    def _compute(self, entry: DocketEntry) -> Count | None:
        start = entry.started_on
        extra: int | date | BillTerms | None = None
        if entry.rule == "revision-review":
            extra = council.revision_review_days(on=start)
        elif entry.rule == "appeal":
            extra = council.appeal_days(on=start)
        elif entry.rule == "permanent-cover":
            extra = self.permit_dates.get(entry.pk)
        elif entry.rule == "bill":
            extra = self.bills.get(entry.subject_pk)
        elif entry.rule in OF_UPKEEP:
            extra = self.upkeep.get(entry.subject_pk)
        elif entry.rule in WRITTEN_DOWN:
            extra = entry.on
        return compute(entry.rule, start, extra, self.calendar, edition_on(start))


@lru_cache(maxsize=4096)
def compute(
    rule: str, start: date, extra: Any, calendar: Calendar, edition: Edition
) -> Count | None:
    """Count a rule from a day; `extra` is the council's period, or the day a permit names.

    The same facts always give the same count, so it is kept for the next row and page.
    """
    facts: dict[str, Any] = {"calendar": calendar, "edition": edition}
    if rule == "revision-review":
        return revision_review_deadline(start, working_days=extra, **facts)
    if rule == "appeal":
        return appeal_deadline(start, days=extra, **facts)
    if rule == "permanent-cover" and extra is not None:
        return completion_deadline(extra, started_on=start, **facts)
    if rule == "bill" and extra is not None:
        days, resolution, section = extra
        return bill_due(start, days, resolution, section=section, **facts)
    if rule in OF_UPKEEP and extra is not None:
        if rule == "upkeep-work":
            return work_opens(extra, issued_on=start, **facts)
        return upkeep_deadline(start, extra, **facts)
    if rule in WRITTEN_DOWN:
        return WRITTEN_DOWN[rule](start, extra, **facts)
    found = RULES[rule].compute(start, **facts) if rule in RULES else None
    assert found is None or isinstance(found, Deadline | WaitingPeriod)
    return found


@lru_cache(maxsize=4096)
def written(count: Count) -> str:
    """Return the date that opens into its count, as every page writes it; kept like the count."""
    return get_template("partials/clock.html").render(clock_parts(count))
