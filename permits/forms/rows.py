"""Tables that people fill in row by row, without a script: devices and timetable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django import forms
from django.db import models

from permits.forms.base import Difference, same, show

__all__ = ["MOST_ROWS", "RowForm", "Rows"]

MOST_ROWS = 100


class RowForm(forms.Form):
    """One row; a row that is left empty is no row, an emptied one is taken out."""

    needed: ClassVar[Mapping[str, str]] = {}
    """What a row cannot be kept without, and how it is asked for."""
    called: ClassVar[str] = "Row"
    """What a row is called on the page, before its number."""
    is_gone = False
    """Whether the row was taken out just now, so that it is not shown again."""

    def __init__(self, data: Mapping[str, Any] | None, *, prefix: str, row: Any) -> None:
        self.row = row
        super().__init__(data, prefix=prefix, initial=self.read(), auto_id="id_%s")
        self.fields["row"] = forms.CharField(
            required=False, widget=forms.HiddenInput, initial=row.pk if row else ""
        )
        self.fields["remove"] = forms.BooleanField(required=False, label="Take this row out")

    def read(self) -> dict[str, Any]:
        """Return the row as it stands on record."""
        raise NotImplementedError

    def values(self) -> dict[str, Any]:
        """Return the valid answers under the names of the model's fields."""
        raise NotImplementedError

    @property
    def part(self) -> str:
        """The row by its number, said with each error in the summary at the top of the page."""
        return f"{self.called} {int(str(self.prefix).rpartition('-')[2]) + 1}"

    @property
    def answers(self) -> list[str]:
        """The names of what is asked in a row."""
        return [name for name in self.fields if name not in ("row", "remove")]

    def is_blank(self) -> bool:
        """Whether nothing was written into the row."""
        return self.is_bound and not any(map(self._typed, self.answers))

    def _typed(self, name: str) -> Any:
        widget = self.fields[name].widget
        value = widget.value_from_datadict(self.data, {}, self.add_prefix(name))
        if isinstance(widget, forms.MultiWidget):
            value = value[0]  # a unit without its number is nothing
        return value.strip() if isinstance(value, str) else value

    def goes(self) -> bool:
        """Whether the row is to be taken out, or was never one."""
        return self.is_blank() or bool(self.cleaned_data.get("remove"))

    def full_clean(self) -> None:
        """An empty row and one that is taken out need no other answer."""
        super().full_clean()
        if self.is_bound and self.goes():
            self._errors = forms.utils.ErrorDict()

    def clean(self) -> dict[str, Any]:
        """Ask for what the row cannot be kept without."""
        for name, sentence in self.needed.items():
            if name in self.cleaned_data and not self.cleaned_data[name]:
                self.add_error(name, sentence)
        return self.cleaned_data


class Rows:
    """The rows of one table, with spare empty ones at the end."""

    def __init__(
        self,
        kind: type[RowForm],
        related: models.Manager[Any],
        name: str,
        data: Mapping[str, Any] | None,
        *,
        spare: int = 1,
        more: int = 0,
    ) -> None:
        self.kind, self.related, self.name = kind, related, name
        stored = list(related.all())
        if data is None:
            rows = [*stored, *[None] * max(spare, 1 if stored else 2)][:MOST_ROWS]
            self.forms = [self._form(n, None, row) for n, row in enumerate(rows)]
        else:
            known = {str(row.pk): row for row in stored}
            total = min(_count(data.get(f"{name}-total")), MOST_ROWS)
            self.forms = [
                self._form(n, data, known.get(str(data.get(f"{name}-{n}-row"))))
                for n in range(total)
            ]
            self.forms += [self._form(total + n, None, None) for n in range(more)]

    def _form(self, n: int, data: Mapping[str, Any] | None, row: Any) -> RowForm:
        return self.kind(data, prefix=f"{self.name}-{n}", row=row)

    def __iter__(self) -> Iterator[RowForm]:
        return iter(self.forms)

    def __len__(self) -> int:
        return len(self.forms)

    def bound(self) -> list[RowForm]:
        """The rows that were sent."""
        return [form for form in self.forms if form.is_bound]

    def is_valid(self) -> bool:
        """Whether every row is."""
        amiss = [form for form in self.bound() if not form.is_valid()]  # each is looked at
        return not amiss

    def read(self) -> list[dict[str, Any]]:
        """Return the rows as they stand on record."""
        return [{"pk": row.pk, **self._form(0, None, row).read()} for row in self.related.all()]

    def save(self) -> None:
        """Write, change and take out rows; a row with a slip keeps what it had."""
        for form in self.bound():
            form.is_valid()
            if form.goes():
                self._take_out(form)
            elif form.row is not None:
                for name, value in form.values().items():
                    setattr(form.row, name, value)
                form.row.save()
            elif form.needed.keys() <= form.values().keys():
                form.row = self.related.create(**form.values())
                form.data[form.add_prefix("row")] = str(form.row.pk)  # type: ignore[index]

    def _take_out(self, form: RowForm) -> None:
        if form.row is not None:
            self.related.filter(pk=form.row.pk).delete()
            form.row, form.is_gone = None, True

    def differences(self, title: str) -> list[Difference]:
        """Return each row that stands on record otherwise than it was written here."""
        on_record = {row["pk"]: row for row in self.read()}
        found = []
        for n, form in enumerate(self.bound(), start=1):
            form.is_valid()
            before = on_record.pop(form.row.pk, None) if form.row else None
            typed = {} if form.goes() else form.cleaned_data
            changed = any(not same((before or {}).get(n), typed.get(n)) for n in form.answers)
            if changed:
                found.append(Difference(f"{title} {n}", _line(form, before), _line(form, typed)))
        for row in on_record.values():
            found.append(Difference(title, _line(self._form(0, None, None), row), "not there"))
        return found


def _line(form: RowForm, values: Mapping[str, Any] | None) -> str:
    given = {name: (values or {}).get(name) for name in form.answers}
    shown = [
        str(form.fields[name].label) if value is True else show(form.fields[name], value)
        for name, value in given.items()
        if value is not False
    ]
    return "; ".join(text for text in shown if text != "no answer") or "not there"


def _count(text: Any) -> int:
    return int(text) if str(text or "").isdecimal() and len(str(text)) < 6 else 0
