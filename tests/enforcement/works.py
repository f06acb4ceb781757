"""Notices, city work and requests on the factory's orders, by the acts that people use."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from io import BytesIO
from typing import Any

import pikepdf

from enforcement.acts import notices, owner_notices, requests, work
from enforcement.models import (
    CeaseAndDesistRequest,
    CityWork,
    NoticeOfIntent,
    OwnerNotice,
    StopWorkOrder,
)
from enforcement.persons import Person
from permits import mailroom
from permits.models import Permit
from portal.models import Mailing

from .factory import clerk, inspector, photo

TOLD = Sequence[tuple[Person, str]]
FENCE = "Put up 240 feet of silt fence on the north line and seed the slope."


def blank_pdf() -> bytes:
    """One empty page that a binder can take."""
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        target = BytesIO()
        pdf.save(target, deterministic_id=True)
    return target.getvalue()


def told_by_mail(people: Sequence[Person]) -> list[tuple[Person, str]]:
    """Each person by U.S. mail, as far as there is an address."""
    return [(person, "us_mail") for person in people if person.mailing_address]


def intent(
    order: StopWorkOrder, *, on: date | None = None, told: TOLD | None = None, **fields: Any
) -> NoticeOfIntent:
    """A notice of intent, issued on the safe day unless said otherwise."""
    opens = order.notice_of_intent_opens()
    assert opens is not None
    return notices.issue(
        order,
        by=inspector(),
        on=on or opens.safe_on,
        told=told_by_mail(notices.persons_for(order)) if told is None else told,
        **{"work": FENCE, "estimated_cost": Decimal("1800.00"), **fields},
    )


def owner_notice(
    permit: Permit, *, on: date, told: TOLD | None = None, **fields: Any
) -> OwnerNotice:
    """A ten days' notice to the owners; its letters wait in the mail room."""
    return owner_notices.make(
        permit,
        by=inspector(),
        on=on,
        told=told_by_mail(owner_notices.owners_of(permit)) if told is None else told,
        **{"work": FENCE, "estimated_cost": Decimal("1800.00"), **fields},
    )


def mailed(letter: Mailing, *, on: date, today: date | None = None) -> None:
    """The clerk hands a letter to the post, which accepts it on the same day."""
    mailroom.deposit([letter], by=clerk(), on=on, today=today or on)
    letter.refresh_from_db()
    mailroom.accept([letter], by=clerk(), on=on, today=today or on)


def begun(
    notice: NoticeOfIntent | OwnerNotice, *, on: date | None = None, **fields: Any
) -> CityWork:
    """City work begun on the safe day unless said otherwise."""
    opens = work.opens_of(notice)
    assert opens is not None
    day = on or opens.safe_on
    given = {"done_by": "crew", "doer": "Street department", "photos": [photo()], **fields}
    return work.begin(notice, by=inspector(), on=day, begun_on=day, **given)


def cost(on: date, **changes: Any) -> work.Cost:
    """Three hours of a crew, with its time sheet."""
    given = {
        "kind": "labor",
        "day": on,
        "description": "Crew of two",
        "quantity": Decimal("3.00"),
        "unit": "hours",
        "rate": Decimal("96.50"),
        "proof_words": "Time sheet 14",
    }
    return work.Cost(**{**given, **changes})


def closed(made: CityWork, *, on: date | None = None) -> CityWork:
    """The work with one cost, closed on the next day."""
    day = on or made.begun_on + timedelta(days=1)
    work.add_cost(made, cost(made.begun_on), by=inspector(), on=day)
    return work.close(made, by=inspector(), on=day, note="Seeded.", photos=[photo()])


def requested(
    order: StopWorkOrder, *, on: date | None = None, **fields: Any
) -> CeaseAndDesistRequest:
    """A request to the city attorney on its first day unless said otherwise."""
    opens = order.cease_and_desist_opens()
    assert opens is not None
    words = "Grading went on; an excavator was on the site at both visits."
    return requests.make(
        order, by=inspector(), on=on or opens.safe_on, **{"facts": words, **fields}
    )
