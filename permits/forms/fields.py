"""The kinds of answers that people write; each says in plain words what it cannot take."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import ProhibitNullCharactersValidator

from portal import clock, formats
from portal.addresses import ASK_FOR_ADDRESS, can_be_delivered
from portal.ordinance.wording import figure

__all__ = [
    "AmountField",
    "DayField",
    "EmailLine",
    "Line",
    "MailingAddressField",
    "MeasureField",
    "OneOf",
    "Paragraph",
    "SeveralOf",
    "TelephoneField",
    "YesNo",
    "asked",
    "read_day",
]

NO_NUL = "There is a character in this answer that cannot be kept. Delete the answer and type it."
NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?", re.ASCII)
EARLIEST_YEAR = 2000
YEARS_AHEAD = 20
"""A day further off is a slip of the pen, not a plan."""


def asked(field: forms.Field) -> Any:
    """Mark a question whose answer may wait but must come before the form is filed.

    The draft keeps what is there, so nothing is required on the way; the label does not
    call the answer optional.
    """
    field.required = False
    field.widget.is_required = False
    setattr(field, "silent_optional", True)  # noqa: B010 (the label's template asks for it)
    return field


class Line(forms.CharField):
    """One line of text."""

    def __init__(self, *, width: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if width:
            self.widget.attrs["class"] = width
        _say_no_to_nul(self)
        if self.max_length:
            self.error_messages["max_length"] = TOO_LONG
            _count_in_words(self)


class Paragraph(Line):
    """Text of several lines."""

    widget = forms.Textarea

    def __init__(self, *, rows: int = 3, max_length: int = 10_000, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, **kwargs)
        self.widget.attrs["rows"] = rows
        self.widget.attrs.pop("maxlength", None)

    def clean(self, value: Any) -> str:
        """Keep the text with one kind of line end."""
        return str(super().clean(value)).replace("\r\n", "\n").replace("\r", "\n")


class MailingAddressField(Paragraph):
    """An address to which the post delivers; notices that bind people go there."""

    def clean(self, value: Any) -> str:
        """Keep the address as it was written, once it has street, city, state and ZIP code."""
        text = super().clean(value)
        if text and not can_be_delivered(text):
            raise ValidationError(ASK_FOR_ADDRESS)
        return text


TOO_LONG = "Write at most %(limit_value)s characters; there are %(show_value)s."


def _say_no_to_nul(field: forms.CharField) -> None:
    for validator in field.validators:
        if isinstance(validator, ProhibitNullCharactersValidator):
            validator.message = NO_NUL


def _count_in_words(field: forms.CharField) -> None:
    for validator in field.validators:
        if getattr(validator, "code", "") == "max_length":
            validator.message = TOO_LONG  # type: ignore[attr-defined]


class EmailLine(forms.EmailField):
    """An e-mail address, as long as one can be kept."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=254, **kwargs)
        self.widget.attrs["autocomplete"] = "email"
        _say_no_to_nul(self)
        _count_in_words(self)


class TelephoneField(Line):
    """A telephone number as people write it, with its area code."""

    widget = forms.TextInput(attrs={"type": "tel", "autocomplete": "tel"})

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=40, **kwargs)
        self.widget.input_type = "tel"  # type: ignore[attr-defined]

    def clean(self, value: Any) -> str:
        """Keep the number as it was typed, once it can be called."""
        text = str(super().clean(value))
        if text and not formats.can_be_called(text):
            raise ValidationError(formats.ASK_FOR_TELEPHONE)
        return text


class AmountField(forms.Field):
    """A number as people write it: 17,424 or 0.4; never a float."""

    widget = forms.TextInput

    def __init__(
        self,
        *,
        places: int = 3,
        least: Decimal | int | None = 0,
        most: Decimal | int = 999_999_999,
        example: str = "0.4 or 17,424",
        prefix: str = "",
        units: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        self.units = sorted(units, key=len, reverse=True)
        self.places, self.least, self.most = places, least, most
        self.example, self.prefix = example, prefix
        super().__init__(**kwargs)
        self.widget.attrs.setdefault("inputmode", "decimal")
        self.widget.attrs.setdefault("class", "w-number")

    def to_python(self, value: Any) -> Decimal | None:
        """Read the number; refuse what is not surely one."""
        if isinstance(value, Decimal):
            return value
        text = re.sub(r"\s+", "", str(value or "")).replace("−", "-")
        if self.prefix:
            text = text.removeprefix(self.prefix)
        text = self._without_unit(text)
        if not text:
            return None
        sign = -1 if text.startswith("-") else 1
        text = text.removeprefix("-") if sign < 0 else text.removeprefix("+")
        if len(text) > 40 or not NUMBER.fullmatch(text) or not re.search(r"\d", text):
            raise ValidationError(f"Write a number, such as {self.example}.", "invalid")
        return self._within(sign * Decimal(text.replace(",", "")))

    def _without_unit(self, text: str) -> str:
        """Take the field's own unit off the end: the question names it already."""
        unit = next((unit for unit in self.units if text.lower().endswith(unit)), "")
        return text[: -len(unit)] if unit and text[:1].isdigit() else text

    def _within(self, number: Decimal) -> Decimal:
        if self.least is not None and number < self.least:
            raise ValidationError(f"Write a number of {figure(self.least)} or more.", "least")
        if number > self.most:
            raise ValidationError(f"Write a number up to {figure(self.most)}.", "most")
        exact = number.quantize(Decimal(1).scaleb(-self.places))
        if exact != number:
            raise ValidationError(
                f"Write the number with at most {self.places} digits after the point.", "places"
            )
        return abs(exact) if exact == 0 else exact

    def prepare_value(self, value: Any) -> Any:
        """Show a stored number without zeros that say nothing."""
        if not isinstance(value, Decimal):
            return value
        return f"{value:,f}" if self.prefix else figure(value)


FEET = ("ft", "ft.", "feet", "foot", "lf", "linearfeet", "'", "\u2019")
ACRES = ("acre", "acres", "ac", "ac.")
UNIT_WORDS = {
    "sq_ft": ("sqft", "sq.ft", "sq.ft.", "sf", "squarefeet", "squarefoot", "sqfeet", "ft2", "ft²"),
    "acres": ("acre", "acres", "ac", "ac."),
    "cu_yd": ("cubicyards", "cubicyard", "cuyd", "cu.yd", "cu.yd.", "cy", "yards", "yd3", "yd³"),
    "cu_ft": ("cubicfeet", "cubicfoot", "cuft", "cu.ft", "cu.ft.", "cf", "ft3", "ft³"),
}
WITH_UNIT = re.compile(r"\s*([\d.,]+)\s*([^\d\s][^\d]*[²³23]?)\s*", re.ASCII)


def split_unit(text: str, units: Mapping[str, str]) -> tuple[str, str]:
    """Take a unit off the end of a number: ("0.4", "acres") of "0.4 acre"; else ("…", "")."""
    found = WITH_UNIT.fullmatch(text)
    if found is None:
        return text, ""
    word = re.sub(r"\s", "", found[2]).lower()
    unit = next((key for key in units if word in UNIT_WORDS.get(key, ())), "")
    return (found[1], unit) if unit else (text, "")


class MeasureInput(forms.MultiWidget):
    """A number and its unit, side by side."""

    def __init__(self, units: Mapping[str, str], attrs: dict[str, Any] | None = None) -> None:
        number = forms.TextInput(
            {"inputmode": "decimal", "class": "w-number", "aria-label": "Amount"}
        )
        unit = forms.Select({"aria-label": "Unit", "class": "w-number"}, choices=[*units.items()])
        super().__init__({"amount": number, "unit": unit}, attrs)

    def decompress(self, value: Any) -> list[Any]:
        return list(value) if value else ["", ""]


class MeasureField(forms.MultiValueField):
    """A number with its unit; a unit typed behind the number counts before the chosen one."""

    def __init__(self, units: Mapping[str, str], *, example: str, **kwargs: Any) -> None:
        amount = AmountField(required=False, example=example)
        unit = forms.ChoiceField(required=False, choices=[*units.items()])
        self.units = units
        super().__init__(
            (amount, unit), require_all_fields=False, widget=MeasureInput(units), **kwargs
        )

    def clean(self, value: Any) -> tuple[Decimal | None, str]:
        """Return the number and its unit."""
        text, unit = (value or ["", ""])[:2]
        text, typed = split_unit(str(text or ""), self.units)
        return super().clean([text, typed or unit])  # type: ignore[no-any-return]

    def compress(self, data_list: Sequence[Any]) -> tuple[Decimal | None, str]:
        amount, unit = data_list or (None, "")
        return amount, unit or next(iter(self.units))

    def prepare_value(self, value: Any) -> Any:
        """Show a stored number without zeros that say nothing."""
        if isinstance(value, (tuple, list)) and isinstance(value[0], Decimal):
            return [figure(value[0]), value[1]]
        return value


def read_day(text: str) -> date | None:
    """Read 2026-12-08 or 12/8/2026; anything else is no day, and never another one."""
    for form in ("%Y-%m-%d", "%m/%d/%Y"):
        try:
            return datetime.strptime(text.strip(), form).date()  # noqa: DTZ007
        except ValueError:
            continue
    return None


class DayInput(forms.DateInput):
    """The browser's own calendar; a day that cannot be meant stays visible as typed."""

    input_type = "date"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__({"class": "w-date", **(attrs or {})}, format="%Y-%m-%d")

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(name, value, attrs)
        shown = context["widget"]["value"]
        if shown:
            day = read_day(shown)
            context["widget"]["value"] = day.isoformat() if day else shown
            context["widget"]["type"] = "date" if day else "text"
        return context


class DayField(forms.DateField):
    """A day of the calendar that can be meant."""

    widget = DayInput
    default_error_messages = {
        "invalid": "Write a day of the calendar as month/day/year, such as 12/8/2026."
    }

    def to_python(self, value: Any) -> date | None:
        """Read the day, and ask again for one that nobody can mean."""
        if value in self.empty_values:
            return None
        day = value if isinstance(value, date) else read_day(str(value))
        if day is None:
            raise ValidationError(self.error_messages["invalid"], "invalid")
        latest = clock.today().year + YEARS_AHEAD
        if not EARLIEST_YEAR <= day.year <= latest:
            raise ValidationError(
                f"The year {day.year} cannot be meant. Write a year from {EARLIEST_YEAR} to "
                f"{latest}.",
                "year",
            )
        return day


class OneOf(forms.ChoiceField):
    """One of several answers, all in view."""

    widget = forms.RadioSelect


class SeveralOf(forms.MultipleChoiceField):
    """Any of several answers, all in view."""

    widget = forms.CheckboxSelectMultiple


class YesNo(forms.TypedChoiceField):
    """Yes, no, or not answered yet."""

    widget = forms.RadioSelect

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            choices=[("yes", "Yes"), ("no", "No")],
            coerce=lambda value: value == "yes",
            empty_value=None,
            **kwargs,
        )

    def prepare_value(self, value: Any) -> Any:
        return {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
