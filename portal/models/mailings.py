"""What the city tells people, and how: mailings on paper and the e-mail outbox."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from portal import clock

from .files import Document


class Mailing(models.Model):
    """One notice to one addressee by one means; the legal proof of telling."""

    class Means(models.TextChoices):
        EMAIL = "email", "E-mail"
        US_MAIL = "us_mail", "U.S. mail"
        CERTIFIED = "certified", "Certified mail"
        PERSONAL = "personal", "Personal service"
        POSTED = "posted", "Posted on the site"

    reference = models.CharField(max_length=40, db_index=True)  # the site's number
    cause = models.CharField(max_length=60)
    means = models.CharField(max_length=12, choices=Means.choices)
    addressee = models.CharField(max_length=410)  # the longest company with the longest name
    address = models.TextField(blank=True)
    document = models.ForeignKey(Document, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=clock.now)
    deposited_on = models.DateField(null=True, blank=True)
    accepted_on = models.DateField(null=True, blank=True)
    tracking_number = models.CharField(max_length=60, blank=True)
    returned_on = models.DateField(null=True, blank=True)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(accepted_on__isnull=True)
                | Q(deposited_on__isnull=False, accepted_on__gte=models.F("deposited_on")),
                name="mailing_accepted_after_deposited",
            )
        ]

    def __str__(self) -> str:
        return f"{self.cause} to {self.addressee}"


class OutboxMessage(models.Model):
    """An e-mail that waits until its cause is committed, and then goes out once.

    `key` names case, rule, date and recipient, so that a job run twice, late or on two
    machines writes one row and sends one mail.
    """

    key = models.CharField(max_length=300, unique=True)
    reference = models.CharField(max_length=40, db_index=True, blank=True)
    cause = models.CharField(max_length=60)
    recipient = models.EmailField()
    subject = models.CharField(max_length=200)
    body = models.TextField()
    attachment = models.ForeignKey(
        Document, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.TextField(blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["id"], condition=Q(sent_at__isnull=True), name="outbox_unsent")
        ]

    def __str__(self) -> str:
        return f"{self.subject} to {self.recipient}"
