"""The days of the ladder once more, slowly, only to check the quick ones. Former § 17.19(7)

From the dates that were written down alone: no clock of the portal, no `portal.ordinance`.
Days are tried one by one, and a day of a stay is one on which nothing counts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, timedelta

from enforcement.models import (
    Appeal,
    NoticeOfIntent,
    OwnerNotice,
    RevisionOrder,
    Revocation,
    StopWorkOrder,
)
from permits.models import Decision
from tests.ordinance import slow

DAY = timedelta(days=1)
Span = tuple[date, date | None]
"""A stay: the day of filing, and the day on which it ended; None while it runs."""


# Stays ------------------------------------------------------------------------------------


def made_on(act: object) -> date:
    """The day of an act, as its row says."""
    if isinstance(act, Decision):
        return act.decided_on
    if isinstance(act, Revocation):
        return act.revoked_on
    assert isinstance(act, (StopWorkOrder, RevisionOrder, NoticeOfIntent))
    return act.issued_on


def stays(*acts: object) -> list[Span]:
    """Every stay of these acts; an appeal after its thirty days brings none."""
    found = []
    for appeal in Appeal.objects.order_by("pk"):
        if (
            appeal.subject in acts
            and appeal.filed_on <= slow.appeal(made_on(appeal.subject), 30)[0]
        ):
            peril = getattr(appeal, "peril", None)
            ends = [day for day in (appeal.ended_on, peril and peril.certified_on) if day]
            found.append((appeal.filed_on, min(ends) if ends else None))
    return found


def stays_of_owner_notice(notice: OwnerNotice) -> list[Span]:
    """The stays of every order and revocation under its permit."""
    orders = StopWorkOrder.objects.filter(permit=notice.permit)
    return stays(*orders, *Revocation.objects.filter(permit=notice.permit))


def stayed(day: date, spans: Sequence[Span]) -> bool:
    """Whether a stay covers a day, its first and its last day included."""
    return any(begin <= day and (end is None or day <= end) for begin, end in spans)


# First days -------------------------------------------------------------------------------


def first_day(
    start: date, days: int, spans: Sequence[Span], *, roll: str = "", after: int = 0
) -> date:
    """The first day on which an act is open, after so many days that count."""
    ended = [(begin, end) for begin, end in spans if end is not None]
    day, counted = start, 0
    while counted < days:
        day += DAY
        counted += not any(begin < day <= end for begin, end in ended)
    while _moves(day, roll) or any(begin <= day < end for begin, end in ended):
        day += DAY
    day += after * DAY
    while any(begin <= day <= end for begin, end in ended):
        day += DAY
    return day


def _moves(day: date, roll: str) -> bool:
    return bool(roll) and slow.rolled(day, saturday=roll == "filing") != day


def revocation(order: StopWorkOrder) -> tuple[date, date]:
    """First and safe day to revoke."""
    spans = stays(order)
    first, safe = (
        first_day(order.issued_on, 10, spans, roll=roll, after=1) for roll in ("sunday", "filing")
    )
    return first, safe


def request(order: StopWorkOrder) -> tuple[date, date]:
    """First and safe day to ask the attorney."""
    day = first_day(order.issued_on, 10, stays(order), roll="filing", after=1)
    return day, day


def notice_of_intent(order: StopWorkOrder) -> tuple[date, date]:
    """First and safe day of a notice of intent; only of a posted order."""
    assert order.posted_on is not None
    spans = stays(order)
    return (
        first_day(order.posted_on, 10, spans),
        first_day(order.posted_on, 10, spans, roll="sunday", after=1),
    )


def city_work(notice: NoticeOfIntent) -> tuple[date, date]:
    """First and safe day to enter under a notice of intent."""
    spans = stays(notice.order, notice)
    return (
        first_day(notice.issued_on, 14, spans, after=1),
        first_day(notice.issued_on, 14, spans, roll="sunday", after=1),
    )


def draw(notice: OwnerNotice) -> tuple[date, date]:
    """First and safe day to work under a notice that the post has accepted."""
    assert notice.accepted_on is not None
    spans = stays_of_owner_notice(notice)
    return (
        first_day(notice.accepted_on, 10, spans, after=1),
        first_day(notice.accepted_on, 13, spans, after=1),
    )


def may(day: date, days: tuple[date, date], spans: Sequence[Span], *, reason: bool) -> bool:
    """Whether the days let the city act: not before the first, before the safe with a reason."""
    first, safe = days
    return day >= first and not stayed(day, spans) and (reason or day >= safe)


def taken_by_the_post(day: date, closed: Collection[str] = ()) -> bool:
    """Whether the post accepts letters on a day."""
    return day.isoweekday() != 7 and slow.holiday(day) in (None, "primary", "election", *closed)
