"""The council's levy on a bill of the escrow's path, and the division of a bill over parcels.

Former § 17.19(4)(e) and ch. 66; without the council's resolutions nothing is computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from django.db import transaction

from escrow.models import Assessment, Bill, BillEntry, Division, DivisionShare
from escrow.models.ground import stayed_by, undone_by
from permits.models import NotNow, Parcel
from portal import city, council, numbers
from portal.models import CouncilValue, User
from portal.ordinance import Obstacle
from portal.ordinance.assessment import LevyFacts
from portal.ordinance.assessment import obstacles_to_levy as law_of_levy

from . import papers, telling

__all__ = ["divide", "levy", "obstacles_to_levy"]


def _set(key: CouncilValue.Key, on: date) -> tuple[Decimal | None, str]:
    row = council.find(key, on=on)
    return (Decimal(row.value), row.resolution) if row else (None, "")


def obstacles_to_levy(bill: Bill, *, on: date) -> list[Obstacle]:
    """Return why nothing can be assessed yet; a missing resolution is named."""
    return law_of_levy(
        LevyFacts(
            is_escrow_path=bill.path == Bill.Path.ASSESSMENT,
            unpaid=bill.balance(),
            due_on=bill.last_day,
            levied_before=Assessment.objects.filter(bill=bill).exists(),
            rate=_set(CouncilValue.Key.INTEREST_RATE, on)[0],
            fee=_set(CouncilValue.Key.ADMINISTRATIVE_FEE, on)[0],
            stayed_by=stayed_by(bill.work, on=on),
            undone_by=undone_by(bill.work),
        ),
        on=on,
        edition=city.edition_on(on),
    )


@transaction.atomic
def levy(
    bill: Bill,
    *,
    resolution: str,
    levied_on: date,
    noticed_on: date | None = None,
    heard_on: date | None = None,
    by: User,
) -> Assessment:
    """Enter the council's levy of what the escrow did not cover. Former § 17.19(4)(e)

    The council's fee is added to it and becomes part of it; interest runs from this day.
    """
    with bill.acting():
        bill.refuse(obstacles_to_levy(bill, on=levied_on), "Nothing can be assessed yet.")
        rate, rate_by = _set(CouncilValue.Key.INTEREST_RATE, levied_on)
        fee, fee_by = _set(CouncilValue.Key.ADMINISTRATIVE_FEE, levied_on)
        assert rate is not None
        assert fee is not None
        cost = bill.balance()
        if fee:
            BillEntry.objects.create(
                bill=bill, kind="fee", amount=fee, resolution=fee_by, on=levied_on, by=by
            )
        assessment = Assessment(
            number=numbers.next_number("AS", on=levied_on),
            site=bill.site,
            bill=bill,
            levied_on=levied_on,
            resolution=resolution,
            noticed_on=noticed_on,
            heard_on=heard_on,
            cost=cost,
            rate=rate,
            rate_resolution=rate_by,
            fee=fee,
            fee_resolution=fee_by,
            levied_by=by,
        )
        assessment.paper = papers.assessment_notice(assessment)
        assessment.save(force_insert=True)
        bill.site.record(
            "assessment.levied",
            by=by,
            on=levied_on,
            section="draws",
            facts={
                "assessment": assessment.number,
                "bill": bill.number,
                "cost": cost,
                "fee": fee,
                "rate": rate,
                "resolution": resolution,
            },
        )
        telling.tell_payer(
            bill,
            f"assessment:{assessment.number}",
            subject=f"Assessment {assessment.number}",
            on=levied_on,
            paper=assessment.paper,
            assessment=assessment,
        )
    return assessment


@transaction.atomic
def divide(
    bill: Bill, *, basis: str, weights: Mapping[Parcel, Decimal], why: str, by: User, on: date
) -> Division:
    """Say how a bill is divided over the parcels of its site; the newest word counts."""
    with bill.acting():
        parcels = set(bill.site.parcels.all())
        if set(weights) != parcels or not any(weights.values()):
            raise NotNow("Give every parcel of the site its weight, and one of them more than 0.")
        division = Division.objects.create(bill=bill, basis=basis, why=why, on=on, by=by)
        for parcel, weight in weights.items():
            DivisionShare.objects.create(division=division, parcel=parcel, weight=weight)
        bill.site.record(
            "bill.divided",
            by=by,
            on=on,
            section="enforcement",
            reason=why,
            facts={
                "bill": bill.number,
                "basis": basis,
                "weights": {parcel.number: weight for parcel, weight in weights.items()},
            },
        )
    return division
