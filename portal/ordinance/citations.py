"""Where each rule stands written: the section, its label, the paragraph."""

from dataclasses import dataclass

STATUTE = "statute"
"""The section key of a citation to state law, which is no section of the ordinance."""


@dataclass(frozen=True)
class Citation:
    """A place in the law: "§ 40-886(c)" or "former § 17.19(7)(c)"."""

    section: str
    label: str
    paragraph: str = ""

    def __str__(self) -> str:
        return f"{self.label}{self.paragraph}"


def statute(label: str, paragraph: str = "") -> Citation:
    """A citation to state law: statute("Wis. Stat. § 990.001", "(4)(b)")."""
    return Citation(STATUTE, label, paragraph)


TIME_STATUTE = "Wis. Stat. § 990.001"
"""How the state counts time; its (4)(b) moves a last day, (4)(c) a filing."""
