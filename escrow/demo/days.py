"""The demo's days: counted in working days from today, so that its clocks are live."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from portal.ordinance import Calendar
from portal.ordinance.days import nth_day
from portal.ordinance.tax_roll import roll_open_on

__all__ = ["CUT_OFF", "Days"]

DECISION_DAYS = 10
CUT_OFF = (11, 1)
"""The demo council's cut-off for the tax roll: month and day."""


@dataclass(frozen=True)
class Days:
    """Working days around today, by the demo city's calendar."""

    today: date
    calendar: Calendar

    def before(self, day: date, working_days: int) -> date:
        """The working day so many working days before a day."""
        return nth_day(day, -working_days, self.calendar.is_working_day)

    def after(self, day: date, working_days: int) -> date:
        """The working day so many working days after a day."""
        return nth_day(day, working_days, self.calendar.is_working_day)

    def ago(self, working_days: int) -> date:
        """The working day so many working days ago; 0 is today, or the last one before it."""
        if working_days == 0:
            return self.before(self.today + timedelta(1), 1)
        return self.before(self.today, working_days)

    def due_in(self, working_days: int) -> date:
        """The working day on which something is due; 0 is today, or the next one after it."""
        if working_days < 0:
            return self.before(self.today, -working_days)
        return self.after(self.today - timedelta(1), working_days + 1)

    def received_for(self, due_on: date) -> date:
        """The day of receipt from which ten working days end on `due_on`."""
        return self.before(due_on, DECISION_DAYS)

    # The tax roll ---------------------------------------------------------------------

    @property
    def roll_year(self) -> int:
        """The year of the roll that is open today."""
        return roll_open_on(self.today)

    @property
    def list_on(self) -> date:
        """The day for which this year's list is drawn: today until the cut-off."""
        return min(self.today, date(self.roll_year, *CUT_OFF))
