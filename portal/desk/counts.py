"""The counts behind the docket's dates, for a whole page without a query per row."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from permits.models import DocketEntry
from portal import council
from portal.city import edition_on
from portal.city_calendar import current_calendar
from portal.ordinance import RULES, Deadline, WaitingPeriod
from portal.ordinance.appeals import appeal_deadline
from portal.ordinance.decision import revision_review_deadline
from portal.ordinance.permit_date import completion_deadline

__all__ = ["Counter"]

Count = Deadline | WaitingPeriod


class Counter:
    """Counts docket entries by one reading of the calendar.

    `permit_dates` gives the day that a permit names for its permanent controls, by the
    number of the permit's row. A count that does not fit its entry is left to the entry's
    subject, which knows more.
    """

    def __init__(self, permit_dates: Mapping[int, date] | None = None) -> None:
        self.calendar = current_calendar()
        self.permit_dates = permit_dates or {}

    def count(self, entry: DocketEntry) -> Count | None:
        """Return the count of an entry, equal to what the docket says."""
        found = self._compute(entry)
        if found is not None and (found.on, found.safe_on) == (entry.on, entry.safe_on):
            return found
        again: Count | None = entry.count()
        return again

    def _compute(self, entry: DocketEntry) -> Count | None:
        start, edition = entry.started_on, edition_on(entry.started_on)
        if entry.rule == "revision-review":
            days = council.revision_review_days(on=start)
            return revision_review_deadline(
                start, working_days=days, calendar=self.calendar, edition=edition
            )
        if entry.rule == "appeal":
            days = council.appeal_days(on=start)
            return appeal_deadline(start, days=days, calendar=self.calendar, edition=edition)
        if entry.rule == "permanent-cover" and entry.subject_pk in self.permit_dates:
            named = self.permit_dates[entry.subject_pk]
            return completion_deadline(
                named, started_on=start, calendar=self.calendar, edition=edition
            )
        rule = RULES.get(entry.rule)
        found = rule.compute(start, calendar=self.calendar, edition=edition) if rule else None
        assert found is None or isinstance(found, Deadline | WaitingPeriod)
        return found
