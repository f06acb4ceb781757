"""What an erosion control plan must contain. § 40-939"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from .citations import Citation, statute
from .editions import Edition, all_editions
from .obstacles import Obstacle

SOIL_LOSS_RULE = statute("Wis. Admin. Code § NR 151.11", "(6m)")
"""The state's limit on soil loss, for sites of an acre or more."""


@dataclass(frozen=True)
class PlanContent:
    """One thing the plan must contain."""

    key: str
    title: str
    sentence: str
    section: str = "plan"

    def citation(self, edition: Edition) -> Citation:
        """Where it stands written."""
        return SOIL_LOSS_RULE if self.section == "" else edition.citation(self.section)


PLAN_CONTENTS: tuple[PlanContent, ...] = (
    PlanContent(
        "drawing",
        "Site drawing",
        "A drawing of the site shows where the work and the controls are.",
    ),
    PlanContent(
        "scale",
        "Scale of the drawing",
        "The drawing is made to scale, and the scale is written on it.",
    ),
    PlanContent(
        "factors",
        "Factors on and next to the site",
        "The plan names all that may affect erosion on the site and beside it: slopes, soils, "
        "ditches, streams, wetlands, inlets, neighbors below.",
    ),
    PlanContent(
        "devices",
        "Control devices and their places",
        "The drawing places the devices that suit the site best, so that as little soil as "
        "possible leaves it.",
    ),
    PlanContent(
        "timetable",
        "Timetable",
        "A timetable gives each land disturbing activity its dates.",
    ),
    PlanContent(
        "areas",
        "Area of each activity",
        "The timetable says how much land each activity disturbs.",
    ),
    PlanContent(
        "temporary",
        "Temporary procedures",
        "For each activity the plan says what holds the soil while work goes on.",
    ),
    PlanContent(
        "permanent",
        "Permanent procedures",
        "For each activity the plan says what holds the soil for good.",
    ),
    PlanContent(
        "soil-loss",
        "Soil loss result",
        "For a site of an acre or more: the state's soil loss spreadsheet, with a result within "
        "the limit and dates that match the timetable.",
        section="",
    ),
)
"""§ 40-939, and for sites of an acre or more the state's soil loss rule."""

CONTENTS_BY_KEY = {content.key: content for content in PLAN_CONTENTS}


@dataclass(frozen=True)
class PlannedActivity:
    """One row of the timetable."""

    name: str
    begins_on: date | None = None
    ends_on: date | None = None
    area_sq_ft: Decimal | None = None
    temporary: str = ""
    permanent: str = ""


@dataclass(frozen=True)
class PlanFacts:
    """What the plan holds, as far as a machine can see it."""

    drawings: int = 0
    scale: str = ""
    factors_on_site: str = ""
    factors_adjacent: str = ""
    devices: int = 0
    devices_placed: int = 0
    activities: tuple[PlannedActivity, ...] = ()
    disturbed_sq_ft: Decimal | None = None
    soil_loss_tons: Decimal | None = None
    soil_loss_from: date | None = None
    soil_loss_until: date | None = None


def missing_contents(facts: PlanFacts, edition: Edition | None = None) -> list[Obstacle]:
    """What the plan still lacks, in the order of the section. § 40-939"""
    edition = edition or all_editions()[-1]
    findings = {**drawing_findings(facts), **timetable_findings(facts)}
    if (lacking := soil_loss_finding(facts, edition)) is not None:
        findings["soil-loss"] = lacking
    return [
        Obstacle(content.key, findings[content.key], content.citation(edition), "complete the plan")
        for content in PLAN_CONTENTS
        if findings.get(content.key)
    ]


def lacking_contents(facts: PlanFacts, edition: Edition | None = None) -> dict[str, Obstacle]:
    """What the plan lacks by content; without a timetable its parts are lacking with it."""
    found = {each.key: each for each in missing_contents(facts, edition)}
    if not facts.activities:
        found |= dict.fromkeys(("areas", "temporary", "permanent"), found["timetable"])
    return found


def drawing_findings(facts: PlanFacts) -> dict[str, str]:
    """What the drawing lacks."""
    found = {}
    if facts.drawings < 1:
        found["drawing"] = "There is no site drawing yet."
    if not facts.scale.strip():
        found["scale"] = "The scale of the drawing is not given."
    if not facts.factors_on_site.strip() or not facts.factors_adjacent.strip():
        found["factors"] = "The factors on the site and next to it are not both described."
    if facts.devices < 1:
        found["devices"] = "No control device is planned yet."
    elif facts.devices_placed < facts.devices:
        found["devices"] = "Some control devices have no place on the drawing."
    return found


def timetable_findings(facts: PlanFacts) -> dict[str, str]:
    """What the timetable lacks."""
    rows = facts.activities
    if not rows:
        return {"timetable": "The timetable has no activity yet."}
    found = {}
    if any(row.begins_on is None or row.ends_on is None for row in rows):
        found["timetable"] = "Some activities have no begin or end date."
    elif any(row.begins_on > row.ends_on for row in rows if row.begins_on and row.ends_on):
        found["timetable"] = "Some activities end before they begin."
    if any(not row.area_sq_ft for row in rows):
        found["areas"] = "Some activities have no area."
    if any(not row.temporary.strip() for row in rows):
        found["temporary"] = "Some activities have no temporary procedure."
    if any(not row.permanent.strip() for row in rows):
        found["permanent"] = "Some activities have no permanent procedure."
    return found


def soil_loss_finding(facts: PlanFacts, edition: Edition) -> str | None:
    """What the soil loss result lacks; nothing for sites of less than an acre."""
    if facts.disturbed_sq_ft is None or facts.disturbed_sq_ft < edition.state_permit_sq_ft:
        return None
    if facts.soil_loss_tons is None or not facts.soil_loss_from or not facts.soil_loss_until:
        return "The soil loss result and its dates are missing for a site of an acre or more."
    if facts.soil_loss_tons > edition.soil_loss_limit:
        return (
            f"The soil loss of {facts.soil_loss_tons} tons an acre a year is over the limit of "
            f"{edition.soil_loss_limit}."
        )
    begins = [row.begins_on for row in facts.activities if row.begins_on]
    ends = [row.ends_on for row in facts.activities if row.ends_on]
    if begins and (
        facts.soil_loss_from > min(begins) or facts.soil_loss_until < max(ends or begins)
    ):
        return "The dates of the soil loss result do not cover the timetable."
    return None
