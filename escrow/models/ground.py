"""What the work behind a bill or a draw rests on, and what an appeal does to that.

Former § 17.19(8) with Wis. Stat. § 62.23(7)(e)5: an appeal of an order or notice stays what
follows from it, and what the board reverses is no ground for anybody to pay.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.contrib.contenttypes.models import ContentType

from enforcement.models import (
    Appeal,
    CityWork,
    NoticeOfIntent,
    OwnerNotice,
    Revocation,
    StopWorkOrder,
    UpkeepNotice,
)
from portal.ordinance import Stay

APPEALED = (StopWorkOrder, NoticeOfIntent, OwnerNotice, Revocation, UpkeepNotice)


def acts_behind(work: CityWork) -> Iterator[Any]:
    """Yield the notice under which the work was done, and the orders that led to it.

    Under a notice to the owner these are all orders and revocations of the permit.
    """
    notice = work.notice
    yield notice
    if isinstance(notice, NoticeOfIntent):
        yield notice.order
    elif isinstance(notice, OwnerNotice):
        yield from StopWorkOrder.objects.filter(permit=notice.permit_id)
        yield from Revocation.objects.filter(permit=notice.permit_id)


def appeals_behind(work: CityWork) -> list[tuple[Appeal, Any]]:
    """Return each appeal of an act behind a work, with the act; one query where there is none."""
    appeals = list(Appeal.objects.filter(site=work.site_id).select_related("peril").order_by("pk"))
    if not appeals:
        return []
    acts = {(ContentType.objects.get_for_model(act).pk, act.pk): act for act in acts_behind(work)}
    keyed = [((each.subject_type_id, each.subject_pk), each) for each in appeals]
    return [(each, acts[key]) for key, each in keyed if key in acts]


def stays_of_work(work: CityWork | None) -> tuple[Stay, ...]:
    """Return every stay that reaches the money of a work, past and present."""
    found = (appeal.stay() for appeal, _ in appeals_behind(work)) if work else ()
    return tuple(stay for stay in found if stay is not None)


def stayed_by(work: CityWork | None, *, on: date) -> str:
    """Return the number of the appeal that stays the money of a work on a day, or nothing."""
    for appeal, _ in appeals_behind(work) if work else ():
        stay = appeal.stay()
        if stay is not None and stay.covers(on):
            return appeal.number
    return ""


def undone_by(work: CityWork | None) -> str:
    """Return the number of the appeal on which the board took the ground of a work away.

    A notice to the owner may have more than one ground: an order that was reversed leaves the
    others. A revocation is none; the guarantee outlives it.
    """
    if work is None:
        return ""
    notice = work.notice
    left = notice.because.splitlines() if isinstance(notice, OwnerNotice) else []
    for appeal, act in appeals_behind(work):
        if appeal.outcome != Appeal.Outcome.REVERSED or isinstance(act, Revocation):
            continue
        left = [line for line in left if act == notice or str(act) not in line]
        if act == notice or not left:
            return appeal.number
    return ""
