"""Cases in every state, made by the same acts that people use."""

from __future__ import annotations

import itertools
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from escrow import acts as escrow_acts
from escrow.models import Instrument
from permits import acts
from permits.models import Application, Permit
from portal.models import Role, Upload, User

PASSWORD = "a long enough password"
MONDAY = date(2026, 11, 16)
_serial = itertools.count(1)


def user(role: str = Role.APPLICANT, email: str = "", name: str = "") -> User:
    """A person with a verified address."""
    n = next(_serial)
    email = email or f"{role}{n}@example.test"
    made = User.objects.filter(email=email).first()
    if made is None:
        made = User.objects.create_user(
            email, PASSWORD, name=name or f"{role.title()} {n}", role=role
        )
        made.emailaddress_set.create(email=email, verified=True, primary=True)
    return made


def inspector() -> User:
    return user(Role.INSPECTOR, "inspector@example.test", "Dana Olson")


def clerk() -> User:
    return user(Role.CLERK, "clerk@example.test", "Pat Keller")


def administrator() -> User:
    return user(Role.ADMINISTRATOR, "administrator@example.test", "Lee Moua")


def applicant(name: str = "Mai Vang") -> User:
    return user(name=name)


def upload(by: User | None = None, content: bytes = b"%PDF-1.4 a sheet\n%%EOF\n") -> Upload:
    """A stored file; its content is what its row says it is."""
    import hashlib

    n = next(_serial)
    name = default_storage.save(f"uploads/test-{n}.pdf", ContentFile(content))
    return Upload.objects.create(
        original_name=f"sheet {n}.pdf",
        family="pdf",
        content_type="application/pdf",
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        file=name,
        pages=1,
        uploaded_by=by,
    )


def draft(by: User | None = None, *, on: date = MONDAY) -> Application:
    """An application just begun."""
    return acts.begin(by=by or applicant(), on=on)


def complete_draft(by: User | None = None, *, on: date = MONDAY, **fields: Any) -> Application:
    """An application with every answer, not submitted."""
    application = draft(by, on=on)
    n = next(_serial)
    site = application.site
    site.address = f"{100 + n} Prairie Road, Example, WI 54999"
    site.save()
    site.parcels.create(number=f"0240-{n:04d}-001")
    people = {
        "landowner": ("Mai Vang", "Northfield Builders LLC", "landowner@example.test"),
        "contractor": ("Jon Berg", "Berg Excavating Inc", "contractor@example.test"),
        "emergency": ("Jon Berg", "", ""),
        "controls": ("Ana Ruiz", "", ""),
    }
    for role, (name, organization, email) in people.items():
        application.parties.create(
            role=role,
            name=name,
            organization=organization,
            email=email,
            telephone="(555) 010-0199",
            mailing_address="1 Mill Street\nExample, WI 54999",
        )
    answers: dict[str, Any] = {
        "description": "Grade the lot and build a house.",
        "activities": ["grading", "building"],
        "building": "dwelling",
        "area_amount": Decimal("0.4"),
        "area_unit": "acres",
        "volume_amount": Decimal("450"),
        "pipe_ft": Decimal("0"),
        "street_work": False,
        "dewatering": False,
        "starts_on": on + timedelta(days=30),
        "ends_on": on + timedelta(days=200),
        "wetlands_acknowledged": True,
        "entry_allowed": True,
        "records_agreed": True,
        "steps_done": ["site", "people", "work", "plan", "acknowledgements", "fee"],
        **fields,
    }
    for name, value in answers.items():
        setattr(application, name, value)
    application.save()
    fill_plan(application)
    return application


def fill_plan(application: Application) -> None:
    """Give the newest revision all that § 40-939 asks for."""
    revision = application.latest_revision()
    assert revision is not None
    revision.drawing_scale = "1 inch = 20 feet"
    revision.factors_on_site = "Silty clay; slopes of 4 to 9 percent toward the street."
    revision.factors_adjacent = "A storm inlet 40 feet east; a creek behind the lot."
    revision.save()
    revision.sheets.create(upload=upload(application.applicant), title="Sheet C-1")
    revision.devices.create(device="silt-fence", place="North and east lines", quantity="240 feet")
    revision.devices.create(device="inlet-protection", place="Inlet at the drive", quantity="1")
    revision.activities.create(
        activity="Strip and grade",
        starts_on=application.starts_on,
        ends_on=application.ends_on,
        area_sq_ft=Decimal("17424"),
        temporary="Silt fence before grading; mulch within seven days.",
        permanent="Seed and mat by the end of the work.",
    )


def submitted(by: User | None = None, *, on: date = MONDAY, **fields: Any) -> Application:
    """An application filed, waiting for its fee."""
    application = complete_draft(by, on=on, **fields)
    acts.submit(
        application,
        by=application.applicant,
        on=on,
        signed_name=application.applicant.name,
        signed_capacity="Landowner",
    )
    return application


def received(by: User | None = None, *, on: date = MONDAY, **fields: Any) -> Application:
    """An application with form, plan and fee in: the ten working days run."""
    application = submitted(by, on=on, **fields)
    acts.record_fee(
        application,
        by=clerk(),
        on=on,
        means="cash",
        amount=application.fee_due(on=on),
        received_on=on,
        receipt_number=f"R-{next(_serial)}",
    )
    return application


def denied(by: User | None = None, *, on: date = MONDAY, **fields: Any) -> Application:
    """An application denied with two required changes."""
    application = received(by, on=on, **fields)
    acts.deny(
        application,
        by=inspector(),
        on=on,
        changes=[
            {"section": "plan", "sheet": "Sheet C-1", "text": "Show the inlet east of the drive."},
            {"section": "plan", "sheet": "", "text": "Give dates for the permanent seeding."},
        ],
    )
    return application


def revised(by: User | None = None, *, on: date = MONDAY, **fields: Any) -> Application:
    """A denied application whose second plan revision is before the inspector."""
    application = denied(by, on=on, **fields)
    revision = application.begin_revision()
    for change in revision.changes_to_answer():
        revision.answers.create(change=change, text="Done on sheet C-1.")
    acts.file_revision(application, by=application.applicant, on=on)
    return application


GRANT: dict[str, Any] = {
    "conditions": ["Call two working days before the first disturbance."],
    "escrow_amount": Decimal("2500.00"),
    "escrow_set_by": "inspector",
}


def granted(by: User | None = None, *, on: date = MONDAY, **fields: Any) -> Application:
    """An application granted, its permit waiting for the escrow."""
    application = received(by, on=on, **fields)
    until = on + timedelta(days=240)
    acts.grant(application, by=inspector(), on=on, permanent_controls_by=until, **GRANT)
    return application


def post_escrow(permit: Permit, *, on: date = MONDAY, amount: Decimal | None = None) -> None:
    """Post the whole escrow in cash."""
    cash = Instrument(
        form="cash",
        amount=amount if amount is not None else permit.escrow_amount,
        received_on=on,
        receipt_number=f"E-{next(_serial)}",
    )
    escrow_acts.post(permit, [cash], by=clerk(), on=on)


def posted(by: User | None = None, *, on: date = MONDAY, **fields: Any) -> Application:
    """A granted application whose escrow is posted, not issued."""
    application = granted(by, on=on, **fields)
    post_escrow(application.permit, on=on)
    return application


def issued(by: User | None = None, *, on: date = MONDAY, **fields: Any) -> Application:
    """An application whose permit is issued."""
    application = posted(by, on=on, **fields)
    permit = application.permit
    permit.refresh_from_db()
    acts.issue(permit, by=clerk(), on=on)
    return application


def withdrawn(by: User | None = None, *, on: date = MONDAY, **fields: Any) -> Application:
    """An application withdrawn under review."""
    application = received(by, on=on, **fields)
    acts.withdraw(application, by=application.applicant, on=on, reason="Sold the land.")
    return application


STATES = {
    "draft": draft,
    "complete_draft": complete_draft,
    "submitted": submitted,
    "received": received,
    "denied": denied,
    "revised": revised,
    "granted": granted,
    "posted": posted,
    "issued": issued,
    "withdrawn": withdrawn,
}
