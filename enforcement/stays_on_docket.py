"""How the stay of an appeal reaches every clock under the act appealed. Former § 17.19(8)

The models count each clock with its stays; here the docket is told to count again. Every
act that begins or ends a stay calls `restay` under the lock of the site, so that docket and
models never differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import singledispatch
from typing import Any

from django.contrib.contenttypes.models import ContentType

from enforcement.models import (
    Appeal,
    NoticeOfIntent,
    NoticeStatus,
    OwnerNotice,
    RevisionOrder,
    RevisionOrderLine,
    Revocation,
    StopWorkOrder,
    UpkeepNotice,
)
from permits.holds import Act
from permits.models import Decision, DocketEntry, Permit, Site
from portal import city
from portal.ordinance import Clock, Obstacle
from portal.ordinance.appeals import STAY_STATUTE
from portal.ordinance.wording import long_day

__all__ = ["clocks_of", "clocks_under", "holds", "register", "restay", "running_stays"]

Below = Callable[[Any], Iterable[Any]]
_more: list[Below] = []


def register(below: Below) -> None:
    """Add things of a part above whose clocks an appeal of an act holds still, too.

    The part registers a function in `AppConfig.ready()`; here none of them is known by name.
    """
    if below not in _more:
        _more.append(below)


@singledispatch
def clocks_under(act: Any) -> Iterator[Any]:
    """Yield everything whose clocks an appeal of an act holds still.

    A grant and a denial start no clock that could be held; an appealed grant holds the issue
    of the permit (`holds`), and a denial is not made worse by waiting.
    """
    yield from ()


@clocks_under.register
def _(act: StopWorkOrder) -> Iterator[Any]:
    yield act
    yield from NoticeOfIntent.objects.filter(order=act, status=NoticeStatus.STANDING)
    yield from _owner_notices(act.permit)


@clocks_under.register
def _(act: Revocation) -> Iterator[Any]:
    yield from _owner_notices(act.permit)


@clocks_under.register
def _(act: RevisionOrder) -> Iterator[Any]:
    yield from RevisionOrderLine.objects.filter(order=act).select_related("order__site")


@clocks_under.register(NoticeOfIntent)
@clocks_under.register(OwnerNotice)
@clocks_under.register(UpkeepNotice)
def _(act: Any) -> Iterator[Any]:
    yield act


def _owner_notices(permit: Permit | None) -> Iterable[OwnerNotice]:
    if permit is None:
        return ()
    return OwnerNotice.objects.filter(permit=permit, status=NoticeStatus.STANDING)


def restay(act: Any) -> int:
    """Count every running clock under an act again; returns how many rows moved."""
    return sum(DocketEntry.objects.count_again(subject) for subject in _all_under(act))


def _all_under(act: Any) -> Iterator[Any]:
    yield from clocks_under(act)
    for below in _more:
        yield from below(act)


def clocks_of(act: Any) -> list[Clock]:
    """Return the running clocks under an act as they count now; not the time to appeal."""
    counts = (count for subject in _all_under(act) for count in subject.clocks())
    return sorted((c for c in counts if c.key != "appeal"), key=lambda count: count.on)


# What a stay holds besides clocks ---------------------------------------------------------

APPEALABLE = (StopWorkOrder, RevisionOrder, Revocation, NoticeOfIntent, OwnerNotice)
"""Not the notice of maintenance: it comes after the permit, and no escrow stands behind it."""
DRAWS = frozenset({Act.DRAW})


def running_stays(site: Site, *, on: date) -> list[Appeal]:
    """Return the appeals at a site of which the stay runs on a day."""
    appeals = Appeal.objects.filter(site=site, filed_on__lte=on).select_related("peril")
    held = []
    for appeal in appeals.order_by("filed_on", "pk"):
        stay = appeal.stay()
        if stay is not None and (stay.until_on is None or on < stay.until_on):
            held.append(appeal)
    return held


def holds(site: Site, act: Act, on: date) -> list[Obstacle]:
    """Name the appeals that hold an act of the permit; registered with `permits.holds`.

    An appealed grant holds the issue of the permit; an appealed order, revocation or notice
    holds a draw on the escrow.
    """
    if act == Act.ISSUE:
        held = _of_types(running_stays(site, on=on), (Decision,))
        held = [appeal for appeal in held if _is_grant(appeal)]
    elif act in DRAWS:
        held = _of_types(running_stays(site, on=on), APPEALABLE)
    else:
        return []
    citation = city.edition_on(on).citation("appeal")
    return [
        Obstacle(
            f"appeal-{appeal.number}",
            f"Appeal {appeal.number} of {appeal.subject_title} is before the board since "
            f"{long_day(appeal.filed_on)}. It stays what would follow ({STAY_STATUTE}).",
            citation,
            "appeal",
        )
        for appeal in held
    ]


def _is_grant(appeal: Appeal) -> bool:
    subject = appeal.subject
    return isinstance(subject, Decision) and subject.kind == Decision.Kind.GRANT


def _of_types(appeals: list[Appeal], models: tuple[Any, ...]) -> list[Appeal]:
    keys = {ContentType.objects.get_for_model(model).pk for model in models}
    return [appeal for appeal in appeals if appeal.subject_type_id in keys]
