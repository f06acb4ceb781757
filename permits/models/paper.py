"""Papers of a case: which document belongs to which site, and who may read it."""

from __future__ import annotations

from django.db import models
from django.urls import reverse

from portal import clock
from portal.models import Document

from .application import Application
from .site import Site


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

    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="papers")
    application = models.ForeignKey(
        Application, null=True, on_delete=models.PROTECT, related_name="papers"
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    document = models.OneToOneField(Document, on_delete=models.PROTECT, related_name="case_paper")
    made_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.site.number}: {self.get_kind_display()}"

    def get_absolute_url(self) -> str:
        return reverse("paper", args=[self.document.key])
