"""The signature under the application, and the other forms that end something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from permits.forms.fields import EmailLine, Line, Paragraph
from permits.models import Application
from permits.models.application_facts import AGENT
from portal import clock

__all__ = ["HandOverForm", "SignForm", "WithdrawForm"]

CAPACITIES = [
    ("", "Choose one"),
    ("Landowner", "The landowner in person"),
    ("Officer of the corporation", "An officer of the corporation, vice-president or higher"),
    ("Member or manager of the company", "A member or manager of the limited liability company"),
    ("General partner", "A general partner of the partnership"),
    ("Trustee or personal representative", "A trustee, or a personal representative of the estate"),
    ("Official of the unit of government", "The head or ranking official of a unit of government"),
    ("Land user", "The land user"),
    ("Contractor", "The contractor"),
    (AGENT, "An agent with the owner's written authorization"),
]


class SignForm(forms.Form):
    """Who signs, and in what capacity; a typed name is a signature. Wis. Stat. ch. 137"""

    signed_name = Line(
        max_length=200,
        label="Your name",
        help_text="Type your full name. It stands as your signature.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    capacity = forms.ChoiceField(choices=CAPACITIES, label="In what capacity do you sign?")
    title = Line(
        required=False,
        max_length=120,
        label="Title, if you sign for a company",
        help_text="Such as vice-president, managing member or trustee.",
    )

    def __init__(self, application: Application, data: Mapping[str, Any] | None = None) -> None:
        self.application = application
        super().__init__(data)

    def clean_capacity(self) -> str:
        """Ask an agent for the written authorization."""
        capacity = str(self.cleaned_data["capacity"])
        missing = self.application.obstacles_to_sign(capacity, on=clock.today())
        if missing:
            raise forms.ValidationError([each.text for each in missing])
        return capacity

    def capacity_in_words(self) -> str:
        """Return the capacity as the record keeps it, with title and company."""
        answers = self.cleaned_data
        text = answers["capacity"]
        if answers["title"]:
            text = f"{text}, {answers['title']}"
        owner = self.application.parties.filter(role="landowner").first()
        personal = ("Landowner", "Land user", "Contractor")
        if owner is not None and owner.organization and answers["capacity"] not in personal:
            text = f"{text}, for {owner.organization}"
        return str(text)


class WithdrawForm(forms.Form):
    """Why an application is withdrawn, for the record."""

    reason = Paragraph(required=False, max_length=2000, label="Why?")


class HandOverForm(forms.Form):
    """To whom the case is offered."""

    email = EmailLine(
        label="E-mail address of the person who takes over",
        help_text="They sign in with this address, or create an account with it, and accept.",
    )
