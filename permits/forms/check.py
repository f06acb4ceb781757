"""The questions behind "Do I need a permit?", in the units in which people know them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django import forms

from permits.forms.base import show, with_citation
from permits.forms.fields import ACRES, FEET, AmountField, MeasureField, OneOf, YesNo, asked
from permits.models.application_facts import AREA_UNITS, BUILDING_CHOICES, VOLUME_UNITS
from portal.ordinance import Building, Edition, Proposal
from portal.ordinance.permit_needed import AreaUnit, VolumeUnit, cubic_yards, square_feet
from portal.ordinance.wording import figure, measure

__all__ = ["CheckForm", "hints"]

CHECK_AREA_UNITS = dict(reversed(AREA_UNITS))
CHECK_VOLUME_UNITS = dict(VOLUME_UNITS)


def hints(edition: Edition) -> dict[str, str]:
    """Return what goes with the questions on the five activities: limit and citation."""
    activities = [
        ("area", "(1)", "Everything graded, dug, filled, stripped or driven on. {area} square "
         "feet or more needs a permit. A lot of 80 by 120 feet is 9,600 square feet."),
        ("volume", "(2)", "Dug out and filled in, added together. {volume} cubic yards or more "
         "needs a permit. A hole 30 by 40 feet and 9 feet deep is 400 cubic yards."),
        ("street_work", "(3)", "Needs a permit whatever its size."),
        ("pipe_ft", "(4)", "Water, sewer, drain or gas: the whole length. {pipe} feet or more "
         "needs a permit."),
        ("dewatering", "(5)", "Pumping out a pit or trench. Where the water can carry soil away "
         "it needs a permit whatever the size."),
    ]  # fmt: skip
    numbers = {
        "area": figure(edition.trigger_area_sq_ft),
        "volume": figure(edition.trigger_volume_cu_yd),
        "pipe": figure(edition.trigger_pipe_ft),
    }
    return {
        name: with_citation(text.format(**numbers), edition.citation("activities", paragraph))
        for name, paragraph, text in activities
    }


class CheckForm(forms.Form):
    """Five activities, two exceptions, and what the state's rules ask. § 40-886(d), § 40-887"""

    area = asked(
        MeasureField(
            CHECK_AREA_UNITS,
            example="0.4 acre or 17,424 square feet",
            label="How much ground will be disturbed?",
        )
    )
    volume = asked(
        MeasureField(
            CHECK_VOLUME_UNITS,
            example="450 cubic yards",
            label="How much soil, sand or other material will be dug out and filled in?",
        )
    )
    street_work = asked(YesNo(label="Will a street, highway, road or bridge be built or rebuilt?"))
    pipe_ft = asked(
        AmountField(
            places=1,
            example="120",
            units=FEET,
            label="How many feet of underground pipe will be laid or repaired?",
        )
    )
    dewatering = asked(YesNo(label="Will water be pumped off the site?"))
    agriculture = asked(
        YesNo(label="Is the work only for growing crops, or for pasturing or yarding livestock?")
    )
    state_project = asked(YesNo(label="Does the state pay for the work, or do it?"))
    state_plan_required = asked(
        YesNo(label="If so: does the state require a similar erosion control plan?")
    )
    building = asked(OneOf(choices=BUILDING_CHOICES, label="What kind of building is put up?"))
    larger_plan_acres = AmountField(
        required=False,
        example="12",
        units=ACRES,
        label="Is the site part of a larger development? If so, how many acres is the whole?",
        help_text="Lots that are sold or built on one after the other under one plan count as a "
        "whole for the state's rules. Leave this empty if it stands alone.",
    )

    def __init__(
        self, edition: Edition, data: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(data, **kwargs)
        for name, hint in hints(edition).items():
            self.fields[name].help_text = hint
        exception = edition.citation("permit", "(d)(1)"), edition.citation("permit", "(d)(2)")
        self.fields["agriculture"].help_text = with_citation(
            "Such use of land needs no permit.", exception[0]
        )
        self.fields["state_project"].help_text = with_citation(
            "Such work needs no permit from the city if the state requires a similar plan.",
            exception[1],
        )

    def clean(self) -> dict[str, Any]:
        """Ask for one answer at least: nothing at all says nothing."""
        answers = self.cleaned_data
        given = [value for value in answers.values() if value not in (None, "", [])]
        measures = {"area", "volume"} & answers.keys()
        empty = [name for name in measures if answers[name][0] is None]
        if not self.errors and len(given) == len(empty):
            raise forms.ValidationError("Answer at least one question.")
        return answers

    def proposal(self) -> Proposal:
        """Return the answers as the rule takes them."""
        answers = self.cleaned_data
        (area, area_unit), (volume, volume_unit) = answers["area"], answers["volume"]
        larger = answers["larger_plan_acres"]
        return Proposal(
            area_sq_ft=None if area is None else square_feet(area, AreaUnit(area_unit)),
            volume_cu_yd=None if volume is None else cubic_yards(volume, VolumeUnit(volume_unit)),
            street_work=answers["street_work"],
            pipe_ft=answers["pipe_ft"],
            dewatering=answers["dewatering"],
            agriculture=answers["agriculture"],
            state_project=answers["state_project"],
            state_plan_required=answers["state_plan_required"],
            larger_plan_sq_ft=square_feet(larger, AreaUnit.ACRES) if larger else None,
            building=Building(answers["building"]) if answers["building"] else None,
        )

    def for_application(self) -> dict[str, Any]:
        """Return the answers under the names of the application's own fields."""
        answers = self.cleaned_data
        (area, area_unit), (volume, volume_unit) = answers["area"], answers["volume"]
        return {
            "area_amount": area,
            "area_unit": area_unit,
            "volume_amount": volume,
            "volume_unit": volume_unit,
            "street_work": answers["street_work"],
            "pipe_ft": answers["pipe_ft"],
            "dewatering": answers["dewatering"],
            "building": answers["building"],
            "larger_plan_acres": answers["larger_plan_acres"],
        }

    def query(self) -> str:
        """Return the answers as the query of an address, so that every page can be kept."""
        typed = [(name, str(self.data.get(name) or "")) for name in self._names()]
        empty = {name.removesuffix("_amount") + "_unit" for name, text in typed if not text}
        return urlencode([(name, text) for name, text in typed if text and name not in empty])

    def _names(self) -> list[str]:
        measures = [f"{name}_{part}" for name in ("area", "volume") for part in ("amount", "unit")]
        return [*measures, *(name for name in self.fields if name not in ("area", "volume"))]

    def answered(self) -> list[tuple[str, str]]:
        """Return each question with its answer in words, for the printed answer."""
        return [
            (str(field.label), self._in_words(name, self.cleaned_data.get(name)))
            for name, field in self.fields.items()
            if name != "state_plan_required" or self.cleaned_data.get("state_project")
        ]

    def _in_words(self, name: str, value: Any) -> str:
        if isinstance(value, tuple) and isinstance(value[0], Decimal):
            units = {**CHECK_AREA_UNITS, **CHECK_VOLUME_UNITS}
            return measure(value[0], units[value[1]])
        if isinstance(value, Decimal):
            return measure(value, "feet" if name == "pipe_ft" else "acres")
        return (
            "not answered" if show(None, value) == "no answer" else show(self.fields[name], value)
        )
