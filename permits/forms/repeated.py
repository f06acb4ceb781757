"""Rows of a form: any may stay empty, and one more is added without losing what was typed."""

from __future__ import annotations

from typing import Any, TypeVar

from django import forms

__all__ = ["RowsFormSet", "typed_rows"]

Row = TypeVar("Row", bound=forms.Form)


class RowsFormSet(forms.BaseFormSet[Row]):
    """Rows that people fill in one after the other; empty ones are left out."""

    def initial_form_count(self) -> int:
        """None of the rows must be filled in."""
        return 0

    def total_form_count(self) -> int:
        """The rows that came, or those to show again and the empty ones after them."""
        if self.is_bound:
            return super().total_form_count()
        return min(len(self.initial or ()) + self.extra, self.max_num)

    def filled(self) -> list[dict[str, Any]]:
        """Return the answers of every row that says something."""
        return [form.cleaned_data for form in self.forms if form.has_changed()]


def typed_rows(formset: RowsFormSet[Any]) -> list[dict[str, Any]]:
    """Return what was typed into each row as it was typed, to show it again unjudged."""
    return [
        {
            name: field.widget.value_from_datadict(form.data, form.files, form.add_prefix(name))
            for name, field in form.fields.items()
        }
        for form in formset.forms
    ]
