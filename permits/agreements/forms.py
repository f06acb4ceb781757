"""What is typed into the draft of an agreement, and where each word goes."""

from __future__ import annotations

from typing import Any

from django import forms

from permits.forms.fields import (
    EmailLine,
    Line,
    MailingAddressField,
    OneOf,
    Paragraph,
    TelephoneField,
    asked,
)
from permits.forms.staying import no_social_security
from permits.models import MaintenanceAgreement, Party
from portal.ordinance.maintenance import PROVISIONS

from .drafting import additions_of

__all__ = ["LandForm", "PartyForm"]

MOST_LINES_OF_ADDRESS = 5
LONGEST_LINE_OF_ADDRESS = 42
"""What fits into the space of one by three inches on the first page."""

NEEDED = ("owner_body", "owner_name", "parcels", "legal_description", "return_to", "drafter")
"""What a draft may go without until it is sent for signature."""


class DraftForm(forms.Form):
    """A part of a draft; it begins with what the draft says."""

    names: tuple[str, ...] = ()

    def __init__(self, data: Any = None, *, agreement: MaintenanceAgreement) -> None:
        self.agreement = agreement
        super().__init__(data, initial=self.read())

    def read(self) -> dict[str, Any]:
        """Return what the draft says now."""
        return {name: getattr(self.agreement, name) for name in self.names}

    def clean(self) -> dict[str, Any]:
        super().clean()
        known = self.agreement.site.parcels.values_list("number", flat=True)
        no_social_security(self, list(known))
        return self.cleaned_data

    def answers(self) -> dict[str, Any]:
        """Return what is written into the draft."""
        return {name: self.cleaned_data[name] for name in self.names}


class LandForm(DraftForm):
    """Who signs as owner, and of which land. Wis. Stat. § 706.02(1)"""

    names = (
        "owner_body",
        "owner_name",
        "owner_organization",
        "owner_title",
        "spouse_name",
        "parcels",
        "legal_description",
        "return_to",
        "drafter",
    )

    owner_body = forms.ChoiceField(
        label="What is the owner?",
        choices=[("", "Not said"), *Party.Body.choices],
        required=False,
    )
    owner_name = Line(
        label="Name of whoever signs as owner, or for the owner", max_length=200, required=False
    )
    owner_organization = Line(
        label="Company, trust or body that owns the land",
        help_text="Its full legal name, as the deed has it. Empty where a person owns it.",
        max_length=200,
        required=False,
        width="w-wide",
    )
    owner_title = Line(
        label="Capacity of whoever signs",
        help_text="Such as president, managing member, trustee.",
        max_length=120,
        required=False,
    )
    spouse_name = Line(
        label="Spouse who signs as well",
        help_text="Of a married person both sign where the land may be their homestead. Without "
        "a name the paper has a line for one.",
        max_length=200,
        required=False,
    )
    parcels = Paragraph(
        label="Parcel numbers",
        help_text="One on each line. Of more than three the first page refers to Exhibit A.",
        max_length=4000,
        rows=3,
        required=False,
    )
    legal_description = Paragraph(
        label="Legal description of the land",
        help_text="As the deed or the survey has it. It becomes Exhibit A.",
        max_length=40_000,
        rows=8,
        required=False,
    )
    return_to = Paragraph(
        label="Name and return address",
        help_text="To whom the register sends the recorded original: at most five lines.",
        max_length=300,
        rows=5,
        required=False,
    )
    drafter = Line(
        label="Drafted by",
        help_text="The name that is printed as the drafter’s.",
        max_length=200,
        required=False,
    )

    def __init__(self, data: Any = None, *, agreement: MaintenanceAgreement) -> None:
        super().__init__(data, agreement=agreement)
        for name in NEEDED:
            asked(self.fields[name])

    def clean_return_to(self) -> str:
        """Refuse what does not fit into its space: nothing of it may be cut off."""
        text: str = self.cleaned_data["return_to"]
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > MOST_LINES_OF_ADDRESS:
            raise forms.ValidationError("Write at most five lines: the space is one inch high.")
        if any(len(line) > LONGEST_LINE_OF_ADDRESS for line in lines):
            raise forms.ValidationError(
                f"Write at most {LONGEST_LINE_OF_ADDRESS} characters on a line: the space is "
                "three inches wide."
            )
        return "\n".join(lines)


class PartyForm(DraftForm):
    """Who maintains, and what the city adds to the seven provisions. Former § 17.19(4)(f)"""

    names = (
        "party_kind",
        "party_name",
        "party_organization",
        "party_address",
        "party_email",
        "party_telephone",
    )

    party_kind = OneOf(
        label="Who is responsible for the maintenance?",
        choices=MaintenanceAgreement.PartyKind.choices,
        help_text="Of the owner the duty goes to each later owner. An association or a public "
        "body signs, too.",
    )
    party_name = Line(label="Name of the person", max_length=200, required=False)
    party_organization = Line(
        label="Company, association or public body", max_length=200, required=False, width="w-wide"
    )
    party_address = MailingAddressField(
        label="Mailing address",
        help_text="The city’s notices of what must be corrected go there.",
        max_length=400,
        rows=4,
        required=False,
    )
    party_email = EmailLine(label="E-mail", required=False)
    party_telephone = TelephoneField(label="Telephone", required=False)

    def __init__(self, data: Any = None, *, agreement: MaintenanceAgreement) -> None:
        super().__init__(data, agreement=agreement)
        asked(self.fields["party_address"])
        for each in PROVISIONS:
            self.fields[each.key] = Paragraph(
                label=f"{each.paragraph} {each.title}: what the city adds",
                help_text=f"Always stands: {each.clause}",
                max_length=8000,
                rows=2,
                required=False,
            )
            self.initial[each.key] = agreement.additions.get(each.key, "")
        if agreement.kind != agreement.Kind.AGREEMENT:
            self.fields["terms"] = asked(terms_field(agreement.kind))
            self.initial["terms"] = agreement.terms
        if agreement.kind == agreement.Kind.RELEASE:
            for name in (*self.names, *(each.key for each in PROVISIONS)):
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        answers = super().clean()
        kind = answers.get("party_kind")
        if kind in ("association", "public_body") and not answers.get("party_organization"):
            self.add_error("party_organization", "Write its name: it signs the agreement.")
        return answers

    def answers(self) -> dict[str, Any]:
        """Return party and additions; of a release only why it is made."""
        found = {name: self.cleaned_data[name] for name in self.names if name in self.fields}
        if found:
            found["additions"] = additions_of(self.cleaned_data)
        if "terms" in self.fields:
            found["terms"] = self.cleaned_data["terms"]
        return found


def terms_field(kind: str) -> Paragraph:
    """Return the question what an amendment or a release changes, and why."""
    label = "Why is the land released?" if kind == "release" else "What changes, and why?"
    return Paragraph(
        label=label,
        help_text="It is printed and recorded.",
        max_length=8000,
        rows=4,
        required=False,
    )
