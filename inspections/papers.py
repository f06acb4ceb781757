"""Papers of the inspections: the report of a visit and the season letter. Former § 17.19(6)"""

from __future__ import annotations

import base64
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from io import BytesIO
from typing import Any

from django.db.models import Prefetch
from PIL import Image

from inspections.acts.answers import newest_of_each
from inspections.models import (
    ChecklistLine,
    Finding,
    LineAnswer,
    OpenCover,
    Visit,
    VisitPhoto,
)
from permits.models import Application, CasePaper, Permit, Site
from permits.papers import addressee
from portal import papers
from portal.city import edition_on
from portal.models import Upload

__all__ = ["application_of", "report", "season_letter", "small_preview"]

WIDEST, TALLEST = 800, 600
QUALITY = 72
MOST_PHOTOS = 60
"""A report is read on a phone and sent by e-mail; further photos are named in it."""


@dataclass(frozen=True)
class Shot:
    """A photo as the report shows it: small, numbered, and described."""

    number: int
    caption: str
    data: str


@dataclass
class Row:
    """A line of the checklist with what each inspector found last."""

    line: ChecklistLine
    answers: list[LineAnswer]
    shots: list[int] = field(default_factory=list)


def report(visit: Visit) -> CasePaper:
    """Make the report of a visit that is being finished, once, and enter it in the case file."""
    application = application_of(visit)
    rows = _rows(visit)
    shots, unseen = _shots(visit)
    for row in rows:
        row.shots = [shot.number for line, shot in shots if line == row.line.pk]
    paper = _store(
        visit.site,
        application,
        CasePaper.Kind.INSPECTION_REPORT,
        f"Inspection report {visit.number}",
        on=visit.visited_on,
        reference=visit.number,
        visit=visit,
        permit=visit.permit,
        rows=rows,
        bad=[row for row in rows if any(answer.is_bad for answer in row.answers)],
        findings=_findings(visit),
        earlier=_earlier(visit),
        final=getattr(visit, "final_inspection", None),
        shots=[shot for _, shot in shots],
        unseen=unseen,
        several=len({answer.by_id for row in rows for answer in row.answers}) > 1,
    )
    visit.report = paper
    visit.save(update_fields=["report"])
    return paper


def season_letter(permit: Permit, cover: OpenCover, *, on: date) -> CasePaper:
    """Make the letter on permanent cover that is still due. Former § 17.19(4)(d)"""
    return _store(
        permit.site,
        permit.application,
        CasePaper.Kind.SEASON_LETTER,
        f"Permanent cover still due, permit {permit.number}",
        on=on,
        reference=permit.number,
        permit=permit,
        cover=cover,
        least=edition_on(on).cover_density_percent,
    )


def application_of(visit: Visit) -> Application | None:
    """Return the application whose parties get the report; None where nobody applied."""
    if visit.permit is not None:
        return visit.permit.application
    return visit.site.applications.filter(number__isnull=False).order_by("-pk").first()


def _store(
    site: Site,
    application: Application | None,
    kind: CasePaper.Kind,
    title: str,
    **context: Any,
) -> CasePaper:
    """Render a paper of a site, with or without an application."""
    document = papers.render(
        f"papers/{kind.value}.html",
        {
            "site": site,
            "application": application,
            "parties": list(application.parties.all()) if application else [],
            "parcels": list(site.parcels.all()),
            "addressee": addressee(application) if application else None,
            **context,
        },
        kind=kind.value,
        title=title,
    )
    return CasePaper.objects.create(
        site=site, application=application, kind=kind, document=document
    )


# What the report shows --------------------------------------------------------------------


def _rows(visit: Visit) -> list[Row]:
    answers = LineAnswer.objects.select_related("by").order_by("answered_at", "pk")
    lines = visit.lines.order_by("position").prefetch_related(Prefetch("answers", answers))
    return [Row(line, newest_of_each(line.answers.all())) for line in lines]


def _findings(visit: Visit) -> list[dict[str, Any]]:
    """The findings of the visit, each with the count of its day."""
    edition = edition_on(visit.visited_on)
    return [
        {
            "finding": finding,
            "deadline": finding.correction_deadline(),
            "citation": edition.citation(finding.section),
        }
        for finding in visit.findings.select_related("line").order_by("number")
    ]


def _earlier(visit: Visit) -> list[Finding]:
    """Open findings of earlier visits; they follow the site until they are corrected."""
    standing = [Finding.Status.OPEN, Finding.Status.ANSWERED]
    found = Finding.objects.filter(site=visit.site, status__in=standing).exclude(visit=visit)
    seen = visit.documented_days.values_list("finding_id", flat=True)  # type: ignore[attr-defined]
    rows = list(found.order_by("number"))
    here = set(seen)
    for finding in rows:
        finding.seen_here = finding.pk in here  # type: ignore[attr-defined]
    return rows


def _shots(visit: Visit) -> tuple[list[tuple[int | None, Shot]], list[str]]:
    """The photos in the order of the checklist, and the names of those without a picture."""
    photos = visit.photos.select_related("upload", "line").prefetch_related("upload__previews")
    by_line: dict[int, list[VisitPhoto]] = defaultdict(list)
    for photo in photos.order_by("pk"):
        by_line[photo.line.position if photo.line else 10_000].append(photo)
    shots: list[tuple[int | None, Shot]] = []
    unseen: list[str] = []
    for photo in (each for position in sorted(by_line) for each in by_line[position]):
        data = small(photo) if len(shots) < MOST_PHOTOS else ""
        if not data:
            unseen.append(photo.upload.original_name)
            continue
        caption = str(photo.line) if photo.line else "The site"
        shots.append((photo.line_id, Shot(len(shots) + 1, caption, data)))
    return shots, unseen


def small(photo: VisitPhoto) -> str:
    """Return a photo's own preview, made small, to be written into the page."""
    return small_preview(photo.upload)


def small_preview(upload: Upload) -> str:
    """Return the preview of a stored photo, made small; nothing where it has none."""
    preview = next(iter(upload.previews.all()), None)
    if preview is None:
        return ""
    with preview.file.open("rb") as source, Image.open(source) as image:
        image.draft("RGB", (WIDEST, TALLEST))
        image.thumbnail((WIDEST, TALLEST))
        target = BytesIO()
        image.convert("RGB").save(target, "JPEG", quality=QUALITY, optimize=True)
    return "data:image/jpeg;base64," + base64.b64encode(target.getvalue()).decode("ascii")
