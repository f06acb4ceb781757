"""Permits under which people dig, and visits to them: rows as the acts leave them.

No papers are rendered and no mail is written, so that a test can have many of them. The
people are those of `tests.factory`, by the same addresses.
"""

from __future__ import annotations

import itertools
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from inspections.acts import findings as finding_acts
from inspections.acts import visits as visit_acts
from inspections.models import Finding, RainReading, Visit
from permits.models import Application, Decision, Permit, PlanRevision, Site
from portal import numbers
from portal.models import Role, User

MONDAY = date(2026, 11, 16)
PASSWORD = "a long enough password"
_serial = itertools.count(1)


def user(role: str = Role.APPLICANT, email: str = "", name: str = "") -> User:
    """A person with a verified address."""
    n = next(_serial)
    email = email or f"{role}{n}@people.test"
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


def active_permit(
    *,
    issued_on: date = MONDAY,
    starts_on: date | None = None,
    ends_on: date | None = None,
    address: str = "",
    by: User | None = None,
    controls_by: date | None = None,
    **fields: Any,
) -> Permit:
    """An issued permit; unless said otherwise its work begins on the day of its issue.

    The work lasts 200 days, and the timetable has one activity that spans it.
    """
    n = next(_serial)
    starts_on = starts_on or issued_on
    ends_on = ends_on or starts_on + timedelta(days=200)
    filed_on = issued_on - timedelta(days=20)
    by = by or user(name=f"Mai Vang {n}")
    site = Site.objects.create(
        number=f"S-{issued_on.year}-T{n:05d}",
        address=address or f"{100 + n} Prairie Road, Example, WI 54999",
        filed_on=filed_on,
    )
    site.parcels.create(number=f"0240-{n:04d}-001")
    application = Application.objects.create(
        site=site,
        applicant=by,
        number=f"AP-{issued_on.year}-T{n:05d}",
        status="granted",
        description="Grade the lot and build a house.",
        starts_on=starts_on,
        ends_on=ends_on,
        form_received_on=filed_on,
        plan_received_on=filed_on,
        fee_received_on=filed_on,
        received_on=filed_on,
    )
    _name_people(application)
    revision = _plan(application, filed_on)
    grant = Decision.objects.create(
        application=application,
        revision=revision,
        kind="grant",
        decided_on=issued_on - timedelta(days=3),
        decided_by=inspector(),
        escrow_amount=Decimal("2500.00"),
        escrow_set_by="inspector",
        permanent_controls_by=controls_by or ends_on + timedelta(days=40),
    )
    permit = Permit.objects.create(
        site=site,
        application=application,
        grant=grant,
        number=f"EC-{issued_on.year}-T{n:05d}",
        status="issued",
        granted_on=grant.decided_on,
        escrow_amount=Decimal("2500.00"),
        escrow_posted_on=issued_on,
        permanent_controls_by=grant.permanent_controls_by,
        issued_on=issued_on,
        **fields,
    )
    site.index_words()
    with transaction.atomic():
        site.lock()
        site.record("application.begun", by=by, on=filed_on, section="permit")
        site.record("permit.issued", by=clerk(), on=issued_on, section="permit")
    return permit


def _name_people(application: Application) -> None:
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


def _plan(application: Application, filed_on: date) -> PlanRevision:
    revision = PlanRevision.objects.create(application=application, number=1, filed_on=filed_on)
    revision.devices.create(
        device="silt-fence", place="North and east lines", quantity="240 feet", standard="1056"
    )
    revision.devices.create(device="inlet-protection", place="Inlet at the drive", quantity="1")
    revision.activities.create(
        activity="Strip and grade",
        starts_on=application.starts_on,
        ends_on=application.ends_on,
        temporary="Silt fence before grading; mulch within seven days.",
        permanent="Seed and mat by the end of the work.",
    )
    return revision


def open_visit(site: Site, *, on: date, by: User | None = None, **fields: Any) -> Visit:
    """A visit being written, with its checklist."""
    began_at = timezone.make_aware(datetime.combine(on, time(9)))
    visit = visit_acts.begin(
        site, by=by or inspector(), on=on, today=on, began_at=began_at, **_reason(fields)
    )
    for name, value in fields.items():
        setattr(visit, name, value)
    visit.save()
    return visit


def _reason(fields: dict[str, Any]) -> dict[str, Any]:
    return {"reason": fields.pop("reason")} if "reason" in fields else {}


def finished_visit(site: Site, *, on: date, by: User | None = None, **fields: Any) -> Visit:
    """A visit with its number and end; the needs it answers are met."""
    visit = open_visit(site, on=on, by=by, **fields)
    ended_at = visit.began_at + timedelta(minutes=40)
    return visit_acts.finish(visit, by=visit.inspector, ended_at=ended_at)


def finding(site: Site, *, on: date, correct_by: date | None = None, **fields: Any) -> Finding:
    """A finding recorded at a visit of the day, which is then finished."""
    visit = open_visit(site, on=on)
    found = finding_acts.record(
        visit,
        by=visit.inspector,
        what=fields.pop("what", "The silt fence on the north line is down."),
        section="devices",
        correct_by=correct_by or on + timedelta(days=1),
        **fields,
    )
    visit_acts.finish(visit, by=visit.inspector, ended_at=visit.began_at + timedelta(minutes=40))
    return found


def log_entry(permit: Permit, *, on: date, kind: str = "weekly") -> Any:
    """An entry of the permittee's own log."""
    return permit.log_entries.create(
        kind=kind, inspected_on=on, inspectors="Ana Ruiz", entered_by=permit.application.applicant
    )


def rain(on: date, inches: str, *, station: str = "City gauge") -> RainReading:
    """A day's rain."""
    return RainReading.objects.create(
        station=station, on=on, inches=Decimal(inches), source="typed", entered_by=None
    )


def site_without_permit(address: str = "12 Mill Street, Example, WI 54999", **fields: Any) -> Site:
    """A site that the city knows, without an application."""
    site = Site.objects.create(
        number=numbers.next_number("S", on=MONDAY), address=address, **fields
    )
    site.index_words()
    return site
