"""What a court could impose; the city imposes nothing itself. former § 17.19(9)"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from .citations import Citation, statute
from .editions import Edition, edition_on
from .wording import counted, dollars

ZERO = Decimal("0.00")
CENT = Decimal("0.01")


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


# What a court adds ------------------------------------------------------------------------


class Court(StrEnum):
    """Where a citation is tried; each court adds other costs."""

    MUNICIPAL = "municipal court"
    CIRCUIT = "circuit court"


@dataclass(frozen=True)
class AddOn:
    """One amount that a court adds to a forfeiture, with its source.

    `verified` says that the amount was read in the statute; the others are in common use
    and must be checked before anybody relies on them. `least` and `share` together mean
    the greater of both.
    """

    key: str
    name: str
    source: Citation
    courts: tuple[Court, ...]
    least: Decimal = ZERO
    share: Decimal = ZERO
    verified: bool = True
    note: str = ""

    def amount(self, forfeiture: Decimal) -> Decimal:
        """What is added to one forfeiture, to the cent."""
        share = (forfeiture * self.share).quantize(CENT, ROUND_HALF_UP)
        return max(self.least, share)


BOTH = (Court.MUNICIPAL, Court.CIRCUIT)

ADD_ONS: tuple[AddOn, ...] = (
    AddOn(
        "penalty",
        "Penalty surcharge, 26 % of the forfeiture",
        statute("Wis. Stat. § 757.05", "(1)(a)"),
        BOTH,
        share=Decimal("0.26"),
    ),
    AddOn(
        "crime-lab",
        "Crime laboratories and drug enforcement surcharge",
        statute("Wis. Stat. § 165.755", "(1)(a)"),
        BOTH,
        least=Decimal("13.00"),
    ),
    AddOn(
        "jail",
        "Jail surcharge, 1 % of the forfeiture and at least $10",
        statute("Wis. Stat. § 302.46", "(1)"),
        BOTH,
        least=Decimal("10.00"),
        share=Decimal("0.01"),
        verified=False,
        note="Whether it is due on forfeitures under a city's ordinance is to be confirmed.",
    ),
    AddOn(
        "municipal-fee",
        "Court costs of the municipal court",
        statute("Wis. Stat. § 814.65", "(1)"),
        (Court.MUNICIPAL,),
        least=Decimal("38.00"),
        note="The court sets $15 to $38 for each matter; the estimate takes the most.",
    ),
    AddOn(
        "clerk-fee",
        "Fee of the clerk of circuit court",
        statute("Wis. Stat. § 814.63", "(1)(b)"),
        (Court.CIRCUIT,),
        least=Decimal("25.00"),
    ),
    AddOn(
        "court-support",
        "Court support services surcharge",
        statute("Wis. Stat. § 814.85"),
        (Court.CIRCUIT,),
        least=Decimal("68.00"),
        verified=False,
        note="The amount is to be confirmed.",
    ),
    AddOn(
        "justice-information",
        "Justice information system surcharge",
        statute("Wis. Stat. § 814.86"),
        (Court.CIRCUIT,),
        least=Decimal("21.50"),
        verified=False,
        note="The amount is to be confirmed.",
    ),
)
"""What courts add to each count: an estimate, so that the attorney knows what is at stake."""


@dataclass(frozen=True)
class Estimate:
    """Forfeiture and add-ons in one court: the least and the most for all counts."""

    court: Court
    counts: int
    low: Decimal
    high: Decimal
    lines: tuple[tuple[AddOn, Decimal, Decimal], ...]

    @property
    def title(self) -> str:
        """In municipal court."""
        return f"In {self.court.value}"


def estimate(found: Exposure, court: Court, *, edition: Edition | None = None) -> Estimate:
    """What a court could impose with all it adds, each documented day a count of its own."""
    lines = []
    pairs = [_range(day, edition) for day in found.days]
    for add_on in ADD_ONS:
        if court in add_on.courts:
            low = sum((add_on.amount(least) for least, _ in pairs), ZERO)
            high = sum((add_on.amount(most) for _, most in pairs), ZERO)
            lines.append((add_on, low, high))
    return Estimate(
        court,
        len(found.days),
        found.low + sum((low for _, low, _ in lines), ZERO),
        found.high + sum((high for _, _, high in lines), ZERO),
        tuple(lines),
    )


def _range(day: date, edition: Edition | None) -> tuple[Decimal, Decimal]:
    of_day = edition or edition_on(day)
    return of_day.forfeiture_min, of_day.forfeiture_max
