"""What is entered to propose, decide and carry out a release or a forfeiture."""

from __future__ import annotations

from typing import Any

from django import forms

from escrow.models import Instrument
from permits.forms.fields import Line, OneOf, Paragraph
from permits.models import Permit
from portal.formats import money

from .releasing import to_give_back

__all__ = ["DecideForm", "GiveBackForm", "ProposeReleaseForm"]

APPROVE, DECLINE = "approve", "decline"


class ProposeReleaseForm(forms.Form):
    """Nothing is asked: the whole is released or nothing, and the agreement is on file."""


class DecideForm(forms.Form):
    """The second person approves what was proposed, or declines it with a reason."""

    decision = OneOf(label="What do you decide?", choices=())
    why = Paragraph(
        label="Why it is not approved", help_text="Needed only to decline.", required=False
    )

    def __init__(self, data: Any = None, *, may_approve: bool) -> None:
        super().__init__(data)
        choices = [(APPROVE, "Approve it, whole")] if may_approve else []
        decline = "Decline it" if may_approve else "Take the proposal back"
        field: Any = self.fields["decision"]
        field.choices = [*choices, (DECLINE, decline)]

    def clean(self) -> dict[str, Any]:
        answers: dict[str, Any] = super().clean() or {}
        if answers.get("decision") == DECLINE and not answers.get("why"):
            self.add_error("why", "Say why it is not approved.")
        return answers

    @property
    def approves(self) -> bool:
        """Whether it is approved."""
        return bool(self.cleaned_data.get("decision") == APPROVE)


class GiveBackForm(forms.Form):
    """To whom an original goes back, and how."""

    instrument = forms.ModelChoiceField(
        label="Which instrument?", queryset=Instrument.objects.none(), empty_label=None
    )
    to = Line(label="Returned to", max_length=400, width="w-wide")
    how = Line(
        label="How", help_text="Handed over, or the number of the certified mail.", max_length=200
    )

    def __init__(self, data: Any = None, *, permit: Permit) -> None:
        super().__init__(data)
        field: Any = self.fields["instrument"]
        found = to_give_back(permit)
        field.queryset = Instrument.objects.filter(pk__in=[item.pk for item in found])
        field.label_from_instance = _named


def _named(item: Instrument) -> str:
    return (
        f"{item.get_form_display()} {item.instrument_number} of {item.issuer}, {money(item.amount)}"
    )
