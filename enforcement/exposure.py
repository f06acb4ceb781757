"""What a court could impose for the violations of a site, as an estimate with its sources.

The city assesses nothing: a court does, on a citation or complaint that the city attorney
decides on. Former § 17.19(9)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db import transaction

from enforcement.models import Appeal, StopWorkOrder, Violation, ViolationStatus
from enforcement.papers import store
from enforcement.persons import persons_of
from enforcement.stays_on_docket import running_stays
from permits.models import CasePaper, NotNow, Site
from portal import city
from portal.models import User
from portal.ordinance import Stay
from portal.ordinance.forfeiture import (
    ADD_ONS,
    AddOn,
    Court,
    Estimate,
    Exposure,
    estimate,
    exposure,
)

from .models.stays import stays_of

__all__ = ["AtStake", "at_stake", "make_sheet", "of_site"]


@dataclass(frozen=True)
class AtStake:
    """One violation with its documented days, what a court could impose, and what pauses it.

    A day that was documented while an appeal stayed an order on this violation is not
    counted.
    """

    violation: Violation
    exposure: Exposure
    held_days: Sequence[date]
    paused_by: Sequence[Appeal]
    estimates: Sequence[Estimate]

    def rows(self) -> list[tuple[AddOn, list[tuple[Decimal, Decimal] | None]]]:
        """Return each add-on with what it comes to in each court; None where it adds none."""
        found = [{each.key: (low, high) for each, low, high in e.lines} for e in self.estimates]
        return [(add_on, [amounts.get(add_on.key) for amounts in found]) for add_on in ADD_ONS]


def of_site(site: Site, *, on: date) -> list[AtStake]:
    """Return what is at stake for each violation of a site that was not dropped."""
    rows = site.violations.exclude(status=ViolationStatus.DROPPED)  # type: ignore[attr-defined]
    running = running_stays(site, on=on)
    return [_at_stake(violation, running) for violation in rows.order_by("number")]


def at_stake(violation: Violation, *, on: date) -> AtStake:
    """Return what is at stake for one violation."""
    return _at_stake(violation, running_stays(violation.site, on=on))


def _at_stake(violation: Violation, running: Sequence[Appeal]) -> AtStake:
    orders = list(violation.orders.all())
    stays = [stay for order in orders for stay in stays_of(order)]
    days = violation.documented_days()
    held = [day for day in days if _is_held(day, stays)]
    counted = [day for day in days if day not in held]
    found = exposure(counted, edition=None)
    pausing = [appeal for appeal in running if _is_of(appeal, orders)]
    return AtStake(violation, found, held, pausing, [estimate(found, court) for court in Court])


def _is_held(day: date, stays: Sequence[Stay]) -> bool:
    """Whether a day lies in a stay; its first and last day are the city's as well."""
    return any(
        stay.from_on < day and (stay.until_on is None or day < stay.until_on) for stay in stays
    )


def _is_of(appeal: Appeal, orders: Sequence[StopWorkOrder]) -> bool:
    return isinstance(appeal.subject, StopWorkOrder) and appeal.subject in orders


@transaction.atomic
def make_sheet(violation: Violation, *, by: User, on: date) -> CasePaper:
    """Make the citation data sheet of a violation for the city attorney."""
    site = violation.site.lock()
    violation.refresh_from_db()
    if violation.status == ViolationStatus.DROPPED:
        raise NotNow("The violation was dropped: it was recorded in error.")
    found = at_stake(violation, on=on)
    if not found.exposure.days:
        raise NotNow("No day on which the violation was seen is documented and counts.")
    edition = city.edition_on(violation.found_on)
    paper = store(
        site,
        CasePaper.Kind.CITATION_SHEET,
        f"Citation data sheet, violation {violation.number} at {site.number}",
        on=on,
        reference=f"{site.number}, violation {violation.number}",
        application=violation.permit.application if violation.permit else None,
        violation=violation,
        found=found,
        people=persons_of(site, violation.permit),
        days=list(violation.days.select_related("visit", "recorded_by").order_by("on")),
        orders=list(violation.orders.order_by("pk")),
        cited=edition.citation(violation.section),
        penalty=edition.citation("penalty"),
        by=by,
    )
    site.record(
        "citation_sheet.made",
        by=by,
        on=on,
        section="penalty",
        facts={
            "violation": violation.number,
            "days": len(found.exposure.days),
            "sha256": paper.document.sha256,
        },
    )
    return paper
