"""Step 2, the people: the ordinance's persons, and who acts for them. § 40-886(a)"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.forms.boundfield import BoundField

from permits.forms.base import Difference, StepForm, digest, same, show
from permits.forms.fields import (
    DayField,
    EmailLine,
    Line,
    MailingAddressField,
    TelephoneField,
    asked,
)
from permits.models import Application, Party
from portal import clock
from portal.models import User

__all__ = ["BLOCKS", "Block", "PartyForm", "PeopleForms"]

MYSELF = "myself"
DETAILS = ("body", "organization", "name", "title", "mailing_address", "email", "telephone")
AUTHORIZATION = ("authorized_by", "authorized_on")
TOLD_TWICE = (
    "You chose another person here and also wrote {told} below. Choose “No, as written below” to "
    "keep what you wrote, or empty those answers to take over the other person's."
)
FOR_CITY_ONLY = frozenset({"email", "telephone"})


@dataclass(frozen=True)
class Block:
    """A person that the form asks for: in which capacity, and what about them."""

    role: str
    legend: str
    hint: str
    fields: tuple[str, ...]
    needed: bool = False


ALL = ("organization", "name", "mailing_address", "email", "telephone")
BLOCKS: tuple[Block, ...] = (
    Block(
        "landowner",
        "Landowner",
        "Who holds the title of the land. The city's notices by U.S. mail go to this address.",
        ("body", "organization", "name", "title", "mailing_address", "email", "telephone"),
        needed=True,
    ),
    Block(
        "contractor",
        "Contractor",
        "Who does the work on the ground. Leave it empty if you do not know yet.",
        ALL,
    ),
    Block(
        "emergency",
        "24-hour contact",
        "Who answers the telephone at any hour when soil or water leaves the site.",
        ("name", "organization", "telephone", "email"),
        needed=True,
    ),
    Block(
        "controls",
        "Person responsible for the control devices",
        "Who sees to it that they go in, work, and are repaired.",
        ("name", "organization", "telephone", "email"),
        needed=True,
    ),
    Block(
        "land_user",
        "Land user",
        "Who uses the land, where that is somebody else than the landowner: a tenant, a buyer "
        "who builds before closing.",
        ALL,
    ),
    Block(
        "agent",
        "Agent",
        "Who acts for one of them: an engineer, a planner, a lawyer. An agent signs only with a "
        "written authorization: name it here, or upload it with the plan.",
        (*ALL, *AUTHORIZATION),
    ),
)

LABELS = {
    "landowner": "the landowner",
    "contractor": "the contractor",
    "emergency": "the 24-hour contact",
    "controls": "the person responsible for the control devices",
    "land_user": "the land user",
}


class PartyForm(StepForm):
    """One person; the block may stay empty, but a person who is named has a name."""

    same_as = forms.ChoiceField(
        required=False,
        label="Is this the same person as another?",
        help_text="If so, choose whom, and leave the rest of this part as it is.",
    )
    body = asked(
        forms.ChoiceField(choices=[("", "Choose one"), *Party.Body.choices], label="Kind of owner")
    )
    organization = Line(required=False, max_length=200, label="Company or organization")
    name = asked(Line(max_length=200, label="Name of the person"))
    title = Line(
        required=False,
        max_length=120,
        label="Title",
        help_text="Where a company owns the land: in what capacity this person signs for it, "
        "such as vice-president, member, manager, general partner or trustee.",
    )
    mailing_address = asked(
        MailingAddressField(
            max_length=1000,
            label="Mailing address",
            help_text="Street or box, city, state and ZIP code, as on an envelope.",
        )
    )
    email = EmailLine(required=False, label="E-mail address")
    telephone = asked(TelephoneField(label="Telephone"))
    authorized_by = asked(Line(max_length=200, label="Who gave the written authorization?"))
    authorized_on = asked(DayField(label="Date of the authorization"))

    def __init__(
        self,
        application: Application,
        block: Block,
        data: Mapping[str, Any] | None = None,
        *,
        party: Party | None = None,
    ) -> None:
        self.block, self.party = block, party
        super().__init__(application, data, prefix=block.role)
        for name in [name for name in (*DETAILS, *AUTHORIZATION) if name not in block.fields]:
            del self.fields[name]
        self.order_fields(["same_as", *block.fields])
        self._offer_others()
        if block.role == "emergency":
            self.fields["telephone"].help_text = "A number that is answered day and night."

    def groups(self) -> list[list[BoundField]]:
        """Return the questions in the order of the page, short ones in pairs."""
        pairs: list[tuple[str, ...]] = [
            ("same_as",),
            ("body",),
            ("organization", "name"),
            ("title",),
            ("mailing_address",),
            ("telephone", "email"),
            AUTHORIZATION,
        ]
        found = [[self[name] for name in pair if name in self.fields] for pair in pairs]
        return [group for group in found if group]

    def _offer_others(self) -> None:
        roles = [block.role for block in BLOCKS]
        others = roles[: roles.index(self.block.role)]
        field = self.fields["same_as"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            ("", "No, as written below"),
            (MYSELF, f"Yes: myself, {self.application.applicant}"),
            *((role, f"Yes: {LABELS[role]}") for role in others),
        ]
        if not others:
            field.label = "Is it you?"
            field.help_text = "Then your name, e-mail address and telephone are taken over."
        setattr(field, "silent_optional", True)  # noqa: B010

    @property
    def part(self) -> str:
        """The part of the page, said with each error in the summary at its top."""
        return self.block.legend

    def read(self) -> dict[str, Any]:
        """Return what is on record about the person."""
        return {name: getattr(self.party, name, "") for name in self.block.fields}

    def clean(self) -> dict[str, Any]:
        """Ask for the name where anything else is told."""
        answers = self.cleaned_data
        if not answers.get("same_as") and "name" in answers and not answers["name"]:
            told = any(answers.get(name) for name in self.block.fields)
            if told or self.errors:
                self.add_error("name", "Write the name of a person.")
        if answers.get("body") in Party.COMPANIES and answers.get("organization") == "":
            self.add_error("organization", "Write the name of the company, trust or public body.")
        self._look_at_authorization(answers)
        return answers

    def _look_at_authorization(self, answers: dict[str, Any]) -> None:
        """Ask for both of its facts, and for a day on which it can have been signed."""
        if not answers.keys() >= set(AUTHORIZATION):
            return
        by, on = (answers[name] for name in AUTHORIZATION)
        if by and on is None:
            self.add_error("authorized_on", "Give the date of the authorization.")
        elif on is not None and not by:
            self.add_error("authorized_by", "Say who gave the authorization.")
        elif on is not None and on > clock.today():
            self.add_error("authorized_on", "This day is still to come.")

    def is_filled(self) -> bool:
        """Whether this part has anything in it, so that it is shown open."""
        return bool(self.party) or (self.is_bound and self.has_changed())

    def wants(self) -> dict[str, Any] | None:
        """Return what is to be kept, {} for nobody, None where there is nothing to go by."""
        asked_here = [name for name in self.block.fields if name in self.cleaned_data]
        answers = {name: self.cleaned_data[name] for name in asked_here}
        if "name" not in answers and self.party is None:
            return None  # a person without a name cannot be kept
        return answers if any(answers.values()) or self.errors else {}


class PeopleForms:
    """All persons of an application, saved together."""

    party_form: ClassVar[type[PartyForm]] = PartyForm

    def __init__(self, application: Application, data: Mapping[str, Any] | None = None) -> None:
        self.application = application
        parties = self._parties()
        self.forms = [
            self.party_form(application, block, data, party=parties.get(block.role))
            for block in BLOCKS
        ]
        self.is_bound = data is not None
        self._looked = not self.is_bound

    def _parties(self) -> dict[str, Party]:
        return {party.role: party for party in self.application.parties.all()}

    def is_valid(self) -> bool:
        """Whether every part is."""
        amiss = [form for form in self.forms if not form.is_valid()]  # each is looked at
        self._say_what_is_told_twice()
        return not amiss and not any(form.errors for form in self.forms)

    def _say_what_is_told_twice(self) -> None:
        """Refuse to choose between what was written and the other person who was chosen."""
        if self._looked:
            return
        self._looked = True
        for form, source in self._sources():
            stored = form.read()
            both = [
                str(form.fields[name].label).lower()
                for name in form.block.fields
                if source.get(name) and _is_other(form.cleaned_data.get(name), stored, source, name)
            ]
            if both:
                told = " and ".join(filter(None, [", ".join(both[:-1]), both[-1]]))
                form.add_error("same_as", TOLD_TWICE.format(told=told))

    def read(self) -> dict[str, Any]:
        """Return all that is on record, for the mark of this step."""
        parties = self._parties()
        return {
            block.role: {name: getattr(parties.get(block.role), name, "") for name in block.fields}
            for block in BLOCKS
        }

    def is_stale(self, seen: str) -> bool:
        """Whether other answers stand on record than when the page was opened."""
        return seen != digest(self.read())

    def differences(self) -> list[Difference]:
        """Return each answer that differs from what stands on record."""
        on_record = self.read()
        return [
            Difference(
                f"{form.block.legend}: {form.fields[name].label}",
                show(form.fields[name], on_record[form.block.role][name]),
                show(form.fields[name], (wanted or {}).get(name, "")),
                for_city_only=name in FOR_CITY_ONLY,
            )
            for form, wanted in self.wanted()
            for name in form.block.fields
            if wanted is not None
            and name in form.fields
            and not same(on_record[form.block.role][name], wanted.get(name, ""))
        ]

    def save(self) -> None:
        """Keep each person; a part that is the same as another takes over what it says."""
        for form, wanted in self.wanted():
            if wanted is not None:
                self._keep(form, wanted)

    def wanted(self) -> list[tuple[PartyForm, dict[str, Any] | None]]:
        """Return what is to be kept of each person; None where that is not clear."""
        self.is_valid()
        known: dict[str, dict[str, Any]] = {MYSELF: _account(self.application.applicant)}
        found = []
        for form in self.forms:
            wanted = self._wanted(form, known)
            found.append((form, wanted))
            known[form.block.role] = _told(form, wanted)
        return found

    def _sources(self) -> Iterator[tuple[PartyForm, dict[str, Any]]]:
        """Yield each part that is said to be the same as another, with what that one says."""
        known: dict[str, dict[str, Any]] = {MYSELF: _account(self.application.applicant)}
        for form in self.forms:
            source = known.get(form.cleaned_data.get("same_as", ""), {})
            if source.get("name"):
                yield form, source
            known[form.block.role] = _told(form, self._wanted(form, known))

    def _wanted(self, form: PartyForm, known: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
        if "same_as" in form.errors:
            return None  # nothing is kept until the person chooses
        source = known.get(form.cleaned_data.get("same_as", ""))
        if source is None or not source.get("name"):
            return form.wants()
        stored = form.read()
        return {
            name: source.get(name) or _newly_typed(form.cleaned_data.get(name), stored.get(name))
            for name in form.block.fields
            if name not in AUTHORIZATION
        } | {name: value for name, value in form.cleaned_data.items() if name in AUTHORIZATION}

    def _keep(self, form: PartyForm, wanted: dict[str, Any]) -> None:
        role = form.block.role
        if not wanted:
            self.application.parties.filter(role=role).delete()
            return
        self.application.parties.update_or_create(role=role, defaults=wanted)


def _told(form: PartyForm, wanted: dict[str, Any] | None) -> dict[str, Any]:
    """Return what a part says of its person, for another part that is the same person."""
    return {**{name: getattr(form.party, name, "") for name in DETAILS}, **(wanted or {})}


def _is_other(typed: Any, stored: dict[str, Any], source: dict[str, Any], name: str) -> bool:
    """Whether something was written just now that the other person's part says otherwise."""
    return bool(typed) and typed not in (stored.get(name), source[name])


def _newly_typed(typed: str | None, stored: str | None) -> str:
    """Return what was written just now; what stood there before belonged to somebody else."""
    return typed if typed and typed != stored else ""


def _account(user: User) -> dict[str, Any]:
    return {"name": str(user), "email": user.email, "telephone": user.telephone}
