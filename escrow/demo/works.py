"""The kinds of work in the demo: what is built, how much ground it opens, how soil is held."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Any

__all__ = ["WORKS", "Work"]

Device = tuple[str, str, str]
"""Key of the device, its place, how much of it; permanent ones are known by their kind."""

HOUSE_DEVICES: tuple[Device, ...] = (
    ("silt-fence", "Front line and both sides of the lot, below all grading", "320 feet"),
    ("tracking-pad", "Drive, from the street to the house", "50 feet"),
    ("seeding-permanent", "Whole yard", "9,400 sq ft"),
)
CREEK_DEVICES: tuple[Device, ...] = (
    ("silt-fence", "Along the buffer and the west line", "430 feet"),
    ("vegetative-buffer", "Between the fence and Heron Creek", "30 feet wide"),
    ("mat-non-channel", "Slope behind the house", "2,200 sq ft"),
    ("tracking-pad", "Drive", "50 feet"),
    ("seeding-permanent", "Whole yard outside the buffer", "14,000 sq ft"),
)
CORNER_DEVICES: tuple[Device, ...] = (
    ("sediment-basin", "Southwest corner of the lot", "1"),
    ("silt-fence", "South and west lines", "610 feet"),
    ("inlet-protection", "Inlet IP-1 in the street", "1"),
    ("tracking-pad", "East drive", "60 feet"),
    ("bioretention", "North of the parking", "1,800 sq ft"),
    ("seeding-permanent", "All ground not built on", "1.1 acres"),
)
MAIN_DEVICES: tuple[Device, ...] = (
    ("inlet-protection", "Every inlet within 100 feet of the trench", "11"),
    ("ditch-check", "North ditch, DC-1 to DC-4", "4"),
    ("silt-fence", "South side of the trench", "600 feet"),
    ("dewatering", "Filter bag on grass, moved with the trench", "1"),
    ("mulch", "Trench, behind the backfill, each day", "0.6 acre"),
    ("seeding-permanent", "Terrace on both sides", "0.6 acre"),
)
PLAT_DEVICES: tuple[Device, ...] = (
    ("sediment-basin", "SB-1, southwest corner", "1"),
    ("silt-fence", "South, east and west lines", "1,900 feet"),
    ("inlet-protection", "Inlets IP-1 to IP-6", "6"),
    ("diversion", "North line, leads water from the hill around the site", "700 feet"),
    ("seeding-temporary", "Lots as they are graded", "6 acres"),
    ("wet-pond", "SB-1, rebuilt when the lots are covered", "1"),
)


@dataclass(frozen=True)
class Work:
    """One kind of work."""

    name: str
    layout: str
    description: str
    activities: tuple[str, ...]
    building: str
    area: str
    area_unit: str
    cubic_yards: int
    devices: tuple[Device, ...]
    days: int
    escrow: str
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def acres(self) -> Decimal:
        """The disturbed area in acres."""
        amount = Decimal(self.area)
        return amount if self.area_unit == "acres" else amount / 43_560

    @property
    def length(self) -> timedelta:
        """How long the work takes."""
        return timedelta(self.days)


WORKS: dict[str, Work] = {
    "house": Work(
        "New dwelling",
        "house",
        "Clear and grade the lot, dig the basement, build a one-family house with a drive.",
        ("grading", "excavation", "building"),
        "dwelling",
        "17424",
        "sq_ft",
        620,
        HOUSE_DEVICES,
        210,
        "2500.00",
        {"zoning": "R-1", "existing_land_use": "Vacant lot, grass"},
    ),
    "creek": Work(
        "New dwelling at the creek",
        "creek",
        "Build a house on the upper part of a deep lot; the slope to the creek stays as it is.",
        ("grading", "excavation", "building"),
        "dwelling",
        "0.62",
        "acres",
        880,
        CREEK_DEVICES,
        240,
        "6000.00",
        {
            "zoning": "R-1, shoreland",
            "existing_land_use": "Woodlot",
            "other_permits": "Shoreland zoning permit asked for from the county.",
        },
    ),
    "garage": Work(
        "Garage and drive",
        "house",
        "Take out the old drive, pour a new one and a garage of 28 by 32 feet.",
        ("grading", "building", "demolition"),
        "dwelling",
        "4650",
        "sq_ft",
        140,
        HOUSE_DEVICES,
        75,
        "800.00",
        {"zoning": "R-2"},
    ),
    "fill": Work(
        "Filling a low yard",
        "house",
        "Raise the back yard by two feet with clean fill and seed it.",
        ("filling", "grading"),
        "none",
        "7200",
        "sq_ft",
        533,
        HOUSE_DEVICES,
        45,
        "1200.00",
        {
            "fill_source": "Basement of the new house on Juneberry Avenue",
            "haul_routes": "Juneberry Avenue, Depot Street",
        },
    ),
    "store": Work(
        "Corner store and parking",
        "corner",
        "Build a store of 18,700 square feet with 34 stalls and a basin that later holds rain.",
        ("grading", "excavation", "building", "pipe"),
        "public",
        "2.4",
        "acres",
        5200,
        CORNER_DEVICES,
        300,
        "18500.00",
        {
            "zoning": "B-2",
            "existing_land_use": "Old nursery",
            "pipe_ft": Decimal("420"),
            "controls_cost": Decimal("18500.00"),
            "utilities": "Gas main along the east line",
        },
    ),
    "school": Work(
        "School addition",
        "corner",
        "Add six classrooms and move the bus loop; the playing field is left alone.",
        ("grading", "excavation", "building"),
        "public",
        "1.3",
        "acres",
        2900,
        CORNER_DEVICES,
        330,
        "14000.00",
        {"zoning": "P-1", "controls_cost": Decimal("13850.00")},
    ),
    "main": Work(
        "1,150 feet of water main",
        "main",
        "Lay an 8-inch water main in an open trench and restore the terrace behind it.",
        ("pipe", "excavation", "dewatering"),
        "none",
        "0.9",
        "acres",
        1700,
        MAIN_DEVICES,
        90,
        "9000.00",
        {
            "pipe_ft": Decimal("1150"),
            "dewatering": True,
            "street_work": True,
            "utilities": "Gas and fiber on the north side, marked",
        },
    ),
    "street": Work(
        "Street rebuilt",
        "main",
        "Take up and rebuild the street with curb, inlets and storm sewer.",
        ("street", "pipe", "excavation"),
        "none",
        "3.1",
        "acres",
        6400,
        MAIN_DEVICES,
        150,
        "22000.00",
        {"pipe_ft": Decimal("840"), "street_work": True, "dewatering": False},
    ),
    "plat": Work(
        "Fourteen lots and a street",
        "plat",
        "Grade fourteen lots and build their street, sewers and pond in one season.",
        ("grading", "street", "pipe", "excavation", "filling"),
        "none",
        "8.2",
        "acres",
        31000,
        PLAT_DEVICES,
        280,
        "64000.00",
        {
            "pipe_ft": Decimal("2600"),
            "street_work": True,
            "larger_plan_acres": Decimal("19.5"),
            "controls_cost": Decimal("61250.00"),
            "other_permits": "Construction site permit of the state, notice sent.",
        },
    ),
    "pond": Work(
        "Farm pond",
        "creek",
        "Dig a pond of a third of an acre and spread the soil on the field beside it.",
        ("excavation", "filling"),
        "none",
        "1.6",
        "acres",
        4100,
        CREEK_DEVICES,
        60,
        "5000.00",
        {"existing_land_use": "Pasture", "zoning": "A-1"},
    ),
}
