"""The demo's maintenance agreements: drafted, signed, recorded, and a site that was sold."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from permits.agreements import acts, drafting
from permits.models import MaintenanceAgreement
from portal.models import Upload

from .deeds import Running
from .paths import Path
from .sheets import draw_letter
from .studio import store_pdf
from .visit_stories import then

__all__ = ["DEEDS", "at_register", "drafted", "recorded_and_sold", "sent"]


def _agreement(run: Running) -> MaintenanceAgreement:
    return MaintenanceAgreement.objects.filter(site=run.site).latest("pk")


def _scan(run: Running, title: str, *rows: str) -> Upload:
    content = draw_letter(title, "City of Example", rows)
    return store_pdf(content, name=f"{title}.pdf", by=run.cast.clerk)


def draft(run: Running, on: date, *, whole: bool = True, **words: Any) -> None:
    """Begin the draft from the case; the map is the sheet of the plan."""
    made = drafting.draft(run.site, by=run.cast.inspector, on=on, permit=run.permit())
    if not whole:
        return
    revision = run.file.filed_revision()
    sheet = revision.sheets.first() if revision else None
    land = f"Lot 1 of Certified Survey Map {3000 + run.number}, City of Example, Example County."
    drafting.save_words(
        made,
        answers={"legal_description": land, **words},
        map_upload=sheet.upload if sheet else None,
    )


def send(run: Running, on: date) -> None:
    acts.send_for_signature(_agreement(run), by=run.cast.inspector, on=on)


def sign(run: Running, on: date) -> None:
    made = _agreement(run)
    scan = _scan(run, f"{made.number} signed", "Signed and acknowledged as the law asks.")
    acts.sign(made, by=run.cast.clerk, on=on, signed_on=on, scan=scan)


def to_register(run: Running, on: date) -> None:
    acts.send_to_register(_agreement(run), by=run.cast.clerk, on=on, sent_on=on)


def record(run: Running, on: date) -> None:
    made = _agreement(run)
    number = str(1_140_000 + run.number)
    scan = _scan(run, f"{made.number} recorded", f"Document {number}, Example County.")
    acts.record(
        made,
        by=run.cast.clerk,
        on=on,
        recorded_on=on,
        document_number=number,
        county="Example County",
        scan=scan,
    )


def sell(run: Running, on: date, *, name: str) -> None:
    acts.change_owner(
        run.site,
        by=run.cast.clerk,
        on=on,
        name="",
        organization=name,
        mailing_address="410 Harbor Square\nExample, WI 54999",
        email="",
        telephone="",
        from_on=on,
        source=f"Warranty deed, document {1_141_000 + run.number}",
    )


DEEDS: dict[str, Callable[..., Any]] = {
    "agreement.draft": draft,
    "agreement.send": send,
    "agreement.sign": sign,
    "agreement.register": to_register,
    "agreement.record": record,
    "owner.change": sell,
}
"""The acts that the paths below name."""

ASSOCIATION = {
    "party_kind": "association",
    "party_name": "Ruth Adeyemi",
    "party_organization": "Millrace Plaza Owners Association",
}


def drafted(path: Path, *, ago: int) -> Path:
    """Drafted so many working days ago; the legal description and the map are missing."""
    return then(path, (ago, "agreement.draft", {"whole": False}))


def sent(path: Path, *, ago: int) -> Path:
    """Out for signature since so many working days; an association is responsible."""
    return then(path, (ago + 2, "agreement.draft", ASSOCIATION), (ago, "agreement.send", {}))


def at_register(path: Path, *, ago: int) -> Path:
    """At the register of deeds since so many working days."""
    return then(
        path,
        (ago + 14, "agreement.draft", {}),
        (ago + 12, "agreement.send", {}),
        (ago + 3, "agreement.sign", {}),
        (ago, "agreement.register", {}),
    )


def recorded_and_sold(path: Path, *, ago: int, to: str) -> Path:
    """Recorded so many working days ago; the land was sold since."""
    return then(
        path,
        (ago + 15, "agreement.draft", {}),
        (ago + 14, "agreement.send", {}),
        (ago + 5, "agreement.sign", {}),
        (ago + 4, "agreement.register", {}),
        (ago, "agreement.record", {}),
        (max(ago - 20, 2), "owner.change", {"name": to}),
    )
