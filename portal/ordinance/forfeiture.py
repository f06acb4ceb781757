"""What a court could impose; the city imposes nothing itself. former § 17.19(9)"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from .citations import Citation
from .editions import Edition, edition_on
from .wording import counted, dollars


@dataclass(frozen=True)
class Exposure:
    """The least and the most for the days on which a violation was documented."""

    days: tuple[date, ...]
    low: Decimal
    high: Decimal
    citation: Citation | None

    @property
    def sentence(self) -> str:
        """The exposure in words."""
        if not self.days:
            return "No violation is documented, so there is no forfeiture exposure."
        return (
            f"A violation is documented on {counted(len(self.days), 'day')}. A court could impose "
            f"{dollars(self.low)} to {dollars(self.high)} and the cost of prosecution. "
            "The court decides; the city does not."
        )


def exposure(documented_days: Iterable[date], *, edition: Edition | None = None) -> Exposure:
    """Each documented day is a separate violation. former § 17.19(9)

    Days are those on which an inspector saw and recorded the violation, not the
    days that went by. Each is judged by the edition in force on it.
    """
    days = tuple(sorted(set(documented_days)))
    by_day = [edition or edition_on(day) for day in days]
    return Exposure(
        days=days,
        low=sum((each.forfeiture_min for each in by_day), Decimal("0.00")),
        high=sum((each.forfeiture_max for each in by_day), Decimal("0.00")),
        citation=by_day[-1].citation("penalty") if by_day else None,
    )


def alleged_days(first: date, last: date) -> int:
    """Days from first to last, both included: one when they are the same."""
    return max((last - first).days + 1, 0)
