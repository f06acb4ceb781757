"""The request to the city attorney, and what the attorney records of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from enforcement.models import RequestStep
from permits.forms.counter import PastDayField
from permits.forms.fields import Line, OneOf, Paragraph
from portal.city import worded

__all__ = ["RequestForm", "StepForm"]

LONGEST = 4000


class RequestForm(forms.Form):
    """What the person did after the order, and why the city does not wait."""

    facts = Paragraph(
        label="What did the person do after the order?",
        help_text="What was seen, and on which days. It stands in the request as you write it.",
        rows=5,
        max_length=LONGEST,
    )
    before_safe_why = Paragraph(
        label="Why can it not wait until the safe day?",
        help_text="It stands in the request.",
        rows=2,
        max_length=LONGEST,
    )
    despite_application = Paragraph(
        label="Why does the city not wait for the application?",
        help_text="It stands in the request.",
        rows=3,
        max_length=LONGEST,
    )

    def __init__(self, data: Any = None, *, needs_reason: bool, is_held: bool) -> None:
        super().__init__(data)
        if not needs_reason:
            del self.fields["before_safe_why"]
        if not is_held:
            del self.fields["despite_application"]


class StepForm(forms.Form):
    """What became of the request, and on which day."""

    kind = OneOf(label="What happened?")
    day = PastDayField(label="On which day?")
    court_case = Line(
        label="Number of the court case",
        help_text="Needed when it is filed with the court.",
        max_length=60,
        required=False,
    )
    note = Paragraph(
        label="Note",
        help_text=worded(
            "Needed when the request is closed without an order. The {inspector_short} reads it."
        ),
        rows=3,
        max_length=LONGEST,
        required=False,
    )

    def __init__(self, data: Any = None, *, steps: Sequence[RequestStep.Kind]) -> None:
        super().__init__(data)
        kind: Any = self.fields["kind"]
        kind.choices = [(step.value, step.label) for step in steps]
        if len(steps) == 1:
            self.initial["kind"] = steps[0].value
        self.obtained = RequestStep.Kind.CLOSED in steps and len(steps) == 1

    def clean(self) -> dict[str, Any]:
        """Ask for the number of the case, and for the reason of an early end."""
        cleaned: dict[str, Any] = super().clean() or {}
        kind = cleaned.get("kind")
        if kind == RequestStep.Kind.FILED and not cleaned.get("court_case"):
            self.add_error("court_case", "Write the number under which the court has the case.")
        if kind == RequestStep.Kind.CLOSED and not self.obtained and not cleaned.get("note"):
            self.add_error("note", "Say why the request is closed without an order of the court.")
        return cleaned
