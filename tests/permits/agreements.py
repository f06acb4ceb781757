"""Agreements in every state, made by the acts that people use."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image, ImageDraw

from permits import acts as permit_acts
from permits.agreements import acts, drafting
from permits.models import MaintenanceAgreement, Permit
from portal import papers
from portal.models import Preview, Upload, User
from tests import factory
from tests.factory import MONDAY

SENT = date(2026, 11, 18)
SIGNED = date(2026, 11, 20)
AT_REGISTER = date(2026, 11, 23)
RECORDED = date(2026, 11, 24)
LEGAL = (
    "Lot 7 of Certified Survey Map 4821, recorded in Volume 31 of Certified Survey Maps on page "
    "118, being part of the Northwest Quarter of the Southeast Quarter of Section 14, Town 9 "
    "North, Range 20 East, in the City of Example, Example County, Wisconsin."
)
TASKS = (
    drafting.Task("Look at banks, outlet and inlets; take out litter", 6),
    drafting.Task("Dredge when half of the sediment storage is full", 60, "A licensed contractor"),
)
POND = drafting.Practice(
    name="Wet detention pond",
    drainage_area="The roofs and the parking lot north of the drive",
    drainage_acres=Decimal("4.25"),
    device="wet-pond",
    standard="1001",
    place="South of the building",
    tasks=TASKS,
)
STAYS = {
    "name": POND.name,
    "device": POND.device,
    "place": POND.place,
    "drainage_area": POND.drainage_area,
    "drainage_acres": POND.drainage_acres,
}
"""The pond as the grant names it."""


def picture(color: tuple[int, int, int] = (200, 30, 30)) -> Upload:
    """A colored map with the picture that was made of it when it came in."""
    sheet = Image.new("RGB", (800, 600), "white")
    draw = ImageDraw.Draw(sheet)
    draw.rectangle((100, 100, 700, 500), outline=color, width=12)
    draw.ellipse((300, 250, 500, 400), fill=(30, 60, 220))
    upload = factory.upload(factory.inspector())
    kept = BytesIO()
    sheet.save(kept, "JPEG")
    name = default_storage.save(f"previews/map-{upload.pk}.jpg", ContentFile(kept.getvalue()))
    Preview.objects.create(upload=upload, page=1, file=name, width=800, height=600)
    return upload


def required(
    state: str = "issued", *, by: User | None = None, on: date = MONDAY, **terms: Any
) -> Permit:
    """A permit whose grant requires an agreement, for one practice that stays."""
    application = factory.received(by, on=on)
    told: dict[str, Any] = {
        "permanent_controls_by": on + timedelta(days=240),
        "maintenance_agreement": True,
        "practices": [STAYS],
    }
    permit_acts.grant(
        application, by=factory.inspector(), on=on, **{**factory.GRANT, **told, **terms}
    )
    permit: Permit = application.permit
    if state != "granted":
        factory.post_escrow(permit, on=on)
        permit.refresh_from_db()
    if state == "issued":
        permit_acts.issue(permit, by=factory.clerk(), on=on)
    return permit


def drafted(permit: Permit | None = None, *, whole: bool = True, **words: Any) -> Any:
    """A draft with all that it needs, or as it comes from the case."""
    permit = permit or required()
    made = drafting.draft(permit.site, by=factory.inspector(), on=MONDAY, permit=permit)
    if whole:
        answers = {"legal_description": LEGAL, **words}
        drafting.save_words(made, answers=answers, map_upload=picture())
    made.refresh_from_db()
    return made


def sent(permit: Permit | None = None, **words: Any) -> MaintenanceAgreement:
    made: MaintenanceAgreement = drafted(permit, **words)
    acts.send_for_signature(made, by=factory.inspector(), on=SENT)
    return made


def signed(permit: Permit | None = None, **words: Any) -> MaintenanceAgreement:
    made = sent(permit, **words)
    acts.sign(made, by=factory.clerk(), on=SIGNED, signed_on=SIGNED, scan=factory.upload())
    return made


def at_register(permit: Permit | None = None, **words: Any) -> MaintenanceAgreement:
    made = signed(permit, **words)
    acts.send_to_register(made, by=factory.clerk(), on=AT_REGISTER, sent_on=AT_REGISTER)
    return made


def record(made: MaintenanceAgreement, *, on: date = RECORDED, document: str = "1123344") -> None:
    acts.record(
        made,
        by=factory.clerk(),
        on=on,
        recorded_on=on,
        document_number=document,
        county="Example County",
        scan=factory.upload(),
    )


def recorded(permit: Permit | None = None, **words: Any) -> MaintenanceAgreement:
    made = at_register(permit, **words)
    record(made)
    return made


def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make papers without typesetting them; the paper has tests of its own."""

    from tests.scene import quick_paper

    def make(template: str, context: dict[str, Any]) -> papers.Made:
        return papers.Made(f"%PDF-1.7 {context.get('title')}".encode(), 1)

    monkeypatch.setattr(papers, "make", make)
    monkeypatch.setattr(papers, "render", quick_paper)
    monkeypatch.setattr(
        "permits.agreements.papers.refuse_social_security", lambda agreement, made: None
    )


STATES = {
    "drafted": drafted,
    "sent_for_signature": sent,
    "signed": signed,
    "sent_to_register": at_register,
    "recorded": recorded,
}
