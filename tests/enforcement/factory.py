"""Orders on every rung of the ladder, made by the same acts that people use."""

from __future__ import annotations

import hashlib
import itertools
from datetime import date, timedelta
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from enforcement.acts import orders, violations
from enforcement.models import Addressee, StopWorkOrder, Violation
from enforcement.persons import Person, persons_of
from inspections.models import Visit
from permits.models import DocketEntry, OwnerChange, Permit, Site
from portal.models import Role, Upload, User
from tests.inspections import factory as of_inspections
from tests.inspections.factory import (
    MONDAY,
    clerk,
    finding,
    finished_visit,
    inspector,
    open_visit,
    site_without_permit,
    user,
)

__all__ = [
    "MONDAY",
    "active_permit",
    "attorney",
    "board",
    "clerk",
    "finding",
    "finished_visit",
    "inspector",
    "open_visit",
    "order_of_permit",
    "order_standing",
    "order_without_permit",
    "owner",
    "photo",
    "posted_order",
    "site_without_permit",
    "sold",
    "told",
    "user",
    "violation",
]
_serial = itertools.count(1)


def active_permit(**fields: Any) -> Permit:
    """An issued permit whose clocks are on the docket; see `tests.inspections.factory`."""
    made = of_inspections.active_permit(**fields)
    for subject in (made, made.grant):
        for clock in subject.clocks():
            DocketEntry.objects.start(subject, clock, title=clock.title)
    return made


def attorney() -> User:
    return user(Role.ATTORNEY, "attorney@example.test", "Robin Hale")


def board() -> User:
    return user(Role.BOARD, "board@example.test", "Sasha Lind")


def photo(by: User | None = None) -> Upload:
    """A stored photo, as a proof; its content is what its row says it is."""
    n = next(_serial)
    content = PIXEL + n.to_bytes(4, "big")
    name = default_storage.save(f"uploads/photo-{n}.png", ContentFile(content))
    return Upload.objects.create(
        original_name=f"photo {n}.png",
        family="image",
        content_type="image/png",
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        file=name,
        uploaded_by=by or inspector(),
    )


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


def owner(name: str = "Pat Lund", parcel: str = "", **fields: Any) -> Person:
    """A landowner whom the city knows by name and address."""
    known = {"mailing_address": "9 Elm Court\nExample, WI 54999", **fields}
    return Person(role=Addressee.Role.LANDOWNER, name=name, parcel_number=parcel, **known)


def sold(site: Site, *, on: date = MONDAY, **fields: Any) -> OwnerChange:
    """The land has another owner from a day on, by a deed."""
    change: OwnerChange = OwnerChange.objects.create(
        **{
            "site": site,
            "name": "Tom Reyes",
            "mailing_address": "9 Ridge Road\nExample, WI 54999",
            "email": "tom@example.test",
            "from_on": on,
            "source": "Warranty deed 1130001",
            "by": clerk(),
            **fields,
        }
    )
    return change


def told(site: Site, permit: Permit | None = None) -> list[tuple[Person, str]]:
    """Everybody known, by letter where there is an address, else by e-mail."""
    return [
        (person, "us_mail" if person.mailing_address else "email")
        for person in persons_of(site, permit)
    ]


def violation(site: Site, *, on: date = MONDAY, permit: Permit | None = None) -> Violation:
    """A violation that the inspector saw."""
    return violations.record(
        site,
        by=inspector(),
        on=on,
        section="permit",
        facts="Half an acre is graded; there is no silt fence.",
        found_on=on,
        permit=permit,
        photos=[photo()],
    )


WORDS = {
    "facts": "Soil is being moved and the silt fence on the north line is down.",
    "must_stop": "All grading, and all hauling of soil.",
    "must_do": "Put the silt fence up again as the plan shows it.",
}


def order_of_permit(
    permit: Permit, *, on: date = MONDAY, ground: str = "plan-not-followed", **fields: Any
) -> StopWorkOrder:
    """An order against a permittee, issued and not posted."""
    return orders.issue(
        permit.site,
        by=fields.pop("by", None) or inspector(),
        on=on,
        ground=ground,
        permit=permit,
        told=fields.pop("told", None) or told(permit.site, permit),
        violations=fields.pop("violations", ()),
        **{**WORDS, **fields},
    )


def order_without_permit(
    site: Site | None = None, *, on: date = MONDAY, **fields: Any
) -> StopWorkOrder:
    """An order against a person without a permit, issued and not posted."""
    site = site or site_without_permit()
    known = fields.pop("told", None) or told(site) or [(owner(), "us_mail")]
    return orders.issue(
        site,
        by=fields.pop("by", None) or inspector(),
        on=on,
        ground="no-permit",
        told=known,
        violations=fields.pop("violations", ()),
        **{**WORDS, **fields},
    )


def posted_order(order: StopWorkOrder, *, on: date | None = None) -> StopWorkOrder:
    """The order, its placard on the site since a day."""
    day = on or order.issued_on
    orders.post(order, by=inspector(), on=day, posted_on=day, place="On the gate", photos=[photo()])
    order.refresh_from_db()
    return order


def order_standing(
    permit: Permit | None = None, *, on: date = MONDAY, posted_on: date | None = None, **fields: Any
) -> StopWorkOrder:
    """An order issued and posted: under a permit, or against somebody without one."""
    if permit is not None:
        order = order_of_permit(permit, on=on, **fields)
    else:
        order = order_without_permit(on=on, **fields)
    return posted_order(order, on=posted_on)


def lifted(order: StopWorkOrder, *, on: date | None = None) -> StopWorkOrder:
    """The order, lifted after a visit that showed compliance."""
    day = on or order.issued_on + timedelta(days=3)
    visit: Visit = finished_visit(order.site, on=day, note="All is in order.")
    orders.lift(order, by=inspector(), on=day, visit=visit, why="The fence stands again.")
    order.refresh_from_db()
    return order
