"""What the public gets of each table, column, paper and file.

Numbers, dates, amounts and answers that were chosen from a list are given unless they are
named here; a free text is given only if it is named here. So what a later part of the house
adds stays out until somebody decides.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db import models

from permits.models import CasePaper

__all__ = [
    "PAPERS",
    "PEOPLE_GIVEN",
    "PICTURES",
    "ROWS",
    "UPLOADS",
    "UPLOADS_GIVEN",
    "ground_of",
    "is_prose",
]

Kind = CasePaper.Kind

ROWS: dict[str, str] = {
    "enforcement.CeaseAndDesistRequest": "attorney",
    "enforcement.RequestStep": "attorney",
    "inspections.Complaint_photos": "complainant",
    "inspections.VisitNeed": "internal",
    "portal.MailingEvent": "letter",
    "permits.HandOver": "contact",
    "escrow.OnlineEvent": "bank",
    "escrow.SetAsideDone": "bank",
    "escrow.CheckRequest": "bank",
    "escrow.InstrumentOwner": "bank",
    "escrow.InstrumentReturn": "bank",
}
"""Tables of which no row is given."""

GIVEN: dict[str, str] = {
    "portal.Mailing": "reference cause addressee address tracking_number",
    "portal.OutboxMessage": "reference cause",
    "portal.Document": "kind title sha256",
    "portal.Upload": "original_name content_type sha256",
    "permits.Site": "number address survey_description",
    "permits.Parcel": "number",
    "permits.DocketEntry": "title rule",
    "permits.Application": (
        "number steps_done project_name description activities existing_land_use zoning "
        "fill_source haul_routes utilities other_permits"
    ),
    "permits.PlanRevision": "drawing_scale factors_on_site factors_adjacent summary_of_changes",
    "permits.PlanSheet": "title",
    "permits.PlannedDevice": "place quantity standard",
    "permits.PlannedActivity": "activity temporary permanent",
    "permits.Decision": "note conditions escrow_basis",
    "permits.RequiredChange": "section sheet text",
    "permits.ChangeAnswer": "text",
    "permits.FeeEntry": "receipt_number resolution",
    "permits.Party": "name organization title mailing_address authorized_by",
    "permits.Permit": "number",
    "permits.MaintenanceAgreement": (
        "number owner_name owner_organization owner_title party_name party_organization "
        "party_address parcels legal_description additions terms return_to drafter "
        "document_number county withdrawn_why"
    ),
    "permits.AgreementPractice": "name standard place drainage_area",
    "permits.StayingPractice": "name place drainage_area",
    "permits.AgreementTask": "what by_whom",
    "permits.AgreementRecording": "document_number county",
    "permits.EarlierPermit": "number words description",
    "permits.EarlierParty": "name mailing_address",
    "permits.ImportedRow": "sha256",
    "permits.OwnerChange": "name organization mailing_address source",
    "permits.CaseEvent": "actor_name section previous_hash hash",
    "permits.CaseExport": "number sha256 head",
    "inspections.Complaint": "number",
    "inspections.Visit": "number note",
    "inspections.VisitDescription": "note",
    "inspections.ChecklistLine": "label place section",
    "inspections.LineAnswer": "note",
    "inspections.CompletionReport": "text",
    "inspections.FinalInspection": "note controls",
    "inspections.Certificate": "building irregular_reason choice_reason",
    "inspections.Finding": "what section confirmed_how",
    "inspections.FindingAnswer": "text",
    "inspections.UpkeepInspection": "number",
    "inspections.PracticeLook": "words correction",
    "inspections.UpkeepReport": "what done_by",
    "enforcement.UpkeepNotice": "number why_enough ended_why",
    "enforcement.UpkeepLine": "problem what",
    "enforcement.CorrectionReport": "text",
    "records.ListedCase": "number place series steps",
    "records.Destruction": "chain_head",
    "records.DestroyedFile": "what sha256",
    "records.GivenRecord": "title sha256",
    "inspections.LogEntry": "kind_other inspectors weather phase comments",
    "inspections.LogLine": "follow_up",
    "enforcement.Appeal": (
        "number subject_title appellant capacity mailing_address grounds relief outcome_text "
        "carried_out_how"
    ),
    "enforcement.PerilCertificate": "facts",
    "enforcement.Hearing": "place",
    "enforcement.Violation": "section facts",
    "enforcement.ViolationDay": "seen",
    "enforcement.StopWorkOrder": "number facts must_stop must_do ended_why",
    "enforcement.Posting": "place",
    "enforcement.Revocation": "facts",
    "enforcement.NoticeOfIntent": "number work ended_why",
    "enforcement.OwnerNotice": "number because work ended_why",
    "enforcement.RevisionOrder": "number facts ended_why",
    "enforcement.RevisionOrderLine": "device place what",
    "enforcement.LineReport": "text",
    "enforcement.Addressee": "name mailing_address parcel_number",
    "enforcement.Service": "place served_by",
    "enforcement.CityWork": "doer",
    "enforcement.WorkCost": "description unit",
    "escrow.Bill": "number agreement payer_name payer_address due_resolution withdrawn_why",
    "escrow.BillLine": "description unit",
    "escrow.BillEntry": "resolution",
    "escrow.Assessment": "number resolution rate_resolution fee_resolution",
    "escrow.Draw": "number",
    "escrow.Forfeiture": "number what_is_open",
    "escrow.Release": "number agreement_document",
    "escrow.ParcelNote": "owner_name owner_address",
    "escrow.Receipt": "number paid_by",
    "escrow.RollLine": "parcel_number owner_name owner_address site_address resolution",
    "escrow.RollCharge": "number",
    "escrow.RollOutcome": "reference",
    "escrow.OnlinePayment": "currency",
    "escrow.RollLayout": "name",
    "escrow.Deposit": "number",
    "escrow.RollBatch": "sha256",
}
"""The free texts that are given, by table."""

HELD: dict[str, str] = {
    "permits.Application.signed_name": "signature",
    "permits.Application.signed_capacity": "signature",
    "permits.FeeEntry.check_number": "bank",
    "permits.ImportedRow.content": "contact",  # a whole row of the earlier books, as it stood
    "permits.ImportedRow.key": "internal",
    "permits.CaseEvent.facts": "contact",  # days, amounts and numbers of it are given
    "inspections.Complaint.latitude": "complainant",
    "inspections.Complaint.longitude": "complainant",
    "inspections.Complaint.place": "complainant",
    "inspections.Complaint.text": "complainant",
    "inspections.Complaint.name": "complainant",
    "inspections.Complaint.contact": "complainant",
    "inspections.Complaint.answer": "complainant",
    "enforcement.WorkCost.proof_words": "internal",
    "records.KeptCase.reasons": "internal",
    "records.Destruction.erased": "internal",
    "records.DestroyedFile.name": "sent_in",
    "enforcement.Appeal.paper_reason": "internal",
    "portal.Upload.file": "access",
    "portal.Document.file": "access",
    "portal.Upload.latitude": "position",
    "portal.Upload.longitude": "position",
    "portal.Upload.taken_at": "position",
    "portal.Mailing.subject": "letter",
    "portal.Mailing.text": "letter",
    "portal.OutboxMessage.subject": "letter",
    "portal.OutboxMessage.body": "letter",
    "portal.OutboxMessage.recipient": "contact",
    "permits.MaintenanceAgreement.spouse_name": "contact",
    "portal.OutboxMessage.last_error": "internal",
    "portal.OutboxMessage.key": "contact",
    "escrow.Instrument.remitter": "bank",
    "escrow.Instrument.receipt_number": "bank",
    "escrow.Instrument.issuer": "bank",
    "escrow.Instrument.instrument_number": "bank",
    "escrow.Instrument.original_kept_at": "bank",
    "escrow.Instrument.demand_needs": "bank",
    "escrow.InstrumentRenewal.number": "bank",
    "escrow.Demand.papers_sent": "bank",
    "escrow.Receipt.check_number": "bank",
    "escrow.Receipt.payer_key": "bank",
    "escrow.OnlinePayment.reference": "bank",
    "escrow.OnlinePayment.provider": "bank",
    "escrow.OnlinePayment.payer_name": "bank",
    "portal.LetterBatchLine.trouble": "internal",
}
"""Columns that are held back, with the ground of each."""

BY_NAME: dict[str, str] = {
    "key": "access",
    "operation": "access",
    "token": "access",
    "note": "internal",
    "notes": "internal",
    "reason": "internal",
    "why": "internal",
    "decided_why": "internal",
    "before_safe_why": "internal",
    "despite_application": "internal",
    "closing_note": "internal",
}
"""Columns of any table that are held back by their name, unless the table names them as given."""

REACHED_BY = ("email", "telephone")
"""How the name of a column ends that tells how somebody is reached."""

PEOPLE_GIVEN = ("id", "name", "role")
"""What is given of people with an account who are named in the case."""

PAPERS: dict[str, str] = {
    Kind.RECEIPT: "signature",
    Kind.ATTORNEY_PACKET: "attorney",
    Kind.CITATION_SHEET: "attorney",
    Kind.TRANSMITTAL: "sent_in",
    Kind.MAIL_BATCH: "letter",
    Kind.MAILING_AFFIDAVIT: "signature",
    Kind.SEASON_LETTER: "letter",
    Kind.ESCROW_RECEIPT: "bank",
    Kind.ESCROW_RENEWAL: "bank",
    Kind.EXPIRY_LETTER: "bank",
    Kind.DRAW_NOTICE: "bank",
    Kind.ESCROW_DEMAND: "bank",
    Kind.FORFEITURE_NOTICE: "bank",
    Kind.RELEASE_LETTER: "bank",
    Kind.CHECK_REQUEST: "bank",
    Kind.INSTRUMENT_RECEIPT: "bank",
    Kind.PAYMENT_RECEIPT: "bank",
    # They print the code that opens the bill to whoever has it; its rows are given.
    Kind.BILL: "access",
    Kind.BILL_STATEMENT: "access",
    Kind.ASSESSMENT: "access",
    Kind.AGREEMENT: "signature",
    Kind.AGREEMENT_RELEASE: "signature",
    Kind.UPKEEP_LETTER: "letter",
}
"""Kinds of papers that are held back; the others are given unless one prints what is held."""

UPLOADS_GIVEN = frozenset(
    {
        "permits.PlanSheet.upload",
        "permits.MaintenanceAgreement.map",
        "enforcement.Appeal_decision_files.upload",
    }
)
"""Where files are named that are given as they were filed: the plan, the board's decision."""

PICTURES = frozenset(
    {
        "inspections.VisitPhoto.upload",
        "inspections.FindingAnswer_photos.upload",
        "inspections.LogEntry_photos.upload",
        "enforcement.ViolationDay_photos.upload",
        "enforcement.Posting_photos.upload",
        "enforcement.LineReport_photos.upload",
        "enforcement.CityWork_photos_before.upload",
        "enforcement.CityWork_photos_after.upload",
        "inspections.PracticeLook_photos.upload",
        "inspections.UpkeepReport_files.upload",
        "enforcement.CorrectionReport_photos.upload",
    }
)
"""Where photos are named that are given as a picture without position."""

UPLOADS: dict[str, str] = {
    "inspections.Complaint_photos.upload": "complainant",
    "portal.MailingEvent.scan": "signature",
    "permits.MaintenanceAgreement.signed_scan": "signature",
    "permits.AgreementRecording.scan": "signature",
    "enforcement.Service.proof": "signature",
    "enforcement.WorkCost.proof": "bank",
    "enforcement.Appeal_attachments.upload": "sent_in",
    "escrow.Instrument.scan": "bank",
    "escrow.InstrumentRenewal.scan": "bank",
    "escrow.InstrumentOwner.scan": "bank",
    "escrow.ParcelNote.scan": "sent_in",
}
"""Where files are named that are held back, with the ground of each."""


@cache
def ground_of(model: type[models.Model], column: str) -> str:
    """Return the ground on which a column is held back; nothing if it is given."""
    label = model._meta.label
    field = next(f for f in model._meta.concrete_fields if f.attname == column)
    if held := HELD.get(f"{label}.{field.name}"):
        return held
    if field.name in GIVEN.get(label, "").split():
        return ""
    if field.name.endswith(REACHED_BY):
        return "contact"
    if held := BY_NAME.get(field.name):
        return held
    return "undecided" if _is_free(field) else ""


def _is_free(field: Any) -> bool:
    """Whether anything at all may stand in a column."""
    free = isinstance(field, models.CharField | models.TextField | models.JSONField)
    return free and not field.choices and not isinstance(field, models.FileField)


def is_prose(model: type[models.Model], column: str) -> bool:
    """Whether people write whole sentences there, so that a number to call may hide in it."""
    field = next(f for f in model._meta.concrete_fields if f.attname == column)
    named = field.name.endswith(("number", "hash", "sha256", "head")) or field.name == "reference"
    return _is_free(field) and not named
