"""Telling the parties of a permit what became of its escrow, and writing to banks and sureties."""

from __future__ import annotations

from datetime import date
from typing import Any

from permits import notices
from permits.models import CasePaper, Permit, Site
from portal.models import Mailing

__all__ = ["mail", "tell"]


def tell(
    permit: Permit,
    cause: str,
    *,
    subject: str,
    on: date,
    paper: CasePaper | None = None,
    **context: Any,
) -> None:
    """Tell every party of the permit; `cause` is unique in the case, its kind the template."""
    notices.tell_parties(
        permit.application, cause, subject=subject, on=on, paper=paper, permit=permit, **context
    )


def mail(
    site: Site, cause: str, *, name: str, address: str, paper: CasePaper, certified: bool = True
) -> Mailing:
    """Leave a letter in the mail room for somebody who is no party of the case."""
    return Mailing.objects.create(
        reference=site.number,
        cause=cause,
        means=Mailing.Means.CERTIFIED if certified else Mailing.Means.US_MAIL,
        addressee=name[:200],
        address=address,
        document=paper.document,
    )
