"""Rain as it is entered: a day by hand, or a daily file."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile

from inspections.acts.rain import LONGEST_STATION, default_station
from inspections.rain_file import MOST_INCHES, Unit, decode, in_inches
from permits.forms.counter import PastDayField
from permits.forms.fields import Line
from portal.ordinance.wording import figure

__all__ = ["RainDayForm", "RainFileForm"]

AMOUNT = re.compile(
    r"(-?(?:\d+(?:\.\d*)?|\.\d+))\s*(in|inch|inches|\"|″|mm|millimet(?:er|re)s?)?\.?",
    re.ASCII | re.IGNORECASE,
)
MOST_BYTES = 2 * 1024 * 1024


class InchesField(forms.Field):
    """Rain in inches; millimetres are turned into inches exactly."""

    widget = forms.TextInput(attrs={"inputmode": "decimal", "class": "w-number"})
    default_error_messages = {
        "required": "Write how much it rained; 0 for a dry day.",
        "invalid": "Write a number of inches, such as 0.52.",
    }

    def to_python(self, value: Any) -> Decimal | None:
        """Read the amount; refuse what is not surely one."""
        text = str(value or "").strip().replace("−", "-")
        if not text:
            return None
        found = AMOUNT.fullmatch(text)
        if found is None or len(text) > 30:
            raise ValidationError(self.error_messages["invalid"], "invalid")
        unit = Unit.MILLIMETRES if (found[2] or "").lower().startswith("m") else Unit.INCHES
        inches = in_inches(Decimal(found[1]), unit)
        if inches < 0:
            raise ValidationError("Rain cannot be negative.", "negative")
        if inches > MOST_INCHES:
            raise ValidationError(
                f"More than {figure(MOST_INCHES)} inches in a day cannot be meant.", "most"
            )
        return inches


class RainDayForm(forms.Form):
    """The rain of one day at one station."""

    rained_on = PastDayField(label="Day on which it rained")
    inches = InchesField(label="Rain", help_text="In inches, such as 0.52, or 12.7 mm.")
    station = Line(
        label="Station",
        max_length=LONGEST_STATION,
        help_text="A new name begins a new station.",
        error_messages={"required": "Name the station."},
    )
    note = Line(label="Note", max_length=200, required=False)


class RainFileForm(forms.Form):
    """A daily file of a station."""

    file = forms.FileField(
        label="Daily file",
        help_text=(
            "A table saved as CSV with a column for the date and one for the precipitation, in "
            "inches or in tenths of a millimetre, as NOAA gives it out. Up to 2 MB."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.txt,text/csv"}),
        error_messages={
            "required": "Choose a file.",
            "empty": "The file is empty (0 bytes). Choose it again.",
        },
    )
    station = Line(
        label="Station",
        max_length=LONGEST_STATION,
        required=False,
        help_text="Leave it empty to take the name in the file.",
    )
    unit = forms.ChoiceField(
        label="Figures are in",
        required=False,
        choices=[("", "as the file says"), *((unit.name, unit.value) for unit in Unit)],
    )

    def clean_file(self) -> str:
        """Return the text of the file."""
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            raise ValidationError("The file is larger than 2 MB. Cut it into parts.", "too_big")
        try:
            return decode(file.read())
        except ValueError as error:
            raise ValidationError(str(error), "no_text") from None

    def clean_unit(self) -> Unit | None:
        """Return the unit that was chosen, or nothing."""
        return Unit[self.cleaned_data["unit"]] if self.cleaned_data["unit"] else None


def first_answers(on: date) -> dict[str, Any]:
    """Return what the form of a day begins with."""
    return {"rained_on": on, "station": default_station()}
