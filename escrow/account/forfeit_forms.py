"""What is entered to propose a forfeiture and to decide it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms

from escrow.models import Instrument
from inspections.models import Visit
from permits.forms.fields import Paragraph
from permits.models import Permit
from portal.formats import long_date

from .deciding import whole
from .forfeiting import Demanded, visits
from .release_forms import DecideForm

__all__ = ["DecideForfeitureForm", "ProposeForfeitureForm"]


class ProposeForfeitureForm(forms.Form):
    """The inspector's finding: what is not complete, and the visit that shows it."""

    what_is_open = Paragraph(
        label="What is not complete?", help_text="It stands in the notice.", max_length=4000
    )
    visit = forms.ModelChoiceField(
        label="The visit after the last day at which you saw it", queryset=Visit.objects.none()
    )

    def __init__(self, data: Any = None, *, permit: Permit, on: date) -> None:
        super().__init__(data)
        field: Any = self.fields["visit"]
        field.queryset = Visit.objects.filter(pk__in=[each.pk for each in visits(permit, on=on)])
        field.empty_label = None
        field.label_from_instance = lambda visit: f"{long_date(visit.visited_on)}"


class DecideForfeitureForm(DecideForm):
    """The second person's decision, and where demands to banks and sureties go."""

    def __init__(self, data: Any = None, *, permit: Permit, on: date, may_approve: bool) -> None:
        super().__init__(data, may_approve=may_approve)
        promised = [each.instrument for each in whole(permit, on=on)] if may_approve else []
        self.promised = [item for item in promised if not item.is_cash]
        for item in self.promised:
            self.fields[f"address_{item.pk}"] = Paragraph(
                label=f"Address of {item.issuer}", max_length=600, required=False
            )
            self.fields[f"papers_{item.pk}"] = Paragraph(
                label=f"Papers that go with the demand to {item.issuer}",
                help_text="As the text of the instrument asks for, one on each line.",
                initial=item.demand_needs,
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        answers = super().clean()
        for item in self.promised if self.approves else []:
            if not answers.get(f"address_{item.pk}"):
                self.add_error(f"address_{item.pk}", "Where does the demand go?")
        return answers

    def demands(self) -> Mapping[Instrument, Demanded]:
        """Return where each demand goes, and its papers."""
        answers = self.cleaned_data
        return {
            item: Demanded(
                answers.get(f"address_{item.pk}", ""), answers.get(f"papers_{item.pk}", "")
            )
            for item in self.promised
        }
