"""What every row of money has: who entered it, when, and the token of the form."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Generic, Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Sum

from portal import clock
from portal.models import current_operation

CENT = Decimal("0.01")
NOTHING = Decimal("0.00")

Row = TypeVar("Row", bound=models.Model)


def cents(amount: Any) -> Decimal:
    """Return a sum in dollars and cents; SQLite drops the zeros."""
    return Decimal(amount or 0).quantize(CENT)


class MoneyQuerySet(models.QuerySet[Row], Generic[Row]):
    """Rows whose balance is their sum; it is never stored."""

    def balance(self) -> Decimal:
        """Return the sum of the rows in dollars."""
        return cents(self.aggregate(total=Sum("amount"))["total"])

    def up_to(self, on: Any) -> Self:
        """Rows of a day and before it."""
        return self.filter(on__lte=on)


class MoneyRow(models.Model):
    """A fact of money: added once, never changed; a correction is a reversing row.

    `on` is the day of the fact, by which the books go; `at` the moment of its entry.
    """

    on = models.DateField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        abstract = True


def dollars(**kwargs: Any) -> models.DecimalField[Any, Any]:
    """Return a column for an amount: to the cent, up to ten digits before the point."""
    return models.DecimalField(max_digits=12, decimal_places=2, **kwargs)
