"""Form fields for days and amounts, as people write them.

A day is chosen or typed (`2026-12-08`, `12/8/2026`); an amount may have its dollar sign and
commas. What cannot be meant is asked again, and what was typed stays in the field.
"""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from portal import clock, formats

__all__ = ["AmountField", "DayField", "DayInput"]

OLDEST_YEAR = 2000
YEARS_AHEAD = 20
AMOUNT = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{1,2})?")
DAY_FORMATS = ["%Y-%m-%d", "%m/%d/%Y"]


class DayInput(forms.DateInput):
    """A day to choose; a day that was typed and is none stays in the field as text."""

    input_type = "date"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%Y-%m-%d")

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        shown = context["widget"]["value"]
        if shown and not _is_iso(str(shown)):
            context["widget"]["type"] = "text"
            context["widget"]["attrs"].setdefault("inputmode", "numeric")
        return context


def _is_iso(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


class DayField(forms.DateField):
    """A day of the calendar: month before day, four figures for the year."""

    widget = DayInput

    def __init__(self, *, past: bool = False, future: bool = False, **kwargs: Any) -> None:
        """`past` refuses days after today, `future` days before tomorrow."""
        super().__init__(input_formats=DAY_FORMATS, **kwargs)
        self.past, self.future = past, future

    def to_python(self, value: Any) -> date | None:
        text = value.strip() if isinstance(value, str) else value
        return super().to_python(text)

    def validate(self, value: date | None) -> None:
        super().validate(value)
        if value is None:
            return
        today = clock.today()
        if value.year < OLDEST_YEAR or value.year > today.year + YEARS_AHEAD:
            raise ValidationError(
                f"Look at the year: {value.year} can hardly be meant here.", "year"
            )
        if self.past and value > today:
            raise ValidationError(
                f"This day is still to come. Today is {formats.long_date(today)}.", "future"
            )
        if self.future and value <= today:
            raise ValidationError(f"Choose a day after today, {formats.long_date(today)}.", "past")


class AmountField(forms.DecimalField):
    """An amount of money: `2500`, `2,500.00`, `$2,500`."""

    default_error_messages = {
        "invalid": "Write an amount in dollars and cents, such as 2,500.00.",
        "positive": "Write an amount above zero.",
    }

    def __init__(self, **kwargs: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off"}
        kwargs.setdefault("widget", forms.TextInput(attrs=attrs))
        super().__init__(max_digits=12, decimal_places=2, **kwargs)

    def to_python(self, value: Any) -> Decimal | None:
        if isinstance(value, str):
            text = value.strip().removeprefix("$").strip()
            if text and not AMOUNT.fullmatch(text):
                raise ValidationError(self.error_messages["invalid"], "invalid")
            value = text.replace(",", "")
        return super().to_python(value)

    def validate(self, value: Decimal | None) -> None:
        super().validate(value)
        if value is not None and value <= 0:
            raise ValidationError(self.error_messages["positive"], "positive")
