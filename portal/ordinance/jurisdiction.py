"""Which rules of the state go with a site of this size and kind.

Shown beside the city's answer; the city never refuses an application on it.
"""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from .editions import Edition
from .wording import figure, number_word


class Building(StrEnum):
    """What is built, as far as the state's rules ask."""

    NONE = "none"
    DWELLING = "dwelling"
    PUBLIC = "public"


class JurisdictionClass(StrEnum):
    """Under which authority the city acts on a site."""

    ACRE_OR_MORE = "acre-or-more"
    UNDER_ACRE = "under-acre"
    UNDER_ACRE_PUBLIC = "under-acre-public-building"
    UNDER_ACRE_DWELLING = "under-acre-dwelling"
    UNKNOWN = "unknown"

    @property
    def label(self) -> str:
        """The class in words."""
        return CLASS_LABELS[self]


CLASS_LABELS = {
    JurisdictionClass.ACRE_OR_MORE: "one acre or more",
    JurisdictionClass.UNDER_ACRE: "less than one acre, no building under a state code",
    JurisdictionClass.UNDER_ACRE_PUBLIC: (
        "less than one acre, public building or place of employment"
    ),
    JurisdictionClass.UNDER_ACRE_DWELLING: "less than one acre, one-family or two-family dwelling",
    JurisdictionClass.UNKNOWN: "not known yet",
}


@dataclass(frozen=True)
class StateRule:
    """A rule of the state that goes with the city's permit."""

    title: str
    text: str
    source: str


def classify(
    area_sq_ft: Decimal | None,
    *,
    larger_plan_sq_ft: Decimal | None = None,
    building: Building | None = None,
    edition: Edition,
) -> JurisdictionClass:
    """By size first, a larger common plan included; then by what is built."""
    largest = max(
        (area for area in (area_sq_ft, larger_plan_sq_ft) if area is not None), default=None
    )
    if largest is not None and largest >= edition.state_permit_sq_ft:
        return JurisdictionClass.ACRE_OR_MORE
    if area_sq_ft is None or building is None:
        return JurisdictionClass.UNKNOWN
    return {
        Building.NONE: JurisdictionClass.UNDER_ACRE,
        Building.DWELLING: JurisdictionClass.UNDER_ACRE_DWELLING,
        Building.PUBLIC: JurisdictionClass.UNDER_ACRE_PUBLIC,
    }[building]


def rules_of_the_state(place: JurisdictionClass, edition: Edition) -> tuple[StateRule, ...]:
    """The state's rules for a class of site; the wetlands notice is for all."""
    by_class = {
        JurisdictionClass.ACRE_OR_MORE: (
            state_permit(edition),
            state_inspections(edition),
            soil_loss(edition),
        ),
        JurisdictionClass.UNDER_ACRE: (SMALL_SITE,),
        JurisdictionClass.UNDER_ACRE_PUBLIC: (PUBLIC_BUILDING,),
        JurisdictionClass.UNDER_ACRE_DWELLING: (DWELLING_CODE,),
        JurisdictionClass.UNKNOWN: (),
    }
    return (*by_class[place], WETLANDS)


def state_permit(edition: Edition) -> StateRule:
    """The construction site permit of the DNR."""
    days = number_word(edition.state_notice_working_days)
    return StateRule(
        "State construction site permit",
        "A site of one acre or more also needs a permit from the Department of Natural "
        f"Resources. Send the department its Notice of Intent (NOI) at least {days} working days "
        "before work begins. That is the department's form, not the city's notice of intent.",
        "Wis. Admin. Code ch. NR 216, subch. III",
    )


def state_inspections(edition: Edition) -> StateRule:
    """Weekly and after rain."""
    return StateRule(
        "Inspections and repairs",
        f"Inspect the controls every week and within {edition.rain_inspection_hours} hours after "
        f"rain of {figure(edition.rain_trigger_inches)} inch or more that runs off. Repair within "
        f"{edition.rain_inspection_hours} hours and keep a written record.",
        "Wis. Admin. Code § NR 216.48(4)",
    )


def soil_loss(edition: Edition) -> StateRule:
    """Five tons an acre a year."""
    return StateRule(
        "Limit on soil loss",
        f"The plan must keep sediment to {edition.soil_loss_limit} tons an acre a year or less. "
        "The state's soil loss spreadsheet shows the figure; attach it to the plan.",
        "Wis. Admin. Code § NR 151.11(6m)",
    )


SMALL_SITE = StateRule(
    "State practices for smaller sites",
    "A site of less than one acre must keep soil off streets, out of inlets and away from water, "
    "and must guard stockpiles, pumped water and wash water.",
    "Wis. Admin. Code § NR 151.105",
)
PUBLIC_BUILDING = StateRule(
    "Public buildings and places of employment",
    "For less than one acre around such a building the state's commercial building code sets the "
    "erosion control, and the city acts as far as the state has delegated it. The city's permit, "
    "inspections and fee still apply.",
    "Wis. Stat. § 101.1206; Wis. Admin. Code ch. SPS 360",
)
DWELLING_CODE = StateRule(
    "One-family and two-family dwellings",
    "For less than one acre around a house the state's dwelling code sets the erosion control: "
    "controls go in before digging and stay until plants cover the ground.",
    "Wis. Stat. § 101.653; Wis. Admin. Code § SPS 321.125",
)
WETLANDS = StateRule(
    "Wetlands, lakes and streams",
    "The city must hand you the state's notice about building near wetlands, lakes and streams, "
    "and you sign that you have it. The city's permit replaces no state or federal permit there.",
    "Wis. Stat. § 62.232",
)
