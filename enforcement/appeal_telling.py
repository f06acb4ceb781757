"""Who hears of an appeal: the appellant, permittee and landowner, and the city's people."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from enforcement.appealable import permit_of
from enforcement.models import Addressee, Appeal
from enforcement.persons import Person, persons_of
from enforcement.telling import tell
from permits.models import CasePaper
from portal import outbox
from portal.models import Mailing, Role, User

__all__ = [
    "appellant_of",
    "concerned_by",
    "tell_all",
    "tell_appellant",
    "tell_people",
    "tell_staff",
]

STAFF = (Role.INSPECTOR, Role.ATTORNEY, Role.BOARD)


def appellant_of(appeal: Appeal) -> Person:
    """Return the appellant as somebody who is told."""
    return Person(
        role=Addressee.Role.APPELLANT,
        name=appeal.appellant,
        mailing_address=appeal.mailing_address,
        email=appeal.email.lower(),
        source=f"filed {appeal}",
    )


def concerned_by(appeal: Appeal) -> list[Person]:
    """Return the permittee and the landowners: an appeal of others concerns them."""
    appellant = appellant_of(appeal)
    people = persons_of(appeal.site, permit_of(appeal.subject))
    wanted = (Addressee.Role.PERMITTEE, Addressee.Role.LANDOWNER)
    return [
        person
        for person in people
        if (person.role in wanted or person.is_permittee)
        and (person.mailing_address or person.email)
        and not (appellant.email and person.email == appellant.email)
    ]


def tell_all(
    appeal: Appeal,
    template: str,
    subject_line: str,
    *,
    mark: str = "",
    on: date,
    paper: CasePaper | None = None,
    **context: Any,
) -> None:
    """Tell appellant, permittee and landowners by letter and e-mail, and the city's people."""
    people = [appellant_of(appeal), *concerned_by(appeal)]
    tell_people(appeal, people, template, subject_line, mark=mark, on=on, paper=paper, **context)
    tell_staff(appeal, template, subject_line, mark=mark, on=on, **context)


def tell_appellant(
    appeal: Appeal,
    template: str,
    subject_line: str,
    *,
    on: date,
    paper: CasePaper | None = None,
    **context: Any,
) -> None:
    """Tell the appellant alone."""
    people = [appellant_of(appeal)]
    tell_people(appeal, people, template, subject_line, on=on, paper=paper, **context)


def tell_people(
    appeal: Appeal,
    people: Iterable[Person],
    template: str,
    subject_line: str,
    *,
    mark: str = "",
    on: date,
    paper: CasePaper | None = None,
    **context: Any,
) -> None:
    """Tell some people of an appeal, by letter where there is an address."""
    tell(
        appeal,
        [(each, _means(each)) for each in people],
        cause=_cause(appeal, template, mark),
        subject_line=subject_line,
        on=on,
        paper=paper,
        template=template,
        **_known(appeal),
        **context,
    )


def _means(person: Person) -> str:
    """A letter where there is an address: notice to the parties is due in writing."""
    return Mailing.Means.US_MAIL if person.mailing_address else Mailing.Means.EMAIL


def _cause(appeal: Appeal, template: str, mark: str) -> str:
    """Name what is told, once for each occasion: a second hearing is told as well."""
    return f"{template}:{appeal.number}{f':{mark}' if mark else ''}"


def _known(appeal: Appeal) -> dict[str, Any]:
    return {
        "appeal": appeal,
        "appeal_url": settings.PUBLIC_URL + reverse("appeal_filed", args=[appeal.key]),
        "staff_url": settings.PUBLIC_URL + appeal.get_absolute_url(),
    }


def tell_staff(
    appeal: Appeal,
    template: str,
    subject_line: str,
    *,
    mark: str = "",
    on: date,
    roles: tuple[Role, ...] = STAFF,
    **context: Any,
) -> None:
    """Tell the inspectors, the attorney and the board's secretary, by e-mail."""
    cause = _cause(appeal, template, mark)
    for user in User.objects.filter(role__in=roles, is_active=True).order_by("pk"):
        body = render_to_string(
            f"mail/{template}.txt",
            {
                "site": appeal.site,
                "person": Person(role="", name=str(user), email=user.email),
                "for_staff": True,
                "city": settings.CITY,
                "on": on,
                **_known(appeal),
                **context,
            },
        )
        outbox.queue(
            key=f"{appeal.number}:{cause}:staff:{user.email}",
            recipient=user.email,
            subject=f"{subject_line} [{appeal.site.number}]",
            body=body,
            reference=appeal.site.number,
            cause=cause,
        )
