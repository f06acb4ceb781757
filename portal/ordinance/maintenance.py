"""The maintenance agreement and its seven provisions. former § 17.19(4)(f)"""

from collections.abc import Collection
from dataclasses import dataclass, field

from .citations import Citation
from .editions import Edition, all_editions
from .obstacles import Obstacle
from .recording import CONVEYANCE, DRAFTER, FORMAT, SOCIAL_SECURITY


@dataclass(frozen=True)
class Provision:
    """One thing the agreement must say."""

    key: str
    title: str
    sentence: str
    paragraph: str
    clause: str
    """What every agreement says of it; the city may add to this and never take away."""

    def citation(self, edition: Edition) -> Citation:
        """Where the provision stands written."""
        return edition.citation("maintenance", self.paragraph)


PROVISIONS: tuple[Provision, ...] = (
    Provision(
        "facilities",
        "Facilities and drainage area",
        "It names the stormwater facilities and the area that drains to them.",
        "(1)",
        "The stormwater and erosion control practices listed in the schedule of practices and "
        "maintenance, and shown on the map, are the practices of this agreement. The area that "
        "drains to each of them is designated there.",
    ),
    Provision(
        "schedule",
        "Maintenance schedule",
        "It sets a regular schedule for the upkeep of each part of the system.",
        "(2)",
        "Each practice is maintained regularly: what is done, how often and by whom is set out in "
        "the schedule of practices and maintenance, which follows the plan that the city granted.",
    ),
    Provision(
        "responsible-party",
        "Responsible party",
        "It names the person, organization or local government in charge of long-term upkeep.",
        "(3)",
        "The responsible party named in this agreement is responsible for the long-term "
        "maintenance of the practices.",
    ),
    Provision(
        "duty",
        "Duty to maintain",
        "It binds that party to maintain the erosion control practices.",
        "(4)",
        "The responsible party shall maintain the practices in accordance with the schedule, so "
        "that each of them works as it was designed.",
    ),
    Provision(
        "access",
        "Access for inspections",
        "It lets the city onto the property to see whether the practices are kept up and work.",
        "(5)",
        "The city and those whom it designates may enter the property to inspect the practices as "
        "often as is necessary to learn whether they are maintained and operated in accordance "
        "with this agreement.",
    ),
    Provision(
        "corrections",
        "Notice and corrections",
        "The city tells the responsible party what must be corrected, and the party does it within "
        "a reasonable time that the city sets.",
        "(6)",
        "The city notifies the responsible party of each maintenance problem that must be "
        "corrected and specifies the corrective actions. The responsible party shall carry them "
        "out within the reasonable time that the city sets.",
    ),
    Provision(
        "city-work",
        "City work and special charge",
        "If the party does not do it in time, the city may, and the cost goes on the tax roll as a "
        "special charge against the property.",
        "(7)",
        "If the corrections are not made within the time specified, the city may perform the "
        "corrective actions identified in its inspection report. The city enters the amount due on "
        "the tax roll and collects it as a special charge against the property under Wis. Stat. "
        "ch. 66.",
    ),
)
"""former § 17.19(4)(f)(1) to (7)"""


CURE_OF = {
    "facilities": "practices and schedule",
    "schedule": "practices and schedule",
    "responsible-party": "responsible party",
}
"""What of the draft fills a provision that is not there in every agreement."""


def missing_provisions(present: Collection[str], edition: Edition | None = None) -> list[Obstacle]:
    """The provisions an agreement still lacks. former § 17.19(4)(f)"""
    edition = edition or all_editions()[-1]
    return [
        Obstacle(
            provision.key,
            f"The agreement has no provision on this: {provision.title.lower()}.",
            provision.citation(edition),
            CURE_OF.get(provision.key, "complete the maintenance agreement"),
        )
        for provision in PROVISIONS
        if provision.key not in present
    ]


AMENDS, RELEASES = "amendment", "release"


@dataclass(frozen=True)
class DraftFacts:
    """What a draft says so far: the rule asks whether it can be sent for signature."""

    practices: int = 0
    without_area: tuple[str, ...] = ()
    """Practices for which no drainage area is designated."""
    without_tasks: tuple[str, ...] = ()
    """Practices for which no upkeep is scheduled."""
    party_named: bool = False
    party_has_address: bool = False
    owner_named: bool = False
    parcels: int = 0
    legal_description: bool = False
    map: bool = False
    return_address: bool = False
    drafter: bool = False
    says_why: bool = True
    """Of an amendment or a release: whether it says what changes."""
    kind: str = "agreement"
    social_security_in: tuple[str, ...] = field(default=())
    """Where something that looks like a social security number stands."""


def present_provisions(facts: DraftFacts) -> set[str]:
    """The provisions that a draft has: four stand in every one, three must be filled."""
    present = {"duty", "access", "corrections", "city-work"}
    if facts.practices and not facts.without_area:
        present.add("facilities")
    if facts.practices and not facts.without_tasks:
        present.add("schedule")
    if facts.party_named and facts.party_has_address:
        present.add("responsible-party")
    return present


def obstacles_to_sign(facts: DraftFacts, edition: Edition | None = None) -> list[Obstacle]:
    """Why a draft cannot be sent for signature yet. former § 17.19(4)(f)

    A release has no practices: it ends the agreement of which it names the document.
    """
    edition = edition or all_editions()[-1]
    found = []
    if facts.kind != RELEASES:
        found += missing_provisions(present_provisions(facts), edition)
        whole = edition.citation("maintenance")
        for name in (*facts.without_area, *facts.without_tasks):
            lacks = "drainage area" if name in facts.without_area else "upkeep"
            text = f"No {lacks} is named for the practice: {name}."
            found.append(Obstacle("practice", text, whole, "practices and schedule"))
        if not facts.map:
            text = "The map of the practices and of what drains to them is missing."
            found.append(Obstacle("map", text, edition.citation("maintenance", "(1)"), "map"))
    return found + _to_record(facts, edition)


def _to_record(facts: DraftFacts, edition: Edition) -> list[Obstacle]:
    """What the register of deeds asks of an instrument that the draft lacks."""
    checks = (
        (facts.owner_named, "owner", "The owner who signs is not named.", CONVEYANCE, LAND),
        (facts.parcels > 0, "parcel", "No parcel number is given.", FORMAT, LAND),
        (
            facts.legal_description,
            "legal-description",
            "The legal description of the land is missing.",
            CONVEYANCE,
            LAND,
        ),
        (facts.return_address, "return", "The return address is missing.", FORMAT, LAND),
        (facts.drafter, "drafter", "The name of the drafter is missing.", DRAFTER, LAND),
        (
            facts.says_why,
            "terms",
            "What it changes, and why, is not said.",
            edition.citation("maintenance"),
            "words of the instrument",
        ),
        (
            not facts.social_security_in,
            "social-security",
            "Something that looks like a social security number stands in: "
            f"{', '.join(facts.social_security_in)}.",
            SOCIAL_SECURITY,
            "take it out",
        ),
    )
    return [
        Obstacle(key, text, citation, cure)
        for is_fine, key, text, citation, cure in checks
        if not is_fine
    ]


LAND = "land and signature"

TASKS: dict[str, tuple[tuple[str, int], ...]] = {
    "wet-pond": (
        ("Look at banks, outlet and inlets; take out litter and debris", 6),
        ("Mow the banks and take out woody plants", 12),
        ("Measure the depth of sediment; dredge when half of the sediment storage is full", 60),
    ),
    "sediment-basin": (
        ("Look at banks, outlet and inlets; take out litter and debris", 6),
        ("Take out sediment when half of the storage is full", 24),
    ),
    "infiltration-basin": (
        ("See that water is gone within three days after rain; take out debris", 6),
        ("Loosen the soil of the floor and renew its plants where water stands", 36),
    ),
    "bioretention": (
        ("Weed, replace dead plants, take out litter and debris", 6),
        ("Renew the mulch", 12),
    ),
    "rain-garden": (
        ("Weed, replace dead plants, take out litter and debris", 6),
        ("Renew the mulch", 12),
    ),
    "vegetated-swale": (
        ("Mow; take out sediment, litter and debris", 6),
        ("Repair bare and eroded places and seed them", 12),
    ),
    "permeable-pavement": (
        ("Sweep or vacuum the surface", 6),
        ("See that water drains; repair what has settled", 12),
    ),
    "infiltration-trench": (("See that water drains; take out sediment and debris", 6),),
    "": (("Look at it; repair what is damaged; take out sediment and debris", 12),),
}
"""The usual upkeep by kind of device, in months: a beginning for the schedule, which follows
the plan. former § 17.19(4)(f)(2)"""
