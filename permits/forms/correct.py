"""Correcting what is on record: the same questions again, with the reason. § 40-886(b)"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from django import forms
from django.forms.boundfield import BoundField

from permits.forms.base import Difference, digest
from permits.forms.fields import Paragraph
from permits.forms.people import PartyForm, PeopleForms
from permits.forms.site import SiteForm
from permits.forms.work import WorkForm
from permits.models import Application, Party

__all__ = ["CONTACT_PART", "PARTS", "Correction"]

SEEN = "seen"
WORK = (
    "project_name",
    "starts_on",
    "ends_on",
    "work_begun",
    "existing_land_use",
    "zoning",
    "fill_source",
    "haul_routes",
    "utilities",
    "other_permits",
    "controls_cost",
)
"""The other answers on the work say how much is done: the plan was drawn for them."""
IDENTITY = ("body", "organization", "name")
CONTACTS = (Party.Role.EMERGENCY, Party.Role.CONTROLS)
"""Who is named only to be reached: another person there is no other person of the ordinance."""
REACHED_BY = ("mailing_address", "telephone", "email")


class WorkCorrection(WorkForm):
    """Dates and circumstances of the work, not its kind and size."""

    def __init__(
        self, application: Application, data: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(application, data, **kwargs)
        for name in [name for name in self.fields if name not in WORK]:
            del self.fields[name]


class PartyCorrection(PartyForm):
    """One person as filed; who owns the land, and who signed for the owner, stays."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["same_as"]
        if self.is_fixed():
            for name in [name for name in IDENTITY if name in self.fields]:
                del self.fields[name]

    def is_fixed(self) -> bool:
        """Whether another name here would be another person with a right to act."""
        agent_signed = self.application.signed_as_agent
        return self.block.role == Party.Role.LANDOWNER or (
            self.block.role == Party.Role.AGENT and agent_signed
        )

    def wants(self) -> dict[str, Any] | None:
        """Return what is to be kept; a person whose name is fixed is never taken out."""
        wanted = super().wants()
        if self.is_fixed():
            return {name: self.cleaned_data.get(name, "") for name in self.fields}
        return wanted


class PeopleCorrection(PeopleForms):
    """The persons of the application as filed."""

    party_form: ClassVar[type[PartyForm]] = PartyCorrection


class ContactCorrection(PartyCorrection):
    """How a person is reached; who the ordinance's persons are is fixed with the decision."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in [name for name in self.fields if name not in self.open_fields()]:
            del self.fields[name]

    def open_fields(self) -> tuple[str, ...]:
        """Return what may change: all of a mere contact, addresses of a person of the law."""
        return self.block.fields if self.block.role in CONTACTS else REACHED_BY

    def is_fixed(self) -> bool:
        """Whether it is another person only by another application."""
        return self.block.role not in CONTACTS


class ContactForms(PeopleCorrection):
    """Those who are on record, and how each is reached."""

    party_form: ClassVar[type[PartyForm]] = ContactCorrection

    def __init__(self, application: Application, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(application, data)
        self.forms = [
            form for form in self.forms if form.party is not None or form.block.role in CONTACTS
        ]


PARTS: Mapping[str, Callable[..., Any]] = {
    "site": SiteForm,
    "people": PeopleCorrection,
    "work": WorkCorrection,
}
"""What can be corrected before the decision, by the step that asked for it."""

CONTACT_PART = "contacts"
"""What can be changed after it."""


class ReasonForm(forms.Form):
    """Why an answer is corrected, for the record."""

    reason = Paragraph(max_length=2000, label="Why is it corrected?")


class Correction:
    """The answers of one step once more, and the reason for changing them."""

    def __init__(
        self, application: Application, part: str, data: Mapping[str, Any] | None = None
    ) -> None:
        self.data = data
        self.of_contacts = part == CONTACT_PART
        self.answers = (ContactForms if self.of_contacts else PARTS[part])(application, data)
        self.why = ReasonForm(data)
        self.forms: list[forms.Form] = [*self.answers.forms, self.why]

    @property
    def is_bound(self) -> bool:
        """Whether answers were sent."""
        return self.data is not None

    @property
    def fields(self) -> dict[str, forms.Field]:
        """The fields of the reason, which every part asks for."""
        return self.why.fields

    @property
    def seen(self) -> str:
        """The mark of what stands on record as the page is shown."""
        return digest(self.answers.read())

    @property
    def reason(self) -> str:
        """Why it is corrected."""
        return str(self.why.cleaned_data["reason"])

    def hidden_fields(self) -> Iterator[BoundField]:
        """Yield every answer, for the page on which the correction is confirmed."""
        for form in self.forms:
            yield from form

    def is_valid(self) -> bool:
        """Whether every answer and the reason can be taken."""
        return all([self.answers.is_valid(), self.why.is_valid()])

    def is_stale(self) -> bool:
        """Whether other answers stand on record than when the page was opened."""
        return self.data is not None and self.data.get(SEEN, "") != self.seen

    def differences(self) -> list[Difference]:
        """Return each answer that is changed, as it stands on record and as it is written here."""
        found: list[Difference] = self.answers.differences()
        return found

    def save(self) -> None:
        """Put the answers on record; only under the lock of the act."""
        self.answers.save()
