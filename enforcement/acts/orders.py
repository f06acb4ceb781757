"""Stop-work orders: issued, posted, served, lifted, withdrawn, reversed. Former § 17.19(7)(a)

Issued on and posted on are two dates with two proofs. A new order is a new row, also
while another one stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from django.db import transaction

from enforcement import holding, papers, telling
from enforcement.docketing import settle
from enforcement.models import (
    Addressee,
    NoticeStatus,
    OrderStatus,
    Posting,
    Revocation,
    Service,
    StopWorkOrder,
    Violation,
)
from enforcement.persons import Person
from inspections.models import Visit
from permits.models import NotNow, Permit, Site
from portal import city, numbers
from portal.formats import long_date
from portal.models import Upload, User
from portal.ordinance import Obstacle
from portal.ordinance.stop_work import GROUNDS_BY_KEY

from . import beside, revocation

__all__ = ["issue", "lift", "made_on", "obstacles_to_issue", "post", "reverse", "serve", "withdraw"]

Told = Sequence[tuple[Person, str]]


def obstacles_to_issue(
    site: Site, ground: str, permit: Permit | None, *, on: date
) -> list[Obstacle]:
    """Return every reason why an order cannot be issued on a ground. Former § 17.19(7)(a)"""
    citation = GROUNDS_BY_KEY[ground].citation(city.edition_on(on))
    if ground == "no-permit":
        if permit is None:
            return []
        text = "Work under a permit is not work without one; choose another ground."
        return [Obstacle("ground", text, citation, "choose the ground")]
    if permit is None or permit.site_id != site.pk:
        text = "This ground is for work under a permit; say which permit of the site."
        return [Obstacle("permit", text, citation, "choose the permit")]
    if permit.status != Permit.Status.ISSUED:
        text = f"Permit {permit} is {permit.get_status_display().lower()}; whoever goes on works "
        text += "without a permit."
        return [Obstacle("permit-status", text, citation, "choose the ground without a permit")]
    return []


@transaction.atomic
def issue(
    site: Site,
    *,
    by: User,
    on: date,
    ground: str,
    facts: str,
    must_stop: str,
    must_do: str,
    told: Told,
    permit: Permit | None = None,
    violations: Iterable[Violation] = (),
) -> StopWorkOrder:
    """Issue an order: number, papers and clocks; the persons are told by the means chosen."""
    locked = site.lock()
    if permit is not None:
        permit.refresh_from_db()
    Permit.refuse(
        obstacles_to_issue(locked, ground, permit, on=on), "The order cannot be issued so."
    )
    telling.refuse_without_address(told)
    said = {"what was seen": facts, "what must stop": must_stop, "what must be done": must_do}
    _refuse_gaps(said)
    named = list(violations)
    if any(violation.site_id != locked.pk for violation in named):
        raise NotNow("A violation of another site is no ground for this order.")
    if late := [each for each in named if each.found_on > on]:
        raise NotNow(f"{late[0]} was found after the day of the order.")
    order = StopWorkOrder.objects.create(
        number=numbers.next_number("SW", on=on),
        site=locked,
        permit=permit,
        ground=ground,
        facts=facts,
        must_stop=must_stop,
        must_do=must_do,
        issued_on=on,
        issued_by=by,
    )
    order.violations.set(named)
    settle(order, on=on)
    locked.record(
        "stop_work.issued",
        by=by,
        on=on,
        section="enforcement",
        facts={
            "order": order.number,
            "permit": str(permit) if permit else None,
            "ground": ground,
            "violations": [violation.number for violation in named],
            "told": [f"{person.name}: {means}" for person, means in told],
        },
    )
    order.paper = papers.order(order, [person for person, _ in told])
    order.placard = papers.placard(order)
    order.save(update_fields=["paper", "placard"])
    telling.tell(
        order,
        told,
        cause=f"order:{order.number}",
        subject_line=f"Stop-work order {order.number}",
        on=on,
        paper=order.paper,
        template="order_issued",
        order=order,
        order_url=papers.public_url(order),
        clocks=order.clocks(),
    )
    return order


def _refuse_gaps(texts: Mapping[str, str]) -> None:
    """Refuse an order on whose paper a sentence would be missing."""
    for name, text in texts.items():
        if not text.strip():
            raise NotNow(f"The order does not say {name}.")


@transaction.atomic
def post(
    order: StopWorkOrder,
    *,
    by: User,
    on: date,
    posted_on: date,
    place: str,
    photos: Sequence[Upload],
) -> Posting:
    """Record that the placard was put up: day, place and photo; the first posting counts.

    From it run the days to the notice of intent. Former § 17.19(7)(e)
    """
    with order.acting():
        if not order.is_standing:
            raise NotNow(f"The order is {order.get_status_display().lower()}.")
        if posted_on < order.issued_on:
            raise NotNow(
                f"The order was issued on {long_date(order.issued_on)}; it cannot have been "
                "posted before that day."
            )
        if posted_on > on:
            raise NotNow(f"{long_date(posted_on)} is still to come.")
        if not photos:
            raise NotNow("A posting needs a photo of the placard where it hangs as its proof.")
        posting = Posting.objects.create(
            order=order, posted_on=posted_on, place=place, posted_by=by
        )
        posting.photos.set(photos)
        first = order.posted_on is None
        if first:
            order.posted_on = posted_on
            order.save(update_fields=["posted_on"])
            settle(order, on=on)
        order.site.record(
            "stop_work.posted",
            by=by,
            on=posted_on,
            section="enforcement",
            facts={
                "order": order.number,
                "place": place,
                "photos": [photo.sha256 for photo in photos],
                "first": first,
            },
        )
        return posting


@transaction.atomic
def serve(
    addressee: Addressee,
    *,
    by: User,
    on: date,
    served_on: date,
    place: str,
    served_by: str,
    proof: Upload | None = None,
) -> Service:
    """Record that a paper was handed to its addressee, by whom and where."""
    site = addressee.site.lock()
    since = made_on(addressee)
    if served_on < since:
        raise NotNow(f"The paper is of {long_date(since)}; it cannot have been served before.")
    if served_on > on:
        raise NotNow(f"{long_date(served_on)} is still to come.")
    service = Service.objects.create(
        addressee=addressee,
        served_on=served_on,
        place=place,
        served_by=served_by,
        proof=proof,
        recorded_by=by,
    )
    site.record(
        "paper.served",
        by=by,
        on=served_on,
        section="enforcement",
        facts={
            "paper": str(addressee.subject),
            "to": addressee.name,
            "place": place,
            "served_by": served_by,
            "proof": proof.sha256 if proof else None,
        },
    )
    return service


def made_on(addressee: Addressee) -> date:
    """The day of the act of which the paper tells."""
    for name in ("issued_on", "revoked_on", "made_on", "requested_on", "filed_on"):
        day = getattr(addressee.subject, name, None)
        if isinstance(day, date):
            return day
    return addressee.created_at.date()


# The end of an order ----------------------------------------------------------------------


@transaction.atomic
def lift(order: StopWorkOrder, *, by: User, on: date, visit: Visit, why: str) -> None:
    """Lift the order with the visit that shows compliance; work may go on."""
    with order.acting():
        visit.refresh_from_db()
        if visit.site_id != order.site_id:
            raise NotNow("The visit was to another site.")
        if visit.status != Visit.Status.FINISHED:
            raise NotNow("The visit is not finished yet; finish it first.")
        if not order.issued_on <= visit.visited_on <= on:
            raise NotNow(
                "The visit must show compliance after the order: on or after "
                f"{long_date(order.issued_on)}."
            )
        order.lifted_by_visit = visit
        _end(order, OrderStatus.LIFTED, by=by, on=on, why=why, met_on=visit.visited_on)


@transaction.atomic
def withdraw(order: StopWorkOrder, *, by: User, on: date, why: str) -> None:
    """Withdraw an order that was issued in error; what rested on it falls with it."""
    with order.acting():
        _end(order, OrderStatus.WITHDRAWN, by=by, on=on, why=why)


@transaction.atomic
def reverse(order: StopWorkOrder, *, by: User, on: date, why: str) -> None:
    """Take note that the board of zoning appeals reversed the order. Former § 17.19(8)"""
    with order.acting():
        _end(order, OrderStatus.REVERSED, by=by, on=on, why=why)


EVENTS = {
    OrderStatus.LIFTED: "stop_work.lifted",
    OrderStatus.WITHDRAWN: "stop_work.withdrawn",
    OrderStatus.REVERSED: "stop_work.reversed",
}
SUBJECTS = {
    OrderStatus.LIFTED: "Stop-work order {order} is lifted",
    OrderStatus.WITHDRAWN: "Stop-work order {order} is withdrawn",
    OrderStatus.REVERSED: "Stop-work order {order} is reversed",
}


def _end(
    order: StopWorkOrder,
    status: OrderStatus,
    *,
    by: User,
    on: date,
    why: str,
    met_on: date | None = None,
) -> None:
    if on < order.issued_on:
        raise NotNow(f"The order was issued on {long_date(order.issued_on)}.")
    order.move_to(status)
    order.ended_on, order.ended_by, order.ended_why = on, by, why
    order.save(update_fields=["status", "ended_on", "ended_by", "ended_why", "lifted_by_visit"])
    settle(order, on=on, met_on=met_on)
    order.site.record(
        EVENTS[status],
        by=by,
        on=on,
        section="appeal" if status is OrderStatus.REVERSED else "enforcement",
        reason=why,
        facts={
            "order": order.number,
            "visit": order.lifted_by_visit.number if order.lifted_by_visit else None,
        },
    )
    _let_fall(order, status, by=by, on=on)
    _tell_end(order, status, on=on)
    beside.tell_attorney(order, on=on)


def _let_fall(order: StopWorkOrder, status: OrderStatus, *, by: User, on: date) -> None:
    """End what rested on the order: its notice of intent, and a revocation made in error."""
    from . import notices

    why = f"Order {order} was {order.get_status_display().lower()}."
    if order.notices.filter(status=NoticeStatus.STANDING).exists():
        notices.fall(order, by=by, on=on, why=why)
    if status is not OrderStatus.LIFTED:
        standing = Revocation.objects.filter(order=order, reversed_on__isnull=True).first()
        if standing is not None:
            # A decision can be entered days after it was filed, and the permit revoked between.
            revocation.reverse(standing, by=by, on=max(on, standing.revoked_on), why=why)


def _tell_end(order: StopWorkOrder, status: OrderStatus, *, on: date) -> None:
    told = telling.told_of(order)
    if not told:
        return
    paper = papers.end_of_order(order, [person for person, _ in told])
    telling.tell(
        order,
        told,
        cause=f"order_{status}:{order.number}",
        subject_line=SUBJECTS[status].format(order=order),
        on=on,
        paper=paper,
        template="order_ended",
        order=order,
        order_url=papers.public_url(order),
        others=holding.standing_orders(order.site),
    )
