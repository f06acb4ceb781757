"""What a payer without the case is asked: number and code of the bill; amount and name."""

from __future__ import annotations

from django import forms

from permits.forms.fields import Line
from portal.accounts import one_line

from .forms import AmountForm

__all__ = ["MISMATCH", "CodeForm", "PayerForm"]

MISMATCH = (
    "No bill has this number together with this code. Look at both once more: they stand side by "
    "side on the bill and on each statement of it."
)
"""The same words whichever of the two is wrong, and where there is no such bill."""


class CodeForm(forms.Form):
    """The number and the code that stand on a bill."""

    number = Line(
        label="Number of the bill",
        max_length=40,
        help_text="Such as BL-2026-0007.",
        error_messages={"required": "Write the number of the bill."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
    )
    code = Line(
        label="Code of the bill",
        max_length=40,
        help_text="Three groups of four, such as 7KQ4-WX9T-3MPD.",
        error_messages={"required": "Write the code that stands beside the number."},
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )


class PayerForm(AmountForm):
    """How much is paid, and who pays it."""

    name = Line(
        label="Your name",
        max_length=200,
        help_text="As it should stand on the receipt.",
        error_messages={"required": "Write the name for the receipt."},
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )

    def clean_name(self) -> str:
        """Keep the name on one line."""
        return one_line(self.cleaned_data["name"])
