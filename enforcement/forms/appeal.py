"""What is asked of somebody who appeals, and of those who keep the appeal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from enforcement.acts.appeals import Appellant
from enforcement.appealable import AppealableAct
from enforcement.models import Appeal
from inspections.photos import PhotosField
from permits.forms.counter import ComingDayField, PastDayField
from permits.forms.fields import EmailLine, Line, OneOf, Paragraph, TelephoneField
from portal.formats import long_date
from portal.models import Upload
from portal.uploads.fields import UploadsField

__all__ = [
    "MOST_FILES",
    "AppealForm",
    "CarryOutForm",
    "DecisionForm",
    "FeeForm",
    "HearingForm",
    "PaperAppealForm",
    "PerilForm",
    "WithdrawForm",
]

MOST_FILES = 6
LONGEST = 10_000


class AppealForm(forms.Form):
    """An appeal by anybody: what is appealed, who appeals, and why."""

    act = OneOf(
        label="What do you appeal?",
        error_messages={"required": "Choose the decision or order that you appeal."},
    )
    name = Line(label="Your name", max_length=400, error_messages={"required": "Write your name."})
    capacity = Line(
        label="How does it concern you?",
        max_length=200,
        width="w-wide",
        help_text="Such as: permittee; owner of the lot next door; I live downstream.",
        error_messages={"required": "Say how the decision or order concerns you."},
    )
    mailing_address = Paragraph(
        label="Your mailing address",
        rows=3,
        max_length=600,
        help_text="The board's notices go there.",
        error_messages={"required": "Write where the board's notices are to go."},
    )
    email = EmailLine(
        label="Your e-mail address",
        required=False,
        help_text="For the receipt and a copy of every notice.",
    )
    telephone = TelephoneField(label="Your telephone number", required=False)
    grounds = Paragraph(
        label="Why do you appeal?",
        rows=6,
        max_length=LONGEST,
        help_text="What is wrong with it, in your own words.",
        error_messages={"required": "Say why: the board needs the grounds of an appeal."},
    )
    relief = Paragraph(
        label="What should the board do?",
        rows=3,
        max_length=LONGEST,
        required=False,
        help_text="Such as: reverse the order; give more days.",
    )
    files = UploadsField(  # type: ignore[assignment]  # a field, not the form's own files
        label="Photos and papers",
        required=False,
        help_text=f"PDF, JPEG, PNG or HEIC, up to {MOST_FILES}, several at once.",
    )
    website = forms.CharField(label="Leave this empty", required=False)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        acts: Sequence[AppealableAct],
        on: date,
        kept: Sequence[Upload] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(data, **kwargs)
        self.acts = {act.token: act for act in acts}
        self.kept = list(kept)
        field: Any = self.fields["act"]
        field.choices = [(act.token, _label(act, on)) for act in acts]
        if len(acts) == 1:
            self.initial.setdefault("act", acts[0].token)
        self.fields["website"].widget.attrs |= {"tabindex": "-1", "autocomplete": "off"}

    def clean_website(self) -> str:
        """Refuse what only a machine fills in, in words for a person whose browser did."""
        if self.cleaned_data["website"]:
            raise ValidationError("Leave this field empty, and send the appeal again.")
        return ""

    @property
    def chosen(self) -> AppealableAct:
        """The act that is appealed."""
        return self.acts[self.cleaned_data["act"]]

    def appellant(self) -> Appellant:
        """Return who appeals."""
        answers = self.cleaned_data
        return Appellant(
            name=answers["name"],
            capacity=answers["capacity"],
            mailing_address=answers["mailing_address"],
            email=answers["email"],
            telephone=answers["telephone"],
        )


def _label(act: AppealableAct, on: date) -> str:
    last = long_date(act.deadline.on)
    passed = ": that day has passed" if act.is_late(on) else ""
    return f"{act.title}, of {long_date(act.made_on)}. Last day to appeal {last}{passed}."


class PaperAppealForm(AppealForm):
    """An appeal that came on paper, entered by somebody who works for the city."""

    received_on = PastDayField(
        label="On which day did it come in?",
        help_text="The day that counts: by hand or by post, at city hall.",
    )
    paper_reason = Paragraph(
        label="How did it come in, and why is it entered now?",
        rows=2,
        max_length=1000,
        help_text="Such as: by post, opened after the weekend. It stays on record.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        wording = {
            "act": "What is appealed?",
            "name": "Name of the appellant",
            "capacity": "How does it concern the appellant?",
            "mailing_address": "Mailing address of the appellant",
            "email": "E-mail address of the appellant",
            "telephone": "Telephone number of the appellant",
            "grounds": "The grounds, as they are written",
            "relief": "What the appellant asks for",
            "files": "Scan of the appeal, photos and papers",
        }
        for name, label in wording.items():
            self.fields[name].label = label
        del self.fields["website"]
        self.order_fields(["received_on", "paper_reason"])

    def clean(self) -> dict[str, Any]:
        """Refuse a day before the act that is appealed."""
        answers: dict[str, Any] = super().clean() or {}
        day, act = answers.get("received_on"), self.acts.get(answers.get("act", ""))
        if day and act and day < act.made_on:
            made = long_date(act.made_on)
            self.add_error("received_on", f"It was made on {made}. Choose that day or a later one.")
        return answers


class PerilForm(forms.Form):
    """The facts that show imminent peril."""

    facts = Paragraph(
        label="Which facts show that the stay would cause imminent peril to life or property?",
        help_text="What may happen, to whom or what, and why before the board can decide. All "
        "parties read this.",
        rows=6,
        max_length=LONGEST,
    )


class HearingForm(forms.Form):
    """Day, time and place of the hearing."""

    held_on = ComingDayField(label="On which day is the hearing?")
    at = forms.TimeField(
        label="At what time?",
        widget=forms.TimeInput(attrs={"class": "w-date", "type": "time"}, format="%H:%M"),
        input_formats=["%H:%M", "%H:%M:%S", "%I:%M %p", "%I %p"],
        error_messages={"invalid": "Write a time of the day, such as 18:30 or 6:30 PM."},
    )
    place = Line(
        label="Where?", max_length=300, width="w-wide", help_text="Room and address of the hearing."
    )

    @property
    def time(self) -> time:
        """The time as it was read."""
        found: time = self.cleaned_data["at"]
        return found


class DecisionForm(forms.Form):
    """What the board decided, by the day on which its decision was filed."""

    outcome = OneOf(label="What did the board decide?", choices=Appeal.Outcome.choices)
    filed_on = PastDayField(
        label="On which day was the decision filed?",
        help_text="The stay ends on it, and the days for further review run from it.",
    )
    text = Paragraph(
        label="The decision, and what it orders",
        required=False,
        rows=6,
        max_length=LONGEST,
        help_text="All parties read this. It may be left empty where the decision is added as a "
        "file.",
    )
    photos = PhotosField()

    def __init__(self, data: Any = None, *, appeal: Appeal, kept: int = 0) -> None:
        super().__init__(data)
        self.appeal, self.kept = appeal, kept
        self.fields["photos"].label = "The decision as a file"
        self.fields["photos"].help_text = "PDF, JPEG, PNG or HEIC."

    def clean_filed_on(self) -> date:
        """Refuse a day before the appeal."""
        day: date = self.cleaned_data["filed_on"]
        if day < self.appeal.filed_on:
            filed = long_date(self.appeal.filed_on)
            raise ValidationError(f"The appeal was filed on {filed}. Choose that day or a later.")
        return day

    def clean(self) -> dict[str, Any]:
        """Ask for the words of the decision or its file."""
        answers: dict[str, Any] = super().clean() or {}
        field: Any = self.fields["photos"]
        here = field.kept + len(answers.get("photos") or ())
        if field.collected is not None:
            here += len(field.collected.repeated)
        if not answers.get("text", "").strip() and not here and "photos" not in self.errors:
            self.add_error("text", "Write what the board decided, or add its decision as a file.")
        return answers


class WithdrawForm(forms.Form):
    """Why an appeal is withdrawn; the day, where a letter said so."""

    withdrawn_on = PastDayField(label="On which day did the withdrawal come in?")
    reason = Paragraph(label="Reason", rows=3, max_length=2000, required=False)

    def __init__(self, data: Any = None, *, appeal: Appeal, by_letter: bool) -> None:
        super().__init__(data)
        self.appeal = appeal
        if by_letter:
            self.fields["reason"].label = "How did it come in?"
            self.fields["reason"].required = True
        else:
            del self.fields["withdrawn_on"]

    def clean_withdrawn_on(self) -> date:
        """Refuse a day before the appeal."""
        day: date = self.cleaned_data["withdrawn_on"]
        if day < self.appeal.filed_on:
            filed = long_date(self.appeal.filed_on)
            raise ValidationError(f"The appeal was filed on {filed}. Choose that day or a later.")
        return day


class FeeForm(forms.Form):
    """When the fee came in, and its receipt."""

    paid_on = PastDayField(label="On which day did the fee come in?")
    receipt_number = Line(label="Number of the receipt", max_length=40)


class CarryOutForm(forms.Form):
    """What was done about the board's decision."""

    how = Paragraph(
        label="What was done?",
        help_text="Such as: the permit was issued again with the board's condition.",
        rows=4,
        max_length=4000,
    )
