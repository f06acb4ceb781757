"""Editions of the ordinance: its numbers, titles and labels, as files of data.

A case is judged by the edition in force on the day of its fact. An amendment
adds a file to this folder and edits none.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from portal.ordinance.citations import Citation
from portal.ordinance.days import Roll

FOLDER = Path(__file__).parent

SECTION_KEYS = (
    "purpose",
    "penalty",
    "permit",
    "activities",
    "inspection",
    "enforcement",
    "appeal",
    "plan",
    "devices",
    "escrow",
    "completion",
    "draws",
    "maintenance",
    "site",
)
"""The sections in the order in which the ordinance has them."""

OFFICER_ROLES = ("inspector", "clerk", "administrator", "attorney", "board", "council")
"""Those the ordinance names; an edition says what the city calls them."""

MonthDay = tuple[int, int]


@dataclass(frozen=True)
class Edition:
    """One text of the ordinance, in force from a day on.

    What each number means and where it stands written is in `numbers.NUMBERS`.
    """

    key: str
    title: str
    in_force_on: date
    officers: Mapping[str, str]
    labels: Mapping[str, str]
    former: Mapping[str, str]
    rolls: Mapping[str, Roll]
    decision_working_days: int
    revision_review_working_days: int
    stop_work_days: int
    notice_wait_days: int
    entry_wait_days: int
    mailed_notice_days: int
    mail_days: int
    appeal_days: int
    assessment_years: int
    fee: Decimal
    forfeiture_min: Decimal
    forfeiture_max: Decimal
    trigger_area_sq_ft: int
    trigger_volume_cu_yd: int
    trigger_pipe_ft: int
    state_permit_sq_ft: int
    state_notice_working_days: int
    soil_loss_limit: Decimal
    cover_density_percent: int
    rain_trigger_inches: Decimal
    rain_inspection_hours: int
    winter_begins: MonthDay
    winter_ends: MonthDay
    cover_due: MonthDay
    roll_cutoff: MonthDay
    charge_payable: MonthDay

    def __str__(self) -> str:
        return f"{self.title} (in force from {self.in_force_on.isoformat()})"

    def __hash__(self) -> int:
        return hash((self.key, self.in_force_on))

    def citation(self, section: str, paragraph: str = "") -> Citation:
        """The place in this edition where something stands written."""
        return Citation(section, self.labels[section], paragraph)

    def section_label(self, section: str) -> str:
        """The label of a whole section: § 40-886 (former § 17.19(2))."""
        former = self.former.get(section)
        return f"{self.labels[section]} ({former})" if former else self.labels[section]

    def officer(self, role: str) -> str:
        """What the city calls one of its officers."""
        return self.officers[role]

    def roll(self, rule: str) -> Roll:
        """How the last day of a rule's period moves on."""
        return self.rolls.get(rule, Roll.NONE)

    def renamed(
        self,
        *,
        officers: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
    ) -> "Edition":
        """The same law with the city's own officer titles and section labels."""
        return replace(
            self,
            officers={**self.officers, **(officers or {})},
            labels={**self.labels, **(labels or {})},
        )


def read_edition(text: str) -> Edition:
    """Read one edition; every section, officer and number must be there."""
    data = tomllib.loads(text)
    numbers: dict[str, Any] = {
        name: read_number(name, value) for name, value in data["numbers"].items()
    }
    check_keys("labels", data["labels"], SECTION_KEYS)
    check_keys("officers", data["officers"], OFFICER_ROLES)
    named = {"key", "title", "in_force_on", "officers", "labels", "former", "rolls"}
    check_keys("numbers", numbers, {field.name for field in fields(Edition)} - named)
    return Edition(
        key=data["key"],
        title=data["title"],
        in_force_on=data["in_force_on"],
        officers=data["officers"],
        labels=data["labels"],
        former=data.get("former", {}),
        rolls={rule: Roll(roll) for rule, roll in data.get("rolls", {}).items()},
        **numbers,
    )


def read_number(name: str, value: Any) -> int | Decimal | MonthDay:
    """A whole number as it is; "07-15" is a day of the year; other text an amount."""
    if isinstance(value, int):
        if value < 0:
            raise ValueError(f"{name} must not be negative")
        return value
    month, dash, day = str(value).partition("-")
    if dash:
        date(2000, int(month), int(day))  # refuses what is no day of the calendar
        return int(month), int(day)
    return Decimal(value)


def check_keys(table: str, found: Iterable[str], wanted: Iterable[str]) -> None:
    """An edition that forgets or invents a name is refused."""
    if wrong := set(found) ^ set(wanted):
        raise ValueError(f"[{table}]: missing or unknown: {', '.join(sorted(wrong))}")


def load_editions(folder: Path) -> tuple[Edition, ...]:
    """Every edition of a folder, oldest first."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.toml"))]
    editions = sorted(map(read_edition, texts), key=lambda edition: edition.in_force_on)
    if not editions:
        raise ValueError(f"no edition of the ordinance in {folder}")
    if len({edition.in_force_on for edition in editions}) < len(editions):
        raise ValueError("two editions of the ordinance begin on the same day")
    return tuple(editions)


@cache
def all_editions() -> tuple[Edition, ...]:
    """The editions that come with Siltfence, oldest first."""
    return load_editions(FOLDER)


def edition_on(day: date, editions: tuple[Edition, ...] | None = None) -> Edition:
    """The edition in force on a day; the first one also stands for all days before."""
    known = editions or all_editions()
    in_force = [edition for edition in known if edition.in_force_on <= day]
    return in_force[-1] if in_force else known[0]
