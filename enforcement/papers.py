"""Papers of the orders: order, placard, lifting, revocation. Former § 17.19(7)"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.conf import settings
from django.urls import reverse

from enforcement import holding
from enforcement.models import Revocation, StopWorkOrder
from enforcement.persons import Person
from permits.models import Application, CasePaper, Permit, Site
from portal import papers
from portal.city import edition_on

__all__ = ["end_of_order", "order", "placard", "public_url", "revocation", "store"]


def store(
    site: Site,
    kind: CasePaper.Kind,
    title: str,
    *,
    on: date,
    reference: str,
    application: Application | None = None,
    persons: Sequence[Person] = (),
    **context: Any,
) -> CasePaper:
    """Render `templates/papers/<kind>.html` for a site and enter it in the case file.

    For one person the address stands in the envelope's window. Several get the same paper,
    and the mail room puts a sheet with the address before each.
    """
    document = papers.render(
        f"papers/{kind.value}.html",
        {
            "site": site,
            "application": application,
            "parcels": list(site.parcels.all()),
            "persons": persons,
            "addressee": _window(persons),
            "on": on,
            "edition": edition_on(on),
            "title": title,
            "reference": reference,
            **context,
        },
        kind=kind.value,
        title=title,
    )
    return CasePaper.objects.create(
        site=site, application=application, kind=kind, document=document
    )


def _window(persons: Sequence[Person]) -> dict[str, str] | None:
    if len(persons) != 1:
        return None
    return {"name": persons[0].name, "address": persons[0].mailing_address}


def _application(permit: Permit | None) -> Application | None:
    return permit.application if permit else None


def public_url(order: StopWorkOrder) -> str:
    """The public page of the order, to which the placard's code leads."""
    return settings.PUBLIC_URL + reverse("order_public", args=[order.key])


def order(order: StopWorkOrder, persons: Sequence[Person]) -> CasePaper:
    """The order: facts, what must stop and be done, every date with its count, appeal."""
    return store(
        order.site,
        CasePaper.Kind.STOP_WORK_ORDER,
        f"Stop-work order {order.number}",
        on=order.issued_on,
        reference=order.number,
        application=_application(order.permit),
        persons=persons,
        order=order,
        violations=[(each, each.documented_days()) for each in order.violations.all()],
        clocks=order.counts(),
        appeal=order.appeal_deadline(),
        others=[each for each in holding.standing_orders(order.site) if each != order],
    )


def placard(order: StopWorkOrder) -> CasePaper:
    """The placard to be posted on the site, readable across the street."""
    url = public_url(order)
    return store(
        order.site,
        CasePaper.Kind.PLACARD,
        f"Placard of stop-work order {order.number}",
        on=order.issued_on,
        reference=order.number,
        application=_application(order.permit),
        order=order,
        public_url=url,
        qr=papers.qr_code(url),
    )


def end_of_order(order: StopWorkOrder, persons: Sequence[Person]) -> CasePaper:
    """The lifting, withdrawal or reversal of an order, and what is still in force."""
    assert order.ended_on is not None
    return store(
        order.site,
        CasePaper.Kind.LIFT_NOTICE,
        f"Stop-work order {order.number}: {order.get_status_display().lower()}",
        on=order.ended_on,
        reference=order.number,
        application=_application(order.permit),
        persons=persons,
        order=order,
        others=holding.standing_orders(order.site),
    )


def revocation(revocation: Revocation, persons: Sequence[Person]) -> CasePaper:
    """The revocation of a permit: why, what it does, and the right to appeal."""
    return store(
        revocation.site,
        CasePaper.Kind.REVOCATION,
        f"Revocation of permit {revocation.permit}",
        on=revocation.revoked_on,
        reference=str(revocation.permit),
        application=revocation.permit.application,
        persons=persons,
        revocation=revocation,
        order=revocation.order,
        permit=revocation.permit,
        opens=revocation.order.revocation_opens(),
        appeal=revocation.appeal_deadline(),
    )
