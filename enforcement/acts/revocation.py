"""Revoking a permit, and reinstating it where the board or the city undoes that.

Former § 17.19(7)(c)
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.db import transaction

from enforcement import ladder, papers, telling
from enforcement.docketing import settle
from enforcement.models import Revocation, StopWorkOrder
from enforcement.persons import Person
from permits.models import NotNow
from portal.models import User
from portal.ordinance.next_steps import StepKey

__all__ = ["reverse", "revoke"]


@transaction.atomic
def revoke(
    order: StopWorkOrder,
    *,
    by: User,
    on: date,
    facts: str,
    told: Sequence[tuple[Person, str]],
    before_safe_why: str = "",
) -> Revocation:
    """Revoke the permit whose permittee did not comply in time. Former § 17.19(7)(c)"""
    with order.acting():
        step = ladder.demand(order, StepKey.REVOCATION, on=on, before_safe_why=before_safe_why)
        telling.refuse_without_address(told)
        permit, opens = order.permit, step.opens
        if permit is None or opens is None:
            raise NotNow("There is no permit to revoke.")
        revocation = Revocation.objects.create(
            site=order.site,
            permit=permit,
            order=order,
            revoked_on=on,
            opened_on=opens.on,
            safe_on=opens.safe_on,
            before_safe_why=before_safe_why if step.needs_reason else "",
            facts=facts,
            revoked_by=by,
        )
        permit.note_revoked(
            by=by, on=on, reason=facts, order=order.number, before_safe_why=before_safe_why
        )
        settle(order, on=on)
        settle(revocation, on=on)
        revocation.paper = papers.revocation(revocation, [person for person, _ in told])
        revocation.save(update_fields=["paper"])
        telling.tell(
            revocation,
            told,
            cause=f"revoked:{order.number}",
            subject_line=f"Permit {permit} is revoked",
            on=on,
            paper=revocation.paper,
            template="permit_revoked",
            revocation=revocation,
            order_url=papers.public_url(revocation.order),
            appeal=revocation.appeal_deadline(),
        )
        return revocation


@transaction.atomic
def reverse(revocation: Revocation, *, by: User, on: date, why: str) -> None:
    """Reinstate the permit: the board reversed its revocation, or the order was an error."""
    revocation.site.lock()
    revocation.refresh_from_db()
    if revocation.reversed_on is not None:
        raise NotNow("This revocation is reversed already.")
    if on < revocation.revoked_on:
        raise NotNow("A revocation cannot be reversed before it was made.")
    revocation.reversed_on = on
    revocation.save(update_fields=["reversed_on"])
    revocation.permit.note_reinstated(by=by, on=on, reason=why)
    settle(revocation, on=on)
    told = telling.told_of(revocation)
    if told:
        telling.tell(
            revocation,
            told,
            cause=f"reinstated:{revocation.order.number}",
            subject_line=f"Permit {revocation.permit} is reinstated",
            on=on,
            paper=None,
            template="permit_reinstated",
            revocation=revocation,
            order_url=papers.public_url(revocation.order),
            why=why,
        )
