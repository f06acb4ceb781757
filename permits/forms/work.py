"""Step 3, the work: what is done, how much, and when. § 40-887"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from permits.forms.base import StepForm, with_citation
from permits.forms.check import hints
from permits.forms.fields import (
    ACRES,
    FEET,
    AmountField,
    DayField,
    Line,
    MeasureField,
    OneOf,
    Paragraph,
    SeveralOf,
    YesNo,
    asked,
)
from permits.models import Application
from permits.models.application_facts import AREA_UNITS, BUILDING_CHOICES, VOLUME_UNITS
from portal import clock
from portal.city import edition_on
from portal.ordinance.permit_needed import AreaUnit, square_feet
from portal.ordinance.wording import measure

__all__ = ["WorkForm"]

MEASURES = {"area": ("area_amount", "area_unit"), "volume": ("volume_amount", "volume_unit")}
PLAIN = (
    "project_name",
    "description",
    "activities",
    "street_work",
    "pipe_ft",
    "dewatering",
    "larger_plan_acres",
    "starts_on",
    "ends_on",
    "work_begun",
    "building",
    "existing_land_use",
    "zoning",
    "fill_source",
    "haul_routes",
    "utilities",
    "other_permits",
    "controls_cost",
)


class WorkForm(StepForm):
    """The land disturbing activity, with every measure in the unit that people know."""

    project_name = Line(required=False, max_length=200, label="Name of the project")
    description = asked(
        Paragraph(
            rows=5,
            label="What will be done?",
            help_text="In your own words and in order: what is stripped, dug, filled, built, and "
            "what the ground will be at the end.",
        )
    )
    activities = asked(
        SeveralOf(choices=Application.Activity.choices, label="Which activities does it take?")
    )
    area = asked(
        MeasureField(
            dict(AREA_UNITS),
            example="0.4 acre or 17,424 square feet",
            label="How much ground will be disturbed?",
        )
    )
    volume = asked(
        MeasureField(
            dict(VOLUME_UNITS),
            example="450 cubic yards",
            label="How much soil, sand or other material will be dug out and filled in?",
        )
    )
    pipe_ft = asked(
        AmountField(
            places=1,
            example="120",
            units=FEET,
            label="How many feet of underground pipe will be laid or repaired?",
        )
    )
    street_work = asked(YesNo(label="Will a street, highway, road or bridge be built or rebuilt?"))
    dewatering = asked(YesNo(label="Will water be pumped off the site?"))
    larger_plan_acres = AmountField(
        required=False,
        example="12",
        units=ACRES,
        label="Is the site part of a larger development? If so, how many acres is the whole?",
        help_text="Leave this empty if it stands alone.",
        most=9_999_999,
    )
    starts_on = asked(DayField(label="First day of work"))
    ends_on = asked(
        DayField(
            label="Last day of work",
            help_text="With the ground covered for good: seeded, sodded, paved or built upon.",
        )
    )
    work_begun = asked(
        YesNo(
            label="Has the work begun already?",
            help_text="Asked only if the first day of work has passed. Work before the permit is "
            "issued is a violation.",
        )
    )
    building = asked(OneOf(choices=BUILDING_CHOICES, label="What kind of building is put up?"))
    existing_land_use = Line(
        required=False,
        max_length=200,
        label="Use of the land today",
        help_text="Field, lawn, woods, gravel lot, an old building…",
    )
    zoning = Line(required=False, max_length=100, label="Zoning, now and proposed")
    fill_source = Paragraph(
        required=False,
        label="Where does fill come from, and where does spoil go?",
        help_text="The kind of material and the address of the pit or the site.",
    )
    haul_routes = Paragraph(
        required=False,
        label="Which roads will the trucks use?",
        help_text="Soil that they carry onto a street must be off it by the end of each workday.",
    )
    utilities = Paragraph(
        required=False,
        label="Utilities and easements on the land",
        help_text="Electric, gas, telephone, water, sewer; who holds an easement or right-of-way.",
    )
    other_permits = Paragraph(
        required=False,
        label="Other permits",
        help_text="From the state, the county or the Corps of Engineers: which you have, which "
        "you asked for, and their numbers.",
    )
    controls_cost = AmountField(
        required=False,
        places=2,
        most=99_999_999,
        example="4,500",
        prefix="$",
        label="What will the control devices and the restoration cost, in dollars?",
        help_text="An estimate. It helps the city to set the escrow.",
    )

    def __init__(
        self, application: Application, data: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(application, data, **kwargs)
        edition = edition_on(clock.today())
        for name, hint in hints(edition).items():
            self.fields[name].help_text = hint
        self.fields["work_begun"].help_text = with_citation(
            str(self.fields["work_begun"].help_text), edition.citation("permit", "(a)")
        )
        self.fields["haul_routes"].help_text = with_citation(
            str(self.fields["haul_routes"].help_text), edition.citation("site")
        )

    def read(self) -> dict[str, Any]:
        """Return what is on record about the work."""
        application = self.application
        answers = {name: getattr(application, name) for name in PLAIN}
        for name, (amount, unit) in MEASURES.items():
            answers[name] = (getattr(application, amount), getattr(application, unit))
        return answers

    def clean(self) -> dict[str, Any]:
        """Ask again for an end before the start, also against the day that is on record."""
        answers = self.cleaned_data
        start: date | None = answers.get("starts_on", self.application.starts_on)
        end: date | None = answers.get("ends_on", self.application.ends_on)
        if start and end and end < start:
            if "ends_on" in answers:
                self.add_error("ends_on", "The last day of work is before the first one.")
            answers.pop("starts_on", None)  # neither can be kept without the other
        elif start and self._is_news("starts_on", start) and start < clock.today():
            self._ask_whether_begun(answers.get("work_begun", self.application.work_begun))
        if end and self._is_news("ends_on", end) and end < clock.today():
            self.add_error("ends_on", "This day has passed. Write the day on which it will end.")
        self._compare_with_site(answers)
        return answers

    def _compare_with_site(self, answers: dict[str, Any]) -> None:
        """More ground than there is cannot be disturbed: one of two figures is a slip."""
        whole = self.application.site.parcel_acres
        amount, unit = answers.get("area") or (None, "")
        if not whole or amount is None:
            return
        if square_feet(amount, AreaUnit(unit)) > square_feet(whole, AreaUnit.ACRES):
            self.add_error(
                "area",
                f"This is more than the whole site, which has {measure(whole, 'acres')}. Correct "
                "it here, or the size of the parcels with the site.",
            )

    def _is_news(self, name: str, day: date) -> bool:
        """Whether a day is written now; what was filed in time may pass while it is reviewed."""
        filed = self.application.status != Application.Status.DRAFT
        return name in self.fields and not (filed and day == getattr(self.application, name))

    def _ask_whether_begun(self, begun: bool | None) -> None:
        """A first day that has passed is a slip of the pen, or work without a permit."""
        if begun is None:
            self.add_error(
                "work_begun",
                "The first day of work has passed: say whether the work has begun. Work before "
                "the permit is issued is a violation.",
            )
        elif not begun:
            self.add_error(
                "starts_on",
                "This day has passed, and the work has not begun. Write a day from today on.",
            )

    def write(self, answers: dict[str, Any]) -> None:
        """Put the answers on record."""
        for name in self.fields.keys() & answers.keys():
            if name in MEASURES:
                amount, unit = MEASURES[name]
                setattr(self.application, amount, answers[name][0])
                setattr(self.application, unit, answers[name][1])
            else:
                setattr(self.application, name, answers[name])
        self.application.save()
