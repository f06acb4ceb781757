"""Keeping the docket equal to the clocks of an act, whatever began or ended them."""

from __future__ import annotations

from datetime import date
from typing import Any

from permits.models import DocketEntry

__all__ = ["settle"]


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
