"""The acts of the mail room, each on a page of its own; see `portal.desk.mail_act`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from permits import mailroom as acts
from portal import mailroom
from portal.formats import long_date
from portal.models import Mailing, MailingEvent
from portal.ordinance.wording import counted

from . import mail_forms
from .mail_act import MailAct

__all__ = [
    "Accept",
    "Affidavit",
    "Anew",
    "Certificate",
    "Correct",
    "Deposit",
    "Number",
    "Returned",
    "Stands",
]

Kind = MailingEvent.Kind


def _letters(letters: Sequence[Mailing]) -> str:
    return counted(len(letters), "letter").capitalize()


class Deposit(MailAct):
    """Record the day on which letters were handed to the post."""

    act = "mail.deposit"
    kind = Kind.DEPOSITED
    heading = "Record the deposit"
    lede = (
        "The day on which the letters left the house. When the post accepted them is "
        "recorded separately, from its proof."
    )
    question = "Were these letters handed to the post?"
    button = "Record the deposit"
    form_class = mail_forms.DepositForm

    def effects(self, form: Any) -> list[str]:
        return [
            f"The record of each case says that its letter was handed to the post on "
            f"{long_date(form.cleaned_data['on'])}.",
            "No legal date runs from this day, but from the day on which the post accepts them.",
        ]

    def run(self, form: Any) -> str:
        on = form.cleaned_data["on"]
        numbers = form.numbers()
        acts.deposit(self.letters, on=on, by=self.user, today=form.today, numbers=numbers)
        return f"{_letters(self.letters)} handed to the post on {long_date(on)}."


class Accept(MailAct):
    """Record the day on which the post accepted letters. Former § 17.19(4)(e)"""

    act = "mail.accept"
    kind = Kind.ACCEPTED
    heading = "Record the acceptance"
    lede = "The day on which the post accepted the letters. Legal dates are counted from it."
    question = "Did the post accept these letters?"
    button = "Record the acceptance"
    form_class = mail_forms.AcceptForm

    def effects(self, form: Any) -> list[str]:
        said = [
            f"The record of each case says that the post accepted its letter on "
            f"{long_date(form.cleaned_data['on'])}.",
            "Every legal date that is counted from the mailing starts with that day.",
        ]
        if form.upload is not None:
            said.append(f"The certificate of mailing ({form.upload.original_name}) is kept.")
        return said

    def run(self, form: Any) -> str:
        on = form.cleaned_data["on"]
        acts.accept(self.letters, on=on, by=self.user, today=form.today, scan=form.upload)
        return f"{_letters(self.letters)} accepted by the post on {long_date(on)}."


class Number(MailAct):
    """Record the number of a certified letter."""

    act = "mail.number"
    kind = Kind.NUMBER
    heading = "Number of the certified letter"
    lede = (
        "The number on the post's label. A number that was written wrongly stays on "
        "record beside the right one."
    )
    question = "Is this its number?"
    button = "Record the number"
    form_class = mail_forms.NumberForm

    def fits(self, letter: Mailing) -> bool:
        return letter.means == Mailing.Means.CERTIFIED and super().fits(letter)

    def effects(self, form: Any) -> list[str]:
        return [f"The letter has the number {form.cleaned_data['number']}."]

    def run(self, form: Any) -> str:
        numbers = {self.letters[0].pk: form.cleaned_data["number"]}
        acts.add_numbers(numbers, by=self.user, on=form.today)
        return "The number is recorded."


class Certificate(MailAct):
    """Keep the scan of the post's certificate of mailing."""

    act = "mail.certificate"
    kind = Kind.CERTIFICATE
    heading = "Certificate of mailing"
    lede = (
        "The scan of the certificate that the post stamped. A further scan takes the "
        "place of the first, which stays on record."
    )
    question = "Keep this certificate?"
    button = "Keep the certificate"
    form_class = mail_forms.CertificateForm

    def effects(self, form: Any) -> list[str]:
        return [f"{form.upload.original_name} is kept as the proof of mailing."]

    def run(self, form: Any) -> str:
        acts.add_certificate(self.letters, scan=form.upload, by=self.user, on=form.today)
        return "The certificate is kept."


class Returned(MailAct):
    """Record that the post brought a letter back."""

    act = "mail.returned"
    kind = Kind.RETURNED
    heading = "The letter came back"
    lede = (
        "Keep the envelope. What follows is decided next: the legal date stays, or the "
        "letter is served anew."
    )
    question = "Did this letter come back?"
    button = "Record that it came back"
    form_class = mail_forms.ReturnedForm

    def effects(self, form: Any) -> list[str]:
        return [
            "The case record says that the letter came back, and why.",
            "The legal date stays until you decide otherwise; the letter waits for that.",
        ]

    def run(self, form: Any) -> str:
        answers = form.cleaned_data
        acts.bring_back(
            self.letters[0],
            on=answers["on"],
            reason=answers["reason"],
            by=self.user,
            today=form.today,
        )
        return "Recorded. Decide now what follows."


class Stands(MailAct):
    """Decide that the legal date of a letter that came back stays."""

    act = "mail.stands"
    kind = Kind.STANDS
    heading = "The legal date stays"
    lede = (
        "The notice was mailed as the law requires, to the right address; that it came "
        "back changes nothing."
    )
    question = "Does the legal date stay?"
    button = "The legal date stays"
    form_class = mail_forms.StandsForm

    def effects(self, form: Any) -> list[str]:
        day = long_date(self.letters[0].accepted_on)
        return [
            f"The mailing of {day} counts. This cannot be changed afterwards.",
            "The case record keeps the reason.",
        ]

    def run(self, form: Any) -> str:
        reason = form.cleaned_data["reason"]
        acts.let_stand(self.letters[0], reason=reason, by=self.user, on=form.today)
        return "The legal date stays."


class Anew(MailAct):
    """Serve a letter anew: one that came back, or one that cannot go as it is."""

    act = "mail.anew"
    kind = Kind.RESERVED
    heading = "Serve it anew"
    lede = (
        "The same notice goes as a new letter, to this name and address. The old letter "
        "stays on record as it is."
    )
    question = "Serve this letter anew?"
    button = "Serve it anew"
    form_class = mail_forms.AnewForm

    def effects(self, form: Any) -> list[str]:
        said = [
            f"A new letter to {form.cleaned_data['addressee']} waits to be mailed, by "
            f"{long_date(form.cleaned_data['go_by'])}.",
        ]
        if self.letters[0].accepted_on:
            said.append(
                "The legal date of the first letter no longer counts for this person; a new one "
                "runs from the day on which the post accepts the new letter."
            )
        return [*said, "The case record keeps the reason. This cannot be changed afterwards."]

    def run(self, form: Any) -> str:
        names = ("addressee", "address", "means", "go_by", "reason")
        answers = {name: form.cleaned_data[name] for name in names}
        self.successor = acts.serve_anew(self.letters[0], by=self.user, on=form.today, **answers)
        return f"The new letter to {self.successor.addressee} waits to be mailed."

    def result_url(self) -> str:
        return self.successor.get_absolute_url()


class Correct(MailAct):
    """Correct a day that was entered wrongly, or take it back."""

    act = "mail.correct"
    kind = Kind.DEPOSITED
    heading = "Correct a day"
    lede = "The wrong entry stays on record beside the right one; legal dates that hang on it move."
    question = "Correct this day?"
    button = "Correct it"
    form_class = mail_forms.CorrectForm
    danger = True

    def fits(self, letter: Mailing) -> bool:
        return letter.stage in mailroom.CORRECTED[Kind.DEPOSITED]

    def effects(self, form: Any) -> list[str]:
        on, fact = form.cleaned_data["on"], Kind(form.cleaned_data["fact"]).label.lower()
        if on is None:
            return [f"“{fact.capitalize()}” is taken back. Dates counted from it end."]
        return [f"“{fact.capitalize()}” is now {long_date(on)}. Dates counted from it move."]

    def run(self, form: Any) -> str:
        answers = form.cleaned_data
        acts.correct(
            self.letters[0],
            Kind(answers["fact"]),
            on=answers["on"],
            reason=answers["reason"],
            by=self.user,
            today=form.today,
        )
        return "The day is corrected."


class Affidavit(MailAct):
    """Make the affidavit of mailing, to be sworn before a notary."""

    act = "mail.affidavit"
    kind = Kind.AFFIDAVIT
    heading = "Affidavit of mailing"
    lede = (
        "A paper for the notary: who swears, what was mailed, when, to whom and where, as "
        "the record has it."
    )
    question = "Make this affidavit?"
    button = "Make the affidavit"
    form_class = mail_forms.AffidavitForm

    def effects(self, form: Any) -> list[str]:
        return [
            "The affidavit is made with the facts on record and kept in the case file. It counts "
            "once it is signed before a notary.",
        ]

    def run(self, form: Any) -> str:
        names = ("affiant", "capacity", "place", "county")
        answers = {name: form.cleaned_data[name] for name in names}
        acts.make_affidavit(self.letters[0], by=self.user, on=form.today, **answers)
        return "The affidavit is made."
