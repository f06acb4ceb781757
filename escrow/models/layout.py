"""How a county wants its file: columns as data, in a layout that is never changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from portal import clock


class RollLayout(models.Model):
    """One layout of the export; a changed layout is a new row under the same name.

    `columns` is a list of {"name", "source", "width", "align", "fill", "decimals", "text"}:
    the sources and what each key means stand in `escrow.roll.columns`.
    """

    class Format(models.TextChoices):
        CSV = "csv", "CSV"
        XLSX = "xlsx", "XLSX"
        FIXED = "fixed", "Fixed width"
        XML = "xml", "XML with the element names of the county roll"

    class Encoding(models.TextChoices):
        UTF_8 = "utf-8", "UTF-8"
        UTF_8_SIG = "utf-8-sig", "UTF-8 with a mark, for Excel"
        ASCII = "ascii", "ASCII"
        LATIN_1 = "cp1252", "Windows-1252"

    name = models.CharField(max_length=80)
    format = models.CharField(max_length=5, choices=Format.choices)
    columns = models.JSONField()
    header = models.BooleanField(default=True)
    delimiter = models.CharField(max_length=1, default=",")
    encoding = models.CharField(max_length=10, choices=Encoding.choices, default=Encoding.UTF_8)
    county_code = models.CharField(max_length=10, blank=True)
    muni_code = models.CharField(max_length=10, blank=True)
    charge_code = models.CharField(max_length=10, blank=True)
    assessment_code = models.CharField(max_length=10, blank=True)
    description = models.CharField(max_length=30, default="EROSION CONTROL CHARGE")
    # The county's form of a parcel number, as a regular expression; empty: any.
    parcel_form = models.CharField(max_length=200, blank=True)
    parcel_example = models.CharField(max_length=60, blank=True)
    retired = models.BooleanField(default=False)  # a row that takes its name out of use
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    entered_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["name", "-pk"]
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="roll_layout_has_a_name")]

    def __str__(self) -> str:
        return self.name
