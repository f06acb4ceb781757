"""Rows of money for tests: closed city work under any notice, made directly in its tables."""

from __future__ import annotations

import itertools
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from enforcement.models import (
    CityWork,
    NoticeOfIntent,
    OwnerNotice,
    StopWorkOrder,
    UpkeepNotice,
    WorkCost,
)
from escrow.account import drawing
from escrow.models import Draw, EscrowEntry
from inspections.models import UpkeepInspection
from permits.models import MaintenanceAgreement, Permit, Site
from portal import clock, numbers
from portal.models import CouncilValue
from tests import factory
from tests.factory import MONDAY

_serial = itertools.count(1)


def order(site: Site, permit: Permit | None = None, *, on: date = MONDAY) -> StopWorkOrder:
    """A standing stop-work order, posted on the day it was issued."""
    return StopWorkOrder.objects.create(
        number=numbers.next_number("SW", on=on),
        site=site,
        permit=permit,
        ground="conditions-not-met" if permit else "no-permit",
        facts="The silt fence is down along the east line.",
        must_stop="All land disturbing activity.",
        must_do="Put the silt fence up.",
        issued_on=on,
        issued_by=factory.inspector(),
        posted_on=on,
    )


def notice_of_intent(site: Site, *, on: date = MONDAY, **fields: Any) -> NoticeOfIntent:
    """A notice of intent to perform work, after an order that was posted in time."""
    posted = fields.pop("order", None) or order(site, on=on - timedelta(days=20))
    return NoticeOfIntent.objects.create(
        number=numbers.next_number("NI", on=on),
        site=site,
        order=posted,
        work="Put up 240 feet of silt fence.",
        estimated_cost=Decimal("1200.00"),
        issued_on=on,
        opened_on=on,
        safe_on=on,
        issued_by=factory.inspector(),
        status="done",
        ended_on=on + timedelta(days=20),
    )


def owner_notice(permit: Permit, *, on: date = MONDAY) -> OwnerNotice:
    """A notice to the owner that the post accepted on the day it was made."""
    return OwnerNotice.objects.create(
        number=numbers.next_number("ON", on=on),
        site=permit.site,
        permit=permit,
        because="The permanent controls and cover were due and are not complete.",
        work="Seed and mat the east slope.",
        estimated_cost=Decimal("900.00"),
        made_on=on,
        made_by=factory.inspector(),
        accepted_on=on,
        status="done",
        ended_on=on + timedelta(days=20),
    )


def work(
    site: Site, *, costs: tuple[str, ...] = ("800.00", "400.00"), closed: bool = True, **under: Any
) -> CityWork:
    """City work under a notice, with its costs; closed with their sum."""
    notice = next(iter(under.values()))
    began = (getattr(notice, "issued_on", None) or notice.made_on) + timedelta(days=20)
    made = CityWork.objects.create(
        site=site,
        done_by="crew",
        doer="The city's crew",
        begun_on=began,
        opened_on=began,
        safe_on=began,
        begun_by=factory.inspector(),
        **under,
    )
    for number, amount in enumerate(costs, 1):
        WorkCost.objects.create(
            work=made,
            kind="labor" if number % 2 else "material",
            on=began,
            description=f"Row {number}",
            quantity=Decimal("1.00"),
            unit="lot",
            rate=Decimal(amount),
            amount=Decimal(amount),
            proof_words="Time sheet",
            recorded_by=factory.inspector(),
        )
    if closed:
        made.status, made.closed_on = CityWork.Status.CLOSED, began + timedelta(days=1)
        made.closed_by, made.total = factory.inspector(), sum(map(Decimal, costs))
        made.save()
    return made


def charge_work(site: Site, *, on: date = MONDAY, **fields: Any) -> CityWork:
    """Closed work after a notice of intent: the path of the special charge."""
    return work(site, notice_of_intent=notice_of_intent(site, on=on), **fields)


def escrow_work(permit: Permit, *, on: date = MONDAY, **fields: Any) -> CityWork:
    """Closed work after a notice to the owner: the path of the escrow."""
    return work(permit.site, owner_notice=owner_notice(permit, on=on), **fields)


def agreement(site: Site, *, on: date = MONDAY) -> MaintenanceAgreement:
    """A recorded agreement on one basin, as it was entered from the register of deeds."""
    number = next(_serial)
    made = MaintenanceAgreement.objects.create(
        number=numbers.next_number("MA", on=on),
        site=site,
        permit=site.permits.order_by("pk").last(),
        status="recorded",
        entered_as_recorded=True,
        party_kind="association",
        party_organization="Reed Bend Homeowners Association",
        party_address="4 Reed Bend\nExample, WI 54999",
        party_email="reeds@example.test",
        drafted_on=on,
        drafted_by=factory.inspector(),
        recorded_on=on,
        document_number=f"44{number:05d}",
        county="Example County",
    )
    made.practices.create(
        number=1,
        name="Wet basin",
        place="Behind lot 4",
        drainage_area="The lots 1 to 9",
    ).tasks.create(number=1, what="Clean the outlet", every_months=12, by_whom="Association")
    stated = {"document_number": made.document_number, "county": made.county}
    made.recordings.create(recorded_on=on, by=made.drafted_by, on=on, **stated)
    return made


def upkeep_notice(site: Site, *, on: date = MONDAY) -> UpkeepNotice:
    """A notice of maintenance whose time has run out, under an agreement of the site."""
    bound = agreement(site, on=on - timedelta(days=400))
    seen = UpkeepInspection.objects.create(
        number=numbers.next_number("MI", on=on),
        site=site,
        agreement=bound,
        inspected_on=on,
        inspector=factory.inspector(),
        status="finished",
        finished_at=clock.now(),
    )
    return UpkeepNotice.objects.create(
        number=numbers.next_number("MN", on=on),
        site=site,
        agreement=bound,
        inspection=seen,
        issued_on=on,
        correct_by=on + timedelta(days=14),
        issued_by=factory.inspector(),
        status="done",
        ended_on=on + timedelta(days=20),
    )


def maintenance_work(site: Site, *, on: date = MONDAY, **fields: Any) -> CityWork:
    """Closed work after a notice of maintenance: charged to the land, (4)(f)(7)."""
    return work(site, upkeep_notice=upkeep_notice(site, on=on), **fields)


def draw(made: CityWork, amount: str, *, on: date | None = None) -> Draw:
    """A draw for closed work, from the first instrument of the permit."""
    notice = made.owner_notice
    assert notice is not None
    assert made.closed_on is not None
    day = on or made.closed_on
    drawn = Draw.objects.create(
        number=numbers.next_number("DR", on=day),
        site=made.site,
        permit=notice.permit,
        owner_notice=notice,
        work=made,
        amount=Decimal(amount),
        opened_on=day,
        safe_on=day,
        on=day,
        by=factory.clerk(),
    )
    EscrowEntry.objects.create(
        permit=notice.permit,
        instrument=notice.permit.instruments.first(),
        kind="drawn",
        amount=-Decimal(amount),
        draw=drawn,
        on=day,
        by=factory.clerk(),
    )
    return drawn


def drawn(permit: Permit, amount: str, *, on: date, costs: tuple[str, ...] = ("1200.00",)) -> Draw:
    """A draw by the act itself, thirty days after the post accepted the notice to the owner."""
    made = escrow_work(permit, on=on, costs=costs)
    parts = [drawing.Part(permit.instruments.get(), Decimal(amount))]  # type: ignore[attr-defined]
    return drawing.draw(made, parts, by=factory.clerk(), on=on + timedelta(days=30))


def resolution(key: str, value: str, *, on: date = date(2026, 1, 2), number: str = "") -> None:
    """Something the council set by resolution."""
    CouncilValue.objects.create(
        key=key, value=value, effective_on=on, resolution=number or f"2026-{next(_serial)}"
    )
