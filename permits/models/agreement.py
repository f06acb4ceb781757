"""The maintenance agreement, recorded with the register of deeds. Former § 17.19(4)(f)

It is complete only when it is recorded: an instrument that is not is void against whoever
buys in good faith and records first (Wis. Stat. § 706.08(1)(a)).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from portal import clock
from portal.models import Upload
from portal.ordinance.recording import find_social_security

from .agreement_acts import AgreementActs
from .owner import Owner, current_owner
from .paper import CasePaper
from .party import Party
from .permit import Permit
from .site import Site

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

    from .agreement_parts import AgreementPractice, AgreementRecording


class AgreementStatus(models.TextChoices):
    """Where an agreement stands; it moves only as `MaintenanceAgreement.NEXT` allows."""

    DRAFTED = "drafted", "Drafted"
    SENT_FOR_SIGNATURE = "sent_for_signature", "Sent for signature"
    SIGNED = "signed", "Signed"
    SENT_TO_REGISTER = "sent_to_register", "Sent to the register of deeds"
    RECORDED = "recorded", "Recorded"
    ENDED = "ended", "Ended by a later instrument"
    WITHDRAWN = "withdrawn", "Withdrawn before it was recorded"


@dataclass(frozen=True)
class ResponsibleParty:
    """Who maintains the practices on a day, with what is needed to reach them."""

    kind: str
    name: str
    organization: str
    mailing_address: str
    email: str
    telephone: str

    def __str__(self) -> str:
        """The party as letters name it."""
        if self.organization and self.name:
            return f"{self.organization} ({self.name})"
        return self.organization or self.name


OPEN = (
    AgreementStatus.DRAFTED,
    AgreementStatus.SENT_FOR_SIGNATURE,
    AgreementStatus.SIGNED,
    AgreementStatus.SENT_TO_REGISTER,
)
"""The states in which somebody has still to do something before it is recorded."""


class AgreementQuerySet(models.QuerySet["MaintenanceAgreement"]):
    def in_force(self, on: date) -> AgreementQuerySet:
        """Agreements and amendments that bind the land on a day: recorded, and not ended."""
        not_ended = Q(ended_on__isnull=True) | Q(ended_on__gt=on)
        recorded = self.filter(not_ended, recorded_on__lte=on)
        return recorded.exclude(kind=MaintenanceAgreement.Kind.RELEASE)

    def under_way(self) -> AgreementQuerySet:
        """Instruments that are still to be recorded."""
        return self.filter(status__in=OPEN)

    def visible_to(self, user: object) -> AgreementQuerySet:
        """Instruments of the cases that a person may see."""
        return self.filter(site__in=Site.objects.visible_to(user))  # type: ignore[arg-type]


class MaintenanceAgreement(AgreementActs):
    """An agreement on practices that stay, its amendment, or its release: one instrument each.

    An amendment states the agreement anew and ends the one before it on the day it is
    recorded; a release only ends it. What the instrument says is fixed once it was sent
    for signature.
    """

    Status = AgreementStatus
    NEXT: ClassVar[dict[AgreementStatus, frozenset[AgreementStatus]]] = {
        Status.DRAFTED: frozenset({Status.SENT_FOR_SIGNATURE, Status.WITHDRAWN}),
        Status.SENT_FOR_SIGNATURE: frozenset({Status.SIGNED, Status.WITHDRAWN}),
        Status.SIGNED: frozenset({Status.SENT_TO_REGISTER, Status.RECORDED, Status.WITHDRAWN}),
        Status.SENT_TO_REGISTER: frozenset({Status.RECORDED, Status.WITHDRAWN}),
        Status.RECORDED: frozenset({Status.ENDED}),
        Status.ENDED: frozenset(),
        Status.WITHDRAWN: frozenset(),
    }

    class Kind(models.TextChoices):
        AGREEMENT = "agreement", "Maintenance agreement"
        AMENDMENT = "amendment", "Amendment of a maintenance agreement"
        RELEASE = "release", "Release of a maintenance agreement"

    class PartyKind(models.TextChoices):
        OWNER = "owner", "The owner of the land, and each owner after"
        ASSOCIATION = "association", "An association of owners"
        PUBLIC_BODY = "public_body", "A city, county, town or village"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="agreements")
    # Null: the agreement is older than the portal.
    permit = models.ForeignKey(
        Permit, null=True, blank=True, on_delete=models.PROTECT, related_name="agreements"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.AGREEMENT)
    before = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="after"
    )
    status = models.CharField(
        max_length=20, choices=AgreementStatus.choices, default=AgreementStatus.DRAFTED
    )
    # Recorded outside of the portal, and entered as it stands at the register of deeds.
    entered_as_recorded = models.BooleanField(default=False)
    # Who signs as owner
    owner_body = models.CharField(max_length=12, choices=Party.Body.choices, blank=True)
    owner_name = models.CharField(max_length=200, blank=True)
    owner_organization = models.CharField(max_length=200, blank=True)
    owner_title = models.CharField(max_length=120, blank=True)
    spouse_name = models.CharField(max_length=200, blank=True)
    # Who maintains
    party_kind = models.CharField(max_length=12, choices=PartyKind.choices, default=PartyKind.OWNER)
    party_name = models.CharField(max_length=200, blank=True)
    party_organization = models.CharField(max_length=200, blank=True)
    party_address = models.TextField(blank=True)
    party_email = models.EmailField(blank=True)
    party_telephone = models.CharField(max_length=40, blank=True)
    # The land
    parcels = models.TextField(blank=True)  # a parcel number on each line
    legal_description = models.TextField(blank=True)
    map = models.ForeignKey(
        Upload, null=True, blank=True, on_delete=models.PROTECT, related_name="agreement_maps"
    )
    # What the city adds to the fixed sentence of a provision, by the provision's key
    additions = models.JSONField(default=dict, blank=True)
    terms = models.TextField(blank=True)  # of an amendment or release: what it changes, and why
    return_to = models.TextField(blank=True)
    drafter = models.CharField(max_length=200, blank=True)
    # What happened, each day set once
    drafted_on = models.DateField()
    sent_for_signature_on = models.DateField(null=True, blank=True)
    signed_on = models.DateField(null=True, blank=True)
    signed_scan = models.ForeignKey(
        Upload, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    sent_to_register_on = models.DateField(null=True, blank=True)
    recorded_on = models.DateField(null=True, blank=True)
    document_number = models.CharField(max_length=40, blank=True)
    county = models.CharField(max_length=80, blank=True)
    ended_on = models.DateField(null=True, blank=True)
    withdrawn_on = models.DateField(null=True, blank=True)
    withdrawn_why = models.TextField(blank=True)
    paper = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="agreement"
    )
    drafted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    drafted_at = models.DateTimeField(default=clock.now)

    objects = AgreementQuerySet.as_manager()

    if TYPE_CHECKING:
        practices: RelatedManager[AgreementPractice]
        recordings: RelatedManager[AgreementRecording]

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["status", "-id"]),
            models.Index(fields=["site", "status"]),
            models.Index(fields=["recorded_on"]),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="agreement", before__isnull=True)
                | Q(kind__in=["amendment", "release"], before__isnull=False),
                name="amendment_or_release_names_its_agreement",
            ),
            models.CheckConstraint(
                condition=Q(
                    ~Q(document_number=""),
                    ~Q(county=""),
                    status__in=["recorded", "ended"],
                    recorded_on__isnull=False,
                )
                | Q(
                    ~Q(status__in=["recorded", "ended"]),
                    recorded_on__isnull=True,
                    document_number="",
                ),
                name="recorded_agreement_has_number_day_and_county",
            ),
            models.CheckConstraint(
                condition=Q(entered_as_recorded=True)
                | ~Q(status__in=["signed", "sent_to_register", "recorded", "ended"])
                | Q(
                    sent_for_signature_on__isnull=False,
                    signed_on__isnull=False,
                    signed_on__gte=F("sent_for_signature_on"),
                ),
                name="agreement_is_signed_after_it_was_sent",
            ),
            models.CheckConstraint(
                condition=Q(sent_to_register_on__isnull=True)
                | Q(signed_on__isnull=False, sent_to_register_on__gte=F("signed_on")),
                name="agreement_goes_to_the_register_after_it_is_signed",
            ),
            models.CheckConstraint(
                condition=Q(recorded_on__isnull=True)
                | Q(signed_on__isnull=True, entered_as_recorded=True)
                | Q(recorded_on__gte=F("signed_on")),
                name="agreement_is_recorded_after_it_is_signed",
            ),
            models.CheckConstraint(
                condition=Q(status="ended", ended_on__isnull=False, ended_on__gte=F("recorded_on"))
                | Q(~Q(status="ended"), ended_on__isnull=True),
                name="agreement_ends_after_it_is_recorded",
            ),
            models.CheckConstraint(
                condition=Q(~Q(withdrawn_why=""), status="withdrawn", withdrawn_on__isnull=False)
                | Q(~Q(status="withdrawn"), withdrawn_on__isnull=True),
                name="withdrawn_agreement_says_when_and_why",
            ),
            models.UniqueConstraint(
                fields=["permit"],
                condition=Q(kind="agreement", status__in=[each.value for each in OPEN]),
                name="one_agreement_of_a_permit_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["before"],
                condition=Q(status__in=[each.value for each in OPEN]),
                name="one_amendment_or_release_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["site", "county", "document_number"],
                condition=~Q(document_number=""),
                name="document_entered_once_a_site",
            ),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("agreement", args=[self.key])

    @property
    def standing_in_words(self) -> str:
        """Where it stands, within a sentence."""
        return {
            AgreementStatus.DRAFTED: "a draft",
            AgreementStatus.SENT_FOR_SIGNATURE: "out for signature",
            AgreementStatus.SIGNED: "signed and not at the register of deeds yet",
            AgreementStatus.SENT_TO_REGISTER: "at the register of deeds",
            AgreementStatus.RECORDED: "recorded",
            AgreementStatus.ENDED: "ended by a later instrument",
            AgreementStatus.WITHDRAWN: "withdrawn",
        }[AgreementStatus(self.status)]

    @property
    def is_open(self) -> bool:
        """Whether it is still to be recorded."""
        return self.status in OPEN

    @property
    def parcel_numbers(self) -> list[str]:
        """The parcels it binds, as they are written."""
        return [line.strip() for line in self.parcels.splitlines() if line.strip()]

    def stated(self) -> tuple[date | None, str, str]:
        """What it states of its recording; the last entry of the register says the same."""
        return (self.recorded_on, self.document_number, self.county)

    def texts_by_part(self) -> dict[str, str]:
        """Everything that is typed into the instrument, by the part where it stands."""
        rows = [str(value) for row in self.practices.values_list() for value in row[3:]]
        tasks = self.practices.values_list("tasks__what", "tasks__by_whom")
        return {
            "land and signature": "\n".join(
                (
                    self.owner_name,
                    self.owner_organization,
                    self.owner_title,
                    self.spouse_name,
                    self.parcels,
                    self.legal_description,
                    self.return_to,
                    self.drafter,
                )
            ),
            "responsible party": "\n".join(
                (self.party_name, self.party_organization, self.party_address, self.party_telephone)
            ),
            "words": "\n".join((*map(str, self.additions.values()), self.terms)),
            "practices and schedule": "\n".join(
                (*rows, *(str(value) for row in tasks for value in row if value))
            ),
        }

    def social_security_in(self, text: str) -> str:
        """Return what looks like a social security number in a text; parcel numbers are none."""
        known = tuple(self.site.parcels.values_list("number", flat=True))
        return find_social_security(text, known=known)

    def is_in_force(self, on: date) -> bool:
        """Whether it binds the land on a day."""
        recorded = self.recorded_on is not None and self.recorded_on <= on
        ended = self.ended_on is not None and self.ended_on <= on
        return recorded and not ended and self.kind != self.Kind.RELEASE

    def _was_sold_since(self, owner: Owner) -> bool:
        """Whether an owner came after the words of the instrument were fixed."""
        fixed_on = self.sent_for_signature_on or self.recorded_on
        return owner.since is not None and fixed_on is not None and owner.since > fixed_on

    def responsible_party(self, on: date) -> ResponsibleParty:
        """Return who maintains on a day. Former § 17.19(4)(f)(3)

        Where that is the owner, it is whoever owns the land on that day: a change of owner
        keeps the duty. An owner from before its words were fixed is the one whom it names,
        with the address that stands in it.
        """
        owner = None
        if self.party_kind == self.PartyKind.OWNER:
            owner = current_owner(self.site, on=on)
        named = bool(self.party_name or self.party_organization)
        if owner is None or (named and not self._was_sold_since(owner)):
            return ResponsibleParty(
                self.PartyKind(self.party_kind),
                self.party_name,
                self.party_organization,
                self.party_address,
                self.party_email.lower(),
                self.party_telephone,
            )
        return ResponsibleParty(
            self.PartyKind.OWNER,
            owner.name,
            owner.organization,
            owner.mailing_address,
            owner.email,
            owner.telephone,
        )
