"""What the clerk enters when an escrow is posted: one row for each instrument."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError

from escrow import acts
from escrow.models import Instrument
from permits.forms.counter import MoneyField, PastDayField
from permits.forms.fields import DayField, Line, asked
from permits.forms.repeated import RowsFormSet, typed_rows
from permits.models import Permit
from portal import clock, formats
from portal.models import Upload, User
from portal.uploads import limits
from portal.uploads.collect import Collected
from portal.uploads.fields import UploadsField
from portal.uploads.kinds import ACCEPTED

__all__ = ["SCAN_NAME", "InstrumentForm", "PostForm"]

MOST_INSTRUMENTS = 12
NOTHING_POSTED = "Enter at least one instrument: cash, a bond or a letter of credit."
PREFIX = "escrow"
SCAN_NAME = re.compile(rf"{PREFIX}-\d{{1,3}}-scan")
"""The names of the file fields of the rows."""


class InstrumentForm(forms.Form):
    """One instrument as it was handed in. Former § 17.19(4)(c)"""

    form = forms.ChoiceField(label="Form", choices=Instrument.Form.choices)
    amount = MoneyField(label="Amount")
    received_on = PastDayField(label="Received on", help_text="Today or earlier.")
    receipt_number = asked(
        Line(label="Receipt number", help_text="Needed for cash.", max_length=60)
    )
    remitter = Line(
        label="Who paid or handed it in", required=False, max_length=200, width="w-wide"
    )
    issuer = asked(
        Line(label="Issued by", help_text="The bank or surety.", max_length=200, width="w-wide")
    )
    instrument_number = asked(Line(label="Number of the bond or letter of credit", max_length=100))
    expires_on = DayField(
        label="Good until", help_text="Leave it empty if it does not expire.", required=False
    )
    renews_itself = forms.BooleanField(label="It renews itself", required=False)
    original_kept_at = Line(
        label="Where the original is kept", required=False, max_length=200, width="w-wide"
    )
    scan = UploadsField(
        label="Scan",
        help_text=f"{ACCEPTED}, up to {limits.megabytes(limits.file_bytes())}.",
        required=False,
    )
    scan_key = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, user: User, scans: dict[str, Collected], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["form"].initial = Instrument.Form.CASH
        self.fields["received_on"].initial = clock.today()
        field: Any = self.fields["scan"]
        field.take(scans.get(self.add_prefix("scan"), Collected()))
        field.widget.attrs.pop("multiple", None)  # one instrument, one scan

    def clean_scan_key(self) -> Upload | None:
        """Return the scan that this person has sent with this form, and no other file."""
        key: UUID | None = self.cleaned_data["scan_key"]
        if key is None:
            return None
        found = Upload.objects.filter(key=key, uploaded_by=self.user).first()
        if found is None:
            self.add_error("scan", "The scan is not there any more. Choose it again.")
        return found

    def clean(self) -> dict[str, Any]:
        """Ask for the proof that goes with the form of escrow."""
        answers: dict[str, Any] = super().clean() or {}
        is_cash = answers.get("form") == Instrument.Form.CASH
        needed = ("receipt_number",) if is_cash else ("issuer", "instrument_number")
        for name in needed:
            if not answers.get(name) and name not in self.errors:
                self.add_error(name, f"A {self._form_name(answers)} needs this.")
        self._check_expiry(answers, is_cash=is_cash)
        if is_cash:  # left over from a bond that was begun first
            answers |= {"issuer": "", "instrument_number": "", "renews_itself": False}
        return answers

    def _form_name(self, answers: dict[str, Any]) -> str:
        form = answers.get("form") or Instrument.Form.CASH
        return "cash escrow" if form == Instrument.Form.CASH else form.replace("_", " ")

    def _check_expiry(self, answers: dict[str, Any], *, is_cash: bool) -> None:
        expires_on: date | None = answers.get("expires_on")
        if expires_on is None:
            return
        if is_cash:
            self.add_error("expires_on", "Cash does not expire. Leave this empty.")
        elif expires_on < clock.today():
            day = formats.long_date(expires_on)
            self.add_error("expires_on", f"It expired on {day} and guarantees nothing any more.")

    def kept_scan(self) -> Upload | None:
        """Return the scan that is here already, to show its name."""
        try:
            key = UUID(str(self["scan_key"].value()))
        except ValueError:
            return None
        return Upload.objects.filter(key=key, uploaded_by=self.user).first()

    def answers(self) -> list[forms.BoundField]:
        """Return every field but the file chooser, to carry them to the next page."""
        return [self[name] for name in self.fields if name != "scan"]

    def instrument(self) -> Instrument:
        """Return the instrument, not stored yet."""
        answers = self.cleaned_data
        names = [field.name for field in Instrument._meta.fields if field.name in answers]
        known = {name: answers[name] for name in names if name != "scan"}
        return Instrument(scan=answers["scan_key"], **known)


class BaseInstrumentFormSet(RowsFormSet[InstrumentForm]):
    """The instruments that together cover the amount; empty rows are left out."""

    permit: Permit

    def clean(self) -> None:
        """Refuse what does not cover the amount to the cent, or cash above it."""
        if any(form.errors for form in self.forms):
            return
        found = self.instruments()
        if not found:
            if not self.forms:
                raise ValidationError(NOTHING_POSTED, "nothing")
            self.forms[0].add_error("amount", NOTHING_POSTED)
            return
        last = [form for form in self.forms if form.has_changed()][-1]
        for obstacle in acts.obstacles_to_post(self.permit, found, on=clock.today()):
            last.add_error("amount", obstacle.text)

    def instruments(self) -> list[Instrument]:
        """Return the instruments of the rows that say something."""
        return [form.instrument() for form in self.forms if form.has_changed()]


InstrumentFormSet: type[Any] = forms.formset_factory(
    InstrumentForm,
    formset=BaseInstrumentFormSet,
    extra=1,
    max_num=MOST_INSTRUMENTS,
    absolute_max=MOST_INSTRUMENTS,
)


class PostForm(forms.Form):
    """All instruments of one posting; they cover the amount together or not at all."""

    def __init__(
        self, data: Any = None, *, permit: Permit, user: User, scans: dict[str, Collected]
    ) -> None:
        super().__init__(data)
        self.permit = permit
        self.row_details = {"user": user, "scans": scans}
        self.rows = self._rows(data)

    def _rows(self, data: Any = None, **kwargs: Any) -> BaseInstrumentFormSet:
        rows: BaseInstrumentFormSet = InstrumentFormSet(
            data, prefix=PREFIX, form_kwargs=self.row_details, **kwargs
        )
        rows.permit = self.permit
        return rows

    def add_row(self) -> None:
        """Show the rows as they were typed, unjudged, and an empty one after them."""
        self.rows = self._rows(initial=typed_rows(self.rows))

    def is_valid(self) -> bool:
        valid = super().is_valid()
        return self.rows.is_valid() and valid

    def instruments(self) -> Sequence[Instrument]:
        """Return the instruments in their order."""
        return self.rows.instruments()
