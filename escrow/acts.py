"""Posting the escrow, whole, before the permit is issued. Former § 17.19(4)(c)"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction

from escrow.account import lapsing
from escrow.models import EscrowEntry, Instrument
from permits import notices, papers
from permits.models import CasePaper, NotNow, Permit
from portal import city
from portal.models import User
from portal.ordinance import Obstacle
from portal.ordinance import escrow as law

__all__ = ["obstacles_to_post", "post", "reverse"]


def obstacles_to_post(
    permit: Permit, instruments: Sequence[Instrument], *, on: date
) -> list[Obstacle]:
    """Return why these instruments do not cover the amount, to the cent."""
    offered = [
        law.Instrument(law.EscrowForm(item.form), item.amount, item.expires_on)
        for item in instruments
    ]
    return law.obstacles_to_issue(permit.escrow_amount, offered, on=on, edition=city.edition_on(on))


def good_until(permit: Permit, instruments: Sequence[Instrument]) -> date | None:
    """Return the last day on which the instruments still cover the amount; None: no end."""
    for expiry in sorted(item.expires_on for item in instruments if item.expires_on):
        if obstacles_to_post(permit, instruments, on=expiry + timedelta(days=1)):
            return expiry
    return None


def posted_on(permit: Permit, instruments: Sequence[Instrument]) -> date:
    """Return the day on which the last of the instruments was in, whenever it was entered."""
    return max(permit.granted_on, *(item.received_on for item in instruments))


@transaction.atomic
def post(permit: Permit, instruments: Sequence[Instrument], *, by: User, on: date) -> CasePaper:
    """Post instruments that together cover the amount set; the receipt is made.

    Raises NotNow with the shortfall when they do not, and nothing is kept.
    """
    with permit.acting():
        permit.refuse(
            obstacles_to_post(permit, instruments, on=on), "The escrow does not cover the amount."
        )
        for item in instruments:
            item.permit, item.posted_by = permit, by
            item.save(force_insert=True)
            EscrowEntry.objects.create(
                permit=permit,
                instrument=item,
                kind="posted",
                amount=item.amount,
                on=item.received_on,
                by=by,
            )
        permit.note_escrow_posted(
            on=posted_on(permit, instruments),
            total=permit.escrow_entries.balance(),
            by=by,
            receipt=", ".join(item.receipt_number for item in instruments if item.receipt_number),
            forms=[item.get_form_display() for item in instruments],
            good_until=good_until(permit, instruments),
        )
        lapsing.keep_docket(permit, on=on)
        paper = _receipt(permit, list(instruments), on=on)
        notices.tell_parties(
            permit.application,
            f"escrow_posted:{paper.pk}",
            subject=f"The escrow for {permit.application.number} is posted",
            on=on,
            paper=paper,
            permit=permit,
            instruments=list(instruments),
        )
    return paper


@transaction.atomic
def reverse(permit: Permit, *, by: User, on: date, reason: str) -> Decimal:
    """Reverse a posting entered in error, before the permit is issued; returns the sum."""
    with permit.acting():
        if permit.status != Permit.Status.AWAITING_ESCROW or permit.escrow_posted_on is None:
            raise NotNow("Only escrow posted for a permit that is not issued can be reversed.")
        total = Decimal("0.00")
        standing = permit.instruments.exclude(entries__kind="reversed")
        for item in standing:
            EscrowEntry.objects.create(
                permit=permit,
                instrument=item,
                kind="reversed",
                amount=-item.amount,
                on=on,
                by=by,
                reason=reason,
            )
            total += item.amount
        permit.note_escrow_reversed(on=on, by=by, reason=reason)
        lapsing.keep_docket(permit, on=on)
        last = permit.escrow_entries.order_by("-pk").values_list("pk", flat=True).first()
        notices.tell_parties(
            permit.application,
            f"escrow_reversed:{last}",
            subject=f"The escrow for {permit.application.number} is reversed",
            on=on,
            permit=permit,
            reason=reason,
        )
    return total


def _receipt(permit: Permit, instruments: list[Any], *, on: date) -> CasePaper:
    return papers.store(
        permit.application,
        CasePaper.Kind.ESCROW_RECEIPT,
        f"Escrow receipt, application {permit.application.number}",
        on=on,
        permit=permit,
        instruments=instruments,
        total=sum((item.amount for item in instruments), Decimal("0.00")),
    )
