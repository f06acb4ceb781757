"""The ordinance's persons, and who acts for them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from portal.formats import long_date

from .application import Application


class Party(models.Model):
    """A person or company in an application, in one capacity."""

    class Role(models.TextChoices):
        LANDOWNER = "landowner", "Landowner"
        LAND_USER = "land_user", "Land user"
        CONTRACTOR = "contractor", "Contractor"
        AGENT = "agent", "Agent"
        EMERGENCY = "emergency", "24-hour contact"
        CONTROLS = "controls", "Person responsible for the control devices"

    class Body(models.TextChoices):
        INDIVIDUAL = "individual", "An individual, or a couple"
        CORPORATION = "corporation", "A corporation"
        LLC = "llc", "A limited liability company"
        PARTNERSHIP = "partnership", "A partnership"
        TRUST = "trust", "A trust or estate"
        PUBLIC = "public", "A unit of government"

    COMPANIES = frozenset(Body.values) - {Body.INDIVIDUAL}

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="parties")
    role = models.CharField(max_length=12, choices=Role.choices)
    name = models.CharField(max_length=200)
    organization = models.CharField(max_length=200, blank=True)
    body = models.CharField("kind of owner", max_length=12, choices=Body.choices, blank=True)
    title = models.CharField(max_length=120, blank=True)
    mailing_address = models.TextField(blank=True)
    email = models.EmailField("e-mail", blank=True)
    telephone = models.CharField(max_length=40, blank=True)
    # Of an agent: who gave the written authorization, and its date.
    authorized_by = models.CharField(max_length=200, blank=True)
    authorized_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "parties"
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="party_has_a_name"),
            models.UniqueConstraint(
                fields=["application", "role"], name="one_party_of_each_role_per_application"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.organization} ({self.name})" if self.organization else self.name

    @property
    def is_company_unnamed(self) -> bool:
        """Whether the owner is said to be a company, and nobody knows which."""
        return self.body in self.COMPANIES and not self.organization

    @property
    def can_be_told(self) -> bool:
        """Whether a notice reaches this person, by e-mail or by U.S. mail."""
        return bool(self.email or self.mailing_address)

    @property
    def authorization(self) -> str:
        """Who authorized an agent in writing, and when; nothing where that is not named."""
        if not self.authorized_by or self.authorized_on is None:
            return ""
        return f"Authorized in writing by {self.authorized_by} on {long_date(self.authorized_on)}"
