"""The bills whose last day an appeal holds still. Former § 17.19(8)"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from typing import Any

from django.db.models import Q, QuerySet

from enforcement.models import (
    NoticeOfIntent,
    OwnerNotice,
    Revocation,
    StopWorkOrder,
    UpkeepNotice,
)
from escrow.models import Bill

__all__ = ["bills_under"]


@singledispatch
def _where(act: Any) -> Q | None:
    """Say which bills rest on an act; None: no bill does."""
    return None


@_where.register
def _(act: NoticeOfIntent) -> Q | None:
    return Q(work__notice_of_intent=act)


@_where.register
def _(act: OwnerNotice) -> Q | None:
    return Q(work__owner_notice=act)


@_where.register
def _(act: UpkeepNotice) -> Q | None:
    return Q(work__upkeep_notice=act)


@_where.register
def _(act: StopWorkOrder) -> Q | None:
    below = Q(work__notice_of_intent__order=act)
    return below | Q(work__owner_notice__permit=act.permit_id) if act.permit_id else below


@_where.register
def _(act: Revocation) -> Q | None:
    return Q(work__owner_notice__permit=act.permit_id)


def bills_under(act: Any) -> Iterable[Bill]:
    """Return the standing bills for work that rests on an act; the docket counts them again."""
    where = _where(act)
    if where is None:
        return ()
    found: QuerySet[Bill] = Bill.objects.standing().filter(where, site=act.site)
    return found.select_related("site", "work").order_by("pk")
