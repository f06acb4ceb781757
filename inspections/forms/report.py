"""What somebody reports, and what the inspector answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from inspections.models import Complaint
from inspections.nearby import Position, is_in_the_state, position_of
from permits.forms.fields import Line, OneOf, Paragraph
from portal.models import Upload
from portal.uploads.fields import UploadsField

__all__ = ["MOST_PHOTOS", "AnswerForm", "ReportForm", "SiteForm"]

MOST_PHOTOS = 6
POSITION = re.compile(
    r"\s*([+-]?\d{1,3}(?:\.\d{1,12})?)\s*°?\s*[nN]?[\s,;]+\s*([+-−]?\d{1,3}(?:\.\d{1,12})?)\s*°?\s*([wWeE]?)\s*",
    re.ASCII,
)
SIX_PLACES = Decimal("0.000001")


class PositionField(Line):
    """Latitude and longitude as a map gives them out: 43.038900, -87.906500."""

    def clean(self, value: Any) -> Any:
        """Return the position, or nothing."""
        text = str(super().clean(value))
        if not text:
            return None
        found = POSITION.fullmatch(text)
        if found is None:
            raise ValidationError(
                "Write latitude and longitude as a map shows them, such as 43.0389, -87.9065."
            )
        latitude, longitude = Decimal(found[1]), Decimal(found[2].replace("−", "-"))
        if found[3].lower() == "w":
            longitude = -abs(longitude)
        position = Position(latitude.quantize(SIX_PLACES), longitude.quantize(SIX_PLACES))
        if not is_in_the_state(position):
            raise ValidationError(
                "This position is not in Wisconsin. Latitude comes first; longitude has a minus."
            )
        return position


class ReportForm(forms.Form):
    """A report by anybody; only what and where must be told."""

    what = OneOf(
        label="What is it?",
        choices=Complaint.What.choices,
        error_messages={"required": "Choose what you saw."},
    )
    place = Line(
        label="Where is it?",
        max_length=300,
        required=False,
        width="w-wide",
        help_text="An address, a corner, or what stands next to it.",
    )
    position = PositionField(
        label="Or its position on a map",
        max_length=60,
        required=False,
        help_text="Latitude and longitude, such as 43.0389, -87.9065.",
    )
    text = Paragraph(label="What did you see, and when?", required=False, max_length=5000, rows=4)
    photos = UploadsField(
        label="Photos",
        required=False,
        help_text=(
            f"JPEG, PNG or HEIC, up to {MOST_PHOTOS}, several at once. A photo that knows where it "
            "was taken can stand for the place; only the city sees that."
        ),
    )
    name = Line(label="Your name", max_length=200, required=False)
    contact = Line(
        label="E-mail address or telephone",
        max_length=200,
        required=False,
        help_text="Only if you want an answer. You need not say who you are.",
    )
    website = forms.CharField(label="Leave this empty", required=False)

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, kept: list[Upload], **kwargs: Any
    ) -> None:
        super().__init__(data, **kwargs)
        self.kept = kept
        for name in ("place", "position"):
            setattr(self.fields[name], "silent_optional", True)  # noqa: B010 (one of them is asked)
        self.fields["photos"].widget.attrs["accept"] = "image/*,.heic,.heif"
        self.fields["website"].widget.attrs |= {"tabindex": "-1", "autocomplete": "off"}

    def clean_website(self) -> str:
        """Refuse what only a machine fills in, in words for a person whose browser did."""
        if self.cleaned_data["website"]:
            raise ValidationError("Leave this field empty, and send the report again.")
        return ""

    def clean(self) -> dict[str, Any]:
        """Ask for a place in some form, and for words where nothing else tells what it is."""
        answers: dict[str, Any] = super().clean() or {}
        if answers.get("what") == Complaint.What.OTHER and answers.get("text") == "":
            self.add_error("text", "Say what you saw.")
        if answers.get("place") == "" and "position" in answers and not self.found_position():
            self.add_error("place", "Say where it is: an address, a corner or a position.")
        return answers

    def found_position(self) -> Position | None:
        """Return the position that was typed, or that of the first photo that has one."""
        typed: Position | None = self.cleaned_data.get("position")
        return typed or next(filter(None, map(position_of, self.kept)), None)


class SiteForm(forms.Form):
    """The address under which a site is opened for a report."""

    address = Line(
        label="Address of the site",
        max_length=300,
        width="w-wide",
        error_messages={"required": "Write the address, or what stands next to it."},
    )


class AnswerForm(forms.Form):
    """What the inspector answers."""

    text = Paragraph(
        label="What the city answers",
        max_length=5000,
        rows=5,
        error_messages={"required": "Write what the city does about it."},
    )
    no_visit = forms.BooleanField(label="No visit is needed any more", required=False)
