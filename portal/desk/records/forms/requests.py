"""What the clerk enters about a request for records."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from permits.forms.counter import MoneyField, PastDayField
from permits.forms.fields import AmountField, Line, OneOf, Paragraph, SeveralOf
from permits.forms.repeated import RowsFormSet
from permits.models import CaseExport, CasePaper, Site
from permits.models.site import CASE_NUMBER
from portal.clock import local_day
from portal.desk.records.acts.requests import Asked, Reply
from portal.desk.records.models import Answer, RecordsRequest
from portal.ordinance.records import GROUNDS, PREPAYMENT_LIMIT, Copying

__all__ = ["AcknowledgeForm", "AnswerForm", "CaseNumbers", "RequestForm", "WithdrawForm"]

MOST_CASES = 20
NOTHING = Decimal("0.00")


class CaseNumbers(Paragraph):
    """Numbers of cases, applications or permits; each must be one that the city has."""

    def clean(self, value: Any) -> Any:
        """Return the cases that were named."""
        text = super().clean(value)
        numbers = list(dict.fromkeys(re.findall(r"[^\s,;]+", text.upper())))
        if len(numbers) > MOST_CASES:
            raise ValidationError(f"Name at most {MOST_CASES} cases.", "many")
        found = {number: _site(number) for number in numbers}
        if missing := [number for number, site in found.items() if site is None]:
            raise ValidationError(f"No case has the number {', '.join(missing)[:200]}.", "unknown")
        return list(dict.fromkeys(site for site in found.values() if site))


def _site(number: str) -> Site | None:
    """Return the case of a site's, an application's or a permit's number."""
    parts = CASE_NUMBER.fullmatch(number.lower())
    if parts:
        number = f"{parts[1].upper()}-{parts[2]}-{int(parts[3]):04d}"
    kept = Site.objects.filter(destroyed_on__isnull=True)
    for where in ("number", "applications__number", "permits__number"):
        if site := kept.filter(**{where: number}).first():
            return site
    return None


class RequestForm(forms.Form):
    """A request as it came in; nobody must say who they are or why they ask."""

    received_on = PastDayField(label="Received on", help_text="The day it came in, not today.")
    how = OneOf(label="How did it come in?", choices=RecordsRequest.How.choices)
    asked = Paragraph(label="What is asked for", help_text="In the requester's own words.", rows=5)
    numbers = CaseNumbers(
        label="Cases it concerns",
        required=False,
        max_length=1000,
        help_text="Numbers of sites, applications or permits, one on each line. May stay empty.",
    )
    requester = Line(
        label="Who asks",
        required=False,
        max_length=200,
        width="w-wide",
        help_text="A requester may stay anonymous; the request is answered all the same.",
    )
    contact = Paragraph(
        label="How the answer reaches them",
        required=False,
        max_length=1000,
        help_text="Address, e-mail address, or that they come to the counter.",
    )

    def entered(self) -> Asked:
        """Return the request as entered."""
        known = ("received_on", "how", "asked", "requester", "contact")
        return Asked(**{name: self.cleaned_data[name] for name in known})


class AcknowledgeForm(forms.Form):
    """What the requester was told before the answer."""

    words = Paragraph(
        label="What they were told",
        help_text="Such as what is being looked for, and by when the city will answer.",
        max_length=2000,
    )
    prepayment = MoneyField(
        label="Prepayment asked for",
        required=False,
        help_text="Only where the records will cost more than $5.",
    )

    def clean_prepayment(self) -> Decimal | None:
        """Only above five dollars. § 19.35(3)(f)"""
        asked: Decimal | None = self.cleaned_data.get("prepayment")
        if asked is not None and asked <= PREPAYMENT_LIMIT:
            raise ValidationError("Prepayment may be asked only for more than $5.00.", "small")
        return asked


class RefusalForm(forms.Form):
    """One record, or part of one, that is not given."""

    what = Line(label="What is withheld", max_length=300, width="w-wide")
    ground = forms.ChoiceField(
        label="Ground",
        choices=[(key, words) for key, (words, _) in GROUNDS.items()],
        initial=next(iter(GROUNDS)),
    )
    reason = Paragraph(label="Reason in this case", max_length=2000, rows=2)


RefusalFormSet: type[Any] = forms.formset_factory(
    RefusalForm, formset=RowsFormSet, extra=2, max_num=30, absolute_max=30
)


class AnswerForm(forms.Form):
    """The city's answer: what is given, what is not and why, what it cost."""

    outcome = OneOf(
        label="The answer",
        choices=[each for each in Answer.Outcome.choices if each[0] != Answer.Outcome.WITHDRAWN],
    )
    papers = SeveralOf(
        label="Papers of the cases that are given",
        required=False,
        help_text="Each is written down with its hash, so that it can be proven later.",
    )
    exports = SeveralOf(
        label="Case files for the public that are given",
        required=False,
        help_text="Made on the page of the case; what the law keeps back is left out and listed.",
    )
    also = Paragraph(
        label="What else is given",
        required=False,
        max_length=4000,
        help_text="One on each line: a plan sheet, a file of the whole case, a photo.",
    )
    words = Paragraph(label="What the answer says besides", required=False, max_length=4000)
    pages = forms.IntegerField(
        label="Pages copied",
        required=False,
        min_value=0,
        max_value=100_000,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "class": "w-short"}),
    )
    locating = AmountField(
        label="Hours of locating",
        required=False,
        places=2,
        most=1000,
        example="1.5",
        help_text="Charged only where it comes to $50 or more.",
    )
    other = MoneyField(label="Other copies and media, at cost", required=False)
    mailing = MoneyField(label="Mailing or shipping, at cost", required=False)

    def __init__(
        self,
        data: Any = None,
        *,
        papers: Iterable[CasePaper] = (),
        exports: Iterable[CaseExport] = (),
    ) -> None:
        super().__init__(data)
        self.known = {str(each.pk): each for each in papers}
        choice: Any = self.fields["papers"]
        choice.choices = [
            (key, f"{each.site.number}: {each.get_kind_display()}, {each.made_at:%Y-%m-%d}")
            for key, each in self.known.items()
        ]
        self.case_files = {str(each.pk): each for each in exports}
        offered: Any = self.fields["exports"]
        offered.choices = [
            (key, f"{each.site.number}: {each}, {local_day(each.made_at):%Y-%m-%d}")
            for key, each in self.case_files.items()
        ]
        for name, rows in (("papers", self.known), ("exports", self.case_files)):
            if not rows:
                del self.fields[name]
        self.rows = RefusalFormSet(data, prefix="refusal")

    def is_valid(self) -> bool:
        """Whether the answer says what its outcome must say."""
        valid, rows = super().is_valid(), self.rows.is_valid()
        return self._says_enough() and valid and rows

    def _says_enough(self) -> bool:
        answers = getattr(self, "cleaned_data", {})
        outcome = answers.get("outcome")
        gives = any(answers.get(name) for name in ("papers", "exports", "also"))
        refuses = any(form.has_changed() for form in self.rows.forms)
        if outcome in Answer.GIVES and not gives and "also" not in self.errors:
            self.add_error("also", "Say which records are given, or mark papers above.")
        if outcome and outcome not in Answer.GIVES and gives:
            self.add_error("outcome", "Something is given: answer “given” or “given in part”.")
        if outcome in Answer.REFUSES and not refuses:
            self.rows.forms[0].add_error("what", "Say what is withheld.")
            return False
        if outcome and outcome not in Answer.REFUSES and refuses:
            self.add_error("outcome", "Something is withheld: answer “in part” or “denied”.")
        return not self.errors

    def copying(self) -> Copying:
        """Return what was made."""
        answers = self.cleaned_data
        return Copying(
            pages=answers.get("pages") or 0,
            locating_hours=answers.get("locating") or NOTHING,
            other=answers.get("other") or NOTHING,
            mailing=answers.get("mailing") or NOTHING,
        )

    def reply(self) -> Reply:
        """Return the answer as entered."""
        answers = self.cleaned_data
        gives = answers["outcome"] in Answer.GIVES
        return Reply(
            outcome=answers["outcome"],
            words=answers["words"],
            papers=[self.known[key] for key in answers.get("papers") or ()],
            exports=[self.case_files[key] for key in answers.get("exports") or ()],
            also=[line.strip()[:300] for line in answers["also"].splitlines() if line.strip()],
            refusals=self.rows.filled(),
            copying=self.copying() if gives else Copying(),
        )


class WithdrawForm(forms.Form):
    """That the requester has withdrawn the request."""

    words = Paragraph(label="How they said so", max_length=2000)
