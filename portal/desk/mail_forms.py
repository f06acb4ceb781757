"""What the clerk enters in the mail room."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError

from permits import mailroom as acts
from permits.forms.base import show
from permits.forms.counter import PastDayField
from permits.forms.fields import DayField, Line, OneOf, Paragraph, asked
from portal import city_calendar, clock
from portal.mailroom import next_mail_day
from portal.models import Mailing, MailingEvent, Upload, User
from portal.ordinance import Obstacle
from portal.uploads import limits
from portal.uploads.collect import Collected
from portal.uploads.fields import UploadsField
from portal.uploads.kinds import ACCEPTED

__all__ = [
    "AcceptForm",
    "AffidavitForm",
    "AnewForm",
    "CertificateForm",
    "CorrectForm",
    "DepositForm",
    "LetterForm",
    "NumberForm",
    "ReturnedForm",
    "StandsForm",
]

Kind = MailingEvent.Kind
Rule = Callable[..., list[Obstacle]]
MOST_SENTENCES = 8
"""Nobody reads two hundred reasons; the first ones say what is wrong."""
NUMBER = re.compile(r"[0-9A-Z]{9,34}")


class LetterForm(forms.Form):
    """What is recorded of one letter or of many; each day is tried against each letter."""

    rule: ClassVar[Rule | None] = None

    def __init__(
        self,
        data: Any = None,
        *,
        letters: Sequence[Mailing],
        user: User,
        scan: Collected | None = None,
    ) -> None:
        super().__init__(data)
        self.letters, self.user, self.today = list(letters), user, clock.today()
        self.scan = scan or Collected()
        self.prepare()

    def prepare(self) -> None:
        """Fit the questions to the letters."""

    def clean_on(self) -> date:
        """Refuse a day that cannot be, with the next one that can."""
        on: date = self.cleaned_data["on"]
        if (rule := type(self).rule) is not None:
            found = rule(self.letters, on=on, today=self.today)
            self.refuse([obstacle.text for obstacle in found])
        return on

    def refuse(self, sentences: Sequence[str]) -> None:
        """Raise what is wrong, if anything; the first few of many."""
        if not sentences:
            return
        shown = list(sentences[:MOST_SENTENCES])
        if more := len(sentences) - len(shown):
            shown.append(f"The same is so of {more} more.")
        raise ValidationError(shown)

    def carried(self) -> list[forms.BoundField]:
        """Return what goes along to the next page: all but the file chooser."""
        return [self[name] for name in self.fields if name != "scan"]

    def answers(self) -> list[tuple[str, str]]:
        """Return each question with its answer, as people read it."""
        given = [(field, self.cleaned_data.get(name)) for name, field in self.fields.items()]
        return [
            (str(field.label), show(field, value))
            for field, value in given
            if value and not isinstance(field, UploadsField) and not field.widget.is_hidden
        ]


def read_number(text: str) -> str:
    """Return the number of a certified letter without its blanks."""
    number = re.sub(r"[\s-]", "", text).upper()
    if number and not NUMBER.fullmatch(number):
        raise ValidationError(
            "Write the number as it stands on the label, such as 7022 0410 0001 2345 6789."
        )
    return number


def taken(number: str, *, but: int) -> bool:
    """Whether another letter has the number."""
    return Mailing.objects.filter(tracking_number=number).exclude(pk=but).exists()


TAKEN = "Another letter has this number already."


class DepositForm(LetterForm):
    """The day of the deposit, and the numbers of what is certified."""

    rule = staticmethod(acts.obstacles_to_deposit)
    on = PastDayField(label="Handed to the post on")

    def prepare(self) -> None:
        self.fields["on"].initial = self.today
        for letter in self.letters:
            if letter.means == Mailing.Means.CERTIFIED:
                self.fields[f"number_{letter.pk}"] = asked(
                    Line(
                        label=f"Number of the certified letter to {letter.addressee}",
                        help_text="From the green label; it can be entered later.",
                        max_length=60,
                    )
                )

    def clean(self) -> dict[str, Any]:
        answers: dict[str, Any] = super().clean() or {}
        seen: set[str] = set()
        for name in [name for name in self.fields if name.startswith("number_")]:
            try:
                number = read_number(answers.get(name) or "")
            except ValidationError as wrong:
                self.add_error(name, wrong)
                continue
            if number and (number in seen or taken(number, but=int(name.partition("_")[2]))):
                self.add_error(name, TAKEN)
            seen.add(number)
            answers[name] = number
        return answers

    def numbers(self) -> dict[int, str]:
        """Return the numbers that were written, by letter."""
        return {
            letter.pk: number
            for letter in self.letters
            if (number := self.cleaned_data.get(f"number_{letter.pk}"))
        }


def scan_field(*, required: bool) -> UploadsField:
    """The chooser for the post's certificate."""
    field = UploadsField(
        label="Scan of the certificate of mailing",
        help_text=f"{ACCEPTED}, up to {limits.megabytes(limits.file_bytes())}.",
        required=required,
    )
    field.widget.attrs.pop("multiple", None)
    return field


class ScanForm(LetterForm):
    """A form with a scan, which survives a mistake elsewhere."""

    needed: ClassVar[bool] = True
    scan_key = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def prepare(self) -> None:
        field = scan_field(required=False)
        field.take(self.scan)
        self.fields["scan"] = field

    def clean(self) -> dict[str, Any]:
        answers: dict[str, Any] = super().clean() or {}
        self.upload = self.kept_scan()
        if self.upload is None and "scan" not in self.errors:
            if answers.get("scan_key"):
                self.add_error("scan", "The scan is not there any more. Choose it again.")
            elif self.needed:
                self.add_error("scan", "Choose the scan.")
        return answers

    def kept_scan(self) -> Upload | None:
        """Return the scan that this person sent with this form, and no other file."""
        try:
            key = UUID(str(self["scan_key"].value()))
        except ValueError:
            return None
        return Upload.objects.filter(key=key, uploaded_by=self.user).first()


class AcceptForm(ScanForm):
    """The day on which the post accepted the letters; one certificate may name them all."""

    rule = staticmethod(acts.obstacles_to_accept)
    needed = False
    on = PastDayField(
        label="Accepted by the post on",
        help_text="The day of the postmark or of the certificate. Never a Sunday or a postal "
        "holiday: what is left then is accepted on the next day.",
    )


class CertificateForm(ScanForm):
    """The certificate of mailing that came later."""


class NumberForm(LetterForm):
    """The number of a certified letter."""

    number = Line(label="Number of the certified letter", max_length=60)

    def clean_number(self) -> str:
        """Keep it without blanks; no two letters have one."""
        number = read_number(self.cleaned_data["number"])
        if taken(number, but=self.letters[0].pk):
            raise ValidationError(TAKEN)
        return number


class ReturnedForm(LetterForm):
    """A letter that came back."""

    rule = staticmethod(acts.obstacles_to_bring_back)
    on = PastDayField(label="It came back on")
    reason = Line(
        label="What the post wrote on it",
        help_text="Such as: vacant, unclaimed, moved and left no address.",
        max_length=300,
        width="w-wide",
    )

    def prepare(self) -> None:
        self.fields["on"].initial = self.today


class StandsForm(LetterForm):
    """Why the legal date of a letter that came back stays."""

    reason = Paragraph(
        label="Why does the legal date stay?",
        help_text="The address, where it comes from, and that the notice was mailed as required.",
        max_length=2000,
    )


class AnewForm(LetterForm):
    """To whom and where the letter goes instead."""

    addressee = Line(label="Name", max_length=410, width="w-wide")
    address = Paragraph(label="Mailing address", max_length=1000, rows=4)
    means = OneOf(
        label="How does it go?", choices=[("us_mail", "U.S. mail"), ("certified", "Certified mail")]
    )
    go_by = DayField(label="It must go by")
    reason = Paragraph(label="Why is it served anew?", max_length=2000)

    def prepare(self) -> None:
        letter = self.letters[0]
        calendar = city_calendar.current_calendar()
        self.initial = {
            "addressee": letter.addressee,
            "address": letter.address,
            "means": letter.means,
            "go_by": max(letter.go_by, next_mail_day(self.today, calendar=calendar)),
        }

    def clean_go_by(self) -> date:
        """Refuse a day that has passed."""
        go_by: date = self.cleaned_data["go_by"]
        if go_by < self.today:
            raise ValidationError("This day has passed. Choose today or a later day.")
        return go_by


class CorrectForm(LetterForm):
    """A day that was entered wrongly, or of the wrong letter."""

    fact = OneOf(label="What was entered wrongly?")
    on = DayField(
        label="The right day", help_text="Leave it empty if it did not happen.", required=False
    )
    reason = Paragraph(label="Why?", max_length=2000)

    def prepare(self) -> None:
        letter, field = self.letters[0], self.fields["fact"]
        known = {Kind.DEPOSITED: letter.deposited_on, Kind.ACCEPTED: letter.accepted_on}
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(kind.value, kind.label) for kind, on in known.items() if on]
        field.initial = field.choices[-1][0] if field.choices else None

    def clean_on(self) -> date | None:  # type: ignore[override]
        """Try the right day as if it were entered for the first time."""
        on: date | None = self.cleaned_data["on"]
        rules: dict[str, Rule] = {
            Kind.DEPOSITED: acts.obstacles_to_deposit,
            Kind.ACCEPTED: acts.obstacles_to_accept,
        }
        rule = rules.get(self.cleaned_data.get("fact", ""))
        if on is not None and rule is not None:
            self.refuse([each.text for each in rule(self.letters, on=on, today=self.today)])
        return on


class AffidavitForm(LetterForm):
    """Who swears, in which capacity, and where the letter was handed in."""

    affiant = Line(
        label="Who swears?",
        help_text="The person who handed the letter to the post.",
        max_length=200,
        width="w-wide",
    )
    capacity = Line(label="In which capacity?", max_length=120, width="w-wide")
    place = Line(
        label="Handed in at", help_text="The post office, with its town.", max_length=200,
        width="w-wide",
    )  # fmt: skip
    county = Line(label="County", help_text="Where it is sworn.", max_length=80)

    def prepare(self) -> None:
        facts = self.letters[0].events.filter(kind=Kind.DEPOSITED).select_related("by")
        deposit = facts.order_by("-pk").first()
        by = deposit.by if deposit is not None and deposit.by is not None else self.user
        self.initial = {"affiant": str(by), "capacity": by.get_role_display()}
