"""The city's two notices: of intent to perform work, and by mail to the property owner."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import forms

from enforcement.acts import notices, owner_notices
from enforcement.models import Addressee
from enforcement.persons import Person
from permits.forms.counter import MoneyField
from permits.forms.fields import Paragraph
from portal.models import Mailing

from .told import TellForm

__all__ = ["IntentForm", "OwnerNoticeForm", "WithdrawNoticeForm"]

LONGEST = 4000


class NoticeForm(TellForm):
    """The work and what it is estimated to cost."""

    preferred = Mailing.Means.CERTIFIED

    work = Paragraph(
        label="Which work?",
        help_text="Only what the ordinance requires there. It stands in the notice as you write "
        "it.",
        rows=4,
        max_length=LONGEST,
    )
    estimated_cost = MoneyField(label="Estimated cost")

    def _first(self, person: Person) -> str:
        """Certified mail; in person where there is no address and the law allows that."""
        in_person = Mailing.Means.PERSONAL
        if not person.mailing_address and in_person in self.means:
            return in_person
        return self.preferred


class IntentForm(NoticeForm):
    """A notice of intent: to permittee, landowner or land user, by mail or in person."""

    means = notices.MEANS

    before_safe_why = Paragraph(
        label="Why can it not wait until the safe day?",
        help_text="It stands on record.",
        rows=2,
        max_length=LONGEST,
        required=False,
    )
    left_out_why = Paragraph(
        label="If somebody is not told: why?",
        help_text="For example: the company was dissolved, the person is dead.",
        rows=2,
        max_length=LONGEST,
        required=False,
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        known: Sequence[Person],
        needs_reason: bool,
        more: int = 0,
    ) -> None:
        super().__init__(data, known=known, more=more)
        _only_roles(self, notices.ADDRESSED)
        if needs_reason:
            self.fields["before_safe_why"].required = True
        else:
            del self.fields["before_safe_why"]

    def clean(self) -> dict[str, Any]:
        """Ask why somebody is left out."""
        cleaned = super().clean()
        left = [person.name for person in self.left_out()]
        if left and not cleaned.get("left_out_why"):
            self.add_error("left_out_why", f"Say why {', '.join(left)} is not told.")
        return cleaned


class OwnerNoticeForm(NoticeForm):
    """Ten days' notice to each property owner: by U.S. mail, and by nothing else."""

    means = owner_notices.MEANS

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        known: Sequence[Person],
        parcels: Callable[[Sequence[Person]], list[str]],
        more: int = 0,
    ) -> None:
        super().__init__(data, known=known, more=more)
        _only_roles(self, (Addressee.Role.LANDOWNER,))
        self.parcels = parcels

    def clean(self) -> dict[str, Any]:
        """Ask for the owner of every parcel."""
        cleaned = super().clean()
        if not self.errors:
            left = self.parcels([person for person, _ in self.told()])
            if left:
                words = ", ".join(left)
                self.add_error(None, f"Name the owner of parcel {words}: each owner gets a letter.")
        return cleaned


def _only_roles(form: TellForm, roles: Sequence[str]) -> None:
    """Offer only the persons to whom the notice may go."""
    for n in range(form.new_rows):
        field: Any = form.fields[f"new-{n}-role"]
        field.choices = [(role, label) for role, label in Addressee.Role.choices if role in roles]
        field.initial = Addressee.Role.LANDOWNER


class WithdrawNoticeForm(forms.Form):
    """Why a notice is withdrawn."""

    why = Paragraph(
        label="Why is the notice withdrawn?",
        help_text="Everybody who has it reads this, and the record keeps it.",
        rows=3,
        max_length=LONGEST,
    )
