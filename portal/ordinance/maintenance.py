"""The maintenance agreement and its seven provisions. former § 17.19(4)(f)"""

from collections.abc import Collection
from dataclasses import dataclass

from .citations import Citation
from .editions import Edition, all_editions
from .obstacles import Obstacle


@dataclass(frozen=True)
class Provision:
    """One thing the agreement must say."""

    key: str
    title: str
    sentence: str
    paragraph: str

    def citation(self, edition: Edition) -> Citation:
        """Where the provision stands written."""
        return edition.citation("maintenance", self.paragraph)


PROVISIONS: tuple[Provision, ...] = (
    Provision(
        "facilities",
        "Facilities and drainage area",
        "It names the stormwater facilities and the area that drains to them.",
        "(1)",
    ),
    Provision(
        "schedule",
        "Maintenance schedule",
        "It sets a regular schedule for the upkeep of each part of the system.",
        "(2)",
    ),
    Provision(
        "responsible-party",
        "Responsible party",
        "It names the person, organization or local government in charge of long-term upkeep.",
        "(3)",
    ),
    Provision(
        "duty",
        "Duty to maintain",
        "It binds that party to maintain the erosion control practices.",
        "(4)",
    ),
    Provision(
        "access",
        "Access for inspections",
        "It lets the city onto the property to see whether the practices are kept up and work.",
        "(5)",
    ),
    Provision(
        "corrections",
        "Notice and corrections",
        "The city tells the responsible party what must be corrected, and the party does it within "
        "a reasonable time that the city sets.",
        "(6)",
    ),
    Provision(
        "city-work",
        "City work and special charge",
        "If the party does not do it in time, the city may, and the cost goes on the tax roll as a "
        "special charge against the property.",
        "(7)",
    ),
)
"""former § 17.19(4)(f)(1) to (7)"""


def missing_provisions(present: Collection[str], edition: Edition | None = None) -> list[Obstacle]:
    """The provisions an agreement still lacks. former § 17.19(4)(f)"""
    edition = edition or all_editions()[-1]
    return [
        Obstacle(
            provision.key,
            f"The agreement has no provision on this: {provision.title.lower()}.",
            provision.citation(edition),
            "complete the maintenance agreement",
        )
        for provision in PROVISIONS
        if provision.key not in present
    ]
