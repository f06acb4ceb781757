"""Whose land it is, on a day: the owner of the application, and every change since.

Former § 17.19(4)(f): a maintenance agreement binds all subsequent owners of the land.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db import models
from django.db.models import Q

from portal import clock
from portal.models import User, current_operation

from .party import Party
from .site import Site


@dataclass(frozen=True)
class Owner:
    """The owner of a site on a day, and how the city knows."""

    name: str
    organization: str
    mailing_address: str
    email: str
    telephone: str
    since: date | None
    source: str

    def __str__(self) -> str:
        """The owner as letters name them."""
        if self.organization and self.name:
            return f"{self.organization} ({self.name})"
        return self.organization or self.name


class OwnerChangeManager(models.Manager["OwnerChange"]):
    def standing(self, site: Site, *, on: date) -> OwnerChange | None:
        """Return the last change of owner up to a day; of two on one day the later entry."""
        changes = self.filter(site=site, from_on__lte=on).order_by("from_on", "pk")
        return changes.last()


class OwnerChange(models.Model):
    """That the land has another owner from a day on, by a document; never changed.

    A wrong entry is corrected by another one.
    """

    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="owner_changes")
    name = models.CharField(max_length=200, blank=True)
    organization = models.CharField(max_length=200, blank=True)
    mailing_address = models.TextField()
    email = models.EmailField("e-mail", blank=True)
    telephone = models.CharField(max_length=40, blank=True)
    from_on = models.DateField()
    source = models.CharField(max_length=200)  # the deed by its number, the assessor's roll
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    objects = OwnerChangeManager()

    class Meta:
        ordering = ["site", "from_on", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(name="") | ~Q(organization=""), name="new_owner_has_a_name"
            ),
            models.CheckConstraint(condition=~Q(source=""), name="change_of_owner_has_a_source"),
        ]

    def __str__(self) -> str:
        return str(self.owner)

    @property
    def owner(self) -> Owner:
        """The new owner."""
        return Owner(
            name=self.name,
            organization=self.organization,
            mailing_address=self.mailing_address,
            email=self.email.lower(),
            telephone=self.telephone,
            since=self.from_on,
            source=self.source,
        )


def current_owner(site: Site, *, on: date) -> Owner | None:
    """Return the owner of a site on a day; None where nobody ever named one."""
    change = OwnerChange.objects.standing(site, on=on)
    if change is not None:
        return change.owner
    named = Party.objects.filter(application__site=site, role=Party.Role.LANDOWNER)
    filed = named.filter(application__number__isnull=False).select_related("application")
    party = filed.order_by("application_id").last()
    if party is None:
        return None
    return Owner(
        name=party.name,
        organization=party.organization,
        mailing_address=party.mailing_address,
        email=party.email.lower(),
        telephone=party.telephone,
        since=None,
        source=f"named in {party.application}",
    )
