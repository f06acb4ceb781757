"""Step 4, the erosion control plan: drawing, factors, devices, timetable. § 40-939"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, ClassVar

from django import forms

from permits.forms.base import Difference, StepForm, digest, same, show, with_citation
from permits.forms.fields import AmountField, DayField, Line, MeasureField, Paragraph, asked
from permits.forms.rows import RowForm, Rows
from permits.models import Application, PlanRevision, PlanSheet
from portal import clock
from portal.city import edition_on
from portal.ordinance.devices import DEVICES, DEVICES_BY_KEY, DeviceKind
from portal.ordinance.permit_needed import AreaUnit, square_feet
from portal.uploads.collect import Collected
from portal.uploads.fields import UploadsField

__all__ = ["DeviceRow", "PlanForm", "PlanForms", "SheetForm", "TimetableRow"]

AREA_UNITS = {AreaUnit.SQUARE_FEET.value: "square feet", AreaUnit.ACRES.value: "acres"}
LARGEST = 9_999_999_999
"""Square feet; more than the state has, and as many as the record can hold."""
SOIL_LOSS = ("soil_loss_rate", "soil_loss_from", "soil_loss_until")


class PlanForm(StepForm):
    """The drawing's scale, the factors, and for an acre or more the soil-loss result."""

    files = UploadsField(  # type: ignore[assignment]  # a field, not the form's own files
        required=False, label="Choose drawings and other files", spreadsheets=True
    )
    files_purpose = forms.ChoiceField(
        choices=PlanSheet.Purpose.choices, required=False, label="What are these files?"
    )
    drawing_scale = asked(
        Line(
            max_length=60,
            label="Scale of the drawing",
            help_text="As it is written on the sheet, such as 1 inch = 20 feet.",
        )
    )
    factors_on_site = asked(
        Paragraph(
            rows=4,
            label="What on the site affects erosion?",
            help_text="Soils, slopes and their length, where water runs, trees and ground that "
            "stay, wells, wet spots.",
        )
    )
    factors_adjacent = asked(
        Paragraph(
            rows=4,
            label="What next to the site affects it, or is affected?",
            help_text="Streets and their inlets, ditches, streams, wetlands, lakes, slopes above, "
            "neighbors below.",
        )
    )
    soil_loss_rate = asked(
        AmountField(
            places=2,
            most=99_999,
            example="3.8",
            label="Soil loss in tons an acre a year",
        )
    )
    soil_loss_from = asked(DayField(label="First day of the calculation"))
    soil_loss_until = asked(DayField(label="Last day of the calculation"))

    def __init__(
        self, revision: PlanRevision, data: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> None:
        self.revision = revision
        super().__init__(revision.application, data, **kwargs)
        setattr(self.fields["files"], "silent_optional", True)  # noqa: B010
        setattr(self.fields["files_purpose"], "silent_optional", True)  # noqa: B010
        edition = edition_on(clock.today())
        area = self.application.area_sq_ft
        if area is None or area < edition.state_permit_sq_ft:
            for name in SOIL_LOSS:
                del self.fields[name]
        else:
            self.fields["soil_loss_rate"].help_text = with_citation(
                f"From the state's soil-loss spreadsheet. The limit is {edition.soil_loss_limit}.",
                "Wis. Admin. Code § NR 151.11(6m)",
            )

    @property
    def asks_soil_loss(self) -> bool:
        """Whether the site is of an acre or more."""
        return "soil_loss_rate" in self.fields

    def read(self) -> dict[str, Any]:
        """Return the answers as they stand on record."""
        names = ("drawing_scale", "factors_on_site", "factors_adjacent", *SOIL_LOSS)
        return {name: getattr(self.revision, name) for name in names}

    def clean(self) -> dict[str, Any]:
        """Ask again for a calculation that ends before it begins."""
        answers = self.cleaned_data
        first = answers.get("soil_loss_from", self.revision.soil_loss_from)
        last = answers.get("soil_loss_until", self.revision.soil_loss_until)
        if first and last and last < first:
            if "soil_loss_until" in answers:
                self.add_error("soil_loss_until", "The last day is before the first one.")
            answers.pop("soil_loss_from", None)
        return answers

    def write(self, answers: dict[str, Any]) -> None:
        """Put the answers on record."""
        for name in self.read().keys() & self.fields.keys() & answers.keys():
            setattr(self.revision, name, answers[name])
        self.revision.save()


class DeviceRow(RowForm):
    """A control device: what, where, how much. Former § 17.19(4)(b)"""

    called = "Device"
    needed: ClassVar[Mapping[str, str]] = {"device": "Choose the device."}

    device = asked(
        forms.ChoiceField(
            choices=[("", "Choose one"), *((device.key, str(device)) for device in DEVICES)],
            label="Device",
        )
    )
    place = asked(Line(max_length=200, label="Place", help_text="As the drawing shows it."))
    quantity = asked(Line(max_length=60, label="Quantity", help_text="240 feet, 2, one load…"))
    permanent = forms.BooleanField(required=False, label="It stays for good")

    def read(self) -> dict[str, Any]:
        """Return the row as it stands on record."""
        return {name: getattr(self.row, name, "") for name in self.base_fields}

    def values(self) -> dict[str, Any]:
        """Return the valid answers; the device brings its DNR standard along."""
        values = {name: self.cleaned_data[name] for name in self.answers if self._has(name)}
        if device := DEVICES_BY_KEY.get(values.get("device", "")):
            values["standard"] = device.standard
            if device.kind is DeviceKind.PERMANENT:
                values["permanent"] = True
        return values

    def _has(self, name: str) -> bool:
        return name in self.cleaned_data


class TimetableRow(RowForm):
    """An activity with its dates, its area, and what holds the soil meanwhile and for good."""

    called = "Activity"
    needed: ClassVar[Mapping[str, str]] = {
        "activity": "Say what is done.",
        "starts_on": "Give its first day.",
        "ends_on": "Give its last day.",
    }

    activity = asked(Line(max_length=200, label="Activity", width="w-wide"))
    starts_on = asked(DayField(label="First day"))
    ends_on = asked(DayField(label="Last day"))
    area = asked(MeasureField(AREA_UNITS, example="17,424", label="Area disturbed"))
    temporary = asked(
        Paragraph(rows=2, label="Temporary procedures", help_text="What holds the soil meanwhile.")
    )
    permanent = asked(
        Paragraph(rows=2, label="Permanent procedures", help_text="What holds it for good.")
    )

    def read(self) -> dict[str, Any]:
        """Return the row as it stands on record."""
        if self.row is None:
            return {}
        names = ("activity", "starts_on", "ends_on", "temporary", "permanent")
        found = {name: getattr(self.row, name) for name in names}
        return {**found, "area": (self.row.area_sq_ft, AreaUnit.SQUARE_FEET.value)}

    def clean(self) -> dict[str, Any]:
        """Ask again for an activity that ends before it starts."""
        answers = super().clean()
        amount, unit = answers.get("area") or (None, "")
        if amount is not None and _square_feet(amount, unit) > LARGEST:
            self.add_error("area", "Write a smaller area.")
        first = answers.get("starts_on") or getattr(self.row, "starts_on", None)
        last = answers.get("ends_on") or getattr(self.row, "ends_on", None)
        if first and last and last < first:
            if "ends_on" in answers:
                self.add_error("ends_on", "The last day is before the first one.")
            answers.pop("starts_on", None)
        return answers

    def values(self) -> dict[str, Any]:
        """Return the valid answers, the area in square feet."""
        plain = [name for name in self.answers if name != "area" and name in self.cleaned_data]
        values = {name: self.cleaned_data[name] for name in plain}
        if "area" in self.cleaned_data:
            amount, unit = self.cleaned_data["area"]
            values["area_sq_ft"] = None if amount is None else _square_feet(amount, unit)
        return values


def _square_feet(amount: Decimal, unit: str) -> Decimal:
    return square_feet(amount, AreaUnit(unit)).quantize(Decimal("0.1"))


class SheetForm(forms.Form):
    """What a file of the plan is, and what it is called."""

    purpose = forms.ChoiceField(choices=PlanSheet.Purpose.choices, label="What is it?")
    title = Line(required=False, max_length=120, label="Title")

    def __init__(self, sheet: PlanSheet, data: Mapping[str, Any] | None = None) -> None:
        self.sheet = sheet
        super().__init__(data, prefix=f"sheet-{sheet.pk}", initial=self.read())
        setattr(self.fields["title"], "silent_optional", True)  # noqa: B010

    def read(self) -> dict[str, Any]:
        """Return what is on record about the sheet."""
        return {"purpose": self.sheet.purpose, "title": self.sheet.title}

    def clean_purpose(self) -> str:
        """A spreadsheet shows no site to scale."""
        purpose = str(self.cleaned_data["purpose"])
        if purpose == PlanSheet.Purpose.DRAWING and self.sheet.upload.family == "sheet":
            raise forms.ValidationError("A spreadsheet is no drawing. Choose what it is.")
        return purpose

    @property
    def part(self) -> str:
        """The file, said with each error in the summary at the top of the page."""
        return str(self.sheet)

    @property
    def mark(self) -> str:
        """The mark of what is on record, which goes with the form."""
        return digest(self.read())

    def is_stale(self) -> bool:
        """Whether the sheet is on record otherwise than when the page was opened."""
        return self.is_bound and self.data.get(self.add_prefix("seen"), "") != self.mark

    def save(self) -> None:
        """Keep what is valid."""
        self.is_valid()
        for name, value in self.cleaned_data.items():
            setattr(self.sheet, name, value)
        if self.cleaned_data and self.has_changed():
            self.sheet.save()


class PlanForms:
    """All that the plan step asks: answers, sheets, devices and timetable."""

    def __init__(
        self,
        application: Application,
        data: Mapping[str, Any] | None = None,
        *,
        collected: Collected | None = None,
        spare: Mapping[str, int] | None = None,
    ) -> None:
        revision = application.latest_revision()
        assert revision is not None
        revision.application = application
        self.revision, self.application = revision, application
        spare = spare or {}
        add = str(data.get("add", "")) if data is not None else ""
        self.form = PlanForm(revision, data)
        self.sheets = [
            SheetForm(
                sheet, data if data is not None and f"sheet-{sheet.pk}-purpose" in data else None
            )
            for sheet in self.sheet_rows()
        ]
        self.devices, self.activities = (
            Rows(kind, related, name, data, spare=spare.get(name, 1), more=int(add == name))
            for kind, related, name in (
                (DeviceRow, revision.devices, "devices"),
                (TimetableRow, revision.activities, "activities"),
            )
        )
        field = self.form.fields["files"]
        assert isinstance(field, UploadsField)
        field.take(collected or Collected(), kept=len(self.sheets))
        self.forms = [self.form, *self.sheets, *self.devices, *self.activities]
        gone = str(data.get("remove_sheet", "")) if data is not None else ""
        self.removed = next((form for form in self.sheets if str(form.sheet.pk) == gone), None)
        self.is_bound = data is not None

    def sheet_rows(self) -> list[PlanSheet]:
        """Return the files of the plan with their pictures."""
        rows = self.revision.sheets.select_related("upload").prefetch_related("upload__previews")
        return list(rows)

    def is_valid(self) -> bool:
        """Whether everything that was sent is."""
        sheets = [form for form in self.sheets if form.is_bound]
        parts: list[Any] = [self.form, *sheets, self.devices, self.activities]
        amiss = [part for part in parts if not part.is_valid()]  # each is looked at
        return not amiss

    def read(self) -> dict[str, Any]:
        """Return what another window could change; each sheet bears its own mark."""
        return {
            "revision": self.revision.pk,
            "answers": self.form.read(),
            "devices": self.devices.read(),
            "activities": self.activities.read(),
        }

    def is_stale(self, seen: str) -> bool:
        """Whether other answers stand on record; a file added meanwhile never clashes."""
        return seen != digest(self.read()) or any(sheet.is_stale() for sheet in self.sheets)

    def differences(self) -> list[Difference]:
        """Return each answer that differs from what stands on record."""
        found = self.form.differences()
        for sheet in self.sheets:
            if sheet.is_bound and sheet.is_valid():
                for name, typed in sheet.cleaned_data.items():
                    if not same(sheet.read()[name], typed):
                        field = sheet.fields[name]
                        before = show(field, sheet.read()[name])
                        found.append(Difference(str(sheet.sheet), before, show(field, typed)))
        found += self.devices.differences("Control device")
        return found + self.activities.differences("Timetable, row")

    def save(self) -> None:
        """Keep all that is valid; take out the file whose button was pressed."""
        self.form.save()
        for sheet in self.sheets:
            if sheet.is_bound:
                sheet.save()
        self.devices.save()
        self.activities.save()
        if self.removed is not None:
            self.removed.sheet.delete()
            self.sheets.remove(self.removed)
            self.forms.remove(self.removed)
