"""What the city enters when it decides an application and takes its fee."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from permits.models import Application, FeeEntry, PlanRevision, PlanSheet, RequiredChange
from permits.models.decision import amount_setters
from portal import city, formats
from portal.city import worded

from .counter import ComingDayField, MoneyField, PastDayField
from .fields import Line, OneOf, Paragraph, YesNo, asked
from .repeated import RowsFormSet, typed_rows
from .staying import StayingRows, StayingSet, practices_of

__all__ = [
    "ChangeForm",
    "ChangeFormSet",
    "ControlsDateForm",
    "DenyForm",
    "FeeForm",
    "GrantForm",
    "ReasonForm",
]

SECTIONS = {
    "plan": "what the plan must contain",
    "devices": "control devices",
    "completion": "permanent cover and its date",
    "maintenance": "maintenance agreement",
    "site": "waste, tracking and inlets",
    "activities": "what the permit is for",
}
"""The sections that a required change of the plan may rest on, in words."""

Choices = list[tuple[str, str]]
CHANGE_PARTS = ("section", "sheet", "text")
MOST_CHANGES = 60
LONGEST_SHEET = 120
NOTHING_REQUIRED = (
    "Write at least one required change: a denial says what the plan must add or modify."
)


NO_PRACTICE = "Name at least one practice that stays: the agreement is about it."


class GrantForm(forms.Form):
    """The terms of a grant. § 40-886(c), former § 17.19(4)(c) and (d)"""

    conditions = Paragraph(
        label="Conditions of the permit",
        help_text="One on each line. Leave it empty if there are none.",
        required=False,
        max_length=8000,
        rows=4,
    )
    escrow_amount = MoneyField(
        label="Escrow", help_text="In dollars. It guarantees the required control devices."
    )
    escrow_set_by = OneOf(
        label="Who set the amount?", choices=lambda: list(amount_setters().items())
    )
    escrow_basis = Paragraph(
        label="How was the amount worked out?",
        help_text="The applicant reads this. For example: silt fence 240 feet at $3, seeding $900.",
        max_length=2000,
        rows=3,
    )
    permanent_controls_by = ComingDayField(
        label="Date for the permanent controls",
        help_text=worded(
            "The permit names this day. A certificate of occupancy may make it earlier, "
            "and one issued in winter may make it {cover_due}."
        ),
    )
    maintenance_agreement = YesNo(
        label="Is a maintenance agreement required?",
        help_text="It is where practices stay after the work is done. Name each of them below.",
    )
    note = Paragraph(
        label="Note to the applicant",
        required=False,
        max_length=4000,
        rows=3,
    )

    def __init__(self, *args: Any, application: Application, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.application = application
        self.rows = self._rows(self.data if self.is_bound else None)
        if application.controls_cost:
            cost = formats.money(application.controls_cost)
            field = self.fields["escrow_amount"]
            field.help_text = f"{field.help_text} The applicant puts the controls at {cost}."

    def _rows(self, data: Any) -> StayingRows:
        if data is not None and "practice-TOTAL_FORMS" in data:
            rows: StayingRows = StayingSet(data, prefix="practice")
            return rows
        plan = self.application.filed_revision()
        lasting = plan.devices.filter(permanent=True) if plan else ()
        planned = [{"device": each.device, "place": each.place} for each in lasting]
        return StayingSet(prefix="practice", initial=planned)  # type: ignore[no-any-return]

    def add_row(self) -> None:
        """Show the practices as they were typed, unjudged, and an empty row after them."""
        self.rows = StayingSet(prefix="practice", initial=typed_rows(self.rows))
        self._errors = forms.utils.ErrorDict()

    def is_valid(self) -> bool:
        """Whether terms and practices can be taken; an agreement is about at least one."""
        valid = super().is_valid()
        required = self.cleaned_data.get("maintenance_agreement")
        if not required:
            return valid  # nothing stays, so what was begun there is left out
        if self.rows.is_bound and not self.rows.is_valid():
            return False
        if not self.rows.is_bound or not any(row.has_changed() for row in self.rows.forms):
            self.add_error("maintenance_agreement", NO_PRACTICE)
            return False
        return valid

    def practices(self) -> list[dict[str, Any]]:
        """Return the practices that stay; none where no agreement is required."""
        if not self.rows.is_bound or not self.cleaned_data["maintenance_agreement"]:
            return []
        return practices_of(self.rows)

    def clean_conditions(self) -> list[str]:
        """Return the conditions, one from each line that says something."""
        lines = [line.strip() for line in self.cleaned_data["conditions"].splitlines()]
        return [line for line in lines if line]

    def clean_permanent_controls_by(self) -> date:
        """Refuse a day before the work even begins."""
        day: date = self.cleaned_data["permanent_controls_by"]
        starts_on = self.application.starts_on
        if starts_on is not None and day < starts_on:
            begins = formats.long_date(starts_on)
            raise ValidationError(f"The work begins only on {begins}. Choose a later day.", "early")
        return day


class ControlsDateForm(forms.Form):
    """Another day for the permanent controls than the grant named, and why."""

    to = ComingDayField(label="New date for the permanent controls")
    reason = Paragraph(label="Why?", help_text="The parties read this.", max_length=2000, rows=3)


class ChangeForm(forms.Form):
    """One required change of the plan. § 40-886(c)"""

    text = Paragraph(
        label="What must be added or modified?",
        max_length=4000,
        rows=3,
    )
    section = forms.ChoiceField(label="Section", initial="plan")
    sheet = forms.ChoiceField(label="Sheet", required=False)

    def __init__(self, *args: Any, sections: Choices, sheets: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice: Any = self.fields["section"]
        choice.choices = sections
        choice = self.fields["sheet"]
        choice.choices = sheets


class BaseChangeFormSet(RowsFormSet[ChangeForm]):
    """The numbered required changes; empty rows are left out."""

    repeated: Sequence[dict[str, str]] = ()

    def clean(self) -> None:
        """Refuse a denial that requires nothing. § 40-886(c)"""
        if any(form.errors for form in self.forms) or self.repeated or self.filled():
            return
        if not self.forms:
            raise ValidationError(NOTHING_REQUIRED, "nothing")
        self.forms[0].add_error("text", NOTHING_REQUIRED)


ChangeFormSet: type[Any] = forms.formset_factory(
    ChangeForm, formset=BaseChangeFormSet, extra=1, max_num=MOST_CHANGES, absolute_max=MOST_CHANGES
)


class DenyForm(forms.Form):
    """The required changes of the plan, earlier ones that are still open first. § 40-886(c)"""

    again = forms.MultipleChoiceField(
        label="Which earlier changes are still open?",
        help_text="Those you mark are required again, before the new ones.",
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    note = Paragraph(
        label="Note to the applicant",
        required=False,
        max_length=4000,
        rows=3,
    )

    def __init__(
        self,
        data: Any = None,
        *,
        revision: PlanRevision | None,
        earlier: Sequence[RequiredChange],
        on: date,
    ) -> None:
        super().__init__(data)
        self.earlier = earlier
        if earlier:
            marks: Any = self.fields["again"]
            marks.choices = [(str(c.pk), f"{c.number}. {c.text}") for c in earlier]
        else:
            del self.fields["again"]
        sheets = revision.sheets.select_related("upload") if revision else ()
        self.row_choices = {"sections": section_choices(on), "sheets": sheet_choices(sheets)}
        self.rows = self._rows(data)

    def _rows(self, data: Any = None, **kwargs: Any) -> BaseChangeFormSet:
        rows: BaseChangeFormSet = ChangeFormSet(
            data, prefix="change", form_kwargs=self.row_choices, **kwargs
        )
        return rows

    def add_row(self) -> None:
        """Show the rows as they were typed, unjudged, and an empty one after them."""
        self.rows = self._rows(initial=typed_rows(self.rows))

    def is_valid(self) -> bool:
        valid = super().is_valid()
        self.rows.repeated = self.repeated() if valid else ()
        return self.rows.is_valid() and valid

    def repeated(self) -> list[dict[str, str]]:
        """Return the earlier changes that are required again."""
        marked = set(self.cleaned_data.get("again", []))
        return [
            {"section": change.section, "sheet": change.sheet, "text": change.text}
            for change in self.earlier
            if str(change.pk) in marked
        ]

    def changes(self) -> list[dict[str, str]]:
        """Return the required changes in the order of their numbers."""
        new = [{key: row[key] for key in CHANGE_PARTS} for row in self.rows.filled()]
        return [*self.repeated(), *new]


def section_choices(on: date) -> Choices:
    """Return the sections of the edition in force on a day that a change may rest on."""
    edition = city.edition_on(on)
    return [(key, f"{edition.section_label(key)}: {words}") for key, words in SECTIONS.items()]


def sheet_choices(sheets: Iterable[PlanSheet]) -> Choices:
    """Return the sheets by name, each name once."""
    names = dict.fromkeys(str(sheet)[:LONGEST_SHEET] for sheet in sheets)
    return [("", "No sheet in particular"), *((name, name) for name in names)]


class FeeForm(forms.Form):
    """How the fee came in, or by which resolution it was waived. § 40-886(b)"""

    PROOF = {
        "cash": ("receipt_number",),
        "check": ("receipt_number", "check_number"),
        "waiver": ("resolution",),
    }

    means = OneOf(
        label="How did the fee come in?",
        choices=[
            choice for choice in FeeEntry.Means.choices if choice[0] != FeeEntry.Means.REVERSAL
        ],
    )
    received_on = PastDayField(
        label="On which day did it come in?",
        help_text="The day it reached the counter or the mailbox, today or earlier. "
        "For a waiver: the day of the resolution.",
    )
    receipt_number = asked(
        Line(label="Receipt number", help_text="For cash and checks.", max_length=60)
    )
    check_number = asked(Line(label="Check number", help_text="For checks.", max_length=60))
    resolution = asked(
        Line(
            label="Number of the resolution",
            help_text=worded("For a waiver by the {council}."),
            max_length=60,
        )
    )

    def clean(self) -> dict[str, Any]:
        """Ask for the proof that goes with the means, and keep no other."""
        answers: dict[str, Any] = super().clean() or {}
        needed = self.PROOF.get(answers.get("means", ""), ())
        for name in needed:
            if not answers.get(name) and name not in self.errors:
                self.add_error(name, "Write this number: it is the proof of the fee.")
        for name in {"receipt_number", "check_number", "resolution"} - set(needed):
            answers[name] = ""
        return answers


class ReasonForm(forms.Form):
    """Why a posting is reversed."""

    reason = Paragraph(
        label="Why is it reversed?",
        help_text="The record keeps this, and the parties read it.",
        max_length=2000,
        rows=3,
    )
