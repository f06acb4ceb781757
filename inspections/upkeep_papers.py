"""Papers of upkeep: the report of an inspection of practices, and the reminder by letter.

Former § 17.19(4)(f)(2), (5)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from inspections.models import PracticeLook, UpkeepInspection
from inspections.papers import small_preview
from inspections.upkeep import TaskStanding
from permits.models import (
    AgreementPractice,
    Application,
    CasePaper,
    MaintenanceAgreement,
    Site,
)
from portal import papers
from portal.city import edition_on
from portal.models import Upload

__all__ = ["application_of", "letter", "report", "store"]

MOST_PHOTOS = 60


@dataclass
class Shown:
    """A practice with what was found, and the numbers of its photos."""

    practice: AgreementPractice
    look: PracticeLook
    shots: list[int] = field(default_factory=list)


def application_of(agreement: MaintenanceAgreement) -> Application | None:
    """Return the application in whose case papers of an agreement lie; None without one."""
    if agreement.permit is not None:
        return agreement.permit.application
    filed = agreement.site.applications.filter(number__isnull=False)
    return filed.order_by("-pk").first()


def report(inspection: UpkeepInspection) -> CasePaper:
    """Make the report of an inspection that is being finished, once."""
    rows, shots, unseen = _shown(inspection)
    party = inspection.agreement.responsible_party(inspection.inspected_on)
    return store(
        inspection.agreement,
        CasePaper.Kind.UPKEEP_REPORT,
        f"Maintenance inspection report {inspection.number}",
        on=inspection.inspected_on,
        reference=str(inspection.number),
        inspection=inspection,
        rows=rows,
        problems=[row for row in rows if row.look.is_problem],
        shots=shots,
        unseen=unseen,
        party=party,
    )


def letter(agreement: MaintenanceAgreement, due: Sequence[TaskStanding], *, on: date) -> CasePaper:
    """Make the reminder of upkeep that is due, for a party without an e-mail address."""
    return store(
        agreement,
        CasePaper.Kind.UPKEEP_LETTER,
        f"Upkeep due under agreement {agreement.number}",
        on=on,
        reference=agreement.number,
        due=[(each, each.deadline()) for each in due],
        party=agreement.responsible_party(on),
    )


def store(
    agreement: MaintenanceAgreement,
    kind: CasePaper.Kind,
    title: str,
    *,
    on: date,
    **context: Any,
) -> CasePaper:
    """Render `templates/papers/<kind>.html` under an agreement; its party is the addressee."""
    site: Site = agreement.site
    party = agreement.responsible_party(on)
    document = papers.render(
        f"papers/{kind.value}.html",
        {
            "site": site,
            "agreement": agreement,
            "application": application_of(agreement),
            "parcels": agreement.parcel_numbers or [p.number for p in site.parcels.all()],
            "addressee": {"name": str(party), "address": party.mailing_address},
            "on": on,
            "edition": edition_on(on),
            "title": title,
            **context,
        },
        kind=kind.value,
        title=title,
    )
    return CasePaper.objects.create(
        site=site, application=application_of(agreement), kind=kind, document=document
    )


def _shown(
    inspection: UpkeepInspection,
) -> tuple[list[Shown], list[tuple[int, str, str]], list[str]]:
    """The practices in order; photos with number, caption and picture; names without one."""
    looks = inspection.newest_looks()
    rows = [
        Shown(practice, looks[practice.pk])
        for practice in inspection.agreement.practices.all()
        if practice.pk in looks
    ]
    shots: list[tuple[int, str, str]] = []
    unseen: list[str] = []
    for row, upload in _photos(rows):
        picture = small_preview(upload) if len(shots) < MOST_PHOTOS else ""
        if picture:
            shots.append((len(shots) + 1, str(row.practice), picture))
            row.shots.append(len(shots))
        else:
            unseen.append(upload.original_name)
    return rows, shots, unseen


def _photos(rows: Iterable[Shown]) -> Iterable[tuple[Shown, Upload]]:
    for row in rows:
        for upload in row.look.photos.all():
            yield row, upload
