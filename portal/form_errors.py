"""What needs another look in the forms of a page, gathered for the top of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.forms import BaseForm
from django.forms.boundfield import BoundField
from django.forms.formsets import BaseFormSet

__all__ = ["ErrorEntry", "gather", "has_errors"]

GATHERED = "_errors_gathered"


@dataclass(frozen=True)
class ErrorEntry:
    """One error: what was asked, what is amiss, and the field to go to."""

    label: str
    text: str
    target: str

    @property
    def lead(self) -> str:
        """The question, so punctuated that the error can follow it."""
        return self.label if self.label.endswith(("?", ".", ":", "!")) else f"{self.label}:"


def has_errors(thing: Any) -> bool:
    """Whether a form, a formset, several forms as one or a list was sent and needs another look."""
    if isinstance(thing, BaseFormSet):
        return thing.is_bound and (any(thing.errors) or bool(thing.non_form_errors()))
    if isinstance(thing, BaseForm):
        return thing.is_bound and bool(thing.errors)
    if isinstance(thing, dict):
        return any(has_errors(each) for each in thing.values())
    if isinstance(thing, (list, tuple)):
        return any(has_errors(each) for each in thing)
    forms = getattr(thing, "forms", None)
    return isinstance(forms, list) and has_errors(forms)


def gather(things: Iterable[Any]) -> list[ErrorEntry]:
    """Return the errors of forms and formsets in the order of the page, each form once."""
    entries: list[ErrorEntry] = []
    for thing in things:
        if isinstance(thing, (list, tuple)):
            entries.extend(gather(thing))
        elif has_errors(thing) and not getattr(thing, GATHERED, False):
            setattr(thing, GATHERED, True)
            entries.extend(
                _of_formset(thing) if isinstance(thing, BaseFormSet) else _of_form(thing)
            )
    return entries


def _of_formset(formset: BaseFormSet[Any]) -> list[ErrorEntry]:
    entries = [ErrorEntry("", str(text), "") for text in formset.non_form_errors()]
    for form in formset.forms:
        setattr(form, GATHERED, True)
        entries.extend(_of_form(form))
    return entries


def _of_form(form: BaseForm) -> list[ErrorEntry]:
    entries = [ErrorEntry("", str(text), "") for text in form.non_field_errors()]
    part = getattr(form, "part", "")  # whose telephone, where a page asks for several
    for name in form.errors:
        if name in form.fields:
            field = form[name]
            label = f"{part}: {field.label}" if part else str(field.label)
            entries.extend(ErrorEntry(label, str(text), _target(field)) for text in field.errors)
    return entries


def _target(field: BoundField) -> str:
    """Return the id to jump to: the control, or the group of choices."""
    if field.is_hidden:
        return ""
    if field.use_fieldset:
        return f"div_{field.auto_id}"
    return str(field.id_for_label or field.auto_id)
