"""The forms of an import: the spreadsheet, its columns, the words of its status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from permits.forms.fields import Line
from permits.imports.columns import FIELDS, guess_word, same_words
from permits.models import EarlierStatus, ImportBatch

__all__ = ["ColumnsForm", "SpreadsheetForm", "WordsForm"]


class SpreadsheetForm(forms.Form):
    """A spreadsheet of earlier permits, and the register it is from."""

    file = forms.FileField(
        label="Spreadsheet",
        help_text=(
            "An Excel workbook (.xlsx) or a table saved as CSV: headings in the first row, one "
            "permit in each row below. Up to 20,000 rows and 20 MB."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".xlsx,.csv,.txt,.tsv,text/csv"}),
        error_messages={
            "required": "Choose a file.",
            "empty": "The file is empty (0 bytes). Choose it again.",
        },
    )
    source = Line(
        label="Which register is it from?",
        max_length=120,
        help_text=(
            "Its name, such as “Permit book 2012 to 2020”. Under the same name the same permit "
            "number comes in once, and columns named before are remembered."
        ),
        error_messages={"required": "Name the register."},
    )

    def clean_source(self) -> str:
        """Return the name with one blank between its words."""
        return " ".join(str(self.cleaned_data["source"]).split())


class ColumnsForm(forms.Form):
    """Which heading holds which fact."""

    def __init__(self, data: Any, *, batch: ImportBatch) -> None:
        super().__init__(data)
        headings = [("", "not in the table"), *((each, each) for each in batch.headings)]
        for field in FIELDS:
            self.fields[field.key] = forms.ChoiceField(
                label=field.label,
                help_text=field.hint,
                required=field.needed,
                choices=headings,
                initial=batch.columns.get(field.key, ""),
                error_messages={"required": "Choose the column by which a permit is known."},
            )

    def clean(self) -> dict[str, Any]:
        """Refuse a column that is named for two facts, and a table without places."""
        found: dict[str, str] = {}
        for key, heading in list(self.cleaned_data.items()):
            if heading and heading in found:
                label = self.fields[found[heading]].label
                said = f"“{heading}” is chosen for “{label}” already."
                self.add_error(key, ValidationError(said))
            found.setdefault(heading, key)
        if not self.cleaned_data.get("address") and not self.cleaned_data.get("parcel"):
            said = "A site is known by its address or its parcel number: choose one of the columns."
            self.add_error("address", ValidationError(said))
        return self.cleaned_data


class WordsForm(forms.Form):
    """What each word of the status column means."""

    def __init__(self, data: Any, *, words: Mapping[str, str], known: Mapping[str, str]) -> None:
        super().__init__(data)
        self.words = list(words.values())
        choices = [("", "choose"), *EarlierStatus.choices]
        for place, word in enumerate(self.words):
            self.fields[f"word-{place}"] = forms.ChoiceField(
                label=f"“{word}”",
                choices=choices,
                initial=known.get(same_words(word)) or guess_word(word),
                error_messages={"required": f"Say what “{word[:60]}” means."},
            )

    def meant(self) -> dict[str, str]:
        """Return what each word means."""
        return {word: self.cleaned_data[f"word-{place}"] for place, word in enumerate(self.words)}
