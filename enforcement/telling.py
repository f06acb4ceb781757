"""Telling persons of an order or notice: who, by what means, within the act itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from enforcement.models import Addressee
from enforcement.persons import Person
from permits.models import CasePaper, NotNow, Site
from portal import outbox
from portal.models import Mailing

__all__ = ["refuse_without_address", "tell", "told_of"]

Means = Mailing.Means
BY_POST = (Means.US_MAIL, Means.CERTIFIED)


def tell(
    subject: Any,
    persons_with_means: Sequence[tuple[Person, str]],
    *,
    cause: str,
    subject_line: str,
    on: date,
    paper: CasePaper | None,
    template: str,
    requires_us_mail: bool = False,
    go_by: date | None = None,
    **context: Any,
) -> list[Addressee]:
    """Tell each person by the means chosen, and write down that it was done.

    A letter waits in the mail room from now on; personal service waits for its proof.
    Whoever has an e-mail address gets a copy of the paper by e-mail at once, whatever the
    means of the law. `template` names `templates/mail/<template>.txt`; `cause` is unique
    within the case.
    """
    refuse_without_address(persons_with_means, requires_us_mail=requires_us_mail)
    site: Site = subject.site
    told = []
    for person, means in persons_with_means:
        body = _text(site, person, means, on, template, context)
        mailing = Mailing.objects.create(
            reference=site.number,
            cause=cause,
            means=means,
            requires_us_mail=requires_us_mail,
            addressee=person.name[:200],
            address=person.email if means == Means.EMAIL else person.mailing_address,
            subject=subject_line,
            text="" if paper else body,
            document=paper.document if paper else None,
            go_by=go_by or on,
        )
        told.append(_addressee(subject, person, means, mailing))
        if person.email:
            _send(site, person, body, cause, subject_line, on, paper)
    return told


def refuse_without_address(
    persons_with_means: Sequence[tuple[Person, str]], *, requires_us_mail: bool = False
) -> None:
    """Refuse what names nobody or has nowhere to go, and an e-mail instead of a letter."""
    if not persons_with_means:
        raise NotNow("Nobody is named who would be told.")
    for person, means in persons_with_means:
        if not person.name.strip():
            raise NotNow("The name of somebody who is told is missing.")
        if requires_us_mail and means not in BY_POST:
            raise NotNow(f"The law wants this sent by U.S. mail; {person.name} gets a letter.")
        if means in BY_POST and not person.mailing_address.strip():
            raise NotNow(f"There is no mailing address for {person.name}.")
        if means == Means.EMAIL and not person.email:
            raise NotNow(f"There is no e-mail address for {person.name}.")


def told_of(subject: Any) -> list[tuple[Person, str]]:
    """Return whom the city told of an act and by what means, each once: to tell them its end.

    Whoever was to be served in person is told of the end by letter or by e-mail.
    """
    found: dict[tuple[str, str, str], tuple[Person, str]] = {}
    for row in Addressee.objects.of(subject).exclude(role=Addressee.Role.ATTORNEY):
        person = Person(
            role=row.role,
            name=row.name,
            mailing_address=row.mailing_address,
            email=row.email,
            parcel_number=row.parcel_number,
        )
        means = row.means
        if means == Means.PERSONAL:
            means = Means.US_MAIL if row.mailing_address else Means.EMAIL
        if means != Means.EMAIL or row.email:
            found.setdefault(person.mark, (person, means))
    return list(found.values())


def _addressee(subject: Any, person: Person, means: str, mailing: Mailing) -> Addressee:
    return Addressee.objects.create(
        site=subject.site,
        subject=subject,
        role=person.role,
        name=person.name,
        mailing_address=person.mailing_address,
        email=person.email,
        parcel_number=person.parcel_number,
        means=means,
        mailing=mailing,
    )


def _text(
    site: Site, person: Person, means: str, on: date, template: str, context: dict[str, Any]
) -> str:
    """What the e-mail says, and the letter where there is no paper to go with it."""
    return render_to_string(
        f"mail/{template}.txt",
        {
            "site": site,
            "person": person,
            "means": means,
            "means_words": Means(means).label,
            "city": settings.CITY,
            "url": settings.PUBLIC_URL + site.get_absolute_url(),
            "public_url": settings.PUBLIC_URL + site.get_public_url() if site.filed_on else "",
            "on": on,
            **context,
        },
    )


def _send(
    site: Site,
    person: Person,
    body: str,
    cause: str,
    subject_line: str,
    on: date,
    paper: CasePaper | None,
) -> None:
    outbox.queue(
        key=f"{site.number}:{cause}:{on.isoformat()}:{person.email}",
        recipient=person.email,
        subject=f"{subject_line} [{site.number}]",
        body=body,
        reference=site.number,
        cause=cause,
        attachment=paper.document if paper else None,
    )
