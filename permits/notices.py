"""Telling people: a mailing on record for each, and an e-mail in the outbox.

E-mails go out after the act is committed, once for each cause and recipient.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from permits.models import Application, CasePaper, Site
from permits.people import Recipient, inspectors, notice_parties
from portal import city_calendar, mailroom, outbox
from portal.models import Mailing

__all__ = ["tell_inspectors", "tell_parties", "tell_people"]

LONGEST_SUBJECT = 200


def tell_parties(
    application: Application,
    cause: str,
    *,
    subject: str,
    on: date,
    paper: CasePaper | None = None,
    also: Sequence[Recipient] = (),
    **context: object,
) -> None:
    """Tell everybody the application concerns what happened, and `also` by e-mail where they were.

    `cause` is unique within the case (event and number), `templates/mail/<kind>.txt` the
    text, where kind is the part before a colon. A party without an e-mail address gets a
    mailing that waits for the clerk.
    """
    people = notice_parties(application)
    reached = {person.email for person in people}
    people += [person for person in also if person.email and person.email not in reached]
    _tell(people, application, cause, subject, on, paper, context)


def tell_people(
    site: Site,
    people: Iterable[Recipient],
    cause: str,
    *,
    subject: str,
    on: date,
    paper: CasePaper | None = None,
    **context: object,
) -> None:
    """Tell persons of a site, of whom no application need know. See `tell_parties`."""
    _tell_of(site, people, cause, subject, on, paper, context)


def tell_inspectors(
    application: Application, cause: str, *, subject: str, on: date, **context: object
) -> None:
    """Tell the building inspectors, by e-mail."""
    _tell(inspectors(), application, cause, subject, on, None, context)


def _tell(
    people: Iterable[Recipient],
    application: Application,
    cause: str,
    subject: str,
    on: date,
    paper: CasePaper | None,
    context: dict[str, object],
) -> None:
    told = {"application": application, **context}
    _tell_of(application.site, people, cause, subject, on, paper, told)


def _tell_of(
    site: Site,
    people: Iterable[Recipient],
    cause: str,
    subject: str,
    on: date,
    paper: CasePaper | None,
    context: dict[str, object],
) -> None:
    kind = cause.partition(":")[0]
    document = paper.document if paper else None
    for person in people:
        body = render_to_string(
            f"mail/{kind}.txt",
            {
                "site": site,
                "person": person,
                "city": settings.CITY,
                "url": settings.PUBLIC_URL + site.get_absolute_url(),
                "public_url": settings.PUBLIC_URL + site.get_public_url(),
                "on": on,
                "by_mail": not person.email,
                **context,
            },
        )
        if person.role != "inspector":
            told: dict[str, Any] = {"reference": site.number, "cause": cause, "document": document}
            if not person.email:  # the letter says what the e-mail would
                told |= {"subject": subject[:LONGEST_SUBJECT], "text": body, "go_by": _go_by(on)}
            Mailing.objects.create(
                means=Mailing.Means.EMAIL if person.email else Mailing.Means.US_MAIL,
                addressee=person.name,
                address=person.email or person.address,
                **told,
            )
        if person.email:
            outbox.queue(
                key=f"{site.number}:{cause}:{on.isoformat()}:{person.email}",
                recipient=person.email,
                subject=f"{subject} [{site.number}]",
                body=body,
                reference=site.number,
                cause=cause,
                attachment=document,
            )


def _go_by(on: date) -> date:
    return mailroom.next_mail_day(on, calendar=city_calendar.current_calendar())
