"""A reason why an act may not be done yet, with its citation and its cure."""

from dataclasses import dataclass

from .citations import Citation


@dataclass(frozen=True)
class Obstacle:
    """One reason; `cure` names the page or act that removes it."""

    key: str
    text: str
    citation: Citation
    cure: str

    def __str__(self) -> str:
        return f"{self.text} ({self.citation})"
