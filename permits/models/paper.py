"""Papers of a case: which document belongs to which site, and who may read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.urls import reverse

from portal import clock
from portal.models import Document

from .application import Application
from .site import Site

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from portal.models import User


class CasePaperQuerySet(models.QuerySet["CasePaper"]):
    def readable_by(self, user: User | AnonymousUser) -> CasePaperQuerySet:
        """Papers of the cases a person may see; those for the city's attorney stay inside."""
        visible = self.filter(site__in=Site.objects.visible_to(user))
        if user.is_authenticated and user.is_city_staff:
            return visible
        return visible.exclude(kind__in=CasePaper.FOR_THE_CITY_ONLY)


class CasePaper(models.Model):
    """A paper of the case file; rendered once, in the act that made it."""

    class Kind(models.TextChoices):
        RECEIPT = "receipt", "Receipt of application"
        DENIAL = "denial", "Denial with required changes"
        GRANT = "grant", "Notice of grant"
        ESCROW_RECEIPT = "escrow_receipt", "Escrow receipt"
        PERMIT_CARD = "permit_card", "Permit card"
        INSPECTION_REPORT = "inspection_report", "Inspection report"
        SEASON_LETTER = "season_letter", "Season letter"
        STOP_WORK_ORDER = "stop_work_order", "Stop-work order"
        PLACARD = "placard", "Stop-work placard"
        LIFT_NOTICE = "lift_notice", "Lifting of a stop-work order"
        REVISION_ORDER = "revision_order", "Revision order"
        REVOCATION = "revocation", "Revocation of the permit"
        ATTORNEY_PACKET = "attorney_packet", "Cease-and-desist request"
        NOTICE_OF_INTENT = "notice_of_intent", "Notice of intent"
        OWNER_NOTICE = "owner_notice", "Notice to the owner"
        WORK_STATEMENT = "work_statement", "Statement of city work"
        APPEAL_RECEIPT = "appeal_receipt", "Receipt of appeal"
        TRANSMITTAL = "transmittal", "Transmittal of an appeal"
        HEARING_NOTICE = "hearing_notice", "Notice of hearing"
        BOARD_DECISION = "board_decision", "Decision of the board"
        CITATION_SHEET = "citation_sheet", "Citation data sheet"
        MAILING_AFFIDAVIT = "mail_affidavit", "Affidavit of mailing"
        MAIL_BATCH = "mail_batch", "Batch for the post"
        ESCROW_RENEWAL = "escrow_renewal", "Renewal or replacement of escrow"
        EXPIRY_LETTER = "expiry_letter", "Letter before an instrument expires"
        DRAW_NOTICE = "draw_notice", "Notice of a draw on the escrow"
        ESCROW_DEMAND = "escrow_demand", "Demand to bank or surety"
        FORFEITURE_NOTICE = "forfeiture_notice", "Notice of forfeiture of the escrow"
        RELEASE_LETTER = "release_letter", "Release of the escrow"
        CHECK_REQUEST = "check_request", "Check request to the treasury"
        INSTRUMENT_RECEIPT = "instrument_receipt", "Receipt for a returned instrument"
        BILL = "bill", "Bill for city work"
        BILL_STATEMENT = "bill_statement", "Statement of account"
        PAYMENT_RECEIPT = "payment_receipt", "Receipt for a payment"
        CREDIT_NOTICE = "credit_notice", "Notice of credit"
        ASSESSMENT = "assessment", "Notice of assessment"
        ROLL_NOTICE = "roll_notice", "Notice of entry on the tax roll"
        AGREEMENT = "agreement", "Maintenance agreement"
        AGREEMENT_RELEASE = "agreement_release", "Release of a maintenance agreement"
        AGREEMENT_DUTY = "agreement_duty", "Notice of the duty to maintain"
        UPKEEP_REPORT = "upkeep_report", "Maintenance inspection report"
        UPKEEP_NOTICE = "upkeep_notice", "Notice of maintenance to be corrected"
        UPKEEP_LETTER = "upkeep_letter", "Reminder of maintenance due"

    FOR_THE_CITY_ONLY = (Kind.ATTORNEY_PACKET, Kind.CITATION_SHEET, Kind.MAIL_BATCH)

    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="papers")
    application = models.ForeignKey(
        Application, null=True, on_delete=models.PROTECT, related_name="papers"
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    document = models.OneToOneField(Document, on_delete=models.PROTECT, related_name="case_paper")
    made_at = models.DateTimeField(default=clock.now)

    objects = CasePaperQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.site.number}: {self.get_kind_display()}"

    def get_absolute_url(self) -> str:
        return reverse("paper", args=[self.document.key])
