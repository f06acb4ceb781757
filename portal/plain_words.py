"""Django's own error texts in plain words: what to do, with an example."""

from __future__ import annotations

from django import forms
from django.core import validators

__all__ = ["install"]

WORDS: dict[type[forms.Field], dict[str, str]] = {
    forms.Field: {"required": "Please answer this."},
    forms.IntegerField: {"invalid": "Write a whole number, such as 12."},
    forms.DecimalField: {"invalid": "Write a number, such as 0.4 or 17424."},
    forms.FloatField: {"invalid": "Write a number, such as 0.4."},
    forms.DateField: {"invalid": "Write a day of the calendar, such as 12/8/2026."},
    forms.DateTimeField: {"invalid": "Write a day and a time, such as 12/8/2026 14:30."},
    forms.TimeField: {"invalid": "Write a time, such as 14:30."},
    forms.URLField: {"invalid": "Write a web address, such as https://www.example.com."},
    forms.ChoiceField: {"invalid_choice": "Choose one of the answers offered."},
    forms.MultipleChoiceField: {
        "invalid_choice": "Choose from the answers offered.",
        "invalid_list": "Choose from the answers offered.",
    },
    forms.ModelChoiceField: {"invalid_choice": "Choose one of the answers offered."},
    forms.FileField: {
        "invalid": "No file came with the form. Choose it again.",
        "missing": "No file came with the form. Choose it again.",
        "empty": "This file is empty. Choose the file that has the drawing or photo in it.",
    },
    forms.UUIDField: {"invalid": "This form is out of date. Open the page again."},
}


def install() -> None:
    """Put our words in place of Django's, for every form of the portal."""
    for field, words in WORDS.items():
        field.default_error_messages = {**field.default_error_messages, **words}
    validators.MinValueValidator.message = "Write a number of %(limit_value)s or more."
    validators.MaxValueValidator.message = "Write a number up to %(limit_value)s."
    validators.validate_email.message = "Write an e-mail address, such as name@example.com."
    validators.EmailValidator.message = "Write an e-mail address, such as name@example.com."
