"""Telling the payer: a letter in the mail room and, where an address is known, an e-mail."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from escrow.models import Bill
from permits.models import CasePaper
from portal import outbox
from portal.models import Mailing

from .code import way_of
from .payers import payers

__all__ = ["email_of", "tell_payer"]


def email_of(bill: Bill) -> str:
    """Return the payer's e-mail address where the case knows one; the letter goes anyway."""
    for payer in payers(bill.site, bill.permit, bill.work, on=bill.billed_on):
        if payer.name == bill.payer_name and payer.email:
            return payer.email
    return ""


def tell_payer(
    bill: Bill,
    cause: str,
    *,
    subject: str,
    on: date,
    paper: CasePaper | None,
    by_post: bool = True,
    **context: Any,
) -> None:
    """Send a paper of the bill by mail, and a copy by e-mail. `cause` is unique in the case.

    `templates/mail/<kind>.txt` has the words, kind being the cause up to its colon.
    """
    site, kind = bill.site, cause.partition(":")[0]
    if by_post:
        Mailing.objects.create(
            reference=site.number,
            cause=cause,
            means=Mailing.Means.US_MAIL,
            addressee=bill.payer_name[:200],
            address=bill.payer_address,
            document=paper.document if paper else None,
        )
    email = email_of(bill)
    if not email:
        return
    body = render_to_string(
        f"mail/{kind}.txt",
        {
            "bill": bill,
            "site": site,
            "city": settings.CITY,
            "payer_way": way_of(bill),
            "url": settings.PUBLIC_URL + bill.get_absolute_url(),
            "on": on,
            **context,
        },
    )
    outbox.queue(
        key=f"{site.number}:{cause}:{on.isoformat()}:{email}",
        recipient=email,
        subject=f"{subject} [{site.number}]",
        body=body,
        reference=site.number,
        cause=cause,
        attachment=paper.document if paper else None,
    )
