"""A length of time as an ordinance writes it: ten days, or 24 hours."""

import re
from dataclasses import dataclass
from enum import StrEnum

from .wording import counted

HOURS_OF_A_DAY = 24
WRITTEN = re.compile(r"([0-9]{1,4}) (day|hour)s?")


class Measure(StrEnum):
    """What a period is written in."""

    DAYS = "day"
    HOURS = "hour"


@dataclass(frozen=True)
class Period:
    """A number of days or of hours. Wis. Stat. § 990.001(4)(a)"""

    number: int
    measure: Measure = Measure.DAYS

    @property
    def in_hours(self) -> bool:
        """Whether the ordinance counts hours here."""
        return self.measure is Measure.HOURS

    @property
    def most_days(self) -> int:
        """How many days after the first one it can still run on, at whatever hour it began."""
        return -(-self.number // HOURS_OF_A_DAY) if self.in_hours else self.number

    @property
    def least_days(self) -> int:
        """How many days after the first one it surely runs on."""
        return self.number // HOURS_OF_A_DAY if self.in_hours else self.number

    @property
    def figures(self) -> str:
        """10 days; 24 hours."""
        return f"{self.number:,} {self.measure.value}{'' if self.number == 1 else 's'}"

    def __str__(self) -> str:
        return self.figures if self.in_hours else counted(self.number, self.measure.value)


def read_period(value: object) -> Period:
    """Read 10, "10 days" or "24 hours"; refuse every other way of writing one."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Period(value)
    found = WRITTEN.fullmatch(str(value))
    if found is None:
        raise ValueError(f'{value!r} is no period; write 10, "10 days" or "24 hours"')
    return Period(int(found[1]), Measure(found[2]))
