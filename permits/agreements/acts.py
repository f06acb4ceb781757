"""The acts on agreements as people do them: the model's act, its paper and its notices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.db import transaction

from permits.models import (
    AgreementStatus,
    CasePaper,
    MaintenanceAgreement,
    NotNow,
    OwnerChange,
    Permit,
    Site,
)
from portal import numbers
from portal.models import Upload, User
from portal.ordinance import recording

from . import papers, telling
from .drafting import Practice, refuse_draft, write_practices

__all__ = [
    "change_owner",
    "correct_recording",
    "enter_recorded",
    "record",
    "send_for_signature",
    "send_to_register",
    "sign",
    "withdraw",
]

Agreement = MaintenanceAgreement


@transaction.atomic
def send_for_signature(agreement: Agreement, *, by: User, on: date) -> CasePaper:
    """Fix the words, make the paper for the register, and send it to whoever signs."""
    with agreement.acting():
        agreement.demand(AgreementStatus.SENT_FOR_SIGNATURE)
        agreement.refuse(
            agreement.obstacles_to_send(on=on), "The draft cannot be sent for signature yet."
        )
        paper = papers.instrument(agreement, on=on)
        agreement.paper = paper
        agreement.save(update_fields=["paper"])
        agreement.send_for_signature(by=by, on=on, document=paper.document.sha256)
        telling.tell(
            agreement,
            "agreement_to_sign",
            subject=f"{agreement.get_kind_display()} {agreement.number}: please sign",
            on=on,
            paper=paper,
        )
    return paper


@transaction.atomic
def sign(agreement: Agreement, *, by: User, on: date, signed_on: date, scan: Upload) -> None:
    """Record that all have signed before a notary."""
    agreement.note_signed(by=by, on=on, signed_on=signed_on, scan=scan)


@transaction.atomic
def send_to_register(agreement: Agreement, *, by: User, on: date, sent_on: date) -> None:
    """Record that the signed original went to the register of deeds."""
    agreement.send_to_register(by=by, on=on, sent_on=sent_on)


@transaction.atomic
def record(agreement: Agreement, *, by: User, on: date, **recording: Any) -> None:
    """Record what the register stamped on it; everybody concerned learns that it binds."""
    agreement.note_recorded(by=by, on=on, **recording)
    agreement.site.index_words()
    telling.tell(
        agreement,
        "agreement_recorded",
        subject=f"{agreement.get_kind_display()} {agreement.number} is recorded",
        on=on,
        before=agreement.before,
    )


@transaction.atomic
def correct_recording(agreement: Agreement, *, by: User, on: date, **recording: Any) -> None:
    """Put right a recording that was entered wrongly; both entries stay."""
    agreement.correct_recording(by=by, on=on, **recording)
    agreement.site.index_words()


@transaction.atomic
def withdraw(agreement: Agreement, *, by: User, on: date, reason: str) -> None:
    """Give an instrument up before it is recorded; whoever was asked to sign is told."""
    was_out = agreement.sent_for_signature_on is not None
    agreement.withdraw(by=by, on=on, reason=reason)
    if was_out:
        telling.tell(
            agreement,
            "agreement_withdrawn",
            subject=f"{agreement.get_kind_display()} {agreement.number} is withdrawn",
            on=on,
            reason=reason,
        )


@transaction.atomic
def enter_recorded(
    site: Site,
    *,
    by: User,
    on: date,
    permit: Permit | None,
    recorded_on: date,
    document_number: str,
    county: str,
    scan: Upload,
    words: Mapping[str, Any],
    practices: Sequence[Practice],
) -> Agreement:
    """Enter an agreement that was recorded outside of the portal, as the register has it."""
    site.lock()
    refuse_draft(site, permit=permit, before=None, on=on)
    if not practices:
        raise NotNow("Name at least one practice that the agreement is about.")
    facts = recording.RecordFacts(recorded_on, None, on)
    Agreement.refuse(recording.obstacles_to_record(facts), "It is not recorded yet.")
    Agreement(site=site).refuse_twice(document_number, county)
    made = Agreement.objects.create(
        number=numbers.next_number("MA", on=on),
        site=site,
        permit=permit,
        status=AgreementStatus.RECORDED,
        entered_as_recorded=True,
        drafted_on=min(recorded_on, on),
        drafted_by=by,
        recorded_on=recorded_on,
        document_number=document_number,
        county=county,
        **words,
    )
    write_practices(made, practices)
    made.recordings.create(
        recorded_on=recorded_on,
        document_number=document_number,
        county=county,
        scan=scan,
        by=by,
        on=on,
    )
    site.record(
        "agreement.recorded",
        by=by,
        on=on,
        section="maintenance",
        facts={
            "agreement": made.number,
            "kind": made.kind,
            "document": document_number,
            "recorded_on": recorded_on,
            "county": county,
            "scan_sha256": scan.sha256,
            "entered": True,
        },
    )
    site.index_words()
    return made


@transaction.atomic
def change_owner(site: Site, *, by: User, on: date, **change: Any) -> OwnerChange:
    """Record that the land was sold; the new owner is told of each agreement that binds it.

    Former § 17.19(4)(f): it is binding upon all subsequent owners.
    """
    site.lock()
    if change["from_on"] > on:
        raise NotNow("The day lies after today. Record the change once it has happened.")
    made = OwnerChange.objects.create(site=site, by=by, **change)
    standing = OwnerChange.objects.standing(site, on=on)
    binding = list(Agreement.objects.filter(site=site).in_force(on).order_by("pk"))
    told = standing == made and bool(binding)
    site.record(
        "owner.changed",
        by=by,
        on=made.from_on,
        section="maintenance",
        facts={
            "owner": str(made.owner),
            "from": made.from_on,
            "source": made.source,
            "agreements": [each.number for each in binding],
            "told": told,
        },
    )
    if told:
        paper = papers.duty_letter(site, made, binding, on=on)
        telling.tell_new_owner(made, paper, on=on, agreements=binding)
    return made
