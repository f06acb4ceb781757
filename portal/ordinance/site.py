"""What every site must do: waste, tracking, inlets. former § 17.19(5)"""

from dataclasses import dataclass

from .citations import Citation
from .editions import Edition


@dataclass(frozen=True)
class Standard:
    """A standard that holds on every site, every day."""

    key: str
    title: str
    sentence: str
    paragraph: str

    def citation(self, edition: Edition) -> Citation:
        """Where the standard stands written."""
        return edition.citation("site", self.paragraph)


STANDARDS: tuple[Standard, ...] = (
    Standard(
        "waste",
        "Waste and materials",
        "Garbage, debris, leftover materials, wash water and anything toxic is disposed of "
        "properly, so that no runoff carries it into a channel or a storm sewer.",
        "(a)",
    ),
    Standard(
        "tracking",
        "Tracking",
        "Gravel on roads, drives and parking areas keeps soil on the site. Soil that reaches a "
        "public or private road is swept up, not flushed, before the workday ends.",
        "(b)",
    ),
    Standard(
        "inlets",
        "Storm drain inlets",
        "Every storm drain inlet is guarded by a straw bale, filter fabric or a barrier as good.",
        "(c)",
    ),
)
"""former § 17.19(5)(a) to (c)"""

STANDARDS_BY_KEY = {standard.key: standard for standard in STANDARDS}
