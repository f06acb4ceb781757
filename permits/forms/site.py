"""Step 1, the site: where it is, as people write it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from permits import parcels
from permits.forms.base import StepForm
from permits.forms.fields import ACRES, AmountField, Line, Paragraph, asked
from permits.models import Parcel
from portal.ordinance.wording import figure

__all__ = ["SiteForm"]

LATITUDES = (Decimal("42"), Decimal("48"))
LONGITUDES = (Decimal("-94"), Decimal("-86"))
"""The state and its shores: a point outside is a slip of the pen."""
MOST_PARCELS = 100


class ParcelsField(Paragraph):
    """Parcel numbers, one on each line, kept exactly as they were written."""

    def clean(self, value: Any) -> Any:
        """Return the numbers in their order, each once."""
        lines = [line.strip() for line in super().clean(value).split("\n")]
        numbers = list(dict.fromkeys(line for line in lines if line))
        longest = int(Parcel._meta.get_field("number").max_length or 0)
        for number in numbers:
            if len(number) > longest:
                raise ValidationError(
                    f"Write one parcel number on each line; this line has more than {longest} "
                    f"characters: {number[:40]}…"
                )
            if not any(sign.isdigit() for sign in number):
                raise ValidationError(
                    f"A parcel number has digits; this line has none: {number}. It stands on the "
                    "tax bill."
                )
        if len(numbers) > MOST_PARCELS:
            raise ValidationError(f"Write at most {MOST_PARCELS} parcel numbers.")
        return numbers

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value


class SiteForm(StepForm):
    """Address or survey description, parcels, and coordinates for whoever has them."""

    address = asked(
        Line(
            max_length=300,
            width="w-wide",
            label="Address of the site",
            help_text="As you would write it on an envelope. Land without a house number: the "
            "road and the nearest crossing. No address at all: leave this empty and describe "
            "the land below.",
        )
    )
    survey_description = Paragraph(
        required=False,
        label="Survey description",
        help_text="Needed if there is no address: quarter section, section, town and range, or "
        "lot, block and subdivision or certified survey map.",
    )
    parcels = asked(
        ParcelsField(
            label="Parcel numbers",
            help_text="As they stand on the tax bill, with dots, dashes and zeros. One on each "
            "line if there are several.",
        )
    )
    parcel_acres = AmountField(
        required=False,
        example="2.5",
        units=ACRES,
        label="Size of the parcels together, in acres",
        most=9_999_999,
    )
    latitude = AmountField(
        required=False,
        places=6,
        least=None,
        example="43.0389",
        label="Latitude",
        help_text="Only if you know it, in degrees with a decimal point, such as 43.0389.",
    )
    longitude = AmountField(
        required=False,
        places=6,
        least=None,
        example="-87.9065",
        label="Longitude",
        help_text="With its minus sign, such as -87.9065.",
    )

    def read(self) -> dict[str, Any]:
        """Return what is on record about the site."""
        site = self.application.site
        return {
            "address": site.address,
            "survey_description": site.survey_description,
            "parcels": list(site.parcels.values_list("number", flat=True)),
            "parcel_acres": site.parcel_acres,
            "latitude": site.latitude,
            "longitude": site.longitude,
        }

    def clean_parcels(self) -> list[str]:
        """Keep the order on record; refuse to remove a parcel that the tax roll names."""
        numbers: list[str] = self.cleaned_data["parcels"]
        site = self.application.site
        if why := parcels.why_not_removed(site, numbers):
            raise ValidationError(why)
        return parcels.in_order(site, numbers)

    def clean_latitude(self) -> Decimal | None:
        """Ask again for a point that cannot be in the state."""
        return _between(self.cleaned_data["latitude"], LATITUDES, "43.0389")

    def clean_longitude(self) -> Decimal | None:
        """Ask again for a point that cannot be in the state."""
        return _between(self.cleaned_data["longitude"], LONGITUDES, "-87.9065")

    def clean(self) -> dict[str, Any]:
        """A point needs both of its numbers."""
        answers = self.cleaned_data
        pair = {"latitude", "longitude"}
        if pair <= answers.keys():
            missing = [name for name in sorted(pair) if answers[name] is None]
            if len(missing) == 1:
                self.add_error(missing[0], "A point needs both: write the other number too.")
        return answers

    def write(self, answers: dict[str, Any]) -> None:
        """Put the answers on record and make the site findable by them."""
        site = self.application.site
        for name in self.fields.keys() & answers.keys() - {"parcels"}:
            setattr(site, name, answers[name])
        site.save()
        if "parcels" in answers:
            parcels.put_right(site, answers["parcels"])
        site.index_words()


def _between(
    number: Decimal | None, bounds: tuple[Decimal, Decimal], example: str
) -> Decimal | None:
    least, most = bounds
    if number is not None and not least <= number <= most:
        raise forms.ValidationError(
            f"This is outside the state. Write a number from {figure(least)} to {figure(most)}, "
            f"such as {example}."
        )
    return number
