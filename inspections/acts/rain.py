"""Rain: entered by hand or from a daily file; trigger days open their duties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_DOWN, Decimal

from django.db import transaction

from inspections import rain_duties
from inspections.models import RainReading
from inspections.rain_duties import Duties
from inspections.rain_file import RainFile
from portal import city
from portal.models import User
from portal.ordinance.inspection import is_rain_trigger

__all__ = ["Change", "Comparison", "Saved", "compare", "default_station", "enter", "save_file"]

FIRST_STATION = "City gauge"
FOUR_PLACES = Decimal("0.0001")
LONGEST_STATION = 80


@dataclass(frozen=True)
class Change:
    """A day whose figure is new or other than before, and what that does to the day.

    A day is a rain day when any station has half an inch or more.
    """

    on: date
    before: Decimal | None
    after: Decimal
    was_trigger: bool
    is_trigger: bool

    @property
    def corrects(self) -> bool:
        """Whether another figure stood there before."""
        return self.before is not None

    @property
    def becomes_trigger(self) -> bool:
        """Whether the day becomes one of half an inch or more."""
        return self.is_trigger and not self.was_trigger

    @property
    def ceases_trigger(self) -> bool:
        """Whether the day was one of half an inch or more and no longer is."""
        return self.was_trigger and not self.is_trigger


@dataclass(frozen=True)
class Comparison:
    """What saving some days at a station would change."""

    station: str
    changes: list[Change]
    same: int

    @property
    def corrections(self) -> list[Change]:
        """Days with another figure than before."""
        return [change for change in self.changes if change.corrects]

    @property
    def new(self) -> int:
        """How many days had no figure before."""
        return len(self.changes) - len(self.corrections)


@dataclass(frozen=True)
class Saved(Comparison):
    """What saving some days has changed, and which duties it opened and closed."""

    duties: Duties = field(default_factory=Duties)


def default_station() -> str:
    """Return the station whose rain was entered last."""
    last = RainReading.objects.order_by("-pk").values_list("station", flat=True).first()
    return last or FIRST_STATION


def compare(days: Mapping[date, Decimal], *, station: str) -> Comparison:
    """Compare days with what stands on record, day by day."""
    days = {on: rounded_down(inches) for on, inches in sorted(days.items())}
    here: dict[date, Decimal] = {}
    elsewhere: dict[date, Decimal] = {}
    if days:
        between = (min(days), max(days))
        for row in RainReading.objects.current().filter(on__range=between).iterator():
            if row.station == station:
                here[row.on] = row.inches
            else:
                elsewhere[row.on] = max(row.inches, elsewhere.get(row.on, Decimal(0)))
    changes = [
        _change(on, here.get(on), after, elsewhere.get(on, Decimal(0)))
        for on, after in days.items()
        if here.get(on) != after
    ]
    return Comparison(station, changes, same=len(days) - len(changes))


def _change(on: date, before: Decimal | None, after: Decimal, elsewhere: Decimal) -> Change:
    edition = city.edition_on(on)
    return Change(
        on,
        before,
        after,
        was_trigger=is_rain_trigger(max(before or Decimal(0), elsewhere), edition),
        is_trigger=is_rain_trigger(max(after, elsewhere), edition),
    )


def rounded_down(inches: Decimal) -> Decimal:
    """Return the figure to four decimals, cut and never rounded up to the trigger."""
    return inches.quantize(FOUR_PLACES, rounding=ROUND_DOWN)


@transaction.atomic
def _save(
    days: Mapping[date, Decimal],
    *,
    station: str,
    by: User | None,
    on: date,
    source: str,
    note: str = "",
) -> Saved:
    """Save days; each new or other figure is a new row, and the latest row counts.

    Raises ValueError for a station whose name is too long to be kept.
    """
    if len(station) > LONGEST_STATION:
        raise ValueError(f"The name of a station has at most {LONGEST_STATION} characters.")
    found = compare(days, station=station)
    RainReading.objects.bulk_create(
        (
            RainReading(
                station=station,
                on=change.on,
                inches=change.after,
                source=source,
                note=note,
                entered_by=by,
            )
            for change in found.changes
        ),
        batch_size=500,
    )
    turned = [c.on for c in found.changes if c.was_trigger != c.is_trigger]
    return Saved(station, found.changes, found.same, duties=rain_duties.follow(turned, on=on))


def enter(
    *, station: str, rained_on: date, inches: Decimal, by: User | None, on: date, note: str = ""
) -> Saved:
    """Enter a day's rain by hand; another figure for the same day corrects it."""
    source = RainReading.Source.TYPED
    return _save({rained_on: inches}, station=station, by=by, on=on, source=source, note=note)


def save_file(file: RainFile, *, station: str, by: User | None, on: date) -> Saved:
    """Save every day of a file of which no row was refused; all or nothing."""
    if file.refused:
        raise ValueError("Nothing was saved: correct the rows that were refused first.")
    days = {day.on: day.inches for day in file.days}
    return _save(days, station=station, by=by, on=on, source=RainReading.Source.FILE)
