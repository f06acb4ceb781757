"""What the city tells people, and how: mailings on paper and the e-mail outbox."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from portal import clock

from .files import Document, Upload
from .operations import current_operation

BY_POST = ("us_mail", "certified")
"""The means of `Mailing` that go through the mail room."""


class MailingQuerySet(models.QuerySet["Mailing"]):
    """What lies in the mail room."""

    def by_post(self) -> MailingQuerySet:
        """Letters that the post carries, the most urgent first."""
        return self.filter(by_post=True).order_by("go_by", "pk")

    def waiting(self) -> MailingQuerySet:
        """Letters that are still to be handed to the post."""
        return self.by_post().filter(stage=Mailing.Stage.WAITING)

    def came_back(self) -> MailingQuerySet:
        """Letters that the post returned, and of which nobody has said what follows."""
        return self.by_post().filter(stage=Mailing.Stage.RETURNED)


class Mailing(models.Model):
    """One notice to one addressee by one means; the legal proof of telling.

    Addressee and address never change: a letter that must go elsewhere is served anew, as
    another row. The columns of facts repeat the newest rows of `MailingEvent`, and the
    database refuses a day that no such row bears out.
    """

    class Means(models.TextChoices):
        EMAIL = "email", "E-mail"
        US_MAIL = "us_mail", "U.S. mail"
        CERTIFIED = "certified", "Certified mail"
        PERSONAL = "personal", "Personal service"
        POSTED = "posted", "Posted on the site"

    class Stage(models.TextChoices):
        """Where a letter stands with the post; other means stay at the first."""

        WAITING = "waiting", "Waits to be mailed"
        HANDED_IN = "handed_in", "Handed to the post"
        ACCEPTED = "accepted", "Accepted by the post"
        RETURNED = "returned", "Came back, to be decided"
        STANDS = "stands", "Came back, the legal date stays"
        REPLACED = "replaced", "Served anew"

    reference = models.CharField(max_length=40, db_index=True)  # the site's number
    cause = models.CharField(max_length=60)
    means = models.CharField(max_length=12, choices=Means.choices)
    by_post = models.GeneratedField(  # a column, because SQLite finds no index by two means
        expression=Q(means__in=BY_POST),  # type: ignore[arg-type]
        output_field=models.BooleanField(),
        db_persist=True,
    )
    requires_us_mail = models.BooleanField(default=False)
    addressee = models.CharField(max_length=410)  # the longest company with the longest name
    address = models.TextField(blank=True)
    subject = models.CharField(max_length=200, blank=True)
    text = models.TextField(blank=True)  # what a letter without a paper says
    document = models.ForeignKey(Document, null=True, on_delete=models.PROTECT, related_name="+")
    letter = models.ForeignKey(  # the sheet for the window, or the whole letter
        Document, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)
    go_by = models.DateField(default=clock.today)
    stage = models.CharField(max_length=10, choices=Stage.choices, default=Stage.WAITING)
    deposited_on = models.DateField(null=True, blank=True)
    accepted_on = models.DateField(null=True, blank=True)
    tracking_number = models.CharField(max_length=60, blank=True)
    returned_on = models.DateField(null=True, blank=True)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    replaces = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by"
    )

    objects = MailingQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["stage", "go_by", "id"],
                condition=Q(by_post=True),
                name="mailing_by_post",
            ),
            models.Index(fields=["go_by", "id"], condition=Q(by_post=True), name="mailing_all"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(accepted_on__isnull=True)
                | Q(deposited_on__isnull=False, accepted_on__gte=F("deposited_on")),
                name="mailing_accepted_after_deposited",
            ),
            models.CheckConstraint(
                condition=Q(returned_on__isnull=True)
                | Q(accepted_on__isnull=False, returned_on__gte=F("accepted_on")),
                name="mailing_returned_after_accepted",
            ),
            models.CheckConstraint(
                condition=Q(deposited_on__isnull=True) | ~Q(address=""),
                name="mailing_needs_an_address",
            ),
            models.CheckConstraint(
                condition=Q(requires_us_mail=False) | Q(means__in=BY_POST),
                name="mailing_must_go_by_us_mail",
            ),
            models.CheckConstraint(
                condition=Q(stage="waiting", deposited_on__isnull=True)
                | Q(stage="handed_in", deposited_on__isnull=False, accepted_on__isnull=True)
                | Q(stage="accepted", accepted_on__isnull=False, returned_on__isnull=True)
                | Q(stage__in=["returned", "stands"], returned_on__isnull=False)
                | Q(stage="replaced"),
                name="mailing_stage_fits_its_days",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.cause} to {self.addressee}"

    def get_absolute_url(self) -> str:
        return reverse("mailing", args=[self.pk])

    @property
    def title(self) -> str:
        """What the letter brings, in a few words."""
        return self.subject or (self.document.title if self.document else self.cause)

    @property
    def is_by_post(self) -> bool:
        """Whether the mail room handles it."""
        return self.means in BY_POST

    def written_on(self) -> date:
        """The day on which the letter, with the paper in it, existed."""
        written = clock.local_day(self.created_at)
        if self.document is not None:
            written = max(written, clock.local_day(self.document.rendered_at))
        return written

    def is_late(self, on: date) -> bool:
        """Whether the day by which it must go has passed and it still lies here."""
        return self.stage == self.Stage.WAITING and on > self.go_by


class MailingEvent(models.Model):
    """One fact about a letter; never changed. A correction is another row that names it.

    A correction without a day takes the fact back: it did not happen.
    """

    class Kind(models.TextChoices):
        DEPOSITED = "deposited", "Handed to the post"
        ACCEPTED = "accepted", "Accepted by the post"
        NUMBER = "number", "Number of the certified letter"
        CERTIFICATE = "certificate", "Certificate of mailing"
        AFFIDAVIT = "affidavit", "Affidavit of mailing"
        RETURNED = "returned", "Came back"
        STANDS = "stands", "The legal date stays"
        RESERVED = "reserved", "Served anew"

    mailing = models.ForeignKey(Mailing, on_delete=models.PROTECT, related_name="events")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    on = models.DateField(null=True)
    number = models.CharField(max_length=60, blank=True)
    scan = models.ForeignKey(Upload, null=True, on_delete=models.PROTECT, related_name="+")
    paper = models.ForeignKey(Document, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(blank=True)
    corrects = models.OneToOneField(
        "self", null=True, on_delete=models.PROTECT, related_name="corrected_by"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["mailing", "kind"],
                condition=Q(corrects__isnull=True),
                name="mailing_fact_once",
            ),
            models.UniqueConstraint(
                fields=["mailing"],
                condition=Q(kind__in=["stands", "reserved"]),
                name="mailing_returned_is_decided_once",
            ),
            models.CheckConstraint(
                condition=Q(on__isnull=False) | Q(corrects__isnull=False),
                name="mailing_fact_has_its_day",
            ),
            models.CheckConstraint(
                condition=Q(corrects__isnull=True, kind__in=["stands", "reserved"])
                | ~Q(kind__in=["stands", "reserved"]),
                name="mailing_decision_is_not_corrected",
            ),
            models.CheckConstraint(
                condition=(
                    Q(corrects__isnull=True) & ~Q(kind__in=["returned", "stands", "reserved"])
                )
                | ~Q(reason=""),
                name="mailing_fact_has_its_reason",
            ),
            models.CheckConstraint(
                condition=~Q(kind="number") | Q(on__isnull=True) | ~Q(number=""),
                name="mailing_number_is_given",
            ),
            models.CheckConstraint(
                condition=~Q(kind="certificate") | Q(on__isnull=True) | Q(scan__isnull=False),
                name="mailing_certificate_has_its_scan",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mailing}: {self.get_kind_display().lower()}"


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
