"""Editions of the ordinance: its numbers, titles and labels, as files of data.

A city is a folder of editions. A case is judged by the edition in force on the day
of its fact. An amendment adds a file to the city's folder and edits none.
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
from portal.ordinance.periods import Period, read_period

FOLDER = Path(__file__).parent
"""The cities that come with Siltfence, a folder for each."""

FIRST_CITY = "example"
"""The city whose editions count where nobody has chosen another."""

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
"""Those the ordinance names; an edition says what the city calls them, in full and for short."""

PERIODS = ("stop_work_period", "notice_wait_period", "entry_wait_period")
"""Lengths of time that an edition writes in days or in hours."""

TABLES = ("officers", "short", "labels", "former", "paragraphs", "rolls")
"""What of an edition is no number."""

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
    short: Mapping[str, str]
    labels: Mapping[str, str]
    former: Mapping[str, str]
    paragraphs: Mapping[str, Mapping[str, str]]
    rolls: Mapping[str, Roll]
    decision_working_days: int
    revision_review_working_days: int
    stop_work_period: Period
    notice_wait_period: Period
    entry_wait_period: Period
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
        own = self.paragraphs.get(section, {}).get(paragraph, paragraph)
        return Citation(section, self.labels[section], own)

    def section_label(self, section: str) -> str:
        """The label of a whole section: § 40-886 (former § 17.19(2))."""
        former = self.former.get(section)
        return f"{self.labels[section]} ({former})" if former else self.labels[section]

    def officer(self, role: str) -> str:
        """What the city calls one of its officers."""
        return self.officers[role]

    def called(self, role: str) -> str:
        """What an officer is called for short, once the text has named them."""
        return self.short[role]

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


NUMBER_NAMES = tuple(
    field.name
    for field in fields(Edition)
    if field.name not in {"key", "title", "in_force_on", *TABLES}
)
"""The numbers that every edition must have."""


def read_edition(text: str) -> Edition:
    """Read one edition; every section, officer and number must be there."""
    data = tomllib.loads(text)
    numbers: dict[str, Any] = {
        name: read_number(name, value) for name, value in data["numbers"].items()
    }
    check_keys("labels", data["labels"], SECTION_KEYS)
    check_keys("officers", data["officers"], OFFICER_ROLES)
    check_keys("short", data["short"], OFFICER_ROLES)
    check_keys("numbers", numbers, NUMBER_NAMES)
    return Edition(
        key=data["key"],
        title=data["title"],
        in_force_on=data["in_force_on"],
        officers=data["officers"],
        short=data["short"],
        labels=data["labels"],
        former=data.get("former", {}),
        paragraphs=data.get("paragraphs", {}),
        rolls={rule: Roll(roll) for rule, roll in data.get("rolls", {}).items()},
        **numbers,
    )


def read_number(name: str, value: Any) -> int | Decimal | MonthDay | Period:
    """A whole number as it is; "07-15" is a day of the year; other text an amount."""
    if name in PERIODS:
        return read_period(value)
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


def cities() -> tuple[str, ...]:
    """The cities that come with Siltfence, by the names of their folders."""
    return tuple(sorted(path.parent.name for path in FOLDER.glob("*/*.toml")))


def folder_of(city: str) -> Path:
    """The folder of a city that comes with Siltfence, or any folder by its path."""
    return Path(city) if "/" in city else FOLDER / city


@cache
def editions_of(city: str) -> tuple[Edition, ...]:
    """The editions of a city, oldest first; read once."""
    return load_editions(folder_of(city))


_chosen = [FIRST_CITY]


def use(city: str) -> str:
    """Judge by this city's editions from now on, in this process; return the city before.

    Raises ValueError if it has none. Called once, when the portal starts.
    """
    editions_of(city)
    before, _chosen[0] = _chosen[0], city
    return before


def all_editions(city: str | None = None) -> tuple[Edition, ...]:
    """The editions of a city, oldest first; of the chosen one where none is named."""
    return editions_of(city or _chosen[0])


def edition_on(day: date, editions: tuple[Edition, ...] | None = None) -> Edition:
    """The edition in force on a day; the first one also stands for all days before."""
    known = editions or all_editions()
    in_force = [edition for edition in known if edition.in_force_on <= day]
    return in_force[-1] if in_force else known[0]
