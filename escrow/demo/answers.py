"""Fills in an application of the demo: site, people, work and plan."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from permits.models import STEPS, Application, Party, PlanRevision
from portal.models import Upload
from portal.ordinance.devices import DEVICES_BY_KEY, DeviceKind

from .case import Case
from .cast import COMPANIES
from .photos import draw_photo
from .sheets import SheetFacts, draw_sheet
from .studio import store_jpeg, store_pdf
from .works import WORKS, Work

__all__ = ["answer", "draw_plan"]

START_AFTER = timedelta(days=32)
ALL_STEPS = tuple(step for step in STEPS if step != "check")


def answer(application: Application, case: Case, *, on: date, steps: Sequence[str] = ()) -> None:
    """Write the answers of some steps, or of all."""
    done = tuple(steps) or ALL_STEPS
    work = WORKS[case.work]
    if "site" in done:
        answer_site(application, case, work)
    if "people" in done:
        answer_people(application, case)
    if "work" in done:
        answer_work(application, case, work, on)
    if "plan" in done:
        answer_plan(application, case, work, on)
    if "acknowledgements" in done:
        application.wetlands_acknowledged = True
        application.entry_allowed = application.records_agreed = True
    application.steps_done = list(done)
    application.save()


def answer_site(application: Application, case: Case, work: Work) -> None:
    """Where it is."""
    site = application.site
    site.address, site.survey_description = case.place, case.survey
    site.parcel_acres = (work.acres * Decimal("1.6")).quantize(Decimal("0.01"))
    site.save()
    for number in case.parcels:
        site.parcels.create(number=number)


def answer_people(application: Application, case: Case) -> None:
    """Landowner, contractor, 24-hour contact, and who looks after the devices."""
    holder = application.applicant
    company = COMPANIES[case.contractor]
    home = f"{case.place.partition(',')[0] or 'P.O. Box 40'}\nExample, WI 54999"
    body = Party.Body.CORPORATION if case.landowner else Party.Body.INDIVIDUAL
    owner = {"organization": case.landowner, "body": body, "mailing_address": home}
    hired = {"organization": company.name, "mailing_address": company.address}
    reach = {"email": company.email, "telephone": company.telephone}
    _party(
        application,
        "landowner",
        holder.name,
        email=holder.email,
        telephone="(555) 010-0111",
        **owner,
    )
    _party(application, "contractor", company.person, title="Superintendent", **hired, **reach)
    _party(application, "emergency", company.person, telephone=company.telephone)
    _party(application, "controls", company.person, organization=company.name, **reach)


def _party(application: Application, role: str, name: str, **more: Any) -> None:
    application.parties.create(role=role, name=name, **more)


def answer_work(application: Application, case: Case, work: Work, on: date) -> None:
    """What is done, how much, and when."""
    fields: dict[str, Any] = {
        "project_name": project_name(application, case, work),
        "description": work.description,
        "activities": list(work.activities),
        "building": work.building,
        "area_amount": Decimal(work.area),
        "area_unit": work.area_unit,
        "volume_amount": Decimal(work.cubic_yards),
        "pipe_ft": Decimal("0"),
        "street_work": False,
        "dewatering": False,
        "starts_on": on + START_AFTER,
        "ends_on": on + START_AFTER + work.length,
        **work.more,
    }
    for name, value in fields.items():
        setattr(application, name, value)


def project_name(application: Application, case: Case, work: Work) -> str:
    """What people call it."""
    owner = case.landowner or application.applicant.name
    return f"{work.name}, {owner}"


def answer_plan(application: Application, case: Case, work: Work, on: date) -> None:
    """The plan as § 40-939 asks for it: drawing, factors, devices, timetable."""
    revision = application.latest_revision()
    assert revision is not None
    starts, ends = on + START_AFTER, on + START_AFTER + work.length
    revision.factors_on_site = "Silt loam over clay; slopes of 3 to 9 percent. No bedrock seen."
    revision.factors_adjacent = "Street inlet 40 feet from the drive; neighbors on both sides."
    if work.layout == "creek":
        revision.factors_adjacent = "Heron Creek and its wetland behind the lot."
    if work.acres >= 1:
        revision.soil_loss_rate = Decimal("3.40")
        revision.soil_loss_from, revision.soil_loss_until = starts, ends
    draw_plan(revision, case, on=on)
    for key, place, quantity in work.devices:
        device = DEVICES_BY_KEY[key]
        revision.devices.create(
            device=key,
            place=place,
            quantity=quantity,
            standard=device.standard,
            permanent=device.kind == DeviceKind.PERMANENT,
        )
    for line in timetable(work, starts, ends):
        revision.activities.create(**line)
    if case.photo:
        add_photo(revision, case)


def timetable(work: Work, starts: date, ends: date) -> list[dict[str, Any]]:
    """The activities, one after the other, each with what holds the soil."""
    area = (work.acres * 43_560).quantize(Decimal("0.1"))
    third = work.length / 3
    rows = (
        ("Put up the control devices, strip the topsoil", starts, starts + third / 2, area),
        (work.name, starts + third / 2, ends - third, area),
        ("Final grade, permanent cover", ends - third, ends, area * Decimal("0.6")),
    )
    return [
        {
            "activity": name,
            "starts_on": first,
            "ends_on": last,
            "area_sq_ft": ground.quantize(Decimal("0.1")),
            "temporary": "Devices stand before ground is opened; bare soil is mulched in 7 days.",
            "permanent": "Topsoil, perennial seed and mat; watched until it covers 70 percent.",
        }
        for name, first, last, ground in rows
    ]


def draw_plan(revision: PlanRevision, case: Case, *, on: date) -> None:
    """Draw sheet C-1 for a revision and put it in the place of the one before."""
    application = revision.application
    facts = SheetFacts(
        layout=WORKS[case.work].layout,
        project=project_name(application, case, WORKS[case.work]),
        place=application.site.place,
        parcel=", ".join(case.parcels),
        street=case.street_name,
        drawn_on=on,
        revision=revision.number,
        seed=application.pk,
    )
    name = f"{case.work.title()} plan C-1 rev {revision.number}.pdf"
    upload = store_pdf(draw_sheet(facts), name=name, by=application.applicant)
    revision.sheets.filter(purpose="drawing").delete()
    revision.sheets.create(upload=upload, title="Sheet C-1, erosion control plan")
    revision.drawing_scale = facts.scale
    revision.save()


def add_photo(revision: PlanRevision, case: Case) -> Upload:
    """Add a photo of the land as it lies."""
    application = revision.application
    photo = draw_photo(application.pk)
    upload = store_jpeg(photo, name=f"IMG_{4000 + application.pk}.jpg", by=application.applicant)
    revision.sheets.create(upload=upload, purpose="other", title="The lot from the street")
    return upload
