"""Whom an act of enforcement is told, by what means, and when it reached them."""

from __future__ import annotations

from django.conf import settings
from django.contrib.contenttypes.fields import GenericForeignKey
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models import Q

from permits.models import Site
from portal import clock
from portal.city import say
from portal.models import Mailing, Upload


class AddresseeQuerySet(models.QuerySet["Addressee"]):
    def of(self, subject: models.Model) -> AddresseeQuerySet:
        """Addressees of one order or notice."""
        return self.filter(
            subject_type=ContentType.objects.get_for_model(subject), subject_pk=subject.pk
        )


def addressee_title(role: str) -> str:
    """Return a role in words; the one that the ordinance names, by the city's own title."""
    known = Addressee.Role(role)
    return say("{Attorney}") if known is Addressee.Role.ATTORNEY else str(known.label)


class Addressee(models.Model):
    """One person told of one order or notice; name and address as they were that day.

    The row is written in the act itself and never changed; `Service` says how it got there.
    """

    class Role(models.TextChoices):
        PERMITTEE = "permittee", "Permittee"
        LANDOWNER = "landowner", "Landowner"
        LAND_USER = "land_user", "Land user"
        CONTRACTOR = "contractor", "Contractor"
        ATTORNEY = "attorney", "City attorney"
        APPELLANT = "appellant", "Appellant"
        PARTY = "party", "Responsible party"

    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="addressees")
    subject_type = models.ForeignKey(ContentType, on_delete=models.PROTECT, related_name="+")
    subject_pk = models.PositiveBigIntegerField()
    subject = GenericForeignKey("subject_type", "subject_pk")
    role = models.CharField(max_length=12, choices=Role.choices)
    name = models.CharField(max_length=410)
    mailing_address = models.TextField(blank=True)
    email = models.EmailField("e-mail", blank=True)
    parcel_number = models.CharField(max_length=120, blank=True)
    means = models.CharField(max_length=12, choices=Mailing.Means.choices)
    mailing = models.OneToOneField(
        Mailing, null=True, blank=True, on_delete=models.PROTECT, related_name="addressee_row"
    )
    created_at = models.DateTimeField(default=clock.now)

    objects = AddresseeQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["subject_type", "subject_pk"])]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="addressee_has_a_name"),
            models.CheckConstraint(
                condition=~Q(means__in=["us_mail", "certified"]) | ~Q(mailing_address=""),
                name="letter_has_an_address",
            ),
            models.CheckConstraint(
                condition=~Q(means="email") | ~Q(email=""), name="e_mail_has_an_address"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.get_role_display().lower()})"

    def get_role_display(self) -> str:  # type: ignore[no-redef]
        """The role in words, the attorney's by the title the city gives."""
        return addressee_title(self.role)


class Service(models.Model):
    """That an order was handed to an addressee in person, with its proof; never changed."""

    addressee = models.ForeignKey(Addressee, on_delete=models.PROTECT, related_name="services")
    served_on = models.DateField()
    place = models.CharField(max_length=300)
    served_by = models.CharField(max_length=200)
    proof = models.ForeignKey(
        Upload, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    recorded_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.addressee} served on {self.served_on}"
