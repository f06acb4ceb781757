"""What a case of the demo city is: who holds it, where it is, what is built, and how it went."""

from __future__ import annotations

from dataclasses import dataclass

from .paths import Path

__all__ = ["WI", "Case"]

WI = "Example, WI 54999"


@dataclass(frozen=True)
class Case:
    """One row of the demo city."""

    holder: str
    work: str
    place: str
    parcels: tuple[str, ...]
    path: Path
    landowner: str = ""
    contractor: str = "berg"
    street: str = ""
    survey: str = ""
    photo: bool = False

    @property
    def street_name(self) -> str:
        """The street as the drawing names it."""
        first = self.place.partition(",")[0]
        words = [w for w in first.split() if not any(c.isdigit() for c in w)]
        return self.street or " ".join(words) or "Depot Street"
