"""What waits for the recorded agreement, as the city chooses. Former § 17.19(4)(f)"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from django.conf import settings
from django.db.models import QuerySet

from permits import holds
from permits.models import AgreementStatus, MaintenanceAgreement, Permit, Site
from portal import city
from portal.ordinance import Obstacle

__all__ = [
    "CURE",
    "KEY",
    "awaited",
    "holds_release",
    "recorded_of",
    "waiting_in_words",
    "waits_for_agreement",
]

KEY = "maintenance-agreement"
CURE = "record the maintenance agreement"
RELEASE = "release"
WAITING = {holds.Act.ISSUE: "issue", holds.Act.CERTIFICATE: "certificate"}
"""The acts that can wait, and how the setting AGREEMENT_BEFORE calls them."""


def holds_release() -> bool:
    """Whether the release of the escrow waits for the recorded agreement."""
    return RELEASE in settings.AGREEMENT_BEFORE


def waiting_in_words() -> str:
    """Return what waits for the recorded agreement, as the city chose."""
    words = {
        "issue": "the issuance of the permit",
        "certificate": "the certificate of occupancy",
        RELEASE: "the release of the escrow",
    }
    chosen = [text for key, text in words.items() if key in settings.AGREEMENT_BEFORE]
    return " and ".join(chosen)


def recorded_of(permit: Permit, *, on: date) -> MaintenanceAgreement | None:
    """Return the agreement of a permit that is recorded; one that was ended since counts.

    An agreement is complete only when it is recorded.
    """
    rows = MaintenanceAgreement.objects.filter(
        permit=permit,
        recorded_on__lte=on,
        status__in=(AgreementStatus.RECORDED, AgreementStatus.ENDED),
    ).exclude(kind=MaintenanceAgreement.Kind.RELEASE)
    return rows.order_by("pk").last()


def awaited(*, on: date) -> QuerySet[Permit]:
    """Return permits whose grant requires an agreement, of which none is recorded."""
    recorded = MaintenanceAgreement.objects.filter(recorded_on__lte=on, permit__isnull=False)
    open_permits = Permit.objects.exclude(status=Permit.Status.WITHDRAWN)
    wanted = open_permits.filter(grant__maintenance_agreement=True)
    return wanted.exclude(pk__in=recorded.values("permit"))


def waits_for_agreement(site: Site, act: holds.Act, on: date) -> Iterator[Obstacle]:
    """Hold an act that waits for the agreement of the newest permit."""
    if WAITING.get(act) not in settings.AGREEMENT_BEFORE:
        return
    permit = site.permits.select_related("grant").order_by("-pk").first()
    if permit is None or not permit.grant.maintenance_agreement or recorded_of(permit, on=on):
        return
    text = f"The maintenance agreement is not recorded yet, and the city does not {act} before."
    yield Obstacle(KEY, text, city.edition_on(on).citation("maintenance"), CURE)
