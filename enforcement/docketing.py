"""Keeping the docket equal to the clocks of an act, whatever began or ended them."""

from __future__ import annotations

from datetime import date
from typing import Any

from enforcement.models import StopWorkOrder
from permits.models import DocketEntry, Permit

__all__ = ["obey_by_permit", "settle"]


def settle(subject: Any, *, on: date, met_on: date | None = None) -> None:
    """Write the docket of one order or notice anew from its clocks. Called under lock.

    A clock that runs no more is closed on `on`; a deadline is met where `met_on` says so.
    A clock that the act has begun is entered. Stays are written by `stays_on_docket`.
    """
    clocks = {clock.key: clock for clock in subject.clocks()}
    running = {entry.rule: entry for entry in DocketEntry.objects.of(subject).running()}
    for rule, entry in running.items():
        if rule in clocks:
            continue
        if met_on is not None and entry.kind == DocketEntry.Kind.DEADLINE and not entry.lapses:
            DocketEntry.objects.close(subject, rule, met_on=met_on)
        else:
            DocketEntry.objects.filter(pk=entry.pk).update(closed_on=on)
    for rule, clock in clocks.items():
        if rule not in running:
            title = f"{clock.title}, {subject}"
            DocketEntry.objects.start(subject, clock, title=title[:200])


def obey_by_permit(permit: Permit, on: date) -> None:
    """End the days to obtain a permit: it was obtained. Registered with `permits.issued`. (7)(d)

    The order itself stands until it is lifted, and so do its other dates.
    """
    orders = StopWorkOrder.objects.standing().filter(site=permit.site_id, permit__isnull=True)
    for order in orders.select_related("site"):
        settle(order, on=on, met_on=on)
