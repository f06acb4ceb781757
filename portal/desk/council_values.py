"""What each value of the council may be, and when it may no longer take effect."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from enforcement.models import Appeal, StopWorkOrder
from permits.forms.fields import AmountField, Line
from permits.models import Application, Decision, PlanRevision
from portal.city import worded
from portal.desk.records.models import Answer
from portal.formats import money
from portal.models import CouncilValue
from portal.ordinance import LEGAL_HOLIDAY_RULES, Edition
from portal.ordinance.holidays import CITY_HALL_OPEN_BY_DEFAULT
from portal.ordinance.wording import capital, figure, month_day

__all__ = ["KINDS", "ValueKind", "judged_since"]

Key = CouncilValue.Key
LEAP_YEAR = 2000


@dataclass(frozen=True)
class ValueKind:
    """One thing the council sets: what it is for, how it is asked, kept and shown.

    What nothing here acts on is not offered: it could be entered, and would do nothing.
    """

    key: Key
    title: str
    purpose: str
    section: str
    field: Callable[[], forms.Field]
    show: Callable[[str], str]
    default: Callable[[Edition], str]
    keep: Callable[[Any], str] = str
    offered: bool = True


class YearDayField(Line):
    """A day of every year, as `11-15` or `November 15`."""

    def clean(self, value: Any) -> str:
        text = str(super().clean(value))
        found = re.fullmatch(r"(\d{1,2}|[A-Za-z]{3,9})\.?[-/\s]\s*(\d{1,2})", text.strip())
        if found:
            month, day = month_number(found[1]), int(found[2])
            try:
                date(LEAP_YEAR, month, day)
            except ValueError:
                month = 0
            if month and (month, day) != (2, 29):
                return f"{month:02d}-{day:02d}"
        raise ValidationError("Write month and day of every year, such as November 15.", "invalid")


class DeliveryField(YearDayField):
    """A day in December, at most the latest third Monday there is. Wis. Stat. § 74.03"""

    def clean(self, value: Any) -> str:
        text = super().clean(value)
        if not "12-02" <= text <= "12-21":
            raise ValidationError("Write a day from December 2 to December 21.", "invalid")
        return text


def month_number(text: str) -> int:
    """Return the month of 11, Nov or November; 0 for no month."""
    if text.isdigit():
        return int(text)
    names = (name.lower() for name in month_name)
    found = [n for n, name in enumerate(names) if n and name.startswith(text.lower())]
    return found[0] if len(found) == 1 else 0


def whole_days(most: int) -> Callable[[], forms.Field]:
    """Return a field for a number of days."""
    return lambda: forms.IntegerField(
        label="Days",
        min_value=1,
        max_value=most,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "class": "w-short"}),
    )


def holiday_field() -> forms.Field:
    """Return a field for the legal holidays on which city hall is open."""
    choices = [(rule.key, holiday_words(rule.name, rule.sentence)) for rule in LEGAL_HOLIDAY_RULES]
    return forms.MultipleChoiceField(
        label="City hall is open on",
        choices=choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="A legal holiday is never a working day of the ordinance, open or not. "
        "Those marked here count only for the safe date, which takes the strictest reading.",
    )


def holiday_words(name: str, sentence: str) -> str:
    """Return a holiday's name and its day: Veterans Day (November 11)."""
    return capital(name) if name == sentence else f"{capital(name)} ({sentence})"


def show_holidays(text: str) -> str:
    """Return the names of holidays from their keys."""
    names = {rule.key: rule.name for rule in LEGAL_HOLIDAY_RULES}
    return capital("; ".join(names[key] for key in text.split(",") if key in names)) or "None"


def show_year_day(text: str) -> str:
    """November 15."""
    month, _, day = text.partition("-")
    return month_day(int(month), int(day))


def show_amount(text: str) -> str:
    """$25.00."""
    try:
        return money(Decimal(text))
    except InvalidOperation:
        return text


def _amount_field() -> forms.Field:
    return AmountField(label="Dollars", places=2, most=100_000, prefix="$", example="25.00")


def _open_by_default(edition: Edition) -> str:
    return ",".join(
        rule.key for rule in LEGAL_HOLIDAY_RULES if rule.key in CITY_HALL_OPEN_BY_DEFAULT
    )


_KINDS = (
    ValueKind(
        Key.FEE,
        "Application fee",
        "What an application filed from that day on pays. One filed before pays the fee of its "
        "own day.",
        "permit",
        _amount_field,
        show_amount,
        lambda edition: str(edition.fee),
    ),
    ValueKind(
        Key.REVISION_REVIEW_DAYS,
        "Working days to review a plan revision",
        "The city's own promise for revisions filed from that day on; the ordinance sets none.",
        "permit",
        whole_days(60),
        lambda text: f"{text} working days",
        lambda edition: str(edition.revision_review_working_days),
    ),
    ValueKind(
        Key.APPEAL_DAYS,
        "Days to appeal",
        "The time to appeal to the board against a decision or order made from that day on.",
        "appeal",
        whole_days(365),
        lambda text: f"{text} days",
        lambda edition: str(edition.appeal_days),
    ),
    ValueKind(
        Key.APPEAL_FEE,
        "Fee for an appeal",
        "What an appeal to the board filed from that day on pays; none while the council has set "
        "none.",
        "appeal",
        _amount_field,
        show_amount,
        lambda edition: "",
    ),
    ValueKind(
        Key.RECORDS_PAGE,
        "Copy of a record",
        "What a page costs a requester of public records: its actual, necessary and direct cost. "
        "Nothing while the council has set nothing. Wis. Stat. § 19.35(3)(a)",
        "",
        _amount_field,
        show_amount,
        lambda edition: "",
    ),
    ValueKind(
        Key.RECORDS_HOUR,
        "Locating a record",
        "What an hour of locating records costs the city; asked only where it comes to $50 or "
        "more. Wis. Stat. § 19.35(3)(c)",
        "",
        _amount_field,
        show_amount,
        lambda edition: "",
    ),
    ValueKind(
        Key.OPEN_HOLIDAYS,
        "Legal holidays on which city hall is open",
        "They count for the safe dates of decisions. Takes effect on the day it is entered.",
        "permit",
        holiday_field,
        show_holidays,
        _open_by_default,
        keep=lambda chosen: ",".join(sorted(chosen)),
    ),
    ValueKind(
        Key.INTEREST_RATE,
        "Interest on assessments",
        worded("The rate on an assessment levied from that day on, for {years} at most."),
        "draws",
        lambda: AmountField(label="Percent a year", most=30, example="4.5"),
        lambda text: f"{figure(Decimal(text))} % a year",
        lambda edition: "",
    ),
    ValueKind(
        Key.ADMINISTRATIVE_FEE,
        "Administrative fee on assessments",
        "It is added to each assessment levied from that day on.",
        "draws",
        _amount_field,
        show_amount,
        lambda edition: "",
    ),
    ValueKind(
        Key.BILL_DAYS,
        "Time to pay a bill for city work",
        "The days after which a bill of that day or later is delinquent. The ordinance sets "
        "none: without a resolution no bill is made.",
        "enforcement",
        whole_days(180),
        lambda text: f"{text} days",
        lambda edition: "",
    ),
    ValueKind(
        Key.ESCROW_INTEREST,
        "Interest on cash escrow",
        "Kept as it was entered. The portal computes no interest on escrow.",
        "escrow",
        lambda: AmountField(label="Percent a year", most=30, example="0.5"),
        lambda text: f"{text} % a year",
        lambda edition: "",
        offered=False,
    ),
    ValueKind(
        Key.ROLL_CUTOFF,
        "Cut-off for the tax roll",
        "The last day of the year on which an unpaid bill still goes on that year's roll.",
        "enforcement",
        lambda: YearDayField(label="Month and day", help_text="Such as November 15 or 11-15."),
        show_year_day,
        lambda edition: "{:02d}-{:02d}".format(*edition.roll_cutoff),
    ),
    ValueKind(
        Key.ROLL_DELIVERY,
        "Tax roll to the treasurer",
        "From this day nothing is put on the year's roll or taken off it here, and what is on it "
        "is paid with the tax. By law December 8, or the third Monday of December where the city "
        "refunds escrow overpayments within 15 business days (Wis. Stat. § 74.03): that Monday is "
        "the last possible day, and holds while the council says nothing. What stands on "
        "December 1 holds for the roll of that year.",
        "enforcement",
        lambda: DeliveryField(label="Month and day", help_text="Such as December 8 or 12-08."),
        show_year_day,
        lambda edition: "",
    ),
)

KINDS: dict[str, ValueKind] = {str(kind.key): kind for kind in _KINDS}
"""What the council sets, in the order of a case."""


def judged_since(key: str, day: date) -> str:
    """Name the newest fact that was judged by the value before, on or after a day; or nothing.

    A value with such a date would change what was already paid, promised or told.
    """
    if key == Key.FEE:
        filed = Application.objects.filter(form_received_on__gte=day).order_by("-pk").first()
        return f"application {filed.number} was filed" if filed else ""
    if key == Key.REVISION_REVIEW_DAYS:
        revision = PlanRevision.objects.filter(filed_on__gte=day, number__gt=1)
        newest = revision.select_related("application").order_by("-pk").first()
        return f"plan revision {newest.number} of {newest.application} was filed" if newest else ""
    if key == Key.APPEAL_DAYS:
        decided = Decision.objects.filter(decided_on__gte=day).select_related("application")
        last = decided.order_by("-pk").first()
        if last:
            return f"application {last.application} was decided"
        order = StopWorkOrder.objects.filter(issued_on__gte=day).order_by("-pk").first()
        return f"stop-work order {order} was issued" if order else ""
    if key == Key.APPEAL_FEE:
        appeal = Appeal.objects.filter(filed_on__gte=day).order_by("-pk").first()
        return f"appeal {appeal} was filed" if appeal else ""
    if key in (Key.RECORDS_PAGE, Key.RECORDS_HOUR):
        given = Answer.objects.filter(on__gte=day).values_list("request__number", flat=True)
        number = max(given, default="")
        return f"request {number} was answered" if number else ""
    return ""
