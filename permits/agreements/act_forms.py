"""What is entered when an agreement is signed, recorded, corrected, withdrawn, or the land sold."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.conf import settings

from permits.forms.counter import PastDayField
from permits.forms.fields import (
    EmailLine,
    Line,
    MailingAddressField,
    OneOf,
    Paragraph,
    TelephoneField,
    asked,
)
from permits.models import MaintenanceAgreement
from permits.photos import PhotosField
from portal.formats import long_date

from .practice_forms import PracticesForm

__all__ = [
    "ChangeForm",
    "CorrectForm",
    "EnterForm",
    "OwnerForm",
    "RecordForm",
    "RegisterForm",
    "SignForm",
    "WithdrawForm",
]


class ScanField(PhotosField):
    """The scan of an instrument: one PDF, or a picture."""

    def __init__(self, label: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.label = label
        asked(self)  # one that came with an earlier try is proof enough
        self.help_text = "One file, PDF or picture, with all pages. It is kept byte for byte."


class SignForm(forms.Form):
    """When the last of them signed, and the scan."""

    signed_on = PastDayField(label="Day of the last signature", help_text="As the notary wrote it.")
    photos = ScanField("Scan of the signed instrument")

    def __init__(self, data: Any = None, *, sent_on: date | None) -> None:
        super().__init__(data)
        self.sent_on = sent_on

    def clean_signed_on(self) -> date:
        """Refuse a day before the instrument was sent."""
        day: date = self.cleaned_data["signed_on"]
        if self.sent_on is not None and day < self.sent_on:
            raise forms.ValidationError(
                f"It was sent for signature only on {long_date(self.sent_on)}.", "early"
            )
        return day


class RegisterForm(forms.Form):
    """When the signed original went to the register of deeds."""

    sent_on = PastDayField(label="Sent or brought to the register on")

    def __init__(self, data: Any = None, *, signed_on: date | None) -> None:
        super().__init__(data)
        self.signed_on = signed_on

    def clean_sent_on(self) -> date:
        """Refuse a day before the last signature."""
        day: date = self.cleaned_data["sent_on"]
        if self.signed_on is not None and day < self.signed_on:
            raise forms.ValidationError(f"It was signed only on {long_date(self.signed_on)}.")
        return day


class RecordForm(forms.Form):
    """What the register of deeds stamped on the instrument."""

    document_number = Line(label="Document number", max_length=40)
    recorded_on = PastDayField(label="Recorded on", help_text="The day on the stamp.")
    county = Line(label="County", max_length=80)
    photos = ScanField("Scan of the recorded instrument")

    def __init__(self, data: Any = None, *, signed_on: date | None = None) -> None:
        super().__init__(data)
        self.signed_on = signed_on
        self.initial["county"] = settings.CITY["county"]

    def clean_recorded_on(self) -> date:
        """Refuse a day before the last signature."""
        day: date = self.cleaned_data["recorded_on"]
        if self.signed_on is not None and day < self.signed_on:
            raise forms.ValidationError(f"It was signed only on {long_date(self.signed_on)}.")
        return day

    def answers(self) -> dict[str, Any]:
        """Return what the register said."""
        names = ("document_number", "recorded_on", "county")
        return {name: self.cleaned_data[name] for name in names}


class CorrectForm(RecordForm):
    """What the register really stamped, and why it was entered otherwise."""

    reason = Paragraph(label="Why is it corrected?", max_length=2000, rows=3)

    def __init__(self, data: Any = None, *, agreement: MaintenanceAgreement) -> None:
        super().__init__(data, signed_on=agreement.signed_on)
        names = ("document_number", "recorded_on", "county")
        self.initial.update({name: getattr(agreement, name) for name in names})
        scan: Any = self.fields["photos"]
        scan.silent_optional = False
        scan.label = "Scan, only if the first one was wrong as well"


class WithdrawForm(forms.Form):
    """Why an instrument is given up."""

    reason = Paragraph(
        label="Why is it withdrawn?",
        help_text="Whoever was asked to sign reads this.",
        max_length=2000,
        rows=3,
    )


class ChangeForm(forms.Form):
    """Whether a recorded agreement is amended, or the land released from it."""

    kind = OneOf(
        label="What do you draft?",
        choices=[
            ("amendment", "An amendment: it states the agreement anew and takes its place"),
            ("release", "A release: the agreement ends, and nothing takes its place"),
        ],
    )


class EnterForm(PracticesForm):
    """An agreement that was recorded outside of the portal, as the register has it."""

    document_number = Line(label="Document number", max_length=40)
    recorded_on = PastDayField(label="Recorded on")
    county = Line(label="County", max_length=80)
    party_kind = OneOf(
        label="Who is responsible for the maintenance?",
        choices=MaintenanceAgreement.PartyKind.choices,
    )
    party_name = Line(label="Name of the person", max_length=200, required=False)
    party_organization = Line(
        label="Company, association or public body", max_length=200, required=False, width="w-wide"
    )
    party_address = MailingAddressField(label="Mailing address", max_length=400, rows=4)
    party_email = EmailLine(label="E-mail", required=False)
    party_telephone = TelephoneField(label="Telephone", required=False)

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.fields["photos"] = ScanField("Scan of the recorded agreement")
        self.initial["county"] = settings.CITY["county"]

    def clean(self) -> dict[str, Any]:
        answers: dict[str, Any] = super().clean() or {}
        if not answers.get("party_name") and not answers.get("party_organization"):
            self.add_error("party_name", "Name who is responsible.")
        return answers

    def is_valid(self) -> bool:
        valid = super().is_valid()
        if valid and not self._numbers():
            told = self.rows.forms[0] if self.rows.forms else self
            told.add_error("name" if self.rows.forms else None, "Name at least one practice.")
            return False
        return valid

    def words(self) -> dict[str, Any]:
        """Return who is responsible."""
        names = [name for name in self.fields if name.startswith("party_")]
        return {name: self.cleaned_data[name] for name in names}

    def register(self) -> dict[str, Any]:
        """Return what the register said."""
        names = ("document_number", "recorded_on", "county")
        return {name: self.cleaned_data[name] for name in names}


class OwnerForm(forms.Form):
    """Who owns the land now, since when, and how the city knows."""

    name = Line(label="Name of the new owner", max_length=200, required=False)
    organization = Line(
        label="Company, trust or body", max_length=200, required=False, width="w-wide"
    )
    mailing_address = MailingAddressField(
        label="Mailing address",
        help_text="The notice of the duty to maintain goes there.",
        max_length=400,
        rows=4,
    )
    email = EmailLine(label="E-mail", required=False)
    telephone = TelephoneField(label="Telephone", required=False)
    from_on = PastDayField(label="Owner since", help_text="The day of the deed.")
    source = Line(
        label="How does the city know?",
        help_text="Such as: warranty deed, document 1130001.",
        max_length=200,
        width="w-wide",
    )

    def clean(self) -> dict[str, Any]:
        answers: dict[str, Any] = super().clean() or {}
        if not answers.get("name") and not answers.get("organization"):
            self.add_error("name", "Name the new owner.")
        return answers
