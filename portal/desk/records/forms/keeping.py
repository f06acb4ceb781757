"""What is entered about holds and destruction lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from permits.forms.counter import PastDayField
from permits.forms.fields import Line, OneOf, Paragraph, SeveralOf
from permits.models import Site

from .requests import CaseNumbers

__all__ = ["DestroyForm", "EndHoldForm", "HoldForm", "NoticeForm", "ProposeForm", "WhyForm"]


class HoldForm(forms.Form):
    """Which case is held, and why."""

    numbers = CaseNumbers(
        label="Case", max_length=40, rows=1, help_text="Number of the site, application or permit."
    )
    reason = Paragraph(label="Why it is held", max_length=2000)

    def clean_numbers(self) -> list[Site]:
        """One case at a time: each has its own reason."""
        found: list[Site] = self.cleaned_data["numbers"]
        if len(found) != 1:
            raise ValidationError("Name one case.", "many")
        return found


class EndHoldForm(forms.Form):
    """Why a hold ends."""

    reason = Paragraph(label="Why it ends", max_length=2000)


class WhyForm(forms.Form):
    """Why something is withdrawn."""

    why = Paragraph(label="Why", max_length=2000)


class ProposeForm(forms.Form):
    """Which of the old cases are proposed for destruction."""

    sites = SeveralOf(label="Cases to destroy")

    def __init__(self, data: Any = None, *, sites: Iterable[Site] = ()) -> None:
        super().__init__(data)
        self.known = {str(site.pk): site for site in sites}
        choice: Any = self.fields["sites"]
        choice.choices = [(k, f"{each.number}, {each.place}") for k, each in self.known.items()]
        choice.initial = list(self.known)

    def chosen(self) -> list[Site]:
        """Return the cases that were marked."""
        return [self.known[key] for key in self.cleaned_data["sites"]]


class NoticeForm(forms.Form):
    """How the historical society was told, or that it has waived being told."""

    what = OneOf(
        label="What happened",
        choices=[
            ("mailed", "The letter was handed to the post"),
            ("waived", "The society has waived its notice in writing"),
        ],
    )
    mailed_on = PastDayField(label="Handed to the post on", required=False)
    tracking_number = Line(label="Number of the certified letter", required=False, max_length=60)
    words = Paragraph(
        label="The waiver",
        required=False,
        max_length=2000,
        help_text="Date of the society's letter, who signed it, and what it waives.",
    )

    def clean(self) -> dict[str, Any]:
        """A mailing has its day, a waiver its words."""
        answers = super().clean() or {}
        no_day = not answers.get("mailed_on") and "mailed_on" not in self.errors
        if answers.get("what") == "mailed" and no_day:
            self.add_error("mailed_on", "Enter the day on which the post took the letter.")
        if answers.get("what") == "waived" and not answers.get("words"):
            self.add_error("words", "Say by which letter the society waived its notice.")
        return answers


class DestroyForm(forms.Form):
    """The number of the list, written out: what follows cannot be undone."""

    number = Line(label="Write the number of the list", max_length=20)

    def __init__(self, data: Any = None, *, wanted: str = "") -> None:
        super().__init__(data)
        self.wanted = wanted

    def clean_number(self) -> str:
        """Refuse another number."""
        text: str = self.cleaned_data["number"]
        if text.strip().upper() != self.wanted:
            raise ValidationError(f"This list is {self.wanted}.", "other")
        return text
