"""The notice of intent to perform work: issued, withdrawn, fallen with its order.

Former § 17.19(7)(e). It opens work that is billed and becomes a special charge; it is not
the ten days' notice to the owner, which opens the escrow (`acts/owner_notices.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from django.db import transaction

from enforcement import ladder, works_papers
from enforcement.docketing import settle
from enforcement.models import Addressee, NoticeOfIntent, NoticeStatus, StopWorkOrder
from enforcement.persons import Person, persons_of
from enforcement.telling import refuse_without_address, tell, told_of
from permits.models import NotNow
from portal import numbers
from portal.formats import long_date
from portal.models import Mailing, User

__all__ = ["MEANS", "fall", "issue", "persons_for", "withdraw"]

Role = Addressee.Role
MEANS = (Mailing.Means.US_MAIL, Mailing.Means.CERTIFIED, Mailing.Means.PERSONAL)
"""By mail or by personal service; an e-mail comes on top of it and never instead."""
ADDRESSED = (Role.PERMITTEE, Role.LANDOWNER, Role.LAND_USER)
"""Former § 17.19(7)(e): "to the permittee or landowner or land user"."""


def persons_for(order: StopWorkOrder) -> list[Person]:
    """Return to whom a notice may go: permittee, landowner and land user as known today.

    Where the land has changed hands since the order, the owner of that day and the owner of
    today are both on the list.
    """
    return [
        person
        for person in persons_of(order.site, order.permit)
        if person.role in ADDRESSED or person.is_permittee
    ]


@transaction.atomic
def issue(
    order: StopWorkOrder,
    *,
    by: User,
    on: date,
    work: str,
    estimated_cost: Decimal,
    told: Sequence[tuple[Person, str]],
    before_safe_why: str = "",
    left_out_why: str = "",
) -> NoticeOfIntent:
    """Issue a notice of intent on a day on which the law has opened it, or refuse.

    `left_out_why` says why somebody known does not get it: dead, dissolved, gone.
    """
    with order.acting():
        step = ladder.demand(order, "notice-of-intent", on=on, before_safe_why=before_safe_why)
        assert step.opens is not None  # a posted order has its first day
        _refuse(told, work, estimated_cost)
        notice = NoticeOfIntent(
            number=numbers.next_number("NI", on=on),
            site=order.site,
            order=order,
            work=work,
            estimated_cost=estimated_cost,
            issued_on=on,
            opened_on=step.opens.on,
            safe_on=step.opens.safe_on,
            before_safe_why=before_safe_why if step.needs_reason else "",
            issued_by=by,
        )
        notice.save(force_insert=True)
        _send(notice, told)
        opens = notice.city_work_opens()
        settle(notice, on=on)
        settle(order, on=on)
        order.site.record(
            "notice_of_intent.issued",
            by=by,
            on=on,
            section="enforcement",
            reason=notice.before_safe_why,
            facts={
                "notice": notice.number,
                "order": order.number,
                "work": work,
                "estimated_cost": estimated_cost,
                "first_day": opens.on,
                "told": [person.name for person, _ in told],
                "left_out_why": left_out_why,
            },
        )
        return notice


def _refuse(told: Sequence[tuple[Person, str]], work: str, cost: Decimal) -> None:
    refuse_without_address(told)
    for person, means in told:
        if means not in MEANS:
            raise NotNow(f"A notice of intent goes by mail or in person; {person.name} gets none.")
    if not any(person.role in ADDRESSED or person.is_permittee for person, _ in told):
        raise NotNow("The notice goes to the permittee, the landowner or the land user.")
    if not work.strip() or cost <= 0:
        raise NotNow("The notice names the work and what it is estimated to cost.")


def _send(notice: NoticeOfIntent, told: Sequence[tuple[Person, str]]) -> None:
    """Make a letter for each addressee, and tell them; the first letter stands for all."""
    names = [person for person, _ in told]
    opens = notice.city_work_opens()
    for person, means in told:
        paper = works_papers.letter_of_intent(notice, person, means, names)
        tell(
            notice,
            [(person, means)],
            cause=f"notice_of_intent:{notice.number}",
            subject_line=f"Notice of intent {notice.number}: work on your land",
            on=notice.issued_on,
            paper=paper,
            template="notice_of_intent",
            notice=notice,
            order=notice.order,
            clock=opens,
        )
        if notice.paper_id is None:
            notice.paper = paper
    notice.save(update_fields=["paper"])


def withdraw(notice: NoticeOfIntent, *, by: User, on: date, why: str) -> None:
    """Withdraw a notice that stands; the addressees are told, and no work follows from it."""
    with notice.acting():
        notice.demand(NoticeStatus.WITHDRAWN)
        _refuse_end(notice, on, why)
        _end(notice, NoticeStatus.WITHDRAWN, on=on, why=why)
        notice.site.record(
            "notice_of_intent.withdrawn",
            by=by,
            on=on,
            section="enforcement",
            reason=why,
            facts={"notice": notice.number, "order": notice.order.number},
        )
        _tell_end(notice, on, why)


def fall(order: StopWorkOrder, *, by: User, on: date, why: str) -> NoticeOfIntent | None:
    """Let the standing notice fall with its order; under the order's lock, in its act.

    Returns the notice that fell, or None. It falls on the very day it was issued, too.
    """
    notice = order.notices.filter(status=NoticeStatus.STANDING).select_related("site").first()
    if notice is None:
        return None
    notice.order, notice.site = order, order.site
    on = max(on, notice.issued_on)  # the board's decision may have been filed before, unknown
    _end(notice, NoticeStatus.FALLEN, on=on, why=why)
    notice.site.record(
        "notice_of_intent.fell",
        by=by,
        on=on,
        section="enforcement",
        reason=why,
        facts={"notice": notice.number, "order": order.number},
    )
    _tell_end(notice, on, why)
    return notice


def _refuse_end(notice: NoticeOfIntent, on: date, why: str) -> None:
    if on < notice.issued_on:
        raise NotNow(f"The notice was issued on {long_date(notice.issued_on)}; not before that.")
    if not why.strip():
        raise NotNow("Say why the notice is withdrawn.")


def _end(notice: NoticeOfIntent, status: NoticeStatus, *, on: date, why: str) -> None:
    notice.move_to(status)
    notice.ended_on, notice.ended_why = on, why
    notice.save(update_fields=["status", "ended_on", "ended_why"])
    settle(notice, on=on)
    settle(notice.order, on=on)


def _tell_end(notice: NoticeOfIntent, on: date, why: str) -> None:
    """Tell everybody who has the notice that it does not stand any more."""
    if people := told_of(notice):
        tell(
            notice,
            people,
            cause=f"notice_ended:{notice.number}",
            subject_line=f"Notice of intent {notice.number} does not stand any more",
            on=on,
            paper=None,
            template="notice_ended",
            notice=notice,
            why=why,
        )
