"""What the clerk enters about the roll: layouts, parcels, and what the roll did."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from escrow.models import ParcelNote, RollLayout, RollOutcome
from permits.forms.counter import MoneyField, PastDayField
from permits.forms.fields import Line, OneOf, Paragraph
from permits.forms.repeated import RowsFormSet
from permits.models import Site
from portal import clock

from .columns import SOURCES

__all__ = [
    "CollectForm",
    "LayoutChoice",
    "LayoutForm",
    "ParcelForm",
    "ParcelNoteForm",
    "SettleForm",
    "current_layouts",
]

ELEMENT = re.compile(r"[A-Za-z_][\w.-]*(/[A-Za-z_][\w.-]*)*", re.ASCII)


def current_layouts() -> list[RollLayout]:
    """Return the newest row of each layout that is in use."""
    newest: dict[str, RollLayout] = {}
    for layout in RollLayout.objects.order_by("pk"):
        newest[layout.name] = layout
    return [layout for _, layout in sorted(newest.items()) if not layout.retired]


class LayoutChoice(forms.Form):
    """In which layout the file is made."""

    layout = forms.ModelChoiceField(label="Layout of the file", queryset=RollLayout.objects.none())

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        known = current_layouts()
        field: Any = self.fields["layout"]
        field.queryset = RollLayout.objects.filter(pk__in=[layout.pk for layout in known])
        field.empty_label = None


class ColumnForm(forms.Form):
    """One column of a layout."""

    name = Line(label="Name", max_length=120, width="w-wide")
    source = forms.ChoiceField(
        label="Holds", choices=[(key, words) for key, (words, _) in SOURCES.items()]
    )
    width = forms.IntegerField(label="Width", min_value=1, max_value=400, required=False)
    align = forms.ChoiceField(
        label="Stands", choices=[("left", "left"), ("right", "right")], required=False
    )
    fill = forms.CharField(label="Filled with", max_length=1, required=False, strip=False)
    implied = forms.IntegerField(label="Implied decimals", min_value=0, max_value=4, required=False)
    constant = Line(label="The same text", max_length=120, required=False)

    def has_changed(self) -> bool:
        """A row counts once it has a name."""
        return bool(self.data.get(self.add_prefix("name"), "").strip()) if self.is_bound else False


ColumnFormSet: type[Any] = forms.formset_factory(
    ColumnForm, formset=RowsFormSet, extra=2, max_num=60, absolute_max=60
)


class LayoutForm(forms.ModelForm):  # type: ignore[type-arg]
    """A layout of the county: kept as a new row; files made before keep theirs."""

    class Meta:
        model = RollLayout
        fields = (
            *("name", "format", "header", "delimiter", "encoding", "county_code", "muni_code"),
            *("charge_code", "assessment_code", "description", "parcel_form", "parcel_example"),
        )
        labels = {
            "header": "The first line has the names of the columns",
            "delimiter": "Between the columns of a CSV",
            "muni_code": "Municipality code",
            "charge_code": "Code of a special charge",
            "assessment_code": "Code of an assessment",
            "description": "Description, at most 30 characters",
            "parcel_form": "Form of the county's parcel numbers",
            "parcel_example": "An example of one",
        }
        help_texts = {
            "parcel_form": "A regular expression, such as \\d{4}-\\d{4}-\\d{3}; empty takes any.",
        }

    def __init__(self, data: Any = None, *, instance: RollLayout) -> None:
        super().__init__(data, instance=instance)
        self.rows = ColumnFormSet(data, prefix="column", initial=instance.columns)

    def clean_parcel_form(self) -> str:
        """Refuse what is no pattern."""
        text: str = self.cleaned_data["parcel_form"]
        try:
            re.compile(text)
        except re.error as error:
            raise ValidationError("This is no regular expression.") from error
        return text

    def is_valid(self) -> bool:
        """Whether the layout and every column can be taken."""
        valid = super().is_valid()
        return self._rows_fit() and valid

    def _rows_fit(self) -> bool:
        if not self.rows.is_valid():
            return False
        kind = self.data.get("format")
        for row in self.rows.forms:
            if not row.has_changed():
                continue
            if kind == RollLayout.Format.FIXED and not row.cleaned_data.get("width"):
                row.add_error("width", "A column of a fixed-width file has a width.")
            if kind == RollLayout.Format.XML and not ELEMENT.fullmatch(row.cleaned_data["name"]):
                row.add_error("name", "Write element names with / between them.")
        sources = {row["source"] for row in self.rows.filled()}
        if not {"parcel_number", "amount"} <= sources:
            self.add_error(None, "A file for the roll has the parcel number and the amount.")
        return not any(row.errors for row in self.rows.forms) and not self.non_field_errors()

    def layout(self, by: Any) -> RollLayout:
        """Store the layout as a new row."""
        made: RollLayout = self.instance
        made.pk = None
        made._state.adding = True
        made.columns = [_column(row) for row in self.rows.filled()]
        made.entered_by, made.entered_at = by, clock.now()
        made.save(force_insert=True)
        return made


def _column(row: dict[str, Any]) -> dict[str, Any]:
    wanted = ("name", "source", "width", "align", "fill", "implied", "constant")
    return {key: row[key] for key in wanted if row.get(key) not in (None, "")}


class ParcelForm(forms.Form):
    """A parcel number, kept as the county writes it."""

    number = Line(
        label="Parcel number",
        help_text="As it stands on the tax bill, with its zeros and points.",
        max_length=60,
    )

    def __init__(self, data: Any = None, *, site: Site) -> None:
        super().__init__(data)
        self.site = site

    def clean_number(self) -> str:
        """Refuse a parcel that the case has already."""
        number: str = self.cleaned_data["number"]
        if self.site.parcels.filter(number=number).exists():
            raise ValidationError("This parcel belongs to the case already.")
        return number


class ParcelNoteForm(forms.Form):
    """What the clerk learned of a parcel."""

    kind = OneOf(label="What", choices=ParcelNote.Kind.choices)
    on = PastDayField(label="Since or on")
    owner_name = Line(label="Owner", max_length=400, required=False, width="w-wide")
    owner_address = Paragraph(label="Owner's mailing address", required=False, max_length=1000)
    note = Paragraph(label="Note", required=False, max_length=2000)

    def clean(self) -> dict[str, Any]:
        """An owner has a name."""
        answers: dict[str, Any] = super().clean() or {}
        if answers.get("kind") == ParcelNote.Kind.OWNER and not answers.get("owner_name"):
            self.add_error("owner_name", "Write who owns it now.")
        return answers


class CollectForm(forms.Form):
    """What the treasurer says was collected."""

    amount = MoneyField(label="Amount")
    on = PastDayField(label="Collected on")
    reference = Line(label="Reference of the settlement", max_length=60, required=False)


class SettleForm(forms.Form):
    """What became at the treasurer's of a part that no certified batch told the roll."""

    kind = OneOf(label="What did the treasurer do?")
    on = PastDayField(label="On")
    reference = Line(
        label="Number of the letter or of the settlement", max_length=60, required=False
    )
    reason = Paragraph(label="How is it known?", max_length=2000)

    def __init__(self, data: Any = None, *, again: bool = False) -> None:
        super().__init__(data)
        kinds = [RollOutcome.Kind.REOPENED] if again else RollOutcome.SETTLED
        field: Any = self.fields["kind"]
        field.choices = [(kind.value, kind.label) for kind in kinds]
