"""The paper of a revision order, with its timetable. Former § 17.19(7)(b)"""

from __future__ import annotations

from collections.abc import Sequence

from enforcement.models import RevisionOrder
from enforcement.papers import store
from enforcement.persons import Person
from permits.models import CasePaper

__all__ = ["order"]


def order(order: RevisionOrder, persons: Sequence[Person]) -> CasePaper:
    """The order: why the plan is inadequate, each additional device and its day, appeal."""
    return store(
        order.site,
        CasePaper.Kind.REVISION_ORDER,
        f"Revision order {order.number}",
        on=order.issued_on,
        reference=order.number,
        application=order.permit.application,
        persons=persons,
        order=order,
        permit=order.permit,
        lines=[(line, line.deadline()) for line in order.lines.all()],
        appeal=order.appeal_deadline(),
    )
