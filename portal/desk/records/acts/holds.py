"""Legal holds: placed and ended with a reason, on the record of the case. § 19.35(5)"""

from __future__ import annotations

from datetime import date

from django.db import transaction

from permits.models import NotNow, Site
from portal.desk.records.models import Hold, HoldEnd
from portal.models import User

__all__ = ["end", "place"]


@transaction.atomic
def place(site: Site, *, reason: str, by: User, on: date) -> Hold:
    """Hold a case: it is not destroyed while the hold stands, whatever the schedule says."""
    if site.lock().destroyed_on:
        raise NotNow(f"Case {site.number} was destroyed; there is nothing left to hold.")
    made = Hold.objects.create(site=site, reason=reason, by=by, on=on)
    site.record("case.held", by=by, on=on, reason=reason, facts={"hold": made.pk})
    return made


@transaction.atomic
def end(hold: Hold, *, reason: str, by: User, on: date) -> HoldEnd:
    """End a hold; whatever else holds the case goes on holding it."""
    hold.site.lock()
    if HoldEnd.objects.filter(hold=hold).exists():
        raise NotNow("This hold was ended already.")
    made = HoldEnd.objects.create(hold=hold, reason=reason, by=by, on=on)
    facts = {"hold": hold.pk, "since": hold.on, "was": hold.reason}
    hold.site.record("case.hold_ended", by=by, on=on, reason=reason, facts=facts)
    return made
