"""Step 5: what the law wants said and heard before the form is signed."""

from __future__ import annotations

from typing import Any

from django import forms

from permits.forms.base import StepForm
from permits.forms.fields import asked

__all__ = ["WETLANDS_NOTICE", "AcknowledgementsForm"]

WETLANDS_NOTICE = (
    "YOU ARE RESPONSIBLE FOR COMPLYING WITH STATE AND FEDERAL LAWS CONCERNING CONSTRUCTION NEAR "
    "OR ON WETLANDS, LAKES, AND STREAMS. WETLANDS THAT ARE NOT ASSOCIATED WITH OPEN WATER CAN BE "
    "DIFFICULT TO IDENTIFY. FAILURE TO COMPLY MAY RESULT IN REMOVAL OR MODIFICATION OF "
    "CONSTRUCTION THAT VIOLATES THE LAW OR OTHER PENALTIES OR COSTS. FOR MORE INFORMATION, VISIT "
    "THE DEPARTMENT OF NATURAL RESOURCES WETLANDS IDENTIFICATION WEB PAGE OR CONTACT A DEPARTMENT "
    "OF NATURAL RESOURCES SERVICE CENTER."
)
"""The notice that the city must hand out, in the statute's own words. Wis. Stat. § 62.232"""


class AcknowledgementsForm(StepForm):
    """Three statements; each is agreed to by itself."""

    wetlands_acknowledged = asked(
        forms.BooleanField(label="I have read the notice on wetlands, lakes and streams.")
    )
    entry_allowed = asked(
        forms.BooleanField(
            label="I allow the city's inspectors onto the site, until the permit is closed."
        )
    )
    records_agreed = asked(
        forms.BooleanField(
            label="I agree to sign, send and receive the records of this case electronically."
        )
    )

    def read(self) -> dict[str, Any]:
        """Return what is agreed to on record."""
        return {name: getattr(self.application, name) for name in self.base_fields}

    def write(self, answers: dict[str, Any]) -> None:
        """Put the agreements on record."""
        for name in self.fields.keys() & answers.keys():
            setattr(self.application, name, answers[name])
        self.application.save()
