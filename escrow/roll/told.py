"""Whether the roll knows what was taken off it: before it goes to the treasurer, and after.

Until the delivery a certified correction batch tells the county. What was not certified by then
the clerk writes to the treasurer, and a row says what became of it there.
Former § 17.19(7)(e); Wis. Stat. § 74.03
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse

from escrow.bills.delivery import delivered_on
from escrow.models import NOTHING, RollBatch, RollCharge, RollOutcome
from permits.models import NotNow
from portal import outbox
from portal.formats import long_date
from portal.models import OutboxMessage, Role, User

from .corrections import Correction, corrections_of, untold_entries
from .outcomes import settled_of
from .year import roll_year_on

__all__ = ["Untold", "remind", "settle", "untold", "untold_of", "why_not_settle"]

Kind = RollOutcome.Kind
LEADS = (timedelta(14), timedelta(7), timedelta(2))
"""So long before the delivery the clerk is reminded, and once after it."""


@dataclass(frozen=True)
class Untold:
    """What was taken off the rolls and no certified batch has told; the newest roll first.

    `open` can still be certified until `delivered_on`; `late` is with the treasurer.
    """

    year: int
    delivered_on: date
    open: tuple[Correction, ...]
    late: tuple[Correction, ...]
    proposed: RollBatch | None

    @property
    def open_total(self) -> Decimal:
        """What the county is still to be told, in dollars."""
        return sum((each.amount for each in self.open), NOTHING)

    @property
    def count(self) -> int:
        """How many lines wait for the clerk."""
        return len(self.open) + len(self.late)


def untold(*, on: date) -> Untold:
    """Return what the county or the treasurer does not know yet of the rolls up to this one."""
    now = roll_year_on(on)
    found = corrections_of(untold_entries(now.year))
    proposed = None
    if found:
        waiting = RollBatch.objects.filter(status=RollBatch.Status.PROPOSED, purpose="correction")
        proposed = waiting.order_by("pk").first()
    return Untold(
        year=now.year,
        delivered_on=now.delivered_on,
        open=tuple(each for each in found if each.charge.batch.year == now.year),
        late=tuple(each for each in found if each.charge.batch.year < now.year),
        proposed=proposed,
    )


def untold_of(charge: RollCharge) -> list[Correction]:
    """Return what was taken off a charge and neither told the roll nor settled."""
    entries = untold_entries(charge.batch.year).filter(bill=charge.bill_id, batch=charge.batch_id)
    return [each for each in corrections_of(entries) if each.charge == charge]


def why_not_settle(charge: RollCharge, *, on: date) -> str:
    """Say why nothing can be recorded of what the treasurer did, or nothing."""
    delivered = delivered_on(charge.batch.year)
    if on < delivered:
        return (
            f"The roll of {charge.batch.year} goes to the treasurer on {long_date(delivered)}. "
            "Until then a correction batch tells the county: propose it, and have it certified."
        )
    if not untold_of(charge) and not settled_of(charge):
        return f"The roll knows all that was taken off {charge}; nothing waits for the treasurer."
    return ""


@transaction.atomic
def settle(
    charge: RollCharge,
    *,
    kind: str,
    reason: str,
    reference: str = "",
    by: User,
    on: date,
    today: date,
) -> list[RollOutcome]:
    """Record what the treasurer did with all that no certified batch had told the roll of a charge.

    The newest row counts; `reopened` takes an earlier one back.
    """
    site = charge.bill.site.lock()
    if why := why_not_settle(charge, on=today):
        raise NotNow(why)
    if on < delivered_on(charge.batch.year):
        raise NotNow("The roll was not with the treasurer yet on that day.")
    if kind == Kind.REOPENED:
        rows = [(row.entry_id, NOTHING) for row in settled_of(charge)]
    else:
        rows = [(each.entry.pk, each.amount) for each in untold_of(charge)]
    if not rows:
        raise NotNow("There is nothing of which this could be recorded.")
    made = [
        RollOutcome.objects.create(
            charge=charge,
            kind=kind,
            entry_id=entry,
            reason=reason,
            reference=reference,
            on=on,
            by=by,
        )
        for entry, _ in rows
    ]
    site.record(
        "roll.corrected",
        by=by,
        on=on,
        section="enforcement",
        reason=reason,
        facts={
            "charge": charge.number,
            "year": charge.batch.year,
            "how": kind,
            "amount": sum((amount for _, amount in rows), NOTHING),
        },
    )
    return made


# Reminding --------------------------------------------------------------------------------


def remind(on: date) -> int:
    """Remind the clerk of corrections that nobody certified; returns how many mails were new."""
    found = untold(on=on)
    sent = 0
    left = found.delivered_on - on
    lead = min((each for each in LEADS if left <= each), default=None)
    if found.open and lead is not None:
        people = list(_clerks())
        if found.proposed is not None:
            people += User.objects.filter(role=Role.ADMINISTRATOR, is_active=True)
        cause = f"roll_corrections:{found.year}:{lead.days}"
        sent += _mail(people, cause, "mail/roll_corrections.txt", found)
    for year in sorted({each.charge.batch.year for each in found.late}):
        sent += _mail(_clerks(), f"roll_untold:{year}", "mail/roll_untold.txt", found, year=year)
    return sent


def _clerks() -> Iterable[User]:
    return User.objects.filter(role=Role.CLERK, is_active=True)


def _mail(people: Iterable[User], cause: str, template: str, found: Untold, **more: Any) -> int:
    sent, url = 0, settings.PUBLIC_URL + reverse("roll")
    for person in people:
        key = f"{cause}:{person.email}"
        if OutboxMessage.objects.filter(key=key).exists():
            continue
        context = {"person": person, "found": found, "city": settings.CITY, "url": url, **more}
        outbox.queue(
            key=key,
            recipient=person.email,
            subject=f"Corrections of the tax roll of {more.get('year', found.year)}",
            body=render_to_string(template, context),
            cause=cause[:60],
        )
        sent += 1
    return sent
