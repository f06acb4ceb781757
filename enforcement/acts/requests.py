"""The request to the city attorney for a cease and desist order, and what follows from it.

Former § 17.19(7)(d): against a person without a permit who neither obeyed the order nor
obtained a permit in time. A permittee whose permit was revoked is such a person from then
on, but has first the days of a new order on the ground of work without a permit.
"""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import transaction
from django.urls import reverse

from enforcement import ladder, packet
from enforcement.docketing import settle
from enforcement.models import Addressee, CeaseAndDesistRequest, RequestStep, StopWorkOrder
from enforcement.persons import Person
from enforcement.telling import tell
from permits.models import NotNow
from portal import city
from portal.formats import long_date
from portal.models import Mailing, Role, User
from portal.ordinance import Obstacle
from portal.ordinance.attorney_steps import next_steps, obstacles_to_step

__all__ = ["attorneys", "last_of", "make", "may_follow", "take_step", "why_not_step"]

Kind = RequestStep.Kind


def attorneys() -> list[Person]:
    """Return every city attorney with an active account."""
    users = User.objects.filter(role=Role.ATTORNEY, is_active=True).order_by("pk")
    role = Addressee.Role.ATTORNEY
    return [Person(role=role, name=str(user), email=user.email.lower()) for user in users]


@transaction.atomic
def make(
    order: StopWorkOrder,
    *,
    by: User,
    on: date,
    facts: str,
    before_safe_why: str = "",
    despite_application: str = "",
) -> CeaseAndDesistRequest:
    """Request a cease and desist order on a day on which the law has opened it, or refuse.

    The packet is assembled in the act; the attorney gets a link to it.
    """
    with order.acting():
        step = ladder.demand(
            order,
            "cease-and-desist",
            on=on,
            before_safe_why=before_safe_why,
            despite=despite_application,
        )
        assert step.opens is not None  # an order without a permit has its first day
        if not facts.strip():
            raise NotNow("Say what the person did after the order.")
        request = CeaseAndDesistRequest(
            site=order.site,
            order=order,
            requested_on=on,
            opened_on=step.opens.on,
            safe_on=step.opens.safe_on,
            before_safe_why=before_safe_why if step.needs_reason else "",
            facts=facts,
            despite_application=despite_application if step.is_held else "",
            requested_by=by,
        )
        request.save(force_insert=True)
        people = attorneys()
        request.packet = packet.assemble(request, step, people)
        request.save(update_fields=["packet"])
        settle(order, on=on)
        _tell(request, people)
        order.site.record(
            "cease_and_desist.requested",
            by=by,
            on=on,
            section="enforcement",
            reason=request.despite_application or request.before_safe_why,
            facts={
                "order": order.number,
                "first_day": step.opens.on,
                "hold": step.hold,
                "pages": request.packet.document.pages,
                "sha256": request.packet.document.sha256,
                "told": [person.name for person in people],
            },
        )
        return request


def _tell(request: CeaseAndDesistRequest, people: list[Person]) -> None:
    """Tell the attorneys by e-mail; the packet stays in the portal, behind their sign-in."""
    if people:
        tell(
            request,
            [(person, Mailing.Means.EMAIL) for person in people],
            cause=f"cease_and_desist:{request.pk}",
            subject_line=f"Cease and desist request on order {request.order}",
            on=request.requested_on,
            paper=None,
            template="cease_and_desist",
            request=request,
            order=request.order,
            request_url=settings.PUBLIC_URL + reverse("request", args=[request.key]),
        )


# What the attorney records ----------------------------------------------------------------


def last_of(request: CeaseAndDesistRequest) -> tuple[str, date]:
    """Return the last step recorded and its day; the request itself before any."""
    last = request.steps.last()
    return (last.kind, last.on) if last else ("", request.requested_on)


def may_follow(request: CeaseAndDesistRequest) -> list[Kind]:
    """Return the steps that the attorney may record next."""
    return [Kind(step) for step in next_steps(last_of(request)[0])]


def why_not_step(request: CeaseAndDesistRequest, step: str, *, on: date) -> list[Obstacle]:
    """Return every reason why a step cannot be recorded for a day."""
    last, last_on = last_of(request)
    return obstacles_to_step(step, last, last_on, on=on, edition=city.edition_on(on))


@transaction.atomic
def take_step(
    request: CeaseAndDesistRequest,
    step: str,
    *,
    by: User,
    on: date,
    day: date,
    court_case: str = "",
    note: str = "",
) -> RequestStep:
    """Record what became of a request: each step once, in order; `day` is when it was."""
    request.site.lock()
    if day > on:
        raise NotNow(f"{long_date(day)} is still to come.")
    if found := why_not_step(request, step, on=day):
        raise NotNow("This step cannot be recorded.", found)
    if step == Kind.FILED and not court_case.strip():
        raise NotNow("Name the number under which the court has the case.")
    if step == Kind.CLOSED and last_of(request)[0] != Kind.OBTAINED and not note.strip():
        raise NotNow("Say why the request is closed without an order of the court.")
    row = RequestStep.objects.create(
        request=request,
        kind=step,
        on=day,
        court_case=court_case if step == Kind.FILED else "",
        note=note,
        by=by,
    )
    request.site.record(
        f"cease_and_desist.{step}",
        by=by,
        on=day,
        section="enforcement",
        reason=note,
        facts={"order": request.order.number, "court_case": row.court_case},
    )
    return row
