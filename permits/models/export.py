"""Case files that were handed out: for whom, by whom, and the hash of what was made."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from portal import clock
from portal.models import Document, User, current_operation

from .record import CaseEvent
from .site import Site

CUSTODIAN_ONLY = "court"


class CaseExport(models.Model):
    """One case file made of a case as its record stood; never changed.

    The same case gives the same bytes: whoever asks again while nothing has happened gets
    this very file, with its number and its day.
    """

    class Audience(models.TextChoices):
        FULL = "full", "For the city: the whole case"
        COURT = "court", "For a court: the whole case, certified by the custodian"
        PUBLIC = "public", "For the public: what the law lets everybody see"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="exports")
    event = models.OneToOneField(CaseEvent, on_delete=models.PROTECT, related_name="export")
    audience = models.CharField(max_length=10, choices=Audience.choices)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(default=clock.now)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    # The last fact that it tells of: the place and the seal of the record's end.
    head_sequence = models.PositiveIntegerField()
    head = models.CharField(max_length=64)
    rows = models.PositiveIntegerField()
    files = models.PositiveIntegerField()
    omissions = models.PositiveIntegerField()
    # None where it was written into a folder of the operator's, and no copy was kept.
    document = models.OneToOneField(
        Document, null=True, on_delete=models.PROTECT, related_name="case_export"
    )
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(audience=CUSTODIAN_ONLY) | Q(made_by__isnull=False),
                name="case_file_for_a_court_has_its_custodian",
            ),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("case_file_zip", args=[self.key])

    @property
    def name(self) -> str:
        """The name of the folder in the ZIP, and of the ZIP itself."""
        return f"{self.site.number}-{self.audience}-{self.number}"

    @property
    def maker(self) -> str:
        """Who made it, as it is signed; a command of the operator's is nobody's."""
        return self.made_by.signature if isinstance(self.made_by, User) else "Siltfence"
