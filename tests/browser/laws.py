"""What two cities' ordinances differ in on the way from the question to the permit."""

from dataclasses import dataclass

__all__ = ["LAWS", "Law"]


@dataclass(frozen=True)
class Law:
    """One city's words and dates on the way, typed by hand from its text."""

    decision_by: str
    days: str
    activities: str
    inspector: str
    fee: str
    section: str


LAWS = {
    "example": Law(
        "Monday, November 30, 2026",  # three weekends and Thanksgiving Day do not count
        "ten",
        "§ 40-887",
        "Building inspector",
        "$25.00",
        "§ 40-886",
    ),
    "neighbor": Law(
        "Monday, December 7, 2026",
        "fifteen",
        "§ 14.03",
        "Director of public works",
        "$60.00",
        "§ 14.04",
    ),
}
