"""Closing a permit: the final inspection has passed and no finding is open."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.db import transaction

from inspections import notices
from inspections.models import Finding
from permits.models import Permit, Site
from portal import city
from portal.models import User
from portal.ordinance import Obstacle

__all__ = ["close_permit", "obstacles_to_close", "open_findings"]

MOST_NAMED = 20


def open_findings(site: Site) -> list[Finding]:
    """Return the findings at a site that still have to be corrected."""
    standing = Finding.objects.filter(
        site=site, status__in=[Finding.Status.OPEN, Finding.Status.ANSWERED]
    )
    found = list(standing.order_by("number"))
    for finding in found:
        finding.site = site
    return found


def obstacles_to_close(
    permit: Permit, *, on: date, findings: Sequence[Finding] | None = None
) -> list[Obstacle]:
    """Return every reason why the permit cannot be closed yet, the findings among them.

    A page that has read the open `findings` hands them on; an act reads them anew.
    """
    found = permit.obstacles_to_close(on=on)
    citation = city.edition_on(on).citation("inspection")
    standing = open_findings(permit.site) if findings is None else findings
    for finding in standing[:MOST_NAMED]:
        text = f"Finding {finding.number} is {finding.get_status_display().lower()}: {finding.what}"
        found.append(Obstacle(f"finding-{finding.number}", text, citation, "see the finding"))
    return found


@transaction.atomic
def close_permit(permit: Permit, *, by: User, on: date) -> None:
    """Close the permit and tell the parties; refused while anything stands in the way."""
    with permit.acting():
        permit.refuse(obstacles_to_close(permit, on=on), "The permit cannot be closed yet.")
        permit.close(by=by, on=on)
        notices.tell_closed(permit)
