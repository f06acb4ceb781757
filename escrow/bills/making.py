"""Making a bill from closed city work, under whichever notice it was done.

Former § 17.19(7)(e), (4)(e) and (4)(f)(7)
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction

from enforcement.models import CityWork, UpkeepNotice
from escrow.account.held import account, refused, total
from escrow.models import BORNE, NOTHING, Bill, BillEntry, BillLine, EscrowEntry
from escrow.models.ground import stayed_by, undone_by
from permits.models import NotNow, Permit, Site
from portal import city, city_calendar, council, numbers
from portal.formats import long_date
from portal.models import CouncilValue, User
from portal.ordinance import Deadline, Obstacle
from portal.ordinance.begin_work import Path
from portal.ordinance.bills import BillingFacts, bill_due
from portal.ordinance.bills import obstacles_to_bill as law_of_billing

from . import papers, telling
from .account import keep_docket
from .payers import Payer

__all__ = [
    "agreement_words",
    "applied",
    "bill_work",
    "last_day",
    "obstacles_to_bill",
    "permit_of",
    "time_to_pay",
]


def permit_of(work: CityWork) -> Permit | None:
    """Return the permit under which the work was done, if there is one."""
    if work.owner_notice is not None:
        return work.owner_notice.permit
    if work.upkeep_notice is not None:
        return work.upkeep_notice.agreement.permit
    notice = work.notice_of_intent
    return notice.order.permit if notice is not None else None


def applied(work: CityWork) -> Decimal:
    """Return what was drawn on the escrow for a work, draws taken back and refused left out."""
    drawn = EscrowEntry.objects.filter(BORNE, draw__work=work)
    return -drawn.balance()


def time_to_pay(*, on: date) -> CouncilValue | None:
    """Return the council's resolution on the time to pay, or None."""
    return council.find(CouncilValue.Key.BILL_DAYS, on=on)


def obstacles_to_bill(work: CityWork | None, *, on: date) -> list[Obstacle]:
    """Return every reason why no bill can be made today."""
    held = NOTHING
    is_escrow_path = work is not None and work.owner_notice_id is not None
    if is_escrow_path and work is not None:
        permit = permit_of(work)
        assert permit is not None  # an owner's notice is under a permit
        held = _guaranteed(permit, on=on)
    facts = BillingFacts(
        is_closed=work is None or work.status == CityWork.Status.CLOSED,
        billed_before=work is not None and Bill.objects.standing().filter(work=work).exists(),
        cost=(work.total or NOTHING) if work is not None else None,
        drawn=applied(work) if work is not None else NOTHING,
        held=held,
        is_escrow_path=is_escrow_path,
        has_time_to_pay=time_to_pay(on=on) is not None,
        stayed_by=stayed_by(work, on=on),
        undone_by=undone_by(work),
    )
    return law_of_billing(facts, edition=city.edition_on(on))


def _guaranteed(permit: Permit, *, on: date) -> Decimal:
    """Return what still guarantees: no bill waits for what has lapsed or its issuer refuses."""
    until, unpaid = permit.escrow_good_until, refused(permit)
    if (until is None or on <= until) and not unpaid:
        return EscrowEntry.objects.filter(permit=permit).balance()
    held = [each for each in account(permit, on=on) if each.instrument.pk not in unpaid]
    return total(each for each in held if not each.has_lapsed)


@transaction.atomic
def bill_work(work: CityWork, payer: Payer, *, by: User, on: date) -> Bill:
    """Bill closed city work: costs by row, the escrow first where the path has one."""
    site = work.site
    site.lock()
    work.refresh_from_db()
    _refuse(obstacles_to_bill(work, on=on))
    is_escrow_path = work.owner_notice_id is not None
    drawn = applied(work)
    bill = _make(
        site,
        payer,
        by=by,
        on=on,
        work=work,
        permit=permit_of(work),
        ground=GROUND_OF[work.path],
        path=Bill.Path.ASSESSMENT if is_escrow_path else Bill.Path.SPECIAL_CHARGE,
        agreement=agreement_words(work.upkeep_notice),
        cost=work.total or NOTHING,
        escrow_applied=drawn,
    )
    for cost in work.costs.all():
        BillLine.objects.create(
            bill=bill,
            cost=cost,
            on=cost.on,
            kind=cost.kind,
            description=cost.description,
            quantity=cost.quantity,
            unit=cost.unit,
            rate=cost.rate,
            amount=cost.amount,
        )
    _book_escrow(bill, work, by=by, on=on)
    return _finish(bill, by=by, on=on)


GROUND_OF: dict[Path, Bill.Ground] = {
    Path.SPECIAL_CHARGE: Bill.Ground.NOTICE_OF_INTENT,
    Path.ESCROW: Bill.Ground.OWNER_NOTICE,
    Path.MAINTENANCE: Bill.Ground.MAINTENANCE,
}
"""The notice of the work decides what the bill stands on, and nothing else."""


def agreement_words(notice: UpkeepNotice | None) -> str:
    """Say which recorded agreement a bill stands on, and how much time its party had.

    Former § 17.19(4)(f)(6) and (7)
    """
    if notice is None:
        return ""
    agreement = notice.agreement
    return (
        f"{agreement.number}, document {agreement.document_number}, {agreement.county}, recorded "
        f"{long_date(agreement.recorded_on)}. Notice {notice.number} of "
        f"{long_date(notice.issued_on)} gave time until "
        f"{long_date(notice.correction_deadline().on)}."
    )


def _refuse(obstacles: list[Obstacle]) -> None:
    if obstacles:
        raise NotNow("The bill cannot be made yet.", obstacles)


def last_day(*, on: date) -> Deadline | None:
    """Return the last day to pay a bill of a day; None without the council's resolution."""
    set_by = time_to_pay(on=on)
    if set_by is None:
        return None
    return bill_due(
        on,
        int(set_by.value),
        set_by.resolution,
        calendar=city_calendar.current_calendar(),
        edition=city.edition_on(on),
    )


def _make(site: Site, payer: Payer, *, by: User, on: date, **facts: Any) -> Bill:
    """Store the bill with its last day, counted from the council's resolution."""
    set_by = time_to_pay(on=on)
    assert set_by is not None  # an obstacle otherwise
    due = last_day(on=on)
    assert due is not None
    bill = Bill.objects.create(
        number=numbers.next_number("BL", on=on),
        site=site,
        amount=facts["cost"] - facts["escrow_applied"],
        payer=payer.role,
        payer_name=payer.name,
        payer_address=payer.address,
        billed_on=on,
        due_on=due.on,
        due_days=int(set_by.value),
        due_resolution=set_by.resolution,
        billed_by=by,
        **facts,
    )
    BillEntry.objects.create(bill=bill, kind="billed", amount=bill.cost, on=on, by=by)
    return bill


def _book_escrow(bill: Bill, work: CityWork, *, by: User, on: date) -> None:
    """Take what each draw has paid off the bill."""
    if not bill.escrow_applied:
        return
    for draw in work.draws.all():  # type: ignore[attr-defined]
        entries = EscrowEntry.objects.filter(BORNE, draw=draw)
        if drawn := entries.balance():
            BillEntry.objects.create(
                bill=bill, kind="escrow", amount=drawn, draw=draw, on=on, by=by
            )


def _finish(bill: Bill, *, by: User, on: date) -> Bill:
    """Make the paper, start the clock, record the event and tell the payer."""
    bill.paper = papers.bill_paper(bill)
    bill.save(update_fields=["paper"])
    keep_docket(bill, on=on)
    bill.site.record(
        "bill.issued",
        by=by,
        on=on,
        section=bill.due_deadline().citation.section,
        facts={
            "bill": bill.number,
            "cost": bill.cost,
            "escrow": bill.escrow_applied,
            "amount": bill.amount,
            "due_on": bill.due_on,
            "payer": bill.payer_name,
            "path": bill.path,
        },
    )
    telling.tell_payer(
        bill,
        f"bill:{bill.number}",
        subject=f"Bill {bill.number} for city work",
        on=on,
        paper=bill.paper,
    )
    return bill
