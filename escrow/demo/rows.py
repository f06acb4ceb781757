"""Rows of a large city that need only their parents: parties, plan lines, search words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from permits.models import Application, PlanRevision, Site, search_words
from permits.models.site import compact

__all__ = [
    "parties",
    "plan",
    "planned_activity",
    "planned_devices",
    "words_of",
    "work_fields",
]

LATER, LONG = timedelta(days=30), timedelta(days=200)


def work_fields(filed_on: date, chance: Random) -> dict[str, Any]:
    """The answers about the work."""
    return {
        "project_name": "New dwelling",
        "description": "Clear and grade the lot, dig the basement, build a house.",
        "activities": ["grading", "building"],
        "building": "dwelling",
        "area_amount": Decimal(chance.randrange(4000, 40000)),
        "area_unit": "sq_ft",
        "volume_amount": Decimal(chance.randrange(100, 900)),
        "pipe_ft": Decimal(0),
        "street_work": False,
        "dewatering": False,
        "starts_on": filed_on + LATER,
        "ends_on": filed_on + LONG,
        "wetlands_acknowledged": True,
        "entry_allowed": True,
        "records_agreed": True,
    }


def parties(application: Application) -> Iterator[dict[str, Any]]:
    """Landowner, contractor, 24-hour contact, and who looks after the devices."""
    holder = application.applicant
    key = application.pk
    yield {"application_id": key, "role": "landowner", "name": holder.name, "email": holder.email}
    for role in ("contractor", "emergency", "controls"):
        yield {
            "application_id": key,
            "role": role,
            "name": "Jon Berg",
            "organization": "Berg Excavating Inc",
            "telephone": "(555) 010-0144",
        }


def plan(application: Application, number: int, filed_on: date | None) -> PlanRevision:
    """A plan revision; at this scale without files."""
    return PlanRevision(
        application=application,
        number=number,
        filed_on=filed_on,
        drawing_scale="1 inch = 20 feet" if filed_on else "",
        factors_on_site="Silt loam; slopes of 3 to 9 percent." if filed_on else "",
        factors_adjacent="Street inlet 40 feet from the drive." if filed_on else "",
    )


def planned_devices(revision: PlanRevision) -> Iterator[dict[str, Any]]:
    """The control devices of a filed plan."""
    for device, place in (("silt-fence", "Front line"), ("tracking-pad", "Drive")):
        yield {"revision_id": revision.pk, "device": device, "place": place, "quantity": "1"}


def planned_activity(revision: PlanRevision) -> dict[str, Any]:
    """The one line of a filed plan's timetable."""
    application = revision.application
    return {
        "revision_id": revision.pk,
        "activity": "Strip, grade and build",
        "starts_on": application.starts_on,
        "ends_on": application.ends_on,
        "area_sq_ft": application.area_amount,
        "temporary": "Silt fence before grading; mulch within seven days.",
        "permanent": "Topsoil, seed and mat.",
    }


def words_of(site: Site, parcels: Iterable[str], numbers: Iterable[str]) -> list[str]:
    """The words that `Site.index_words` writes, without asking the database."""
    exact = [site.number, *parcels, *numbers]
    texts = [site.address, site.survey_description, *exact]
    words = {word for text in texts for word in search_words(text)}
    words |= {compact(text) for text in exact}
    return sorted(word[:60] for word in words if word)
