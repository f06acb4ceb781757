"""What the clerk enters to renew or replace an instrument, and to say whose it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms

from escrow.forms import InstrumentForm
from escrow.models import Instrument
from permits.forms.fields import DayField, Line, Paragraph
from permits.models import Permit
from portal.formats import money

from . import keeping
from .held import Held, account

__all__ = ["OwnerForm", "RenewForm", "ReplaceForm"]


def held_of(permit: Permit, *, on: date, promised: bool = False) -> list[Held]:
    """Return what is held; `promised` leaves cash out."""
    found = [each for each in account(permit, on=on) if each.is_held]
    return [each for each in found if not (promised and each.instrument.is_cash)]


def choice(label: str, held: Sequence[Held]) -> forms.ModelChoiceField:
    """Ask for one of the instruments held."""
    field = forms.ModelChoiceField(
        label=label,
        queryset=Instrument.objects.filter(pk__in=[each.instrument.pk for each in held]),
        empty_label=None,
    )
    setattr(field, "label_from_instance", _named)  # noqa: B010 (the way Django documents it)
    return field


def _named(item: Instrument) -> str:
    name = f"{item.get_form_display()} of {money(item.amount)}"
    if item.is_cash:
        return f"{name}, receipt {item.receipt_number}"
    return f"{name}, {item.issuer}, number {item.instrument_number}"


class _OfPermit(forms.Form):
    """A form about one of the instruments held for a permit."""

    def __init__(self, data: Any = None, *, permit: Permit, on: date) -> None:
        super().__init__(data)
        self.held: dict[Any, Held] = {each.instrument: each for each in self.choose(permit, on)}
        self.fields["instrument"] = choice("Which instrument?", list(self.held.values()))
        self.order_fields(["instrument"])

    def choose(self, permit: Permit, on: date) -> list[Held]:
        """Return the instruments to choose from."""
        return held_of(permit, on=on)


class RenewForm(_OfPermit):
    """A bond or letter of credit that its issuer renewed."""

    expires_on = DayField(
        label="Good until",
        help_text="Leave it empty if it does not expire any more.",
        required=False,
    )
    number = Line(label="Number of the rider or amendment", max_length=100, required=False)
    note = Line(label="Note", max_length=300, required=False, width="w-wide")

    def choose(self, permit: Permit, on: date) -> list[Held]:
        return held_of(permit, on=on, promised=True)

    def clean(self) -> dict[str, Any]:
        answers: dict[str, Any] = super().clean() or {}
        each = self.held.get(answers.get("instrument"))
        if each is None or "expires_on" not in answers:
            return answers
        if why := keeping.why_not_renew(each, answers["expires_on"]):
            self.add_error("expires_on", why)
        return answers


class OwnerForm(_OfPermit):
    """Whose the money is, as somebody said it."""

    name = Line(label="Owner", max_length=400, width="w-wide")
    address = Paragraph(label="Mailing address of the owner", max_length=600)
    why = Paragraph(
        label="Who said so, and how?",
        help_text="For example: assignment signed by both on May 4, 2027.",
        max_length=2000,
    )


class ReplaceForm(InstrumentForm):
    """A new instrument in the place of one that is held; posted before the old one goes."""

    def __init__(self, data: Any, *, permit: Permit, on: date, **kwargs: Any) -> None:
        super().__init__(data, prefix="escrow-0", **kwargs)
        self.day = on
        self.held: dict[Any, Held] = {each.instrument: each for each in held_of(permit, on=on)}
        self.fields["old"] = choice("In the place of", list(self.held.values()))
        self.order_fields(["old"])

    def clean(self) -> dict[str, Any]:
        answers = super().clean()
        each = self.held.get(answers.get("old"))
        if each is None or not answers.get("amount") or self.errors:
            return answers
        if why := keeping.why_not_replace(each, self.instrument(), on=self.day):
            self.add_error("amount", why)
        return answers
