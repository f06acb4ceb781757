"""The papers of an agreement: the instrument for the register of deeds, and the owner's letter."""

from __future__ import annotations

import base64
from datetime import date
from io import BytesIO
from typing import Any

import pypdfium2
from django.conf import settings
from PIL import Image, ImageOps

from permits.models import (
    CasePaper,
    MaintenanceAgreement,
    NotNow,
    OwnerChange,
    Party,
    Site,
)
from portal import city, files, letters, papers
from portal.models import Upload
from portal.ordinance.maintenance import PROVISIONS

__all__ = [
    "duty_letter",
    "instrument",
    "make_instrument",
    "provisions_of",
    "refuse_social_security",
]

MOST_ON_FIRST_PAGE = 3
"""So many parcel numbers fit on the line; of more it refers to the exhibit."""
TITLES = {
    "agreement": "Stormwater and Erosion Control Maintenance Agreement",
    "amendment": "Amendment of Stormwater and Erosion Control Maintenance Agreement",
    "release": "Release of Stormwater and Erosion Control Maintenance Agreement",
}


def context_of(agreement: MaintenanceAgreement, *, on: date) -> dict[str, Any]:
    """Return what the instrument prints."""
    parcels = agreement.parcel_numbers
    return {
        "agreement": agreement,
        "before": agreement.before,
        "site": agreement.site,
        "on": on,
        "parcels": parcels,
        "parcels_fit": len(parcels) <= MOST_ON_FIRST_PAGE and all(len(p) < 40 for p in parcels),
        "provisions": provisions_of(agreement, on=on),
        "practices": list(agreement.practices.prefetch_related("tasks")),
        "owner_is_person": not agreement.owner_organization
        and agreement.owner_body in ("", Party.Body.INDIVIDUAL),
        "instrument_title": TITLES[agreement.kind],
        "edition_label": city.edition_on(on).citation("maintenance"),
        "map_image": map_image(agreement.map) if agreement.map else "",
        "map_name": agreement.map.original_name if agreement.map else "",
    }


def provisions_of(agreement: MaintenanceAgreement, *, on: date) -> list[tuple[Any, Any, str]]:
    """Return each provision with its place in the ordinance and what the city adds to it."""
    edition = city.edition_on(on)
    return [
        (each, each.citation(edition), agreement.additions.get(each.key, "")) for each in PROVISIONS
    ]


def make_instrument(agreement: MaintenanceAgreement, *, on: date) -> papers.Made:
    """Typeset the instrument without keeping it: the proof that is looked at before sending."""
    title = f"{TITLES[agreement.kind]}, {agreement.number}"
    template = f"papers/{_kind(agreement).value}.html"
    return papers.make(template, {"title": title, **context_of(agreement, on=on)})


def instrument(agreement: MaintenanceAgreement, *, on: date) -> CasePaper:
    """Make and keep the instrument; one with a social security number is refused."""
    made = make_instrument(agreement, on=on)
    refuse_social_security(agreement, made)
    kind = _kind(agreement)
    title = f"{agreement.get_kind_display()} {agreement.number}"
    document = papers.keep(made, kind=kind.value, title=title)
    application = agreement.permit.application if agreement.permit else None
    return CasePaper.objects.create(
        site=agreement.site, application=application, kind=kind, document=document
    )


def _kind(agreement: MaintenanceAgreement) -> CasePaper.Kind:
    is_release = agreement.kind == MaintenanceAgreement.Kind.RELEASE
    return CasePaper.Kind.AGREEMENT_RELEASE if is_release else CasePaper.Kind.AGREEMENT


def refuse_social_security(agreement: MaintenanceAgreement, made: papers.Made) -> None:
    """Refuse a paper in whose words a social security number stands. Wis. Stat. § 59.43(1m)(a)"""
    with letters.reading:
        document = pypdfium2.PdfDocument(made.content)
        try:
            text = "\n".join(page.get_textpage().get_text_bounded() for page in document)
        finally:
            document.close()
    if agreement.social_security_in(text):
        raise NotNow(
            "Something that looks like a social security number stands on the paper. The register "
            "of deeds would refuse it: take it out of the draft."
        )


def map_image(upload: Upload) -> str:
    """Return the map in shades of gray, as the image of the exhibit; nothing while there is none.

    It is recorded in black and white, so that nothing depends on a color. It is drawn from the
    picture that was made of the file when it came in: the file itself is never opened here.
    """
    shown = upload.previews.order_by("page").first()
    content = BytesIO()
    if shown is None or files.read_checked(shown, content):
        return ""
    gray = ImageOps.autocontrast(ImageOps.grayscale(Image.open(content)))
    kept = BytesIO()
    gray.save(kept, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(kept.getvalue()).decode()}"


def duty_letter(
    site: Site, change: OwnerChange, agreements: list[MaintenanceAgreement], *, on: date
) -> CasePaper:
    """The letter to a new owner: the recorded agreement binds the land, and so the owner."""
    title = "Notice of the duty to maintain"
    kind = CasePaper.Kind.AGREEMENT_DUTY
    application = agreements[0].permit.application if agreements[0].permit else None
    document = papers.render(
        f"papers/{kind.value}.html",
        {
            "site": site,
            "change": change,
            "agreements": agreements,
            "addressee": {"name": str(change.owner), "address": change.mailing_address},
            "on": on,
            "reference": site.number,
            "url": settings.PUBLIC_URL,
        },
        kind=kind.value,
        title=title,
    )
    return CasePaper.objects.create(
        site=site, application=application, kind=kind, document=document
    )
