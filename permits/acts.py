"""The acts as people do them: the model's act, its paper and its notices, all or nothing.

Views call these; each runs in one transaction together with its operation token.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db import transaction

from permits import notices, papers
from permits.models import Application, CasePaper, Decision, FeeEntry, Permit, PlanRevision, Site
from permits.models.application_corrections import Correction
from permits.people import notice_parties
from portal import numbers
from portal.models import User

__all__ = [
    "begin",
    "correct",
    "deny",
    "file_revision",
    "grant",
    "issue",
    "move_controls_date",
    "record_fee",
    "reverse_fee",
    "submit",
    "withdraw",
]


@transaction.atomic
def begin(*, by: User, on: date, answers: dict[str, Any] | None = None) -> Application:
    """Begin an application with its site and first plan; `answers` are fields known already."""
    site = Site.objects.create(number=numbers.next_number("S", on=on))
    application = Application.objects.create(site=site, applicant=by, **(answers or {}))
    PlanRevision.objects.create(application=application, number=1)
    site.lock()
    site.record("application.begun", by=by, on=on, section="permit")
    return application


@transaction.atomic
def submit(
    application: Application, *, by: User, on: date, signed_name: str, signed_capacity: str
) -> None:
    """File the application; tell the parties, and say that the fee starts the clock."""
    application.submit(by=by, on=on, signed_name=signed_name, signed_capacity=signed_capacity)
    notices.tell_parties(
        application,
        "submitted",
        subject=f"Application {application.number} is filed",
        on=on,
        fee=application.fee_due(on=on),
    )
    if application.received_on is not None:  # no fee is due, so all is in
        _acknowledge(application, "no-fee", on=on)


@transaction.atomic
def correct(
    application: Application, *, by: User, on: date, correction: Correction, reason: str
) -> None:
    """Correct what is on record; parties and inspectors learn what it said and what it says.

    Where a contact changes after the decision, the old address is told as well: whoever is
    not reached there any more must have had the chance to say that this is wrong.
    """
    changes, before = correction.differences(), notice_parties(application)
    event = application.correct(by=by, on=on, correction=correction, reason=reason)
    contacts = correction.of_contacts
    kind = "contacts" if contacts else "corrected"
    subject = f"Application {application.number} is corrected"
    if contacts:
        subject = f"How people of {application.number} are reached has changed"
    told: dict[str, Any] = {"subject": subject, "on": on, "changes": changes, "reason": reason}
    also = before if contacts else ()
    notices.tell_parties(application, f"{kind}:{event.sequence}", by=by, also=also, **told)
    notices.tell_inspectors(application, f"{kind}_staff:{event.sequence}", by=by, **told)


@transaction.atomic
def record_fee(application: Application, *, by: User, on: date, means: str, **fee: Any) -> FeeEntry:
    """Record the fee; the receipt of application goes out with the decision date."""
    entry: FeeEntry = application.record_fee(by=by, means=means, **fee)
    _acknowledge(application, str(entry.pk), on=on)
    return entry


def _acknowledge(application: Application, cause: str, *, on: date) -> CasePaper:
    paper = papers.receipt(application, on=on)
    deadline = application.decision_deadline()
    notices.tell_parties(
        application,
        f"received:{cause}",
        subject=f"Application {application.number} is received",
        on=on,
        paper=paper,
        deadline=deadline,
    )
    notices.tell_inspectors(
        application,
        f"received_staff:{cause}",
        subject=f"Decide application {application.number}",
        on=on,
        deadline=deadline,
    )
    return paper


@transaction.atomic
def grant(application: Application, *, by: User, on: date, **terms: Any) -> Decision:
    """Grant the application; the parties learn which escrow to post."""
    decision: Decision = application.grant(by=by, on=on, **terms)
    notices.tell_parties(
        application,
        f"granted:{decision.revision.number}",
        subject=f"Application {application.number} is granted",
        on=on,
        paper=papers.grant_notice(decision),
        decision=decision,
        appeal=decision.appeal_deadline(),
    )
    return decision


@transaction.atomic
def deny(
    application: Application, *, by: User, on: date, changes: list[dict[str, str]], note: str = ""
) -> Decision:
    """Deny the application; the parties get the numbered required changes."""
    decision: Decision = application.deny(by=by, on=on, changes=changes, note=note)
    notices.tell_parties(
        application,
        f"denied:{decision.revision.number}",
        subject=f"Application {application.number} needs changes to its plan",
        on=on,
        paper=papers.denial(decision),
        decision=decision,
        changes=list(decision.changes.all()),
        appeal=decision.appeal_deadline(),
    )
    return decision


@transaction.atomic
def file_revision(application: Application, *, by: User, on: date) -> PlanRevision:
    """File the revision that answers a denial; the inspectors are told."""
    revision: PlanRevision = application.file_revision(by=by, on=on)
    deadline = revision.review_deadline()
    subject = f"Plan revision {revision.number} of {application.number} is filed"
    cause = f"revision:{revision.number}"
    notices.tell_parties(
        application, cause, subject=subject, on=on, revision=revision, deadline=deadline
    )
    notices.tell_inspectors(
        application,
        f"revision_staff:{revision.number}",
        subject=subject,
        on=on,
        revision=revision,
        deadline=deadline,
    )
    return revision


@transaction.atomic
def withdraw(application: Application, *, by: User, on: date, reason: str = "") -> None:
    """Withdraw; parties are told unless it was never filed."""
    application.withdraw(by=by, on=on, reason=reason)
    if application.number:
        notices.tell_parties(
            application,
            "withdrawn",
            subject=f"Application {application.number} is withdrawn",
            on=on,
            reason=reason,
        )


@transaction.atomic
def move_controls_date(permit: Permit, *, by: User, on: date, to: date, reason: str) -> None:
    """Set another day for the permanent controls of a permit not yet issued; parties are told."""
    before = permit.permanent_controls_by
    permit.move_controls_date(by=by, on=on, to=to, reason=reason)
    moved = permit.site.events.latest("sequence")
    notices.tell_parties(
        permit.application,
        f"controls_date:{moved.sequence}",
        subject=f"A new date for the permanent controls of {permit.application.number}",
        on=on,
        by=by,
        permit=permit,
        before=before,
        reason=reason,
    )


@transaction.atomic
def issue(permit: Permit, *, by: User, on: date) -> CasePaper:
    """Issue the permit; the card is made and the parties are told."""
    permit.issue(by=by, on=on)
    card = papers.permit_card(permit, on=on)
    notices.tell_parties(
        permit.application,
        "issued",
        subject=f"Permit {permit.number} is issued",
        on=on,
        paper=card,
        permit=permit,
        cover=permit.permanent_cover_deadline(),
    )
    return card


@transaction.atomic
def reverse_fee(application: Application, *, by: User, on: date, reason: str) -> None:
    """Reverse a fee that did not come in; the parties learn that the clock waits again."""
    application.reverse_fee(by=by, on=on, reason=reason)
    reversal = application.fee_entries.latest("pk")
    notices.tell_parties(
        application,
        f"fee_reversed:{reversal.pk}",
        subject=f"The fee for {application.number} did not come in",
        on=on,
        reason=reason,
    )
