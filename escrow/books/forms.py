"""What somebody asks of the books, and what the clerk enters at the end of a day."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django import forms
from django.db.models import Q

from escrow.books.cash import KINDS, WAYS, Asked
from escrow.journal import Scope
from permits.forms.counter import MOST, PastDayField
from permits.forms.fields import AmountField, DayField, Line, Paragraph
from permits.models import Parcel, Permit
from portal import clock, formats
from portal.models import Role, User
from portal.models.accounts import MACHINES

__all__ = ["BalanceForm", "BankForm", "CashForm", "CloseForm", "DepositForm"]

FIRST_YEAR = 1990


LONGEST = timedelta(days=366)


class Question(forms.Form):
    """Something that is asked by the address of a page, and nothing else."""

    def questions(self) -> dict[str, Any]:
        """Return what was asked, for the address of the same as a file."""
        return {name: self[name].value() for name in self.fields if self[name].value()}


class BalanceForm(Question):
    """Of what and up to when: everything, a permit, a parcel, a year."""

    on = DayField(label="Up to", required=False, help_text="Empty is today.")
    year = forms.IntegerField(
        label="Only of the year",
        required=False,
        min_value=FIRST_YEAR,
        error_messages={
            "invalid": "Write a year with four digits, such as 2026.",
            "min_value": "Write a year with four digits, such as 2026.",
        },
    )
    permit = Line(label="Only of the permit", required=False, help_text="Such as EC-2026-0042.")
    parcel = Line(label="Only of the parcel", required=False, help_text="Its number.")

    def clean_permit(self) -> Permit | None:
        """Return the permit of this number."""
        number = self.cleaned_data["permit"]
        if not number:
            return None
        found = Permit.objects.select_related("site").filter(number__iexact=number).first()
        if found is None:
            raise forms.ValidationError(f"There is no permit {number}.", "unknown")
        return found

    def clean_parcel(self) -> str:
        """Return the number of a parcel that some site has."""
        number: str = self.cleaned_data["parcel"]
        if number and not Parcel.objects.filter(number=number).exists():
            raise forms.ValidationError(
                f"No site has the parcel {number}. Write it with its dots and zeros.", "unknown"
            )
        return number

    def clean_year(self) -> int | None:
        """Return a year that has begun."""
        year: int | None = self.cleaned_data["year"]
        if year is not None and year > clock.today().year:
            raise forms.ValidationError(f"The year {year} has not begun.", "future")
        return year

    def span(self) -> tuple[date | None, date]:
        """Return the first day, if any, and the last."""
        until: date = self.cleaned_data["on"] or clock.today()
        year = self.cleaned_data["year"]
        if year is None:
            return None, until
        return date(year, 1, 1), min(until, date(year, 12, 31))

    def scope(self) -> Scope:
        """Return what the accounts are of."""
        scope: Scope = {}
        if permit := self.cleaned_data["permit"]:
            scope["permit"] = permit
        if number := self.cleaned_data["parcel"]:
            scope["sites"] = Parcel.objects.filter(number=number).values("site")
        return scope

    def title(self) -> str:
        """Return in words what the accounts are of, and of which days."""
        since, until = self.span()
        words = ["Trial balance"]
        if permit := self.cleaned_data["permit"]:
            words.append(f"of permit {permit}")
        if number := self.cleaned_data["parcel"]:
            words.append(f"of parcel {number}")
        if since:
            words.append(f"of the year {since.year}")
        words.append(f"up to {formats.long_date(until)}")
        return " ".join(words)


class CashForm(Question):
    """Which days of the cash book, and of which kind, way and person."""

    since = DayField(label="From", required=False, help_text="Empty is today.")
    until = DayField(label="To", required=False, help_text="Empty is the same day.")
    kind = forms.ChoiceField(
        label="Kind", required=False, choices=[("", "Every kind"), *KINDS.items()]
    )
    way = forms.ChoiceField(
        label="Way of payment",
        required=False,
        choices=[("", "Every way"), *((way, words) for way, words in WAYS.items() if way)],
    )
    by = forms.ModelChoiceField(
        label="Entered by",
        required=False,
        empty_label="Everybody",
        queryset=User.objects.filter(
            ~Q(role=Role.APPLICANT) | Q(email__endswith=MACHINES)
        ).order_by("name", "pk"),
    )

    def clean(self) -> dict[str, Any]:
        """Ask again for days that run backward or over more than a year."""
        answers: dict[str, Any] = super().clean() or {}
        if not self.errors:
            since = answers["since"] or answers["until"] or clock.today()
            until = answers["until"] or since
            answers |= {"since": since, "until": until}
            if until < since:
                self.add_error("until", "This day is before the first.")
            elif until - since > LONGEST:
                self.add_error("until", "Ask for one year at most.")
        return answers

    def asked(self) -> Asked:
        """Return the question."""
        answers = self.cleaned_data
        person: User | None = answers["by"]
        return Asked(
            since=answers["since"],
            until=answers["until"],
            kind=answers["kind"],
            way=answers["way"],
            by=person.pk if person else None,
        )


class BankForm(Question):
    """Of which days the money goes to the bank."""

    since = PastDayField(label="Taken from", required=False, help_text="Empty is today.")
    until = PastDayField(label="To", required=False, help_text="Empty is today.")

    def clean(self) -> dict[str, Any]:
        """Ask again for days that run backward or over more than a year."""
        answers: dict[str, Any] = super().clean() or {}
        if not self.errors:
            until = answers["until"] or clock.today()
            since = answers["since"] or until
            answers |= {"since": since, "until": until}
            if until < since:
                self.add_error("until", "This day is before the first.")
            elif until - since > LONGEST:
                self.add_error("until", "Take one year at most.")
        return answers

    def span(self) -> tuple[date, date]:
        """Return the first day and the last."""
        return self.cleaned_data["since"], self.cleaned_data["until"]


class DepositForm(forms.Form):
    """The total that the clerk saw when the button was pressed."""

    total = forms.DecimalField(max_digits=12, decimal_places=2)


def counted(label: str) -> AmountField:
    """A sum that was counted: nothing or more, to the cent."""
    return AmountField(
        label=label, places=2, least=Decimal(0), most=MOST, example="2,500.00 or 0", prefix="$"
    )


class CloseForm(forms.Form):
    """What was counted at the end of a day, beside what the books expected then."""

    day = PastDayField(label="Day", widget=forms.HiddenInput)
    counted_cash = counted("Cash counted")
    counted_checks = counted("Checks and money orders counted")
    why = Paragraph(
        label="Why it differs",
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Needed where what was counted differs from the books.",
    )
    expected_cash = forms.DecimalField(widget=forms.HiddenInput, decimal_places=2)
    expected_checks = forms.DecimalField(widget=forms.HiddenInput, decimal_places=2)

    def asked_day(self) -> date | None:
        """Return the day asked for; None where it cannot be meant."""
        try:
            found: date | None = self.fields["day"].clean(self["day"].value())
        except forms.ValidationError:
            return None
        return found

    def clean(self) -> dict[str, Any]:
        """Ask for the reason of a difference."""
        answers: dict[str, Any] = super().clean() or {}
        if not self.errors and not answers["why"]:
            for name in ("cash", "checks"):
                counted_now, by_books = answers[f"counted_{name}"], answers[f"expected_{name}"]
                if counted_now != by_books:
                    said = f"The books expect {formats.money(by_books)}. Count again, or write why."
                    self.add_error("why", said)
                    break
        return answers

    def difference(self) -> Decimal:
        """Return what was counted above (or below) what the books expected."""
        answers = self.cleaned_data
        counted_now: Decimal = answers["counted_cash"] + answers["counted_checks"]
        by_books: Decimal = answers["expected_cash"] + answers["expected_checks"]
        return counted_now - by_books
