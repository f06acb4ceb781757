"""What is entered at the counter: amounts in dollars, and days that have come or are to come."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError

from portal import clock, formats

from .fields import AmountField, DayField

__all__ = ["ComingDayField", "MoneyField", "PastDayField"]

ONE_CENT = Decimal("0.01")
MOST = Decimal("999999999.99")


class MoneyField(AmountField):
    """An amount above zero, to the cent: 2500, 2,500.00 or $2,500."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            places=2, least=ONE_CENT, most=MOST, example="2,500.00", prefix="$", **kwargs
        )


class PastDayField(DayField):
    """A day that has come: today or earlier."""

    def validate(self, value: date | None) -> None:
        """Ask again for a day that is still to come."""
        super().validate(value)
        today = clock.today()
        if value is not None and value > today:
            raise ValidationError(
                f"This day is still to come. Today is {formats.long_date(today)}.", "future"
            )


class ComingDayField(DayField):
    """A day that is still to come: after today."""

    def validate(self, value: date | None) -> None:
        """Ask again for a day that has come already."""
        super().validate(value)
        today = clock.today()
        if value is not None and value <= today:
            raise ValidationError(f"Choose a day after today, {formats.long_date(today)}.", "past")
