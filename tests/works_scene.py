"""For the tests of access: notices, city work and a request, which the holder's case has."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from enforcement.acts import notices, orders, owner_notices, work
from enforcement.docketing import settle
from enforcement.models import (
    CeaseAndDesistRequest,
    CityWork,
    NoticeOfIntent,
    OwnerNotice,
    StopWorkOrder,
    WorkCost,
)
from enforcement.persons import Person, persons_of
from inspections.acts import upkeep as upkeep_acts
from permits.models import Application
from portal.models import User
from tests import factory
from tests import upkeep as upkeep_scene

__all__ = ["Works", "add", "build"]

DAYS = timedelta(days=1)
WORK = {"work": "Put up 240 feet of silt fence.", "estimated_cost": Decimal("1800.00")}
LETTER = [(Person("landowner", "Ann Meyer", "4418 Ridge Road\nExample, WI 54999"), "us_mail")]


@dataclass(frozen=True)
class Works:
    """What was made, and the order on which each rests."""

    order: StopWorkOrder
    notice: NoticeOfIntent
    mailed: OwnerNotice
    work: CityWork
    cost: WorkCost
    unpermitted: StopWorkOrder
    request: CeaseAndDesistRequest


def add(inspector: User, holder: User) -> dict[str, str]:
    """Make them; return what their addresses are made of."""
    made = build(inspector, holder)
    return {
        **upkeep(holder),
        "/notices/<uuid:key>": f"/notices/{made.notice.key}",
        "/owner-notices/<uuid:key>": f"/owner-notices/{made.mailed.key}",
        "/city-work/<uuid:key>": f"/city-work/{made.work.key}",
        "/costs/<int:pk>": f"/costs/{made.cost.pk}",
        "postings/<int:pk>": f"postings/{made.order.postings.get().pk}",
        "/requests/<uuid:key>": f"/requests/{made.request.key}",
    }


def upkeep(holder: User) -> dict[str, str]:
    """A recorded agreement of the holder with a notice, and an inspection being written."""
    bound = upkeep_scene.agreement(factory.issued(holder, on=factory.MONDAY - 300 * DAYS).site)
    found = upkeep_scene.inspected(bound, on=factory.MONDAY - 3 * DAYS)
    notice = upkeep_scene.notice(found, on=factory.MONDAY, mail=False)
    task = bound.practices.get(number=1).tasks.get()
    begun = upkeep_acts.begin(bound, by=factory.inspector(), on=factory.MONDAY)
    return {
        "agreements/<uuid:key>/tasks/<int:pk>": f"agreements/{bound.key}/tasks/{task.pk}",
        "agreements/<uuid:key>/upkeep": f"agreements/{bound.key}/upkeep",
        "agreements/<uuid:key>/inspect": f"agreements/{bound.key}/inspect",
        "upkeep/<uuid:key>/practices/<int:number>": f"upkeep/{begun.key}/practices/1",
        "upkeep/<uuid:key>": f"upkeep/{begun.key}",
        "maintenance-notices/<uuid:key>": f"maintenance-notices/{notice.key}",
    }


def build(inspector: User, holder: User) -> Works:
    """Make them at one more site of the holder."""
    on = factory.MONDAY
    case = factory.issued(holder, on=on - 60 * DAYS)
    order = _order(case, inspector, ground="plan-not-followed")
    photo = factory.upload()
    posted = on - 30 * DAYS
    orders.post(order, by=inspector, on=posted, posted_on=posted, place="Gate", photos=[photo])
    order.refresh_from_db()
    notice = notices.issue(order, by=inspector, on=on - 17 * DAYS, told=LETTER, **WORK)  # type: ignore[arg-type]
    mailed = owner_notices.make(
        case.permit,
        by=inspector,
        on=on - 17 * DAYS,
        told=LETTER,
        **WORK,  # type: ignore[arg-type]
    )
    OwnerNotice.objects.filter(pk=mailed.pk).update(accepted_on=on - 17 * DAYS)
    mailed.refresh_from_db()
    settle(mailed, on=on - 17 * DAYS)
    begun = work.begin(
        mailed, by=inspector, on=on, begun_on=on, done_by="crew", doer="Street department"
    )
    crew = work.Cost("labor", on, "Crew", Decimal(3), "hours", Decimal(90), proof_words="Sheet 14")
    cost = work.add_cost(begun, crew, by=inspector, on=on)
    unpermitted = _order(case, inspector, ground="no-permit")
    request = _request(unpermitted, inspector)
    return Works(order, notice, mailed, begun, cost, unpermitted, request)


def _order(case: Application, inspector: User, *, ground: str) -> StopWorkOrder:
    known = persons_of(case.site, case.permit)
    return orders.issue(
        case.site,
        by=inspector,
        on=factory.MONDAY - 30 * DAYS,
        ground=ground,
        facts="There is no silt fence.",
        must_stop="All grading.",
        must_do="Put up the silt fence.",
        permit=None if ground == "no-permit" else case.permit,
        told=[(person, "email") for person in known if person.email],
    )


def _request(order: StopWorkOrder, inspector: User) -> CeaseAndDesistRequest:
    """A request without its packet: nobody reads it here."""
    day = factory.MONDAY - 10 * DAYS
    return CeaseAndDesistRequest.objects.create(
        site=order.site,
        order=order,
        requested_on=day,
        opened_on=day,
        safe_on=day,
        facts="Grading went on.",
        requested_by=inspector,
    )
